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
#include "StreamChecks.h"
#include "SubFusion.h"
#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Analysis/LayoutInfo.h"
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
        outputs(std::move(outputs)),
        subFusions(
            fusion, analysis, hints,
            [this](const KernelOutput &output) { return findDestination(output); },
            [this](Value value) { return findView(value); }),
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
  /// The argument that an output is stored in at once: nothing reads its old contents.
  std::optional<unsigned> findDestination(const KernelOutput &output);
  /// Where a value lies that is a view in the host function.
  std::optional<SubFusionBuilder::BufferView> findView(Value value);
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

/// Limits the streams that the loops of a block use together with those in them: an iteration of an
/// outer loop needs no event, one of an inner loop two.
static void limitStreams(Block &block, int64_t most) {
  for (auto loop : block.getOps<ForOp>()) {
    const int64_t streams = std::clamp<int64_t>(loop.getStreams(), 1, most);
    loop.setStreams(streams);
    limitStreams(loop.getBody().front(), most / streams);
  }
}

void StreamOutliner::emitLoop(const StreamGroup &group, const SubFusion &sub, HostOp part,
                              SmallVector<Value> operands) {
  // All sizes are computed before the loop.
  Operation *any = group.ops.front();
  AffineExpr extent = analysis.getExtent(
      any->getResult(0), group.loops.find(any)->second.getResultDim(any->getResult(0)));
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
  for (auto [output, destination] : llvm::zip_equal(sub.outputs, sub.destinations)) {
    auto result = cast<OpResult>(output.value);
    addView(*destination, result, group.loops.find(result.getOwner())->second.getResultDim(result));
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
  limitStreams(loop.getBody().front(), kMaxStreams / int64_t(loop.getStreams()));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The buffer that a view or a reshape refers to; other values are returned unchanged.
static Value getViewed(Value buffer) {
  while (buffer && isa_and_nonnull<ViewOp, ReshapeViewOp>(buffer.getDefiningOp()))
    buffer = buffer.getDefiningOp()->getOperand(0);
  return buffer;
}

/// The layout of a tensor of a host function. Of a view of a part, only the fastest dimension may
/// be contiguous.
static LayoutAttr getHostLayout(HostOp host, Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return fuser::detail::getArgLayout(host, argument.getArgNumber());
  if (Value buffer = getForwardedBuffer(cast<OpResult>(tensor)))
    return getHostLayout(host, buffer);
  SmallVector<int64_t> order = LayoutInfo(host).getOrder(tensor).order;
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, order.size())), strided;
  if (auto reshaped = tensor.getDefiningOp<ReshapeViewOp>()) {
    if (!getHostLayout(host, reshaped.getBase()).getStrided().empty())
      strided = all;
  } else if (auto view = tensor.getDefiningOp<ViewOp>()) {
    LayoutAttr base = getHostLayout(host, view.getBase());
    ArrayRef<int64_t> shape = cast<RankedTensorType>(view.getBase().getType()).getShape();
    bool isWhole = llvm::all_of(view.getStaticOffsets(), [](int64_t each) { return each == 0; }) &&
                   !ShapedType::isDynamicShape(shape) && view.getStaticSizes() == shape;
    for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim)
      isWhole &= view.getStep(dim) == 1;
    for (auto [position, dim] : llvm::enumerate(order)) {
      const int64_t baseDim = view.getBaseDim(dim);
      if (baseDim < 0)
        continue;
      const int64_t basePosition = llvm::find(base.getOrder(), baseDim) - base.getOrder().begin();
      const bool isFastest = basePosition + 1 == int64_t(shape.size()) &&
                             position + 1 == order.size() && view.getStep(baseDim) == 1;
      if (!base.isContiguousAt(basePosition) || !(isWhole || isFastest))
        strided.push_back(position);
    }
  }
  return LayoutAttr::get(host.getContext(), order, strided);
}

std::optional<SubFusionBuilder::BufferView> StreamOutliner::findView(Value value) {
  Value buffer = buffers.lookup(value), root = getViewed(buffer);
  if (root == buffer)
    return std::nullopt;
  SubFusionBuilder::BufferView view{getHostLayout(outlined.host, buffer), std::nullopt};
  if (!view.layout.getStrided().empty())
    view.alignment = getElementBytes(getElementTypeOrSelf(value.getType()));
  else if (auto argument = dyn_cast<BlockArgument>(root))
    view.alignment = subFusions.getStatedAlignment(
        fusion.getBody().front().getArgument(argument.getArgNumber()));
  return view;
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
  SmallVector<Value> stored;
  for (auto [output, destination] : llvm::zip_equal(sub.outputs, sub.destinations)) {
    stored.emplace_back();
    if (!destination)
      continue;
    std::optional<unsigned> argument = findDestination(output);
    stored.back() = argument ? outlined.host.getArgument(*argument) : allocate(output);
    operands.push_back(stored.back());
  }
  if (group.tile) {
    emitLoop(group, sub, part, std::move(operands));
  } else {
    SmallVector<Value> returned = inlineBody(part, operands);
    for (auto [buffer, result] : llvm::zip_equal(stored, returned))
      buffer = buffer ? buffer : result;
  }
  for (auto [output, buffer] : llvm::zip_equal(sub.outputs, stored)) {
    buffers.try_emplace(output.value, buffer);
    if (output.position)
      results[*output.position] = buffer;
  }
  freeAfter(group);
}

