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
    keys.emplace_back(getRank(type), getLogicalOrigin(domain, id), position);
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

/// The streams among the shards of the result that iterate over its dimensions.
static SmallVector<Shard> getStreams(DomainAttr domain) {
  FailureOr<SmallVector<Shard>> shards = getShards(domain);
  SmallVector<Shard> streams;
  if (succeeded(shards))
    for (const Shard &shard : *shards)
      if (shard.type == ParallelType::Stream)
        streams.push_back(shard);
  return streams;
}

/// True where `use` runs over the same streams as the value that it reads.
static bool runsOverStreams(OpOperand &use, DomainAttr produced, ArrayRef<Shard> streams) {
  auto user = dyn_cast<TensorViewOpInterface>(use.getOwner());
  auto mapping = dyn_cast<DomainMappingOpInterface>(use.getOwner());
  if (!user || !mapping)
    return false;
  DomainAttr consumed = user.getDomain();
  // Dimensions map to root ids, which are logical ids unless dimensions are split or merged.
  if (!consumed.getRoot().empty())
    return false;
  SmallVector<Shard> theirs = getStreams(consumed);
  if (theirs.size() != streams.size())
    return false;
  SmallVector<DimMap> maps = mapping.getDimMaps(use.getOperandNumber());
  SmallVector<unsigned> dims = produced.getResultIds();
  return llvm::all_of(streams, [&](const Shard &stream) {
    const unsigned *dim = llvm::find(dims, produced.getLogical()[stream.logical]);
    if (dim == dims.end())
      return false;
    const DimMap &map = maps[dim - dims.begin()];
    return map.kind == DimMap::Kind::Mapped && llvm::any_of(theirs, [&](const Shard &other) {
             return other.logical == map.id && other.steps == stream.steps;
           });
  });
}

Operation *fuser::getUserOverOtherStreams(OpResult value) {
  DomainAttr domain =
      cast<TensorViewOpInterface>(value.getOwner()).getDomain(value.getResultNumber());
  SmallVector<Shard> streams = getStreams(domain);
  for (OpOperand &use : value.getUses())
    if (!runsOverStreams(use, domain, streams))
      return use.getOwner();
  return nullptr;
}
