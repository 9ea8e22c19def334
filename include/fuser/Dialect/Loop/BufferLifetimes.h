//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// When the buffers of a kernel in shared memory are in use, from the kernel's text.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_LOOP_BUFFERLIFETIMES_H
#define FUSER_DIALECT_LOOP_BUFFERLIFETIMES_H

#include "fuser/Dialect/Loop/LoopDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace fuser::loop {

/// The text as a sequence of numbered ops: a loop begins before its body and ends after it.
class BufferLifetimes {
public:
  explicit BufferLifetimes(KernelOp kernel);

  /// From one op to another, both included.
  struct Interval {
    unsigned begin, end;
    bool meets(const Interval &other) const { return begin <= other.end && other.begin <= end; }
  };

  /// The buffers in shared memory, in the order of the text.
  llvm::ArrayRef<BufferOp> getBuffers() const { return buffers; }
  /// From the first to the last access. A buffer that is accessed in a loop and outside of it is in
  /// use through all iterations of the loop.
  Interval get(BufferOp buffer) const;

private:
  Interval getOfRoles(RolesOp roles, llvm::ArrayRef<mlir::Operation *> users) const;

  llvm::SmallVector<BufferOp> buffers;
  llvm::DenseMap<mlir::Operation *, Interval> numbers;
};

} // namespace fuser::loop

#endif // FUSER_DIALECT_LOOP_BUFFERLIFETIMES_H
