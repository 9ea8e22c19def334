//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The state of partitioning one fusion: top-down cuts, then bottom-up merges, then recomputation.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_PARTITIONER_H
#define FUSER_LIB_SEGMENTATION_PARTITIONER_H

#include "JoinPlan.h"
#include "ScheduleQuery.h"
#include "Traffic.h"
#include "fuser/Analysis/SegmentGraph.h"
#include <map>
#include <queue>

namespace fuser {

/// Sorts ops of one block by their positions in the program.
inline void sortInProgramOrder(llvm::MutableArrayRef<mlir::Operation *> ops) {
  llvm::sort(ops, [](mlir::Operation *a, mlir::Operation *b) { return a->isBeforeInBlock(b); });
}

class Partitioner {
public:
  using Group = SegmentGraph::Group;

  Partitioner(FusionOp fusion, const ExtentAnalysis &analysis, const SegmentationOptions &options,
              SegmentationCounts &counts, DecisionLog *log, KnownAnswers &answers,
              llvm::ArrayRef<RefusedGroup> refused);

  // In this order:

  /// Queries the schedulers for the pieces between marks, and splits refused ones. Fails with a
  /// diagnostic at an op that no scheduler accepts alone.
  mlir::LogicalResult askPieces();
  /// Merges the parts of pieces that were split.
  void mergeShattered();
  /// Gives long functions of few elements kernels of their own where that takes less time.
  void splitLongOps();
  /// Moves ops on few elements to the group that computes what they read.
  void moveSmallOps();
  /// Segments in execution order, with cheap ops recomputed; records the reasons for the remaining
  /// boundaries.
  mlir::FailureOr<Partition> finish();

private:
  /// Two groups that could be merged. Larger savings first, then smaller groups, then program
  /// order.
  struct Candidate {
    double saving;
    size_t size;
    Group a, b;
    bool operator<(const Candidate &other) const {
      return std::tuple(saving, -int64_t(size), -int64_t(a), -int64_t(b)) <
             std::tuple(other.saving, -int64_t(other.size), -int64_t(other.a), -int64_t(other.b));
    }
  };
  /// The reason for which a pair of groups was not merged; valid while they have this number of ops
  /// in total.
  struct Rejection {
    size_t size;
    BoundaryRecord::Reason reason;
    std::optional<size_t> query;
    double together = 0, apart = 0;
  };

  /// Parts of a group, the answers for them, and the time that they take, launches included.
  struct Parts {
    llvm::SmallVector<llvm::SmallVector<mlir::Operation *>> parts;
    llvm::SmallVector<Verdict, 0> answers;
    double microseconds = 0;
  };

  // Top-down.
  Group accept(llvm::ArrayRef<mlir::Operation *> ops, Verdict verdict);
  mlir::LogicalResult takeApart(llvm::ArrayRef<mlir::Operation *> ops, const Verdict &verdict,
                                unsigned depth);
  /// Refuses a group that a scheduler takes if its parts take less time, and accepts these: merges
  /// join those that do not. False if the group is to be accepted.
  bool acceptParts(llvm::ArrayRef<mlir::Operation *> ops, const Verdict &whole);
  /// The parts of `ops` by the cuts. False if there are no several ones, no scheduler takes one, or
  /// they take more than `most` microseconds.
  bool askParts(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<mlir::OpOperand *> cuts,
                double most, Parts &parts);
  void refuseSlow(llvm::ArrayRef<mlir::Operation *> ops, const Verdict &whole, double apart);
  mlir::LogicalResult askAlone(mlir::Operation *op, const Verdict *known);
  llvm::SmallVector<llvm::SmallVector<mlir::Operation *>>
  cutAsRefused(llvm::ArrayRef<mlir::Operation *> ops, const Verdict &verdict);

  // Bottom-up.
  void collectReaders();
  void push(Group a, Group b);
  void pushNeighbours(Group group);
  void tryMerge(const Candidate &candidate);
  void mergeCandidates();
  /// What groups take together if they compute again what they read of others: from arguments,
  /// which they share. Null if some value cannot be.
  Verdict askSiblings(llvm::ArrayRef<Group> groups, llvm::ArrayRef<mlir::Operation *> ops,
                      llvm::SmallVectorImpl<mlir::Operation *> &sources, double &apart);
  bool mayRecompute(mlir::Operation *op, unsigned piece) const;
  /// The ops that compute what `ops` read of others from arguments alone, in program order. nullopt
  /// if there are too many, or one that costs more than arithmetic.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  getSources(llvm::ArrayRef<mlir::Operation *> ops) const;
  bool isRejected(Group a, Group b) const;

