//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Walks a host function and writes the artifact's program. Integers.cpp has the arithmetic,
// Launches.cpp the launches, ExportArtifact.cpp the rest.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_EXPORT_HOSTEXPORTER_H
#define FUSER_LIB_EXPORT_HOSTEXPORTER_H

#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Dialect/IR/HostStreamOps.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Export/ExportArtifact.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace fuser {

/// Sizes and strides in elements.
struct Shape {
  std::vector<artifact::ExprId> sizes, strides;
  /// Every stride is the product of the faster sizes: the elements are contiguous.
  bool dense = true;
};

/// A tensor value of the host function.
struct TensorValue {
  artifact::BufferId buffer = 0;
  /// What it is a view of; itself where it is none.
  artifact::BufferId root = 0;
  Shape shape;
  artifact::DType dtype = artifact::DType::F32;
  /// The argument whose memory it uses, or kNotAnArgument, and its offset in elements from the
  /// start of that memory (or of the allocation).
  uint32_t rootArgument = artifact::kNotAnArgument;
  artifact::ExprId rootOffset = 0;
  /// It is a sub-range that fuser.view defines.
  bool isView = false;
  /// Number among the arguments, or kNotAnArgument.
  uint32_t argument = artifact::kNotAnArgument;
};

class HostExporter {
public:
  HostExporter(HostOp host, const llvm::StringMap<artifact::Kernel> &binaries,
               const artifact::DeviceDescription &target)
      : host(host), binaries(binaries) {
    artifact.name = host.getSymName().str();
    artifact.target = target;
  }

  mlir::LogicalResult run();
  artifact::Artifact take() { return std::move(artifact); }

private:
  using ExprId = artifact::ExprId;

  //===--- ExportArtifact.cpp ---===//
  mlir::LogicalResult addArgument(mlir::BlockArgument argument);
  mlir::LogicalResult addFacts();
  /// Turns one fact into a guard. `operands`: the values that its numbers refer to.
  mlir::LogicalResult addFact(mlir::Operation *user, FactAttr fact,
                              llvm::ArrayRef<mlir::Value> operands, const std::string &reason);
  mlir::LogicalResult addOutputs(ReturnOp op);
  mlir::LogicalResult exportBlock(mlir::Block &block);
  mlir::LogicalResult exportOp(mlir::Operation *op);
  mlir::LogicalResult exportAlloc(AllocOp op);
  mlir::LogicalResult exportFree(FreeOp op);
  mlir::LogicalResult exportView(ViewOp op);
  mlir::LogicalResult exportReshapeView(ReshapeViewOp op);
  /// Makes `result` a view of the memory of `base`; `tensor` has its shape.
  void addView(mlir::Value result, const TensorValue &base, ExprId offset, TensorValue tensor);
  mlir::LogicalResult exportExpect(ExpectOp op);
  mlir::LogicalResult exportPlace(PlaceOp op);
  mlir::LogicalResult exportCopy(CopyOp op);
  mlir::LogicalResult exportFor(ForOp op);
  mlir::LogicalResult exportLibraryCall(LibraryCallOp op);

  /// A new buffer without memory.
  artifact::BufferId addBuffer(artifact::DType dtype, const std::string &name);
  /// Fails after a diagnostic at `user` if the condition depends on a loop: guards are checked
  /// before the call.
  mlir::LogicalResult addGuard(mlir::Operation *user, ExprId lhs, artifact::ExprKind relation,
                               ExprId rhs, const std::string &reason);
  /// Requires that `bytes` divides the address of a tensor.
  mlir::LogicalResult requireAlignment(mlir::Operation *user, const TensorValue &tensor,
                                       uint32_t bytes, const std::string &reason);
  bool dependsOnLoop(ExprId id) const;
  /// Terms without loop indices: a divisor of all of them divides the value in every iteration. (If
  /// the value is not a sum of multiples of loop indices, a term may contain one.)
  void addStepsOfLoop(ExprId id, llvm::SmallVectorImpl<ExprId> &terms);
  /// A power of two that divides the value for all arguments.
  int64_t knownDivisor(ExprId id) const;
  /// The tensor of a value, or failure after a diagnostic at `user`.
  mlir::FailureOr<TensorValue> getTensor(mlir::Operation *user, mlir::Value value);
  /// Makes `result` an alias of `value`.
  void alias(mlir::Value result, mlir::Value value);
  /// Strides of a dense tensor in the given order, slowest first.
  std::vector<ExprId> denseStrides(llvm::ArrayRef<ExprId> sizes, llvm::ArrayRef<int64_t> order);
  /// Elements from the first to the farthest one: the sum of (size - 1) * stride. Meaningless for a
  /// tensor without elements.
  ExprId distance(const Shape &shape);
  /// Bytes that contain all elements, 0 if there are none.
  ExprId spanBytes(const Shape &shape, artifact::DType dtype);

