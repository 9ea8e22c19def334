//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs the phases after segmentation and keeps the text of each kernel after every step.
//
// Ops are followed by their locations. Each op and each tensor argument of the fusion has a number,
// and is located at this line of a file that does not exist, in addition to its own location:
// passes keep locations, and fuse those of ops that they merge. The backend of LLVM keeps one line
// for each instruction, which stands for a set of numbers.
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "Outline.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Scheduling/ScheduleCache.h"
#include "fuser/Support/InstalledFiles.h"
#include "fuser/Target/NVVM/EmitPTX.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::explain;

/// The file whose line k + 1 is number k.
static constexpr llvm::StringLiteral kSourcesFile = "fuser-source";

SmallVector<unsigned, 1> fuser::explain::getSources(Location loc) {
  SmallVector<unsigned, 1> numbers;
  loc->walk([&](Location each) {
    auto file = dyn_cast<FileLineColLoc>(each);
    if (file && file.getFilename() == kSourcesFile)
      numbers.push_back(file.getLine() - 1);
    return WalkResult::advance();
  });
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Prints an op; `visit(loc, line)` is called for the location of each op that starts a line,
/// counted from 0.
static std::string printWithLines(Operation *op,
                                  llvm::function_ref<void(Location, unsigned)> visit) {
  AsmState::LocationMap positions;
  AsmState state(op, OpPrintingFlags().useLocalScope(), &positions);
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, state);
  op->walk([&](Operation *each) {
    auto it = positions.find(each);
    if (it == positions.end())
      return;
    const unsigned line = it->second.first - 1;
    visit(each->getLoc(), line);
    // Arguments of functions are in their first lines.
    if (isa<FunctionOpInterface>(each) && !each->getRegion(0).empty())
      for (BlockArgument argument : each->getRegion(0).getArguments())
        visit(argument.getLoc(), line);
  });
  return text;
}

static unsigned countLines(StringRef text) { return text.count('\n') + 1; }

static StageText printStage(Operation *op, StringRef stage) {
  StageText result{stage.str(), ""};
  std::vector<std::pair<unsigned, SmallVector<unsigned, 1>>> found;
  result.text = printWithLines(
      op, [&](Location loc, unsigned line) { found.push_back({line, getSources(loc)}); });
  result.sources.resize(countLines(result.text));
  for (auto &[line, sources] : found)
    if (line < result.sources.size())
      result.sources[line].append(sources.begin(), sources.end());
  for (SmallVector<unsigned, 1> &sources : result.sources)
    llvm::sort(sources);
  return result;
}

