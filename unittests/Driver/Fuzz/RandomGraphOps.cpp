//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Elementwise ops, conditions, norms, and ops that give dimensions other sizes or orders.
//
//===----------------------------------------------------------------------===//

#include "RandomGraphText.h"

using namespace fuser::fuzz;
using namespace fuser::fuzz::graph;
using llvm::SmallVector;
using llvm::StringRef;

void Graph::addPointwise(const Value &x) {
  static const char *const kBounded[] = {"tanh", "sigmoid", "gelu", "silu", "relu", "abs", "neg"};
  static const char *const kExact[] = {"relu", "abs", "neg", "segment_set"};
  if (x.magnitude > 64 && isFloat()) {
    addUnary("tanh", x, 1);
    return;
  }
  if (chance(35)) {
    const char *op = isFloat() && chance(60) ? pickOf(kBounded) : pickOf(kExact);
    addUnary(op, x, x.magnitude);
    return;
  }
  static const char *const kBinary[] = {"add", "sub", "mul", "maximum", "minimum", "add", "mul"};
  // Something of the same shape, up to dimensions of size 1.
  SmallVector<unsigned> fitting;
  for (auto [number, y] : llvm::enumerate(values))
    if (y.dims.size() == x.dims.size() && llvm::all_of(llvm::zip(y.dims, x.dims), [](auto pair) {
          auto [a, b] = pair;
          return a == b || a == Dim{} || b == Dim{};
        }))
      fitting.push_back(number);
  if (fitting.empty())
    return;
  Value y = values[fitting[pick(fitting.size())]];
  addBinary(pickOf(kBinary), x, y);
}

const Value *Graph::addBinary(const std::string &op, const Value &x, const Value &y) {
  Dims dims;
  for (auto [a, b] : llvm::zip_equal(x.dims, y.dims))
    dims.push_back(a == Dim{} ? b : a);
  const double magnitude = op == "mul"                  ? x.magnitude * y.magnitude
                           : op == "add" || op == "sub" ? x.magnitude + y.magnitude
                                                        : std::max(x.magnitude, y.magnitude);
  if (count(dims) > maxElements || (magnitude > 1e4 && isFloat()))
    return nullptr;
  Value result = makeValue(dims, magnitude);
  const bool isSame = x.dims == y.dims;
  std::string types = isSame ? type(x) : "(" + type(x) + ", " + type(y) + ") -> " + type(result);
  return &add(op + " " + x.name + ", " + y.name, types, result);
}

/// Chooses by what arguments hold.
void Graph::addWhere(const Value &x) {
  SmallVector<unsigned> exact, same;
  for (auto [number, value] : llvm::enumerate(values)) {
    if (value.dims != x.dims)
      continue;
    same.push_back(number);
    if (value.isExact)
      exact.push_back(number);
  }
  if (exact.empty())
    return;
  Value left = values[exact[pick(exact.size())]], right = values[exact[pick(exact.size())]];
  Value other = values[same[pick(same.size())]], kept = x;
  Value condition = makeValue(x.dims, 1);
  condition.element = "i1";
  condition.name = "%c" + std::to_string(numOps++);
  body += "  " + condition.name + " = fuser.gt " + left.name + ", " + right.name + " : (" +
          type(left) + ", " + type(right) + ") -> " + type(condition) + "\n";
  add("where " + condition.name + ", " + kept.name + ", " + other.name,
      "(" + type(condition) + ", " + type(kept) + ", " + type(other) + ") -> " + type(kept),
      makeValue(kept.dims, std::max(kept.magnitude, other.magnitude)));
}

const Value &Graph::addReduction(const std::string &op, const Value &x,
                                 SmallVector<unsigned> dims) {
  Dims kept;
  for (auto [dim, each] : llvm::enumerate(x.dims))
    if (!llvm::is_contained(dims, dim))
      kept.push_back(each);
  double magnitude = x.magnitude;
  if (op == "sum")
    for (unsigned dim : dims)
      magnitude *= std::sqrt(double(std::max<int64_t>(1, x.dims[dim].size)));
  Value result = makeValue(kept, magnitude);
  return add(op + " " + x.name + " dims " + list(dims), type(x) + " -> " + type(result), result);
}

