//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parameters of a launch that the code of a kernel takes as arrays.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_PARAMETERARRAYS_H
#define FUSER_RUNTIME_PARAMETERARRAYS_H

#include "fuser/Runtime/Device.h"

#include <memory>
#include <string>
#include <vector>

namespace fuser::runtime {

/// The addresses of the values of a kernel's own parameters, valid as long as the object and the
/// parameters of the launch are.
class ParameterArrays {
public:
  /// `runs`: for each parameter of the code the number of consecutive parameters of a launch that
  /// it consists of (artifact::kParameterRun). Values of an array are copied, one after the other.
  /// Fails with InvalidLaunch if the numbers do not add up to those of the launch.
  static Expected<ParameterArrays> create(const std::vector<uint32_t> &runs,
                                          ArrayView<KernelParameter> parameters,
                                          const std::string &kernel);

  void **values() { return addresses.data(); }
  size_t size() const { return addresses.size(); }

private:
  std::unique_ptr<char[]> arrays;
  std::vector<void *> addresses;
};

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_PARAMETERARRAYS_H
