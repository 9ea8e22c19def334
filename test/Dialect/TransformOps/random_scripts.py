"""Runs scripts of random steps with random numbers and handles: each is done or refused, and the kernels stay valid.

usage: random_scripts.py COUNT [FIRST_SEED]

Each step stands in a sequence that suppresses its failure, so that the next ones find what it left. A script fails
where fuser-opt ends by a signal, or with an error that is not at the last step, which stands alone and may be refused.
Prints the seeds that fail, then how many steps there were; exits with 1 where one fails.
"""

import random
import subprocess
import sys

KERNELS = {
    "a": """fuser.kernel @a(%x: tensor<?x?xf32>, %w: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %0 = fuser.set %x : tensor<?x?xf32>
  %1 = fuser.broadcast %w dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %2 = fuser.mul %0, %1 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %3 = fuser.sum %2 dims [1] : tensor<?x?xf32> -> tensor<?xf32>
  %4 = fuser.exp %2 : tensor<?x?xf32>
  %5 = fuser.set %3 {memory = #fuser.memory<global>} : tensor<?xf32>
  %6 = fuser.permute %4 [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  fuser.return %5, %6 : tensor<?xf32>, tensor<?x?xf32>
}
""",
    "b": """fuser.kernel @b(%x: tensor<?x?x?xbf16>, %s: f32) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>) {
  %0 = fuser.cast %x : tensor<?x?x?xbf16> to tensor<?x?x?xf32>
  %v, %m = fuser.var_mean %0 dims [1] correction 0 : tensor<?x?x?xf32> -> tensor<?x?xf32>, tensor<?x?xf32>
  %1 = fuser.max %0 dims [0, 2] : tensor<?x?x?xf32> -> tensor<?xf32>
  %2 = fuser.relu %m : tensor<?x?xf32>
  fuser.return %v, %1, %2 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>
}
""",
    "c": """fuser.kernel @c(%x: tensor<8x6xf32>) -> tensor<10x6xf32> {
  %z = arith.constant 0.0 : f32
  %0 = fuser.relu %x : tensor<8x6xf32>
  %1 = fuser.pad %0 low [1, 0] high [1, 0] value %z : tensor<8x6xf32>, f32 -> tensor<10x6xf32>
  %2 = fuser.set %1 : tensor<10x6xf32>
  fuser.return %2 : tensor<10x6xf32>
}
""",
}
OPS = ["set", "broadcast", "mul", "sum", "exp", "permute", "cast", "var_mean", "max", "relu", "pad"]
ENGINES = [
    "",
    " by bulk",
    " by bulk role producer",
    " by bulk role producer registers [40, 232]",
    " by bulk registers [7]",
]
TYPES = ["serial", "unroll", "unswitch", "vectorize", "block_x", "block_y", "thread_x", "cluster_x", "bulk", "stream"]
SCHEDULERS = ["pointwise", "transpose", "inner_persistent", "reduction", "inner_outer", "scan", "single_op"]
PARAMETERS = ["pointwise<vector = 4>", "transpose<>", "reduction<pattern = outer>", "inner_persistent<>", "single_op<>"]
LEAST, MOST = -(2**63), 2**63 - 1
HANDLE, TO_HANDLE = " : !transform.any_op", " : (!transform.any_op) -> !transform.any_op"
TWO_TO_HANDLE = " : (!transform.any_op, !transform.any_op) -> !transform.any_op"


