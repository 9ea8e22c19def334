//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builders, queries and effects of the ops of the loop dialect.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/Iterations.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using fuser::MemoryType;
using fuser::ParallelType;
using namespace fuser::loop;

#define GET_OP_CLASSES
#include "fuser/Dialect/Loop/LoopOps.cpp.inc"

void FuserLoopDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/Loop/LoopOps.cpp.inc"
      >();
}

/// Threads of a warp.
static constexpr int64_t kWarpSize = 32;

bool KernelOp::isUniform(Value index, bool inWarp) {
  auto argument = dyn_cast<BlockArgument>(index);
  if (!argument)
    return false;
  auto loop = dyn_cast<ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return argument.getOwner() == &getBlock();
  switch (loop.getType()) {
  case ParallelType::BlockX:
  case ParallelType::BlockY:
  case ParallelType::BlockZ:
  case ParallelType::ClusterX:
    return true;
  case ParallelType::ThreadY:
  case ParallelType::ThreadZ:
    // Warps are runs of 32 threads, along thread_x first.
    return inWarp && getThreads() && (*getThreads())[0] % kWarpSize == 0;
  default:
    return false;
  }
}

SmallVector<Value> KernelOp::getSymbols() {
  SmallVector<Value> symbols;
  for (BlockArgument argument : getBlock().getArguments())
    if (argument.getType().isIndex())
      symbols.push_back(argument);
  return symbols;
}

bool KernelOp::isSplit(ParallelType type) {
  if (type == ParallelType::ClusterX)
    return getClusterBlocks() > 1;
  if (fuser::isThreadType(type))
    return (*getThreads())[unsigned(type) - unsigned(ParallelType::ThreadX)] > 1;
  return getGrid()->getResult(unsigned(type) - unsigned(ParallelType::BlockX)) !=
         getAffineConstantExpr(1, getContext());
}

/// True if the launch has several indices of one of the types that the read does not follow.
static bool readsOthers(KernelOp kernel, ParallelTypesAttr follows, ArrayRef<ParallelType> types) {
  return llvm::any_of(types, [&](ParallelType type) {
    return kernel.isSplit(type) && !llvm::is_contained(follows.getTypes(), type);
  });
}

static constexpr ParallelType kThreadTypes[] = {ParallelType::ThreadX, ParallelType::ThreadY,
                                                ParallelType::ThreadZ};

bool KernelOp::readsOtherThreads(AccessAttr read) {
  return readsOthers(*this, read.getFollows(), kThreadTypes);
}

bool KernelOp::sharesCopies(Value buffer) {
  // One thread fills what all of them read.
  if (BufferOp::isBulk(buffer))
    return llvm::any_of(kThreadTypes, [&](ParallelType type) { return isSplit(type); });
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    if (auto index = dyn_cast<IndexOp>(user))
      return readsOtherThreads(index.getAccess());
    auto tile = dyn_cast<TileOp>(user);
    return tile && llvm::any_of(llvm::enumerate(tile.getInputs()), [&](auto input) {
             return input.value() == buffer && readsOtherThreads(tile.getRead(input.index()));
           });
  });
}

bool KernelOp::publishesForOthers(PublishOp publish) {
  return readsOthers(*this, publish.getFollows(), kThreadTypes);
}

bool KernelOp::readsOtherBlocks(AccessAttr read) {
  return readsOthers(
      *this, read.getFollows(),
      {ParallelType::BlockX, ParallelType::BlockY, ParallelType::BlockZ, ParallelType::ClusterX});
}

//===----------------------------------------------------------------------===//
// ForOp, IfOp
//===----------------------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, ValueRange indices, AffineMap extent,
                  ParallelType type, std::optional<int64_t> bound) {
  state.addOperands(indices);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.extent = AffineMapAttr::get(extent);
  properties.parallel = ParallelTypeAttr::get(builder.getContext(), type);
  if (bound)
    properties.bound = builder.getI64IntegerAttr(*bound);
  state.addRegion()->emplaceBlock().addArgument(builder.getIndexType(), state.location);
}

