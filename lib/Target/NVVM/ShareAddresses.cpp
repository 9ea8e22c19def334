//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lets accesses at constant distances share an address, which instructions add a constant to. LLVM
// splits constants from an index only where each sum with one is known not to wrap, which a
// difference is not (the row before), and then adds the terms of the index in 64 bits. Elements
// that are accessed have places from 0 to 2^31 - 1: the distance of two indices of 32 bits is that
// of their constants, however the sums are written
// (docs/adr/0187-interiors-and-shared-addresses.md).
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace fuser::nvvm;

/// The most sums and products that an index is looked for in.
static constexpr unsigned kMostDepth = 12;
/// The largest distance of elements that share an address: others are known modulo 2^32 only.
static constexpr int64_t kMostDistance = int64_t(1) << 30;

namespace {
/// Multiples of values, by the number that a value got when it was met first.
using Terms = std::map<unsigned, uint32_t>;

/// An index of 32 bits as a sum, modulo 2^32.
struct Sum {
  Terms terms;
  uint32_t constant = 0;
};

/// An access to memory at an index, and a number of bytes after it.
struct Access {
  llvm::Instruction *instruction;
  unsigned operand;
  llvm::GetElementPtrInst *address;
  llvm::CastInst *index;
  int64_t bytes;
  /// That of the index as a sum.
  uint32_t constant;
};

/// Shares addresses within one function.
class AddressSharing {
public:
  explicit AddressSharing(llvm::Function &function);

  void run();

private:
  void add(llvm::Value *value, uint32_t factor, Sum &sum, unsigned depth);
  void collect(llvm::BasicBlock &block);
  void share(llvm::ArrayRef<Access> accesses);

  llvm::DominatorTree dominators;
  const llvm::DataLayout &layout;
  llvm::DenseMap<llvm::Value *, unsigned> numbers;
  /// Accesses with the same terms, of which the first one is executed before the others, in the
  /// order in which the first ones are met; and the numbers of those with some terms.
  llvm::SmallVector<llvm::SmallVector<Access>> groups;
  std::map<Terms, llvm::SmallVector<unsigned>> groupsOfTerms;
};
} // namespace

AddressSharing::AddressSharing(llvm::Function &function)
    : dominators(function), layout(function.getDataLayout()) {}

void AddressSharing::add(llvm::Value *value, uint32_t factor, Sum &sum, unsigned depth) {
  using namespace llvm::PatternMatch;
  llvm::Value *a = nullptr, *b = nullptr;
  const llvm::APInt *constant = nullptr;
  if (match(value, m_APInt(constant))) {
    sum.constant += factor * uint32_t(constant->getZExtValue());
  } else if (depth > 0 && match(value, m_Add(m_Value(a), m_Value(b)))) {
    add(a, factor, sum, depth - 1);
    add(b, factor, sum, depth - 1);
  } else if (depth > 0 && match(value, m_Mul(m_Value(a), m_APInt(constant)))) {
    add(a, factor * uint32_t(constant->getZExtValue()), sum, depth - 1);
  } else if (depth > 0 && match(value, m_Shl(m_Value(a), m_APInt(constant))) && constant->ult(32)) {
    add(a, factor << constant->getZExtValue(), sum, depth - 1);
  } else {
    sum.terms[numbers.try_emplace(value, numbers.size()).first->second] += factor;
  }
}

