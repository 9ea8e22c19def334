"""One program for each function of `fd.ops` that is an op of the dialect, with inputs. Used by test_ops.py."""

import numpy as np
from fuser import DataType
from fuser._op_table import POINTWISE

RANDOM = np.random.default_rng(20)
SHAPE = (3, 17)

# Ranges of operands, where functions are defined and not too steep.
RANGES = {
    "acos": (-0.9, 0.9),
    "asin": (-0.9, 0.9),
    "atanh": (-0.9, 0.9),
    "erfinv": (-0.9, 0.9),
    "erfcinv": (0.2, 1.8),
    "logit": (0.1, 0.9),
    "acosh": (1.1, 4),
    "xlog1py": (0.1, 3),
}
POSITIVE = {
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "pow",
    "lgamma",
    "digamma",
    "xlogy",
    "polar",
}


def floats(name, dtype=np.float32, shape=SHAPE):
    low, high = RANGES.get(name, (0.2, 3) if name in POSITIVE else (-3, 3))
    return RANDOM.uniform(low, high, shape).astype(dtype)


def integers(low=1, high=9, shape=SHAPE, dtype=np.int32):
    return RANDOM.integers(low, high, shape).astype(dtype)


def pointwise_inputs(name):
    """An array for each operand: of complex numbers or integers where the op takes nothing else."""
    _, parameters, _, elements, _, _ = POINTWISE[name]
    if elements == "Complex":
        return [(floats(name) + 1j * floats(name)).astype(np.complex64) for _ in parameters]
    if elements == "Integer":
        return [integers() for _ in parameters]
    if name == "clamp":
        return [floats(name), np.full(SHAPE, -1, np.float32), np.full(SHAPE, 1, np.float32)]
    return [floats(name) for _ in parameters]


def x(shape=SHAPE, dtype=np.float32):
    return RANDOM.uniform(-3, 3, shape).astype(dtype)


def index(high, shape, dtype=np.int64):
    return RANDOM.integers(0, high, shape).astype(dtype)


