//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Expands `or disjoint` to an addition before code generation. The optimizer turns an addition into
// `or disjoint` if a dominating condition proves that no bit is set in both operands (an index
// below 2 added to an even number), and may then hoist it out of the condition. LLVM's
// straight-line strength reduction, which the NVPTX backend runs, treats it as an addition and
// derives other sums from it that are also used outside of the condition, where the `or` differs
// from the sum (docs/adr/0051-sums-are-no-ors.md).
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace fuser::nvvm;

void fuser::nvvm::expandDisjointOrs(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
      if (!disjoint || !disjoint->isDisjoint())
        continue;
      llvm::IRBuilder<> builder(disjoint);
      // Disjoint bits do not carry.
      disjoint->replaceAllUsesWith(builder.CreateAdd(disjoint->getOperand(0),
                                                     disjoint->getOperand(1), /*Name=*/"",
                                                     /*HasNUW=*/true, /*HasNSW=*/true));
      disjoint->eraseFromParent();
    }
}
