//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads that have all elements of a short row, which share most of what is computed.
//
//===----------------------------------------------------------------------===//

#include "MovedReads.h"
#include "PointwiseTile.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// The most elements of a row of one thread, and the least ops of its values that are worth it.
/// Cross products of 4000000x3 f32 take 33.9 us on one NVIDIA H200, 38.1 with vectors of four
/// elements, which are of two rows.
constexpr int64_t kMostOfRow = 7, kLeastOpsOfRow = 4;
/// The least bytes of an element. Adjacent threads store elements that are a row apart: YUV to RGB,
/// 16x720x1280x3 bytes, takes 73.3 us, 65.9 with vectors of 16.
constexpr int64_t kLeastBytes = 4;
/// The blocks for each multiprocessor that remain.
constexpr int64_t kBlocksOfRows = 16;

/// True if more ops compute values of rows than of elements: each element would repeat them.
static bool computesForRows(const KernelView &kernel, ArrayRef<unsigned> reference) {
  int64_t ofRows = 0, ofElements = 0;
  for (TensorViewOpInterface op : kernel.getOps()) {
    if (!isa<ElementwiseOpInterface>(op.getOperation()) || op->getNumOperands() < 2)
      continue;
    const bool hasColumns = llvm::any_of(kernel.getOwnClasses(op), [&](unsigned dimClass) {
      return findInReference(kernel, dimClass, reference) == reference.back();
    });
    ++(hasColumns ? ofElements : ofRows);
  }
  return ofRows >= kLeastOpsOfRow && ofRows > ofElements;
}

/// True if some input has several elements for each row: a vector of elements of several rows would
/// read all of these. Points of 16x512x640 depths take 28.2 us by rows, 23.4 by vectors.
static bool readsRows(const KernelView &kernel, const Requirements &requirements,
                      std::optional<int64_t> rows) {
  return rows && llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
           const std::optional<int64_t> size = requirements.getSize(tensor.order);
           return !tensor.isOutput && size && *size >= 2 * *rows;
         });
}

std::optional<PointwiseTile> fuser::chooseRowTile(const KernelView &kernel,
                                                  const Requirements &requirements,
                                                  const ReferenceOutput &reference,
                                                  int64_t mostElements,
                                                  const artifact::DeviceDescription &device) {
  const SmallVector<unsigned> all = getConcrete(kernel, reference.classes);
  if (all.size() < 2 || all.back() != reference.classes.back() || !areConstant(kernel, all.back()))
    return std::nullopt;
  // Vectors along rows of an even length have lanes of one row.
  const std::optional<int64_t> size = requirements.getSize(all.back());
  if (!size || *size < 2 || *size > kMostOfRow || *size > mostElements || *size % 2 == 0 ||
      readsAcross(kernel, all) || !computesForRows(kernel, all) ||
      llvm::any_of(kernel.getOps(), [](TensorViewOpInterface op) {
        return isa<UpdateOpInterface>(op.getOperation()) ||
               readsBy(op, {DimMap::Kind::Indirect, DimMap::Kind::Whole});
      }))
    return std::nullopt;
  const std::optional<int64_t> rows = requirements.getSize(ArrayRef(all).drop_back());
  if (!readsRows(kernel, requirements, rows) || getWidestOutput(kernel) < kLeastBytes ||
      *rows / kPointwiseThreads < kBlocksOfRows * device.multiprocessors)
    return std::nullopt;
  return PointwiseTile{/*threads=*/1, /*vector=*/1, /*unroll=*/*size, /*rows=*/kPointwiseThreads,
                       /*isOfOnePlane=*/true};
}
