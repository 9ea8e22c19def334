//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs the phases up to segmentation and collects their decisions.
//
//===----------------------------------------------------------------------===//

#include "FinalKernels.h"
#include "Trace.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Explain/Explanation.h"
#include "fuser/Scheduling/Candidates.h"
#include "fuser/Scheduling/LaunchStreams.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Scheduling/ScheduleLibrary.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Segmentation/CopyArguments.h"
#include "fuser/Segmentation/JoinParts.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/InterleavedRange.h"

#include <map>

using namespace mlir;
using namespace fuser;
using fuser::explain::SourceText;
namespace ex = fuser::explain;

namespace {

/// Fills an explanation from one fusion and its partition.
class Collector {
public:
  Collector(FusionOp fusion, const ExtentAnalysis &analysis, const SizeHints &hints,
            const artifact::DeviceDescription &device, ex::Explanation &result)
      : fusion(fusion), analysis(analysis), hints(hints), device(device), layouts(fusion),
        state(fusion, OpPrintingFlags().useLocalScope()), result(result) {}

  void collectProgram();
  void collectSegments(const Partition &partition);
  void collectDecisions(const DecisionLog &log);

private:
  std::string printName(Value value) {
    std::string name;
    llvm::raw_string_ostream stream(name);
    value.printAsOperand(stream, state);
    return name;
  }
  std::string printLine(Operation *op) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    op->print(stream, state);
    return text;
  }
  unsigned addValue(Value value);
  double getBytes(Value value) const;
  SmallVector<unsigned> getNumbers(ArrayRef<Operation *> ops) const {
    return llvm::map_to_vector(ops, [&](Operation *op) { return opNumbers.lookup(op); });
  }

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  const SizeHints &hints;
  const artifact::DeviceDescription &device;
  LayoutInfo layouts;
  AsmState state;
  ex::Explanation &result;
  llvm::DenseMap<Value, unsigned> valueNumbers;
  llvm::DenseMap<Operation *, unsigned> opNumbers;
};

} // namespace

double Collector::getBytes(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  double bytes = getElementBytes(type.getElementType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    std::optional<int64_t> size = hints.evaluate(analysis.getExtent(value, dim), analysis);
    bytes *= size ? double(*size) : kUnknownSize;
  }
  return bytes;
}

unsigned Collector::addValue(Value value) {
  auto [it, isNew] = valueNumbers.try_emplace(value, result.values.size());
  if (!isNew)
    return it->second;
  ValueOrder order = layouts.getOrder(value);
  std::string type;
  llvm::raw_string_ostream(type) << value.getType();
  ex::TensorNode entry{printName(value),
                       type,
                       getBytes(value),
                       order.order,
                       stringifyOrderSource(order.source).str(),
                       {}};
  for (OpOperand &use : value.getUses())
    if (isa<ReturnOp>(use.getOwner()))
      entry.outputs.push_back(use.getOperandNumber());
  llvm::sort(entry.outputs);
  result.values.push_back(std::move(entry));
  return it->second;
}

/// The ops of a report, in order.
static SmallVector<Operation *> getTensorOps(FusionOp fusion) {
  SmallVector<Operation *> ops;
  for (Operation &op : fusion.getBody().front().without_terminator())
    if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      ops.push_back(&op);
  return ops;
}

void Collector::collectProgram() {
  for (BlockArgument argument : fusion.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      addValue(argument);
  for (Operation *op : getTensorOps(fusion)) {
    ex::OpNode entry{op->getName().getStringRef().str(), printLine(op), {}, {}};
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        entry.operands.push_back(addValue(operand));
    for (Value value : op->getResults())
      entry.results.push_back(addValue(value));
    opNumbers[op] = result.ops.size();
    result.ops.push_back(std::move(entry));
  }
  result.layouts = explainLayouts(fusion);
}

void Collector::collectSegments(const Partition &partition) {
  llvm::DenseSet<unsigned> readBetween;
  for (const Segment &segment : partition.segments) {
    ex::SegmentNode entry{"",
                          segment.scheduler,
                          segment.ops.front()->getLoc(),
                          getNumbers(segment.ops),
                          getNumbers(segment.recomputed),
                          {},
                          {},
                          segment.work,
                          segment.use,
                          segment.microseconds,
                          ex::getOccupancy(segment.use, device),
                          segment.candidates};
    llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
    llvm::SmallSetVector<unsigned, 8> reads;
    for (Operation *op : segment.ops) {
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()) && !own.contains(operand.getDefiningOp()))
          reads.insert(valueNumbers.lookup(operand));
    }
    entry.reads = reads.takeVector();
    readBetween.insert(entry.reads.begin(), entry.reads.end());
    result.segments.push_back(std::move(entry));
  }
  // Values that another segment reads, or that the program returns.
  for (auto [segment, entry] : llvm::zip_equal(partition.segments, result.segments))
    for (Operation *op : segment.ops) {
      if (llvm::is_contained(segment.recomputed, op))
        continue;
      for (Value value : op->getResults()) {
        unsigned number = valueNumbers.lookup(value);
        if (readBetween.contains(number) || !result.values[number].outputs.empty())
          entry.writes.push_back(number);
      }
    }
}

