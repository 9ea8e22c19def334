//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Private to the room: which op each line of PTX came from.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_TARGET_NVVM_LINEINFO_H
#define FUSER_LIB_TARGET_NVVM_LINEINFO_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <string>
#include <vector>

namespace fuser::nvvm {

/// Gives the functions of a lowered module line tables. Ops without a FileLineColLoc are in line 0.
void addLineTables(mlir::gpu::GPUModuleOp lowered);

/// Removes the directives and labels of line tables from `ptx`, so that it is the text that code
/// without line tables has. Returns the line number of each remaining line; 0: none.
std::vector<unsigned> takeLineTable(std::string &ptx);

} // namespace fuser::nvvm

#endif // FUSER_LIB_TARGET_NVVM_LINEINFO_H
