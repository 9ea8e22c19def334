//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels of the segments of a fusion, and the host function that launches them in order.
//
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/OutlineKernels.h"
#include "OutlineCopies.h"
#include "StagePlan.h"
#include "StreamChecks.h"
#include "StreamLoops.h"
#include "ViewBuilder.h"
#include "Windows.h"
#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Dialect/IR/Updates.h"
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

/// The progress of a value that kernels write part by part.
struct JoinState {
  /// The buffer, and its value with the parts that were written so far.
  Value buffer, value;
  unsigned numPlaced = 0;
};

/// Outlines one fusion.
class Outliner {
public:
  Outliner(FusionOp fusion, const ExtentAnalysis &analysis, const Partition &partition,
           const SizeHints &hints, SymbolTable &symbols, ProgramOutputs outputs)
      : fusion(fusion), analysis(analysis), symbols(symbols), kernels(fusion, analysis, hints),
        builder(fusion), views(builder, fusion.getLoc(), analysis), outputs(std::move(outputs)),
        plan(fusion, analysis, partition, kernels, this->outputs), joins(plan.getJoins().size()) {}

  /// Erases the fusion.
  OutlinedFusion run();

private:
  HostOp buildHost();
  void buildHostBody(HostOp host);
  void launch(HostOp host, const Stage &stage, const BuiltKernel &built, ExtentValues &extents);
  void callLibrary(HostOp host, const Stage &stage, ExtentValues &extents);
  Value getDestination(HostOp host, const KernelOutput &output, ExtentValues &extents);
  void define(const KernelOutput &output, Value result, ExtentValues &extents);
  JoinState &openJoin(HostOp host, unsigned number, ExtentValues &extents);
  Value getPlace(unsigned number, unsigned part, ExtentValues &extents);
  void place(unsigned number, unsigned part, Value value, ExtentValues &extents);
  void complete(unsigned number, ExtentValues &extents);
  void freeAfter(const Stage &stage);
  Value copy(Value source, Value destination);
  Value allocate(Value value, ArrayRef<int64_t> order, ExtentValues &extents);
  /// The location of a value of the fusion: an argument, a result of a kernel, or a part of either.
  Value getBuffer(HostOp host, Value value, ExtentValues &extents);
  /// The value as a view of its base; the base is located in the same way if `isView` contains it.
  Value getView(HostOp host, Value value, const llvm::SmallPtrSetImpl<Value> &isView,
                ExtentValues &extents);
  Value getOutputView(HostOp host, Value value, ExtentValues &extents);
  Value buildOutputView(const OutputView &view, ExtentValues &extents);
  void placeView(const OutputView &view, Value value);

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  SymbolTable &symbols;
  KernelBuilder kernels;
  OpBuilder builder;
  ViewBuilder views;
  ProgramOutputs outputs;
  const StagePlan plan;
  /// By stage; empty for a library's.
  std::vector<BuiltKernel> built;
  /// By join of the plan.
  std::vector<JoinState> joins;
  unsigned numCopies = 0;

  // Of the host function: outputs by position, and buffers of values between kernels.
  SmallVector<Value> results;
  llvm::DenseMap<Value, Value> buffers;
  /// By value and base.
  llvm::DenseMap<std::pair<Value, Value>, Value> knownViews;
  /// By the value that a kernel writes, of outputs that are views of it.
  llvm::DenseMap<Value, Value> outputBuffers;
  llvm::DenseSet<Value> freed;
};

} // namespace

//===----------------------------------------------------------------------===//
// Host function
//===----------------------------------------------------------------------===//

Value Outliner::copy(Value source, Value destination) {
  ++numCopies;
  return CopyOp::create(builder, fusion.getLoc(), destination.getType(), source, destination);
}

Value Outliner::allocate(Value value, ArrayRef<int64_t> order, ExtentValues &extents) {
  return AllocOp::create(builder, value.getLoc(), value.getType(),
                         views.buildSizes(value.getType(), analysis.getExtents(value), extents),
                         order.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(order));
}

