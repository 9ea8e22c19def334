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

/// What kind of reason a refusal has. Clients may branch on it, and on nothing else of a refusal.
enum class RefusalCategory {
  /// The kernel is of a kind that the scheduler is not for: no reduction for a reduction scheduler.
  OutOfScope,
  /// The ops, or how they read each other.
  Structure,
  /// The order of dimensions in memory, or strides.
  Layout,
  /// A size, or what is not known about one.
  Size,
  /// A limit of the device.
  Device,
};

/// A refusal as data.
struct Refusal {
  RefusalCategory category = RefusalCategory::OutOfScope;
  /// The reason as remarks show it, e.g. "row-too-long". The set is open: a scheduler defines its
  /// codes next to its checks. Refers to a literal.
  llvm::StringRef code = {};
  /// The ops at fault; may be empty.
  llvm::SmallVector<mlir::Operation *> ops = {};
  /// One sentence, lower case, no final period, that says what was expected and what came.
  std::string sentence = {};
  /// Where to cut the kernel so that this scheduler could take a part: what these operands (of ops
  /// of the kernel, defined in it) read would come from another kernel. Empty: no cut would help.
  llvm::SmallVector<mlir::OpOperand *> cuts = {};
};

/// Adds a cut before each operand of `op` that an op of its kernel defines.
void cutBefore(mlir::Operation *op, llvm::SmallVectorImpl<mlir::OpOperand *> &cuts);
/// Adds a cut behind the results of `op`: before each operand that reads one.
void cutBehind(mlir::Operation *op, llvm::SmallVectorImpl<mlir::OpOperand *> &cuts);

/// An order in which a scheduler would like a boundary value to lie in memory.
struct BoundaryWish {
  bool isOutput;
  /// Number of the argument or of the output.
  unsigned position;
  /// Logical dimensions from slowest to fastest.
  llvm::SmallVector<int64_t> order;
};

/// What `accepts` found out about a kernel, for `choose` and `apply`. It refers to classes, to
/// numbers of ops (in KernelView::getOps) and to positions of arguments and outputs, which are the
/// same in every kernel of the same text: it does not refer to the kernel. Facts that are added to
/// the kernel do not change it.
class Plan {
public:
  virtual ~Plan();

  /// Orders that the scheduler prefers for boundary values. No client has to grant one.
  llvm::SmallVector<BoundaryWish> wishes;
};

using Answer = std::variant<std::unique_ptr<Plan>, Refusal>;

/// What a launch occupies, as far as its scheduler knows: a prediction, for costs only. The
/// assembler has the last word on registers.
struct ResourceUse {
  /// Threads of a block, and blocks of the grid at the expected sizes; 0: not known.
  int64_t threads = 128;
  int64_t blocks = 0;
  /// Registers of a thread (32 bits) and bytes of shared memory of a block.
  int64_t registers = 32;
  int64_t sharedBytes = 0;
  /// Bytes that a thread has under way from memory at a time.
  int64_t bytesInFlight = 16;
  /// Tensors (numbers in KernelView::getTensors) whose neighbouring elements neighbouring threads
  /// do not access: each element costs a memory sector.
  llvm::SmallVector<unsigned, 2> scattered = {};
};

/// What choose found.
struct Choice {
  ScheduleParamsInterface params;
  /// What the parameters rely on; guarded at run time.
  llvm::SmallVector<FactAttr> facts;
  ResourceUse use = {};
};

/// One way of running kernels. Objects have no state: one serves all kernels, from any thread.
class Scheduler {
public:
  virtual ~Scheduler();

  /// The name by which parameters find their scheduler, e.g. "pointwise".
  virtual llvm::StringRef getName() const = 0;

  /// True where it is for what nobody else takes, and slow: its use gives a remark.
  virtual bool isFallback() const { return false; }

  /// Whether this scheduler can run the kernel, whatever the sizes: a plan, which is not null, or
  /// the reason why not. Rewrites with which `apply` begins are part of what is accepted. Changes
  /// nothing.
  virtual Answer accepts(const KernelView &kernel) const = 0;

  /// The order in which this scheduler would like `value` to lie, which it may read or write: asked
  /// before segmentation, where hints are made for it (S0.7). Nothing: as the general rules say.
  virtual std::optional<InferredOrder> inferOrder(mlir::Value value,
                                                  llvm::ArrayRef<OrderReference> references) const;

  /// Parameters for a kernel that was accepted; `plan` is what `accepts` of this scheduler returned
  /// for it. Refuses where sizes make it impossible. Changes nothing.
  virtual std::variant<Choice, Refusal> choose(const KernelView &kernel, const Plan &plan,
                                               const SizeHints &hints,
                                               const artifact::DeviceDescription &device) const = 0;

  /// Puts loop domains, parallel types, memory types and inline positions on the ops; `plan` is
  /// what `accepts` returned for the kernel. Parameters may come from a user: fails with a
  /// diagnostic where they do not fit, or are those of another scheduler. The view is not valid
  /// afterwards.
  virtual mlir::LogicalResult apply(const KernelView &kernel, const Plan &plan,
                                    ScheduleParamsInterface params) const = 0;
};

/// Fails with a diagnostic at the kernel: the parameters are not those of `scheduler`.
mlir::LogicalResult emitForeignParams(KernelOp kernel, llvm::StringRef scheduler,
                                      ScheduleParamsInterface params);

/// A scheduler whose plans and parameters are of the given types.
template <typename PlanType, typename ParamsType> class SchedulerOf : public Scheduler {
public:
  std::variant<Choice, Refusal> choose(const KernelView &kernel, const Plan &plan,
                                       const SizeHints &hints,
                                       const artifact::DeviceDescription &device) const final {
    return chooseParams(kernel, static_cast<const PlanType &>(plan), hints, device);
  }
  mlir::LogicalResult apply(const KernelView &kernel, const Plan &plan,
                            ScheduleParamsInterface params) const final {
    if (auto own = llvm::dyn_cast<ParamsType>(params))
      return applyParams(kernel, static_cast<const PlanType &>(plan), own);
    return emitForeignParams(kernel.getKernel(), getName(), params);
  }

protected:
  /// As `choose` and `apply`.
  virtual std::variant<Choice, Refusal>
  chooseParams(const KernelView &kernel, const PlanType &plan, const SizeHints &hints,
               const artifact::DeviceDescription &device) const = 0;
  virtual mlir::LogicalResult applyParams(const KernelView &kernel, const PlanType &plan,
                                          ParamsType params) const = 0;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULER_H
