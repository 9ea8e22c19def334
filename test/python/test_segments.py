"""Segments coordinated by the front end: the behaviors S1.1 to S1.9 of docs/behaviors.md."""

import weakref

import fuser
import numpy as np
import pytest
from fuser import DataType, DefinitionError, FusionDefinition, UnknownIdError
from fuser._execution import ExecutionMethods
from fuser._segments import Segment, order_segments

RANDOM = np.random.default_rng(11)


def rand(*shape):
    return RANDOM.uniform(-2, 2, shape).astype(np.float32)


@pytest.fixture(autouse=True)
def cache():
    fuser.fusion_cache().reset()
    return fuser.fusion_cache()


def add_scale_sum():
    """Case (i): T0, T1: [2, 4, 8]; T2 = T0 + T1; T4 = T2 * 3; T5 = sum(T4, -1)."""
    with FusionDefinition() as fd:
        a, b = fd.define_tensor([2, 4, 8]), fd.define_tensor([2, 4, 8])
        fd.add_output(fd.ops.sum(fd.ops.mul(fd.ops.add(a, b), 3.0), -1))
    return fd


def rows_plus(dtype=DataType.Float):
    """Case (ii): the sum of the rows of T0, broadcast to T0's shape, plus T1; cut after the sum."""
    with FusionDefinition() as fd:
        a, b = fd.define_tensor([-1, -1], dtype=dtype), fd.define_tensor([-1, -1], dtype=dtype)
        rows = fd.ops.segment_set(fd.ops.sum(a, 1))
        fd.add_output(fd.ops.add(fd.ops.broadcast_in_dim(rows, a.shape(), [0]), b))
    return fd


def relu_neg():
    """Case (iii)."""
    with FusionDefinition() as fd:
        x = fd.define_tensor([32, 64, 8, 128])
        fd.add_output(fd.ops.neg(fd.ops.segment_set(fd.ops.relu(x))))
    return fd


def chain(length):
    """`length` segments, each of which reads the one before."""
    with FusionDefinition() as fd:
        t = fd.define_tensor([-1, -1])
        for _ in range(length - 1):
            t = fd.ops.segment_set(fd.ops.exp(fd.ops.neg(t)))
        fd.add_output(fd.ops.neg(t))
    return fd


def test_s1_1_ids_of_inputs_outputs_extents_and_the_map():
    # S1.1
    fd = add_scale_sum()
    assert fd.inputs() == [0, 1]
    assert fd.outputs() == [5]
    assert fd.extents() == [-1, -2, -3, -4, -5, -6]
    sizes = {-1: 2, -2: 4, -3: 8, -4: 2, -5: 4, -6: 8}
    for extent in fd.extents():
        tensor, dim = fd.extent_binding(extent)
        assert fd.value(tensor).sizes[dim] == sizes[extent]
    ids = fd.value_ids()
    assert [ids[name] for name in ("%T0", "%T1", "%T2", "%S3", "%T4", "%T5")] == [0, 1, 2, 3, 4, 5]
    assert all(f"{name}:" in fd.mlir() or f"{name} =" in fd.mlir() for name in ids if ".size" not in name)
    assert "input_ids = array<i64: 0, 1>" in fd.mlir()
    for index in (-7, 0):
        with pytest.raises(UnknownIdError, match=f"expected an extent from -6 to -1, but got {index}"):
            fd.extent_binding(index)


def test_s1_2_ids_of_values_and_extents_do_not_collide():
    # S1.2
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1, 1, 5])
        s = fd.define_scalar(DataType.Int)
        v = fd.define_vector([x.size(0), s])
        y = fd.define_tensor([-1, 7], contiguity=[False, True])
        fd.add_output(fd.ops.broadcast_in_dim(fd.ops.sum(x, [1, 2]), v, [0]))
        fd.add_output(fd.ops.neg(y))
    # Values count up from 0 in the order of definition, whatever they are.
    assert [repr(fd.value(i)) for i in range(5)] == ["T0", "S1", "S2", "V3", "T4"]
    # Tensor inputs in order, and the dimensions of each in order; also those of size 1 and of static size.
    assert [fd.extent_binding(i) for i in fd.extents()] == [(0, 0), (0, 1), (0, 2), (4, 0), (4, 1)]
    values = [i for name, i in fd.value_ids().items() if i >= 0]
    assert len(values) == len(set(values))
    assert not set(values) & set(fd.extents())


