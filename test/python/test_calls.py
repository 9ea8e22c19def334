"""fuser._calls: warm calls without Python on the path, and what they leave to Python."""

import copy
import functools
import gc
import pickle
import threading
import weakref

import fuser
import numpy as np
import pytest
from exchange import ExchangeTensor
from fuser import _library, _program

ADD = """
fuser.fusion @add(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.add %x, %y : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
"""
TWO = """
fuser.fusion @two(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = fuser.neg %x : tensor<?x?xf32>
  %1 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  fuser.return %0, %1 : tensor<?x?xf32>, tensor<?xf32>
}
"""
IN_PLACE = """
fuser.fusion @in_place(%x: tensor<?xf32>) -> tensor<?xf32> attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.neg %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
"""

VIEW = """
fuser.fusion @view(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.permute %x [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
"""

pytestmark = pytest.mark.skipif(_library.native_calls() is None, reason="built without Python's headers")


def random(*shape, dtype=np.float32):
    return ExchangeTensor(np.random.default_rng(len(shape)).standard_normal(shape).astype(dtype))


@pytest.fixture
def no_python(monkeypatch):
    """From when it is called, a call that takes the general path fails."""

    def forbid():
        def refuse(*_):
            raise AssertionError("the general path ran")

        monkeypatch.setattr(_program, "read_arguments", refuse)

    return forbid


def test_a_warm_call_takes_no_python_code(no_python):
    program, x, y = fuser.compile(ADD, device="host"), random(5, 7), random(5, 7)
    first = program(x, y)
    no_python()
    for rows in (5, 1, 64):
        x, y = random(rows, 7), random(rows, 7)
        result = program(x, y)
        assert type(result) is ExchangeTensor
        np.testing.assert_array_equal(result.values(), x.array + y.array)
    assert isinstance(first, fuser.Tensor)  # Python knows NumPy and PyTorch only


def test_results_go_into_outputs(no_python):
    program, x, y, out = fuser.compile(ADD, device="host"), random(5, 7), random(5, 7), random(5, 7)
    program(x, y)
    no_python()
    assert program(x, y, out=out) is out
    np.testing.assert_array_equal(out.array, x.array + y.array)


def test_outputs_are_not_taken_for_arguments():
    program, x, y = fuser.compile(ADD, device="host"), random(5, 7), random(5, 7)
    program(x, y)
    out, before = random(5, 7), random(5, 7).array.copy()
    for call in (lambda: program(x, out=[y, out]), lambda: program.run_into([x], [y, out])):
        with pytest.raises(fuser.FuserError, match="expected 1 outputs, but got 2"):
            call()
    with pytest.raises(fuser.FuserError, match="expected 1 outputs, but got 0"):
        program.run_into([x, y, out], [])
    np.testing.assert_array_equal(out.array, before)


def test_several_results(no_python):
    program, x = fuser.compile(TWO, device="host"), random(4, 6)
    program(x)
    no_python()
    negated, summed = program(x)
    np.testing.assert_array_equal(negated.values(), -x.array)
    np.testing.assert_allclose(summed.values(), -x.array.sum(1), rtol=1e-5, atol=1e-5)
    outs = [random(4, 6), random(4)]
    assert program(x, out=outs) is outs
    np.testing.assert_array_equal(outs[0].array, -x.array)


def make_list(count, in_place):
    """x{i} - 2 * y{i} of `count` pairs of rows, stored in x{i} where `in_place`."""
    arguments = ", ".join(f"%x{i}: tensor<?xf32>, %y{i}: tensor<?xf32>" for i in range(count))
    types = ", ".join(["tensor<?xf32>"] * count)
    aliases = ", ".join(f"#fuser.alias<output {i}, input {2 * i}>" for i in range(count))
    lines = [f"fuser.fusion @list({arguments}) -> ({types})"]
    lines += [f"attributes {{aliases = [{aliases}]}} {{" if in_place else "{", "%c = arith.constant 2.0 : f32"]
    for i in range(count):
        lines.append(f"%a{i} = fuser.mul %y{i}, %c : (tensor<?xf32>, f32) -> tensor<?xf32>")
        lines.append(f"%b{i} = fuser.sub %x{i}, %a{i} : tensor<?xf32>")
    return "\n".join([*lines, f"fuser.return {', '.join(f'%b{i}' for i in range(count))} : {types}", "}"])


