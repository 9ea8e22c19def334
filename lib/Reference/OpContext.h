//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The inputs and outputs of the evaluation of one op; the table from op names to evaluations.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_REFERENCE_OPCONTEXT_H
#define FUSER_LIB_REFERENCE_OPCONTEXT_H

#include "fuser/Reference/Evaluate.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>

namespace fuser::reference {

/// One op with the values of its operands. An evaluation reads them and sets every result.
class OpContext {
public:
  OpContext(mlir::Operation *op, llvm::ArrayRef<std::shared_ptr<const Tensor>> operands,
            const EvaluateOptions &options, unsigned position)
      : op(op), operandValues(operands), results(op->getNumResults()), options(options),
        position(position) {}

  mlir::Operation *getOp() const { return op; }
  unsigned getNumOperands() const { return operandValues.size(); }
  const Tensor &operand(unsigned number) const { return *operandValues[number]; }
  std::shared_ptr<const Tensor> sharedOperand(unsigned number) const {
    return operandValues[number];
  }
  /// True if the operand is a tensor in the IR (not a scalar).
  bool isTensor(unsigned number) const {
    return mlir::isa<mlir::RankedTensorType>(op->getOperand(number).getType());
  }
  /// Element type of a result; the type itself where it is a scalar.
  mlir::Type resultElementType(unsigned number = 0) const;

  /// An array of integers that the op must have, such as `dims`.
  llvm::ArrayRef<int64_t> getIntegers(llvm::StringRef name) const {
    return op->getAttrOfType<mlir::DenseI64ArrayAttr>(name).asArrayRef();
  }

  /// Sets a result whose elements are only moved.
  mlir::LogicalResult setResult(Tensor tensor, unsigned number = 0);
  mlir::LogicalResult setResult(std::shared_ptr<const Tensor> tensor, unsigned number = 0);
  /// Sets a result whose elements were computed: rounds them to the result's type first.
  mlir::LogicalResult setComputed(Tensor tensor, unsigned number = 0);

  llvm::ArrayRef<std::shared_ptr<const Tensor>> getResults() const { return results; }
  const EvaluateOptions &getOptions() const { return options; }
  mlir::InFlightDiagnostic emitError() const { return op->emitOpError(); }

private:
  mlir::Operation *op;
  llvm::ArrayRef<std::shared_ptr<const Tensor>> operandValues;
  llvm::SmallVector<std::shared_ptr<const Tensor>> results;
  const EvaluateOptions &options;
  /// Number of the op in its program.
  unsigned position;
};

using OpEvaluation = std::function<mlir::LogicalResult(OpContext &)>;
/// Evaluations by op name, such as "fuser.add".
using OpTable = llvm::StringMap<OpEvaluation>;

// Each family adds its ops.
void addScalarOps(OpTable &table);
void addPointwiseOps(OpTable &table);
void addActivations(OpTable &table);
void addSpecialFunctions(OpTable &table);
void addReductionOps(OpTable &table);
void addScanOps(OpTable &table);
void addShapeOps(OpTable &table);
void addRandomOps(OpTable &table);
/// Must run after the families whose ops also take complex numbers.
void addComplexNumbers(OpTable &table);
void addHostOps(OpTable &table);
void addIndexingOps(OpTable &table);
void addContractionOps(OpTable &table);

} // namespace fuser::reference

#endif // FUSER_LIB_REFERENCE_OPCONTEXT_H
