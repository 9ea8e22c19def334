//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Makes a kernel of some ops of a fusion: to ask schedulers about it, and to outline it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_KERNELBUILDER_H
#define FUSER_LIB_SEGMENTATION_KERNELBUILDER_H

#include "HostViews.h"
#include "fuser/Scheduling/SizeHints.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuser {

/// One output of a kernel.
struct KernelOutput {
  mlir::Value value;
  /// The output of the fusion that it is; none: a later kernel reads it.
  std::optional<unsigned> position;
  /// The argument of the fusion in whose buffer it is stored.
  std::optional<unsigned> alias;
  /// Where it lies in the value that it is a part of; none: in a buffer of its own.
  std::optional<ViewLayout> box = std::nullopt;
};

/// A kernel, and what it is called with: values of the fusion. One that an op of the kernel's own
/// defines is a view: the host function makes it, and the kernel is rebased to it.
struct BuiltKernel {
  KernelOp kernel;
  llvm::SmallVector<mlir::Value> inputs;
  /// Inputs that it gets as views, and what those are views of: whether or not another kernel
  /// stores them as well.
  llvm::SmallPtrSet<mlir::Value, 4> views;
  /// The op of the fusion of which each op of the kernel is a copy, in its order.
  llvm::SmallVector<mlir::Operation *> sources;
};

/// A scalar that the host function computes: it is made of sizes of tensors that are no arguments.
bool isHostScalar(mlir::Value scalar, const ExtentAnalysis &analysis);

class KernelBuilder {
public:
  /// `analysis` is that of the fusion; all outlive the builder.
  KernelBuilder(FusionOp fusion, const ExtentAnalysis &analysis, const SizeHints &hints);

  /// A kernel, in no module, of `ops` (in order) with `outputs`. Its arguments are what it reads:
  /// arguments of the fusion in order, then values of other ops in order; all arguments of the
  /// fusion with `keepArguments`. Where it reads a part of a value that the host function can name,
  /// its argument is that part (and `keepArguments` has no effect), with what is known of where it
  /// lies. It keeps layouts, facts, requirements, aliases, ids of a front
  /// end and size hints, as far as they are about its arguments and outputs. What the fusion knows
  /// of the sizes of a value of another op becomes facts.
  BuiltKernel build(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<KernelOutput> outputs,
                    llvm::StringRef name, bool keepArguments);

  /// The order in which an output is stored, slowest dimension first, as LayoutInfo has it; empty:
  /// row-major, and nobody asked for it. Buffer, writer and readers all get it from here.
  llvm::SmallVector<int64_t> getOrder(const KernelOutput &output);
  /// The order in which other kernels read a value: of the buffer of its first position where it is
  /// returned.
  llvm::SmallVector<int64_t> getOrder(mlir::Value value);

  /// How an input of a kernel lies: an argument, a value of another kernel, or a part of one.
  ViewLayout getInputLayout(mlir::Value input);

  /// Facts of the fusion, and the equalities that its ops imply, for all of which a call is
  /// checked; null where there are none.
  mlir::ArrayAttr getProgramFacts() const { return programFacts; }

private:
  void collectInputs(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<KernelOutput> outputs);
  void collectViews(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<KernelOutput> outputs);
  /// True where the kernel gets a reshape of what it does not compute as its argument: the memory
  /// allows it, with no more strides to pass, and the kernel reads the base in no other way, so
  /// that nothing inside relates the two shapes.
  bool isReshapedOutside(const HostView &view);
  /// True where the host function makes a view of the input, which may be strided.
  bool isView(mlir::Value input) const;
  void collectNeeded(llvm::ArrayRef<KernelOutput> outputs);
  void addArgumentFacts(mlir::Value view, unsigned number, llvm::SetVector<mlir::Attribute> &facts);
  void addBufferFacts(mlir::RankedTensorType type, const ViewLayout &lies, unsigned number,
                      llvm::SetVector<mlir::Attribute> &facts);
  void addScalar(mlir::Value scalar);
  void addFacts(KernelOp kernel, llvm::ArrayRef<KernelOutput> outputs, bool keepArguments);
  void addArgumentAttributes(KernelOp kernel, bool keepArguments);
  void addOutputAttributes(KernelOp kernel, llvm::ArrayRef<KernelOutput> outputs);
  void addSizeHints(KernelOp kernel);

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  const SizeHints &hints;
  const mlir::ArrayAttr programFacts;

  // Of the kernel that is being built.
  llvm::SetVector<mlir::Value> inputs;
  llvm::SetVector<mlir::Operation *> scalarOps;
  /// Ops that the kernel computes, and those whose results are views that it gets.
  llvm::SmallPtrSet<mlir::Operation *, 16> own, views, needed;
};

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_KERNELBUILDER_H
