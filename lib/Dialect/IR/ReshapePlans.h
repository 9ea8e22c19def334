//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Plans of reshapes that were made before.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DIALECT_IR_RESHAPEPLANS_H
#define FUSER_LIB_DIALECT_IR_RESHAPEPLANS_H

#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <shared_mutex>

namespace fuser::detail {

/// The plan of a reshape by its types and groups. Segmentation builds many kernels with the same
/// reshapes, and analyses ask each of them for its ids many times.
class ReshapePlans : public mlir::DialectInterface::Base<ReshapePlans> {
public:
  struct Entry {
    ReshapePlan plan;
    /// Of the root ids.
    llvm::SmallVector<IdKind> kinds;
  };

  ReshapePlans(mlir::Dialect *dialect) : Base(dialect) {}

  /// Of a verified op. Thread-safe; lives as long as the context.
  const Entry &get(ReshapeOp op) const;

private:
  /// The types of the operand and of the result, and the stated groups.
  using Key = std::tuple<mlir::Type, mlir::Type, mlir::Attribute, mlir::Attribute>;
  mutable llvm::DenseMap<Key, std::unique_ptr<Entry>> entries;
  mutable std::shared_mutex mutex;
};

} // namespace fuser::detail

#endif // FUSER_LIB_DIALECT_IR_RESHAPEPLANS_H
