//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The host function of a fusion over streams: each group of ops is outlined as a separate fusion,
// and its host function becomes the body of a loop.
//
//===----------------------------------------------------------------------===//

#include "StreamLoops.h"
#include "ProgramOutputs.h"
#include "StreamGroups.h"
#include "SubFusion.h"
#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

/// The number of streams that a GPU runs concurrently with the default number of hardware queues of
/// a context.
static constexpr int64_t kMaxStreams = 8;

namespace {

class StreamOutliner {
public:
  StreamOutliner(FusionOp fusion, const ExtentAnalysis &analysis, const SizeHints &hints,
                 PartitionFunction partition, SymbolTable &symbols, ProgramOutputs outputs)
      : fusion(fusion), analysis(analysis), partition(partition), symbols(symbols),
        outputs(std::move(outputs)), subFusions(fusion, analysis, hints),
        kernels(fusion, analysis, hints), builder(fusion) {}

  /// Erases the fusion, unless it fails.
  FailureOr<OutlinedFusion> run(ArrayRef<StreamGroup> groups);

private:
  LogicalResult outline(const StreamGroup &group, unsigned number);
  void emit(const StreamGroup &group, SubFusion &sub, HostOp part);
  void emitLoop(const StreamGroup &group, const SubFusion &sub, HostOp part,
                SmallVector<Value> operands);
  SmallVector<Value> inlineBody(HostOp part, ValueRange operands);
  Value buildView(Value base, RankedTensorType type, unsigned dim, Value offset,
                  ArrayRef<Value> sizes);
  /// A value for each dynamic dimension of `type`, from the extents of `value`; for `dim`, if it is
  /// given, the extent of a part.
  SmallVector<Value> buildSizes(Value value, RankedTensorType type, const StreamTile &tile,
                                unsigned dim);
  Value allocate(const KernelOutput &output);
  Value copy(Value source, Value destination);
  void copyForwarded();
  void copyAliased();
  void freeAfter(const StreamGroup &group);

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  PartitionFunction partition;
  SymbolTable &symbols;
  ProgramOutputs outputs;
  SubFusionBuilder subFusions;
  KernelBuilder kernels;
  OpBuilder builder;
  OutlinedFusion outlined;
  std::optional<ExtentValues> extents;

