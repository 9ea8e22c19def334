//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes the ops of a fusion into a function.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CONVERSION_EXPORTER_H
#define FUSER_LIB_CONVERSION_EXPORTER_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include <string>

namespace fuser::conversion {

/// Appends the ops of a fusion to a function, one by one and in order. It queries maps and elements
/// through the interfaces of ops; it names only the ops that have a counterpart in tensor.
class Exporter {
public:
  Exporter(FusionOp fusion, mlir::func::FuncOp function);

  /// Writes one op. On failure getReason() returns the reason as a clause, and the function must be
  /// discarded.
  mlir::LogicalResult convert(mlir::Operation *op);
  llvm::StringRef getReason() const { return reason; }

private:
  using Value = mlir::Value;

  mlir::LogicalResult refuse(const llvm::Twine &why) {
    reason = why.str();
    return mlir::failure();
  }

  // ExportGenerics.cpp
  mlir::LogicalResult convertElementwise(ElementwiseOpInterface op);
  mlir::LogicalResult convertReduction(CombinerOpInterface op);
  /// The indexing map of a tensor operand over the root ids.
  mlir::FailureOr<mlir::AffineMap> getIndexingMap(mlir::Operation *op, unsigned operand,
                                                  unsigned numLoops);
  /// An uninitialised tensor for a result whose dimensions are the root ids `ids`.
  mlir::FailureOr<Value> makeEmpty(mlir::Operation *op, mlir::RankedTensorType type,
                                   llvm::ArrayRef<unsigned> ids);
  /// The size of a root id as an index value; null (with a reason) if no operand determines it.
  Value getRootSize(mlir::Operation *op, unsigned id);

  // ExportShapes.cpp
  mlir::LogicalResult convertShape(mlir::Operation *op, bool &handled);
  mlir::LogicalResult convertReshape(ReshapeOp op);
  mlir::LogicalResult convertFull(FullOp op);
  mlir::LogicalResult convertIota(IotaOp op);
  mlir::SmallVector<Value> lookupAll(mlir::ValueRange values) const {
    return llvm::map_to_vector(values, [&](Value value) { return map.lookup(value); });
  }

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::IRMapping map;
  std::string reason;
};

} // namespace fuser::conversion

#endif // FUSER_LIB_CONVERSION_EXPORTER_H
