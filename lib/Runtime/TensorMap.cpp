//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/TensorMap.h"

namespace fuser::runtime {

using artifact::ErrorCode;
using artifact::makeError;
using artifact::Status;

/// Bytes that divide addresses, strides and rows of boxes.
static constexpr int64_t kGranule = 16;
static constexpr int64_t kMaxSize = int64_t(1) << 32, kMaxStride = int64_t(1) << 40;
static constexpr uint32_t kMaxBox = 256;

bool TensorMapSpec::isEmpty() const {
  for (uint32_t dim = 0; dim < rank && dim < kMaxRank; ++dim)
    if (sizes[dim] == 0)
      return true;
  return false;
}

/// Dimensions of size 1 have no stride.
static Status checkDimension(const TensorMapSpec &spec, uint32_t dim, const char *name) {
  const bool isFastest = dim + 1 == spec.rank;
  const int64_t size = spec.sizes[dim], stride = spec.strides[dim];
  if (size < 1 || size > kMaxSize)
    return makeError(ErrorCode::SizeMismatch, name, ": expected a size of 1 to ", kMaxSize,
                     " in dimension ", dim, " of a tensor map, but got ", size);
  if (isFastest && size > 1 && stride != spec.elementBytes)
    return makeError(ErrorCode::StrideMismatch, name, ": expected adjacent elements of ",
                     spec.elementBytes, " bytes in dimension ", dim,
                     " of a tensor map, but got a stride of ", stride, " bytes");
  if (!isFastest && size > 1 && (stride < 0 || stride >= kMaxStride || stride % kGranule != 0))
    return makeError(ErrorCode::StrideMismatch, name, ": expected a multiple of ", kGranule,
                     " bytes below ", kMaxStride, " as the stride of dimension ", dim,
                     " of a tensor map, but got ", stride);
  if (spec.box[dim] < 1 || spec.box[dim] > kMaxBox)
    return makeError(ErrorCode::InvalidLaunch, name, ": expected 1 to ", kMaxBox,
                     " elements of a box in dimension ", dim, " of a tensor map, but got ",
                     spec.box[dim]);
  return {};
}

Status checkTensorMap(const TensorMapSpec &spec, const char *name) {
  if (spec.rank < 1 || spec.rank > TensorMapSpec::kMaxRank)
    return makeError(ErrorCode::InvalidLaunch, name, ": expected 1 to ", TensorMapSpec::kMaxRank,
                     " dimensions of a tensor map, but got ", spec.rank);
  if (reinterpret_cast<uintptr_t>(spec.address) % kGranule != 0)
    return makeError(ErrorCode::AlignmentMismatch, name,
                     ": expected an address with a multiple of ", kGranule,
                     " bytes for a tensor map, but got ", spec.address);
  for (uint32_t dim = 0; dim < spec.rank; ++dim)
    if (Status status = checkDimension(spec, dim, name); !status)
      return status;
  const int64_t rowBytes = int64_t(spec.box[spec.rank - 1]) * spec.elementBytes;
  if (rowBytes % kGranule != 0)
    return makeError(ErrorCode::InvalidLaunch, name, ": expected rows of a box with a multiple of ",
                     kGranule, " bytes, but got ", rowBytes);
  if (spec.swizzle != 0 && rowBytes != spec.swizzle)
    return makeError(ErrorCode::InvalidLaunch, name, ": expected rows of a box of ", spec.swizzle,
                     " bytes, as its swizzle has, but got ", rowBytes);
  return {};
}

} // namespace fuser::runtime
