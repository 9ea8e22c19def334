"""Prints a function for each predicate, combiner and condition that linalg programs have: for tables.test."""

ORDERED = ["oeq", "ogt", "oge", "olt", "ole", "one", "ord"]
UNORDERED = ["ueq", "ugt", "uge", "ult", "ule", "une", "uno"]
INTEGERS = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
COMBINERS = {
    "f32": ["addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"],
    "i32": ["addi", "muli", "maxsi", "minsi", "maxui", "minui", "andi", "ori", "xori"],
    "i1": ["andi", "ori", "xori"],
}
NEUTRAL = {
    "addf": "0.0",
    "mulf": "1.0",
    "maximumf": "0xFF800000",
    "minimumf": "0x7F800000",
    "maxnumf": "0xFF800000",
    "minnumf": "0x7F800000",
    "addi": "0",
    "muli": "1",
    "maxsi": "-2147483648",
    "minsi": "2147483647",
    "maxui": "0",
    "minui": "-1",
    "andi": "-1",
    "ori": "0",
    "xori": "0",
}
SIDES = ["n/c7", "c7/n", "n/zero", "zero/n", "n/negative", "negative/n", "n/m", "n/more", "more/n", "n/most"]


def compare(op, predicate, element):
    name = f"{op[6:]}_{predicate}_{element}"
    return f"""func.func @{name}(%x: tensor<?x{element}>, %y: tensor<?x{element}>) -> tensor<?xi1> {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x{element}>
  %e = tensor.empty(%n) : tensor<?xi1>
  %0 = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}}
      ins(%x, %y : tensor<?x{element}>, tensor<?x{element}>) outs(%e : tensor<?xi1>) {{
  ^bb0(%a: {element}, %b: {element}, %out: i1):
    %c = {op} {predicate}, %a, %b : {element}
    linalg.yield %c : i1
  }} -> tensor<?xi1>
  return %0 : tensor<?xi1>
}}
"""


def combine(op, element, init):
    name = f"{op}_{element}_{'other' if init is None else 'neutral'}"
    value = init or ("2.0" if element == "f32" else "true" if element == "i1" else "2")
    if element == "i1":
        value = {"0": "false", "-1": "true"}.get(value, value)
    return f"""func.func @{name}(%x: tensor<4x?x{element}>) -> tensor<4x{element}> {{
  %v = arith.constant {value}{"" if element == "i1" else " : " + element}
  %e = tensor.empty() : tensor<4x{element}>
  %f = linalg.fill ins(%v : {element}) outs(%e : tensor<4x{element}>) -> tensor<4x{element}>
  %0 = linalg.generic {{indexing_maps = [#id2, #rows], iterator_types = ["parallel", "reduction"]}}
      ins(%x : tensor<4x?x{element}>) outs(%f : tensor<4x{element}>) {{
  ^bb0(%a: {element}, %b: {element}):
    %c = arith.{op} %a, %b : {element}
    linalg.yield %c : {element}
  }} -> tensor<4x{element}>
  return %0 : tensor<4x{element}>
}}
"""


def unary(op, element):
    return f"""func.func @{op.replace(".", "_")}_{element}(%x: tensor<?x{element}>) -> tensor<?x{element}> {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x{element}>
  %e = tensor.empty(%n) : tensor<?x{element}>
  %0 = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins(%x : tensor<?x{element}>) outs(%e : tensor<?x{element}>) {{
  ^bb0(%a: {element}, %out: {element}):
    %c = {op} %a : {element}
    linalg.yield %c : {element}
  }} -> tensor<?x{element}>
  return %0 : tensor<?x{element}>
}}
"""


def require(name, condition):
    """A program that asserts something of the sizes %n and %m."""
    return f"""func.func @{name}(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : index
  %negative = arith.constant -3 : index
  %most = arith.constant 9223372036854775807 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %more = arith.addi %n, %c7 : index
{condition}
  cf.assert %ok, "sizes"
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %0 = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}
"""


def get_programs():
    for predicate in ["false", *ORDERED, *UNORDERED, "true"]:
        yield compare("arith.cmpf", predicate, "f32")
    for element in ("i32", "i1"):
        for predicate in INTEGERS:
            yield compare("arith.cmpi", predicate, element)
    for element, ops in COMBINERS.items():
        for op in ops:
            yield combine(op, element, NEUTRAL[op])
            yield combine(op, element, None)
    for op in ("math.round", "math.roundeven", "math.trunc", "math.floor", "math.ceil", "math.absf", "arith.negf"):
        yield unary(op, "f32")
    for predicate in INTEGERS:
        for left, right in (sides.split("/") for sides in SIDES):
            yield require(f"{predicate}_{left}_{right}", f"  %ok = arith.cmpi {predicate}, %{left}, %{right} : index")
    yield require("always", "  %ok = arith.constant true")
    yield require("never", "  %ok = arith.constant false")
    both = "  %a = arith.cmpi uge, %n, %c1 : index\n  %b = arith.cmpi ule, %m, %c7 : index\n"
    yield require("both", both + "  %ok = arith.andi %a, %b : i1")
    yield require("either", both + "  %ok = arith.ori %a, %b : i1")
    rest = "  %r = arith.remsi %n, %c7 : index\n"
    yield require("multiple", rest + "  %ok = arith.cmpi eq, %r, %zero : index")
    yield require("no_multiple", rest + "  %ok = arith.cmpi ne, %r, %zero : index")
    yield require("other_rest", rest + "  %ok = arith.cmpi eq, %r, %c1 : index")


if __name__ == "__main__":
    print("#id = affine_map<(d0) -> (d0)>")
    print("#id2 = affine_map<(d0, d1) -> (d0, d1)>")
    print("#rows = affine_map<(d0, d1) -> (d0)>")
    print("\n".join(get_programs()))
