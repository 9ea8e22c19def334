//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Derivation of ids of given classes from the ids of an op.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_IDDERIVATION_H
#define FUSER_IDS_IDDERIVATION_H

#include "fuser/Ids/IdRelations.h"
#include <tuple>

namespace fuser {

/// Derives ids of requested classes from the ids of one op, through the products of the program:
/// parts are merged, and a whole is split if the extent of a part is static. Each id is used once.
class IdDerivation {
public:
  /// Transforms are added to `builder`, a domain of the op.
  IdDerivation(const IdRelations &relations, DomainBuilder &builder)
      : relations(relations), builder(builder) {}

  /// Adds an id of the op to the available ids.
  void add(unsigned id, unsigned idClass) { available.push_back({id, idClass}); }
  /// Adds a size-1 id of the op that a consumer broadcasts to the class: `takePartial` has it stand
  /// for that part.
  void addStandIn(unsigned id, unsigned idClass) { standIns.push_back({id, idClass}); }
  /// True for such an id that stands for a part.
  bool isTaken(unsigned standIn) const {
    return llvm::none_of(standIns, [&](const Entry &entry) { return entry.id == standIn; });
  }
  /// Takes an available id of the class, or derives one from available ids; if that is impossible,
  /// returns kNoId and takes none.
  unsigned take(unsigned idClass);
  /// As `take`, but each part that is missing in the op has a stand-in, which is a new
  /// `broadcast()` unless one was added: the op computes the same value for all indices of that
  /// part. The op must have at least one part.
  unsigned takePartial(unsigned idClass);
  /// Replaces each available id and its class by the result of `replace`.
  void replaceRest(
      llvm::function_ref<std::pair<unsigned, unsigned>(unsigned id, unsigned idClass)> replace) {
    for (Entry &entry : available)
      std::tie(entry.id, entry.idClass) = replace(entry.id, entry.idClass);
  }
  /// True if an available id has the class or is a part of it.
  bool hasPartOf(unsigned idClass) const;
  /// The ids that are still available, in the order in which they were added.
  llvm::SmallVector<unsigned> getRest() const;

private:
  struct Entry {
    unsigned id, idClass;
  };

  /// `open` contains the classes that are being derived: a class is not derived from itself.
  unsigned take(unsigned idClass, bool isPartial, llvm::SmallVectorImpl<unsigned> &open);
  unsigned makeStandIn(unsigned idClass);
  unsigned makeWhole(const IdProduct &product, bool isPartial,
                     llvm::SmallVectorImpl<unsigned> &open);
  unsigned makePart(const IdProduct &product, bool isInner, bool isPartial,
                    llvm::SmallVectorImpl<unsigned> &open);

  const IdRelations &relations;
  DomainBuilder &builder;
  llvm::SmallVector<Entry> available, standIns;
};

} // namespace fuser

#endif // FUSER_IDS_IDDERIVATION_H
