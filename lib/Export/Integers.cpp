//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Exports host arithmetic on integers.
//
//===----------------------------------------------------------------------===//

#include "HostExporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;
using artifact::ExprId;
using artifact::ExprKind;

FailureOr<ExprId> HostExporter::getInteger(Operation *user, Value value) {
  auto found = integers.find(value);
  if (found == integers.end())
    return user->emitOpError("expected integers of the host program, but got a value of type ")
           << value.getType();
  return found->second;
}

FailureOr<ExprId> HostExporter::getInteger(Operation *user, OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return artifact.exprs.constant(cast<IntegerAttr>(attribute).getInt());
  return getInteger(user, cast<Value>(value));
}

LogicalResult HostExporter::exportDim(Operation *op, Value source, Value index) {
  FailureOr<TensorValue> tensor = getTensor(op, source);
  FailureOr<ExprId> dim = getInteger(op, index);
  if (failed(tensor) || failed(dim))
    return failure();
  int64_t number = 0;
  if (!artifact.exprs.isConstant(*dim, number) || number < 0 ||
      number >= int64_t(tensor->shape.sizes.size()))
    return op->emitOpError("expected a constant dimension below ") << tensor->shape.sizes.size();
  integers[op->getResult(0)] = tensor->shape.sizes[number];
  return success();
}

LogicalResult HostExporter::exportComparison(Operation *op) {
  auto compare = cast<arith::CmpIOp>(op);
  FailureOr<ExprId> lhs = getInteger(op, compare.getLhs()), rhs = getInteger(op, compare.getRhs());
  if (failed(lhs) || failed(rhs))
    return failure();
  ExprKind kind = ExprKind::Equal;
  bool swap = false;
  // Sizes are not negative, so that unsigned comparisons equal signed ones.
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::eq:
    break;
  case arith::CmpIPredicate::ne:
    kind = ExprKind::NotEqual;
    break;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    swap = true;
    [[fallthrough]];
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    kind = ExprKind::Less;
    break;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    swap = true;
    [[fallthrough]];
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    kind = ExprKind::LessEqual;
    break;
  }
  integers[compare.getResult()] =
      swap ? artifact.exprs.binary(kind, *rhs, *lhs) : artifact.exprs.binary(kind, *lhs, *rhs);
  return success();
}

/// The operator of an op with two integer operands. Unsigned ops map to signed operators, because
/// the host program computes sizes and offsets, which are not negative.
static std::optional<ExprKind> getBinaryKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<ExprKind>>(op)
      .Case<arith::AddIOp>([](auto) { return ExprKind::Add; })
      .Case<arith::SubIOp>([](auto) { return ExprKind::Sub; })
      .Case<arith::MulIOp>([](auto) { return ExprKind::Mul; })
      .Case<arith::FloorDivSIOp, arith::DivUIOp>([](auto) { return ExprKind::FloorDiv; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([](auto) { return ExprKind::CeilDiv; })
      .Case<arith::DivSIOp>([](auto) { return ExprKind::TruncDiv; })
      .Case<arith::RemSIOp>([](auto) { return ExprKind::Rem; })
      .Case<arith::RemUIOp>([](auto) { return ExprKind::Mod; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return ExprKind::Min; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return ExprKind::Max; })
      .Case<arith::AndIOp>([](auto) { return ExprKind::And; })
      .Case<arith::OrIOp>([](auto) { return ExprKind::Or; })
      .Case<arith::XOrIOp>([](auto) { return ExprKind::Xor; })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult HostExporter::exportInteger(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<IntegerAttr>(constant.getValue());
    if (!value)
      return op->emitOpError("expected an integer constant in a host program, but got ")
             << constant.getValue();
    // A true i1 is 1, as everywhere in the artifact.
    integers[constant.getResult()] = artifact.exprs.constant(
        value.getType().isInteger(1) ? int64_t(!value.getValue().isZero()) : value.getInt());
    return success();
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return exportDim(op, dim.getSource(), dim.getIndex());
  if (isa<arith::CmpIOp>(op))
    return exportComparison(op);
  // Arguments are extended according to their types when a call reads them.
  bool fromBool = op->getNumOperands() == 1 && op->getOperand(0).getType().isInteger(1);
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op) ? !fromBool
                                                  : isa<arith::IndexCastUIOp, arith::ExtUIOp>(op)) {
    FailureOr<ExprId> value = getInteger(op, op->getOperand(0));
    if (failed(value))
      return failure();
    integers[op->getResult(0)] = *value;
    return success();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    FailureOr<ExprId> condition = getInteger(op, select.getCondition());
    FailureOr<ExprId> ifTrue = getInteger(op, select.getTrueValue());
    FailureOr<ExprId> ifFalse = getInteger(op, select.getFalseValue());
    if (failed(condition) || failed(ifTrue) || failed(ifFalse))
      return failure();
    integers[select.getResult()] = artifact.exprs.select(*condition, *ifTrue, *ifFalse);
    return success();
  }
  std::optional<ExprKind> kind = getBinaryKind(op);
  if (!kind)
    return op->emitOpError("expected a host op or integer arithmetic in a host program");
  FailureOr<ExprId> lhs = getInteger(op, op->getOperand(0)),
                    rhs = getInteger(op, op->getOperand(1));
  if (failed(lhs) || failed(rhs))
    return failure();
  integers[op->getResult(0)] = artifact.exprs.binary(*kind, *lhs, *rhs);
  return success();
}
