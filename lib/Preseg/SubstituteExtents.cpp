//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-substitute-extents.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Analysis/ImpliedFacts.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERSUBSTITUTEEXTENTS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

namespace {

/// Replaces the sizes that ops read by a unique value each.
class SizeNames {
public:
  SizeNames(FusionOp fusion, const ExtentAnalysis &analysis) : fusion(fusion), analysis(analysis) {}

  /// Replaces sizes by constants and by the first read of an equal one; returns how many.
  unsigned run() {
    unsigned count = 0;
    for (auto dim : llvm::make_early_inc_range(fusion.getBody().front().getOps<tensor::DimOp>())) {
      Value name = getName(dim);
      if (!name || name == dim.getResult())
        continue;
      dim.replaceAllUsesWith(name);
      dim.erase();
      ++count;
    }
    return count;
  }

private:
  /// The value that replaces the size; null: the size itself.
  Value getName(tensor::DimOp dim) {
    AffineExpr expr = analysis.getScalar(dim);
    if (!expr)
      return {};
    OpBuilder builder(dim);
    if (std::optional<int64_t> constant = analysis.getConstant(expr))
      return arith::ConstantIndexOp::create(builder, dim.getLoc(), *constant);
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!symbol || analysis.getSymbols()[symbol.getPosition()].dim < 0)
      return {};
    Value &name = names[symbol.getPosition()];
    if (name)
      return name;
    ExtentAnalysis::Symbol place = analysis.getSymbols()[symbol.getPosition()];
    Value argument = fusion.getBody().front().getArgument(place.arg);
    bool readsPlace = dim.getSource() == argument && dim.getConstantIndex() == place.dim;
    name = readsPlace ? dim.getResult()
                      : tensor::DimOp::create(builder, dim.getLoc(), argument, place.dim);
    return name;
  }

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  llvm::DenseMap<unsigned, Value> names;
};

/// Static sizes in the types of values.
class TypeRefiner {
public:
  TypeRefiner(FusionOp fusion, const ExtentAnalysis &analysis)
      : body(fusion.getBody().front()), analysis(analysis) {}

