//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-hoist-slices.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "SliceShapes.h"
#include "SliceSizes.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERHOISTSLICES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

//===----------------------------------------------------------------------===//
// Which ops slices pass
//===----------------------------------------------------------------------===//

/// True if an element of the result depends on the elements of the operands at its own indices
/// alone, along each dimension that `isSliced` marks: a pointwise op, a change of dimensions, a
/// reduction or a scan along other dimensions.
static bool isPassed(Operation *op, ArrayRef<bool> isSliced) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(op);
  auto view = dyn_cast<TensorViewOpInterface>(op);
  if (!mapping || !view || op->getNumResults() != 1 || fuser::detail::isScheduled(op))
    return false;
  if (isPointwise(op))
    return true;
  auto isFree = [&](unsigned id) {
    int64_t dim = getResultDim(op, id);
    return dim < 0 || !isSliced[dim];
  };
  if (!isa<BroadcastOp, PermuteOp, SqueezeOp, CombinerOpInterface, ScanOpInterface>(op) ||
      !view.getTrivialDomain(0).getRoot().empty())
    return false;
  if (auto scan = dyn_cast<ScanOpInterface>(op); scan && !isFree(scan.getScannedId()))
    return false;
  llvm::SmallBitVector isRead(mapping.getRootKinds().size());
  for (OpOperand &operand : op->getOpOperands())
    for (const DimMap &map : mapping.getDimMaps(operand.getOperandNumber())) {
      if (map.kind != DimMap::Kind::Mapped && map.kind != DimMap::Kind::Broadcast)
        return false;
      if (map.id != kNoId)
        isRead.set(map.id);
    }
  // A dimension that the op adds has no elements to choose from.
  return llvm::all_of(llvm::seq<unsigned>(0, isRead.size()),
                      [&](unsigned id) { return isRead.test(id) || isFree(id); });
}

/// True if the slice has all of the dimension but a constant number of elements at each end.
static bool isConstantPart(SliceOp slice, unsigned dim) {
  const int64_t offset = slice.getStaticOffsets()[dim], size = slice.getStaticSizes()[dim];
  if (ShapedType::isDynamic(offset) || (slice.getStrides() && (*slice.getStrides())[dim] != 1))
    return false;
  if (!ShapedType::isDynamic(size))
    return !slice.getInput().getType().isDynamicDim(dim);
  const unsigned number =
      llvm::count_if(slice.getStaticSizes().take_front(dim), ShapedType::isDynamic);
  auto sum = slice.getSizes()[number].getDefiningOp<arith::AddIOp>();
  return sum && sum.getLhs().getDefiningOp<tensor::DimOp>() && getConstantIntValue(sum.getRhs());
}

/// True if the slice is stored: the kernel of its operand can do so.
static bool isStored(SliceOp slice) {
  return llvm::all_of(slice->getUsers(), llvm::IsaPred<ReturnOp, PadOp, CatOp, InsertSliceOp>);
}

/// The most elements that a kernel keeps until their reduction is complete.
static constexpr int64_t kMostKeptElements = int64_t(1) << 18;

/// True for a number that is computed from a tensor like the result of `op`, if no kernel keeps the
/// elements of such a tensor: another kernel reads them again, which may read any part of them. No
/// kernel keeps an unknown number of rows.
static bool isOfManyElements(Value number, Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return llvm::all_of(cast<RankedTensorType>(number.getType()).getShape(),
                      [](int64_t size) { return size == 1; }) &&
         (type.hasStaticShape() ? type.getNumElements() > kMostKeptElements : type.getRank() > 1);
}

