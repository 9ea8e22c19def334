//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-hoist-gathers.
//
//===----------------------------------------------------------------------===//

#include "GatherIndices.h"
#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERHOISTGATHERS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// True if types show that `gathered` has no more elements than `table`.
static bool isNotLarger(RankedTensorType gathered, RankedTensorType table) {
  return gathered.hasStaticShape() && table.hasStaticShape() &&
         gathered.getNumElements() <= table.getNumElements();
}

static bool isReadByGathers(Operation *op) {
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    return isa<GatherOp, TakeAlongAxisOp, IndexSelectOp>(use.getOwner()) &&
           use.getOperandNumber() == 0;
  });
}

/// True for a function of one tensor with f(0) = 0.
static bool isFunction(Operation *op) {
  return op && isPointwiseOnEqualShapes(op) && op->hasTrait<fuser::KeepsZero>() &&
         op->getNumOperands() == 1;
}

static bool isOfNarrower(Operation *function) {
  return getElementBytes(getElementTypeOrSelf(function->getOperand(0).getType())) <
         getElementBytes(getElementTypeOrSelf(function->getResult(0).getType()));
}

namespace {

/// reshape(f(x)) = f(reshape(x)) for a wider type, of what gathers read.
struct HoistReshape : CountedPattern<ReshapeOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    Operation *function = op.getInput().getDefiningOp();
    if (!isFunction(function) || !isOfNarrower(function) || fuser::detail::isScheduled(op) ||
        op->use_empty() || !isReadByGathers(op))
      return rewriter.notifyMatchFailure(op, "it is no table of a wider type");
    auto type = op.getResult().getType();
    Value table = function->getOperand(0);
    Operation *reshape = rewriter.clone(*op);
    reshape->setOperand(0, table);
    reshape->getResult(0).setType(type.clone(getElementTypeOrSelf(table.getType())));
    rewriter.replaceOp(op,
                       clonePointwise(rewriter, function, reshape->getResults(), type.getShape()));
    return success();
  }
};

/// gather(f(x), i) = f(gather(x, i)) if f keeps the 0 that is read out of bounds of x.
template <typename GatherOpT> struct HoistGather : CountedPattern<GatherOpT> {
  using CountedPattern<GatherOpT>::CountedPattern;

  LogicalResult rewrite(GatherOpT op, PatternRewriter &rewriter) const override {
    Operation *function = op.getInput().getDefiningOp();
    if (!isFunction(function))
      return rewriter.notifyMatchFailure(op,
                                         "its operand is no function of one tensor with f(0) = 0");
    if (!function->hasOneUse() && !(isOfNarrower(function) && isReadByGathers(function)))
      return rewriter.notifyMatchFailure(op, "all elements of its operand are needed elsewhere");
    Value table = function->getOperand(0);
    RankedTensorType result = op.getResult().getType(), from = op.getInput().getType(),
                     to = cast<RankedTensorType>(table.getType());
    if (!isOfNarrower(function) && !isNotLarger(result, from))
      return rewriter.notifyMatchFailure(op, "it would gather as much, and compute no less");
    auto gathered =
        GatherOpT::create(rewriter, op.getLoc(), result.clone(to.getElementType()), table,
                          op.getIndex(), op.getDimAttr(), ArrayAttr(), MemoryAttr(), IntegerAttr());
    Value value =
        clonePointwise(rewriter, function, ValueRange{gathered.getResult()}, result.getShape());
    rewriter.replaceOp(op, value);
    if (function->use_empty())
      rewriter.eraseOp(function);
    return success();
  }
};

/// take_along_axis(expand(x), i) = take_along_axis(x, i) where the index has the dimensions that
/// are expanded: weights of classes need not be stored for each row.
struct PickOfExpanded : CountedPattern<TakeAlongAxisOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(TakeAlongAxisOp op, PatternRewriter &rewriter) const override {
    auto expand = getDefiningOp<ExpandOp>(op.getInput());
    if (!expand)
      return rewriter.notifyMatchFailure(op, "its operand is no expanded tensor");
    auto from = cast<RankedTensorType>(expand.getInput().getType());
    const RankedTensorType to = op.getInput().getType(), index = op.getIndex().getType();
    for (auto [dim, size] : llvm::enumerate(from.getShape()))
      if (size == 1 && to.getDimSize(dim) != 1 &&
          (int64_t(dim) == int64_t(op.getDim()) || index.getDimSize(dim) == 1))
        return rewriter.notifyMatchFailure(
            op, "the index has no dimension in place of an expanded one");
    rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(expand.getInput()); });
    return success();
  }
};

