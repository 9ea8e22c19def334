//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How fuser.call becomes a call on buffers (one-shot bufferization).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_CONVERSION_BUFFERIZECALLS_H
#define FUSER_CONVERSION_BUFFERIZECALLS_H

#include "mlir/IR/DialectRegistry.h"

namespace fuser {

/// Lets `one-shot-bufferize` take `fuser.call`: its operands and results become buffers of the
/// types in fuser/Dialect/IR/CallBuffers.h. An operand whose buffer may lie otherwise is copied
/// into one that lies so.
void registerBufferizableCalls(mlir::DialectRegistry &registry);

} // namespace fuser

#endif // FUSER_CONVERSION_BUFFERIZECALLS_H
