"""Reports of benchmark results: the table, its summary, the picture, and what a comparison calls slower."""

import dataclasses
import xml.etree.ElementTree

import pytest
import report
from picture import OURS, PEER, draw
from result import Result, read_result
from table import FOLDER, Problem, read_peers, read_table, short_name

TABLE = read_table()
PEERS = read_peers("NVIDIA H200")


def make_result(**rows) -> Result:
    """`mul_large=(us, spread)`; None: a row that failed."""
    bytes_of = {row.key: row.bytes for row in TABLE.rows}
    found = {}
    for name, times in rows.items():
        key = ".".join(name.rsplit("_", 1))
        row = (
            {"error": "exit 1"}
            if times is None
            else {"us": times[0], "spread": times[1], "kernels": 1, "compile_ms": 9.0}
        )
        found[key] = {**row, "bytes": bytes_of[key]}
    return Result("NVIDIA H200", "0123abcd", "2026-01-02", ["--repeat=20"], 4000.0, False, found)


def write(path, result: Result):
    path.write_text(result.to_json())
    return path


def test_the_table_is_in_its_own_order():
    result = make_result(view_alone_large=(1.3, 2), mul_large=(400.0, 0.5), gelu_bwd_large=None)
    assert report.make_markdown(result, TABLE, PEERS).splitlines()[2:] == [
        "| mul.large | bf16 | 16384x18432 | 1 | 400.0 | 0.5 | 75.5 | inductor 281.4 | 1.422 | 9.0 |",
        "| gelu_bwd.large | bf16 | 8192x18432 | - | - | - | - | thunder-nvfuser 228.4 | - | - |",
        "| view_alone.large | bf16 | 4x4096x4096 | 1 | 1.3 | 2.0 | - | - | - | 9.0 |",
    ]


def test_columns_are_as_many_as_titles():
    lines = report.make_markdown(make_result(mul_large=(400.0, 0.5)), TABLE, None).splitlines()
    assert {line.count("|") for line in lines} == {11}


def test_predictions_are_one_more_column():
    result = make_result(mul_large=(400.0, 0.5), mul_medium=(25.0, 1), mul_small=(4.0, 1))
    result.rows["mul.large"]["predicted_us"] = 380.0
    result.rows["mul.medium"]["predicted_us"] = 19.0
    lines = report.make_markdown(result, TABLE, PEERS).splitlines()
    assert [line.split("|")[-2] for line in lines] == [" predicted us ", "---", " 380.0 ", " 19.0 ", " - "]
    mean = (400 / 380 * 25 / 19) ** 0.5
    line = f"measured / predicted: {mean:.3f}; off by more than 25 %: mul.medium 1.32"
    assert line in report.summarize(result, TABLE, PEERS)


def test_the_summary():
    result = make_result(mul_large=(281.36 * 1.04, 1), mul_small=(3.0, 1), softmax_wide=(511.52, 1), adam_small=None)
    result.rows["mul.large"] |= {"kernels": 2, "compile_ms": 30.0, "fallbacks": ["f_0: refused"]}
    mul, softmax = 100 * 1207959552 / (281.36e3 * 1.04) / 4000, 100 * 2147483648 / 511.52e3 / 4000
    ratio = (1.04 * 3.0 / 4.48) ** (1 / 3)
    assert report.summarize(result, TABLE, PEERS) == [
        "3 of 4 rows timed on NVIDIA H200, commit 0123abcd",
        f"share of a copy of 4000 GB/s: {(mul * softmax) ** 0.5:.1f} % (2 large and wide rows)",
        f"time / best peer: {ratio:.3f} (3 rows); 1 more than 3 % slower, 1 more than 10 % faster",
        "slower: mul.large 1.04",
        "compile time: median 9 ms, most 30 ms",
        "more than one kernel: mul.large 2",
        "fallbacks: mul.large",
        "failed: adam.small",
    ]


