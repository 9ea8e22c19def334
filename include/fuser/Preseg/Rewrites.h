//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rewrites of fusions before segmentation, as functions. The comment of each names its pass,
// which Passes.td describes with an example; each returns the statistics of the pass. No rewrite
// changes an op that carries a schedule, a requirement, an alias, an existing fact, or the type of
// an argument or output. Each rewrite is idempotent.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PRESEG_REWRITES_H
#define FUSER_PRESEG_REWRITES_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// fuser-remove-empty.
struct RemovedEmpty {
  /// Results that have no elements.
  unsigned numTensors = 0;
  /// Reductions of no elements.
  unsigned numReductions = 0;
  /// Operands without elements.
  unsigned numOperands = 0;
  /// Ops that are the identity.
  unsigned numMoves = 0;
};
/// Fails with a diagnostic if it needs a size that the arguments do not determine.
mlir::FailureOr<RemovedEmpty> removeEmpty(FusionOp fusion);

/// fuser-reduce-pads: the number of reductions that moved before a pad.
unsigned reducePads(FusionOp fusion);

/// fuser-squeeze-reductions: the number of reductions that lost a dimension.
unsigned squeezeReductions(FusionOp fusion);

/// fuser-derive-maxima: the number of maxima that became functions of others.
unsigned deriveMaxima(FusionOp fusion);

/// fuser-expand-powers: the number of powers that became products.
unsigned expandPowers(FusionOp fusion);

/// fuser-derive-moments: the number of reductions that others replaced.
unsigned deriveMoments(FusionOp fusion);

/// fuser-unroll-reductions: the number of reductions that became sums (products, ...) of slices.
unsigned unrollReductions(FusionOp fusion);

/// fuser-split-reductions: the number of reductions that became two.
unsigned splitReductions(FusionOp fusion);

/// fuser-merge-reductions: the number of reductions that merged with those of their operands.
unsigned mergeReductions(FusionOp fusion);

/// fuser-share-reductions: the number of reductions that became two.
unsigned shareReductions(FusionOp fusion);

/// fuser-interleave-parts: the number of joins that became selections. Fails with the diagnostic of
/// an analysis.
mlir::FailureOr<unsigned> interleaveParts(FusionOp fusion);

/// fuser-fold-casts: the number of casts that lost a step.
unsigned foldCasts(FusionOp fusion);

/// fuser-clone-indices: the number of ops that were cloned.
unsigned cloneIndices(FusionOp fusion);

/// fuser-multiply-outer-products: the number of contractions replaced.
unsigned multiplyOuterProducts(FusionOp fusion);

/// fuser-reduce-scatters: the number of scatters replaced. `maxDestinations` is the largest size of
/// the dimension into which they accumulate. Fails as `substituteExtents` does.
mlir::FailureOr<unsigned> reduceScatters(FusionOp fusion, int64_t maxDestinations);

/// fuser-join-insertions: the number of sums that became concatenations. Fails as
/// `substituteExtents` does.
mlir::FailureOr<unsigned> joinInsertions(FusionOp fusion);

/// fuser-hoist-rolls: the number of rolls that moved before functions. Fails as `substituteExtents`
/// does.
mlir::FailureOr<unsigned> hoistRolls(FusionOp fusion);

/// fuser-sum-selections: the number of sums that became functions of two values.
unsigned sumSelections(FusionOp fusion);

/// fuser-expand-repeats.
struct ExpandedRepeats {
  /// Concatenations of one tensor with itself.
  unsigned numRepeats = 0;
  /// Repeats of dimensions of size 1.
  unsigned numExpanded = 0;
};
ExpandedRepeats expandRepeats(FusionOp fusion);

/// fuser-fold-reshapes: the number of reshapes of reshapes that became one.
unsigned foldReshapes(FusionOp fusion);

/// fuser-cancel-broadcasts: the number of pairs that became one op or none.
unsigned cancelBroadcasts(FusionOp fusion);