void Collector::collectDecisions(const DecisionLog &log) {
  for (const QueryRecord &record : log.queries)
    result.queries.push_back({stringifyPurpose(record.purpose).str(), record.scheduler,
                              getNumbers(record.ops), record.refusals, record.microseconds,
                              record.candidates});
  for (const BoundaryRecord &record : log.boundaries) {
    ex::Boundary boundary{record.reason,   record.value.getLoc(), valueNumbers.lookup(record.value),
                          record.producer, record.consumer,       {},
                          record.together, record.apart};
    if (record.query && record.reason == BoundaryRecord::Reason::Refusal) {
      for (bool isSpecific : {true, false})
        llvm::copy_if(log.queries[*record.query].refusals, std::back_inserter(boundary.refusals),
                      [&](const RefusalNote &note) { return note.isSpecific == isSpecific; });
    }
    result.boundaries.push_back(std::move(boundary));
  }
  for (SegmentSetOp mark : log.ignoredMarks)
    result.ignoredMarks.push_back(printLine(mark));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// "%arg0[0:4, 8:?]": the part of a buffer that a launch accesses.
static std::string describeOperand(Value value, AsmState &state) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto view = value.getDefiningOp<ReshapeViewOp>()) {
    auto print = [](int64_t size) {
      return ShapedType::isDynamic(size) ? std::string("?") : std::to_string(size);
    };
    stream << describeOperand(view.getBase(), state) << " as ";
    llvm::interleave(llvm::map_range(view.getStaticSizes(), print), stream, "x");
    return text;
  }
  auto view = value.getDefiningOp<ViewOp>();
  if (!view) {
    value.printAsOperand(stream, state);
    return text;
  }
  view.getBase().printAsOperand(stream, state);
  auto print = [](int64_t number) {
    return ShapedType::isDynamic(number) ? std::string("?") : std::to_string(number);
  };
  stream << "[";
  llvm::interleaveComma(
      llvm::zip_equal(view.getStaticOffsets(), view.getStaticSizes()), stream, [&](auto dim) {
        auto [offset, size] = dim;
        bool known = !ShapedType::isDynamic(offset) && !ShapedType::isDynamic(size);
        stream << print(offset) << ":"
               << (known ? std::to_string(offset + size) : "+" + print(size));
      });
  stream << "]";
  return text;
}

/// Kernels are in the order of the segments that need one: those that a scheduler takes, or the
/// whole of a fusion that is scheduled by hand. If some segments became views, the correspondence
/// is unknown.
static void nameKernels(ModuleOp module, bool isByHand, ex::Explanation &result) {
  SmallVector<ex::SegmentNode *> segments;
  for (ex::SegmentNode &segment : result.segments)
    if (isByHand || !segment.scheduler.empty())
      segments.push_back(&segment);
  auto kernels = llvm::filter_to_vector(module.getOps<KernelOp>(), [](KernelOp kernel) {
    return !kernel->hasAttr(FuserSchedDialect::kCopy);
  });
  if (kernels.size() != segments.size())
    return;
  for (auto [segment, kernel] : llvm::zip_equal(segments, kernels))
    segment->kernel = KernelOp(kernel).getSymName().str();
}

/// True if the kernel does not read the input: it is the destination of an output.
static bool isOnlyDestination(LaunchOp op, unsigned input) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelOp>(op, op.getKernel());
  return kernel && kernel.getArgument(input).use_empty() &&
         llvm::is_contained(op.getOutputs(), op.getInputs()[input]);
}

static void collectLaunches(HostOp host, ex::Explanation &result) {
  AsmState state(host, OpPrintingFlags().useLocalScope());
  host.walk([&](LaunchOp op) {
    ex::Launch launch{op.getKernel().getRootReference().getValue().str(), {}, {}};
    for (auto [number, value] : llvm::enumerate(op.getInputs()))
      if (!isOnlyDestination(op, number))
        launch.inputs.push_back(describeOperand(value, state));
    for (Value value : op.getOutputs())
      launch.outputs.push_back(describeOperand(value, state));
    if (auto batch = op->getAttrOfType<IntegerAttr>(kLaunchBatchAttrName))
      launch.batch = batch.getInt();
    auto stream = op->getAttrOfType<IntegerAttr>(kLaunchStreamAttrName);
    auto interval = op->getAttrOfType<DenseF64ArrayAttr>(kLaunchIntervalAttrName);
    if (stream && interval && interval.size() == 2) {
      launch.stream = stream.getInt();
      launch.start = interval[0];
      launch.end = interval[1];
    }
    result.launches.push_back(std::move(launch));
  });
  result.buffers = explainLayouts(host);
}

