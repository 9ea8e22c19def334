//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes `or disjoint` as an addition before code is generated. The optimizer makes one of an
// addition where a condition around it keeps the bits apart (an index below 2 added to an even
// number) and may then move it out of the condition. LLVM's straight-line strength reduction, which
// the NVPTX backend runs, takes it for an addition and derives other sums from it, which hold
// outside of the condition too: there the `or` is no sum (docs/adr/0051-sums-are-no-ors.md).
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
      // Bits that are apart carry nowhere.
      disjoint->replaceAllUsesWith(builder.CreateAdd(disjoint->getOperand(0),
                                                     disjoint->getOperand(1), /*Name=*/"",
                                                     /*HasNUW=*/true, /*HasNSW=*/true));
      disjoint->eraseFromParent();
    }
}