def test_a_summary_of_nothing():
    assert report.summarize(make_result(), TABLE, None)[0] == "0 of 0 rows timed on NVIDIA H200, commit 0123abcd"


# ----------------------------------------------------------------------------------------------------------------------
# Comparison
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "slower", "faster"),
    [
        ((100.0, 0.2), (101.0, 0.2), [], []),  # 1 % is not reported
        ((100.0, 0.2), (101.1, 0.2), ["mul.large"], []),
        ((100.0, 0.2), (98.9, 0.2), [], ["mul.large"]),
        ((100.0, 3.0), (102.9, 0.2), [], []),  # within the larger spread, of either
        ((100.0, 0.2), (102.9, 3.0), [], []),
        ((100.0, 3.0), (103.2, 3.0), ["mul.large"], []),
        ((4.0, 0.2), (4.1, 0.2), [], []),  # the last digit
        ((4.0, 0.2), (4.2, 0.2), ["mul.large"], []),
    ],
)
def test_what_is_slower(old, new, slower, faster):
    found = report.compare(make_result(mul_large=old), make_result(mul_large=new))
    assert (list(found.slower), list(found.faster)) == (slower, faster)
    assert found.same == (not slower and not faster)
    assert found.is_bad() == bool(slower)


def test_rows_that_one_result_lacks():
    old = make_result(mul_large=(9, 1), mul_medium=(9, 1), mul_small=None, gelu_bias_large=(9, 1))
    new = make_result(mul_medium=None, mul_small=(9, 1), gelu_bias_large=(9, 1), embedding_small=(9, 1))
    found = report.compare(old, new)
    assert found.only_old == ["mul.large"]
    assert found.only_new == ["mul.small", "embedding.small"]
    assert found.failed == ["mul.medium"]
    assert found.same == 1
    assert found.is_bad()
    assert report.print_comparison(found, old, new)[-3:] == [
        "fail now: mul.medium",
        "only before: mul.large",
        "only now: mul.small, embedding.small",
    ]


def test_the_largest_change_is_printed_first():
    old = make_result(mul_large=(100, 1), mul_medium=(100, 1), mul_small=(100, 1))
    new = make_result(mul_large=(110, 2), mul_medium=(120, 1), mul_small=(50, 1))
    assert report.print_comparison(report.compare(old, new), old, new) == [
        "compared with 0123abcd of 2026-01-02: 0 rows differ by no more than the spread",
        "slower: 2",
        "  mul.medium: 100.0 to 120.0 us, +20.0 % (spread 1.0 %)",
        "  mul.large: 100.0 to 110.0 us, +10.0 % (spread 2.0 %)",
        "faster: 1",
        "  mul.small: 100.0 to 50.0 us, -50.0 % (spread 1.0 %)",
    ]


def test_devices_are_not_compared():
    old = dataclasses.replace(make_result(), device="NVIDIA H100")
    with pytest.raises(Problem, match="--compare: expected a result of NVIDIA H200, but got one of NVIDIA H100"):
        report.compare(old, make_result())


# ----------------------------------------------------------------------------------------------------------------------
# Picture
# ----------------------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def bars_of(svg: str, fill: str) -> dict[str, float]:
    """The widths of bars by the key of their row."""
    root = xml.etree.ElementTree.fromstring(svg)
    bars = [
        rect for rect in root.iter(f"{SVG}rect") if rect.get("fill") == fill and rect.find(f"{SVG}title") is not None
    ]
    return {bar.find(f"{SVG}title").text.partition(":")[0]: float(bar.get("width")) for bar in bars}


def test_each_row_has_a_bar():
    rows = [row for row in TABLE.rows if row.bytes]
    result = make_result(**{row.key.replace(".", "_"): (row.bytes / 4e6, 1) for row in rows})
    svg = draw(result, TABLE, PEERS)
    assert bars_of(svg, OURS).keys() == {row.key for row in rows}
    assert len(set(bars_of(svg, OURS).values())) == 1  # each takes as long as a copy
    assert bars_of(svg, PEER).keys() == PEERS.microseconds.keys()
    assert svg == draw(result, TABLE, PEERS)


