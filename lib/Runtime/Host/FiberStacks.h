//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stacks for fibers, with a guard page under each.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_FIBERSTACKS_H
#define FUSER_LIB_RUNTIME_HOST_FIBERSTACKS_H

#include "ContextSwitch.h"
#include "fuser/Runtime/Device.h"

namespace fuser::runtime::host {

/// A number of stacks of one size. Pages are allocated on first access, and kept until the object
/// is destroyed.
class FiberStacks {
public:
  /// Reserves `count` stacks of at least `bytes` bytes. Fails with OutOfMemory.
  static Expected<FiberStacks> create(size_t count, size_t bytes);

  FiberStacks(FiberStacks &&other) noexcept;
  FiberStacks &operator=(FiberStacks &&other) noexcept;
  ~FiberStacks();

  size_t size() const { return count; }
  size_t stackBytes() const { return usable; }
  StackMemory operator[](size_t index) const;

private:
  FiberStacks(char *base, size_t count, size_t usable, size_t guard)
      : base(base), count(count), usable(usable), guard(guard) {}

  char *base = nullptr;
  size_t count = 0;
  size_t usable = 0;
  size_t guard = 0;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_FIBERSTACKS_H
