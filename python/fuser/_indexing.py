"""Functions that read and write at indices, contractions and random numbers."""

from __future__ import annotations

from fuser._dtypes import DataType, check_dtype
from fuser._emit import Emitter
from fuser._errors import ArgumentError, DTypeError, RankError, ShapeError
from fuser._pointwise import join_extents
from fuser._records import check_dim, check_tensor, extent_of, register, tensor_like
from fuser._values import Extent, Scalar, ScalarType, Shape, TensorType, TensorView


def _infer_indexed(name: str):
    def infer(arguments: dict) -> tuple[TensorType]:
        source, index, dim = arguments["arg"].type, arguments["index"].type, arguments["dim"]
        if name == "gather":
            return (tensor_like(source, extents=index.extents),)
        extents = list(source.extents)
        if name == "take_along_axis":
            for other, (a, b) in enumerate(zip(source.extents, index.extents, strict=True)):
                extents[other] = b if other == dim or a == 1 else b if isinstance(b, int) and b != 1 else a
        else:
            extents[dim : dim + 1] = index.extents
        return (tensor_like(source, extents=tuple(extents)),)

    return infer


def _emit_indexed(mnemonic: str):
    def emit(emitter: Emitter, arguments: dict, results: tuple) -> None:
        source, index = arguments["arg"], arguments["index"]
        emitter.define(
            results,
            f"fuser.{mnemonic} {emitter.name(source)}, {emitter.name(index)} dim {arguments['dim']}"
            f" : {source.type}, {index.type} -> {results[0].type}",
        )

    return emit


def _emit_scatter(mnemonic: str):
    def emit(emitter: Emitter, arguments: dict, results: tuple) -> None:
        source, index, into = arguments["src"], arguments["index"], arguments["arg1"]
        reduce = f" reduce {arguments['reduce']}" if arguments["reduce"] else ""
        emitter.define(
            results,
            f"fuser.{mnemonic} {emitter.name(source)} at {emitter.name(index)} into {emitter.name(into)}"
            f" dim {arguments['dim']}{reduce} : {source.type}, {index.type}, {into.type}",
        )

    return emit


def _infer_matmul(arguments: dict) -> tuple[TensorType]:
    a, b = arguments["arg1"], arguments["arg2"]
    if a.type.extents[-1] != b.type.extents[-2] and all(
        isinstance(size, int) for size in (a.type.extents[-1], b.type.extents[-2])
    ):
        raise ShapeError(
            "SizeMismatch", f"matmul: arg2: expected {a.type.extents[-1]} rows, but got {b.type.extents[-2]}"
        )
    batch = [TensorView(t.definition, t.index, tensor_like(t.type, extents=t.type.extents[:-2])) for t in (a, b)]
    batch = [tensor for tensor in batch if tensor.ndim] or batch[:1]
    extents = (*join_extents(batch, "matmul"), a.type.extents[-2], b.type.extents[-1])
    return (TensorType(a.dtype, extents),)


def _emit_matmul(emitter: Emitter, arguments: dict, results: tuple) -> None:
    a, b = arguments["arg1"], arguments["arg2"]
    emitter.define(
        results,
        f"fuser.matmul {emitter.name(a)}, {emitter.name(b)} : {a.type}, {b.type} -> {results[0].type}",
    )


def _infer_linear(arguments: dict) -> tuple[TensorType]:
    source, weight = arguments["arg1"].type, arguments["arg2"].type
    return (TensorType(source.dtype, (*source.extents[:-1], weight.extents[0])),)


def _emit_linear(emitter: Emitter, arguments: dict, results: tuple) -> None:
    operands = [value for value in arguments.values() if isinstance(value, TensorView)]
    names = [emitter.name(operand) for operand in operands]
    bias = f" bias {names[2]}" if len(names) > 2 else ""
    types = ", ".join(str(operand.type) for operand in operands)
    emitter.define(results, f"fuser.linear {names[0]}, {names[1]}{bias} : {types} -> {results[0].type}")


