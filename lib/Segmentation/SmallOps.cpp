//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops on few elements, computed once by the kernel that computes what they read or by one of their
// own, instead of by each thread of the kernel that reads their results.
//
//===----------------------------------------------------------------------===//

#include "Partitioner.h"
#include "Pieces.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;
using Group = SegmentGraph::Group;

/// A value is small if the largest one of its kernel has so many times its bytes. Long functions of
/// small values are worth a kernel sooner.
constexpr double kLeastRatio = 64, kLeastRatioOfLong = 4;
/// Both kernels may take so much longer, in total: the error of small times.
constexpr double kSameTime = 1.01;
/// The same where adjacent threads would read single elements of rows: filters of 3x3 pixels of
/// 64x192x56x56 bf16 channels last take 121 us on one NVIDIA H200 with rows, 266 with columns.
constexpr double kSameTimeOfColumns = 1.4;

/// True if the op reads elements at indices of another operand.
static bool readsAtIndices(Operation *op) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(op);
  return mapping && !isa<UpdateOpInterface>(op) &&
         llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
           return llvm::any_of(
               mapping.getDimMaps(operand.getOperandNumber()),
               [](const DimMap &map) { return map.kind == DimMap::Kind::Indirect; });
         });
}

/// True if the op has one element of each row of an argument: adjacent threads read a sector each.
static bool readsColumn(Operation *op) {
  auto slice = dyn_cast<SliceOp>(op);
  if (!slice || !isa<BlockArgument>(slice.getInput()))
    return false;
  const ArrayRef<int64_t> rows = slice.getInput().getType().getShape(),
                          columns = slice.getResult().getType().getShape();
  for (auto [from, to] : llvm::zip_equal(llvm::reverse(rows), llvm::reverse(columns)))
    if (from != 1)
      return to == 1 && llvm::any_of(columns, [](int64_t size) { return size != 1; });
  return false;
}

/// True if an element of the op takes much longer than to read it where it is stored: a long
/// function, or a load that waits for another one and is not next to those of other threads.
static bool isLong(Operation *op) { return op->hasTrait<LongElement>() || readsAtIndices(op); }

/// True if the op computes elements, or has them in another shape. With `mayMove`, it may also read
/// them at other indices, select some of them or join them.
static bool isOfElements(Operation *op, bool mayMove) {
  if (isa<SegmentSetOp, StrideOrderOp>(op))
    return false;
  if (mayMove && (isa<PermuteOp, SliceOp, CatOp, RepeatOp>(op) || readsAtIndices(op)))
    return true;
  return isa<ElementwiseOpInterface, BroadcastOp, ReshapeOp, SqueezeOp>(op) &&
         (mayMove || llvm::none_of(op->getOpOperands(), isReadInPlace));
}

double Partitioner::getLargestBytes(Group group) {
  double largest = 0;
  for (Operation *op : graph.getOps(group))
    for (Value result : op->getResults())
      largest = std::max(largest, traffic.getBytes(result));
  return largest;
}

/// True if the operand has several elements along the fastest dimension of what its op computes.
static bool variesFastest(FusionOp fusion, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType()),
       result = dyn_cast<RankedTensorType>(operand.getOwner()->getResult(0).getType());
  if (!type || !result || type.getRank() != result.getRank())
    return false;
  const ValueOrder order = LayoutInfo(fusion).getOrder(operand.getOwner()->getResult(0));
  for (int64_t dim : llvm::reverse(order.order))
    if (result.getDimSize(dim) != 1)
      return type.getDimSize(dim) != 1;
  return false;
}

bool Partitioner::isColumnOf(Operation *op, double largest) {
  if (!readsColumn(op) || traffic.getBytes(op->getResult(0)) * kLeastRatio > largest)
    return false;
  // What has as many elements, up to an op that has more.
  llvm::SmallSetVector<Operation *, 8> same;
  same.insert(op);
  for (size_t number = 0; number < same.size(); ++number)
    for (OpOperand &use : same[number]->getUses())
      if (Operation *user = use.getOwner(); user->getNumResults() > 0) {
        if (traffic.getElements(user->getResult(0)) <= traffic.getElements(use.get()))
          same.insert(user);
        else if (variesFastest(fusion, use))
          return true;
      }
  return false;
}