def test_s1_3_a_scalar_that_is_an_extent_has_the_id_of_the_extent():
    # S1.3
    with FusionDefinition() as fd:
        x, y = fd.define_tensor([-1, -1]), fd.define_tensor([-1, -1])
        columns, rows = y.size(1), fd.ops.exp(x).size(0)
        total = fd.ops.mul(columns, rows)
        joined = fd.ops.cat([x, y], 0).size(0)
        fd.add_output(fd.ops.mul(fd.ops.add(x, y), fd.ops.cast(total, DataType.Float)))
    ids = fd.value_ids()
    assert columns.index >= 0
    assert ids[f"%{columns!r}"] == -4
    # The result of exp has x's rows.
    assert ids[f"%{rows!r}"] == -1
    assert ids[f"%{total!r}"] == total.index
    # A size that is no argument's.
    assert ids[f"%{joined!r}"] == joined.index


def test_s1_4_an_equal_definition_takes_what_the_leaf_has(cache):
    # S1.4
    x = rand(2, 4, 8)
    first = add_scale_sum()
    expected = first.execute([x, x])
    assert (cache.fusions_built, cache.hits) == (1, 0)
    second = add_scale_sum()
    assert (cache.fusions_built, cache.hits) == (1, 1)
    assert second.fusion is first.fusion
    assert (second.inputs(), second.outputs(), second.extents()) == (first.inputs(), first.outputs(), first.extents())
    assert second.value_ids() == first.value_ids()
    assert not second.would_compile([x, x])
    np.testing.assert_array_equal(second.execute([x, x])[0], expected[0])
    # Records that differ in a number, its type, its sign, a name or an output are another definition.
    others = []
    for value, dtype in ((3, None), (3.0, DataType.Float), (-0.0, None), (0.0, None), (float("nan"), None)):
        with FusionDefinition() as fd:
            fd.add_output(fd.ops.mul(fd.define_tensor([2, 4, 8]), fd.define_scalar(value, dtype)))
        others.append(fd.fusion)
    assert len({id(fusion) for fusion in others}) == 5
    assert cache.fusions_built == 6


def test_s1_4_a_prefix_is_shared_and_not_a_leaf(cache):
    # S1.4
    x = rand(3)
    with FusionDefinition() as short:
        t = short.ops.neg(short.define_tensor([-1]))
        short.add_output(t)
    with FusionDefinition() as long:
        t = long.ops.neg(long.define_tensor([-1]))
        long.add_output(t)
        long.add_output(long.ops.exp(t))
    assert cache.fusions_built == 2
    assert len(cache.root.children) == 1
    node, length = cache.root, 0
    while ("end",) not in node.children:
        assert node.fusion is None
        (node,), length = node.children.values(), length + 1
    assert length == 3
    assert node.children["end",].fusion is short.fusion
    assert len(short.execute([x])) == 1
    assert len(long.execute([x])) == 2


def test_s1_5_segment_specializes_and_counts():
    # S1.5
    small, large = rand(2, 4, 8), rand(3, 5)
    fd = add_scale_sum()
    assert fd.segment([small, small]) == 1
    # One segment: nothing is kept.
    with pytest.raises(DefinitionError, match="expected a definition that `segment` cut into more than one segment"):
        fd.build_segment(0)
    fd = rows_plus()
    assert fd.segment([large, large]) == 2
    assert fd.segment([large.T, large]) == 2
    assert [segment.scheduler for segment in fd.segments([large, large])] == ["reduction", "pointwise"]
    assert relu_neg().segment([rand(32, 64, 8, 128)]) == 2
    # The sizes of the inputs are what the segmenter decides for.
    few, many = (fd.segments([rand(rows, 4), rand(rows, 4)])[0].microseconds for rows in (4, 40000))
    assert few < many
    with pytest.raises(fuser.ArgumentError, match="expected 2 arguments, but got 1"):
        fd.segment([large])