/// What values are computed from through an op that reads more than single elements and their
/// moves. A number of few elements that are added by themselves is no reduction.
static llvm::SmallPtrSet<Value, 16> getReduced(SmallVector<Value> values) {
  llvm::SmallPtrSet<Value, 16> seen, reduced;
  SmallVector<Value> stack;
  auto isMove = [](Operation *op) {
    return isPointwise(op) ||
           isa<BroadcastOp, ExpandOp, PermuteOp, SqueezeOp, ReshapeOp, SliceOp>(op);
  };
  while (!values.empty()) {
    Value value = values.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (isa<RankedTensorType>(value.getType()) && seen.insert(value).second && op)
      llvm::append_range(isMove(op) ? values : stack, op->getOperands());
  }
  while (!stack.empty()) {
    Value value = stack.pop_back_val();
    if (isa<RankedTensorType>(value.getType()) && reduced.insert(value).second &&
        value.getDefiningOp())
      llvm::append_range(stack, value.getDefiningOp()->getOperands());
  }
  return reduced;
}

/// True if an operand is a reduction of another one along a dimension that is sliced, as in a
/// softmax: the slice would separate the two. If the other one is an argument, so that the slice
/// could be a view of it, only for parts that the kernel of the norm stores: constant ones, and
/// those that no op computes with.
static bool isNormalized(Operation *op, SliceOp slice, ArrayRef<bool> isSliced) {
  auto mapping = cast<DomainMappingOpInterface>(op);
  SmallVector<Value> stack;
  bool isOfKernel = true;
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
      if (map.kind == DimMap::Kind::Broadcast && dim < isSliced.size() && isSliced[dim] &&
          !isOfManyElements(operand.get(), op)) {
        stack.push_back(operand.get());
        isOfKernel &= isConstantPart(slice, dim) || isStored(slice);
      }
  const llvm::SmallPtrSet<Value, 4> normalizing(stack.begin(), stack.end());
  const llvm::SmallPtrSet<Value, 16> upstream = getReduced(std::move(stack));
  return llvm::any_of(llvm::enumerate(op->getOperands()), [&](auto operand) {
    SmallVector<DimMap> maps = mapping.getDimMaps(operand.index());
    auto isMapped = [](const DimMap &map) { return map.kind == DimMap::Kind::Mapped; };
    return llvm::all_of(maps, isMapped) && !maps.empty() && upstream.contains(operand.value()) &&
           !normalizing.contains(operand.value()) &&
           (isOfKernel || operand.value().getDefiningOp());
  });
}

/// True if a slice that is stored as it is now would not pass one of the pointwise ops above it.
static bool isStoredBelowNorm(Operation *producer, SliceOp slice, ArrayRef<bool> isSliced) {
  auto isDynamic = [&](unsigned dim) { return isSliced[dim] && !isConstantPart(slice, dim); };
  if (!isStored(slice) || llvm::none_of(llvm::seq<unsigned>(0, isSliced.size()), isDynamic))
    return false;
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> stack = {producer};
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val();
    if (!op || !seen.insert(op).second || !isPointwise(op))
      continue;
    if (isNormalized(op, slice, isSliced))
      return true;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        stack.push_back(operand.getDefiningOp());
  }
  return false;
}

/// Computing parts of a value again by more ops than this takes longer than reading it.
constexpr size_t kMaxRecomputedOps = 4;
/// The same for parts that are joined again, which the kernel of the value cannot do with it.
constexpr size_t kMaxJoinedOps = 8;

/// True if at most `most` cheap ops compute the value from arguments of the fusion, and from what
/// `isKept`: where it has other users, a slice of it is computed again. A kernel cannot read a
/// computed value at several offsets, so the value would be stored otherwise.
static bool isCheapToCompute(Value value, size_t most, function_ref<bool(Value)> isKept) {
  llvm::SmallSetVector<Operation *, 8> needed;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || !isa<RankedTensorType>(next.getType()) || needed.contains(op) || isKept(next))
      continue;
    const bool isCheap = isPointwise(op) && op->hasTrait<fuser::CheapElement>();
    if ((!isCheap && !isa<BroadcastOp, PermuteOp, SqueezeOp, ReshapeOp, SliceOp>(op)) ||
        fuser::detail::isScheduled(op) || needed.size() == most)
      return false;
    needed.insert(op);
    llvm::append_range(stack, op->getOperands());
  }
  return true;
}

