"""The lit suite: one `.mlir` per behaviour, run through fuser-opt or fuser-run and FileCheck."""

import os
import pathlib
import re

import lit.formats

config.name = "fuser"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "samples", "consumer", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.fuser_source_dir, "test")
if not config.has_reference:  # then there is no fuser-run, no fuser-count-kernel and no fuser-explain
    config.excludes += [
        path.name
        for path in pathlib.Path(config.test_source_root).rglob("*")
        if path.suffix in config.suffixes
        and re.search(r"RUN:.*fuser-(run|count-kernel|explain|tune)", path.read_text())
    ]
config.test_exec_root = os.path.join(config.fuser_build_dir, "test")
config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.fuser_build_dir, "bin"),
        config.llvm_tools_dir,
        os.environ["PATH"],
    ]
)
# Which of several mutants runs (utils/mutate.py).
config.environment.update({name: value for name, value in os.environ.items() if name.startswith("FUSER_MUTANT")})
config.substitutions.append(("%examples", os.path.join(config.fuser_source_dir, "examples")))
config.substitutions.append(("%benchmarks", os.path.join(config.fuser_source_dir, "benchmarks")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%ptxas", config.ptxas))
plugin = os.path.join(config.fuser_build_dir, "lib", "libFuserPlugin.so")
config.substitutions.append(("%plugin", plugin))
if config.has_plugin:
    config.available_features.add("plugin")
if config.ptxas:
    config.available_features.add("ptxas")
