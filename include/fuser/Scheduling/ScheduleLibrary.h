//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Schedules by kernel, as text: what a file of fuser-tune contains.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULELIBRARY_H
#define FUSER_SCHEDULING_SCHEDULELIBRARY_H

#include "fuser/Scheduling/SchedulerRegistry.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace fuser {

/// A module of kernels with `schedule`, as segmentation makes them. `fuser-choose-schedules` gives
/// an equal kernel the parameters of the entry; names, locations and notes (`fuser_sched.decision`)
/// do not count, the expected sizes (`fuser_sched.sizes`) and facts do. So an entry applies to one
/// kernel at one size, wherever it occurs. The facts that the parameters rely on are not in the
/// file: the scheduler evaluates the parameters again, for the device of the compilation. The
/// module may name the device on which they were measured; nothing depends on it.
///
/// ```mlir
/// module attributes {fuser_sched.device = "NVIDIA H200"} {
///   fuser.kernel @softmax_0(%x: tensor<?x?xbf16>) -> tensor<?x?xbf16> attributes {
///       fuser_sched.sizes = [array<i64: 64, 1000>],
///       schedule = #fuser_sched.inner_persistent<threads = 32, vector = 8, vectors = 4>} {
///     ...
///   }
/// }
/// ```
class ScheduleLibrary {
public:
  /// Parses the text; the dialects of programs must be registered with the context. Fails with
  /// diagnostics, in a file called "schedules".
  static mlir::FailureOr<std::shared_ptr<const ScheduleLibrary>> parse(llvm::StringRef text,
                                                                       mlir::MLIRContext *context);

  /// The entry for a kernel without a schedule, or null. The first of equal entries.
  KernelOp find(KernelOp kernel) const;

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// True if one entry serves both kernels.
bool haveOneEntry(KernelOp a, KernelOp b);

/// Evaluates the parameters of an entry for an equal kernel. Fails with a diagnostic at the entry
/// if their scheduler is unknown, or refuses the kernel or the parameters.
mlir::FailureOr<Choice> evaluateEntry(KernelOp entry, const KernelView &kernel,
                                      const SchedulerRegistry &registry, const SizeHints &hints,
                                      const artifact::DeviceDescription &device);

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULELIBRARY_H
