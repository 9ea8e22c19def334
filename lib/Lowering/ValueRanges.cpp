//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ranges of integers and floats of kernel IR. Upstream's range analysis stops at floats, through
// which the indices of interpolation and resampling go.
//
//===----------------------------------------------------------------------===//

#include "ValueRanges.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace fuser;

/// The ends of ranges that are open on one side.
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min(),
                  kGreatest = std::numeric_limits<int64_t>::max();

/// The most ops through which a range is looked for.
constexpr unsigned kMostDepth = 48;

/// The most conditions, of branches and selections, that are looked into at once: of each, ranges
/// are computed anew.
constexpr unsigned kMostScopes = 6;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static unsigned getWidth(Type type) {
  const Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// All integers of a type.
static Integers getAll(Type type) {
  return {llvm::minIntN(getWidth(type)), llvm::maxIntN(getWidth(type))};
}

static std::optional<Integers> fitTo(std::optional<Integers> range, Type type) {
  const Integers all = getAll(type);
  return range && range->least >= all.least && range->greatest <= all.greatest ? range
                                                                               : std::nullopt;
}

/// The results of `combine` for the ends of both ranges, which all others lie between; nullopt
/// where one overflows.
static std::optional<Integers>
combineEnds(const Integers &a, const Integers &b,
            llvm::function_ref<bool(int64_t, int64_t, int64_t &)> overflows) {
  Integers range{kGreatest, kLeast};
  for (int64_t x : {a.least, a.greatest})
    for (int64_t y : {b.least, b.greatest}) {
      int64_t result;
      if (overflows(x, y, result))
        return std::nullopt;
      range = {std::min(range.least, result), std::max(range.greatest, result)};
    }
  return range;
}

static std::optional<Integers> getOfConstant(Attribute attribute) {
  auto get = [](const APInt &value) -> std::optional<int64_t> { return value.trySExtValue(); };
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    std::optional<int64_t> value = get(integer.getValue());
    return value ? std::optional(Integers{*value, *value}) : std::nullopt;
  }
  auto elements = dyn_cast<DenseIntElementsAttr>(attribute);
  std::optional<Integers> range;
  if (!elements || elements.empty())
    return range;
  for (const APInt &element : elements.getValues<APInt>()) {
    std::optional<int64_t> value = get(element);
    if (!value)
      return std::nullopt;
    const Integers single{*value, *value};
    range = range ? Integers::getUnion(range, single) : single;
  }
  return range;
}

/// More bits than the vectors and groups of a thread have.
static constexpr unsigned kMostLowBits = 16;

static LowBits truncate(uint64_t value, unsigned bits) {
  bits = std::min(bits, kMostLowBits);
  return {bits, value & llvm::maskTrailingOnes<uint64_t>(bits)};
}

/// `depth` is the number of ops through which bits are looked for.
static LowBits getLowBits(Value value, const LaunchSizes &launch, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto it = launch.divisors.find(value);
    return it == launch.divisors.end() ? LowBits{0, 0}
                                       : truncate(0, llvm::countr_zero(uint64_t(it->second)));
  }
  IntegerAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return truncate(constant.getValue().getRawData()[0],
                    std::min(kMostLowBits, constant.getValue().getBitWidth()));
  if (depth == 0)
    return {0, 0};
  auto get = [&](unsigned number) { return getLowBits(op->getOperand(number), launch, depth - 1); };
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp,
          arith::TruncIOp>(op)) {
    const LowBits bits = get(0);
    return truncate(bits.value, std::min(bits.bits, getWidth(value.getType())));
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::RemUIOp>(op))
    return {0, 0};
  const LowBits a = get(0), b = get(1);
  const unsigned both = std::min(a.bits, b.bits);
  if (isa<arith::AddIOp>(op))
    return truncate(a.value + b.value, both);
  if (isa<arith::SubIOp>(op))
    return truncate(a.value - b.value, both);
  // The bits below those of a power of two are 0, and so are those of its multiples.
  auto countZeros = [](const LowBits &bits) {
    return bits.value == 0 ? bits.bits : unsigned(llvm::countr_zero(bits.value));
  };
  if (isa<arith::MulIOp>(op)) {
    const unsigned zerosOfA = countZeros(a), zerosOfB = countZeros(b);
    return truncate(a.value * b.value, std::min(a.bits + zerosOfB, b.bits + zerosOfA));
  }
  return truncate(a.value, std::min(a.bits, countZeros(b)));
}

