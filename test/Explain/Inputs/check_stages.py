"""Checks the stages of two kernels: softmax and a product."""

import json
import sys

softmax, product, guarded, any_sizes, ptx = sys.argv[1:]


STAGES = ("loops", "launched", "reduced", "pipelined", "placed", "synchronized", "accessed", "guarded")


def load(path):
    with open(path) as file:
        return json.load(file)


def read(path):
    with open(path) as file:
        return file.read()


def get_text(kernel, name):
    return next(stage["text"] for stage in kernel["stages"] if stage["stage"] == name)


def get_lines(stage, source):
    lines = stage["text"].split("\n")
    return [lines[line] for line, sources in stage["lines"] if source in sources]


def walk(items):
    for item in items:
        yield item
        yield from walk(item.get("items", []))


data = load(softmax)
assert data["error"] == "", data["error"]
assert [stage["stage"] for stage in data["programs"]] == ["program", "preseg"]
(kernel,) = data["kernels"]
stages = {stage["stage"]: stage for stage in kernel["stages"]}
assert list(stages) == ["segmentation", "choose", "apply", *STAGES, "lowering", "ptx"], list(stages)
names = [op["name"] for op in data["ops"]]
for stage in (*data["programs"], *kernel["stages"][:3]):
    for number, name in enumerate(names):
        lines = get_lines(stage, number)
        assert lines, (stage["stage"], name)
        assert any(name in line for line in lines), (stage["stage"], name, lines)
exp, argument = names.index("fuser.exp"), len(names)
assert any("math.exp" in line or "fuser_gpu" in line for line in get_lines(stages["lowering"], exp))
assert any("ex2" in line for line in get_lines(stages["ptx"], exp)), get_lines(stages["ptx"], exp)
assert any("ld.global" in line for line in get_lines(stages["ptx"], argument))
assert not any("ex2" in line for line in get_lines(stages["ptx"], argument))
# A barrier is where the maximum and the sum of threads are combined; loops have the trip counts of these sizes.
items = list(walk(kernel["loops"]))
assert [item["label"] for item in items if item["kind"] == "loop"][:1] == ["block_x"]
assert all(isinstance(item["count"], int) for item in items if item["kind"] == "loop")
kinds = [item["kind"] for item in items]
assert kinds.count("combine") == 2
assert {item["memory"] for item in items if item["kind"] == "buffer"} == {"register"}
assert all(0 < segment["occupancy"] <= 1 for segment in data["segments"])

data = load(product)
(kernel,) = data["kernels"]
stages = {stage["stage"]: stage for stage in kernel["stages"]}
assert list(stages) == ["segmentation", "choose", "apply", *STAGES, "lowering", "ptx"], list(stages)
assert all(get_lines(stage, 0) for stage in kernel["stages"])
# What fuser-run dumps. Its program knows alignments and has names of its own for attributes.
body = stages["guarded"]["text"].split("\n", 2)[2]
assert body.replace(" ", "") in read(guarded).replace(" ", "")

# Line tables do not change the code.
(kernel,) = load(any_sizes)["kernels"]
assert get_text(kernel, "ptx").strip() == read(ptx).strip()