Value Outliner::getBuffer(HostOp host, Value value, ExtentValues &extents) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return host.getArgument(argument.getArgNumber());
  if (Value buffer = buffers.lookup(value))
    return buffer;
  // A value that no kernel wrote is a part of another value.
  return getView(host, value, llvm::SmallPtrSet<Value, 1>(), extents);
}

Value Outliner::getView(HostOp host, Value value, const llvm::SmallPtrSetImpl<Value> &isView,
                        ExtentValues &extents) {
  HostView view = *getHostView(value.getDefiningOp(), analysis);
  Value base = isView.contains(view.base) ? getView(host, view.base, isView, extents)
                                          : getBuffer(host, view.base, extents);
  // A base that one stage stores is a view in a stage that recomputes it.
  Value &known = knownViews[{value, base}];
  if (!known)
    known = views.build(base, value.getType(), view, extents);
  return known;
}

/// The view that is an output. If the value is a view of an argument, a kernel may have stored it
/// as well, for another output that requires another order.
Value Outliner::getOutputView(HostOp host, Value value, ExtentValues &extents) {
  if (!isArgumentView(fusion, value, analysis))
    return getBuffer(host, value, extents);
  llvm::SmallPtrSet<Value, 4> chain;
  for (Value base = value; Operation *op = base.getDefiningOp(); base = op->getOperand(0))
    chain.insert(base);
  return getView(host, value, chain, extents);
}

/// The order of a buffer with this layout; empty: row-major.
static ArrayRef<int64_t> getAllocOrder(LayoutAttr layout) {
  return llvm::is_sorted(layout.getOrder()) ? ArrayRef<int64_t>() : layout.getOrder();
}

/// The buffer of an output in the dimensions of the value that it is a view of.
Value Outliner::buildOutputView(const OutputView &view, ExtentValues &extents) {
  Value buffer = allocate(view.result, getAllocOrder(view.layout), extents);
  outputBuffers[view.root] = buffer;
  for (Operation *op : llvm::reverse(view.chain)) {
    HostView inverse = getInverse(op, *getHostView(op, analysis), analysis);
    buffer = views.build(buffer, op->getOperand(0).getType(), inverse, extents);
  }
  return buffer;
}

/// The buffer of a joined value: the argument that the parts are written into, a part of another
/// joined value, or a new buffer.
JoinState &Outliner::openJoin(HostOp host, unsigned number, ExtentValues &extents) {
  const HostJoin &join = plan.getJoins()[number];
  JoinState &state = joins[number];
  if (state.buffer)
    return state;
  if (const std::optional<PartOfJoin> &outer = join.destination.outer) {
    state.buffer = openJoin(host, outer->join, extents).buffer;
    if (outer->part)
      state.buffer = getPlace(outer->join, *outer->part, extents);
  } else if (isa_and_nonnull<BlockArgument>(join.into))
    state.buffer = getBuffer(host, join.into, extents);
  else if (const OutputView *view = plan.findOutputView(join.result))
    state.buffer = buildOutputView(*view, extents);
  else
    state.buffer = allocate(join.result, getAllocOrder(join.lies.layout), extents);
  if (join.copied)
    state.buffer = copy(getBuffer(host, join.copied, extents), state.buffer);
  state.value = state.buffer;
  return state;
}

/// The view of a joined value's buffer that is a part of it.
Value Outliner::getPlace(unsigned number, unsigned part, ExtentValues &extents) {
  const HostJoin &join = plan.getJoins()[number];
  const JoinPart &stored = join.parts[part];
  // Written after the parts before it.
  Value buffer = join.mayOverlap ? joins[number].value : joins[number].buffer;
  Type type = stored.slice ? getWindowType(stored.slice, analysis) : stored.value.getType();
  return views.build(buffer, type, stored.box, extents);
}

