//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/Float8AsBits.h"
#include "fuser/Dialect/Kernel/Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

namespace {
/// Builds integer arithmetic in the shape of one value: a scalar or a vector.
class Bits {
public:
  Bits(OpBuilder &builder, Location loc, Type shape) : builder(builder), loc(loc), shape(shape) {}

  Type type(Type element) const {
    if (auto vector = dyn_cast<VectorType>(shape))
      return vector.clone(element);
    return element;
  }
  Type integers(unsigned width) const { return type(builder.getIntegerType(width)); }
  /// A constant of `width` bits.
  Value constant(unsigned width, uint32_t value) const {
    return fuser::kernel_ir::createConstant(builder, loc, integers(width), APInt(width, value));
  }
  /// An op on `value` and a constant of its type.
  template <typename OpT> Value apply(Value value, uint32_t operand) const {
    unsigned width = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    return OpT::create(builder, loc, value, constant(width, operand));
  }
  Value compare(arith::CmpIPredicate predicate, Value value, uint32_t operand) const {
    unsigned width = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    return arith::CmpIOp::create(builder, loc, predicate, value, constant(width, operand));
  }
  Value cast(Value value, Type to) const {
    return arith::BitcastOp::create(builder, loc, type(to), value);
  }
  Value select(Value condition, Value onTrue, Value onFalse) const {
    return arith::SelectOp::create(builder, loc, condition, onTrue, onFalse);
  }

  OpBuilder &builder;
  Location loc;
  Type shape;
};

/// The bit layout of an 8-bit float.
struct Format {
  unsigned mantissaBits;
  /// Of the exponent.
  int bias;
  /// Smallest f32 bits that overflow, and the result in this case.
  uint32_t overflow, whenOverflow;
  uint32_t nan;
};
} // namespace

static Format getFormat(Type element) {
  // 2^16 rounds to the infinity of E5M2; 480 would have the bits of E4M3FN's NaN.
  if (isa<Float8E5M2Type>(element))
    return {2, 15, 0x47800000, 0x7c, 0x7f};
  return {3, 7, 0x43f00000, 0x7f, 0x7f};
}

/// f32 from the bits of an 8-bit float. Shifted to the layout of an f16, an E5M2 value is that f16,
/// and an E4M3FN value is that f16 times 2^8, because its bias is smaller by 8.
static Value extend(const Bits &b, Type element, Value bits) {
  Value wide = arith::ExtUIOp::create(b.builder, b.loc, b.integers(16), bits);
  if (isa<Float8E5M2Type>(element)) {
    Value half = b.cast(b.apply<arith::ShLIOp>(wide, 8), b.builder.getF16Type());
    return arith::ExtFOp::create(b.builder, b.loc, b.type(b.builder.getF32Type()), half);
  }
  Value sign = b.apply<arith::ShLIOp>(b.apply<arith::AndIOp>(wide, 0x80), 8);
  Value magnitude = b.apply<arith::AndIOp>(wide, 0x7f);
  Value placed = arith::OrIOp::create(b.builder, b.loc, sign, b.apply<arith::ShLIOp>(magnitude, 7));
  Value isNan = b.compare(arith::CmpIPredicate::eq, magnitude, 0x7f);
  Value half = b.cast(b.select(isNan, b.constant(16, 0x7e00), placed), b.builder.getF16Type());
  Type f32 = b.type(b.builder.getF32Type());
  Value scaled = arith::ExtFOp::create(b.builder, b.loc, f32, half);
  Value scale = b.cast(b.constant(32, 0x43800000), b.builder.getF32Type()); // 256
  return arith::MulFOp::create(b.builder, b.loc, scaled, scale);
}

