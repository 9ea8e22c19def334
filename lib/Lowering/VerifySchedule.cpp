//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether a scheduled kernel can be lowered: a walk over its loops that creates no op, type or
// attribute.
//
//===----------------------------------------------------------------------===//

#include "AccessChecks.h"
#include "BlockThreads.h"
#include "KernelOperands.h"
#include "LaunchShape.h"
#include "OpIndices.h"
#include "ScanTiles.h"
#include "SharedMemoryPlan.h"
#include "Warps.h"
#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Lowering/Passes.h"

using namespace mlir;
using namespace fuser;

/// Accumulators of one thread; more would be in memory, and code for each is unrolled.
static constexpr int64_t kMaxAccumulators = 1024;
/// Accumulators of one thread that are combined with those of other blocks: one loop over the
/// blocks carries them, whose canonicalization takes time that grows faster than their square.
static constexpr int64_t kMaxCombinedAccumulators = 256;

namespace {
/// The tuples that a thread accumulates.
struct TupleCount {
  /// One for each index of the iteration loops inside of the reduction loops.
  int64_t tuples = 1;
  /// Elements of the vector of each, after lanes that are reduced were combined.
  int64_t lanes = 1;
};

class ScheduleChecks {
public:
  ScheduleChecks(CheckedKernel &checked, const LoweringOptions &options, LaunchShape shape);
  LogicalResult verify();

private:
  bool combinesBlocks(const ScheduledOp &scheduled) const;
  LogicalResult verifyScalars();
  LogicalResult verifyItems(Loop &loop);
  LogicalResult verifyLoop(Loop &loop);
  LogicalResult verifyOp(const ScheduledOp &scheduled);
  LogicalResult verifyVector(const ScheduledOp &scheduled);
  static bool allowsParts(const ScheduledOp &scheduled);
  SmallVector<unsigned> getBounds(const ScheduledOp &scheduled, ArrayRef<LaneForm> ids) const;
  bool mayExceedExtent(const Loop &loop) const;
  FailureOr<TupleCount> countTuples(const ScheduledOp &scheduled, unsigned position);
  LogicalResult verifyReduction(const ScheduledOp &scheduled, unsigned position);
  LogicalResult verifyTile(const ScheduledOp &scheduled);
  bool usesShuffles(ArrayRef<ParallelType> types) const;
  void placeReductionSlots(const ScheduledOp &scheduled, TupleCount count);
  void placeSlots(const ScheduledOp &scheduled, TupleCount count, ArrayRef<Type> components,
                  int64_t slots);
  Timeline::Interval getLifetimeOfStages(const ScheduledOp &scheduled) const;
  LogicalResult placeSharedBuffers();
  LogicalResult verifySharedMemory();

  KernelOp kernel;
  const ExtentAnalysis &extents;
  LoopNest &nest;
  const LoweringOptions &options;
  LaunchShape shape;
  AccessChecks accesses;
  Timeline timeline;
  SharedMemoryPlan sharedMemory;
};
} // namespace

ScheduleChecks::ScheduleChecks(CheckedKernel &checked, const LoweringOptions &options,
                               LaunchShape launchShape)
    : kernel(checked.kernel), extents(checked.extents), nest(*checked.nest), options(options),
      shape(std::move(launchShape)), accesses(checked), timeline(nest.getRoot()) {}

/// True if the reduction combines the parts of several blocks.
bool ScheduleChecks::combinesBlocks(const ScheduledOp &scheduled) const {
  return llvm::any_of(scheduled.getReducedTypes(), [&](ParallelType type) {
    return isBlockType(type) && extents.getConstant(shape.getBlocks(type)) != 1;
  });
}

LogicalResult ScheduleChecks::verify() {
  return success(succeeded(placeSharedBuffers()) && succeeded(verifyScalars()) &&
                 succeeded(verifyItems(nest.getRoot())) && succeeded(verifySharedMemory()));
}

