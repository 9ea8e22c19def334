//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/IntExpr.h"

#include <limits>

namespace fuser::artifact {
namespace {

/// How an operator prints: infix where `infix` is set, else as a call.
struct OperatorSyntax {
  const char *text;
  bool infix;
};

OperatorSyntax syntaxOf(ExprKind kind) {
  switch (kind) {
  case ExprKind::Add:
    return {"+", true};
  case ExprKind::Sub:
    return {"-", true};
  case ExprKind::Mul:
    return {"*", true};
  case ExprKind::FloorDiv:
    return {"floordiv", false};
  case ExprKind::CeilDiv:
    return {"ceildiv", false};
  case ExprKind::TruncDiv:
    return {"truncdiv", false};
  case ExprKind::Mod:
    return {"mod", true};
  case ExprKind::Rem:
    return {"rem", true};
  case ExprKind::Min:
    return {"min", false};
  case ExprKind::Max:
    return {"max", false};
  case ExprKind::Equal:
    return {"==", true};
  case ExprKind::NotEqual:
    return {"!=", true};
  case ExprKind::Less:
    return {"<", true};
  case ExprKind::LessEqual:
    return {"<=", true};
  case ExprKind::And:
    return {"&", true};
  case ExprKind::Or:
    return {"|", true};
  case ExprKind::Xor:
    return {"^", true};
  case ExprKind::Select:
    return {"select", false};
  default:
    return {"", false};
  }
}

/// Quotients of the three roundings and the two remainders; `rhs` is not zero and the quotient
/// fits.
int64_t divide(ExprKind kind, int64_t lhs, int64_t rhs) {
  int64_t quotient = lhs / rhs, remainder = lhs % rhs;
  bool inexact = remainder != 0, negative = (lhs < 0) != (rhs < 0);
  switch (kind) {
  case ExprKind::FloorDiv:
    return quotient - (inexact && negative);
  case ExprKind::CeilDiv:
    return quotient + (inexact && !negative);
  case ExprKind::Mod:
    return inexact && negative ? remainder + rhs : remainder;
  case ExprKind::Rem:
    return remainder;
  default:
    return quotient;
  }
}

} // namespace

unsigned numOperands(ExprKind kind) {
  if (kind < ExprKind::Add)
    return 0;
  return kind == ExprKind::Select ? 3 : 2;
}

EvalFault applyOperator(ExprKind kind, int64_t lhs, int64_t rhs, int64_t &result) {
  bool overflow = false;
  switch (kind) {
  case ExprKind::Add:
    overflow = __builtin_add_overflow(lhs, rhs, &result);
    break;
  case ExprKind::Sub:
    overflow = __builtin_sub_overflow(lhs, rhs, &result);
    break;
  case ExprKind::Mul:
    overflow = __builtin_mul_overflow(lhs, rhs, &result);
    break;
  case ExprKind::FloorDiv:
  case ExprKind::CeilDiv:
  case ExprKind::TruncDiv:
  case ExprKind::Mod:
  case ExprKind::Rem:
    if (rhs == 0)
      return EvalFault::DivisionByZero;
    if (rhs == -1 && lhs == std::numeric_limits<int64_t>::min())
      return EvalFault::Overflow;
    result = divide(kind, lhs, rhs);
    break;
  case ExprKind::Min:
    result = lhs < rhs ? lhs : rhs;
    break;
  case ExprKind::Max:
    result = lhs < rhs ? rhs : lhs;
    break;
  case ExprKind::Equal:
    result = lhs == rhs;
    break;
  case ExprKind::NotEqual:
    result = lhs != rhs;
    break;
  case ExprKind::Less:
    result = lhs < rhs;
    break;
  case ExprKind::LessEqual:
    result = lhs <= rhs;
    break;
  case ExprKind::And:
    result = lhs & rhs;
    break;
  case ExprKind::Or:
    result = lhs | rhs;
    break;
  case ExprKind::Xor:
    result = lhs ^ rhs;
    break;
  default:
    assert(false && "expected an operator with two operands");
  }
  return overflow ? EvalFault::Overflow : EvalFault::None;
}

//===----------------------------------------------------------------------===//
// ExprPool
//===----------------------------------------------------------------------===//

ExprId ExprPool::append(const ExprNode &node) {
  ExprId id = static_cast<ExprId>(storage.size());
  storage.push_back(node);
  known.emplace(Key(node.kind, node.a, node.b, node.c, node.value), id);
  return id;
}

ExprId ExprPool::intern(const ExprNode &node) {
  auto found = known.find(Key(node.kind, node.a, node.b, node.c, node.value));
  return found != known.end() ? found->second : append(node);
}

bool ExprPool::isConstant(ExprId id, int64_t &value) const {
  if (storage[id].kind != ExprKind::Constant)
    return false;
  value = storage[id].value;
  return true;
}

ExprId ExprPool::constant(int64_t value) { return intern({ExprKind::Constant, 0, 0, 0, value}); }
ExprId ExprPool::size(uint32_t argument, uint32_t dim) {
  return intern({ExprKind::Size, argument, dim, 0, 0});
}
ExprId ExprPool::stride(uint32_t argument, uint32_t dim) {
  return intern({ExprKind::Stride, argument, dim, 0, 0});
}
ExprId ExprPool::scalar(uint32_t argument) { return intern({ExprKind::Scalar, argument, 0, 0, 0}); }
ExprId ExprPool::alignment(uint32_t argument) {
  return intern({ExprKind::Alignment, argument, 0, 0, 0});
}
ExprId ExprPool::loopIndex(uint32_t loop) { return intern({ExprKind::LoopIndex, loop, 0, 0, 0}); }

ExprId ExprPool::binary(ExprKind kind, ExprId lhs, ExprId rhs) {
  assert(lhs < storage.size() && rhs < storage.size() && "operands come before their users");
  int64_t a = 0, b = 0, folded = 0;
  bool constantLhs = isConstant(lhs, a), constantRhs = isConstant(rhs, b);
  if (constantLhs && constantRhs && applyOperator(kind, a, b, folded) == EvalFault::None)
    return constant(folded);
  bool isAdd = kind == ExprKind::Add, isMul = kind == ExprKind::Mul;
  if (constantRhs && ((b == 0 && (isAdd || kind == ExprKind::Sub)) ||
                      (b == 1 && (isMul || kind == ExprKind::FloorDiv ||
                                  kind == ExprKind::CeilDiv || kind == ExprKind::TruncDiv))))
    return lhs;
  if (constantLhs && ((a == 0 && isAdd) || (a == 1 && isMul)))
    return rhs;
  return intern({kind, lhs, rhs, 0, 0});
}

ExprId ExprPool::select(ExprId condition, ExprId ifTrue, ExprId ifFalse) {
  int64_t value = 0;
  if (isConstant(condition, value))
    return value ? ifTrue : ifFalse;
  return ifTrue == ifFalse ? ifTrue : intern({ExprKind::Select, condition, ifTrue, ifFalse, 0});
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

Error describeFault(const ExprPool &pool, ExprFault fault, const int64_t *values,
                    ArrayView<std::string> argumentNames) {
  const ExprNode &node = pool.nodes()[fault.node];
  bool overflow = fault.fault == EvalFault::Overflow;
  return makeError(overflow ? ErrorCode::IntegerOverflow : ErrorCode::DivisionByZero, "'",
                   printExpr(pool, fault.node, argumentNames), "': expected ",
                   overflow ? "a result that fits 64 bits" : "a divisor other than 0",
                   ", but got operands ", values[node.a], " and ", values[node.b]);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {

std::string argumentName(uint32_t argument, ArrayView<std::string> names) {
  if (argument < names.size() && !names[argument].empty())
    return names[argument];
  return "arg" + std::to_string(argument);
}

void print(const ExprPool &pool, ExprId id, ArrayView<std::string> names, bool nested,
           std::string &out) {
  const ExprNode &node = pool.nodes()[id];
  switch (node.kind) {
  case ExprKind::Constant:
    out += std::to_string(node.value);
    return;
  case ExprKind::Size:
    out += argumentName(node.a, names) + ".size[" + std::to_string(node.b) + "]";
    return;
  case ExprKind::Stride:
    out += argumentName(node.a, names) + ".stride[" + std::to_string(node.b) + "]";
    return;
  case ExprKind::Scalar:
    out += argumentName(node.a, names);
    return;
  case ExprKind::Alignment:
    out += argumentName(node.a, names) + ".alignment";
    return;
  case ExprKind::LoopIndex:
    out += "loop" + std::to_string(node.a);
    return;
  default:
    break;
  }
  OperatorSyntax syntax = syntaxOf(node.kind);
  const ExprId operands[] = {node.a, node.b, node.c};
  if (!syntax.infix)
    out += syntax.text;
  if (!syntax.infix || nested)
    out += "(";
  for (unsigned i = 0; i < numOperands(node.kind); ++i) {
    if (i > 0)
      out += syntax.infix ? std::string(" ") + syntax.text + " " : std::string(", ");
    print(pool, operands[i], names, syntax.infix, out);
  }
  if (!syntax.infix || nested)
    out += ")";
}

} // namespace

std::string printExpr(const ExprPool &pool, ExprId id, ArrayView<std::string> argumentNames) {
  std::string out;
  print(pool, id, argumentNames, /*nested=*/false, out);
  return out;
}

} // namespace fuser::artifact
