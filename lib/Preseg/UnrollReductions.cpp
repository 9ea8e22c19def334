//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-unroll-reductions.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "SliceShapes.h"
#include "SliceSizes.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERUNROLLREDUCTIONS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The most elements of a reduction, of one whose elements arguments have, each of which a kernel
/// reads that often; and the most ops that compute each.
static constexpr int64_t kMostElements = 8, kMostElementsOfArguments = 4;
static constexpr size_t kMostOps = 8;
/// The most elements of a row that a kernel scans or normalizes and reduces element by element.
static constexpr int64_t kMostOfRow = 4096;
/// The most ops that are searched for what a reduction is used for.
static constexpr size_t kMostSearched = 64;

/// True if few pointwise ops, which nothing but `reduction` needs, compute the value from values of
/// fewer dimensions: from what is repeated.
static bool isOfRepeated(Value value, Operation *reduction) {
  const size_t numDims = countLargeDims(cast<RankedTensorType>(value.getType()).getShape());
  llvm::SmallSetVector<Operation *, 8> ops;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *op = next.getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(next.getType());
    if (!type || countLargeDims(type.getShape()) < numDims)
      continue;
    if (!op || !isPointwise(op) || op->getNumResults() != 1 || fuser::detail::isScheduled(op))
      return false;
    if (ops.insert(op) && ops.size() > kMostOps)
      return false;
    llvm::append_range(stack, op->getOperands());
  }
  return !ops.empty() && llvm::all_of(ops, [&](Operation *op) {
    return llvm::all_of(op->getUsers(),
                        [&](Operation *user) { return user == reduction || ops.contains(user); });
  });
}

/// The only dimension that the op reduces, if ops of two elements do the same.
static std::optional<int64_t> getUnrollableDim(Operation *op) {
  if (!isa<SumOp, ProdOp, MinOp, MaxOp>(op))
    return std::nullopt;
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  const Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  const bool isKnown = type.isF32() || type.isF64() || type.isF16() || type.isBF16() ||
                       type.isSignlessInteger(32) || type.isSignlessInteger(64);
  if (!dims || dims.size() != 1 || type != getElementTypeOrSelf(op->getResult(0).getType()) ||
      !isKnown)
    return std::nullopt;
  return dims[0];
}

/// True for a sum or product of half types, which is computed in f32 and rounded once.
static bool isRoundedOnce(Operation *op) {
  const Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return isa<SumOp, ProdOp>(op) && (type.isF16() || type.isBF16());
}

/// The values of one element each that are joined along `dim`; null for others.
static CatOp getJoinOfElements(Value value, int64_t dim) {
  auto cat = value.getDefiningOp<CatOp>();
  const bool isOfElements = cat && int64_t(cat.getDim()) == dim &&
                            !fuser::detail::isScheduled(cat) &&
                            llvm::all_of(cat.getOperands(), [&](Value part) {
                              return cast<RankedTensorType>(part.getType()).getDimSize(dim) == 1;
                            });
  return isOfElements ? cat : CatOp();
}

namespace {
/// What few pointwise ops compute a value from.
struct Sources {
  /// Only arguments, parts of them, and what is repeated along the dimension.
  bool areArguments = false;
  /// The dimension is the fastest in memory of some argument.
  bool areAdjacent = false;
  /// Parts of arguments along the dimension, and none of all of its elements.
  bool areParts = false;
  /// Only joins of single elements along the dimension, and what is repeated along it.
  bool areJoins = false;
};
} // namespace

