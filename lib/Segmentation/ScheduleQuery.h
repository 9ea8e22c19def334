//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Queries the schedulers whether one kernel can compute given ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_SCHEDULEQUERY_H
#define FUSER_LIB_SEGMENTATION_SCHEDULEQUERY_H

#include "KernelBuilder.h"
#include "fuser/Segmentation/Partition.h"
#include "llvm/ADT/StringMap.h"

namespace fuser {

/// Ops that no kernel computes together, because lowering does not take the schedule of the kernel.
struct RefusedGroup {
  llvm::SmallPtrSet<mlir::Operation *, 16> ops;
  /// What each scheduler said of the kernel.
  llvm::SmallVector<RefusalNote> refusals;
};

/// What the registry said of one group.
struct Verdict {
  /// The chosen scheduler, or null.
  const Scheduler *scheduler = nullptr;
  /// The refusals of the others.
  llvm::SmallVector<RefusalNote> refusals;
  /// The cuts of the refusals that request any, each before operands of ops of the fusion.
  llvm::SmallVector<llvm::SmallVector<mlir::OpOperand *>> cuts;
  /// The predicted work, resources and time of one launch, if a scheduler accepts the group.
  KernelWork work;
  ResourceUse use;
  double microseconds = 0;
  /// All schedulers that accept it.
  llvm::SmallVector<CandidateNote> candidates;
  /// The kernel of an accepted group, if it is to be verified.
  std::shared_ptr<AcceptedKernel> accepted;
  /// Number of the query in the log, if there is a log.
  std::optional<size_t> record;

  /// Whether the schedulers were asked.
  bool isKnown() const { return scheduler || !refusals.empty(); }
  explicit operator bool() const { return scheduler != nullptr; }
  /// Writes the answer to a segment; a scheduler must accept it.
  void describe(Segment &segment) const;
};

/// The answers of the schedulers for groups of ops of one fusion. An answer depends on the ops and
/// on the outputs of their kernel alone, so that attempts to partition the fusion share them.
class KnownAnswers {
public:
  /// The answer for a kernel of `ops` with these outputs: empty until it is set.
  Verdict &operator()(llvm::ArrayRef<mlir::Operation *> ops, llvm::ArrayRef<KernelOutput> outputs);

private:
  /// By the addresses of ops and outputs; they are never visited in their order.
  llvm::StringMap<Verdict> answers;
};

class ScheduleQuery {
public:
  /// `answers` outlives the query.
  ScheduleQuery(FusionOp fusion, const ExtentAnalysis &analysis, const SegmentationOptions &options,
                SegmentationCounts &counts, DecisionLog *log, KnownAnswers &answers,
                llvm::ArrayRef<RefusedGroup> refused = {});

  /// Asks about `ops`, in the order of the program: whether a scheduler accepts a kernel of them
  /// and finds parameters for the expected sizes. No other kernel reads the `recomputed` ones from
  /// this kernel; if `needed` is given, other kernels read only those values. A group that contains
  /// a refused one is refused.
  Verdict ask(QueryRecord::Purpose purpose, llvm::ArrayRef<mlir::Operation *> ops,
              llvm::ArrayRef<mlir::Operation *> recomputed = {},
              const llvm::DenseSet<mlir::Value> *needed = nullptr);

private:
  /// The outputs of the kernel as outlining orders them: returned values by position, then values
  /// that other kernels read. Views of arguments are none, unless there is nothing else.
  llvm::SmallVector<KernelOutput> getKernelOutputs(llvm::ArrayRef<mlir::Operation *> ops,
                                                   llvm::ArrayRef<mlir::Operation *> recomputed,
                                                   const llvm::DenseSet<mlir::Value> *needed) const;
  /// Destroys the kernel, or moves it to the verdict.
  void askAbout(const BuiltKernel &built, Verdict &verdict);
  const RefusedGroup *findRefused(llvm::ArrayRef<mlir::Operation *> ops) const;
  /// The verdict about an equal kernel of an earlier query; null if there is none.
  const Verdict *findKnown(KernelOp kernel, size_t hash) const;
  /// Keeps an accepted kernel; `kernel` is null if the verdict has it.
  void addKnown(mlir::OwningOpRef<KernelOp> kernel, size_t hash, const Verdict &verdict);

  /// A kernel that a scheduler accepted. Parts of a list are often equal.
  struct KnownKernel {
    /// Null if it is the one of the verdict.
    mlir::OwningOpRef<KernelOp> kernel;
    Verdict verdict;

    KernelOp getKernel() const;
  };

  KernelBuilder builder;
  const SegmentationOptions &options;
  SegmentationCounts &counts;
  DecisionLog *log;
  KnownAnswers &answers;
  llvm::ArrayRef<RefusedGroup> refused;
  /// Values that the host function provides as views of arguments, and such outputs.
  llvm::DenseSet<mlir::Value> argumentViews;
  llvm::DenseSet<unsigned> viewOutputs;
  std::vector<KnownKernel> known;
  /// Numbers in `known` by hash.
  llvm::DenseMap<size_t, llvm::SmallVector<unsigned, 1>> knownByHash;
};

RefusalNote describeRefusal(const Scheduler &scheduler, const Refusal &refusal);

/// The values of `ops` that others read or that are returned, as the outputs of a kernel: those
/// that are returned once for each position. `recomputed` ones have none. Where `needed` is given,
/// it says what others read.
llvm::SmallVector<KernelOutput> getOutputs(llvm::ArrayRef<mlir::Operation *> ops,
                                           llvm::ArrayRef<mlir::Operation *> recomputed = {},
                                           const llvm::DenseSet<mlir::Value> *needed = nullptr);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_SCHEDULEQUERY_H
