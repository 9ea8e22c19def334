//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Places are compared one by one: a swizzle is no affine expression.
//
//===----------------------------------------------------------------------===//

#include "GroupOperands.h"
#include "Warps.h"

using namespace mlir;
using namespace fuser;
using kernel_ir::RowsAttr;

/// More places are not compared.
static constexpr int64_t kMaxPlaces = 1 << 20;
/// Elements along the sum at which an operand may begin in a row.
static constexpr int64_t kFirstSteps = 16;

namespace {
/// An expression whose dimensions may be swizzled indices, as a list of operations.
class Program {
public:
  explicit Program(LoopFacts &facts) : facts(facts) {}

  /// The number of the value of the expression; none if it has symbols or data.
  std::optional<unsigned> add(AffineExpr expr);
  /// The loops whose indices it uses, with the numbers of their values.
  ArrayRef<std::pair<AffineExpr, unsigned>> getLeaves() const { return leaves; }
  void set(unsigned number, int64_t value) { values[number] = value; }
  void run();
  int64_t get(unsigned number) const { return values[number]; }

private:
  enum class Kind { Leaf, Constant, Add, Mul, Mod, FloorDiv, CeilDiv, Xor };
  struct Op {
    Kind kind;
    unsigned lhs = 0, rhs = 0;
  };
  unsigned append(Op op, int64_t value = 0) {
    ops.push_back(op);
    values.push_back(value);
    return ops.size() - 1;
  }
  std::optional<unsigned> addLeaf(AffineExpr leaf);

  LoopFacts &facts;
  SmallVector<Op> ops;
  SmallVector<int64_t> values;
  SmallVector<std::pair<AffineExpr, unsigned>> leaves;
  llvm::DenseMap<AffineExpr, unsigned> numberOf;
};
} // namespace

std::optional<unsigned> Program::addLeaf(AffineExpr leaf) {
  Value value = isa<AffineDimExpr>(leaf) ? facts.getValue(leaf) : Value();
  if (!value)
    return std::nullopt;
  if (isa<BlockArgument>(value)) {
    const unsigned number = append({Kind::Leaf});
    leaves.push_back({leaf, number});
    return number;
  }
  auto swizzled = value.getDefiningOp<loop::XorOp>();
  if (!swizzled)
    return std::nullopt;
  SmallVector<unsigned, 2> terms;
  for (AffineExpr term : swizzled.getTerms().getResults()) {
    std::optional<unsigned> number =
        add(facts.lift(term, swizzled.getIndices(), swizzled.getTerms().getNumDims()));
    if (!number)
      return std::nullopt;
    terms.push_back(*number);
  }
  return append({Kind::Xor, terms[0], terms[1]});
}

std::optional<unsigned> Program::add(AffineExpr expr) {
  auto known = numberOf.find(expr);
  if (known != numberOf.end())
    return known->second;
  std::optional<unsigned> number;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    number = append({Kind::Constant}, constant.getValue());
  } else if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    const std::optional<unsigned> lhs = add(binary.getLHS()), rhs = add(binary.getRHS());
    if (!lhs || !rhs)
      return std::nullopt;
    const Kind kind = expr.getKind() == AffineExprKind::Add        ? Kind::Add
                      : expr.getKind() == AffineExprKind::Mul      ? Kind::Mul
                      : expr.getKind() == AffineExprKind::Mod      ? Kind::Mod
                      : expr.getKind() == AffineExprKind::FloorDiv ? Kind::FloorDiv
                                                                   : Kind::CeilDiv;
    number = append({kind, *lhs, *rhs});
  } else {
    number = addLeaf(expr);
  }
  if (number)
    numberOf[expr] = *number;
  return number;
}

