"""S0.9: orders of inputs and outputs are said in one way; there is no permutation map beside it."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]


def read(*folders: str) -> dict[pathlib.Path, str]:
    files = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".td"):
                files[path.relative_to(ROOT)] = path.read_text()
    return files


def test_functions_have_layouts_and_required_orders_alone():
    text = (ROOT / "include/fuser/Dialect/IR/StructureOps.td").read_text()
    attributes = set(re.findall(r"OptionalAttr<Fuser_(?:Order|Layout)Array>:\$(\w+)", text))
    assert attributes == {"arg_layouts", "output_orders"}
    assert not re.findall(r":\$\w*permut\w*", text)


def test_no_permutation_behind_the_ir():
    files = read("include/fuser/Artifact", "include/fuser/Runtime", "lib/Export")
    assert files
    # The host function in stock dialects says an order in the way of memref, made from ours on the spot.
    upstream = r"AffineMap::getPermutationMap\("
    names = {path: re.sub(upstream, "", text) for path, text in files.items()}
    assert [path for path, text in names.items() if re.search("permut", text, re.IGNORECASE)] == []
