//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The compiler's decisions about one fusion and their reasons, as plain data to print.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_EXPLAIN_EXPLANATION_H
#define FUSER_EXPLAIN_EXPLANATION_H

#include "fuser/Analysis/LayoutExplanation.h"
#include "fuser/Pipelines/Pipelines.h"
#include "fuser/Scheduling/TimeModel.h"
#include "fuser/Segmentation/Partition.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace fuser::explain {

/// A tensor of the fusion: an argument, or the result of an op.
struct TensorNode {
  /// Its name in the fusion after preseg: "%arg0", "%3", "%4#1".
  std::string name, type;
  /// At the expected sizes.
  double bytes = 0;
  /// Logical dimensions from slowest to fastest in memory, and the source of the order ("fact",
  /// "hint", ...).
  llvm::SmallVector<int64_t> order;
  std::string orderSource;
  /// Positions of the outputs that return it.
  llvm::SmallVector<unsigned> outputs;
};

struct OpNode {
  /// "fuser.sum", and the op's line in the fusion, without its location.
  std::string name, text;
  /// Numbers in Explanation::values.
  llvm::SmallVector<unsigned> operands, results;
};

/// Takes the place of a scheduler's name for a kernel that is scheduled by hand: its ops carry a
/// schedule, or no scheduler takes it and a script schedules it. Its time is that of its bytes and
/// operations at the rates of the device.
inline constexpr llvm::StringLiteral kByHand = "by hand";

struct SegmentNode {
  /// The kernel that computes it; empty: none, or unknown.
  std::string kernel;
  /// Empty: no kernel computes it. `kByHand` for a kernel that no scheduler takes.
  std::string scheduler;
  mlir::Location loc;
  /// Numbers in Explanation::ops, in order; and the ops among them that another segment computes as
  /// well.
  llvm::SmallVector<unsigned> ops, recomputed;
  /// Numbers in Explanation::values.
  llvm::SmallVector<unsigned> reads, writes;
  KernelWork work;
  ResourceUse use;
  /// Without the launch.
  double microseconds = 0;
  /// Threads that a multiprocessor runs at once over those that it can run.
  double occupancy = 0;
  /// All schedulers that accept it, in the order of the registry.
  llvm::SmallVector<CandidateNote> candidates = {};
  /// The ops of its kernel with their domains, if a schedule script scheduled it. Parameters and
  /// time above are then those of the scheduler that would have.
  std::vector<std::string> script = {};
  /// The parameters that a file of schedules gives its kernel; empty: it does not. Parameters, use
  /// and time above are then those.
  std::string tuned = {};
  /// The order of a buffer that it reads or writes changed after segmentation: work, use, times and
  /// candidates are those of the final kernel.
  bool isSettled = false;
};

/// A kernel that changes the layout of a whole buffer: of an argument that is returned, or of an
/// operand or result of a library routine.
struct CopyNode {
  std::string kernel, scheduler;
  KernelWork work;
  ResourceUse use;
  /// Without the launch.
  double microseconds = 0;
  double occupancy = 0;
};

struct Boundary {
  BoundaryRecord::Reason reason;
  mlir::Location loc;
  /// Number in Explanation::values.
  unsigned value;
  unsigned producer, consumer;
  /// The schedulers that refused to fuse both segments, and why: specific reasons first.
  llvm::SmallVector<RefusalNote> refusals;
  double together = 0, apart = 0;
};

/// One query to the schedulers.
struct Query {
  std::string purpose, scheduler;
  llvm::SmallVector<unsigned> ops;
  llvm::SmallVector<RefusalNote> refusals;
  double microseconds = 0;
  llvm::SmallVector<CandidateNote> candidates;
};

/// A launch of the host function with its boxes: "%arg0", or "%arg0[0:4, 8:?]" for a part.
/// touched.
struct Launch {
  std::string kernel;
  llvm::SmallVector<std::string> inputs, outputs;
  /// Number in Explanation::batches.
  std::optional<unsigned> batch = std::nullopt;
  /// Of a program on several streams: its stream, and the predicted microseconds of its start and
  /// end since the start of the call.
  std::optional<unsigned> stream = std::nullopt;
  double start = 0, end = 0;
};

/// Launches that are to become one, and the predicted microseconds of one and of several launches.
struct Batch {
  unsigned launches = 0;
  double together = 0, apart = 0;
};

/// The text after one step of the compiler (PipelineStep::getName; "program": as it was read;
/// "ptx").
struct StageText {
  std::string stage, text;
  /// What each line came from, sorted: numbers in Explanation::ops, and (plus the number of ops) in
  /// Explanation::values of arguments.
  std::vector<llvm::SmallVector<unsigned, 1>> sources = {};
};