/// The access of a load or store; nullopt unless it is at one index of 32 bits.
static std::optional<Access> getAccess(llvm::Instruction &instruction,
                                       const llvm::DataLayout &layout) {
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
    return std::nullopt;
  const unsigned operand = llvm::isa<llvm::LoadInst>(instruction)
                               ? llvm::LoadInst::getPointerOperandIndex()
                               : llvm::StoreInst::getPointerOperandIndex();
  llvm::Value *pointer = instruction.getOperand(operand);
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  llvm::APInt bytes(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  while (address && address->hasAllConstantIndices() &&
         address->accumulateConstantOffset(layout, bytes))
    address = llvm::dyn_cast<llvm::GetElementPtrInst>(address->getPointerOperand());
  if (!address || address->getNumIndices() != 1)
    return std::nullopt;
  // The optimizer splits what is added after a sign extension.
  auto *index = llvm::dyn_cast<llvm::CastInst>(address->getOperand(1));
  if (!index || !index->getSrcTy()->isIntegerTy(32) ||
      !(llvm::isa<llvm::SExtInst>(index) ||
        (llvm::isa<llvm::ZExtInst>(index) && index->hasNonNeg())))
    return std::nullopt;
  return Access{&instruction, operand, address, index, bytes.getSExtValue(), 0};
}

/// Lets sums keep their constants: the code generator would split those of the shared index, and
/// add the terms in 64 bits.
static void keepWhole(llvm::Value *value, unsigned depth) {
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!sum || sum->getOpcode() != llvm::Instruction::Add || depth == 0)
    return;
  sum->setHasNoUnsignedWrap(false);
  sum->setHasNoSignedWrap(false);
  for (llvm::Value *operand : sum->operands())
    keepWhole(operand, depth - 1);
}

/// The accesses have the same terms. Each one is executed if the first one is.
void AddressSharing::share(llvm::ArrayRef<Access> accesses) {
  const Access &first = accesses.front();
  if (llvm::all_of(accesses, [&](const Access &each) { return each.constant == first.constant; }))
    return;
  keepWhole(first.index->getOperand(0), kMostDepth);
  // An address is computed where it is needed first, so that registers hold the index until then.
  llvm::DenseMap<std::pair<llvm::Value *, uint64_t>, llvm::SmallVector<llvm::Instruction *>> bases;
  for (const Access &access : accesses) {
    const int64_t elements = int32_t(access.constant - first.constant);
    if (std::abs(elements) >= kMostDistance)
      continue;
    llvm::Value *pointer = access.address->getPointerOperand();
    llvm::Type *element = access.address->getSourceElementType();
    const int64_t size = layout.getTypeAllocSize(element).getFixedValue();
    llvm::SmallVector<llvm::Instruction *> &known = bases[{pointer, uint64_t(size)}];
    auto base = llvm::find_if(known, [&](llvm::Instruction *each) {
      return dominators.dominates(each, access.instruction);
    });
    llvm::IRBuilder<> builder(access.instruction);
    if (base == known.end()) {
      known.push_back(llvm::cast<llvm::Instruction>(
          builder.Insert(llvm::GetElementPtrInst::Create(element, pointer, first.index))));
      base = std::prev(known.end());
    }
    const int64_t distance = elements * size + access.bytes;
    llvm::Value *before = access.instruction->getOperand(access.operand);
    access.instruction->setOperand(
        access.operand,
        distance == 0 ? static_cast<llvm::Value *>(*base)
                      : builder.CreateGEP(builder.getInt8Ty(), *base, builder.getInt64(distance)));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(before);
  }
}

void AddressSharing::collect(llvm::BasicBlock &block) {
  for (llvm::Instruction &instruction : block) {
    std::optional<Access> access = getAccess(instruction, layout);
    if (!access)
      continue;
    Sum sum;
    add(access->index->getOperand(0), 1, sum, kMostDepth);
    access->constant = sum.constant;
    llvm::SmallVector<unsigned> &numbers = groupsOfTerms[std::move(sum.terms)];
    auto found = llvm::find_if(numbers, [&](unsigned number) {
      return dominators.dominates(groups[number].front().instruction, &instruction);
    });
    if (found != numbers.end()) {
      groups[*found].push_back(*access);
      continue;
    }
    numbers.push_back(groups.size());
    groups.push_back({*access});
  }
}

/// Functions with loops are left as they are: there, ptxas loads what has an address of its own
/// further ahead, and registers would hold shared addresses over loops, as those of sines of large
/// numbers.
void AddressSharing::run() {
  if (!llvm::LoopInfo(dominators).empty())
    return;
  for (llvm::DomTreeNode *node : llvm::depth_first(dominators.getRootNode()))
    collect(*node->getBlock());
  for (llvm::ArrayRef<Access> group : groups)
    share(group);
}

void fuser::nvvm::shareAddresses(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      AddressSharing(function).run();
}
