//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Elements of buffers: SSA values where the indices of all accesses are constants, else memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EXPANDBUFFERS_H
#define FUSER_LIB_LOWERING_EXPANDBUFFERS_H

#include "ExpandKernel.h"
#include "llvm/ADT/DenseSet.h"

namespace fuser {

/// Values of elements are scalars, or vectors of `count` consecutive elements.
class ExpandedBuffers {
public:
  ExpandedBuffers(loop::KernelOp kernel, ExpandedKernel &expanded);

  /// The buffer begins: no element is defined.
  void start(loop::BufferOp buffer);
  /// True if the elements of the buffer are SSA values: reads have no effect and need no guard.
  bool isSSA(mlir::Value buffer) const { return ssa.contains(buffer); }
  /// An element that was not written is 0.
  mlir::Value load(mlir::Value buffer, mlir::Value offset, loop::AccessAttr access, int64_t count);
  mlir::Value loadThroughL2(mlir::Value buffer, mlir::Value offset, loop::AccessAttr access,
                            int64_t count);
  void store(mlir::Value buffer, mlir::Value offset, loop::AccessAttr access, mlir::Value value);
  /// The same in the memory of the block `rank` of the cluster; null: of this block.
  mlir::Value load(mlir::Value buffer, mlir::Value rank, mlir::Value offset,
                   loop::AccessAttr access, int64_t count);
  void store(mlir::Value buffer, mlir::Value rank, mlir::Value offset, loop::AccessAttr access,
             mlir::Value value);
  /// Combines the elements with those in global memory, each by an atomic access.
  void combine(mlir::Value buffer, mlir::Value offset, loop::AccessAttr access, mlir::Value value,
               ScatterReduce kind);
  mlir::Value getLane(mlir::Value value, int64_t lane);
  /// `count` lanes of a vector.
  mlir::Value getPart(mlir::Value value, int64_t lane, int64_t count);
  /// One vector of scalars and vectors, in order.
  mlir::Value join(mlir::ValueRange parts);
  mlir::Value splat(mlir::Value scalar, int64_t count);
  mlir::Value getZero(mlir::Value buffer, int64_t count);

  /// The location of what is built from now on.
  void setLoc(mlir::Location newLoc) { loc = newLoc; }

  /// The memory of a buffer that has some.
  mlir::Value getMemory(mlir::Value buffer);

private:
  mlir::Value loadElements(mlir::Value buffer, mlir::Value offset, loop::AccessAttr access,
                           int64_t count);
  mlir::Value loadSSA(mlir::Value buffer, int64_t offset, int64_t count);

  ExpandedKernel &expanded;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::DenseSet<mlir::Value> ssa;
  /// Buffers that begin as zeros, and how many elements all accesses are multiples of.
  llvm::DenseMap<mlir::Value, int64_t> cleared;
  struct Element {
    mlir::Value value;
    /// The lane of a vector.
    int64_t lane = 0;
  };
  llvm::DenseMap<mlir::Value, llvm::DenseMap<int64_t, Element>> elements;
  /// Memory in registers and shared memory.
  llvm::DenseMap<mlir::Value, mlir::Value> memories;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EXPANDBUFFERS_H