def test_s1_6_run_order():
    # S1.6
    fd = chain(5)
    assert fd.segment([rand(2, 3)]) == 5
    assert fd.run_order() == [0, 1, 2, 3, 4]

    def group(index, inputs, outputs):
        segment = Segment(index, "pointwise", 1.0, [])
        segment.inputs, segment.outputs = inputs, outputs
        return segment

    # The first group whose inputs are available: 1 and 2 wait for 3; extents and arguments are always available.
    groups = [group(0, [0], [5]), group(1, [5, 7, -1], [6]), group(2, [7], [8]), group(3, [0, -2], [7])]
    assert order_segments(groups, [0]) == [0, 3, 1, 2]
    assert order_segments(groups, [0]) == order_segments(list(groups), [0])
    groups[3].inputs.append(8)
    with pytest.raises(DefinitionError, match=r"segment 1 waits for T7 \(segments left: \[1, 2, 3\]\)"):
        order_segments(groups, [0])


def test_s1_7_build_segment_maps_ids_and_includes_missing_extents():
    # S1.7
    fd = rows_plus()
    x = rand(3, 5)
    fd.segment([x, x])
    first, ids = fd.build_segment(0)
    assert (first.inputs(), first.outputs(), first.extents()) == ([0], [2], [-1, -2])
    assert [ids[i] for i in (*first.inputs(), *first.outputs(), *first.extents())] == [0, fd_output(fd, 0), -1, -2]
    second, ids = fd.build_segment(1)
    # T1, the sums, and the extent of T0 that neither of them has: a scalar argument.
    arguments = [ids[i] for i in second.inputs()]
    assert arguments == [1, fd_output(fd, 0), -2]
    assert isinstance(second.value(second.inputs()[2]), fuser.Scalar)
    # Extents of its own: those of T1, and that of the sums, which is the first of T0.
    assert [ids[i] for i in second.extents()] == [-3, -4, -1]
    assert [ids[i] for i in second.outputs()] == fd.outputs()
    assert second is fd.build_segment(1)[0]
    # The segments are definitions: they run by hand as well.
    (sums,) = first.execute([x])
    (result,) = second.execute([x, sums, 5])
    np.testing.assert_array_equal(result, fd.execute([x, x])[0])
    with pytest.raises(UnknownIdError, match="expected a segment from 0 to 1, but got 2"):
        fd.build_segment(2)


def fd_output(fd, index):
    (output,) = fd._segments[index].outputs
    return output


def test_s1_7_a_segment_of_one_op():
    # S1.7
    fd = relu_neg()
    fd.segment([rand(32, 64, 8, 128)])
    second, _ = fd.build_segment(1)
    assert second.mlir().count(" = fuser.") == 1


def test_s1_7_ids_of_a_definition_that_runs_with_static_sizes():
    # S1.7
    with FusionDefinition() as fd:
        x, n, y = fd.define_tensor([-1, -1]), fd.define_scalar(DataType.Int), fd.define_tensor([-1, -1])
        t = fd.ops.segment_set(fd.ops.reshape(fd.ops.exp(x), [n, fd.ops.floor_div(x.size(1), 3), 3]))
        u = fd.ops.broadcast_in_dim(fd.ops.sum(t, [1, 2]), [n, y.size(1)], [0])
        fd.add_output(fd.ops.add(u, y))
    assert fd.fusion.needs_static_sizes()
    inputs = [rand(4, 6), 4, rand(4, 5)]
    expected = fd.validate(inputs)
    count = fd.segment(inputs)
    assert count > 1
    first, ids = fd.build_segment(0)
    assert [ids[i] for i in first.inputs()] == [x.index]
    assert [ids[i] for i in first.outputs()] == [t.index]
    assert [ids[i] for i in first.extents()] == [-1, -2]
    last, ids = fd.build_segment(count - 1)
    assert ids[last.inputs()[0]] == y.index
    assert [ids[i] for i in last.extents()[:2]] == [-3, -4]
    assert [ids[i] for i in last.outputs()] == fd.outputs()
    np.testing.assert_allclose(fd.execute_segments(inputs)[0], expected[0], rtol=1e-6)
    other = [rand(2, 6), 2, rand(2, 5)]
    with pytest.raises(DefinitionError, match="expected inputs of the sizes that `segment` was called with"):
        fd.execute_segments(other)
    np.testing.assert_allclose(fd.execute(other)[0], fd.validate(other)[0], rtol=1e-6)


