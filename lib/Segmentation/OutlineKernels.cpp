//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels of the segments of a fusion, and the host function that launches them in order.
//
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/OutlineKernels.h"
#include "HostJoins.h"
#include "KernelBuilder.h"
#include "ProgramOutputs.h"
#include "StreamGroups.h"
#include "StreamLoops.h"
#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Segmentation/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuser {
#define GEN_PASS_DEF_FUSEROUTLINEKERNELS
#include "fuser/Segmentation/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {

/// A value that kernels write part by part.
struct Join {
  HostJoin what;
  /// The buffer, and its value with the parts that were written so far.
  Value buffer, value;
  unsigned numPlaced = 0;
};

/// One kernel and its launch.
struct Stage {
  const Segment *segment;
  /// What a routine of a library computes instead of a kernel.
  LibraryOpInterface library;
  SmallVector<KernelOutput> outputs;
  BuiltKernel built;
};

/// Outlines one fusion.
class Outliner {
public:
  Outliner(FusionOp fusion, const ExtentAnalysis &analysis, const Partition &partition,
           const SizeHints &hints, SymbolTable &symbols, ProgramOutputs outputs)
      : fusion(fusion), analysis(analysis), partition(partition), symbols(symbols),
        kernels(fusion, analysis, hints), builder(fusion), outputs(std::move(outputs)) {}

  /// Erases the fusion.
  OutlinedFusion run();

private:
  /// True where an output is an argument's memory, or part of it, in the order that is required.
  bool isViewOutput(unsigned position);
  /// True where kernels write the value part by part.
  bool isJoined(Value value) const {
    return llvm::any_of(joins, [&](const Join &join) { return join.what.result == value; });
  }
  bool isWhole() const { return partition.segments.size() == 1; }
  void planJoins();
  void planStages();
  void placeAliases();
  HostOp buildHost();
  void buildHostBody(HostOp host);
  void launch(HostOp host, Stage &stage, ExtentValues &extents);
  void callLibrary(HostOp host, Stage &stage, ExtentValues &extents);
  Value getDestination(HostOp host, const KernelOutput &output, ExtentValues &extents);
  void define(const KernelOutput &output, Value result, ExtentValues &extents);
  void freeAfter(const Stage &stage);
  Value copy(Value source, Value destination);
  Value allocate(Value value, ArrayRef<int64_t> order, ExtentValues &extents);
  /// Where a value of the fusion lies: an argument, what a kernel wrote, or a part of either.
  Value getBuffer(HostOp host, Value value, ExtentValues &extents);
  /// The value as a part of what it is a view of, and that too where `isView` has it.
  Value getView(HostOp host, Value value, const llvm::SmallPtrSetImpl<Value> &isView,
                ExtentValues &extents);
  SmallVector<int64_t> resolve(ArrayRef<AffineExpr> exprs, SmallVectorImpl<Value> &values,
                               ExtentValues &extents);
  Value buildView(Value base, Type type, const HostView &view, ExtentValues &extents);

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  const Partition &partition;
  SymbolTable &symbols;
  KernelBuilder kernels;
  OpBuilder builder;
  ProgramOutputs outputs;
  std::vector<Stage> stages;
  std::vector<Join> joins;
  /// What has a buffer of its own: the joined value for one that is written into its place there.
  Value getOwner(Value value) const {
    auto part = joinOf.find(value);
    return part == joinOf.end() ? value : joins[part->second.first].what.result;
  }

  /// By part: the number of its join and its number there.
  llvm::DenseMap<Value, std::pair<unsigned, unsigned>> joinOf;
  unsigned numCopies = 0;

  // Of the host function: outputs by position, buffers of values between kernels, and the last
  // stage that reads each.
  SmallVector<Value> results;
  llvm::DenseMap<Value, Value> buffers, views;
  llvm::DenseSet<Value> freed;
  llvm::DenseMap<Value, const Stage *> lastReaders;
};

} // namespace

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

bool Outliner::isViewOutput(unsigned position) {
  const ProgramOutput &output = outputs[position];
  if (!output.isComputed() || output.alias || !isArgumentView(fusion, output.value, analysis))
    return false;
  ValueOrder order = LayoutInfo(fusion).getOutputOrder(position);
  if (order.source != OrderSource::Requirement && order.source != OrderSource::Frozen)
    return true;
  LayoutAttr layout = kernels.getInputLayout(output.value).layout;
  return layout.getStrided().empty() && layout.getOrder() == ArrayRef(order.order);
}

