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

#include "Scratch.h"
#include "fuser/Conversion/Passes.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <string>

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
  /// A size that an argument of the fusion must have.
  struct RequiredSize {
    mlir::BlockArgument argument;
    int64_t dim, size;
  };
  llvm::ArrayRef<RequiredSize> getRequiredSizes() const { return requiredSizes; }
  /// Ops with an effect that were dropped (asserts).
  llvm::ArrayRef<mlir::Operation *> getDropped() const { return dropped; }

  /// The new value of an old one; null (with a reason) if there is none.
  Value lookup(Value old);

  /// True if an old scalar is computed from elements of tensors.
  static bool readsTensor(Value old);

  /// Sizes and scalars that the symbols of index expressions stand for: (old tensor, dimension), or
  /// (old index, -1).
  using Symbol = std::pair<Value, int64_t>;
  llvm::ArrayRef<Symbol> getSymbols() const { return symbols.getArrayRef(); }
  /// An old index as an expression of symbols.
  mlir::AffineExpr getIndexExpr(Value index);
  /// The size of a dimension of an old tensor.
  mlir::AffineExpr getSizeExpr(Value tensor, int64_t dim);

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
  /// An argument for an old value, of the type in which fusions take it.
  mlir::BlockArgument addArgument(Value old);
  Value cloneScalar(Value old);
  /// True if an old scalar is computed from elements of tensors that the fusion computes.
  bool readsFusion(Value old);
  /// An element of an old tensor, as a tensor of rank 0.
  Value readScalar(mlir::Operation *extract);
  mlir::AffineExpr getIndexExpr(mlir::OpFoldResult index);
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
  /// Moves the elements of `source` apart by `strides`, with `between` (a constant of their type)
  /// after each.
  Value spread(Value source, llvm::ArrayRef<int64_t> strides, Value between);
  Value insertWithStrides(Value source, Value oldDestination, Value border,
                          llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<mlir::AffineExpr> low,
                          llvm::ArrayRef<mlir::AffineExpr> box);
  Value convertExtractSlice(mlir::Operation *op);

  // Reshapes.cpp: casts and reshapes of the tensor dialect.
  Value convertReshape(mlir::Operation *op);
  Value convertCast(mlir::Operation *op);
  Value reshape(Value input, llvm::ArrayRef<int64_t> shape,
                llvm::ArrayRef<ReshapeGroup> groups = {});
  /// A reshape to the sizes that an operand gives.
  Value reshapeToSizes(mlir::tensor::ReshapeOp op, Value input);
  /// Splits the dimensions of `input` into groups of dimensions of `shape`, or merges groups of
  /// its dimensions, each of which keeps its elements.
  Value expand(Value input, llvm::ArrayRef<mlir::ReassociationIndices> groups,
               llvm::ArrayRef<int64_t> shape);
  Value collapse(Value input, llvm::ArrayRef<mlir::ReassociationIndices> groups);
  /// Any reshape to `shape`, of the sizes `sizes`: a gather at the row-major position.
  Value reshapeByPosition(Value input, llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<mlir::AffineExpr> sizes);

  // ComputedReads.cpp: reads of an operand at computed indices.
  Value expandAt(mlir::tensor::ExpandShapeOp op);
  Value sliceAt(mlir::tensor::ExtractSliceOp op);
  Value insertAt(mlir::tensor::InsertSliceOp op);
  Value packAt(mlir::linalg::PackOp op);
  Value unpackAt(mlir::linalg::UnPackOp op);

  // TensorBuilders.cpp: tensors that are made of scalars and of bodies.
  Value convertGenerate(mlir::Operation *op, mlir::Region &body, mlir::RankedTensorType type);
  Value convertFromElements(mlir::Operation *op);
  Value convertInsert(mlir::Operation *op);
  Value convertGather(mlir::Operation *op);
  /// A tensor of `type`, the type of the op's result, of the elements that `body` computes.
  Value compute(mlir::Operation *op, mlir::RankedTensorType type, Scratch::Body body);

  // NamedOps.cpp: ops of linalg that are no structured ops.
  Value convertNamed(mlir::Operation *op);
  Value convertSoftmax(mlir::Operation *op);
  Value convertPack(mlir::Operation *op);
  Value convertUnPack(mlir::Operation *op);
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
  llvm::SmallVector<RequiredSize> requiredSizes;
  llvm::SetVector<Symbol> symbols;
  std::string reason;
};

/// Creates the pointwise op for one op of arith or math on new operands, at least one of which is a
/// tensor. Tensors of index become tensors of i64. Null, with a reason, if there is no such op.
Value convertElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *op,
                     mlir::ValueRange operands, std::string &reason);

/// True for scalar computations without side effects, which a fusion may contain.
bool isScalarComputation(mlir::Operation *op);

/// True for `cf.assert` (by name, so that this room does not depend on cf).
bool isAssert(mlir::Operation *op);

/// Builds an expression of symbols by ops that the analysis of extents reads.
Value buildIndexExpr(mlir::OpBuilder &builder, mlir::Location loc, mlir::AffineExpr expr,
                     llvm::ArrayRef<Value> symbols);

/// Replaces sizes of the results of ops in `block` by those of their operands, so that no result is
/// needed for its size alone.
void resolveSizes(mlir::Block &block);

/// The element type that represents `type` in a fusion: i64 for index.
mlir::Type convertElementType(mlir::Type type);

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_IMPORTER_H
