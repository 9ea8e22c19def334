//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The state of a random fusion while its text is written, and the families of ops that are added.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMGRAPHTEXT_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMGRAPHTEXT_H

#include "RandomGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>

namespace fuser::fuzz::graph {

/// A dimension of a value.
struct Dim {
  int64_t size = 1;
  bool isDynamic = false;
  /// What a dynamic size is made of: two that are equal by chance are not known to be.
  std::string key = {};

  bool operator==(const Dim &other) const {
    return size == other.size && isDynamic == other.isDynamic && key == other.key;
  }
};
using Dims = llvm::SmallVector<Dim>;

/// A tensor of the fusion.
struct Value {
  std::string name;
  Dims dims;
  std::string element;
  /// An argument, or what has its elements: exact on every device.
  bool isExact = false;
  /// What its elements are at most, roughly.
  double magnitude = 4;
};

/// A fusion of a seed, whose text the members `add...` write, one op after the other. No tensor has
/// more than `maxElements` elements.
class Graph {
public:
  Graph(uint64_t seed, int64_t maxElements)
      : random(seed), listRandom(~seed), maxElements(maxElements) {}

  Program run();

private:
  unsigned pick(unsigned count) { return random() % count; }
  bool chance(unsigned percent) { return pick(100) < percent; }
  template <typename T, size_t N> const T &pickOf(const T (&values)[N]) { return values[pick(N)]; }
  bool isFloat() const { return element[0] != 'i'; }

  static std::string type(const Value &value) {
    std::string text = "tensor<";
    for (const Dim &dim : value.dims)
      text += (dim.isDynamic ? "?" : std::to_string(dim.size)) + "x";
    return text + value.element + ">";
  }
  template <typename Range> static std::string list(const Range &numbers) {
    std::string text = "[";
    for (auto number : numbers)
      text += (text.size() > 1 ? ", " : "") + std::to_string(number);
    return text + "]";
  }
  static int64_t count(const Dims &dims) {
    int64_t elements = 1;
    for (const Dim &dim : dims)
      elements *= dim.size;
    return elements;
  }

  void addArguments();
  Value makeValue(Dims dims, double magnitude, bool isExact = false) {
    return {"%v" + std::to_string(values.size()), std::move(dims), element, isExact, magnitude};
  }
  /// Writes "%v = fuser.TEXT : TYPES" and keeps the value.
  const Value &add(const std::string &text, const std::string &types, Value value) {
    body += "  " + value.name + " = fuser." + text + " : " + types + "\n";
    ++numOps;
    values.push_back(std::move(value));
    return values.back();
  }
  const Value &addUnary(const std::string &op, const Value &x, double magnitude) {
    return add(op + " " + x.name, type(x), makeValue(x.dims, magnitude));
  }
  const Value &addBroadcast(const Value &x, unsigned dim);
  const Value *addBinary(const std::string &op, const Value &x, const Value &y);
  const Value &addReduction(const std::string &op, const Value &x,
                            llvm::SmallVector<unsigned> dims);
  void addOp();
  std::string makeOrder(const Value &value, unsigned percent);
  std::string makeOrders(llvm::ArrayRef<unsigned> outputs, llvm::ArrayRef<int> aliases);
  llvm::SmallVector<int> chooseUpdates(llvm::ArrayRef<unsigned> outputs);
  void addPointwise(const Value &x);
  void addWhere(const Value &x);
  void addNormalisation(const Value &x);
  void addPermute(const Value &x);
  void mergeInto(Dims &dims);
  void splitIn(Dims &dims);
  void addReshape(const Value &x);
  void addRepeat(const Value &x);
  void addSqueeze(const Value &x);
  std::string addScalar();
  std::string addInteger(int64_t value);
  void addCrop(const Value &x);
  void addPad(const Value &x);
  void addResize(const Value &x);
  void addInsert(const Value &x);
  void addJoin(const Value &x);
  Value addAside(const std::string &text, const std::string &types, Value value);
  Value addIndexArgument(const Dims &dims, int64_t size, const std::string &integer);
  Value limitIndex(Value value, int64_t size);
  Dim addSize(const Dim &dim, std::string &size);
  Value addSteps(const Dims &dims, unsigned dim, int64_t start, int64_t step,
                 const std::string &integer);
  Value addComputedIndex(const Dims &dims, int64_t size, std::optional<unsigned> distinct,
                         const std::string &integer);
  Value addIndex(const Dims &dims, int64_t size, std::optional<unsigned> distinct = std::nullopt);
  void addGather(const Value &given);
  void addScatter(const Value &given);
  void addSharedWork(const Value &given);
  void addParts(const Value &given);
  void addReduction(const Value &x);
  void addEnding();
  Value addListArgument(const std::string &name, const Dims &dims);
  void addList();
  Value pickValue() {
    // Late values more often: graphs become deep.
    size_t at = chance(60) && values.size() > 3 ? values.size() - 1 - pick(3) : pick(values.size());
    return values[at];
  }

  std::mt19937_64 random;
  /// Lists are drawn from numbers of their own, so that a seed gives the same graph next to its
  /// list.
  std::mt19937_64 listRandom;
  const int64_t maxElements;
  std::string element;
  llvm::SmallVector<Dim> pool;
  std::vector<Value> values;
  unsigned numArguments = 0, numOps = 0, numIntegers = 0, numAside = 0;
  std::string signature, sizes, body;
  /// Of the parts of a list: results, and the number of the argument that each is stored in, or -1.
  std::vector<std::pair<Value, int>> listResults;
  /// The number of a value that is an argument with some elements replaced, and of that argument.
  std::map<unsigned, unsigned> updates;
  unsigned numParameters = 0;
  std::vector<std::string> ranges;
};

} // namespace fuser::fuzz::graph

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_RANDOMGRAPHTEXT_H
