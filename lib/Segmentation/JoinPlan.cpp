//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Joins of segments.
//
//===----------------------------------------------------------------------===//

#include "JoinPlan.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

ArrayRef<PartOfJoin> JoinPlan::findJoins(Value value) const {
  auto found = joinsOf.find(value);
  return found == joinsOf.end() ? ArrayRef<PartOfJoin>() : ArrayRef<PartOfJoin>(found->second);
}

const HostJoin *JoinPlan::findJoinOf(Value value) const {
  auto found = joinsByResult.find(value);
  return found == joinsByResult.end() ? nullptr : &joins[found->second.front()];
}

bool JoinPlan::isAbsorbed(const Segment &segment) const {
  return llvm::all_of(segment.ops, [&](Operation *op) { return absorbed.contains(op); });
}

void JoinPlan::add(HostJoin join) {
  const unsigned number = joins.size();
  if (join.into && join.into.getDefiningOp())
    joinsOf[join.into].push_back({number, std::nullopt});
  for (auto [index, part] : llvm::enumerate(join.parts))
    joinsOf[part.value].push_back({number, unsigned(index)});
  joinsByResult[join.result].push_back(number);
  absorbed.insert(join.absorbed.begin(), join.absorbed.end());
  joins.push_back(std::move(join));
}

namespace {

/// Plans the joins of segments.
class JoinPlanner {
public:
  JoinPlanner(FusionOp fusion, const ExtentAnalysis &analysis, ArrayRef<Segment> segments)
      : fusion(fusion), analysis(analysis), segments(segments) {
    for (auto [number, segment] : llvm::enumerate(segments))
      for (Operation *op : segment.ops)
        if (!llvm::is_contained(segment.recomputed, op))
          writers[op] = number;
  }

  /// All joins that have their ops to themselves, except those of `refused` ops.
  JoinPlan plan() const;
  /// The orders that a join of the plan needs.
  SmallVector<WriteOrder> getOrders(const JoinPlan &plan, const HostJoin &join) const;
  /// Omits the joins of the op from the next plan.
  void refuse(Operation *op) { refused.insert(op); }

private:
  bool canJoin(const HostJoin &join) const;
  SmallVector<HostJoin, 1> getJoins(Operation *op, const JoinPlan &plan) const;
  void addWriters(const JoinPlan &plan, Value value, SmallVectorImpl<unsigned> &found) const;

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  ArrayRef<Segment> segments;
  /// The number of the segment that computes each op.
  llvm::DenseMap<Operation *, unsigned> writers;
  llvm::SmallPtrSet<Operation *, 4> refused;
};

} // namespace

/// True if the ops of a join are in no kernel, and kernels write its parts.
bool JoinPlanner::canJoin(const HostJoin &join) const {
  auto isOnlyJoin = [&](Operation *op) {
    auto writer = writers.find(op);
    return writer != writers.end() &&
           llvm::all_of(segments[writer->second].ops,
                        [&](Operation *other) { return llvm::is_contained(join.absorbed, other); });
  };
  // A fill is computed elsewhere for its other readers.
  for (Operation *op : join.absorbed)
    if (!isa<FullOp>(op) && !isOnlyJoin(op))
      return false;
  if (Operation *into = join.into ? join.into.getDefiningOp() : nullptr;
      into && !writers.contains(into))
    return false;
  return llvm::all_of(join.parts, [&](const JoinPart &part) {
    Operation *op = part.value.getDefiningOp();
    return writers.contains(op) && !llvm::is_contained(join.absorbed, op);
  });
}

