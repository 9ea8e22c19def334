//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SliceSizes.h"
#include "PointwiseOps.h"
#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Ids/Extents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace fuser;

int64_t fuser::getResultDim(Operation *op, unsigned id) {
  SmallVector<unsigned> ids = cast<TensorViewOpInterface>(op).getTrivialDomain(0).getResultIds();
  auto *it = llvm::find(ids, id);
  return it == ids.end() ? -1 : it - ids.begin();
}

/// The dimension of the operand of a reshape that `dim` of the result is, unsplit and unmerged but
/// for dimensions of size 1.
static std::optional<std::pair<Value, unsigned>> findSourceOfReshape(ReshapeOp reshape,
                                                                     unsigned dim) {
  ArrayRef<int64_t> shapes[] = {reshape.getInput().getType().getShape(),
                                reshape.getResult().getType().getShape()};
  // The dimension among `count` from `first` on that is the only one of a size other than 1.
  auto findLong = [](ArrayRef<int64_t> shape, unsigned first, unsigned count) {
    std::optional<unsigned> found;
    for (unsigned each = first; each < first + count; ++each) {
      if (shape[each] == 1)
        continue;
      if (found)
        return std::optional<unsigned>();
      found = each;
    }
    return found;
  };
  unsigned from = 0, to = 0;
  for (const ReshapeGroup &group : planReshape(reshape).groups) {
    std::optional<unsigned> source = findLong(shapes[0], from, group.from);
    if (source && findLong(shapes[1], to, group.to) == dim)
      return std::pair(Value(reshape.getInput()), *source);
    from += group.from;
    to += group.to;
  }
  return std::nullopt;
}

/// The dimension of an operand that is `dim` of the result of `op`; nothing if there is none.
static std::optional<std::pair<Value, unsigned>> findSource(Operation *op, unsigned dim) {
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op))
    return findSourceOfReshape(reshape, dim);
  // The ids of an update are those of what it stores.
  if (auto update = dyn_cast_or_null<UpdateOpInterface>(op))
    return std::pair(op->getOperand(update.getUpdatedOperand()), dim);
  auto mapping = dyn_cast_or_null<DomainMappingOpInterface>(op);
  if (!mapping || !cast<TensorViewOpInterface>(op).getTrivialDomain(0).getRoot().empty())
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands())
    for (auto [from, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
      if (map.kind == DimMap::Kind::Mapped && getResultDim(op, map.id) == int64_t(dim))
        return std::pair(operand.get(), unsigned(from));
  return std::nullopt;
}

/// The operand that states the size of a dimension; null if it is static.
static OpOperand *findSize(SliceOp slice, unsigned dim) {
  if (!ShapedType::isDynamic(slice.getStaticSizes()[dim]))
    return nullptr;
  const unsigned number =
      llvm::count_if(slice.getStaticSizes().take_front(dim), ShapedType::isDynamic);
  return &slice.getSizesMutable()[number];
}

static bool startsAtZero(SliceOp slice, unsigned dim) {
  return slice.getStaticOffsets()[dim] == 0 &&
         (!slice.getStrides() || (*slice.getStrides())[dim] == 1);
}

using DimOfValue = std::pair<Value, unsigned>;

static DimOfValue findRoot(Value value, unsigned dim);

/// True if the value is the size of the dimension `dim` of `input`, of which `root` is the root.
static bool isSizeOf(Value size, Value input, unsigned dim, DimOfValue root) {
  if (auto slice = root.first.getDefiningOp<SliceOp>())
    if (OpOperand *stated = findSize(slice, root.second); stated && stated->get() == size)
      return true;
  auto query = size.getDefiningOp<tensor::DimOp>();
  std::optional<int64_t> index = query ? query.getConstantIndex() : std::nullopt;
  return index && (DimOfValue(query.getSource(), *index) == DimOfValue(input, dim) ||
                   findRoot(query.getSource(), *index) == root);
}

/// The value that a dimension is a dimension of first, and the dimension of this value. A slice
/// that has all of a dimension has the dimension of its operand.
static DimOfValue findRoot(Value value, unsigned dim) {
  while (auto source = findSource(value.getDefiningOp(), dim))
    std::tie(value, dim) = *source;
  auto slice = value.getDefiningOp<SliceOp>();
  OpOperand *size = slice && startsAtZero(slice, dim) ? findSize(slice, dim) : nullptr;
  if (!size)
    return {value, dim};
  const DimOfValue root = findRoot(slice.getInput(), dim);
  return isSizeOf(size->get(), slice.getInput(), dim, root) ? root : DimOfValue(value, dim);
}

bool fuser::hasUnitSteps(SliceOp slice) {
  return !slice.getStrides() ||
         llvm::all_of(*slice.getStrides(), [](int64_t step) { return step == 1; });
}

Value fuser::buildSize(OpBuilder &builder, Location loc, Value value, unsigned dim) {
  auto isStatic = [&] { return !cast<RankedTensorType>(value.getType()).isDynamicDim(dim); };
  std::optional<DimOfValue> source;
  while (!isStatic() && (source = findSource(value.getDefiningOp(), dim)))
    std::tie(value, dim) = *source;
  if (!isStatic())
    std::tie(value, dim) = findRoot(value, dim);
  if (auto slice = value.getDefiningOp<SliceOp>())
    if (OpOperand *size = findSize(slice, dim))
      return size->get();
  if (isStatic())
    return arith::ConstantIndexOp::create(builder, loc,
                                          cast<RankedTensorType>(value.getType()).getDimSize(dim));
  for (Operation *user : value.getUsers())
    if (auto size = dyn_cast<tensor::DimOp>(user);
        size && size.getConstantIndex() == int64_t(dim) &&
        size->getBlock() == builder.getInsertionBlock() &&
        size->isBeforeInBlock(&*builder.getInsertionPoint()))
      return size;
  return tensor::DimOp::create(builder, loc, value, dim);
}

bool fuser::isWhole(SliceOp slice, unsigned dim) {
  if (!startsAtZero(slice, dim))
    return false;
  OpOperand *size = findSize(slice, dim);
  if (!size)
    return slice.getStaticSizes()[dim] == slice.getInput().getType().getDimSize(dim);
  return isSizeOf(size->get(), slice.getInput(), dim, findRoot(slice.getInput(), dim));
}

std::optional<SlicedElements> fuser::countSlicedElements(Value value, bool isBound) {
  SmallVector<SliceOp> slices;
  for (Operation *user : value.getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice || fuser::detail::isScheduled(slice))
      return std::nullopt;
    // Equal slices have the same elements.
    if (llvm::none_of(slices, [&](SliceOp other) {
          return OperationEquivalence::isEquivalentTo(slice, other,
                                                      OperationEquivalence::IgnoreLocations);
        }))
      slices.push_back(slice);
  }
  // What all of them have whole does not matter, and may be dynamic.
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<unsigned> dims;
  for (unsigned dim : llvm::seq<unsigned>(0, type.getRank()))
    if (!llvm::all_of(slices, [&](SliceOp slice) { return isWhole(slice, dim); }) &&
        !(isBound && type.isDynamicDim(dim)))
      dims.push_back(dim);
  auto count = [&](ArrayRef<int64_t> sizes) {
    return getStaticProduct(llvm::map_to_vector(dims, [&](unsigned dim) {
      return isBound && ShapedType::isDynamic(sizes[dim]) ? type.getDimSize(dim) : sizes[dim];
    }));
  };
  const std::optional<int64_t> all = count(type.getShape());
  if (!all)
    return std::nullopt;
  SlicedElements elements{*all, 0};
  for (SliceOp slice : slices) {
    const std::optional<int64_t> own = count(slice.getStaticSizes());
    if (!own || llvm::AddOverflow(elements.ofSlices, *own, elements.ofSlices))
      return std::nullopt;
  }
  return elements;
}

