//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs cases in processes of their own, so that a crash or a hang is a result like others.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_CASERUNNER_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_CASERUNNER_H

#include "fuser/Driver/HostArray.h"
#include "fuser/Pipelines/Pipelines.h"
#include "fuser/Runtime/Device.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <functional>
#include <optional>
#include <string>

namespace fuser::fuzz {

enum class Verdict {
  /// It ran, nothing was reported, and the outputs are those of the reference.
  Passed,
  /// It ran, and some elements differ from the reference's as much as rounding explains.
  Rounding,
  /// It ran, and a kernel was split or rescheduled because its schedule cannot be lowered.
  Fallback,
  /// A diagnostic, or a launch that the device is too small for.
  Refused,
  // What follows are mistakes of the compiler.
  /// The outputs differ from the reference's.
  Wrong,
  /// The checks of the host device found something.
  Fault,
  /// A diagnostic that speaks of IR which the user has not written.
  Internal,
  Crash,
  Hang,
};

const char *toString(Verdict verdict);
inline bool hasRun(Verdict verdict) { return verdict <= Verdict::Fallback; }
inline bool isFailure(Verdict verdict) { return verdict > Verdict::Refused; }

struct Outcome {
  Verdict verdict = Verdict::Crash;
  /// The diagnostic, the error of the device, or where the outputs differ.
  std::string text;
};

/// A program as text, and the sizes and ranges of its arguments as the driver takes them.
struct Program {
  std::string text, sizes;
  std::vector<std::string> ranges = {};

  /// As the request of a CaseServer.
  std::string toRequest() const;
  static Program fromRequest(llvm::StringRef request);
};

struct RunOptions {
  /// Where it runs; null: on a host device of its own, with all checks.
  std::shared_ptr<runtime::Device> device;
  /// What kernels on the host device are scheduled for; none: sm_90.
  std::optional<artifact::DeviceDescription> target = std::nullopt;
  /// Threads that a cooperative launch on the host device may keep alive at once.
  uint32_t maxLiveThreads = runtime::HostDeviceOptions().maxLiveThreads;
  /// Distribute launches over streams wherever possible.
  bool forceStreams = false;
  /// Launches begin before the launches before them have ended, where they can.
  bool dependentLaunches = false;
  /// Each kernel runs twice, and the second launch overwrites what the first one wrote.
  bool launchesTwice = false;
  /// Lets a module be looked at, or changed, after each phase.
  std::function<void(Phase, mlir::ModuleOp)> afterPhase;
  /// Where to put the outputs; null: nowhere.
  std::vector<driver::HostArray> *outputs = nullptr;
};

/// Compiles and runs the program in this process.
Outcome runHere(const Program &program, const mlir::DialectRegistry &registry,
                const RunOptions &options = {});

/// Ends the process with an outcome.
using EndRun = llvm::function_ref<void(const Outcome &)>;

/// Calls `run` in a process of its own, which is ended after `seconds`, or by what `run` gets.
Outcome runApart(unsigned seconds, llvm::function_ref<Outcome(EndRun)> run);

/// Runs a program on the host device in a process of its own. What takes too many accesses to
/// memory is refused. `mutation` changes its kernels before they are compiled; for planted
/// mistakes. `launchesTwice`: as in RunOptions.
Outcome runApart(const Program &program, const mlir::DialectRegistry &registry, unsigned seconds,
                 const std::function<void(mlir::ModuleOp)> &mutation = nullptr,
                 bool launchesTwice = false);

/// The same without a process of its own; `end` ends it where the program is refused.
Outcome runLimited(const Program &program, const mlir::DialectRegistry &registry, EndRun end,
                   const std::function<void(mlir::ModuleOp)> &mutation = nullptr,
                   bool launchesTwice = false);

/// Refused where lowering refuses the module, or its kernels would take too many accesses to memory
/// for arguments of these sizes; else passed.
Outcome lower(mlir::ModuleOp module, llvm::StringRef sizes);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_CASERUNNER_H
