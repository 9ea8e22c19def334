//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// matmul, linear and sdpa as sums of products in double (integers: wrapping int64).
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "Iteration.h"
#include "OpContext.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

static double addProduct(double sum, double a, double b) { return sum + a * b; }
static int64_t addProduct(int64_t sum, int64_t a, int64_t b) { return wrapAdd(sum, wrapMul(a, b)); }

static LogicalResult checkEqual(OpContext &context, StringRef what, int64_t expected,
                                int64_t actual) {
  if (expected == actual)
    return success();
  return context.emitError() << "expected " << what << " of size " << expected << ", but got "
                             << actual;
}

/// A stack of matrices: the last two dimensions of a tensor, repeated along batch dimensions of
/// size 1 and along those that it lacks.
struct Matrices {
  Matrices(const Tensor &tensor, int64_t batchRank)
      : rows(tensor.getDimSize(tensor.getRank() - 2)),
        columns(tensor.getDimSize(tensor.getRank() - 1)), batchStrides(batchRank, 0) {
    int64_t own = tensor.getRank() - 2;
    SmallVector<int64_t> strides = tensor.getStrides();
    for (int64_t dim = 0; dim < own; ++dim)
      if (tensor.getDimSize(dim) != 1)
        batchStrides[batchRank - own + dim] = strides[dim];
  }

  int64_t rows, columns;
  SmallVector<int64_t> batchStrides;
};

/// The common batch dimensions of tensors of matrices; fails at the op where they disagree.
static FailureOr<SmallVector<int64_t>> getBatchShape(OpContext &context, unsigned numOperands) {
  SmallVector<int64_t> shape;
  for (unsigned number = 0; number < numOperands; ++number) {
    ArrayRef<int64_t> batch = context.operand(number).getShape().drop_back(2);
    if (batch.size() > shape.size())
      shape.insert(shape.begin(), batch.size() - shape.size(), 1);
    for (auto [size, have] :
         llvm::zip_equal(MutableArrayRef(shape).take_back(batch.size()), batch)) {
      if (size == 1)
        size = have;
      else if (have != 1 && have != size)
        return context.emitError() << "expected batch dimensions of operand " << number << " to be "
                                   << size << " or 1, but got " << have;
    }
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// matmul, linear
//===----------------------------------------------------------------------===//

template <typename T> static LogicalResult multiplyMatrices(OpContext &context) {
  FailureOr<SmallVector<int64_t>> batch = getBatchShape(context, 2);
  if (failed(batch))
    return failure();
  Matrices lhs(context.operand(0), batch->size()), rhs(context.operand(1), batch->size());
  if (failed(checkEqual(context, "rows of the second operand", lhs.columns, rhs.rows)))
    return failure();
  SmallVector<int64_t> shape(*batch);
  shape.append({lhs.rows, rhs.columns});
  Tensor result(context.resultElementType(), shape);
  const T *a = context.operand(0).values<T>().data(), *b = context.operand(1).values<T>().data();
  T *row = result.values<T>().data();
  forEachElement<2>(*batch, {lhs.batchStrides, rhs.batchStrides}, [&](std::array<int64_t, 2> at) {
    for (int64_t i = 0; i < lhs.rows; ++i, row += rhs.columns)
      for (int64_t k = 0; k < lhs.columns; ++k)
        for (int64_t j = 0; j < rhs.columns; ++j)
          row[j] =
              addProduct(row[j], a[at[0] + i * lhs.columns + k], b[at[1] + k * rhs.columns + j]);
  });
  return context.setComputed(std::move(result));
}

template <typename T> static LogicalResult evaluateLinearOf(OpContext &context) {
  const Tensor &input = context.operand(0), &weight = context.operand(1);
  const int64_t depth = input.getShape().back(), columns = weight.getDimSize(0);
  if (failed(checkEqual(context, "the weight's last dimension", depth, weight.getDimSize(1))))
    return failure();
  const T *bias = nullptr;
  if (context.getNumOperands() > 2) {
    if (failed(checkEqual(context, "a bias", columns, context.operand(2).getDimSize(0))))
      return failure();
    bias = context.operand(2).values<T>().data();
  }
  SmallVector<int64_t> shape(input.getShape());
  shape.back() = columns;
  Tensor result(context.resultElementType(), shape);
  const int64_t rows = getNumElements(ArrayRef(shape).drop_back());
  const T *a = input.values<T>().data(), *b = weight.values<T>().data();
  T *out = result.values<T>().data();
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      T sum = bias ? bias[j] : T(0);
      for (int64_t k = 0; k < depth; ++k)
        sum = addProduct(sum, a[i * depth + k], b[j * depth + k]);
      out[i * columns + j] = sum;
    }
  return context.setComputed(std::move(result));
}

//===----------------------------------------------------------------------===//
// sdpa
//===----------------------------------------------------------------------===//

namespace {
/// The inputs for one row of attention.
struct AttentionRow {
  /// The row of the query, and the matrices of this batch.
  const double *query, *key, *value;
  int64_t depth, valueColumns;
  /// The number of rows of key and value that the query attends to.
  int64_t length;
  double scale;
};
} // namespace

/// Fills a row of the output and returns its logarithm of the sum of exponentials.
static double attend(const AttentionRow &row, double *output) {
  std::vector<double> weights(row.length);
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int64_t j = 0; j < row.length; ++j) {
    double score = 0;
    for (int64_t k = 0; k < row.depth; ++k)
      score += row.query[k] * row.key[j * row.depth + k];
    weights[j] = score * row.scale;
    largest = maximum(largest, weights[j]);
  }
  for (double &weight : weights) {
    weight = std::exp(weight - largest);
    sum += weight;
  }
  for (int64_t j = 0; j < row.length; ++j)
    for (int64_t column = 0; column < row.valueColumns; ++column)
      output[column] += weights[j] / sum * row.value[j * row.valueColumns + column];
  return largest + std::log(sum);
}

