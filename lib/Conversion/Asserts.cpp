//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Assertions of functions: conditions on sizes become facts of the fusions, which calls are checked
// for.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "Regions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

namespace {

/// A fact of sizes of old tensors.
struct SizeFact {
  FactKind kind;
  Importer::Symbol size;
  int64_t value = 0;
  Importer::Symbol other = {};
};

/// Reads conditions as facts.
class ConditionReader {
public:
  explicit ConditionReader(Importer &importer) : importer(importer) {}

  /// Appends what `condition` states; false if that cannot be expressed.
  bool read(Value condition);

  SmallVector<SizeFact> facts;

private:
  bool readComparison(arith::CmpIOp compare);
  bool readDivisibility(arith::CmpIOp compare);
  bool addBound(arith::CmpIPredicate predicate, Importer::Symbol size, int64_t value);
  /// The size that an expression consists of.
  std::optional<Importer::Symbol> getSize(AffineExpr expr) {
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!symbol || importer.getSymbols()[symbol.getPosition()].second < 0)
      return std::nullopt;
    return importer.getSymbols()[symbol.getPosition()];
  }

  Importer &importer;
};

} // namespace

bool ConditionReader::read(Value condition) {
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant)))
    return !constant.isZero();
  Operation *op = condition.getDefiningOp();
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op))
    return read(both.getLhs()) && read(both.getRhs());
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare || Importer::readsTensor(condition))
    return false;
  return readDivisibility(compare) || readComparison(compare);
}

bool ConditionReader::readDivisibility(arith::CmpIOp compare) {
  Operation *remainder = compare.getLhs().getDefiningOp();
  APInt divisor;
  if (compare.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(compare.getRhs(), m_Zero()) ||
      !isa_and_nonnull<arith::RemSIOp, arith::RemUIOp>(remainder) ||
      !matchPattern(remainder->getOperand(1), m_ConstantInt(&divisor)) ||
      !divisor.isStrictlyPositive())
    return false;
  auto size = getSize(importer.getIndexExpr(remainder->getOperand(0)));
  if (size)
    facts.push_back({FactKind::Divisible, *size, divisor.getSExtValue()});
  return size.has_value();
}

bool ConditionReader::addBound(arith::CmpIPredicate predicate, Importer::Symbol size,
                               int64_t value) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    facts.push_back({FactKind::AtLeast, size, value});
    facts.push_back({FactKind::AtMost, size, value});
    return true;
  case P::ne: // a size is not negative
    if (value == 0)
      facts.push_back({FactKind::AtLeast, size, 1});
    return value <= 0;
  case P::sge:
  case P::uge:
    facts.push_back({FactKind::AtLeast, size, value});
    return true;
  case P::sgt:
  case P::ugt:
    if (value == std::numeric_limits<int64_t>::max())
      return false;
    facts.push_back({FactKind::AtLeast, size, value + 1});
    return true;
  case P::sle:
  case P::ule:
    facts.push_back({FactKind::AtMost, size, value});
    return true;
  case P::slt:
  case P::ult:
    if (value == 0) // never
      return false;
    facts.push_back({FactKind::AtMost, size, value - 1});
    return true;
  }
  llvm_unreachable("unknown predicate");
}

/// The predicate of the swapped operands.
static arith::CmpIPredicate swap(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    return P::sgt;
  case P::sle:
    return P::sge;
  case P::sgt:
    return P::slt;
  case P::sge:
    return P::sle;
  case P::ult:
    return P::ugt;
  case P::ule:
    return P::uge;
  case P::ugt:
    return P::ult;
  case P::uge:
    return P::ule;
  default:
    return predicate;
  }
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  return predicate == arith::CmpIPredicate::ult || predicate == arith::CmpIPredicate::ule ||
         predicate == arith::CmpIPredicate::ugt || predicate == arith::CmpIPredicate::uge;
}

