//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/EqualCode.h"
#include "fuser/Scheduling/LaunchBatch.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fuser;

static DictionaryAttr getAttributes(KernelOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  for (StringRef name :
       {SymbolTable::getSymbolAttrName(), StringRef(FuserSchedDialect::kSizes),
        StringRef(FuserSchedDialect::kDecision), StringRef(FuserSchedDialect::kTuned)})
    attributes.erase(name);
  return attributes.getDictionary(kernel.getContext());
}

bool fuser::haveEqualCode(KernelOp a, KernelOp b) {
  return getAttributes(a) == getAttributes(b) &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

size_t fuser::hashCode(KernelOp kernel) {
  llvm::hash_code hash = mlir::hash_value(Attribute(getAttributes(kernel)));
  for (Operation &op : kernel.getBody().front())
    hash = llvm::hash_combine(
        hash, OperationEquivalence::computeHash(&op, OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::ignoreHashValue,
                                                OperationEquivalence::IgnoreLocations));
  return hash;
}

unsigned fuser::shareKernelsOfBatches(ModuleOp module) {
  llvm::DenseMap<StringAttr, SmallVector<LaunchOp>> launches;
  for (HostOp host : module.getOps<HostOp>())
    host.walk([&](LaunchOp launch) {
      launches[launch.getKernel().getRootReference()].push_back(launch);
    });
  llvm::DenseMap<size_t, SmallVector<KernelOp>> byHash;
  unsigned numErased = 0;
  for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>())) {
    auto own = launches.find(kernel.getSymNameAttr());
    if (own == launches.end() || !llvm::all_of(own->second, [](LaunchOp launch) {
          return launch->hasAttr(kLaunchBatchAttrName);
        }))
      continue;
    SmallVector<KernelOp> &candidates = byHash[hashCode(kernel)];
    auto *same = llvm::find_if(
        candidates, [&](KernelOp candidate) { return haveEqualCode(candidate, kernel); });
    if (same == candidates.end()) {
      candidates.push_back(kernel);
      continue;
    }
    for (LaunchOp launch : own->second)
      launch.setKernelAttr(FlatSymbolRefAttr::get(same->getSymNameAttr()));
    kernel.erase();
    ++numErased;
  }
  return numErased;
}
