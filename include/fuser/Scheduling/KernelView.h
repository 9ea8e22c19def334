//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The properties of a kernel that schedulers query before it is scheduled.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_KERNELVIEW_H
#define FUSER_SCHEDULING_KERNELVIEW_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/Transforms/Propagate.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Ids/IterationSpace.h"

namespace fuser {

/// A tensor in global memory: an argument that is read, or an output.
struct GlobalTensor {
  /// The argument, or the returned value.
  mlir::Value value;
  bool isOutput;
  /// Number of the argument or of the output.
  unsigned position;
  /// Bytes of an element.
  int64_t elementBytes;
  /// The class of each dimension.
  llvm::SmallVector<unsigned> dims;
  /// The loop classes of its dimensions from slowest to fastest; without those of size 1.
  llvm::SmallVector<unsigned> order;
  /// True if order[i] is contiguous with the next faster one (for the last one: has stride 1).
  llvm::SmallVector<bool> contiguous;
  /// The known divisor of the stride of order[i] if it is not contiguous; otherwise 0.
  llvm::SmallVector<int64_t> strideDivisors;

  /// Position in order of a class, or -1.
  int64_t find(unsigned dimClass) const;
  /// True if all elements are adjacent, in this order of classes.
  bool isAdjacent(llvm::ArrayRef<unsigned> classes) const;
};

/// A read-only view of a kernel and of the analyses that schedulers share. Valid until the kernel's
/// ops change.
class KernelView {
public:
  /// Fails with the diagnostic of an analysis.
  static mlir::FailureOr<KernelView> create(KernelOp kernel);

  /// Reads the kernel's facts again, after some were added. Fails with the diagnostic of an
  /// analysis.
  mlir::LogicalResult updateFacts();

  KernelOp getKernel() const { return kernel; }
  const IdRelations &getClasses() const { return classes; }
  const ExtentAnalysis &getExtents() const { return extents; }
  /// The classes that loops consist of. Without a reshape, each class is its own loop class.
  const IterationSpace &getSpace() const { return *space; }
  /// The loop classes of a dimension.
  llvm::ArrayRef<unsigned> getLoopClasses(mlir::Value value, unsigned dim) const {
    return space->getLoopClasses(classes.getClass(value, dim));
  }
  /// Ops that define tensors, in order.
  llvm::ArrayRef<TensorViewOpInterface> getOps() const { return ops; }
  /// The number of one of them in that list.
  unsigned getNumber(TensorViewOpInterface op) const { return llvm::find(ops, op) - ops.begin(); }
  /// The reductions among these ops.
  llvm::ArrayRef<TensorViewOpInterface> getReductions() const { return reductions; }
  /// Arguments that are read, in order, then outputs.
  llvm::ArrayRef<GlobalTensor> getTensors() const { return tensors; }
  const GlobalTensor &getArgument(unsigned argument) const;
  const GlobalTensor &getOutput(unsigned output) const;
  /// The extent of a class.
  mlir::AffineExpr getExtent(unsigned dimClass) const { return classExtents[dimClass]; }
  /// The number of a tensor's buffer in facts.
  unsigned getFactNumber(const GlobalTensor &tensor) const {
    return tensor.isOutput ? KernelOp(kernel).getNumArguments() + tensor.position : tensor.position;
  }

  /// The first op that combines parts of several factorizations of one dimension, which share
  /// loops; null if there is none.
  TensorViewOpInterface getMixedFactorizations() const { return mixedFactorizations; }

  /// The common offset at which all ops with an offset read the dimensions of a class, and the
  /// constant by which these grow; null if there is no such offset.
  const ClassResize *getResize(unsigned dimClass) const;
  /// All of these.
  llvm::ArrayRef<ClassResize> getResizes() const { return resizes; }

  /// The loop classes of the op's root ids, in order; size-1 ids left out.
  llvm::SmallVector<unsigned> getOwnClasses(TensorViewOpInterface op) const;
  /// True where the value has each of the loop classes; one that it has only a part of it lacks.
  bool hasLoops(mlir::Value value, llvm::ArrayRef<unsigned> loops) const;
  /// The loop classes that the op reduces, in order.
  llvm::SmallVector<unsigned> getReducedClasses(TensorViewOpInterface op) const;
  /// True if each dimension of each operand is one root id of the op or is broadcast.
  bool isSimple(TensorViewOpInterface op) const;

private:
  KernelView(KernelOp kernel, ExtentAnalysis extents);
  void noteExtents();
  void addTensor(mlir::Value value, bool isOutput, unsigned position, llvm::ArrayRef<int64_t> order,
                 LayoutAttr layout);
  void addTensors();
  int64_t getStrideDivisor(const GlobalTensor &tensor, unsigned dim) const;
  void chooseLoopClasses();
  void collectResizes();
  void findMixedFactorizations();

  KernelOp kernel;
  IdRelations classes;
  ExtentAnalysis extents;
  std::optional<IterationSpace> space;
  llvm::SmallVector<TensorViewOpInterface> ops, reductions;
  TensorViewOpInterface mixedFactorizations;
  llvm::SmallVector<GlobalTensor, 0> tensors;
  llvm::SmallVector<mlir::AffineExpr> classExtents;
  llvm::SmallVector<ClassResize> resizes;
};

/// True if an output is stored outside of all loops (`fuser.border`): no scheduler sees it.
bool isBorder(mlir::Value output);

/// True if elements of the argument are read, not only its sizes.
bool isRead(mlir::BlockArgument argument);

/// True if an output is stored in an argument of which elements are read.
bool overwritesReadArgument(KernelOp kernel);

/// True if the op reads the operand at an index other than its own: at an offset, or at a
/// data-dependent index. Such an argument is read at its use, without a cached load.
bool isReadInPlace(mlir::OpOperand &use);

/// The stride order of an output, slowest dimension first, from LayoutInfo.
llvm::SmallVector<int64_t> getOutputOrder(KernelOp kernel, unsigned output);

} // namespace fuser

#endif // FUSER_SCHEDULING_KERNELVIEW_H
