//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bufferizes fuser.call (one-shot bufferization).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_CONVERSION_BUFFERIZECALLS_H
#define FUSER_CONVERSION_BUFFERIZECALLS_H

#include "mlir/IR/DialectRegistry.h"

namespace fuser {

/// Registers the bufferization of `fuser.call` for `one-shot-bufferize`: its operands and results
/// become buffers of the types in fuser/Dialect/IR/CallBuffers.h. An operand whose buffer may have
/// another layout is copied into one with that layout.
void registerBufferizableCalls(mlir::DialectRegistry &registry);

} // namespace fuser

#endif // FUSER_CONVERSION_BUFFERIZECALLS_H
