//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExecutionPlan.h"

#include <algorithm>

namespace fuser::runtime {
namespace {

/// One dimension of a copy; strides in bytes.
struct CopyDim {
  int64_t size, source, destination;
};

/// Dimensions with more than one index, slowest in the destination first; adjacent dimensions that
/// are contiguous in both tensors are merged.
std::vector<CopyDim> copyDims(const TensorView &source, const TensorView &destination) {
  int64_t element = artifact::byteSize(source.dtype);
  std::vector<CopyDim> dims;
  for (uint32_t i = 0; i < source.rank; ++i) {
    if (source.sizes[i] <= 1)
      continue;
    CopyDim dim = {source.sizes[i], source.strides[i] * element, destination.strides[i] * element};
    auto slower = [](const CopyDim &a, const CopyDim &b) { return a.destination > b.destination; };
    dims.insert(std::upper_bound(dims.begin(), dims.end(), dim, slower), dim);
  }
  std::vector<CopyDim> merged;
  for (const CopyDim &dim : dims) {
    if (!merged.empty() && merged.back().source == dim.source * dim.size &&
        merged.back().destination == dim.destination * dim.size)
      merged.back() = {merged.back().size * dim.size, dim.source, dim.destination};
    else
      merged.push_back(dim);
  }
  return merged;
}

} // namespace

Status copyStrided(Device &device, const TensorView &source, const TensorView &destination,
                   Stream stream) {
  for (uint32_t i = 0; i < source.rank; ++i) {
    if (source.sizes[i] != destination.sizes[i])
      return makeError(ErrorCode::SizeMismatch, "copy: expected size ", destination.sizes[i],
                       " in dimension ", i, ", but got ", source.sizes[i]);
    if (source.sizes[i] == 0)
      return {};
  }
  std::vector<CopyDim> dims = copyDims(source, destination);
  int64_t run = artifact::byteSize(source.dtype);
  if (!dims.empty() && dims.back().source == run && dims.back().destination == run) {
    run *= dims.back().size;
    dims.pop_back();
  }
  std::vector<int64_t> index(dims.size(), 0);
  const char *from = static_cast<const char *>(source.data);
  char *to = static_cast<char *>(destination.data);
  for (;;) {
    if (Status status = device.copyOnDevice(to, from, static_cast<size_t>(run), stream); !status)
      return status;
    // Increment the index like an odometer.
    size_t d = dims.size();
    while (d > 0) {
      const CopyDim &dim = dims[d - 1];
      from += dim.source;
      to += dim.destination;
      if (++index[d - 1] < dim.size)
        break;
      from -= dim.source * dim.size;
      to -= dim.destination * dim.size;
      index[--d] = 0;
    }
    if (d == 0)
      return {};
  }
}

} // namespace fuser::runtime
