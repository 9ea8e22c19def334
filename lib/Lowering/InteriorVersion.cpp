//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A version of what a thread does for threads far from the borders of tensors.
//
//===----------------------------------------------------------------------===//

#include "InteriorVersion.h"
#include "BorderTests.h"
#include "CommonGuards.h"
#include "EarlyLoads.h"
#include "KnownComparisons.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;
using namespace fuser;

namespace {
using Terms = SmallVector<std::pair<unsigned, int64_t>>;

/// The tests of one sum of terms, and the sums that decide most of them.
struct Dimension {
  Integers range, interior;
  SmallVector<BorderTest> tests;
  /// What is compared: the sum and a constant.
  Value index;
  int64_t constant = 0;
};

/// Finds what the tests of a block have in common.
class Interior {
public:
  Interior(Block &block, const LaunchSizes &launch)
      : block(block), launch(launch), ranges(launch) {}

  /// False if a version for the interior costs more than it saves.
  bool find();
  /// The chosen dimensions.
  ArrayRef<Dimension> getDimensions() const { return dimensions; }
  /// The constant or the index that a test is in the interior; null if it is not decided.
  static Value getOutcome(const BorderTest &test, const Dimension &dimension, OpBuilder &builder);

private:
  void addTest(Operation &op);
  /// About the part of the warps that have a thread which is not in the interior.
  double getOutside(const Terms &terms, const Dimension &dimension);
  bool dependsOnLane(Value value) const;
  bool savesEnough();

  Block &block;
  const LaunchSizes &launch;
  ValueRanges ranges;
  LinearIndices indices;
  std::map<Terms, Dimension> found;
  SmallVector<Dimension> dimensions;
};
} // namespace

/// The most warps that take both versions, or the longer one.
constexpr double kMostOutside = 0.25;
/// A test is part of the interior if at most this part of the indices decides otherwise.
constexpr double kRare = 0.25;
/// The most ops that have two versions, and how many of them there are for each branch or selection
/// that is not in one version.
constexpr int64_t kMostOps = 6000, kOpsPerTest = 10;
constexpr int64_t kLeastTests = 4;
/// The registers that an instruction writes which loads a constant.
constexpr int64_t kRegistersOfConstant = 2;
/// A function or a division.
constexpr int64_t kInstructionsOfFunction = 20;
constexpr int64_t kLanesOfWarp = 32;
/// The most values of the numbers of blocks and warps that are looked at.
constexpr int64_t kMostSamples = 4096;

