//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Replaces functions that only call a fusion by the fusion.
//
//===----------------------------------------------------------------------===//

#include "fuser/Conversion/EntryPoints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

static bool isArgumentType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return !tensor.getEncoding();
  return isa<ComplexType, IndexType>(type) || type.isInteger(1) || type.isInteger(64) ||
         type.isF32() || type.isF64();
}

/// The call, if it is the only op of `function` besides constants (if these are allowed); else
/// null.
static fuser::CallOp getOnlyCall(func::FuncOp function, bool allowConstants) {
  if (function.isExternal() || !function.getBody().hasOneBlock() ||
      !llvm::all_of(function.getArgumentTypes(), isArgumentType))
    return {};
  Block &block = function.getBody().front();
  fuser::CallOp call;
  for (Operation &op : block.without_terminator()) {
    if (allowConstants && isa<arith::ConstantOp>(op) &&
        isa<RankedTensorType>(op.getResult(0).getType()))
      continue;
    if (call || !isa<fuser::CallOp>(op))
      return {};
    call = cast<fuser::CallOp>(op);
  }
  if (!call)
    return {};
  llvm::DenseSet<Value> seen;
  for (Value operand : call.getOperands())
    if (!seen.insert(operand).second ||
        !(isa<BlockArgument>(operand) || operand.getDefiningOp<arith::ConstantOp>()))
      return {};
  for (Value value : block.getTerminator()->getOperands())
    if (value.getDefiningOp() != call)
      return {};
  return call;
}

/// Turns calls of `function` into calls of the fusion that takes its name. Fails without a change
/// if `function` has a use that is not a call.
static LogicalResult replaceCallers(func::FuncOp function, Operation *table) {
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(function, table);
  if (!uses || !llvm::all_of(*uses, [](const SymbolTable::SymbolUse &use) {
        return isa<func::CallOp>(use.getUser());
      }))
    return failure();
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto caller = cast<func::CallOp>(use.getUser());
    OpBuilder builder(caller);
    auto call = fuser::CallOp::create(builder, caller.getLoc(), caller.getResultTypes(),
                                      caller.getCalleeAttr(), caller.getOperands(), ArrayAttr(),
                                      ArrayAttr());
    caller.replaceAllUsesWith(call.getResults());
    caller.erase();
  }
  return success();
}

FusionOp fuser::replaceByFusion(func::FuncOp function, SymbolTable &symbols,
                                SmallVectorImpl<ElementsAttr> *constants) {
  fuser::CallOp call = getOnlyCall(function, constants != nullptr);
  auto fusion = call ? symbols.lookup<FusionOp>(call.getCallee()) : FusionOp();
  if (!fusion)
    return {};
  std::optional<SymbolTable::UseRange> calls = SymbolTable::getSymbolUses(fusion, symbols.getOp());
  if (!calls || !llvm::hasSingleElement(*calls))
    return {};
  // Constants change the signature, so that callers would not fit.
  bool hasConstants =
      llvm::any_of(call.getOperands(), [](Value operand) { return !isa<BlockArgument>(operand); });
  if (hasConstants ? !SymbolTable::symbolKnownUseEmpty(function, symbols.getOp())
                   : failed(replaceCallers(function, symbols.getOp())))
    return {};

  // The arguments of the function, in its order, then the constants.
  Block &block = fusion.getBody().front(), &body = function.getBody().front();
  unsigned old = block.getNumArguments();
  SmallVector<Value> wanted(body.getArguments());
  for (Value operand : call.getOperands()) {
    if (isa<BlockArgument>(operand))
      continue;
    ElementsAttr constant;
    if (!matchPattern(operand, m_Constant(&constant)))
      return {};
    wanted.push_back(operand);
    constants->push_back(constant);
  }
  for (Value value : wanted) {
    BlockArgument added = block.addArgument(value.getType(), value.getLoc());
    for (auto [index, operand] : llvm::enumerate(call.getOperands()))
      if (operand == value)
        block.getArgument(index).replaceAllUsesWith(added);
  }
  block.eraseArguments(0, old);
  Operation *end = block.getTerminator();
  SmallVector<Value> outputs;
  for (Value value : body.getTerminator()->getOperands())
    outputs.push_back(end->getOperand(cast<OpResult>(value).getResultNumber()));
  end->setOperands(outputs);
  fusion.setFunctionType(
      FunctionType::get(fusion.getContext(), block.getArgumentTypes(), function.getResultTypes()));
  if (!hasConstants && function.getArgAttrsAttr())
    fusion.setArgAttrsAttr(function.getArgAttrsAttr());
  if (function.getResAttrsAttr())
    fusion.setResAttrsAttr(function.getResAttrsAttr());

  std::string name = function.getSymName().str();
  symbols.erase(function);
  symbols.remove(fusion);
  fusion.setSymName(name);
  symbols.insert(fusion);
  return fusion;
}
