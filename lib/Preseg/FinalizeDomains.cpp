//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-finalize-domains.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/StreamNest.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERFINALIZEDOMAINS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// `domain` with its loops in canonical order.
static DomainAttr orderLoops(DomainAttr domain) {
  DomainBuilder builder(domain);
  builder.reorderLoop(getCanonicalLoopOrder(domain));
  return builder.build();
}

/// A buffer of one iteration needs an id for the stream: the first `numStreams` streams that run
/// over a whole dimension run over the outer output of a split by 1.
static DomainAttr splitWholeStreams(DomainAttr domain, unsigned numStreams) {
  DomainBuilder builder(domain);
  for (auto [id, type] : llvm::zip_equal(domain.getLoop(), domain.getParallel())) {
    if (type != ParallelType::Stream || numStreams == 0)
      continue;
    --numStreams;
    if (llvm::is_contained(domain.getLogical(), id))
      builder.parallelize(builder.split(id, 1).first, ParallelType::Stream);
  }
  return builder.build();
}

static bool finalizeResult(TensorViewOpInterface op, OpResult result, const StreamNest &nest) {
  DomainAttr domain = op.getDomain(result.getResultNumber());
  std::optional<SmallVector<AllocatedDim>> dims = getAllocatedDims(domain);
  if (!dims || failed(getShards(domain)))
    return false;
  if (LayoutHintAttr hint = getLayoutHint(result)) {
    SmallVector<unsigned> ids = domain.getResultIds();
    dims = llvm::map_to_vector(hint.getOrder(),
                               [&](int64_t dim) { return AllocatedDim{ids[dim], true}; });
  }
  const unsigned numStreams = nest.getNumSharedLoops(result);
  DomainAttr finalized =
      orderLoops(replayAllocation(splitWholeStreams(domain, numStreams), *dims, numStreams));
  if (finalized == domain)
    return false;
  op.setDomain(finalized, result.getResultNumber());
  return true;
}

static bool finalizeArgument(FusionOp fusion, unsigned arg) {
  DomainAttr domain = fusion.getArgDomain(arg);
  if (failed(getShards(domain)))
    return false;
  // The fact determines the argument's order; distribution only splits it.
  LayoutAttr layout = fusion.getArgLayout(arg);
  SmallVector<AllocatedDim> dims;
  for (auto [position, dim] : llvm::enumerate(layout.getOrder()))
    dims.push_back({domain.getLogical()[dim], layout.isContiguousAt(position)});
  DomainAttr finalized = orderLoops(replayAllocation(domain, dims, /*numStreams=*/0));
  if (finalized == domain)
    return false;
  fusion.setArgDomain(arg, finalized);
  return true;
}

unsigned fuser::finalizeDomains(FusionOp fusion) {
  unsigned count = 0;
  const StreamNest nest(fusion);
  if (auto domains = fusion.getArgDomains())
    for (auto [arg, domain] : llvm::enumerate(*domains))
      if (isa<DomainAttr>(domain))
        count += finalizeArgument(fusion, arg);
  for (Operation &op : fusion.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view || !isUnscheduled(view))
      continue;
    for (OpResult result : op.getResults())
      if (isa<RankedTensorType>(result.getType()) && (view.hasDomains() || getLayoutHint(result)))
        count += finalizeResult(view, result, nest);
  }
  return count;
}

namespace {
struct FinalizeDomainsPass : fuser::impl::FuserFinalizeDomainsBase<FinalizeDomainsPass> {
  void runOnOperation() override { numFinalized += finalizeDomains(getOperation()); }
};
} // namespace
