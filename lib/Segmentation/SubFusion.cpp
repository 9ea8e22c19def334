//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Extracts ops of a fusion, with the types, layouts and facts of one iteration.
//
//===----------------------------------------------------------------------===//

#include "SubFusion.h"
#include "ScheduleQuery.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace fuser;

/// The alignment of a part whose accesses may be as wide as those of the whole, in bytes.
static constexpr int64_t kPartAlignment = 16;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

SubFusionBuilder::Key SubFusionBuilder::getKey(const StreamGroup &group, OpOperand &operand) const {
  auto loop = group.loops.find(operand.getOwner());
  if (loop == group.loops.end())
    return {operand.get(), -1};
  std::optional<unsigned> dim = loop->second.getOperandDim(operand);
  return {operand.get(), dim ? int64_t(*dim) : -1};
}

/// Scalars are recomputed at their uses, from arguments; but sizes of tensors are those of the
/// whole fusion, and are passed as arguments.
LogicalResult SubFusionBuilder::addScalar(Value scalar) {
  Operation *op = scalar.getDefiningOp();
  if (!op) {
    inputs.insert({scalar, -1});
    return success();
  }
  if (scalarOps.contains(op))
    return success();
  bool isSize = llvm::any_of(op->getOperands(), isTensor);
  if (isSize && (!scalar.getType().isIndex() || !analysis.getScalar(scalar)))
    return op->emitOpError("expected sizes that arguments determine in a program over streams");
  if (isSize) {
    inputs.insert({scalar, -1});
    return success();
  }
  for (Value operand : op->getOperands())
    if (failed(addScalar(operand)))
      return failure();
  scalarOps.insert(op);
  return success();
}

LogicalResult SubFusionBuilder::collectInputs(const StreamGroup &group) {
  llvm::SmallPtrSet<Operation *, 16> own(group.ops.begin(), group.ops.end());
  inputs.clear();
  scalarOps.clear();
  for (Operation *op : group.ops)
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get())) {
        if (failed(addScalar(operand.get())))
          return failure();
      } else if (!own.contains(operand.get().getDefiningOp())) {
        inputs.insert(getKey(group, operand));
      }
    }
  return success();
}

Type SubFusionBuilder::getType(const StreamGroup &group, const Key &key) const {
  if (key.dim < 0)
    return key.value.getType();
  return group.tile->getSlice(cast<RankedTensorType>(key.value.getType()), key.dim);
}

