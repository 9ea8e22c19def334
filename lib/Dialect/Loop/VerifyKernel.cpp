//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What holds for the ops of a kernel in every stage. VerifyStages.cpp has what each stage promises.
//
//===----------------------------------------------------------------------===//

#include "VerifyScans.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/Iterations.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using fuser::MemoryType;
using fuser::ParallelType;
using namespace fuser::loop;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Symbols are arguments of the kernel, dimensions are not.
LogicalResult fuser::loop::verifyIndices(Operation *op, ValueRange indices, unsigned numDims,
                                         unsigned numSymbols) {
  if (indices.size() != numDims + numSymbols)
    return op->emitOpError("expected ")
           << numDims + numSymbols << " indices, but got " << indices.size();
  for (auto [position, value] : llvm::enumerate(indices)) {
    auto argument = dyn_cast<BlockArgument>(value);
    const bool isSymbol = argument && isa<KernelOp>(argument.getOwner()->getParentOp());
    if (isSymbol != (position >= numDims))
      return op->emitOpError("expected ")
             << (isSymbol ? "an argument of the kernel" : "a value that is no kernel argument")
             << " to be a " << (isSymbol ? "symbol" : "dimension") << " of expressions";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// An iteration of a loop that is run in turn has one thread.
static LogicalResult verifyInTurn(ForOp loop) {
  if (loop.getType() != ParallelType::Serial || !isa<KernelOp>(loop->getParentOp()))
    return loop.emitOpError("expected a serial loop outside of all others to be run in turn");
  Operation *together = nullptr;
  loop.getBody().walk([&](Operation *op) {
    auto inner = dyn_cast<ForOp>(op);
    auto tile = dyn_cast<TileOp>(op);
    if (isa<BarrierOp, ClusterBarrierOp, CombineOp, LastBlockOp>(op) ||
        (inner && (fuser::isThreadType(inner.getType()) || fuser::isBlockType(inner.getType()))) ||
        (tile && (tile.isConvergent() || !tile.getOnce().getTypes().empty())))
      together = op;
  });
  if (!together)
    return success();
  InFlightDiagnostic diagnostic =
      loop.emitOpError("expected nothing that several threads do together in a loop that is run in "
                       "turn");
  diagnostic.attachNote(together->getLoc()) << "this op is in the loop";
  return diagnostic;
}

LogicalResult ForOp::verify() {
  if (getExtent().getNumResults() != 1)
    return emitOpError("expected one extent, but got ") << getExtent().getNumResults();
  if (getBody().getNumArguments() != 1 || !getInductionVar().getType().isIndex())
    return emitOpError("expected one index as argument of the body");
  std::optional<int64_t> bound = getStaticBound();
  switch (getType()) {
  case ParallelType::Vectorize:
    if (std::optional<int64_t> extent = getConstantExtent();
        !extent || *extent < 1 || *extent > 16 || !llvm::isPowerOf2_64(*extent))
      return emitOpError("expected a vectorize extent of 1, 2, 4, 8 or 16");
    if (llvm::any_of(getBlock(),
                     [](Operation &op) { return !isa<TileOp, IfOp, IndexOp, WholeOp, XorOp>(op); }))
      return emitOpError("expected only tiles, their indices and branches in a vectorize loop");
    break;
  case ParallelType::Unroll:
  case ParallelType::ThreadX:
  case ParallelType::ThreadY:
  case ParallelType::ThreadZ:
  case ParallelType::ClusterX:
    if (!bound)
      return emitOpError("expected a constant extent or a bound of a loop on ")
             << stringifyParallelType(getType());
    break;
  case ParallelType::Mma:
    if (!getConstantExtent())
      return emitOpError("expected a constant extent of a loop on mma");
    break;
  case ParallelType::Serial:
  case ParallelType::BlockX:
  case ParallelType::BlockY:
  case ParallelType::BlockZ:
    break;
  default:
    return emitOpError("expected a serial, unroll, vectorize, mma, block, cluster or thread loop, "
                       "but got ")
           << stringifyParallelType(getType());
  }
  if (bound && *bound < 0)
    return emitOpError("expected an extent of at least 0, but got ") << *bound;
  if (getUnswitch() && getType() != ParallelType::Serial && getType() != ParallelType::Unroll)
    return emitOpError("expected 'unswitch' on a serial or unroll loop, but got ")
           << stringifyParallelType(getType());
  if (getInTurn() && failed(verifyInTurn(*this)))
    return failure();
  return verifyIndices(*this, getIndices(), getExtent().getNumDims(), getExtent().getNumSymbols());
}

LogicalResult IfOp::verify() {
  AffineMap bounds = getGuard().getBounds();
  if (getGuard().empty() && getOnce().getTypes().empty())
    return emitOpError("expected a constraint");
  return verifyIndices(*this, getIndices(), bounds.getNumDims(), bounds.getNumSymbols());
}

/// A workspace: its extents are known when the kernel is launched.
static LogicalResult verifyWorkspace(BufferOp buffer) {
  AffineMap extents = *buffer.getExtents();
  BufferType type = buffer.getType();
  if (!isa<KernelOp>(buffer->getParentOp()))
    return buffer.emitOpError("expected a buffer in global memory outside of all loops");
  if (extents.getNumDims() != 0)
    return buffer.emitOpError("expected extents over arguments of the kernel");
  if (failed(verifyIndices(buffer, buffer.getIndices(), 0, extents.getNumSymbols())))
    return failure();
  if (int64_t(extents.getNumResults()) != type.getRank())
    return buffer.emitOpError("expected ")
           << type.getRank() << " extents of " << type << ", but got " << extents.getNumResults();
  for (auto [extent, size] : llvm::zip_equal(extents.getResults(), type.getShape())) {
    auto constant = dyn_cast<AffineConstantExpr>(extent);
    if (constant ? constant.getValue() != size : !ShapedType::isDynamic(size))
      return buffer.emitOpError("expected a type with the extents that are constants, but got ")
             << type;
  }
  return success();
}

LogicalResult BufferOp::verify() {
  const MemoryType space = getType().getSpace();
  if (getExtents().has_value() != isWorkspace())
    return emitOpError("expected extents of a buffer in global memory, and of no other");
  if (getZeroed() && !isWorkspace())
    return emitOpError("expected 'zeroed' on a buffer in global memory only");
  if (getOffset() && space != MemoryType::Shared)
    return emitOpError("expected an offset of a buffer in shared memory only");
  if (getDistributed() && (space != MemoryType::Shared || getType().getRank() == 0))
    return emitOpError("expected a distributed buffer to be in shared memory, with the blocks of a "
                       "cluster as its first dimension");
  if (failed(verifyCircular(*this)))
    return failure();
  if (isWorkspace())
    return verifyWorkspace(*this);
  const int64_t offset = getOffset().value_or(0);
  if (offset < 0 || offset % kSharedAlignment != 0)
    return emitOpError("expected an offset that is a multiple of ")
           << kSharedAlignment << " bytes, but got " << offset;
  return success();
}

/// True if expressions over the value are constants in each copy of the code.
static bool isIndexOfCopy(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast<ForOp>(argument.getOwner()->getParentOp()) : ForOp();
  return loop && loop.isWrittenOut() && !fuser::isThreadType(loop.getType()) &&
         !fuser::isBlockType(loop.getType());
}

/// Arrivals are counted in memory that is 0 when the kernel begins.
LogicalResult fuser::loop::verifyCounter(Operation *op, Value counter) {
  auto buffer = counter.getDefiningOp<BufferOp>();
  if (!buffer || !buffer.getZeroed() || buffer.getType().getRank() != 1 ||
      !buffer.getType().getElementType().isInteger(32))
    return op->emitOpError("expected a zeroed workspace of i32 with one dimension as counter");
  return success();
}

template <typename Op> static LogicalResult verifyBarrier(Op op, StringRef group) {
  AffineMap bounds = op.getGuard().getBounds();
  if (failed(verifyIndices(op, op.getIndices(), bounds.getNumDims(), bounds.getNumSymbols())))
    return failure();
  if (!llvm::all_of(op.getIndices(), isIndexOfCopy))
    return op.emitOpError("expected a guard over the indices of loops that are written out, as all "
                          "threads of the ")
           << group << " execute the barrier";
  return success();
}

LogicalResult BarrierOp::verify() {
  if (failed(verifyBarrier(*this, "block")))
    return failure();
  return getCounter() ? verifyCounter(*this, getCounter()) : success();
}

LogicalResult ClusterBarrierOp::verify() { return verifyBarrier(*this, "cluster"); }

static LogicalResult verifyFlag(Operation *op, Value flag) {
  auto buffer = flag.getDefiningOp<BufferOp>();
  if (!buffer || !buffer.getType().isPrivate() || buffer.getType().getRank() != 0 ||
      !buffer.getType().getElementType().isInteger(1))
    return op->emitOpError("expected a buffer of one i1 in registers as flag");
  return success();
}

LogicalResult LastBlockOp::verify() {
  AffineMap arrival = getArrival();
  if (arrival.getNumResults() != 2)
    return emitOpError("expected a place and a number of blocks, but got ")
           << arrival.getNumResults() << " expressions";
  return success(succeeded(verifyIndices(*this, getIndices(), arrival.getNumDims(),
                                         arrival.getNumSymbols())) &&
                 succeeded(verifyFlag(*this, getFlag())) &&
                 succeeded(verifyCounter(*this, getCounter())));
}

LogicalResult IsLastOp::verify() {
  if (failed(verifyFlag(*this, getFlag())))
    return failure();
  LastBlockOp writer;
  for (Operation *user : getFlag().getUsers()) {
    if (isa<IsLastOp>(user))
      continue;
    auto lastBlock = dyn_cast<LastBlockOp>(user);
    if (!lastBlock || writer)
      return emitOpError("expected a flag that one last_block writes");
    writer = lastBlock;
  }
  if (!writer)
    return emitOpError("expected a flag that one last_block writes");
  if (getIterations(writer) == getIterations(*this))
    return success();
  InFlightDiagnostic diagnostic =
      emitOpError("expected the loops of the last_block around it, except for those on hardware");
  diagnostic.attachNote(writer.getLoc()) << "the last_block is here";
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The index of the access that is data at this position; null for others.
static IndexOp getDataIndex(TileOp tile, AccessAttr access, unsigned dim) {
  return access.getMap().isFunctionOfDim(dim) ? tile.getIndices()[dim].getDefiningOp<IndexOp>()
                                              : IndexOp();
}

static bool dependsOnData(TileOp tile, AccessAttr access) {
  return llvm::any_of(llvm::seq<unsigned>(0, tile.getNumDims()),
                      [&](unsigned dim) { return getDataIndex(tile, access, dim); });
}

/// True for memory in which tiles may combine elements: arguments of the kernel and shared memory.
static bool isCombinedIn(Value buffer) {
  const fuser::MemoryType space = cast<BufferType>(buffer.getType()).getSpace();
  return space == fuser::MemoryType::Shared ||
         (space == fuser::MemoryType::Global && isa<BlockArgument>(buffer));
}

/// An access over `numDims` dimensions and `numSymbols` symbols.
static LogicalResult verifyAccess(Operation *op, Value buffer, AccessAttr access, bool isRead,
                                  unsigned numDims, unsigned numSymbols) {
  auto type = cast<BufferType>(buffer.getType());
  if (!access.hasOffset() && access.getMap().getNumResults() != type.getRank())
    return op->emitOpError("expected ") << type.getRank() << " indices of " << type << ", but got "
                                        << access.getMap().getNumResults();
  const unsigned numOffsets = BufferOp::isDistributed(buffer) ? 2 : 1;
  if (access.hasOffset() && access.getMap().getNumResults() != numOffsets)
    return op->emitOpError("expected ")
           << (numOffsets == 2 ? "a block of the cluster and an offset" : "one offset") << " of "
           << type << ", but got " << access.getMap().getNumResults();
  if (access.getMap().getNumDims() != numDims || access.getMap().getNumSymbols() != numSymbols)
    return op->emitOpError("expected accesses over ")
           << numDims << " dimensions and " << numSymbols << " symbols, the operands of the op";
  auto tile = dyn_cast<TileOp>(op);
  const bool isOfInstruction = tile && tile.getInstruction();
  if (const int64_t width = TileOp::findWidth(op); access.getChunk() > width && !isOfInstruction)
    return op->emitOpError("expected a chunk of at most ")
           << width << " elements, the vectorize loop, but got " << access.getChunk();
  const bool readsRegisters = isRead && type.isPrivate();
  if ((access.getClamped() || access.getKept()) && !readsRegisters)
    return op->emitOpError("expected '")
           << (access.getClamped() ? "clamp" : "keep") << "' on a read of registers only";
  const bool isAtData = tile && isCombinedIn(buffer) && dependsOnData(tile, access);
  if (!isRead && !access.getGuard().empty() &&
      (!(access.hasOffset() || isAtData) || type.isPrivate()))
    return op->emitOpError("expected a guard on a read, or on a chunk that is stored to memory");
  const bool isOrdered = type.getSpace() == MemoryType::Global || BufferOp::isCircular(buffer);
  if (!access.getFollows().getTypes().empty() && (!isRead || !isOrdered))
    return op->emitOpError(
        "expected 'follows' on a read of global memory or of a circular buffer only");
  return success();
}

LogicalResult IndexOp::verify() {
  AffineMap map = getAccess().getMap();
  if (failed(verifyIndices(*this, getIndices(), map.getNumDims(), map.getNumSymbols())) ||
      failed(verifyAccess(*this, getBuffer(), getAccess(), /*isRead=*/true, map.getNumDims(),
                          map.getNumSymbols())))
    return failure();
  auto type = dyn_cast<IntegerType>(getBuffer().getType().getElementType());
  if (!type || type.getWidth() < 8 || type.getWidth() > 64)
    return emitOpError("expected integers of 8 to 64 bits, but got ")
           << getBuffer().getType().getElementType();
  if (!getAccess().getGuard().empty())
    return emitOpError("expected no guard of an index: its tile has one");
  // It is read in the branch of its tile.
  if (!use_empty() && !TileOp::findServed(*this))
    return emitOpError("expected one tile, in the same block, that uses the index");
  return success();
}

LogicalResult WholeOp::verify() {
  if (getExtent().getNumResults() != 1)
    return emitOpError("expected one extent, but got ") << getExtent().getNumResults();
  return verifyIndices(*this, getIndices(), getExtent().getNumDims(), getExtent().getNumSymbols());
}

LogicalResult XorOp::verify() {
  if (getTerms().getNumResults() != 2)
    return emitOpError("expected two indices, but got ") << getTerms().getNumResults();
  return verifyIndices(*this, getIndices(), getTerms().getNumDims(), getTerms().getNumSymbols());
}

LogicalResult HoldsOp::verify() {
  AffineMap bounds = getConstraints().getBounds();
  if (getConstraints().empty())
    return emitOpError("expected a constraint");
  return verifyIndices(*this, getIndices(), bounds.getNumDims(), bounds.getNumSymbols());
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// What a tile combines in memory, and how.
static LogicalResult verifyCombination(TileOp tile) {
  Attribute attribute = tile.getCombinationAttr();
  if (!attribute)
    return success();
  if (!isa<fuser::ScatterReduceAttr>(attribute) || tile.getCombine() == fuser::ScatterReduce::Mul)
    return tile.emitOpError("expected to combine by add, min or max, but got ") << attribute;
  if (tile.getStep() != TileStep::Element || tile.getElementOp() || tile.getOutputs().size() != 1 ||
      !isCombinedIn(tile.getOutputs().front()))
    return tile.emitOpError("expected a tile that moves an element to an argument of the kernel, "
                            "or to shared memory, to combine it there");
  return success();
}

/// Data may be any number: what is accessed at it has a guard that bounds it.
static LogicalResult verifyBounded(TileOp tile, AccessAttr access) {
  ConstraintsAttr guard = access.getGuard();
  for (unsigned dim = 0; dim < tile.getNumDims(); ++dim) {
    IndexOp index = getDataIndex(tile, access, dim);
    const AffineExpr leaf = getAffineDimExpr(dim, tile.getContext());
    auto bounds = [&](unsigned number) {
      return guard.getKinds()[number] == ConstraintKind::Less && guard.getLhs(number) == leaf;
    };
    if (!index || llvm::any_of(llvm::seq<unsigned>(0, guard.size()), bounds))
      continue;
    InFlightDiagnostic diagnostic =
        tile.emitOpError("expected a guard that bounds an index that is data");
    diagnostic.attachNote(index.getLoc()) << "the index is here";
    return diagnostic;
  }
  return success();
}

LogicalResult TileOp::verify() {
  if (getReads().size() != getInputs().size() || getWrites().size() != getOutputs().size())
    return emitOpError("expected one access for each of ")
           << getInputs().size() << " inputs and " << getOutputs().size() << " outputs";
  AffineMap roots = getRoots();
  if (failed(verifyIndices(*this, getIndices(), roots.getNumDims(), roots.getNumSymbols())))
    return failure();
  for (auto [input, attribute] : llvm::zip_equal(getInputs(), getReads())) {
    auto access = dyn_cast<AccessAttr>(attribute);
    if (isa<BufferType>(input.getType()) != bool(access))
      return emitOpError("expected an access of each buffer that is read, and of no scalar");
    if (access && (failed(verifyAccess(*this, input, access, /*isRead=*/true, roots.getNumDims(),
                                       roots.getNumSymbols())) ||
                   failed(verifyBounded(*this, access))))
      return failure();
  }
  for (auto [output, attribute] : llvm::zip_equal(getOutputs(), getWrites())) {
    auto access = dyn_cast<AccessAttr>(attribute);
    if (!access)
      return emitOpError("expected an access of each output, but got ") << attribute;
    if (failed(verifyAccess(*this, output, access, /*isRead=*/false, roots.getNumDims(),
                            roots.getNumSymbols())) ||
        failed(verifyBounded(*this, access)))
      return failure();
  }
  if (failed(verifyCombination(*this)))
    return failure();
  AffineMap bounds = getGuard().getBounds();
  if (bounds.getNumDims() != roots.getNumDims() || bounds.getNumSymbols() != roots.getNumSymbols())
    return emitOpError("expected a guard over the operands of the tile");
  const bool isShuffle = getStep() == TileStep::Shuffle || getStep() == TileStep::ShuffleUp;
  if (getDistance().has_value() != isShuffle)
    return emitOpError("expected a distance of a shuffle only");
  if (getDistance() &&
      (*getDistance() < 1 || *getDistance() > 16 || !llvm::isPowerOf2_64(*getDistance())))
    return emitOpError("expected a distance of 1, 2, 4, 8 or 16 threads, but got ")
           << *getDistance();
  const unsigned numCounts = isa_and_present<fuser::ScanOpInterface>(getElementOp()) ? 0 : 1;
  if (getStep() == TileStep::Finalize && roots.getNumResults() != numCounts)
    return emitOpError("expected ")
           << (numCounts ? "one count of reduced elements" : "no count of what is scanned")
           << ", but got " << roots.getNumResults();
  if (getStep() == TileStep::Take && roots.getNumResults() != 1)
    return emitOpError("expected the number of one thread to take a tuple from, but got ")
           << roots.getNumResults();
  if (getStep() == TileStep::Fold && !getVectorLoop())
    return emitOpError("expected a vectorize loop around a fold of its lanes");
  return getInstruction() && !isBulk() ? verifyMatrixInstruction(*this) : success();
}

/// P3: what loops replaced is gone.
static LogicalResult verifyUnscheduled(Operation *around, Operation *op) {
  for (StringRef name : {StringRef("domains"), StringRef("memory"), StringRef("inline_at"),
                         StringRef(fuser::kernel_ir::FuserGPUDialect::kIds)})
    if (Attribute attribute = op->getAttr(name))
      return around->emitOpError("expected an op without '")
             << name << "', which the loops state, but got " << attribute;
  return success();
}

static TupleKind getTupleKind(Operation *op) {
  if (isa_and_present<fuser::CombinerOpInterface>(op))
    return TupleKind::Reduction;
  return isa_and_present<fuser::ScanOpInterface>(op) ? TupleKind::Scan : TupleKind::None;
}

/// One op on the arguments of the region, whose results are yielded; without an op, the arguments.
/// `ofTuple`: what the op may be; any op, or none, if it is empty.
LogicalResult fuser::loop::verifyBody(Operation *around, Block &block,
                                      ArrayRef<TupleKind> ofTuple) {
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield || std::distance(block.begin(), block.end()) > 2)
    return around->emitOpError("expected a region with at most one op and a yield");
  Operation *op = &block.front() == yield ? nullptr : &block.front();
  if (op && op->getDialect()->getNamespace() != fuser::FuserDialect::getDialectNamespace())
    return around->emitOpError("expected an op of the fuser dialect, but got ") << op->getName();
  ValueRange arguments(block.getArguments());
  if (op ? op->getOperands() != arguments || yield.getValues() != op->getResults()
         : yield.getValues() != arguments)
    return around->emitOpError("expected the op to take all arguments, in order, and its results "
                               "to be yielded");
  if (!ofTuple.empty() && !llvm::is_contained(ofTuple, getTupleKind(op))) {
    const bool isScan = ofTuple.front() == TupleKind::Scan;
    InFlightDiagnostic diagnostic = around->emitOpError("expected a ")
                                    << (isScan ? "scan" : "reduction")
                                    << (ofTuple.size() > 1 ? " or a scan" : "");
    return op ? diagnostic << ", but got " << op->getName() : diagnostic;
  }
  return op ? verifyUnscheduled(around, op) : success();
}

static bool holds(Type buffer, Type value) {
  auto type = dyn_cast<BufferType>(buffer);
  auto tensor = dyn_cast<RankedTensorType>(value);
  return type ? tensor && type.getElementType() == tensor.getElementType() : buffer == value;
}

/// `what` ("input", "output") has the elements of values.
static LogicalResult verifyElements(Operation *op, StringRef what, TypeRange buffers,
                                    TypeRange values) {
  if (buffers.size() != values.size())
    return op->emitOpError("expected ")
           << values.size() << " " << what << "s, but got " << buffers.size();
  for (auto [buffer, value] : llvm::zip_equal(buffers, values))
    if (!holds(buffer, value))
      return op->emitOpError("expected an ")
             << what << " with elements of " << value << ", but got " << buffer;
  return success();
}

/// One buffer in registers for each component of a tuple of the op.
LogicalResult fuser::loop::verifyTuple(Operation *around, Operation *op, TypeRange buffers,
                                       bool inRegisters) {
  auto scan = dyn_cast<fuser::ScanOpInterface>(op);
  SmallVector<Type> components =
      scan ? scan.getCarriedTypes() : cast<fuser::CombinerOpInterface>(op).getAccumulatorTypes();
  if (buffers.size() != components.size())
    return around->emitOpError("expected a buffer for each of ")
           << components.size() << " accumulators, but got " << buffers.size();
  for (auto [type, component] : llvm::zip_equal(buffers, components)) {
    auto buffer = dyn_cast<BufferType>(type);
    if (!buffer || buffer.getElementType() != component || (inRegisters && !buffer.isPrivate()))
      return around->emitOpError("expected accumulators of ")
             << component << (inRegisters ? " in registers" : "") << ", but got " << type;
  }
  return success();
}

/// The index of each root id, then that of each dimension that is read whole.
static LogicalResult verifyWholeReads(TileOp tile) {
  auto mapping = cast<fuser::DomainMappingOpInterface>(tile.getElementOp());
  const unsigned numRoots = mapping.getRootKinds().size();
  unsigned expected = numRoots;
  for (unsigned input = 0, e = tile.getInputs().size(); input < e; ++input)
    if (tile.getRead(input))
      expected += llvm::count_if(mapping.getDimMaps(input), [](const fuser::DimMap &map) {
        return map.kind == fuser::DimMap::Kind::Whole;
      });
  ArrayRef<AffineExpr> indices = tile.getRoots().getResults();
  if (indices.size() != expected)
    return tile.emitOpError("expected ")
           << numRoots << " root indices and " << expected - numRoots
           << " indices of dimensions that are read whole, but got " << indices.size();
  for (AffineExpr index : indices.drop_front(numRoots)) {
    auto leaf = dyn_cast<AffineDimExpr>(index);
    if (!leaf || !tile.getIndices()[leaf.getPosition()].getDefiningOp<WholeOp>())
      return tile.emitOpError("expected a 'fuser_loop.whole' for each dimension that is read "
                              "whole, after the root indices");
  }
  return success();
}

/// The ops that have a step.
static SmallVector<TupleKind> getTupleKinds(TileStep step) {
  switch (step) {
  case TileStep::Element:
  case TileStep::Copy:
  case TileStep::Bulk:
  case TileStep::Store:
    return {};
  case TileStep::Initial:
  case TileStep::Accumulate:
  case TileStep::Merge:
  case TileStep::Finalize:
    return {TupleKind::Reduction, TupleKind::Scan};
  case TileStep::Fold:
  case TileStep::Shuffle:
    return {TupleKind::Reduction};
  case TileStep::Lift:
  case TileStep::Prepend:
  case TileStep::ShuffleUp:
  case TileStep::Take:
  case TileStep::Replace:
    return {TupleKind::Scan};
  }
  llvm_unreachable("unknown step");
}

LogicalResult TileOp::verifyRegions() {
  Block &block = getBody().front();
  const TileStep step = getStep();
  const bool isElement =
      step == TileStep::Element || step == TileStep::Copy || step == TileStep::Store;
  if (failed(verifyBody(*this, block, getTupleKinds(step))))
    return failure();
  if (isa_and_present<fuser::WholeReadOpInterface>(getElementOp()) &&
      failed(verifyWholeReads(*this)))
    return failure();
  if (step == TileStep::Element && getTupleKind(getElementOp()) != TupleKind::None)
    return emitOpError("expected a step of ") << getElementOp()->getName();
  if (step == TileStep::Bulk)
    return verifyBulkCopy(*this);
  TypeRange inputs = getInputs().getTypes(), outputs = getOutputs().getTypes();
  auto yield = cast<YieldOp>(block.back());
  if ((step == TileStep::Copy && failed(verifyCopy(*this))) ||
      (step == TileStep::Store && failed(verifyStore(*this))))
    return failure();
  if (isElement || step == TileStep::Accumulate || step == TileStep::Lift) {
    if (failed(verifyElements(*this, "input", inputs, block.getArgumentTypes())))
      return failure();
  } else if (step == TileStep::Initial || step == TileStep::Shuffle ||
             step == TileStep::ShuffleUp) {
    if (!inputs.empty())
      return emitOpError("expected no input of step ") << stringifyTileStep(step);
  } else if (failed(verifyTuple(*this, getElementOp(), inputs,
                                /*inRegisters=*/step == TileStep::Take))) {
    return failure();
  }
  if (isElement || step == TileStep::Finalize)
    return verifyElements(*this, "output", outputs, yield.getValues().getTypes());
  return verifyTuple(*this, getElementOp(), outputs,
                     /*inRegisters=*/true);
}

LogicalResult fuser::loop::verifyLanes(Operation *op, TypeRange accumulators, int64_t lanes) {
  auto hasLanes = [&](Type type) {
    ArrayRef<int64_t> shape = cast<BufferType>(type).getShape();
    return lanes == 1 || (!shape.empty() && shape.back() == lanes);
  };
  if (lanes < 1 || lanes > 16 || !llvm::isPowerOf2_64(lanes) ||
      !llvm::all_of(accumulators, hasLanes))
    return op->emitOpError("expected 1 lane, or the 2, 4, 8 or 16 of the last dimension of each "
                           "accumulator, but got ")
           << lanes;
  return success();
}

LogicalResult CombineOp::verify() {
  if (getOver().getTypes().empty())
    return emitOpError("expected thread or block types to combine over");
  return verifyLanes(*this, getAccumulators().getTypes(), getLanes());
}

LogicalResult CombineOp::verifyRegions() {
  if (failed(verifyBody(*this, getBody().front(), TupleKind::Reduction)))
    return failure();
  auto shape = cast<BufferType>(getAccumulators().front().getType()).getShape();
  for (Type type : getAccumulators().getTypes())
    if (cast<BufferType>(type).getShape() != shape)
      return emitOpError("expected accumulators of one shape");
  return verifyTuple(*this, getElementOp(), getAccumulators().getTypes(),
                     /*inRegisters=*/true);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static LogicalResult verifyBinding(KernelOp kernel, BlockArgument argument, unsigned numSymbols) {
  auto binding = dyn_cast<BindingAttr>(kernel.getBindings()[argument.getArgNumber()]);
  if (!binding)
    return kernel.emitOpError("expected a binding of argument ") << argument.getArgNumber();
  auto fail = [&](const Twine &message) {
    return kernel.emitOpError("expected argument ") << argument.getArgNumber() << message;
  };
  Attribute source = binding.getSource();
  auto buffer = dyn_cast<BufferType>(argument.getType());
  if (bool(buffer) != isa<fuser::kernel_ir::PointerAttr>(source))
    return fail(" to be a buffer if and only if it comes from a pointer");
  if (!isa<fuser::kernel_ir::PointerAttr, fuser::kernel_ir::SizeAttr, fuser::kernel_ir::StrideAttr,
           fuser::kernel_ir::ScalarAttr>(source))
    return fail(" to come from a pointer, size, stride or scalar");
  if (isa<fuser::kernel_ir::SizeAttr, fuser::kernel_ir::StrideAttr>(source) &&
      !argument.getType().isIndex())
    return fail(" to be an index, as it comes from a size or stride");
  if (!buffer)
    return success();
  if (buffer.getSpace() != MemoryType::Global)
    return fail(" to be in global memory");
  if (int64_t(binding.getStrides().getNumResults()) != buffer.getRank() ||
      binding.getStrides().getNumDims() != 0 || binding.getStrides().getNumSymbols() != numSymbols)
    return fail(" to have a stride for each dimension, over the index arguments");
  if (binding.getAlignment() < 1)
    return fail(" to have an alignment of at least 1 byte");
  return success();
}

static LogicalResult verifyLaunch(KernelOp kernel, unsigned numSymbols) {
  const bool isLaunched = kernel.getStage() >= Stage::Launched;
  if (isLaunched != bool(kernel.getThreads()) || isLaunched != bool(kernel.getGrid()))
    return kernel.emitOpError("expected threads and grid from stage launched on, and not before");
  if (kernel.getCluster() && (!isLaunched || *kernel.getCluster() < 2))
    return kernel.emitOpError(
               "expected a cluster of at least 2 blocks, from stage launched on, but "
               "got ")
           << *kernel.getCluster() << " in stage " << stringifyStage(kernel.getStage());
  if (!isLaunched)
    return success();
  ArrayRef<int64_t> threads = *kernel.getThreads();
  AffineMap grid = *kernel.getGrid();
  if (threads.size() != 3 || grid.getNumResults() != 3 || grid.getNumDims() != 0 ||
      grid.getNumSymbols() != numSymbols)
    return kernel.emitOpError("expected three numbers of threads and of blocks, over the index "
                              "arguments");
  if (llvm::any_of(threads, [](int64_t count) { return count < 1 || count > 1024; }) ||
      threads[0] * threads[1] * threads[2] > 1024 || threads[2] > 64)
    return kernel.emitOpError(
               "expected at most 1024 threads in a block (64 of them in z), but got ")
           << threads[0] << " x " << threads[1] << " x " << threads[2];
  return success();
}

LogicalResult KernelOp::verify() {
  if (getIndexBits() != 32 && getIndexBits() != 64)
    return emitOpError("expected an index of 32 or 64 bits, but got ") << getIndexBits();
  if (getBindings().size() != getBody().getNumArguments())
    return emitOpError("expected a binding for each of ")
           << getBody().getNumArguments() << " arguments, but got " << getBindings().size();
  const unsigned numSymbols = getSymbols().size();
  for (BlockArgument argument : getBlock().getArguments())
    if (failed(verifyBinding(*this, argument, numSymbols)))
      return failure();
  AffineMap assumed = getAssumptions().getBounds();
  if (assumed.getNumDims() != 0 || assumed.getNumSymbols() != numSymbols)
    return emitOpError("expected assumptions over the ") << numSymbols << " index arguments";
  return verifyLaunch(*this, numSymbols);
}