LogicalResult StreamOutliner::outline(const StreamGroup &group, unsigned number) {
  std::string name = (fusion.getSymName() + "_" + Twine(number)).str();
  FailureOr<SubFusion> sub = subFusions.build(group, name);
  if (failed(sub))
    return failure();
  symbols.insert(sub->fusion);
  // Loops in the iterations are outlined in the same way.
  FailureOr<OutlinedFusion> part = outlineFusion(sub->fusion, sub->hints, partition, symbols);
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

std::optional<unsigned> StreamOutliner::findDestination(const KernelOutput &output) {
  if (!output.position || !outputs[*output.position].alias)
    return std::nullopt;
  const unsigned argument = *outputs[*output.position].alias;
  if (!fusion.getBody().front().getArgument(argument).use_empty())
    return std::nullopt;
  return argument;
}

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

/// Arguments that the fusion reads are overwritten last, after all loops have read them: an
/// iteration may read elements that another one would overwrite.
void StreamOutliner::copyAliased() {
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (!output.alias || output.isInPlace())
      continue;
    Value source = results[index];
    if (source == outlined.host.getArgument(*output.alias))
      continue;
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

  buildExpectations(fusion, analysis, *extents, builder);
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

namespace {
/// The parts of a dimension that iterations of nested loops compute.
struct StreamParts {
  /// What has to divide the dimension.
  int64_t divisor = 1;
  /// The size of a part, once a split by sizes made it.
  std::optional<int64_t> size;

  /// False if parts of `size` cannot be split.
  bool enter(const StreamTile &tile) {
    if (size && *size % tile.factor != 0)
      return false;
    if (!size)
      divisor *= tile.factor;
    if (tile.inner)
      size = tile.factor;
    else if (size)
      *size /= tile.factor;
    return true;
  }
};
} // namespace

/// Adds facts to the fusion so that the streams of each op divide its dimensions: each stream the
/// part that an iteration of the loops around it computes.
static LogicalResult requireDivisibility(FusionOp fusion, const ExtentAnalysis &analysis) {
  llvm::SmallSetVector<Attribute, 8> facts;
  if (auto given = fusion.getFacts())
    facts.insert(given->begin(), given->end());
  auto require = [&](OpResult result, unsigned dim, int64_t factor) -> LogicalResult {
    AffineExpr extent = analysis.getExtent(result, dim);
    auto refuse = [&]() -> InFlightDiagnostic {
      return result.getOwner()->emitOpError("expected parts of a stream that are all of one size: ")
             << factor << " to divide dimension " << dim << " of result 0, but ";
    };
    if (!extent)
      return refuse() << "arguments do not determine its size";
    if (analysis.getKnownDivisor(extent) % factor == 0)
      return success();
    if (std::optional<int64_t> size = analysis.getConstant(extent)) {
      if (*size % factor == 0)
        return success();
      return refuse() << "got a size of " << *size;
    }
    auto symbol = dyn_cast<AffineSymbolExpr>(analysis.simplify(extent));
    if (!symbol || analysis.getSymbols()[symbol.getPosition()].dim < 0)
      return refuse() << "no fact says that it does";
    auto [arg, argDim] = analysis.getSymbols()[symbol.getPosition()];
    facts.insert(FactAttr::getDivisible(fusion.getContext(), arg, argDim, factor));
    return success();
  };
  for (Operation &op : fusion.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view || !view.hasDomains())
      continue;
    FailureOr<SmallVector<StreamLoop>> loops = getStreamLoops(view.getDomain());
    llvm::SmallMapVector<unsigned, StreamParts, 2> parts;
    for (const StreamLoop &loop : *loops) {
      const unsigned dim = loop.getResultDim(op.getResult(0));
      if (!parts[dim].enter(loop.tile))
        return op.emitOpError("expected parts of a stream that are all of one size: ")
               << loop.tile.factor << " to divide a part of dimension " << dim
               << " of result 0, but got a size of " << *parts[dim].size;
    }
    for (const auto &[dim, part] : parts)
      if (failed(require(op.getResult(0), dim, part.divisor)))
        return failure();
  }
  if (!facts.empty())
    fusion.setFactsAttr(ArrayAttr::get(fusion.getContext(), facts.getArrayRef()));
  return success();
}

FailureOr<OutlinedFusion> fuser::outlineOverStreams(FusionOp fusion, const SizeHints &hints,
                                                    PartitionFunction partition,
                                                    SymbolTable &symbols) {
  if (failed(checkStreams(fusion)))
    return failure();
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis) || failed(requireDivisibility(fusion, *analysis)))
    return failure();
  // With the facts added so far.
  analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis))
    return failure();
  FailureOr<ProgramOutputs> outputs = ProgramOutputs::create(fusion, *analysis);
  if (failed(outputs))
    return failure();
  return StreamOutliner(fusion, *analysis, hints, partition, symbols, std::move(*outputs))
      .run(groupByStreams(fusion));
}