/// The locations of ops and of tensor arguments, by their numbers.
static SmallVector<Location> getSourceLocs(FusionOp fusion, ArrayRef<Operation *> ops) {
  SmallVector<Location> locs;
  for (Operation *op : ops)
    locs.push_back(op->getLoc());
  for (BlockArgument argument : fusion.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      locs.push_back(argument.getLoc());
  return locs;
}

SourceText::SourceText(FusionOp fusion) {
  text = printWithLines(fusion, [&](Location loc, unsigned line) { lines.push_back({line, loc}); });
}

/// The places of a location in files.
static SmallVector<Attribute> getPlaces(Location loc) {
  SmallVector<Attribute> places;
  loc->walk([&](Location each) {
    if (isa<FileLineColLoc>(each))
      places.push_back(each);
    return WalkResult::advance();
  });
  return places;
}

StageText SourceText::finish(FusionOp fusion, ArrayRef<Operation *> ops) const {
  llvm::DenseMap<Attribute, SmallVector<unsigned>> opsAt;
  for (auto [number, loc] : llvm::enumerate(getSourceLocs(fusion, ops)))
    for (Attribute place : getPlaces(loc))
      opsAt[place].push_back(number);
  StageText result{"program", text};
  result.sources.resize(countLines(text));
  for (const Line &line : lines) {
    if (line.number >= result.sources.size())
      continue;
    for (Attribute place : getPlaces(line.loc))
      llvm::append_range(result.sources[line.number], opsAt.lookup(place));
    llvm::sort(result.sources[line.number]);
  }
  return result;
}

StageText fuser::explain::locateSources(FusionOp fusion, ArrayRef<Operation *> ops) {
  MLIRContext *context = fusion.getContext();
  unsigned count = 0;
  auto locate = [&](Location loc) -> Location {
    Location own = FileLineColLoc::get(context, kSourcesFile, ++count, 1);
    // The printer takes names of arguments from their locations.
    if (auto name = dyn_cast<NameLoc>(loc))
      return NameLoc::get(name.getName(), FusedLoc::get(context, {name.getChildLoc(), own}));
    return FusedLoc::get(context, {loc, own});
  };
  for (Operation *op : ops)
    op->setLoc(locate(op->getLoc()));
  for (BlockArgument argument : fusion.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      argument.setLoc(locate(argument.getLoc()));
  return printStage(fusion, stringifyPhase(Phase::Preseg));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
class Tracer {
public:
  Tracer(ModuleOp module, const PipelineOptions &options, Explanation &result)
      : module(module), options(options), result(result),
        errors(module.getContext(), [this](Diagnostic &diagnostic) { return note(diagnostic); }) {
    if (!this->options.schedules)
      this->options.schedules = std::make_shared<ScheduleCache>();
  }

  void run();

private:
  LogicalResult note(Diagnostic &diagnostic);
  /// The first error since the last call.
  std::string takeError();
  KernelTrace &getKernel(StringRef name);
  template <typename KernelT> void addTexts(ModuleOp from, StringRef stage);
  /// The stages of lowering, of a copy of the module.
  LogicalResult addStages();
  void addCode(gpu::GPUModuleOp code);
  void addMerged(unsigned numScheduled);
  LogicalResult finish(StringRef step);

  ModuleOp module;
  PipelineOptions options;
  Explanation &result;
  ScopedDiagnosticHandler errors;
  std::string error;
};
} // namespace

/// Remarks were emitted before, and the text of a report has no place for warnings.
LogicalResult Tracer::note(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !error.empty())
    return success();
  for (unsigned number : getSources(diagnostic.getLocation()))
    if (error.empty() && number < result.ops.size())
      error = result.ops[number].text + ": ";
  error += diagnostic.str();
  return success();
}

std::string Tracer::takeError() { return std::exchange(error, std::string()); }

KernelTrace &Tracer::getKernel(StringRef name) {
  for (KernelTrace &kernel : result.kernels)
    if (kernel.name == name)
      return kernel;
  return result.kernels.emplace_back(KernelTrace{name.str()});
}

template <typename KernelT> void Tracer::addTexts(ModuleOp from, StringRef stage) {
  for (auto kernel : from.getOps<KernelT>())
    getKernel(kernel.getName()).stages.push_back(printStage(kernel, stage));
}

LogicalResult Tracer::addStages() {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (PipelineStep step : getSteps()) {
    if (!step.stage)
      continue;
    if (failed(runStep(*copy, step, options)))
      return finish(step.getName());
    addTexts<loop::KernelOp>(*copy, step.getName());
  }
  return success();
}

LogicalResult Tracer::finish(StringRef step) {
  result.error = step.str() + ": " + takeError();
  return failure();
}

/// Replaces each location by a line that stands for its ops, as a line table keeps one line for
/// each instruction.
static std::vector<SmallVector<unsigned, 1>> numberLocations(gpu::GPUModuleOp code) {
  std::vector<SmallVector<unsigned, 1>> sets;
  std::map<SmallVector<unsigned, 1>, unsigned> lineOf;
  MLIRContext *context = code.getContext();
  code.walk([&](Operation *op) {
    SmallVector<unsigned, 1> numbers = getSources(op->getLoc());
    unsigned line = 0;
    if (!numbers.empty()) {
      auto [it, isNew] = lineOf.try_emplace(numbers, sets.size() + 1);
      if (isNew)
        sets.push_back(numbers);
      line = it->second;
    }
    op->setLoc(FileLineColLoc::get(context, kSourcesFile, line, 1));
  });
  return sets;
}

void Tracer::addCode(gpu::GPUModuleOp code) {
  KernelTrace &kernel = getKernel(code.getName());
  kernel.stages.push_back(printStage(code, stringifyPhase(Phase::Lowering)));
  addBarriers(code, kernel.loops);
  OwningOpRef<gpu::GPUModuleOp> copy = code.clone();
  std::vector<SmallVector<unsigned, 1>> sets = numberLocations(*copy);
  nvvm::NVVMTargetOptions target;
  target.chip = options.target.chip;
  target.libdevicePath = getLibdevicePath();
  target.locateLines = true;
  FailureOr<nvvm::CompiledKernelText> compiled = nvvm::emitPTX(*copy, target);
  if (failed(compiled)) {
    kernel.error = takeError();
    return;
  }
  StageText text{"ptx", std::move(compiled->ptx)};
  for (unsigned line : compiled->lines)
    text.sources.push_back(line > 0 && line <= sets.size() ? sets[line - 1]
                                                           : SmallVector<unsigned, 1>());
  kernel.stages.push_back(std::move(text));
}

/// Kernels without code are parts of those that were new after scheduling: a kernel for each batch,
/// in the order of batches.
void Tracer::addMerged(unsigned numScheduled) {
  auto hasCode = [](const KernelTrace &kernel) {
    return llvm::any_of(kernel.stages, [](const StageText &text) {
      return text.stage == stringifyPhase(Phase::Lowering);
    });
  };
  std::map<unsigned, SmallVector<KernelTrace *>> batches;
  for (const Launch &launch : result.launches)
    if (KernelTrace &kernel = getKernel(launch.kernel); launch.batch && !hasCode(kernel))
      batches[*launch.batch].push_back(&kernel);
  if (batches.size() != result.kernels.size() - numScheduled)
    return;
  for (auto [number, parts] : llvm::enumerate(llvm::make_second_range(batches)))
    for (KernelTrace *part : parts)
      part->mergedInto = result.kernels[numScheduled + number].name;
}

void Tracer::run() {
  addTexts<KernelOp>(module, stringifyPhase(Phase::Segmentation));
  for (Phase phase : {Phase::Choose, Phase::Apply}) {
    if (failed(runPhase(module, phase, options)))
      return (void)finish(stringifyPhase(phase));
    addTexts<KernelOp>(module, stringifyPhase(phase));
  }
  for (KernelOp kernel : module.getOps<KernelOp>())
    getKernel(kernel.getName()).loops = outlineKernel(kernel);
  error.clear();
  if (failed(addStages()))
    return;
  if (failed(runPhase(module, Phase::Lowering, options)))
    return (void)finish(stringifyPhase(Phase::Lowering));
  const unsigned numScheduled = result.kernels.size();
  for (auto code : module.getOps<gpu::GPUModuleOp>())
    addCode(code);
  addMerged(numScheduled);
}

void fuser::explain::traceKernels(ModuleOp module, const PipelineOptions &options,
                                  Explanation &result) {
  Tracer(module, options, result).run();
}
