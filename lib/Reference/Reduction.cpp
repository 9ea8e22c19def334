//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions over dimensions, accumulated in double or in wrapping int64.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "Iteration.h"
#include "OpContext.h"
#include "RootDomain.h"

#include <limits>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;
using Complex = std::complex<double>;

//===----------------------------------------------------------------------===//
// Which elements are reduced together
//===----------------------------------------------------------------------===//

namespace {

/// Iterates over the elements of a reduction's operand and the result elements to which they
/// contribute. A root domain (rfactor) keeps parts of the reduced dimensions in the result.
class ReducedElements {
public:
  explicit ReducedElements(OpContext &context) : shape(context.operand(0).getShape()) {
    ArrayRef<int64_t> dims = context.getIntegers("dims");
    for (int64_t dim : dims)
      count *= shape[dim];
    DomainAttr domain = cast<TensorViewOpInterface>(context.getOp()).getDomain();
    if (!domain.getRoot().empty()) {
      root.emplace(domain, shape);
      resultShape.assign(root->getResultShape().begin(), root->getResultShape().end());
      return;
    }
    for (auto [dim, size] : llvm::enumerate(shape))
      if (!llvm::is_contained(dims, int64_t(dim)))
        resultShape.push_back(size);
    resultStrides.assign(shape.size(), 0);
    int64_t stride = 1;
    for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
      if (llvm::is_contained(dims, dim))
        continue;
      resultStrides[dim] = stride;
      stride *= shape[dim];
    }
  }

  ArrayRef<int64_t> getResultShape() const { return resultShape; }
  /// The number of elements that are combined into one: the product of the reduced sizes.
  int64_t getCount() const { return count; }
  bool hasRootDomain() const { return root.has_value(); }

  /// Calls body(position in the operand, position in the result) in row-major order of the operand.
  template <typename Body> void forEach(Body body) {
    int64_t position = 0;
    if (root)
      return forEachIndex(shape, [&](ArrayRef<int64_t> index) {
        body(position++, root->getResultPosition(index));
      });
    forEachElement<1>(shape, {resultStrides},
                      [&](const std::array<int64_t, 1> &offsets) { body(position++, offsets[0]); });
  }

private:
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> resultShape, resultStrides;
  int64_t count = 1;
  std::optional<RootDomain> root;
};

} // namespace

//===----------------------------------------------------------------------===//
// Folds: sum, prod, min, max, any, all
//===----------------------------------------------------------------------===//

/// Combines the elements of each group in order, starting from `identity`; not rounded. `convert`
/// converts an element of type S to T.
template <typename S, typename T, typename Convert, typename Combine>
static Tensor fold(OpContext &context, ReducedElements &elements, T identity, Convert convert,
                   Combine combine) {
  Tensor result(context.resultElementType(), elements.getResultShape());
  std::vector<T> &out = result.values<T>();
  std::fill(out.begin(), out.end(), identity);
  const std::vector<S> &in = context.operand(0).values<S>();
  elements.forEach(
      [&](int64_t from, int64_t to) { out[to] = combine(out[to], convert(in[from])); });
  return result;
}

/// True for a combination that is defined for complex numbers.
template <typename Combine>
static constexpr bool kIsAdditive = std::is_invocable_v<Combine, Complex, Complex>;

/// A fold of any numbers, converted to complex ones.
template <typename Combine>
static LogicalResult foldComplex(OpContext &context, ReducedElements &elements, double identity,
                                 Combine combine) {
  const Complex start = identity;
  auto toComplex = [](auto value) {
    if constexpr (std::is_same_v<decltype(value), Complex>)
      return value;
    else
      return Complex(double(value));
  };
  switch (context.operand(0).getKind()) {
  case ElementKind::Float:
    return context.setComputed(fold<double>(context, elements, start, toComplex, combine));
  case ElementKind::Integer:
    return context.setComputed(fold<int64_t>(context, elements, start, toComplex, combine));
  case ElementKind::Complex:
    return context.setComputed(fold<Complex>(context, elements, start, toComplex, combine));
  }
  return failure();
}

