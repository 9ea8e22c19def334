//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that read or write at indices, which are arguments or computed, and parts that share what
// they are computed from.
//
//===----------------------------------------------------------------------===//

#include "RandomGraphText.h"

using namespace fuser::fuzz;
using namespace fuser::fuzz::graph;
using llvm::SmallVector;
using llvm::StringRef;

/// Writes an op whose result is none of the values that other ops take.
Value Graph::addAside(const std::string &text, const std::string &types, Value value) {
  value.name = "%j" + std::to_string(numAside++);
  body += "  " + value.name + " = fuser." + text + " : " + types + "\n";
  return value;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// An argument. Some of its elements are outside of what is indexed, once in a while.
Value Graph::addIndexArgument(const Dims &dims, int64_t size, const std::string &integer) {
  const int64_t outside = chance(25) ? 1 : 0;
  Value index{"%i" + std::to_string(ranges.size()), dims, integer};
  ++numParameters;
  signature += ", " + index.name + ": " + type(index);
  sizes += ",";
  for (auto [dim, each] : llvm::enumerate(dims))
    sizes += (dim ? "x" : "") + std::to_string(each.size);
  ranges.push_back(index.name.substr(1) + "=" + std::to_string(-outside) + ":" +
                   std::to_string(size + outside));
  return index;
}

/// `value`, an integer of any value, as an index into `size` elements: mostly inside.
Value Graph::limitIndex(Value value, int64_t size) {
  auto addBound = [&](const std::string &op, int64_t bound) {
    const std::string constant = "%b" + std::to_string(numAside);
    body += "  " + constant + " = arith.constant " + std::to_string(bound) + " : " + value.element +
            "\n";
    Value full{"", Dims(value.dims.size()), value.element};
    full = addAside("full " + constant, value.element + " -> " + type(full), full);
    value = addAside(op + " " + value.name + ", " + full.name,
                     "(" + type(value) + ", " + type(full) + ") -> " + type(value), value);
  };
  switch (pick(5)) {
  case 0:
    return value;
  case 1:
  case 2:
    addBound("remainder", size);
    return value;
  default:
    addBound("maximum", 0);
    addBound("minimum", size - 1);
    return value;
  }
}

/// The size of a dimension as an index: that of an argument, or one that nothing tells to be equal.
Dim Graph::addSize(const Dim &dim, std::string &size) {
  size = std::to_string(dim.size);
  if (!dim.isDynamic)
    return dim;
  for (unsigned argument = 0; argument < numArguments; ++argument) {
    const Value &source = values[argument];
    const auto *same = llvm::find(source.dims, dim);
    if (same == source.dims.end() || chance(15))
      continue;
    size = "%n" + std::to_string(numIntegers++);
    body += "  " + size + "d = arith.constant " + std::to_string(same - source.dims.begin()) +
            " : index\n  " + size + " = tensor.dim " + source.name + ", " + size +
            "d : " + type(source) + "\n";
    return dim;
  }
  size = addInteger(dim.size);
  const bool isDynamic = size[0] == '%';
  return {dim.size, isDynamic, isDynamic ? size : ""};
}

/// `start` + j * `step` for each index j of dimension `dim`, in a tensor of as many dimensions as
/// `dims`, of which the others have one element.
Value Graph::addSteps(const Dims &dims, unsigned dim, int64_t start, int64_t step,
                      const std::string &integer) {
  const std::string number = std::to_string(numAside);
  body += "  %a" + number + " = arith.constant " + std::to_string(start) + " : " + integer +
          "\n  %b" + number + " = arith.constant " + std::to_string(step) + " : " + integer + "\n";
  std::string length;
  Value steps{"", {addSize(dims[dim], length)}, integer};
  steps = addAside("iota %a" + number + ", %b" + number +
                       (steps.dims[0].isDynamic ? " length(" + length + ")" : std::string()),
                   integer + ", " + integer + " -> " + type(steps), steps);
  SmallVector<unsigned> added;
  Value result{"", Dims(dims.size()), integer};
  result.dims[dim] = steps.dims[0];
  for (unsigned other = 0; other < dims.size(); ++other)
    if (other != dim)
      added.push_back(other);
  if (added.empty())
    return steps;
  return addAside("broadcast " + steps.name + " dims " + list(added),
                  type(steps) + " -> " + type(result), result);
}

/// The sum of steps along each dimension. `distinct` is a dimension along which no index occurs
/// twice, and all are inside.
Value Graph::addComputedIndex(const Dims &dims, int64_t size, std::optional<unsigned> distinct,
                              const std::string &integer) {
  Value index;
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    int64_t start = 0, step = 0;
    if (!distinct) {
      step = int64_t(pick(5)) - 2;
      start = dim == 0 ? int64_t(pick(size + 4)) - 2 : 0;
    } else if (dim == *distinct) {
      const int64_t room = size - dims[dim].size;
      step = chance(50) ? 1 : -1;
      start = int64_t(pick(room + 1)) + (step < 0 ? dims[dim].size - 1 : 0);
    }
    Value steps = addSteps(dims, dim, start, step, integer);
    if (dim == 0) {
      index = steps;
      continue;
    }
    Value sum{"", index.dims, integer};
    sum.dims[dim] = steps.dims[dim];
    index = addAside("add " + index.name + ", " + steps.name,
                     "(" + type(index) + ", " + type(steps) + ") -> " + type(sum), sum);
  }
  return distinct ? index : limitIndex(index, size);
}

