//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/EqualKernels.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fuser::kernel_ir;

static size_t computeHash(gpu::GPUModuleOp module) {
  llvm::hash_code hash = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Names differ. Operands would have to be numbered; ops and their attributes tell enough.
    if (op != module && !isa<SymbolOpInterface>(op))
      hash = llvm::hash_combine(hash, op->getAttrDictionary());
    hash = llvm::hash_combine(hash, op->getName(), op->getResultTypes());
  });
  return hash;
}

static bool areEqual(gpu::GPUModuleOp a, gpu::GPUModuleOp b) {
  if (a->getDiscardableAttrDictionary() != b->getDiscardableAttrDictionary())
    return false;
  auto functionsOfA = llvm::to_vector(a.getOps<gpu::GPUFuncOp>());
  auto functionsOfB = llvm::to_vector(b.getOps<gpu::GPUFuncOp>());
  if (functionsOfA.size() != 1 || functionsOfB.size() != 1)
    return false;
  gpu::GPUFuncOp function = functionsOfB.front();
  StringAttr name = SymbolTable::getSymbolName(function);
  SymbolTable::setSymbolName(function, SymbolTable::getSymbolName(functionsOfA.front()));
  bool equal = OperationEquivalence::isRegionEquivalentTo(&a.getBodyRegion(), &b.getBodyRegion(),
                                                          OperationEquivalence::IgnoreLocations);
  SymbolTable::setSymbolName(function, name);
  return equal;
}

gpu::GPUModuleOp EqualKernels::add(gpu::GPUModuleOp module) {
  auto &candidates = byHash[computeHash(module)];
  for (gpu::GPUModuleOp candidate : candidates)
    if (areEqual(candidate, module))
      return candidate;
  candidates.push_back(module);
  return {};
}