/// Finds the segments that only put together what earlier ones compute.
void Outliner::planJoins() {
  llvm::DenseMap<Value, unsigned> writers;
  for (auto [number, segment] : llvm::enumerate(partition.segments))
    for (Operation *op : segment.ops)
      if (!llvm::is_contained(segment.recomputed, op))
        for (Value value : op->getResults())
          writers[value] = number;
  for (const Segment &segment : partition.segments) {
    if (segment.ops.size() != 1)
      continue;
    std::optional<HostJoin> join = getHostJoin(fusion, segment.ops.front(), analysis);
    // What is written into a computed value is written after it.
    auto isAfter = [&](const JoinPart &part) {
      auto writer = writers.find(part.value);
      auto into = join->into ? writers.find(join->into) : writers.end();
      // A part that is joined itself is no kernel's: it is copied to its place by one.
      return writer != writers.end() && !isJoined(part.value) &&
             (into == writers.end() || into->second < writer->second);
    };
    if (!join || !llvm::all_of(join->parts, isAfter))
      continue;
    for (auto [number, part] : llvm::enumerate(join->parts))
      joinOf[part.value] = {joins.size(), number};
    joins.push_back({std::move(*join), {}, {}});
  }
  for (ProgramOutput &output : outputs)
    if (output.alias && isJoined(output.value))
      output.isWrittenInPlace = true;
}

/// Finds what each kernel writes: what the program returns, and what a later kernel reads.
void Outliner::planStages() {
  planJoins();
  llvm::DenseSet<Value> readLater;
  for (const Segment &segment : llvm::reverse(partition.segments)) {
    llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
    Stage stage{&segment, dyn_cast<LibraryOpInterface>(segment.ops.front()), {}, {}};
    llvm::DenseSet<Value> returned;
    auto isOwner = [&](Value value) {
      Operation *op = value.getDefiningOp();
      return op && own.contains(op) && !llvm::is_contained(segment.recomputed, op);
    };
    bool isJoin = segment.ops.size() == 1 && isJoined(segment.ops.front()->getResult(0));
    for (auto [position, output] : llvm::enumerate(outputs))
      if (output.isComputed() && isOwner(output.value) && !isJoin && !isViewOutput(position)) {
        stage.outputs.push_back({output.value, unsigned(position), std::nullopt});
        returned.insert(output.value);
      }
    for (Operation *op : segment.ops)
      for (Value value : op->getResults())
        if (isOwner(value) && !isJoin && readLater.contains(value) && !returned.contains(value) &&
            !isArgumentView(fusion, value, analysis)) {
          stage.outputs.push_back({value, std::nullopt, std::nullopt});
          if (auto part = joinOf.find(value); part != joinOf.end())
            stage.outputs.back().box =
                joins[part->second.first].what.parts[part->second.second].layout;
          for (const Join &join : joins)
            if (join.what.into == value)
              stage.outputs.back().box = join.what.lies;
        }
    for (Operation *op : segment.ops)
      for (Value operand : op->getOperands())
        if (!own.contains(operand.getDefiningOp()))
          readLater.insert(operand);
    if (!stage.outputs.empty() || stage.library)
      stages.push_back(std::move(stage));
  }
  std::reverse(stages.begin(), stages.end());
  for (const Stage &stage : stages)
    for (Operation *op : stage.segment->ops)
      for (Value operand : op->getOperands()) {
        lastReaders[operand] = &stage;
        lastReaders[getOwner(operand)] = &stage;
      }
  placeAliases();
}

/// A kernel writes into an argument's buffer where it is the last that reads the argument or nobody
/// does, where nobody reads the result as a value between kernels, and where no mark keeps them
/// apart.
void Outliner::placeAliases() {
  for (Stage &stage : stages) {
    llvm::SmallPtrSet<Operation *, 16> own(stage.segment->ops.begin(), stage.segment->ops.end());
    for (KernelOutput &output : stage.outputs) {
      if (stage.library || !output.position || !outputs[*output.position].alias)
        continue;
      Value argument = fusion.getArgument(*outputs[*output.position].alias);
      const Stage *last = lastReaders.lookup(output.value);
      bool isReadBetween = last && last != &stage;
      // The program may ask for a boundary between the computation of the output and its alias.
      bool isStaged = output.value.getDefiningOp<SegmentSetOp>() != nullptr;
      const Stage *lastOfArgument = lastReaders.lookup(argument);
      bool isReadElsewhere = lastOfArgument && lastOfArgument != &stage;
      if (isStaged || (!isWhole() && (isReadElsewhere || isReadBetween)))
        continue;
      output.alias = outputs[*output.position].alias;
      outputs[*output.position].isWrittenInPlace = true;
    }
  }
}