/// An index with these sizes into `size` elements, of an argument, of the elements of a value, or
/// of their places.
Value Graph::addIndex(const Dims &dims, int64_t size, std::optional<unsigned> distinct) {
  constexpr size_t kMaxArguments = 3;
  const std::string integer = chance(30) ? "i32" : "i64";
  const bool mayBeArgument = !distinct && ranges.size() < kMaxArguments;
  if (mayBeArgument && (dims.empty() || chance(50)))
    return addIndexArgument(dims, size, integer);
  SmallVector<unsigned> exact;
  for (auto [number, value] : llvm::enumerate(values))
    if (!distinct && value.isExact && value.dims == dims)
      exact.push_back(number);
  if (dims.empty() || (!exact.empty() && chance(50))) {
    if (exact.empty())
      return {};
    Value x = values[exact[pick(exact.size())]], index{"", dims, integer};
    if (x.element != integer)
      index = addAside("cast " + x.name, type(x) + " to " + type(index), index);
    else
      index = x;
    return limitIndex(index, size);
  }
  return addComputedIndex(dims, size, distinct, integer);
}

//===----------------------------------------------------------------------===//
// Reads and writes
//===----------------------------------------------------------------------===//

/// Elements, or rows, of a value.
void Graph::addGather(const Value &given) {
  const Value x = given;
  if (x.dims.empty())
    return;
  const unsigned dim = chance(50) ? 0 : pick(x.dims.size());
  if (x.dims[dim].size == 0)
    return;
  const std::string form = chance(40) ? "index_select" : chance(50) ? "gather" : "take_along_axis";
  Dims indexed, dims;
  auto addRows = [&](unsigned most) {
    const bool isDynamic = chance(50);
    indexed.push_back(
        {1 + pick(most), isDynamic, isDynamic ? "g" + std::to_string(numAside++) : std::string()});
  };
  if (form == "index_select") {
    for (unsigned rank = chance(70) ? 1 : pick(3), i = 0; i < rank; ++i)
      addRows(rank > 1 ? 6 : 20);
    dims.append(x.dims.begin(), x.dims.begin() + dim);
    dims.append(indexed);
    dims.append(x.dims.begin() + dim + 1, x.dims.end());
  } else {
    for (auto [position, each] : llvm::enumerate(x.dims)) {
      if (position == dim)
        addRows(20);
      else if (form == "gather" && each.size > 0 && chance(40))
        indexed.push_back({1 + pick(each.size), false});
      else
        indexed.push_back(form == "take_along_axis" && chance(30) ? Dim{} : each);
    }
    dims = indexed;
    for (auto [position, each] : llvm::enumerate(dims))
      if (form == "take_along_axis" && position != dim && each == Dim{})
        each = x.dims[position];
  }
  if (count(dims) > maxElements)
    return;
  const Value index = addIndex(indexed, x.dims[dim].size);
  if (index.name.empty())
    return;
  // Computed indices have sizes of their own.
  for (auto [position, each] : llvm::enumerate(index.dims))
    if (form == "index_select")
      dims[dim + position] = each;
    else if (form == "gather" || position == dim || !(each == Dim{}))
      dims[position] = each;
  Value result = makeValue(dims, x.magnitude, x.isExact);
  add(form + " " + x.name + ", " + index.name + " dim " + std::to_string(dim),
      type(x) + ", " + type(index) + " -> " + type(result), result);
}