SmallVector<Operation *> Partitioner::findSmallOps(Group reader, std::optional<Group> writer) {
  const double largest = getLargestBytes(reader),
               most = largest / (writer ? kLeastRatio : kLeastRatioOfLong);
  auto isSmall = [&](Value value) {
    return !isa<RankedTensorType>(value.getType()) || traffic.getBytes(value) <= most;
  };
  // Of small values alone, from results of the writer, and from arguments.
  llvm::SmallPtrSet<Operation *, 16> small, dependent, ofColumns;
  for (Operation *op : graph.getOps(reader)) {
    bool isDependent = !writer && isLong(op), isOfColumns = !writer && isColumnOf(op, largest);
    const bool isKnown = llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || !isa<RankedTensorType>(operand.getType()))
        return true;
      const bool isWritten =
          writer && graph.contains(producer) && graph.getGroup(producer) == *writer;
      isDependent |= isWritten || dependent.contains(producer);
      isOfColumns |= ofColumns.contains(producer);
      return isWritten || small.contains(producer);
    });
    if (!isKnown || !isOfElements(op, /*mayMove=*/!writer) ||
        !llvm::all_of(op->getOperands(), isSmall) || !llvm::all_of(op->getResults(), isSmall))
      continue;
    small.insert(op);
    if (isDependent)
      dependent.insert(op);
    else if (isOfColumns && traffic.getBytes(op->getResult(0)) * kLeastRatio <= largest)
      ofColumns.insert(op);
  }
  // What they need of the others.
  llvm::SmallPtrSet<Operation *, 16> moved(dependent);
  moved.insert_range(ofColumns);
  SmallVector<Operation *> ops;
  for (Operation *op : llvm::reverse(graph.getOps(reader))) {
    if (!moved.contains(op))
      continue;
    ops.push_back(op);
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && small.contains(producer))
        moved.insert(producer);
  }
  std::reverse(ops.begin(), ops.end());
  return ops;
}

/// The cheap ops that recompute, from arguments alone, values of other groups that `ops` read.
SmallVector<Operation *> Partitioner::findSources(ArrayRef<Operation *> ops) const {
  const llvm::SmallPtrSet<Operation *, 16> own(ops.begin(), ops.end());
  llvm::SmallSetVector<Operation *, 8> sources;
  for (Operation *op : ops)
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || own.contains(producer) || !graph.contains(producer) ||
          !mayRecompute(producer, pieceOf.lookup(op)))
        continue;
      if (std::optional<SmallVector<Operation *>> cone = getSources(producer)) {
        sources.insert(producer);
        sources.insert_range(*cone);
      }
    }
  return sources.takeVector();
}

double Partitioner::predictReader(ArrayRef<Operation *> ops, const Verdict &alone) {
  const SmallVector<Operation *> sources = findSources(ops);
  if (sources.empty())
    return alone.microseconds;
  SmallVector<Operation *> all(ops);
  llvm::append_range(all, sources);
  sortInProgramOrder(all);
  Verdict again = query.ask(QueryRecord::Purpose::Recompute, all, sources);
  return again ? std::min(alone.microseconds, again.microseconds) : alone.microseconds;
}

/// Moves ops of `reader` to `writer`, or to a kernel of their own, if all kernels are accepted, and
/// take no longer together.
bool Partitioner::moveSmallOps(Group reader, Group writer) {
  const SmallVector<Operation *> moved = findSmallOps(reader, writer);
  // Other shapes and types alone save nothing.
  if (llvm::all_of(moved, llvm::IsaPred<BroadcastOp, ReshapeOp, SqueezeOp, CastOp>))
    return false;
  SmallVector<Operation *> first(graph.getOps(writer)), second(graph.getOps(reader));
  llvm::append_range(first, moved);
  sortInProgramOrder(first);
  llvm::erase_if(second, [&](Operation *op) { return llvm::is_contained(moved, op); });
  if (second.empty())
    return false;
  Verdict read = query.ask(QueryRecord::Purpose::Part, second);
  if (!read)
    return false;
  // The reader recomputes cheap values of other kernels in the end.
  const double before = predictReader(graph.getOps(reader), verdicts.find(reader)->second),
               after = predictReader(second, read),
               inWriter = verdicts.find(writer)->second.microseconds;
  Group target = writer;
  Verdict written = query.ask(QueryRecord::Purpose::Merge, first);
  if (written && written.microseconds + after <= kSameTime * (inWriter + before)) {
    graph.move(moved, reader, writer);
  } else {
    written = query.ask(QueryRecord::Purpose::Part, moved);
    if (!written || written.microseconds + kLaunchMicroseconds + after > before)
      return false;
    target = graph.split(moved, reader);
  }
  verdicts[target] = std::move(written);
  verdicts[reader] = std::move(read);
  computedOnce.insert(moved.begin(), moved.end());
  return true;
}