/// A fold on floats or integers, of elements that are converted to the result's type first.
/// `integerIdentity` is called with the width of the result.
template <typename FloatCombine, typename IntegerIdentity, typename IntegerCombine>
static void addFold(OpTable &table, StringRef name, double floatIdentity, FloatCombine onFloats,
                    IntegerIdentity integerIdentity, IntegerCombine onIntegers) {
  table[name] = [=](OpContext &context) -> LogicalResult {
    ReducedElements elements(context);
    Type type = context.resultElementType();
    ElementKind from = context.operand(0).getKind(), to = getElementKind(type);
    auto toDouble = [](auto value) { return double(value); };
    if (to == ElementKind::Float && from == ElementKind::Float)
      return context.setComputed(
          fold<double>(context, elements, floatIdentity, toDouble, onFloats));
    if (to == ElementKind::Float && from == ElementKind::Integer)
      return context.setComputed(
          fold<int64_t>(context, elements, floatIdentity, toDouble, onFloats));
    if (to == ElementKind::Integer && from == ElementKind::Integer)
      return context.setComputed(fold<int64_t>(
          context, elements, integerIdentity(type.getIntOrFloatBitWidth()),
          [&](int64_t value) { return wrapToType(value, type); }, onIntegers));
    if constexpr (kIsAdditive<FloatCombine>)
      if (to == ElementKind::Complex)
        return foldComplex(context, elements, floatIdentity, onFloats);
    llvm_unreachable("the op's verifier knows no other element types");
  };
}

/// A fold of the tests whether elements differ from 0.
template <typename Combine>
static void addBoolFold(OpTable &table, StringRef name, int64_t identity, Combine combine) {
  table[name] = [=](OpContext &context) -> LogicalResult {
    ReducedElements elements(context);
    auto isTrue = [](auto value) { return int64_t(value != decltype(value)(0)); };
    switch (context.operand(0).getKind()) {
    case ElementKind::Float:
      return context.setComputed(fold<double>(context, elements, identity, isTrue, combine));
    case ElementKind::Integer:
      return context.setComputed(fold<int64_t>(context, elements, identity, isTrue, combine));
    case ElementKind::Complex:
      return context.setComputed(fold<Complex>(context, elements, identity, isTrue, combine));
    }
    return failure();
  };
}

static void addFolds(OpTable &table) {
  const double infinity = std::numeric_limits<double>::infinity();
  addFold(
      table, "fuser.sum", 0.0, [](auto a, auto b) { return a + b; },
      [](unsigned) { return int64_t(0); }, wrapAdd);
  addFold(
      table, "fuser.prod", 1.0, [](auto a, auto b) { return a * b; },
      [](unsigned) { return int64_t(1); }, wrapMul);
  addFold(table, "fuser.min", infinity, minimum, greatestInteger,
          [](int64_t a, int64_t b) { return std::min(a, b); });
  addFold(table, "fuser.max", -infinity, maximum, leastInteger,
          [](int64_t a, int64_t b) { return std::max(a, b); });
  addBoolFold(table, "fuser.any", 0, [](int64_t a, int64_t b) { return a | b; });
  addBoolFold(table, "fuser.all", 1, [](int64_t a, int64_t b) { return a & b; });
}

//===----------------------------------------------------------------------===//
// mean, var_mean
//===----------------------------------------------------------------------===//

/// An element as T: double or a complex number.
template <typename T> static T getElement(const Tensor &tensor, int64_t position) {
  if constexpr (std::is_same_v<T, Complex>)
    return tensor.asComplex(position);
  else
    return tensor.asDouble(position);
}

/// The means of the elements that are reduced together, as T. Fails at the op for a root domain:
/// means cannot be combined from means of parts.
template <typename T>
static FailureOr<std::vector<T>> computeMeans(OpContext &context, ReducedElements &elements) {
  if (elements.hasRootDomain())
    return context.emitError() << "expected a domain without a root (rfactor) to evaluate a mean";
  std::vector<T> means(getNumElements(elements.getResultShape()));
  elements.forEach(
      [&](int64_t from, int64_t to) { means[to] += getElement<T>(context.operand(0), from); });
  for (T &mean : means)
    mean /= double(elements.getCount());
  return means;
}

template <typename T> static LogicalResult evaluateMeanAs(OpContext &context) {
  ReducedElements elements(context);
  FailureOr<std::vector<T>> means = computeMeans<T>(context, elements);
  if (failed(means))
    return failure();
  return context.setComputed(
      Tensor(context.resultElementType(), elements.getResultShape(), std::move(*means)));
}

static LogicalResult evaluateMean(OpContext &context) {
  return getElementKind(context.resultElementType()) == ElementKind::Complex
             ? evaluateMeanAs<Complex>(context)
             : evaluateMeanAs<double>(context);
}

