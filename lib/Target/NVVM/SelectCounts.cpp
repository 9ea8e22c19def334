//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes counts of conditions as selections: x + (c ? 1 : 0), which the optimizer makes of them, as
// c ? x + 1 : x. The assembler makes of the latter one addition that is executed if c holds, and of
// the former two instructions.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace fuser::nvvm;

/// The selection that the sum is; null for others. Sums of two conditions stay: neither is a count.
static llvm::Value *select(llvm::Instruction &sum) {
  using namespace llvm::PatternMatch;
  if (!sum.getType()->getScalarType()->isIntegerTy(32))
    return nullptr;
  auto isCondition = [](llvm::Value *value) {
    return match(value, m_ZExtOrSExt(m_Value())) &&
           llvm::cast<llvm::CastInst>(value)->getSrcTy()->isIntOrIntVectorTy(1);
  };
  llvm::Value *count = nullptr, *condition = nullptr;
  int step = 0;
  if (match(&sum, m_c_Add(m_Value(count), m_ZExt(m_Value(condition)))))
    step = 1;
  else if (match(&sum, m_c_Add(m_Value(count), m_SExt(m_Value(condition)))) ||
           match(&sum, m_Sub(m_Value(count), m_ZExt(m_Value(condition)))))
    step = -1;
  if (step == 0 || !condition->getType()->isIntOrIntVectorTy(1) || isCondition(count) ||
      llvm::isa<llvm::Constant>(count))
    return nullptr;
  llvm::IRBuilder<> builder(&sum);
  return builder.CreateSelect(
      condition, builder.CreateAdd(count, llvm::ConstantInt::getSigned(count->getType(), step)),
      count);
}

void fuser::nvvm::selectCounts(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (llvm::Value *selected = select(instruction)) {
        instruction.replaceAllUsesWith(selected);
        instruction.eraseFromParent();
      }
}
