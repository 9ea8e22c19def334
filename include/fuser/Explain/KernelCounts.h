//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Counts the ops of kernel IR that cost time, so that two versions of a kernel can be compared. The
// counts are static: an op in a loop counts once, and so does an op on a vector.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_EXPLAIN_KERNELCOUNTS_H
#define FUSER_EXPLAIN_KERNELCOUNTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fuser::explain {

/// The counts of one kernel. Maps are ordered, so that the same kernel gives the same text.
struct KernelCounts {
  std::string name;
  /// Fields of the launch and their values, in a fixed order. Fields with their default value are
  /// left out, except block and grid.
  std::vector<std::pair<std::string, std::string>> launch;
  /// Kinds of ops by group:
  ///
  ///   load, store  SPACE.BYTES[.HINT]: "global.16.cs". SPACE is global, shared, register or
  ///                unknown, BYTES the width of the access.
  ///   atomic       KIND.SPACE.BYTES: "addf.global.4"
  ///   shuffle      MODE.BYTES: "xor.4"
  ///   barrier      block, grid, last_block, ticket, fence_SCOPE
  ///   division     OP.DIVISOR: "remsi.dynamic". DIVISOR is dynamic, constant or power_of_two.
  ///   branch       if, switch, or a branch of cf
  ///   loop         for, while, parallel
  ///   argument     all, and those with a fact: readonly, noalias, align_BYTES
  ///   other        ops of fuser_gpu that are in no other group, and ops of memref and vector that
  ///                access memory in another way, by name
  ///   op           all, nested ones included
  std::map<std::string, std::map<std::string, int64_t>> groups;
};

/// What an op waits for, or makes others wait for: "block", "grid", "last_block", "ticket",
/// "fence_SCOPE"; empty for other ops.
std::string getBarrierKind(mlir::Operation *op);

KernelCounts countKernel(mlir::gpu::GPUFuncOp kernel);

/// Prints a paragraph with one line per group.
void printText(llvm::raw_ostream &out, const KernelCounts &counts);
/// Prints one line: NAME, then FIELD="VALUE" for the launch, then GROUP.KIND=COUNT. `prefix`
/// precedes the name.
void printLine(llvm::raw_ostream &out, const KernelCounts &counts, llvm::StringRef prefix = "");

} // namespace fuser::explain

#endif // FUSER_EXPLAIN_KERNELCOUNTS_H
