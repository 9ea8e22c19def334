//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Recomputation of ops in a segment instead of reading their results, where that takes less time,
// and removal of ops that are then unused.
//
//===----------------------------------------------------------------------===//

#include "Partitioner.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

/// The maximum number of ops that a segment recomputes for one value.
constexpr size_t kMostRecomputed = 16;
/// The same for all values of two segments that are merged.
constexpr size_t kMostSources = 2 * kMostRecomputed;

/// Predicted times that differ by less are the same: an op on elements that are read anyway.
constexpr double kSameTime = 1.001;

namespace {

/// Finds the ops to recompute for one value, so that as few bytes as possible pass through memory.
class Cone {
public:
  Cone(const Segment &segment, function_ref<bool(Operation *)> mayRecompute,
       function_ref<double(Value)> getCost)
      : mayRecompute(mayRecompute), getCost(getCost) {
    for (Operation *op : segment.ops)
      known.insert(op->result_begin(), op->result_end());
    for (Operation *op : segment.ops)
      for (Value operand : op->getOperands())
        known.insert(operand);
  }

  /// Adds the op that defines `value`, and its producers if recomputing them is cheaper than
  /// reading their results. Returns the bytes that are read for them.
  double add(Value value) {
    Operation *op = value.getDefiningOp();
    ops.push_back(op);
    for (Value result : op->getResults())
      note(result);
    double bytes = 0;
    for (Value operand : op->getOperands())
      bytes += getReads(operand);
    return bytes;
  }
  ArrayRef<Operation *> getOps() const { return ops; }

  /// True if it is better to read `bytes` and compute `op` than to read its result, which costs so
  /// many. What costs arithmetic has to save some.
  static bool saves(Operation *op, double bytes, double cost) {
    return op->hasTrait<CheapElement>() ? bytes <= cost : bytes < cost;
  }

private:
  double getReads(Value value) {
    if (!isa<RankedTensorType>(value.getType()) || known.contains(value))
      return 0;
    double cost = getCost(value);
    Operation *op = value.getDefiningOp();
    if (op && ops.size() < kMostRecomputed && mayRecompute(op)) {
      size_t numOps = ops.size(), numNoted = noted.size();
      if (double bytes = add(value); saves(op, bytes, cost))
        return bytes;
      ops.truncate(numOps);
      while (noted.size() > numNoted)
        known.erase(noted.pop_back_val());
    }
    note(value);
    return cost;
  }
  void note(Value value) {
    if (known.insert(value).second)
      noted.push_back(value);
  }

  function_ref<bool(Operation *)> mayRecompute;
  function_ref<double(Value)> getCost;
  SmallVector<Operation *> ops;
  /// Values that are computed or read in any case, and those of them that were added since.
  llvm::DenseSet<Value> known;
  SmallVector<Value> noted;
};

} // namespace

/// True if an element costs arithmetic alone, which the predicted time of a kernel has: an
/// exponential of what is read anyway takes less time than writing and reading its f32 result.
static bool isArithmetic(Operation *op) {
  auto element = dyn_cast<ElementwiseOpInterface>(op);
  return element && !element.dependsOnIndex() && op->getNumResults() == 1 &&
         !isa<SegmentSetOp, StrideOrderOp>(op) &&
         llvm::none_of(op->getOpOperands(), [&](OpOperand &operand) {
           return element.mayReadOutside(operand.getOperandNumber());
         });
}

/// True if `value` is stored in memory even if `reader` does not read it.
static bool isStoredAnyway(Value value, const SegmentGraph &graph, SegmentGraph::Group reader) {
  Operation *op = value.getDefiningOp();
  return !op || llvm::any_of(value.getUsers(), [&](Operation *user) {
    return !graph.contains(user) ||
           (graph.getGroup(user) != graph.getGroup(op) && graph.getGroup(user) != reader);
  });
}

