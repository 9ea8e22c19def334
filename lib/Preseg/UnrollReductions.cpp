//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-unroll-reductions.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "SliceShapes.h"
#include "SliceSizes.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERUNROLLREDUCTIONS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The most elements of a reduction, and the most ops that compute each.
static constexpr int64_t kMostElements = 8;
static constexpr size_t kMostOps = 8;

static size_t countLargeDims(Value value) {
  return llvm::count_if(cast<RankedTensorType>(value.getType()).getShape(),
                        [](int64_t size) { return size != 1; });
}

/// True if few pointwise ops, which nothing but `reduction` needs, compute the value from values of
/// fewer dimensions: from what is repeated.
static bool isOfRepeated(Value value, Operation *reduction) {
  const size_t numDims = countLargeDims(value);
  llvm::SmallSetVector<Operation *, 8> ops;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!isa<RankedTensorType>(next.getType()) || countLargeDims(next) < numDims)
      continue;
    if (!op || !isPointwise(op) || op->getNumResults() != 1 || fuser::detail::isScheduled(op))
      return false;
    if (ops.insert(op) && ops.size() > kMostOps)
      return false;
    llvm::append_range(stack, op->getOperands());
  }
  return !ops.empty() && llvm::all_of(ops, [&](Operation *op) {
    return llvm::all_of(op->getUsers(),
                        [&](Operation *user) { return user == reduction || ops.contains(user); });
  });
}

namespace {

/// sum(f(x), dims [d]) = f(x)[0] + ... + f(x)[n - 1]
struct UnrollReduction
    : CountedPattern<CombinerOpInterface, OpInterfaceRewritePattern<CombinerOpInterface>> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(CombinerOpInterface op, PatternRewriter &rewriter) const override {
    if (!isa<SumOp, ProdOp, MinOp, MaxOp>(op))
      return rewriter.notifyMatchFailure(op, "no op of two elements does the same");
    auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
    Value operand = op->getOperand(0);
    auto type = cast<RankedTensorType>(operand.getType()),
         resultType = cast<RankedTensorType>(op->getResult(0).getType());
    // Sums of half types are rounded once.
    if (!dims || dims.size() != 1 || type.getElementType() != resultType.getElementType() ||
        !(type.getElementType().isF32() || type.getElementType().isF64() ||
          type.getElementType().isSignlessInteger(32) ||
          type.getElementType().isSignlessInteger(64)))
      return rewriter.notifyMatchFailure(op, "it reduces several dimensions, or rounds");
    const int64_t dim = dims[0], size = type.getDimSize(dim);
    if (ShapedType::isDynamic(size) || size < 2 || size > kMostElements)
      return rewriter.notifyMatchFailure(op, "its elements are not few");
    if (!isOfRepeated(operand, op))
      return rewriter.notifyMatchFailure(op, "its operand is not computed from repeated values");
    Value total;
    for (int64_t index = 0; index < size; ++index) {
      Value element = getElement(rewriter, op.getLoc(), operand, dim, index);
      total = total ? combine(rewriter, op, total, element) : element;
    }
    rewriter.replaceOp(op, total);
    return success();
  }

private:
  static Value getElement(PatternRewriter &rewriter, Location loc, Value operand, int64_t dim,
                          int64_t index) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)), sizes;
    for (int64_t each = 0; each < type.getRank(); ++each)
      if (type.isDynamicDim(each))
        sizes.push_back(buildSize(rewriter, loc, operand, each));
      else
        sizes.push_back(rewriter.getIndexAttr(type.getDimSize(each)));
    offsets[dim] = rewriter.getIndexAttr(index);
    sizes[dim] = rewriter.getIndexAttr(1);
    Value slice = createSlice(rewriter, loc, RankedTensorType(), operand, offsets, sizes);
    return SqueezeOp::create(rewriter, loc, slice, dim);
  }

  static Value combine(PatternRewriter &rewriter, Operation *op, Value a, Value b) {
    const Location loc = op->getLoc();
    if (isa<SumOp>(op))
      return AddOp::create(rewriter, loc, a, b);
    if (isa<ProdOp>(op))
      return MulOp::create(rewriter, loc, a, b);
    if (isa<MaxOp>(op))
      return MaximumOp::create(rewriter, loc, a, b);
    return MinimumOp::create(rewriter, loc, a, b);
  }
};

struct UnrollReductionsPass : fuser::impl::FuserUnrollReductionsBase<UnrollReductionsPass> {
  void runOnOperation() override { numUnrolled += unrollReductions(getOperation()); }
};

} // namespace

unsigned fuser::unrollReductions(FusionOp fusion) { return applyCounted<UnrollReduction>(fusion); }
