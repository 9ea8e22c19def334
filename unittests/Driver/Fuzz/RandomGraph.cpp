//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomGraphText.h"

using namespace fuser::fuzz;
using namespace fuser::fuzz::graph;
using llvm::ArrayRef;
using llvm::SmallVector;

constexpr int64_t kSizes[] = {1, 2, 3, 5, 7, 8, 16, 17, 31, 33, 64, 100, 128, 200, 256, 513, 1024};

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void Graph::addArguments() {
  static const char *const kElements[] = {"f32",  "f32", "f32", "f32", "f32", "bf16",
                                          "bf16", "f16", "f64", "i32", "i32"};
  element = pickOf(kElements);
  for (unsigned i = 0, n = 2 + pick(2); i < n; ++i) {
    int64_t size = chance(3) ? 0 : pickOf(kSizes);
    const bool isDynamic = chance(50);
    pool.push_back({size, isDynamic, isDynamic ? "s" + std::to_string(i) : ""});
  }
  for (unsigned i = 0, n = 1 + pick(3); i < n; ++i) {
    Dims dims;
    for (unsigned dim = 0, rank = 1 + pick(3); dim < rank; ++dim) {
      Dim next = chance(8) ? Dim{1, false} : pool[pick(pool.size())];
      dims.push_back(next);
      if (count(dims) > maxElements)
        dims.back() = {std::max<int64_t>(1, maxElements / std::max<int64_t>(1, count(dims))),
                       false};
      if (count(dims) > maxElements)
        dims.back() = {2, false};
    }
    Value argument{"%x" + std::to_string(i), dims, element, /*isExact=*/true};
    signature += (i ? ", " : "") + argument.name + ": " + type(argument);
    sizes += i ? "," : "";
    for (auto [dim, each] : llvm::enumerate(dims))
      sizes += (dim ? "x" : "") + std::to_string(each.size);
    values.push_back(argument);
  }
  numArguments = numParameters = values.size();
}

void Graph::addReduction(const Value &x) {
  const unsigned rank = x.dims.size();
  if (rank == 0)
    return;
  static const char *const kFloat[] = {"sum", "mean", "max", "min", "sum"};
  static const char *const kInteger[] = {"sum", "max", "min"};
  SmallVector<unsigned> dims = {chance(60) ? rank - 1 : pick(rank)};
  if (rank > 1 && chance(20))
    dims = {0, 1};
  const bool isEmpty = llvm::any_of(dims, [&](unsigned dim) { return x.dims[dim].size == 0; });
  addReduction(isEmpty ? "sum" : isFloat() ? pickOf(kFloat) : pickOf(kInteger), x, dims);
}

/// What is often the last op of a program: a part of what is returned.
void Graph::addEnding() {
  if (chance(60)) {
    Value x = pickValue();
    switch (pick(4)) {
    case 0:
      addNormalisation(x);
      break;
    case 1:
      addPermute(x);
      break;
    default:
      addReduction(x);
      break;
    }
  }
  Value last = values.back();
  if (last.dims.empty())
    return;
  switch (pick(6)) {
  case 0:
    return addPad(last);
  case 1:
    return addJoin(last);
  case 2:
    return addInsert(last);
  case 3:
    return addScatter(last);
  case 4:
    return addGather(last);
  default:
    return addResize(last);
  }
}

Value Graph::addListArgument(const std::string &name, const Dims &dims) {
  Value argument{name, dims, element, /*isExact=*/true};
  ++numParameters;
  signature += ", " + name + ": " + type(argument);
  sizes += ",";
  for (auto [dim, each] : llvm::enumerate(dims))
    sizes += (dim ? "x" : "") + std::to_string(each.size);
  return argument;
}