std::optional<SmallVector<std::pair<Segment *, Verdict>, 0>>
Partitioner::askAboutStores(ArrayRef<Operation *> cone,
                            const llvm::SmallPtrSetImpl<Operation *> &own,
                            MutableArrayRef<Segment> earlier) {
  llvm::SmallSetVector<Segment *, 2> owners;
  llvm::SmallSetVector<Value, 4> stores;
  for (Operation *op : cone)
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || !graph.contains(producer) || own.contains(producer) ||
          llvm::is_contained(cone, producer) || extraStores.contains(operand) ||
          isStoredAnyway(operand, graph, graph.getGroup(producer)))
        continue;
      auto owner = llvm::find_if(earlier, [&](const Segment &segment) {
        return llvm::is_contained(segment.ops, producer) &&
               !llvm::is_contained(segment.recomputed, producer);
      });
      if (owner == earlier.end() || owner->scheduler.empty())
        continue;
      stores.insert(operand);
      owners.insert(&*owner);
    }
  SmallVector<std::pair<Segment *, Verdict>, 0> answers;
  for (Segment *owner : owners) {
    llvm::DenseSet<Value> needed(extraStores);
    needed.insert(stores.begin(), stores.end());
    for (const KernelOutput &output : getOutputs(owner->ops, owner->recomputed))
      needed.insert(output.value);
    Verdict verdict =
        query.ask(QueryRecord::Purpose::Recompute, owner->ops, owner->recomputed, &needed);
    if (!verdict)
      return std::nullopt;
    answers.emplace_back(owner, std::move(verdict));
  }
  extraStores.insert(stores.begin(), stores.end());
  return answers;
}

bool Partitioner::mayRecompute(Operation *op, unsigned piece) const {
  auto it = pieceOf.find(op);
  return it != pieceOf.end() && it->second == piece && !computedOnce.contains(op) &&
         (op->hasTrait<CheapElement>() || isArithmetic(op));
}

std::optional<SmallVector<Operation *>> Partitioner::getSources(ArrayRef<Operation *> ops) const {
  const unsigned piece = pieceOf.lookup(ops.front());
  const llvm::SmallPtrSet<Operation *, 16> own(ops.begin(), ops.end());
  llvm::SmallSetVector<Operation *, 8> sources;
  SmallVector<Operation *> readers(ops);
  while (!readers.empty())
    for (Value operand : readers.pop_back_val()->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || own.contains(producer) || !isa<RankedTensorType>(operand.getType()))
        continue;
      if (!mayRecompute(producer, piece) || sources.size() == kMostSources)
        return std::nullopt;
      if (sources.insert(producer))
        readers.push_back(producer);
    }
  SmallVector<Operation *> sorted = sources.takeVector();
  sortInProgramOrder(sorted);
  return sorted;
}

void Partitioner::recompute(Segment &segment, MutableArrayRef<Segment> earlier) {
  Operation *first = segment.ops.front();
  unsigned piece = pieceOf.lookup(first);
  // A view of a stored value, or a join of values that kernels store where it needs them, takes no
  // time.
  if (!shattered.contains(piece) || areReshapes(segment.ops) ||
      (segment.ops.size() == 1 && getHostJoin(fusion, first, analysis)))
    return;
  Group group = graph.getGroup(first);
  llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
  auto mayRecompute = [&](Operation *op) {
    return !own.contains(op) && this->mayRecompute(op, piece);
  };
  // A value that is not stored yet has to be written as well.
  auto getCost = [&](Value value) {
    return traffic.getBytes(value) * (isStoredAnyway(value, graph, group) ? 1 : 2);
  };
  llvm::SmallSetVector<Value, 8> inputs;
  auto addInputs = [&](ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      for (Value operand : op->getOperands())
        if (operand.getDefiningOp() && mayRecompute(operand.getDefiningOp()))
          inputs.insert(operand);
  };
  addInputs(segment.ops);
  for (size_t next = 0; next < inputs.size(); ++next) {
    Value input = inputs[next];
    if (own.contains(input.getDefiningOp()))
      continue;
    Cone cone(segment, mayRecompute, getCost);
    double saved = getCost(input);
    if (!Cone::saves(input.getDefiningOp(), cone.add(input), saved))
      continue;
    SmallVector<Operation *> ops(segment.ops), recomputed(segment.recomputed);
    llvm::append_range(ops, cone.getOps());
    sortInProgramOrder(ops);
    llvm::append_range(recomputed, cone.getOps());
    Verdict verdict = query.ask(QueryRecord::Purpose::Recompute, ops, recomputed);
    // Recomputation must not cost more than the saved write.
    double written = traffic.getMicroseconds(saved - traffic.getBytes(input));
    if (!verdict || verdict.microseconds > kSameTime * (segment.microseconds + written))
      continue;
    // Other kernels may have to store what is read for it.
    auto stores = askAboutStores(cone.getOps(), own, earlier);
    if (!stores)
      continue;
    for (const auto &[owner, answer] : *stores)
      answer.describe(*owner);
    counts.recomputed += cone.getOps().size();
    own.insert(cone.getOps().begin(), cone.getOps().end());
    segment.recomputed = std::move(recomputed);
    segment.ops = std::move(ops);
    verdict.describe(segment);
    // What the cone reads may cost nothing now: the segment reads its sources for the cone.
    addInputs(cone.getOps());
  }
}

