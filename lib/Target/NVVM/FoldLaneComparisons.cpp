//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Folds comparisons of vectors lane by lane. The lanes of an index are a multiple of their number
// and a constant: whether one of them is the first column of a row is known for all but one lane.
// LLVM folds a comparison of a vector where it is known for all lanes at once.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace fuser::nvvm;

/// What is known of each lane.
static llvm::SmallVector<std::optional<bool>> getLanes(llvm::ICmpInst &comparison,
                                                       unsigned numLanes) {
  const llvm::SimplifyQuery query(comparison.getDataLayout(), &comparison);
  llvm::SmallVector<std::optional<bool>> lanes;
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    const llvm::APInt demanded = llvm::APInt::getOneBitSet(numLanes, lane);
    lanes.push_back(
        llvm::ICmpInst::compare(llvm::computeKnownBits(comparison.getOperand(0), demanded, query),
                                llvm::computeKnownBits(comparison.getOperand(1), demanded, query),
                                comparison.getPredicate()));
  }
  return lanes;
}

static void fold(llvm::ICmpInst &comparison) {
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(comparison.getOperand(0)->getType());
  if (!type || !type->getElementType()->isIntegerTy())
    return;
  const auto lanes = getLanes(comparison, type->getNumElements());
  if (llvm::none_of(lanes, [](std::optional<bool> lane) { return lane.has_value(); }))
    return;
  llvm::SmallVector<llvm::Constant *> known;
  for (std::optional<bool> lane : lanes)
    known.push_back(llvm::ConstantInt::getBool(comparison.getContext(), lane.value_or(false)));
  llvm::Value *folded = llvm::ConstantVector::get(known);
  llvm::IRBuilder<> builder(&comparison);
  for (auto [number, lane] : llvm::enumerate(lanes))
    if (!lane)
      folded = builder.CreateInsertElement(
          folded,
          builder.CreateICmp(comparison.getPredicate(),
                             builder.CreateExtractElement(comparison.getOperand(0), number),
                             builder.CreateExtractElement(comparison.getOperand(1), number)),
          number);
  comparison.replaceAllUsesWith(folded);
  comparison.eraseFromParent();
}

void fuser::nvvm::foldLaneComparisons(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
        fold(*comparison);
}