LowBits ValueRanges::getLowBits(Value value) const {
  constexpr unsigned kMostOps = 8;
  return ::getLowBits(value, launch, kMostOps);
}

std::optional<Integers> ValueRanges::getOfId(gpu::Dimension dimension, const int64_t (&sizes)[3]) {
  const int64_t size = sizes[static_cast<unsigned>(dimension)];
  return size > 0 ? std::optional(Integers{0, size - 1}) : std::nullopt;
}

std::optional<Integers> ValueRanges::getIntegers(Value value) {
  Scope &scope = scopes.back();
  if (auto it = scope.integers.find(value); it != scope.integers.end())
    return it->second;
  if (depth >= kMostDepth)
    return std::nullopt;
  ++depth;
  std::optional<Integers> range = fitTo(computeIntegers(value), value.getType());
  --depth;
  for (const Scope &each : scopes)
    if (auto it = each.stated.find(value); it != each.stated.end()) {
      const Integers stated = it->second;
      range = range ? Integers{std::max(range->least, stated.least),
                               std::min(range->greatest, stated.greatest)}
                    : stated;
    }
  // A place that no thread reaches has no values.
  if (range && range->least > range->greatest)
    range = std::nullopt;
  scopes.back().integers[value] = range;
  return range;
}

std::optional<Integers> ValueRanges::computeIntegers(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto argument = cast<BlockArgument>(value);
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || value != loop.getInductionVar())
      return std::nullopt;
    std::optional<Integers> lower = getIntegers(loop.getLowerBound()),
                            upper = getIntegers(loop.getUpperBound());
    if (!lower || !upper || upper->greatest <= lower->least)
      return std::nullopt;
    return Integers{lower->least, upper->greatest - 1};
  }
  return TypeSwitch<Operation *, std::optional<Integers>>(op)
      .Case([&](arith::ConstantOp constant) { return getOfConstant(constant.getValue()); })
      .Case([&](gpu::ThreadIdOp id) { return getOfId(id.getDimension(), launch.threads); })
      .Case([&](gpu::BlockIdOp id) { return getOfId(id.getDimension(), launch.blocks); })
      .Case<vector::BroadcastOp, arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](Operation *cast) { return getIntegers(cast->getOperand(0)); })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>([&](Operation *cast) -> std::optional<Integers> {
        std::optional<Integers> range = getIntegers(cast->getOperand(0));
        return range && range->least >= 0 ? range : std::nullopt;
      })
      .Case([&](vector::ExtractOp extract) { return getIntegers(extract.getSource()); })
      .Case([&](vector::FromElementsOp elements) {
        std::optional<Integers> range = getIntegers(elements.getElements().front());
        for (Value element : elements.getElements().drop_front())
          range = range ? Integers::getUnion(range, getIntegers(element)) : range;
        return range;
      })
      .Case([&](arith::SelectOp select) { return getOfSelection(select); })
      .Case([&](arith::MinUIOp least) { return getOfWrapped(least); })
      .Case([&](arith::DivUIOp quotient) { return getOfQuotient(quotient); })
      .Case([&](arith::FPToSIOp conversion) -> std::optional<Integers> {
        std::optional<Floats> range = getFloats(conversion.getIn());
        if (!range || std::abs(range->least) > 0x1p62 || std::abs(range->greatest) > 0x1p62)
          return std::nullopt;
        return Integers{int64_t(range->least), int64_t(range->greatest)};
      })
      .Case([&](math::AbsIOp abs) -> std::optional<Integers> {
        std::optional<Integers> range = getIntegers(abs.getOperand());
        if (!range || range->least == kLeast)
          return std::nullopt;
        const int64_t a = std::abs(range->least), b = std::abs(range->greatest);
        const bool hasZero = range->least <= 0 && range->greatest >= 0;
        return Integers{hasZero ? 0 : std::min(a, b), std::max(a, b)};
      })
      .Default([&](Operation *other) { return computeOfArithmetic(other); });
}