/// Parts that compute the same of arguments of their own, with other sizes and ranks, like the
/// update of an optimizer: launches of them are merged.
void Graph::addList() {
  static const char *const kFloat[] = {"tanh", "relu", "neg", "abs", "add", "mul", "segment_set"};
  static const char *const kInteger[] = {"relu", "neg", "abs", "add", "maximum"};
  std::vector<std::string> ops;
  for (unsigned i = 0, n = 1 + pick(4); i < n; ++i)
    ops.push_back(isFloat() ? pickOf(kFloat) : pickOf(kInteger));
  const bool reduces = chance(30), isInPlace = !reduces && chance(40);
  const bool hasOneRank = chance(50);
  unsigned rank = 1 + pick(3);
  for (unsigned part = 0, n = 2 + pick(7); part < n; ++part) {
    Dims dims;
    if (!hasOneRank)
      rank = 1 + pick(3);
    for (unsigned dim = 0; dim < rank; ++dim) {
      const bool isDynamic = chance(50);
      std::string key = isDynamic ? "l" + std::to_string(part) + "_" + std::to_string(dim) : "";
      dims.push_back({chance(4) ? 0 : pickOf(kSizes), isDynamic, key});
      if (count(dims) > maxElements)
        dims.back().size = 2;
    }
    const std::string number = std::to_string(part);
    const int argument = numParameters;
    Value x = addListArgument("%l" + number, dims);
    Value other = addListArgument("%g" + number, dims);
    for (const std::string &op : ops) {
      const bool isBinary = op == "add" || op == "mul" || op == "maximum";
      x = add(op + " " + x.name + (isBinary ? ", " + other.name : ""), type(x),
              makeValue(dims, x.magnitude * 4));
    }
    if (reduces)
      x = addReduction("sum", x, {rank - 1});
    // All threads read the only element of a tensor that one of them overwrites (docs/limits.md).
    listResults.emplace_back(x, isInPlace && count(dims) != 1 ? argument : -1);
  }
}

void Graph::addOp() {
  Value x = pickValue();
  const unsigned rank = x.dims.size();
  switch (pick(25)) {
  case 0:
  case 1:
  case 2:
    return addReduction(x);
  case 3:
    return addNormalisation(x);
  case 4:
  case 5:
    if (rank < 3)
      addBroadcast(x, pick(rank + 1));
    return;
  case 6:
    return addPermute(x);
  case 7:
  case 13:
  case 24:
    return addReshape(x);
  case 14:
    return chance(50) ? addRepeat(x) : addSqueeze(x);
  case 8:
    return addResize(x);
  case 9:
    return chance(70) ? addJoin(x) : addInsert(x);
  case 10:
    return addWhere(x);
  case 11:
    return chance(60) ? addGather(x) : addPointwise(x);
  case 22:
    return addScatter(x);
  case 23:
    return chance(50) ? addSharedWork(x) : addParts(x);
  case 12:
    if (rank > 0 && isFloat() && chance(20))
      add("cumsum " + x.name + " dim " + std::to_string(pick(rank)), type(x) + " -> " + type(x),
          makeValue(x.dims, x.magnitude * 8));
    else
      addPointwise(x);
    return;
  default:
    return addPointwise(x);
  }
}

/// A random order of the value's dimensions as an array, or nothing.
std::string Graph::makeOrder(const Value &value, unsigned percent) {
  if (value.dims.empty() || !chance(percent))
    return "";
  SmallVector<unsigned> order(value.dims.size());
  std::iota(order.begin(), order.end(), 0);
  for (unsigned i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[pick(i)]);
  return list(order);
}

/// Layouts of arguments and required orders of outputs, as attributes of the fusion. Outputs that
/// are stored in arguments have the order of these.
std::string Graph::makeOrders(ArrayRef<unsigned> outputs, ArrayRef<int> aliases) {
  if (!chance(40))
    return "";
  std::string layouts, orders;
  for (unsigned argument = 0; argument < numArguments; ++argument) {
    std::string order = makeOrder(values[argument], 50);
    layouts +=
        (argument ? ", " : "") + (order.empty() ? "unit" : "#fuser.layout<order = " + order + ">");
  }
  // Scalars, indices and those of lists come after the others.
  for (unsigned i = numArguments; i < numParameters; ++i)
    layouts += ", unit";
  for (auto [output, alias] : llvm::zip_equal(outputs, aliases)) {
    std::string order = alias < 0 ? makeOrder(values[output], 60) : "";
    orders += (orders.empty() ? "" : ", ") +
              (order.empty() ? "unit" : "array<i64: " + order.substr(1, order.size() - 2) + ">");
  }
  for (size_t i = 0; i < listResults.size(); ++i)
    orders += std::string(orders.empty() ? "" : ", ") + "unit";
  return "arg_layouts = [" + layouts + "], output_orders = [" + orders + "]";
}