class Watch:
    """Follows the results of programs: which are alive when the next program starts."""

    def __init__(self, monkeypatch):
        self.results, self.alive = [], []
        original = ExecutionMethods._run

        def run(definition, values, device, convert=True):
            self.alive.append([i for i, result in enumerate(self.results) if result() is not None])
            made = original(definition, values, device, convert)
            self.results += [weakref.ref(result) for result in made]
            return made

        monkeypatch.setattr(ExecutionMethods, "_run", run)


def test_s1_8_intermediates_are_freed_after_their_last_use(monkeypatch):
    # S1.8
    x = rand(6, 7)
    fd = chain(4)
    expected = fd.execute([x])
    fd.segment([x])
    watch = Watch(monkeypatch)
    result = fd.execute_segments([x])
    # When a segment starts only the result that it reads is alive.
    assert watch.alive == [[], [0], [1], [2]]
    np.testing.assert_array_equal(result[0], expected[0])


def test_s1_8_an_intermediate_with_a_later_reader_stays(monkeypatch):
    # S1.8
    with FusionDefinition() as fd:
        x = fd.define_tensor([-1, -1])
        a = fd.ops.segment_set(fd.ops.exp(x))
        b = fd.ops.segment_set(fd.ops.sum(a, [0], keep_dim=True))
        c = fd.ops.segment_set(fd.ops.neg(b))
        fd.add_output(fd.ops.add(a, c))
        fd.add_output(b)
        fd.add_output(b)
    x = rand(6, 7)
    expected = fd.execute([x])
    count = fd.segment([x])
    assert count > 2
    watch = Watch(monkeypatch)
    results = fd.execute_segments([x])
    assert all(0 in alive for alive in watch.alive[1:])
    assert len(results) == 3
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, wanted, rtol=1e-5)


def cases():
    def norm(fd, x, y):
        t = fd.ops.segment_set(fd.ops.mul(x, fd.define_scalar(2.5)))
        var, mean = fd.ops.var_mean(t, [1], keepdim=True)
        u = fd.ops.segment_set(fd.ops.sub(t, mean))
        fd.add_output(fd.ops.mul(u, fd.ops.rsqrt(fd.ops.add(var, 1e-5))))
        fd.add_output(u)

    def sizes(fd, x, y):
        # A size of an intermediate that no argument has, and a scalar that is computed from it.
        t = fd.ops.segment_set(fd.ops.cat([x, y], 0))
        n = fd.ops.mul(fd.ops.cast(t.size(0), DataType.Double), 0.5)
        u = fd.ops.segment_set(fd.ops.neg(y))
        fd.add_output(fd.ops.mul(u, n))
        fd.add_output(fd.ops.sum(t, 0))

    def stored(fd, x, y):
        t = fd.ops.segment_set(fd.ops.add(x, y))
        fd.add_output(t, alias_input=x)
        fd.add_output(fd.ops.sub(fd.ops.sum(t, [0], keep_dim=True), x))

    def unused(fd, x, y):
        t = fd.ops.segment_set(fd.ops.exp(y))
        fd.add_output(x)
        fd.add_output(fd.ops.permute(t, [1, 0]), stride_order=[0, 1])
        n = fd.ops.neg(t)
        fd.add_output(n, stride_order=[0, 1])
        fd.add_output(n, stride_order=[1, 0])

    def half(fd, x, y):
        # NumPy has no bf16: intermediates need no library.
        t = fd.ops.segment_set(fd.ops.cast(x, DataType.BFloat16))
        fd.add_output(fd.ops.cast(fd.ops.neg(t), DataType.Float))

    def own(fd, x, y):
        # A size that only a tensor of the same segment has.
        t = fd.ops.segment_set(fd.ops.neg(x))
        u = fd.ops.cat([t, y], 1)
        fd.add_output(fd.ops.mul(u, fd.ops.cast(u.size(1), DataType.Float)))

    return [norm, sizes, stored, unused, half, own]


