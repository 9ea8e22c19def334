//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mistakes with products of warp groups: fences, waits, operands that are named wrongly, results
// that are stored as matrices, and registers of roles.
//
//===----------------------------------------------------------------------===//

#include "PlantedEdits.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

kernel_ir::WgmmaOp findProduct(gpu::GPUFuncOp kernel) {
  return findFirst<kernel_ir::WgmmaOp>(kernel);
}
kernel_ir::WgmmaWaitOp findProductWait(gpu::GPUFuncOp kernel) {
  return findFirst<kernel_ir::WgmmaWaitOp>(
      kernel, [](kernel_ir::WgmmaWaitOp wait) { return !wait.getProducts().empty(); });
}
/// The op of a type in the iterations of products, which precedes them; null: none.
template <typename Op> Op findBeforeProducts(gpu::GPUFuncOp kernel) {
  auto product = findProduct(kernel);
  return findFirst<Op>(kernel, [&](Op op) {
    return product && op->getBlock() == product->getBlock() && op->isBeforeInBlock(product);
  });
}
void moveAfterTheBarrier(Operation *op, gpu::BarrierOp barrier) {
  if (op && barrier && op->isBeforeInBlock(barrier))
    op->moveAfter(barrier);
}
/// Threads have copied the operands, and do not show them to the warp groups.
void operandFenceDropped(gpu::GPUFuncOp kernel) {
  eraseOne(findBeforeProducts<kernel_ir::FenceAsyncOp>(kernel));
}
void operandFenceAfterTheBarrier(gpu::GPUFuncOp kernel) {
  moveAfterTheBarrier(findBeforeProducts<kernel_ir::FenceAsyncOp>(kernel),
                      findBeforeProducts<gpu::BarrierOp>(kernel));
}
/// Threads copy to a stage that products of the iteration before read.
void earlierProductsNotAwaited(gpu::GPUFuncOp kernel) {
  eraseOne(findBeforeProducts<kernel_ir::WgmmaWaitOp>(kernel));
}
/// Each warp has waited for its products, but not for those of others.
void earlierProductsAwaitedAfterTheBarrier(gpu::GPUFuncOp kernel) {
  moveAfterTheBarrier(findBeforeProducts<kernel_ir::WgmmaWaitOp>(kernel),
                      findBeforeProducts<gpu::BarrierOp>(kernel));
}
void productFenceDropped(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::WgmmaFenceOp>(kernel));
}
/// The elements are used while the products are under way.
void productWaitDropped(gpu::GPUFuncOp kernel) {
  auto wait = findProductWait(kernel);
  if (!wait)
    return;
  wait->replaceAllUsesWith(wait.getProducts());
  wait.erase();
}
void productWaitForOneLess(gpu::GPUFuncOp kernel) {
  if (auto wait = findProductWait(kernel))
    wait.setPending(wait.getPending() + 1);
}
void productNotCommitted(gpu::GPUFuncOp kernel) {
  eraseOne(findFirst<kernel_ir::WgmmaCommitOp>(kernel));
}
void productForgotten(gpu::GPUFuncOp kernel) {
  if (auto product = findProduct(kernel)) {
    product.getResult().replaceAllUsesWith(product.getAccumulator());
    product.erase();
  }
}
/// The second product takes the steps of the sum that the first one has.
void productStepNotAdvanced(gpu::GPUFuncOp kernel) {
  auto first = findProduct(kernel);
  auto second = findFirst<kernel_ir::WgmmaOp>(kernel, [&](kernel_ir::WgmmaOp each) {
    return first && each != first && each->getBlock() == first->getBlock() &&
           each.getLhs() == first.getLhs();
  });
  if (second)
    second.getLhsIndicesMutable().assign(first.getLhsIndices());
}
/// The left operand is that of the stage after its own.
void productOfAnotherStage(gpu::GPUFuncOp kernel) {
  auto product = findProduct(kernel);
  auto wait = findFirst<kernel_ir::MBarrierWaitOp>(kernel, [&](kernel_ir::MBarrierWaitOp each) {
    return product && each->getBlock() == product->getBlock();
  });
  if (!wait)
    return;
  const int64_t elements = cast<MemRefType>(product.getLhs().getType()).getNumElements();
  const int64_t stages = cast<MemRefType>(wait.getBarrier().getType()).getDimSize(0);
  OpBuilder builder(product);
  const unsigned last = product.getLhsIndices().size();
  addToOperand(product, last, elements / stages);
  product->setOperand(last,
                      arith::RemUIOp::create(builder, product.getLoc(), product->getOperand(last),
                                             constantIndex(builder, product.getLoc(), elements)));
}
/// The descriptor states rows of half the bytes, whose chunks are permuted otherwise.
void productOfShorterRows(gpu::GPUFuncOp kernel) {
  auto product = findProduct(kernel);
  if (!product)
    return;
  const kernel_ir::RowsAttr rows = product.getRhsRows();
  if (kernel_ir::RowsAttr::exists(rows.getBytes() / 2, rows.getTransposed(), rows.getPitch()))
    product.setRhsRowsAttr(kernel_ir::RowsAttr::get(kernel.getContext(), rows.getBytes() / 2,
                                                    rows.getTransposed(), rows.getPitch()));
}
void productOperandShifted(gpu::GPUFuncOp kernel) {
  // 32 bytes, which is a legal begin.
  if (auto product = findProduct(kernel))
    addToOperand(product, product.getLhsIndices().size(), 16);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

kernel_ir::StMatrixOp findMatrixStore(gpu::GPUFuncOp kernel) {
  return findFirst<kernel_ir::StMatrixOp>(kernel);
}
void matrixStoreForgotten(gpu::GPUFuncOp kernel) { eraseOne(findMatrixStore(kernel)); }
void matrixStoredTransposed(gpu::GPUFuncOp kernel) {
  if (auto store = findMatrixStore(kernel))
    store.setTransposed(!store.getTransposed());
}
/// The lanes name the rows of the next matrix, which other lanes store.
void matrixStoredToTheNext(gpu::GPUFuncOp kernel) {
  if (auto store = findMatrixStore(kernel))
    addToOperand(store, store->getNumOperands() - 1, 8);
}
void matrixStoreBetweenRows(gpu::GPUFuncOp kernel) {
  if (auto store = findMatrixStore(kernel))
    addToOperand(store, store->getNumOperands() - 1, 4);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

kernel_ir::SetMaxRegistersOp findRegisters(gpu::GPUFuncOp kernel, bool increases) {
  return findFirst<kernel_ir::SetMaxRegistersOp>(
      kernel, [&](kernel_ir::SetMaxRegistersOp op) { return op.getIncreases() == increases; });
}
void registersAboveTheFile(gpu::GPUFuncOp kernel) {
  if (auto op = findRegisters(kernel, /*increases=*/true))
    op.setRegisters(op.getRegisters() + 8);
}
void registersNotGivenBack(gpu::GPUFuncOp kernel) {
  eraseOne(findRegisters(kernel, /*increases=*/false));
}
/// The warp that copies gives back its registers alone.
void registersOfOneWarp(gpu::GPUFuncOp kernel) {
  auto op = findRegisters(kernel, /*increases=*/false);
  if (!op)
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::y);
  Value last =
      arith::SubIOp::create(builder, loc, gpu::BlockDimOp::create(builder, loc, gpu::Dimension::y),
                            constantIndex(builder, loc, 1));
  Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread, last);
  auto branch = scf::IfOp::create(builder, loc, isLast, /*withElseRegion=*/false);
  op->moveBefore(branch.thenBlock()->getTerminator());
}

