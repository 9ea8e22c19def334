//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log of the queries and decisions of segmentation, recorded when they are made.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_DECISIONLOG_H
#define FUSER_SEGMENTATION_DECISIONLOG_H

#include "fuser/Dialect/IR/Fuser.h"
#include <optional>
#include <string>
#include <vector>

namespace fuser {

/// The reason for which one scheduler refused a group.
struct RefusalNote {
  std::string scheduler;
  /// The code of the Refusal; "analysis" if an analysis failed before the schedulers were queried.
  std::string code;
  std::string sentence;
  /// False if the code only states that the scheduler is not meant for such groups.
  bool isSpecific = true;
};

/// A scheduler that accepts a group, and the predicted time of one launch.
struct CandidateNote {
  std::string scheduler;
  double microseconds;
};

/// One query to the schedulers. Ops are those of the fusion, in order.
struct QueryRecord {
  enum class Purpose {
    /// The ops between marks.
    Piece,
    /// A part of a refused group, cut where a refusal requested it.
    Part,
    /// One op of a refused group.
    Single,
    /// Two groups and all groups on paths between them.
    Merge,
    /// A segment that recomputes a cheap op of another one.
    Recompute,
  };
  Purpose purpose;
  llvm::SmallVector<mlir::Operation *> ops;
  /// The chosen scheduler; empty if all refuse.
  std::string scheduler;
  /// Refusals of all queried schedulers.
  llvm::SmallVector<RefusalNote> refusals;
  /// Predicted time of one launch, if a scheduler accepts.
  double microseconds = 0;
  /// All schedulers that accept, in the order of the registry.
  llvm::SmallVector<CandidateNote> candidates = {};
};
/// "piece", "part", "single", "merge", "recompute".
llvm::StringRef stringifyPurpose(QueryRecord::Purpose purpose);

/// The reason for which a value between two segments is stored in memory.
struct BoundaryRecord {
  enum class Reason {
    /// A `fuser.segment_set` requests it.
    Mark,
    /// Otherwise segments would form a cycle through marks.
    Circle,
    /// No scheduler accepts both segments as one kernel.
    Refusal,
    /// One kernel would take longer than both.
    Cost,
    /// One side is not a kernel: a library computes it, or it consists of parts that kernels write.
    Host,
  };
  Reason reason;
  mlir::Value value;
  /// Positions in the partition.
  unsigned producer, consumer;
  /// Number of the query that decided, in DecisionLog::queries (Refusal, Cost).
  std::optional<size_t> query;
  /// Predicted microseconds as one launch and as several, launches included (Cost).
  double together = 0, apart = 0;
};
/// "mark", "circle", "refusal", "cost", "host".
llvm::StringRef stringifyReason(BoundaryRecord::Reason reason);
/// The reason as a sentence, without the refusal or the times that it has.
llvm::StringRef describeReason(BoundaryRecord::Reason reason);

/// All decisions about one fusion, in the order in which they were made. Valid while its ops are.
struct DecisionLog {
  std::vector<QueryRecord> queries;
  std::vector<BoundaryRecord> boundaries;
  /// Marks inside of a segment: their two sides are also connected by paths without a mark.
  std::vector<SegmentSetOp> ignoredMarks;
};

} // namespace fuser

#endif // FUSER_SEGMENTATION_DECISIONLOG_H
