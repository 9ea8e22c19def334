//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fusions at random, as text.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_SEGMENTATION_RANDOMFUSION_H
#define FUSER_UNITTESTS_SEGMENTATION_RANDOMFUSION_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <random>
#include <string>
#include <vector>

namespace fuser::test {

/// What fusions are like.
struct GeneratorOptions {
  /// Dimensions of this many elements are dynamic in all types.
  int64_t dynamicSize = 6;
  /// Of this many as well; 0: there is one dynamic size.
  int64_t otherDynamicSize = 0;
  /// Of a dimension of an argument that is not dynamic.
  int64_t staticSize = 4;
  unsigned minOps = 3, maxOps = 22;
  /// Of the arguments.
  unsigned maxRank = 3;
  /// Outputs are the values that most others lead to.
  bool lateOutputs = false;
  /// Slices, pads and joins as well.
  bool resizes = true;
  /// Reshapes, squeezes and repeats as well.
  bool reshapes = true;
  /// Outputs overwrite arguments at times.
  bool aliases = false;
};

/// Writes a fusion of f32 tensors of up to three dimensions.
class Generator {
public:
  explicit Generator(unsigned seed, const GeneratorOptions &options = {})
      : options(options), random(seed) {}

  std::string run() {
    unsigned numArguments = 1 + pick(3);
    for (unsigned i = 0; i < numArguments; ++i) {
      Sizes sizes;
      for (unsigned dim = 0, rank = 1 + pick(options.maxRank); dim < rank; ++dim)
        sizes.push_back(pick(3) ? options.staticSize : pickDynamicSize());
      values.push_back({"%x" + std::to_string(i), sizes});
      arguments.push_back(sizes);
    }
    for (unsigned i = 0, count = options.minOps + pick(options.maxOps - options.minOps + 1);
         i < count; ++i)
      addOp();
    while (values.size() == numArguments)
      addOp();
    llvm::SmallVector<const Value *> outputs;
    for (unsigned i = 0, count = 1 + pick(3); i < count; ++i)
      outputs.push_back(&values[pickOutput(numArguments)]);
    std::string text = "fuser.fusion @f(";
    for (unsigned i = 0; i < numArguments; ++i)
      text += (i ? ", " : "") + values[i].name + ": " + getType(values[i].sizes);
    text += ") -> (" + join(outputs, false) + ")" + makeAliases(outputs) + " {\n" + body +
            "fuser.return " + join(outputs, true) + " : " + join(outputs, false) + "\n}\n";
    return text;
  }

  using Sizes = llvm::SmallVector<int64_t>;
  llvm::SmallVector<Sizes> arguments;
  /// What reshapes and repeats made of dynamic sizes: dynamic from then on.
  llvm::SmallVector<int64_t> derivedSizes;

private:
  struct Value {
    std::string name;
    Sizes sizes;
  };

  unsigned pick(unsigned count) { return random() % count; }
  int64_t pickDynamicSize() {
    return options.otherDynamicSize && pick(2) ? options.otherDynamicSize : options.dynamicSize;
  }
  bool isDynamic(int64_t size) const {
    return size == options.dynamicSize || (size != 0 && size == options.otherDynamicSize) ||
           llvm::is_contained(derivedSizes, size);
  }
  /// Lets a size that is made of a dynamic one be dynamic; false where it was static before.
  bool makeDynamic(int64_t size) {
    if (isDynamic(size))
      return true;
    for (const Value &value : values)
      if (llvm::is_contained(value.sizes, size))
        return false;
    derivedSizes.push_back(size);
    return true;
  }
  size_t pickOutput(size_t first) {
    const size_t count = values.size() - first;
    return options.lateOutputs ? values.size() - 1 - pick(count < 3 ? count : 3)
                               : first + pick(count);
  }
  const Value &pickValue() { return values[pick(values.size())]; }

