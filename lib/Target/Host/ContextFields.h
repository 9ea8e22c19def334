//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Access to the fuser_host_context of a lowered kernel.
//===----------------------------------------------------------------------===//
#ifndef FUSER_LIB_TARGET_HOST_CONTEXTFIELDS_H
#define FUSER_LIB_TARGET_HOST_CONTEXTFIELDS_H

#include "fuser/Artifact/HostABI.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <cstddef>

namespace fuser::host {

/// Loads a value that is constant while the entry runs, so that one load serves all uses.
inline mlir::Value loadInvariant(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                                 mlir::Value address) {
  return mlir::LLVM::LoadOp::create(builder, loc, type, address, /*alignment=*/0,
                                    /*isVolatile=*/false, /*isNonTemporal=*/false,
                                    /*isInvariant=*/true);
}

/// Loads the field at `offset` bytes of the context that `entry` was called with.
inline mlir::Value loadContextField(mlir::OpBuilder &builder, mlir::Location loc,
                                    mlir::LLVM::LLVMFuncOp entry, mlir::Type type, size_t offset) {
  mlir::Value context = entry.getArgument(0);
  mlir::Value address =
      mlir::LLVM::GEPOp::create(builder, loc, context.getType(), builder.getI8Type(), context,
                                mlir::ArrayRef<mlir::LLVM::GEPArg>{static_cast<int32_t>(offset)});
  return loadInvariant(builder, loc, type, address);
}

} // namespace fuser::host

#endif // FUSER_LIB_TARGET_HOST_CONTEXTFIELDS_H
