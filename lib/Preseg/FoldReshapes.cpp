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

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERFOLDRESHAPES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The numbers of elements from where each dimension begins, the fastest one first, without those
/// of size 1.
static SmallVector<int64_t> getBegins(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> begins;
  int64_t begin = 1;
  for (int64_t size : llvm::reverse(sizes))
    if (size != 1)
      begins.push_back(begin *= size);
  return begins;
}

/// The coarsest dimensions of which those of both sides are merges, if dimensions of one side are
/// split and merged to the other one; the slowest one may be of unknown size on both.
static std::optional<SmallVector<int64_t>> regroup(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (from.empty() || to.empty())
    return std::nullopt;
  const bool isUnknown = ShapedType::isDynamic(from.front());
  if (isUnknown != ShapedType::isDynamic(to.front()))
    return std::nullopt;
  from = from.drop_front(isUnknown);
  to = to.drop_front(isUnknown);
  if (getStaticProduct(from).value_or(0) == 0 || getStaticProduct(to).value_or(0) == 0)
    return std::nullopt;
  SmallVector<int64_t> first = getBegins(from), second = getBegins(to), begins(first);
  llvm::append_range(begins, second);
  llvm::sort(begins);
  begins.erase(llvm::unique(begins), begins.end());
  if (begins == first || begins == second)
    return std::nullopt;
  SmallVector<int64_t> sizes;
  int64_t before = 1;
  for (int64_t begin : begins) {
    if (begin % before != 0)
      return std::nullopt;
    sizes.push_back(begin / before);
    before = begin;
  }
  if (isUnknown)
    sizes.push_back(ShapedType::kDynamic);
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

namespace {

/// reshape(reshape(x)) by one dimension of which both sides have parts = reshape(x), or, of unknown
/// size, reshape(reshape(x)) by the parts.
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
    bool isRegrouped = false;
    const SmallVector<int64_t> parts =
        plan ? getParts(*plan, from.getShape(), to.getShape(), isRegrouped)
             : SmallVector<int64_t>();
    if (!isRegrouped || before.getResult().getType().getShape() == ArrayRef(parts))
      return rewriter.notifyMatchFailure(op, "no dimensions are both split and merged");
    auto reshape = [&](Value value, RankedTensorType type) -> Value {
      return ReshapeOp::create(rewriter, op.getLoc(), type, value, DenseI64ArrayAttr(),
                               DenseI64ArrayAttr(), ArrayAttr(), MemoryAttr(), IntegerAttr());
    };
    Value source = before.getInput();
    if (parts != to.getShape())
      source = reshape(source, from.clone(parts));
    rewriter.replaceOp(op, reshape(source, to));
    return success();
  }

private:
  /// The sizes of the result, with the parts of groups with an unknown size.
  static SmallVector<int64_t> getParts(const ReshapePlan &plan, ArrayRef<int64_t> from,
                                       ArrayRef<int64_t> to, bool &isRegrouped) {
    SmallVector<int64_t> sizes;
    for (const ReshapeGroup &group : plan.groups) {
      ArrayRef<int64_t> own = from.take_front(group.from), other = to.take_front(group.to);
      from = from.drop_front(group.from);
      to = to.drop_front(group.to);
      std::optional<SmallVector<int64_t>> parts = regroup(own, other);
      isRegrouped |= parts.has_value();
      llvm::append_range(sizes, parts && ShapedType::isDynamic(parts->front())
                                    ? ArrayRef<int64_t>(*parts)
                                    : other);
    }
    return sizes;
  }
};

struct FoldReshapesPass : fuser::impl::FuserFoldReshapesBase<FoldReshapesPass> {
  void runOnOperation() override { numFolded += foldReshapes(getOperation()); }
};

} // namespace

unsigned fuser::foldReshapes(FusionOp fusion) { return applyCounted<FoldReshape>(fusion); }
