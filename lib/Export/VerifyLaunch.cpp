//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VerifyLaunch.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;
using kernel_ir::FuserGPUDialect;

SmallVector<Value> fuser::getLaunchOperands(LaunchOp op) {
  SmallVector<Value> operands(op.getInputs());
  llvm::append_range(operands, op.getOutputs());
  return operands;
}

namespace {

class LaunchVerifier {
public:
  explicit LaunchVerifier(LaunchOp op) : op(op), operands(getLaunchOperands(op)) {}

  LogicalResult verify(gpu::GPUFuncOp function);

private:
  LogicalResult verifyBinding(Attribute binding);
  LogicalResult verifyFact(FactAttr fact);

  /// The type of operand `number`, which `what` names.
  FailureOr<Type> getType(Attribute what, int64_t number) {
    if (number >= 0 && number < int64_t(operands.size()))
      return operands[number].getType();
    return op.emitOpError("expected an operand for ") << what << ", but there is none";
  }
  FailureOr<RankedTensorType> getTensor(Attribute what, int64_t number) {
    FailureOr<Type> type = getType(what, number);
    if (failed(type))
      return failure();
    if (auto tensor = dyn_cast<RankedTensorType>(*type))
      return tensor;
    return op.emitOpError("expected a tensor for ") << what << ", but got " << *type;
  }
  LogicalResult verifyDim(Attribute what, int64_t number, int64_t dim) {
    FailureOr<RankedTensorType> tensor = getTensor(what, number);
    if (failed(tensor))
      return failure();
    if (dim >= 0 && dim < tensor->getRank())
      return success();
    return op.emitOpError("expected ")
           << what << " to name one of " << tensor->getRank() << " dimensions";
  }

  LaunchOp op;
  SmallVector<Value> operands;
};

} // namespace

LogicalResult LaunchVerifier::verifyBinding(Attribute binding) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(binding)
      .Case(
          [&](kernel_ir::PointerAttr pointer) { return getTensor(binding, pointer.getOperand()); })
      .Case<kernel_ir::SizeAttr, kernel_ir::StrideAttr>([&](auto dimension) {
        return verifyDim(binding, dimension.getOperand(), dimension.getDim());
      })
      .Case([&](kernel_ir::ScalarAttr scalar) -> LogicalResult {
        FailureOr<Type> type = getType(binding, scalar.getOperand());
        if (succeeded(type) && isa<RankedTensorType>(*type))
          return op.emitOpError("expected a scalar for ") << binding << ", but got " << *type;
        return type;
      })
      .Case([&](kernel_ir::TensorMapAttr map) -> LogicalResult {
        FailureOr<RankedTensorType> tensor = getTensor(binding, map.getOperand());
        if (succeeded(tensor) && int64_t(map.getDims().size()) != tensor->getRank())
          return op.emitOpError("expected ") << binding << " to name the " << tensor->getRank()
                                             << " dimensions of operand " << map.getOperand();
        return tensor;
      })
      // Workspaces and parts are those of the kernel, whose verifier compares the numbers.
      .Default(success());
}

LogicalResult LaunchVerifier::verifyFact(FactAttr fact) {
  if (fact.isOfBuffer())
    return getTensor(fact, fact.getArg());
  if (failed(verifyDim(fact, fact.getArg(), fact.getDim())))
    return failure();
  return fact.getKind() == FactKind::Equal ? verifyDim(fact, fact.getOtherArg(), fact.getOtherDim())
                                           : success();
}

LogicalResult LaunchVerifier::verify(gpu::GPUFuncOp function) {
  auto launch = function->getAttrOfType<kernel_ir::LaunchAttr>(FuserGPUDialect::kLaunch);
  for (Attribute symbol : launch.getSymbols()) {
    if (failed(verifyBinding(symbol)))
      return failure();
    if (auto scalar = dyn_cast<kernel_ir::ScalarAttr>(symbol))
      if (Type type = operands[scalar.getOperand()].getType(); !type.isIntOrIndex())
        return op.emitOpError("expected an integer for ") << symbol << ", but got " << type;
  }
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    Attribute binding = function.getArgAttr(number, FuserGPUDialect::kBind);
    if (!binding)
      return op.emitOpError("expected argument ")
             << number << " of " << op.getKernel() << " to have '" << FuserGPUDialect::kBind << "'";
    if (failed(verifyBinding(binding)))
      return failure();
  }
  auto facts = function->getAttrOfType<ArrayAttr>(kKernelFactsAttrName);
  for (Attribute attribute : facts ? facts.getValue() : ArrayRef<Attribute>()) {
    auto fact = dyn_cast<FactAttr>(attribute);
    if (!fact)
      return op.emitOpError("expected '") << kKernelFactsAttrName << "' of " << op.getKernel()
                                          << " to hold facts, but got " << attribute;
    if (failed(verifyFact(fact)))
      return failure();
  }
  return success();
}

LogicalResult fuser::verifyLaunch(LaunchOp op, gpu::GPUFuncOp function) {
  return LaunchVerifier(op).verify(function);
}