# Function -> (inputs, definition, NumPy in float64 or None: the project's reference).
CASES = {
    "cast": ([x()], lambda ops, a: ops.cast(a, DataType.Int32), lambda a: np.trunc(a)),
    "bitcast": ([x()], lambda ops, a: ops.bitcast(a, DataType.Int32), lambda a: a.astype(np.float32).view(np.int32)),
    "where": (
        [x() > 0, x(), x()],
        lambda ops, c, a, b: ops.where(c, a, b),
        lambda c, a, b: np.where(c, a, b),
    ),
    "sum": ([x()], lambda ops, a: ops.sum(a, [1]), lambda a: a.sum(1)),
    "prod": ([x((5, 4))], lambda ops, a: ops.prod(a, [0], keep_dim=True), lambda a: a.prod(0, keepdims=True)),
    "max": ([x()], lambda ops, a: ops.max(a, [-1]), lambda a: a.max(1)),
    "min": ([x()], lambda ops, a: ops.min(a), lambda a: a.min()),
    "mean": ([x()], lambda ops, a: ops.mean(a, [0, 1], keep_dim=True), lambda a: a.mean(keepdims=True)),
    "any": ([x() > 2.5], lambda ops, a: ops.any(a, 1), lambda a: a.any(1)),
    "all": ([x() > -2.5], lambda ops, a: ops.all(a, 1), lambda a: a.all(1)),
    "max_sum_exp": (
        [x()],
        lambda ops, a: ops.max_sum_exp(a, [1]),
        lambda a: (a.max(1), np.exp(a - a.max(1, keepdims=True)).sum(1)),
    ),
    "var_mean": (
        [x()],
        lambda ops, a: ops.var_mean(a, [1], correction=1),
        lambda a: (a.var(1, ddof=1), a.mean(1)),
    ),
    "max_with_index": (
        [x(), np.tile(np.arange(17), (3, 1))],
        lambda ops, a, i: ops.max_with_index(a, i, [1]),
        lambda a, i: (a.max(1), a.argmax(1)),
    ),
    "min_with_index": (
        [x(), np.tile(np.arange(17), (3, 1))],
        lambda ops, a, i: ops.min_with_index(a, i, [1]),
        lambda a, i: (a.min(1), a.argmin(1)),
    ),
    "cumsum": ([x()], lambda ops, a: ops.cumsum(a, 1), lambda a: a.cumsum(1)),
    "cumprod": ([x((4, 5))], lambda ops, a: ops.cumprod(a, 0), lambda a: a.cumprod(0)),
    "logcumsumexp": ([x()], lambda ops, a: ops.logcumsumexp(a, 1), lambda a: np.logaddexp.accumulate(a, 1)),
    "cummax": ([x()], lambda ops, a: ops.cummax(a, 1), lambda a: np.maximum.accumulate(a, 1)),
    "cummin": ([x()], lambda ops, a: ops.cummin(a, 1), lambda a: np.minimum.accumulate(a, 1)),
    "broadcast": ([x((5,))], lambda ops, a: ops.broadcast(a, [True, False]), lambda a: a[None]),
    "expand": ([x((3, 1))], lambda ops, a: ops.expand(a, [-1, 6]), lambda a: np.broadcast_to(a, (3, 6))),
    "squeeze": ([x((3, 1, 4))], lambda ops, a: ops.squeeze(a, [1]), lambda a: a[:, 0]),
    "permute": ([x((3, 4, 5))], lambda ops, a: ops.permute(a, [2, 0, 1]), lambda a: a.transpose(2, 0, 1)),
    "reshape": ([x((4, 6))], lambda ops, a: ops.reshape(a, [-1, 3]), lambda a: a.reshape(8, 3)),
    "slice": (
        [x((8, 9))],
        lambda ops, a: ops.slice(a, [1, 2], [7, a.size(1)], [1, 2]),
        lambda a: a[1:7, 2::2],
    ),
    "pad": (
        [x((3, 4))],
        lambda ops, a: ops.pad(a, [1, 2, 0, 3], 7.0),
        lambda a: np.pad(a, ((0, 3), (1, 2)), constant_values=7),
    ),
    "cat": ([x((3, 4)), x((3, 2))], lambda ops, a, b: ops.cat([a, b], 1), lambda a, b: np.concatenate([a, b], 1)),
    "insert_slice": (
        [x((4, 6)), x((2, 3))],
        lambda ops, a, b: ops.insert_slice(a, b, [1, 2]),
        lambda a, b: np.block([[a[:1]], [a[1:3, :2], b, a[1:3, 5:]], [a[3:]]]),
    ),
    "repeat": ([x((2, 3))], lambda ops, a: ops.repeat(a, [2, 3]), lambda a: np.tile(a, (2, 3))),
    "full": ([x()], lambda ops, a: ops.full([2, a.size(1)], 2.5, DataType.Float), lambda a: np.full((2, 17), 2.5)),
    "iota": ([x()], lambda ops, a: ops.iota(a.size(1), 3, 2), lambda a: 3 + 2 * np.arange(17)),
    "set": ([x()], lambda ops, a: ops.set(a), lambda a: a),
    "segment_set": ([x()], lambda ops, a: ops.neg(ops.segment_set(ops.relu(a))), lambda a: -np.maximum(a, 0)),
    "stride_order": ([x((3, 4))], lambda ops, a: ops.stride_order(ops.neg(a), [0, 1]), lambda a: -a),
    "gather": (
        [x(), index(17, (2, 5))],
        lambda ops, a, i: ops.gather(a, i, 1),
        lambda a, i: np.take_along_axis(a[:2], i, 1),
    ),
    "take_along_axis": (
        [x(), index(17, (3, 5))],
        lambda ops, a, i: ops.take_along_axis(a, i, 1),
        lambda a, i: np.take_along_axis(a, i, 1),
    ),
    "index_select": (
        [x(), index(17, (7,))],
        lambda ops, a, i: ops.index_select(a, i, 1),
        lambda a, i: a[:, i],
    ),
    "scatter": (
        [x((4, 6)), index(4, (9, 6), np.int32), x((9, 6))],
        lambda ops, a, i, s: ops.scatter(a, i, s, 0, "add"),
        None,
    ),
    "push": (
        [x((70, 6)), index(70, (90, 6), np.int32), x((90, 6))],
        lambda ops, a, i, s: ops.push(a, i, s, 0, "add"),
        lambda a, i, s: np.stack([a[:, k] + np.bincount(i[:, k], s[:, k], 70) for k in range(6)], 1),
    ),
    "matmul": ([x((5, 7)), x((7, 3))], lambda ops, a, b: ops.matmul(a, b), lambda a, b: a @ b),
    "linear": (
        [x((2, 5, 7)), x((3, 7)), x((3,))],
        lambda ops, a, w, b: ops.linear(a, w, b),
        lambda a, w, b: a @ w.T + b,
    ),
    "sdpfa_fwd": (
        [x((2, 5, 4)), x((2, 6, 4)), x((2, 6, 3))],
        lambda ops, q, k, v: ops.sdpfa_fwd(q, k, v, 0.0, False, 0.3)[:2],
        None,
    ),
    "uniform": ([x()], lambda ops, a: ops.uniform(-1.0, 2.0, ops.shape(a), 7, 3), None),
    "normal": ([x()], lambda ops, a: ops.normal(0.5, 2.0, ops.shape(a), 7, 3), None),
}
