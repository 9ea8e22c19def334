//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Implements fuser-tune: measures the schedules that the kernels of a program could have, and
// writes the fastest ones to a file.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_TUNEFILE_H
#define FUSER_DRIVER_TUNEFILE_H

#include "fuser/Driver/Driver.h"

#include <functional>

namespace fuser::driver {

struct TuneOptions : ExecutionOptions {
  /// A file with a device description in text form, instead of `target`; empty: none.
  std::string deviceFile;
  /// Schedules of each kernel that are compiled, checked and measured, the model's choice included.
  unsigned top = 16;
  /// Calls of each schedule that are timed on a GPU.
  unsigned rounds = 20;
  /// A file with schedules to begin with, as fuser-tune writes it; empty: what the model chooses.
  std::string schedules;
  /// How often what is near the winners is measured, as long as there are new ones.
  unsigned steps = 3;
  /// No measurement begins after so many seconds, of which compiling and checking the schedules of
  /// a kernel takes at most half of those that are left; what is known by then decides. 0: no
  /// limit.
  double budget = 0;
  /// The file of schedules to write, for fuser-run --schedules; "-": the stream of tune(), whose
  /// report then goes to the errors; empty: none.
  std::string output;
  /// Report each schedule to the errors when it has been checked.
  bool progress = false;
  /// Microseconds of a kernel with some parameters, in place of measured times: for tests. Null:
  /// the GPU's, and none on the host device.
  std::function<double(llvm::StringRef kernel, llvm::StringRef params)> timer;
  /// Seconds since the begin, in place of the machine's clock: for tests. Null: the machine's.
  std::function<double()> clock;
  /// Once it is not 0, tuning ends soon, as at the end of the budget; null: never.
  const int *interrupt = nullptr;
};

/// Tunes one program. The table goes to `out`, diagnostics, errors and progress go to `errors`.
/// `registry` has the dialects that the file may use.
Outcome tune(const TuneOptions &options, const mlir::DialectRegistry &registry,
             llvm::raw_ostream &out, llvm::raw_ostream &errors);

} // namespace fuser::driver

#endif // FUSER_DRIVER_TUNEFILE_H
