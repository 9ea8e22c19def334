//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-derive-moments.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Dialect/IR/RandomNumbers.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <map>

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERDERIVEMOMENTS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

namespace {

/// Numbers of values: equal functions of equal values have one number.
class ValueNumbers {
public:
  explicit ValueNumbers(Block &block);
  unsigned get(Value value) const { return numbers.lookup(value); }

private:
  /// The op's name, attributes and result types, and the numbers of its operands.
  using Key = std::vector<const void *>;
  static std::optional<Key> getKey(Operation *op);

  llvm::DenseMap<Value, unsigned> numbers;
};

} // namespace

/// nullopt for ops whose results differ from those of an equal op.
std::optional<ValueNumbers::Key> ValueNumbers::getKey(Operation *op) {
  if (!isMemoryEffectFree(op) || op->getNumRegions() > 0 || fuser::detail::isScheduled(op) ||
      drawsRandomNumbers(op))
    return std::nullopt;
  Key key{op->getName().getAsOpaquePointer(), op->getPropertiesAsAttribute().getAsOpaquePointer()};
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName() != kOriginName) {
      key.push_back(attribute.getName().getAsOpaquePointer());
      key.push_back(attribute.getValue().getAsOpaquePointer());
    }
  for (Type type : op->getResultTypes())
    key.push_back(type.getAsOpaquePointer());
  return key;
}

ValueNumbers::ValueNumbers(Block &block) {
  std::map<std::pair<Key, std::vector<unsigned>>, unsigned> known;
  unsigned next = 1;
  for (Value argument : block.getArguments())
    numbers[argument] = next++;
  for (Operation &op : block) {
    unsigned first = next;
    if (std::optional<Key> key = getKey(&op)) {
      std::vector<unsigned> operands;
      for (Value operand : op.getOperands())
        operands.push_back(get(operand));
      first = known.try_emplace({std::move(*key), std::move(operands)}, next).first->second;
    }
    for (Value result : op.getResults())
      numbers[result] = first++;
    next = std::max(next, first);
  }
}

/// True for a reduction along dimensions of its only tensor.
static bool reducesOneTensor(Operation *op) {
  return isa<CombinerOpInterface>(op) && op->hasAttrOfType<DenseI64ArrayAttr>("dims") &&
         op->getNumOperands() == 1 && !fuser::detail::isScheduled(op);
}

/// Merges reductions that are equal functions of equal values.
static unsigned mergeEqual(FusionOp fusion) {
  const ValueNumbers numbers(fusion.getBody().front());
  llvm::DenseMap<unsigned, Operation *> first;
  unsigned count = 0;
  for (Operation &op : llvm::make_early_inc_range(fusion.getBody().front())) {
    if (!reducesOneTensor(&op))
      continue;
    Operation *&earlier = first[numbers.get(op.getResult(0))];
    if (!earlier) {
      earlier = &op;
      continue;
    }
    op.replaceAllUsesWith(earlier);
    op.erase();
    ++count;
  }
  return count;
}

namespace {

/// Replaces means by what variances of the same elements know.
class MomentDeriver {
public:
  explicit MomentDeriver(FusionOp fusion) : numbers(fusion.getBody().front()) {
    for (Operation &op : fusion.getBody().front())
      if (auto variance = dyn_cast<VarMeanOp>(op); variance && !fuser::detail::isScheduled(&op))
        variances.push_back(variance);
  }

  bool derive(MeanOp mean);

private:
  bool isMeanOf(Value value, VarMeanOp variance);
  SubOp getDeviation(Value squares, VarMeanOp variance);

  ValueNumbers numbers;
  SmallVector<VarMeanOp> variances;
};

} // namespace

/// True for the mean of the elements of the variance, with the reduced dimensions again.
bool MomentDeriver::isMeanOf(Value value, VarMeanOp variance) {
  auto wide = value.getDefiningOp<BroadcastOp>();
  if (!wide || wide.getDims() != variance.getDims())
    return false;
  if (numbers.get(wide.getInput()) == numbers.get(variance.getMean()))
    return true;
  auto mean = wide.getInput().getDefiningOp<MeanOp>();
  return mean && mean.getDims() == variance.getDims() &&
         numbers.get(mean.getInput()) == numbers.get(variance.getInput());
}

