//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Copies that are under way while a loop computes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_TRANSFORMS_PIPELINING_H
#define FUSER_DIALECT_TRANSFORMS_PIPELINING_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// Makes a copy in shared memory a circular buffer of so many stages (at least 2): the serial loop
/// that it is inlined to copies for the iteration `stages - 1` later. With 1, it is none. `byBulk`:
/// one thread copies long pieces, where that is possible. `byProducer`: a thread of a warp that
/// does nothing else, whose threads, and the others, may have numbers of `registers` of their own.
mlir::LogicalResult pipelineCopy(TensorViewOpInterface op, int64_t stages, bool byBulk = false,
                                 bool byProducer = false, llvm::ArrayRef<int64_t> registers = {});
/// Asks for bulk copies from shared memory to an output of the kernel.
mlir::LogicalResult storeByBulk(TensorViewOpInterface op);

} // namespace fuser

#endif // FUSER_DIALECT_TRANSFORMS_PIPELINING_H
