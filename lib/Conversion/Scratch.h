//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that exist only while an op is converted.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_SCRATCH_H
#define FUSER_LIB_CONVERSION_SCRATCH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuser::conversion {

/// Ops that are inserted before an op of the function while it is converted.
class Scratch {
public:
  explicit Scratch(mlir::Operation *op) : op(op), builder(op), loc(op->getLoc()) {}
  Scratch(const Scratch &) = delete;
  ~Scratch() {
    for (mlir::Operation *each : llvm::reverse(made))
      each->erase();
  }
  template <typename OpT, typename... Args> OpT create(Args &&...args) {
    auto created = OpT::create(builder, loc, std::forward<Args>(args)...);
    made.push_back(created);
    return created;
  }

  /// The element at the indices `loops`.
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                              llvm::ArrayRef<mlir::Value> loops)>;
  /// A generic op without operands that gives a tensor of `type`; `sizes` are its dynamic ones.
  mlir::linalg::GenericOp createGeneric(mlir::RankedTensorType type,
                                        llvm::ArrayRef<mlir::Value> sizes, Body body);
  /// The same with the sizes of the op's result.
  mlir::linalg::GenericOp createGeneric(mlir::RankedTensorType type, Body body);

private:
  mlir::Operation *op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  llvm::SmallVector<mlir::Operation *> made;
};

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_SCRATCH_H