//===----------------------------------------------------------------------===//
// Host function
//===----------------------------------------------------------------------===//

Value Outliner::copy(Value source, Value destination) {
  ++numCopies;
  return CopyOp::create(builder, fusion.getLoc(), destination.getType(), source, destination);
}

Value Outliner::allocate(Value value, ArrayRef<int64_t> order, ExtentValues &extents) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(extents.build(analysis.getExtent(value, dim)));
  return AllocOp::create(builder, value.getLoc(), type, sizes,
                         order.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(order));
}

Value Outliner::getBuffer(HostOp host, Value value, ExtentValues &extents) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return host.getArgument(argument.getArgNumber());
  if (Value buffer = buffers.lookup(value))
    return buffer;
  // What no kernel wrote is a part of something.
  return getView(host, value, llvm::SmallPtrSet<Value, 1>(), extents);
}

Value Outliner::getView(HostOp host, Value value, const llvm::SmallPtrSetImpl<Value> &isView,
                        ExtentValues &extents) {
  auto [it, isNew] = views.try_emplace(value, Value());
  if (!isNew)
    return it->second;
  HostView view = *getHostView(value.getDefiningOp(), analysis);
  Value base = isView.contains(view.base) ? getView(host, view.base, isView, extents)
                                          : getBuffer(host, view.base, extents);
  Value result = buildView(base, value.getType(), view, extents);
  return views[value] = result;
}

/// Constants, and kDynamic for what becomes one of `values`.
SmallVector<int64_t> Outliner::resolve(ArrayRef<AffineExpr> exprs, SmallVectorImpl<Value> &values,
                                       ExtentValues &extents) {
  return llvm::map_to_vector(exprs, [&](AffineExpr expr) -> int64_t {
    if (auto constant = dyn_cast<AffineConstantExpr>(analysis.canonicalize(expr)))
      return constant.getValue();
    values.push_back(extents.build(expr));
    return ShapedType::kDynamic;
  });
}

Value Outliner::buildView(Value base, Type type, const HostView &view, ExtentValues &extents) {
  SmallVector<Value> offsets, sizes;
  SmallVector<int64_t> staticOffsets = resolve(view.offsets, offsets, extents);
  // A size is static where the type says so, whatever is known besides.
  SmallVector<int64_t> staticSizes(view.sizes.size(), 1);
  for (auto [dim, size] : llvm::enumerate(view.sizes)) {
    const int64_t *position = llvm::find(view.dims, int64_t(dim));
    if (position == view.dims.end())
      continue;
    staticSizes[dim] = cast<RankedTensorType>(type).getDimSize(position - view.dims.begin());
    if (ShapedType::isDynamic(staticSizes[dim]))
      sizes.push_back(extents.build(size));
  }
  bool hasSteps = llvm::any_of(view.steps, [](int64_t step) { return step != 1; });
  return ViewOp::create(
      builder, fusion.getLoc(), type, base, offsets, sizes,
      builder.getDenseI64ArrayAttr(staticOffsets), builder.getDenseI64ArrayAttr(staticSizes),
      hasSteps ? builder.getDenseI64ArrayAttr(view.steps) : DenseI64ArrayAttr(),
      view.keepsDims() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(view.dims));
}

/// The order of a buffer that lies like this; empty: row-major.
static ArrayRef<int64_t> getAllocOrder(LayoutAttr layout) {
  return llvm::is_sorted(layout.getOrder()) ? ArrayRef<int64_t>() : layout.getOrder();
}

/// Where a kernel writes an output: into the argument that it is stored in, into its place in the
/// value that it is a part of, or into a new buffer.
Value Outliner::getDestination(HostOp host, const KernelOutput &output, ExtentValues &extents) {
  if (output.alias)
    return host.getArgument(*output.alias);
  auto part = joinOf.find(output.value);
  if (part == joinOf.end())
    return allocate(output.value, kernels.getOrder(output), extents);
  Join &join = joins[part->second.first];
  if (!join.buffer) {
    join.buffer = join.what.into
                      ? getBuffer(host, join.what.into, extents)
                      : allocate(join.what.result, getAllocOrder(join.what.lies.layout), extents);
    join.value = join.buffer;
  }
  return buildView(join.buffer, output.value.getType(), join.what.parts[part->second.second].box,
                   extents);
}

