//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The loops of a schedule that values share with their readers: all, except where loads come first.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Inlining.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

/// The position of the first unrolled loop (or of the vectorized loop if there is none).
static int64_t getUnrollPosition(TensorViewOpInterface op) {
  ArrayRef<ParallelType> types = op.getDomain().getParallel();
  auto first = llvm::find(types, ParallelType::Unroll);
  return first != types.end() ? first - types.begin() : types.size();
}

/// The position after the block-parallel loops.
static int64_t getBlockPosition(TensorViewOpInterface op) {
  ArrayRef<ParallelType> types = op.getDomain().getParallel();
  return llvm::find_if_not(types, isBlockType) - types.begin();
}

/// The dimensions of size 1 of the op that a reader repeats.
static llvm::SmallBitVector getRepeatedIds(TensorViewOpInterface op) {
  llvm::SmallBitVector repeated(op.getDomain().getNumIds());
  const SmallVector<unsigned> results = op.getDomain().getResultIds();
  for (OpOperand &use : op->getResult(0).getUses())
    if (auto reader = dyn_cast<DomainMappingOpInterface>(use.getOwner()))
      for (auto [dim, map] : llvm::enumerate(reader.getDimMaps(use.getOperandNumber())))
        if (map.kind == DimMap::Kind::Broadcast && map.id != kNoId)
          repeated.set(results[dim]);
  return repeated;
}

namespace {
/// Which values are read, perhaps through others, by ops that repeat a dimension of size 1. Results
/// are computed on the first query and cached.
class RepeatedReads {
public:
  /// True if a direct or indirect reader of the op has a dimension of size 1 that its own readers
  /// repeat, and all readers on the path to it have broadcast ids.
  bool isRepeated(TensorViewOpInterface op) {
    if (auto it = known.find(op); it != known.end())
      return it->second;
    const bool isAny = llvm::any_of(op->getUsers(), [&](Operation *user) {
      auto reader = dyn_cast<TensorViewOpInterface>(user);
      return reader && llvm::is_contained(reader.getDomain().getKinds(), IdKind::Broadcast) &&
             (getRepeatedIds(reader).any() || isRepeated(reader));
    });
    return known[op] = isAny;
  }

private:
  llvm::DenseMap<Operation *, bool> known;
};
} // namespace

/// The ids that the first `numLoops` loops of the op derive from.
static llvm::SmallBitVector getIdsOfLoops(DomainAttr domain, int64_t numLoops) {
  llvm::SmallBitVector ids(domain.getNumIds());
  for (unsigned id : domain.getLoop().take_front(numLoops))
    ids.set(id);
  for (const DomainTransform &transform : llvm::reverse(domain.getTransforms()))
    if (llvm::any_of(transform.getOutputs(), [&](unsigned id) { return ids.test(id); }))
      for (unsigned id : transform.getInputs())
        ids.set(id);
  return ids;
}

/// The ids of the op that stand for dimensions of its consumer, and may have another extent there:
/// dimensions of size 1 that the consumer repeats, and broadcasts for those that the op does not
/// have. Without reshapes, the latter are broadcast ids of its consumer as well. They differ from
/// them if the consumer is in loops that repeat them, and no loop that both share does.
static llvm::SmallBitVector getStandIns(TensorViewOpInterface op, int64_t position,
                                        bool hasReshapes, RepeatedReads &reads) {
  DomainAttr domain = op.getDomain();
  llvm::SmallBitVector standIns = getRepeatedIds(op);
  const bool isRepeated = reads.isRepeated(op);
  const llvm::SmallBitVector shared = getIdsOfLoops(domain, position);
  auto mayDiffer = [&](unsigned id) { return isRepeated && !shared.test(id); };
  for (unsigned id : domain.getRootOrLogical())
    if (domain.getKinds()[id] == IdKind::Broadcast && mayDiffer(id))
      standIns.set(id);
  for (const DomainTransform &transform : domain.getTransforms())
    if (transform.kind == TransformKind::Broadcast &&
        (hasReshapes || mayDiffer(transform.outputs[0])))
      standIns.set(transform.outputs[0]);
  return standIns;
}