bool ConditionReader::readComparison(arith::CmpIOp compare) {
  AffineExpr lhs = importer.getIndexExpr(compare.getLhs()),
             rhs = importer.getIndexExpr(compare.getRhs());
  unsigned symbols = importer.getSymbols().size();
  lhs = simplifyAffineExpr(lhs, 0, symbols);
  rhs = simplifyAffineExpr(rhs, 0, symbols);
  if (auto difference = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(lhs - rhs, 0, symbols))) {
    APInt value(64, difference.getValue(), /*isSigned=*/true);
    // A side that may be negative has another place in the order of unsigned integers.
    if (isUnsigned(compare.getPredicate()) && !value.isZero())
      return false;
    return arith::applyCmpPredicate(compare.getPredicate(), value, APInt(64, 0)) &&
           !isa<AffineConstantExpr>(lhs) == !isa<AffineConstantExpr>(rhs);
  }
  auto left = getSize(lhs), right = getSize(rhs);
  if (left && right && compare.getPredicate() == arith::CmpIPredicate::eq) {
    facts.push_back({FactKind::Equal, *left, 0, *right});
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(rhs); constant && left)
    return constant.getValue() >= 0 && addBound(compare.getPredicate(), *left, constant.getValue());
  if (auto constant = dyn_cast<AffineConstantExpr>(lhs); constant && right)
    return constant.getValue() >= 0 &&
           addBound(swap(compare.getPredicate()), *right, constant.getValue());
  return false;
}

/// The position of the operand of `call` that is `tensor`; -1 if it is none.
static int64_t findOperand(CallOp call, Value tensor) {
  auto operands = call.getOperands();
  auto found = llvm::find(operands, tensor);
  return found == operands.end() ? -1 : int64_t(found - operands.begin());
}

/// Adds the facts to the fusion that `call` calls; fails without a change if one is of a tensor
/// that the call does not have.
static LogicalResult addFacts(CallOp call, ArrayRef<SizeFact> facts, SymbolTable &symbols) {
  auto fusion = symbols.lookup<FusionOp>(call.getCallee());
  if (!fusion)
    return failure();
  SmallVector<Attribute> all;
  if (ArrayAttr known = fusion.getFactsAttr())
    llvm::append_range(all, known);
  MLIRContext *context = fusion.getContext();
  for (const SizeFact &fact : facts) {
    int64_t argument = findOperand(call, fact.size.first), dim = fact.size.second;
    if (argument < 0)
      return failure();
    FactAttr attr;
    switch (fact.kind) {
    case FactKind::Divisible:
      attr = FactAttr::getDivisible(context, argument, dim, fact.value);
      break;
    case FactKind::AtMost:
      attr = FactAttr::getAtMost(context, argument, dim, fact.value);
      break;
    case FactKind::AtLeast:
      attr = FactAttr::getAtLeast(context, argument, dim, fact.value);
      break;
    default:
      int64_t other = findOperand(call, fact.other.first);
      if (other < 0)
        return failure();
      attr = FactAttr::getEqual(context, argument, dim, other, fact.other.second);
    }
    if (!llvm::is_contained(all, Attribute(attr)))
      all.push_back(attr);
  }
  if (!all.empty())
    fusion.setFactsAttr(ArrayAttr::get(context, all));
  return success();
}

void fuser::conversion::absorbAsserts(Block &block, SymbolTable &symbols,
                                      const LinalgToFuserOptions &options) {
  SmallVector<CallOp> calls;
  for (auto call : block.getOps<CallOp>())
    if (symbols.lookup<FusionOp>(call.getCallee()))
      calls.push_back(call);
  if (calls.empty())
    return;
  OpBuilder builder(block.getParentOp()->getContext());
  FusionOp scratch = FusionOp::create(builder, block.getParentOp()->getLoc(), "scratch",
                                      builder.getFunctionType({}, {}));
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isAssert(&op))
      continue;
    Importer importer(scratch, {});
    ConditionReader reader(importer);
    bool isAbsorbed = reader.read(op.getOperand(0)) && llvm::any_of(calls, [&](CallOp call) {
                        return succeeded(addFacts(call, reader.facts, symbols));
                      });
    if (!isAbsorbed && options.dropAsserts)
      op.emitRemark("the assertion is dropped: calls are not checked for it");
    if (isAbsorbed || options.dropAsserts)
      op.erase();
  }
  scratch.erase();
}
