//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-fold-reshapes.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include <algorithm>
#include <functional>

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERFOLDRESHAPES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The numbers of elements before each dimension ends, without those of size 1.
static SmallVector<int64_t> getEnds(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> ends;
  int64_t end = 1;
  for (int64_t size : sizes)
    if (size != 1)
      ends.push_back(end *= size);
  return ends;
}

/// True if dimensions of these sizes are split and merged again at other places, and there are
/// dimensions of which those of both sides are merges.
static bool isRegrouped(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (getStaticProduct(from).value_or(0) == 0 || !getStaticProduct(to))
    return false;
  SmallVector<int64_t> first = getEnds(from), second = getEnds(to), ends(first);
  llvm::append_range(ends, second);
  llvm::sort(ends);
  ends.erase(llvm::unique(ends), ends.end());
  auto divides = [](int64_t end, int64_t next) { return next % end == 0; };
  return ends != first && ends != second &&
         std::adjacent_find(ends.begin(), ends.end(), std::not_fn(divides)) == ends.end();
}

namespace {

/// reshape(reshape(x)) by one dimension of which both sides have parts = reshape(x).
struct FoldReshape : CountedPattern<ReshapeOp> {
  using CountedPattern::CountedPattern;

  LogicalResult rewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto before = getDefiningOp<ReshapeOp>(op.getInput());
    if (!before || isa<BlockArgument>(before.getInput()))
      return rewriter.notifyMatchFailure(op, "it is no reshape of another one, or of a view");
    RankedTensorType from = before.getInput().getType(), to = op.getResult().getType();
    // Several unknown sizes do not tell which dimensions correspond.
    std::string reason;
    std::optional<ReshapePlan> plan =
        from.getNumDynamicDims() <= 1 && to.getNumDynamicDims() <= 1
            ? planReshape(op.getContext(), from.getShape(), to.getShape(), reason)
            : std::nullopt;
    if (!plan || !hasRegrouped(*plan, from.getShape(), to.getShape()))
      return rewriter.notifyMatchFailure(op, "no dimensions are both split and merged");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, to, before.getInput(), DenseI64ArrayAttr(),
                                           DenseI64ArrayAttr(), ArrayAttr(), MemoryAttr(),
                                           IntegerAttr());
    return success();
  }

private:
  static bool hasRegrouped(const ReshapePlan &plan, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    return llvm::any_of(plan.groups, [&](const ReshapeGroup &group) {
      ArrayRef<int64_t> own = from.take_front(group.from), other = to.take_front(group.to);
      from = from.drop_front(group.from);
      to = to.drop_front(group.to);
      return isRegrouped(own, other);
    });
  }
};

struct FoldReshapesPass : fuser::impl::FuserFoldReshapesBase<FoldReshapesPass> {
  void runOnOperation() override { numFolded += foldReshapes(getOperation()); }
};

} // namespace

unsigned fuser::foldReshapes(FusionOp fusion) { return applyCounted<FoldReshape>(fusion); }
