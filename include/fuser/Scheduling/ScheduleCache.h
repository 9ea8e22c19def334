//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Verified schedules of one compilation, by kernel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULECACHE_H
#define FUSER_SCHEDULING_SCHEDULECACHE_H

#include "fuser/Scheduling/Scheduler.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace fuser {

/// True if two kernels are equal apart from their names and, with `IgnoreLocations`, locations.
bool areEqualKernels(KernelOp a, KernelOp b,
                     mlir::OperationEquivalence::Flags flags = mlir::OperationEquivalence::None);

/// The schedules that segmentation has chosen, applied and verified, so that the later passes of
/// the compilation do not compute them again. A kernel is compared with its name left out. The
/// result of a pass is the same with and without a cache: a kernel without an entry, for example
/// one that was edited between two passes, is scheduled anew.
///
/// A cache belongs to one device, one registry and one context, which must outlive it. Not
/// thread-safe.
class ScheduleCache {
public:
  /// Adds a kernel without a schedule, the choice for it, and the same kernel with the choice
  /// applied. Keeps the first entry of equal kernels.
  void add(mlir::OwningOpRef<KernelOp> kernel, const Choice &choice,
           mlir::OwningOpRef<KernelOp> scheduled);

  /// The choice for a kernel without a schedule that equals `kernel` apart from locations; null
  /// without an entry. Valid until the next `add`.
  const Choice *findChoice(KernelOp kernel) const;

  /// If `kernel` equals, locations included, a kernel of the cache that carries its choice: moves
  /// the body and the attributes of the scheduled kernel to it and returns true. An entry is moved
  /// once.
  bool takeScheduled(KernelOp kernel);

private:
  struct Entry {
    mlir::OwningOpRef<KernelOp> kernel;
    Choice choice;
    /// The attributes of the kernel with its choice.
    mlir::DictionaryAttr chosen;
    mlir::OwningOpRef<KernelOp> scheduled;
  };

  std::vector<Entry> entries;
  /// The numbers of entries by the hash of their bodies.
  llvm::DenseMap<size_t, llvm::SmallVector<unsigned, 1>> byHash;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULECACHE_H
