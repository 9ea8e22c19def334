//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What segmentation asked and decided, recorded where it happens.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SEGMENTATION_DECISIONLOG_H
#define FUSER_SEGMENTATION_DECISIONLOG_H

#include "fuser/Dialect/IR/Fuser.h"
#include <optional>
#include <string>
#include <vector>

namespace fuser {

/// Why one scheduler did not take a group.
struct RefusalNote {
  std::string scheduler;
  /// That of the Refusal; "analysis" where no scheduler could be asked.
  std::string code;
  std::string sentence;
  /// False where the code only says that the group is no business of this scheduler.
  bool isSpecific = true;
};

/// A scheduler that takes a group, and the predicted time of one launch.
struct CandidateNote {
  std::string scheduler;
  double microseconds;
};

/// One question to the schedulers. Ops are those of the fusion, in order.
struct QueryRecord {
  enum class Purpose {
    /// What lies between marks.
    Piece,
    /// A part of a refused group, cut where a refusal asked for it.
    Part,
    /// One op of a refused group.
    Single,
    /// Two groups and what lies between them.
    Merge,
    /// A segment with a cheap op of another one.
    Recompute,
  };
  Purpose purpose;
  llvm::SmallVector<mlir::Operation *> ops;
  /// Who takes it; empty: nobody.
  std::string scheduler;
  /// Of all that were asked.
  llvm::SmallVector<RefusalNote> refusals;
  /// Predicted time of one launch, where somebody takes it.
  double microseconds = 0;
  /// All schedulers that take it, in the order of the registry.
  llvm::SmallVector<CandidateNote> candidates = {};
};
/// "piece", "part", "single", "merge", "recompute".
llvm::StringRef stringifyPurpose(QueryRecord::Purpose purpose);

/// Why a value passes from one segment to another through memory.
struct BoundaryRecord {
  enum class Reason {
    /// A `fuser.segment_set` asks for it.
    Mark,
    /// Marks would make a circle of segments otherwise.
    Circle,
    /// Nobody takes both segments together.
    Refusal,
    /// Together they would take longer than apart.
    Cost,
    /// One side is no kernel: a library computes it, or it is made of parts that kernels write.
    Host,
  };
  Reason reason;
  mlir::Value value;
  /// Positions in the partition.
  unsigned producer, consumer;
  /// Number of the question that decided, in DecisionLog::queries (Refusal, Cost).
  std::optional<size_t> query;
  /// Predicted microseconds as one launch and as several, launches included (Cost).
  double together = 0, apart = 0;
};
/// "mark", "circle", "refusal", "cost", "host".
llvm::StringRef stringifyReason(BoundaryRecord::Reason reason);

/// All decisions about one fusion, in the order in which they were taken. Valid while its ops are.
struct DecisionLog {
  std::vector<QueryRecord> queries;
  std::vector<BoundaryRecord> boundaries;
  /// Marks inside of a segment: their two sides are connected without them as well.
  std::vector<SegmentSetOp> ignoredMarks;
};

} // namespace fuser

#endif // FUSER_SEGMENTATION_DECISIONLOG_H