  // Small ops.
  /// The bytes of the largest result.
  double getLargestBytes(Group group);
  /// The ops of one group on small values alone that depend on results of another one, and on
  /// nothing else but arguments; in the order of the program. Without a writer, those that are long
  /// or depend on long ones, from arguments alone.
  llvm::SmallVector<mlir::Operation *> findSmallOps(Group reader, std::optional<Group> writer);
  /// True if the op reads a column of an argument for a far larger value.
  bool isColumnOf(mlir::Operation *op, double largest);
  bool moveSmallOps(Group reader, Group writer);
  bool splitLongOps(Group reader);
  llvm::SmallVector<mlir::Operation *> findSources(llvm::ArrayRef<mlir::Operation *> ops) const;
  /// The predicted microseconds of a kernel of `ops`, which may recompute values that it reads:
  /// `alone` is the answer for one that does not.
  double predictReader(llvm::ArrayRef<mlir::Operation *> ops, const Verdict &alone);

  // Segments.
  /// The orders that joins of results of these groups of ops need, by position.
  llvm::SmallVector<WriteOrder>
  findOrders(llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> groups) const;
  void orderWriters();
  void addSegment(Group group, Partition &partition);
  mlir::LogicalResult askJoins(Partition &partition);
  /// Recomputes cheap producers of the segment's inputs in the segment if that reduces memory
  /// traffic.
  void recompute(Segment &segment, llvm::MutableArrayRef<Segment> earlier);
  /// The answers for the earlier segments that compute values which only `cone` reads from other
  /// kernels, by segment; nothing if one of them cannot store them.
  std::optional<llvm::SmallVector<std::pair<Segment *, Verdict>, 0>>
  askAboutStores(llvm::ArrayRef<mlir::Operation *> cone,
                 const llvm::SmallPtrSetImpl<mlir::Operation *> &own,
                 llvm::MutableArrayRef<Segment> earlier);
  /// Kernels that compute one op of the segment each: those whose values are `needed`, and those
  /// that are expensive; the others are computed again by each kernel that reads them. nullopt if a
  /// kernel is refused.
  std::optional<llvm::SmallVector<Segment, 0>>
  splitByValue(const Segment &segment, const llvm::DenseSet<mlir::Value> &needed);
  /// The segment without ops whose results are not needed after it, directly or indirectly; nothing
  /// if no op remains. Several segments if no scheduler accepts the rest as one kernel.
  llvm::SmallVector<Segment, 0> prune(Segment segment, const llvm::DenseSet<mlir::Value> &needed);
  void recordBoundaries(const Partition &partition);
  BoundaryRecord explainBoundary(mlir::Operation *producer, mlir::Operation *consumer) const;
  void remarkFallbacks(const Partition &partition) const;
  /// S2.9: an insertion that is not part of the kernel that computes the inserted value.
  void remarkInserts(const Partition &partition) const;
  void explain(const llvm::Twine &what, llvm::ArrayRef<mlir::Operation *> ops,
               const Verdict &verdict) const;

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  const SegmentationOptions &options;
  SegmentationCounts &counts;
  DecisionLog *log;
  /// Values that kernels write part by part: each is a separate segment.
  llvm::SmallVector<mlir::Operation *> joins;
  SegmentGraph graph;
  ScheduleQuery query;
  Traffic traffic;
  /// The piece between marks of each op, and the pieces that were split.
  llvm::DenseMap<mlir::Operation *, unsigned> pieceOf;
  llvm::DenseSet<unsigned> shattered;
  /// The answers of the schedulers for each group that is one kernel; a library computes the other
  /// groups.
  llvm::DenseMap<Group, Verdict> verdicts;
  /// What groups that only their arguments connect compute again.
  llvm::DenseMap<Group, llvm::SmallVector<mlir::Operation *>> sourcesOf;
  /// Small ops that are not to be recomputed.
  llvm::DenseSet<mlir::Operation *> computedOnce;
  /// Those that store columns of arguments as rows, and stay apart from what reads the rows.
  llvm::DenseSet<mlir::Operation *> columns;
  std::priority_queue<Candidate> candidates;
  std::map<std::pair<Group, Group>, Rejection> rejections;
  /// Values that are stored because a segment recomputes ops that read them.
  llvm::DenseSet<mlir::Value> extraStores;
  /// For each read of a value: ops that read it shortly before and after in the program.
  llvm::DenseMap<mlir::OpOperand *, llvm::SmallVector<mlir::Operation *, 4>> otherReaders;
};

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_PARTITIONER_H
