//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Extends vectors of bf16 to f32 by pairs: a pair is 32 bits, whose halves are the upper halves of
// the results. ptxas moves the upper half of a pair to a register of its own before it shifts it:
// two instructions in place of one.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace fuser::nvvm;

/// The shortest vectors that are extended by pairs. Of others the words take registers: sums of
/// columns by vectors of four have 37 instead of 32, so that three blocks of 512 threads are
/// resident instead of four. On one NVIDIA H200 sums of the columns of 16384x20480 take 172 us
/// instead of 155; softmax of capped scores, 8x16x1024x1024, takes 136 instead of 163, a depthwise
/// convolution 92 instead of 99.
static constexpr unsigned kLeastElements = 8;

/// True if the words of an extended vector may stay in registers, in a kernel with loops: not those
/// of weights that a loop over rows reads, which stay f32, nor those that a loop adds to sums as it
/// reads them. There the assembler would read a vector after the words of the one before are added
/// (sums of columns by vectors of eight: two loads in flight instead of four).
static bool mayTakeWords(llvm::FPExtInst *extension, llvm::Loop *loop) {
  llvm::Value *vector = extension->getOperand(0);
  if (!loop || loop->isLoopInvariant(vector))
    return false;
  auto *load = llvm::dyn_cast<llvm::LoadInst>(vector);
  return !load || load->getPointerAddressSpace() == llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// The extended elements of a vector with an even number of them.
static llvm::Value *extendPairs(llvm::IRBuilder<> &builder, llvm::Value *vector,
                                llvm::FixedVectorType *type) {
  const unsigned numPairs = type->getNumElements() / 2;
  llvm::Type *words = llvm::FixedVectorType::get(builder.getInt32Ty(), numPairs);
  // Instruction selection makes a load of words of it, which is that of the vector.
  auto *source = llvm::dyn_cast<llvm::Instruction>(vector);
  llvm::Value *pairs = builder.CreateBitCast(vector, words);
  if (auto *cast = llvm::dyn_cast<llvm::Instruction>(pairs); cast && source)
    cast->setDebugLoc(source->getDebugLoc());
  llvm::Value *result = llvm::PoisonValue::get(type);
  for (unsigned number = 0; number < numPairs; ++number) {
    llvm::Value *pair = builder.CreateExtractElement(pairs, number);
    llvm::Value *halves[] = {builder.CreateShl(pair, 16), builder.CreateAnd(pair, 0xffff0000)};
    for (unsigned half = 0; half < 2; ++half)
      result = builder.CreateInsertElement(
          result, builder.CreateBitCast(halves[half], builder.getFloatTy()), 2 * number + half);
  }
  return result;
}

void fuser::nvvm::unpackPairs(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *extension = llvm::dyn_cast<llvm::FPExtInst>(&instruction);
      auto *type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
      if (!extension || !type || !type->getElementType()->isFloatTy() ||
          !extension->getSrcTy()->getScalarType()->isBFloatTy() || type->getNumElements() % 2 != 0)
        continue;
      // Elements that come one by one, or from several vectors, are in no pairs.
      if (type->getNumElements() < kLeastElements ||
          llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst>(extension->getOperand(0)))
        continue;
      if (!loops.empty() && !mayTakeWords(extension, loops.getLoopFor(extension->getParent())))
        continue;
      llvm::IRBuilder<> builder(extension);
      extension->replaceAllUsesWith(extendPairs(builder, extension->getOperand(0), type));
      extension->eraseFromParent();
    }
  }
}