  /// Sometimes an output overwrites an argument of its type.
  std::string makeAliases(llvm::ArrayRef<const Value *> outputs) {
    if (!options.aliases)
      return "";
    std::string text;
    std::vector<bool> isTaken(arguments.size(), false);
    for (auto [number, output] : llvm::enumerate(outputs)) {
      unsigned argument = pick(arguments.size());
      if (pick(2) || isTaken[argument] || arguments[argument] != output->sizes)
        continue;
      isTaken[argument] = true;
      text += (text.empty() ? "" : ", ") + std::string("#fuser.alias<output ") +
              std::to_string(number) + ", input " + std::to_string(argument) + ">";
    }
    return text.empty() ? "" : " attributes {aliases = [" + text + "]}";
  }
  std::string getType(const Sizes &sizes) const {
    std::string type = "tensor<";
    for (int64_t size : sizes)
      type += (isDynamic(size) ? "?" : std::to_string(size)) + "x";
    return type + "f32>";
  }
  std::string join(llvm::ArrayRef<const Value *> outputs, bool names) const {
    std::string text;
    for (auto [i, output] : llvm::enumerate(outputs))
      text += (i ? ", " : "") + (names ? output->name : getType(output->sizes));
    return text;
  }
  void add(const std::string &text, const std::string &types, const Sizes &sizes) {
    std::string name = "%v" + std::to_string(values.size());
    body += name + " = fuser." + text + " : " + types + "\n";
    values.push_back({name, sizes});
  }
  std::string numbers(llvm::ArrayRef<int64_t> list) {
    std::string text = "[";
    for (auto [i, number] : llvm::enumerate(list))
      text += (i ? ", " : "") + std::to_string(number);
    return text + "]";
  }

  void addOp();
  void addBinary();
  void addJoin(const Value &x, unsigned dim);
  void addResize(const Value &x, unsigned dim);
  void addReshape(const Value &x);
  void addRepeat(const Value &x, unsigned dim);
  bool merge(Sizes &sizes, unsigned dim);
  bool split(Sizes &sizes, unsigned dim);
  bool isReshape(const Sizes &from, const Sizes &to) const;