def step(choose: random.Random) -> str:
    """One step on %a and %b, which are most often ops with domains, and %k, most often a kernel."""

    def number() -> int:
        return choose.choice([0, 0, 0, 1, 1, 1, 2, 2, 3, 4, -1, LEAST, MOST])

    def position() -> int:
        return choose.choice([0, 0, 1, 2, 7])

    def factor() -> int:
        return choose.choice([1, 2, 2, 3, 4, 8, 32, 128, 0, -1, MOST])

    def order() -> list[int]:
        size = choose.randint(0, 5)
        return choose.sample(range(size), size) if choose.random() < 0.8 else [number() for _ in range(size)]

    return choose.choice(
        [
            *[f"transform.fuser.split %a at {number()} by {factor()}{HANDLE}"] * 3,
            f"transform.fuser.split %a at {number()} by outer {factor()}{HANDLE}",
            *[f"transform.fuser.merge %a at {number()}, {number()}{HANDLE}"] * 3,
            *[f"transform.fuser.reorder %a to {order()}{HANDLE}"] * 3,
            *[f"transform.fuser.swizzle %a at {number()}, {number()} period {factor()}{HANDLE}"] * 2,
            f"transform.fuser.resize %a at {number()} before {number()} after {number()}{HANDLE}",
            *[f"transform.fuser.parallelize %a at {number()} as {choose.choice(TYPES)}{HANDLE}"] * 3,
            f"transform.fuser.set_memory %a to {choose.choice(['register', 'shared', 'global'])}{HANDLE}",
            f"transform.fuser.pipeline %a stages {number()}{choose.choice(ENGINES)}{HANDLE}",
            f"transform.fuser.order_allocation %a to {order()}{HANDLE}",
            f"transform.fuser.allocate_loops %a to {order()}{HANDLE}",
            f"transform.fuser.swizzle_allocation %a at {number()}, {number()} period {factor()}{HANDLE}",
            f"transform.fuser.inline_at %a at {number()}{HANDLE}",
            f"transform.fuser.inline_up_to %a at {position()}{HANDLE}",
            f"%r = transform.fuser.cache_load %k[{position()}]{TO_HANDLE}",
            f"%r = transform.fuser.cache_load %k[{position()}] for %a{TWO_TO_HANDLE}",
            f"%r = transform.fuser.cache_store %k[{position()}]{TO_HANDLE}",
            f"%r = transform.fuser.cache_value %a[{position()}]{TO_HANDLE}",
            f"%r = transform.fuser.cache_use %a[{position()}]{TO_HANDLE}",
            f"transform.fuser.split_broadcasts %k{HANDLE}",
            f"%r = transform.fuser.recompute %a for %b{TWO_TO_HANDLE}",
            *[f"%r = transform.fuser.rfactor %a at {number()}{TO_HANDLE}"] * 2,
            f"transform.fuser.propagate %a{HANDLE}",
            f"transform.fuser.propagate %a to %b{HANDLE}, !transform.any_op",
            f"transform.fuser.inline_most %k{HANDLE}",
            f"transform.fuser.inline_most %k limit %a to [{position()}]{HANDLE}, !transform.any_op",
            f"transform.fuser.add_facts %k [#fuser.fact<divisible {position()}[{position()}], 4>]{HANDLE}",
            f'transform.fuser.choose %k with "{choose.choice(SCHEDULERS)}"{HANDLE}',
            f"transform.fuser.choose %k using(#fuser_sched.{choose.choice(PARAMETERS)}){HANDLE}",
        ]
    )


def script(choose: random.Random, steps: int) -> str:
    lines = []
    ops, kernels = [], []
    for name, text in KERNELS.items():
        kernels.append(f"%kernel_{name}")
        lines.append(f"%kernel_{name} = transform.fuser.get_kernel @{name} in %module{TO_HANDLE}")
        for op in OPS:
            if f"fuser.{op} " in text:
                ops.append(f"%{name}_{op}")
                lines.append(f'%{name}_{op} = transform.fuser.match ["fuser.{op}"] in %kernel_{name}{TO_HANDLE}')
    for _ in range(steps):
        first, second = (choose.choice(ops if choose.random() < 0.95 else kernels) for _ in range(2))
        kernel = choose.choice(kernels if choose.random() < 0.95 else ops)
        handles = f"%module, {first}, {second}, {kernel}{HANDLE}{', !transform.any_op' * 3}"
        lines += [
            f"transform.sequence {handles} failures(suppress) {{",
            "^bb0(%m: !transform.any_op, %a: !transform.any_op, %b: !transform.any_op, %k: !transform.any_op):",
            f"  {step(choose)}",
            "}",
        ]
    end = choose.choice(["apply", "decompose_variance"])
    lines.append(f"%done = transform.fuser.{end} {choose.choice(kernels)}{TO_HANDLE}")
    begin = [
        "module attributes {transform.with_named_sequence} {",
        "transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {",
    ]
    return "\n".join([*KERNELS.values(), *begin, *lines, "transform.yield", "}", "}"])


def main(arguments: list[str]) -> int:
    count, first = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 0
    failed = steps = 0
    for seed in range(first, first + count):
        choose = random.Random(seed)
        size = choose.randint(5, 60)
        steps += size
        text = script(choose, size)
        result = subprocess.run(["fuser-opt", "--transform-interpreter"], input=text, capture_output=True, text=True)
        error = next((line for line in result.stderr.splitlines() if "error:" in line), "")
        last = 1 + next(number for number, line in enumerate(text.splitlines()) if line.startswith("%done"))
        refused = result.returncode == 1 and error.startswith(f"<stdin>:{last}:")
        if result.returncode != 0 and not refused:
            failed += 1
            print(f"fault: seed {seed} ends with {result.returncode}: {error or result.stderr[:300]}")
    print(f"{count} scripts, {steps} steps, {failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
