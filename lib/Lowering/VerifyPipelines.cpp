//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether values with stages can be circular buffers, which asynchronous copies fill.
//
//===----------------------------------------------------------------------===//

#include "KernelOperands.h"
#include "LaneForms.h"
#include "Stages.h"
#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

using namespace mlir;
using namespace fuser;

/// The source exists before the loop, and the kernel does not write it.
static LogicalResult verifySource(const ScheduledOp &scheduled, const CheckedKernel &checked) {
  const Value source = scheduled.op->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(source);
  if (!argument)
    return scheduled.op->emitOpError("expected a copy of an argument of the kernel with '")
           << kStagesName << "', but got what the kernel computes";
  if (getWrittenInputs(checked.kernel).contains(argument.getArgNumber()))
    return scheduled.op->emitOpError("expected a copy of what the kernel does not write with '")
           << kStagesName << "', but an output is stored over argument " << argument.getArgNumber();
  if (scheduled.memory != MemoryType::Shared)
    return scheduled.op->emitOpError("expected memory = #fuser.memory<shared> with '")
           << kStagesName << "', but got " << stringifyMemoryType(scheduled.memory);
  return success();
}

/// The bytes that a thread copies at once.
static LogicalResult verifySize(const ScheduledOp &scheduled) {
  const int64_t width = LaneForms::getWidth(scheduled);
  const int64_t bytes =
      getElementBytes(getStorageType(getElementTypeOrSelf(scheduled.op->getResult(0).getType())));
  auto fits = [&](int64_t count) {
    return count * bytes == 4 || count * bytes == 8 || count * bytes == 16;
  };
  if (fits(width))
    return success();
  InFlightDiagnostic diagnostic =
      scheduled.op->emitOpError("expected copies of 4, 8 or 16 bytes of a thread with '")
      << kStagesName << "', but got " << width << (width == 1 ? " element of " : " elements of ")
      << bytes << (bytes == 1 ? " byte" : " bytes");
  StringRef separator = " (a vectorize loop of ";
  for (int64_t count : {1, 2, 4, 8, 16})
    if (fits(count)) {
      diagnostic << separator << count;
      separator = " or ";
    }
  return diagnostic << " would fit)";
}

/// The serial loop whose iterations take the stages in turn.
static LogicalResult verifyLoop(const ScheduledOp &scheduled, const Loop &loop) {
  if (loop.type == ParallelType::Serial && loop.parent)
    return success();
  InFlightDiagnostic diagnostic = scheduled.op->emitOpError(
      "expected a serial loop as the innermost one, but for threads, that a copy with '");
  diagnostic << kStagesName << "' shares with its readers (inline_at), but got ";
  return loop.parent ? diagnostic << stringifyParallelType(loop.type) : diagnostic << "none";
}

/// What is stored by bulk copies lies in shared memory.
static LogicalResult verifyStore(const ScheduledOp &scheduled, const CheckedKernel &checked) {
  Operation *op = scheduled.op;
  if (scheduled.memory != MemoryType::Global ||
      !llvm::any_of(op->getUsers(), llvm::IsaPred<ReturnOp>))
    return op->emitOpError("expected a copy (fuser.set) to an output of the kernel with '")
           << kCopyEngineName << "' and without '" << kStagesName << "'";
  const ScheduledOp *source = checked.nest->lookup(op->getOperand(0).getDefiningOp());
  if (source && source->memory == MemoryType::Shared)
    return success();
  InFlightDiagnostic diagnostic =
      op->emitOpError("expected a copy of a value in shared memory with '");
  diagnostic << kCopyEngineName << "', but got ";
  return source ? diagnostic << stringifyMemoryType(source->memory)
                : diagnostic << "an argument of the kernel";
}

/// Numbers of registers that a thread can have. Whether the roles can have them together depends on
/// the threads: a kernel that cannot has none of its own, with a remark.
static LogicalResult verifyRegisters(Operation *op) {
  using Registers = kernel_ir::SetMaxRegistersOp;
  if (DenseI64ArrayAttr registers = getRoleRegisters(op))
    for (int64_t each : registers.asArrayRef())
      if (!Registers::exists(each))
        return op->emitOpError("expected '")
               << kRoleRegistersName << "' to be multiples of " << Registers::kStep << " from "
               << Registers::kLeast << " to " << Registers::kMost << ", but got " << each;
  return success();
}

LogicalResult fuser::verifyPipelines(const CheckedKernel &checked) {
  llvm::SmallDenseMap<const Loop *, Operation *> copyOf;
  for (const auto &scheduled : checked.nest->getOps()) {
    Operation *op = scheduled->op;
    const std::optional<int64_t> stages = getStages(op);
    if (!stages && asksForBulkCopies(op) && failed(verifyStore(*scheduled, checked)))
      return failure();
    if (!stages)
      continue;
    if (failed(verifySource(*scheduled, checked)) || failed(verifySize(*scheduled)) ||
        failed(verifyRegisters(op)))
      return failure();
    // What is copied once is waited for wherever it is.
    if (stages == 1)
      continue;
    const Loop *loop = getBufferScope(*scheduled, checked.nest->getRoot());
    if (failed(verifyLoop(*scheduled, *loop)))
      return failure();
    auto [it, isNew] = copyOf.try_emplace(loop, op);
    if (getStages(it->second) == stages && getRoleRegisters(it->second) == getRoleRegisters(op))
      continue;
    InFlightDiagnostic diagnostic = op->emitOpError("expected ");
    if (getStages(it->second) != stages)
      diagnostic << *getStages(it->second) << " stages, as another copy of the loop has, but got "
                 << *stages;
    else
      diagnostic << "'" << kRoleRegistersName << "' as another copy of the loop has";
    diagnostic.attachNote(it->second->getLoc()) << "the other copy is here";
    return diagnostic;
  }
  return success();
}
