//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WrittenRanges.h"

#include <algorithm>
#include <numeric>

namespace fuser::runtime {

bool WrittenRanges::add(const TensorView &tensor, bool isWritten) {
  Range &range = ranges.emplace_back();
  range.isWritten = isWritten;
  return byteRangeOf(tensor, range);
}

std::optional<bool> WrittenRanges::areApartInOrder() const {
  // Each range is compared with the farthest end before it: of all ranges if it is written, of the
  // written ones if it is only read.
  uintptr_t last = 0, end = 0, writtenEnd = 0;
  bool areApart = true;
  for (uint32_t number : order) {
    const Range &range = ranges[number];
    if (range.begin < last)
      return std::nullopt;
    last = range.begin;
    areApart &= range.begin >= (range.isWritten ? end : writtenEnd);
    end = std::max(end, range.end);
    if (range.isWritten)
      writtenEnd = std::max(writtenEnd, range.end);
  }
  return areApart;
}

bool WrittenRanges::areApart() {
  if (order.size() == ranges.size())
    if (std::optional<bool> answer = areApartInOrder())
      return *answer;
  order.resize(ranges.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return ranges[a].begin < ranges[b].begin; });
  return *areApartInOrder();
}

} // namespace fuser::runtime
