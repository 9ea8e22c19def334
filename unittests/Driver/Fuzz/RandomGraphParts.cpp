//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that read or write parts of tensors: crops, pads, inserts, joins.
//
//===----------------------------------------------------------------------===//

#include "RandomGraphText.h"

using namespace fuser::fuzz;
using namespace fuser::fuzz::graph;
using llvm::SmallVector;

/// A part of each of some dimensions, at offsets and with sizes of the call.
void Graph::addCrop(const Value &x) {
  std::string offsets, kept;
  Dims dims(x.dims);
  const unsigned one = pick(dims.size());
  for (auto [dim, each] : llvm::enumerate(dims)) {
    int64_t offset = 0, size = each.size;
    const bool isCropped = dim == one || chance(20);
    if (isCropped && each.size > 0) {
      offset = pick(each.size);
      size = 1 + pick(each.size - offset);
    }
    offsets += (dim ? ", " : "") + (isCropped ? addInteger(offset) : "0");
    const std::string text = isCropped || each.isDynamic ? addInteger(size) : std::to_string(size);
    kept += (dim ? ", " : "") + text;
    if (isCropped || each.isDynamic)
      each = {size, text[0] == '%', text[0] == '%' ? text : ""};
  }
  Value result = makeValue(dims, x.magnitude, x.isExact);
  add("slice " + x.name + " [" + offsets + "] [" + kept + "]", type(x) + " -> " + type(result),
      result);
}

/// Borders and crops, of some dimensions at once.
void Graph::addPad(const Value &x) {
  std::string before, after;
  Dims dims(x.dims);
  const unsigned one = pick(dims.size());
  const bool isOfCall = chance(40);
  for (auto [dim, each] : llvm::enumerate(dims)) {
    int64_t low = 0, high = 0;
    if (dim == one || !chance(60)) {
      const bool isAligned = chance(30);
      low = isAligned ? 8 * int64_t(pick(3)) : int64_t(pick(8)) - 3;
      high = isAligned ? 8 * int64_t(pick(3)) : int64_t(pick(8)) - 3;
      // A crop of more than there is, and a result without elements, once in a while.
      if (each.size + std::min<int64_t>(low, 0) + std::min<int64_t>(high, 0) < (chance(10) ? 0 : 1))
        low = high = pick(3);
      // All of it, and elements of the border in its place.
      if (isOfCall && chance(10)) {
        low = pick(6);
        high = -each.size - int64_t(pick(low + 1));
        if (chance(50))
          std::swap(low, high);
      }
    }
    const bool isChanged = low != 0 || high != 0;
    const std::string first = isOfCall && isChanged && chance(80) ? addInteger(low)
                                                                  : std::to_string(low),
                      last = isOfCall && isChanged && chance(80) ? addInteger(high)
                                                                 : std::to_string(high);
    before += (dim ? ", " : "") + first;
    after += (dim ? ", " : "") + last;
    each.size += low + high;
    if (first[0] == '%' || last[0] == '%')
      each = {each.size, true, "p" + std::to_string(numIntegers)};
    else if (each.isDynamic)
      each.key += "+" + std::to_string(low + high);
  }
  if (count(dims) > maxElements)
    return;
  const std::string value = addScalar();
  Value result = makeValue(dims, x.magnitude);
  add("pad " + x.name + " low [" + before + "] high [" + after + "] value " + value,
      type(x) + ", " + element + " -> " + type(result), result);
}

