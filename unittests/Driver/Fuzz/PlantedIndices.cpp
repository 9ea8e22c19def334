//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Wrong predicates, loops and indices.
//
//===----------------------------------------------------------------------===//

#include "PlantedEdits.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

void makeTrue(scf::IfOp op) {
  if (!op)
    return;
  OpBuilder builder(op);
  op.getConditionMutable().assign(constantTrue(builder, op.getLoc()));
}
/// Makes the first comparison with index 0 of a thread or a block true.
template <typename Index> void makeFirstEqual(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::CmpIOp>(kernel, [](arith::CmpIOp each) {
    return each.getPredicate() == arith::CmpIPredicate::eq && each.getLhs().getDefiningOp<Index>();
  });
  if (!op)
    return;
  OpBuilder builder(op);
  op.getResult().replaceAllUsesWith(constantTrue(builder, op.getLoc()));
}
/// Moves the first access of a type to memory of a kind by one element.
template <typename Load> void shiftLoad(gpu::GPUFuncOp kernel, Space space) {
  auto op =
      findFirst<Load>(kernel, [&](Load load) { return spaceOf(load->getOperand(0)) == space; });
  if (op)
    addToOperand(op, 1, 1);
}
template <typename Store> void shiftStore(gpu::GPUFuncOp kernel, Space space) {
  auto op =
      findFirst<Store>(kernel, [&](Store store) { return spaceOf(store->getOperand(1)) == space; });
  if (op)
    addToOperand(op, 2, 1);
}
/// An if around a load or store of global memory.
template <typename Op> scf::IfOp findGuard(gpu::GPUFuncOp kernel, unsigned buffer) {
  auto op = findFirst<Op>(kernel, [&](Op access) {
    return spaceOf(access->getOperand(buffer)) == Space::Global &&
           access->template getParentOfType<scf::IfOp>();
  });
  return op ? op->template getParentOfType<scf::IfOp>() : scf::IfOp();
}

//===----------------------------------------------------------------------===//
// Predicates and loops
//===----------------------------------------------------------------------===//