  /// Returns the number of types that became more static.
  unsigned run() {
    freeze();
    unsigned count = 0;
    for (Operation &op : body)
      for (OpResult result : op.getResults())
        if (isa<RankedTensorType>(result.getType()) && !frozen.contains(result))
          count += refine(result);
    return count;
  }

private:
  /// The operand whose type result 0 of `op` must have, or null.
  static Value getTiedOperand(Operation &op) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    int64_t operand = view ? view.getOperandOfResultType() : -1;
    return operand < 0 ? Value() : op.getOperand(operand);
  }

  /// True for ops whose operands are sizes of their dynamic dimensions, and that this pass does not
  /// know.
  static bool takesUnknownSizes(Operation &op) {
    return llvm::is_contained(op.getOperandTypes(), IndexType::get(op.getContext())) &&
           !isa<FullOp, IotaOp, RandomUniformOp, RandomNormalOp, ExpandOp, SliceOp, PadOp,
                InsertSliceOp>(op);
  }

  /// Freezes types that must not change: those of arguments and outputs; those that a schedule
  /// describes; operands and results of ops that split or merge dimensions (which correspond by
  /// what is dynamic) or that count their dynamic dimensions; and types that are tied to one of
  /// these, by definition or as another result of the op.
  void freeze() {
    for (BlockArgument argument : body.getArguments())
      frozen.insert(argument);
    for (Value output : body.getTerminator()->getOperands())
      frozen.insert(output);
    for (Operation &op : llvm::reverse(body.without_terminator())) {
      auto view = dyn_cast<TensorViewOpInterface>(op);
      if (!view)
        continue;
      bool splits = !view.getTrivialDomain(0).getRoot().empty();
      auto isFrozen = [&](Value result) { return frozen.contains(result); };
      if (takesUnknownSizes(op) || llvm::any_of(op.getResults(), isFrozen))
        frozen.insert(op.result_begin(), op.result_end());
      if (splits || fuser::detail::isScheduled(&op)) {
        frozen.insert(op.operand_begin(), op.operand_end());
        frozen.insert(op.result_begin(), op.result_end());
      }
      Value tied = getTiedOperand(op);
      if (tied && frozen.contains(op.getResult(0)))
        frozen.insert(tied);
    }
    for (Operation &op : body) {
      // The result of a reshape has no fewer dynamic dimensions than its operand.
      auto reshape = dyn_cast<ReshapeOp>(op);
      Value tied = reshape ? reshape.getInput() : getTiedOperand(op);
      if (tied && frozen.contains(tied))
        frozen.insert(op.getResult(0));
    }
  }

  unsigned refine(OpResult result) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, size] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(size))
        continue;
      std::optional<int64_t> constant = analysis.getConstant(analysis.getExtent(result, dim));
      // A dimension of size 1 is a broadcast, so that the program would change.
      if (constant && *constant != 1)
        size = *constant;
    }
    if (shape == type.getShape())
      return 0;
    dropSizes(result.getOwner(), shape);
    result.setType(type.clone(shape));
    return 1;
  }

  /// Drops the size operands of dimensions that `shape` makes static.
  static void dropSizes(Operation *op, ArrayRef<int64_t> shape) {
    auto drop = [&](MutableOperandRange sizes, auto takesSize) {
      auto old = cast<RankedTensorType>(op->getResult(0).getType());
      SmallVector<Value> kept;
      unsigned next = 0;
      for (auto [dim, size] : llvm::enumerate(shape)) {
        if (!old.isDynamicDim(dim) || !takesSize(dim))
          continue;
        if (ShapedType::isDynamic(size))
          kept.push_back(sizes[next].get());
        ++next;
      }
      sizes.assign(kept);
    };
    auto always = [](unsigned) { return true; };
    if (auto full = dyn_cast<FullOp>(op))
      drop(full.getSizesMutable(), always);
    else if (auto iota = dyn_cast<IotaOp>(op))
      drop(iota.getLengthMutable(), always);
    else if (auto uniform = dyn_cast<RandomUniformOp>(op))
      drop(uniform.getSizesMutable(), always);
    else if (auto normal = dyn_cast<RandomNormalOp>(op))
      drop(normal.getSizesMutable(), always);
    else if (auto expand = dyn_cast<ExpandOp>(op))
      drop(expand.getSizesMutable(), [&](unsigned dim) { return expand.isExpanded(dim); });
  }

  Block &body;
  const ExtentAnalysis &analysis;
  llvm::DenseSet<Value> frozen;
};

struct SubstituteExtentsPass : fuser::impl::FuserSubstituteExtentsBase<SubstituteExtentsPass> {
  void runOnOperation() override {
    FailureOr<SubstitutedExtents> result = substituteExtents(getOperation());
    if (failed(result))
      return signalPassFailure();
    numFacts += result->numFacts;
    numSizes += result->numSizes;
    numTypes += result->numTypes;
  }
};

} // namespace

FailureOr<SubstitutedExtents> fuser::substituteExtents(FusionOp fusion) {
  auto program = cast<FunctionOpInterface>(fusion.getOperation());
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(program);
  if (failed(analysis))
    return failure();
  SubstitutedExtents result;
  // Facts come first, because an op that implies one may be rewritten or erased later.
  if (ArrayAttr facts = getFactsWithImplied(program, *analysis)) {
    result.numFacts = facts.size() - (fusion.getFacts() ? fusion.getFacts()->size() : 0);
    if (result.numFacts)
      fusion.setFactsAttr(facts);
  }
  result.numTypes = TypeRefiner(fusion, *analysis).run();
  result.numSizes = SizeNames(fusion, *analysis).run();
  eraseDeadOps(fusion);
  return result;
}