/// The most ops that are followed from a slice to where it is joined.
constexpr size_t kMaxFollowedOps = 32;

/// True if only pointwise ops and further slices read the slice, up to concatenations along a
/// dimension that it slices (a rotation of halves).
static bool isJoinedAgain(SliceOp slice, ArrayRef<bool> isSliced) {
  llvm::SmallSetVector<Operation *, 8> followed;
  followed.insert(slice);
  for (size_t next = 0; next < followed.size(); ++next)
    for (Operation *user : followed[next]->getUsers()) {
      if (auto cat = dyn_cast<CatOp>(user); cat && isSliced[cat.getDim()])
        continue;
      if ((!isPointwise(user) && !isa<SliceOp>(user)) || user->getNumResults() != 1 ||
          followed.size() == kMaxFollowedOps)
        return false;
      followed.insert(user);
    }
  return !slice->use_empty();
}

/// The most ops for each element of a value of which only slices are read, those for all slices
/// added up: more take longer than storing the value.
constexpr int64_t kMaxWindowOps = 32;
/// The most ops that are searched for those, moves and those of fewer dimensions included.
constexpr size_t kMaxWindowSeen = 256;

/// True for a reshape that adds or removes dimensions of size 1. The size of one dynamic dimension
/// follows from those of the others.
static bool keepsElements(ReshapeOp reshape) {
  auto isLong = [](int64_t size) { return size != 1; };
  if (reshape.getInput().getType().getNumDynamicDims() > 1)
    return false;
  return llvm::equal(llvm::make_filter_range(reshape.getInput().getType().getShape(), isLong),
                     llvm::make_filter_range(reshape.getResult().getType().getShape(), isLong));
}

/// True for a scalar, and for a tensor with fewer dimensions than the value, or with size 1 where
/// the value has more elements (an index along one dimension): it is computed for few of them.
static bool lacksDims(Value tensor, Value value) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return true;
  auto own = type.getShape(), all = cast<RankedTensorType>(value.getType()).getShape();
  return own.size() < all.size() ||
         (own.size() == all.size() &&
          llvm::any_of(
              llvm::zip_equal(own, all),
              [](auto sizes) { return std::get<0>(sizes) == 1 && std::get<1>(sizes) != 1; }));
}

/// True if only slices read the value, which together do not have too many elements to compute each
/// by itself (windows that overlap): cheap ops compute it from arguments and from what `isKept`.
static bool isCheapInWindows(Value value, function_ref<bool(Value)> isKept) {
  const std::optional<SlicedElements> elements = countSlicedElements(value, /*isBound=*/true);
  if (!elements)
    return false;
  llvm::SmallSetVector<Operation *, 8> needed;
  SmallVector<Value> stack = {value};
  int64_t numOps = 0;
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || !isa<RankedTensorType>(next.getType()) || isKept(next) || !needed.insert(op))
      continue;
    if (needed.size() > kMaxWindowSeen)
      return false;
    auto reshape = dyn_cast<ReshapeOp>(op);
    // A slice has mostly one of the operands of a selection by an index.
    const bool isMove = isa<BroadcastOp, PermuteOp, SqueezeOp, SliceOp, PadOp, IotaOp>(op) ||
                        (isa<WhereOp>(op) && lacksDims(op->getOperand(0), next)) ||
                        (reshape && keepsElements(reshape));
    numOps += !isMove && !lacksDims(next, value);
    if ((!isMove && !(isPointwise(op) && op->hasTrait<fuser::CheapElement>())) ||
        fuser::detail::isScheduled(op) ||
        numOps * elements->ofSlices > kMaxWindowOps * elements->ofValue)
      return false;
    llvm::append_range(stack, op->getOperands());
  }
  return true;
}

