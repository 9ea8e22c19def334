//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace fuser::fuzz;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

constexpr int64_t kSizes[] = {1, 2, 3, 5, 7, 8, 16, 17, 31, 33, 64, 100, 128, 200, 256, 513, 1024};

struct Dim {
  int64_t size = 1;
  bool isDynamic = false;
  /// What a dynamic size is made of: two that are equal by chance are not known to be.
  std::string key = {};

  bool operator==(const Dim &other) const {
    return size == other.size && isDynamic == other.isDynamic && key == other.key;
  }
};
using Dims = SmallVector<Dim>;

struct Value {
  std::string name;
  Dims dims;
  std::string element;
  /// An argument, or what has its elements: exact on every device.
  bool isExact = false;
  /// What its elements are at most, roughly.
  double magnitude = 4;
};

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
  const Value &addReduction(const std::string &op, const Value &x, SmallVector<unsigned> dims);
  void addOp();
  std::string makeOrder(const Value &value, unsigned percent);
  std::string makeOrders(ArrayRef<unsigned> outputs);
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
  void addIndexed(const Value &x);
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
  SmallVector<Dim> pool;
  std::vector<Value> values;
  unsigned numArguments = 0, numOps = 0, numIntegers = 0;
  std::string signature, sizes, body;
  /// Of the parts of a list: results, and the number of the argument that each is stored in, or -1.
  std::vector<std::pair<Value, int>> listResults;
  unsigned numParameters = 0;
  std::vector<std::string> ranges;
};

} // namespace

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

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

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

/// Rows that an argument names.
void Graph::addIndexed(const Value &x) {
  if (x.dims.empty() || x.dims[0].size == 0 || ranges.size() > 1)
    return;
  const int64_t rows = 1 + pick(20);
  Value index{"%i" + std::to_string(ranges.size()), {{rows, false}}, "i64"};
  if (chance(50))
    index.dims[0] = {rows, true, index.name};
  Dims dims(x.dims);
  dims[0] = index.dims[0];
  if (count(dims) > maxElements)
    return;
  ++numParameters;
  signature += ", " + index.name + ": " + type(index);
  sizes += "," + std::to_string(rows);
  ranges.push_back(index.name.substr(1) + "=0:" + std::to_string(x.dims[0].size));
  Value result = makeValue(dims, x.magnitude, x.isExact);
  add("index_select " + x.name + ", " + index.name + " dim 0",
      type(x) + ", " + type(index) + " -> " + type(result), result);
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
  switch (pick(4)) {
  case 0:
    return addPad(last);
  case 1:
    return addJoin(last);
  case 2:
    return addInsert(last);
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
  switch (pick(22)) {
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
    return chance(40) ? addIndexed(x) : addPointwise(x);
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

/// Layouts of arguments and required orders of outputs, as attributes of the fusion.
std::string Graph::makeOrders(ArrayRef<unsigned> outputs) {
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
  for (unsigned output : outputs) {
    std::string order = makeOrder(values[output], 60);
    orders += (orders.empty() ? "" : ", ") +
              (order.empty() ? "unit" : "array<i64: " + order.substr(1, order.size() - 2) + ">");
  }
  for (size_t i = 0; i < listResults.size(); ++i)
    orders += std::string(orders.empty() ? "" : ", ") + "unit";
  return "arg_layouts = [" + layouts + "], output_orders = [" + orders + "]";
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
  std::string attributes = makeOrders(outputs);
  std::string names, types;
  for (unsigned output : outputs) {
    names += (names.empty() ? "" : ", ") + values[output].name;
    types += (types.empty() ? "" : ", ") + type(values[output]);
  }
  std::string aliases;
  for (auto [number, result] : llvm::enumerate(listResults)) {
    const auto &[value, argument] = result;
    names += (names.empty() ? "" : ", ") + value.name;
    types += (types.empty() ? "" : ", ") + type(value);
    if (argument >= 0)
      aliases += (aliases.empty() ? "" : ", ") + std::string("#fuser.alias<output ") +
                 std::to_string(outputs.size() + number) + ", input " + std::to_string(argument) +
                 ">";
  }
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