/// The mean first, then the squared distances from it.
template <typename T> static LogicalResult evaluateVarMeanAs(OpContext &context) {
  ReducedElements elements(context);
  FailureOr<std::vector<T>> means = computeMeans<T>(context, elements);
  if (failed(means))
    return failure();
  int64_t correction = context.getOp()->getAttrOfType<IntegerAttr>("correction").getInt();
  std::vector<double> variances(means->size());
  elements.forEach([&](int64_t from, int64_t to) {
    variances[to] += std::norm(getElement<T>(context.operand(0), from) - (*means)[to]);
  });
  for (double &variance : variances)
    variance /= double(std::max<int64_t>(elements.getCount() - correction, 0));
  ArrayRef<int64_t> shape = elements.getResultShape();
  if (failed(context.setComputed(Tensor(context.resultElementType(0), shape, std::move(variances)),
                                 0)))
    return failure();
  return context.setComputed(Tensor(context.resultElementType(1), shape, std::move(*means)), 1);
}

static LogicalResult evaluateVarMean(OpContext &context) {
  return context.operand(0).getKind() == ElementKind::Complex ? evaluateVarMeanAs<Complex>(context)
                                                              : evaluateVarMeanAs<double>(context);
}

//===----------------------------------------------------------------------===//
// max_sum_exp
//===----------------------------------------------------------------------===//

/// The maximum first, then the exponentials.
static LogicalResult evaluateMaxSumExp(OpContext &context) {
  ReducedElements elements(context);
  if (elements.hasRootDomain())
    return context.emitError() << "expected a domain without a root (rfactor) to evaluate a sum "
                                  "of exponentials";
  ArrayRef<int64_t> shape = elements.getResultShape();
  std::vector<double> greatest(getNumElements(shape), -std::numeric_limits<double>::infinity());
  std::vector<double> sums(greatest.size());
  elements.forEach([&](int64_t from, int64_t to) {
    double x = context.operand(0).asDouble(from);
    greatest[to] = std::isnan(x) || x > greatest[to] ? x : greatest[to];
  });
  elements.forEach([&](int64_t from, int64_t to) {
    sums[to] += std::exp(context.operand(0).asDouble(from) - greatest[to]);
  });
  if (failed(
          context.setComputed(Tensor(context.resultElementType(0), shape, std::move(greatest)), 0)))
    return failure();
  return context.setComputed(Tensor(context.resultElementType(1), shape, std::move(sums)), 1);
}

//===----------------------------------------------------------------------===//
// max_with_index, min_with_index
//===----------------------------------------------------------------------===//

/// -1, 0 or 1 if `a` comes before, with or after `b` in ascending order; NaN comes last.
template <typename T> static int order(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b))
      return int(std::isnan(a)) - int(std::isnan(b));
  return (a > b) - (a < b);
}

/// `sign`: 1 for the maximum, -1 for the minimum. NaN wins in both.
template <typename T> static LogicalResult findExtremes(OpContext &context, int sign, T identity) {
  ReducedElements elements(context);
  ArrayRef<int64_t> shape = elements.getResultShape();
  unsigned width = context.resultElementType(1).getIntOrFloatBitWidth();
  std::vector<T> best(getNumElements(shape), identity);
  std::vector<int64_t> where(best.size(), greatestInteger(width));
  const std::vector<T> &in = context.operand(0).values<T>();
  const std::vector<int64_t> &index = context.operand(1).integers();
  elements.forEach([&](int64_t from, int64_t to) {
    int ordered = order(in[from], best[to]);
    bool bothNumbers = in[from] == in[from] && best[to] == best[to];
    int further = bothNumbers ? sign * ordered : ordered;
    if (further > 0 || (further == 0 && index[from] < where[to])) {
      best[to] = in[from];
      where[to] = index[from];
    }
  });
  if (failed(context.setComputed(Tensor(context.resultElementType(0), shape, std::move(best)), 0)))
    return failure();
  return context.setComputed(Tensor(context.resultElementType(1), shape, std::move(where)), 1);
}

static LogicalResult evaluateExtremes(OpContext &context, int sign) {
  if (context.operand(0).getKind() == ElementKind::Float)
    return findExtremes<double>(context, sign, -sign * std::numeric_limits<double>::infinity());
  unsigned width = context.resultElementType(0).getIntOrFloatBitWidth();
  return findExtremes<int64_t>(context, sign,
                               sign > 0 ? leastInteger(width) : greatestInteger(width));
}

void fuser::reference::addReductionOps(OpTable &table) {
  table["fuser.max_with_index"] = [](OpContext &context) { return evaluateExtremes(context, 1); };
  table["fuser.min_with_index"] = [](OpContext &context) { return evaluateExtremes(context, -1); };
  addFolds(table);
  table["fuser.mean"] = evaluateMean;
  table["fuser.var_mean"] = evaluateVarMean;
  table["fuser.max_sum_exp"] = evaluateMaxSumExp;
}
