//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mistakes with tiles that bulk copies store: fences, barriers, waits and boxes.
//
//===----------------------------------------------------------------------===//

#include "PlantedEdits.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

/// What precedes the first store of a box: the last fence, and the last barrier after it.
struct StoreOrder {
  kernel_ir::StoreTensorOp store;
  kernel_ir::FenceAsyncOp fence;
  Operation *barrier = nullptr;

  explicit StoreOrder(gpu::GPUFuncOp kernel) : store(findFirst<kernel_ir::StoreTensorOp>(kernel)) {
    kernel.walk([&](Operation *op) {
      if (op == store)
        return WalkResult::interrupt();
      if (auto found = dyn_cast<kernel_ir::FenceAsyncOp>(op)) {
        fence = found;
        barrier = nullptr;
      }
      if (isa<gpu::BarrierOp, kernel_ir::RoleBarrierOp>(op))
        barrier = op;
      return WalkResult::advance();
    });
  }
  bool isComplete() const { return store && fence && barrier; }
};

void storeFenceDropped(gpu::GPUFuncOp kernel) {
  if (StoreOrder order(kernel); order.isComplete())
    order.fence.erase();
}
/// Other threads have not shown what they wrote when they arrive.
void storeFenceAfterTheBarrier(gpu::GPUFuncOp kernel) {
  if (StoreOrder order(kernel);
      order.isComplete() && order.fence->getBlock() == order.barrier->getBlock())
    order.fence->moveAfter(order.barrier);
}
void storeBarrierDropped(gpu::GPUFuncOp kernel) {
  if (StoreOrder order(kernel); order.isComplete())
    order.barrier->erase();
}
kernel_ir::StoreWaitOp findStoreWait(gpu::GPUFuncOp kernel) {
  return findFirst<kernel_ir::StoreWaitOp>(kernel);
}
/// The thread ends, or its buffer is written again, while the copy reads it.
void storeWaitDropped(gpu::GPUFuncOp kernel) { eraseOne(findStoreWait(kernel)); }
void storeWaitForOneLess(gpu::GPUFuncOp kernel) {
  if (auto wait = findStoreWait(kernel))
    wait.setPending(wait.getPending() + 1);
}
void storeNotCommitted(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::StoreCommitOp>(kernel));
}
/// The buffer is written for the next iteration before the copies of this one have read it.
void storeWaitAfterTheLoop(gpu::GPUFuncOp kernel) {
  auto wait = findStoreWait(kernel);
  auto loop = wait ? wait->getParentOfType<scf::ForOp>() : scf::ForOp();
  if (loop)
    wait->moveAfter(loop);
}
void storeShifted(gpu::GPUFuncOp kernel) {
  if (auto store = findFirst<kernel_ir::StoreTensorOp>(kernel))
    addToOperand(store, store->getNumOperands() - 1, 1);
}
void storedByAllThreads(gpu::GPUFuncOp kernel) {
  auto store = findFirst<kernel_ir::StoreTensorOp>(kernel);
  auto branch = store ? store->getParentOfType<scf::IfOp>() : scf::IfOp();
  if (!branch)
    return;
  OpBuilder builder(branch);
  branch.getConditionMutable().assign(constantTrue(builder, branch.getLoc()));
}

constexpr PlantedBug kBugs[] = {
    {"store-fence-dropped", storeFenceDropped},
    {"store-fence-after-the-barrier", storeFenceAfterTheBarrier},
    {"store-barrier-dropped", storeBarrierDropped},
    {"store-wait-dropped", storeWaitDropped},
    {"store-wait-for-one-less", storeWaitForOneLess},
    {"store-not-committed", storeNotCommitted},
    {"store-wait-after-the-loop", storeWaitAfterTheLoop},
    {"store-shifted", storeShifted},
    {"stored-by-all-threads", storedByAllThreads},
};

} // namespace

ArrayRef<PlantedBug> fuser::fuzz::getStoreBugs() { return kBugs; }