bool fuser::isReadInParts(Value value, int64_t share) {
  const std::optional<SlicedElements> elements = countSlicedElements(value);
  return elements && elements->ofSlices <= elements->ofValue / share;
}

LogicalResult fuser::stateWholeSizes(FusionOp fusion) {
  SmallVector<std::pair<SliceOp, unsigned>> candidates;
  for (SliceOp slice : fusion.getBody().front().getOps<SliceOp>())
    for (unsigned dim = 0; dim < slice.getStaticSizes().size(); ++dim)
      if (!fuser::detail::isScheduled(slice) && slice.getInput().getType().isDynamicDim(dim) &&
          findSize(slice, dim) && startsAtZero(slice, dim) && !isWhole(slice, dim))
        candidates.emplace_back(slice, dim);
  if (candidates.empty())
    return success();
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(fusion);
  if (failed(extents))
    return failure();
  for (auto [slice, dim] : candidates) {
    OpOperand *size = findSize(slice, dim);
    AffineExpr all = extents->getExtent(slice.getInput(), dim),
               read = extents->getScalar(size->get());
    if (!all || !read || !extents->isProvablyEqual(all, read))
      continue;
    // A query of another op's result would be a use of it. A slice states its size.
    const Value root = findRoot(slice.getInput(), dim).first;
    if (!isa<BlockArgument>(root) && !isa<SliceOp>(root.getDefiningOp()))
      continue;
    OpBuilder builder(slice);
    size->set(buildSize(builder, slice.getLoc(), slice.getInput(), dim));
  }
  return success();
}

void fuser::keepBounds(Operation *op, const ExtentAnalysis &extents, OpBuilder &builder) {
  auto fusion = cast<FusionOp>(op->getParentOp());
  ExtentValues values(extents, fusion.getArguments(), builder, op->getLoc());
  for (const ExtentAnalysis::Bound &bound : extents.getImpliedBounds())
    if (bound.op == op)
      ExpectOp::create(builder, op->getLoc(), values.build(bound.lhs), values.build(bound.rhs),
                       ("box of '" + op->getName().getStringRef() + "'").str(), /*at_most=*/true);
}
