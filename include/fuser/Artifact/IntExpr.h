//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Integer expressions over the properties of a call's arguments: sizes, strides, integer scalars,
// pointer alignments. Grids, allocations, kernel parameters and guards are such expressions; the
// runtime does no other arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ARTIFACT_INTEXPR_H
#define FUSER_ARTIFACT_INTEXPR_H

#include "fuser/Artifact/ArrayView.h"
#include "fuser/Artifact/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace fuser::artifact {

/// Values are stable: they are written into saved artifacts.
enum class ExprKind : uint8_t {
  Constant = 0,  ///< `value`
  Size = 1,      ///< size of dimension `b` of argument `a`
  Stride = 2,    ///< stride in elements of dimension `b` of argument `a`
  Scalar = 3,    ///< integer scalar argument `a`
  Alignment = 4, ///< largest power of two, at most 4096, that divides the pointer of argument `a`
  LoopIndex = 5, ///< iteration of host loop `a`
  Add = 6,
  Sub = 7,
  Mul = 8,
  FloorDiv = 9,  ///< rounds towards minus infinity
  CeilDiv = 10,  ///< rounds towards plus infinity
  TruncDiv = 11, ///< rounds towards zero
  Mod = 12,      ///< a - b * FloorDiv(a, b)
  Rem = 13,      ///< a - b * TruncDiv(a, b)
  Min = 14,
  Max = 15,
  Equal = 16, ///< comparisons are signed and give 0 or 1
  NotEqual = 17,
  Less = 18,
  LessEqual = 19,
  And = 20, ///< bit by bit, like Or and Xor
  Or = 21,
  Xor = 22,
  Select = 23, ///< a != 0 ? b : c
};
inline constexpr unsigned kNumExprKinds = 24;

/// Index of a node in its pool.
using ExprId = uint32_t;
/// Marks an absent optional expression.
inline constexpr ExprId kNoExpr = 0xffffffffu;

/// One node. Operators store the ids of their operands in `a`, `b`, `c`, all smaller than their
/// own; leaves store the argument, dimension or loop there. Unused fields are zero.
struct ExprNode {
  ExprKind kind = ExprKind::Constant;
  uint32_t a = 0, b = 0, c = 0;
  int64_t value = 0;
};

/// Number of operands that are nodes: 0 for leaves, 2, or 3 for Select.
unsigned numOperands(ExprKind kind);

enum class EvalFault : uint8_t { None, Overflow, DivisionByZero };

/// Applies an operator with two operands. Returns a fault instead of a value if the exact result
/// does not fit 64 bits or does not exist.
EvalFault applyOperator(ExprKind kind, int64_t lhs, int64_t rhs, int64_t &result);

/// The nodes of all expressions of an artifact. Operands precede their users, and every distinct
/// node occurs once. Constants are folded unless the operation faults.
class ExprPool {
public:
  ExprId constant(int64_t value);
  ExprId size(uint32_t argument, uint32_t dim);
  ExprId stride(uint32_t argument, uint32_t dim);
  ExprId scalar(uint32_t argument);
  ExprId alignment(uint32_t argument);
  ExprId loopIndex(uint32_t loop);
  /// `kind` takes two operands.
  ExprId binary(ExprKind kind, ExprId lhs, ExprId rhs);
  ExprId select(ExprId condition, ExprId ifTrue, ExprId ifFalse);

  ExprId add(ExprId lhs, ExprId rhs) { return binary(ExprKind::Add, lhs, rhs); }
  ExprId sub(ExprId lhs, ExprId rhs) { return binary(ExprKind::Sub, lhs, rhs); }
  ExprId mul(ExprId lhs, ExprId rhs) { return binary(ExprKind::Mul, lhs, rhs); }
  ExprId ceilDiv(ExprId lhs, ExprId rhs) { return binary(ExprKind::CeilDiv, lhs, rhs); }

  /// Appends a node as it is, without folding or sharing, to read back a saved artifact.
  ExprId append(const ExprNode &node);

  const std::vector<ExprNode> &nodes() const { return storage; }
  size_t size() const { return storage.size(); }
  /// True for a constant; `value` is then set to its value.
  bool isConstant(ExprId id, int64_t &value) const;

private:
  ExprId intern(const ExprNode &node);

  using Key = std::tuple<ExprKind, uint32_t, uint32_t, uint32_t, int64_t>;
  std::vector<ExprNode> storage;
  std::map<Key, ExprId> known;
};

/// Where and how an evaluation failed.
struct ExprFault {
  EvalFault fault = EvalFault::None;
  ExprId node = kNoExpr;
};

/// Evaluates the nodes `ids`, in that order, into `values` (one slot per node of the pool).
/// Operands must be among the values already. `leaf(node)` is the value of a leaf other than a
/// constant. Stops at the first fault.
template <typename Leaf>
ExprFault evaluate(const ExprPool &pool, ArrayView<ExprId> ids, const Leaf &leaf, int64_t *values) {
  const ExprNode *nodes = pool.nodes().data();
  for (ExprId id : ids) {
    const ExprNode &node = nodes[id];
    if (node.kind == ExprKind::Constant) {
      values[id] = node.value;
    } else if (node.kind < ExprKind::Add) {
      values[id] = leaf(node);
    } else if (node.kind == ExprKind::Select) {
      values[id] = values[node.a] ? values[node.b] : values[node.c];
    } else {
      EvalFault fault = applyOperator(node.kind, values[node.a], values[node.b], values[id]);
      if (fault != EvalFault::None)
        return {fault, id};
    }
  }
  return {};
}

/// An IntegerOverflow or DivisionByZero that shows the operation and its operands' values.
Error describeFault(const ExprPool &pool, ExprFault fault, const int64_t *values,
                    ArrayView<std::string> argumentNames);

/// Infix text: `ceildiv(x.size[1] * 2, 256)`. An argument without a name prints as `argN`.
std::string printExpr(const ExprPool &pool, ExprId id, ArrayView<std::string> argumentNames);

} // namespace fuser::artifact

#endif // FUSER_ARTIFACT_INTEXPR_H