def test_a_bar_is_as_long_as_its_share():
    result = make_result(mul_large=(400.0, 1), mul_medium=(1e-3, 1), mul_small=None)
    bars = bars_of(draw(result, TABLE, None), OURS)
    assert bars["mul.large"] == pytest.approx(4.2 * 75.5, abs=0.1)
    assert bars["mul.medium"] == pytest.approx(4.2 * 115)  # the end of the axis
    assert "mul.small" not in bars
    assert ">failed<" in draw(result, TABLE, None)


def test_names_in_a_picture_are_escaped():
    result = dataclasses.replace(make_result(mul_large=(400.0, 1)), device="A & <B>")
    assert "A &amp; &lt;B&gt;" in draw(result, TABLE, None)


# ----------------------------------------------------------------------------------------------------------------------
# Command line
# ----------------------------------------------------------------------------------------------------------------------


def test_reports_a_file(tmp_path, capsys):
    new = write(tmp_path / "new.json", make_result(mul_large=(110.0, 1)))
    old = write(tmp_path / "old.json", make_result(mul_large=(100.0, 1)))
    picture = tmp_path / "a.svg"
    assert report.main([str(new), f"--picture={picture}"]) == 0
    assert picture.read_text() == draw(make_result(mul_large=(110.0, 1)), TABLE, PEERS)
    assert report.main([str(new), f"--compare={old}"]) == 1
    assert "slower: 1\n  mul.large: 100.0 to 110.0 us, +10.0 % (spread 1.0 %)\n" in capsys.readouterr().out
    assert report.main([str(old), f"--compare={new}"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.svg", "new.json", "old.json"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "expected JSON: "),
        ("[]", "expected a result of benchmarks/run.py with 'version' 1"),
        ('{"version": 2}', "expected a result of benchmarks/run.py with 'version' 1"),
        (
            '{"version": 1, "row": 1}',
            "expected the keys commit, copy_gbs, date, device, is_rate_measured, options, rows",
        ),
        (None, "No such file or directory"),
    ],
)
def test_a_file_that_is_no_result(tmp_path, text, message):
    path = tmp_path / "a.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(Problem) as error:
        read_result(path, "--compare")
    assert str(error.value).startswith(f"--compare: {path}: {message}")


@pytest.mark.parametrize("result", [make_result(), make_result(mul_large=(9.5, 0.1), mul_small=None)])
def test_a_result_is_read_as_it_was_written(tmp_path, result):
    assert read_result(write(tmp_path / "a.json", result), "") == result


def test_results_that_are_kept_are_of_the_table():
    keys = [row.key for row in TABLE.rows]
    paths = sorted((FOLDER / "results" / "table").glob("*.json"))
    assert paths
    for path in paths:
        result = read_result(path, "")
        assert path.name == f"{short_name(result.device)}-{result.commit}.json"
        assert list(result.rows) == [key for key in keys if key in result.rows]


@pytest.mark.parametrize("us", ["1.0", float("nan"), True, None])
def test_a_time_that_is_no_number(tmp_path, us):
    result = make_result(mul_large=(1.0, 1))
    result.rows["mul.large"]["us"] = us
    with pytest.raises(Problem, match=r"rows: mul\.large: expected numbers as 'us', 'spread' and 'bytes'"):
        read_result(write(tmp_path / "a.json", result), "")


def test_what_cannot_be_written(tmp_path, capsys):
    path = write(tmp_path / "a.json", make_result(mul_large=(1.0, 1)))
    assert report.main([str(path), f"--picture={tmp_path}/none/a.svg"]) == 2
    assert capsys.readouterr().err == f"report.py: --picture: {tmp_path}/none/a.svg: No such file or directory\n"