std::optional<Integers> ValueRanges::getOfNextQuotient(arith::SelectOp op) {
  auto quotient = op.getTrueValue().getDefiningOp<arith::DivUIOp>();
  auto next = op.getFalseValue().getDefiningOp<arith::AddIOp>();
  auto isWithin = op.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!quotient || !next || next.getLhs() != quotient.getResult() ||
      !matchPattern(next.getRhs(), m_One()) || !isWithin ||
      isWithin.getPredicate() != arith::CmpIPredicate::ult ||
      isWithin.getRhs() != quotient.getRhs())
    return std::nullopt;
  auto place = isWithin.getLhs().getDefiningOp<arith::AddIOp>();
  auto remainder = place ? place.getLhs().getDefiningOp<arith::RemUIOp>() : arith::RemUIOp();
  if (!remainder || remainder.getLhs() != quotient.getLhs() ||
      remainder.getRhs() != quotient.getRhs())
    return std::nullopt;
  const std::optional<Integers> base = getIntegers(quotient.getLhs()),
                                offset = getIntegers(place.getRhs()),
                                divisor = getIntegers(quotient.getRhs());
  if (!base || !offset || !divisor || base->least < 0 || offset->least < 0 || divisor->least <= 0)
    return std::nullopt;
  int64_t greatest;
  if (llvm::AddOverflow(base->greatest, offset->greatest, greatest))
    return std::nullopt;
  return Integers{base->least / divisor->greatest, greatest / divisor->least};
}

std::optional<Integers> ValueRanges::getOfSelection(arith::SelectOp op) {
  if (std::optional<Integers> range = getOfNextQuotient(op))
    return range;
  auto get = [&](Value value, bool isTrue) -> std::optional<Integers> {
    if (scopes.size() > kMostScopes)
      return getIntegers(value);
    enter(op.getCondition(), isTrue);
    std::optional<Integers> range = getIntegers(value);
    leave();
    return range;
  };
  std::optional<Integers> chosen = get(op.getTrueValue(), true);
  return chosen ? Integers::getUnion(chosen, get(op.getFalseValue(), false)) : std::nullopt;
}

std::optional<Integers> ValueRanges::getOfWrapped(arith::MinUIOp op) {
  auto rest = op.getRhs().getDefiningOp<arith::SubIOp>();
  if (!rest || rest.getLhs() != op.getLhs())
    return std::nullopt;
  std::optional<Integers> place = getIntegers(op.getLhs()), size = getIntegers(rest.getRhs());
  if (!place || !size || place->least < 0 || size->least <= 0)
    return std::nullopt;
  return Integers{
      0, std::min(place->greatest, std::max(size->greatest - 1, place->greatest - size->least))};
}

std::optional<Integers> ValueRanges::getOfQuotient(arith::DivUIOp op) {
  std::optional<Integers> dividend = getIntegers(op.getLhs()), divisor = getIntegers(op.getRhs());
  if (!dividend || !divisor || dividend->least < 0 || divisor->least <= 0)
    return std::nullopt;
  int64_t least = 0;
  for (Operation *user : op.getLhs().getUsers())
    if (auto remainder = dyn_cast<arith::RemUIOp>(user);
        remainder && remainder.getLhs() == op.getLhs() && remainder.getRhs() == op.getRhs())
      if (std::optional<Integers> range = getIntegers(remainder))
        least = std::clamp<int64_t>(range->least, 0, dividend->greatest);
  return Integers{dividend->least / divisor->greatest,
                  (dividend->greatest - least) / divisor->least};
}

