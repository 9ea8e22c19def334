//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phases and decisions from C: text in, text out.
//
//===----------------------------------------------------------------------===//

#include "Source.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Explain/Explanation.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Segmentation/Partition.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace fuser;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;
using capi::Source;

static Expected<PipelineOptions> makeOptions(const char *target, const Source &source) {
  auto device = artifact::lookupDevice(target ? target : "sm_90");
  if (!device)
    return device.takeError();
  PipelineOptions options;
  options.target = device.take();
  options.sizes = session::describeSizes(source.call.arguments, *source.module);
  return options;
}

fuser_error fuser_transform(const char *text, size_t length, const char *phase, const char *target,
                            const fuser_argument *arguments, size_t num_arguments,
                            const int *interrupt, fuser_text *result) {
  std::optional<PipelineStep> last = symbolizeStep(phase ? phase : "");
  if (!last)
    return capi::fail(makeError(ErrorCode::ParseError, "phase: expected one of ", listSteps(),
                                ", but got '", phase ? phase : "", "'"));
  Source source(interrupt);
  if (Status status = source.read(text, length); !status)
    return capi::fail(status.takeError());
  if (Status status = source.specializeFor(arguments, num_arguments); !status)
    return capi::fail(status.takeError());
  auto options = makeOptions(target, source);
  if (!options)
    return capi::fail(options.takeError());
  for (PipelineStep step : getStepsTo(*last)) {
    if (failed(runStep(*source.module, step, *options)))
      return capi::fail(source.fail(ErrorCode::CompilationFailed));
  }
  if (Status status = source.checkComplete(); !status)
    return capi::fail(status.takeError());
  auto made = std::make_unique<fuser_text_s>();
  llvm::raw_string_ostream(made->text) << *source.module << "\n";
  *result = made.release();
  return nullptr;
}

/// The name of an op's location, or its number in the fusion.
static std::string getOpName(Operation *op) {
  if (auto name = dyn_cast<NameLoc>(op->getLoc()))
    return name.getName().str();
  Block::iterator begin = op->getBlock()->begin();
  return std::to_string(std::distance(begin, op->getIterator()));
}

static llvm::json::Value toJson(const Partition &partition) {
  llvm::json::Array segments;
  for (const Segment &segment : partition.segments) {
    llvm::json::Array ops, recomputed;
    for (Operation *op : segment.ops)
      ops.push_back(getOpName(op));
    for (Operation *op : segment.recomputed)
      recomputed.push_back(getOpName(op));
    segments.push_back(llvm::json::Object{{"scheduler", segment.scheduler},
                                          {"ops", std::move(ops)},
                                          {"recomputed", std::move(recomputed)},
                                          {"microseconds", segment.microseconds}});
  }
  return segments;
}

/// Fails for what is past segmentation; `what`: what was asked for.
static Status checkFusion(Source &source, const char *what) {
  if (isa<FusionOp>(source.program.getOperation()))
    return {};
  return makeError(ErrorCode::InvalidProgram, "expected a fusion to ", what, ", but got ",
                   source.program->getName().getStringRef().str());
}

fuser_error fuser_partition(const char *text, size_t length, const char *target,
                            const fuser_argument *arguments, size_t num_arguments,
                            const int *interrupt, fuser_text *result) {
  Source source(interrupt);
  if (Status status = source.read(text, length); !status)
    return capi::fail(status.takeError());
  if (Status status = checkFusion(source, "partition"); !status)
    return capi::fail(status.takeError());
  auto fusion = cast<FusionOp>(source.program.getOperation());
  if (Status status = source.specializeFor(arguments, num_arguments); !status)
    return capi::fail(status.takeError());
  auto options = makeOptions(target, source);
  if (!options)
    return capi::fail(options.takeError());
  for (StringRef name : source.context.getAvailableDialects())
    source.context.getOrLoadDialect(name);
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  FailureOr<SizeHints> hints = SizeHints::parse(fusion, options->sizes);
  if (failed(analysis) || failed(hints))
    return capi::fail(source.fail(ErrorCode::CompilationFailed));
  SegmentationOptions segmentation{createDefaultRegistry(), options->target, *hints, false,
                                   getScheduleVerifier()};
  SegmentationCounts counts;
  FailureOr<Partition> partition = partitionFusion(fusion, *analysis, segmentation, counts);
  if (failed(partition))
    return capi::fail(source.fail(ErrorCode::CompilationFailed));
  if (Status status = source.checkComplete(); !status)
    return capi::fail(status.takeError());
  auto made = std::make_unique<fuser_text_s>();
  llvm::raw_string_ostream(made->text) << toJson(*partition);
  *result = made.release();
  return nullptr;
}

fuser_error fuser_explain(const char *text, size_t length, const char *format, const char *target,
                          const fuser_argument *arguments, size_t num_arguments,
                          const int *interrupt, fuser_text *result) {
  using Printer = void (*)(llvm::raw_ostream &, const explain::Explanation &);
  Printer printer = nullptr;
  for (auto [name, candidate] : {std::pair<StringRef, Printer>("text", explain::printText),
                                 {"json", explain::printJson},
                                 {"svg", explain::printSvg},
                                 {"html", explain::printHtml}})
    if (name == (format ? format : ""))
      printer = candidate;
  if (!printer)
    return capi::fail(makeError(ErrorCode::ParseError,
                                "format: expected text, json, svg or html, but got '",
                                format ? format : "", "'"));
  Source source(interrupt);
  if (Status status = source.read(text, length); !status)
    return capi::fail(status.takeError());
  if (Status status = checkFusion(source, "explain"); !status)
    return capi::fail(status.takeError());
  if (Status status = source.specializeFor(arguments, num_arguments); !status)
    return capi::fail(status.takeError());
  auto options = makeOptions(target, source);
  if (!options)
    return capi::fail(options.takeError());
  explain::ExplainOptions explain;
  explain.pipeline = options.take();
  explain.stages = printer == explain::printJson || printer == explain::printHtml;
  FailureOr<explain::Explanation> explanation = explain::explainFusion(
      *source.module, source.program.getName(), explain.pipeline.target, explain);
  if (failed(explanation))
    return capi::fail(source.fail(ErrorCode::CompilationFailed));
  if (Status status = source.checkComplete(); !status)
    return capi::fail(status.takeError());
  auto made = std::make_unique<fuser_text_s>();
  llvm::raw_string_ostream stream(made->text);
  printer(stream, *explanation);
  *result = made.release();
  return nullptr;
}
