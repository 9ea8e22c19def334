//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Replaces functions that only call a fusion by the fusion.
//
//===----------------------------------------------------------------------===//

#include "fuser/Conversion/EntryPoints.h"
#include "ScalarArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

static bool isArgumentType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return !tensor.getEncoding();
  return bool(conversion::getScalarArgumentType(type));
}

/// What a returned value is cast from.
static Value peelCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value;
}

/// The call, if it is the only op of `function` except constants (if these are allowed), widened
/// scalars, and casts of what is returned; else null.
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
    if (isa<tensor::CastOp>(op) && llvm::all_of(op.getUsers(), [](Operation *user) {
          return isa<tensor::CastOp>(user) || user->hasTrait<OpTrait::ReturnLike>();
        }))
      continue;
    if (op.getNumResults() == 1 && conversion::getNarrowScalar(op.getResult(0)) != op.getResult(0))
      continue;
    if (call || !isa<fuser::CallOp>(op))
      return {};
    call = cast<fuser::CallOp>(op);
  }
  if (!call)
    return {};
  llvm::DenseSet<Value> seen;
  for (Value value : call.getOperands()) {
    Value operand = conversion::getNarrowScalar(value);
    if (!seen.insert(operand).second ||
        !(isa<BlockArgument>(operand) || operand.getDefiningOp<arith::ConstantOp>()))
      return {};
  }
  for (Value value : block.getTerminator()->getOperands()) {
    Value source = peelCasts(value);
    bool isArgument = isa<BlockArgument>(source) && isa<RankedTensorType>(source.getType());
    if (source.getDefiningOp() != call && !isArgument)
      return {};
  }
  return call;
}

/// Turns calls of `function` into calls of the fusion that takes its name. Fails without a change
/// if `function` has a use that is not a call.
static LogicalResult replaceCallers(func::FuncOp function, TypeRange results, Operation *table) {
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(function, table);
  if (!uses || !llvm::all_of(*uses, [](const SymbolTable::SymbolUse &use) {
        return isa<func::CallOp>(use.getUser());
      }))
    return failure();
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto caller = cast<func::CallOp>(use.getUser());
    OpBuilder builder(caller);
    SmallVector<Value> operands = llvm::map_to_vector(caller.getOperands(), [&](Value operand) {
      return isa<RankedTensorType>(operand.getType())
                 ? operand
                 : conversion::widenScalar(builder, caller.getLoc(), operand);
    });
    auto call = fuser::CallOp::create(builder, caller.getLoc(), results, caller.getCalleeAttr(),
                                      operands, ArrayAttr(), ArrayAttr());
    for (auto [old, value] : llvm::zip_equal(caller.getResults(), call.getResults())) {
      Value result = value;
      if (result.getType() != old.getType()) // sizes that the fusion knows
        result = tensor::CastOp::create(builder, caller.getLoc(), old.getType(), result);
      old.replaceAllUsesWith(result);
    }
    caller.erase();
  }
  return success();
}

/// Renumbers the arguments of facts, which were `from`, to positions in `to`.
static void moveFacts(FusionOp fusion, ArrayRef<Value> from, ArrayRef<Value> to) {
  ArrayAttr facts = fusion.getFactsAttr();
  if (!facts)
    return;
  auto move = [&](int64_t argument) -> int64_t {
    return argument < 0 || argument >= int64_t(from.size())
               ? argument
               : llvm::find(to, from[argument]) - to.begin();
  };
  SmallVector<Attribute> moved;
  for (auto fact : facts.getAsRange<FactAttr>()) {
    bool hasOther = fact.getKind() == FactKind::Equal;
    moved.push_back(FactAttr::get(
        fusion.getContext(), fact.getKind(), move(fact.getArg()), fact.getDim(), fact.getValue(),
        hasOther ? move(fact.getOtherArg()) : fact.getOtherArg(), fact.getOtherDim()));
  }
  fusion.setFactsAttr(ArrayAttr::get(fusion.getContext(), moved));
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
  // A size that the fusion knows is static in its result.
  SmallVector<Type> resultTypes;
  for (Value value : function.getBody().front().getTerminator()->getOperands())
    resultTypes.push_back(peelCasts(value).getType());
  // Constants change the signature, so that callers would not fit.
  SmallVector<Value> operands =
      llvm::map_to_vector(call.getOperands(), conversion::getNarrowScalar);
  bool hasConstants =
      llvm::any_of(operands, [](Value operand) { return !isa<BlockArgument>(operand); });
  if (hasConstants ? !SymbolTable::symbolKnownUseEmpty(function, symbols.getOp())
                   : failed(replaceCallers(function, resultTypes, symbols.getOp())))
    return {};

  // The arguments of the function, in its order, then the constants.
  Block &block = fusion.getBody().front(), &body = function.getBody().front();
  unsigned old = block.getNumArguments();
  SmallVector<Value> wanted(body.getArguments());
  for (Value operand : operands) {
    if (isa<BlockArgument>(operand))
      continue;
    ElementsAttr constant;
    if (!matchPattern(operand, m_Constant(&constant)))
      return {};
    wanted.push_back(operand);
    constants->push_back(constant);
  }
  for (Value value : wanted) {
    Type type = value.getType();
    BlockArgument added = block.addArgument(
        isa<RankedTensorType>(type) ? type : conversion::getScalarArgumentType(type),
        value.getLoc());
    for (auto [index, operand] : llvm::enumerate(operands))
      if (operand == value)
        block.getArgument(index).replaceAllUsesWith(added);
  }
  block.eraseArguments(0, old);
  Operation *end = block.getTerminator();
  SmallVector<Value> outputs;
  OpBuilder builder(end);
  for (Value value : body.getTerminator()->getOperands()) {
    Value source = peelCasts(value);
    if (auto argument = dyn_cast<BlockArgument>(source)) {
      Value copied = block.getArgument(argument.getArgNumber());
      outputs.push_back(
          SetOp::create(builder, end->getLoc(), copied.getType(), copied, {}, {}, {}));
    } else {
      outputs.push_back(end->getOperand(cast<OpResult>(source).getResultNumber()));
    }
  }
  end->setOperands(outputs);
  fusion.setFunctionType(FunctionType::get(fusion.getContext(), block.getArgumentTypes(),
                                           ValueRange(outputs).getTypes()));
  moveFacts(fusion, operands, wanted);
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
