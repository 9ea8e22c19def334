//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Search for merges and splits that derive an id of a class.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/IdDerivation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fuser;

unsigned IdDerivation::take(unsigned idClass) {
  SmallVector<unsigned> open;
  return take(idClass, /*isPartial=*/false, open);
}

unsigned IdDerivation::takePartial(unsigned idClass) {
  SmallVector<unsigned> open;
  return take(idClass, /*isPartial=*/true, open);
}

bool IdDerivation::hasPartOf(unsigned idClass) const {
  if (idClass == IdRelations::kNone)
    return false;
  const llvm::SmallSetVector<unsigned, 8> parts = relations.getParts(idClass);
  return llvm::any_of(available, [&](const Entry &entry) { return parts.contains(entry.idClass); });
}

SmallVector<unsigned> IdDerivation::getRest() const {
  return llvm::map_to_vector(available, [](const Entry &entry) { return entry.id; });
}

unsigned IdDerivation::take(unsigned idClass, bool isPartial, SmallVectorImpl<unsigned> &open) {
  auto *found =
      llvm::find_if(available, [&](const Entry &entry) { return entry.idClass == idClass; });
  if (found != available.end()) {
    unsigned id = found->id;
    available.erase(found);
    return id;
  }
  if (llvm::is_contained(open, idClass))
    return kNoId;
  open.push_back(idClass);
  unsigned id = kNoId;
  for (const IdProduct &product : relations.getProducts()) {
    if (product.whole == idClass)
      id = makeWhole(product, isPartial, open);
    else if (product.canSplit() && (product.outer == idClass || product.inner == idClass))
      id = makePart(product, product.inner == idClass, isPartial, open);
    if (id != kNoId)
      break;
  }
  open.pop_back();
  return id;
}

unsigned IdDerivation::makeStandIn(unsigned idClass) {
  auto *found =
      llvm::find_if(standIns, [&](const Entry &entry) { return entry.idClass == idClass; });
  if (found == standIns.end())
    return builder.broadcast(builder.getLoop().size());
  const unsigned id = found->id;
  standIns.erase(found);
  return id;
}

unsigned IdDerivation::makeWhole(const IdProduct &product, bool isPartial,
                                 SmallVectorImpl<unsigned> &open) {
  // If only one of the parts can be derived, all changes are undone.
  const SmallVector<Entry> before = available, standInsBefore = standIns;
  const DomainBuilder builderBefore = builder;
  unsigned outer = take(product.outer, isPartial, open);
  unsigned inner = take(product.inner, isPartial, open);
  const bool hasEnough =
      isPartial ? outer != kNoId || inner != kNoId : outer != kNoId && inner != kNoId;
  if (!hasEnough) {
    available = before;
    standIns = standInsBefore;
    builder = builderBefore;
    return kNoId;
  }
  if (outer == kNoId)
    outer = makeStandIn(product.outer);
  if (inner == kNoId)
    inner = makeStandIn(product.inner);
  return builder.merge(outer, inner);
}

unsigned IdDerivation::makePart(const IdProduct &product, bool isInner, bool isPartial,
                                SmallVectorImpl<unsigned> &open) {
  unsigned whole = take(product.whole, isPartial, open);
  if (whole == kNoId)
    return kNoId;
  auto [outer, inner] = product.innerExtent
                            ? builder.split(whole, std::max<int64_t>(*product.innerExtent, 1))
                            : builder.split(whole, std::max<int64_t>(*product.outerExtent, 1),
                                            /*inner=*/false);
  if (isInner)
    add(outer, product.outer);
  else
    add(inner, product.inner);
  return isInner ? inner : outer;
}