/// Scalars are arguments, sizes, and what ops compute from them.
LogicalResult ScheduleChecks::verifyScalars() {
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!isa<TensorViewOpInterface>(op) &&
        llvm::any_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
        (op.getNumResults() != 1 || !extents.getScalar(op.getResult(0))))
      return op.emitOpError("expected only fuser ops on tensors in a kernel");
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult ScheduleChecks::verifyItems(Loop &loop) {
  for (const LoopItem &item : loop.items)
    if (failed(item.loop ? verifyLoop(*item.loop) : verifyOp(*nest.lookup(item.op))))
      return failure();
  return success();
}

LogicalResult ScheduleChecks::verifyLoop(Loop &loop) {
  auto getPosition = [&](const ScheduledOp &scheduled) {
    return unsigned(llvm::find(scheduled.loops, &loop) - scheduled.loops.begin());
  };
  for (ArrayRef<Operation *> ops : {ArrayRef(loop.reductions), ArrayRef(loop.scans)})
    for (Operation *op : ops) {
      const ScheduledOp &scheduled = *nest.lookup(op);
      const bool hasTile = scheduled.scan && scheduled.scan->hasTile();
      if (!hasTile && failed(countTuples(scheduled, getPosition(scheduled))))
        return failure();
    }
  // Index 0 would not be that of the last iteration.
  if (loop.isReversed.value_or(false) && isBlockType(loop.type) && mayExceedExtent(loop))
    return loop.member->emitOpError("expected the blocks of a reversed scan to be all @")
           << stringifyParallelType(loop.type) << ", but another op has more";
  if (failed(verifyItems(loop)))
    return failure();
  for (Operation *op : loop.reductions) {
    const ScheduledOp &scheduled = *nest.lookup(op);
    if (failed(verifyReduction(scheduled, getPosition(scheduled))))
      return failure();
  }
  return success(llvm::all_of(
      loop.tiles, [&](Operation *op) { return succeeded(verifyTile(*nest.lookup(op))); }));
}