  //===--- Integers.cpp ---===//
  /// Gives the results of an integer op or tensor.dim their expressions.
  mlir::LogicalResult exportInteger(mlir::Operation *op);
  /// The expression of an integer or index value, or failure after a diagnostic at `user`.
  mlir::FailureOr<ExprId> getInteger(mlir::Operation *user, mlir::Value value);
  mlir::FailureOr<ExprId> getInteger(mlir::Operation *user, mlir::OpFoldResult value);
  mlir::LogicalResult exportDim(mlir::Operation *op, mlir::Value source, mlir::Value index);
  mlir::LogicalResult exportComparison(mlir::Operation *op);

  //===--- Launches.cpp ---===//
  mlir::LogicalResult exportLaunch(LaunchOp op);
  mlir::LogicalResult addKernelFacts(LaunchOp op, mlir::gpu::GPUFuncOp function);
  mlir::FailureOr<uint32_t> getKernel(LaunchOp op, mlir::gpu::GPUFuncOp function);
  mlir::LogicalResult bindArgument(LaunchOp op, mlir::gpu::GPUFuncOp function, unsigned number,
                                   llvm::ArrayRef<artifact::BufferId> workspaces,
                                   artifact::Launch &launch);
  mlir::LogicalResult bindPointer(LaunchOp op, mlir::gpu::GPUFuncOp function, unsigned number,
                                  int64_t operand, artifact::Launch &launch);
  mlir::LogicalResult bindTensorMap(LaunchOp op, mlir::gpu::GPUFuncOp function, unsigned number,
                                    kernel_ir::TensorMapAttr map, artifact::Launch &launch);
  mlir::LogicalResult bindScalar(LaunchOp op, mlir::Type type, int64_t operand,
                                 artifact::Launch &launch);
  mlir::FailureOr<ExprId> getBound(LaunchOp op, mlir::Attribute binding);
  ExprId convert(mlir::AffineExpr expr, llvm::ArrayRef<ExprId> symbols);
  void addWorkspaces(LaunchOp op, mlir::gpu::GPUFuncOp function, llvm::ArrayRef<ExprId> symbols,
                     llvm::SmallVectorImpl<artifact::BufferId> &workspaces);
  /// Computes the blocks of the parts of a batched launch.
  void addParts(mlir::AffineMap parts, llvm::ArrayRef<ExprId> symbols);
  mlir::LogicalResult addBoxes(LaunchOp op, artifact::Launch &launch);
  /// Where the first of the launches begins that depend on each other, of which the present one is
  /// the last.
  size_t chainBegin = 0;
  /// Bits of `index` in the kernel that is being launched.
  unsigned indexBits = 64;
  /// Of the launch that is being exported: the blocks of each part in x, y and z, and the number of
  /// its first block.
  llvm::SmallVector<ExprId> partGrids, firstBlocks;

  HostOp host;
  const llvm::StringMap<artifact::Kernel> &binaries;
  artifact::Artifact artifact;
  llvm::DenseMap<mlir::Value, TensorValue> tensors;
  llvm::DenseMap<mlir::Value, ExprId> integers;
  /// Maps scalar arguments to their numbers.
  llvm::DenseMap<mlir::Value, uint32_t> scalarArguments;
  llvm::StringMap<uint32_t> kernelNumbers;
  /// Alignment of a buffer's address that the launches so far require.
  llvm::DenseMap<artifact::BufferId, uint32_t> pointerAlignment;
  uint32_t numLoops = 0;
};

} // namespace fuser

#endif // FUSER_LIB_EXPORT_HOSTEXPORTER_H
