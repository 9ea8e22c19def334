//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Top-down first, then bottom-up for refused pieces; then segments in order.
//
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/Partition.h"
#include "Partitioner.h"
#include "StagePlan.h"
#include "StreamChecks.h"
#include "VerifyPartition.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "fuser/Scheduling/HeldDiagnostics.h"
#include "fuser/Scheduling/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;
using Group = SegmentGraph::Group;

Partition Partition::getWhole(FusionOp fusion) {
  Segment whole;
  for (Operation &op : fusion.getBody().front().without_terminator())
    if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      whole.ops.push_back(&op);
  Partition partition;
  if (!whole.ops.empty())
    partition.segments.push_back(std::move(whole));
  return partition;
}

Partition Partition::getSingles(FusionOp fusion) {
  Partition partition;
  for (const Segment &whole : getWhole(fusion).segments)
    for (Operation *op : whole.ops)
      partition.segments.push_back({{op}, {}, {}, {}, {}, 0});
  return partition;
}

Partitioner::Partitioner(FusionOp fusion, const ExtentAnalysis &analysis,
                         const SegmentationOptions &options, SegmentationCounts &counts,
                         DecisionLog *log, KnownAnswers &answers, ArrayRef<RefusedGroup> refused)
    : fusion(fusion), analysis(analysis), options(options), counts(counts), log(log),
      joins(findOutputJoins(fusion, analysis)), graph(fusion, joins),
      query(fusion, analysis, options, counts, log, answers, refused), traffic(analysis, options) {}