  /// Of the host function: outputs by position, buffers of values of ops, and the last group that
  /// reads each value.
  SmallVector<Value> results;
  llvm::DenseMap<Value, Value> buffers;
  llvm::DenseMap<Value, const StreamGroup *> lastReaders;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> StreamOutliner::inlineBody(HostOp part, ValueRange operands) {
  IRMapping mapping;
  Block &body = part.getBody().front();
  mapping.map(body.getArguments(), operands);
  // Sizes are checked for the whole fusion.
  for (Operation &op : body.without_terminator())
    if (!isa<ExpectOp>(op))
      builder.clone(op, mapping);
  return llvm::map_to_vector(body.getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookup(value); });
}

SmallVector<Value> StreamOutliner::buildSizes(Value value, RankedTensorType type,
                                              const StreamTile &tile, unsigned dim) {
  SmallVector<Value> sizes;
  for (int64_t each = 0; each < type.getRank(); ++each) {
    AffineExpr extent = analysis.getExtent(value, each);
    if (type.isDynamicDim(each))
      sizes.push_back(
          extents->build(each == dim ? analysis.simplify(tile.getSize(extent)) : extent));
  }
  return sizes;
}

Value StreamOutliner::buildView(Value base, RankedTensorType type, unsigned dim, Value offset,
                                ArrayRef<Value> sizes) {
  SmallVector<int64_t> offsets(type.getRank(), 0);
  offsets[dim] = ShapedType::kDynamic;
  return ViewOp::create(builder, base.getLoc(), type, base, offset, sizes, offsets, type.getShape(),
                        DenseI64ArrayAttr(), DenseI64ArrayAttr());
}

void StreamOutliner::emitLoop(const StreamGroup &group, const SubFusion &sub, HostOp part,
                              SmallVector<Value> operands) {
  // All sizes are computed before the loop.
  Operation *any = group.ops.front();
  AffineExpr extent = analysis.getExtent(
      any->getResult(0), group.streams.find(any)->second.getResultDim(any->getResult(0)));
  AffineExpr count = analysis.simplify(group.tile->getCount(extent));
  Value numIterations = extents->build(count);
  AffineExpr partExtent = analysis.simplify(group.tile->getSize(extent));
  Value partSize = analysis.getConstant(partExtent) == 1 ? Value() : extents->build(partExtent);
  struct View {
    unsigned operand, dim;
    SmallVector<Value> sizes;
  };
  SmallVector<View> views;
  auto addView = [&](unsigned operand, Value value, unsigned dim) {
    auto type = cast<RankedTensorType>(part.getArgumentTypes()[operand]);
    views.push_back({operand, dim, buildSizes(value, type, *group.tile, dim)});
  };
  for (auto [number, input] : llvm::enumerate(sub.inputs))
    if (input.dim)
      addView(number, input.value, *input.dim);
  for (auto [number, output] : llvm::enumerate(sub.outputs)) {
    Value buffer = allocate(output);
    buffers.try_emplace(output.value, buffer);
    if (output.position)
      results[*output.position] = buffer;
    operands.push_back(buffer);
    auto result = cast<OpResult>(output.value);
    addView(sub.getDestination(number), result,
            group.streams.find(result.getOwner())->second.getResultDim(result));
  }

  int64_t streams = analysis.getUpperBound(count).value_or(kMaxStreams);
  auto loop = ForOp::create(builder, fusion.getLoc(), numIterations,
                            std::clamp<int64_t>(streams, 1, kMaxStreams));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody().front().getTerminator());
  Value offset = loop.getInductionVariable();
  if (partSize)
    offset = arith::MulIOp::create(builder, fusion.getLoc(), offset, partSize);
  for (const View &view : views)
    operands[view.operand] = buildView(
        operands[view.operand], cast<RankedTensorType>(part.getArgumentTypes()[view.operand]),
        view.dim, offset, view.sizes);
  inlineBody(part, operands);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void StreamOutliner::emit(const StreamGroup &group, SubFusion &sub, HostOp part) {
  SmallVector<Value> operands;
  for (const SubFusion::Input &input : sub.inputs) {
    if (auto argument = dyn_cast<BlockArgument>(input.value))
      operands.push_back(outlined.host.getArgument(argument.getArgNumber()));
    else if (isa<RankedTensorType>(input.value.getType()))
      operands.push_back(buffers.lookup(input.value));
    else
      operands.push_back(extents->build(analysis.getScalar(input.value)));
  }
  if (group.tile) {
    emitLoop(group, sub, part, std::move(operands));
  } else {
    for (auto [output, buffer] : llvm::zip_equal(sub.outputs, inlineBody(part, operands))) {
      buffers.try_emplace(output.value, buffer);
      if (output.position)
        results[*output.position] = buffer;
    }
  }
  freeAfter(group);
}

LogicalResult StreamOutliner::outline(const StreamGroup &group, unsigned number) {
  std::string name = (fusion.getSymName() + "_" + Twine(number)).str();
  FailureOr<SubFusion> sub = subFusions.build(group, name);
  if (failed(sub))
    return failure();
  symbols.insert(sub->fusion);
  FailureOr<ExtentAnalysis> subAnalysis = ExtentAnalysis::create(sub->fusion);
  FailureOr<Partition> segments = failure();
  if (succeeded(subAnalysis))
    segments = partition(sub->fusion, *subAnalysis, sub->hints);
  FailureOr<OutlinedFusion> part = failure();
  if (succeeded(segments))
    part = outlineFusion(sub->fusion, *subAnalysis, *segments, sub->hints, symbols);
  if (failed(part)) {
    symbols.erase(sub->fusion);
    return failure();
  }
  llvm::append_range(outlined.kernels, part->kernels);
  llvm::append_range(outlined.estimates, part->estimates);
  outlined.numCopies += part->numCopies;
  emit(group, *sub, part->host);
  symbols.erase(part->host);
  return success();
}

/// The buffer that a view or a reshape refers to; other values are returned unchanged.
static Value getViewed(Value buffer) {
  while (buffer && isa_and_nonnull<ViewOp, ReshapeViewOp>(buffer.getDefiningOp()))
    buffer = buffer.getDefiningOp()->getOperand(0);
  return buffer;
}

/// A view of its input that a group returns has the lifetime of the input; the call frees both.
void StreamOutliner::freeAfter(const StreamGroup &group) {
  llvm::DenseSet<Value> viewed;
  for (Value buffer : llvm::concat<Value>(llvm::make_second_range(buffers), results))
    if (Value root = getViewed(buffer); root != buffer)
      viewed.insert(root);
  llvm::SmallSetVector<Value, 8> read;
  for (Operation *op : group.ops)
    for (Value operand : op->getOperands())
      if (buffers.count(operand) && lastReaders.lookup(operand) == &group)
        read.insert(operand);
  for (Value value : read)
    if (Value buffer = buffers.lookup(value); !llvm::is_contained(results, buffer) &&
                                              !viewed.contains(buffer) &&
                                              getViewed(buffer) == buffer)
      FreeOp::create(builder, fusion.getLoc(), buffer);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

Value StreamOutliner::allocate(const KernelOutput &output) {
  auto type = cast<RankedTensorType>(output.value.getType());
  SmallVector<int64_t> order = kernels.getOrder(output);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(extents->build(analysis.getExtent(output.value, dim)));
  return AllocOp::create(builder, output.value.getLoc(), type, sizes,
                         order.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(order));
}

Value StreamOutliner::copy(Value source, Value destination) {
  ++outlined.numCopies;
  return CopyOp::create(builder, fusion.getLoc(), destination.getType(), source, destination);
}

/// Outputs that are arguments, with their contents before any write.
void StreamOutliner::copyForwarded() {
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (output.isInPlace())
      results[index] = outlined.host.getArgument(*output.forwarded);
    else if (output.forwarded)
      results[index] = copy(outlined.host.getArgument(*output.forwarded),
                            allocate({output.value, unsigned(index), std::nullopt}));
  }
}

/// Arguments are overwritten last, after all loops have read them: an iteration may read elements
/// that another one would overwrite.
void StreamOutliner::copyAliased() {
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (!output.alias || output.isInPlace())
      continue;
    Value source = results[index];
    results[index] = copy(source, outlined.host.getArgument(*output.alias));
    FreeOp::create(builder, fusion.getLoc(), source);
  }
}