/// The joins of an op, one for each destination of its result; none if one of them is impossible.
SmallVector<HostJoin, 1> JoinPlanner::getJoins(Operation *op, const JoinPlan &plan) const {
  Value result = op->getResult(0);
  SmallVector<JoinDestination, 2> destinations;
  for (unsigned position : getPositions(result))
    destinations.push_back({position});
  ArrayRef<PartOfJoin> places = plan.findJoins(result);
  const bool isRead = llvm::any_of(op->getUsers(), [&](Operation *user) {
    return !isa<ReturnOp>(user) && !plan.isAbsorbed(user);
  });
  // Other kernels read the first output, if there is one.
  if (destinations.empty() && (isRead || places.empty()))
    destinations.push_back({});
  for (const PartOfJoin &place : places) {
    const HostJoin &outer = plan.joins[place.join];
    destinations.push_back(
        {std::nullopt, place, place.part ? outer.parts[*place.part].layout : outer.lies});
  }
  SmallVector<HostJoin, 1> joins;
  for (const JoinDestination &destination : destinations) {
    std::optional<HostJoin> join = getHostJoin(fusion, op, analysis, destination);
    // A routine of a library writes its result once.
    auto isOfLibrary = [](const JoinPart &part) {
      return isa<LibraryOpInterface>(part.value.getDefiningOp());
    };
    if (!join || !canJoin(*join) ||
        (destinations.size() > 1 && llvm::any_of(join->parts, isOfLibrary)))
      return {};
    joins.push_back(std::move(*join));
  }
  return joins;
}

JoinPlan JoinPlanner::plan() const {
  JoinPlan plan;
  for (const Segment &segment : llvm::reverse(segments)) {
    Operation *op = segment.ops.back();
    if (!segment.recomputed.empty() || plan.isAbsorbed(op) || refused.contains(op))
      continue;
    for (HostJoin &join : getJoins(op, plan))
      plan.add(std::move(join));
  }
  return plan;
}

/// Adds the segments whose kernels write the value.
void JoinPlanner::addWriters(const JoinPlan &plan, Value value,
                             SmallVectorImpl<unsigned> &found) const {
  const HostJoin *join = plan.findJoinOf(value);
  if (!join) {
    if (Operation *op = value.getDefiningOp())
      found.push_back(writers.lookup(op));
    return;
  }
  if (join->into)
    addWriters(plan, join->into, found);
  for (const JoinPart &part : join->parts)
    addWriters(plan, part.value, found);
}

SmallVector<WriteOrder> JoinPlanner::getOrders(const JoinPlan &plan, const HostJoin &join) const {
  // A part is written after the value that it is written into, and parts that may overlap one after
  // the other.
  SmallVector<WriteOrder> orders;
  SmallVector<unsigned> before;
  if (join.into)
    addWriters(plan, join.into, before);
  for (const JoinPart &part : join.parts) {
    SmallVector<unsigned> own;
    if (before.empty() && !join.mayOverlap)
      break;
    addWriters(plan, part.value, own);
    for (unsigned first : before)
      for (unsigned second : own)
        orders.push_back({first, second});
    if (join.mayOverlap)
      before = std::move(own);
  }
  return orders;
}

JoinPlan fuser::planJoins(FusionOp fusion, const ExtentAnalysis &analysis,
                          ArrayRef<Segment> segments) {
  JoinPlanner planner(fusion, analysis, segments);
  // Each attempt refuses a further op. Without it, other kernels write the parts of other joins.
  while (true) {
    JoinPlan plan = planner.plan();
    bool isOrdered = true;
    for (const HostJoin &join : plan.joins)
      if (llvm::any_of(planner.getOrders(plan, join),
                       [](const WriteOrder &order) { return order.first >= order.second; })) {
        planner.refuse(join.op);
        isOrdered = false;
      }
    if (isOrdered)
      return plan;
  }
}

SmallVector<WriteOrder> fuser::findWriteOrders(FusionOp fusion, const ExtentAnalysis &analysis,
                                               ArrayRef<Segment> segments) {
  JoinPlanner planner(fusion, analysis, segments);
  const JoinPlan plan = planner.plan();
  SmallVector<WriteOrder> orders;
  for (const HostJoin &join : plan.joins)
    llvm::append_range(orders, planner.getOrders(plan, join));
  return orders;
}