bool isComputed(Value value) {
  Operation *function = value.getDefiningOp();
  return function && isPointwise(function);
}

/// Recomputes the elements that a take_along_axis picks from gathered operands.
class Picker {
public:
  Picker(TakeAlongAxisOp op, PatternRewriter &rewriter) : op(op), rewriter(rewriter) {}

  /// take_along_axis(value, index); its elements are unspecified where the index is out of bounds.
  Value pick(Value value, std::optional<ArrayRef<int64_t>> shape = std::nullopt);
  /// True where the index is in bounds, as a tensor of the index's shape.
  Value buildIsInside();

private:
  SmallVector<int64_t> joinShapes(ValueRange values);

  TakeAlongAxisOp op;
  PatternRewriter &rewriter;
  llvm::DenseMap<Value, Value> picked;
  /// A tensor operand with full rows.
  Value source;
};

} // namespace

/// The shape to which the tensors among `values` are broadcast, with one element per row.
SmallVector<int64_t> Picker::joinShapes(ValueRange values) {
  SmallVector<int64_t> shape(op.getResult().getType().getRank(), 1);
  for (Value value : values)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      for (auto [dim, size] : llvm::enumerate(type.getShape()))
        if (dim != op.getDim() && size != 1 &&
            (shape[dim] == 1 || ShapedType::isDynamic(shape[dim])))
          shape[dim] = size;
  return shape;
}

Value Picker::pick(Value value, std::optional<ArrayRef<int64_t>> shape) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getDimSize(op.getDim()) == 1)
    return value;
  if (Value known = picked.lookup(value))
    return known;
  Value result;
  if (isComputed(value)) {
    Operation *function = value.getDefiningOp();
    SmallVector<Value> operands =
        llvm::map_to_vector(function->getOperands(), [&](Value operand) { return pick(operand); });
    result = clonePointwise(rewriter, function, operands, shape ? *shape : joinShapes(operands));
  } else {
    source = value;
    result = TakeAlongAxisOp::create(
        rewriter, op.getLoc(), type.clone(joinShapes({value, op.getIndex()})), value, op.getIndex(),
        op.getDimAttr(), ArrayAttr(), MemoryAttr(), IntegerAttr());
  }
  picked.try_emplace(value, result);
  return result;
}

Value Picker::buildIsInside() {
  Location loc = op.getLoc();
  Type i64 = rewriter.getI64Type();
  Value index = op.getIndex();
  if (op.getIndex().getType().getElementType() != i64)
    index = CastOp::create(rewriter, loc, op.getIndex().getType().clone(i64), index);
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(0));
  Value dim = arith::ConstantIndexOp::create(rewriter, loc, op.getDim());
  Value rows = source ? source : op.getInput();
  Value size = arith::IndexCastOp::create(rewriter, loc, i64,
                                          tensor::DimOp::create(rewriter, loc, rows, dim));
  return LogicalAndOp::create(rewriter, loc, GeOp::create(rewriter, loc, index, zero),
                              LtOp::create(rewriter, loc, index, size));
}

namespace {

/// take_along_axis(f(x, y), i) of one element per row equals f(take_along_axis(x, i), y) if y has
/// one element per row. Applies through any number of pointwise ops; 0 where i is out of bounds.
struct PickBeforeComputing : CountedPattern<TakeAlongAxisOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(TakeAlongAxisOp op, PatternRewriter &rewriter) const override {
    RankedTensorType result = op.getResult().getType(), input = op.getInput().getType();
    if (result.getDimSize(op.getDim()) != 1 || input.getDimSize(op.getDim()) == 1)
      return rewriter.notifyMatchFailure(op, "it picks more than one element of a row, or all");
    if (!isComputed(op.getInput()))
      return rewriter.notifyMatchFailure(op, "its operand is no pointwise function");
    Picker picker(op, rewriter);
    Value value = picker.pick(op.getInput(), result.getShape());
    Value inside = picker.buildIsInside();
    Value zero = createZero(rewriter, op.getLoc(), result.getElementType());
    Value chosen = WhereOp::create(rewriter, op.getLoc(), inside, value, zero);
    chosen.setType(result);
    rewriter.replaceOp(op, chosen);
    return success();
  }
};

