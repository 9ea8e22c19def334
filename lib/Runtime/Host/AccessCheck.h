//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks the accesses of a kernel against the boxes of its launch.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_ACCESSCHECK_H
#define FUSER_LIB_RUNTIME_HOST_ACCESSCHECK_H

#include "fuser/Runtime/Device.h"

#include <optional>
#include <string>
#include <vector>

namespace fuser::runtime::host {

/// The boxes of one launch, by parameter. An access is in bounds if all of its bytes belong to
/// elements of the box: not only within the byte interval that contains it, but at an in-bounds
/// index in each dimension. If dimensions overlap in memory, only the interval is checked.
class AccessCheck {
public:
  /// Without boxes all accesses are allowed. The sizes and strides of boxes are copied.
  explicit AccessCheck(ArrayView<MemoryRange> ranges);

  /// True if the access is in bounds. Tested for each access, without creating text.
  bool allows(uint32_t parameter, uint64_t address, uint32_t bytes, bool writes) const {
    if (boxes.empty())
      return true;
    if (parameter >= boxes.size())
      return false;
    // A kernel may read memory that it wrote.
    const Box &box = boxes[parameter];
    return (box.writes || (box.reads && !writes)) &&
           isInside(box, reinterpret_cast<const char *>(address), bytes);
  }
  /// Describes the error of an access of `bytes` bytes through pointer parameter `parameter`, which
  /// reads or writes: "the box of parameter 1 ('x', ...), but got byte 516"; nullopt if it is in
  /// bounds.
  std::optional<std::string> find(uint32_t parameter, uint64_t address, uint32_t bytes,
                                  bool writes) const;
  /// "parameter 1 ('x', sizes [4, 8], strides [16, 1], 192 bytes)", as far as it is known.
  std::string describe(uint32_t parameter) const;

private:
  struct Dim {
    int64_t size, stride;
  };
  struct Box {
    bool exists = false, reads = false, writes = false;
    std::string text;
    const char *begin = nullptr, *end = nullptr, *origin = nullptr;
    int64_t elementBytes = 1;
    /// Of more than one element, largest stride first; empty where they overlap.
    std::vector<Dim> dims;
    bool isNested = false;
    /// The interval from the origin on contains only elements.
    bool isDense = false;
  };
  static bool isInside(const Box &box, const char *address, uint32_t bytes);

  std::vector<Box> boxes;
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_ACCESSCHECK_H
