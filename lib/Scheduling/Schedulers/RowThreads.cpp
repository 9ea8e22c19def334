//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads of short rows that are limited by arithmetic.
//
//===----------------------------------------------------------------------===//

#include "RowThreads.h"
#include "Warps.h"
#include "fuser/Scheduling/TimeModel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// Instructions of a thread that the ops of the kernel do not state: addresses, guards, and the
/// shuffles of a reduction. Log-probabilities and entropies of 262144x18 f32 take 18.3, 13.0, 11.8
/// and 10.9 us on one NVIDIA H200 with 8, 4, 2 and 1 threads of a row.
constexpr double kInstructionsOfThread = 60;
/// Elements that a thread has of a row, and threads of a multiprocessor, at least.
constexpr int64_t kMostElements = 20, kLeastThreads = 1024;

/// True if the instructions of so many threads take longer than memory.
static bool isLimitedByArithmetic(const KernelView &kernel, const SizeHints &hints,
                                  const artifact::DeviceDescription &device, int64_t threads) {
  ResourceUse use;
  use.blocks = llvm::divideCeil(threads, use.threads);
  const KernelWork work = measureWork(kernel, hints, use);
  const Roofs roofs = getRoofs(device);
  return (work.operations + kInstructionsOfThread * double(threads)) / roofs.operationsPerSecond >
         (work.bytesRead + work.bytesWritten) / roofs.bytesPerSecond;
}

RowFit fuser::fitArithmetic(const KernelView &kernel, const SizeHints &hints,
                            const artifact::DeviceDescription &device, const RowElements &elements,
                            int64_t row, RowFit fit) {
  if (fit.part != 1 || fit.cluster != 1 || fit.threads >= kWarp)
    return fit;
  const int64_t least = kLeastThreads * device.multiprocessors;
  while (fit.threads > 1) {
    const int64_t threads = fit.threads / 2;
    const int64_t vectors = llvm::divideCeil(llvm::divideCeil(row, elements.vector), threads);
    if (vectors * elements.vector > kMostElements || elements.numRows * threads < least ||
        !isLimitedByArithmetic(kernel, hints, device, elements.numRows * fit.threads))
      break;
    fit.threads = threads;
    fit.vectors = vectors;
  }
  return fit;
}
