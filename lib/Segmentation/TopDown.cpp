//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pieces between marks, and the parts of refused pieces.
//
//===----------------------------------------------------------------------===//

#include "Partitioner.h"
#include "Pieces.h"
#include "fuser/Scheduling/Scheduler.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuser;
using Purpose = QueryRecord::Purpose;

/// The number of times that a refused part is cut again before it is split into single ops. Each
/// time all of its ops are in a query, so that this bounds the work.
constexpr unsigned kMostCuts = 8;
/// The predicted time of an accepted group, as a multiple of that of its memory accesses, from
/// which its parts are tried, and the most that these take of it: predictions are not better than
/// that.
constexpr double kSlow = 1.25;
constexpr double kFaster = 0.75;
/// Launches in the time that a group takes longer than its accesses, at least: of fewer elements,
/// latencies decide, which the predictions know less well.
constexpr double kLaunchesOfFew = 4;

/// Merges `ops` into one group; groups of equal size are merged with each other, so that no op is
/// moved often.
Partitioner::Group Partitioner::accept(ArrayRef<Operation *> ops, Verdict verdict) {
  SmallVector<Group> groups =
      llvm::map_to_vector(ops, [&](Operation *op) { return graph.getGroup(op); });
  while (groups.size() > 1) {
    size_t count = 0;
    for (size_t i = 0; i + 1 < groups.size(); i += 2)
      groups[count++] = graph.merge(groups[i], groups[i + 1]);
    if (groups.size() % 2)
      groups[count++] = groups.back();
    groups.resize(count);
  }
  verdicts[groups.front()] = std::move(verdict);
  return groups.front();
}

/// The parts of `ops` by the cuts of one refusal: of the refusals that give several parts, the
/// (first) one with the least memory traffic. One part if no refusal helps.
SmallVector<SmallVector<Operation *>> Partitioner::cutAsRefused(ArrayRef<Operation *> ops,
                                                                const Verdict &verdict) {
  SmallVector<SmallVector<Operation *>> best = {SmallVector<Operation *>(ops)};
  double least = 0;
  for (ArrayRef<OpOperand *> cuts : verdict.cuts) {
    llvm::SmallSetVector<Value, 8> values;
    for (OpOperand *cut : cuts)
      values.insert(cut->get());
    double bytes = 0;
    for (Value value : values)
      bytes += traffic.getBytes(value);
    if (best.size() > 1 && bytes >= least)
      continue;
    SmallVector<SmallVector<Operation *>> parts = cutAt(ops, cuts);
    if (parts.size() < 2)
      continue;
    best = std::move(parts);
    least = bytes;
  }
  return best;
}

LogicalResult Partitioner::askAlone(Operation *op, const Verdict *known) {
  Verdict alone = known ? *known : query.ask(Purpose::Single, op);
  if (!alone) {
    InFlightDiagnostic error =
        op->emitError("expected an op that a scheduler takes alone, but all refuse it");
    for (const RefusalNote &refusal : alone.refusals)
      error.attachNote() << refusal.scheduler << ": " << refusal.sentence;
    return error;
  }
  accept(op, std::move(alone));
  return success();
}

/// Cuts where what is computed from results of reductions is used with more elements.
static SmallVector<OpOperand *> cutAtReuse(ArrayRef<Operation *> ops, Traffic &traffic) {
  SmallVector<OpOperand *> cuts;
  llvm::SmallPtrSet<Operation *, 16> reduced;
  for (Operation *op : ops) {
    bool isReduced = isa<CombinerOpInterface>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (isReduced || !operand.get().getDefiningOp() ||
          !reduced.contains(operand.get().getDefiningOp()))
        continue;
      if (traffic.getElements(op->getResult(0)) > traffic.getElements(operand.get()))
        cuts.push_back(&operand);
      else
        isReduced = true;
    }
    if (isReduced)
      reduced.insert(op);
  }
  return cuts;
}

/// Cuts around each reduction: what is computed before it, and what reads its results.
static SmallVector<OpOperand *> cutAroundCombiners(ArrayRef<Operation *> ops) {
  SmallVector<OpOperand *> cuts;
  for (Operation *op : ops) {
    if (!isa<CombinerOpInterface>(op))
      continue;
    cutBefore(op, cuts);
    cutBehind(op, cuts);
  }
  return cuts;
}

/// Cuts before each permutation of what the ops compute: a kernel accesses the elements of a tile
/// in two orders, and not in three.
static SmallVector<OpOperand *> cutBeforePermutations(ArrayRef<Operation *> ops, FusionOp fusion,
                                                      const ExtentAnalysis &analysis) {
  SmallVector<OpOperand *> cuts;
  for (Operation *op : ops)
    if (isa<PermuteOp>(op) && !isArgumentView(fusion, op->getOperand(0), analysis))
      cutBefore(op, cuts);
  return cuts;
}

/// Cuts before the last ops, where these compute their elements from one large value: the other
/// kernel stores it in the order of what it reads, and theirs has only it to store in another one.
static SmallVector<OpOperand *> cutBeforeLast(ArrayRef<Operation *> ops, Traffic &traffic) {
  const llvm::SmallPtrSet<Operation *, 16> own(ops.begin(), ops.end());
  SmallVector<OpOperand *> cuts;
  for (Operation *op : ops) {
    if (!isa<ElementwiseOpInterface>(op) ||
        llvm::any_of(op->getUsers(), [&](Operation *user) { return own.contains(user); }))
      continue;
    OpOperand *large = nullptr;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!own.contains(operand.get().getDefiningOp()) ||
          traffic.getBytes(operand.get()) < traffic.getBytes(op->getResult(0)))
        continue;
      if (large)
        return {};
      large = &operand;
    }
    if (large)
      cuts.push_back(large);
  }
  return cuts;
}

