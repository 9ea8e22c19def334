//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mistakes that a compiler could make, as changes of the kernels that it wrote. They measure the
// fuzzer: each should be found after few cases.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_PLANTEDBUGS_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_PLANTEDBUGS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace fuser::fuzz {

struct PlantedBug {
  const char *name;
  /// Makes the mistake in a kernel; does nothing where there is no place for it.
  void (*plant)(mlir::gpu::GPUFuncOp kernel);
  /// What the compiler says where it finds the mistake before a kernel runs; null: it does not.
  const char *refusal = nullptr;
};

/// Those that kernels of random schedules have places for.
std::vector<PlantedBug> getPlantedBugs();
/// And those that only kernels of written schedules have places for.
std::vector<PlantedBug> getAllPlantedBugs();

/// Makes the mistake in all kernels of `module`.
void plant(const PlantedBug &bug, mlir::ModuleOp module);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_PLANTEDBUGS_H
