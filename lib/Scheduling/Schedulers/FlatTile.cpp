//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Vectors over all dimensions, which cross the ends of rows: rows of odd length begin at no
// multiple of a vector, but their elements are adjacent. Each lane loads its own element of a
// broadcast operand, which stays in the L1 cache. The last vector may be partial.
//
//===----------------------------------------------------------------------===//

#include "MovedReads.h"
#include "PointwiseTile.h"

using namespace mlir;
using namespace fuser;

/// How many times as wide vectors are at least: in general, and if lanes look up elements on their
/// own for vectors of less than an access.
constexpr int64_t kLeastGain = 2, kLeastGainOfParts = 4;

/// True if the tensor has some of the dimensions, not all, in their order: its index consists of
/// quotients and remainders. It is cheap if they are successive, the remainder of one quotient (the
/// channel of an image), or if sizes are constants and lanes share elements (pixels that are
/// repeated along rows and columns).
static bool hasSome(const KernelView &kernel, const GlobalTensor &tensor, ArrayRef<unsigned> all) {
  const SmallVector<unsigned> own = getConcrete(kernel, tensor.order);
  if (own.size() >= all.size())
    return false;
  const auto *place = own.empty() ? all.begin() : llvm::find(all, own.front());
  if (own.size() <= size_t(all.end() - place) && ArrayRef(place, own.size()) == ArrayRef(own))
    return true;
  if (own.back() == all.back())
    return false;
  for (unsigned dimClass : own) {
    place = std::find(place, all.end(), dimClass);
    if (place == all.end())
      return false;
    ++place;
  }
  return areConstant(kernel, all);
}

/// True if the tensor has all dimensions, the fastest one at an offset: a pad or a slice reads it.
static bool isAtOffset(const KernelView &kernel, const GlobalTensor &tensor,
                       ArrayRef<unsigned> all) {
  const SmallVector<unsigned> own = getConcrete(kernel, tensor.order);
  return own.size() == all.size() && own.back() != all.back() &&
         ArrayRef(own).drop_back() == all.drop_back() &&
         findInReference(kernel, own.back(), all) == all.back();
}

/// Makes one division serve all lanes: `fastest` is as long as a vector, or a constant. Rows of one
/// element are not told from columns.
static bool requireCheapIndex(Requirements &requirements, unsigned fastest, int64_t vector) {
  const std::optional<int64_t> size = requirements.getSize(fastest);
  if (!size || *size < 2)
    return false;
  return *size >= vector ? requirements.requireAtLeast(fastest, vector)
                         : requirements.requireExactly(fastest);
}

std::optional<PointwiseTile> fuser::chooseFlatTile(const KernelView &kernel,
                                                   Requirements &requirements,
                                                   const ReferenceOutput &reference,
                                                   const PointwiseTile &tile,
                                                   int64_t mostElements) {
  const SmallVector<unsigned> all = getConcrete(kernel, reference.classes);
  // Of several parts, as of a concatenation, each lane would look for its own. Every n-th element
  // is no part.
  if (all.empty() || readsAcross(kernel, all) ||
      llvm::count_if(kernel.getResizes(),
                     [&](const auto &each) { return !isOfEveryNth(kernel, each); }) > 1 ||
      llvm::any_of(kernel.getOps(), [](TensorViewOpInterface op) {
        return readsBy(op, {DimMap::Kind::Indirect, DimMap::Kind::Whole});
      }))
    return std::nullopt;
  bool isLooked = false;
  for (const GlobalTensor &whole : kernel.getTensors()) {
    if (whole.isAdjacent(all))
      continue;
    const GlobalTensor tensor = getReadTensor(kernel, whole);
    if (tensor.isOutput || !(hasSome(kernel, tensor, all) || isAtOffset(kernel, tensor, all)))
      return std::nullopt;
    isLooked |= !getConcrete(kernel, tensor.order).empty();
  }
  auto isFull = [&](const GlobalTensor &tensor) { return tensor.isAdjacent(all); };
  const int64_t vector =
      std::min(requirements.getAccessWidth(all, kAccessBytes, isFull), mostElements);
  int64_t widest = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (isFull(tensor))
      widest = std::max(widest, tensor.elementBytes);
  const bool hasParts = isLooked && vector * widest < kAccessBytes;
  if (vector < (hasParts ? kLeastGainOfParts : kLeastGain) * tile.vector ||
      (isLooked && !requireCheapIndex(requirements, all.back(), vector)))
    return std::nullopt;
  PointwiseTile flat{kPointwiseThreads, vector, /*unroll=*/1, /*rows=*/1};
  flat.isRagged = requirements.getDivisor(all, vector) < vector;
  return flat;
}