/// x - mean(x), if `squares` are its squares; else null.
SubOp MomentDeriver::getDeviation(Value squares, VarMeanOp variance) {
  auto product = squares.getDefiningOp<MulOp>();
  if (!product || numbers.get(product.getLhs()) != numbers.get(product.getRhs()))
    return SubOp();
  auto deviation = product.getLhs().getDefiningOp<SubOp>();
  return deviation && deviation.getResult().getType() == variance.getInput().getType() &&
                 numbers.get(deviation.getLhs()) == numbers.get(variance.getInput()) &&
                 isMeanOf(deviation.getRhs(), variance)
             ? deviation
             : SubOp();
}

/// The elements that one of the results is of; 0 if that is not known.
static int64_t countElements(VarMeanOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  int64_t count = 1;
  for (int64_t dim : op.getDims())
    count *= type.isDynamicDim(dim) ? 0 : type.getDimSize(dim);
  return count;
}

/// The variance, computed before `op`; `input` is what it is of, and computed there.
static void moveBefore(VarMeanOp variance, Operation *op, Value input) {
  if (variance->isBeforeInBlock(op))
    return;
  variance->moveBefore(op);
  variance.getInputMutable().assign(input);
}

/// The mean of squares of deviations, from their variance.
static Value scaleVariance(OpBuilder &builder, VarMeanOp variance, MeanOp mean, int64_t count) {
  const int64_t weight = count - int64_t(variance.getCorrection());
  if (weight == count)
    return variance.getVariance();
  Value factor = arith::ConstantOp::create(builder, mean.getLoc(),
                                           builder.getF64FloatAttr(double(weight) / count));
  auto scaled = MulOp::create(builder, mean.getLoc(), variance.getVariance(), factor);
  copyOrigins(scaled, mean.getOperation());
  return scaled.getResult();
}

/// What is replaced stays where it is, without uses: other values would get its numbers.
bool MomentDeriver::derive(MeanOp mean) {
  const Type type = mean.getResult().getType();
  for (VarMeanOp variance : variances) {
    if (mean.getDims() != variance.getDims())
      continue;
    if (numbers.get(mean.getInput()) == numbers.get(variance.getInput()) &&
        type == variance.getMean().getType()) {
      moveBefore(variance, mean, mean.getInput());
      mean.getResult().replaceAllUsesWith(variance.getMean());
      return true;
    }
    const int64_t count = countElements(variance);
    // Narrower floats would be rounded twice.
    if (count <= int64_t(variance.getCorrection()) || type != variance.getVariance().getType() ||
        getElementTypeOrSelf(type).getIntOrFloatBitWidth() < 32)
      continue;
    if (SubOp deviation = getDeviation(mean.getInput(), variance)) {
      moveBefore(variance, mean, deviation.getLhs());
      OpBuilder builder(mean);
      mean.getResult().replaceAllUsesWith(scaleVariance(builder, variance, mean, count));
      return true;
    }
  }
  return false;
}

unsigned fuser::deriveMoments(FusionOp fusion) {
  SmallVector<MeanOp> means;
  unsigned count = mergeEqual(fusion);
  for (Operation &op : fusion.getBody().front())
    if (auto mean = dyn_cast<MeanOp>(op); mean && !fuser::detail::isScheduled(&op))
      means.push_back(mean);
  MomentDeriver deriver(fusion);
  // Squares of deviations are looked for while means of the same elements are.
  for (MeanOp mean : llvm::reverse(means))
    count += deriver.derive(mean);
  if (count > 0)
    eraseDeadOps(fusion);
  return count;
}

namespace {
struct DeriveMomentsPass : fuser::impl::FuserDeriveMomentsBase<DeriveMomentsPass> {
  void runOnOperation() override { numDerived += deriveMoments(getOperation()); }
};
} // namespace
