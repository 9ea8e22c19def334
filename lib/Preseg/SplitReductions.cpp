//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-split-reductions.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/OrderInference.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERSPLITREDUCTIONS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// Bytes of a sector of memory: shorter runs are read with elements of others.
static constexpr int64_t kSectorBytes = 32;
/// Bytes of a line: runs of that length are read at the full rate.
static constexpr int64_t kLineBytes = 128;
/// Bytes of the narrowest efficient access, and of the longest runs that have a vector of less:
/// each element is an access of its own, while vectors of a first step cross the ends of runs.
/// Tensors of fewer bytes are reduced in less time than the launches of two more kernels take.
static constexpr int64_t kLeastVectorBytes = 4, kLongestUnalignedBytes = 1024;
static constexpr int64_t kLeastUnalignedBytes = 8 << 20;
/// The least number of elements that the first step reduces to one: its result is small then.
static constexpr int64_t kLeastReduced = 32;
/// Bytes of a tensor that is reduced in less time than another launch takes.
static constexpr int64_t kLeastBytes = 1 << 20;

namespace {

/// A reduction of runs in memory, which kept dimensions separate: over `outer`, then over `inner`.
struct SplitDims {
  SmallVector<int64_t> outer, inner;
  /// Elements of a run.
  int64_t length = 1;
};

/// Finds the reductions to split. Does not see ops that are made after it.
class SplitFinder {
public:
  explicit SplitFinder(FusionOp fusion) : fusion(fusion), inference(fusion, {}) {}

  /// nullopt if the reduction of `input` over `dims` stays one.
  std::optional<SplitDims> find(Value input, ArrayRef<int64_t> dims);

private:
  SmallVector<int64_t> getOrder(Value value);
  std::optional<SplitDims> getSplit(Value input, ArrayRef<int64_t> dims);
  bool isStoredAcross(Value source);
  bool pays(Value input, const SplitDims &dims);

  FusionOp fusion;
  OrderInference inference;
};

} // namespace

