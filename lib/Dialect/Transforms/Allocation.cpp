//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Primitives of the allocation domain, and helpers that they share with those of the loop domain.
//
//===----------------------------------------------------------------------===//

#include "DomainEdits.h"
#include "fuser/Dialect/IR/DomainLimits.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"

using namespace mlir;
using namespace fuser;

void fuser::detail::editDomains(TensorViewOpInterface op,
                                function_ref<void(DomainBuilder &)> edit) {
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result) {
    DomainBuilder builder(op.getDomain(result));
    edit(builder);
    op.setDomain(builder.build(), result);
  }
}

LogicalResult fuser::detail::checkAmount(Operation *op, StringRef what, int64_t amount,
                                         int64_t least) {
  if (amount < least)
    return op->emitOpError("expected ")
           << what << " of at least " << least << ", but got " << amount;
  if (amount > kMaxDomainAmount)
    return op->emitOpError("expected ") << what << " of at most 2^40, but got " << amount;
  return success();
}

/// The extent of an id where its transform states it, else nullopt.
static std::optional<int64_t> getStatedExtent(DomainAttr domain, unsigned id) {
  int definition = domain.getDefinition(id);
  if (definition < 0)
    return std::nullopt;
  const DomainTransform &transform = domain.getTransforms()[definition];
  if (transform.kind == TransformKind::Split && transform.outputs[transform.inner] == id)
    return transform.value;
  return std::nullopt;
}

LogicalResult fuser::detail::checkSwizzled(TensorViewOpInterface op, StringRef what,
                                           const SwizzledIds &ids) {
  const DomainAttr domain = op.getDomain();
  auto isKind = [&](unsigned id, IdKind kind) { return domain.getKinds()[id] == kind; };
  // An xor with the index of a reduction would move elements between results, or what is reduced.
  const bool outerReduces = isKind(ids.outerId, IdKind::Reduction);
  if (outerReduces != isKind(ids.innerId, IdKind::Reduction))
    return op->emitOpError("expected swizzled ")
           << what << "s that are both reduced or both not, but " << what << ' '
           << (outerReduces ? ids.outer : ids.inner) << " is reduced and " << what << ' '
           << (outerReduces ? ids.inner : ids.outer) << " is not";
  // If several iterations compute one element, an xor would remove it from some of them.
  for (auto [position, id] : {std::pair(ids.outer, ids.outerId), {ids.inner, ids.innerId}})
    if (isKind(id, IdKind::Broadcast))
      return op->emitOpError("expected swizzled ")
             << what << "s that are no broadcast, but " << what << ' ' << position << " is one";
  const std::optional<int64_t> extent = getStatedExtent(domain, ids.innerId);
  if (!extent || llvm::isPowerOf2_64(*extent))
    return success();
  return op->emitOpError("expected the swizzled ")
         << what << ' ' << ids.inner << " to have an extent that is a power of two, but got "
         << *extent;
}

/// True if `order` contains each of `values` once, and nothing else.
static bool isPermutation(ArrayRef<int64_t> order, ArrayRef<int64_t> values) {
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  return ArrayRef<int64_t>(sorted) == values;
}

LogicalResult fuser::orderAllocation(TensorViewOpInterface op, ArrayRef<int64_t> order) {
  // The results of one op may have different ranks (e.g. after rfactor), so that each is ordered
  // separately.
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result) {
    int64_t rank = op.getDomain(result).getResultIds().size();
    if (!isPermutation(order, llvm::to_vector(llvm::seq<int64_t>(0, rank))))
      return op->emitOpError("expected an order of ")
             << rank << " dimensions, but got [" << order << "]";
  }
  detail::editDomains(op, [&](DomainBuilder &builder) {
    SmallVector<unsigned> dims = builder.build().getResultIds(), allocation;
    for (int64_t dim : order)
      allocation.push_back(dims[dim]);
    builder.setAllocation(allocation);
  });
  return success();
}

/// Positions of the loops that can determine the place of an element: they do not reduce and do not
/// stand for a loop that the op lacks.
static SmallVector<int64_t> getAllocatedLoops(DomainAttr domain) {
  SmallVector<int64_t> positions;
  for (auto [position, id] : llvm::enumerate(domain.getLoop())) {
    int definition = domain.getDefinition(id);
    bool isMissing =
        definition >= 0 && domain.getTransforms()[definition].kind == TransformKind::Broadcast;
    if (domain.getKinds()[id] != IdKind::Reduction && !isMissing)
      positions.push_back(position);
  }
  return positions;
}

LogicalResult fuser::allocateLoops(TensorViewOpInterface op, ArrayRef<int64_t> positions) {
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result) {
    SmallVector<int64_t> own = getAllocatedLoops(op.getDomain(result));
    if (!isPermutation(positions, own))
      return op->emitOpError("expected an order of the loops [")
             << own << "], which neither reduce nor stand for loops of other ops, but got ["
             << positions << "]";
  }
  detail::editDomains(op, [&](DomainBuilder &builder) {
    SmallVector<unsigned> allocation;
    for (int64_t position : positions)
      allocation.push_back(builder.getLoop()[position]);
    builder.setAllocation(allocation);
  });
  return success();
}

LogicalResult fuser::swizzleAllocation(TensorViewOpInterface op, int64_t outer, int64_t inner,
                                       int64_t period) {
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result) {
    int64_t size = op.getDomain(result).getAllocation().size();
    for (int64_t position : {outer, inner})
      if (position < 0 || position >= size)
        return op->emitOpError("expected one of ")
               << size << " positions of the allocation, but got " << position;
  }
  if (outer == inner)
    return op->emitOpError("expected two different positions of the allocation, but got ")
           << outer << " twice";
  if (failed(detail::checkAmount(op, "a swizzle period", period, 1)))
    return failure();
  const ArrayRef<unsigned> places = op.getDomain().getAllocation();
  if (failed(detail::checkSwizzled(op, "position", {outer, inner, places[outer], places[inner]})))
    return failure();
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result) {
    DomainAttr old = op.getDomain(result);
    DomainBuilder builder(old);
    SmallVector<unsigned> allocation(old.getAllocation());
    // The builder replaces ids in loops as well, but the loops must not change.
    builder.setLoop({}, {});
    std::tie(allocation[outer], allocation[inner]) =
        builder.swizzle(allocation[outer], allocation[inner], period);
    builder.setLoop(old.getLoop(), old.getParallel());
    builder.setAllocation(allocation, old.getContiguity());
    op.setDomain(builder.build(), result);
  }
  return success();
}