/// A loop of a kernel and what is in it, in order.
struct OutlineNode {
  enum class Kind { Loop, Op, Buffer, Combine, Barrier };
  Kind kind;
  /// Loop: its parallel type ("serial", "thread_x", ...). Op, and a reduction whose partial results
  /// are combined: "%2 = max %1". Buffer: the names of the values in it. Barrier: what waits
  /// (getBarrierKind).
  std::string label;
  /// Loop: the trip count, over names of sizes: "x[1] ceildiv 4". Buffer: "4xf32". Combine:
  /// "thread_x, thread_y".
  std::string detail = {};
  /// Loop: the trip count at the expected sizes, if it is known. Barrier: how often it is in the
  /// code.
  std::optional<int64_t> count = std::nullopt;
  /// Buffer: "register" or "shared".
  std::string memory = {};
  /// As StageText::sources.
  llvm::SmallVector<unsigned, 1> sources = {};
  std::vector<OutlineNode> items = {};
};

/// One kernel from segmentation to machine code.
struct KernelTrace {
  std::string name;
  /// In order.
  std::vector<StageText> stages = {};
  std::vector<OutlineNode> loops = {};
  /// Why the last stages are missing; empty: none is.
  std::string error = {};
  /// The kernel that contains it, if its launch was merged with others; empty: none.
  std::string mergedInto = {};
};

/// Kernels, traffic and time of a whole program, launches included.
struct Totals {
  unsigned kernels = 0;
  double bytesRead = 0, bytesWritten = 0, microseconds = 0;
};

struct Explanation {
  std::string program, device, sizes;
  /// The rates that no kernel of the device exceeds.
  Roofs roofs;
  std::vector<TensorNode> values;
  std::vector<OpNode> ops;
  std::vector<SegmentNode> segments;
  std::vector<CopyNode> copies;
  std::vector<Boundary> boundaries;
  std::vector<Query> queries;
  std::vector<Launch> launches;
  std::vector<Batch> batches;
  /// Texts of ignored marks.
  std::vector<std::string> ignoredMarks;
  /// Rows of the fusion after preseg, and of the host function.
  llvm::SmallVector<LayoutRow> layouts, buffers;
  SegmentationCounts counts;
  /// For the chosen segments, and with every op in a kernel of its own.
  Totals fused, unfused;
  /// The fusion as it was read, and after preseg. Empty without stages, as `kernels`.
  std::vector<StageText> programs;
  std::vector<KernelTrace> kernels;
  /// The step after which there are no stages, and why; empty: none failed.
  std::string error;
  /// Microseconds of kernels by name, from a profile (fuser-run --profile), and the device that ran
  /// them.
  std::map<std::string, double> measured;
  std::string measuredOn;
};

struct ExplainOptions {
  PipelineOptions pipeline;
  /// Schedules of kernels as text (ScheduleLibrary); empty: none.
  std::string schedules;
  /// Compile the kernels, and keep their texts after each step.
  bool stages = false;
};

/// Segments the fusion called `program` of `module` as the pipeline would, and keeps the reasons.
/// Afterwards the module is past segmentation. Locations of the result are those of the program.
/// Fails with a diagnostic if a phase up to segmentation does. What fails later is in the result.
mlir::FailureOr<Explanation> explainFusion(mlir::ModuleOp module, llvm::StringRef program,
                                           const artifact::DeviceDescription &device,
                                           const ExplainOptions &options);

/// Prints a report without `queries`.
void printText(llvm::raw_ostream &out, const Explanation &explanation);
/// Everything, with the keys that docs/explain.md lists.
llvm::json::Value writeJson(const Explanation &explanation);
/// Prints the same, with indentation.
void printJson(llvm::raw_ostream &out, const Explanation &explanation);
/// Prints a drawing of the graph: segments in run order, their ops, and the values between them.
void printSvg(llvm::raw_ostream &out, const Explanation &explanation);
/// Prints a self-contained page that shows the data of printJson (docs/explain.md).
void printHtml(llvm::raw_ostream &out, const Explanation &explanation);
/// Emits segments and boundaries as remarks at their ops.
void emitRemarks(const Explanation &explanation);

/// "1.5 MB".
std::string formatBytes(double bytes);
/// "12.3 us", "1.24 ms".
std::string formatTime(double microseconds);
/// "inner_persistent [row-too-long]: expected ...".
std::string describe(const RefusalNote &refusal);
/// The reason for a boundary, in one sentence.
std::string describe(const Boundary &boundary);
/// "reduction, 2 ops, 4096 blocks x 512 threads".
std::string describe(const SegmentNode &segment);
/// "transpose, copies a buffer, 4096 blocks x 512 threads".
std::string describe(const CopyNode &copy);

} // namespace fuser::explain

#endif // FUSER_EXPLAIN_EXPLANATION_H
