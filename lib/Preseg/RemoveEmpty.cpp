//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-remove-empty.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERREMOVEEMPTY
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// True for a tensor that is statically empty.
static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

/// True for an empty tensor whose element type has constants.
static bool isReplaceable(Type type) {
  return isEmpty(type) && !isa<ComplexType>(getElementTypeOrSelf(type));
}

/// True if the op reduces a statically empty dimension, and its result's element type has
/// constants.
static bool reducesNothing(Operation *op) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(op);
  if (!mapping || !isa<CombinerOpInterface>(op) || fuser::detail::computesInComplex(op))
    return false;
  SmallVector<IdKind> kinds = mapping.getRootKinds();
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
      if (map.kind == DimMap::Kind::Mapped && kinds[map.id] == IdKind::Reduction &&
          type.getDimSize(dim) == 0)
        return true;
  }
  return false;
}

/// True if the op equals its first operand: it pads by zero, or does not move dimensions.
static bool movesNothing(Operation &op) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (auto pad = dyn_cast<PadOp>(op))
    return pad.getInput().getType() == pad.getResult().getType() &&
           llvm::all_of(pad.getStaticLow(), isZero) && llvm::all_of(pad.getStaticHigh(), isZero);
  auto permute = dyn_cast<PermuteOp>(op);
  return permute && permute.getInput().getType() == permute.getResult().getType() &&
         llvm::is_sorted(permute.getPermutation());
}

namespace {

/// Rewrites one fusion in the order of its ops, so that users see operands that became empty.
class EmptyRemover {
public:
  explicit EmptyRemover(FusionOp fusion)
      : fusion(fusion), rewriter(fusion.getContext()), sizes(fusion.getContext()) {}

  FailureOr<RemovedEmpty> run() {
    for (Operation &op : llvm::make_early_inc_range(fusion.getBody().front().without_terminator()))
      if (failed(visit(op)))
        return failure();
    eraseDeadOps(fusion);
    return removed;
  }

private:
  LogicalResult visit(Operation &op) {
    if (!isa<TensorViewOpInterface>(op) || isa<SegmentSetOp>(op) || fuser::detail::isScheduled(&op))
      return success();
    rewriter.setInsertionPoint(&op);
    bool makesNothing = llvm::none_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>);
    if (!makesNothing && llvm::all_of(op.getResultTypes(), isReplaceable)) {
      removed.numTensors += op.getNumResults();
      return replaceByZeros(&op);
    }
    if (reducesNothing(&op)) {
      ++removed.numReductions;
      return replaceByIdentity(&op);
    }
    if (movesNothing(op)) {
      ++removed.numMoves;
      rewriter.replaceOp(&op, op.getOperand(0));
      return success();
    }
    if (auto cat = dyn_cast<CatOp>(op))
      return dropOperands(cat);
    if (auto pad = dyn_cast<PadOp>(op); pad && isEmpty(pad.getInput().getType()))
      return ++removed.numOperands, replaceByFull(&op, pad.getValue());
    else if (auto insert = dyn_cast<InsertSliceOp>(op);
             insert && isEmpty(insert.getSource().getType()))
      ++removed.numOperands, rewriter.replaceOp(insert, insert.getDestination());
    else if (insert)
      return dropDestination(insert);
    else if (auto scatter = dyn_cast<ScatterOp>(op);
             scatter && isEmpty(scatter.getIndex().getType()))
      ++removed.numOperands, rewriter.replaceOp(scatter, scatter.getInput());
    else if (auto push = dyn_cast<PushOp>(op); push && isEmpty(push.getIndex().getType()))
      ++removed.numOperands, rewriter.replaceOp(push, push.getInput());
    return success();
  }

  LogicalResult createAnalysis() {
    if (analysis)
      return success();
    FailureOr<ExtentAnalysis> created = ExtentAnalysis::create(fusion);
    if (failed(created))
      return failure();
    analysis = std::move(*created);
    return success();
  }