/// Elements of a value into another one or a fill. Each element of a result of `fuser.scatter`
/// looks through all indices of its row.
void Graph::addScatter(const Value &given) {
  constexpr int64_t kMaxVisited = 100000;
  const Value source = given;
  if (source.dims.empty() || count(source.dims) == 0)
    return;
  const unsigned dim = pick(source.dims.size());
  static const char *const kFloat[] = {"", "add", "min", "max", "add"};
  static const char *const kInteger[] = {"", "add", "mul", "min", "max"};
  const std::string reduce = isFloat() ? pickOf(kFloat) : pickOf(kInteger);
  const bool isDistinct = reduce.empty();
  SmallVector<unsigned> fitting;
  for (auto [number, y] : llvm::enumerate(values))
    if (y.dims.size() == source.dims.size() &&
        llvm::all_of(llvm::enumerate(llvm::zip(source.dims, y.dims)), [&](auto pair) {
          auto [inner, outer] = pair.value();
          return pair.index() == dim ? outer.size >= (isDistinct ? inner.size : 1)
                                     : outer.size >= inner.size;
        }))
      fitting.push_back(number);
  Value into;
  unsigned number = numArguments;
  if (fitting.empty() || chance(40)) {
    Dims dims;
    for (auto [position, each] : llvm::enumerate(source.dims))
      dims.push_back(
          {each.size + (chance(50) ? 0 : pick(6)) + (position == dim ? pick(20) : 0), false});
    if (count(dims) > maxElements)
      return;
    into = makeValue(dims, source.magnitude);
    const std::string value = addScalar();
    into = add("full " + value, element + " -> " + type(into), into);
  } else {
    number = fitting[pick(fitting.size())];
    into = values[number];
  }
  const double times = reduce == "add" ? source.dims[dim].size : 1,
               magnitude = into.magnitude + source.magnitude * times;
  if (isFloat() && magnitude > 1e4)
    return;
  const bool isPush = chance(60) || count(into.dims) * source.dims[dim].size > kMaxVisited;
  const Value index =
      addIndex(source.dims, into.dims[dim].size, isDistinct ? std::optional(dim) : std::nullopt);
  Value result = makeValue(into.dims, magnitude);
  add((isPush ? "push " : "scatter ") + source.name + " at " + index.name + " into " + into.name +
          " dim " + std::to_string(dim) + (reduce.empty() ? "" : " reduce " + reduce),
      type(source) + ", " + type(index) + ", " + type(into), result);
  if (isPush && number < numArguments)
    updates[values.size() - 1] = number;
}

//===----------------------------------------------------------------------===//
// Parts that share what they are computed from
//===----------------------------------------------------------------------===//

