//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mistakes with launches that begin before the ones before them have ended.
//
//===----------------------------------------------------------------------===//

#include "PlantedEdits.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

kernel_ir::WaitDependenciesOp findWait(gpu::GPUFuncOp kernel) {
  return findFirst<kernel_ir::WaitDependenciesOp>(kernel);
}
/// True for what the wait has to precede: accesses to memory of other launches.
bool accessesGlobalMemory(Operation *op) {
  if (isa<kernel_ir::StoreTensorOp, kernel_ir::CopyTensorOp, kernel_ir::CopyBulkOp,
          kernel_ir::CopyAsyncOp>(op))
    return true;
  auto isGlobal = [](Value buffer) { return spaceOf(buffer) == Space::Global; };
  if (isa<memref::LoadOp, vector::LoadOp, kernel_ir::LoadOp>(op))
    return isGlobal(op->getOperand(0));
  return isa<memref::StoreOp, vector::StoreOp, kernel_ir::StoreOp>(op) &&
         isGlobal(op->getOperand(1));
}
/// The op of the entry block with the first access after the wait, or the last one; null: none.
Operation *findAccess(kernel_ir::WaitDependenciesOp wait, bool isLast) {
  Operation *found = nullptr;
  for (Operation *op = wait->getNextNode(); op; op = op->getNextNode()) {
    const bool accesses =
        op->walk([](Operation *each) {
            return accessesGlobalMemory(each) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted();
    if (accesses && (isLast || !found))
      found = op;
  }
  return found;
}
void moveWait(gpu::GPUFuncOp kernel, bool isLast) {
  auto wait = findWait(kernel);
  if (Operation *access = wait ? findAccess(wait, isLast) : nullptr)
    wait->moveAfter(access);
}
void dependenciesDropped(gpu::GPUFuncOp kernel) { eraseOne(findWait(kernel)); }
void dependenciesAfterTheFirstAccess(gpu::GPUFuncOp kernel) { moveWait(kernel, false); }
void dependenciesAfterTheLastAccess(gpu::GPUFuncOp kernel) { moveWait(kernel, true); }

constexpr PlantedBug kBugs[] = {
    {"dependencies-dropped", dependenciesDropped,
     "to have a fuser_gpu.wait_dependencies, because the launch has 'fuser.dependent'"},
    {"dependencies-after-the-first-access", dependenciesAfterTheFirstAccess},
    {"dependencies-after-the-last-access", dependenciesAfterTheLastAccess},
};

} // namespace

ArrayRef<PlantedBug> fuser::fuzz::getLaunchBugs() { return kBugs; }