/// True if a reduction or a scan computes the value, or what the value is computed from.
static bool isOfReduction(Value value) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<CombinerOpInterface, ScanOpInterface>(op))
      return true;
    llvm::append_range(stack, op->getOperands());
  }
  return false;
}

/// Of how many parts of a value each may be computed by itself: parts of what is reduced, scanned
/// or normalized are stored by kernels of their own, which must be worth it.
static int64_t getShareOfParts(Operation *producer, ArrayRef<bool> isSliced) {
  constexpr int64_t kShareOfRows = 2;
  if (isa<CombinerOpInterface, ScanOpInterface>(producer))
    return kShareOfRows;
  auto mapping = dyn_cast<DomainMappingOpInterface>(producer);
  const bool isNorm =
      mapping && llvm::any_of(producer->getOpOperands(), [&](OpOperand &operand) {
        SmallVector<DimMap> maps = mapping.getDimMaps(operand.getOperandNumber());
        return llvm::any_of(llvm::enumerate(maps),
                            [&](const auto &map) {
                              return map.value().kind == DimMap::Kind::Broadcast &&
                                     map.index() < isSliced.size() && isSliced[map.index()];
                            }) &&
               !isOfManyElements(operand.get(), producer) && isOfReduction(operand.get());
      });
  return isNorm ? kShareOfRows : 1;
}

/// True if a slice of what `producer` computes may be computed by itself although others read the
/// value as well.
static bool isCheapAlone(SliceOp slice, ArrayRef<bool> isSliced) {
  if (isCheapToCompute(slice.getInput(), kMaxRecomputedOps, [](Value) { return false; }))
    return true;
  auto lacksRows = [&](Value value) {
    auto shape = cast<RankedTensorType>(value.getType()).getShape();
    return shape.size() == isSliced.size() &&
           llvm::all_of(llvm::zip_equal(shape, isSliced),
                        [](auto each) { return !std::get<1>(each) || std::get<0>(each) == 1; });
  };
  // The kernel of a norm stores its rows.
  Operation *producer = slice.getInput().getDefiningOp();
  return (getShareOfParts(producer, isSliced) == 1 &&
          isCheapInWindows(slice.getInput(), lacksRows)) ||
         (isJoinedAgain(slice, isSliced) &&
          isCheapToCompute(slice.getInput(), kMaxJoinedOps, lacksRows));
}

