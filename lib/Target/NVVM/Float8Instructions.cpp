//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Conversions of 8-bit floats as instructions, which convert pairs. Those to 8 bits saturate;
// kernel IR overflows to NaN (E4M3FN) or infinity (E5M2).
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "fuser/Dialect/Kernel/Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

/// The instructions' name of a type; empty for a type without any.
static StringRef getPairName(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return "e4m3x2";
  return isa<Float8E5M2Type>(element) ? "e5m2x2" : "";
}

/// The greatest magnitude that rounds to a finite number of the type.
static double getLargestRounded(Type element) {
  // To 448, which is even; 61440 is as near to 57344 as to 2^16, which is even.
  return isa<Float8E4M3FNType>(element) ? 464 : std::nextafterf(61440, 0);
}

/// The greatest finite number of the type.
static double getLargest(Type element) {
  return APFloat::getLargest(cast<FloatType>(element).getFloatSemantics()).convertToDouble();
}

namespace {
/// Converts the values of one op: scalars, or vectors of one dimension.
struct PairConverter {
  explicit PairConverter(Operation *op) : builder(op), loc(op->getLoc()) {}

  SmallVector<Value> getLanes(Value value) {
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector)
      return {value};
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
      lanes.push_back(vector::ExtractOp::create(builder, loc, value, lane));
    return lanes;
  }
  Value call(const Twine &name, Type type, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr(name), operands)
        .getResults();
  }
  template <typename NumberT> Value constantLike(Value value, const NumberT &number) {
    return fuser::kernel_ir::createConstant(builder, loc, value.getType(), number);
  }
  Type typeLike(Value value, Type element) {
    auto vector = dyn_cast<VectorType>(value.getType());
    return vector ? Type(vector.clone(element)) : element;
  }
  Value compareMagnitude(arith::CmpFPredicate predicate, Value value, double limit) {
    Value magnitude = math::AbsFOp::create(builder, loc, value);
    return arith::CmpFOp::create(builder, loc, predicate, magnitude, constantLike(value, limit));
  }

  /// Bits of the 8-bit floats nearest to f32 values; those out of range saturate.
  Value convertSaturating(Value single, StringRef pairName) {
    SmallVector<Value> lanes = getLanes(single), pairs;
    const int64_t count = lanes.size();
    if (count % 2 != 0)
      lanes.push_back(constantLike(lanes[0], 0.0));
    for (size_t lane = 0; lane < lanes.size(); lane += 2)
      pairs.push_back(call("llvm.nvvm.ff.to." + pairName + ".rn", builder.getI16Type(),
                           {lanes[lane + 1], lanes[lane]}));
    auto bytes = VectorType::get({int64_t(lanes.size())}, builder.getI8Type());
    Value joined = vector::FromElementsOp::create(
        builder, loc, VectorType::get({int64_t(pairs.size())}, builder.getI16Type()), pairs);
    joined = vector::BitCastOp::create(builder, loc, bytes, joined);
    if (!isa<VectorType>(single.getType()))
      return vector::ExtractOp::create(builder, loc, joined, int64_t(0));
    if (count == int64_t(lanes.size()))
      return joined;
    return vector::ExtractStridedSliceOp::create(builder, loc, joined, int64_t(0), count,
                                                 int64_t(1));
  }

  Value truncate(Value single, Type element) {
    const bool isBounded = isWithin(single, getLargestRounded(element));
    if (isBounded)
      single = skipSaturation(single, getLargest(element));
    Value bits;
    if (isa<Float8E4M3FNType>(element)) {
      Value source = single;
      if (!isBounded) {
        Value isFinite =
            compareMagnitude(arith::CmpFPredicate::OLE, single, getLargestRounded(element));
        source = arith::SelectOp::create(builder, loc, isFinite, single,
                                         constantLike(single, std::nan("")));
      }
      bits = convertSaturating(source, getPairName(element));
    } else {
      bits = convertSaturating(single, getPairName(element));
      if (!isBounded)
        bits = overflowToInfinity(single, bits, getLargestRounded(element));
    }
    return arith::BitcastOp::create(builder, loc, typeLike(single, element), bits);
  }

  /// `bits` of E5M2 numbers, infinity where `single` is out of range.
  Value overflowToInfinity(Value single, Value bits, double limit) {
    Value all =
        arith::BitcastOp::create(builder, loc, typeLike(single, builder.getI32Type()), single);
    Value high = arith::ShRUIOp::create(builder, loc, all, constantLike(all, APInt(32, 24)));
    Value byte = arith::TruncIOp::create(builder, loc, bits.getType(), high);
    Value sign = arith::AndIOp::create(builder, loc, byte, constantLike(byte, APInt(8, 0x80)));
    Value infinity = arith::OrIOp::create(builder, loc, sign, constantLike(sign, APInt(8, 0x7c)));
    Value overflows = compareMagnitude(arith::CmpFPredicate::OGT, single, limit);
    return arith::SelectOp::create(builder, loc, overflows, infinity, bits);
  }

  /// f16 of the bits of 8-bit floats: exact.
  Value extend(Value bits, StringRef pairName) {
    SmallVector<Value> lanes = getLanes(bits), halves;
    const int64_t count = lanes.size();
    if (count % 2 != 0)
      lanes.push_back(constantLike(lanes[0], APInt(8, 0)));
    const int64_t numPairs = lanes.size() / 2;
    Value joined = vector::FromElementsOp::create(
        builder, loc, VectorType::get({2 * numPairs}, builder.getI8Type()), lanes);
    joined = vector::BitCastOp::create(builder, loc,
                                       VectorType::get({numPairs}, builder.getI16Type()), joined);
    auto pair = VectorType::get({2}, builder.getF16Type());
    for (Value each : getLanes(joined))
      llvm::append_range(halves,
                         getLanes(call("llvm.nvvm." + pairName + ".to.f16x2.rn", pair, each)));
    if (!isa<VectorType>(bits.getType()))
      return halves.front();
    return vector::FromElementsOp::create(builder, loc,
                                          cast<VectorType>(typeLike(bits, builder.getF16Type())),
                                          ArrayRef(halves).take_front(count));
  }

  Value convertFloat(Value value, Type element) {
    Type type = typeLike(value, element);
    const unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    const unsigned to = element.getIntOrFloatBitWidth();
    if (value.getType() == type)
      return value;
    if (from < to)
      return arith::ExtFOp::create(builder, loc, type, value);
    if (from > to)
      return arith::TruncFOp::create(builder, loc, type, value);
    // f16 to bf16.
    return convertFloat(convertFloat(value, builder.getF32Type()), element);
  }

