//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FiberStacks.h"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace fuser::runtime::host {

Expected<FiberStacks> FiberStacks::create(size_t count, size_t bytes) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t usable = (bytes + page - 1) / page * page;
  size_t slot = usable + page;
  void *memory = mmap(nullptr, count * slot, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return makeError(ErrorCode::OutOfMemory, "expected room for ", count, " stacks of ", usable,
                     " bytes, but got: ", std::strerror(errno));
  FiberStacks stacks(static_cast<char *>(memory), count, usable, page);
  for (size_t i = 0; i < count; ++i)
    if (mprotect(stacks.base + i * slot, page, PROT_NONE) != 0)
      return makeError(ErrorCode::OutOfMemory, "expected guard pages for ", count,
                       " stacks, but got: ", std::strerror(errno), " at number ", i);
  return stacks;
}

FiberStacks::FiberStacks(FiberStacks &&other) noexcept
    : base(std::exchange(other.base, nullptr)), count(std::exchange(other.count, 0)),
      usable(other.usable), guard(other.guard) {}

FiberStacks &FiberStacks::operator=(FiberStacks &&other) noexcept {
  std::swap(base, other.base);
  std::swap(count, other.count);
  std::swap(usable, other.usable);
  std::swap(guard, other.guard);
  return *this;
}

FiberStacks::~FiberStacks() {
  if (base)
    munmap(base, count * (usable + guard));
}

StackMemory FiberStacks::operator[](size_t index) const {
  assert(index < count && "no such stack");
  return {base + index * (usable + guard) + guard, usable};
}

} // namespace fuser::runtime::host
