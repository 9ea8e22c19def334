//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Verified schedules of one compilation, by kernel.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ScheduleCache.h"
#include "fuser/Scheduling/Candidates.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fuser;

static DictionaryAttr getAttributesWithoutName(KernelOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(kernel.getContext());
}

/// A hash of the ops of the kernel, without operands and locations.
static size_t hashBody(KernelOp kernel) {
  llvm::hash_code hash(0);
  for (Operation &op : kernel.getBody().front())
    hash = llvm::hash_combine(
        hash, OperationEquivalence::computeHash(&op, OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::IgnoreLocations));
  return hash;
}

static bool haveEqualBodies(KernelOp a, KernelOp b, OperationEquivalence::Flags flags) {
  return OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(), flags);
}

bool fuser::areEqualKernels(KernelOp a, KernelOp b, OperationEquivalence::Flags flags) {
  return getAttributesWithoutName(a) == getAttributesWithoutName(b) && haveEqualBodies(a, b, flags);
}

void ScheduleCache::add(OwningOpRef<KernelOp> kernel, const Choice &choice,
                        OwningOpRef<KernelOp> scheduled) {
  if (findChoice(*kernel))
    return;
  byHash[hashBody(*kernel)].push_back(entries.size());
  OwningOpRef<KernelOp> chosen = cast<KernelOp>((*kernel)->cloneWithoutRegions());
  setChoice(*chosen, choice);
  DictionaryAttr attributes = getAttributesWithoutName(*chosen);
  entries.push_back({std::move(kernel), choice, attributes, std::move(scheduled)});
}

const Choice *ScheduleCache::findChoice(KernelOp kernel) const {
  auto it = byHash.find(hashBody(kernel));
  if (it == byHash.end())
    return nullptr;
  for (unsigned number : it->second)
    if (areEqualKernels(*entries[number].kernel, kernel, OperationEquivalence::IgnoreLocations))
      return &entries[number].choice;
  return nullptr;
}

bool ScheduleCache::takeScheduled(KernelOp kernel) {
  auto it = byHash.find(hashBody(kernel));
  if (it == byHash.end())
    return false;
  DictionaryAttr attributes = getAttributesWithoutName(kernel);
  for (unsigned number : it->second) {
    Entry &entry = entries[number];
    if (!entry.scheduled || entry.chosen != attributes ||
        !haveEqualBodies(*entry.kernel, kernel, OperationEquivalence::None))
      continue;
    StringAttr name = SymbolTable::getSymbolName(kernel);
    kernel->setAttrs((*entry.scheduled)->getAttrDictionary());
    SymbolTable::setSymbolName(kernel, name);
    kernel.getBody().takeBody(entry.scheduled->getBody());
    entry.scheduled = nullptr;
    return true;
  }
  return false;
}