private:
  /// The value before clamps to at least [-largest, largest], which instructions apply anyway.
  static Value skipSaturation(Value value, double largest) {
    while (Operation *op = value.getDefiningOp()) {
      APFloat bound(0.0f);
      if (!isa<arith::MinimumFOp, arith::MaximumFOp>(op) ||
          !matchPattern(op->getOperand(1), m_ConstantFloat(&bound)) ||
          bound.convertToDouble() * (isa<arith::MinimumFOp>(op) ? 1 : -1) < largest)
        break;
      value = op->getOperand(0);
    }
    return value;
  }
  /// True if a value is NaN, or is clamped to [-limit, limit] by constants.
  static bool isWithin(Value value, double limit) {
    bool isBelow = false, isAbove = false;
    while (Operation *op = value.getDefiningOp()) {
      if (!isa<arith::MinimumFOp, arith::MaximumFOp>(op))
        break;
      APFloat bound(0.0f);
      const unsigned constant = matchPattern(op->getOperand(1), m_ConstantFloat(&bound)) ? 1 : 0;
      if (!matchPattern(op->getOperand(constant), m_ConstantFloat(&bound)) ||
          std::abs(bound.convertToDouble()) > limit)
        break;
      (isa<arith::MinimumFOp>(op) ? isBelow : isAbove) = true;
      value = op->getOperand(1 - constant);
    }
    return isBelow && isAbove;
  }

public:
  OpBuilder builder;
  Location loc;
};
} // namespace

static bool isFlat(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return !vector || (vector.getRank() == 1 && !vector.isScalable());
}

static void convert(Operation *op) {
  Value from = op->getOperand(0), to = op->getResult(0);
  Type source = getElementTypeOrSelf(from.getType()), target = getElementTypeOrSelf(to.getType());
  PairConverter converter(op);
  OpBuilder &builder = converter.builder;
  Value result;
  if (isa<arith::TruncFOp>(op)) {
    result = converter.truncate(converter.convertFloat(from, builder.getF32Type()), target);
  } else {
    Value bits = arith::BitcastOp::create(builder, op->getLoc(),
                                          converter.typeLike(from, builder.getI8Type()), from);
    result = converter.convertFloat(converter.extend(bits, getPairName(source)), target);
  }
  to.replaceAllUsesWith(result);
  op->erase();
}

void fuser::nvvm::useFloat8Instructions(Operation *root) {
  SmallVector<Operation *> conversions;
  root->walk([&](Operation *op) {
    if (!isa<arith::TruncFOp, arith::ExtFOp>(op) || !isFlat(op->getOperand(0).getType()))
      return;
    Type narrow =
        isa<arith::TruncFOp>(op) ? op->getResult(0).getType() : op->getOperand(0).getType();
    if (!getPairName(getElementTypeOrSelf(narrow)).empty())
      conversions.push_back(op);
  });
  llvm::for_each(conversions, convert);
}