/// The destination of a kernel's output: the argument that it is stored in, its part of a joined
/// value, the buffer of its view, or a new buffer.
Value Outliner::getDestination(HostOp host, const KernelOutput &written, ExtentValues &extents) {
  if (Value updated = getUpdatedValue(written.value))
    return buffers.lookup(updated);
  const KernelOutput &output = plan.getLastUpdate(written);
  if (output.alias)
    return host.getArgument(*output.alias);
  if (output.join) {
    Value buffer = openJoin(host, *output.join, extents).buffer;
    return output.part ? getPlace(*output.join, *output.part, extents) : buffer;
  }
  if (const OutputView *view = plan.findOutputView(output.value))
    return buildOutputView(*view, extents);
  Value buffer = allocate(output.value, kernels.getOrder(output), extents);
  // The permission to change the order, until boundaries are settled, if there is a choice.
  ArrayRef<int64_t> shape = cast<RankedTensorType>(buffer.getType()).getShape();
  const bool isChoice = countLargeDims(shape) > 1 && output.value == written.value;
  if (isChoice && kernels.isDefaultOrder(output))
    buffer.getDefiningOp()->setDiscardableAttr(kDefaultOrderName, builder.getUnitAttr());
  return buffer;
}

/// Records that a part of a joined value was written. The last one completes it.
void Outliner::place(unsigned number, unsigned part, Value value, ExtentValues &extents) {
  const HostJoin &join = plan.getJoins()[number];
  JoinState &state = joins[number];
  SmallVector<Value> offsets;
  SmallVector<int64_t> staticOffsets =
      views.resolve(join.parts[part].box.offsets, offsets, extents);
  state.value = PlaceOp::create(builder, fusion.getLoc(), state.buffer.getType(), value,
                                state.value, offsets, builder.getDenseI64ArrayAttr(staticOffsets));
  if (++state.numPlaced < join.parts.size())
    return;
  complete(number, extents);
}

/// Records that all of a joined value was written.
void Outliner::complete(unsigned number, ExtentValues &extents) {
  const HostJoin &join = plan.getJoins()[number];
  const Value value = joins[number].value;
  // Of several destinations, readers get the first one that was planned.
  if (plan.isReadAt(join))
    buffers[join.result] = value;
  if (join.destination.position)
    results[*join.destination.position] = value;
  else if (const OutputView *view = plan.findOutputView(join.result))
    placeView(*view, value);
  if (const std::optional<PartOfJoin> &outer = join.destination.outer) {
    if (outer->part)
      return place(outer->join, *outer->part, value, extents);
    joins[outer->join].buffer = joins[outer->join].value = value;
  }
}

/// Records the results of a launch.
void Outliner::define(const KernelOutput &output, Value result, ExtentValues &extents) {
  if (output.join) {
    if (output.part) {
      if (plan.isReadInPlace(output.value))
        buffers.try_emplace(output.value, result);
      return place(*output.join, *output.part, result, extents);
    }
    JoinState &state = joins[*output.join];
    state.buffer = state.value = result;
    return;
  }
  buffers.try_emplace(output.value, result);
  if (output.position)
    results[*output.position] = result;
  if (const OutputView *view = plan.findOutputView(output.value))
    placeView(*view, result);
}

/// Records that the value that an output is a view of was written.
void Outliner::placeView(const OutputView &view, Value value) {
  Value buffer = outputBuffers.lookup(view.root);
  buffers[view.result] = results[view.position] = PlaceOp::create(
      builder, fusion.getLoc(), buffer.getType(), value, buffer, ValueRange(), ArrayRef<int64_t>());
}

void Outliner::launch(HostOp host, const Stage &stage, const BuiltKernel &built,
                      ExtentValues &extents) {
  SmallVector<Value> destinations, operands;
  for (const KernelOutput &output : stage.outputs)
    destinations.push_back(getDestination(host, output, extents));
  for (const KernelBorder &border : stage.borders)
    destinations.push_back(openJoin(host, border.join, extents).buffer);
  for (Value input : built.inputs) {
    if (isa<RankedTensorType>(input.getType()))
      operands.push_back(built.views.contains(input) ? getView(host, input, built.views, extents)
                                                     : getBuffer(host, input, extents));
    else if (auto argument = dyn_cast<BlockArgument>(input))
      operands.push_back(host.getArgument(argument.getArgNumber()));
    else
      operands.push_back(extents.build(analysis.getScalar(input)));
  }
  for (const ExtraArgument &extra : built.extras)
    operands.push_back(extra.output ? destinations[*extra.output] : extents.build(extra.expr));
  auto op = LaunchOp::create(builder, fusion.getLoc(), ValueRange(destinations).getTypes(),
                             FlatSymbolRefAttr::get(built.kernel), operands, destinations,
                             /*stream=*/Value());
  // A border is the value of the buffer into which parts are placed.
  for (auto [border, result] :
       llvm::zip_equal(stage.borders, op.getResults().take_back(stage.borders.size())))
    joins[border.join].value = result;
  for (auto [output, result] : llvm::zip(stage.outputs, op.getResults()))
    define(output, result, extents);
  freeAfter(stage);
}

