//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random numbers.
//
//===----------------------------------------------------------------------===//

#include "OpContext.h"
#include "Philox.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

namespace {
/// The block of words that element `index` uses, and its place in it.
struct Draw {
  std::array<uint32_t, 4> words;
  /// Of four, or of two where elements take two words.
  int64_t place;

  uint64_t wide(int64_t first) const { return words[first] | uint64_t(words[first + 1]) << 32; }
};
} // namespace

static Draw draw(uint64_t seed, uint64_t offset, uint64_t index, int64_t elementsPerBlock) {
  const uint64_t block = index / elementsPerBlock;
  auto low = [](uint64_t value) { return uint32_t(value); };
  auto high = [](uint64_t value) { return uint32_t(value >> 32); };
  return {philox({low(offset), high(offset), low(block), high(block)}, {low(seed), high(seed)}),
          int64_t(index % elementsPerBlock)};
}

/// The first bits of a word, as many as the type has precision: k / 2^bits.
static double uniform(const Draw &draw, FloatType type) {
  const int bits = int(type.getFPMantissaWidth());
  if (type.isF64())
    return std::ldexp(double(draw.wide(2 * draw.place) >> (64 - bits)), -bits);
  return std::ldexp(double(draw.words[draw.place] >> (32 - bits)), -bits);
}

/// Box-Muller: cosine and sine of one angle and radius.
static double normal(const Draw &draw, FloatType type) {
  double a, turns;
  if (type.isF64()) {
    a = 1 - std::ldexp(double(draw.wide(0) >> 11), -53);
    turns = std::ldexp(double(int64_t(draw.wide(2)) >> 11), -53);
  } else {
    const int64_t pair = draw.place / 2 * 2;
    a = 1 - std::ldexp(double(draw.words[pair] >> 8), -24);
    turns = std::ldexp(double(int32_t(draw.words[pair + 1]) >> 8), -24);
  }
  const double angle = 2 * M_PI * turns;
  return std::sqrt(-2 * std::log(a)) * (draw.place % 2 ? std::sin(angle) : std::cos(angle));
}

/// Sets a result whose elements are `number` of each element's draw.
static LogicalResult evaluateRandom(OpContext &context, double (*number)(const Draw &, FloatType)) {
  auto tensor = cast<RankedTensorType>(context.getOp()->getResult(0).getType());
  auto type = cast<FloatType>(tensor.getElementType());
  SmallVector<int64_t> shape(tensor.getShape());
  unsigned next = 2;
  for (int64_t &size : shape) {
    if (ShapedType::isDynamic(size))
      size = context.operand(next++).integers()[0];
    if (size < 0)
      return context.emitError() << "expected sizes that are not negative, but got " << size;
  }
  Tensor result(type, shape);
  const uint64_t seed = context.operand(0).integers()[0], offset = context.operand(1).integers()[0];
  const int64_t elementsPerBlock = type.isF64() ? 2 : 4;
  for (int64_t i = 0, count = result.getNumElements(); i < count; ++i)
    result.floats()[i] = number(draw(seed, offset, i, elementsPerBlock), type);
  return context.setComputed(std::move(result));
}

void fuser::reference::addRandomOps(OpTable &table) {
  table["fuser.random_uniform"] = [](OpContext &context) {
    return evaluateRandom(context, uniform);
  };
  table["fuser.random_normal"] = [](OpContext &context) { return evaluateRandom(context, normal); };
}