std::optional<Integers> ValueRanges::computeOfArithmetic(Operation *op) {
  if (op->getNumOperands() != 2 ||
      !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp, arith::MaxSIOp,
           arith::DivSIOp, arith::FloorDivSIOp, arith::RemUIOp, arith::RemSIOp>(op))
    return std::nullopt;
  const std::optional<Integers> right = getIntegers(op->getOperand(1));
  // A remainder by a constant has a range, whatever is divided.
  if (isa<arith::RemUIOp>(op) && right && right->least > 0) {
    const std::optional<Integers> left = getIntegers(op->getOperand(0));
    const bool isLess = left && left->least >= 0 && left->greatest < right->least;
    // What is left has the lowest bits of what is divided.
    const LowBits low = getLowBits(op->getResult(0));
    const int64_t step = (int64_t(1) << low.bits) - int64_t(low.value);
    return isLess ? left : Integers{0, right->greatest - step};
  }
  const std::optional<Integers> left = getIntegers(op->getOperand(0));
  // A limit on one side is known, whatever is limited.
  const bool isLimit = isa<arith::MinSIOp, arith::MaxSIOp>(op);
  if ((!left || !right) && !(isLimit && (left || right)))
    return std::nullopt;
  const Integers all = getAll(op->getResult(0).getType()), a = left.value_or(all),
                 b = right.value_or(all);
  return TypeSwitch<Operation *, std::optional<Integers>>(op)
      .Case([&](arith::AddIOp) { return combineEnds(a, b, llvm::AddOverflow<int64_t>); })
      .Case([&](arith::SubIOp) { return combineEnds(a, b, llvm::SubOverflow<int64_t>); })
      .Case([&](arith::MulIOp) { return combineEnds(a, b, llvm::MulOverflow<int64_t>); })
      .Case([&](arith::MinSIOp) {
        return Integers{std::min(a.least, b.least), std::min(a.greatest, b.greatest)};
      })
      .Case([&](arith::MaxSIOp) {
        return Integers{std::max(a.least, b.least), std::max(a.greatest, b.greatest)};
      })
      .Default([&](Operation *) -> std::optional<Integers> {
        // Quotients and remainders of numbers that are not negative, which all divisions agree on.
        if (a.least < 0 || b.least <= 0)
          return std::nullopt;
        if (isa<arith::RemSIOp>(op))
          return Integers{0, std::min(a.greatest, b.greatest - 1)};
        return Integers{a.least / b.greatest, a.greatest / b.least};
      });
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// A range of results that were computed in f64, as those of the type: rounded, to both sides,
/// since a product may be rounded together with a sum, or not.
static std::optional<Floats> roundTo(std::optional<Floats> range, Type type) {
  const Type element = getElementTypeOrSelf(type);
  if (!range || !std::isfinite(range->least) || !std::isfinite(range->greatest))
    return std::nullopt;
  auto round = [&](double end, bool up) -> double {
    const double limit = up ? HUGE_VAL : -HUGE_VAL;
    if (element.isF64())
      return std::nextafter(end, limit);
    return std::nextafter(float(end), float(limit));
  };
  if (!element.isF64() && !element.isF32())
    return std::nullopt;
  const Floats rounded{round(range->least, false), round(range->greatest, true)};
  return std::isfinite(rounded.least) && std::isfinite(rounded.greatest) ? std::optional(rounded)
                                                                         : std::nullopt;
}

static std::optional<Floats> getOfFloats(Attribute attribute) {
  auto get = [](APFloat value) {
    bool losesInfo = false;
    (void)value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    return value.convertToDouble();
  };
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    const double value = get(number.getValue());
    return std::isfinite(value) ? std::optional(Floats{value, value}) : std::nullopt;
  }
  auto elements = dyn_cast<DenseFPElementsAttr>(attribute);
  std::optional<Floats> range;
  if (!elements || elements.empty())
    return range;
  for (const APFloat &element : elements.getValues<APFloat>()) {
    const double value = get(element);
    if (!std::isfinite(value))
      return std::nullopt;
    range = range ? Floats{std::min(range->least, value), std::max(range->greatest, value)}
                  : Floats{value, value};
  }
  return range;
}