/// The sources of the elements of a value along `dim`.
static Sources getSources(Value value, int64_t dim) {
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  size_t numOps = 0;
  Sources sources{/*areArguments=*/true, /*areAdjacent=*/false, /*areParts=*/true,
                  /*areJoins=*/true};
  for (size_t next = 0; next < values.size(); ++next) {
    Value source = values[next];
    auto type = dyn_cast<RankedTensorType>(source.getType());
    if (!type || type.getDimSize(dim) == 1)
      continue;
    if (getJoinOfElements(source, dim)) {
      sources.areArguments = false;
      continue;
    }
    auto slice = source.getDefiningOp<SliceOp>();
    if (slice && isa<BlockArgument>(slice.getInput()) && !fuser::detail::isScheduled(slice))
      source = slice.getInput();
    if (auto argument = dyn_cast<BlockArgument>(source)) {
      auto fusion = dyn_cast<FusionOp>(argument.getOwner()->getParentOp());
      if (!fusion)
        return Sources();
      sources.areJoins = false;
      sources.areParts &=
          slice && slice.getInput().getType().getDimSize(dim) != type.getDimSize(dim);
      sources.areAdjacent |=
          fuser::detail::getArgLayout(fusion, argument.getArgNumber()).getOrder().back() == dim;
      continue;
    }
    Operation *op = source.getDefiningOp();
    if (!op || !isPointwise(op) || fuser::detail::isScheduled(op) || ++numOps > kMostOps)
      return Sources();
    values.insert(op->operand_begin(), op->operand_end());
  }
  return sources;
}

/// True if the elements that `reduction` reduces are used again with its result, and of what that
/// makes only single elements are read: a norm of vectors whose coordinates are unbound. The kernel
/// of a norm stores its rows, which others would read again.
static bool isReadByElement(Operation *reduction, int64_t dim) {
  llvm::SmallSetVector<Operation *, 16> ops;
  ops.insert(reduction);
  bool isRead = false;
  for (size_t next = 0; next < ops.size(); ++next) {
    if (ops.size() > kMostSearched)
      return false;
    for (Operation *user : ops[next]->getUsers()) {
      auto slice = next > 0 ? dyn_cast<SliceOp>(user) : SliceOp();
      if (slice && slice.getInput().getType().getDimSize(dim) != 1 &&
          slice.getResult().getType().getDimSize(dim) == 1) {
        isRead = true;
        continue;
      }
      auto broadcast = dyn_cast<BroadcastOp>(user);
      if (broadcast && next == 0 && broadcast.getDims() == ArrayRef<int64_t>(dim))
        ops.insert(user);
      else if (isPointwise(user) && next > 0 && user->getNumResults() == 1)
        ops.insert(user);
      else if (next > 0 &&
               cast<RankedTensorType>(ops[next]->getResult(0).getType()).getDimSize(dim) != 1)
        return false;
    }
  }
  return isRead;
}

/// True if the elements that `reduction` reduces are used again with its result, and what that
/// makes is reduced over other dimensions, and nothing else: a softmax of channels, of which the
/// sums over pixels follow. A kernel has reductions over the same dimensions only: what is between
/// them would be stored.
static bool isReducedAgain(Operation *reduction, int64_t dim) {
  bool isReduced = false;
  llvm::SmallSetVector<Operation *, 16> ops;
  ops.insert(reduction);
  for (size_t next = 0; next < ops.size(); ++next) {
    if (ops.size() > kMostSearched)
      return false;
    Operation *op = ops[next];
    // Without the dimension, of size 1 in it, or with all elements.
    const bool hasDim = !isa<CombinerOpInterface>(op) && op->getNumResults() == 1 &&
                        cast<RankedTensorType>(op->getResult(0).getType()).getRank() ==
                            cast<RankedTensorType>(reduction->getOperand(0).getType()).getRank();
    const bool isWhole =
        hasDim && cast<RankedTensorType>(op->getResult(0).getType()).getDimSize(dim) != 1;
    for (Operation *user : op->getUsers()) {
      if (isWhole && isa<CombinerOpInterface>(user)) {
        if (getUnrollableDim(user) != dim) {
          isReduced = true;
          continue;
        }
      } else if (auto broadcast = dyn_cast<BroadcastOp>(user)) {
        if (hasDim || broadcast.getDims() != ArrayRef<int64_t>(dim))
          return false;
      } else if (!isPointwise(user)) {
        return false;
      }
      ops.insert(user);
    }
  }
  return isReduced;
}

