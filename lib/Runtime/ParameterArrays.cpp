//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/ParameterArrays.h"

#include <cstring>

namespace fuser::runtime {

/// The largest alignment of a value.
constexpr size_t kAlignment = sizeof(void *);

Expected<ParameterArrays> ParameterArrays::create(const std::vector<uint32_t> &runs,
                                                  ArrayView<KernelParameter> parameters,
                                                  const std::string &kernel) {
  size_t wanted = 0, bytes = 0;
  for (uint32_t count : runs)
    wanted += count;
  if (wanted != parameters.size())
    return makeError(ErrorCode::InvalidLaunch, "kernel '", kernel, "': expected ", wanted,
                     " parameters, but got ", parameters.size());
  for (const KernelParameter &parameter : parameters)
    bytes += parameter.bytes;
  ParameterArrays result;
  // Not initialized: every byte that the kernel reads is copied.
  result.arrays.reset(new char[bytes + runs.size() * kAlignment]);
  result.addresses.reserve(runs.size());
  char *end = result.arrays.get();
  size_t number = 0;
  for (uint32_t count : runs) {
    if (count == 1) {
      result.addresses.push_back(const_cast<void *>(parameters[number++].value));
      continue;
    }
    const size_t used = static_cast<size_t>(end - result.arrays.get());
    end += (kAlignment - used % kAlignment) % kAlignment;
    result.addresses.push_back(end);
    for (uint32_t i = 0; i < count; ++i, ++number) {
      const KernelParameter &parameter = parameters[number];
      // Nearly all are pointers and sizes, which need no call of memcpy.
      if (parameter.bytes == sizeof(uint64_t))
        std::memcpy(end, parameter.value, sizeof(uint64_t));
      else
        std::memcpy(end, parameter.value, parameter.bytes);
      end += parameter.bytes;
    }
  }
  return result;
}

} // namespace fuser::runtime