/// take_along_axis(reshape(x), i) = reshape(take_along_axis(x, reshape(i))) of one element per row
/// of a computed x, if the reshape keeps rows: the copy of what is reshaped need not exist.
struct PickBeforeReshape : CountedPattern<TakeAlongAxisOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(TakeAlongAxisOp op, PatternRewriter &rewriter) const override {
    auto reshape = op.getInput().getDefiningOp<ReshapeOp>();
    if (!reshape || fuser::detail::isScheduled(reshape) || !isComputed(reshape.getInput()))
      return rewriter.notifyMatchFailure(op, "its operand is no reshape of a pointwise function");
    RankedTensorType result = op.getResult().getType(), index = op.getIndex().getType();
    if (result.getDimSize(op.getDim()) != 1 || index.getShape() != result.getShape() ||
        op.getInput().getType().getDimSize(op.getDim()) == 1)
      return rewriter.notifyMatchFailure(op, "it picks more than one element of a row, or all");
    SmallVector<int64_t> from, to;
    std::optional<int64_t> dim = findRow(reshape, op.getDim(), from, to);
    if (!dim)
      return rewriter.notifyMatchFailure(op, "the reshape does not keep the rows");
    RankedTensorType table = reshape.getInput().getType();
    SmallVector<int64_t> shape(table.getShape());
    shape[*dim] = 1;
    std::string reason;
    if (!planReshape(op.getContext(), index.getShape(), shape, reason, getGroups(to, from)))
      return rewriter.notifyMatchFailure(op, "the sizes of the index do not determine its rows");
    Value rows = build(rewriter, op, index.clone(shape), op.getIndex(), to, from);
    auto picked =
        TakeAlongAxisOp::create(rewriter, op.getLoc(), table.clone(shape), reshape.getInput(), rows,
                                *dim, ArrayAttr(), MemoryAttr(), IntegerAttr());
    rewriter.replaceOp(op, build(rewriter, op, result, picked, from, to));
    return success();
  }

private:
  static SmallVector<ReshapeGroup> getGroups(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    return llvm::map_to_vector(llvm::zip_equal(from, to), [](auto group) {
      return ReshapeGroup{std::get<0>(group), std::get<1>(group)};
    });
  }

  static Value build(PatternRewriter &rewriter, TakeAlongAxisOp op, RankedTensorType type,
                     Value value, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    return ReshapeOp::create(rewriter, op.getLoc(), type, value,
                             rewriter.getDenseI64ArrayAttr(from), rewriter.getDenseI64ArrayAttr(to),
                             ArrayAttr(), MemoryAttr(), IntegerAttr());
  }

  /// The dimension of the operand that `dim` of the result is, and the groups of the reshape.
  static std::optional<int64_t> findRow(ReshapeOp reshape, int64_t dim,
                                        SmallVectorImpl<int64_t> &from,
                                        SmallVectorImpl<int64_t> &to) {
    std::optional<int64_t> found;
    int64_t firstFrom = 0, firstTo = 0;
    for (const ReshapeGroup &group : planReshape(reshape).groups) {
      if (firstTo == dim && group.from == 1 && group.to == 1)
        found = firstFrom;
      from.push_back(group.from);
      to.push_back(group.to);
      firstFrom += group.from;
      firstTo += group.to;
    }
    return found;
  }
};

struct HoistGathersPass : fuser::impl::FuserHoistGathersBase<HoistGathersPass> {
  void runOnOperation() override { numHoisted += hoistGathers(getOperation()); }
};

} // namespace

unsigned fuser::hoistGathers(FusionOp fusion) {
  unsigned count = 0;
  RewritePatternSet patterns(fusion.getContext());
  patterns.add<HoistGather<GatherOp>, HoistGather<TakeAlongAxisOp>, HoistGather<IndexSelectOp>,
               HoistReshape, PickOfExpanded, PickBeforeComputing, PickBeforeReshape>(
      fusion.getContext(), count);
  addGatherIndexPatterns(patterns, count);
  applyPatterns(fusion, std::move(patterns));
  return count;
}
