//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccessCheck.h"

#include <algorithm>
#include <sstream>

namespace fuser::runtime::host {

static void writeList(std::ostream &stream, const int64_t *values, uint32_t count) {
  stream << '[';
  for (uint32_t i = 0; i < count; ++i)
    stream << (i ? ", " : "") << values[i];
  stream << ']';
}

/// "parameter 1 ('x', sizes [4, 8], strides [16, 1], 192 bytes)"
static std::string describeRange(const MemoryRange &range) {
  std::ostringstream stream;
  stream << "parameter " << range.parameter << " (";
  if (range.name && *range.name)
    stream << '\'' << range.name << "', ";
  if (range.rank > 0) {
    stream << "sizes ";
    writeList(stream, range.sizes, range.rank);
    stream << ", strides ";
    writeList(stream, range.strides, range.rank);
    stream << ", ";
  }
  stream << range.bytes << " bytes)";
  return stream.str();
}

AccessCheck::AccessCheck(ArrayView<MemoryRange> ranges) {
  for (const MemoryRange &range : ranges) {
    if (boxes.size() <= range.parameter)
      boxes.resize(range.parameter + 1);
    Box &box = boxes[range.parameter];
    box.exists = true;
    box.reads = range.reads;
    box.writes = range.writes;
    box.text = describeRange(range);
    box.begin = range.begin;
    box.end = range.begin + range.bytes;
    box.origin = range.origin;
    box.elementBytes = std::max<int64_t>(1, range.elementBytes);
    for (uint32_t i = 0; i < range.rank; ++i)
      if (range.sizes[i] > 1)
        box.dims.push_back({range.sizes[i], range.strides[i]});
    std::sort(box.dims.begin(), box.dims.end(),
              [](const Dim &a, const Dim &b) { return a.stride > b.stride; });
    // The index of an element is unique if each step exceeds the reach of all faster dimensions
    // together.
    int64_t reach = 1;
    box.isNested = range.rank > 0;
    box.isDense = box.isNested;
    for (auto dim = box.dims.rbegin(); dim != box.dims.rend(); ++dim) {
      box.isNested &= dim->stride >= reach;
      box.isDense &= dim->stride == reach;
      reach += (dim->size - 1) * dim->stride;
    }
    box.isDense &= box.end - box.origin <= reach * box.elementBytes;
  }
}

bool AccessCheck::isInside(const Box &box, const char *address, uint32_t bytes) {
  if (address < box.begin || address + bytes > box.end)
    return false;
  if (!box.isNested)
    return true;
  const int64_t first = address - box.origin;
  if (box.isDense)
    return first >= 0 && first % box.elementBytes == 0;
  for (int64_t at = first, last = at + bytes; at < last; at += box.elementBytes) {
    int64_t element = at / box.elementBytes;
    if (at < 0 || at % box.elementBytes != 0)
      return false;
    for (const Dim &dim : box.dims)
      element -= std::min(element / dim.stride, dim.size - 1) * dim.stride;
    if (element != 0)
      return false;
  }
  return true;
}

std::string AccessCheck::describe(uint32_t parameter) const {
  return parameter < boxes.size() && boxes[parameter].exists
             ? boxes[parameter].text
             : "parameter " + std::to_string(parameter);
}

std::optional<std::string> AccessCheck::find(uint32_t parameter, uint64_t address, uint32_t bytes,
                                             bool writes) const {
  if (allows(parameter, address, bytes, writes))
    return std::nullopt;
  if (parameter >= boxes.size() || !boxes[parameter].exists)
    return "the box of parameter " + std::to_string(parameter) + ", but it has none";
  const Box &box = boxes[parameter];
  if (writes ? !box.writes : !box.reads && !box.writes)
    return "the box of " + box.text + ", but it is only read";
  std::ostringstream stream;
  stream << "the box of " << box.text << ", but got " << bytes << " bytes at offset "
         << (reinterpret_cast<const char *>(address) - box.origin);
  return stream.str();
}

} // namespace fuser::runtime::host