constexpr PlantedBug kBugs[] = {
    {"operand-fence-dropped", operandFenceDropped},
    {"operand-fence-after-the-barrier", operandFenceAfterTheBarrier},
    {"earlier-products-not-awaited", earlierProductsNotAwaited},
    {"earlier-products-awaited-after-the-barrier", earlierProductsAwaitedAfterTheBarrier},
    {"product-fence-dropped", productFenceDropped},
    {"product-wait-dropped", productWaitDropped},
    {"product-wait-for-one-less", productWaitForOneLess},
    {"product-not-committed", productNotCommitted},
    {"product-forgotten", productForgotten},
    {"product-step-not-advanced", productStepNotAdvanced},
    {"product-of-another-stage", productOfAnotherStage},
    {"product-of-shorter-rows", productOfShorterRows},
    {"product-operand-shifted", productOperandShifted},
    {"matrix-store-forgotten", matrixStoreForgotten},
    {"matrix-stored-transposed", matrixStoredTransposed},
    {"matrix-stored-to-the-next", matrixStoredToTheNext},
    {"matrix-store-between-rows", matrixStoreBetweenRows},
    {"registers-above-the-file", registersAboveTheFile},
    {"registers-not-given-back", registersNotGivenBack},
    {"registers-of-one-warp", registersOfOneWarp},
};

} // namespace

ArrayRef<PlantedBug> fuser::fuzz::getProductBugs() { return kBugs; }
