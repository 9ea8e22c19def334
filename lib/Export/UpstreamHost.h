//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes a host function in upstream dialects. UpstreamHost.cpp has the buffers and the function,
// UpstreamLaunches.cpp the launches.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_EXPORT_UPSTREAMHOST_H
#define FUSER_LIB_EXPORT_UPSTREAMHOST_H

#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Dialect/IR/HostStreamOps.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace fuser {

class UpstreamHost {
public:
  /// `kernels` caches the symbols of the module, whose kernels do not change.
  UpstreamHost(HostOp host, mlir::OpBuilder &builder, mlir::SymbolTableCollection &kernels)
      : host(host), builder(builder), kernels(kernels), loc(host.getLoc()) {}

  /// Builds the function at the builder's insertion point; the host function is not changed. Fails
  /// after a diagnostic.
  mlir::FailureOr<mlir::func::FuncOp> build();

private:
  using Value = mlir::Value;

  //===--- UpstreamHost.cpp ---===//
  mlir::MemRefType getArgumentType(unsigned argument);
  mlir::LogicalResult convertBlock(mlir::Block &block);
  mlir::LogicalResult convert(mlir::Operation *op);
  mlir::LogicalResult convertAlloc(AllocOp op);
  mlir::LogicalResult convertView(ViewOp op);
  mlir::LogicalResult convertReshapeView(ReshapeViewOp op);
  mlir::LogicalResult convertExpect(ExpectOp op);
  mlir::LogicalResult convertCopy(CopyOp op);
  /// A copy between buffers of one type, whose layout is the identity.
  void copy(Value source, Value destination);
  /// The memory of a buffer without gaps as one dimension of `elements`.
  Value getMemory(Value buffer, Value elements);
  /// The memory of `source` under other sizes and strides.
  Value reinterpret(mlir::memref::ExtractStridedMetadataOp source, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes,
                    llvm::ArrayRef<mlir::OpFoldResult> strides);
  mlir::LogicalResult convertFor(ForOp op);
  mlir::LogicalResult convertLibraryCall(LibraryCallOp op);
  mlir::LogicalResult convertReturn(ReturnOp op);
  /// A private function of the module with these arguments, which is declared on first use.
  mlir::func::FuncOp declare(llvm::StringRef name, mlir::TypeRange arguments);
  Value constant(int64_t value);
  /// Runs one op, which `create` creates for a token's type and the stream that it waits for, and
  /// waits for it. Upstream lowers allocations and copies in a stream only.
  void inStream(llvm::function_ref<Value(mlir::Type, Value)> create);
  Value allocate(mlir::MemRefType type, mlir::ValueRange sizes);
  void free(Value memory);

  //===--- UpstreamLaunches.cpp ---===//
  mlir::LogicalResult convertLaunch(LaunchOp op);
  /// The shape of a launch: blocks and threads along three axes, and bytes of shared memory.
  struct LaunchShape {
    llvm::SmallVector<Value> grid, block;
    Value shared;
  };
  /// The operands of a kernel by the bindings of its arguments; `workspaces` are allocated for the
  /// launch.
  mlir::FailureOr<llvm::SmallVector<Value>> bindOperands(LaunchOp op, mlir::gpu::GPUFuncOp function,
                                                         llvm::ArrayRef<Value> buffers,
                                                         llvm::ArrayRef<Value> workspaces);
  /// Launches the kernel unless the grid is empty.
  void launch(LaunchOp op, kernel_ir::LaunchAttr attr, const LaunchShape &shape,
              llvm::ArrayRef<Value> operands);
  /// The kernel IR that is launched; fails after a diagnostic.
  mlir::FailureOr<mlir::gpu::GPUFuncOp> getKernel(LaunchOp op);
  Value getBound(LaunchOp op, mlir::Attribute binding);
  /// The address of the first element of a buffer or view.
  Value getAddress(Value buffer);
  /// The same as a pointer, which is what a kernel takes.
  Value getPointer(Value buffer);
  /// Size (or stride) of a dimension of a buffer.
  Value getSize(Value buffer, int64_t dim);
  Value getStride(Value buffer, int64_t dim);
  /// Asserts that strides are the products of sizes that the argument's layout requires.
  void assertLayout(mlir::BlockArgument argument);
  /// Asserts one fact about `operands`.
  void assertFact(FactAttr fact, llvm::ArrayRef<Value> operands, llvm::StringRef reason);

  HostOp host;
  mlir::OpBuilder &builder;
  mlir::SymbolTableCollection &kernels;
  mlir::Location loc;
  mlir::IRMapping mapping;
  /// Of the launch that is being converted: the blocks of each part in x, y and z, and the number
  /// of its first block.
  llvm::SmallVector<mlir::Value> partGrids, firstBlocks;
  /// Maps a buffer to its allocation, which is what must be freed.
  llvm::DenseMap<Value, Value> allocations;
};

/// The type of an element in memory: a bool is a byte.
mlir::Type getMemoryType(mlir::Type element);

/// What a launch passes to a parameter of kernel IR: a pointer for a memref, an integer of the
/// kernel's width for an index, else the same type.
mlir::Type getParameterType(mlir::gpu::GPUFuncOp kernel, mlir::Type type);

} // namespace fuser

#endif // FUSER_LIB_EXPORT_UPSTREAMHOST_H