void Program::run() {
  for (auto [number, op] : llvm::enumerate(ops)) {
    const int64_t lhs = values[op.lhs], rhs = values[op.rhs];
    int64_t &value = values[number];
    switch (op.kind) {
    case Kind::Leaf:
    case Kind::Constant:
      break;
    case Kind::Add:
      value = lhs + rhs;
      break;
    case Kind::Mul:
      value = lhs * rhs;
      break;
    case Kind::Mod:
      value = llvm::mod(lhs, rhs);
      break;
    case Kind::FloorDiv:
      value = llvm::divideFloorSigned(lhs, rhs);
      break;
    case Kind::CeilDiv:
      value = llvm::divideCeilSigned(lhs, rhs);
      break;
    case Kind::Xor:
      value = lhs ^ rhs;
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {
/// The places of an operand where the other loops are in one iteration, by row and step.
class Places {
public:
  Places(const GroupOperand &operand, LoopFacts &facts) : operand(operand), program(facts) {}

  /// False if they cannot be enumerated.
  bool collect(LoopFacts &facts);
  /// Calls `visit` for each iteration of the other loops, until it returns false.
  bool forIterations(llvm::function_ref<bool()> visit);
  int64_t get(int64_t row, int64_t step) const { return places[row * operand.steps + step]; }
  /// What is added in all places.
  AffineExpr getCommon() const { return common; }

private:
  struct Other {
    unsigned number;
    int64_t extent, stride;
  };
  void evaluate();

  const GroupOperand &operand;
  Program program;
  AffineExpr common;
  unsigned sum = 0;
  std::optional<unsigned> row, step, warp;
  SmallVector<Other> others;
  int64_t firstWarp = 0;
  std::vector<int64_t> places;
};
} // namespace

/// The terms of a sum, of which parts may be multiplied by constants.
static void collectTerms(AffineExpr expr, int64_t factor, SmallVectorImpl<AffineExpr> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add) {
    collectTerms(binary.getLHS(), factor, terms);
    collectTerms(binary.getRHS(), factor, terms);
    return;
  }
  if (expr.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return collectTerms(binary.getLHS(), factor * constant.getValue(), terms);
  terms.push_back(expr * factor);
}

bool Places::collect(LoopFacts &facts) {
  auto isOwn = [&](AffineExpr leaf) {
    return leaf == operand.row || leaf == operand.step || leaf == operand.warp;
  };
  SmallVector<AffineExpr> terms;
  collectTerms(operand.offset, /*factor=*/1, terms);
  MLIRContext *context = operand.offset.getContext();
  AffineExpr own = getAffineConstantExpr(0, context);
  common = own;
  for (AffineExpr term : terms) {
    Program alone(facts);
    const bool isKnown = alone.add(term).has_value();
    const bool isUsed =
        llvm::any_of(alone.getLeaves(), [&](auto leaf) { return isOwn(leaf.first); });
    if (isUsed && !isKnown)
      return false;
    (isUsed ? own : common) = (isUsed ? own : common) + term;
  }
  const std::optional<unsigned> number = program.add(own);
  if (!number)
    return false;
  sum = *number;
  int64_t iterations = 1;
  for (auto [leaf, value] : program.getLeaves()) {
    const IntegerRange range = facts.getRange(leaf);
    const int64_t limit = kMaxPlaces / (operand.extent * operand.steps);
    if (leaf == operand.row)
      row = value;
    else if (leaf == operand.step)
      step = value;
    else if (range.lower != 0 || range.upper >= limit)
      return false;
    else if (leaf != operand.warp)
      others.push_back({value, range.upper + 1, 1});
    else if (operand.rowsOfWarp == 0)
      return false;
    else
      others.push_back({*(warp = value), (range.upper + 1) / kGroupWarps, kGroupWarps});
    if (!others.empty() && others.back().number == value)
      iterations *= others.back().extent;
    if (iterations > limit)
      return false;
  }
  places.resize(operand.extent * operand.steps);
  return true;
}

void Places::evaluate() {
  for (int64_t index = 0; index < operand.extent; ++index) {
    const int64_t ofWarp = operand.rowsOfWarp == 0 ? 0 : index / operand.rowsOfWarp;
    if (row)
      program.set(*row, operand.rowsOfWarp == 0 ? index : index % operand.rowsOfWarp);
    if (warp)
      program.set(*warp, firstWarp + ofWarp);
    for (int64_t each = 0; each < operand.steps; ++each) {
      if (step)
        program.set(*step, each);
      program.run();
      places[index * operand.steps + each] = program.get(sum);
    }
  }
}

bool Places::forIterations(llvm::function_ref<bool()> visit) {
  int64_t count = 1;
  for (const Other &other : others)
    count *= other.extent;
  for (int64_t iteration = 0; iteration < count; ++iteration) {
    int64_t rest = iteration;
    for (const Other &other : others) {
      const int64_t value = rest % other.extent * other.stride;
      rest /= other.extent;
      if (warp == other.number)
        firstWarp = value;
      else
        program.set(other.number, value);
    }
    evaluate();
    if (!visit())
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// True if the operand lies in such rows.
static bool liesIn(RowsAttr rows, const Places &places, const GroupOperand &operand) {
  const int64_t inRow = rows.getRowElements();
  const int64_t begin = llvm::mod(places.get(0, 0), rows.getGroupElements());
  const int64_t group = places.get(0, 0) - begin;
  if (rows.getTransposed() ? begin != 0 : begin >= inRow || begin % kFirstSteps != 0)
    return false;
  for (int64_t row = 0; row < operand.extent; ++row)
    for (int64_t step = 0; step < operand.steps; ++step) {
      const int64_t expected =
          rows.getTransposed() ? row / inRow * rows.getPitch() + rows.getPlace(step, row % inRow)
                               : rows.getPlace(row, begin + step);
      if (places.get(row, step) - group != expected)
        return false;
    }
  return true;
}

/// Rows of so many bytes in which the operand may lie; null if there are none.
static RowsAttr getCandidate(MLIRContext *context, int64_t bytes, bool isTransposed,
                             const Places &places, const GroupOperand &operand) {
  const int64_t inRow = bytes / 2;
  const bool needsPitch = isTransposed && operand.extent > inRow;
  const int64_t pitch = needsPitch ? places.get(inRow, 0) - places.get(0, 0) : 0;
  if ((needsPitch && pitch == 0) || !RowsAttr::exists(bytes, isTransposed, pitch))
    return {};
  return RowsAttr::get(context, bytes, isTransposed, pitch);
}

RowsAttr fuser::findRows(const GroupOperand &operand, LoopFacts &facts) {
  Places places(operand, facts);
  if (!places.collect(facts))
    return {};
  MLIRContext *context = operand.offset.getContext();
  const bool isAtBegin = places.getCommon() == getAffineConstantExpr(0, context);
  SmallVector<RowsAttr> candidates;
  bool isFirst = true;
  places.forIterations([&] {
    if (isFirst)
      for (bool isTransposed : {false, true})
        for (int64_t bytes : {128, 64, 32})
          if (RowsAttr rows = getCandidate(context, bytes, isTransposed, places, operand))
            candidates.push_back(rows);
    isFirst = false;
    llvm::erase_if(candidates, [&](RowsAttr rows) {
      return !liesIn(rows, places, operand) ||
             (!isAtBegin && facts.getDivisor(places.getCommon()) % rows.getGroupElements() != 0);
    });
    return !candidates.empty();
  });
  return candidates.empty() ? RowsAttr() : candidates.front();
}
