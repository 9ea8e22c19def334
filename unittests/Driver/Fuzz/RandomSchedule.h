//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fusions with schedules at random.
//
// Most schedules are made like those of a scheduler: loops of one op, replayed on all others, with
// places in memory and inline positions that correspond. Some give each op loops of its own. A part
// of both gets steps that fit nowhere: what comes out is refused, or right by accident.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMSCHEDULE_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMSCHEDULE_H

#include "FuzzCase.h"

#include <random>

namespace fuser::fuzz {

/// What a case was made as.
enum class CaseKind { Replayed, OwnLoops, Disturbed };

struct RandomCase {
  FuzzCase fuzzCase;
  CaseKind kind = CaseKind::Replayed;
  /// Of the dynamic dimensions.
  std::vector<int64_t> dynamicSizes;
};

/// False if lowering refuses the module, or its kernels would take too many accesses to memory for
/// arguments of these sizes.
using LowersFn = llvm::function_ref<bool(mlir::ModuleOp module, llvm::StringRef sizes)>;

/// The case of a seed; the same one each time. `context` has the dialects of fuser. Diagnostics of
/// steps that were tried and refused are dropped.
RandomCase makeRandomCase(uint64_t seed, mlir::MLIRContext *context, LowersFn lowers);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMSCHEDULE_H
