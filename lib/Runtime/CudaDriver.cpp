//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include <dlfcn.h>

namespace fuser::runtime::cuda {

using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;

Expected<std::shared_ptr<Driver>> Driver::open(const std::string &library) {
  // The driver has threads of its own, so that the library is never unloaded.
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    const char *reason = dlerror();
    return makeError(ErrorCode::DeviceUnavailable, "expected the CUDA driver library '", library,
                     "', but got: ", reason ? reason : "no reason");
  }
  std::shared_ptr<Driver> driver(new Driver(handle));
  if (Status status = driver->bind(); !status)
    return status.takeError();
  if (Result result = driver->init(0); result != kSuccess)
    return driver->failure(result, "initialising the CUDA driver", ErrorCode::DeviceUnavailable);
  return driver;
}

Driver::~Driver() { dlclose(handle); }

Status Driver::bind() {
  const char *missing = nullptr;
  auto lookup = [&](auto &member, const char *symbol, bool required) {
    void *address = dlsym(handle, symbol);
    if (!address && required && !missing)
      missing = symbol;
    member = reinterpret_cast<std::decay_t<decltype(member)>>(address);
  };
#define FUSER_BIND(member, symbol, parameters) lookup(member, symbol, true);
  FUSER_CUDA_FUNCTIONS(FUSER_BIND)
#undef FUSER_BIND
#define FUSER_BIND(member, symbol, parameters) lookup(member, symbol, false);
  FUSER_CUDA_OPTIONAL_FUNCTIONS(FUSER_BIND)
#undef FUSER_BIND
  if (missing)
    return makeError(ErrorCode::DeviceUnavailable, "expected the CUDA driver library to have '",
                     missing, "', but it does not");
  return {};
}

std::string Driver::describe(Result result) const {
  const char *name = nullptr, *text = nullptr;
  (void)getErrorName(result, &name);
  (void)getErrorString(result, &text);
  return std::string(name ? name : "an unknown error") + " (" +
         (text ? text : std::to_string(result)) + ")";
}

Error Driver::failure(Result result, const char *what, ErrorCode otherwise) const {
  return makeError(result == kOutOfMemory ? ErrorCode::OutOfMemory : otherwise, what,
                   ": expected success, but the driver answered ", describe(result));
}

} // namespace fuser::runtime::cuda
