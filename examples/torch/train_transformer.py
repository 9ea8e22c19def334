"""Trains a small transformer with torch.compile(backend="fuser") and compares it with eager mode.

    python examples/torch/train_transformer.py              # on the GPU if there is one, else on the host device
    python examples/torch/train_transformer.py --steps=4 --width=32 --layers=1 --length=16 --batch=2
    python examples/torch/train_transformer.py --backends=eager,fuser,inductor

The task is to continue sequences that repeat with a period. All runs start from the same weights and see the same
data. The script prints the losses and the time per step of each backend, and fails if the loss curves differ.
"""

import argparse
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.attention_norm, self.mlp_norm = nn.RMSNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.gate_up, self.down = nn.Linear(width, 8 * width, bias=False), nn.Linear(4 * width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        heads = self.qkv(self.attention_norm(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(*heads.unbind(0), is_causal=True)
        x = x + self.project(mixed.transpose(1, 2).reshape(batch, length, width))
        gate, up = self.gate_up(self.mlp_norm(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


class Transformer(nn.Module):
    def __init__(self, tokens: int, width: int, layers: int, heads: int, length: int):
        super().__init__()
        self.tokens, self.places = nn.Embedding(tokens, width), nn.Parameter(0.02 * torch.randn(length, width))
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm, self.head = nn.RMSNorm(width), nn.Linear(width, tokens, bias=False)

    def forward(self, index: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        x = self.blocks(self.tokens(index) + self.places[: index.shape[1]])
        return F.cross_entropy(self.head(self.norm(x)).flatten(0, 1), target.flatten())


def batches(options: argparse.Namespace, device: str):
    generator = torch.Generator().manual_seed(1)
    for _ in range(options.steps):
        period = torch.randint(options.tokens, (options.batch, 5), generator=generator)
        text = period.repeat(1, options.length // 5 + 2)[:, : options.length + 1].to(device)
        yield text[:, :-1].contiguous(), text[:, 1:].contiguous()


def train(backend: str, options: argparse.Namespace, device: str) -> tuple[list[float], float]:
    """The losses, and the median time of a step in seconds without the first ones."""
    torch.manual_seed(0)
    torch._dynamo.reset()
    model = Transformer(options.tokens, options.width, options.layers, options.heads, options.length).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True, capturable=device == "cuda")
    forward, update = model, optimizer.step
    if backend != "eager":
        forward, update = torch.compile(model, backend=backend), torch.compile(optimizer.step, backend=backend)
    losses, times = [], []
    for index, target in batches(options, device):
        begin = time.perf_counter()
        loss = forward(index, target)
        loss.backward()
        update()
        optimizer.zero_grad()
        losses.append(loss.item())
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    warm = sorted(times[min(3, len(times) - 1) :])
    return losses, warm[len(warm) // 2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("steps", 60), ("batch", 8), ("length", 64), ("width", 64), ("layers", 2), ("heads", 4),
                        ("tokens", 50)):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--backends", default="eager,fuser")
    parser.add_argument("--tolerance", type=float, default=1e-3, help="of losses, relative")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    names = options.backends.split(",")
    if "fuser" in names:
        import fuser.torch
    curves = {}
    for name in names:
        curves[name], seconds = train(name, options, device)
        losses = " ".join(f"{loss:.4f}" for loss in curves[name][:: max(options.steps // 8, 1)])
        print(f"{name:10} {1e3 * seconds:9.3f} ms per step, losses {losses}")
    if "fuser" in names:
        print(
            "computed by PyTorch:", *(f"\n  {item.op}: {item.reason} ({item.count})" for item in fuser.torch.report())
        )
        print(fuser.torch.counters())
    reference = curves[names[0]]
    for name in names[1:]:
        worst = max(abs(a - b) / abs(b) for a, b in zip(curves[name], reference, strict=True))
        print(f"{name}: losses differ from {names[0]}'s by up to {worst:.2e}")
        if not worst < options.tolerance:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