bool Partitioner::splitLongOps(Group reader) {
  const double largest = getLargestBytes(reader);
  auto isColumn = [&](Operation *op) { return isColumnOf(op, largest); };
  if (llvm::none_of(graph.getOps(reader),
                    [&](Operation *op) { return isLong(op) || isColumn(op); }))
    return false;
  // The ops that share no values are kernels of their own.
  SmallVector<Piece> parts = cutAt(findSmallOps(reader, std::nullopt), {});
  // Views of arguments are no kernels.
  llvm::erase_if(parts, [](ArrayRef<Operation *> part) {
    return llvm::all_of(part, llvm::IsaPred<SliceOp, ReshapeOp, SqueezeOp, BroadcastOp, PermuteOp>);
  });
  llvm::SmallPtrSet<Operation *, 16> moved;
  for (ArrayRef<Operation *> part : parts)
    moved.insert_range(part);
  SmallVector<Operation *> rest(graph.getOps(reader));
  llvm::erase_if(rest, [&](Operation *op) { return moved.contains(op); });
  if (moved.empty() || rest.empty())
    return false;
  Verdict read = query.ask(QueryRecord::Purpose::Part, rest);
  if (!read)
    return false;
  // Similar kernels next to each other become one launch.
  double longest = 0;
  SmallVector<Verdict, 0> written;
  for (ArrayRef<Operation *> part : parts) {
    written.push_back(query.ask(QueryRecord::Purpose::Part, part));
    if (!written.back())
      return false;
    longest = std::max(longest, written.back().microseconds);
  }
  // Predictions count instructions of elements, not of accesses, which columns make narrow.
  const bool areColumns = llvm::any_of(moved, isColumn) && llvm::none_of(rest, isColumn);
  const double before = verdicts.find(reader)->second.microseconds;
  if (longest + kLaunchMicroseconds + read.microseconds >=
      before * (areColumns ? kSameTimeOfColumns : 1))
    return false;
  for (ArrayRef<Operation *> part : parts)
    if (llvm::any_of(part, isColumn))
      columns.insert(part.begin(), part.end());
  for (auto [part, verdict] : llvm::zip_equal(parts, written)) {
    verdicts[graph.split(part, reader)] = std::move(verdict);
    computedOnce.insert(part.begin(), part.end());
  }
  verdicts[reader] = std::move(read);
  return true;
}

void Partitioner::splitLongOps() {
  bool isSplit = false;
  for (Group reader : graph.getRunOrder()) {
    if (!verdicts.contains(reader) || sourcesOf.contains(reader) || !splitLongOps(reader))
      continue;
    isSplit = true;
    // What is left may be merged with what was refused next to the long ops.
    if (shattered.contains(pieceOf.lookup(graph.getOps(reader).front())))
      pushNeighbours(reader);
  }
  if (isSplit)
    mergeCandidates();
}

void Partitioner::moveSmallOps() {
  for (Group reader : graph.getRunOrder()) {
    if (!shattered.contains(pieceOf.lookup(graph.getOps(reader).front())) ||
        !verdicts.contains(reader) || sourcesOf.contains(reader))
      continue;
    for (Group writer : graph.getProducers(reader))
      if (verdicts.contains(writer) && !sourcesOf.contains(writer) &&
          pieceOf.lookup(graph.getOps(writer).front()) ==
              pieceOf.lookup(graph.getOps(reader).front()) &&
          moveSmallOps(reader, writer))
        break;
  }
}
