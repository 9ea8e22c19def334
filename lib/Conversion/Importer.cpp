//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Selects the conversion of an op, and cleans up after a failed one.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

Importer::Importer(FusionOp fusion, const LinalgToFuserOptions &options)
    : fusion(fusion), options(options), builder(fusion.getContext()), loc(fusion.getLoc()) {
  builder.setInsertionPointToEnd(&fusion.getBody().front());
}

/// The verifier's first error for `ops`; empty if there is none.
static std::string verifyAll(ArrayRef<Operation *> ops) {
  std::string text;
  if (ops.empty())
    return text;
  ScopedDiagnosticHandler handler(ops.front()->getContext(), [&](Diagnostic &diagnostic) {
    if (text.empty())
      text = diagnostic.str();
    return success();
  });
  for (Operation *op : ops)
    if (failed(verify(op)) && text.empty())
      text = "it does not verify as a fusion";
  return text;
}

LogicalResult Importer::convert(Operation *op) {
  reason.clear();
  loc = op->getLoc();
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes())))
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getEncoding()) {
      llvm::raw_string_ostream(reason) << "expected tensors without an encoding, but got " << type;
      return failure();
    }
  Block &block = fusion.getBody().front();
  Operation *last = block.empty() ? nullptr : &block.back();

  LogicalResult converted = success();
  if (auto fill = dyn_cast<linalg::FillOp>(op);
      isScalarComputation(op) || isa<tensor::EmptyOp, arith::ConstantOp>(op) ||
      (fill && fill.hasPureTensorSemantics() &&
       fill.getInputs()[0].getType() == getElementTypeOrSelf(fill.getOutputs()[0].getType()))) {
    // Brought in where something reads it.
    return success(!fill || lookup(fill.getInputs()[0]));
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    converted = convertStructured(structured);
  } else if (isa<tensor::TensorDialect>(op->getDialect())) {
    converted = convertTensorOp(op);
  } else if (isa<linalg::LinalgDialect>(op->getDialect())) {
    Value result = convertNamed(op);
    if (result)
      map[op->getResult(0)] = result;
    converted = success(bool(result));
  } else {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(lookup(operand));
    Value result;
    if (!llvm::is_contained(operands, Value()))
      result = convertElement(builder, loc, op, operands, reason);
    if (result)
      map[op->getResult(0)] = result;
    converted = success(bool(result));
  }

  SmallVector<Operation *> made;
  for (auto it = last ? std::next(last->getIterator()) : block.begin(); it != block.end(); ++it)
    made.push_back(&*it);
  if (succeeded(converted)) {
    std::string fault = verifyAll(made);
    if (fault.empty())
      return success();
    reason = fault;
  }
  // Erase the values that the failed conversion created.
  llvm::SmallPtrSet<Operation *, 16> erased(made.begin(), made.end());
  for (auto &[old, value] : map)
    if (value && erased.contains(value.getDefiningOp()))
      value = Value();
  for (Operation *undo : llvm::reverse(made))
    undo->erase();
  if (reason.empty())
    reason = "it has no conversion";
  return failure();
}
