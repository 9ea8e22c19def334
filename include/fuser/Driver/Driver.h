//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Implements fuser-run: creates inputs, runs a program on a device, compares, reports.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_DRIVER_H
#define FUSER_DRIVER_DRIVER_H

#include "fuser/Driver/Inputs.h"
#include "fuser/Session/Program.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <string>

namespace fuser::driver {

enum class DeviceChoice {
  /// The GPU if there is one, else the host.
  Default,
  Cuda,
  /// The same kernels, one fiber per GPU thread.
  Host,
  /// The evaluator in double precision.
  Reference,
};

/// A program of a file, its arguments, and how it is compiled.
struct ExecutionOptions {
  /// The .mlir file ("-": the standard input).
  std::string file;
  /// The fusion of the file to run; empty: the only one.
  std::string program;
  InputOptions inputs;
  DeviceChoice device = DeviceChoice::Default;
  /// Device that kernels are scheduled for: a name or a chip; empty: the GPU that runs them, else
  /// sm_90.
  std::string target;
  /// Threads that compile different kernels at the same time; 0: one per processor.
  unsigned threads = 0;
  /// Approximate f32 functions by the GPU's instructions (docs/approximate-math.md). Changes
  /// results.
  bool approximateMath = false;
  /// Launches that may begin before the launches before them have ended (PipelineOptions); nullopt:
  /// the default.
  std::optional<DependentLaunches> dependentLaunches;
  /// Where segments end (PipelineOptions::markBoundaries).
  std::string markBoundaries;
};

/// `file` may also be an artifact, which runs without being compiled.
struct DriverOptions : ExecutionOptions {
  /// A file with schedules of kernels, as fuser-tune writes it; empty: none.
  std::string schedules;
  /// Print the module after this step (PipelineStep::getName); empty: none. The report is then
  /// printed with the errors, so that the output only contains the module and can be read back.
  std::string dumpAfter;
  /// Print that module to this file instead; empty: not to a file. A later compilation of the same
  /// run overwrites it.
  std::string dumpTo;
  /// Run the program; false: stop at kernel IR, without outputs.
  bool run = true;
  /// The step at which the file must be; empty: any. A file at an earlier phase is an error.
  std::string startFrom;
  /// Calls to time on a GPU; 0: none.
  unsigned repeat = 20;
  /// Write the time of each kernel to this JSON file (docs/explain.md); empty: do not.
  std::string profile;
  /// Hold an exclusive lock on this file from before the device is made until the times are read
  /// and its memory is free, so that processes that prepare their inputs at the same time run one
  /// by one; empty: do not.
  std::string timingLock;
  /// Compare the outputs with the reference.
  bool check = false;
  /// On the host device: check accesses to memory and waits, and report violations as errors.
  bool checkAccesses = false;
  /// Replace the tolerances of the element types.
  std::optional<double> relativeTolerance, absoluteTolerance;
  /// Write the artifact that runs to this file; empty: do not.
  std::string saveArtifact;
  /// Write the outputs to this .npy file; of several outputs, number k to NAME.k.npy.
  std::string saveOutput;
};

/// The outcome of a run; the values are exit codes.
enum class Outcome : int {
  Success = 0,
  /// The program is wrong, did not compile or run, or its outputs are not those of the reference.
  Failure = 1,
  /// The command line does not fit the program.
  BadCommand = 2,
};

/// Runs one program. The report goes to `out`, diagnostics and errors go to `errors`. `registry`
/// has the dialects that the file may use.
Outcome run(const DriverOptions &options, const mlir::DialectRegistry &registry,
            llvm::raw_ostream &out, llvm::raw_ostream &errors);

/// Keeps the GPU's context alive between runs while the result is held; null if there is no GPU.
std::shared_ptr<void> holdGpu();

} // namespace fuser::driver

#endif // FUSER_DRIVER_DRIVER_H
