//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether the memory that a call writes is apart from all other memory of the call.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_WRITTENRANGES_H
#define FUSER_LIB_RUNTIME_WRITTENRANGES_H

#include "fuser/Runtime/Tensor.h"

#include <optional>
#include <vector>

namespace fuser::runtime {

/// The byte ranges of a call's tensors. The order of their addresses is kept from one use to the
/// next one: lists of tensors mostly have the same order in every call, so that a check takes one
/// pass over the ranges and sorts only where the order has changed.
class WrittenRanges {
public:
  void clear() { ranges.clear(); }
  /// False if the tensor wraps around the address space.
  bool add(const TensorView &tensor, bool isWritten);
  /// A range without bytes, so that numbers of ranges are those of arguments.
  void addEmpty() { ranges.emplace_back(); }
  void setWritten(size_t number) { ranges[number].isWritten = true; }

  /// True if no range that is written shares a byte with another range.
  bool areApart();

private:
  struct Range : ByteRange {
    bool isWritten = false;
  };
  /// nullopt where `order` is not the order of addresses.
  std::optional<bool> areApartInOrder() const;

  std::vector<Range> ranges;
  /// Numbers of ranges by ascending first byte, as of the last check.
  std::vector<uint32_t> order;
};

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_WRITTENRANGES_H