def _infer_sdpa(arguments: dict) -> tuple[TensorType, TensorType]:
    query, value = arguments["query"].type, arguments["value"].type
    sum_type = DataType.Double if query.dtype is DataType.Double else DataType.Float
    output = tensor_like(query, extents=(*query.extents[:-1], value.extents[-1]))
    return output, TensorType(sum_type, query.extents[:-1])


def _emit_sdpa(emitter: Emitter, arguments: dict, results: tuple) -> None:
    operands = [arguments[name] for name in ("query", "key", "value")]
    attributes = ["causal"] if arguments["is_causal"] else []
    if arguments["scale"] is not None:
        attributes.append(f"scale = {arguments['scale']:.17e} : f64")
    braces = f" {{{', '.join(attributes)}}}" if attributes else ""
    names = ", ".join([emitter.name(operand) for operand in operands])
    types = ", ".join(str(operand.type) for operand in operands)
    emitter.define(results, f"fuser.sdpa {names}{braces} : {types} -> {results[0].type}, {results[1].type}")


def _infer_random(arguments: dict) -> tuple[TensorType]:
    extents: tuple[Extent, ...] = tuple(map(extent_of, arguments["shape"]))
    return (TensorType(arguments["dtype"], extents),)


def _emit_random(mnemonic: str):
    def emit(emitter: Emitter, arguments: dict, results: tuple) -> None:
        seed, offset = emitter.name(arguments["rng_seed"]), emitter.name(arguments["rng_offset"])
        sizes = emitter.sizes_of(results[0].type, arguments["shape"])
        emitter.define(results, f"fuser.{mnemonic} {seed}, {offset}{sizes} : {results[0].type}")

    return emit


def _emit_nothing(_emitter: Emitter, _arguments: dict, _results: tuple) -> None:
    """Arguments of the fusion are emitted with its signature."""


for _name in ("gather", "take_along_axis", "index_select"):
    register(_name, _infer_indexed(_name), _emit_indexed(_name))
for _name in ("scatter", "push"):
    register(_name, lambda arguments: (arguments["arg1"].type,), _emit_scatter(_name))
register("matmul", _infer_matmul, _emit_matmul)
register("linear", _infer_linear, _emit_linear)
register("sdpa", _infer_sdpa, _emit_sdpa)
register("random_uniform", _infer_random, _emit_random("random_uniform"))
register("random_normal", _infer_random, _emit_random("random_normal"))
register("rng_state", lambda _arguments: (ScalarType(DataType.Int), ScalarType(DataType.Int)), _emit_nothing)