/// By dimension of the operand of a reshape: the dimension of the result that has the same
/// elements, or -1. Nothing if the slice of the result is not a slice of the operand.
static std::optional<SmallVector<int64_t>> getEqualDims(ReshapeOp reshape, SliceOp slice,
                                                        ArrayRef<bool> isSliced) {
  if (fuser::detail::isScheduled(reshape))
    return std::nullopt;
  const ReshapePlan plan = planReshape(reshape);
  SmallVector<int64_t> dims;
  int64_t to = 0;
  for (const ReshapeGroup &group : plan.groups) {
    const bool isOne = group.from == 1 && group.to == 1;
    for (int64_t dim = to; dim < to + group.to; ++dim)
      if (!isOne && isSliced[dim])
        return std::nullopt;
    for (int64_t each = 0; each < group.from; ++each)
      dims.push_back(isOne ? to : -1);
    to += group.to;
  }
  // The sizes of the slice must still determine the groups.
  SmallVector<int64_t> from(reshape.getInput().getType().getShape());
  const ArrayRef<int64_t> shape = slice.getResult().getType().getShape();
  for (auto [dim, equal] : llvm::enumerate(dims))
    if (equal >= 0)
      from[dim] = shape[equal];
  std::string reason;
  if (!planReshape(reshape, from, shape, reason))
    return std::nullopt;
  return dims;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Slices an operand of the producer of the slice's operand. `dims` has the dimension of the sliced
/// result for each dimension of the operand; -1: all elements of it are needed.
static Value sliceOperand(PatternRewriter &rewriter, SliceOp slice, Value operand,
                          ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(operand.getType());
  const int64_t rank = type.getRank();
  // A result size that is static stays so, even if an operand states it.
  SmallVector<int64_t> offsets(rank, 0), sizes(type.getShape()), shape(sizes), strides(rank, 1);
  SmallVector<Value> allOffsets, allSizes, dynamicOffsets, dynamicSizes;
  unsigned nextOffset = 0, nextSize = 0;
  for (auto [offset, size] : llvm::zip_equal(slice.getStaticOffsets(), slice.getStaticSizes())) {
    allOffsets.push_back(ShapedType::isDynamic(offset) ? slice.getOffsets()[nextOffset++]
                                                       : Value());
    allSizes.push_back(ShapedType::isDynamic(size) ? slice.getSizes()[nextSize++] : Value());
  }
  if (llvm::all_of(dims, [&](int64_t from) { return from < 0 || isWhole(slice, from); }))
    return operand;
  for (auto [dim, from] : llvm::enumerate(dims)) {
    if (from < 0 || (type.isDynamicDim(dim) && isWhole(slice, from))) {
      if (type.isDynamicDim(dim))
        dynamicSizes.push_back(buildSize(rewriter, slice.getLoc(), operand, dim));
      continue;
    }
    offsets[dim] = slice.getStaticOffsets()[from];
    sizes[dim] = slice.getStaticSizes()[from];
    shape[dim] = slice.getResult().getType().getDimSize(from);
    if (slice.getStrides())
      strides[dim] = (*slice.getStrides())[from];
    if (allOffsets[from])
      dynamicOffsets.push_back(allOffsets[from]);
    if (allSizes[from])
      dynamicSizes.push_back(allSizes[from]);
  }
  bool hasStrides = llvm::any_of(strides, [](int64_t stride) { return stride != 1; });
  return SliceOp::create(rewriter, slice.getLoc(), type.clone(shape), operand, dynamicOffsets,
                         dynamicSizes, rewriter.getDenseI64ArrayAttr(offsets),
                         rewriter.getDenseI64ArrayAttr(sizes),
                         hasStrides ? rewriter.getDenseI64ArrayAttr(strides) : DenseI64ArrayAttr(),
                         ArrayAttr(), MemoryAttr(), IntegerAttr());
}

/// By dimension of an operand of `op`: the dimension of the result at whose index it is read. A
/// broadcast dimension has the same elements in every slice, and size 1.
static SmallVector<int64_t> getReadDims(Operation *op, OpOperand &operand) {
  SmallVector<int64_t> dims;
  for (const DimMap &map :
       cast<DomainMappingOpInterface>(op).getDimMaps(operand.getOperandNumber()))
    dims.push_back(map.kind == DimMap::Kind::Mapped ? getResultDim(op, map.id) : -1);
  return dims;
}

namespace {

/// slice(f(x, y)) = f(slice(x), slice(y))
struct HoistSlice : CountedPattern<SliceOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(SliceOp op, PatternRewriter &rewriter) const override {
    Operation *producer = op.getInput().getDefiningOp();
    const SmallVector<bool> isSliced = getSlicedDims(op);
    // Equal slices are one.
    auto isEqual = [&](Operation *user) {
      return user == op ||
             OperationEquivalence::isEquivalentTo(user, op, OperationEquivalence::IgnoreLocations);
    };
    if (!producer || producer->getNumResults() != 1 ||
        !(llvm::all_of(producer->getUsers(), isEqual) ||
          isReadInParts(op.getInput(), getShareOfParts(producer, isSliced)) ||
          isCheapAlone(op, isSliced)))
      return rewriter.notifyMatchFailure(op, "its operand is no op's, or is used elsewhere");
    SmallVector<SliceOp> equal;
    for (Operation *user : producer->getUsers())
      if (isEqual(user))
        equal.push_back(cast<SliceOp>(user));
    // Before the first of them.
    for (SliceOp user : equal)
      if (user->isBeforeInBlock(&*rewriter.getInsertionPoint()))
        rewriter.setInsertionPoint(user);
    if (isPassed(producer, isSliced)) {
      if ((isNormalized(producer, op, isSliced) && !isJoinedAgain(op, isSliced)) ||
          isStoredBelowNorm(producer, op, isSliced))
        return rewriter.notifyMatchFailure(op, "its producer reads all of what is sliced");
      return hoist(op, producer, equal, rewriter);
    }
    auto reshape = dyn_cast<ReshapeOp>(producer);
    std::optional<SmallVector<int64_t>> dims =
        reshape ? getEqualDims(reshape, op, isSliced) : std::nullopt;
    if (!dims)
      return rewriter.notifyMatchFailure(op, "its producer reads other elements for each element");
    replace(op, producer, {sliceOperand(rewriter, op, reshape.getInput(), *dims)}, equal, rewriter);
    return success();
  }

private:
  /// A dimension that is not provably whole.
  static SmallVector<bool> getSlicedDims(SliceOp op) {
    return llvm::map_to_vector(llvm::seq<unsigned>(0, op.getInput().getType().getRank()),
                               [&](unsigned dim) { return !isWhole(op, dim); });
  }

  static LogicalResult hoist(SliceOp op, Operation *producer, ArrayRef<SliceOp> equal,
                             PatternRewriter &rewriter) {
    SmallVector<Value> operands;
    for (OpOperand &operand : producer->getOpOperands())
      operands.push_back(
          isa<RankedTensorType>(operand.get().getType())
              ? sliceOperand(rewriter, op, operand.get(), getReadDims(producer, operand))
              : operand.get());
    replace(op, producer, operands, equal, rewriter);
    return success();
  }

  static void replace(SliceOp op, Operation *producer, ArrayRef<Value> operands,
                      ArrayRef<SliceOp> equal, PatternRewriter &rewriter) {
    Value result =
        clonePointwise(rewriter, producer, operands, op.getResult().getType().getShape());
    for (SliceOp user : equal)
      rewriter.replaceOp(user, result);
  }
};

struct HoistSlicesPass : fuser::impl::FuserHoistSlicesBase<HoistSlicesPass> {
  void runOnOperation() override {
    FailureOr<unsigned> count = hoistSlices(getOperation());
    if (failed(count))
      return signalPassFailure();
    numHoisted += *count;
  }
};

} // namespace