void dropLoadPredicate(gpu::GPUFuncOp kernel) { makeTrue(findGuard<memref::LoadOp>(kernel, 0)); }
void dropStorePredicate(gpu::GPUFuncOp kernel) { makeTrue(findGuard<memref::StoreOp>(kernel, 1)); }
void dropLastPredicate(gpu::GPUFuncOp kernel) { makeTrue(findLast<scf::IfOp>(kernel)); }
void predicateOneTooWide(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::CmpIOp>(
      kernel, [](arith::CmpIOp each) { return each.getPredicate() == arith::CmpIPredicate::ult; });
  if (op)
    op.setPredicate(arith::CmpIPredicate::ule);
}
void predicateOneTooNarrow(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::CmpIOp>(
      kernel, [](arith::CmpIOp each) { return each.getPredicate() == arith::CmpIPredicate::ult; });
  if (op)
    addToOperand(op, 1, -1);
}
void storeByAllThreads(gpu::GPUFuncOp kernel) { makeFirstEqual<gpu::ThreadIdOp>(kernel); }
void storeByAllBlocks(gpu::GPUFuncOp kernel) { makeFirstEqual<gpu::BlockIdOp>(kernel); }
void conjunctForgotten(gpu::GPUFuncOp kernel) { takeOperand(findLast<arith::AndIOp>(kernel), 0); }
void indexIsSigned(gpu::GPUFuncOp kernel) {
  kernel.walk([](arith::CmpIOp op) {
    if (op.getPredicate() == arith::CmpIPredicate::ult)
      op.setPredicate(arith::CmpIPredicate::slt);
  });
}
void loopOneLess(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<scf::ForOp>(kernel))
    addToOperand(op, 1, -1);
}
void loopOneMore(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<scf::ForOp>(kernel))
    addToOperand(op, 1, 1);
}
void loopFromOne(gpu::GPUFuncOp kernel) {
  if (auto op = findLast<scf::ForOp>(kernel))
    addToOperand(op, 0, 1);
}
void remainderForgotten(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::DivUIOp>(kernel, [](arith::DivUIOp each) {
    auto sum = each.getLhs().getDefiningOp<arith::AddIOp>();
    std::optional<int64_t> divisor = constantOf(each.getRhs());
    return sum && divisor && constantOf(sum.getRhs()) == *divisor - 1;
  });
  if (op)
    op.setOperand(0, op.getLhs().getDefiningOp<arith::AddIOp>().getLhs());
}
void wrongBranchOfUnswitch(gpu::GPUFuncOp kernel) {
  makeTrue(findFirst<scf::IfOp>(
      kernel, [](scf::IfOp op) { return !op.getElseRegion().empty() && op.getNumResults() == 0; }));
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

void globalLoadShifted(gpu::GPUFuncOp kernel) { shiftLoad<memref::LoadOp>(kernel, Space::Global); }
void globalStoreShifted(gpu::GPUFuncOp kernel) {
  shiftStore<memref::StoreOp>(kernel, Space::Global);
}
void sharedLoadShifted(gpu::GPUFuncOp kernel) { shiftLoad<memref::LoadOp>(kernel, Space::Shared); }
void sharedStoreShifted(gpu::GPUFuncOp kernel) {
  shiftStore<memref::StoreOp>(kernel, Space::Shared);
}
void vectorLoadShifted(gpu::GPUFuncOp kernel) { shiftLoad<vector::LoadOp>(kernel, Space::Global); }
void vectorStoreShifted(gpu::GPUFuncOp kernel) {
  shiftStore<vector::StoreOp>(kernel, Space::Global);
}
void firstRegisterForAnother(gpu::GPUFuncOp kernel) {
  auto op = findFirst<memref::LoadOp>(kernel, [](memref::LoadOp load) {
    return spaceOf(load.getMemRef()) == Space::Register &&
           constantOf(load.getIndices().front()).value_or(0) > 0;
  });
  if (!op)
    return;
  OpBuilder builder(op);
  op->setOperand(1, constantIndex(builder, op.getLoc(), 0));
}
void divisorOneTooLarge(gpu::GPUFuncOp kernel) {
  auto op = findFirst<arith::DivUIOp>(
      kernel, [](arith::DivUIOp each) { return constantOf(each.getRhs()).has_value(); });
  if (op)
    addToOperand(op, 1, 1);
}
void divisionForRemainder(gpu::GPUFuncOp kernel) {
  exchange<arith::RemUIOp, arith::DivUIOp>(kernel);
}
void threadsExchanged(gpu::GPUFuncOp kernel) {
  kernel.walk([](gpu::ThreadIdOp op) {
    if (op.getDimension() != gpu::Dimension::z)
      op.setDimension(op.getDimension() == gpu::Dimension::x ? gpu::Dimension::y
                                                             : gpu::Dimension::x);
  });
}
void oneBlockForAll(gpu::GPUFuncOp kernel) {
  if (auto op = findFirst<gpu::BlockIdOp>(kernel)) {
    OpBuilder builder(op);
    op.getResult().replaceAllUsesWith(constantIndex(builder, op.getLoc(), 0));
  }
}
void swizzleForgotten(gpu::GPUFuncOp kernel) {
  takeOperand(
      findFirst<arith::XOrIOp>(kernel, [](arith::XOrIOp op) { return op.getType().isIndex(); }), 0);
}

constexpr PlantedBug kBugs[] = {
    {"drop-load-predicate", dropLoadPredicate},
    {"drop-store-predicate", dropStorePredicate},
    {"drop-last-predicate", dropLastPredicate},
    {"predicate-one-too-wide", predicateOneTooWide},
    {"predicate-one-too-narrow", predicateOneTooNarrow},
    {"store-by-all-threads", storeByAllThreads},
    {"store-by-all-blocks", storeByAllBlocks},
    {"conjunct-forgotten", conjunctForgotten},
    {"index-is-signed", indexIsSigned},
    {"loop-one-less", loopOneLess},
    {"loop-one-more", loopOneMore},
    {"loop-from-one", loopFromOne},
    {"remainder-forgotten", remainderForgotten},
    {"wrong-branch-of-unswitch", wrongBranchOfUnswitch},
    {"global-load-shifted", globalLoadShifted},
    {"global-store-shifted", globalStoreShifted},
    {"shared-load-shifted", sharedLoadShifted},
    {"shared-store-shifted", sharedStoreShifted},
    {"vector-load-shifted", vectorLoadShifted},
    {"vector-store-shifted", vectorStoreShifted},
    {"first-register-for-another", firstRegisterForAnother},
    {"divisor-one-too-large", divisorOneTooLarge},
    {"division-for-remainder", divisionForRemainder},
    {"threads-exchanged", threadsExchanged},
    {"one-block-for-all", oneBlockForAll},
    {"swizzle-forgotten", swizzleForgotten},
};

} // namespace

ArrayRef<PlantedBug> fuser::fuzz::getIndexBugs() { return kBugs; }
