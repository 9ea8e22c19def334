//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Domains of ops without a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_IR_TRIVIALDOMAINS_H
#define FUSER_LIB_DIALECT_IR_TRIVIALDOMAINS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/DenseMap.h"
#include <shared_mutex>

namespace fuser::detail {

/// The domain that has nothing but logical ids, by their kinds. Analyses ask for it many times per
/// op, and building and uniquing an attribute costs more than looking it up.
class TrivialDomains : public mlir::DialectInterface::Base<TrivialDomains> {
public:
  TrivialDomains(mlir::Dialect *dialect) : Base(dialect) {}

  /// Thread-safe.
  DomainAttr get(llvm::ArrayRef<IdKind> kinds) const;

private:
  /// The number and the kinds of up to 28 ids.
  mutable llvm::DenseMap<uint64_t, DomainAttr> domains;
  mutable std::shared_mutex mutex;
};

} // namespace fuser::detail

#endif // FUSER_LIB_DIALECT_IR_TRIVIALDOMAINS_H