class IndexingOps:
    """Functions that read and write at indices: tensors of Int or Int32, counted from 0. An index outside reads 0 and
    writes nothing."""

    def _index(self, index, op: str) -> TensorView:
        index = check_tensor(index, op, "index")
        if index.dtype not in (DataType.Int, DataType.Int32):
            raise DTypeError("DTypeMismatch", f"{op}: index: expected Int or Int32, but got {index.dtype!r}")
        return index

    def _check_ranks(self, op: str, rank: int, **tensors: TensorView) -> None:
        for name, tensor in tensors.items():
            if tensor.ndim != rank:
                raise RankError("RankMismatch", f"{op}: {name}: expected rank {rank}, but got rank {tensor.ndim}")

    def gather(self, arg: TensorView, index: TensorView, dim: int) -> TensorView:
        """The elements at `index` along a dimension; the result has the shape of `index`, as torch.gather."""
        arg, index = check_tensor(arg, "gather", "arg"), self._index(index, "gather")
        self._check_ranks("gather", arg.ndim, index=index)
        return self._fd._record("gather", arg=arg, index=index, dim=check_dim(dim, arg.ndim, "gather"))

    def take_along_axis(self, arg: TensorView, index: TensorView, dim: int) -> TensorView:
        """As gather, with equal sizes (or 1) in the other dimensions, as numpy.take_along_axis."""
        arg, index = check_tensor(arg, "take_along_axis", "arg"), self._index(index, "take_along_axis")
        self._check_ranks("take_along_axis", arg.ndim, index=index)
        dim = check_dim(dim, arg.ndim, "take_along_axis")
        return self._fd._record("take_along_axis", arg=arg, index=index, dim=dim)

    def index_select(self, arg: TensorView, index: TensorView, dim: int) -> TensorView:
        """The slices of a dimension at the items of `index`, whose dimensions, any number of them, take its place."""
        arg, index = check_tensor(arg, "index_select", "arg"), self._index(index, "index_select")
        return self._fd._record("index_select", arg=arg, index=index, dim=check_dim(dim, arg.ndim, "index_select"))

    def embedding_fwd(
        self,
        in_tv: TensorView,
        weight_tv: TensorView,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float | None = None,
        scale_grad_by_freq: bool | None = None,
        sparse: bool | None = None,
    ) -> TensorView:
        """The rows of `weight_tv` at the items of `in_tv`, as torch.nn.functional.embedding. `padding_idx`,
        `scale_grad_by_freq` and `sparse` matter to gradients only. `max_norm`, which changes the weight, must be None.
        """
        index, weight = self._index(in_tv, "embedding_fwd"), check_tensor(weight_tv, "embedding_fwd", "weight_tv")
        self._check_ranks("embedding_fwd", 2, weight_tv=weight)
        if max_norm is not None:
            raise ArgumentError(
                "ArgumentKind",
                f"embedding_fwd: max_norm: expected None, because it changes the weight, but got {max_norm!r}",
            )
        return self.index_select(weight, index, 0)

    def scatter(
        self, arg1: TensorView, index: TensorView, src: TensorView, dim: int, reduce: str | None = None
    ) -> TensorView:
        """`arg1` with the elements at `index` along a dimension replaced by those of `src`, as torch.scatter; with
        `reduce` ("add", "mul", "min" or "max") combined with them."""
        return self._scatter("scatter", arg1, index, src, dim, reduce)

    def push(
        self, arg1: TensorView, index: TensorView, src: TensorView, dim: int, reduce: str | None = None
    ) -> TensorView:
        """As scatter, but elements with one index are combined in any order: each element of `src` is computed once and
        combined in memory. Results may differ from run to run as sums in another order do."""
        return self._scatter("push", arg1, index, src, dim, reduce)

    def _scatter(
        self, op: str, arg1: TensorView, index: TensorView, src: TensorView, dim: int, reduce: str | None
    ) -> TensorView:
        arg1, src = check_tensor(arg1, op, "arg1"), check_tensor(src, op, "src")
        index = self._index(index, op)
        self._check_ranks(op, arg1.ndim, index=index, src=src)
        if src.dtype is not arg1.dtype:
            raise DTypeError("DTypeMismatch", f"{op}: src: expected {arg1.dtype!r}, but got {src.dtype!r}")
        if reduce not in (None, "add", "mul", "min", "max"):
            raise ArgumentError("ArgumentKind", f"{op}: reduce: expected add, mul, min or max, but got {reduce!r}")
        dim = check_dim(dim, arg1.ndim, op)
        return self._fd._record(op, arg1=arg1, index=index, src=src, dim=dim, reduce=reduce)

    def index_put_accumulate(self, acc: TensorView, index: TensorView, value: TensorView) -> TensorView:
        """`acc` with each row of `value` added to the row at the item of `index`, which has one dimension."""
        acc, value = (
            check_tensor(acc, "index_put_accumulate", "acc"),
            check_tensor(value, "index_put_accumulate", "value"),
        )
        index = self._index(index, "index_put_accumulate")
        self._check_ranks("index_put_accumulate", 1, index=index)
        rows = self.broadcast(index, [dim > 0 for dim in range(value.ndim)])
        rows = self.expand(rows, [-1, *(self.size(value, dim) for dim in range(1, value.ndim))])
        return self.scatter(acc, rows, value, 0, "add")

    # Contractions

    def matmul(self, arg1: TensorView, arg2: TensorView) -> TensorView:
        """The matrix product, as torch.matmul: of [..., m, k] and [..., k, n], or of one row or column."""
        fd = self._fd
        a, b = check_tensor(arg1, "matmul", "arg1"), check_tensor(arg2, "matmul", "arg2")
        self._check_equal_types("matmul", arg1=a, arg2=b)
        for name, tensor in (("arg1", a), ("arg2", b)):
            self._check_least_rank("matmul", name, tensor, 1)
        is_row, is_column = a.ndim == 1, b.ndim == 1
        a = self.broadcast(a, [True, False]) if is_row else a
        b = self.broadcast(b, [False, True]) if is_column else b
        if a.ndim != b.ndim and min(a.ndim, b.ndim) > 2:
            rank = max(a.ndim, b.ndim)
            a, b = (self.broadcast(t, [dim < rank - t.ndim for dim in range(rank)]) for t in (a, b))
        product = fd._record("matmul", arg1=a, arg2=b)
        dims = [product.ndim - 2] * is_row + [product.ndim - 1] * is_column
        return self.squeeze(product, dims) if dims else product

    def _check_least_rank(self, op: str, name: str, tensor: TensorView, rank: int) -> None:
        if tensor.ndim < rank:
            raise RankError("RankMismatch", f"{op}: {name}: expected rank {rank} or more, but got rank {tensor.ndim}")

    def _check_equal_types(self, op: str, **tensors: TensorView) -> None:
        first, *others = tensors.items()
        for name, tensor in others:
            if tensor.dtype is not first[1].dtype:
                raise DTypeError(
                    "DTypeMismatch",
                    f"{op}: {name}: expected {first[1].dtype!r} as {first[0]}, but got {tensor.dtype!r}",
                )

    def linear(self, arg1: TensorView, arg2: TensorView, bias: TensorView | None = None) -> TensorView:
        """arg1 [..., k] times the transpose of arg2 [n, k], plus bias [n]."""
        operands = {"arg1": check_tensor(arg1, "linear", "arg1"), "arg2": check_tensor(arg2, "linear", "arg2")}
        if bias is not None:
            operands["bias"] = check_tensor(bias, "linear", "bias")
            self._check_ranks("linear", 1, bias=bias)
        self._check_equal_types("linear", **operands)
        self._check_least_rank("linear", "arg1", operands["arg1"], 1)
        self._check_ranks("linear", 2, arg2=arg2)
        return self._fd._record("linear", **operands)

    def sdpa(
        self, query: TensorView, key: TensorView, value: TensorView, is_causal: bool = False, scale: float | None = None
    ) -> tuple[TensorView, TensorView]:
        """softmax(scale * query x key^T) x value of [..., l, e], [..., s, e] and [..., s, f], and the logarithm of the
        softmax's denominator. `scale` is 1 / sqrt(e) by default."""
        operands = {"query": query, "key": key, "value": value}
        for name, tensor in operands.items():
            self._check_least_rank("sdpa", name, check_tensor(tensor, "sdpa", name), 2)
        self._check_equal_types("sdpa", **operands)
        scale = None if scale is None else float(scale)
        return self._fd._record("sdpa", **operands, is_causal=bool(is_causal), scale=scale)

    def sdpfa_fwd(self, query, key, value, dropout_p=None, is_causal=None, scale=None):
        """As sdpa, with nvFuser's results: output, log-sum-exp, and seed and offset of the dropout, which are 0.
        Raises ArgumentError for a dropout other than 0."""
        numbers = {}
        for name, given in (("dropout_p", dropout_p), ("is_causal", is_causal), ("scale", scale)):
            constant = self._fd._constant_of(given) if isinstance(given, Scalar) else given
            if isinstance(given, Scalar) and constant is None:
                raise ArgumentError("ArgumentKind", f"sdpfa_fwd: {name}: expected a constant, but got {given!r}")
            numbers[name] = constant
        if numbers["dropout_p"]:
            raise ArgumentError("ArgumentKind", f"sdpfa_fwd: dropout_p: expected 0, but got {numbers['dropout_p']}")
        output, sums = self.sdpa(query, key, value, bool(numbers["is_causal"]), numbers["scale"])
        return output, sums, self.full([], 0, DataType.Int), self.full([], 0, DataType.Int)

    # Random numbers

    def rng_state(self) -> tuple[Scalar, Scalar]:
        """A seed and an offset that are new at every execution (`fuser.manual_seed` sets where they start)."""
        return self._fd._record("rng_state")

    def _random(self, name: str, shape: Shape, seed, offset, dtype: DataType) -> TensorView:
        dtype = check_dtype(dtype, f"{name}: dtype")
        if not dtype.is_float:
            raise DTypeError("DTypeMismatch", f"{name}: dtype: expected a float type, but got {dtype!r}")
        if (seed is None) != (offset is None):
            raise ArgumentError("ArgumentKind", f"{name}: expected rng_seed and rng_offset, or neither of them")
        seed, offset = self.rng_state() if seed is None else (seed, offset)
        state = {"rng_seed": seed, "rng_offset": offset}
        state = {key: self.cast(self._fd._scalar(value, name, key), DataType.Int) for key, value in state.items()}
        return self._fd._record(name, **state, shape=self._fd._shape(shape, name, "shape"), dtype=dtype)

    def random_uniform(self, rng_seed, rng_offset, shape: Shape, dtype: DataType = DataType.Float) -> TensorView:
        """Random numbers, equally likely in [0, 1), that depend on seed, offset and index only."""
        return self._random("random_uniform", shape, rng_seed, rng_offset, dtype)

    def random_normal(self, rng_seed, rng_offset, shape: Shape, dtype: DataType = DataType.Float) -> TensorView:
        """Random numbers of the standard normal distribution that depend on seed, offset and index only."""
        return self._random("random_normal", shape, rng_seed, rng_offset, dtype)

    def uniform(
        self, minval, maxval, shape: Shape, rng_seed=None, rng_offset=None, dtype: DataType = DataType.Float
    ) -> TensorView:
        """Random numbers, equally likely in [minval, maxval). Without seed and offset new ones at every execution."""
        low, high = self._fd._scalar(minval, "uniform", "minval"), self._fd._scalar(maxval, "uniform", "maxval")
        unit = self._random("random_uniform", shape, rng_seed, rng_offset, dtype)
        return self.add(self.mul(unit, self.sub(high, low)), low)

    def normal(self, mean, std, shape: Shape, rng_seed=None, rng_offset=None, dtype: DataType = DataType.Float):
        """Random numbers of a normal distribution. Without seed and offset new ones at every execution."""
        unit = self._random("random_normal", shape, rng_seed, rng_offset, dtype)
        return self.add(self.mul(unit, std), mean)

    def rand_like(self, arg: TensorView, rng_seed=None, rng_offset=None) -> TensorView:
        """Random numbers, equally likely in [0, 1), of the shape and type of a tensor."""
        arg = check_tensor(arg, "rand_like", "arg")
        return self._random("random_uniform", self.shape(arg), rng_seed, rng_offset, arg.dtype)

    def randn_like(self, arg: TensorView, rng_seed=None, rng_offset=None) -> TensorView:
        """Random numbers of the standard normal distribution, of the shape and type of a tensor."""
        arg = check_tensor(arg, "randn_like", "arg")
        return self._random("random_normal", self.shape(arg), rng_seed, rng_offset, arg.dtype)
