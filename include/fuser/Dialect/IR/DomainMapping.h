//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Maps the root ids of an op to the dimensions of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_DOMAINMAPPING_H
#define FUSER_DIALECT_IR_DOMAINMAPPING_H

#include "fuser/Dialect/IR/Domain.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"

namespace fuser {

/// One dimension of a tensor operand as a function of the root ids of its user.
struct DimMap {
  enum class Kind {
    /// index = root[id]; equal extents.
    Mapped,
    /// index = 0: an operand of size 1 that is repeated along root[id] (broadcast by a pointwise
    /// op, or expanded), or squeezed (id = kNoId).
    Broadcast,
    /// index = root[id] * step + offset - minus - (the extents in minusExtents); if the op sets
    /// `mayReadOutside`, it supplies another value outside of the operand's extent.
    Resized,
    /// index = the element of operand `indexOperand` at the same root index; an index outside of
    /// the operand's extent does not read.
    Indirect,
    /// The op reads the whole dimension at once (sort, sdpa), and no root id corresponds to it.
    Whole,
  };
  Kind kind = Kind::Broadcast;
  /// Mapped, Resized, Broadcast: the root id's position.
  unsigned id = kNoId;
  /// Resized: the offset (static, or an index operand of the op), and the step.
  mlir::OpFoldResult offset;
  int64_t step = 1;
  /// Resized: an index operand of the op that is subtracted; null: none.
  mlir::Value minus;
  /// Resized: extents that are subtracted as well, as (operand number, dimension).
  llvm::SmallVector<std::pair<unsigned, unsigned>, 0> minusExtents;
  /// Indirect: the operand that supplies the index.
  unsigned indexOperand = 0;

  static DimMap mapped(unsigned id) {
    DimMap map;
    map.kind = Kind::Mapped;
    map.id = id;
    return map;
  }
  static DimMap broadcast(unsigned id = kNoId) {
    DimMap map;
    map.id = id;
    return map;
  }
  static DimMap resized(unsigned id, mlir::OpFoldResult offset, int64_t step = 1) {
    DimMap map = mapped(id);
    map.kind = Kind::Resized;
    map.offset = offset;
    map.step = step;
    return map;
  }
  static DimMap indirect(unsigned indexOperand) {
    DimMap map;
    map.kind = Kind::Indirect;
    map.indexOperand = indexOperand;
    return map;
  }
  static DimMap whole() {
    DimMap map;
    map.kind = Kind::Whole;
    return map;
  }
};

namespace detail {
/// Default of DomainMappingOpInterface::inferRootExtents.
llvm::SmallVector<mlir::AffineExpr>
inferRootExtentsFromMaps(mlir::Operation *op,
                         llvm::ArrayRef<llvm::SmallVector<mlir::AffineExpr>> operandExtents);
} // namespace detail

} // namespace fuser

#endif // FUSER_DIALECT_IR_DOMAINMAPPING_H
