//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of the host device, and which of its bytes somebody has written.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_ALLOCATIONS_H
#define FUSER_LIB_RUNTIME_HOST_ALLOCATIONS_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

namespace fuser::runtime::host {

/// Fresh memory has this in every byte.
constexpr unsigned char kPoison = 0xFF;

/// One piece of memory that the device gave out. May be used from several threads.
class Allocation {
public:
  Allocation(char *begin, size_t bytes);

  bool contains(const char *address, size_t bytes) const {
    return address >= memory && bytes <= size && size_t(address - memory) <= size - bytes;
  }
  const char *begin() const { return memory; }
  size_t bytes() const { return size; }

  /// Says that the bytes, which are inside, have been written.
  void define(const char *address, size_t bytes);
  /// The first of these bytes, which are inside, that nobody has written; null: there is none. A
  /// byte that does not hold the poison any more was written by somebody who did not say so.
  const char *findUndefined(const char *address, size_t bytes) const;

private:
  struct Free {
    void operator()(uint64_t *bits) const { std::free(bits); }
  };
  char *memory;
  size_t size;
  /// One bit for each byte, set once it is written. Null: no memory for it, so everything counts as
  /// written.
  std::unique_ptr<uint64_t, Free> defined;
};

/// All memory of a device. May be used from several threads.
class Allocations {
public:
  void add(char *begin, size_t bytes);
  void remove(char *begin);
  /// The memory that `address` is in; null: it is not the device's.
  std::shared_ptr<Allocation> find(const void *address) const;
  /// Says that bytes have been written, wherever they are.
  void define(const void *address, size_t bytes);

private:
  mutable std::mutex mutex;
  std::map<const char *, std::shared_ptr<Allocation>> byBegin;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_ALLOCATIONS_H
