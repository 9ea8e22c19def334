//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Copies between buffers in different layouts are kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_OUTLINECOPIES_H
#define FUSER_LIB_SEGMENTATION_OUTLINECOPIES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/SizeHints.h"
#include "mlir/IR/SymbolTable.h"

namespace fuser {

/// Replaces each `fuser.copy` of `host` that changes the layout by the launch of a kernel that
/// contains one `fuser.set`, which schedulers tile as any other kernel. A copy between dense
/// buffers of one order remains: it is one transfer. So does a copy into a part of a buffer.
/// `hints` are those of the program's arguments. Returns the kernels, in order.
llvm::SmallVector<KernelOp> outlineCopies(HostOp host, const SizeHints &hints,
                                          mlir::SymbolTable &symbols);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_OUTLINECOPIES_H