static LogicalResult evaluateSdpa(OpContext &context) {
  FailureOr<SmallVector<int64_t>> batch = getBatchShape(context, 3);
  if (failed(batch))
    return failure();
  Matrices query(context.operand(0), batch->size()), key(context.operand(1), batch->size()),
      value(context.operand(2), batch->size());
  if (failed(checkEqual(context, "columns of the key", query.columns, key.columns)) ||
      failed(checkEqual(context, "rows of the value", key.rows, value.rows)))
    return failure();
  auto scaleAttr = context.getOp()->getAttrOfType<FloatAttr>("scale");
  const double scale =
      scaleAttr ? scaleAttr.getValueAsDouble() : 1 / std::sqrt(double(query.columns));
  const bool causal = context.getOp()->hasAttr("causal");

  SmallVector<int64_t> rowShape(*batch), shape;
  rowShape.push_back(query.rows);
  shape = rowShape;
  shape.push_back(value.columns);
  Tensor output(context.resultElementType(0), shape), sums(context.resultElementType(1), rowShape);
  double *out = output.floats().data(), *sum = sums.floats().data();
  forEachElement<3>(*batch, {query.batchStrides, key.batchStrides, value.batchStrides},
                    [&](std::array<int64_t, 3> at) {
                      for (int64_t i = 0; i < query.rows; ++i, out += value.columns) {
                        AttentionRow row{context.operand(0).floats().data() + at[0] +
                                             i * query.columns,
                                         context.operand(1).floats().data() + at[1],
                                         context.operand(2).floats().data() + at[2],
                                         query.columns,
                                         value.columns,
                                         causal ? std::min(i + 1, key.rows) : key.rows,
                                         scale};
                        *sum++ = attend(row, out);
                      }
                    });
  if (failed(context.setComputed(std::move(output), 0)))
    return failure();
  return context.setComputed(std::move(sums), 1);
}

void fuser::reference::addContractionOps(OpTable &table) {
  auto isOfIntegers = [](OpContext &context) {
    return context.operand(0).getKind() == ElementKind::Integer;
  };
  table["fuser.matmul"] = [=](OpContext &context) {
    return isOfIntegers(context) ? multiplyMatrices<int64_t>(context)
                                 : multiplyMatrices<double>(context);
  };
  table["fuser.linear"] = [=](OpContext &context) {
    return isOfIntegers(context) ? evaluateLinearOf<int64_t>(context)
                                 : evaluateLinearOf<double>(context);
  };
  table["fuser.sdpa"] = evaluateSdpa;
}
