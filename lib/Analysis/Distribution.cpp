//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/Distribution.h"
#include "fuser/Dialect/IR/Fuser.h"

using namespace mlir;
using namespace fuser;

bool fuser::isDistributed(ParallelType type) {
  return isDeviceType(type) || type == ParallelType::Stream;
}

FailureOr<SmallVector<Shard>> fuser::getShards(DomainAttr domain) {
  SmallVector<Shard> shards;
  for (auto [loopId, type] : llvm::zip_equal(domain.getLoop(), domain.getParallel())) {
    if (!isDistributed(type))
      continue;
    Shard shard{type, loopId, 0, {}};
    unsigned id = loopId;
    const unsigned *logical;
    while ((logical = llvm::find(domain.getLogical(), id)) == domain.getLogical().end()) {
      int definition = domain.getDefinition(id);
      if (definition < 0)
        return failure();
      const DomainTransform &split = domain.getTransforms()[definition];
      if (split.kind != TransformKind::Split)
        return failure();
      shard.steps.push_back({split.value, split.inner, split.outputs[0] == id ? 0u : 1u});
      id = split.inputs[0];
    }
    std::reverse(shard.steps.begin(), shard.steps.end());
    shard.logical = logical - domain.getLogical().begin();
    shards.push_back(std::move(shard));
  }
  return shards;
}

/// The position of the first logical id that `id` comes from.
static unsigned getLogicalOrigin(DomainAttr domain, unsigned id) {
  const unsigned *logical = llvm::find(domain.getLogical(), id);
  if (logical != domain.getLogical().end())
    return logical - domain.getLogical().begin();
  unsigned origin = domain.getLogical().size();
  int definition = domain.getDefinition(id);
  if (definition >= 0)
    for (unsigned input : domain.getTransforms()[definition].getInputs())
      origin = std::min(origin, getLogicalOrigin(domain, input));
  return origin;
}

SmallVector<unsigned> fuser::getCanonicalLoopOrder(DomainAttr domain) {
  auto getRank = [](ParallelType type) {
    switch (type) {
    case ParallelType::Stream:
      return 0;
    case ParallelType::DeviceZ:
      return 1;
    case ParallelType::DeviceY:
      return 2;
    case ParallelType::DeviceX:
      return 3;
    default:
      return 4;
    }
  };
  SmallVector<std::tuple<int, unsigned, unsigned>> keys;
  for (auto [position, id, type] : llvm::enumerate(domain.getLoop(), domain.getParallel()))
    keys.emplace_back(getRank(type),
                      type == ParallelType::Stream ? 0 : getLogicalOrigin(domain, id), position);
  llvm::sort(keys);
  return llvm::map_to_vector(keys, [](auto key) { return std::get<2>(key); });
}

bool fuser::isUnscheduled(TensorViewOpInterface op) {
  if (op->hasAttr("memory") || op->hasAttr("inline_at"))
    return false;
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result)
    if (op.hasDomains() && llvm::any_of(op.getDomain(result).getParallel(), [](ParallelType type) {
          return type != ParallelType::Serial && !isDistributed(type);
        }))
      return false;
  return true;
}

bool fuser::isAllocatedStream(DomainAttr domain, unsigned id) {
  return llvm::is_contained(domain.getAllocation(), id) &&
         !llvm::is_contained(domain.getLogical(), id);
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

namespace {

/// Replays the splits of distributed loop ids on an allocation.
class AllocationReplay {
public:
  AllocationReplay(DomainAttr domain, unsigned numStreams) : domain(domain) {
    for (auto [id, type] : llvm::zip_equal(domain.getLoop(), domain.getParallel())) {
      if (!isDistributed(type) || (type == ParallelType::Stream && numStreams == 0))
        continue;
      numStreams -= type == ParallelType::Stream;
      for (unsigned part = id;;) {
        needed.insert(part);
        int definition = domain.getDefinition(part);
        if (definition < 0)
          break;
        part = domain.getTransforms()[definition].inputs[0];
      }
    }
  }

  void add(AllocatedDim dim) {
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

std::optional<SmallVector<AllocatedDim>> fuser::getAllocatedDims(DomainAttr domain) {
  SmallVector<AllocatedDim> dims;
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
    AllocatedDim *known =
        llvm::find_if(dims, [&](const AllocatedDim &dim) { return dim.id == id; });
    if (known == dims.end())
      dims.push_back({id, contiguous});
    else
      known->contiguous = contiguous;
  }
  return dims;
}

DomainAttr fuser::replayAllocation(DomainAttr domain, ArrayRef<AllocatedDim> dims,
                                   unsigned numStreams) {
  AllocationReplay replay(domain, numStreams);
  for (const AllocatedDim &dim : dims)
    replay.add(dim);
  DomainBuilder builder(domain);
  builder.setAllocation(replay.ids, replay.contiguity);
  return builder.build();
}
