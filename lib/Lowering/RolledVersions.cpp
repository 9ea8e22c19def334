//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RolledVersions.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fuser;

/// True if copies of an unrolled loop differ in addresses alone, and none waits for memory that is
/// far away: registers have no addresses, and loads of arguments would no longer overlap.
static bool canBeRolled(loop::ForOp loop, LoopFacts &facts) {
  if (loop.getType() != ParallelType::Unroll || loop.getConstantExtent().value_or(0) < 2)
    return false;
  const AffineExpr copy = facts.getExpr(loop.getInductionVar());
  auto selectsRegisters = [&](Value buffer, const AccessExprs &access) {
    const unsigned dim = cast<AffineDimExpr>(copy).getPosition();
    return cast<loop::BufferType>(buffer.getType()).isPrivate() &&
           llvm::any_of(access.results,
                        [&](AffineExpr index) { return index.isFunctionOfDim(dim); });
  };
  auto isRollable = [&](loop::TileOp tile) {
    // A copy to shared memory is waited for later.
    if (tile.getStep() != loop::TileStep::Copy && llvm::any_of(tile.getInputs(), isGlobal))
      return false;
    const TileExprs exprs = facts.lift(tile);
    return llvm::none_of(llvm::zip_equal(tile.getOutputs(), exprs.writes),
                         [&](const auto &pair) {
                           return selectsRegisters(std::get<0>(pair), std::get<1>(pair));
                         }) &&
           llvm::none_of(llvm::zip_equal(tile.getInputs(), exprs.reads), [&](const auto &pair) {
             const auto &[input, access] = pair;
             return access && selectsRegisters(input, *access);
           });
  };
  WalkResult result = loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto tile = dyn_cast<loop::TileOp>(op))
      return isRollable(tile) ? WalkResult::skip() : WalkResult::interrupt();
    return isa<loop::ForOp, loop::BufferOp, loop::XorOp>(op) ? WalkResult::advance()
                                                             : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

void fuser::cloneRolled(loop::ForOp loop, LoopFacts &facts, OpBuilder &builder) {
  IRMapping mapping;
  builder.clone(*loop, mapping);
  loop->walk([&](loop::ForOp each) {
    if (canBeRolled(each, facts))
      cast<loop::ForOp>(mapping.lookup(each.getOperation()))
          .setParallelAttr(loop::ParallelTypeAttr::get(loop.getContext(), ParallelType::Serial));
  });
}
