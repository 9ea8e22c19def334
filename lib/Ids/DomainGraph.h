//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The ids of one domain as nodes of a graph.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_IDS_DOMAINGRAPH_H
#define FUSER_LIB_IDS_DOMAINGRAPH_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/IdGraph.h"
#include "llvm/ADT/SmallBitVector.h"

namespace fuser {

/// Adds a node for each id of `domain`, a domain of `op`, with the domain's transforms and
/// products. Returns the node of id 0; the others follow. A merge whose inner input is one of
/// `repeated` or derived from one has an index that depends on the extent of that input: it is
/// congruent only with other such merges.
unsigned addDomain(IdGraph &graph, TensorViewOpInterface op, DomainAttr domain,
                   const llvm::SmallBitVector *repeated = nullptr);

} // namespace fuser

#endif // FUSER_LIB_IDS_DOMAINGRAPH_H
