"""Opens the page of `fuser-explain --format=html` in a headless browser and clicks through it."""

import json
import pathlib
import re
import subprocess

import pytest
from browser import Page, find_browser

INPUTS = pathlib.Path(__file__).parent / "Inputs"
PROGRAM, NAMES = INPUTS / "page.mlir", INPUTS / "page-names.mlir"
TOOLS = pathlib.Path(__file__).parents[2] / "build" / "bin"
EXPLAIN, RUN = TOOLS / "fuser-explain", TOOLS / "fuser-run"

pytestmark = [
    pytest.mark.skipif(find_browser() is None, reason="no Chromium: utils/setup.sh installs it"),
    pytest.mark.skipif(not EXPLAIN.exists(), reason="no build tree with fuser-explain"),
]
SIZES = "--sizes=64x1024,1024,1024"
# Those of each kernel.
STAGES = (
    *("program", "preseg", "segmentation", "choose", "apply"),
    *("loops", "launched", "reduced", "pipelined", "placed", "synchronized", "accessed", "guarded", "lowering", "ptx"),
)


def explain(path, *options):
    command = [EXPLAIN, path, "--target=h200", *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    profile, file = folder / "profile.json", folder / "report.html"
    options = ["--device=host", "--target=h200", SIZES, "--scalar=epsilon=1", f"--profile={profile}"]
    subprocess.run([RUN, PROGRAM, *options], check=True, capture_output=True)
    file.write_text(explain(PROGRAM, "--format=html", f"--profile={profile}"))
    return file


@pytest.fixture(scope="module")
def browser():
    with Page() as page:
        yield page


@pytest.fixture
def page(browser, page_file):
    browser.resize(1280, 900)
    browser.problems.clear()
    browser.requests.clear()
    browser.open(page_file)
    yield browser
    assert browser.problems == []
    # One file, and nothing from a network.
    assert [url for url in browser.requests if not url.startswith(("file:", "data:"))] == []


def open_kernel(page, number):
    page.click(f"#kernel-{number} > summary")
    assert page.run(f"document.querySelector('#kernel-{number}').open")
    return f"#kernel-{number}"


def get_lines(page, selector):
    return page.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")


def test_data_is_that_of_the_json_format(page):
    data = page.run("JSON.parse(document.getElementById('data').textContent)")
    own = {key: data[key] for key in ("measured", "measured_on")}
    assert data == {**json.loads(explain(PROGRAM, "--format=json", SIZES)), **own}
    assert [kernel["name"] for kernel in data["kernels"]] == sorted(data["measured"])
    assert len(data["segments"]) == 3


def test_names_of_arguments_are_visible(page):
    names = [value["name"] for value in json.loads(explain(PROGRAM, "--format=json"))["values"][:3]]
    assert max(map(len, names)) > 100
    for width in (1280, 3840):
        page.resize(width, 900)
        boxes = page.run(
            "[...document.querySelectorAll('.box.argument .title')].map(e => {"
            "  const all = e.closest('.box'); e.scrollIntoView({inline: 'center', block: 'center'});"
            "  const r = e.getBoundingClientRect(), c = e.closest('.canvas').getBoundingClientRect();"
            "  const inside = r.left >= c.left && r.right <= c.right && r.top >= c.top && r.bottom <= c.bottom;"
            "  const cut = e.scrollWidth > e.clientWidth + 1 || all.scrollHeight > all.clientHeight + 1;"
            "  return [e.textContent, inside && !cut && e.checkVisibility()]; })"
        )
        assert boxes == [[name, True] for name in names]


def test_boxes_of_the_graph_do_not_overlap(page):
    overlaps = page.run(
        "(() => { const r = [...document.querySelectorAll('.box')].map(e => e.getBoundingClientRect()); let n = 0;"
        "r.forEach((a, i) => r.forEach((b, j) => { if (i < j && a.left < b.right && b.left < a.right"
        " && a.top < b.bottom && b.top < a.bottom) ++n; })); return n; })()"
    )
    assert overlaps == 0
    # Arguments and values between segments have edges with bytes.
    assert len(get_lines(page, ".canvas .edge")) == 7
    assert all(re.fullmatch(r"[\d.]+ [KMG]?B", text) for text in get_lines(page, ".canvas text.bytes"))


def test_kernels_are_built_when_they_are_opened(page):
    assert get_lines(page, ".pane") == []
    kernel = open_kernel(page, 1)
    assert len(get_lines(page, ".pane")) >= 1
    assert len(get_lines(page, f"{kernel} .pane")) == len(get_lines(page, ".pane"))


def test_loop_nest(page):
    kernel = open_kernel(page, 0)
    types = get_lines(page, f"{kernel} .loop > .head .type")
    assert types[0] == "block_x"
    assert "thread_x" in types
    assert "vectorize" in types
    assert all(re.search("\u00d7 [0-9,]+", text) for text in get_lines(page, f"{kernel} .loop > .head"))
    assert get_lines(page, f"{kernel} .nest .buffer")
    assert any(text.startswith("combine over thread_x") for text in get_lines(page, f"{kernel} .nest .combine"))


def test_slider_shows_stages_and_what_changed(page):
    kernel = open_kernel(page, 1)
    stages = get_lines(page, f"{kernel} button.stage")
    assert stages == list(STAGES)
    shown = f"{kernel} .pane:last-child"
    changed = {}
    page.run(f"document.querySelector('{kernel} input[type=range]').focus()")
    for stage in reversed(stages):
        assert page.run(f"document.querySelector('{shown}').dataset.stage") == stage
        changed[stage] = get_lines(page, f"{shown} .line.changed")
        page.press("ArrowLeft")
    assert changed["program"] == []
    assert any("segment_set" in line for line in changed["segmentation"])
    assert all("stage launched" in line or "once" in line for line in changed["launched"])
    assert any("fuser_loop.if" in line for line in changed["guarded"])
    # The kernel has no reduction and no shared memory: four stages change nothing but their name.
    named = [stage for stage in stages if stage not in ("reduced", "pipelined", "placed", "synchronized")]
    assert len({str(changed[stage]) for stage in named}) == len(named)
    # The same by the mouse and by a key.
    page.click(f"{kernel} button.stage", 5)
    assert page.run(f"document.querySelector('{shown}').dataset.stage") == "loops"
    page.press("]")
    assert page.run(f"document.querySelector('{shown}').dataset.stage") == "launched"


def test_op_marks_its_lines_in_every_stage(page):
    kernel = open_kernel(page, 1)
    page.click(f"{kernel} button.stage", STAGES.index("guarded"))
    number = get_lines(page, f"{kernel} .nest .source").index("%7 = relu %6")
    page.click(f"{kernel} .nest .source", number)
    assert "fuser.relu" in page.run("document.getElementById('selection').textContent")
    counts = page.run(f"[...document.querySelectorAll('{kernel} .badge')].map(e => Number(e.textContent))")
    assert min(counts) >= 1
    marked = {}
    for stage in ("preseg", "guarded", "lowering", "ptx"):
        page.click(f"{kernel} button.stage", STAGES.index(stage))
        marked[stage] = get_lines(page, f"{kernel} .pane:last-child .line.marked")
        assert len(marked[stage]) == counts[STAGES.index(stage)]
    assert "fuser.relu" in marked["preseg"][0]
    assert any("fuser.relu" in line for line in marked["guarded"])
    assert any("arith.maximumf" in line or "arith.cmpf" in line for line in marked["lowering"])
    assert any("max" in line or "setp" in line for line in marked["ptx"])
    # A click on one of its lines, in another stage, selects nothing again.
    page.click(f"{kernel} .pane:last-child .line.marked")
    assert page.run("document.getElementById('selection').textContent") == ""
    # By keyboard: the first line of the text that has an op.
    page.click(f"{kernel} button.stage", 1)
    page.run(f"document.querySelector('{kernel} .pane:last-child .code').focus()")
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.press(key)
    assert len(get_lines(page, f"{kernel} .pane:last-child .line.marked")) == 1
    page.press("Escape")
    assert get_lines(page, ".line.marked") == []


def test_costs(page, page_file, tmp_path):
    titles = get_lines(page, "#cost th")
    for title in ("read", "written", "operations", "occupancy", "predicted"):
        assert title in titles
    # The host device has no place on the roofline of a GPU.
    assert any(title.startswith("measured on host") for title in titles)
    rows = page.run("[...document.querySelectorAll('#cost tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    assert len(rows) == 3
    assert all("unknown" not in row for row in rows)
    assert len(get_lines(page, ".roofline circle")) == 3
    assert get_lines(page, ".roofline path.measured") == []
    profile = json.loads((page_file.parent / "profile.json").read_text())
    profile["device"] = "NVIDIA H200"
    (tmp_path / "profile.json").write_text(json.dumps(profile))
    (tmp_path / "page.html").write_text(explain(PROGRAM, "--format=html", f"--profile={tmp_path}/profile.json"))
    page.open(tmp_path / "page.html")
    assert "measured" in get_lines(page, "#cost th")
    assert len(get_lines(page, ".roofline path.measured")) == 3


def test_nothing_is_wider_than_the_window(page):
    for number in range(3):
        open_kernel(page, number)
    for width in (1280, 3840):
        page.resize(width, 1000)
        assert page.run("document.documentElement.scrollWidth") <= width
    assert len(get_lines(page, "#kernel-1 .pane")) > 2


def get_contrast(colors):
    """The contrast of two colors "rgb(r, g, b)" as WCAG defines it."""
    brightness = []
    for color in colors:
        parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
        red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        brightness.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(brightness) + 0.05) / (min(brightness) + 0.05)


def test_light_and_dark_are_readable(page):
    kernel = open_kernel(page, 1)
    page.click(f"{kernel} .nest .op .source")
    texts = [".tile .dim", "td", ".box .dim", ".loop .type", ".count-changed", ".line.marked", ".stage.shown"]
    backs = set()
    for _ in range(2):
        backs.add(page.run("getComputedStyle(document.body).backgroundColor"))
        for selector in texts:
            colors = page.run(
                f"(() => {{ const e = document.querySelector({json.dumps(selector)}); let back = e;"
                "while (getComputedStyle(back).backgroundColor === 'rgba(0, 0, 0, 0)') back = back.parentElement;"
                "return [getComputedStyle(e).color, getComputedStyle(back).backgroundColor]; })()"
            )
            assert get_contrast(colors) >= 4.5, (selector, colors)
        page.click("#theme")
    assert len(backs) == 2


def test_names_are_not_markup(browser, tmp_path):
    file = tmp_path / "escape.html"
    file.write_text(explain(NAMES, "--format=html"))
    browser.problems.clear()
    browser.open(file)
    program = "<script>document.title = 'broken'</script>"
    assert browser.run("document.title") == f"@{program}"
    assert browser.run("document.querySelector('h1').textContent") == f"@{program}"
    assert get_lines(browser, ".box.segment")[0].startswith(f"segment 0kernel {program}_0")
    assert browser.run("document.querySelectorAll('script').length") == 2
    assert browser.run("document.querySelectorAll('b').length") == 0
    # The kernel has no PTX, as its name is none there.
    assert "identifier of PTX" in browser.run("document.querySelector('.error').textContent")
    assert browser.problems == []
