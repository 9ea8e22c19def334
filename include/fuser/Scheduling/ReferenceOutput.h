//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The output whose dimensions determine the loops of a kernel without reductions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_REFERENCEOUTPUT_H
#define FUSER_SCHEDULING_REFERENCEOUTPUT_H

#include "fuser/Scheduling/KernelView.h"
#include "fuser/Scheduling/Scheduler.h"

namespace fuser {

/// The output with the most dimensions (of several, the first one that has each of its loop classes
/// as a whole and that no op reads at other indices), and its dimensions from slowest to fastest in
/// memory.
struct ReferenceOutput {
  unsigned position = 0;
  /// It has some of its loop classes only in part: other loops cannot be made of it.
  bool lacksPart = false;
  /// The loop classes of its dimensions from slowest to fastest; those of size 1 too.
  llvm::SmallVector<unsigned> classes;

  static ReferenceOutput get(const KernelView &kernel);
};

/// Refuses a reference that has only a part of one of its loop classes.
std::optional<Refusal> checkParts(const KernelView &kernel, const ReferenceOutput &reference);

/// `classes` without those of size 1.
llvm::SmallVector<unsigned> getConcrete(const KernelView &kernel, llvm::ArrayRef<unsigned> classes);

} // namespace fuser

#endif // FUSER_SCHEDULING_REFERENCEOUTPUT_H
