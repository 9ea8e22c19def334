"""What lists of functions are made of.

FUNCTIONS maps a name, which states sizes and the type where it is not bf16, to a function and to what makes its
arguments. Those that require gradients are timed forward and backward.
"""

import dataclasses
from collections.abc import Callable

import torch

BF16, F32, F8 = torch.bfloat16, torch.float32, torch.float8_e4m3fn


@dataclasses.dataclass
class Maker:
    """Makes arguments on `device`; the first size of each is divided by `scale`.

    Where `odd` is set, sizes from 64 on are the odd number next to 7/8 of them, so that rows are not aligned.
    """

    device: str
    scale: int = 1
    odd: bool = False

    def vary(self, size):
        return (size * 7 // 8) | 1 if self.odd and size >= 64 else size

    def sizes(self, shape):
        shape = tuple(self.vary(size) for size in shape)
        return (max(shape[0] // self.scale, 1), *shape[1:]) if len(shape) > 1 else shape

    def __call__(self, *shape, dtype=BF16, grad=False):
        made = torch.randn(self.sizes(shape), device=self.device).to(dtype)
        return made.requires_grad_(grad)

    def uniform(self, *shape, dtype=F32, grad=False):
        return torch.rand(self.sizes(shape), device=self.device).to(dtype).requires_grad_(grad)

    def ints(self, limit, *shape, dtype=torch.int64):
        return torch.randint(self.vary(limit), self.sizes(shape), device=self.device).to(dtype)

    def rows(self, limit, rows):
        """`rows` indices, as many as other arguments have rows."""
        return torch.randint(self.vary(limit), (max(self.vary(rows) // self.scale, 1),), device=self.device)

    def places(self, table, rows, *sizes):
        """Indices of the rows of a table that is made with `table` of them, `rows` x `sizes`."""
        shape = (max(self.vary(rows) // self.scale, 1), *map(self.vary, sizes))
        return torch.randint(max(self.vary(table) // self.scale, 1), shape, device=self.device)

    def of_rows(self, rows):
        """A number of each row, as many as other arguments have rows."""
        return self.uniform(rows, 1).view(-1)

    def image(self, *shape, dtype=BF16, grad=False):
        return self(*shape, dtype=dtype).contiguous(memory_format=torch.channels_last).requires_grad_(grad)


FUNCTIONS: dict[str, tuple[Callable, Callable]] = {}


def add(name: str, call: Callable, arguments: Callable) -> None:
    """A function, `call`, of what `arguments(maker)` returns."""
    assert name not in FUNCTIONS, name
    FUNCTIONS[name] = (call, arguments)