SmallVector<AffineExpr> SubFusionBuilder::getExtents(const StreamGroup &group,
                                                     const Key &key) const {
  if (!isTensor(key.value))
    return {};
  SmallVector<AffineExpr> extents = analysis.getExtents(key.value);
  if (key.dim >= 0)
    extents[key.dim] = analysis.simplify(group.tile->getSize(extents[key.dim]));
  return extents;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The layout of a part: dimensions slower than the cut one have strides that span all of it.
LayoutAttr SubFusionBuilder::getLayout(ArrayRef<int64_t> order, int64_t rank, int64_t dim) {
  SmallVector<int64_t> dims(order);
  if (dims.empty())
    dims = getRowMajorOrder(rank);
  SmallVector<int64_t> strided;
  if (dim >= 0)
    strided = llvm::to_vector(llvm::seq<int64_t>(0, llvm::find(dims, dim) - dims.begin()));
  return LayoutAttr::get(fusion.getContext(), dims, strided);
}

LayoutAttr SubFusionBuilder::getLayout(const Key &key) {
  int64_t rank = cast<RankedTensorType>(key.value.getType()).getRank();
  BlockArgument argument = getArgument(key.value);
  std::optional<BufferView> view = argument ? std::nullopt : findView(key.value);
  if (!argument && !view)
    return getLayout(kernels.getOrder(key.value), rank, key.dim);
  LayoutAttr whole = argument ? fusion.getArgLayout(argument.getArgNumber()) : view->layout;
  LayoutAttr part = getLayout(whole.getOrder(), rank, key.dim);
  SmallVector<int64_t> strided;
  for (int64_t position = 0; position < rank; ++position)
    if (!whole.isContiguousAt(position) || !part.isContiguousAt(position))
      strided.push_back(position);
  return LayoutAttr::get(fusion.getContext(), whole.getOrder(), strided);
}

/// False if not all parts begin at an address aligned for vector accesses, as far as sizes are
/// known or expected.
bool SubFusionBuilder::mayBeAligned(LayoutAttr layout, const Key &key,
                                    ArrayRef<AffineExpr> extents) const {
  int64_t bytes = getElementBytes(getElementTypeOrSelf(key.value.getType()));
  for (int64_t dim : llvm::reverse(layout.getOrder())) {
    std::optional<int64_t> size = hints.evaluate(extents[dim], analysis);
    // Unknown sizes are assumed to be divisible, and calls are checked.
    if (!size)
      return true;
    bytes *= *size;
    if (dim == key.dim)
      break;
  }
  return bytes % kPartAlignment == 0;
}

BlockArgument SubFusionBuilder::getArgument(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument;
  // The buffer of a value is that of its first position.
  std::optional<unsigned> first;
  for (OpOperand &use : value.getUses())
    if (isa<ReturnOp>(use.getOwner()))
      first = std::min(first.value_or(use.getOperandNumber()), use.getOperandNumber());
  std::optional<unsigned> argument =
      first ? findDestination({value, first, std::nullopt}) : std::nullopt;
  return argument ? fusion.getBody().front().getArgument(*argument) : BlockArgument();
}

std::optional<int64_t> SubFusionBuilder::getStatedAlignment(Value value) {
  BlockArgument argument = getArgument(value);
  if (!argument) {
    std::optional<BufferView> view = isTensor(value) ? findView(value) : std::nullopt;
    return view ? view->alignment : std::nullopt;
  }
  return analysis.getStatedAlignment(argument.getArgNumber());
}

/// Facts of the fusion about sizes and pointers, stated for the arguments of the part.
void SubFusionBuilder::addFacts(SubFusion &sub, ArrayRef<Key> arguments,
                                ArrayRef<SmallVector<AffineExpr>> extents) {
  MLIRContext *context = fusion.getContext();
  llvm::SetVector<Attribute> facts;
  llvm::MapVector<AffineExpr, std::pair<unsigned, unsigned>> first;
  for (auto [number, key] : llvm::enumerate(arguments)) {
    for (auto [dim, extent] : llvm::enumerate(extents[number])) {
      if (!extent ||
          !cast<RankedTensorType>(sub.fusion.getArgumentTypes()[number]).isDynamicDim(dim))
        continue;
      auto [it, isNew] = first.insert({extent, {unsigned(number), unsigned(dim)}});
      if (!isNew) {
        facts.insert(FactAttr::getEqual(context, it->second.first, it->second.second, number, dim));
        continue;
      }
      if (int64_t divisor = analysis.getKnownDivisor(extent); divisor > 1)
        facts.insert(FactAttr::getDivisible(context, number, dim, divisor));
      if (int64_t least = analysis.getLowerBound(extent); least > 0)
        facts.insert(FactAttr::getAtLeast(context, number, dim, least));
      if (std::optional<int64_t> most = analysis.getUpperBound(extent))
        facts.insert(FactAttr::getAtMost(context, number, dim, *most));
    }
    BlockArgument argument = getArgument(key.value);
    std::optional<int64_t> stated = getStatedAlignment(key.value);
    // The known or expected alignment of parts: without a fact they are assumed to be aligned.
    const bool isUnaligned =
        key.dim >= 0 && (stated.value_or(kPartAlignment) < kPartAlignment ||
                         !mayBeAligned(sub.fusion.getArgLayout(number), key, extents[number]));
    if (isUnaligned)
      facts.insert(FactAttr::getAligned(
          context, number, getElementBytes(getElementTypeOrSelf(key.value.getType()))));
    if (key.dim < 0 && stated)
      facts.insert(FactAttr::getAligned(context, number, *stated));
    if (!argument || !isTensor(argument))
      continue;
    // A part is not larger than the whole.
    if (auto most = analysis.getElementsAtMost(argument.getArgNumber()))
      facts.insert(FactAttr::getElementsAtMost(context, number, *most));
  }
  if (!facts.empty())
    sub.fusion.setFactsAttr(ArrayAttr::get(context, facts.getArrayRef()));
}

void SubFusionBuilder::addArgumentAttributes(const StreamGroup &group, SubFusion &sub,
                                             ArrayRef<Key> arguments) {
  SmallVector<SmallVector<AffineExpr>> extents;
  SmallVector<Attribute> aliases;
  for (auto [number, key] : llvm::enumerate(arguments)) {
    extents.push_back(getExtents(group, key));
    for (auto [dim, extent] : llvm::enumerate(extents.back()))
      if (std::optional<int64_t> size = hints.evaluate(extent, analysis))
        sub.hints.setSize(number, dim, *size);
    if (isTensor(key.value) && number < sub.inputs.size())
      sub.fusion.setArgLayout(number, getLayout(key));
  }
  for (auto [number, output] : llvm::enumerate(sub.outputs)) {
    SmallVector<int64_t> order = kernels.getOrder(output);
    std::optional<unsigned> destination = sub.destinations[number];
    if (!destination) {
      if (output.position && !order.empty())
        sub.fusion.setOutputStrideOrder(number, ArrayRef(order));
      continue;
    }
    const Key &key = arguments[*destination];
    int64_t rank = cast<RankedTensorType>(output.value.getType()).getRank();
    sub.fusion.setArgLayout(*destination, isa<BlockArgument>(key.value)
                                              ? getLayout(key)
                                              : getLayout(order, rank, key.dim));
    aliases.push_back(AliasAttr::get(fusion.getContext(), number, *destination));
  }
  if (!aliases.empty())
    sub.fusion.setAliasesAttr(ArrayAttr::get(fusion.getContext(), aliases));
  addFacts(sub, arguments, extents);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The domain of a result in one iteration: the loops inside of the iteration, the splits that lead
/// to them, and the rest of the allocation. Without devices, of which there is one.
DomainAttr SubFusionBuilder::getPartDomain(const StreamGroup &group, OpResult result,
                                           TensorViewOpInterface part) {
  DomainAttr domain =
      cast<TensorViewOpInterface>(result.getOwner()).getDomain(result.getResultNumber());
  const bool isPart = group.loops.contains(result.getOwner());
  DomainAttr trivial = part.getTrivialDomain(result.getResultNumber());
  DomainBuilder builder(trivial);
  SmallVector<unsigned> streams;
  // The inner output of the last split of each dimension, which the next one splits.
  llvm::SmallDenseMap<unsigned, unsigned> rest;
  FailureOr<SmallVector<StreamLoop>> loops = getStreamLoops(domain);
  for (const StreamLoop &loop : llvm::drop_begin(*loops, isPart ? 1 : 0)) {
    unsigned &id = rest.try_emplace(loop.root, trivial.getLogical()[loop.root]).first->second;
    // A stream over a whole dimension has no id of its own in allocations, unless it is split.
    if (llvm::is_contained(domain.getLogical(), loop.id)) {
      streams.push_back(id);
      continue;
    }
    auto [outer, inner] = builder.split(id, loop.tile.factor, loop.tile.inner);
    streams.push_back(outer);
    id = inner;
  }
  SmallVector<unsigned> ids(streams);
  SmallVector<ParallelType> types(streams.size(), ParallelType::Stream);
  for (unsigned id : builder.getLoop())
    if (!llvm::is_contained(streams, id)) {
      ids.push_back(id);
      types.push_back(ParallelType::Serial);
    }
  builder.setLoop(ids, types);
  SmallVector<unsigned> dims = trivial.getResultIds();
  SmallVector<AllocatedDim> order =
      llvm::map_to_vector(LayoutInfo(fusion).getOrder(result).order,
                          [&](int64_t dim) { return AllocatedDim{dims[dim], true}; });
  const unsigned allocated = getNumAllocatedStreams(domain);
  return replayAllocation(builder.build(), order, allocated - (isPart && allocated > 0));
}

/// Gives the clone the types and domains of the part.
void SubFusionBuilder::finishClone(const StreamGroup &group, Operation *op, Operation *clone) {
  auto loop = group.loops.find(op);
  if (loop != group.loops.end())
    for (auto [old, result] : llvm::zip_equal(op->getResults(), clone->getResults()))
      result.setType(group.tile->getSlice(cast<RankedTensorType>(old.getType()),
                                          loop->second.getResultDim(old)));
  auto view = dyn_cast<TensorViewOpInterface>(op);
  if (!view || !view.hasDomains() || !isUnscheduled(view))
    return;
  bool isDistributed = llvm::any_of(llvm::seq<unsigned>(0, op->getNumResults()), [&](unsigned k) {
    return llvm::any_of(view.getDomain(k).getParallel(),
                        [](ParallelType type) { return fuser::isDistributed(type); });
  });
  if (!isDistributed)
    return;
  auto part = cast<TensorViewOpInterface>(clone);
  clone->removeAttr("domains");
  for (OpResult result : op->getResults())
    if (DomainAttr domain = getPartDomain(group, result, part); !domain.isTrivial())
      part.setDomain(domain, result.getResultNumber());
}

/// The verifier's diagnostic for an op, if any.
static std::optional<std::string> getVerificationError(Operation *op) {
  std::string reason;
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &diagnostic) {
    if (reason.empty())
      reason = diagnostic.str();
    return success();
  });
  if (succeeded(mlir::verify(op, /*verifyRecursively=*/false)))
    return std::nullopt;
  return reason;
}