@pytest.mark.parametrize("in_place", [False, True])
def test_lists_of_any_length(no_python, in_place):
    count = 180  # 540 arguments and results
    program = fuser.compile(make_list(count, in_place), device="host")
    tensors = [random(3 + i // 2 % 5) for i in range(2 * count)]
    expected = [x.array - 2 * y.array for x, y in zip(tensors[::2], tensors[1::2], strict=True)]
    outs = tensors[::2] if in_place else [random(*x.shape) for x in expected]
    program(*(random(*tensor.shape) for tensor in tensors))
    no_python()
    if in_place:
        results = program(*tensors)
        assert all(result is out for result, out in zip(results, outs, strict=True))
    else:
        for result, wanted in zip(program(*tensors), expected, strict=True):
            np.testing.assert_allclose(result.values(), wanted, rtol=1e-6)
        assert program(*tensors, out=outs) is outs
    for out, wanted in zip(outs, expected, strict=True):
        np.testing.assert_allclose(out.array, wanted, rtol=1e-6)


def test_scalars_of_their_own_types(no_python):
    text = """
    fuser.fusion @f(%x: tensor<?xf64>, %d: f64) -> tensor<?xf64> {
      %0 = fuser.pad %x low [0] high [1] value %d : tensor<?xf64>, f64 -> tensor<?xf64>
      fuser.return %0 : tensor<?xf64>
    }
    """
    program, x = fuser.compile(text, device="host"), random(9, dtype=np.float64)
    program(x, 2.5)
    assert program._fast(x, 3) is NotImplemented  # an integer: Python converts it
    assert program._fast(x, "3") is NotImplemented
    no_python()
    np.testing.assert_array_equal(program(x, -1.5).values(), [*x.array, -1.5])


@pytest.mark.parametrize(
    ("type", "value", "is_plain"),
    [
        ("i64", 5, True),
        ("i64", 1 << 63, False),
        ("i64", True, False),
        ("i64", 5.0, False),
        ("i1", True, True),
        ("i1", 1, False),
        ("f32", 1.5, True),
        ("f32", 1e300, False),
        ("f32", float("inf"), True),
        ("f64", 1e300, True),
        ("f64", 1, False),
    ],
)
def test_numbers_that_are_plain(type, value, is_plain):
    """Others are converted or refused by Python, with its errors."""
    text = f"""
    fuser.fusion @f(%x: tensor<?xf32>, %s: {type}) -> tensor<?xf32> {{
      %0 = fuser.neg %x : tensor<?xf32>
      fuser.return %0 : tensor<?xf32>
    }}
    """
    program, x = fuser.compile(text, device="host"), random(3)
    program(x, {"i64": 1, "i1": False}.get(type, 1.0))
    assert (program._fast(x, value) is not NotImplemented) == is_plain


def test_a_result_that_is_stored_in_an_argument_is_the_argument(no_python):
    program, x = fuser.compile(IN_PLACE, device="host"), random(1000)
    values, before = x.array.copy(), ExchangeTensor.alive
    # Whether Python or a C function takes the call.
    assert program(x) is x
    np.testing.assert_array_equal(x.array, -values)
    no_python()
    assert program(x) is x
    np.testing.assert_array_equal(x.array, values)
    assert program(random(0)).shape == (0,)
    del program
    gc.collect()
    assert ExchangeTensor.alive == before


def test_an_argument_lives_as_long_as_a_result_in_its_memory():
    program, x = fuser.compile(VIEW, device="host"), random(20, 50)
    expected = x.array.T.copy()
    program(x)
    before = ExchangeTensor.alive
    result = program(x)
    assert np.shares_memory(result.array, x.array)
    assert type(result) is ExchangeTensor
    assert ExchangeTensor.alive == before + 1
    del x
    gc.collect()
    assert ExchangeTensor.alive == before + 1
    np.testing.assert_array_equal(result.values(), expected)
    del result
    gc.collect()
    assert ExchangeTensor.alive == before - 1


def test_no_result_is_leaked():
    program, x, y = fuser.compile(ADD, device="host"), random(5, 7), random(5, 7)
    program(x, y)
    before = ExchangeTensor.alive
    for _ in range(100):
        program(x, y)
    assert ExchangeTensor.alive == before


class Subclass(ExchangeTensor):
    pass


def test_what_is_left_to_python():
    program, x, y = fuser.compile(ADD, device="host"), random(5, 7), random(5, 7)
    assert program._fast(x, y) is NotImplemented  # nothing is compiled yet
    program(x, y)
    assert program._fast(x, y) is not NotImplemented
    assert program._fast(x) is NotImplemented
    assert program._fast(x, y, y) is NotImplemented
    assert program._fast_into(x, y) is NotImplemented
    assert program._fast(x, y.array) is NotImplemented
    assert program._fast(x.array, y) is NotImplemented
    assert program._fast(Subclass(x.array), y) is NotImplemented
    assert program._fast(x, None) is NotImplemented
    np.testing.assert_array_equal(np.from_dlpack(program(x.array, y)), x.array + y.array)
    y.requires_grad = True
    assert program._fast(x, y) is NotImplemented


def test_a_negated_view_is_left_to_python():
    program, x, y = fuser.compile(ADD, device="host"), random(5, 7), random(5, 14)
    y = ExchangeTensor(y.array[:, ::2])
    program(x, y)
    np.testing.assert_array_equal(program(x, y).values(), x.array + y.array)
    y.negated = True
    assert program._fast(x, y) is NotImplemented
    with pytest.raises(fuser.BufferError, match=r"argument 1: expected elements as they are in memory, but got a neg"):
        program(x, y)


def test_errors_are_those_of_other_calls():
    program, x, y = fuser.compile(ADD, device="host"), random(5, 7), random(5, 7)
    program(x, y)
    for bad in (random(4, 7), random(5), random(5, 7, dtype=np.float64)):
        with pytest.raises(fuser.FuserError) as fast:
            program(x, bad)
        with pytest.raises(fuser.FuserError) as slow:
            program._run([x, bad])
        assert (type(fast.value), str(fast.value)) == (type(slow.value), str(slow.value))
    with pytest.raises(fuser.ShapeError, match=r"output 0.*expected size 5 in dimension 0, but got 4"):
        program(x, y, out=random(4, 7))
    np.testing.assert_array_equal(program(x, y).values(), x.array + y.array)


def test_ways_to_call(no_python):
    program, x, y, out = fuser.compile(ADD, device="host"), random(5, 7), random(5, 7), random(5, 7)
    program(x, y)
    no_python()
    expected = x.array + y.array
    calls = [
        lambda: program(x, y),
        lambda: program(x, y, out=None),
        lambda: program(*[x, y]),
        lambda: program(*(x, y), **{"out": None}),
        lambda: program.__call__(x, y),
        lambda: copy.copy(program)(x, y),
        lambda: functools.partial(program, x)(y),
        lambda: next(map(program, [x], [y])),
        lambda: program(x, y=y),
        lambda: program(x=x, y=y, out=None),
    ]
    for call in calls:
        np.testing.assert_array_equal(call().values(), expected)
    places = [out, [out], (out,)]
    for place in places:
        for call in (lambda out: program(x, y, out=out), lambda out: program(*[x, y], **{"out": out})):
            out.array[:] = 0
            assert call(place) is place
            np.testing.assert_array_equal(out.array, expected)
    out.array[:] = 0
    assert program(y=y, x=x, out=out) is out
    np.testing.assert_array_equal(out.array, expected)


def test_calls_that_no_c_function_takes():
    program, x, y, out = fuser.compile(ADD, device="host"), random(5, 7), random(5, 7), random(5, 7)
    program(x, y)
    for call, message in (
        (lambda: program(), "expected 2 arguments, but got 0"),
        (lambda: program(x, y, out), "expected 2 arguments, but got 3"),
        (lambda: program(x, z=y), "argument z: expected y, but got 'z'"),
        (lambda: program(x, y, out=[]), "expected 1 outputs, but got 0"),
        (lambda: program(x, y, out=[out, out]), "expected 1 outputs, but got 2"),
        (lambda: program(x, y, out=3), "expected 1 outputs, but got int"),
        (lambda: program(x, None), "argument 1"),
    ):
        with pytest.raises(fuser.FuserError, match=message):
            call()
    np.testing.assert_array_equal(np.from_dlpack(program(x.array, y.array)), x.array + y.array)


def test_several_results_go_into_lists_and_tuples(no_python):
    program, x = fuser.compile(TWO, device="host"), random(5, 7)
    program(x)
    no_python()
    for make in (list, tuple):
        outputs = make([random(5, 7), random(5)])
        assert program(x, out=outputs) is outputs
        np.testing.assert_array_equal(outputs[0].array, -x.array)
        np.testing.assert_allclose(outputs[1].array, -x.array.sum(1), rtol=1e-5)


def test_long_lists_of_arguments(no_python):
    arguments = ", ".join(f"%x{i}: tensor<?xf32>" for i in range(20))
    lines = [f"  %y{i} = fuser.neg %x{i} : tensor<?xf32>" for i in range(20)]
    results, types = ", ".join(f"%y{i}" for i in range(20)), ", ".join(["tensor<?xf32>"] * 20)
    text = f"fuser.fusion @many({arguments}) -> ({types}) {{\n" + "\n".join(lines)
    program = fuser.compile(f"{text}\n  fuser.return {results} : {types}\n}}", device="host")
    tensors, outputs = [random(3 + i) for i in range(20)], [random(3 + i) for i in range(20)]
    program(*tensors)
    no_python()
    for tensor, result in zip(tensors, program(*tensors), strict=True):
        np.testing.assert_array_equal(result.values(), -tensor.array)
    assert program(*tensors, out=outputs) is outputs
    for tensor, output in zip(tensors, outputs, strict=True):
        np.testing.assert_array_equal(output.array, -tensor.array)


def test_objects_of_programs():
    program = fuser.compile(ADD, device="host")
    assert isinstance(program, fuser.Program)
    assert type(program).__name__ == "Program"
    copied, loaded = copy.deepcopy(program), pickle.loads(pickle.dumps(program))
    x, y = random(5, 7), random(5, 7)
    for other in (copied, loaded):
        assert type(other) is type(program)
        np.testing.assert_array_equal(np.from_dlpack(other(x.array, y.array)), x.array + y.array)
    with pytest.raises(TypeError, match="expected a function of make_call, but got 3"):
        program._set_call(3)
    with pytest.raises(ValueError, match="PyCapsule"):
        program._set_call(len)

    class Doubled(fuser.Program):
        def __call__(self, *values):
            return [super().__call__(*values)] * 2

    assert len(Doubled(ADD, "host")(x, y)) == 2
    reference = weakref.ref(program)
    del program, other
    gc.collect()
    assert reference() is None


def define(fd):
    x, y = fd.define_tensor(shape=[-1, -1]), fd.define_tensor(shape=[-1, -1])
    fd.add_output(fd.ops.add(x, y))


def test_a_definition_runs_without_python(no_python):
    with fuser.FusionDefinition() as fd:
        define(fd)
    x, y = random(5, 7), random(5, 7)
    fd.execute([x, y])
    no_python()
    (result,) = fd.execute([x, y])
    np.testing.assert_array_equal(result.values(), x.array + y.array)


def test_a_definition_with_aliases_runs_without_python(no_python):
    with fuser.FusionDefinition() as fd:
        x, y = fd.define_tensor([-1]), fd.define_tensor([-1])
        fd.add_output(fd.ops.sub(x, y), alias_input=x)
        fd.add_output(fd.ops.sum(y))
        fd.add_output(fd.ops.neg(y), alias_input=y)
    fd.execute([random(6), random(6)], device="host")
    no_python()
    x, y = random(6), random(6)
    difference, total, negated = x.array - y.array, y.array.sum(), -y.array
    alive = ExchangeTensor.alive
    (result,) = fd.execute([x, y])
    assert ExchangeTensor.alive == alive + 1  # none for results in arguments
    np.testing.assert_allclose(result.values(), total, rtol=1e-5)
    np.testing.assert_array_equal(x.array, difference)
    np.testing.assert_array_equal(y.array, negated)


def test_a_new_schedule_makes_a_new_program():
    with fuser.FusionDefinition() as fd:
        define(fd)
    x, y = random(5, 7), random(5, 7)
    fd.execute([x, y])
    warm = fd._warm
    fd.schedule(scheduler="single_op")
    assert fd._warm is None
    fd.execute([x, y])
    assert fd._warm is not warm


def test_a_definition_that_prepares_its_arguments():
    with fuser.FusionDefinition() as fd:
        x = fd.define_tensor(shape=[-1])
        fd.add_output(fd.ops.slice(x, [1], [3]))
    x = random(5)
    fd.execute([x])
    assert fd._warm is None
    # Cut off as in nvFuser, which the program itself would not do.
    assert np.from_dlpack(fd.execute([random(2)])[0]).shape == (1,)


def test_threads_share_a_program():
    program = fuser.compile(ADD, device="host")
    failures = []

    def work(seed):
        try:
            for rows in range(1, 20):
                x, y = random(rows, 7 + seed % 2), random(rows, 7 + seed % 2)
                result = program(x, y)
                values = result.values() if type(result) is ExchangeTensor else np.from_dlpack(result)
                np.testing.assert_array_equal(values, x.array + y.array)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