/// Predicts the times of the batches, and corrects the total. Without names of kernels, the
/// segments that a batch consists of are unknown.
static void collectBatches(const artifact::DeviceDescription &device, ex::Explanation &result) {
  llvm::StringMap<const ex::SegmentNode *> segments;
  for (const ex::SegmentNode &segment : result.segments)
    if (!segment.kernel.empty())
      segments[segment.kernel] = &segment;
  std::map<unsigned, std::pair<ex::Batch, BatchEstimate>> batches;
  for (const ex::Launch &launch : result.launches) {
    const ex::SegmentNode *segment = segments.lookup(launch.kernel);
    if (!launch.batch || !segment)
      continue;
    auto &[batch, estimate] = batches[*launch.batch];
    ++batch.launches;
    batch.apart += segment->microseconds + kLaunchMicroseconds;
    estimate.add({segment->work, segment->use, segment->microseconds});
    batch.together = estimate.predict(device) + kLaunchMicroseconds;
  }
  for (const auto &[batch, estimate] : llvm::make_second_range(batches)) {
    result.batches.push_back(batch);
    result.fused.microseconds += batch.together - batch.apart;
  }
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

static ex::Totals sumUp(const Partition &partition) {
  ex::Totals totals;
  for (const Segment &segment : partition.segments)
    // The time of a library call is unknown.
    if (!segment.scheduler.empty())
      ex::addKernel(totals, segment.work, segment.microseconds);
  return totals;
}

/// Partitions the fusion and fills `result`.
static LogicalResult explainPartition(FusionOp fusion, const artifact::DeviceDescription &device,
                                      const PipelineOptions &options, ex::Explanation &result) {
  FailureOr<SizeHints> hints = SizeHints::parse(fusion, options.sizes);
  if (failed(hints))
    return failure();
  SegmentationOptions segmentation{options.registry ? options.registry : createDefaultRegistry(),
                                   device, *hints, false, getScheduleVerifier()};
  separateJoinParts(fusion);
  copyTransposedArguments(fusion, segmentation);
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis))
    return failure();
  DecisionLog log;
  FailureOr<Partition> partition =
      partitionFusion(fusion, *analysis, segmentation, result.counts, &log);
  if (failed(partition))
    return failure();
  SegmentationCounts ignored;
  FailureOr<Partition> singles = partitionIntoSingles(fusion, *analysis, segmentation, ignored);
  if (failed(singles))
    return failure();
  result.fused = sumUp(*partition);
  result.unfused = sumUp(*singles);
  Collector collector(fusion, *analysis, *hints, device, result);
  collector.collectProgram();
  collector.collectSegments(*partition);
  collector.collectDecisions(log);
  return success();
}

FailureOr<ex::Explanation> ex::explainFusion(ModuleOp module, StringRef program,
                                             const artifact::DeviceDescription &device,
                                             const ExplainOptions &explain) {
  PipelineOptions options = explain.pipeline;
  // Schedulers are queried outside of a pass, which would have loaded the dialect of their
  // parameters.
  module.getContext()->getOrLoadDialect<FuserSchedDialect>();
  if (!explain.schedules.empty()) {
    auto library = ScheduleLibrary::parse(explain.schedules, module.getContext());
    if (failed(library))
      return failure();
    options.library = std::move(*library);
  }
  std::optional<SourceText> source;
  if (auto fusion = module.lookupSymbol<FusionOp>(program); explain.stages && fusion)
    source.emplace(fusion);
  if (failed(runPhase(module, Phase::Preseg, options)))
    return failure();
  auto fusion = module.lookupSymbol<FusionOp>(program);
  assert(fusion && "expected the name of a fusion");
  const bool isByHand = isScheduledByHand(fusion);
  Explanation result;
  result.program = program.str();
  result.device = device.name;
  result.sizes = options.sizes;
  result.roofs = getRoofs(device);
  {
    // The phase emits the same remarks as the partition that is explained.
    ScopedDiagnosticHandler withoutRemarks(module.getContext(), [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
    });
    if (failed(explainPartition(fusion, device, options, result)))
      return failure();
  }
  if (source) {
    SmallVector<Operation *> ops = getTensorOps(fusion);
    result.programs.push_back(source->finish(fusion, ops));
    result.programs.push_back(locateSources(fusion, ops));
  }
  if (failed(runPhase(module, Phase::Segmentation, options)))
    return failure();
  if (auto host = module.lookupSymbol<HostOp>(program))
    collectLaunches(host, result);
  nameKernels(module, isByHand, result);
  collectBatches(device, result);
  if (failed(collectFinalKernels(module, device, options, result)))
    return failure();
  if (source)
    traceKernels(module, options, result);
  return result;
}