const Value &Graph::addBroadcast(const Value &x, unsigned dim) {
  Dims dims(x.dims);
  dims.insert(dims.begin() + dim, Dim{});
  Value result = makeValue(dims, x.magnitude, x.isExact);
  return add("broadcast " + x.name + " dims [" + std::to_string(dim) + "]",
             type(x) + " -> " + type(result), result);
}

/// A softmax or the centring of rows along some dimension.
void Graph::addNormalisation(const Value &given) {
  if (given.dims.empty() || !isFloat())
    return;
  Value x = given;
  unsigned dim = chance(70) ? x.dims.size() - 1 : pick(x.dims.size());
  // The maximum of nothing has no place here.
  if (x.dims[dim].size == 0)
    return;
  const bool isSoftmax = chance(50);
  Value most = addReduction(isSoftmax ? "max" : "mean", x, {dim});
  Value spread = addBroadcast(most, dim);
  const Value *centred = addBinary("sub", x, spread);
  if (!centred)
    return;
  // The sum of what is centred is 0, or what rounding leaves.
  if (!isSoftmax) {
    addUnary("abs", Value(*centred), centred->magnitude);
    return;
  }
  Value exponents = addUnary("exp", Value(*centred), 1);
  Value total = addReduction("sum", exponents, {dim});
  addBinary("div", exponents, addBroadcast(total, dim));
  values.back().magnitude = 1;
}

