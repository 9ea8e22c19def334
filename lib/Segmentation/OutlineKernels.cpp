//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels of the segments of a fusion, and the host function that launches them in order.
//
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/OutlineKernels.h"
#include "KernelBuilder.h"
#include "fuser/Analysis/ExtentValues.h"
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

/// Where an output of the fusion comes from, and where it is stored.
struct Output {
  Value value;
  /// The argument that it is, unchanged; none: a kernel computes it.
  std::optional<unsigned> forwarded;
  /// The argument in whose buffer it is stored; none: a new buffer.
  std::optional<unsigned> alias;
  /// A kernel writes it into the argument's buffer; otherwise it is copied there at the end.
  bool isWrittenInPlace = false;

  bool isComputed() const { return !forwarded; }
  /// The output is stored where it already lies.
  bool isInPlace() const { return forwarded && alias == forwarded; }
};

/// One kernel and its launch.
struct Stage {
  const Segment *segment;
  SmallVector<KernelOutput> outputs;
  BuiltKernel built;
};

/// Outlines one fusion.
class Outliner {
public:
  Outliner(FusionOp fusion, const ExtentAnalysis &analysis, const Partition &partition,
           const SizeHints &hints, SymbolTable &symbols)
      : fusion(fusion), analysis(analysis), partition(partition), symbols(symbols),
        kernels(fusion, analysis, hints), builder(fusion) {}

  LogicalResult collectOutputs();
  /// Erases the fusion.
  OutlinedFusion run();

private:
  bool isWhole() const { return partition.segments.size() == 1; }
  void planStages();
  void placeAliases();
  HostOp buildHost();
  void buildHostBody(HostOp host);
  void launch(HostOp host, Stage &stage, ExtentValues &extents);
  void freeAfter(const Stage &stage);
  Value copy(Value source, Value destination);
  Value allocate(Value value, ArrayRef<int64_t> order, ExtentValues &extents);
  /// True where another output is stored in the buffer of an argument.
  bool isOverwritten(unsigned argument) const {
    return llvm::any_of(outputs, [&](const Output &output) {
      return output.alias == argument && !output.isInPlace();
    });
  }

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  const Partition &partition;
  SymbolTable &symbols;
  KernelBuilder kernels;
  OpBuilder builder;
  SmallVector<Output> outputs;
  SmallVector<Stage> stages;
  unsigned numCopies = 0;

  // Of the host function: outputs by position, buffers of values between kernels, and the last
  // stage that reads each.
  SmallVector<Value> results;
  llvm::DenseMap<Value, Value> buffers;
  llvm::DenseMap<Value, const Stage *> lastReaders;
};

} // namespace

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

