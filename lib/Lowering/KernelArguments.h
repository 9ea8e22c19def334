//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arguments of a fuser_loop.kernel while it is built.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_KERNELARGUMENTS_H
#define FUSER_LIB_LOWERING_KERNELARGUMENTS_H

#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Ids/Extents.h"
#include "mlir/IR/IRMapping.h"

namespace fuser {

/// What the host packs into each argument, and what is known of it. Symbols are those of the
/// kernel's ExtentAnalysis, followed by strides; a symbol becomes an argument when an op first uses
/// it.
class KernelArguments {
public:
  KernelArguments(KernelOp kernel, const ExtentAnalysis &extents)
      : kernel(kernel), extents(extents), context(kernel.getContext()) {}

  /// The arguments and outputs of the kernel, in order, as arguments of `newKernel` in `values`.
  void addOperands(loop::KernelOp newKernel, mlir::IRMapping &values);
  /// The argument of a size or stride.
  mlir::Value getSymbolValue(unsigned symbol);
  /// The known alignment of the pointer of an argument or output, in bytes.
  int64_t getAlignment(unsigned operand) const { return bindings[operand].alignment; }
  /// What is known to divide a stride. An output that aliases an argument has its strides.
  int64_t getStrideDivisor(unsigned operand, unsigned dim) const;
  /// Sets bindings and assumptions, once all symbols are known.
  void finish();

private:
  /// The argument whose strides the operand has: itself, or the one that an output aliases.
  std::optional<unsigned> getArgument(unsigned operand) const;

  struct Binding {
    mlir::Attribute source;
    /// Over all symbols.
    llvm::SmallVector<mlir::AffineExpr> strides;
    int64_t alignment = 0;
    bool isReadonly = false, isNoalias = false;
  };

  mlir::Value addArgument(mlir::Type type, mlir::Attribute source);
  mlir::Value addBuffer(mlir::Value tensor, LayoutAttr layout, bool isReadonly, bool isNoalias);
  mlir::AffineExpr getStride(unsigned operand, unsigned dim);
  mlir::Attribute getSource(unsigned symbol) const;
  llvm::SmallVector<mlir::AffineExpr> sortSymbols();

  /// A handle; its accessors are no const functions.
  mutable KernelOp kernel;
  const ExtentAnalysis &extents;
  mlir::MLIRContext *context;
  loop::KernelOp result;
  llvm::SmallVector<Binding> bindings;
  /// Symbols beyond those of the analysis.
  llvm::SmallVector<mlir::Attribute> strides;
  llvm::DenseMap<mlir::Attribute, mlir::Value> argumentOf;
};

} // namespace fuser

#endif // FUSER_LIB_LOWERING_KERNELARGUMENTS_H
