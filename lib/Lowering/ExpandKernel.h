//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The function that a kernel's loops are expanded into: its arguments, and index values in it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_EXPANDKERNEL_H
#define FUSER_LIB_LOWERING_EXPANDKERNEL_H

#include "IndexBuilder.h"
#include "LoopExprs.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fuser {

/// A gpu.func under construction. Sizes and strides become arguments when they are first used.
class ExpandedKernel {
public:
  ExpandedKernel(loop::KernelOp kernel, mlir::gpu::GPUFuncOp function);

  mlir::OpBuilder &getBuilder() { return builder; }
  IndexBuilder &getIndex() { return index; }
  mlir::Location getLoc() const { return loc; }
  /// The location of what is built from now on.
  void setLoc(mlir::Location newLoc) {
    loc = newLoc;
    index.setLoc(newLoc);
  }

  /// The value of a scalar or index of the kernel.
  mlir::Value lookup(mlir::Value value);
  /// The greatest power of two of bytes, up to that of the widest access, that is known to divide
  /// the address of an element of an argument, for the lanes that are set.
  int64_t getAlignment(mlir::BlockArgument buffer, mlir::AffineExpr offset,
                       mlir::ValueRange indices, unsigned numDims);
  void map(mlir::Value value, mlir::Value expanded) { values[value] = expanded; }
  /// The index of an integer; it is compared as an i64.
  mlir::Value toIndex(mlir::Value integer);
  /// The value of an expression over `indices`, the first `numDims` of which are dimensions.
  mlir::Value evaluate(mlir::AffineExpr expr, mlir::ValueRange indices, unsigned numDims);
  /// Whether constraints hold, as i1; null: always. Nullopt: never. At an op, those that follow
  /// from the branches around it are left out.
  std::optional<mlir::Value> evaluate(loop::ConstraintsAttr constraints, mlir::ValueRange indices,
                                      mlir::Operation *at = nullptr);
  /// True if constraints follow from the branches around an op.
  bool holds(loop::ConstraintsAttr constraints, mlir::ValueRange indices, mlir::Operation *at) {
    return llvm::all_of(facts.lift(constraints, indices), [&](const Constraint &each) {
      return facts.isProved(useBranches(each, at));
    });
  }
  mlir::Value getHardwareIndex(ParallelType type);
  mlir::Value buildHardwareIndex(ParallelType type);
  /// The number of this thread among those of the grid, and how many there are. Built once, outside
  /// of all loops.
  std::pair<mlir::Value, mlir::Value> getThread();
  /// From now on, this is the index of the block, or of the thread.
  void setHardwareIndex(ParallelType type, mlir::Value value) {
    hardwareIndices[static_cast<unsigned>(type)] = value;
  }
  /// A buffer in global memory as one-dimensional memref of its storage type.
  mlir::Value getMemory(mlir::Value buffer);
  /// The tensor map that a bulk copy is `using`.
  mlir::Value getTensorMap(mlir::ArrayAttr map);
  /// An array in the registers of a thread.
  mlir::Value addRegisters(int64_t elements, mlir::Type element);
  /// An array in shared memory.
  mlir::Value addShared(loop::BufferOp buffer);
  /// All blocks wait for each other, and count their arrivals in `counter`.
  void synchronizeGrid(mlir::Value counter);
  /// Launch and block size.
  void finish(int64_t multiprocessors);

private:
  void assumeLaunch();
  int64_t getLeast(mlir::AffineExpr divisor, mlir::ValueRange indices, unsigned numDims);
  void addOperands();
  void addWorkspaces();
  mlir::Value addArgument(mlir::Type type, mlir::Attribute source);
  mlir::Value lessThan(mlir::Value lhs, mlir::Value rhs);
  Constraint useBranches(Constraint constraint, mlir::Operation *at);
  bool isRefuted(const Constraint &constraint) const;

  loop::KernelOp kernel;
  mlir::gpu::GPUFuncOp function;
  mlir::Location loc;
  mlir::Block *entry;
  mlir::OpBuilder builder;
  IndexBuilder index;
  LoopFacts facts;
  /// The symbols of the kernel, plus 1 where the grid is empty if the symbol is 0.
  llvm::SmallVector<mlir::AffineExpr> launched;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  /// The i64 of an index that is data.
  llvm::DenseMap<mlir::Value, mlir::Value> data;
  llvm::DenseMap<mlir::Attribute, mlir::Value> arguments;
  llvm::DenseMap<mlir::Value, mlir::Value> memories;
  llvm::DenseMap<unsigned, mlir::Value> hardwareIndices;
  /// Indices by what branches check of them: less than a constant.
  llvm::DenseMap<std::pair<mlir::AffineExpr, int64_t>, mlir::AffineExpr> boundedIndices;
  std::pair<mlir::Value, mlir::Value> thread;
  /// All of the block's shared memory, and how many bytes of it buffers have.
  mlir::Value shared;
  int64_t sharedBytes = 0;
  /// Bytes of each workspace, over the symbols of the kernel.
  llvm::SmallVector<mlir::AffineExpr> workspaces;
  bool cooperative = false;

  std::optional<int64_t> getBlocksPerMultiprocessor(int64_t multiprocessors);
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_EXPANDKERNEL_H
