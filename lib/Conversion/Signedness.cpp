//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions of signed and unsigned integers become functions of signless ones.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

static bool hasSign(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && !integer.isSignless();
}

/// True if the op only moves its operands, so that their sign does not matter. (Ops of arith and
/// math take signless integers alone.)
static bool ignoresSign(Operation *op) {
  auto isSigned = [](Type type) { return hasSign(type); };
  if (llvm::none_of(op->getOperandTypes(), isSigned) &&
      llvm::none_of(op->getResultTypes(), isSigned))
    return true;
  return isa<UnrealizedConversionCastOp, func::ReturnOp>(op) ||
         isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(op->getDialect());
}

void fuser::conversion::dropSigns(func::FuncOp function) {
  bool found = llvm::any_of(function.getArgumentTypes(), hasSign), isLegal = true;
  function->walk([&](Operation *op) {
    found |= llvm::any_of(op->getResultTypes(), hasSign);
    isLegal &= op == function || ignoresSign(op);
  });
  Operation *table = SymbolTable::getNearestSymbolTable(function->getParentOp());
  if (!found || !isLegal || !table || !SymbolTable::symbolKnownUseEmpty(function, table))
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement([](IntegerType type) -> Type {
    return type.isSignless() ? type : IntegerType::get(type.getContext(), type.getWidth());
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  SmallVector<UnrealizedConversionCastOp> casts;
  function->walk([&](UnrealizedConversionCastOp cast) {
    if (cast.getOperandTypes() == cast.getResultTypes())
      casts.push_back(cast);
  });
  for (UnrealizedConversionCastOp cast : casts) {
    cast.replaceAllUsesWith(cast.getOperands());
    cast.erase();
  }
}
