//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The abstract scheduler: accepts, choose, apply.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULER_H
#define FUSER_SCHEDULING_SCHEDULER_H

#include "fuser/Analysis/OrderInference.h"
#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Scheduling/KernelView.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Scheduling/SizeHints.h"
#include <memory>
#include <variant>

namespace fuser {

/// The kind of reason of a refusal. It is the only part of a refusal that clients may branch on.
enum class RefusalCategory {
  /// The scheduler is not meant for such kernels: no reduction for a reduction scheduler.
  OutOfScope,
  /// The ops, or the indices at which they read each other.
  Structure,
  /// The order of dimensions in memory, or strides.
  Layout,
  /// A size, or missing facts about a size.
  Size,
  /// A limit of the device.
  Device,
};

/// A structured refusal.
struct Refusal {
  RefusalCategory category = RefusalCategory::OutOfScope;
  /// The reason as remarks show it, e.g. "row-too-long". The set is open: a scheduler defines its
  /// codes next to its checks. Refers to a literal.
  llvm::StringRef code = {};
  /// The ops that cause the refusal; may be empty.
  llvm::SmallVector<mlir::Operation *> ops = {};
  /// One sentence, lower case, no final period, that states what was expected and what the kernel
  /// has.
  std::string sentence = {};
  /// Where to cut the kernel so that this scheduler could accept a part: the values of these
  /// operands (of ops of the kernel, defined in it) would come from another kernel. Empty: no cut
  /// would help.
  llvm::SmallVector<mlir::OpOperand *> cuts = {};
};

/// Adds a cut before each operand of `op` that an op of its kernel defines.
void cutBefore(mlir::Operation *op, llvm::SmallVectorImpl<mlir::OpOperand *> &cuts);
/// Adds a cut after the results of `op`: before each operand that reads one.
void cutBehind(mlir::Operation *op, llvm::SmallVectorImpl<mlir::OpOperand *> &cuts);

/// The stride order that a scheduler prefers for a boundary value.
struct BoundaryPreference {
  bool isOutput;
  /// Number of the argument or of the output.
  unsigned position;
  /// Logical dimensions from slowest to fastest.
  llvm::SmallVector<int64_t> order;
};

/// The results of `accepts` for a kernel, for `choose` and `apply`. It refers to classes, to
/// numbers of ops (in KernelView::getOps) and to positions of arguments and outputs, which are the
/// same in every kernel of the same text: it does not refer to the kernel. Facts that are added to
/// the kernel do not change it.
class Plan {
public:
  virtual ~Plan();

  /// Orders that the scheduler prefers for boundary values. Clients may ignore them.
  llvm::SmallVector<BoundaryPreference> preferences;
};

using Answer = std::variant<std::unique_ptr<Plan>, Refusal>;

/// The resources of a launch, as far as its scheduler knows: a prediction, for costs only. The
/// assembler determines the actual number of registers.
struct ResourceUse {
  /// Threads of a block, and blocks of the grid at the expected sizes; 0: not known.
  int64_t threads = 128;
  int64_t blocks = 0;
  /// Registers of a thread (32 bits) and bytes of shared memory of a block.
  int64_t registers = 32;
  int64_t sharedBytes = 0;
  /// Bytes of memory loads that a thread has in flight.
  int64_t bytesInFlight = 16;
  /// Tensors (numbers in KernelView::getTensors) whose accesses are not coalesced: each element
  /// costs a memory sector.
  llvm::SmallVector<unsigned, 2> scattered = {};
  /// Bytes of arguments that are read more than once, for all reads after the first; those that the
  /// L2 cache holds count as fewer.
  double bytesReadAgain = 0;
  /// How often a block waits for memory that it cannot request before: once for each step that
  /// needs the result of another.
  int64_t numSteps = 1;
  /// Seconds that the threads of a block wait for each other, or for those of its cluster, between
  /// its reads and its stores, which do not overlap within it; 0 if they do.
  double secondsOfExchanges = 0;
  /// The share of the time in which its threads keep memory busy: less than 1 where they wait for
  /// other blocks.
  double busyShare = 1;
  /// Copies in shared memory that blocks combine with each output that an op updates, after they
  /// have combined their elements in them; less than 0: each element is combined in the output.
  double copies = -1;
};

/// The result of choose.
struct Choice {
  ScheduleParamsInterface params;
  /// The facts that the parameters rely on; guarded at run time.
  llvm::SmallVector<FactAttr> facts;
  ResourceUse use = {};
};

/// A strategy to schedule kernels. Objects are stateless: one object serves all kernels, from any
/// thread.
class Scheduler {
public:
  virtual ~Scheduler();