FailureOr<OutlinedFusion> StreamOutliner::run(ArrayRef<StreamGroup> groups) {
  outlined.host = createHostFunction(fusion, kernels.getProgramFacts(), builder);
  Block &body = outlined.host.getBody().front();
  builder.setInsertionPointToEnd(&body);
  extents.emplace(analysis, body.getArguments(), builder, fusion.getLoc());
  results.assign(outputs.size(), Value());
  for (const StreamGroup &group : groups)
    for (Operation *op : group.ops)
      for (Value operand : op->getOperands())
        lastReaders[operand] = &group;

  buildExpectations(analysis, *extents, builder);
  copyForwarded();
  for (auto [number, group] : llvm::enumerate(groups))
    if (failed(outline(group, number))) {
      outlined.host.erase();
      return failure();
    }
  copyAliased();
  ReturnOp::create(builder, fusion.getBody().front().getTerminator()->getLoc(), results);
  symbols.erase(fusion);
  symbols.insert(outlined.host);
  return std::move(outlined);
}

//===----------------------------------------------------------------------===//
// Divisibility
//===----------------------------------------------------------------------===//

/// Adds facts to the fusion so that the streams of each op divide its dimension.
static LogicalResult requireDivisibility(FusionOp fusion, const ExtentAnalysis &analysis,
                                         ArrayRef<StreamGroup> groups) {
  llvm::SmallSetVector<Attribute, 8> facts;
  if (auto given = fusion.getFacts())
    facts.insert(given->begin(), given->end());
  for (const StreamGroup &group : groups)
    for (Operation *op : group.ops) {
      if (!group.tile)
        continue;
      const OpStream &stream = group.streams.find(op)->second;
      unsigned dim = stream.getResultDim(op->getResult(0));
      AffineExpr extent = analysis.getExtent(op->getResult(0), dim);
      int64_t factor = stream.tile.factor;
      auto refuse = [&]() -> InFlightDiagnostic {
        return op->emitOpError("expected parts of a stream that are all of one size: ")
               << factor << " to divide dimension " << dim << " of result 0, but ";
      };
      if (!extent)
        return refuse() << "arguments do not determine its size";
      if (analysis.getKnownDivisor(extent) % factor == 0)
        continue;
      if (std::optional<int64_t> size = analysis.getConstant(extent))
        return refuse() << "got a size of " << *size;
      auto symbol = dyn_cast<AffineSymbolExpr>(analysis.simplify(extent));
      if (!symbol || analysis.getSymbols()[symbol.getPosition()].dim < 0)
        return refuse() << "no fact says that it does";
      auto [arg, argDim] = analysis.getSymbols()[symbol.getPosition()];
      facts.insert(FactAttr::getDivisible(fusion.getContext(), arg, argDim, factor));
    }
  if (!facts.empty())
    fusion.setFactsAttr(ArrayAttr::get(fusion.getContext(), facts.getArrayRef()));
  return success();
}

FailureOr<OutlinedFusion> fuser::outlineOverStreams(FusionOp fusion, const SizeHints &hints,
                                                    PartitionFunction partition,
                                                    SymbolTable &symbols) {
  FailureOr<SmallVector<StreamGroup>> groups = groupByStreams(fusion);
  if (failed(groups))
    return failure();
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis) || failed(requireDivisibility(fusion, *analysis, *groups)))
    return failure();
  // With the facts added so far.
  analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis))
    return failure();
  FailureOr<ProgramOutputs> outputs = ProgramOutputs::create(fusion, *analysis);
  if (failed(outputs))
    return failure();
  return StreamOutliner(fusion, *analysis, hints, partition, symbols, std::move(*outputs))
      .run(*groups);
}