/// fuser-hoist-pads.
struct HoistedPads {
  /// Pads of pads that became one.
  unsigned numMerged = 0;
  /// Pads that moved up to others.
  unsigned numHoisted = 0;
};
HoistedPads hoistPads(FusionOp fusion);

/// fuser-pad-operands: the number of paddings that moved. Fails with a diagnostic of the extent
/// analysis.
mlir::FailureOr<unsigned> padOperands(FusionOp fusion);

/// fuser-join-operands: the number of concatenations whose parts are computed after it. Fails with
/// a diagnostic of the extent analysis.
mlir::FailureOr<unsigned> joinOperands(FusionOp fusion);

/// fuser-hoist-slices: the number of ops that a slice moved up through. Fails with a diagnostic of
/// the extent analysis.
mlir::FailureOr<unsigned> hoistSlices(FusionOp fusion);

/// fuser-sink-repeats: the number of ops that are computed on fewer elements.
unsigned sinkRepeats(FusionOp fusion);

/// fuser-sink-joins: the number of ops that are computed on the parts of a concatenation.
unsigned sinkJoins(FusionOp fusion);

/// fuser-hoist-gathers: the number of gathers hoisted above a function.
unsigned hoistGathers(FusionOp fusion);

/// fuser-substitute-extents.
struct SubstitutedExtents {
  /// Facts that the program implies but did not state.
  unsigned numFacts = 0;
  /// Reads of sizes replaced.
  unsigned numSizes = 0;
  /// Types that became more static.
  unsigned numTypes = 0;
};
/// Fails with a diagnostic if sizes contradict each other, or if the arguments do not determine
/// one.
mlir::FailureOr<SubstitutedExtents> substituteExtents(FusionOp fusion);

/// fuser-cancel-splits: the number of concatenations and slices removed. Fails as
/// `substituteExtents` does.
mlir::FailureOr<unsigned> cancelSplits(FusionOp fusion);

/// fuser-hoist-flips: the number of flips hoisted. Fails as `substituteExtents` does.
mlir::FailureOr<unsigned> hoistFlips(FusionOp fusion);

/// fuser-shift-scans: the number of scans that became exclusive. Fails as `substituteExtents` does.
mlir::FailureOr<unsigned> shiftScans(FusionOp fusion);

/// fuser-push-updates: the number of arguments whose updates became pushes. Fails as
/// `substituteExtents` does.
mlir::FailureOr<unsigned> pushUpdates(FusionOp fusion);

/// fuser-place-pushes: the number of pushes that changed.
unsigned placePushes(FusionOp fusion);

/// fuser-narrow-boundaries: the number of boundaries that moved up. `maxOps` is the maximum number
/// of ops that a boundary passes; each of them may then be computed twice.
unsigned narrowBoundaries(FusionOp fusion, unsigned maxOps);

/// fuser-protect-updates: the number of aliased outputs that got a boundary.
unsigned protectUpdates(FusionOp fusion);

/// fuser-mark-aliases.
struct MarkedAliases {
  /// Outputs replaced by arguments.
  unsigned numForwarded = 0;
  /// Outputs that got a hint.
  unsigned numHints = 0;
};
MarkedAliases markAliases(FusionOp fusion);

/// fuser-finalize-domains: the number of domains that changed.
unsigned finalizeDomains(FusionOp fusion);

/// fuser-verify-distribution. Fails with a diagnostic.
mlir::LogicalResult verifyDistribution(FusionOp fusion);

/// Where a front end or a user requests boundaries of segments (fuser-mark-boundaries).
struct BoundaryMarks {
  struct OperationMark {
    std::string name;
    bool before, after;
  };
  llvm::SmallVector<OperationMark> operations;
  llvm::SmallVector<std::string> regions;

  /// Parses the option `at` of the pass. Fails with a diagnostic at `op`.
  static mlir::FailureOr<BoundaryMarks> parse(mlir::Operation *op, llvm::StringRef text);
};

/// Inserts `fuser.segment_set` at the marks; returns the number of values that were marked.
unsigned markBoundaries(FusionOp fusion, const BoundaryMarks &marks);

} // namespace fuser

#endif // FUSER_PRESEG_REWRITES_H
