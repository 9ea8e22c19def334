//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Indices of kernel IR as sums of multiples of values.
//
//===----------------------------------------------------------------------===//

#include "LinearIndices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <map>

using namespace mlir;
using namespace fuser;

LinearIndex LinearIndices::getUnknown(Value index) {
  auto [it, isNew] = numbers.try_emplace(index, numbers.size());
  if (isNew)
    values.push_back(index);
  return {{{it->second, 1}}, 0};
}

const LinearIndex &LinearIndices::get(Value index) {
  if (auto it = known.find(index); it != known.end())
    return it->second;
  LinearIndex computed = compute(index);
  return known[index] = std::move(computed);
}

/// a + factor * b, modulo 2^64.
static LinearIndex addMultiple(const LinearIndex &a, const LinearIndex &b, int64_t factor) {
  auto multiply = [&](int64_t x) { return int64_t(uint64_t(x) * uint64_t(factor)); };
  auto add = [](int64_t x, int64_t y) { return int64_t(uint64_t(x) + uint64_t(y)); };
  LinearIndex sum{{}, add(a.constant, multiply(b.constant))};
  std::map<unsigned, int64_t> terms(a.terms.begin(), a.terms.end());
  for (auto [number, multiple] : b.terms) {
    int64_t &total = terms[number];
    total = add(total, multiply(multiple));
  }
  for (auto [number, multiple] : terms)
    if (multiple != 0)
      sum.terms.push_back({number, multiple});
  return sum;
}

LinearIndex LinearIndices::compute(Value index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return {{}, *constant};
  Operation *op = index.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    const LinearIndex left = get(op->getOperand(0));
    return addMultiple(left, get(op->getOperand(1)), isa<arith::AddIOp>(op) ? 1 : -1);
  }
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op))
    if (std::optional<int64_t> factor = getConstantIntValue(product.getRhs()))
      return addMultiple({}, get(product.getLhs()), *factor);
  return getUnknown(index);
}