@pytest.mark.parametrize("build", cases(), ids=lambda build: build.__name__)
def test_s1_8_segments_give_what_the_definition_gives(build):
    # S1.8
    with FusionDefinition() as fd:
        build(fd, fd.define_tensor([-1, -1]), fd.define_tensor([-1, -1]))
    x, y = rand(6, 7), rand(6, 7)
    stored, by_segments = x.copy(), x.copy()
    expected = fd.execute([stored, y])
    assert fd.segment([x, y]) > 1
    results = fd.execute_segments([by_segments, y])
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-5)
        assert result.strides == wanted.strides
    np.testing.assert_allclose(by_segments, stored, rtol=1e-6)


def test_s1_8_random_numbers_and_scalars_come_from_the_original():
    # S1.8
    with FusionDefinition() as fd:
        x, s = fd.define_tensor([-1, -1]), fd.define_scalar(DataType.Double)
        t = fd.ops.segment_set(fd.ops.mul(fd.ops.rand_like(x), s))
        fd.add_output(fd.ops.add(t, fd.ops.rand_like(x)))
    x = rand(6, 7)
    fuser.manual_seed(3)
    expected = fd.execute([x, 4.0])
    assert fd.segment([x, 4.0]) == 2
    fuser.manual_seed(3)
    # `segment` and `execute_segments` draw no more numbers than `execute`.
    np.testing.assert_allclose(fd.execute_segments([x, 4.0])[0], expected[0], rtol=1e-6)


def test_s1_9_a_segment_is_scheduled_by_a_named_scheduler():
    # S1.9
    fd = rows_plus()
    x = rand(64, 32)
    expected = fd.execute([x, x])
    fd.segment([x, x])
    fd.schedule_segment(0, scheduler="reduction")
    fd.schedule_segment(1, scheduler="pointwise")
    np.testing.assert_allclose(fd.execute_segments([x, x])[0], expected[0], rtol=1e-5)
    fd.schedule_segment(1, scheduler="reduction")
    with pytest.raises(fuser.CompilationError, match="expected a kernel that 'reduction' accepts, but it refuses"):
        fd.execute_segments([x, x])
    # Back to what the compiler chooses.
    fd.schedule_segment(1)
    np.testing.assert_allclose(fd.execute_segments([x, x])[0], expected[0], rtol=1e-5)


def test_s1_9_a_segment_is_scheduled_by_parameters():
    # S1.9
    fd = relu_neg()
    x = rand(32, 64, 8, 128)
    fd.segment([x])
    segment, _ = fd.build_segment(1)
    chosen = segment.lowered("choose", [x])
    assert "#fuser_sched.pointwise<" in chosen
    parameters = "#fuser_sched.pointwise<" + chosen.split("#fuser_sched.pointwise<")[1].split(">")[0] + ">"
    changed = parameters.replace("vector = 4", "vector = 2")
    assert changed != parameters
    fd.schedule_segment(1, parameters=changed)
    np.testing.assert_array_equal(fd.execute_segments([x])[0], -np.maximum(x, 0))
    fd.schedule_segment(1, parameters="#fuser_sched.pointwise<psychic = 1>")
    with pytest.raises(fuser.ProgramError, match="schedule: "):
        fd.execute_segments([x])
    # Parameters of a scheduler that does not fit.
    fd.schedule_segment(1, parameters="#fuser_sched.inner_persistent<threads = 32, vector = 4, vectors = 2>")
    with pytest.raises(fuser.CompilationError):
        fd.execute_segments([x])


