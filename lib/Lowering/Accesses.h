//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What passes between the parts of KernelEmitter: values of ids, buffers, and places in memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_ACCESSES_H
#define FUSER_LIB_LOWERING_ACCESSES_H

#include "LoopNest.h"

namespace fuser {

/// How the elements of one vector access follow the vectorized loop id.
enum class VectorForm {
  /// The same for all elements.
  Independent,
  /// base + 0, 1, 2, ... with a base that is a multiple of the width.
  Trailing,
  /// Anything else: element by element.
  Other,
};

/// Values of loop ids at a point of the kernel, and what was derived from them, for one op.
struct IdValues {
  const ScheduledOp *scheduled = nullptr;
  /// Elements of the accesses that `forms` speak of: the op's vector, or a part of it.
  int64_t width = 1;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<VectorForm> forms;
};

/// Where an access goes.
struct Access {
  mlir::Value memory;
  mlir::Value offset;
  VectorForm form = VectorForm::Independent;
  /// Bytes that divide the address of a vector access.
  int64_t alignment = 0;
};

/// One term of a linear offset: index * stride, slowest first.
struct OffsetTerm {
  mlir::Value index;
  VectorForm form = VectorForm::Independent;
  mlir::AffineExpr extent;
  /// The stride where it is not the product of the faster extents, and what is known to divide it.
  mlir::Value stride;
  int64_t strideDivisor = 1;
};

/// Where an op reads an operand.
struct OperandIndex {
  struct Dim {
    /// `index`; beyond the extent (a negative one wraps) where nothing is there.
    mlir::Value index;
    VectorForm form = VectorForm::Independent;
    /// The id of the reading op that has this index, or `kNoId`.
    unsigned id = kNoId;
  };
  llvm::SmallVector<Dim> dims;
  /// i1: every index is inside of its extent; null where that is certain.
  mlir::Value inside;
  /// The elements of one vector may differ in `inside`.
  bool insideVaries = false;
  /// Read at an offset or at an index that is data: what facts do not prove to be one vector in
  /// memory is read element by element.
  bool moved = false;
};

/// Elements that were read, and which of them exist.
struct ReadResult {
  /// A scalar or a vector; 0 where nothing is there.
  mlir::Value value;
  /// i1 or a vector of it; null: always.
  mlir::Value inside;
};

/// A value's place in registers or shared memory.
struct Buffer {
  struct Dim {
    unsigned id;
    int64_t extent;
  };
  llvm::SmallVector<Dim> dims;
  /// One memory per result.
  llvm::SmallVector<mlir::Value> memory;
  /// In shared memory, the region of each.
  llvm::SmallVector<unsigned> regions;
};

/// An argument, an output or a workspace.
struct GlobalMemory {
  /// As one-dimensional memref of the storage type.
  mlir::Value view;
  /// The storage type of an element.
  mlir::Type element;
  /// Bytes that divide its address.
  int64_t alignment = 0;
  /// For diagnostics.
  std::string name;
};

/// Slots in shared memory through which threads exchange tuples.
struct Exchange {
  /// One for each component of a tuple.
  llvm::SmallVector<mlir::Value> memory;
  llvm::SmallVector<unsigned> regions;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_ACCESSES_H
