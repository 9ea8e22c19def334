//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ids of given classes, made of those that an op has.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_IDDERIVATION_H
#define FUSER_IDS_IDDERIVATION_H

#include "fuser/Ids/IdRelations.h"
#include <tuple>

namespace fuser {

/// Makes ids of wanted classes from the ids of one op, through the products of the program: parts
/// are merged, and a whole is split where static types know the extent of a part. Each id is used
/// once.
class IdDerivation {
public:
  /// Transforms are added to `builder`, a domain of the op.
  IdDerivation(const IdRelations &relations, DomainBuilder &builder)
      : relations(relations), builder(builder) {}

  /// Makes an id of the op available.
  void add(unsigned id, unsigned idClass) { available.push_back({id, idClass}); }
  /// Takes an available id of the class, or makes one of available ids; kNoId, with nothing taken,
  /// where that is impossible.
  unsigned take(unsigned idClass);
  /// As `take`, but a `broadcast()` stands for each part that the op lacks: it computes the same
  /// for all indices of that part. At least one part must be there.
  unsigned takePartial(unsigned idClass);
  /// Puts what `replace` returns for an available id and its class in the place of both.
  void replaceRest(
      llvm::function_ref<std::pair<unsigned, unsigned>(unsigned id, unsigned idClass)> replace) {
    for (Entry &entry : available)
      std::tie(entry.id, entry.idClass) = replace(entry.id, entry.idClass);
  }
  /// The ids that are still available, in the order in which they became so.
  llvm::SmallVector<unsigned> getRest() const;

private:
  struct Entry {
    unsigned id, idClass;
  };

  /// `open` holds the classes that are being made: none of them helps to make itself.
  unsigned take(unsigned idClass, bool isPartial, llvm::SmallVectorImpl<unsigned> &open);
  unsigned makeWhole(const IdProduct &product, bool isPartial,
                     llvm::SmallVectorImpl<unsigned> &open);
  unsigned makePart(const IdProduct &product, bool isInner, bool isPartial,
                    llvm::SmallVectorImpl<unsigned> &open);

  const IdRelations &relations;
  DomainBuilder &builder;
  llvm::SmallVector<Entry> available;
};

} // namespace fuser

#endif // FUSER_IDS_IDDERIVATION_H
