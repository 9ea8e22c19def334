//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What fuser-run does: makes inputs, runs a program on a device, compares, reports.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_DRIVER_H
#define FUSER_DRIVER_DRIVER_H

#include "fuser/Driver/Inputs.h"
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
  /// The same kernels, one fiber for each GPU thread.
  Host,
  /// The evaluator in double precision.
  Reference,
};

struct DriverOptions {
  /// The .mlir file; "-" is the standard input.
  std::string file;
  /// Which fusion of the file; empty: the only one.
  std::string program;
  InputOptions inputs;
  DeviceChoice device = DeviceChoice::Default;
  /// What kernels are scheduled for: a name or a chip; empty: the GPU that runs them, else sm_90.
  std::string target;
  /// Print the module after this phase; empty: none. The report then goes where errors go, so that
  /// the module stands alone and can be read back.
  std::string dumpAfter;
  /// Print that module to this file instead; empty: not to a file. A later compilation of the same
  /// run overwrites it.
  std::string dumpTo;
  /// Run the program; false: stop at kernel IR, without outputs.
  bool run = true;
  /// The phase that the file is about to enter; empty: whatever it is. Anything earlier in the file
  /// is an error.
  std::string startFrom;
  /// Calls to time on a GPU; 0: none.
  unsigned repeat = 20;
  /// Compare the outputs with the reference.
  bool check = false;
  /// f32 functions by the GPU's approximations (docs/approximate-math.md). Changes results.
  bool approximateMath = false;
  /// On the host device: whatever a kernel does wrong with memory or with waits is an error.
  bool checkAccesses = false;
  /// Replace the tolerances of the element types.
  std::optional<double> relativeTolerance, absoluteTolerance;
  /// Write the outputs to this .npy file; of several outputs, number k to NAME.k.npy.
  std::string saveOutput;
};

/// What a run came to; the values are exit codes.
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

/// Keeps the GPU's context from one run to the next while somebody holds the result; null where
/// there is no GPU.
std::shared_ptr<void> holdGpu();

} // namespace fuser::driver

#endif // FUSER_DRIVER_DRIVER_H
