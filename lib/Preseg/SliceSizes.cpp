//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SliceSizes.h"
#include "PointwiseOps.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Ids/Extents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

int64_t fuser::getResultDim(Operation *op, unsigned id) {
  SmallVector<unsigned> ids = cast<TensorViewOpInterface>(op).getTrivialDomain(0).getResultIds();
  auto *it = llvm::find(ids, id);
  return it == ids.end() ? -1 : it - ids.begin();
}

/// The dimension of the operand of a reshape that `dim` of the result is, unsplit and unmerged.
static std::optional<std::pair<Value, unsigned>> findSourceOfReshape(ReshapeOp reshape,
                                                                     unsigned dim) {
  unsigned from = 0, to = 0;
  for (const ReshapeGroup &group : planReshape(reshape).groups) {
    if (dim == to && group.from == 1 && group.to == 1)
      return std::pair(Value(reshape.getInput()), from);
    from += group.from;
    to += group.to;
  }
  return std::nullopt;
}

/// The dimension of an operand that is `dim` of the result of `op`; nothing if there is none.
static std::optional<std::pair<Value, unsigned>> findSource(Operation *op, unsigned dim) {
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op))
    return findSourceOfReshape(reshape, dim);
  auto mapping = dyn_cast_or_null<DomainMappingOpInterface>(op);
  if (!mapping || !cast<TensorViewOpInterface>(op).getTrivialDomain(0).getRoot().empty())
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands())
    for (auto [from, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
      if (map.kind == DimMap::Kind::Mapped && getResultDim(op, map.id) == int64_t(dim))
        return std::pair(operand.get(), unsigned(from));
  return std::nullopt;
}

/// The value that a dimension is a dimension of first, and the dimension of this value.
static std::pair<Value, unsigned> findRoot(Value value, unsigned dim) {
  while (auto source = findSource(value.getDefiningOp(), dim))
    std::tie(value, dim) = *source;
  return {value, dim};
}

Value fuser::buildSize(OpBuilder &builder, Location loc, Value value, unsigned dim) {
  auto isStatic = [&] { return !cast<RankedTensorType>(value.getType()).isDynamicDim(dim); };
  std::optional<std::pair<Value, unsigned>> source;
  while (!isStatic() && (source = findSource(value.getDefiningOp(), dim)))
    std::tie(value, dim) = *source;
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

bool fuser::isWhole(SliceOp slice, unsigned dim) {
  if (!startsAtZero(slice, dim))
    return false;
  OpOperand *size = findSize(slice, dim);
  if (!size)
    return slice.getStaticSizes()[dim] == slice.getInput().getType().getDimSize(dim);
  auto query = size->get().getDefiningOp<tensor::DimOp>();
  std::optional<int64_t> index = query ? query.getConstantIndex() : std::nullopt;
  return index && findRoot(query.getSource(), *index) == findRoot(slice.getInput(), dim);
}

bool fuser::isReadInParts(Value value, int64_t share) {
  SmallVector<SliceOp> slices;
  for (Operation *user : value.getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice || fuser::detail::isScheduled(slice))
      return false;
    slices.push_back(slice);
  }
  // What all of them have whole does not matter, and may be dynamic.
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<unsigned> dims;
  for (unsigned dim : llvm::seq<unsigned>(0, type.getRank()))
    if (!llvm::all_of(slices, [&](SliceOp slice) { return isWhole(slice, dim); }))
      dims.push_back(dim);
  auto count = [&](ArrayRef<int64_t> sizes) {
    return getStaticProduct(llvm::map_to_vector(dims, [&](unsigned dim) { return sizes[dim]; }));
  };
  const std::optional<int64_t> all = count(type.getShape());
  int64_t rest = all.value_or(0) / share;
  return all && llvm::all_of(slices, [&](SliceOp slice) {
           const std::optional<int64_t> elements = count(slice.getStaticSizes());
           if (!elements || *elements > rest)
             return false;
           rest -= *elements;
           return true;
         });
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
    // A query of another op's result would be a use of it.
    if (!all || !read || !extents->isProvablyEqual(all, read) ||
        !isa<BlockArgument>(findRoot(slice.getInput(), dim).first))
      continue;
    OpBuilder builder(slice);
    size->set(buildSize(builder, slice.getLoc(), slice.getInput(), dim));
  }
  return success();
}
