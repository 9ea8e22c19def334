//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of the host device, and which of its bytes are initialized.
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

/// The value of every byte of new memory.
constexpr unsigned char kPoison = 0xFF;

/// One allocation of the device. Thread-safe.
class Allocation {
public:
  Allocation(char *begin, size_t bytes);

  bool contains(const char *address, size_t bytes) const {
    return address >= memory && bytes <= size && size_t(address - memory) <= size - bytes;
  }
  const char *begin() const { return memory; }
  size_t bytes() const { return size; }

  /// Marks the bytes, which must be in bounds, as written.
  void define(const char *address, size_t bytes);
  /// The first of these bytes, which must be in bounds, that is uninitialized; null: there is none.
  /// A byte that no longer holds the poison was written by code that does not report its writes.
  const char *findUndefined(const char *address, size_t bytes) const;

private:
  struct Free {
    void operator()(uint64_t *bits) const { std::free(bits); }
  };
  char *memory;
  size_t size;
  /// One bit for each byte, set once it is written. Null: there is no memory for the bits, so that
  /// all bytes count as written.
  std::unique_ptr<uint64_t, Free> defined;
};

/// All memory of a device. Thread-safe.
class Allocations {
public:
  void add(char *begin, size_t bytes);
  void remove(char *begin);
  /// The allocation that contains `address`; null: it is not the device's.
  std::shared_ptr<Allocation> find(const void *address) const;
  /// Marks bytes at any address as written.
  void define(const void *address, size_t bytes);

private:
  mutable std::mutex mutex;
  std::map<const char *, std::shared_ptr<Allocation>> byBegin;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_ALLOCATIONS_H
