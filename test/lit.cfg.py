"""The lit suite: one `.mlir` per behaviour, run through fuser-opt or fuser-run and FileCheck."""

import os

import lit.formats

config.name = "fuser"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
if not config.has_reference:
    config.excludes += ["Driver", "Programs", "Schedules"]  # these run fuser-run
config.test_source_root = os.path.join(config.fuser_source_dir, "test")
config.test_exec_root = os.path.join(config.fuser_build_dir, "test")
config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.fuser_build_dir, "bin"),
        config.llvm_tools_dir,
        os.environ["PATH"],
    ]
)
config.substitutions.append(("%examples", os.path.join(config.fuser_source_dir, "examples")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%ptxas", config.ptxas))
if config.ptxas:
    config.available_features.add("ptxas")
