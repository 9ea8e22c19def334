//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the compiler decided about one fusion and why, as plain data to print.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_EXPLAIN_EXPLANATION_H
#define FUSER_EXPLAIN_EXPLANATION_H

#include "fuser/Analysis/LayoutExplanation.h"
#include "fuser/Pipelines/Pipelines.h"
#include "fuser/Segmentation/Partition.h"

namespace fuser::explain {

/// A tensor of the fusion: an argument, or what an op defines.
struct TensorNode {
  /// As the fusion behind preseg prints it: "%arg0", "%3", "%4#1".
  std::string name, type;
  /// At the expected sizes.
  double bytes = 0;
  /// Logical dimensions from slowest to fastest in memory, and who says so ("fact", "hint", ...).
  llvm::SmallVector<int64_t> order;
  std::string orderSource;
  /// Positions of the outputs that it is.
  llvm::SmallVector<unsigned> outputs;
};

struct OpNode {
  /// "fuser.sum", and the line of the fusion that it is, without its location.
  std::string name, text;
  /// Numbers in Explanation::values.
  llvm::SmallVector<unsigned> operands, results;
};

struct SegmentNode {
  /// The kernel that it became; empty: none, or nobody can tell.
  std::string kernel;
  /// Empty: no kernel computes it.
  std::string scheduler;
  mlir::Location loc;
  /// Numbers in Explanation::ops, in order; those of them that another segment computes as well.
  llvm::SmallVector<unsigned> ops, recomputed;
  /// Numbers in Explanation::values.
  llvm::SmallVector<unsigned> reads, writes;
  KernelWork work;
  ResourceUse use;
  /// Without the launch.
  double microseconds = 0;
  /// All schedulers that accept it, in the order of the registry.
  llvm::SmallVector<CandidateNote> candidates = {};
};

struct Boundary {
  BoundaryRecord::Reason reason;
  mlir::Location loc;
  /// Number in Explanation::values.
  unsigned value;
  unsigned producer, consumer;
  /// Who refused the two together, and why: at first those whose reason is specific.
  llvm::SmallVector<RefusalNote> refusals;
  double together = 0, apart = 0;
};

/// One question to the schedulers.
struct Query {
  std::string purpose, scheduler;
  llvm::SmallVector<unsigned> ops;
  llvm::SmallVector<RefusalNote> refusals;
  double microseconds = 0;
  llvm::SmallVector<CandidateNote> candidates;
};

/// A launch of the host function with its boxes: "%arg0", or "%arg0[0:4, 8:?]" where a part is
/// touched.
struct Launch {
  std::string kernel;
  llvm::SmallVector<std::string> inputs, outputs;
};

/// Kernels, traffic and time of a whole program, launches included.
struct Totals {
  unsigned kernels = 0;
  double bytesRead = 0, bytesWritten = 0, microseconds = 0;
};

struct Explanation {
  std::string program, device, sizes;
  std::vector<TensorNode> values;
  std::vector<OpNode> ops;
  std::vector<SegmentNode> segments;
  std::vector<Boundary> boundaries;
  std::vector<Query> queries;
  std::vector<Launch> launches;
  /// Texts of marks that are not honoured.
  std::vector<std::string> ignoredMarks;
  /// Rows of the fusion behind preseg, and of the host function.
  llvm::SmallVector<LayoutRow> layouts, buffers;
  SegmentationCounts counts;
  /// As it is segmented, and with every op in a kernel of its own.
  Totals fused, unfused;
};

/// Segments the fusion `program` of `module` as the pipeline would, and keeps the reasons. The
/// module is past segmentation then. Locations of the result are those of the program. Fails with a
/// diagnostic where a phase does.
mlir::FailureOr<Explanation> explainFusion(mlir::ModuleOp module, llvm::StringRef program,
                                           const artifact::DeviceDescription &device,
                                           const PipelineOptions &options);

/// A report to read, without `queries`.
void printText(llvm::raw_ostream &out, const Explanation &explanation);
/// All of it, with the keys that docs/explain.md lists.
void printJson(llvm::raw_ostream &out, const Explanation &explanation);
/// A drawing of the graph: segments in run order, their ops, and what passes between them.
void printSvg(llvm::raw_ostream &out, const Explanation &explanation);
/// A page with the drawing and the tables; it needs no other file.
void printHtml(llvm::raw_ostream &out, const Explanation &explanation);
/// Segments and boundaries as remarks at their ops.
void emitRemarks(const Explanation &explanation);

/// "1.5 MB".
std::string formatBytes(double bytes);
/// "12.3 us", "1.24 ms".
std::string formatTime(double microseconds);
/// "inner_persistent [row-too-long]: expected ...".
std::string describe(const RefusalNote &refusal);
/// What made a boundary, in one sentence.
std::string describe(const Boundary &boundary);
/// "reduction, 2 ops, 4096 blocks x 512 threads".
std::string describe(const SegmentNode &segment);

} // namespace fuser::explain

#endif // FUSER_EXPLAIN_EXPLANATION_H
