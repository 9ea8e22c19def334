"""The backend: from graphs of TorchDynamo to compiled graphs."""

from __future__ import annotations

import contextlib
import functools
import operator
from collections.abc import Callable, Sequence

import torch
from functorch.compile import min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch._functorch import config
from torch.fx.experimental.symbolic_shapes import statically_known_true
from torch.utils.checkpoint import CheckpointPolicy

from fuser.torch._alignment import align_products
from fuser.torch._assumptions import assume_sizes
from fuser.torch._attention import rewrite_attention
from fuser.torch._builder import Unsupported
from fuser.torch._convolutions import use_channels_last
from fuser.torch._decompositions import decompositions
from fuser.torch._graph import CompiledGraph
from fuser.torch._lowering import LOWERINGS, VIEWS, aten, load_lowerings
from fuser.torch._padding import pad
from fuser.torch._partition import tensors_of
from fuser.torch._selections import rewrite_selections
from fuser.torch._sizes import SizeWriter
from fuser.torch._tracing import readers
from fuser.torch._upsampling import interpolate

load_lowerings()

_PROGRAM_OPTIONS = ("target", "cache_directory", "approximate_math", "dependent_launches")

# What graphs of Dynamo call in place of functions that PyTorch decomposes before other decompositions see them.
_REPLACED = {
    torch.nn.functional.interpolate: interpolate,
    torch.nn.functional.pad: pad,
    torch._C._nn.pad: pad,
}


def compile_graph(
    module: torch.fx.GraphModule,
    inputs: Sequence[object],
    options: dict[str, object] | None = None,
    is_inference: bool = False,
) -> Callable:
    """A graph of ATen ops, as AOTAutograd hands it to compilers, as a function of a list of its inputs."""
    given = dict(options or {})
    exact_random = bool(given.pop("exact_random", False))
    channels_last = given.pop("channels_last", None)
    unknown = sorted(given.keys() - set(_PROGRAM_OPTIONS))
    if unknown:
        expected = ", ".join(("exact_random", "channels_last", *_PROGRAM_OPTIONS))
        raise ValueError(f"options: expected {expected}, but got {', '.join(unknown)}")
    assume_sizes(module.graph)
    _remove_copies(module.graph)
    align_products(module.graph)
    module.recompile()
    if is_inference:
        use_channels_last(module, channels_last)
    call = CompiledGraph(module, given, exact_random).call
    call._boxed_call = True
    return call


def _is_made_of_kernels(graph: torch.fx.Graph) -> bool:
    """Whether no function of the graph is one of PyTorch's kernels, which read their operands from memory. Those that
    compute sizes are none."""
    return all(
        node.op != "call_function"
        or not tensors_of(node)
        or node.target in LOWERINGS
        or node.target in VIEWS
        or node.target is operator.getitem
        for node in graph.nodes
    )


def _original(node: torch.fx.Node) -> torch.fx.Node | None:
    """The node that another one is the same tensor as: detached, a slice of all rows, or all rows replaced."""
    if node.target is aten.detach.default:
        return node.args[0]
    if node.target is aten.slice.Tensor and len(node.args) < 5:
        same = node.args[0]
    elif node.target is aten.slice_scatter.default and len(node.args) < 6 and not node.kwargs:
        same = node.args[1]
    else:
        return None
    value, result = same.meta["val"], node.meta["val"]
    layouts = zip((*value.shape, *value.stride()), (*result.shape, *result.stride()), strict=True)
    is_whole = value.dtype == result.dtype and all(statically_known_true(a == b) for a, b in layouts)
    return same if is_whole else None


def _remove_copies(graph: torch.fx.Graph) -> None:
    """Replaces each node that is not returned, and the same tensor as another one, by this one.

    Formulas of gradients that read a result (of sigmoid, tanh, exp) read it detached, which PyTorch would store and not
    compute again. A slice of all rows is removed by tracing only if their number is known, and so is the replacement of
    all rows: a part of a cache for an unknown number of sequences is stored in place."""
    for node in list(graph.nodes):
        same = _original(node)
        if same is not None and not any(user.op == "output" for user in node.users):
            node.replace_all_uses_with(same)
            graph.erase_node(node)


def _compute_sizes_of_inputs(graph: torch.fx.Graph) -> None:
    """Computes sizes of values from those of inputs: the partitioner would keep a value because its size is read."""
    for node in graph.find_nodes(op="call_function", target=aten.sym_size.int):
        if node.args[0].op != "placeholder" and isinstance(node.meta["val"], torch.SymInt):
            with graph.inserting_before(node), contextlib.suppress(Unsupported):
                node.replace_all_uses_with(SizeWriter(graph).number(node.meta["val"]))
                graph.erase_node(node)


def _compute_paddings_again(graph: torch.fx.Graph) -> None:
    """Has the partitioner keep what is padded, not each padded tensor: it takes paddings for functions that read their
    operand from memory, where kernels of ours compute them with what reads them."""
    for node in graph.find_nodes(op="call_function", target=aten.constant_pad_nd.default):
        if all(user.target in LOWERINGS for user in readers(node)):
            node.meta.setdefault("recompute", CheckpointPolicy.PREFER_RECOMPUTE)


def _partition(
    module: torch.fx.GraphModule, inputs: object, channels_last: bool | None = None, **options: object
) -> tuple:
    """A forward and a backward graph. Here the backward ops can see the constants of the forward ones.

    PyTorch stores what ops that it does not fuse read in the backward graph: the scatter in the gradient of a
    cross-entropy has it store the log-softmax in f32. Kernels of ours read such ops' operands, so that they may be
    computed again, here from the logits.
    """
    assume_sizes(module.graph)
    _remove_copies(module.graph)
    _compute_sizes_of_inputs(module.graph)
    rewrite_selections(module.graph, is_joint=True)
    align_products(module.graph)
    module.recompile()
    use_channels_last(module, channels_last)
    _compute_paddings_again(module.graph)
    stores = config.ban_recompute_materialized_backward and not _is_made_of_kernels(module.graph)
    with config.patch(ban_recompute_materialized_backward=stores):
        return min_cut_rematerialization_partition(module, inputs, **options)


def _replace_functions(module: torch.fx.GraphModule) -> None:
    nodes = [node for target in _REPLACED for node in module.graph.find_nodes(op="call_function", target=target)]
    for node in nodes:
        node.target = _REPLACED[node.target]
    if nodes:
        module.recompile()


def backend(module: torch.fx.GraphModule, inputs: Sequence[object], *, options: dict | None = None) -> Callable:
    """The backend for torch.compile.

    Options: exact_random (bool)     random numbers are those that eager mode draws, by PyTorch's kernels
             channels_last (bool)    operands of all convolutions are channels last, or none; by default those on a GPU
                                     for which it is predicted to save time
             target, cache_directory, approximate_math, dependent_launches   as fuser.compile takes them
    """
    _replace_functions(module)
    rewrite_attention(module)
    compiler = functools.partial(compile_graph, options=options)
    return aot_autograd(
        fw_compiler=compiler,
        bw_compiler=compiler,
        inference_compiler=functools.partial(compiler, is_inference=True),
        decompositions=decompositions(bool((options or {}).get("exact_random"))),
        partition_fn=functools.partial(_partition, channels_last=(options or {}).get("channels_last")),
        keep_inference_input_mutations=True,
    )(module, inputs)