/// True if a loop from `position` on is a merge of a dimension and of a broadcast id that stands
/// for a dimension of the consumer which the op does not have, or has with size 1. The merged ids
/// of the two are different, so that both have the same index only inside of the consumer's loop.
static bool hasMergedStandIn(TensorViewOpInterface op, int64_t position, bool hasReshapes,
                             RepeatedReads &reads) {
  DomainAttr domain = op.getDomain();
  llvm::SmallBitVector live(domain.getNumIds());
  for (unsigned id : domain.getLoop().drop_front(position))
    live.set(id);
  // And ids that are derived from them alone.
  llvm::SmallBitVector standIns = getStandIns(op, position, hasReshapes, reads);
  for (const DomainTransform &transform : domain.getTransforms())
    if (!transform.getInputs().empty() &&
        llvm::all_of(transform.getInputs(), [&](unsigned id) { return standIns.test(id); }))
      for (unsigned id : transform.getOutputs())
        standIns.set(id);
  for (const DomainTransform &transform : llvm::reverse(domain.getTransforms())) {
    if (llvm::none_of(transform.getOutputs(), [&](unsigned id) { return live.test(id); }))
      continue;
    if (transform.kind == TransformKind::Merge &&
        standIns.test(transform.inputs[0]) != standIns.test(transform.inputs[1]))
      return true;
    for (unsigned id : transform.getInputs())
      live.set(id);
  }
  return false;
}

/// True if the loops of the op from `position` on that are no threads or blocks have constant
/// extents, so that registers can hold what they compute.
static bool hasShortLoops(TensorViewOpInterface op, int64_t position) {
  DomainAttr domain = op.getDomain();
  return llvm::all_of(llvm::seq<int64_t>(position, domain.getLoop().size()), [&](int64_t each) {
    const unsigned id = domain.getLoop()[each];
    const int step = domain.getDefinition(id);
    const ParallelType type = domain.getParallel()[each];
    if (isThreadType(type) || isBlockType(type))
      return true;
    return step >= 0 && domain.getTransforms()[step].kind == TransformKind::Split &&
           domain.getTransforms()[step].outputs[domain.getTransforms()[step].inner] == id;
  });
}

/// The types of threads and blocks that loops of the kernel have, in ascending order.
static SmallVector<ParallelType> getHardwareTypes(KernelOp kernel) {
  SmallVector<ParallelType> types;
  for (TensorViewOpInterface op : kernel.getBody().front().getOps<TensorViewOpInterface>())
    llvm::copy_if(op.getDomain().getParallel(), std::back_inserter(types),
                  [](ParallelType type) { return isThreadType(type) || isBlockType(type); });
  llvm::sort(types);
  types.erase(llvm::unique(types), types.end());
  return types;
}

/// The position from which on a load is not in the loops of the store that overwrites what it
/// reads: several threads or blocks read an element that one of them stores, and the reductions
/// between the two order the store after the reads, which come first. Nothing if only one thread
/// reads each element.
static std::optional<int64_t> getPositionBeforeStores(KernelOp kernel, TensorViewOpInterface load,
                                                      ArrayRef<ParallelType> types) {
  auto argument = dyn_cast<BlockArgument>(load->getOperand(0));
  if (!argument || !isOverwritten(kernel, argument))
    return std::nullopt;
  DomainAttr domain = load.getDomain();
  const bool isOneElement = llvm::all_of(
      domain.getLoop(), [&](unsigned id) { return domain.getKinds()[id] == IdKind::Broadcast; });
  if (isOneElement)
    return 0;
  const int64_t position = getBlockPosition(load);
  const bool isShared = llvm::any_of(
      types, [&](ParallelType type) { return !llvm::is_contained(domain.getParallel(), type); });
  return isShared && hasShortLoops(load, position) ? std::optional(position) : std::nullopt;
}

bool fuser::isOverwritten(KernelOp kernel, BlockArgument argument) {
  std::optional<ArrayAttr> aliases = kernel.getAliases();
  return aliases && llvm::any_of(aliases->getAsRange<AliasAttr>(), [&](AliasAttr alias) {
           return int64_t(alias.getInput()) == int64_t(argument.getArgNumber());
         });
}

void KernelSchedule::inlineAll(function_ref<bool(TensorViewOpInterface)> first) {
  InlineLimits limits;
  RepeatedReads reads;
  const SmallVector<ParallelType> types = getHardwareTypes(kernel);
  for (TensorViewOpInterface load : loads)
    if (std::optional<int64_t> before = getPositionBeforeStores(kernel, load, types)) {
      limits[load] = *before;
      // Loops are in the order of their first ops.
      load->moveBefore(&kernel.getBody().front().front());
    } else if (load.getMemoryType() == MemoryType::Shared)
      limits[load] = getBlockPosition(load);
    else if (int64_t position = getUnrollPosition(load);
             first(load) && !hasMergedStandIn(load, position, hasReshapes, reads))
      limits[load] = position;
  inlineMost(kernel, limits);
}
