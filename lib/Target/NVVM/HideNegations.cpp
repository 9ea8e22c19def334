//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Hides negations of integers from ptxas, which miscompiles some: when it merges two signed minima
// or maxima into one instruction (VIMNMX3, on sm_90 and later), it drops the negation of the middle
// operand. Written as ~x + 1, with a complement that LLVM and ptxas do not simplify, the negation
// has the same cost (docs/adr/0049-negations-beside-minima.md).
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace fuser::nvvm;

/// True if the function has minima or maxima that the assembler may merge.
static bool hasSignedExtrema(llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call && (call->getIntrinsicID() == llvm::Intrinsic::smax ||
                    call->getIntrinsicID() == llvm::Intrinsic::smin);
  });
}

/// ~x + 1 of an i16 or i32.
static llvm::Value *createNegation(llvm::IRBuilder<> &builder, llvm::Value *x) {
  llvm::Type *type = x->getType();
  const bool isShort = type->isIntegerTy(16);
  auto *complement = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, /*isVarArg=*/false),
                                          isShort ? "not.b16 $0, $1;" : "not.b32 $0, $1;",
                                          isShort ? "=h,h" : "=r,r", /*hasSideEffects=*/false);
  return builder.CreateAdd(builder.CreateCall(complement, {x}), llvm::ConstantInt::get(type, 1));
}

static llvm::Value *createNegations(llvm::IRBuilder<> &builder, llvm::Value *x) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!vector)
    return createNegation(builder, x);
  llvm::Value *negated = llvm::PoisonValue::get(vector);
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
    negated = builder.CreateInsertElement(
        negated, createNegation(builder, builder.CreateExtractElement(x, lane)), lane);
  return negated;
}

/// The negated operand; instruction selection also turns products and quotients with -2^k into
/// negations. Null for other instructions.
static llvm::Value *getNegated(llvm::Instruction &instruction, llvm::IRBuilder<> &builder) {
  using namespace llvm::PatternMatch;
  llvm::Value *x = nullptr;
  const llvm::APInt *factor = nullptr;
  if (match(&instruction, m_Neg(m_Value(x))))
    return x;
  if (match(&instruction, m_Mul(m_Value(x), m_NegatedPower2(factor))))
    return builder.CreateShl(x, factor->countr_zero());
  if (match(&instruction, m_SDiv(m_Value(x), m_NegatedPower2(factor))) &&
      !factor->isMinSignedValue())
    return builder.CreateSDiv(x, llvm::ConstantInt::get(x->getType(), -*factor));
  return nullptr;
}

void fuser::nvvm::hideNegations(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!hasSignedExtrema(function))
      continue;
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Type *element = instruction.getType()->getScalarType();
      // For narrower integers an extension separates the ops; wider ones have no such instruction.
      if (!element->isIntegerTy(16) && !element->isIntegerTy(32))
        continue;
      llvm::IRBuilder<> builder(&instruction);
      llvm::Value *x = getNegated(instruction, builder);
      if (!x)
        continue;
      instruction.replaceAllUsesWith(createNegations(builder, x));
      instruction.eraseFromParent();
    }
  }
}
