//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The schedules that a program could have, for a tool that measures them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_COMPILER_TUNING_H
#define FUSER_COMPILER_TUNING_H

#include "fuser/Compiler/Compiler.h"
#include <map>

namespace fuser {

/// One schedule of a kernel.
struct TuningOption {
  std::string scheduler;
  /// "#fuser_sched.pointwise<vector = 8>".
  std::string params;
  /// What differs from the first option: "vector = 4, unroll = 2"; of another scheduler, what is
  /// not the default.
  std::string difference;
  /// Predicted, of one launch.
  double microseconds = 0;
  /// The kernel with this schedule: an entry of a ScheduleLibrary.
  std::string entry;
};

/// The schedules of a kernel, or of several equal ones.
struct TuningKernel {
  std::vector<std::string> names;
  /// The first one is that of CompileOptions::schedules, else the choice of the model
  /// (ScheduleSpace).
  std::vector<TuningOption> options;
  bool isFirstGiven = false;
  /// Parameters that were refused, by the code of the refusal.
  std::map<std::string, unsigned> refused;
  /// Parameters that have a higher predicted time than all options.
  unsigned numLeftOut = 0;
};

/// Runs the phases up to Choose on `module`, in place, and enumerates at most `most` schedules for
/// each kernel that the program itself does not schedule, and that a scheduler accepts. Fails after
/// a diagnostic. Options as for compile().
mlir::FailureOr<std::vector<TuningKernel>>
enumerateSchedules(mlir::ModuleOp module, const CompileOptions &options, size_t most);

/// The text of a ScheduleLibrary with these entries (TuningOption::entry), for CompileOptions.
/// `device`: the device that the schedules are for, as a note.
std::string printSchedules(llvm::ArrayRef<llvm::StringRef> entries, llvm::StringRef device);

} // namespace fuser

#endif // FUSER_COMPILER_TUNING_H