/// Calls the routine on operands in the order that it expects, and gives outputs the order that the
/// program requires; if an order differs, inserts a copy (S0.3).
void Outliner::callLibrary(HostOp host, const Stage &stage, ExtentValues &extents) {
  LibraryOpInterface library = stage.library;
  Location loc = library.getLoc();
  SmallVector<Value> operands, destinations, copies;
  // A result that is a part of a joined value is written there (S2.2).
  auto findPart = [&](Value result) -> const KernelOutput * {
    const KernelOutput *output = llvm::find_if(stage.outputs, [&](const KernelOutput &output) {
      return output.join && output.value == result;
    });
    return output == stage.outputs.end() ? nullptr : output;
  };
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
  for (OpResult result : library->getResults()) {
    const KernelOutput *part = findPart(result);
    destinations.push_back(
        part ? getDestination(host, *part, extents)
             : allocate(result, library.getResultOrder(result.getResultNumber()), extents));
  }
  auto call = LibraryCallOp::create(builder, loc, ValueRange(destinations).getTypes(),
                                    builder.getStringAttr(library.getRoutine()), operands,
                                    destinations, library.getRoutineOptions());
  for (Value buffer : copies)
    FreeOp::create(builder, loc, buffer);
  for (auto [result, buffer] : llvm::zip_equal(library->getResults(), call.getResults()))
    if (const KernelOutput *part = findPart(result))
      define(*part, buffer, extents);
    else
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

/// Frees intermediate buffers after their last reader, including readers of parts.
void Outliner::freeAfter(const Stage &stage) {
  for (Operation *op : stage.segment->ops)
    for (Value input : op->getOperands()) {
      Value owner = plan.getOwner(input), buffer = buffers.lookup(owner);
      if (!buffer || plan.getLastReader(owner) != &stage || llvm::is_contained(results, buffer) ||
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

  buildExpectations(fusion, analysis, extents, builder);
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
  for (auto [value, argument] : plan.getUpdatedArguments())
    buffers[value] = body.getArgument(argument.getArgNumber());
  for (auto [stage, kernel] : llvm::zip_equal(plan.getStages(), built))
    stage.library ? callLibrary(host, stage, extents) : launch(host, stage, kernel, extents);
  for (unsigned position = 0; position < outputs.size(); ++position)
    if (plan.isViewOutput(position))
      results[position] = getOutputView(host, outputs[position].value, extents);
  // Arguments are overwritten last, after all kernels have read them.
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
  OutlinedFusion outlined;
  for (const Stage &stage : plan.getStages()) {
    built.emplace_back();
    if (stage.library)
      continue;
    std::string name = (fusion.getSymName() + "_" + Twine(outlined.kernels.size())).str();
    built.back() = buildKernel(stage, kernels, name);
    KernelOp kernel = built.back().kernel;
    builder.insert(kernel);
    symbols.insert(kernel);
    outlined.kernels.push_back(kernel);
    const Segment &segment = *stage.segment;
    outlined.estimates.emplace_back();
    if (!segment.scheduler.empty())
      outlined.estimates.back() = {segment.work, segment.use, segment.microseconds};
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
      llvm::append_range(outlined->kernels, outlineCopies(outlined->host, SizeHints(), symbols));
      numKernels += outlined->kernels.size();
      numCopies += outlined->numCopies;
    }
  }
};

} // namespace
