//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operands of matrix instructions in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_MMAOPERANDS_H
#define FUSER_LIB_LOWERING_MMAOPERANDS_H

#include "fuser/Dialect/Loop/LoopDialect.h"

namespace fuser {

/// True for a buffer in shared memory that a tile in loops on mma reads.
bool isOperandOfMma(mlir::Value buffer);

/// The rows and columns of a result of mma.sync. More columns are those of a warp group's product,
/// in which each of 4 warps has 16 of 64 rows.
inline constexpr int64_t kMmaRows = 16, kMmaColumns = 8;

/// The loops on mma around a product, rows first; none if there are other numbers of them.
llvm::SmallVector<loop::ForOp, 3> findProductLoops(loop::TileOp tile);
/// True for a product in loops on mma in whose place comes the instruction of a warp group.
bool isProductOfGroup(loop::TileOp tile);
/// The products of warp groups of an op and of all ops in it.
llvm::SmallVector<loop::TileOp> findProductsOfGroups(mlir::Operation *op);
/// True for a buffer that such a product reads.
bool isOperandOfGroup(mlir::Value buffer);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_MMAOPERANDS_H