SCRIPT = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %kernel = transform.fuser.get_kernel @fusion_0 in %module : (!transform.any_op) -> !transform.any_op
    %x = transform.fuser.cache_load %kernel[0] : (!transform.any_op) -> !transform.any_op
    %y = transform.fuser.cache_store %kernel[0] : (!transform.any_op) -> !transform.any_op
    %sum = transform.fuser.match ["fuser.sum"] in %kernel : (!transform.any_op) -> !transform.any_op
    transform.fuser.parallelize %sum at 0 as block_x : !transform.any_op
    transform.fuser.split %sum at 1 by 32 : !transform.any_op
    transform.fuser.parallelize %sum at 2 as thread_x : !transform.any_op
    transform.fuser.propagate %sum to %x : !transform.any_op, !transform.any_op
    %mark = transform.fuser.match ["fuser.segment_set"] in %kernel : (!transform.any_op) -> !transform.any_op
    transform.fuser.propagate %sum to %mark : !transform.any_op, !transform.any_op
    transform.fuser.propagate %sum to %y : !transform.any_op, !transform.any_op
    transform.fuser.inline_most %kernel : !transform.any_op
    transform.yield
  }
}
"""


def test_s1_9_a_segment_is_scheduled_by_hand():
    # S1.9
    fd = rows_plus()
    x = rand(64, 100)
    expected = fd.execute([x, x])
    fd.segment([x, x])
    # A transform script over the domain primitives.
    fd.schedule_segment(0, script=SCRIPT)
    np.testing.assert_allclose(fd.execute_segments([x, x])[0], expected[0], rtol=1e-5, atol=1e-5)
    segment, _ = fd.build_segment(0)
    fd.schedule_segment(0, script=SCRIPT.replace("@fusion_0", "@nothing"))
    with pytest.raises(fuser.CompilationError, match="nothing"):
        fd.execute_segments([x, x])
    # The schedule as text, as the compiler prints it.
    text = segment.lowered("apply", [x])
    assert "@block_x" in text
    fd.schedule_segment(0, text=text)
    np.testing.assert_allclose(fd.execute_segments([x, x])[0], expected[0], rtol=1e-5, atol=1e-5)
    fd.schedule_segment(0, text=text.replace("fuser.sum", "fuser.max"))
    wanted = x.max(1, keepdims=True) + x
    np.testing.assert_allclose(fd.execute_segments([x, x])[0], wanted, rtol=1e-5)
    with pytest.raises(fuser.ArgumentError, match="schedule: expected one of script, text"):
        fd.schedule_segment(0, script=SCRIPT, text=text)


def two_regions():
    with FusionDefinition() as fd:
        x = fd.define_tensor([4, 6], dtype=DataType.Float)
        with fd.region("encoder"):
            y = fd.ops.relu(x)
            with fd.region("attention"):
                y = fd.ops.exp(fd.ops.neg(y))
                y = fd.ops.sum(y, [1])
        fd.add_output(fd.ops.reshape(fd.ops.sqrt(y), [2, 2]))
    return fd


def test_s3_9_boundaries_by_region_and_by_operation():
    x = rand(4, 6)
    expected = np.sqrt(np.exp(-np.maximum(x, 0)).sum(1)).reshape(2, 2)
    for marks in ((), ("@encoder.attention",), ("@encoder",), ("fuser.reshape",), ("fuser.neg:around", "@encoder")):
        fd = two_regions()
        fd.mark_boundaries(*marks)
        (result,) = fd.execute([x])
        np.testing.assert_allclose(result, expected, rtol=1e-5)
    text = two_regions().fusion.text
    assert 'fuser.neg %T1 {fuser.region = "encoder.attention"}' in text
    assert 'fuser.relu %T0 {fuser.region = "encoder"}' in text
    assert "fuser.sqrt %T4 :" in text


def test_s3_9_marks_that_name_nothing_are_refused():
    fd = two_regions()
    fd.mark_boundaries("fuser.reshap")
    with pytest.raises(fuser.FuserError, match=r"expected marks of boundaries .* but got 'fuser.reshap'"):
        fd.execute([rand(4, 6)])
    with pytest.raises(fuser.ArgumentError, match="expected an operation or a region, but got ''"):
        fd.mark_boundaries("")
    with FusionDefinition() as fd:
        with pytest.raises(fuser.ArgumentError, match="expected a name of letters"), fd.region('a"b'):
            pass
        fd.add_output(fd.ops.relu(fd.define_tensor([4])))
