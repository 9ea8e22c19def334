//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One case of the schedule fuzzer: a fusion, and the steps that schedule it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_FUZZCASE_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_FUZZCASE_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace fuser::fuzz {

/// One primitive on one op. Ops are numbered in the order of the fusion.
struct Step {
  enum class Kind {
    Split,
    Merge,
    Reorder,
    Swizzle,
    Parallelize,
    Propagate,
    Memory,
    Inline,
    Pipeline,
    StoreByBulk
  };
  Kind kind;
  unsigned op = 0;
  /// Split: position, factor, inner. Merge: outer, inner. Swizzle: outer, inner, period.
  /// Parallelize: position, type. Memory: type. Inline: position. Pipeline: stages, by bulk, by a
  /// producer.
  /// Propagate, StoreByBulk: none.
  std::vector<int64_t> numbers;
};

/// "split %3 at 1 by 4"
std::string describe(const Step &step);

struct FuzzCase {
  uint64_t seed = 0;
  /// A module with one fusion, whose ops have no schedule.
  std::string program;
  std::vector<Step> steps;
  /// Sizes of the arguments as the driver takes them.
  std::string sizes;
};

/// What a scheduled fusion has, for the quotas.
struct Features {
  unsigned numOps = 0;
  bool reduces = false, usesShared = false, inlines = false, leavesRemainder = false;
  bool vectorizes = false, unrolls = false, usesGrid = false;
  /// Reshapes alone; with them also views and repeats.
  bool reshapes = false, reorders = false;
  /// Circular buffers.
  bool pipelines = false;

  /// Notes what an op of the program does to dimensions.
  void addShapeOp(mlir::Operation &op);
};

/// The ops of the only fusion that a schedule can be on.
llvm::SmallVector<TensorViewOpInterface> getOps(mlir::ModuleOp module);
FusionOp getFusion(mlir::ModuleOp module);

/// Applies one step; fails after a diagnostic where its preconditions do not hold.
mlir::LogicalResult applyStep(mlir::ModuleOp module, const Step &step);

/// The fusion with its schedule; null, after a diagnostic, where a step is refused. `refused`
/// becomes the number of steps that were applied.
mlir::OwningOpRef<mlir::ModuleOp> schedule(const FuzzCase &fuzzCase, mlir::MLIRContext *context,
                                           unsigned *applied = nullptr);

/// Dynamic dimensions have one of these sizes each.
Features getFeatures(mlir::ModuleOp scheduled, llvm::ArrayRef<int64_t> dynamicSizes);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_FUZZCASE_H