bool Partitioner::acceptParts(ArrayRef<Operation *> ops, const Verdict &whole) {
  const double least =
      traffic.getMicroseconds(whole.work.bytesRead + whole.work.bytesWritten) * kSlow;
  if (ops.size() == 1 || whole.microseconds <= least + kLaunchesOfFew * kLaunchMicroseconds)
    return false;
  const SmallVector<OpOperand *> reuse = cutAtReuse(ops, traffic), around = cutAroundCombiners(ops),
                                 permutations = cutBeforePermutations(ops, fusion, analysis),
                                 last = cutBeforeLast(ops, traffic);
  SmallVector<OpOperand *> both;
  if (!around.empty() && !permutations.empty()) {
    llvm::append_range(both, around);
    llvm::append_range(both, permutations);
  }
  Parts parts;
  const double most = (whole.microseconds + kLaunchMicroseconds) * kFaster;
  if (!llvm::any_of(ArrayRef<ArrayRef<OpOperand *>>{around, permutations, both, reuse, last},
                    [&](ArrayRef<OpOperand *> cuts) { return askParts(ops, cuts, most, parts); }))
    return false;
  refuseSlow(ops, whole, parts.microseconds);
  for (auto [part, answer] : llvm::zip_equal(parts.parts, parts.answers)) {
    counts.parts += part.size() > 1;
    if (!acceptParts(part, answer))
      accept(part, std::move(answer));
  }
  return true;
}

void Partitioner::refuseSlow(ArrayRef<Operation *> ops, const Verdict &whole, double apart) {
  Verdict refused;
  refused.refusals = whole.refusals;
  refused.refusals.push_back({whole.scheduler->getName().str(), "slower-than-parts",
                              llvm::formatv("expected at most the {0:f1} us that its parts take, "
                                            "but got {1:f1} us",
                                            apart, whole.microseconds + kLaunchMicroseconds)
                                  .str(),
                              true});
  explain("no scheduler takes this group", ops, refused);
  if (!log || !whole.record)
    return;
  QueryRecord &record = log->queries[*whole.record];
  record = {record.purpose, record.ops, "", refused.refusals, 0, {}};
}

bool Partitioner::askParts(ArrayRef<Operation *> ops, ArrayRef<OpOperand *> cuts, double most,
                           Parts &parts) {
  parts = Parts();
  parts.parts = cutLate(ops, cuts);
  if (parts.parts.size() < 2)
    return false;
  for (ArrayRef<Operation *> part : parts.parts) {
    Verdict answer = query.ask(part.size() == 1 ? Purpose::Single : Purpose::Part, part);
    parts.microseconds += answer.microseconds + kLaunchMicroseconds;
    if (!answer || parts.microseconds > most)
      return false;
    parts.answers.push_back(std::move(answer));
  }
  return true;
}

LogicalResult Partitioner::takeApart(ArrayRef<Operation *> ops, const Verdict &verdict,
                                     unsigned depth) {
  if (ops.size() == 1)
    return askAlone(ops.front(), &verdict);
  SmallVector<SmallVector<Operation *>> parts;
  if (depth < kMostCuts)
    parts = cutAsRefused(ops, verdict);
  if (parts.size() < 2) {
    for (Operation *op : ops)
      if (failed(askAlone(op, nullptr)))
        return failure();
    return success();
  }
  for (ArrayRef<Operation *> part : parts) {
    Verdict answer = query.ask(part.size() == 1 ? Purpose::Single : Purpose::Part, part);
    if (answer) {
      counts.parts += part.size() > 1;
      if (!acceptParts(part, answer))
        accept(part, std::move(answer));
      continue;
    }
    if (part.size() > 1)
      explain("no scheduler takes this part", part, answer);
    if (failed(takeApart(part, answer, depth + 1)))
      return failure();
  }
  return success();
}

LogicalResult Partitioner::askPieces() {
  SmallVector<Piece> pieces = cutAtMarks(fusion, graph, log ? &log->ignoredMarks : nullptr);
  // Joins can make pieces of ops that read the same argument.
  const std::vector<unsigned> groups = groupReaders(pieces, findOrders(pieces));
  llvm::SmallVector<unsigned> sizes(pieces.size(), 0);
  for (unsigned group : groups)
    ++sizes[group];
  for (auto [number, piece] : llvm::enumerate(pieces)) {
    for (Operation *op : piece)
      pieceOf[op] = groups[number];
    if (auto library = dyn_cast<LibraryOpInterface>(piece.front())) {
      piece.front()->emitRemark("computed by the routine '")
          << library.getRoutine() << "' of a library: no kernel can";
      continue;
    }
    Verdict verdict = query.ask(Purpose::Piece, piece);
    if (verdict && acceptParts(piece, verdict)) {
      ++counts.shattered;
      shattered.insert(groups[number]);
      continue;
    }
    if (verdict) {
      ++counts.accepted;
      accept(piece, std::move(verdict));
      // Accepted pieces are merged with others of their group if that takes less time.
      if (sizes[groups[number]] > 1)
        shattered.insert(groups[number]);
      continue;
    }
    counts.shattered += piece.size() > 1;
    shattered.insert(groups[number]);
    explain("no scheduler takes this group", piece, verdict);
    if (failed(takeApart(piece, verdict, 0)))
      return failure();
  }
  return success();
}
