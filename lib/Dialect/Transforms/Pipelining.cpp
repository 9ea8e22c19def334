//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Pipelining.h"
#include "fuser/Dialect/IR/CircularBuffers.h"

using namespace mlir;
using namespace fuser;

/// Fails unless asynchronous copies can fill the result: it is a copy in shared memory of an
/// argument that the kernel does not write.
static LogicalResult checkCircular(TensorViewOpInterface op) {
  if (!isa<SetOp>(op.getOperation()) || op.getMemoryType() != MemoryType::Shared)
    return op->emitOpError("expected a copy (fuser.set) in shared memory to have stages");
  auto argument = dyn_cast<BlockArgument>(op->getOperand(0));
  if (!argument)
    return op->emitOpError("expected a copy of an argument of the kernel to have stages, but got "
                           "one of what the kernel computes");
  auto kernel = dyn_cast<KernelOp>(op->getParentOp());
  std::optional<ArrayAttr> aliases = kernel ? kernel.getAliases() : std::nullopt;
  if (aliases && llvm::any_of(aliases->getAsRange<AliasAttr>(), [&](AliasAttr alias) {
        return alias.getInput() == argument.getArgNumber();
      }))
    return op->emitOpError("expected a copy of what the kernel does not write to have stages, but "
                           "an output is stored over argument ")
           << argument.getArgNumber();
  return success();
}

LogicalResult fuser::pipelineCopy(TensorViewOpInterface op, int64_t stages, bool byBulk,
                                  bool byProducer, ArrayRef<int64_t> registers) {
  if (stages < 0 || stages > kMostStages)
    return op->emitOpError("expected 0 to ") << kMostStages << " stages, but got " << stages;
  if (byBulk && stages < 2)
    return op->emitOpError("expected at least 2 stages for bulk copies, but got ") << stages;
  if (byProducer && !byBulk)
    return op->emitOpError("expected bulk copies ('by bulk') for a producer, which begins them");
  if (!registers.empty() && !byProducer)
    return op->emitOpError("expected a producer ('role producer') next to registers of roles");
  if (!registers.empty() && registers.size() != 2)
    return op->emitOpError("expected two numbers of registers, of a thread of the producer and of "
                           "another one, but got ")
           << registers.size();
  if (stages > 0 && failed(checkCircular(op)))
    return failure();
  op->removeAttr(kCopyEngineName);
  op->removeAttr(kCopyRoleName);
  op->removeAttr(kRoleRegistersName);
  if (stages == 0) {
    op->removeAttr(kStagesName);
    return success();
  }
  op->setAttr(kStagesName, IntegerAttr::get(IntegerType::get(op->getContext(), 64), stages));
  if (byBulk)
    op->setAttr(kCopyEngineName, StringAttr::get(op->getContext(), kBulkEngine));
  if (byProducer)
    op->setAttr(kCopyRoleName, StringAttr::get(op->getContext(), kProducerRole));
  if (!registers.empty())
    op->setAttr(kRoleRegistersName, DenseI64ArrayAttr::get(op->getContext(), registers));
  return success();
}

LogicalResult fuser::storeByBulk(TensorViewOpInterface op) {
  if (!isa<SetOp>(op.getOperation()) || op.getMemoryType() != MemoryType::Global)
    return op->emitOpError("expected a copy (fuser.set) to an output to be stored by bulk copies");
  if (!llvm::any_of(op->getUsers(), llvm::IsaPred<ReturnOp>))
    return op->emitOpError("expected a copy to an output to be stored by bulk copies, but the "
                           "kernel does not return it");
  // A later step may move what the kernel computes to shared memory, but no argument.
  if (isa<BlockArgument>(op->getOperand(0)))
    return op->emitOpError("expected a copy of a value that the kernel computes to be stored by "
                           "bulk copies, but got one of an argument");
  op->setAttr(kCopyEngineName, StringAttr::get(op->getContext(), kBulkEngine));
  return success();
}