std::optional<Floats> ValueRanges::getFloats(Value value) {
  if (auto it = scopes.back().floats.find(value); it != scopes.back().floats.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (!op || depth >= kMostDepth)
    return std::nullopt;
  ++depth;
  const std::optional<Floats> range = computeFloats(op);
  --depth;
  scopes.back().floats[value] = range;
  return range;
}

std::optional<Floats> ValueRanges::computeFloats(Operation *op) {
  const Type type = op->getResult(0).getType();
  auto combine = [&](double (*apply)(double, double)) -> std::optional<Floats> {
    std::optional<Floats> a = getFloats(op->getOperand(0)), b = getFloats(op->getOperand(1));
    if (!a || !b)
      return std::nullopt;
    Floats range{HUGE_VAL, -HUGE_VAL};
    for (double x : {a->least, a->greatest})
      for (double y : {b->least, b->greatest})
        range = {std::min(range.least, apply(x, y)), std::max(range.greatest, apply(x, y))};
    return range;
  };
  auto apply = [&](double (*function)(double)) -> std::optional<Floats> {
    std::optional<Floats> a = getFloats(op->getOperand(0));
    return a ? std::optional(Floats{function(a->least), function(a->greatest)}) : std::nullopt;
  };
  return TypeSwitch<Operation *, std::optional<Floats>>(op)
      .Case([&](arith::ConstantOp constant) { return getOfFloats(constant.getValue()); })
      .Case<vector::BroadcastOp, vector::ExtractOp, arith::ExtFOp>(
          [&](Operation *cast) { return getFloats(cast->getOperand(0)); })
      .Case([&](arith::TruncFOp cast) { return roundTo(getFloats(cast.getIn()), type); })
      .Case([&](arith::SIToFPOp conversion) -> std::optional<Floats> {
        std::optional<Integers> range = getIntegers(conversion.getIn());
        if (!range)
          return std::nullopt;
        return roundTo(Floats{double(range->least), double(range->greatest)}, type);
      })
      .Case([&](arith::AddFOp) {
        return roundTo(combine([](double x, double y) { return x + y; }), type);
      })
      .Case([&](arith::SubFOp) {
        return roundTo(combine([](double x, double y) { return x - y; }), type);
      })
      .Case([&](arith::MulFOp) {
        return roundTo(combine([](double x, double y) { return x * y; }), type);
      })
      .Case([&](arith::MaximumFOp) {
        return combine([](double x, double y) { return std::max(x, y); });
      })
      .Case([&](arith::MinimumFOp) {
        return combine([](double x, double y) { return std::min(x, y); });
      })
      .Case([&](math::FloorOp) { return apply(std::floor); })
      .Case([&](math::CeilOp) { return apply(std::ceil); })
      .Case([&](math::RoundEvenOp) { return apply(std::nearbyint); })
      .Case([&](arith::SelectOp select) {
        return Floats::getUnion(getFloats(select.getTrueValue()),
                                getFloats(select.getFalseValue()));
      })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

void ValueRanges::enter(Value condition, bool isTrue) {
  scopes.emplace_back();
  addCondition(condition, isTrue);
}

void ValueRanges::leave() { scopes.pop_back(); }

/// What lhs lies between where the comparison with a number from `bound` is true; nullopt for other
/// predicates.
static std::optional<Integers> getStated(arith::CmpIPredicate predicate, const Integers &bound) {
  if (bound.greatest == kGreatest || bound.least == kLeast)
    return std::nullopt;
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return bound;
  case arith::CmpIPredicate::ult:
    return bound.least >= 0 ? std::optional(Integers{0, bound.greatest - 1}) : std::nullopt;
  case arith::CmpIPredicate::ule:
    return bound.least >= 0 ? std::optional(Integers{0, bound.greatest}) : std::nullopt;
  case arith::CmpIPredicate::slt:
    return Integers{kLeast, bound.greatest - 1};
  case arith::CmpIPredicate::sle:
    return Integers{kLeast, bound.greatest};
  case arith::CmpIPredicate::sgt:
    return Integers{bound.least + 1, kGreatest};
  case arith::CmpIPredicate::sge:
    return Integers{bound.least, kGreatest};
  default:
    return std::nullopt;
  }
}

/// True if all lanes of the value are equal.
static bool isUniform(Value value) {
  while (isa<VectorType>(value.getType())) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<vector::BroadcastOp>(op))
      return !isa<VectorType>(op->getOperand(0).getType());
    if (!isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return true;
}

/// What the value, or each of its lanes, is a copy of; null if there is nothing.
static Value getSource(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto extract = dyn_cast_or_null<vector::ExtractOp>(op))
    return isUniform(extract.getSource()) ? extract.getSource() : Value();
  return isa_and_nonnull<vector::BroadcastOp>(op) ? op->getOperand(0) : Value();
}

