//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes constant vectors that are stored as words of 64 bits. ptxas shares the registers of equal
// constants between stores, and may move one that is predicated ahead of the move into its second
// register. It sets both halves of a word together (docs/adr/0103-stored-constants-are-words.md).
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace fuser::nvvm;

/// The type with words of 64 bits instead of narrower elements; null if they do not fill words.
static llvm::Type *getWords(llvm::Type *type, const llvm::DataLayout &layout) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const uint64_t bits = vector ? layout.getTypeSizeInBits(vector).getFixedValue() : 0;
  if (bits == 0 || bits % 64 != 0 || vector->getScalarSizeInBits() >= 64)
    return nullptr;
  llvm::Type *word = llvm::Type::getInt64Ty(type->getContext());
  return bits == 64 ? word : llvm::FixedVectorType::get(word, bits / 64);
}

void fuser::nvvm::widenStoredConstants(llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      auto *value = store ? llvm::dyn_cast<llvm::Constant>(store->getValueOperand()) : nullptr;
      llvm::Type *words = value ? getWords(value->getType(), layout) : nullptr;
      if (!words)
        continue;
      if (llvm::Constant *joined =
              llvm::ConstantFoldCastOperand(llvm::Instruction::BitCast, value, words, layout))
        store->setOperand(0, joined);
    }
}