/// Into a fill or another value, at a constant offset; then perhaps another value into the result,
/// which may overlap.
void Graph::addInsert(const Value &x) {
  if (x.dims.empty())
    return;
  auto fits = [](const Value &inner, const Dims &outer) {
    return inner.dims.size() == outer.size() &&
           llvm::all_of(llvm::zip(inner.dims, outer),
                        [](auto pair) { return std::get<0>(pair).size <= std::get<1>(pair).size; });
  };
  SmallVector<unsigned> larger;
  for (auto [number, y] : llvm::enumerate(values))
    if (fits(x, y.dims) && y.name != x.name)
      larger.push_back(number);
  Value source = x, into;
  if (larger.empty() || chance(60)) {
    Dims dims;
    for (const Dim &dim : x.dims)
      dims.push_back({dim.size + (chance(30) ? 8 * int64_t(pick(3)) : int64_t(pick(6))), false});
    if (count(dims) > maxElements)
      return;
    const std::string value = addScalar();
    into = makeValue(dims, x.magnitude);
    into = add("full " + value, element + " -> " + type(into), into);
  } else {
    into = values[larger[pick(larger.size())]];
  }
  for (unsigned i = 0, n = 1 + pick(2); i < n; ++i) {
    SmallVector<int64_t> offsets;
    for (auto [inner, outer] : llvm::zip_equal(source.dims, into.dims)) {
      const int64_t room = outer.size - inner.size;
      offsets.push_back(room % 8 == 0 && chance(50) ? room : pick(room + 1));
    }
    Value result = makeValue(into.dims, std::max(source.magnitude, into.magnitude));
    into = add("insert_slice " + source.name + " into " + into.name + " " + list(offsets),
               type(source) + " into " + type(result), result);
    SmallVector<unsigned> others;
    for (auto [number, y] : llvm::enumerate(values))
      if (fits(y, into.dims) && y.name != into.name)
        others.push_back(number);
    if (others.empty())
      return;
    source = values[others[pick(others.size())]];
  }
}

void Graph::addResize(const Value &x) {
  if (x.dims.empty())
    return;
  if (chance(50))
    return addPad(x);
  if (chance(40))
    return addCrop(x);
  unsigned dim = pick(x.dims.size());
  SmallVector<int64_t> low(x.dims.size(), 0);
  Dims dims(x.dims);
  if (llvm::any_of(x.dims, [](const Dim &each) { return each.isDynamic; }) || dims[dim].size < 2)
    return;
  SmallVector<int64_t> kept, strides(x.dims.size(), 1);
  low[dim] = pick(dims[dim].size - 1);
  strides[dim] = 1 + pick(2);
  dims[dim].size = (dims[dim].size - low[dim] + strides[dim] - 1) / strides[dim];
  for (const Dim &each : dims)
    kept.push_back(each.size);
  Value result = makeValue(dims, x.magnitude, x.isExact);
  add("slice " + x.name + " " + list(low) + " " + list(kept) +
          (strides[dim] > 1 ? " strides " + list(strides) : ""),
      type(x) + " -> " + type(result), result);
}

void Graph::addJoin(const Value &x) {
  if (x.dims.empty())
    return;
  unsigned dim = pick(x.dims.size());
  SmallVector<unsigned> fitting;
  for (auto [number, y] : llvm::enumerate(values)) {
    Dims other(y.dims);
    if (other.size() != x.dims.size())
      continue;
    other[dim] = x.dims[dim];
    if (other == x.dims)
      fitting.push_back(number);
  }
  Value y = values[fitting[pick(fitting.size())]];
  Dims dims(x.dims);
  const Dim &first = x.dims[dim], &second = y.dims[dim];
  auto getKey = [](const Dim &each) {
    return each.isDynamic ? each.key : std::to_string(each.size);
  };
  const bool isDynamic = first.isDynamic || second.isDynamic;
  dims[dim] = {first.size + second.size, isDynamic,
               isDynamic ? getKey(first) + "+" + getKey(second) : ""};
  if (count(dims) > maxElements)
    return;
  Value result = makeValue(dims, std::max(x.magnitude, y.magnitude), x.isExact && y.isExact);
  add("cat " + x.name + ", " + y.name + " dim " + std::to_string(dim),
      "(" + type(x) + ", " + type(y) + ") -> " + type(result), result);
}