/// Bits of the 8-bit float nearest to an f32, ties to even.
static Value truncate(const Bits &b, Type element, Value single) {
  const Format format = getFormat(element);
  const unsigned dropped = 23 - format.mantissaBits;
  Value all = b.cast(single, b.builder.getI32Type());
  Value sign = b.apply<arith::ShRUIOp>(b.apply<arith::AndIOp>(all, 0x80000000), 24);
  Value bits = b.apply<arith::AndIOp>(all, 0x7fffffff);

  // Normal: the exponent in the new bias, half of the last place less one added, and one more where
  // the last place that stays is odd.
  Value odd = b.apply<arith::AndIOp>(b.apply<arith::ShRUIOp>(bits, dropped), 1);
  uint32_t rebias = uint32_t(format.bias - 127) << 23;
  Value moved = b.apply<arith::AddIOp>(bits, rebias + (1u << (dropped - 1)) - 1);
  Value normal =
      b.apply<arith::ShRUIOp>(arith::AddIOp::create(b.builder, b.loc, moved, odd), dropped);

  // Denormal: adding a number whose last place is the denormals' unit makes the addition round.
  const uint32_t unit = uint32_t(127 - format.bias + 1 + 23 - format.mantissaBits) << 23;
  Value sum = arith::AddFOp::create(b.builder, b.loc, b.cast(bits, b.builder.getF32Type()),
                                    b.cast(b.constant(32, unit), b.builder.getF32Type()));
  Value denormal = b.apply<arith::SubIOp>(b.cast(sum, b.builder.getI32Type()), unit);

  const uint32_t leastNormal = uint32_t(127 - format.bias + 1) << 23;
  Value isDenormal = b.compare(arith::CmpIPredicate::ult, bits, leastNormal);
  Value result = b.select(isDenormal, denormal, normal);
  Value overflows = b.compare(arith::CmpIPredicate::uge, bits, format.overflow);
  result = b.select(overflows, b.constant(32, format.whenOverflow), result);
  Value isNan = b.compare(arith::CmpIPredicate::ugt, bits, 0x7f800000);
  result = b.select(isNan, b.constant(32, format.nan), result);
  result = arith::OrIOp::create(b.builder, b.loc, result, sign);
  return arith::TruncIOp::create(b.builder, b.loc, b.integers(8), result);
}

static void expandExtension(arith::ExtFOp op, Type element) {
  OpBuilder builder(op);
  Bits b(builder, op.getLoc(), op.getType());
  Value result = extend(b, element, b.cast(op.getIn(), builder.getI8Type()));
  if (result.getType() != op.getType())
    result = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth() > 32
                 ? arith::ExtFOp::create(builder, op.getLoc(), op.getType(), result).getResult()
                 : arith::TruncFOp::create(builder, op.getLoc(), op.getType(), result).getResult();
  op.replaceAllUsesWith(result);
  op.erase();
}

static void expandTruncation(arith::TruncFOp op, Type element) {
  OpBuilder builder(op);
  Bits b(builder, op.getLoc(), op.getType());
  Value single = op.getIn();
  Type f32 = b.type(builder.getF32Type());
  unsigned width = getElementTypeOrSelf(single.getType()).getIntOrFloatBitWidth();
  if (width > 32)
    single = arith::TruncFOp::create(builder, op.getLoc(), f32, single);
  else if (width < 32)
    single = arith::ExtFOp::create(builder, op.getLoc(), f32, single);
  op.replaceAllUsesWith(b.cast(truncate(b, element, single), element));
  op.erase();
}

/// Folding merges the truncation of a converted integer into one conversion; this splits it again.
static void splitFromInteger(Operation *op) {
  if (!isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return;
  Type type = op->getResult(0).getType();
  if (!isFloat8(getElementTypeOrSelf(type)))
    return;
  OpBuilder builder(op);
  Bits b(builder, op->getLoc(), type);
  Operation *toSingle = builder.clone(*op);
  toSingle->getResult(0).setType(b.type(builder.getF32Type()));
  op->replaceAllUsesWith(
      arith::TruncFOp::create(builder, op->getLoc(), type, toSingle->getResult(0)));
  op->erase();
}

void fuser::kernel_ir::carryFloat8AsBits(Operation *root) {
  root->walk(splitFromInteger);
  root->walk([](Operation *op) {
    if (auto extension = dyn_cast<arith::ExtFOp>(op)) {
      Type element = getElementTypeOrSelf(extension.getIn().getType());
      if (isFloat8(element))
        expandExtension(extension, element);
    } else if (auto truncation = dyn_cast<arith::TruncFOp>(op)) {
      Type element = getElementTypeOrSelf(truncation.getType());
      if (isFloat8(element))
        expandTruncation(truncation, element);
    }
  });
  replaceFloatsByBits(root, isFloat8);
}

void fuser::kernel_ir::replaceFloatsByBits(Operation *root, function_ref<bool(Type)> isCarried) {
  auto getBits = [](Type type) {
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](FloatType type) -> std::optional<Type> {
    return isCarried(type) ? std::optional<Type>(getBits(type)) : std::nullopt;
  });
  replacer.addReplacement([=](FloatAttr attr) -> std::optional<Attribute> {
    if (!isCarried(attr.getType()))
      return std::nullopt;
    return IntegerAttr::get(getBits(attr.getType()), attr.getValue().bitcastToAPInt());
  });
  replacer.addReplacement([=](DenseElementsAttr attr) -> std::optional<Attribute> {
    if (!isCarried(attr.getElementType()))
      return std::nullopt;
    return attr.bitcast(getBits(attr.getElementType()));
  });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
