//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One fusion while ops of upstream dialects are brought into it.
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

/// The op produced nothing: a reason is in Importer::getReason().
using mlir::Value;

/// Converts ops one by one, in order, to the end of a fusion. "Old" values are those of the
/// function that is read, "new" ones those of the fusion. What an op needs and no converted op made
/// is captured: scalar computations are cloned, uniform constants become `fuser.full`, everything
/// else becomes an argument of the fusion.
class Importer {
public:
  Importer(FusionOp fusion, const LinalgToFuserOptions &options);

  /// Lets an argument of the fusion stand for an old value.
  void bind(Value old, mlir::BlockArgument argument) { map[old] = argument; }

  /// Converts one op. Where that fails nothing of it is in the fusion, and getReason() says why, as
  /// a clause ("expected ..., but got ...").
  mlir::LogicalResult convert(mlir::Operation *op);
  llvm::StringRef getReason() const { return reason; }

  /// Old values that became arguments, in the order of the fusion's arguments behind the bound
  /// ones.
  llvm::ArrayRef<Value> getCaptured() const { return captured; }
  /// Ops that were left out although they have an effect (asserts).
  llvm::ArrayRef<mlir::Operation *> getDropped() const { return dropped; }

  /// The new value of an old one; null (with a reason) where it has none.
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

  // Capture.cpp: values from outside, sizes.
  Value capture(Value old);
  Value cloneScalar(Value old);
  /// An old index as an expression of the symbols of `symbols`.
  mlir::AffineExpr getIndexExpr(Value index);
  mlir::AffineExpr getIndexExpr(mlir::OpFoldResult index);
  /// The size of a dimension of an old tensor.
  mlir::AffineExpr getSizeExpr(Value tensor, int64_t dim);
  mlir::AffineExpr getSymbol(Value value, int64_t dim);
  /// A constant where the expression is one, else the new index value.
  mlir::OpFoldResult materialize(mlir::AffineExpr expr);
  Value materializeValue(mlir::AffineExpr expr);
  /// The value of all elements of an old tensor, where it is filled with one scalar; else null.
  Value getFillValue(Value old);
  /// The same where that value is a constant.
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
  /// Sizes and scalars behind the symbols of index expressions: (old tensor, dimension), or (old
  /// index, -1).
  llvm::SetVector<std::pair<Value, int64_t>> symbols;
  std::string reason;
};

/// The pointwise op for one op of arith or math on new operands, of which at least one is a tensor.
/// Tensors of index are tensors of i64. Null, with a reason, where there is none.
Value convertElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *op,
                     mlir::ValueRange operands, std::string &reason);

/// True for scalar computations without effects, which a fusion may hold itself.
bool isScalarComputation(mlir::Operation *op);

/// The element type that stands for `type` in a fusion: i64 for index.
mlir::Type convertElementType(mlir::Type type);

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_IMPORTER_H