  const GeneratorOptions options;
  std::mt19937 random;
  std::vector<Value> values;
  std::string body;
};

inline void Generator::addOp() {
  Value x = pickValue();
  std::string type = getType(x.sizes);
  unsigned rank = x.sizes.size();
  unsigned dim = rank ? pick(rank) : 0;
  if (options.reshapes && pick(8) == 0)
    return addReshape(x);
  if (options.reshapes && rank && pick(24) == 0)
    return addRepeat(x, dim);
  switch (pick(options.resizes ? 10 : 7)) {
  case 0:
  case 1: {
    static const char *names[] = {"relu", "neg", "abs", "tanh", "segment_set", "segment_set"};
    add(std::string(names[pick(6)]) + " " + x.name, type, x.sizes);
    return;
  }
  case 2:
  case 3:
    addBinary();
    return;
  case 4: {
    if (!rank)
      return;
    Sizes sizes(x.sizes);
    sizes.erase(sizes.begin() + dim);
    static const char *names[] = {"sum", "max", "mean"};
    add(std::string(names[pick(3)]) + " " + x.name + " dims [" + std::to_string(dim) + "]",
        type + " -> " + getType(sizes), sizes);
    return;
  }
  case 5: {
    if (rank > 2)
      return;
    Sizes sizes(x.sizes);
    dim = pick(rank + 1);
    sizes.insert(sizes.begin() + dim, 1);
    add("broadcast " + x.name + " dims [" + std::to_string(dim) + "]",
        type + " -> " + getType(sizes), sizes);
    return;
  }
  case 6: {
    Sizes order(rank), sizes;
    for (unsigned i = 0; i < rank; ++i)
      order[i] = i;
    for (unsigned i = rank; i > 1; --i)
      std::swap(order[i - 1], order[pick(i)]);
    for (int64_t from : order)
      sizes.push_back(x.sizes[from]);
    add("permute " + x.name + " " + numbers(order), type + " -> " + getType(sizes), sizes);
    return;
  }
  case 7:
    if (rank && options.resizes)
      addJoin(x, dim);
    return;
  default:
    if (rank && options.resizes && !isDynamic(x.sizes[dim]))
      addResize(x, dim);
    return;
  }
}

/// Multiplies a dimension into the one before.
inline bool Generator::merge(Sizes &sizes, unsigned dim) {
  const int64_t product = sizes[dim - 1] * sizes[dim];
  const bool isMadeOfDynamic = isDynamic(sizes[dim - 1]) || isDynamic(sizes[dim]);
  if (isMadeOfDynamic ? !makeDynamic(product) : isDynamic(product))
    return false;
  sizes[dim - 1] = product;
  sizes.erase(sizes.begin() + dim);
  return true;
}

/// Splits by some factor; the inner part is static, the outer one as the whole.
inline bool Generator::split(Sizes &sizes, unsigned dim) {
  const int64_t whole = sizes[dim];
  llvm::SmallVector<int64_t> factors;
  for (int64_t factor = 1; factor <= whole; ++factor)
    if (whole % factor == 0 && !isDynamic(factor))
      factors.push_back(factor);
  if (factors.empty())
    return false;
  const int64_t factor = factors[pick(factors.size())];
  if (isDynamic(whole) ? whole == factor || !makeDynamic(whole / factor)
                       : isDynamic(whole / factor))
    return false;
  // `makeDynamic` knows no sizes that are still to come.
  if (isDynamic(factor))
    return false;
  sizes[dim] = whole / factor;
  sizes.insert(sizes.begin() + dim + 1, factor);
  return true;
}

/// Dynamic dimensions correspond, or the result has one at most.
inline bool Generator::isReshape(const Sizes &from, const Sizes &to) const {
  auto getProducts = [&](const Sizes &sizes) {
    Sizes products = {1};
    for (int64_t size : sizes)
      if (isDynamic(size))
        products.push_back(1);
      else
        products.back() *= size;
    return products;
  };
  return llvm::count_if(to, [&](int64_t size) { return isDynamic(size); }) <= 1 ||
         getProducts(from) == getProducts(to);
}

inline void Generator::addReshape(const Value &x) {
  Sizes sizes(x.sizes);
  const unsigned kind = pick(4);
  if (kind == 0 && pick(2) && llvm::is_contained(sizes, 1)) {
    const unsigned dim = llvm::find(sizes, 1) - sizes.begin();
    sizes.erase(sizes.begin() + dim);
    add("squeeze " + x.name + " dims [" + std::to_string(dim) + "]",
        getType(x.sizes) + " -> " + getType(sizes), sizes);
    return;
  }
  bool changes = false;
  if (kind < 3 && sizes.size() > 1)
    changes |= merge(sizes, 1 + pick(sizes.size() - 1));
  if (kind > 0 && !sizes.empty() && sizes.size() < 4)
    changes |= split(sizes, pick(sizes.size()));
  if (changes && sizes != x.sizes && isReshape(x.sizes, sizes))
    add("reshape " + x.name, getType(x.sizes) + " -> " + getType(sizes), sizes);
}

inline void Generator::addRepeat(const Value &x, unsigned dim) {
  Sizes sizes(x.sizes), repeats(x.sizes.size(), 1);
  const bool expands = sizes[dim] == 1;
  repeats[dim] = 2 + pick(2);
  sizes[dim] *= repeats[dim];
  if (isDynamic(x.sizes[dim]) ? !makeDynamic(sizes[dim]) : isDynamic(sizes[dim]))
    return;
  add(expands ? "expand " + x.name : "repeat " + x.name + " " + numbers(repeats),
      getType(x.sizes) + " -> " + getType(sizes), sizes);
}

/// Joins two values that differ along a dimension at most, or inserts a smaller one into a larger
/// one; both are computed for it alone.
inline void Generator::addJoin(const Value &x, unsigned dim) {
  std::vector<Value> others;
  for (const Value &other : values) {
    bool fits = other.sizes.size() == x.sizes.size();
    for (unsigned i = 0; fits && i < x.sizes.size(); ++i)
      fits &= i == dim ? !isDynamic(other.sizes[i]) && !isDynamic(x.sizes[i])
                       : other.sizes[i] == x.sizes[i];
    if (fits)
      others.push_back(other);
  }
  if (others.empty())
    return;
  Value y = others[pick(others.size())];
  Sizes sizes(x.sizes);
  sizes[dim] += y.sizes[dim];
  bool isInsert = pick(3) == 0 && y.sizes[dim] <= x.sizes[dim];
  if (!isInsert && (isDynamic(sizes[dim]) || sizes[dim] > 16))
    return;
  add("relu " + x.name, getType(x.sizes), x.sizes);
  std::string own = values.back().name;
  add("abs " + y.name, getType(y.sizes), y.sizes);
  std::string other = values.back().name;
  if (isInsert) {
    Sizes offsets(x.sizes.size(), 0);
    offsets[dim] = pick(x.sizes[dim] - y.sizes[dim] + 1);
    add("insert_slice " + other + " into " + own + " " + numbers(offsets),
        getType(y.sizes) + " into " + getType(x.sizes), x.sizes);
    return;
  }
  add("cat " + own + ", " + other + " dim " + std::to_string(dim),
      "(" + getType(x.sizes) + ", " + getType(y.sizes) + ") -> " + getType(sizes), sizes);
}

inline void Generator::addBinary() {
  Value x = pickValue(), y = pickValue();
  // Another value of the same shape, up to dimensions of size 1.
  for (const Value &other : values)
    if (other.sizes.size() == x.sizes.size() &&
        llvm::all_of(llvm::zip(other.sizes, x.sizes),
                     [](auto pair) {
                       auto [a, b] = pair;
                       return a == b || a == 1 || b == 1;
                     }) &&
        (pick(2) || y.sizes.size() != x.sizes.size()))
      y = other;
  if (x.sizes.size() != y.sizes.size())
    return;
  Sizes sizes;
  for (auto [a, b] : llvm::zip(x.sizes, y.sizes)) {
    if (a != b && a != 1 && b != 1)
      return;
    sizes.push_back(std::max(a, b));
  }
  static const char *names[] = {"add", "sub", "mul", "maximum"};
  add(std::string(names[pick(4)]) + " " + x.name + ", " + y.name,
      "(" + getType(x.sizes) + ", " + getType(y.sizes) + ") -> " + getType(sizes), sizes);
}

inline void Generator::addResize(const Value &x, unsigned dim) {
  std::string type = getType(x.sizes);
  Sizes sizes(x.sizes), zeros(sizes.size(), 0), low(zeros), high(zeros);
  switch (pick(3)) {
  case 0: // slice
    if (sizes[dim] < 2)
      return;
    low[dim] = pick(2);
    sizes[dim] -= 1;
    for (int64_t size : sizes)
      if (isDynamic(size))
        return;
    add("slice " + x.name + " " + numbers(low) + " " + numbers(sizes),
        type + " -> " + getType(sizes), sizes);
    return;
  case 1: // pad
    low[dim] = pick(3);
    high[dim] = pick(3);
    sizes[dim] += low[dim] + high[dim];
    if (isDynamic(sizes[dim]))
      return;
    body += "%p" + std::to_string(values.size()) + " = arith.constant 1.5 : f32\n";
    add("pad " + x.name + " low " + numbers(low) + " high " + numbers(high) + " value %p" +
            std::to_string(values.size()),
        type + ", f32 -> " + getType(sizes), sizes);
    return;
  default: // cat with itself or with something like it
    sizes[dim] *= 2;
    if (isDynamic(sizes[dim]) || sizes[dim] > 16)
      return;
    add("cat " + x.name + ", " + x.name + " dim " + std::to_string(dim),
        "(" + type + ", " + type + ") -> " + getType(sizes), sizes);
    return;
  }
}

} // namespace fuser::test

#endif // FUSER_UNITTESTS_SEGMENTATION_RANDOMFUSION_H