/// True if pointwise ops and changes of dimensions compute the value from a scan or a reduction,
/// whose kernel has its rows.
static bool isOfCombined(Value value) {
  llvm::SmallSetVector<Value, 16> values;
  values.insert(value);
  for (size_t next = 0; next < values.size() && values.size() <= kMostSearched; ++next) {
    Operation *op = values[next].getDefiningOp();
    if (isa_and_present<ScanOpInterface, CombinerOpInterface>(op))
      return true;
    if (op && (isPointwise(op) || isa<BroadcastOp, SqueezeOp, PermuteOp>(op)))
      values.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// True if pointwise ops compute the value also from one without dimension `channel`, but with all
/// of `rows`, that is combined along its rows.
static bool isOfCombinedRows(Value value, int64_t channel, ArrayRef<int64_t> rows) {
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t next = 0; next < values.size(); ++next) {
    auto type = dyn_cast<RankedTensorType>(values[next].getType());
    Operation *op = values[next].getDefiningOp();
    if (!type || !op)
      continue;
    if (type.getDimSize(channel) != 1) {
      if (isPointwise(op))
        values.insert(op->operand_begin(), op->operand_end());
    } else if (llvm::all_of(rows, [&](int64_t dim) { return type.getDimSize(dim) != 1; }) &&
               isOfCombined(values[next])) {
      return true;
    }
  }
  return false;
}

/// The elements of index `index` along `dim`, without it.
static Value getSlice(PatternRewriter &rewriter, Location loc, Value operand, int64_t dim,
                      int64_t index) {
  return SqueezeOp::create(rewriter, loc, createSliceAt(rewriter, loc, operand, dim, index), dim);
}

/// Computes the element of index `index` from those of arguments, and from joined ones.
/// `elements` has those of values that are computed already.
static Value getElement(PatternRewriter &rewriter, Location loc, Value value, int64_t dim,
                        int64_t index, llvm::DenseMap<Value, Value> &elements) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value;
  if (Value known = elements.lookup(value))
    return known;
  Value element;
  Operation *op = value.getDefiningOp();
  auto broadcast = dyn_cast_if_present<BroadcastOp>(op);
  if (CatOp cat = getJoinOfElements(value, dim))
    return elements[value] = getElement(rewriter, loc, cat.getOperand(index), dim, 0, elements);
  if (type.getDimSize(dim) == 1) {
    element = broadcast && broadcast.getDims() == ArrayRef<int64_t>(dim)
                  ? broadcast.getInput()
                  : SqueezeOp::create(rewriter, loc, value, dim).getResult();
  } else if (!op || isa<SliceOp>(op)) {
    element = getSlice(rewriter, loc, value, dim, index);
  } else {
    SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return getElement(rewriter, loc, operand, dim, index, elements);
    });
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + dim);
    element = clonePointwise(rewriter, op, operands, shape);
  }
  elements[value] = element;
  return element;
}

namespace {

/// sum(f(x), dims [d]) = f(x)[0] + ... + f(x)[n - 1]
struct UnrollReduction
    : CountedPattern<CombinerOpInterface, OpInterfaceRewritePattern<CombinerOpInterface>> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CombinerOpInterface op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> dim = getUnrollableDim(op);
    if (!dim)
      return rewriter.notifyMatchFailure(
          op, "it reduces several dimensions, or no op of two elements does the same");
    Value operand = op->getOperand(0);
    const int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(*dim);
    if (ShapedType::isDynamic(size) || size < 2 || size > kMostElements)
      return rewriter.notifyMatchFailure(op, "its elements are not few");
    const bool isOfRepeatedValues = isOfRepeated(operand, op);
    if (!isOfRepeatedValues && !isWorthReading(op, operand, *dim))
      return rewriter.notifyMatchFailure(op,
                                         "its operand is neither computed from repeated or joined "
                                         "values nor used again up to another reduction, or by "
                                         "elements");
    Value total;
    llvm::DenseMap<Value, Value> elements;
    for (int64_t index = 0; index < size; ++index) {
      elements.clear();
      Value element = isOfRepeatedValues
                          ? getSlice(rewriter, op.getLoc(), operand, *dim, index)
                          : getElement(rewriter, op.getLoc(), operand, *dim, index, elements);
      if (isRoundedOnce(op))
        element = castElements(rewriter, op.getLoc(), element, rewriter.getF32Type());
      total = total ? combine(rewriter, op, total, element) : element;
    }
    if (isRoundedOnce(op))
      total = castElements(rewriter, op.getLoc(), total,
                           getElementTypeOrSelf(op->getResult(0).getType()));
    rewriter.replaceOp(op, total);
    return success();
  }

