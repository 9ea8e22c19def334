//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stores of tiles to arguments by bulk copies.
//
//===----------------------------------------------------------------------===//

#include "BulkPieces.h"
#include "LoopPipeliner.h"

using namespace mlir;
using namespace fuser;

/// The loop in whose iterations what is stored is new; null: there is none.
static loop::ForOp getScope(loop::TileOp store) {
  auto scope = store.getInputs().front().getDefiningOp()->getParentOfType<loop::ForOp>();
  while (scope && isThreadType(scope.getType()))
    scope = scope->getParentOfType<loop::ForOp>();
  return scope;
}

/// Copies go on while other ops run, so that nothing else may access what they write.
static std::string findProblem(loop::TileOp store, Operation *item) {
  auto argument = cast<BlockArgument>(store.getOutputs().front());
  if (!argument.hasOneUse() ||
      !store->getParentOfType<loop::KernelOp>().getBinding(argument.getArgNumber()).getNoalias())
    return "expected an output that nothing else of the kernel accesses";
  const bool isAlone =
      !item->walk([&](loop::TileOp other) {
             return other == store ? WalkResult::advance() : WalkResult::interrupt();
           })
           .wasInterrupted();
  return isAlone ? "" : "expected a store in loops of its own";
}

namespace {
class BoxStorer {
public:
  BoxStorer(loop::KernelOp kernel, LoopFacts &facts, bool hasBulkCopies)
      : kernel(kernel), facts(facts), hasBulkCopies(hasBulkCopies) {}
  void run(loop::TileOp store);

private:
  void replace(loop::TileOp store, const BulkPieces &boxes, Operation *item);

  loop::KernelOp kernel;
  LoopFacts &facts;
  const bool hasBulkCopies;
};
} // namespace

/// One thread begins the copies of all boxes.
void BoxStorer::replace(loop::TileOp store, const BulkPieces &boxes, Operation *item) {
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  OpBuilder builder(item);
  ExprReplacement replacement;
  for (loop::ForOp each : boxes.loops) {
    auto clone = createFor(builder, each.getLoc(), facts.getExtent(each).replace(replacement),
                           ParallelType::Unroll, each.getBound(), getValue);
    replacement[facts.getExpr(each.getInductionVar())] = facts.getExpr(clone.getInductionVar());
    builder.setInsertionPointToEnd(&clone.getBlock());
  }
  auto tile = cast<loop::TileOp>(builder.clone(*store));
  TileExprs exprs = facts.lift(store);
  exprs.reads.front()->results.assign(boxes.target);
  exprs.writes.front().results.assign(boxes.source);
  exprs.roots.assign(boxes.counts);
  exprs.guard.clear();
  replaceAll(exprs, replacement);
  tile.setInstructionAttr(boxes.map);
  tile.setOnceAttr(getSplitThreadTypes(kernel));
  SmallVector<ParallelType> replicated(store.getReplicated().getTypes());
  llvm::erase_if(replicated, [](ParallelType type) { return isThreadType(type); });
  tile.setReplicatedAttr(loop::ParallelTypesAttr::get(kernel.getContext(), replicated));
  setTileExprs(tile, exprs, getValue);
  eraseWithLoops(store, item->getParentOp());
}

void BoxStorer::run(loop::TileOp store) {
  loop::ForOp scope = getScope(store);
  Block &block = scope ? scope.getBlock() : kernel.getBlock();
  Operation *item = block.findAncestorOpInBlock(*store);
  std::string problem = hasBulkCopies ? findProblem(store, item)
                                      : "expected a target with bulk copies (sm_90 or later)";
  if (problem.empty()) {
    const BulkPieces boxes = findTensorBoxes(store, scope, facts);
    if (boxes.problem.empty())
      return replace(store, boxes, item);
    problem = boxes.problem;
  }
  store.emitRemark(problem) << ": the threads of the block store instead of one of them";
  store.setStep(loop::TileStep::Element);
  TileExprs exprs = facts.lift(store);
  exprs.roots.clear();
  setTileExprs(store, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
}

void fuser::storeByBulk(loop::KernelOp kernel, LoopFacts &facts, bool hasBulkCopies) {
  SmallVector<loop::TileOp> stores;
  kernel.walk([&](loop::TileOp tile) {
    if (tile.getStep() == loop::TileStep::Store && !tile.getInstruction())
      stores.push_back(tile);
  });
  BoxStorer storer(kernel, facts, hasBulkCopies);
  for (loop::TileOp store : stores)
    storer.run(store);
}