/// What the value is computed from, element by element.
static Value getSource(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    const bool isUnary = op->getNumOperands() == 1 && isa<ElementwiseOpInterface>(op);
    if (!isUnary && !isa<ReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// True if the product of the sizes of `dims` and `factor` is known to be less than `limit`. It may
/// overflow.
static bool isProductBelow(RankedTensorType type, ArrayRef<int64_t> dims, int64_t factor,
                           int64_t limit) {
  for (int64_t dim : dims) {
    const int64_t size = type.getDimSize(dim);
    if (ShapedType::isDynamic(size) ||
        (size > 0 && factor >= int64_t(llvm::divideCeil(limit, size))))
      return false;
    factor *= size;
  }
  return true;
}

/// The dimensions from slowest to fastest.
SmallVector<int64_t> SplitFinder::getOrder(Value value) {
  const int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return SmallVector<int64_t>(
        fuser::detail::getArgLayout(fusion, argument.getArgNumber()).getOrder());
  if (std::optional<InferredOrder> order = inference.getOrder(value))
    return order->order;
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

std::optional<SplitDims> SplitFinder::getSplit(Value input, ArrayRef<int64_t> dims) {
  const ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
  SplitDims split;
  bool isBetween = false;
  const SmallVector<int64_t> order = getOrder(input);
  for (int64_t dim : llvm::reverse(order)) {
    if (!llvm::is_contained(dims, dim)) {
      isBetween |= shape[dim] != 1;
    } else if (isBetween) {
      split.outer.push_back(dim);
    } else {
      // Longer runs never pay, and their length might overflow.
      if (ShapedType::isDynamic(shape[dim]) || shape[dim] >= kLongestUnalignedBytes ||
          split.length >= kLongestUnalignedBytes)
        return std::nullopt;
      split.inner.push_back(dim);
      split.length *= shape[dim];
    }
  }
  if (split.length <= 1 || split.outer.empty())
    return std::nullopt;
  llvm::sort(split.outer);
  // Positions after those that the first step drops.
  for (int64_t &dim : split.inner)
    dim -= llvm::count_if(split.outer, [&](int64_t gone) { return gone < dim; });
  llvm::sort(split.inner);
  return split;
}

/// True if an output of the argument's shape has, and must have, another fastest dimension.
bool SplitFinder::isStoredAcross(Value source) {
  auto argument = dyn_cast<BlockArgument>(source);
  auto type = dyn_cast<RankedTensorType>(source.getType());
  if (!argument || !type || type.getRank() == 0)
    return false;
  const int64_t fastest = getOrder(source).back();
  auto ret = cast<ReturnOp>(fusion.getBody().front().getTerminator());
  return llvm::any_of(llvm::enumerate(ret.getValues()), [&](const auto &value) {
    const std::optional<ArrayRef<int64_t>> order = fusion.getOutputStrideOrder(value.index());
    auto output = dyn_cast<RankedTensorType>(value.value().getType());
    return order && output && output.getShape() == type.getShape() && order->back() != fastest;
  });
}

/// True if two steps are faster than one: the runs are short, or no vector divides them, and no
/// kernel keeps them from their reduction to their uses, as it would have to read or to store them
/// element by element.
bool SplitFinder::pays(Value input, const SplitDims &dims) {
  const Value source = getSource(input);
  const int64_t bytesOfElement = getElementBytes(getElementTypeOrSelf(source.getType()));
  const auto type = cast<RankedTensorType>(input.getType());
  const auto all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  if (isProductBelow(type, all, bytesOfElement, kLeastBytes) ||
      isProductBelow(type, dims.outer, 1, kLeastReduced))
    return false;
  const int64_t bytes = dims.length * bytesOfElement;
  const bool isUnaligned = bytes % kLeastVectorBytes != 0 && bytes < kLongestUnalignedBytes &&
                           !isProductBelow(type, all, bytesOfElement, kLeastUnalignedBytes);
  return bytes < kSectorBytes || isUnaligned || (bytes < kLineBytes && isStoredAcross(source));
}

std::optional<SplitDims> SplitFinder::find(Value input, ArrayRef<int64_t> dims) {
  std::optional<SplitDims> split = getSplit(input, dims);
  return split && pays(input, *split) ? split : std::nullopt;
}

/// Replaces the reduction by one over the outer dimensions, and one of its results over the inner
/// ones.
static void split(Operation *op, const SplitDims &dims) {
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  auto replace = [&](ArrayRef<Operation *> made, ValueRange results) {
    for (Operation *part : made)
      copyOrigins(part, op);
    op->replaceAllUsesWith(results);
    op->erase();
  };
  if (auto variance = dyn_cast<VarMeanOp>(op)) {
    // Of equally many elements each: the mean of all is that of their means, and the variance of
    // all the mean of their variances and of the squares of the distances of their means from it.
    // One kernel reduces both.
    auto each = VarMeanOp::create(builder, loc, op->getOperand(0), dims.outer, /*correction=*/0);
    auto mean = MeanOp::create(builder, loc, each.getMean(), dims.inner);
    auto spread = BroadcastOp::create(builder, loc, mean.getResult(), dims.inner);
    auto makePointwise = [&](auto type, Value lhs, Value rhs) {
      return decltype(type)::create(builder, loc, each.getMean().getType(), lhs, rhs, nullptr,
                                    nullptr, nullptr);
    };
    auto distance = makePointwise(SubOp(), each.getMean(), spread);
    auto square = makePointwise(MulOp(), distance, distance);
    auto sum = makePointwise(AddOp(), square, each.getVariance());
    auto total = MeanOp::create(builder, loc, sum.getResult(), dims.inner);
    replace({each, mean, spread, distance, square, sum, total},
            {total.getResult(), mean.getResult()});
    return;
  }
  llvm::TypeSwitch<Operation *>(op).Case<SumOp, MeanOp, MaxOp, MinOp>([&](auto reduction) {
    using Op = decltype(reduction);
    auto first = Op::create(builder, loc, op->getOperand(0), dims.outer);
    auto second = Op::create(builder, loc, first.getResult(), dims.inner);
    replace({first, second}, second.getResult());
  });
}

/// True if two steps give what one gives: half types would be rounded between them, and the result
/// of a sum of integers may be wider than they are.
static bool isSplittable(Operation *op) {
  auto view = dyn_cast<TensorViewOpInterface>(op);
  if (!isa<SumOp, MeanOp, MaxOp, MinOp, VarMeanOp>(op) || (view && view.hasDomains()))
    return false;
  const Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  auto variance = dyn_cast<VarMeanOp>(op);
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() >= 32 &&
         element == getElementTypeOrSelf(op->getResult(0).getType()) &&
         !(variance && variance.getCorrection() != 0);
}

unsigned fuser::splitReductions(FusionOp fusion) {
  SmallVector<Operation *> reductions;
  for (Operation &op : fusion.getBody().front())
    if (isSplittable(&op))
      reductions.push_back(&op);
  if (reductions.empty())
    return 0;
  SmallVector<std::pair<Operation *, SplitDims>> found;
  SplitFinder finder(fusion);
  for (Operation *op : reductions)
    if (std::optional<SplitDims> dims = finder.find(
            op->getOperand(0), op->getAttrOfType<DenseI64ArrayAttr>("dims").asArrayRef()))
      found.emplace_back(op, std::move(*dims));
  for (auto &[op, dims] : found)
    split(op, dims);
  return found.size();
}

namespace {
struct SplitReductions : fuser::impl::FuserSplitReductionsBase<SplitReductions> {
  void runOnOperation() override { numSplit += splitReductions(getOperation()); }
};
} // namespace
