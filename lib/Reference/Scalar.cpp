//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalar arithmetic of programs: tensor.dim, arith and math on scalars.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "OpContext.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

static int64_t integer(OpContext &context, unsigned operand) {
  return context.operand(operand).integers()[0];
}

static double number(OpContext &context, unsigned operand) {
  return context.operand(operand).asDouble(0);
}

static LogicalResult setInteger(OpContext &context, int64_t value) {
  return context.setComputed(Tensor::scalar(context.resultElementType(), value));
}

static LogicalResult setFloat(OpContext &context, double value) {
  return context.setComputed(Tensor::scalar(context.resultElementType(), value));
}

template <typename Function>
static void addInteger(OpTable &table, StringRef name, Function function) {
  table[name] = [function](OpContext &context) {
    return setInteger(context, function(integer(context, 0), integer(context, 1)));
  };
}

/// An integer op whose second operand must not be 0.
template <typename Function>
static void addDivision(OpTable &table, StringRef name, Function function) {
  table[name] = [function](OpContext &context) -> LogicalResult {
    if (integer(context, 1) == 0)
      return context.emitError() << "expected a divisor other than 0, but got 0";
    return setInteger(context, function(integer(context, 0), integer(context, 1)));
  };
}

template <typename Function>
static void addUnaryFloat(OpTable &table, StringRef name, Function function) {
  table[name] = [function](OpContext &context) {
    return setFloat(context, function(number(context, 0)));
  };
}

template <typename Function>
static void addBinaryFloat(OpTable &table, StringRef name, Function function) {
  table[name] = [function](OpContext &context) {
    return setFloat(context, function(number(context, 0), number(context, 1)));
  };
}