static bool contains(const Integers &outer, const Integers &inner) {
  return outer.least <= inner.least && inner.greatest <= outer.greatest;
}
static bool areDisjoint(const Integers &a, const Integers &b) {
  return a.greatest < b.least || b.greatest < a.least;
}
static int64_t getSize(const Integers &range) {
  return std::max<int64_t>(0, range.greatest - range.least + 1);
}
static Integers intersect(const Integers &a, const Integers &b) {
  return {std::max(a.least, b.least), std::min(a.greatest, b.greatest)};
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

void Interior::addTest(Operation &op) {
  std::optional<BorderTest> test = getBorderTest(op, indices, ranges);
  if (!test)
    return;
  const LinearIndex &index = indices.get(test->index);
  Dimension &dimension = found[index.terms];
  dimension.range = test->range;
  if (!dimension.index && getPureOpsOf(test->index, block)) {
    dimension.index = test->index;
    dimension.constant = index.constant;
  }
  dimension.tests.push_back(std::move(*test));
}

/// The sums for which the tests have the outcomes that most sums have.
static Integers getInterior(const Dimension &dimension) {
  Integers interior = dimension.range;
  const double size = getSize(dimension.range);
  auto forEach = [&](auto apply) {
    for (const BorderTest &test : dimension.tests)
      for (const Integers &lane : test.lanes)
        apply(lane, getSize(intersect(lane, dimension.range)) / size);
  };
  forEach([&](const Integers &lane, double part) {
    if (part >= 1 - kRare)
      interior = intersect(interior, lane);
  });
  forEach([&](const Integers &lane, double part) {
    if (part > kRare || areDisjoint(lane, interior))
      return;
    const Integers below{interior.least, lane.least - 1},
        above{lane.greatest + 1, interior.greatest};
    interior = getSize(below) > getSize(above) ? below : above;
  });
  return interior;
}

Value Interior::getOutcome(const BorderTest &test, const Dimension &dimension, OpBuilder &builder) {
  SmallVector<bool> outcomes;
  for (const Integers &lane : test.lanes) {
    const bool isInside = contains(lane, dimension.interior);
    if (!isInside && !areDisjoint(lane, dimension.interior))
      return {};
    outcomes.push_back(isInside == test.outcomeInside);
  }
  if (isa<arith::MinUIOp>(test.op))
    return test.op->getOperand(outcomes.front() ? 0 : 1);
  const Location loc = test.op->getLoc();
  if (auto vector = dyn_cast<VectorType>(test.op->getResult(0).getType()))
    return arith::ConstantOp::create(builder, loc, vector,
                                     DenseElementsAttr::get(vector, ArrayRef<bool>(outcomes)));
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(outcomes.front()));
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// True if threads of a warp may have different values.
bool Interior::dependsOnLane(Value value) const {
  const bool areRowsWarps = launch.threads[0] > 0 && launch.threads[0] % kLanesOfWarp == 0;
  llvm::SmallSetVector<Value, 16> values;
  values.insert(value);
  for (size_t next = 0; next < values.size(); ++next) {
    Operation *op = values[next].getDefiningOp();
    auto thread = dyn_cast_or_null<gpu::ThreadIdOp>(op);
    if (thread && (thread.getDimension() == gpu::Dimension::x || !areRowsWarps))
      return true;
    if (op)
      values.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

double Interior::getOutside(const Terms &terms, const Dimension &dimension) {
  // What differs between the threads of a warp, and the least step of it.
  Integers ofLanes{0, 0};
  int64_t step = std::numeric_limits<int64_t>::max(), samples = 1;
  SmallVector<std::pair<Integers, int64_t>> ofWarps;
  for (auto [number, multiple] : terms) {
    const Value value = indices.getValue(number);
    const Integers range = *ranges.getIntegers(value);
    if (!dependsOnLane(value)) {
      ofWarps.push_back({range, multiple});
      samples = std::min(kMostSamples * kMostSamples, samples * getSize(range));
      continue;
    }
    const int64_t a = range.least * multiple, b = range.greatest * multiple;
    ofLanes = {ofLanes.least + std::min(a, b), ofLanes.greatest + std::max(a, b)};
    step = std::min(step, std::abs(multiple));
  }
  const int64_t taken = std::min(samples, kMostSamples);
  double outside = 0;
  for (int64_t sample = 0; sample < taken; ++sample) {
    int64_t rest = sample * samples / taken, base = 0;
    for (auto [range, multiple] : ofWarps) {
      base += (range.least + rest % getSize(range)) * multiple;
      rest /= getSize(range);
    }
    const Integers sums{base + ofLanes.least, base + ofLanes.greatest},
        inside = intersect(sums, dimension.interior);
    double part = 1 - double(getSize(inside)) / getSize(sums);
    // A warp takes both versions where they meet.
    if (getSize(inside) > 0 && getSize(sums) > 1)
      part += ((inside.least > sums.least) + (inside.greatest < sums.greatest)) *
              double(kLanesOfWarp * step) / getSize(sums);
    outside += std::min(part, 1.0);
  }
  return outside / taken;
}

/// True if the condition, or one of those that it is made of, is in `known`.
static bool isOfKnown(Value condition, const llvm::SmallPtrSetImpl<Operation *> &known) {
  Operation *op = condition.getDefiningOp();
  if (!op || known.contains(op))
    return op != nullptr;
  return isa<arith::AndIOp, arith::OrIOp, vector::BroadcastOp, vector::FromElementsOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value each) { return isOfKnown(each, known); });
}

/// The elements of all results.
static int64_t countLanes(Operation &op) {
  int64_t lanes = 0;
  for (Type type : op.getResultTypes()) {
    auto vector = dyn_cast<VectorType>(type);
    lanes += vector ? vector.getNumElements() : 1;
  }
  return lanes;
}

/// The registers of all results.
static int64_t countRegisters(Operation &op) {
  int64_t registers = 0;
  for (Type type : op.getResultTypes()) {
    auto vector = dyn_cast<VectorType>(type);
    const Type element = vector ? vector.getElementType() : type;
    const int64_t bits = element.isIndex() ? 32 : element.getIntOrFloatBitWidth();
    // A condition has a predicate.
    registers += bits == 1 ? (vector ? vector.getNumElements() : 1)
                           : llvm::divideCeil((vector ? vector.getNumElements() : 1) * bits, 32);
  }
  return registers;
}

/// About the instructions of an op. A vector is accessed by one.
static int64_t getInstructions(Operation &op) {
  if (isa<memref::LoadOp, vector::LoadOp>(op) || op.hasTrait<OpTrait::IsTerminator>() ||
      isa<vector::ExtractOp, vector::ToElementsOp, vector::FromElementsOp, vector::BroadcastOp>(op))
    return isa<memref::LoadOp, vector::LoadOp>(op);
  const int64_t lanes = std::max<int64_t>(1, isa<scf::IfOp>(op) ? 1 : countLanes(op));
  return isFunctionOfFloats(op) ? lanes * kInstructionsOfFunction : lanes;
}

bool Interior::savesEnough() {
  llvm::SmallPtrSet<Operation *, 16> known;
  OpBuilder builder(block.getParentOp()->getContext());
  for (const Dimension &dimension : dimensions)
    for (const BorderTest &test : dimension.tests)
      if (llvm::all_of(test.lanes, [&](const Integers &lane) {
            return contains(lane, dimension.interior) || areDisjoint(lane, dimension.interior);
          }))
        known.insert(test.op);
  int64_t ops = 0, saved = 0;
  block.walk([&](Operation *op) {
    ops += getInstructions(*op);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      saved += isOfKnown(branch.getCondition(), known)
                   ? 1 + llvm::divideCeil(countRegisters(*op), kRegistersOfConstant)
                   : 0;
    else if (auto select = dyn_cast<arith::SelectOp>(op))
      saved += isOfKnown(select.getCondition(), known) ? countRegisters(*op) : 0;
    else
      saved += isa<arith::MinUIOp>(op) && known.contains(op);
  });
  return saved >= kLeastTests && saved * kOpsPerTest >= ops && ops <= kMostOps;
}

bool Interior::find() {
  block.walk([&](Operation *op) { addTest(*op); });
  // In the order of their costs, and of the terms.
  SmallVector<std::pair<double, const Dimension *>> candidates;
  for (auto &[terms, dimension] : found) {
    if (!dimension.index)
      continue;
    dimension.interior = getInterior(dimension);
    if (getSize(dimension.interior) == 0 || contains(dimension.interior, dimension.range))
      continue;
    candidates.push_back({getOutside(terms, dimension), &dimension});
  }
  double outside = 0;
  while (true) {
    auto next = llvm::min_element(candidates, llvm::less_first());
    if (next == candidates.end() || (outside += next->first) > kMostOutside)
      break;
    dimensions.push_back(*next->second);
    candidates.erase(next);
  }
  return savesEnough();
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// The block that has all that a thread does: that of the branch that all threads with elements
/// take, if there is one.
static Block *getWholeBlock(gpu::GPUFuncOp function) {
  Block *block = &function.getBody().front();
  if (!block->getOps<kernel_ir::WaitDependenciesOp>().empty())
    return nullptr;
  auto branches = block->getOps<scf::IfOp>();
  if (!llvm::hasSingleElement(branches))
    return block;
  scf::IfOp branch = *branches.begin();
  const bool isWhole = branch->getNumResults() == 0 && !branch.elseBlock() &&
                       llvm::all_of(block->without_terminator(), [&](Operation &op) {
                         return &op == branch || isPure(&op) || isa<memref::AllocaOp>(op);
                       });
  return isWhole ? branch.thenBlock() : block;
}

/// The index is in the interior: one comparison without signs.
static Value buildComparison(const Dimension &dimension, OpBuilder &builder) {
  const Location loc = dimension.index.getLoc();
  const Type type = dimension.index.getType();
  auto getConstant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  int64_t first = dimension.interior.least + dimension.constant;
  const int64_t last = dimension.interior.greatest + dimension.constant;
  Value place = dimension.index;
  if (dimension.range.least + dimension.constant == first && first >= 0)
    first = 0;
  if (first != 0)
    place = arith::SubIOp::create(builder, loc, place, getConstant(first));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, place,
                               getConstant(last - first + 1));
}

void fuser::addInteriorVersion(gpu::GPUFuncOp function, const LaunchSizes &launch) {
  Block *block = getWholeBlock(function);
  if (!block)
    return;
  Interior interior(*block, launch);
  if (!interior.find())
    return;
  const SmallVector<Value> compared = llvm::map_to_vector(
      interior.getDimensions(), [](const Dimension &each) { return each.index; });
  const auto before = *getPureOpsOf(compared, *block);
  SmallVector<Operation *> versioned;
  for (Operation &op : block->without_terminator())
    if (!before.contains(&op) && !isBeforeBranches(op, *block))
      versioned.push_back(&op);

  OpBuilder builder(block->getTerminator());
  const Location loc = function.getLoc();
  Value condition;
  for (const Dimension &each : interior.getDimensions()) {
    Value holds = buildComparison(each, builder);
    condition = condition ? arith::AndIOp::create(builder, loc, condition, holds) : holds;
  }
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
  OpBuilder inside = branch.getThenBodyBuilder();
  IRMapping mapping;
  for (Operation *op : versioned)
    inside.clone(*op, mapping);
  inside.setInsertionPointToStart(branch.thenBlock());
  for (const Dimension &dimension : interior.getDimensions())
    for (const BorderTest &test : dimension.tests)
      if (Value outcome = Interior::getOutcome(test, dimension, inside))
        mapping.lookupOrDefault(test.op->getResult(0))
            .replaceUsesWithIf(mapping.lookupOrDefault(outcome), [&](OpOperand &use) {
              return branch.getThenRegion().isAncestor(use.getOwner()->getParentRegion());
            });
  for (Operation *op : versioned)
    op->moveBefore(branch.elseYield());
  shareEqualValues(function);
  inlineKnownBranches(branch.getThenRegion());
  shareEqualValues(function);
}