/// Records what a launch wrote.
void Outliner::define(const KernelOutput &output, Value result, ExtentValues &extents) {
  buffers.try_emplace(output.value, result);
  if (output.position)
    results[*output.position] = result;
  auto part = joinOf.find(output.value);
  if (part == joinOf.end())
    return;
  Join &join = joins[part->second.first];
  SmallVector<Value> offsets;
  SmallVector<int64_t> staticOffsets =
      resolve(join.what.parts[part->second.second].box.offsets, offsets, extents);
  join.value = PlaceOp::create(builder, fusion.getLoc(), join.buffer.getType(), result, join.value,
                               offsets, builder.getDenseI64ArrayAttr(staticOffsets));
  if (++join.numPlaced < join.what.parts.size())
    return;
  buffers[join.what.result] = join.value;
  for (auto [position, other] : llvm::enumerate(outputs))
    if (other.value == join.what.result)
      results[position] = join.value;
}

void Outliner::launch(HostOp host, Stage &stage, ExtentValues &extents) {
  SmallVector<Value> destinations, operands;
  for (const KernelOutput &output : stage.outputs)
    destinations.push_back(getDestination(host, output, extents));
  for (Value input : stage.built.inputs) {
    if (isa<RankedTensorType>(input.getType()))
      operands.push_back(stage.built.views.contains(input)
                             ? getView(host, input, stage.built.views, extents)
                             : getBuffer(host, input, extents));
    else if (auto argument = dyn_cast<BlockArgument>(input))
      operands.push_back(host.getArgument(argument.getArgNumber()));
    else
      operands.push_back(extents.build(analysis.getScalar(input)));
  }
  auto op = LaunchOp::create(builder, fusion.getLoc(), ValueRange(destinations).getTypes(),
                             FlatSymbolRefAttr::get(stage.built.kernel), operands, destinations,
                             /*stream=*/Value());
  for (auto [output, result] : llvm::zip_equal(stage.outputs, op.getResults()))
    define(output, result, extents);
  freeAfter(stage);
}

/// Calls the routine on operands that lie as it wants them, and gives outputs the order that the
/// program requires; where something lies otherwise there is a copy (S0.3).
void Outliner::callLibrary(HostOp host, Stage &stage, ExtentValues &extents) {
  LibraryOpInterface library = stage.library;
  Location loc = library.getLoc();
  SmallVector<Value> operands, destinations, copies;
  for (OpOperand &operand : library->getOpOperands()) {
    Value input = operand.get();
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type)
      continue;
    SmallVector<int64_t> order = library.getOperandOrder(operand.getOperandNumber());
    LayoutAttr layout = kernels.getInputLayout(input).layout;
    SmallVector<int64_t> wanted = order.empty() ? getRowMajorOrder(type.getRank()) : order;
    operands.push_back(getBuffer(host, input, extents));
    if (layout.getStrided().empty() && layout.getOrder() == ArrayRef(wanted))
      continue;
    operands.back() = copy(operands.back(), allocate(input, order, extents));
    copies.push_back(operands.back());
  }
  for (OpResult result : library->getResults())
    destinations.push_back(
        allocate(result, library.getResultOrder(result.getResultNumber()), extents));
  auto call = LibraryCallOp::create(builder, loc, ValueRange(destinations).getTypes(),
                                    builder.getStringAttr(library.getRoutine()), operands,
                                    destinations, library.getRoutineOptions());
  for (Value buffer : copies)
    FreeOp::create(builder, loc, buffer);
  for (auto [result, buffer] : llvm::zip_equal(library->getResults(), call.getResults()))
    buffers[result] = buffer;
  for (const KernelOutput &output : stage.outputs) {
    if (!output.position)
      continue;
    Value buffer = buffers.lookup(output.value);
    SmallVector<int64_t> order = kernels.getOrder(output), own = kernels.getOrder(output.value);
    bool isShared = llvm::is_contained(results, buffer);
    auto isRowMajor = [](ArrayRef<int64_t> list) { return llvm::is_sorted(list); };
    bool fits = order == own || (isRowMajor(order) && isRowMajor(own));
    results[*output.position] =
        fits && !isShared ? buffer : copy(buffer, allocate(output.value, order, extents));
  }
  freeAfter(stage);
}