LogicalResult Outliner::collectOutputs() {
  for (Value value : fusion.getBody().front().getTerminator()->getOperands()) {
    Output output{value, std::nullopt, std::nullopt};
    if (auto argument = dyn_cast<BlockArgument>(value))
      output.forwarded = argument.getArgNumber();
    outputs.push_back(output);
  }
  if (auto aliases = fusion.getAliases())
    for (AliasAttr alias : aliases->getAsRange<AliasAttr>())
      outputs[alias.getOutput()].alias = alias.getInput();

  for (auto [index, output] : llvm::enumerate(outputs)) {
    auto asked = output.value.getDefiningOp<StrideOrderOp>();
    if (asked && fusion.getOutputStrideOrder(index) != asked.getOrder())
      return asked.emitOpError("expected the stride order of output ")
             << index
             << " to be a requirement on the fusion: run fuser-resolve-stride-orders first";
    auto type = cast<RankedTensorType>(output.value.getType());
    for (auto [dim, extent] : llvm::enumerate(analysis.getExtents(output.value)))
      if (!extent && type.isDynamicDim(dim) && !output.alias)
        return fusion.emitOpError("expected sizes of output ")
               << index << " that arguments determine, but got an unknown dimension " << dim;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Finds what each kernel writes: what the program returns, and what a later kernel reads.
void Outliner::planStages() {
  llvm::DenseSet<Value> readLater;
  for (const Segment &segment : llvm::reverse(partition.segments)) {
    llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
    Stage stage{&segment, {}, {}};
    llvm::DenseSet<Value> returned;
    auto isOwner = [&](Value value) {
      Operation *op = value.getDefiningOp();
      return op && own.contains(op) && !llvm::is_contained(segment.recomputed, op);
    };
    for (auto [position, output] : llvm::enumerate(outputs))
      if (output.isComputed() && isOwner(output.value)) {
        stage.outputs.push_back({output.value, unsigned(position), std::nullopt});
        returned.insert(output.value);
      }
    for (Operation *op : segment.ops)
      for (Value value : op->getResults())
        if (isOwner(value) && readLater.contains(value) && !returned.contains(value))
          stage.outputs.push_back({value, std::nullopt, std::nullopt});
    for (Operation *op : segment.ops)
      for (Value operand : op->getOperands())
        if (!own.contains(operand.getDefiningOp()))
          readLater.insert(operand);
    if (!stage.outputs.empty())
      stages.push_back(std::move(stage));
  }
  std::reverse(stages.begin(), stages.end());
  for (const Stage &stage : stages)
    for (Operation *op : stage.segment->ops)
      for (Value operand : op->getOperands())
        lastReaders[operand] = &stage;
  placeAliases();
}

/// A kernel writes into an argument's buffer where it reads the argument itself (it knows how it
/// lies) and no later kernel does, where nobody reads the result as a value between kernels, and
/// where no mark keeps them apart.
void Outliner::placeAliases() {
  for (Stage &stage : stages) {
    llvm::SmallPtrSet<Operation *, 16> own(stage.segment->ops.begin(), stage.segment->ops.end());
    for (KernelOutput &output : stage.outputs) {
      if (!output.position || !outputs[*output.position].alias)
        continue;
      Value argument = fusion.getArgument(*outputs[*output.position].alias);
      const Stage *last = lastReaders.lookup(output.value);
      bool isReadBetween = last && last != &stage;
      // The program may ask for a boundary between the computation of the output and its alias.
      bool isStaged = output.value.getDefiningOp<SegmentSetOp>() != nullptr;
      if (isStaged || (!isWhole() && (lastReaders.lookup(argument) != &stage || isReadBetween)))
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

void Outliner::launch(HostOp host, Stage &stage, ExtentValues &extents) {
  SmallVector<Value> destinations, operands;
  for (const KernelOutput &output : stage.outputs)
    destinations.push_back(output.alias
                               ? host.getArgument(*output.alias)
                               : allocate(output.value, kernels.getOrder(output), extents));
  for (Value input : stage.built.inputs) {
    if (auto argument = dyn_cast<BlockArgument>(input))
      operands.push_back(host.getArgument(argument.getArgNumber()));
    else if (isa<RankedTensorType>(input.getType()))
      operands.push_back(buffers.lookup(input));
    else
      operands.push_back(extents.build(analysis.getScalar(input)));
  }
  auto op = LaunchOp::create(builder, fusion.getLoc(), ValueRange(destinations).getTypes(),
                             FlatSymbolRefAttr::get(stage.built.kernel), operands, destinations,
                             /*stream=*/Value());
  for (auto [output, result] : llvm::zip_equal(stage.outputs, op.getResults())) {
    buffers.try_emplace(output.value, result);
    if (output.position)
      results[*output.position] = result;
  }
  freeAfter(stage);
}

/// Ends the life of buffers between kernels that this stage was the last to read.
void Outliner::freeAfter(const Stage &stage) {
  for (Value input : stage.built.inputs) {
    if (isa<BlockArgument>(input) || !isa<RankedTensorType>(input.getType()) ||
        lastReaders.lookup(input) != &stage || llvm::is_contained(results, buffers.lookup(input)))
      continue;
    FreeOp::create(builder, fusion.getLoc(), buffers.lookup(input));
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
    else if (output.forwarded && (isOverwritten(*output.forwarded) || !output.alias))
      results[index] = copy(body.getArgument(*output.forwarded), allocateOutput(index));
  }
  for (Stage &stage : stages)
    launch(host, stage, extents);
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
  auto host =
      HostOp::create(builder, fusion.getLoc(), fusion.getSymName(), fusion.getFunctionType());
  host->setDiscardableAttrs(fusion->getDiscardableAttrDictionary());
  host.setSymVisibilityAttr(fusion.getSymVisibilityAttr());
  host.setArgAttrsAttr(fusion.getArgAttrsAttr());
  host.setResAttrsAttr(fusion.getResAttrsAttr());
  host.setArgLayoutsAttr(fusion.getArgLayoutsAttr());
  host.setOutputOrdersAttr(fusion.getOutputOrdersAttr());
  host.setAliasesAttr(fusion.getAliasesAttr());
  host.setFactsAttr(kernels.getProgramFacts());
  host.setInputIdsAttr(fusion.getInputIdsAttr());
  host.setOutputIdsAttr(fusion.getOutputIdsAttr());
  host.setExtentIdsAttr(fusion.getExtentIdsAttr());
  OpBuilder::InsertionGuard guard(builder);
  buildHostBody(host);
  return host;
}

OutlinedFusion Outliner::run() {
  planStages();
  OutlinedFusion outlined;
  for (auto [number, stage] : llvm::enumerate(stages)) {
    std::string name = (fusion.getSymName() + "_" + Twine(number)).str();
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

LogicalResult fuser::checkUndistributed(FusionOp fusion) {
  for (Operation &op : fusion.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view || !view.hasDomains())
      continue;
    for (ParallelType type : view.getDomain().getParallel())
      if (isDeviceType(type) || type == ParallelType::Stream)
        return op.emitOpError("expected loops on one device and one stream, which is what host "
                              "functions run, but got @")
               << stringifyParallelType(type);
  }
  return success();
}

FailureOr<OutlinedFusion> fuser::outlineFusion(FusionOp fusion, const ExtentAnalysis &analysis,
                                               const Partition &partition, const SizeHints &hints,
                                               SymbolTable &symbols) {
  Outliner outliner(fusion, analysis, partition, hints, symbols);
  if (failed(checkUndistributed(fusion)) || failed(outliner.collectOutputs()))
    return failure();
  return outliner.run();
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
      FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
      if (failed(analysis))
        return signalPassFailure();
      FailureOr<OutlinedFusion> outlined =
          outlineFusion(fusion, *analysis, Partition::getWhole(fusion), SizeHints(), symbols);
      if (failed(outlined))
        return signalPassFailure();
      numKernels += outlined->kernels.size();
      numCopies += outlined->numCopies;
    }
  }
};

} // namespace