std::optional<SmallVector<Segment, 0>>
Partitioner::splitByValue(const Segment &segment, const llvm::DenseSet<Value> &needed) {
  const unsigned piece = pieceOf.lookup(segment.ops.front());
  llvm::SmallSetVector<Operation *, 8> owners;
  llvm::DenseSet<Value> stored(needed);
  for (Operation *op : segment.ops)
    if (!llvm::is_contained(segment.recomputed, op) &&
        (!mayRecompute(op, piece) ||
         llvm::any_of(op->getResults(), [&](Value value) { return needed.contains(value); }))) {
      owners.insert(op);
      stored.insert(op->result_begin(), op->result_end());
    }
  const llvm::SmallPtrSet<Operation *, 16> all(segment.ops.begin(), segment.ops.end());
  SmallVector<Segment, 0> parts;
  auto isOwnedBy = [](const Segment &part, Operation *op) {
    return llvm::is_contained(part.ops, op) && !llvm::is_contained(part.recomputed, op);
  };
  // An op that reads one part alone, such as a broadcast of a sum, belongs to it.
  auto join = [&](Operation *owner) {
    for (Segment &part : parts) {
      if (!llvm::all_of(owner->getOperands(), [&](Value operand) {
            return !isa<RankedTensorType>(operand.getType()) ||
                   (operand.getDefiningOp() && isOwnedBy(part, operand.getDefiningOp()));
          }))
        continue;
      SmallVector<Operation *> ops(part.ops);
      ops.push_back(owner);
      sortInProgramOrder(ops);
      Verdict verdict = query.ask(QueryRecord::Purpose::Recompute, ops, part.recomputed, &stored);
      if (!verdict)
        return false;
      part.ops = std::move(ops);
      verdict.describe(part);
      return true;
    }
    return false;
  };
  for (Operation *owner : owners) {
    if (join(owner))
      continue;
    llvm::SmallSetVector<Operation *, 8> ops;
    ops.insert(owner);
    for (unsigned next = 0; next < ops.size(); ++next)
      for (Value operand : ops[next]->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            all.contains(producer) && !owners.contains(producer))
          ops.insert(producer);
    Segment part;
    part.ops = ops.takeVector();
    part.recomputed.assign(part.ops.begin() + 1, part.ops.end());
    sortInProgramOrder(part.ops);
    sortInProgramOrder(part.recomputed);
    Verdict verdict =
        query.ask(QueryRecord::Purpose::Recompute, part.ops, part.recomputed, &stored);
    if (!verdict)
      return std::nullopt;
    verdict.describe(part);
    parts.push_back(std::move(part));
  }
  for (const Segment &part : parts)
    counts.recomputed += part.recomputed.size();
  return parts;
}

SmallVector<Segment, 0> Partitioner::prune(Segment segment, const llvm::DenseSet<Value> &needed) {
  llvm::SmallPtrSet<Operation *, 16> live;
  for (Operation *op : llvm::reverse(segment.ops)) {
    bool isOwner = !llvm::is_contained(segment.recomputed, op);
    if (llvm::any_of(op->getResults(), [&](Value value) {
          return (isOwner && needed.contains(value)) ||
                 llvm::any_of(value.getUsers(),
                              [&](Operation *user) { return live.contains(user); });
        }))
      live.insert(op);
  }
  auto isDead = [&](Operation *op) { return !live.contains(op); };
  bool isSmaller = live.size() < segment.ops.size();
  llvm::erase_if(segment.ops, isDead);
  llvm::erase_if(segment.recomputed, isDead);
  if (segment.ops.empty())
    return {};
  bool writesLess =
      llvm::any_of(getOutputs(segment.ops, segment.recomputed), [&](const KernelOutput &output) {
        return !output.position && !needed.contains(output.value);
      });
  // Segments that no kernel computes need no query.
  if (segment.scheduler.empty() || (!isSmaller && !writesLess))
    return {segment};
  Verdict verdict =
      query.ask(QueryRecord::Purpose::Recompute, segment.ops, segment.recomputed, &needed);
  if (verdict) {
    verdict.describe(segment);
    return {segment};
  }
  // Accepted with unused outputs, but refused without them.
  if (std::optional<SmallVector<Segment, 0>> parts = splitByValue(segment, needed))
    return std::move(*parts);
  SmallVector<Segment, 0> singles;
  for (Operation *op : segment.ops) {
    if (llvm::is_contained(segment.recomputed, op))
      continue;
    Segment single{{op}, {}, {}, {}, {}, 0};
    Verdict alone = query.ask(QueryRecord::Purpose::Single, op);
    if (alone)
      alone.describe(single);
    singles.push_back(std::move(single));
  }
  return singles;
}
