//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory in which elements that a kernel does not write are no results.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_POISONEDMEMORY_H
#define FUSER_LIB_DRIVER_POISONEDMEMORY_H

#include "ForwardingDevice.h"

namespace fuser::driver {

/// Another device whose new memory holds NaN or -1 in every element: memory that is used again may
/// hold the results of an earlier call, which a comparison would take for those of this one.
class PoisonedMemory final : public ForwardingDevice {
public:
  using ForwardingDevice::ForwardingDevice;

  /// From now on memory is as the other device returns it, and allocations take as long.
  void stop() { isPoisoning = false; }

  artifact::Expected<void *> allocate(size_t bytes, runtime::Stream stream) override {
    auto memory = device->allocate(bytes, stream);
    if (!memory || !isPoisoning)
      return memory;
    if (artifact::Status status = device->fill(*memory, 0xff, bytes, stream); !status) {
      // The failure to fill is what the caller learns of.
      (void)device->free(*memory, stream).ok();
      return status.takeError();
    }
    return memory;
  }

private:
  bool isPoisoning = true;
};

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_POISONEDMEMORY_H