/// A function of some dimensions of a value, which takes long and is the same along the others,
/// next to the value.
void Graph::addSharedWork(const Value &given) {
  const Value x = given;
  if (x.dims.size() < 2 || !isFloat() || x.magnitude > 64)
    return;
  SmallVector<unsigned> fitting;
  for (auto [number, y] : llvm::enumerate(values))
    if (y.dims.size() == 1 && llvm::is_contained(x.dims, y.dims[0]) && y.magnitude <= 64)
      fitting.push_back(number);
  Value shared;
  if (!fitting.empty() && chance(60)) {
    shared = values[fitting[pick(fitting.size())]];
    const unsigned dim = llvm::find(x.dims, shared.dims[0]) - x.dims.begin();
    for (unsigned other = 0; other < x.dims.size(); ++other)
      if (other != dim)
        shared = addBroadcast(Value(shared), other);
  } else {
    const unsigned dim = chance(70) ? x.dims.size() - 1 : pick(x.dims.size());
    if (x.dims[dim].isDynamic)
      return;
    const Value steps = addSteps(x.dims, dim, -int64_t(pick(9)), 1, "i32");
    shared = makeValue(steps.dims, x.dims[dim].size);
    shared = add("cast " + steps.name, type(steps) + " to " + type(shared), shared);
  }
  static const char *const kLong[] = {"sigmoid", "gelu", "erf", "tanh", "silu", "sin"};
  for (unsigned i = 0, n = 2 + pick(3); i < n; ++i)
    shared = addUnary(pickOf(kLong), Value(shared), std::max(1.0, shared.magnitude));
  static const char *const kBinary[] = {"add", "mul", "sub"};
  for (unsigned i = 0, n = 1 + pick(2); i < n; ++i) {
    const Value *result = addBinary(pickOf(kBinary), i ? Value(values.back()) : x, shared);
    if (!result)
      return;
  }
}

/// Windows and functions of one value, next to each other along a dimension that is new or not.
void Graph::addParts(const Value &given) {
  const Value x = given;
  if (x.dims.empty() || x.magnitude > 64)
    return;
  const unsigned parts = 2 + pick(5), cut = pick(x.dims.size());
  const bool isNew = chance(60) && x.dims.size() < 4;
  const int64_t kept = x.dims[cut].size - int64_t(parts) + 1;
  const bool isCut = kept > 0 && chance(60) &&
                     llvm::none_of(x.dims, [](const Dim &each) { return each.isDynamic; });
  if (count(x.dims) * parts > maxElements)
    return;
  const unsigned along = isNew ? pick(x.dims.size() + 1) : pick(x.dims.size());
  std::string names, types;
  Value part;
  for (unsigned i = 0; i < parts; ++i) {
    part = x;
    if (isCut) {
      SmallVector<int64_t> offsets(x.dims.size(), 0), lengths;
      Dims dims(x.dims);
      offsets[cut] = i;
      dims[cut].size = kept;
      for (const Dim &each : dims)
        lengths.push_back(each.size);
      part = makeValue(dims, x.magnitude, x.isExact);
      part = add("slice " + x.name + " " + list(offsets) + " " + list(lengths),
                 type(x) + " -> " + type(part), part);
    }
    static const char *const kFloat[] = {"neg", "tanh", "relu", "sigmoid", "abs"};
    static const char *const kInteger[] = {"neg", "abs", "relu"};
    for (unsigned n = pick(3); n > 0; --n)
      part = addUnary(isFloat() ? pickOf(kFloat) : pickOf(kInteger), Value(part), x.magnitude);
    if (isNew)
      part = addBroadcast(Value(part), along);
    names += (i ? ", " : "") + part.name;
    types += (i ? ", " : "") + type(part);
  }
  Dims dims(part.dims);
  Dim &joined = dims[along];
  joined = {joined.size * int64_t(parts), joined.isDynamic,
            joined.isDynamic ? std::to_string(parts) + "x" + joined.key : ""};
  Value result = makeValue(dims, x.magnitude);
  add("cat " + names + " dim " + std::to_string(along), "(" + types + ") -> " + type(result),
      result);
}
