//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_TIMING_H
#define FUSER_LIB_DRIVER_TIMING_H

#include "fuser/Runtime/Executable.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <memory>

namespace fuser::driver {

/// The median of some values, and their interquartile range over it.
struct Statistics {
  double median = 0, spread = 0;
};
Statistics summarize(std::vector<double> values);

/// Times `repeat` calls one by one with device events and reports the median, the spread
/// (interquartile range over median), the rate (bytes of all arguments and outputs over time) and
/// its share of the rate of a large copy, measured in the same run. Before each call a kernel reads
/// 256 MB, so that the second-level cache holds no data of the arguments and no dirty lines.
artifact::Status reportTiming(llvm::raw_ostream &out, runtime::Executable &executable,
                              const std::vector<runtime::CallArgument> &arguments,
                              const std::vector<runtime::Tensor> &outputs, unsigned repeat);

/// Work that reads 256 MB on the device, so that its second-level cache holds no other data.
artifact::Expected<std::function<artifact::Status()>>
makeCacheFlush(const std::shared_ptr<runtime::Device> &device);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_TIMING_H