/// For each output the number of the argument that it is stored in, or -1: often the one that it
/// updates.
SmallVector<int> Graph::chooseUpdates(ArrayRef<unsigned> outputs) {
  SmallVector<int> aliases(outputs.size(), -1);
  for (auto [alias, output] : llvm::zip_equal(aliases, outputs)) {
    auto update = updates.find(output);
    const bool isUpdate = update != updates.end();
    if (llvm::count(outputs, output) > 1 || !chance(isUpdate ? 60 : 25))
      continue;
    const unsigned argument = isUpdate ? update->second : pick(numArguments);
    if (output < numArguments || values[argument].dims != values[output].dims)
      continue;
    // All threads read the only element of a tensor that one of them overwrites (docs/limits.md).
    if (!llvm::is_contained(outputs, argument) && !llvm::is_contained(aliases, int(argument)) &&
        count(values[argument].dims) != 1)
      alias = int(argument);
  }
  return aliases;
}

Program Graph::run() {
  addArguments();
  const unsigned wanted = 11 + pick(14);
  for (unsigned tries = 0; numOps < wanted && tries < 200; ++tries)
    addOp();
  if (chance(40))
    for (unsigned i = 0, n = 1 + pick(2); i < n; ++i)
      addEnding();
  std::swap(random, listRandom);
  const size_t numValues = values.size();
  if (chance(25))
    addList();
  values.resize(numValues);
  std::swap(random, listRandom);
  SmallVector<unsigned> outputs;
  for (unsigned i = 0, n = 1 + pick(3); i < n && i + numArguments < values.size(); ++i)
    outputs.push_back(values.size() - 1 - (i == 0 ? 0 : pick(values.size() - numArguments)));
  // A value twice, perhaps in two orders; an argument.
  if (!outputs.empty() && chance(20))
    outputs.push_back(outputs[pick(outputs.size())]);
  if (chance(8))
    outputs.push_back(pick(numArguments));
  SmallVector<int> aliased = chooseUpdates(outputs);
  std::string attributes = makeOrders(outputs, aliased);
  std::string names, types;
  for (unsigned output : outputs) {
    names += (names.empty() ? "" : ", ") + values[output].name;
    types += (types.empty() ? "" : ", ") + type(values[output]);
  }
  for (auto [number, result] : llvm::enumerate(listResults)) {
    const auto &[value, argument] = result;
    names += (names.empty() ? "" : ", ") + value.name;
    types += (types.empty() ? "" : ", ") + type(value);
    aliased.push_back(argument);
  }
  std::string aliases;
  for (auto [output, argument] : llvm::enumerate(aliased))
    if (argument >= 0)
      aliases += (aliases.empty() ? "" : ", ") + std::string("#fuser.alias<output ") +
                 std::to_string(output) + ", input " + std::to_string(argument) + ">";
  if (!aliases.empty())
    attributes += (attributes.empty() ? "" : ", ") + ("aliases = [" + aliases + "]");
  if (!attributes.empty())
    attributes = " attributes {" + attributes + "}";
  Program program;
  program.text = "fuser.fusion @f(" + signature + ") -> (" + types + ")" + attributes + " {\n" +
                 body + "  fuser.return " + names + (names.empty() ? "" : " : ") + types + "\n}\n";
  program.sizes = sizes;
  program.ranges = ranges;
  return program;
}

Program fuser::fuzz::makeRandomGraph(uint64_t seed, int64_t maxElements) {
  return Graph(seed, maxElements).run();
}