  /// The name that associates parameters with their scheduler, e.g. "pointwise".
  virtual llvm::StringRef getName() const = 0;

  /// True for a slow scheduler of kernels that no other one accepts: its use gives a remark.
  virtual bool isFallback() const { return false; }

  /// Checks whether this scheduler can schedule the kernel, independent of sizes: returns a plan,
  /// which is not null, or a refusal. The check includes the rewrites at the beginning of `apply`.
  /// Does not modify the kernel.
  virtual Answer accepts(const KernelView &kernel) const = 0;

  /// The stride order that this scheduler prefers for `value`, which it may read or write. Queried
  /// before segmentation, if hints are inferred for this scheduler (S0.7). Nothing: follow the
  /// general rules.
  virtual std::optional<InferredOrder> inferOrder(mlir::Value value,
                                                  llvm::ArrayRef<OrderReference> references) const;

  /// Parameters for a kernel that was accepted; `plan` is what `accepts` of this scheduler returned
  /// for it. Refuses if sizes make it impossible. Does not modify the kernel.
  virtual std::variant<Choice, Refusal> choose(const KernelView &kernel, const Plan &plan,
                                               const SizeHints &hints,
                                               const artifact::DeviceDescription &device) const = 0;

  /// The choice with given parameters, for a kernel that was accepted: the facts that they rely on,
  /// and the resources of the launch. Parameters may be hand-written: refuses those that do not fit
  /// the kernel, its sizes or the device. By default all are refused, so that there are none but
  /// those that `choose` returns. Does not modify the kernel.
  virtual std::variant<Choice, Refusal> evaluate(const KernelView &kernel, const Plan &plan,
                                                 ScheduleParamsInterface params,
                                                 const SizeHints &hints,
                                                 const artifact::DeviceDescription &device) const;

  /// Sets loop domains, parallel types, memory types and inline positions of the ops; `plan` is
  /// what `accepts` returned for the kernel. Parameters may be hand-written: fails with a
  /// diagnostic if they are invalid for the kernel, or are those of another scheduler. The view is
  /// invalid afterwards.
  virtual mlir::LogicalResult apply(const KernelView &kernel, const Plan &plan,
                                    ScheduleParamsInterface params) const = 0;
};

/// Fails with a diagnostic at the kernel: the parameters are not those of `scheduler`.
mlir::LogicalResult emitForeignParams(KernelOp kernel, llvm::StringRef scheduler,
                                      ScheduleParamsInterface params);

/// Refuses parameters that are not those of a scheduler, or that it does not evaluate.
Refusal refuseParams(llvm::StringRef scheduler, ScheduleParamsInterface params);

/// A scheduler whose plans and parameters are of the given types.
template <typename PlanType, typename ParamsType> class SchedulerOf : public Scheduler {
public:
  std::variant<Choice, Refusal> choose(const KernelView &kernel, const Plan &plan,
                                       const SizeHints &hints,
                                       const artifact::DeviceDescription &device) const final {
    return chooseParams(kernel, static_cast<const PlanType &>(plan), hints, device);
  }
  std::variant<Choice, Refusal> evaluate(const KernelView &kernel, const Plan &plan,
                                         ScheduleParamsInterface params, const SizeHints &hints,
                                         const artifact::DeviceDescription &device) const final {
    if (auto own = llvm::dyn_cast<ParamsType>(params))
      return evaluateParams(kernel, static_cast<const PlanType &>(plan), own, hints, device);
    return refuseParams(getName(), params);
  }
  mlir::LogicalResult apply(const KernelView &kernel, const Plan &plan,
                            ScheduleParamsInterface params) const final {
    if (auto own = llvm::dyn_cast<ParamsType>(params))
      return applyParams(kernel, static_cast<const PlanType &>(plan), own);
    return emitForeignParams(kernel.getKernel(), getName(), params);
  }

protected:
  /// As `choose`, `evaluate` and `apply`. `chooseParams` decides on parameters, and returns what
  /// `evaluateParams` makes of them.
  virtual std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const PlanType &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const = 0;
  virtual std::variant<Choice, Refusal>
  evaluateParams(const KernelView &kernel, const PlanType &plan, ParamsType params,
                 const SizeHints &hints, const artifact::DeviceDescription &device) const = 0;
  virtual mlir::LogicalResult applyParams(const KernelView &kernel, const PlanType &plan,
                                          ParamsType params) const = 0;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULER_H