std::optional<int64_t> ForOp::getConstantExtent() {
  auto constant = dyn_cast<AffineConstantExpr>(getExtentExpr());
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

std::optional<int64_t> ForOp::getStaticBound() {
  if (std::optional<int64_t> constant = getConstantExtent())
    return constant;
  return getBound() ? std::optional<int64_t>(*getBound()) : std::nullopt;
}

bool ForOp::isWrittenOut() {
  return getType() != ParallelType::Serial || (getConstantExtent() == 1 && !getInTurn());
}

SmallVector<ForOp> fuser::loop::getIterations(Operation *op) {
  SmallVector<ForOp> loops;
  for (auto loop = op->getParentOfType<ForOp>(); loop; loop = loop->getParentOfType<ForOp>())
    if (!fuser::isThreadType(loop.getType()) && !fuser::isBlockType(loop.getType()))
      loops.push_back(loop);
  return loops;
}

void IfOp::build(OpBuilder &builder, OperationState &state, ValueRange indices,
                 ConstraintsAttr guard, ParallelTypesAttr once) {
  state.addOperands(indices);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.guard = guard;
  properties.once = once;
  state.addRegion()->emplaceBlock();
  state.addRegion();
}

//===----------------------------------------------------------------------===//
// BufferOp
//===----------------------------------------------------------------------===//

int64_t BufferOp::getNumElements() {
  // The shape is verified after the ops that ask.
  const int64_t blocks = getDistributed() && getType().getRank() > 0 ? getType().getShape()[0] : 1;
  return getType().getNumElements() / std::max<int64_t>(blocks, 1);
}

bool BufferOp::isDistributed(Value buffer) {
  auto op = buffer.getDefiningOp<BufferOp>();
  return op && op.getDistributed();
}

bool BufferOp::isCircular(Value buffer) {
  auto op = buffer.getDefiningOp<BufferOp>();
  return op && op.getStages();
}

bool BufferOp::isBulk(Value buffer) {
  auto op = buffer.getDefiningOp<BufferOp>();
  return op && op.getBulk();
}

void BufferOp::build(OpBuilder &builder, OperationState &state, BufferType type, bool distributed) {
  state.addTypes(type);
  if (distributed)
    state.getOrAddProperties<Properties>().distributed = builder.getUnitAttr();
}

void BufferOp::build(OpBuilder &builder, OperationState &state, BufferType type, ValueRange indices,
                     AffineMap extents, bool zeroed) {
  state.addTypes(type);
  state.addOperands(indices);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.extents = AffineMapAttr::get(extents);
  if (zeroed)
    properties.zeroed = builder.getUnitAttr();
}

int64_t BufferOp::getElementBytes() {
  const Type stored = fuser::ElementBuilder::getRegisterType(getType().getElementType());
  return llvm::divideCeil(stored.getIntOrFloatBitWidth(), 8);
}

int64_t BufferOp::getNumBytes() { return getNumElements() * getElementBytes(); }

bool BufferOp::overlaps(BufferOp other) {
  const int64_t begin = *getOffset(), otherBegin = *other.getOffset();
  return begin < otherBegin + other.getNumBytes() && otherBegin < begin + getNumBytes();
}

//===----------------------------------------------------------------------===//
// TileOp
//===----------------------------------------------------------------------===//

Operation *TileOp::getElementOp() {
  Operation &first = getBody().front().front();
  return isa<YieldOp>(first) ? nullptr : &first;
}

ForOp TileOp::findVectorLoop(Operation *op) {
  for (auto loop = op->getParentOfType<ForOp>(); loop; loop = loop->getParentOfType<ForOp>())
    if (loop.getType() == ParallelType::Vectorize)
      return loop;
  return {};
}

int64_t TileOp::findWidth(Operation *op) {
  ForOp loop = findVectorLoop(op);
  return loop ? *loop.getConstantExtent() : 1;
}

TileOp TileOp::findServed(Operation *indexOp) {
  TileOp served;
  for (Operation *user : indexOp->getUsers()) {
    auto tile = dyn_cast<TileOp>(user);
    if (isa<IndexOp, XorOp>(user))
      tile = findServed(user);
    if (!tile || (served && tile != served) || tile->getBlock() != indexOp->getBlock())
      return {};
    served = tile;
  }
  return served;
}

Value TileOp::getWhole(unsigned input, unsigned dim) {
  auto mapping = cast<fuser::DomainMappingOpInterface>(getElementOp());
  unsigned number = mapping.getRootKinds().size();
  auto isWhole = [](const fuser::DimMap &map) { return map.kind == fuser::DimMap::Kind::Whole; };
  for (unsigned each = 0; each < input; ++each)
    if (getRead(each))
      number += llvm::count_if(mapping.getDimMaps(each), isWhole);
  number += llvm::count_if(ArrayRef(mapping.getDimMaps(input)).take_front(dim), isWhole);
  auto leaf = dyn_cast<AffineDimExpr>(getRoots().getResult(number));
  return leaf ? getIndices()[leaf.getPosition()] : Value();
}

Type TileOp::getTensorMap() {
  auto instruction = dyn_cast_or_null<ArrayAttr>(getInstructionAttr());
  if (!isBulk() || !instruction || instruction.size() != 2 ||
      !isa<fuser::kernel_ir::TensorMapAttr>(instruction[1]))
    return {};
  auto type = dyn_cast<TypeAttr>(instruction[0]);
  return type ? dyn_cast<fuser::kernel_ir::TensorMapType>(type.getValue()) : Type();
}

bool TileOp::touchesMemory() {
  auto isMemory = [](Type type) {
    auto buffer = dyn_cast<BufferType>(type);
    return buffer && !buffer.isPrivate();
  };
  return llvm::any_of(getInputs().getTypes(), isMemory) ||
         llvm::any_of(getOutputs().getTypes(), isMemory);
}

std::optional<fuser::ScatterReduce> TileOp::getCombine() {
  if (auto combination = dyn_cast_or_null<fuser::ScatterReduceAttr>(getCombinationAttr()))
    return combination.getValue();
  return std::nullopt;
}

bool TileOp::updatesOutputs() {
  if (getCombinationAttr())
    return true;
  switch (getStep()) {
  case TileStep::Accumulate:
  case TileStep::Shuffle:
  case TileStep::Merge:
  case TileStep::Prepend:
  case TileStep::ShuffleUp:
  // Where the guard does not hold, the tuple stays.
  case TileStep::Replace:
    return true;
  default:
    return false;
  }
}

int64_t TileOp::getGroupSize() {
  return std::min((*(*this)->getParentOfType<KernelOp>().getThreads())[0], kWarpSize);
}

void TileOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<BufferType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input);
  for (OpOperand &output : getOutputsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &output);
  if (updatesOutputs())
    for (OpOperand &output : getOutputsMutable())
      effects.emplace_back(MemoryEffects::Read::get(), &output);
}

//===----------------------------------------------------------------------===//
// CombineOp
//===----------------------------------------------------------------------===//

void CombineOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &accumulator : getAccumulatorsMutable()) {
    effects.emplace_back(MemoryEffects::Read::get(), &accumulator);
    effects.emplace_back(MemoryEffects::Write::get(), &accumulator);
  }
}

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

void ScanOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &totals : getTotalsMutable()) {
    effects.emplace_back(MemoryEffects::Read::get(), &totals);
    effects.emplace_back(MemoryEffects::Write::get(), &totals);
  }
  for (OpOperand &before : getBeforeMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &before);
}