LogicalResult SubFusionBuilder::cloneOps(const StreamGroup &group, SubFusion &sub) {
  Block &body = sub.fusion.getBody().front();
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  llvm::DenseMap<Value, Value> mapping;
  auto lookUp = [&](OpOperand &operand) {
    if (Value value = mapping.lookup(operand.get()))
      return value;
    Key key = isTensor(operand.get()) ? getKey(group, operand) : Key{operand.get(), -1};
    return Value(body.getArgument(llvm::find(inputs, key) - inputs.begin()));
  };
  SmallVector<Operation *> all(group.ops);
  llvm::append_range(all, scalarOps);
  llvm::sort(all, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : all) {
    Operation *clone = builder.clone(*op);
    for (OpOperand &operand : op->getOpOperands())
      clone->setOperand(operand.getOperandNumber(), lookUp(operand));
    finishClone(group, op, clone);
    for (auto [from, to] : llvm::zip_equal(op->getResults(), clone->getResults()))
      mapping[from] = to;
    // An op that states sizes itself does not match the part.
    if (!group.loops.contains(op))
      continue;
    if (std::optional<std::string> reason = getVerificationError(clone))
      return op->emitOpError("expected an op that computes a part of its result, but got: ")
             << *reason;
  }
  ReturnOp::create(builder, fusion.getBody().front().getTerminator()->getLoc(),
                   llvm::map_to_vector(sub.outputs, [&](const KernelOutput &output) {
                     return mapping.lookup(output.value);
                   }));
  return success();
}

