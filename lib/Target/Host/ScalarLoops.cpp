//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Excludes loops from LLVM's loop vectorizer that LLVM 22 vectorizes wrongly.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm::PatternMatch;

/// True for a remainder by a power of two: scalar evolution represents it as an addition of few
/// bits.
static bool isPowerOfTwoRemainder(llvm::Instruction &instruction) {
  const llvm::APInt *operand;
  if (match(&instruction, m_URem(m_Value(), m_APInt(operand))))
    return operand->isPowerOf2();
  return match(&instruction, m_And(m_Value(), m_APInt(operand))) && operand->isMask();
}

void fuser::host::keepRemainderLoopsScalar(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    // The loops around may be the innermost ones after unrolling.
    for (llvm::Loop *loop : loops.getLoopsInPreorder())
      for (llvm::BasicBlock *block : loop->blocks())
        if (llvm::any_of(*block, isPowerOfTwoRemainder)) {
          llvm::addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
          break;
        }
  }
}
