"""Seeds and offsets of random numbers, from PyTorch's generators."""

from __future__ import annotations

import torch


def draw(device: torch.device, count: int) -> tuple[int | torch.Tensor, int]:
    """A seed and an offset for `count` tensors of random numbers. The generator of the device advances, so that
    `torch.manual_seed` decides which numbers are drawn.

    While the current stream is captured in a CUDA graph, the seed is a tensor that each replay draws anew: the state of
    the generator is in memory of the device then, and a number would be that of the capture in all replays.
    """
    if device.type == "cuda":
        if torch.cuda.is_current_stream_capturing():
            return torch.randint(2**63 - 1, (), dtype=torch.int64, device=device), 0
        index = torch.cuda.current_device() if device.index is None else device.index
        generator = torch.cuda.default_generators[index]
        offset = generator.get_offset()
        # Offsets of PyTorch count single numbers, four of which a counter yields.
        generator.set_offset(offset + 4 * count)
        return generator.initial_seed() & (2**63 - 1), offset // 4
    return int(torch.randint(2**63 - 1, (), dtype=torch.int64)), 0
