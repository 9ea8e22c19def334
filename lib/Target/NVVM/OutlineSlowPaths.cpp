//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls libdevice's reduction of large angles. Sines and cosines of f32 reduce an angle of 105615
// or more by a loop over words of 2 / pi and local memory, as large as the rest of the function
// twice over, which hardly any element needs. Inlined for each element, it is most of the code of a
// kernel.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace fuser::nvvm;

static constexpr llvm::StringLiteral kFunctions[] = {"__nv_sinf", "__nv_cosf", "__nv_tanf"};

/// The least angle that libdevice reduces slowly.
static constexpr float kLeastLarge = 105615.0f;

/// The comparison by which the function chooses the slow path; null if it is of another form.
static llvm::FCmpInst *findChoice(llvm::Function &function) {
  using namespace llvm::PatternMatch;
  llvm::FCmpInst *choice = nullptr;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (match(&instruction,
              m_SpecificFCmp(llvm::CmpInst::FCMP_OGE, m_Value(), m_SpecificFP(kLeastLarge)))) {
      if (choice)
        return nullptr;
      choice = llvm::cast<llvm::FCmpInst>(&instruction);
    }
  return choice;
}

/// A clone without the slow path.
static llvm::Function *cloneFast(llvm::Function &function) {
  llvm::ValueToValueMapTy mapping;
  llvm::Function *fast = llvm::CloneFunction(&function, mapping);
  fast->setName(function.getName() + "_fast");
  llvm::FCmpInst *choice = findChoice(*fast);
  choice->replaceAllUsesWith(llvm::ConstantInt::getFalse(choice->getType()));
  choice->eraseFromParent();
  return fast;
}

/// The result of the fast function or, for a large angle, of the slow one.
static void choose(llvm::CallInst &call, llvm::Function *fast) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *angle = call.getArgOperand(0);
  llvm::Value *isLarge =
      builder.CreateFCmpOGE(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, angle),
                            llvm::ConstantFP::get(angle->getType(), kLeastLarge));
  llvm::CallInst *common = builder.CreateCall(fast, {angle});
  llvm::BasicBlock *before = call.getParent();
  llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(
      isLarge, call.getIterator(), /*Unreachable=*/false,
      llvm::MDBuilder(call.getContext()).createUnlikelyBranchWeights());
  llvm::BasicBlock *after = call.getParent();
  call.moveBefore(end->getIterator());
  builder.SetInsertPoint(after, after->begin());
  llvm::PHINode *result = builder.CreatePHI(call.getType(), 2);
  call.replaceAllUsesWith(result);
  result->addIncoming(common, before);
  result->addIncoming(&call, end->getParent());
}

void fuser::nvvm::outlineSlowPaths(llvm::Module &module) {
  for (llvm::StringRef name : kFunctions) {
    llvm::Function *function = module.getFunction(name);
    if (!function || function->isDeclaration() || !function->hasNUsesOrMore(2) ||
        !findChoice(*function))
      continue;
    llvm::SmallVector<llvm::CallInst *> calls;
    for (llvm::User *user : function->users())
      calls.push_back(llvm::cast<llvm::CallInst>(user));
    llvm::Function *fast = cloneFast(*function);
    for (llvm::CallInst *call : calls)
      choose(*call, fast);
    function->removeFnAttr(llvm::Attribute::AlwaysInline);
    function->addFnAttr(llvm::Attribute::NoInline);
  }
}
