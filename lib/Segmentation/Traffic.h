//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The cost model of segmentation: bytes divided by the memory bandwidth, and launches.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_TRAFFIC_H
#define FUSER_LIB_SEGMENTATION_TRAFFIC_H

#include "fuser/Analysis/SegmentGraph.h"
#include "fuser/Segmentation/Partition.h"

namespace fuser {

class Traffic {
public:
  Traffic(const ExtentAnalysis &analysis, const SegmentationOptions &options);

  /// Bytes of a tensor value; unknown sizes are assumed to be large.
  double getBytes(mlir::Value value);
  /// The number of its elements.
  double getElements(mlir::Value value);
  /// The transfer time of `numBytes`.
  double getMicroseconds(double numBytes) const { return numBytes * microsecondsPerByte; }
  /// Microseconds saved by merging two launches into one: the values that one writes and the other
  /// reads, the values that both read, and the launch.
  double getSaving(llvm::ArrayRef<mlir::Operation *> a, llvm::ArrayRef<mlir::Operation *> b);

private:
  const ExtentAnalysis &analysis;
  const SizeHints &hints;
  double microsecondsPerByte;
  llvm::DenseMap<mlir::Value, double> bytes;
};

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_TRAFFIC_H