LogicalResult ScheduleChecks::verifyOp(const ScheduledOp &scheduled) {
  if (failed(verifyVector(scheduled)) || failed(accesses.verifyReads(scheduled)))
    return failure();
  if (!scheduled.collects())
    return accesses.verifyWrites(scheduled, LaneForms::getWidth(scheduled));
  // Without loops of its own, it begins and ends at its one element.
  if (llvm::any_of(scheduled.loops, [&](const Loop *loop) {
        return llvm::is_contained(loop->reductions, scheduled.op) ||
               llvm::is_contained(loop->tiles, scheduled.op);
      }))
    return success();
  return scheduled.scan ? verifyTile(scheduled)
                        : verifyReduction(scheduled, scheduled.loops.size());
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// True if a loop may run beyond its extent: hardware indices, and unrolling up to a bound.
bool ScheduleChecks::mayExceedExtent(const Loop &loop) const {
  if (isThreadType(loop.type))
    return loop.constant != shape.getThreads(loop.type);
  if (isBlockType(loop.type))
    return !extents.isProvablyEqual(loop.extent, shape.getBlocks(loop.type));
  return loop.isUnrolled() && !loop.constant;
}

/// The ids whose indices may be beyond their extents.
SmallVector<unsigned> ScheduleChecks::getBounds(const ScheduledOp &scheduled,
                                                ArrayRef<LaneForm> ids) const {
  const bool isRagged = accesses.getForms().isRagged(scheduled);
  // A vector of which some elements exist is computed whole.
  auto isSkipped = [&](const DomainTransform &transform) {
    return isRagged && ids[transform.outputs[0]] != LaneForm::Equal;
  };
  auto [bounds, bounded] = getCheckedIds(scheduled, extents, isSkipped);
  for (auto [id, loop] : llvm::zip(scheduled.domain.getLoop(), scheduled.loops))
    if (!bounded.test(id) && !scheduled.replicated.test(id) && mayExceedExtent(*loop))
      bounds.push_back(id);
  llvm::erase_if(bounds, [&](unsigned id) { return scheduled.once.zero.test(id); });
  return bounds;
}

/// True if a vector of which only some elements exist is legal: an elementwise op is computed for
/// all, and its reads and stores are guarded part by part.
bool ScheduleChecks::allowsParts(const ScheduledOp &scheduled) {
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  const bool readsAtOwnIndex = llvm::all_of(scheduled.op->getOpOperands(), [&](OpOperand &operand) {
    return llvm::all_of(mapping.getDimMaps(operand.getOperandNumber()), [](const DimMap &map) {
      return map.kind != DimMap::Kind::Indirect && map.kind != DimMap::Kind::Whole;
    });
  });
  return isa<ElementwiseOpInterface>(scheduled.op) && readsAtOwnIndex;
}

/// A vector that is reduced, or touches memory and is not elementwise, must consist of elements
/// that exist: predicates choose whole vectors.
LogicalResult ScheduleChecks::verifyVector(const ScheduledOp &scheduled) {
  const int64_t width = LaneForms::getWidth(scheduled);
  if (width == 1 || !accesses.touchesMemory(scheduled))
    return success();
  const bool mayHaveParts = allowsParts(scheduled);
  if (accesses.getForms().isRagged(scheduled) && !mayHaveParts)
    return scheduled.op->emitOpError("expected a vector access of ")
           << width
           << " elements that are all in bounds or all out of bounds, but the offset by which its "
              "id is resized is not known to be a multiple of that";
  const IdForms ids = accesses.getForms().getIds(scheduled, width);
  // If no dimension runs along the vector, its lanes have one element, which exists if the first
  // one does.
  const bool isUniform = scheduled.isPrivate() && !scheduled.collects() &&
                         llvm::all_of(scheduled.domain.getRootOrLogical(), [&](unsigned root) {
                           return scheduled.isBroadcast(root) || ids[root] == LaneForm::Equal;
                         });
  for (unsigned id : getBounds(scheduled, ids)) {
    if (mayHaveParts || ids[id] == LaneForm::Equal || (isUniform && scheduled.isBroadcast(id)))
      continue;
    if (ids[id] != LaneForm::Consecutive)
      return scheduled.op->emitOpError("expected a vector access of ")
             << width << " elements that exist all or not at all, but it does not run along id "
             << id << ", whose extent is checked";
    const int64_t divisor = extents.getKnownDivisor(scheduled.getExtent(id));
    if (divisor % width != 0)
      return scheduled.op->emitOpError("expected a vector access of ")
             << width
             << " elements to hold elements that exist, but the extent it is split from is known "
             << "to be divisible by " << divisor << " only (a fact 'divisible' would say so)";
  }
  // Of lanes that differ in such an id, the first alone is stored.
  const bool isStore = scheduled.memory == MemoryType::Global && !scheduled.collects();
  for (unsigned id : scheduled.once.checked)
    if (ids[id] != LaneForm::Equal && !(isStore && ids[id] == LaneForm::Consecutive))
      return scheduled.op->emitOpError("expected a vector access of ")
             << width << " elements to be done once, but id " << id
             << ", which has one index, has those of a consumer";
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The tuples of a reduction, or of a scan that carries them, whose outermost loop is at
/// `position`.
FailureOr<TupleCount> ScheduleChecks::countTuples(const ScheduledOp &scheduled, unsigned position) {
  TupleCount count;
  if (position == scheduled.loops.size())
    count.lanes = LaneForms::getWidth(scheduled);
  for (unsigned each = position; each < scheduled.loops.size(); ++each) {
    const Loop &loop = *scheduled.loops[each];
    const bool isCollected =
        scheduled.domain.getKinds()[scheduled.domain.getLoop()[each]] == IdKind::Reduction ||
        (scheduled.scan && llvm::is_contained(scheduled.scan->positions, each));
    // A lane has few of the results of a matrix instruction.
    if (isCollected || isHardwareType(loop.type) || loop.type == ParallelType::Mma)
      continue;
    if (loop.type == ParallelType::Vectorize) {
      count.lanes = *loop.constant;
      continue;
    }
    const std::optional<int64_t> bound = loop.getStaticBound();
    if (!bound)
      return scheduled.op->emitOpError("expected loop ")
             << each
             << " inside of the loops that it accumulates over to have a constant extent or a fact "
                "that bounds it, but got "
             << describe(loop.extent);
    count.tuples = llvm::SaturatingMultiply<uint64_t>(count.tuples, *bound) > kMaxAccumulators
                       ? kMaxAccumulators + 1
                       : count.tuples * *bound;
  }
  if (count.tuples > kMaxAccumulators)
    return scheduled.op->emitOpError("expected at most ")
           << kMaxAccumulators
           << " accumulators in the registers of a thread, but the loops nested in its reduction "
              "loops have more iterations";
  return count;
}

LogicalResult ScheduleChecks::verifyReduction(const ScheduledOp &scheduled, unsigned position) {
  const FailureOr<TupleCount> count = countTuples(scheduled, position);
  if (failed(count))
    return failure();
  if (combinesBlocks(scheduled) && count->tuples > kMaxCombinedAccumulators)
    return scheduled.op->emitOpError("expected at most ")
           << kMaxCombinedAccumulators
           << " accumulators of a thread to be combined with those of other blocks, but got "
           << count->tuples;
  placeReductionSlots(scheduled, *count);
  return accesses.verifyWrites(scheduled, count->lanes);
}

/// A scan of tiles: shuffles combine threads that are on x alone.
LogicalResult ScheduleChecks::verifyTile(const ScheduledOp &scheduled) {
  const FailureOr<ScanTile> tile = ScanTile::get(scheduled, shape.getThreads());
  if (failed(tile))
    return failure();
  const TupleCount count = {tile->count(tile->kept) * tile->count(tile->outer), tile->lanes};
  const auto components = cast<ScanOpInterface>(scheduled.op).getCarriedTypes();
  const bool isWarp = tile->threads.size() == 1 && usesShuffles(tile->threads);
  if (!isWarp && !tile->threads.empty())
    placeSlots(scheduled, count, components, shape.getNumThreads());
  else if (isWarp && shape.getThreads(ParallelType::ThreadX) > kWarp)
    placeSlots(scheduled, count, components, shape.getNumThreads() / kWarp);
  return accesses.verifyWrites(scheduled, LaneForms::getWidth(scheduled));
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// True if shuffles combine the threads on x.
bool ScheduleChecks::usesShuffles(ArrayRef<ParallelType> types) const {
  return llvm::is_contained(types, ParallelType::ThreadX) &&
         canShuffleRows(shape.getThreads(ParallelType::ThreadX));
}

/// The slots through which the threads of a block combine tuples, and those in which each block of
/// a cluster gets what the others have.
void ScheduleChecks::placeReductionSlots(const ScheduledOp &scheduled, TupleCount count) {
  SmallVector<ParallelType> types = scheduled.getReducedTypes();
  const bool combinesCluster = llvm::is_contained(types, ParallelType::ClusterX);
  llvm::erase_if(
      types, [&](ParallelType type) { return !isThreadType(type) || shape.getThreads(type) == 1; });
  const auto components = cast<CombinerOpInterface>(scheduled.op).getAccumulatorTypes();
  const BlockThreads threads(shape.getThreads());
  const BlockThreads::Slots slots = threads.getSlots(types, count.tuples * count.lanes);
  for (int64_t each : {slots.ofWarps, slots.ofThreads, slots.ofResults})
    if (each != 0)
      placeSlots(scheduled, count, components, each);
  if (combinesCluster)
    if (std::optional<int64_t> blocks =
            extents.getConstant(shape.getBlocks(ParallelType::ClusterX));
        blocks && *blocks > 1)
      placeSlots(scheduled, count, components,
                 *blocks * (threads.getNumThreads() / threads.getCount(types)));
}

void ScheduleChecks::placeSlots(const ScheduledOp &scheduled, TupleCount count,
                                ArrayRef<Type> components, int64_t slots) {
  const Timeline::Interval lifetime = timeline.getLifetime(timeline.getStore(scheduled));
  for (Type component : components)
    sharedMemory.place(
        scheduled.op,
        slots * count.tuples * count.lanes * getElementBytes(getStorageType(component)), lifetime);
}

/// A circular buffer is in use through all iterations of its loop. If that runs several times,
/// copies begin while others are in use.
Timeline::Interval ScheduleChecks::getLifetimeOfStages(const ScheduledOp &scheduled) const {
  const Loop &loop = *getBufferScope(scheduled, nest.getRoot());
  for (const Loop *around = loop.parent; around; around = around->parent)
    if (around->parent && !isBlockType(around->type) && !isThreadType(around->type))
      return Timeline::kAlways;
  return timeline.getSpan(loop);
}

LogicalResult ScheduleChecks::placeSharedBuffers() {
  for (const auto &scheduled : nest.getOps()) {
    if (scheduled->memory != MemoryType::Shared)
      continue;
    const FailureOr<int64_t> elements = accesses.countElements(*scheduled);
    if (failed(elements))
      return failure();
    // From the store of a value to the last op that reads it.
    SmallVector<Timeline::Event> events = {timeline.getStore(*scheduled)};
    for (Operation *user : scheduled->op->getUsers())
      if (const ScheduledOp *consumer = nest.lookup(user))
        events.push_back(timeline.getCompute(*consumer));
    const std::optional<int64_t> stages = getStages(scheduled->op);
    for (Type type : scheduled->op->getResultTypes())
      sharedMemory.place(scheduled->op,
                         *elements * stages.value_or(1) *
                             getElementBytes(getStorageType(getElementTypeOrSelf(type))),
                         stages ? getLifetimeOfStages(*scheduled) : timeline.getLifetime(events));
    // Each stage has a barrier, and the buffer begins where the pattern of a swizzle does.
    constexpr int64_t kBarrierBytes = 8, kLineBytes = 1024;
    if (asksForBulkCopies(scheduled->op) && stages)
      sharedMemory.place(scheduled->op, *stages * kBarrierBytes + kLineBytes, Timeline::kAlways);
    if (asksForProducer(scheduled->op))
      sharedMemory.place(scheduled->op, *stages * kBarrierBytes, Timeline::kAlways);
  }
  return success();
}

LogicalResult ScheduleChecks::verifySharedMemory() {
  const int64_t bytes = sharedMemory.getBytes();
  if (bytes <= options.maxSharedBytes)
    return success();
  InFlightDiagnostic diagnostic = kernel.emitOpError("expected at most ")
                                  << options.maxSharedBytes
                                  << " bytes of shared memory in a block, but got " << bytes;
  for (const SharedMemoryPlan::Region &region : sharedMemory.getRegions())
    diagnostic.attachNote(region.owner->getLoc())
        << region.bytes << " bytes at " << region.offset << " are for this op";
  return diagnostic;
}

LogicalResult fuser::verifySchedule(CheckedKernel &checked, const LoweringOptions &options) {
  FailureOr<LaunchShape> shape =
      LaunchShape::create(checked.kernel, *checked.nest, checked.extents);
  if (failed(shape) || failed(verifyClusters(checked, options)) || failed(verifyPipelines(checked)))
    return failure();
  return ScheduleChecks(checked, options, std::move(*shape)).verify();
}

LogicalResult fuser::verifySchedule(KernelOp kernel, const LoweringOptions &options) {
  FailureOr<std::unique_ptr<CheckedKernel>> checked = checkKernel(kernel);
  return failed(checked) ? failure() : verifySchedule(**checked, options);
}
