//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/ParameterArrays.h"

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
    bytes += parameter.bytes + kAlignment;
  ParameterArrays result;
  // Addresses stay valid, because it never grows beyond this.
  result.arrays.reserve(bytes);
  std::vector<char> &arrays = result.arrays;
  size_t number = 0;
  for (uint32_t count : runs) {
    if (count == 1) {
      result.addresses.push_back(const_cast<void *>(parameters[number++].value));
      continue;
    }
    arrays.resize((arrays.size() + kAlignment - 1) / kAlignment * kAlignment);
    result.addresses.push_back(arrays.data() + arrays.size());
    for (uint32_t i = 0; i < count; ++i, ++number) {
      const auto *value = static_cast<const char *>(parameters[number].value);
      arrays.insert(arrays.end(), value, value + parameters[number].bytes);
    }
  }
  return result;
}

} // namespace fuser::runtime