void Graph::addPermute(const Value &x) {
  SmallVector<unsigned> order(x.dims.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  Dims dims;
  for (unsigned from : order)
    dims.push_back(x.dims[from]);
  Value result = makeValue(dims, x.magnitude, x.isExact);
  add("permute " + x.name + " " + list(order), type(x) + " -> " + type(result), result);
}

/// What two dynamic sizes, or a dynamic and a static one, multiply out to; what was split off is
/// merged again without a trace.
static std::string multiplyKeys(const Dim &outer, const Dim &inner) {
  auto getKey = [](const Dim &dim) { return dim.isDynamic ? dim.key : std::to_string(dim.size); };
  const std::string split = "/" + getKey(inner);
  if (StringRef(outer.key).ends_with(split))
    return outer.key.substr(0, outer.key.size() - split.size());
  return "(" + getKey(outer) + "*" + getKey(inner) + ")";
}

/// What is left of a dynamic size without a factor.
static std::string divideKey(const std::string &key, int64_t factor) {
  StringRef product = key;
  const std::string ending = "*" + std::to_string(factor) + ")";
  if (product.consume_front("(") && product.consume_back(ending) && product.count('(') == 0)
    return product.str();
  return key + "/" + std::to_string(factor);
}

static Dim mergeDims(const Dim &outer, const Dim &inner) {
  const bool isDynamic = outer.isDynamic || inner.isDynamic;
  return {outer.size * inner.size, isDynamic, isDynamic ? multiplyKeys(outer, inner) : ""};
}

/// Where both shapes have the same dynamic dimensions in the same places, with equal products
/// between them, or the result has one at most, a reshape says what it means.
static bool isReshape(const Dims &from, const Dims &to) {
  // Each dynamic size, and the product behind it.
  auto getProducts = [](const Dims &dims) {
    SmallVector<std::pair<Dim, int64_t>> products = {{Dim(), 1}};
    for (const Dim &dim : dims)
      if (dim.isDynamic)
        products.push_back({dim, 1});
      else
        products.back().second *= dim.size;
    return products;
  };
  return llvm::count_if(to, [](const Dim &dim) { return dim.isDynamic; }) <= 1 ||
         getProducts(from) == getProducts(to);
}

void Graph::mergeInto(Dims &dims) {
  if (dims.size() < 2)
    return;
  const unsigned at = pick(dims.size() - 1);
  dims[at] = mergeDims(dims[at], dims[at + 1]);
  dims.erase(dims.begin() + at + 1);
}

/// By some factor of the actual size; a dynamic one leaves the outer part dynamic.
void Graph::splitIn(Dims &dims) {
  if (dims.empty() || dims.size() > 4)
    return;
  const unsigned at = pick(dims.size());
  const Dim whole = dims[at];
  SmallVector<int64_t> factors;
  for (int64_t factor = 2; factor <= whole.size && factor <= 64; ++factor)
    if (whole.size % factor == 0)
      factors.push_back(factor);
  const int64_t factor = factors.empty() || chance(5) ? 1 : factors[pick(factors.size())];
  const Dim inner = {factor, false};
  const Dim outer = {whole.size / factor, whole.isDynamic,
                     whole.isDynamic ? divideKey(whole.key, factor) : ""};
  dims[at] = outer;
  dims.insert(dims.begin() + at + 1, inner);
  // A static size has its parts in any order.
  if (!whole.isDynamic && chance(40))
    std::swap(dims[at], dims[at + 1]);
}

/// Merges neighbours, splits dimensions, or both.
void Graph::addReshape(const Value &x) {
  Dims dims(x.dims);
  // Of no elements, nobody can say what a dynamic size is.
  if (count(dims) == 0 && llvm::any_of(dims, [](const Dim &dim) { return dim.isDynamic; }))
    return;
  const bool merges = chance(60), splits = !merges || chance(40);
  if (splits && chance(50))
    splitIn(dims);
  if (merges)
    for (unsigned i = 0, n = 1 + pick(2); i < n; ++i)
      mergeInto(dims);
  if (splits)
    splitIn(dims);
  if (dims == x.dims || !isReshape(x.dims, dims))
    return;
  Value result = makeValue(dims, x.magnitude, x.isExact);
  add("reshape " + x.name, type(x) + " -> " + type(result), result);
}

/// Several times the tensor, or a dimension of size 1 several times.
void Graph::addRepeat(const Value &x) {
  if (x.dims.empty())
    return;
  const unsigned dim = pick(x.dims.size());
  const int64_t times = 2 + pick(3);
  Dims dims(x.dims);
  const bool expands = dims[dim] == Dim{} && chance(70);
  dims[dim] = expands ? Dim{times, false} : mergeDims({times, false}, dims[dim]);
  if (count(dims) > maxElements)
    return;
  Value result = makeValue(dims, x.magnitude, x.isExact);
  SmallVector<int64_t> repeats(dims.size(), 1);
  repeats[dim] = times;
  add(expands ? "expand " + x.name : "repeat " + x.name + " " + list(repeats),
      type(x) + " -> " + type(result), result);
}

void Graph::addSqueeze(const Value &x) {
  for (auto [dim, each] : llvm::enumerate(x.dims)) {
    if (!(each == Dim{}))
      continue;
    Dims dims(x.dims);
    dims.erase(dims.begin() + dim);
    Value result = makeValue(dims, x.magnitude, x.isExact);
    add("squeeze " + x.name + " dims [" + std::to_string(dim) + "]",
        type(x) + " -> " + type(result), result);
    return;
  }
}

/// A constant of the element type.
std::string Graph::addScalar() {
  std::string value = "%p" + std::to_string(numOps);
  body += "  " + value + " = arith.constant " + (isFloat() ? "1.5" : "3") + " : " + element + "\n";
  return value;
}

/// An index with this value that no constant tells: the size of an argument without a constant. A
/// constant if all sizes of arguments are.
std::string Graph::addInteger(int64_t value) {
  SmallVector<std::pair<unsigned, unsigned>> dynamic;
  for (unsigned argument = 0; argument < numArguments; ++argument)
    for (auto [dim, each] : llvm::enumerate(values[argument].dims))
      if (each.isDynamic)
        dynamic.emplace_back(argument, dim);
  if (dynamic.empty())
    return std::to_string(value);
  auto [argument, dim] = dynamic[pick(dynamic.size())];
  const Value &source = values[argument];
  const std::string name = "%n" + std::to_string(numIntegers++);
  body += "  " + name + "d = arith.constant " + std::to_string(dim) + " : index\n  " + name +
          "s = tensor.dim " + source.name + ", " + name + "d : " + type(source) + "\n  " + name +
          "c = arith.constant " + std::to_string(source.dims[dim].size - value) + " : index\n  " +
          name + " = arith.subi " + name + "s, " + name + "c : index\n";
  return name;
}
