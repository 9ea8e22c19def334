#!/usr/bin/env python3
"""Gives the tools bad input and checks that each input gets an answer.

An answer is one of the documented exit codes (0 done, 1 the input is refused or a check failed, 2 a wrong command
line), with a message if it is not 0: within the time limit, below the memory limit, without a signal, an assertion,
an uncaught exception or a stack dump.

The inputs are made from a seed: mutations of programs and schedules of the repository, command lines with wrong and
extreme values, damaged files, and calls from Python and of the C interface. The same seed makes the same inputs.

  abuse.py --build=BUILD [--seed=N] [--count=K] [--jobs=J] [--filter=REGEX] [--keep=FOLDER]
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import resource
import shutil
import struct
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Exit codes that docs/limits.md documents.
EXIT_CODES = (0, 1, 2)
SECONDS = 10
MOST_BYTES = 2 << 30
# What no answer contains.
CRASH = re.compile(
    r"PLEASE submit a bug report|Assertion .* failed|terminate called|Stack dump|LLVM ERROR|UNREACHABLE|"
    r"AddressSanitizer|runtime error:|Traceback|Segmentation fault"
)
EXTREMES = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "64",
    "1000000007",
    "2147483647",
    "2147483648",
    "4294967296",
    "1099511627776",
    "4611686018427387904",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "99999999999999999999999",
]


@dataclasses.dataclass
class Case:
    """A command line; `files` are written to the folder that it runs in."""

    name: str
    command: list
    files: dict


def tokens(text):
    return re.findall(r"[A-Za-z_.$#@%^!][\w.$]*|-?\d+\.?\d*(?:[eE][+-]?\d+)?|\"[^\"\n]*\"|->|\s+|.", text)


def mutate(text, source):
    """One to three changes of tokens: dropped, doubled, exchanged, or a number for another."""
    parts = tokens(text)
    solid = [at for at, part in enumerate(parts) if not part.isspace()]
    for _ in range(source.choice((1, 1, 2, 3))):
        at = source.choice(solid)
        numbers = [i for i in solid if re.fullmatch(r"-?\d+", parts[i])]
        kind = source.random()
        if kind < 0.45 and numbers:
            parts[source.choice(numbers)] = source.choice(EXTREMES)
        elif kind < 0.6:
            parts[at] = ""
        elif kind < 0.7:
            parts[at] += " " + parts[at]
        elif kind < 0.85:
            other = source.choice(solid)
            parts[at], parts[other] = parts[other], parts[at]
        else:
            parts[at] = parts[source.choice(solid)]
    return "".join(parts)


def corpus():
    """Programs, scheduled programs and kernels of the repository, without their RUN lines, piece by piece."""
    pieces = []
    for path in sorted(
        [
            *ROOT.glob("examples/**/*.mlir"),
            *ROOT.glob("test/Lowering/**/*.mlir"),
            *ROOT.glob("test/Dialect/IR/*.mlir"),
            *ROOT.glob("test/Segmentation/*.mlir"),
        ]
    ):
        for piece in path.read_text().split("// -----"):
            code = "\n".join(line for line in piece.splitlines() if not line.lstrip().startswith("//")).strip()
            if "fuser." in code and len(code) < 6000:
                pieces.append(code + "\n")
    return pieces


PROGRAM = """fuser.fusion @f(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %s: i64) -> tensor<?x?xf32> {
  %0 = fuser.broadcast %y dims [0] : tensor<?xf32> -> tensor<1x?xf32>
  %1 = fuser.add %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %2 = fuser.cast %1 : tensor<?x?xf32> to tensor<?x?xf32>
  fuser.return %2 : tensor<?x?xf32>
}
"""


# What fuser-tune writes for the program.
SCHEDULES = """module attributes {fuser_sched.device = "NVIDIA H100"} {
  fuser.kernel @f_0(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> attributes {
      fuser_sched.sizes = [array<i64: 4, 12>, array<i64: 12>],
      schedule = #fuser_sched.pointwise<threads = 64, vector = 4, rows = 2, inner_dims = 1, merge_grid = true>} {
    %0 = fuser.broadcast %y dims [0] : tensor<?xf32> -> tensor<1x?xf32>
    %1 = fuser.add %x, %0 : (tensor<?x?xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
    fuser.return %1 : tensor<?x?xf32>
  }
}
"""


def npy(shape="(4, 3)", descr="<f4", data=b"\0" * 48, version=b"\x01\x00", order="False"):
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY" + version + struct.pack("<H", len(header)) + header + data


def text_cases(source, count):
    pieces = corpus()
    commands = [
        ["fuser-opt", "in.mlir"],
        ["fuser-opt", "in.mlir", "--fuser-preseg"],
        ["fuser-opt", "in.mlir", "--fuser-to-kernel-ir"],
        ["fuser-opt", "in.mlir", "--fuser-lower-kernels"],
        ["fuser-run", "in.mlir", "--device=host", "--check", "--default-size=7"],
        ["fuser-run", "in.mlir", "--device=reference", "--default-size=5"],
        ["fuser-explain", "in.mlir"],
        ["fuser-count-kernel", "in.mlir"],
        ["fuser-tune", "in.mlir", "--device=host", "--default-size=7", "--top=3", "--budget=4"],
        ["fuser-translate", "in.mlir", "--fuser-to-ptx"],
        ["fuser-translate", "in.mlir", "--fuser-to-artifact"],
    ]
    for number in range(count):
        command = commands[number % len(commands)]
        yield Case(f"text-{number}", command, {"in.mlir": mutate(source.choice(pieces), source)})


def option_cases(source, count):
    def sizes(dims):
        return "x".join(source.choice([*EXTREMES, "5", "17", "a", "", "-", "1.5", "3x"]) for _ in range(dims))

    makers = [
        lambda: "--sizes=" + sizes(2) + "," + sizes(1),
        lambda: "--size=x=" + sizes(source.choice((1, 2, 3))),
        lambda: "--size=" + source.choice(["x", "=", "x=", "z=3", "9=4", "x=4x4=3"]),
        lambda: "--default-size=" + source.choice([*EXTREMES, "x", ""]),
        lambda: "--scalar=s=" + source.choice([*EXTREMES, "nan", "1.5", "inf", "1+2i", "", "0x10", "true"]),
        lambda: "--range=x=" + source.choice(["0:1", "1:0", "nan:1", "0:inf", ":", "1", "0:1:2", "-1e308:1e308"]),
        lambda: source.choice(["--atol=", "--rtol="]) + source.choice(["nan", "-1", "inf", "0", "x", "1e400"]),
        lambda: "--device=" + source.choice(["host", "cuda", "reference", "gpu", "", "host0"]),
        lambda: "--target=" + source.choice(["sm_90", "sm_1", "h200", "", "sm_9999", "x" * 5000]),
        lambda: "--input=" + source.choice(["x", "=", "x=", "x=.", "x=/dev/null", "x=missing.npy", "q=in.npy"]),
        lambda: "--program=" + source.choice(["f", "g", "", "%f", "@f"]),
        lambda: "--seed=" + source.choice([*EXTREMES, "x"]),
        lambda: "--save-output=" + source.choice(["out.npy", ".", "missing/out.npy", "/dev/full", "/proc/x.npy"]),
        lambda: "--" + source.choice(["", "unknown", "check=2", "no-run=x", "check=", "-", "sizes"]),
    ]
    for number in range(count):
        options = [source.choice(makers)() for _ in range(source.choice((1, 1, 2)))]
        yield Case(
            f"options-{number}",
            ["fuser-run", "in.mlir", "--device=host", "--check", *options],
            {"in.mlir": PROGRAM, "in.npy": npy()},
        )


def file_cases(source, count):
    whole = npy()
    arrays = {
        "empty": b"",
        "magic": whole[:6],
        "cut-header": whole[:40],
        "cut-data": whole[:-1],
        "long": whole + b"\0",
        "rank": npy("(12,)"),
        "negative": npy("(-4, -3)"),
        "huge": npy("(4611686018427387904, 4)"),
        "overflow": npy("(9223372036854775807, 9223372036854775807)"),
        "not-tuple": npy("12"),
        "open": npy("(4, 3"),
        "dtype": npy(descr="<f3"),
        "object": npy(descr="|O"),
        "big-endian": npy(descr=">f4"),
        "integers": npy(descr="<i8", data=b"\0" * 96),
        "version": npy(version=b"\x09\x00"),
        "fortran": npy(order="True"),
        "word": npy(order="Maybe"),
        "text": b"not an array\n" * 10,
        "zero": npy("(0, 3)", data=b""),
    }
    for name, data in arrays.items():
        yield Case(
            f"npy-{name}",
            ["fuser-run", "in.mlir", "--device=host", "--input=x=in.npy", "--size=y=3"],
            {"in.mlir": PROGRAM, "in.npy": data},
        )
    for number in range(max(0, count - len(arrays) - 12)):
        damaged = bytearray(whole)
        for _ in range(source.choice((1, 2, 8))):
            damaged[source.randrange(len(damaged))] = source.randrange(256)
        yield Case(
            f"npy-damaged-{number}",
            ["fuser-run", "in.mlir", "--device=host", "--input=x=in.npy", "--size=y=3"],
            {"in.mlir": PROGRAM, "in.npy": bytes(damaged)},
        )
    version, length, checksum = struct.pack("<Q", 3), struct.pack("<Q", 64), bytes(16)
    artifacts = {
        "magic": b"FUSERART",
        "cut": b"FUSERART" + version + length,
        "hash": b"FUSERART" + version + length + checksum + bytes(64),
        "short": b"FUSERART" + version + length + checksum + bytes(63),
        "huge": b"FUSERART" + version + struct.pack("<Q", 2**64 - 1) + checksum + bytes(64),
        "newer": b"FUSERART" + struct.pack("<Q", 2**63) + length + checksum + bytes(64),
        "noise": b"FUSERART" + source.randbytes(500),
    }
    for name, data in artifacts.items():
        for tool in ("fuser-run", "fuser-tune", "fuser-opt", "fuser-explain", "fuser-count-kernel"):
            yield Case(f"artifact-{name}-{tool}", [tool, "in.artifact"], {"in.artifact": data})
        command = ["fuser-translate", "--fuser-artifact-to-text", "in.artifact"]
        yield Case(f"artifact-{name}-fuser-translate", command, {"in.artifact": data})
    programs = {
        "empty": "",
        "blank": "\n\n",
        "binary": bytes(range(256)),
        "nul": PROGRAM.replace("f32", "f\0", 1),
        "bytecode": b"ML\xefR" + bytes(64),
        "deep": "module {" * 3000,
        "line": "// " + "x" * 1000000,
        "cut": PROGRAM[:200],
    }
    for name, data in programs.items():
        for tool in ("fuser-opt", "fuser-run", "fuser-tune", "fuser-explain"):
            yield Case(f"program-{name}-{tool}", [tool, "in.mlir"], {"in.mlir": data})
    for tool in ("fuser-run", "fuser-tune", "fuser-explain", "fuser-opt", "fuser-count-kernel", "fuser-translate"):
        for path in (".", "/dev/null", "missing.mlir"):
            yield Case(f"path-{tool}-{path}", [tool, path], {})
    for text in ("", "name = x", "sms = -1", "sms = 99999999999999999999", "=", "sms", "sms = 1\nsms = 2", "\0"):
        yield Case(
            f"device-{text[:12]!r}",
            ["fuser-explain", "in.mlir", "--device-file=device.txt"],
            {"in.mlir": PROGRAM, "device.txt": text},
        )
    for number in range(count // 4):
        tool = source.choice(("fuser-run", "fuser-explain"))
        options = ["--device=host"] if tool == "fuser-run" else []
        yield Case(
            f"schedules-{number}",
            [tool, "in.mlir", "--sizes=4x12,12", "--schedules=schedules.mlir", *options],
            {"in.mlir": PROGRAM, "schedules.mlir": mutate(SCHEDULES, source)},
        )
    for name, data in programs.items():
        command = ["fuser-run", "in.mlir", "--device=host", "--schedules=schedules.mlir"]
        yield Case(f"schedules-{name}", command, {"in.mlir": PROGRAM, "schedules.mlir": data})
    tuning = ["--top=", "--rounds=", "--budget="]
    for number in range(count // 4):
        options = [source.choice(tuning) + source.choice([*EXTREMES, "nan", "inf", "1e-9", "x", ""]) for _ in range(2)]
        yield Case(
            f"tune-{number}",
            ["fuser-tune", "in.mlir", "--device=host", "--default-size=5", "--budget=4", *options[: number % 2 + 1]],
            {"in.mlir": PROGRAM},
        )
    yield from endless()


def endless():
    """Every way to name an input, for a device that has no end."""
    for option in ("device-file", "schedules", "profile"):
        yield Case(f"endless-{option}", ["fuser-explain", "in.mlir", f"--{option}=/dev/zero"], {"in.mlir": PROGRAM})
    for tool in ("run", "explain", "tune", "opt", "reduce", "translate", "count-kernel"):
        yield Case(f"endless-{tool}", [f"fuser-{tool}", "/dev/zero"], {})
    yield Case("endless-array", ["fuser-run", "in.mlir", "--device=host", "--input=0=/dev/zero"], {"in.mlir": PROGRAM})
    yield Case("endless-batch", ["fuser-run", "--batch", "/dev/zero"], {})


# A program with each kind of argument, and a call of it with one bad value or one bad option.
PYTHON = """import sys
import numpy as np
import fuser
TEXT = open("in.mlir").read()
def program(**options):
    return fuser.compile(TEXT, device="host", **options)
x, y, s = np.ones((4, 3), np.float32), np.ones(3, np.float32), 1
class Lies:
    shape, dtype = (4, 3), np.float32
    def __dlpack_device__(self): return (1, 0)
    def __dlpack__(self, **_): return VALUE
try:
    VALUE = {value}
    {call}
except fuser.FuserError as error:
    print(f"{{type(error).__name__}}: {{error}}", file=sys.stderr)
    sys.exit(1)
"""
PYTHON_VALUES = [
    "None", "'x'", "b'x'", "[]", "[1, 2]", "{}", "object()", "2**63", "-2**63 - 1", "2**64", "1e400",
    "float('nan')", "1 + 2j", "True", "np.float16(1.5)", "np.int8(3)", "np.ones(3)", "np.ones((3, 3, 3), np.float32)",
    "np.ones((4, 3), np.int32)",
    "np.ones((4, 4), np.float32)[:, ::-1]", "np.ones((8, 3), np.float32)[::2]", "np.zeros((0, 3), np.float32)",
    "np.ones((4, 3), np.float64)", "np.ones((4, 3), '>f4')", "np.array([['a'] * 3] * 4)", "np.ones((4, 3), 'O')",
    "np.broadcast_to(np.float32(1), (4, 3))", "np.ones((4, 3), np.float32).view(np.recarray)", "memoryview(bytes(48))",
    "np.frombuffer(bytes(49), np.uint8)[1:].view(np.float32).reshape(4, 3)",
]  # fmt: skip
PYTHON_CALLS = [
    "program()(VALUE, y, s)", "program()(x, VALUE, s)", "program()(x, y, VALUE)", "program()(Lies(), y, s)",
    "program()(x, y, s, out=VALUE)", "program()(x, y, s, out=[VALUE])", "program()(x, y, s, VALUE)",
    "program()(x, y, z=VALUE)", "program().would_compile(VALUE, y, s)",
]  # fmt: skip
PYTHON_OPTIONS = [
    "fuser.compile(TEXT, device='cuda:99')", "fuser.compile(TEXT, device='host:x')", "fuser.compile(TEXT, device='')",
    "program(target='sm_1')(x, y, s)", "program(target='')(x, y, s)", "program(scheduler='none')(x, y, s)",
    "program(schedule='#fuser_sched.pointwise<vector = 0>')(x, y, s)", "program(schedule='x')(x, y, s)",
    "program(schedule='#fuser_sched.pointwise<vector = 9223372036854775807>')(x, y, s)",
    "program(cache_directory='/dev/null/x')(x, y, s)", "program(cache_directory='in.mlir')(x, y, s)",
    "program(strict=True)(x, y, s)", "program().save_artifact('/dev/null/x', x, y, s)", "fuser.load_artifact(None)",
    "fuser.load_artifact('in.mlir')", "fuser.load_artifact('.')", "fuser.load_artifact('\\0')",
    "program().save_artifact(1, x, y, s)",
    "fuser.compile('')", "fuser.compile('\\0')", "fuser.compile('module {{' * 2000)", "fuser.compile(TEXT[:-3])",
]  # fmt: skip
# Functions of the C interface by ctypes, with texts of any kind.
C_CALLS = [
    "lib.fuser_transform(text, size, {phase}, {target}, None, 0, None, ctypes.byref(result))",
    "lib.fuser_transform(text, size, {phase}, {target}, (Argument * 3)(), 3, None, ctypes.byref(result))",
    "lib.fuser_partition(text, size, {target}, None, 0, None, ctypes.byref(result))",
    "lib.fuser_explain(text, size, {target}, {phase}, None, 0, None, ctypes.byref(result))",
    "lib.fuser_evaluate(text, size, (Argument * 3)(), 3, (ctypes.c_void_p * 1)(), 1)",
    "lib.fuser_program_create(fuser._program._open_device('host', 0).handle, text, size, None, ctypes.byref(result))",
]
C_INTERFACE = """import ctypes
import fuser
from fuser._library import Argument, check, library
lib, text, result = library(), open("in.mlir", "rb").read(), ctypes.c_void_p()
size = {size}
try:
    check({call})
except fuser.FuserError as error:
    import sys
    print(f"{{type(error).__name__}}: {{error}}", file=sys.stderr)
    sys.exit(1)
"""


def python_cases(source, count):
    """Calls from Python, and of the C interface."""
    calls = [call.replace("{{", "{") for call in PYTHON_OPTIONS]
    scripts = [PYTHON.format(value="None", call=call) for call in calls]
    while len(scripts) < count * 2 // 3:
        scripts.append(PYTHON.format(value=source.choice(PYTHON_VALUES), call=source.choice(PYTHON_CALLS)))
    for number, script in enumerate(scripts):
        yield Case(f"python-{number}", ["python", "case.py"], {"in.mlir": PROGRAM, "case.py": script})
    pieces = corpus()
    for number in range(count - len(scripts)):
        phase = source.choice(["b'preseg'", "b'segmentation'", "b'apply'", "b'lowering'", "b'no phase'", "b''"])
        target = source.choice(["None", "b'h200'", "b'sm_90'", "b'sm_1'", "b''"])
        call = source.choice(C_CALLS).format(phase=phase, target=target)
        size = source.choice(["len(text)", "len(text)", "len(text)", "len(text) // 2", "0"])
        text = source.choice([PROGRAM, mutate(PROGRAM, source), mutate(source.choice(pieces), source)])
        script = C_INTERFACE.format(size=size, call=call)
        yield Case(f"c-{number}", ["python", "case.py"], {"in.mlir": text, "case.py": script})


def make_cases(seed, count):
    """Texts, options, files, and calls from Python and C."""
    source = random.Random(seed)
    texts, options, calls = count * 2 // 5, count // 5, count // 5
    return [
        *text_cases(source, texts),
        *option_cases(source, options),
        *python_cases(source, calls),
        *file_cases(source, count - texts - options - calls),
    ]


def run(case, build, keep):
    """The fault of a case, or None."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fuser-abuse-"))
    try:
        for name, data in case.files.items():
            (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape"))
        fault = answer(case, build, folder)
        if fault and keep:
            shutil.copytree(folder, pathlib.Path(keep) / case.name.replace("/", "_"), dirs_exist_ok=True)
        return fault
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def answer(case, build, folder):
    if case.command[0] == "python":
        command = [sys.executable, *case.command[1:]]
    else:
        command = [str(build / "bin" / case.command[0]), *case.command[1:]]
    environment = os.environ | {
        "PYTHONPATH": str(ROOT / "python"),
        "FUSER_LIBRARY": str(build / "lib" / "libfuser_capi.so"),
    }
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
        child = os.fork()
        if child == 0:
            try:
                os.chdir(folder)
                resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                null = os.open(os.devnull, os.O_RDONLY)
                os.dup2(null, 0)
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                os.execve(command[0], command, environment)
            finally:  # an exception would go on as a second worker
                os._exit(127)
        began = time.monotonic()
        # A process that waits uses no CPU time.
        while True:
            pid, status, usage = os.wait4(child, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - began > 12 * SECONDS:
                os.kill(child, 9)
            time.sleep(0.005)
    text = (folder / "stderr").read_text(errors="replace") + (folder / "stdout").read_text(errors="replace")
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    code = os.WEXITSTATUS(status)
    if code not in EXIT_CODES:
        return f"exit code {code}"
    if match := CRASH.search(text):
        return f"exit code {code} after '{match.group(0)}'"
    if code != 0 and not text.strip():
        return f"exit code {code} without a message"
    if usage.ru_utime + usage.ru_stime > SECONDS:
        return f"{usage.ru_utime + usage.ru_stime:.1f} s"
    if usage.ru_maxrss * 1024 > MOST_BYTES:
        return f"{usage.ru_maxrss >> 10} MiB"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder (default: build)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=560, help="inputs, of which a part is fixed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--filter", default="", help="regular expression of the names of inputs to run")
    parser.add_argument("--keep", help="folder that gets the files of inputs without an answer")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    cases = [case for case in make_cases(arguments.seed, arguments.count) if re.search(arguments.filter, case.name)]
    # Each worker forks: processes, since threads and forks do not mix.
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        faults = list(pool.map(run, cases, [arguments.build] * len(cases), [arguments.keep] * len(cases), chunksize=4))
    found = [(case, fault) for case, fault in zip(cases, faults, strict=True) if fault]
    for case, fault in found:
        print(f"{case.name}: {fault}: {' '.join(case.command)}")
    print(f"abuse: {len(cases)} inputs, {len(cases) - len(found)} answered, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