/// Replaces slices by equal ones before them.
static void mergeSlices(FusionOp fusion) {
  for (auto slice : llvm::make_early_inc_range(fusion.getBody().front().getOps<SliceOp>())) {
    auto isEarlier = [&](Operation *user) {
      return user != slice && user->isBeforeInBlock(slice) &&
             OperationEquivalence::isEquivalentTo(user, slice,
                                                  OperationEquivalence::IgnoreLocations);
    };
    auto users = slice.getInput().getUsers();
    auto earlier = llvm::find_if(users, isEarlier);
    if (earlier == users.end() || fuser::detail::isScheduled(slice))
      continue;
    slice.getResult().replaceAllUsesWith(earlier->getResult(0));
    slice.erase();
  }
}

FailureOr<unsigned> fuser::hoistSlices(FusionOp fusion) {
  FailureOr<unsigned> numSplit = splitAmounts(fusion);
  if (failed(numSplit) || failed(stateWholeSizes(fusion)))
    return failure();
  unsigned count = *numSplit;
  RewritePatternSet patterns(fusion.getContext());
  patterns.add<HoistSlice>(fusion.getContext(), count);
  addSplitCropPattern(patterns, count);
  addSliceShapePatterns(patterns, count);
  addSliceIndexPatterns(patterns, count);
  applyPatterns(fusion, std::move(patterns));
  mergeSlices(fusion);
  return count;
}
