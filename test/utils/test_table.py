"""The table of benchmarks: its rows fit the programs, their bytes, the peers' times and the tests of small sizes."""

import functools
import json
import math
import re

import pytest
import table as module
from table import PEERS, ROOT, Command, Problem, read_peers, read_table

TABLE = read_table()
WIDTHS = {"bf16": 2, "f32": 4, "i64": 8, "f8E4M3FN": 1}
SIGNATURE = r"fuser\.fusion @{}\((?P<inputs>[^)]*)\) -> (?P<outputs>[^{{]*)"
TENSOR = re.compile(r"tensor<((?:(?:\?|\d+)x)*)(\w+)>")
RUN_LINE = re.compile(r"^# RUN: fuser-run %benchmarks/programs/(\S+) --device=host --check (.*)$")

# Sizes of outputs by those of the inputs, where an output is not like the first input of its rank.
OUTPUTS = {
    "sum_inner": lambda x: [x[:1]],
    "argmax": lambda x: [x[:1]],
    "quant_fp8_row": lambda x: [x, (x[0], 1)],
    "rmsnorm_quant_fp8": lambda x, w: [x, (x[0], 1)],
    "sum_outer": lambda x: [x[1:]],
    "sum_full": lambda x: [()],
    "sum_middle": lambda x: [(x[0], x[2])],
    "broadcast_add": lambda b, x: [x],
    "swiglu_packed": lambda x: [(x[0], x[1] // 2)],
    "transpose_relu": lambda x, y: [x[::-1]],
    "permute_heads": lambda x: [(x[0], x[2], x[1], x[3])],
    "rope": lambda q, k, cos, sin: [q, k],
    "pad_mul": lambda x: [(x[0], x[1] + 2)],
    "cat_gelu": lambda x, y, z: [(x[0], x[1] + y[1] + z[1])],
    "view_alone": lambda x: [(*x[:2], 32, 128)],
    "view_mul": lambda x, w: [(*x[:2], 32, 128)],
    "relu_view": lambda x: [(*x[:2], 32, 128)],
    "view_rmsnorm": lambda x, w: [(x[0] * x[1], x[2])],
    "gemm_nn": lambda a, b: [(a[0], b[1])],
    "embedding": lambda ids, table: [(*ids, table[1])],
    "linear_decode": lambda x, w: [(x[0], w[0])],
}
# A lookup reads only some rows of its table; a view alone moves nothing.
OTHER_BYTES = {"embedding", "view_alone"}


@functools.cache
def read(path) -> str:
    return path.read_text()


def signature_of(command: Command):
    match = re.search(SIGNATURE.format(command.option("program")), read(command.program))
    assert match, f"{command.program.name} has no program {command.option('program')}"
    return match


def types_of(text: str) -> list[tuple[int, str]]:
    """Rank and element type of each tensor."""
    return [(sizes.count("x"), element) for sizes, element in TENSOR.findall(text)]


def bytes_of(row) -> int:
    signature = signature_of(row.command)
    sizes = row.command.input_sizes()
    inputs, outputs = types_of(signature["inputs"]), types_of(signature["outputs"])
    if row.family in OUTPUTS:
        output_sizes = OUTPUTS[row.family](*sizes)
    elif row.family == "adam":  # four inputs and three outputs of each parameter
        output_sizes = [size for n in range(0, len(sizes), 4) for size in sizes[n : n + 3]]
    else:
        output_sizes = [next(size for size in sizes if len(size) == rank) for rank, _ in outputs]
    tensors = [*zip(sizes, inputs, strict=True), *zip(output_sizes, outputs, strict=True)]
    return sum(math.prod(size) * WIDTHS[element] for size, (_, element) in tensors)


def test_each_program_is_there_and_takes_its_sizes():
    wrong = []
    for each in [*TABLE.rows, *TABLE.checks]:
        ranks = [len(sizes) for sizes in each.command.input_sizes()]
        if ranks != [rank for rank, _ in types_of(signature_of(each.command)["inputs"])]:
            wrong.append((each.family, each.command.option("sizes")))
    assert wrong == []


def test_bytes_are_those_of_inputs_and_outputs():
    assert [row.key for row in TABLE.rows if row.family not in OTHER_BYTES and row.bytes != bytes_of(row)] == []
    for row in TABLE.rows:
        if row.family in OTHER_BYTES:
            assert row.bytes < bytes_of(row)


def test_types_are_those_of_an_input():
    types = {row.key: {element for _, element in types_of(signature_of(row.command)["inputs"])} for row in TABLE.rows}
    assert [row.key for row in TABLE.rows if row.type not in types[row.key]] == []


def test_test_benchmarks_has_a_line_for_each_check():
    tested = {
        match.groups()
        for path in (ROOT / "test" / "Benchmarks").glob("*.test")
        for match in map(RUN_LINE.match, path.read_text().splitlines())
        if match
    }
    assert tested == {(check.command.program.name, " ".join(check.command.arguments)) for check in TABLE.checks}


def test_each_program_of_a_row_is_checked():
    checked = {(check.command.program, check.command.option("program")) for check in TABLE.checks}
    assert {(row.command.program, row.command.option("program")) for row in TABLE.rows} <= checked


def test_peers_are_of_rows_of_the_table():
    keys = {row.key for row in TABLE.rows}
    for path in PEERS.glob("*.json"):
        times = json.loads(path.read_text())["microseconds"]
        assert times.keys() <= keys
        assert list(times) == sorted(times)


def test_the_best_peer():
    peers = read_peers("NVIDIA H200")
    assert peers.best("adam.small") == ("eager", 36.43)
    assert peers.best("view_alone.large") is None
    assert read_peers("NVIDIA H201") is None


def test_a_selection_by_group_family_or_key():
    def keys(*patterns):
        return [row.key for row in TABLE.select(patterns)[0].rows]

    assert keys("mul.small", "embedding") == ["mul.small", "embedding.large", "embedding.small"]
    assert keys("softmax*.medium") == ["softmax.medium", "softmax_bwd.medium"]
    assert "gemm_nn.medium" in keys("contractions")
    assert "gemm_nn.medium" not in keys()
    assert {check.family for check in TABLE.select(["mul.large"])[0].checks} == {"mul"}
    assert TABLE.select(["mul", "nul"])[1] == ["nul"]


ROW = '{size = "large", type = "f32", shape = "4", bytes = 32, arguments = "--sizes=4"}'
FAMILY = '[f]\ngroup = "g"\nprogram = "mul.mlir"\nrows = [%s]\nchecks = []\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[f", "Expected ']'"),
        ("f = 1", "f: expected keys and values, but got 1"),
        (FAMILY % ROW + "only = 1", "f: expected one of the keys group, program, rows, checks, but got only"),
        (FAMILY.replace("checks = []", "") % ROW, "f: expected the key checks"),
        (FAMILY.replace("mul.mlir", "none.mlir") % ROW, "f: program: expected a file of .*, but got none.mlir"),
        (FAMILY % (ROW + ", " + ROW), "f: rows: expected each size once, but got large twice"),
        (FAMILY % ROW.replace(" 32", ' "32"'), "f: rows: bytes: expected a value of type int, but got '32'"),
        (FAMILY.replace("checks = []", "checks = [1]") % ROW, "f: checks: expected arguments of fuser-run, but got 1"),
    ],
)
def test_a_table_that_is_wrong(tmp_path, text, message):
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(Problem, match=message) as error:
        read_table(path)
    assert str(error.value).startswith(str(path))


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(Problem, match=r"none\.toml: No such file"):
        read_table(tmp_path / "none.toml")


def test_the_name_of_a_device_in_file_names():
    assert module.short_name("NVIDIA H200") == "h200"
    assert module.short_name("NVIDIA H100 80GB HBM3") == "h100-80gb-hbm3"
