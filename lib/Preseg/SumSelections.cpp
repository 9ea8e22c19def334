//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-sum-selections.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERSUMSELECTIONS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// Ops of a summand up to which it is searched.
static constexpr size_t kMaxOps = 16;
/// Elements that f32 counts exactly.
static constexpr int64_t kMaxElements = int64_t(1) << 24;

/// True for 0, 1, 2, ... along `dim`, and equal values along all others.
static bool isPosition(Value value, int64_t dim) {
  if (auto wide = value.getDefiningOp<BroadcastOp>()) {
    if (llvm::is_contained(wide.getDims(), dim))
      return false;
    value = wide.getInput();
  }
  auto iota = value.getDefiningOp<IotaOp>();
  return iota && matchPattern(iota.getStart(), m_Zero()) && matchPattern(iota.getStep(), m_One());
}

namespace {

/// The two values of a tensor that is equal along a dimension but where an index selects another
/// value, as tensors with one element along the dimension.
class SelectedRows {
public:
  SelectedRows(int64_t dim, PatternRewriter &rewriter) : dim(dim), rewriter(rewriter) {}

  /// False if `value` is no such tensor. Changes nothing.
  bool match(Value value);
  /// The index of the selections; null if there are none.
  Value getIndex() const { return index; }
  /// The value where the index selects it, or elsewhere.
  Value build(Value value, bool isSelected);

private:
  bool isEqualAlong(Value value) const {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return !type || type.getDimSize(dim) == 1;
  }
  bool isSelection(WhereOp op);
  bool matchOperands(Operation *op);
  Value fill(Location loc, Value scalar, Type element);
  SmallVector<int64_t> getShape(ValueRange operands);

  int64_t dim;
  PatternRewriter &rewriter;
  Value index;
  /// What computes the tensor, operands first.
  llvm::SetVector<Operation *> ops;
};

} // namespace

/// True if the condition is that the position is the index. All selections have one index.
bool SelectedRows::isSelection(WhereOp op) {
  auto hit = op->getOperand(0).getDefiningOp<EqOp>();
  if (!hit || !isPointwise(hit))
    return false;
  for (unsigned number : {0, 1}) {
    Value candidate = hit->getOperand(number);
    if (!isa<RankedTensorType>(candidate.getType()) || !isEqualAlong(candidate) ||
        !isPosition(hit->getOperand(1 - number), dim) || (index && index != candidate))
      continue;
    index = candidate;
    return true;
  }
  return false;
}

bool SelectedRows::matchOperands(Operation *op) {
  auto where = dyn_cast<WhereOp>(op);
  if (!where || isEqualAlong(where->getOperand(0)))
    return llvm::all_of(op->getOperands(), [&](Value operand) { return match(operand); });
  Type element = getElementTypeOrSelf(where->getResult(0).getType());
  return isSelection(where) && llvm::all_of(where->getOperands().drop_front(), [&](Value operand) {
           return match(operand) && (!isa<RankedTensorType>(operand.getType()) ||
                                     getElementTypeOrSelf(operand.getType()) == element);
         });
}

bool SelectedRows::match(Value value) {
  Operation *op = value.getDefiningOp();
  if (isEqualAlong(value) || ops.contains(op))
    return true;
  if (!op || ops.size() == kMaxOps || fuser::detail::isScheduled(op))
    return false;
  auto expand = dyn_cast<ExpandOp>(op);
  if (!isa<FullOp>(op) && !(expand && isEqualAlong(expand.getInput())) &&
      !(isPointwise(op) && matchOperands(op)))
    return false;
  ops.insert(op);
  return true;
}

/// A tensor of one element.
Value SelectedRows::fill(Location loc, Value scalar, Type element) {
  SmallVector<int64_t> ones(cast<RankedTensorType>(index.getType()).getRank(), 1);
  return FullOp::create(rewriter, loc, RankedTensorType::get(ones, element), scalar, ValueRange(),
                        ArrayAttr(), MemoryAttr(), IntegerAttr());
}

/// The shape to which operands are broadcast.
SmallVector<int64_t> SelectedRows::getShape(ValueRange operands) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(index.getType()).getRank(), 1);
  for (Value operand : operands)
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
      for (auto [size, own] : llvm::zip_equal(shape, type.getShape()))
        size = size == 1 ? own : size;
  return shape;
}

Value SelectedRows::build(Value value, bool isSelected) {
  llvm::DenseMap<Value, Value> values;
  auto get = [&](Value operand) { return values.lookup_or(operand, operand); };
  for (Operation *op : ops) {
    Value result = op->getResult(0);
    Type element = getElementTypeOrSelf(result.getType());
    auto where = dyn_cast<WhereOp>(op);
    if (auto full = dyn_cast<FullOp>(op)) {
      values[result] = fill(op->getLoc(), full.getValue(), element);
    } else if (auto expand = dyn_cast<ExpandOp>(op)) {
      values[result] = expand.getInput();
    } else if (where && !isEqualAlong(where->getOperand(0))) {
      Value chosen = get(where->getOperand(isSelected ? 1 : 2));
      values[result] =
          isa<RankedTensorType>(chosen.getType()) ? chosen : fill(op->getLoc(), chosen, element);
    } else {
      SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), get);
      values[result] = clonePointwise(rewriter, op, operands, getShape(operands));
    }
  }
  return get(value);
}

namespace {

struct SumSelection : CountedPattern<SumOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SumOp op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getInput().getType());
    if (op.getDims().size() != 1 ||
        !(type.getElementType().isF32() || type.getElementType().isF64()))
      return rewriter.notifyMatchFailure(op, "it is no sum of f32 or f64 over one dimension");
    const int64_t dim = op.getDims().front(), size = type.getDimSize(dim);
    // One element has no others, and is squeezed.
    if (ShapedType::isDynamic(size) || size < 2 || size > kMaxElements)
      return rewriter.notifyMatchFailure(op, "f32 may not count its elements");
    SelectedRows rows(dim, rewriter);
    if (!rows.match(op.getInput()) || !rows.getIndex())
      return rewriter.notifyMatchFailure(op, "its summands are not two values of each row");
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = 1;
    Value index = rows.getIndex();
    if (cast<RankedTensorType>(index.getType()).getShape() != ArrayRef(shape))
      return rewriter.notifyMatchFailure(op, "several rows share an index");

    Location loc = op.getLoc();
    auto integer = [&](int64_t number) {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(number));
    };
    Value selected = rows.build(op.getInput(), true), other = rows.build(op.getInput(), false);
    Value some = AddOp::create(rewriter, loc, selected,
                               MulOp::create(rewriter, loc, other, integer(size - 1)));
    Value none = MulOp::create(rewriter, loc, other, integer(size));
    Value isInside =
        LogicalAndOp::create(rewriter, loc, GeOp::create(rewriter, loc, index, integer(0)),
                             LtOp::create(rewriter, loc, index, integer(size)));
    Value sum = SqueezeOp::create(
        rewriter, loc, WhereOp::create(rewriter, loc, isInside, some, none), op.getDims());
    // The op's type may be more static than its operand.
    sum.setType(op.getType());
    rewriter.replaceOp(op, sum);
    return success();
  }
};

struct SumSelectionsPass : fuser::impl::FuserSumSelectionsBase<SumSelectionsPass> {
  void runOnOperation() override { numSums += sumSelections(getOperation()); }
};

} // namespace

unsigned fuser::sumSelections(FusionOp fusion) { return applyCounted<SumSelection>(fusion); }
