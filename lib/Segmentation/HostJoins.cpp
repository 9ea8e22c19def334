//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Boxes that kernels write, from the domain mappings of the ops that join them.
//
//===----------------------------------------------------------------------===//

#include "HostJoins.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Scheduling/Passes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

/// A value that a kernel computes only for this use, and that it can store at any address.
static bool isPart(FusionOp fusion, Value value, const ExtentAnalysis &analysis) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || isa<LibraryOpInterface>(op) || hasSchedule(op))
    return false;
  std::optional<HostView> view = getHostView(op, analysis);
  return !view || (view->isReshape() && !isArgumentView(fusion, value, analysis));
}

/// The box of the result that an operand fills: its mapped dimensions, with a negated offset.
static std::optional<HostView> getBox(Operation *op, unsigned operandNumber,
                                      const ExtentAnalysis &analysis) {
  MLIRContext *context = op->getContext();
  Value operand = op->getOperand(operandNumber);
  HostView box;
  box.base = op->getResult(0);
  auto mapping = cast<DomainMappingOpInterface>(op);
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operandNumber))) {
    AffineExpr offset = getAffineConstantExpr(0, context);
    if (map.kind == DimMap::Kind::Resized) {
      std::optional<int64_t> constant = getConstantIntValue(map.offset);
      if (!constant || map.step != 1)
        return std::nullopt;
      offset = getAffineConstantExpr(-*constant, context);
      if (map.minus)
        offset =
            analysis.getScalar(map.minus) ? offset + analysis.getScalar(map.minus) : AffineExpr();
      for (auto [other, otherDim] : map.minusExtents) {
        AffineExpr extent = analysis.getExtent(op->getOperand(other), otherDim);
        offset = offset && extent ? offset + extent : AffineExpr();
      }
    } else if (map.kind != DimMap::Kind::Mapped) {
      return std::nullopt;
    }
    AffineExpr size = analysis.getExtent(operand, dim);
    if (map.id != dim || !offset || !size)
      return std::nullopt;
    box.offsets.push_back(offset);
    box.sizes.push_back(size);
    box.steps.push_back(1);
    box.dims.push_back(dim);
  }
  return box;
}

/// The only output that returns the value, if any; false if there are several.
static bool findOutput(Value value, std::optional<unsigned> &output) {
  for (OpOperand &use : value.getUses())
    if (isa<ReturnOp>(use.getOwner())) {
      if (output)
        return false;
      output = use.getOperandNumber();
    }
  return true;
}

/// The layout of the joined value if it has a separate buffer.
static LayoutAttr getLayout(FusionOp fusion, Value result, std::optional<unsigned> output) {
  LayoutInfo info(fusion);
  ValueOrder order = output ? info.getOutputOrder(*output) : info.getOrder(result);
  return LayoutAttr::get(fusion.getContext(), order.order, ArrayRef<int64_t>());
}

/// Adds operand `number` as a part; false if it cannot be a part.
static bool addPart(FusionOp fusion, HostJoin &join, unsigned number,
                    const ExtentAnalysis &analysis) {
  Value value = join.op->getOperand(number);
  std::optional<HostView> box =
      isPart(fusion, value, analysis) ? getBox(join.op, number, analysis) : std::nullopt;
  if (!box)
    return false;
  ViewLayout part = *getViewLayout(*box, join.lies, analysis);
  if (!part.layout.getStrided().empty())
    return false;
  join.parts.push_back({value, *box, part});
  return true;
}

std::optional<HostJoin> fuser::getHostJoin(FusionOp fusion, Operation *op,
                                           const ExtentAnalysis &analysis) {
  std::optional<unsigned> output;
  if (!isa<CatOp, InsertSliceOp>(op) || hasSchedule(op) || !findOutput(op->getResult(0), output))
    return std::nullopt;
  HostJoin join{op, op->getResult(0), {}, {}, {}};
  std::optional<unsigned> alias = output ? LayoutInfo(fusion).getAlias(*output) : std::nullopt;
  LayoutAttr layout = getLayout(fusion, join.result, output);
  unsigned numParts = op->getNumOperands();
  if (auto insert = dyn_cast<InsertSliceOp>(op)) {
    join.into = insert.getDestination();
    numParts = 1;
    auto argument = dyn_cast<BlockArgument>(join.into);
    // There must be no other reader of the destination's previous contents.
    bool isFree = join.into.hasOneUse() &&
                  (argument ? alias == argument.getArgNumber() && join.result.hasOneUse()
                            : !alias && isPart(fusion, join.into, analysis) &&
                                  !isa<FullOp>(join.into.getDefiningOp()));
    if (!isFree)
      return std::nullopt;
    if (argument)
      layout = fusion.getArgLayout(argument.getArgNumber());
  } else if (alias) {
    return std::nullopt;
  }
  join.lies = getRootLayout(join.result, layout, analysis);
  for (unsigned number = 0; number < numParts; ++number)
    if (!addPart(fusion, join, number, analysis))
      return std::nullopt;
  return join;
}

/// The ops that a value depends on.
static llvm::SmallPtrSet<Operation *, 16> getUpstream(Value value) {
  llvm::SmallPtrSet<Operation *, 16> upstream;
  SmallVector<Value> stack = {value};
  while (!stack.empty())
    if (Operation *op = stack.pop_back_val().getDefiningOp())
      if (isa<RankedTensorType>(op->getResult(0).getType()) && upstream.insert(op).second)
        llvm::append_range(stack, op->getOperands());
  return upstream;
}

SmallVector<Operation *> fuser::findOutputJoins(FusionOp fusion, const ExtentAnalysis &analysis) {
  SmallVector<Operation *> joins;
  for (Operation &op : fusion.getBody().front().without_terminator()) {
    if (op.use_empty() || !llvm::all_of(op.getUsers(), llvm::IsaPred<ReturnOp>))
      continue;
    std::optional<HostJoin> join = getHostJoin(fusion, &op, analysis);
    if (!join)
      continue;
    if (join->into && !isa<BlockArgument>(join->into)) {
      auto first = getUpstream(join->into), second = getUpstream(join->parts.front().value);
      if (llvm::any_of(second, [&](Operation *other) { return first.contains(other); }))
        continue;
    }
    joins.push_back(&op);
  }
  return joins;
}