void Partitioner::explain(const Twine &what, ArrayRef<Operation *> ops,
                          const Verdict &verdict) const {
  if (!options.explain)
    return;
  InFlightDiagnostic remark = ops.front()->emitRemark() << what << " of " << ops.size() << " ops";
  for (const RefusalNote &refusal : verdict.refusals)
    remark.attachNote() << refusal.scheduler << ": " << refusal.sentence;
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

BoundaryRecord Partitioner::explainBoundary(Operation *producer, Operation *consumer) const {
  BoundaryRecord record{BoundaryRecord::Reason::Refusal, {}, 0, 0, std::nullopt};
  if (!graph.contains(consumer) || isa<LibraryOpInterface>(producer) ||
      isa<LibraryOpInterface>(consumer)) {
    record.reason = BoundaryRecord::Reason::Host;
    return record;
  }
  if (pieceOf.lookup(producer) != pieceOf.lookup(consumer)) {
    record.reason =
        isa<SegmentSetOp>(producer) ? BoundaryRecord::Reason::Mark : BoundaryRecord::Reason::Circle;
    return record;
  }
  auto it = rejections.find(std::minmax(graph.getGroup(producer), graph.getGroup(consumer)));
  if (it == rejections.end())
    return record;
  record.reason = it->second.reason;
  record.query = it->second.query;
  record.together = it->second.together;
  record.apart = it->second.apart;
  return record;
}

void Partitioner::recordBoundaries(const Partition &partition) {
  llvm::DenseMap<Value, unsigned> producers;
  for (auto [number, segment] : llvm::enumerate(partition.segments))
    for (Operation *op : segment.ops)
      if (!llvm::is_contained(segment.recomputed, op))
        for (Value result : op->getResults())
          producers[result] = number;
  for (auto [number, segment] : llvm::enumerate(partition.segments)) {
    ArrayRef<Operation *> own = segment.ops;
    llvm::SmallPtrSet<Operation *, 16> inside(own.begin(), own.end());
    llvm::SmallPtrSet<Operation *, 4> again(segment.recomputed.begin(), segment.recomputed.end());
    llvm::DenseSet<Value> seen;
    for (Operation *op : own)
      for (Value operand : op->getOperands()) {
        auto it = producers.find(operand);
        if (it == producers.end() || inside.contains(operand.getDefiningOp()) ||
            !seen.insert(operand).second)
          continue;
        // A recomputed op represents its readers in this segment.
        Operation *consumer = op;
        if (again.contains(op))
          consumer = *llvm::find_if(own, [&](Operation *other) { return !again.contains(other); });
        BoundaryRecord record = explainBoundary(operand.getDefiningOp(), consumer);
        record.value = operand;
        record.producer = it->second;
        record.consumer = number;
        log->boundaries.push_back(record);
      }
  }
}

void Partitioner::remarkFallbacks(const Partition &partition) const {
  for (const Segment &segment : partition.segments)
    if (const Scheduler *scheduler = options.registry->find(segment.scheduler);
        scheduler && scheduler->isFallback())
      segment.ops.front()->emitRemark() << "no scheduler is for this op: '" << segment.scheduler
                                        << "' runs it alone, which is slow";
}

void Partitioner::remarkInserts(const Partition &partition) const {
  for (const Segment &segment : partition.segments) {
    if (segment.scheduler.empty())
      continue;
    for (Operation *op : segment.ops) {
      auto insert = dyn_cast<InsertSliceOp>(op);
      Operation *producer = insert ? insert.getSource().getDefiningOp() : nullptr;
      if (producer && !llvm::is_contained(segment.ops, producer))
        op->emitRemark() << "stays unfused, and what it inserts is stored first: "
                         << describeReason(explainBoundary(producer, op).reason);
    }
  }
}

SmallVector<WriteOrder> Partitioner::findOrders(ArrayRef<SmallVector<Operation *>> groups) const {
  SmallVector<Segment, 0> segments;
  for (ArrayRef<Operation *> ops : groups)
    segments.push_back({SmallVector<Operation *>(ops), {}, {}, {}, {}, 0});
  for (Operation *op : joins)
    segments.push_back({{op}, {}, {}, {}, {}, 0});
  SmallVector<WriteOrder> orders = findWriteOrders(fusion, analysis, segments);
  llvm::erase_if(orders, [&](const WriteOrder &order) {
    return std::max(order.first, order.second) >= groups.size();
  });
  return orders;
}

/// Runs the kernels of the groups in the order in which joins of their results need no kernel.
void Partitioner::orderWriters() {
  const SmallVector<Group> groups = graph.getRunOrder();
  auto getOps = [&](Group group) { return SmallVector<Operation *>(graph.getOps(group)); };
  // Values may need the other order: then there is a kernel that joins them.
  for (const WriteOrder &order : findOrders(llvm::map_to_vector(groups, getOps)))
    graph.addDependence(groups[order.first], groups[order.second]);
}

/// Segments that only join or reshape results of others have no kernel; joins that are refused have
/// one.
LogicalResult Partitioner::askJoins(Partition &partition) {
  FailureOr<ProgramOutputs> outputs = ProgramOutputs::create(fusion, analysis);
  if (failed(outputs))
    return failure();
  KernelBuilder kernels(fusion, analysis, options.hints);
  const StagePlan plan(fusion, analysis, partition, kernels, *outputs);
  llvm::SmallPtrSet<const Segment *, 16> launched;
  for (const Stage &stage : plan.getStages())
    launched.insert(stage.segment);
  for (Segment &segment : partition.segments) {
    if (!launched.contains(&segment))
      segment = {segment.ops, {}, {}, {}, {}, 0};
    else if (segment.scheduler.empty() && !isa<LibraryOpInterface>(segment.ops.front()))
      if (Verdict verdict = query.ask(QueryRecord::Purpose::Single, segment.ops))
        verdict.describe(segment);
  }
  return success();
}

void Partitioner::addSegment(Group group, Partition &partition) {
  Segment segment;
  segment.ops.assign(graph.getOps(group).begin(), graph.getOps(group).end());
  if (auto it = verdicts.find(group); it != verdicts.end()) {
    it->second.describe(segment);
    if (auto sources = sourcesOf.find(group); sources != sourcesOf.end()) {
      segment.recomputed = sources->second;
      llvm::append_range(segment.ops, sources->second);
      sortInProgramOrder(segment.ops);
      counts.recomputed += sources->second.size();
    }
    recompute(segment, partition.segments);
  }
  partition.segments.push_back(std::move(segment));
}

FailureOr<Partition> Partitioner::finish() {
  orderWriters();
  Partition partition;
  auto readsJoin = [&](Group group) {
    return llvm::any_of(graph.getOps(group), [&](Operation *op) {
      return llvm::any_of(op->getOperands(), [&](Value operand) {
        return llvm::is_contained(joins, operand.getDefiningOp());
      });
    });
  };
  const SmallVector<Group> groups = graph.getRunOrder();
  for (Group group : groups)
    if (!readsJoin(group))
      addSegment(group, partition);
  for (Operation *op : joins)
    partition.segments.push_back({{op}, {}, {}, {}, {}, 0});
  // Reshapes of joined values, which are outputs.
  for (Group group : groups)
    if (readsJoin(group))
      addSegment(group, partition);
  // In reverse order: ops that are no longer needed are removed.
  llvm::DenseSet<Value> needed;
  for (Value value : fusion.getBody().front().getTerminator()->getOperands())
    needed.insert(value);
  SmallVector<Segment, 0> kept;
  for (Segment &segment : llvm::reverse(partition.segments)) {
    SmallVector<Segment, 0> parts = prune(std::move(segment), needed);
    for (Segment &part : llvm::reverse(parts)) {
      llvm::SmallPtrSet<Operation *, 16> own(part.ops.begin(), part.ops.end());
      for (Operation *op : part.ops)
        for (Value operand : op->getOperands())
          if (!own.contains(operand.getDefiningOp()))
            needed.insert(operand);
      kept.push_back(std::move(part));
    }
  }
  std::reverse(kept.begin(), kept.end());
  partition.segments = std::move(kept);
  if (failed(askJoins(partition)))
    return failure();
  remarkFallbacks(partition);
  remarkInserts(partition);
  if (log)
    recordBoundaries(partition);
  return partition;
}

/// Partitions the fusion so that no segment contains a refused group.
static FailureOr<Partition> partition(FusionOp fusion, const ExtentAnalysis &analysis,
                                      const SegmentationOptions &options,
                                      SegmentationCounts &counts, DecisionLog *log,
                                      KnownAnswers &answers, ArrayRef<RefusedGroup> refused) {
  if (log)
    *log = {};
  Partitioner partitioner(fusion, analysis, options, counts, log, answers, refused);
  if (failed(partitioner.askPieces()))
    return failure();
  partitioner.mergeShattered();
  partitioner.splitLongOps();
  partitioner.moveSmallOps();
  return partitioner.finish();
}

bool fuser::isScheduledByHand(FusionOp fusion) {
  return isScheduled(fusion) || fusion->hasAttr("fuser_sched.one_kernel");
}

/// The parts of others are partitioned one by one, where their loops are known.
static LogicalResult verifyNotDistributed(FusionOp fusion) {
  if (!isDistributed(fusion))
    return success();
  return fusion.emitOpError("expected a fusion that is not distributed over streams or devices");
}

/// Groups of several ops that are refused one by one; with more, what they share is refused. Each
/// op that a group may lack doubles the number of groups that contain the reason of a refusal.
static constexpr size_t kManyRefused = 16;

/// Also refuses the ops that the last refused group shares with all others of the same refusals:
/// most likely they are the reason.
static void refuseSharedOps(std::vector<RefusedGroup> &refused) {
  RefusedGroup shared = refused.back();
  auto isSame = [](const RefusalNote &a, const RefusalNote &b) {
    return a.scheduler == b.scheduler && a.code == b.code;
  };
  for (const RefusedGroup &group : refused)
    if (llvm::equal(group.refusals, shared.refusals, isSame))
      shared.ops.remove_if([&](Operation *op) { return !group.ops.contains(op); });
  // A single op has a kernel in any case.
  if (shared.ops.size() > 1 && shared.ops.size() < refused.back().ops.size())
    refused.push_back(std::move(shared));
}

FailureOr<Partition> fuser::partitionFusion(FusionOp fusion, const ExtentAnalysis &analysis,
                                            const SegmentationOptions &options,
                                            SegmentationCounts &counts, DecisionLog *log) {
  if (failed(verifyNotDistributed(fusion)))
    return failure();
  if (isScheduledByHand(fusion))
    return Partition::getWhole(fusion);
  KnownAnswers answers;
  if (!options.verifier)
    return partition(fusion, analysis, options, counts, log, answers, {});
  std::vector<RefusedGroup> refused;
  std::vector<std::string> fallbacks;
  // Each attempt refuses at least one further group of several ops, so that there is a last one.
  while (true) {
    // Only the remarks of the last attempt are emitted.
    std::optional<HeldDiagnostics> held(fusion.getContext());
    FailureOr<Partition> result =
        partition(fusion, analysis, options, counts, log, answers, refused);
    const size_t known = refused.size();
    const bool isVerified =
        succeeded(result) &&
        succeeded(verifyPartition(fusion, analysis, options, *result, refused, fallbacks));
    if (isVerified && refused.size() > known) {
      if (refused.size() > kManyRefused)
        refuseSharedOps(refused);
      continue;
    }
    std::vector<Diagnostic> diagnostics = held->take();
    held.reset();
    for (Diagnostic &diagnostic : diagnostics)
      fusion.getContext()->getDiagEngine().emit(std::move(diagnostic));
    if (!isVerified)
      return failure();
    for (const std::string &fallback : fallbacks)
      fusion->emitRemark() << fallback;
    result->fallbacks = std::move(fallbacks);
    return result;
  }
}

FailureOr<Partition> fuser::partitionIntoSingles(FusionOp fusion, const ExtentAnalysis &analysis,
                                                 const SegmentationOptions &options,
                                                 SegmentationCounts &counts) {
  if (failed(verifyNotDistributed(fusion)))
    return failure();
  KnownAnswers answers;
  ScheduleQuery query(fusion, analysis, options, counts, nullptr, answers);
  SegmentGraph graph(fusion);
  Partition partition;
  for (SegmentGraph::Group group : graph.getRunOrder()) {
    Segment segment{SmallVector<Operation *>(graph.getOps(group)), {}, {}, {}, {}, 0};
    if (isa<LibraryOpInterface>(segment.ops.front())) {
      partition.segments.push_back(std::move(segment));
      continue;
    }
    Verdict verdict = query.ask(QueryRecord::Purpose::Single, segment.ops);
    if (!verdict)
      return segment.ops.front()->emitError(
          "expected an op that a scheduler takes alone, but all refuse it");
    verdict.describe(segment);
    partition.segments.push_back(std::move(segment));
  }
  return partition;
}
