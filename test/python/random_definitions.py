"""Random definitions with their inputs, for tests: chains of pointwise ops, reductions, shapes and marks of
segments."""

import numpy as np
from fuser import DataType, FusionDefinition

UNARY = ("neg", "abs", "relu", "tanh", "sigmoid", "square")
KINDS = (
    *("unary", "binary", "scalar", "sum", "spread", "mark", "rows", "size", "turn", "where", "flat"),
    *("cut", "join", "product", "index", "scan"),
)
BINARY = ("add", "sub", "mul", "maximum", "minimum")


class Maker:
    """Defines one program. Tensors are kept by (rows, columns) up to order, so that operands fit."""

    def __init__(self, seed: int):
        self.random = np.random.default_rng(seed)
        self.rows, self.columns = (int(n) for n in self.random.integers(1, 9, 2))
        self.inputs: list[object] = []

    def pick(self, items):
        return items[int(self.random.integers(len(items)))]

    def input(self, fd, shape):
        dtype = self.pick((np.float32, np.float32, np.float64, np.int32))
        array = (self.random.uniform(-2, 2, shape) * (3 if dtype is np.int32 else 1)).astype(dtype)
        if self.random.random() < 0.3:
            array = np.asfortranarray(array)
        self.inputs.append(array)
        static = self.random.random() < 0.3
        if self.random.random() < 0.5:
            return fd.from_pytorch(array, static_sizes=static)
        kind = {np.float32: DataType.Float, np.float64: DataType.Double, np.int32: DataType.Int32}[dtype]
        return fd.define_tensor(list(shape) if static else [-1] * len(shape), dtype=kind)

    def scalar(self, fd):
        if self.random.random() < 0.5:
            return self.pick((2, 0.5, -1.25, True))
        self.inputs.append(float(self.random.uniform(-2, 2)))
        return fd.define_scalar(DataType.Double)

    def step(self, fd, full, rows, anchor):
        """One more tensor: of the full shape, or of one value for each row. `anchor` has the full shape at every
        call."""
        kind = self.pick(KINDS)
        x = self.pick(full)
        if kind == "unary":
            full.append(getattr(fd.ops, self.pick(UNARY))(fd.ops.cast(x, DataType.Float)))
        elif kind == "binary":
            full.append(getattr(fd.ops, self.pick(BINARY))(x, self.pick(full)))
        elif kind == "scalar":
            full.append(fd.ops.add(x, self.scalar(fd)))
        elif kind == "sum":
            rows.append(getattr(fd.ops, self.pick(("sum", "mean", "max")))(x, [1]))
        elif kind == "spread" and rows:
            shape = self.pick(([anchor.size(0), anchor.size(1)], x.shape()))
            full.append(fd.ops.broadcast_in_dim(self.pick(rows), shape, [0]))
        elif kind == "mark":
            full.append(fd.ops.segment_set(fd.ops.neg(x)))
        elif kind == "rows" and rows:
            rows.append(fd.ops.segment_set(fd.ops.mul(self.pick(rows), 0.5)))
        elif kind == "size":
            count = fd.ops.cast(fd.ops.mul(x.size(0), anchor.size(1)), DataType.Double)
            full.append(fd.ops.mul(x, fd.ops.div(1.0, fd.ops.add(count, 1))))
        elif kind == "turn":
            full.append(fd.ops.permute(fd.ops.segment_set(fd.ops.permute(x, [1, 0])), [1, 0]))
        elif kind == "where":
            full.append(fd.ops.where(fd.ops.gt(x, 0), x, self.pick(full)))
        elif kind == "cut" and self.rows > 1:
            rest = fd.ops.slice(x, [1, 0], [x.size(0), x.size(1)])
            full.append(fd.ops.pad(rest, [0, 0, 1, 0], self.pick((0, 1))))
        elif kind == "join":
            both = fd.ops.cat([x, self.pick(full)], self.pick((0, 1)))
            full.append(fd.ops.slice(both, [0, 0], [anchor.size(0), anchor.size(1)]))
        elif kind == "product":
            y = fd.ops.cast(self.pick(full), DataType.Float)
            square = fd.ops.matmul(fd.ops.tanh(y), fd.ops.permute(fd.ops.tanh(y), [1, 0]))
            full.append(fd.ops.matmul(square, fd.ops.cast(fd.ops.tanh(x), DataType.Float)))
        elif kind == "index":
            index = fd.ops.sub(fd.ops.sub(anchor.size(1), 1), fd.ops.iota(anchor.size(1)))
            full.append(fd.ops.index_select(x, index, 1))
        elif kind == "scan":
            full.append(fd.ops.cumsum(fd.ops.tanh(x), self.pick((0, 1))))
        elif kind == "flat":
            flat = fd.ops.reshape(x, [anchor.size(0) * anchor.size(1)])
            full.append(fd.ops.reshape(fd.ops.neg(flat), [anchor.size(0), anchor.size(1)]))

    def define(self):
        shape = (self.rows, self.columns)
        with FusionDefinition() as fd:
            anchor = self.input(fd, shape)
            full, rows = [anchor, self.input(fd, shape)], []
            for _ in range(int(self.random.integers(4, 14))):
                self.step(fd, full, rows, anchor)
            for output in [full[-1], self.pick(full[2:] or full), *rows[-1:]]:
                order = [0, 1] if output.ndim == 2 and self.random.random() < 0.2 else None
                fd.add_output(output, stride_order=order)
        return fd
