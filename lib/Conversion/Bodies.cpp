//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rewrites bodies of reductions to one combination of the running value.
//
//===----------------------------------------------------------------------===//

#include "GenericImporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

/// The argument of the body of `op` that `value` is, if it is a running value; else null.
static BlockArgument getRunning(linalg::GenericOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  bool isRunning = argument && argument.getOwner() == op.getBody() &&
                   op.isDpsInit(&op->getOpOperand(argument.getArgNumber()));
  return isRunning ? argument : BlockArgument();
}

/// fma(a, b, running) as a * b + running.
static bool splitFma(linalg::GenericOp op, math::FmaOp fma) {
  if (!getRunning(op, fma.getC()))
    return false;
  OpBuilder builder(fma);
  Value product = arith::MulFOp::create(builder, fma.getLoc(), fma.getA(), fma.getB());
  Value sum = arith::AddFOp::create(builder, fma.getLoc(), product, fma.getC());
  fma.replaceAllUsesWith(sum);
  fma.erase();
  return true;
}

/// select(condition, combine(x, running), running) as combine(select(condition, x, identity),
/// running), where the condition does not depend on the running value.
static bool sinkSelect(linalg::GenericOp op, arith::SelectOp select) {
  for (bool isMasked : {false, true}) {
    Value kept = isMasked ? select.getTrueValue() : select.getFalseValue(),
          combined = isMasked ? select.getFalseValue() : select.getTrueValue();
    BlockArgument running = getRunning(op, kept);
    Operation *combination = combined.getDefiningOp();
    if (!running || !combination || combination->getBlock() != op.getBody() ||
        !llvm::is_contained(combination->getOperands(), Value(running)) ||
        dependsOn(select.getCondition(), running))
      continue;
    std::optional<Combiner> combiner = Combiner::match(combined, running);
    TypedAttr identity = combiner ? combiner->getIdentity(combiner->input.getType()) : TypedAttr();
    if (!identity || !llvm::is_contained(combination->getOperands(), combiner->input))
      continue;
    OpBuilder builder(select);
    Location loc = select.getLoc();
    Value neutral = arith::ConstantOp::create(builder, loc, identity);
    Value input = isMasked ? arith::SelectOp::create(builder, loc, select.getCondition(), neutral,
                                                     combiner->input)
                           : arith::SelectOp::create(builder, loc, select.getCondition(),
                                                     combiner->input, neutral);
    IRMapping mapping;
    mapping.map(combiner->input, input);
    Operation *replacement = builder.clone(*combination, mapping);
    select.getResult().replaceAllUsesWith(replacement->getResult(0));
    select.erase();
    return true;
  }
  return false;
}

linalg::GenericOp fuser::conversion::rewriteReduction(linalg::GenericOp op) {
  auto isOfInterest = [&](Operation &inner) {
    if (auto fma = dyn_cast<math::FmaOp>(inner))
      return bool(getRunning(op, fma.getC()));
    auto select = dyn_cast<arith::SelectOp>(inner);
    return select &&
           (getRunning(op, select.getTrueValue()) || getRunning(op, select.getFalseValue()));
  };
  if (op.getNumReductionLoops() == 0 || llvm::none_of(*op.getBody(), isOfInterest))
    return {};
  OpBuilder builder(op);
  auto clone = cast<linalg::GenericOp>(builder.clone(*op));
  bool changed = false;
  for (Operation &inner : llvm::make_early_inc_range(clone.getBody()->without_terminator())) {
    if (auto fma = dyn_cast<math::FmaOp>(inner))
      changed |= splitFma(clone, fma);
    else if (auto select = dyn_cast<arith::SelectOp>(inner))
      changed |= sinkSelect(clone, select);
  }
  if (changed)
    return clone;
  clone.erase();
  return {};
}
