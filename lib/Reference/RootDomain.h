//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Maps elements of an operand to elements of the result through a root domain (rfactor).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_REFERENCE_ROOTDOMAIN_H
#define FUSER_LIB_REFERENCE_ROOTDOMAIN_H

#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/SmallVector.h"

namespace fuser::reference {

/// Follows the transforms of a domain from its root ids to its logical ids.
class RootDomain {
public:
  /// `rootExtents`: the extent of each root id, in order.
  RootDomain(DomainAttr domain, llvm::ArrayRef<int64_t> rootExtents);

  /// Extents of the logical ids that are not reductions: the result's shape.
  llvm::ArrayRef<int64_t> getResultShape() const { return resultShape; }
  /// Row-major position in the result for an index of the root ids.
  int64_t getResultPosition(llvm::ArrayRef<int64_t> rootIndex);

private:
  DomainAttr domain;
  llvm::SmallVector<unsigned> resultIds;
  /// By id.
  llvm::SmallVector<int64_t> extents, values;
  llvm::SmallVector<int64_t> resultShape;
};

} // namespace fuser::reference

#endif // FUSER_LIB_REFERENCE_ROOTDOMAIN_H