/// Ends the life of buffers between kernels that this stage was the last to read, also in part.
void Outliner::freeAfter(const Stage &stage) {
  for (Operation *op : stage.segment->ops)
    for (Value input : op->getOperands()) {
      Value owner = getOwner(input), buffer = buffers.lookup(owner);
      if (!buffer || lastReaders.lookup(owner) != &stage || llvm::is_contained(results, buffer) ||
          !freed.insert(buffer).second)
        continue;
      FreeOp::create(builder, fusion.getLoc(), buffer);
    }
}

void Outliner::buildHostBody(HostOp host) {
  Block &body = host.getBody().front();
  builder.setInsertionPointToEnd(&body);
  ExtentValues extents(analysis, body.getArguments(), builder, fusion.getLoc());
  results.assign(outputs.size(), Value());

  // Copies of arguments that a kernel or a later copy overwrites.
  auto allocateOutput = [&](unsigned index) {
    return allocate(outputs[index].value,
                    kernels.getOrder({outputs[index].value, index, std::nullopt}), extents);
  };
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (output.isInPlace())
      results[index] = body.getArgument(*output.forwarded);
    else if (output.forwarded && (outputs.isOverwritten(*output.forwarded) || !output.alias))
      results[index] = copy(body.getArgument(*output.forwarded), allocateOutput(index));
  }
  for (Stage &stage : stages)
    stage.library ? callLibrary(host, stage, extents) : launch(host, stage, extents);
  for (unsigned position = 0; position < outputs.size(); ++position)
    if (isViewOutput(position))
      results[position] = getBuffer(host, outputs[position].value, extents);
  // Arguments are overwritten last, when the kernels have read them.
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (!output.alias || output.isInPlace() || output.isWrittenInPlace)
      continue;
    Value source = results[index] ? results[index] : body.getArgument(*output.forwarded);
    results[index] = copy(source, body.getArgument(*output.alias));
    if (output.isComputed())
      FreeOp::create(builder, fusion.getLoc(), source);
  }
  ReturnOp::create(builder, fusion.getBody().front().getTerminator()->getLoc(), results);
}

HostOp Outliner::buildHost() {
  HostOp host = createHostFunction(fusion, kernels.getProgramFacts(), builder);
  OpBuilder::InsertionGuard guard(builder);
  buildHostBody(host);
  return host;
}

OutlinedFusion Outliner::run() {
  planStages();
  OutlinedFusion outlined;
  for (Stage &stage : stages) {
    if (stage.library)
      continue;
    std::string name = (fusion.getSymName() + "_" + Twine(outlined.kernels.size())).str();
    stage.built = kernels.build(stage.segment->ops, stage.outputs, name, isWhole());
    builder.insert(stage.built.kernel);
    symbols.insert(stage.built.kernel);
    outlined.kernels.push_back(stage.built.kernel);
  }
  outlined.host = buildHost();
  outlined.numCopies = numCopies;
  // The host function takes over the name.
  symbols.erase(fusion);
  symbols.insert(outlined.host);
  return outlined;
}

FailureOr<OutlinedFusion> fuser::outlineFusion(FusionOp fusion, const ExtentAnalysis &analysis,
                                               const Partition &partition, const SizeHints &hints,
                                               SymbolTable &symbols) {
  FailureOr<ProgramOutputs> outputs = ProgramOutputs::create(fusion, analysis);
  if (failed(outputs))
    return failure();
  return Outliner(fusion, analysis, partition, hints, symbols, std::move(*outputs)).run();
}

FailureOr<OutlinedFusion> fuser::outlineFusion(FusionOp fusion, const SizeHints &hints,
                                               PartitionFunction partition, SymbolTable &symbols) {
  if (isDistributed(fusion))
    return outlineOverStreams(fusion, hints, partition, symbols);
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis))
    return failure();
  FailureOr<Partition> segments = partition(fusion, *analysis, hints);
  if (failed(segments))
    return failure();
  return outlineFusion(fusion, *analysis, *segments, hints, symbols);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

class OutlineKernels : public fuser::impl::FuserOutlineKernelsBase<OutlineKernels> {
public:
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (FusionOp fusion : llvm::make_early_inc_range(getOperation().getOps<FusionOp>())) {
      FailureOr<OutlinedFusion> outlined = outlineFusion(
          fusion, SizeHints(),
          [](FusionOp fusion, const ExtentAnalysis &, const SizeHints &) -> FailureOr<Partition> {
            return Partition::getWhole(fusion);
          },
          symbols);
      if (failed(outlined))
        return signalPassFailure();
      numKernels += outlined->kernels.size();
      numCopies += outlined->numCopies;
    }
  }
};

} // namespace
