//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The order of the ops of a host function that memory requires.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_HOSTDEPENDENCES_H
#define FUSER_ANALYSIS_HOSTDEPENDENCES_H

#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/DenseMap.h"

namespace fuser {

/// The buffer that a tensor of a host function lies in: an argument, or the result of the
/// `fuser.alloc` that made it. Views lie in the buffer of their base, results of launches in that
/// of the output that they are the new value of.
mlir::Value getHostBuffer(mlir::Value tensor);

/// Dependences between the ops of one block of a host function: an op depends on each earlier op
/// that accesses the same memory, if one of the two writes, and on the ops that define its
/// operands. Accesses to one buffer are to different memory if both go through views at known
/// offsets that have no common element. Arguments lie in different memory: the runtime rejects
/// calls in which an argument that is written overlaps another one.
///
/// Computed once; moving ops does not change it.
class HostDependences {
public:
  explicit HostDependences(mlir::Block &block);

  /// The number of ops that access memory on the longest path of dependences to `op`. Ops of equal
  /// depth that access memory are independent.
  unsigned getDepth(mlir::Operation *op) const { return nodes.lookup(op).depth; }
  /// The earlier ops that `op` depends on through memory.
  llvm::ArrayRef<mlir::Operation *> getPredecessors(mlir::Operation *op) const {
    auto it = nodes.find(op);
    return it == nodes.end() ? llvm::ArrayRef<mlir::Operation *>() : it->second.predecessors;
  }

private:
  struct Node {
    unsigned depth = 0;
    llvm::SmallVector<mlir::Operation *> predecessors;
  };
  llvm::DenseMap<mlir::Operation *, Node> nodes;
};

} // namespace fuser

#endif // FUSER_ANALYSIS_HOSTDEPENDENCES_H
