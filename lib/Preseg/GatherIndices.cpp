//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The pattern of fuser-hoist-gathers for rows of a permuted tensor: the index is permuted instead.
//
//===----------------------------------------------------------------------===//

#include "GatherIndices.h"
#include "Patterns.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Dimensions of a permuted tensor that a reshape merges into the one of which rows are gathered.
struct PermutedRows {
  Value source;
  /// Sizes of these dimensions, and by how much of the index in the merged dimensions of `source`
  /// each counts.
  SmallVector<int64_t> sizes, strides;
};

/// Integer ops on an index, and on constants.
class IndexWriter {
public:
  IndexWriter(OpBuilder &builder, Operation *origin, Value index)
      : builder(builder), origin(origin), index(index) {}

  template <typename OpT> Value write(Value lhs, int64_t rhs) {
    return finish(OpT::create(builder, origin->getLoc(), lhs, constant(rhs)));
  }
  Value add(Value lhs, Value rhs) {
    return finish(AddOp::create(builder, origin->getLoc(), lhs, rhs));
  }
  /// The value where the index is that of one of `size` elements, and one out of bounds elsewhere.
  Value keepInside(Value value, int64_t size) {
    Value isInside = finish(LogicalAndOp::create(builder, origin->getLoc(), write<GeOp>(index, 0),
                                                 write<LtOp>(index, size)));
    return finish(WhereOp::create(builder, origin->getLoc(), isInside, value, constant(-1)));
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, origin->getLoc(), builder.getI64IntegerAttr(value));
  }
  Value finish(Operation *op) {
    copyOrigins(op, origin);
    return op->getResult(0);
  }

  OpBuilder &builder;
  Operation *origin;
  Value index;
};

} // namespace

/// The op of type T that defines the value, past ops that change nothing; null if another op reads
/// the result of any of these.
template <typename T> static T getOnlyRead(Value value) {
  while (auto set = value.getDefiningOp<SetOp>()) {
    if (fuser::detail::isScheduled(set) || !set->hasOneUse())
      return {};
    value = set.getInput();
  }
  auto op = value.getDefiningOp<T>();
  return op && !fuser::detail::isScheduled(op) && op->hasOneUse() ? op : T();
}

/// The rows of a gather along `dim` of a table; nothing unless a reshape merges them from adjacent
/// dimensions that were permuted among each other.
static std::optional<PermutedRows> findRows(Value table, int64_t dim) {
  ReshapeOp reshape = getOnlyRead<ReshapeOp>(table), next = reshape;
  const auto to = cast<RankedTensorType>(table.getType()).getShape();
  while (next && (next = getOnlyRead<ReshapeOp>(reshape.getInput())))
    reshape = next;
  auto permute = reshape ? getOnlyRead<PermuteOp>(reshape.getInput()) : PermuteOp();
  if (!permute)
    return std::nullopt;
  const auto from = reshape.getInput().getType().getShape();
  // One unknown size on each side follows from the number of elements, whatever is in between.
  if (llvm::count_if(from, ShapedType::isDynamic) > 1)
    return std::nullopt;
  std::string reason;
  const std::optional<ReshapePlan> plan = planReshape(table.getContext(), from, to, reason);
  int64_t first = 0, count = 0, firstTo = 0;
  for (const ReshapeGroup &group : plan ? plan->groups : SmallVector<ReshapeGroup>()) {
    if (firstTo == dim && group.to == 1) {
      count = group.from;
      break;
    }
    first += group.from;
    firstTo += group.to;
  }
  const ArrayRef<int64_t> order = permute.getPermutation();
  PermutedRows rows{permute.getInput(), SmallVector<int64_t>(from.slice(first, count)), {}};
  if (count < 2 || ShapedType::isDynamicShape(rows.sizes))
    return std::nullopt;
  rows.strides.assign(count, 1);
  for (auto [place, source] : llvm::enumerate(order)) {
    const bool isMerged = int64_t(place) >= first && int64_t(place) < first + count;
    if (isMerged ? source < first || source >= first + count : source != int64_t(place))
      return std::nullopt;
    // What is faster in the source.
    if (isMerged)
      for (auto [other, faster] : llvm::enumerate(order))
        if (faster > source && faster < first + count)
          rows.strides[place - first] *= from[other];
  }
  return rows;
}

namespace {

/// index_select(reshape(permute(x)), i) = index_select(reshape(x), f(i)) of rows whose elements
/// stay together: the permuted tensor is not stored.
struct GatherPermuted : CountedPattern<IndexSelectOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(IndexSelectOp op, PatternRewriter &rewriter) const override {
    const auto type = op.getInput().getType();
    const int64_t dim = op.getDim(), size = type.getDimSize(dim);
    if (type.getNumDynamicDims() > 1 || type.isDynamicDim(dim) || dim + 1 == type.getRank())
      return rewriter.notifyMatchFailure(op, "it gathers elements, or along an unknown size");
    if (llvm::is_contained(type.getShape(), 0))
      return rewriter.notifyMatchFailure(op, "it gathers none");
    if (!llvm::isIntN(op.getIndex().getType().getElementTypeBitWidth(), size))
      return rewriter.notifyMatchFailure(op, "its index is too short");
    const std::optional<PermutedRows> rows = findRows(op.getInput(), dim);
    if (!rows)
      return rewriter.notifyMatchFailure(op, "its rows are not those of a permuted tensor");
    const Value index = op.getIndex();
    IndexWriter writer(rewriter, op, index);
    Value sum;
    int64_t inner = size;
    for (auto [own, stride] : llvm::zip_equal(rows->sizes, rows->strides)) {
      Value place = inner == size ? index : writer.write<RemainderOp>(index, inner);
      inner /= own;
      place = inner == 1 ? place : writer.write<FloorDivOp>(place, inner);
      place = stride == 1 ? place : writer.write<MulOp>(place, stride);
      sum = sum ? writer.add(sum, place) : place;
    }
    sum = writer.keepInside(sum, size);
    auto table = ReshapeOp::create(rewriter, op.getLoc(), type, rows->source, DenseI64ArrayAttr(),
                                   DenseI64ArrayAttr(), ArrayAttr(), MemoryAttr(), IntegerAttr());
    copyOrigins(table.getOperation(), op.getOperation());
    rewriter.replaceOpWithNewOp<IndexSelectOp>(op, op.getResult().getType(), table, sum,
                                               op.getDimAttr(), ArrayAttr(), MemoryAttr(),
                                               IntegerAttr());
    return success();
  }
};

} // namespace

void fuser::addGatherIndexPatterns(RewritePatternSet &patterns, unsigned &count) {
  patterns.add<GatherPermuted>(patterns.getContext(), count);
}
