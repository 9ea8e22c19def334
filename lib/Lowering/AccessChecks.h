//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether the accesses of scheduled ops exist: indices that follow from the loops, buffers with
// bounds, vectors that are one access.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_ACCESSCHECKS_H
#define FUSER_LIB_LOWERING_ACCESSCHECKS_H

#include "LaneForms.h"
#include "Stages.h"

namespace fuser {

/// Each check fails after a diagnostic at the op.
class AccessChecks {
public:
  explicit AccessChecks(const CheckedKernel &checked);

  const LaneForms &getForms() const { return forms; }
  /// True if the op reads or writes memory, or collects elements: its elements need to exist.
  bool touchesMemory(const ScheduledOp &scheduled) const;
  mlir::LogicalResult verifyReads(const ScheduledOp &scheduled) const;
  /// Writes of `width` elements each.
  mlir::LogicalResult verifyWrites(const ScheduledOp &scheduled, int64_t width) const;
  /// The number of elements of a buffer in registers or shared memory.
  mlir::FailureOr<int64_t> countElements(const ScheduledOp &scheduled) const;

private:
  /// One term of a linear offset: index * stride.
  struct Term {
    LaneForm form;
    mlir::AffineExpr extent;
    /// The id with this index, or `kNoId`.
    unsigned id;
    /// The stride is no product of the faster extents, but a multiple of `divisor`.
    bool isStrided = false;
    int64_t divisor = 1;
  };
  /// What a vector access to global memory relies on.
  struct Memory {
    std::string name;
    int64_t alignment, elementBytes;
  };

  bool isInMemory(mlir::Value operand) const;
  mlir::LogicalResult verifyRead(const ScheduledOp &scheduled, unsigned operand, int64_t width,
                                 bool isGuarded) const;
  mlir::LogicalResult verifyArgument(const ScheduledOp &scheduled, unsigned operand,
                                     llvm::ArrayRef<LaneForm> ids, const OperandForms &at,
                                     int64_t width, bool mayBeScattered) const;
  mlir::LogicalResult verifyUpdate(const ScheduledOp &scheduled, UpdateOpInterface update) const;
  mlir::LogicalResult verifyGlobalValue(mlir::Operation *user, const ScheduledOp &producer,
                                        unsigned result, IdForms ids, int64_t width,
                                        bool mayBeScattered) const;
  mlir::LogicalResult verifyBuffer(const ScheduledOp &producer, llvm::ArrayRef<LaneForm> ids) const;
  mlir::LogicalResult verifyVector(mlir::Operation *user, const Memory &memory,
                                   llvm::ArrayRef<Term> terms, int64_t width) const;
  /// Of argument `operand`, or an output after the arguments.
  Memory getMemory(unsigned operand) const;
  static void joinMerged(const ScheduledOp &scheduled, llvm::ArrayRef<LaneForm> ids,
                         llvm::SmallVectorImpl<Term> &terms);

  /// A handle; its accessors are no const functions.
  mutable KernelOp kernel;
  const ExtentAnalysis &extents;
  const LoopNest &nest;
  LaneForms forms;
  llvm::DenseMap<mlir::Value, unsigned> outputOf;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_ACCESSCHECKS_H
