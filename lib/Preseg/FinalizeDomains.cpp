//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-finalize-domains.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/Distribution.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERFINALIZEDOMAINS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

namespace {

/// A dimension of a buffer before it is distributed.
struct BaseDim {
  /// A logical id.
  unsigned id;
  /// The dimension is contiguous with the next faster one.
  bool contiguous;
};

/// Replays the splits of distributed loop ids on an allocation.
class AllocationReplay {
public:
  AllocationReplay(DomainAttr domain, llvm::function_ref<bool(ParallelType)> isAllocated)
      : domain(domain) {
    for (auto [id, type] : llvm::zip_equal(domain.getLoop(), domain.getParallel()))
      if (isDistributed(type) && isAllocated(type))
        for (unsigned part = id;;) {
          needed.insert(part);
          int definition = domain.getDefinition(part);
          if (definition < 0)
            break;
          part = domain.getTransforms()[definition].inputs[0];
        }
  }

  void add(BaseDim dim) {
    const DomainTransform *split = getSplit(dim.id);
    if (!split) {
      ids.push_back(dim.id);
      contiguity.push_back(dim.contiguous);
      return;
    }
    // The outer part steps over the inner one; the inner part is as contiguous as the whole was
    // (S4.7).
    add({split->outputs[0], true});
    add({split->outputs[1], dim.contiguous});
  }

  SmallVector<unsigned> ids;
  SmallVector<bool> contiguity;

private:
  /// The split of `id` that leads to a distributed id, or null.
  const DomainTransform *getSplit(unsigned id) const {
    for (const DomainTransform &transform : domain.getTransforms())
      if (transform.kind == TransformKind::Split && transform.inputs[0] == id &&
          llvm::any_of(transform.getOutputs(),
                       [&](unsigned output) { return needed.contains(output); }))
        return &transform;
    return nullptr;
  }

  DomainAttr domain;
  /// Distributed ids and the ids that they are split from.
  llvm::SmallDenseSet<unsigned> needed;
};

} // namespace

/// The logical ids of an allocation in its order, regardless of its splits. Nullopt if an id is not
/// derived from one logical id by splits.
static std::optional<SmallVector<BaseDim>> getBaseDims(DomainAttr domain) {
  SmallVector<BaseDim> dims;
  for (auto [allocated, contiguous] :
       llvm::zip_equal(domain.getAllocation(), domain.getContiguity())) {
    unsigned id = allocated;
    while (!llvm::is_contained(domain.getLogical(), id)) {
      int definition = domain.getDefinition(id);
      if (definition < 0 || domain.getTransforms()[definition].kind != TransformKind::Split)
        return std::nullopt;
      id = domain.getTransforms()[definition].inputs[0];
    }
    // The contiguity of the whole is that of its last part.
    BaseDim *known = llvm::find_if(dims, [&](const BaseDim &dim) { return dim.id == id; });
    if (known == dims.end())
      dims.push_back({id, contiguous});
    else
      known->contiguous = contiguous;
  }
  return dims;
}

/// `domain` with its loops in canonical order, and with an allocation in the order of `dims` that
/// is split like the distributed loops.
static DomainAttr finalize(DomainAttr domain, ArrayRef<BaseDim> dims, bool allocatesStreams) {
  AllocationReplay replay(
      domain, [&](ParallelType type) { return type != ParallelType::Stream || allocatesStreams; });
  for (const BaseDim &dim : dims)
    replay.add(dim);
  DomainBuilder builder(domain);
  builder.setAllocation(replay.ids, replay.contiguity);
  builder.reorderLoop(getCanonicalLoopOrder(domain));
  return builder.build();
}

static bool hasStream(DomainAttr domain) {
  return llvm::is_contained(domain.getParallel(), ParallelType::Stream);
}

static bool finalizeResult(TensorViewOpInterface op, OpResult result) {
  DomainAttr domain = op.getDomain(result.getResultNumber());
  std::optional<SmallVector<BaseDim>> dims = getBaseDims(domain);
  if (!dims || failed(getShards(domain)))
    return false;
  if (LayoutHintAttr hint = getLayoutHint(result)) {
    SmallVector<unsigned> ids = domain.getResultIds();
    dims =
        llvm::map_to_vector(hint.getOrder(), [&](int64_t dim) { return BaseDim{ids[dim], true}; });
  }
  bool allocatesStreams = hasStream(domain) && !getUserOverOtherStreams(result);
  DomainAttr finalized = finalize(domain, *dims, allocatesStreams);
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
  SmallVector<BaseDim> dims;
  for (auto [position, dim] : llvm::enumerate(layout.getOrder()))
    dims.push_back({domain.getLogical()[dim], layout.isContiguousAt(position)});
  DomainAttr finalized = finalize(domain, dims, /*allocatesStreams=*/false);
  if (finalized == domain)
    return false;
  fusion.setArgDomain(arg, finalized);
  return true;
}

unsigned fuser::finalizeDomains(FusionOp fusion) {
  unsigned count = 0;
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
        count += finalizeResult(view, result);
  }
  return count;
}

namespace {
struct FinalizeDomainsPass : fuser::impl::FuserFinalizeDomainsBase<FinalizeDomainsPass> {
  void runOnOperation() override { numFinalized += finalizeDomains(getOperation()); }
};
} // namespace