  /// True if every element of the destination is replaced. Not for destinations in arguments, where
  /// the op states what is stored in place.
  FailureOr<bool> insertsAll(InsertSliceOp insert) {
    auto type = insert.getSource().getType();
    Operation *producer = insert.getDestination().getDefiningOp();
    if (type != insert.getDestination().getType() || !producer ||
        isa<UpdateOpInterface>(producer) ||
        !llvm::all_of(insert.getStaticOffsets(), [](int64_t offset) { return offset == 0; }))
      return false;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      if (failed(createAnalysis()))
        return failure();
      AffineExpr inserted = getExtent(insert.getSource(), dim),
                 all = getExtent(insert.getDestination(), dim);
      if (!inserted || !all || !analysis->isProvablyEqual(inserted, all))
        return false;
    }
    return true;
  }

  /// The sizes of the dynamic dimensions of `value`, built from arguments at the fusion's start.
  FailureOr<SmallVector<Value>> getDynamicSizes(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<Value> result;
    if (type.hasStaticShape())
      return result;
    if (failed(createAnalysis()))
      return failure();
    if (!values) {
      sizes.setInsertionPointToStart(&fusion.getBody().front());
      values.emplace(*analysis, fusion.getBody().front().getArguments(), sizes, fusion.getLoc());
    }
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        result.push_back(values->build(getExtent(value, dim)));
    return result;
  }

  /// The extent of a value of the fusion that is analyzed, or of one in its place.
  AffineExpr getExtent(Value value, unsigned dim) const {
    auto it = replaced.find(value);
    return analysis->getExtent(it == replaced.end() ? value : it->second, dim);
  }

  FailureOr<Value> buildFull(Value like, Value element) {
    FailureOr<SmallVector<Value>> dynamic = getDynamicSizes(like);
    if (failed(dynamic))
      return failure();
    return FullOp::create(rewriter, like.getLoc(), like.getType(), element, *dynamic, ArrayAttr(),
                          MemoryAttr(), IntegerAttr())
        .getResult();
  }

  LogicalResult replaceResult(OpResult result, Value element) {
    FailureOr<Value> full = buildFull(result, element);
    if (failed(full))
      return failure();
    replaced[*full] = result;
    rewriter.replaceAllUsesWith(result, *full);
    return success();
  }

  LogicalResult replaceByFull(Operation *op, Value element) {
    return replaceResult(op->getResult(0), element);
  }

  /// No element is ever read, so that any value is legal.
  LogicalResult replaceByZeros(Operation *op) {
    for (OpResult result : op->getResults()) {
      Type element = cast<RankedTensorType>(result.getType()).getElementType();
      Value zero = arith::ConstantOp::create(rewriter, op->getLoc(), rewriter.getZeroAttr(element));
      if (failed(replaceResult(result, zero)))
        return failure();
    }
    return success();
  }

  /// Every element is the combiner's identity.
  LogicalResult replaceByIdentity(Operation *op) {
    auto combiner = cast<CombinerOpInterface>(op);
    Value count = arith::ConstantIndexOp::create(rewriter, op->getLoc(), 0);
    SmallVector<Value> elements = combiner.buildFinalize(
        rewriter, op->getLoc(), combiner.buildIdentity(rewriter, op->getLoc()), count);
    for (auto [result, element] : llvm::zip_equal(op->getResults(), elements))
      if (failed(replaceResult(result, element)))
        return failure();
    return success();
  }

  LogicalResult dropDestination(InsertSliceOp insert) {
    FailureOr<bool> isWhole = insertsAll(insert);
    if (failed(isWhole))
      return failure();
    if (*isWhole) {
      ++removed.numMoves;
      rewriter.replaceOp(insert, insert.getSource());
    }
    return success();
  }

  LogicalResult dropOperands(CatOp cat) {
    SmallVector<Value> kept;
    for (Value input : cat.getInputs())
      if (cast<RankedTensorType>(input.getType()).getDimSize(cat.getDim()) != 0)
        kept.push_back(input);
    if (kept.size() == cat.getInputs().size())
      return success();
    removed.numOperands += cat.getInputs().size() - kept.size();
    if (kept.empty())
      return replaceByZeros(cat);
    if (kept.size() == 1 && kept.front().getType() == cat.getResult().getType())
      rewriter.replaceOp(cat, kept.front());
    else
      rewriter.modifyOpInPlace(cat, [&] { cat.getInputsMutable().assign(kept); });
    return success();
  }

  FusionOp fusion;
  IRRewriter rewriter;
  /// Builds sizes at the start of the fusion, where they dominate all ops.
  OpBuilder sizes;
  std::optional<ExtentAnalysis> analysis;
  std::optional<ExtentValues> values;
  /// What took the place of results of ops, which are not erased before the end. The analysis does
  /// not know it, or takes it for an erased value that had the same address.
  llvm::DenseMap<Value, Value> replaced;
  RemovedEmpty removed;
};

struct RemoveEmptyPass : fuser::impl::FuserRemoveEmptyBase<RemoveEmptyPass> {
  void runOnOperation() override {
    FailureOr<RemovedEmpty> removed = removeEmpty(getOperation());
    if (failed(removed))
      return signalPassFailure();
    numTensors += removed->numTensors;
    numReductions += removed->numReductions;
    numOperands += removed->numOperands;
    numMoves += removed->numMoves;
  }
};

} // namespace

FailureOr<RemovedEmpty> fuser::removeEmpty(FusionOp fusion) { return EmptyRemover(fusion).run(); }