private:
  /// True if a kernel that reads the elements of arguments one by one replaces others, or if the
  /// elements are values of their own.
  static bool isWorthReading(Operation *op, Value operand, int64_t dim) {
    const Sources sources = getSources(operand, dim);
    if (sources.areJoins)
      return true;
    const int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(dim);
    return size <= kMostElementsOfArguments && sources.areArguments &&
           (sources.areParts || isReadByElement(op, dim) ||
            (!sources.areAdjacent && isReducedAgain(op, dim)));
  }

  static Value combine(PatternRewriter &rewriter, Operation *op, Value a, Value b) {
    const Location loc = op->getLoc();
    if (isa<SumOp>(op))
      return AddOp::create(rewriter, loc, a, b);
    if (isa<ProdOp>(op))
      return MulOp::create(rewriter, loc, a, b);
    if (isa<MaxOp>(op))
      return MaximumOp::create(rewriter, loc, a, b);
    return MinimumOp::create(rewriter, loc, a, b);
  }
};

/// sum(f(w, x), dims [d]) = cat(sum(f(w, x[0]), dims [d]), ..., sum(f(w, x[n - 1]), dims [d])) of
/// the channels of x, which are adjacent in memory, where w has none and is scanned or normalized
/// along d: what computes w has the loops of these sums.
struct SplitChannels
    : CountedPattern<CombinerOpInterface, OpInterfaceRewritePattern<CombinerOpInterface>> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CombinerOpInterface op, PatternRewriter &rewriter) const override {
    auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
    if (op->getNumOperands() != 1 || op->getNumResults() != 1 || !dims)
      return rewriter.notifyMatchFailure(op, "it is no reduction of one tensor to another");
    Value operand = op->getOperand(0);
    auto type = cast<RankedTensorType>(operand.getType());
    const int64_t channel = type.getRank() - 1, size = type.getShape().back();
    if (ShapedType::isDynamic(size) || size < 2 || size > kMostElementsOfArguments ||
        llvm::is_contained(dims.asArrayRef(), channel))
      return rewriter.notifyMatchFailure(op, "it has no few channels");
    if (llvm::any_of(dims.asArrayRef(),
                     [&](int64_t dim) { return type.getDimSize(dim) > kMostOfRow; }))
      return rewriter.notifyMatchFailure(op, "no kernel has its rows whole");
    const Sources sources = getSources(operand, channel);
    if (!sources.areArguments || !sources.areAdjacent ||
        !isOfCombinedRows(operand, channel, dims.asArrayRef()))
      return rewriter.notifyMatchFailure(
          op, "its operand is not computed from channels of arguments and from values without "
              "channels that are combined along the same dimensions");
    const int64_t place = cast<RankedTensorType>(op->getResult(0).getType()).getRank() - 1;
    SmallVector<Value> parts;
    llvm::DenseMap<Value, Value> elements;
    for (int64_t index = 0; index < size; ++index) {
      elements.clear();
      Value element = getElement(rewriter, op.getLoc(), operand, channel, index, elements);
      Operation *part = rewriter.clone(*op);
      part->setDiscardableAttrs(DictionaryAttr::get(op.getContext()));
      part->setOperand(0, element);
      part->getResult(0).setType(fuser::detail::inferReductionType(
          element, dims.asArrayRef(), getElementTypeOrSelf(op->getResult(0).getType())));
      parts.push_back(BroadcastOp::create(rewriter, op.getLoc(), part->getResult(0), place));
    }
    rewriter.replaceOpWithNewOp<CatOp>(op, parts, place);
    return success();
  }
};

struct UnrollReductionsPass : fuser::impl::FuserUnrollReductionsBase<UnrollReductionsPass> {
  void runOnOperation() override { numUnrolled += unrollReductions(getOperation()); }
};

} // namespace

unsigned fuser::unrollReductions(FusionOp fusion) {
  return applyCounted<UnrollReduction, SplitChannels>(fusion);
}
