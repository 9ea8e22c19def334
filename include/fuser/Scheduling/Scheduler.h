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

/// Yes, with wishes that nobody has to grant.
struct Acceptance {
  llvm::SmallVector<BoundaryWish> wishes;
};

using Answer = std::variant<Acceptance, Refusal>;

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

  /// Whether this scheduler can run the kernel, whatever the sizes. Changes nothing.
  virtual Answer accepts(const KernelView &kernel) const = 0;

  /// The order in which this scheduler would like `value` to lie, which it may read or write: asked
  /// before segmentation, where hints are made for it (S0.7). Nothing: as the general rules say.
  virtual std::optional<InferredOrder> inferOrder(mlir::Value value,
                                                  llvm::ArrayRef<OrderReference> references) const;

  /// Parameters for a kernel that was accepted. Refuses where sizes make it impossible. Changes
  /// nothing.
  virtual std::variant<Choice, Refusal> choose(const KernelView &kernel, const SizeHints &hints,
                                               const artifact::DeviceDescription &device) const = 0;

  /// Puts loop domains, parallel types, memory types and inline positions on the ops. Parameters
  /// may come from a user: fails with a diagnostic where they do not fit, or where the kernel is
  /// not one that this scheduler accepts.
  virtual mlir::LogicalResult apply(KernelOp kernel, ScheduleParamsInterface params) const = 0;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULER_H