/// The results that are read outside of the group, and those whose buffer is outside of its loop.
SmallVector<KernelOutput> SubFusionBuilder::collectOutputs(const StreamGroup &group) const {
  SmallVector<KernelOutput> outputs = getOutputs(group.ops);
  if (!group.tile)
    return outputs;
  llvm::SmallPtrSet<Value, 8> known;
  for (const KernelOutput &output : outputs)
    known.insert(output.value);
  for (Operation *op : group.ops)
    for (OpResult result : op->getResults())
      if (!known.contains(result) &&
          getNumAllocatedStreams(
              cast<TensorViewOpInterface>(op).getDomain(result.getResultNumber())) == 0)
        outputs.push_back({result, std::nullopt, std::nullopt});
  return outputs;
}

FailureOr<SubFusion> SubFusionBuilder::build(const StreamGroup &group, StringRef name) {
  SubFusion sub;
  sub.outputs = collectOutputs(group);
  if (failed(collectInputs(group)))
    return failure();
  SmallVector<Key> arguments(inputs.begin(), inputs.end());
  for (const Key &key : arguments)
    sub.inputs.push_back(
        {key.value, key.dim < 0 ? std::nullopt : std::optional<unsigned>(key.dim)});
  SmallVector<Type> results;
  for (const KernelOutput &output : sub.outputs) {
    Key key{output.value, -1};
    if (group.tile) {
      auto result = cast<OpResult>(output.value);
      key.dim = group.loops.find(result.getOwner())->second.getResultDim(result);
    }
    std::optional<unsigned> argument = findDestination(output);
    sub.destinations.emplace_back();
    if (group.tile || argument) {
      sub.destinations.back() = arguments.size();
      arguments.push_back(argument ? Key{fusion.getBody().front().getArgument(*argument), key.dim}
                                   : key);
    }
    results.push_back(getType(group, key));
  }
  OpBuilder builder(fusion.getContext());
  sub.fusion = FusionOp::create(
      builder, fusion.getLoc(), name,
      builder.getFunctionType(
          llvm::map_to_vector(arguments, [&](const Key &key) { return getType(group, key); }),
          results));
  sub.fusion->setDiscardableAttrs(fusion->getDiscardableAttrDictionary());
  addArgumentAttributes(group, sub, arguments);
  if (failed(cloneOps(group, sub))) {
    sub.fusion.erase();
    return failure();
  }
  return sub;
}
