//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts ops of upstream dialects into one fusion.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_IMPORTER_H
#define FUSER_LIB_CONVERSION_IMPORTER_H

#include "fuser/Conversion/Passes.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <string>

namespace mlir::linalg {
class GenericOp;
class LinalgOp;
} // namespace mlir::linalg

namespace fuser::conversion {

/// A null value means failure: Importer::getReason() states the reason.
using mlir::Value;

/// Converts ops one by one, in order, and appends them to a fusion. "Old" values belong to the
/// source function, "new" ones to the fusion. Operands that no converted op defines are captured:
/// scalar computations are cloned, uniform constants become `fuser.full`, and all other values
/// become arguments of the fusion.
class Importer {
public:
  Importer(FusionOp fusion, const LinalgToFuserOptions &options);

  /// Maps an old value to an argument of the fusion.
  void bind(Value old, mlir::BlockArgument argument) { map[old] = argument; }

  /// Converts one op. On failure no part of the op remains in the fusion, and getReason() returns
  /// the reason as a clause ("expected ..., but got ...").
  mlir::LogicalResult convert(mlir::Operation *op);
  llvm::StringRef getReason() const { return reason; }

  /// Old values that became arguments, in the order of the fusion's arguments after the bound ones.
  llvm::ArrayRef<Value> getCaptured() const { return captured; }
  /// Ops with an effect that were dropped (asserts).
  llvm::ArrayRef<mlir::Operation *> getDropped() const { return dropped; }

  /// The new value of an old one; null (with a reason) if there is none.
  Value lookup(Value old);

private:
  // Refusals: each returns null or failure, so that callers return it.
  struct Refusal {
    operator mlir::LogicalResult() const { return mlir::failure(); }
    operator Value() const { return {}; }
    template <typename T> operator mlir::FailureOr<T>() const { return mlir::failure(); }
  };
  Refusal refuse(const llvm::Twine &why) {
    if (reason.empty())
      reason = why.str();
    return {};
  }

  // Capture.cpp: captured values and sizes.
  Value capture(Value old);
  Value cloneScalar(Value old);
  /// An old index as an expression of the symbols of `symbols`.
  mlir::AffineExpr getIndexExpr(Value index);
  mlir::AffineExpr getIndexExpr(mlir::OpFoldResult index);
  /// The size of a dimension of an old tensor.
  mlir::AffineExpr getSizeExpr(Value tensor, int64_t dim);
  mlir::AffineExpr getSymbol(Value value, int64_t dim);
  /// A constant if the expression is constant, else the new index value.
  mlir::OpFoldResult materialize(mlir::AffineExpr expr);
  Value materializeValue(mlir::AffineExpr expr);
  /// The scalar that fills an old tensor, if it is filled with one; else null.
  Value getFillValue(Value old);
  /// The same if that value is a constant.
  mlir::TypedAttr getUniformConstant(Value old);
  Value makeFull(Value scalar, llvm::ArrayRef<mlir::AffineExpr> sizes, mlir::Type element);
  Value makeScalar(mlir::TypedAttr value);

  // Tensors.cpp: ops of the tensor dialect.
  mlir::LogicalResult convertTensorOp(mlir::Operation *op);
  Value convertPad(mlir::Operation *op);
  Value convertInsertSlice(mlir::Operation *op);
  Value convertExtractSlice(mlir::Operation *op);
  Value convertReshape(mlir::Operation *op);
  Value padTo(Value input, mlir::ArrayRef<mlir::AffineExpr> low,
              mlir::ArrayRef<mlir::AffineExpr> high, Value value);

  // Generics.cpp: structured ops.
  mlir::LogicalResult convertStructured(mlir::linalg::LinalgOp op);
  mlir::LogicalResult convertGeneric(mlir::linalg::GenericOp op);
  friend class GenericImporter;

  FusionOp fusion;
  LinalgToFuserOptions options;
  mlir::OpBuilder builder;
  mlir::Location loc;
  llvm::DenseMap<Value, Value> map;
  llvm::SmallVector<Value> captured;
  llvm::SmallVector<mlir::Operation *> dropped;
  /// Sizes and scalars that the symbols of index expressions stand for: (old tensor, dimension), or
  /// (old index, -1).
  llvm::SetVector<std::pair<Value, int64_t>> symbols;
  std::string reason;
};

/// Creates the pointwise op for one op of arith or math on new operands, at least one of which is a
/// tensor. Tensors of index become tensors of i64. Null, with a reason, if there is no such op.
Value convertElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *op,
                     mlir::ValueRange operands, std::string &reason);

/// True for scalar computations without side effects, which a fusion may contain.
bool isScalarComputation(mlir::Operation *op);

/// The element type that represents `type` in a fusion: i64 for index.
mlir::Type convertElementType(mlir::Type type);

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_IMPORTER_H