void ValueRanges::addCondition(Value condition, bool isTrue) {
  if (Operation *op = condition.getDefiningOp();
      isa_and_nonnull<vector::BroadcastOp, vector::ExtractOp>(op)) {
    auto comparison = op->getOperand(0).getDefiningOp<arith::CmpIOp>();
    if (isa<vector::BroadcastOp>(op) || (comparison && isUniform(comparison.getLhs())))
      addCondition(op->getOperand(0), isTrue);
    return;
  }
  if (auto both = condition.getDefiningOp<arith::AndIOp>(); both && isTrue) {
    addCondition(both.getLhs(), true);
    addCondition(both.getRhs(), true);
    return;
  }
  auto comparison = condition.getDefiningOp<arith::CmpIOp>();
  std::optional<Integers> bound = comparison ? getIntegers(comparison.getRhs()) : std::nullopt;
  if (!bound)
    return;
  const arith::CmpIPredicate predicate =
      isTrue ? comparison.getPredicate() : arith::invertPredicate(comparison.getPredicate());
  std::optional<Integers> stated = getStated(predicate, *bound);
  // All but one end of a range.
  if (predicate == arith::CmpIPredicate::ne && bound->least == bound->greatest)
    if (std::optional<Integers> all = getIntegers(comparison.getLhs()); all) {
      if (all->greatest == bound->least && all->greatest > all->least)
        stated = Integers{kLeast, bound->least - 1};
      else if (all->least == bound->least && all->greatest > all->least)
        stated = Integers{bound->least + 1, kGreatest};
    }
  if (!stated)
    return;
  Scope &scope = scopes.back();
  // Also of what is only converted, or at a constant distance.
  Integers range = *stated;
  for (Value value = comparison.getLhs(); value;) {
    scope.stated[value] = range;
    Operation *op = value.getDefiningOp();
    if (auto sum = dyn_cast_or_null<arith::AddIOp>(op)) {
      std::optional<Integers> distance = getIntegers(sum.getRhs());
      const bool mayWrap =
          !bitEnumContainsAll(sum.getOverflowFlags(), arith::IntegerOverflowFlags::nsw) &&
          !getIntegers(sum.getLhs());
      if (mayWrap || !distance || distance->least != distance->greatest)
        break;
      auto move = [&](int64_t end, int64_t open) {
        int64_t moved;
        return end == open || llvm::SubOverflow(end, distance->least, moved) ? open : moved;
      };
      range = {move(range.least, kLeast), move(range.greatest, kGreatest)};
      value = sum.getLhs();
      continue;
    }
    value = isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp>(op) ? op->getOperand(0)
                                                                    : getSource(value);
  }
  // What follows from other values has been computed without it.
  scope.integers.clear();
  scope.floats.clear();
}