/// The bits of a signless operand as an unsigned number of its width.
static uint64_t unsignedBits(OpContext &context, unsigned operand) {
  Type type = context.operand(operand).getElementType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  uint64_t bits = integer(context, operand);
  return width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

//===----------------------------------------------------------------------===//
// Constants, sizes, comparisons
//===----------------------------------------------------------------------===//

static LogicalResult evaluateConstant(OpContext &context) {
  Attribute value = cast<arith::ConstantOp>(context.getOp()).getValue();
  if (auto attr = dyn_cast<IntegerAttr>(value))
    return setInteger(context, attr.getType().isInteger(1) ? attr.getValue().getZExtValue()
                                                           : attr.getValue().getSExtValue());
  if (auto attr = dyn_cast<FloatAttr>(value))
    return context.setResult(Tensor::scalar(attr.getType(), attr.getValueAsDouble()));
  return context.emitError() << "expected an integer or float constant, but got " << value;
}

static LogicalResult evaluateComplexConstant(OpContext &context) {
  auto parts = context.getOp()->getAttrOfType<ArrayAttr>("value");
  auto part = [&](unsigned index) { return cast<FloatAttr>(parts[index]).getValueAsDouble(); };
  return context.setResult(
      Tensor(context.resultElementType(), {}, std::vector{std::complex<double>(part(0), part(1))}));
}

static LogicalResult evaluateComplexCreate(OpContext &context) {
  std::complex<double> value(number(context, 0), number(context, 1));
  return context.setComputed(Tensor(context.resultElementType(), {}, std::vector{value}));
}

static LogicalResult evaluateDim(OpContext &context) {
  int64_t dim = integer(context, 1), rank = context.operand(0).getRank();
  if (dim < 0 || dim >= rank)
    return context.emitError() << "expected a dimension below the rank " << rank << ", but got "
                               << dim;
  return setInteger(context, context.operand(0).getDimSize(dim));
}

static LogicalResult evaluateCmpI(OpContext &context) {
  int64_t a = integer(context, 0), b = integer(context, 1);
  uint64_t ua = unsignedBits(context, 0), ub = unsignedBits(context, 1);
  switch (cast<arith::CmpIOp>(context.getOp()).getPredicate()) {
  case arith::CmpIPredicate::eq:
    return setInteger(context, a == b);
  case arith::CmpIPredicate::ne:
    return setInteger(context, a != b);
  case arith::CmpIPredicate::slt:
    return setInteger(context, a < b);
  case arith::CmpIPredicate::sle:
    return setInteger(context, a <= b);
  case arith::CmpIPredicate::sgt:
    return setInteger(context, a > b);
  case arith::CmpIPredicate::sge:
    return setInteger(context, a >= b);
  case arith::CmpIPredicate::ult:
    return setInteger(context, ua < ub);
  case arith::CmpIPredicate::ule:
    return setInteger(context, ua <= ub);
  case arith::CmpIPredicate::ugt:
    return setInteger(context, ua > ub);
  case arith::CmpIPredicate::uge:
    return setInteger(context, ua >= ub);
  }
  return failure();
}

/// A float comparison is ordered or unordered, and true for some of less, equal, greater.
static LogicalResult evaluateCmpF(OpContext &context) {
  using Predicate = arith::CmpFPredicate;
  double a = number(context, 0), b = number(context, 1);
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (cast<arith::CmpFOp>(context.getOp()).getPredicate()) {
  case Predicate::AlwaysFalse:
    return setInteger(context, 0);
  case Predicate::AlwaysTrue:
    return setInteger(context, 1);
  case Predicate::ORD:
    return setInteger(context, !unordered);
  case Predicate::UNO:
    return setInteger(context, unordered);
  case Predicate::OEQ:
    return setInteger(context, a == b);
  case Predicate::UEQ:
    return setInteger(context, unordered || a == b);
  case Predicate::ONE:
    return setInteger(context, !unordered && a != b);
  case Predicate::UNE:
    return setInteger(context, a != b);
  case Predicate::OLT:
    return setInteger(context, a < b);
  case Predicate::ULT:
    return setInteger(context, unordered || a < b);
  case Predicate::OLE:
    return setInteger(context, a <= b);
  case Predicate::ULE:
    return setInteger(context, unordered || a <= b);
  case Predicate::OGT:
    return setInteger(context, a > b);
  case Predicate::UGT:
    return setInteger(context, unordered || a > b);
  case Predicate::OGE:
    return setInteger(context, a >= b);
  case Predicate::UGE:
    return setInteger(context, unordered || a >= b);
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static void addIntegerOps(OpTable &table) {
  addInteger(table, "arith.addi", wrapAdd);
  addInteger(table, "arith.subi", wrapSub);
  addInteger(table, "arith.muli", wrapMul);
  addInteger(table, "arith.minsi", [](int64_t a, int64_t b) { return std::min(a, b); });
  addInteger(table, "arith.maxsi", [](int64_t a, int64_t b) { return std::max(a, b); });
  addInteger(table, "arith.andi", [](int64_t a, int64_t b) { return a & b; });
  addInteger(table, "arith.ori", [](int64_t a, int64_t b) { return a | b; });
  addInteger(table, "arith.xori", [](int64_t a, int64_t b) { return a ^ b; });
  addDivision(table, "arith.divsi", truncDiv);
  addDivision(table, "arith.remsi", truncMod);
  addDivision(table, "arith.floordivsi", floorDiv);
  addDivision(table, "arith.ceildivsi",
              [](int64_t a, int64_t b) { return wrapSub(0, floorDiv(wrapSub(0, a), b)); });
  // Sizes are never negative, so that signed and unsigned division agree on them.
  for (auto [name, isSigned] :
       {std::pair("arith.divui", "arith.divsi"), std::pair("arith.remui", "arith.remsi"),
        std::pair("arith.ceildivui", "arith.ceildivsi")}) {
    OpEvaluation evaluation = table[isSigned];
    table[name] = [evaluation](OpContext &context) -> LogicalResult {
      if (integer(context, 0) < 0 || integer(context, 1) < 0)
        return context.emitError() << "expected operands below 2^63";
      return evaluation(context);
    };
  }
}

static void addFloatOps(OpTable &table) {
  addBinaryFloat(table, "arith.addf", [](double a, double b) { return a + b; });
  addBinaryFloat(table, "arith.subf", [](double a, double b) { return a - b; });
  addBinaryFloat(table, "arith.mulf", [](double a, double b) { return a * b; });
  addBinaryFloat(table, "arith.divf", [](double a, double b) { return a / b; });
  addBinaryFloat(table, "arith.minimumf", minimum);
  addBinaryFloat(table, "arith.maximumf", maximum);
  addBinaryFloat(table, "math.powf", [](double a, double b) { return std::pow(a, b); });
  addUnaryFloat(table, "arith.negf", [](double a) { return -a; });
  addUnaryFloat(table, "math.absf", [](double a) { return std::fabs(a); });
  addUnaryFloat(table, "math.sqrt", [](double a) { return std::sqrt(a); });
  addUnaryFloat(table, "math.rsqrt", [](double a) { return 1.0 / std::sqrt(a); });
  addUnaryFloat(table, "math.exp", [](double a) { return std::exp(a); });
  addUnaryFloat(table, "math.log", [](double a) { return std::log(a); });
}

static void addConversions(OpTable &table) {
  for (StringRef name : {"arith.sitofp", "arith.extf", "arith.truncf"})
    addUnaryFloat(table, name, [](double a) { return a; });
  table["arith.uitofp"] = [](OpContext &context) {
    return setFloat(context, double(unsignedBits(context, 0)));
  };
  table["arith.fptosi"] = [](OpContext &context) {
    return setInteger(context, truncateToInteger(number(context, 0), context.resultElementType()));
  };
  for (StringRef name : {"arith.extsi", "arith.trunci", "arith.index_cast"})
    table[name] = [](OpContext &context) {
      // A sign-extended true i1 is -1.
      bool isBool = context.operand(0).getElementType().isInteger(1);
      return setInteger(context, isBool ? -integer(context, 0) : integer(context, 0));
    };
  for (StringRef name : {"arith.extui", "arith.index_castui"})
    table[name] = [](OpContext &context) {
      return setInteger(context, int64_t(unsignedBits(context, 0)));
    };
}

void fuser::reference::addScalarOps(OpTable &table) {
  table["arith.constant"] = evaluateConstant;
  table["complex.constant"] = evaluateComplexConstant;
  table["complex.create"] = evaluateComplexCreate;
  table["complex.re"] = [](OpContext &context) {
    return setFloat(context, context.operand(0).asComplex(0).real());
  };
  table["complex.im"] = [](OpContext &context) {
    return setFloat(context, context.operand(0).asComplex(0).imag());
  };
  table["arith.cmpi"] = evaluateCmpI;
  table["arith.cmpf"] = evaluateCmpF;
  table["arith.select"] = [](OpContext &context) {
    return context.setResult(context.sharedOperand(integer(context, 0) ? 1 : 2));
  };
  table["tensor.dim"] = evaluateDim;
  addIntegerOps(table);
  addFloatOps(table);
  addConversions(table);
}
