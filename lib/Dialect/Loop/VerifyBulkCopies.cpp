//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What holds for bulk copies, the barriers whose phases they complete, and the waits for these.
//
//===----------------------------------------------------------------------===//

#include "StageVerifier.h"
#include "VerifyScans.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/Iterations.h"

using namespace mlir;
using fuser::MemoryType;
using namespace fuser::loop;

//===----------------------------------------------------------------------===//
// In any stage
//===----------------------------------------------------------------------===//

static bool isBarriers(Value buffer) {
  auto op = buffer.getDefiningOp<BufferOp>();
  return op && !op.getStages() && !op.getDistributed() &&
         op.getType().getSpace() == MemoryType::Shared && op.getType().getRank() == 1 &&
         op.getType().getElementType().isInteger(64);
}

FailureOr<InitPhasesOp> fuser::loop::findInit(Operation *op, Value barriers) {
  InitPhasesOp init;
  if (isBarriers(barriers))
    for (Operation *user : barriers.getUsers())
      if (auto each = dyn_cast<InitPhasesOp>(user))
        init = each;
  if (init)
    return init;
  return op->emitOpError("expected barriers that an init_phases initializes, but got ")
         << barriers.getType();
}

LogicalResult InitPhasesOp::verify() {
  if (!isBarriers(getBarriers()))
    return emitOpError("expected a buffer of i64 in shared memory with one dimension, but got ")
           << getBarriers().getType();
  if (int64_t(getArrivals()) < 1)
    return emitOpError("expected at least 1 arrival, but got ") << int64_t(getArrivals());
  for (Operation *user : getBarriers().getUsers()) {
    auto tile = dyn_cast<TileOp>(user);
    if (user == *this || isa<WaitPhaseOp, AcquireOp, ReleaseOp>(user) ||
        (tile && tile.getStep() == TileStep::Bulk))
      continue;
    InFlightDiagnostic diagnostic =
        emitOpError("expected only bulk copies and waits for phases to use barriers");
    diagnostic.attachNote(user->getLoc()) << "another use is here";
    return diagnostic;
  }
  return success();
}

/// A circular buffer by bulk that has the stages of the barriers.
static LogicalResult verifyRing(Operation *op, Value buffer, Value barriers) {
  if (!BufferOp::isBulk(buffer))
    return op->emitOpError("expected circular buffers by bulk, but got ") << buffer.getType();
  const int64_t stages = *buffer.getDefiningOp<BufferOp>().getStages();
  if (cast<BufferType>(barriers.getType()).getShape().front() == stages)
    return success();
  return op->emitOpError("expected a barrier for each of ")
         << stages << " stages of " << buffer.getType() << ", but got " << barriers.getType();
}

static LogicalResult verifyRings(Operation *op, OperandRange buffers, Value barriers) {
  if (buffers.empty())
    return op->emitOpError("expected the circular buffers whose copies are waited for");
  if (failed(findInit(op, barriers)))
    return failure();
  for (Value buffer : buffers)
    if (failed(verifyRing(op, buffer, barriers)))
      return failure();
  return success();
}

/// What an op says about a stage of circular buffers: its place, and the phase of its barrier.
template <typename Op>
static LogicalResult verifyUse(Op op, unsigned numResults, const char *what) {
  const AffineMap use = op.getUse();
  if (use.getNumResults() != numResults)
    return op.emitOpError("expected ")
           << what << ", but got " << use.getNumResults() << " expressions";
  if (failed(verifyIndices(op, op.getIndices(), use.getNumDims(), use.getNumSymbols())))
    return failure();
  return verifyRings(op, op.getBuffers(), op.getBarriers());
}

LogicalResult WaitPhaseOp::verify() { return verifyUse(*this, 2, "a place and a phase"); }
LogicalResult AcquireOp::verify() { return verifyUse(*this, 2, "a place and a phase"); }
LogicalResult ReleaseOp::verify() { return verifyUse(*this, 1, "a place"); }

/// The elements of a constant count are in a stage, and have a multiple of 16 bytes.
static LogicalResult verifyCount(TileOp tile, AffineExpr count) {
  auto constant = dyn_cast<AffineConstantExpr>(count);
  if (!constant)
    return success();
  auto buffer = tile.getOutputs().front().getDefiningOp<BufferOp>();
  const int64_t most = buffer.getNumElements() / int64_t(*buffer.getStages());
  if (constant.getValue() < 1 || constant.getValue() > most)
    return tile.emitOpError("expected a count of 1 to ")
           << most << ", the elements of a stage, but got " << constant.getValue();
  if (constant.getValue() * buffer.getElementBytes() % fuser::kernel_ir::CopyBulkOp::kGranule != 0)
    return tile.emitOpError("expected a count with a multiple of ")
           << fuser::kernel_ir::CopyBulkOp::kGranule << " bytes, but got " << constant.getValue()
           << " elements of " << buffer.getElementBytes();
  return success();
}

/// The buffer, or a stage of it, has the box, whose coordinates are the indices of the argument.
static LogicalResult verifyBox(TileOp tile, BlockArgument argument, AccessAttr access,
                               Value memory) {
  auto map = dyn_cast_or_null<fuser::kernel_ir::TensorMapType>(tile.getTensorMap());
  if (!map)
    return tile.emitOpError("expected a tensor map and its binding for a bulk copy, but got ")
           << *tile.getInstruction();
  auto binding = cast<fuser::kernel_ir::TensorMapAttr>(cast<ArrayAttr>(*tile.getInstruction())[1]);
  auto kernel = tile->getParentOfType<KernelOp>();
  auto pointer = dyn_cast<fuser::kernel_ir::PointerAttr>(
      kernel.getBinding(argument.getArgNumber()).getSource());
  auto type = cast<BufferType>(argument.getType());
  if (!pointer || pointer.getOperand() != binding.getOperand() ||
      map.getElementType() != type.getElementType() ||
      int64_t(map.getBox().size()) != type.getRank() ||
      int64_t(binding.getDims().size()) != type.getRank())
    return tile.emitOpError("expected a tensor map of ")
           << type << ", the argument that is "
           << (tile.getStep() == TileStep::Store ? "stored" : "read") << ", but got "
           << *tile.getInstruction();
  auto buffer = memory.getDefiningOp<BufferOp>();
  const int64_t most =
      buffer.getNumElements() / (buffer.getStages() ? int64_t(*buffer.getStages()) : 1);
  if (const int64_t elements = llvm::product_of(map.getBox()); elements > most)
    return tile.emitOpError("expected a box of at most ")
           << most << " elements, those of " << (buffer.getStages() ? "a stage" : "the buffer")
           << ", but got " << elements;
  if (buffer.getOffset() && *buffer.getOffset() % map.getBoxAlignment() != 0)
    return tile.emitOpError("expected a buffer at a multiple of ")
           << map.getBoxAlignment() << " bytes for boxes of " << map << ", but got "
           << int64_t(*buffer.getOffset());
  AffineMap place = access.getMap(), coordinates = tile.getRoots();
  if (!tile.getRead(0).getGuard().empty())
    return tile.emitOpError("expected a box without a guard: what is outside becomes 0");
  bool agrees = coordinates.getNumResults() == binding.getDims().size();
  if (agrees && !access.hasOffset())
    for (auto [dim, coordinate] : llvm::zip_equal(binding.getDims(), coordinates.getResults()))
      agrees &= place.getResult(dim) == coordinate;
  if (!agrees)
    return tile.emitOpError("expected the indices of the argument as the coordinates of the box");
  return success();
}

LogicalResult fuser::loop::verifyStore(TileOp tile) {
  if (tile.getElementOp() || tile.getInputs().size() != 1 || tile.getOutputs().size() != 1)
    return tile.emitOpError("expected a store of an element, without an op");
  auto argument = dyn_cast<BlockArgument>(tile.getOutputs().front());
  if (!argument)
    return tile.emitOpError("expected a store to an argument of the kernel");
  auto source = tile.getInputs().front().getDefiningOp<BufferOp>();
  if (!source || source.getType().getSpace() != MemoryType::Shared || source.getDistributed())
    return tile.emitOpError("expected a store from a buffer in shared memory that is not "
                            "distributed, but got ")
           << tile.getInputs().front().getType();
  const int64_t rank = cast<BufferType>(argument.getType()).getRank();
  if (!tile.getInstruction() && tile.getRoots().getNumResults() != rank)
    return tile.emitOpError("expected the ")
           << rank << " sizes of the argument (within [...]), but got "
           << tile.getRoots().getNumResults();
  if (!tile.getInstruction())
    return success();
  if (tile.getVectorLoop())
    return tile.emitOpError("expected no vectorize loop around a bulk copy");
  return verifyBox(tile, argument, tile.getWrite(0), source);
}

LogicalResult fuser::loop::verifyBulkCopy(TileOp tile) {
  if (tile.getElementOp() || tile.getInputs().size() != 1 || tile.getOutputs().size() != 2)
    return tile.emitOpError("expected a bulk copy of elements to a circular buffer and a barrier");
  auto source = dyn_cast<BlockArgument>(tile.getInputs().front());
  if (!source || !isa<BufferType>(source.getType()))
    return tile.emitOpError("expected a copy from an argument of the kernel");
  const Value target = tile.getOutputs().front(), barriers = tile.getOutputs().back();
  if (failed(findInit(tile, barriers)) || failed(verifyRing(tile, target, barriers)))
    return failure();
  if (cast<BufferType>(source.getType()).getElementType() !=
      cast<BufferType>(target.getType()).getElementType())
    return tile.emitOpError("expected elements of one type, but got ")
           << source.getType() << " and " << target.getType();
  if (tile.getVectorLoop())
    return tile.emitOpError("expected no vectorize loop around a bulk copy");
  if (tile.getInstruction())
    return verifyBox(tile, source, tile.getRead(0), target);
  if (tile.getRoots().getNumResults() == 0)
    return tile.emitOpError("expected the count of elements to copy");
  for (AffineExpr count : tile.getRoots().getResults())
    if (failed(verifyCount(tile, count)))
      return failure();
  AffineMap stage = tile.getWrite(0).getMap(), place = tile.getWrite(1).getMap();
  if (!tile.getWrite(0).hasOffset() && stage.getResult(0) != place.getResult(0))
    return tile.emitOpError("expected the barrier of the stage that is filled");
  return success();
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

AffineExpr fuser::loop::getUseNumber(Operation *op, OperandRange indices, unsigned numDims) {
  MLIRContext *context = op->getContext();
  auto getLeaf = [&](Value value) -> AffineExpr {
    const unsigned position = llvm::find(indices, value) - indices.begin();
    if (position >= indices.size())
      return {};
    return position < numDims ? getAffineDimExpr(position, context)
                              : getAffineSymbolExpr(position - numDims, context);
  };
  AffineExpr use = getAffineConstantExpr(0, context);
  SmallVector<ForOp> loops = getIterations(op);
  for (ForOp loop : llvm::reverse(loops)) {
    AffineExpr extent = getAffineConstantExpr(1, context);
    if (loop != loops.back()) {
      SmallVector<AffineExpr> dims, symbols;
      for (auto [position, value] : llvm::enumerate(loop.getIndices())) {
        AffineExpr leaf = getLeaf(value);
        if (!leaf)
          return {};
        (position < loop.getExtent().getNumDims() ? dims : symbols).push_back(leaf);
      }
      extent = loop.getExtentExpr().replaceDimsAndSymbols(dims, symbols);
    }
    AffineExpr variable = getLeaf(loop.getInductionVar());
    if (!variable)
      return {};
    use = use * extent + variable;
  }
  return use;
}

LogicalResult StageVerifier::verify(WaitPhaseOp wait) {
  if (failed(verifyPipelined(wait, stage)) || failed(verifyConverged(wait)) ||
      failed(verifyRead(wait, wait.getBarriers())))
    return failure();
  const int64_t stages = cast<BufferType>(wait.getBarriers().getType()).getShape().front();
  const AffineExpr use = getUseNumber(wait, wait.getIndices(), wait.getUse().getNumDims());
  if (!use || wait.getPlace() != use % stages)
    return wait.emitOpError("expected the barrier of the iteration, its number mod ") << stages;
  if (wait.getPhase() != use.floorDiv(stages))
    return wait.emitOpError("expected the phase of the iteration, its number floordiv ") << stages;
  for (Value buffer : wait.getBuffers()) {
    if (!committed.contains(buffer)) {
      InFlightDiagnostic diagnostic =
          wait.emitOpError("expected a bulk copy to each buffer before it is waited for");
      diagnostic.attachNote(buffer.getLoc()) << "the buffer is here";
      return diagnostic;
    }
    written.insert(buffer);
    pending.insert(buffer);
    released.erase(buffer);
  }
  return success();
}

/// The op that begins each use of a stage where the copies are: its wait, or that of a producer.
static Operation *findUse(WaitPhaseOp wait) {
  for (Operation *user : wait.getBuffers().front().getUsers())
    if (isa<AcquireOp>(user))
      return user;
  return wait;
}

/// The threads of the consumers arrive where they release stages.
static LogicalResult verifyReleases(InitPhasesOp init, KernelOp kernel) {
  int64_t arrivals = 0;
  for (Operation *user : init.getBarriers().getUsers())
    if (isa<ReleaseOp>(user) && kernel.getThreads())
      arrivals += ShapedType::getNumElements(*kernel.getThreads());
  if (arrivals == int64_t(init.getArrivals()))
    return success();
  return init.emitOpError("expected ")
         << arrivals << " arrivals, the threads of the consumers, but got "
         << int64_t(init.getArrivals());
}

/// The tiles that arrive at a phase: those in one iteration of the loop around the wait.
LogicalResult StageVerifier::verifyArrivals(InitPhasesOp init) {
  // From stage guarded on, a loop may have two versions.
  if (stage >= Stage::Guarded)
    return success();
  WaitPhaseOp wait;
  bool isReleased = false;
  for (Operation *user : init.getBarriers().getUsers()) {
    if (auto each = dyn_cast<WaitPhaseOp>(user))
      wait = each;
    isReleased |= isa<ReleaseOp, AcquireOp>(user);
  }
  if (isReleased && !wait)
    return verifyReleases(init, kernel);
  if (!wait || isReleased)
    return init.emitOpError("expected a wait for the phases of barriers");
  SmallVector<ForOp> loops = getIterations(findUse(wait));
  int64_t arrivals = 0;
  for (Operation *user : init.getBarriers().getUsers()) {
    auto tile = dyn_cast<TileOp>(user);
    if (!tile || loops.empty() || !loops.front()->isProperAncestor(tile))
      continue;
    int64_t count = 1;
    for (ForOp loop : getIterations(tile)) {
      if (loop == loops.front())
        break;
      count *= loop.getConstantExtent().value_or(0);
    }
    arrivals += count;
  }
  if (arrivals == int64_t(init.getArrivals()))
    return success();
  return init.emitOpError("expected ")
         << arrivals << " arrivals, the bulk copies of an iteration, but got "
         << int64_t(init.getArrivals());
}

LogicalResult StageVerifier::verify(InitPhasesOp init) {
  if (failed(verifyPipelined(init, stage)))
    return failure();
  if (!getIterations(init).empty())
    return init.emitOpError("expected only hardware loops around the init of barriers");
  written.insert(init.getBarriers());
  pending.insert(init.getBarriers());
  return RolesOp::find(kernel) ? success() : verifyArrivals(init);
}

LogicalResult StageVerifier::verifyBulkCopy(TileOp tile) {
  if (failed(verifyPipelined(tile, stage)))
    return failure();
  if (!written.contains(tile.getOutputs().back()))
    return tile.emitOpError("expected barriers that are initialized before");
  if (RolesOp::find(kernel)) {
    if (!RolesOp::isProducer(tile))
      return tile.emitOpError("expected the producers to begin bulk copies");
    if (!acquired.contains(tile.getOutputs().front()))
      return tile.emitOpError("expected an acquire of the stage before a bulk copy to it");
  }
  return failed(verifyOnce(tile)) ? failure() : verifyCopyTo(tile, tile.getOutputs().front());
}

LogicalResult StageVerifier::verifyOnce(TileOp tile) {
  for (fuser::ParallelType type :
       {fuser::ParallelType::ThreadX, fuser::ParallelType::ThreadY, fuser::ParallelType::ThreadZ})
    if (stage < Stage::Guarded && kernel.isSplit(type) &&
        !llvm::is_contained(tile.getOnce().getTypes(), type))
      return tile.emitOpError("expected one thread to begin a bulk copy (once [")
             << fuser::stringifyParallelType(type) << "])";
  return success();
}

/// A store reads what its fence shows it, until its thread has waited.
LogicalResult StageVerifier::verifyStore(TileOp tile) {
  if (!tile.getInstruction() && stage >= Stage::Pipelined)
    return tile.emitOpError("expected a store of a box from stage pipelined on, with 'using'");
  if (!tile.getInstruction())
    return success();
  if (failed(verifyPipelined(tile, stage)) || failed(verifyOnce(tile)))
    return failure();
  if (RolesOp::isProducer(tile))
    return tile.emitOpError("expected the consumers to store what they have computed");
  const Value buffer = tile.getInputs().front();
  if (stage >= Stage::Synchronized && unfenced.contains(buffer)) {
    InFlightDiagnostic diagnostic = tile.emitOpError(
        "expected a 'fuser_loop.fence_async' and a barrier between the write of a buffer in shared "
        "memory and a bulk copy from it");
    diagnostic.attachNote(buffer.getLoc()) << "the buffer is here";
    return diagnostic;
  }
  stored.insert(buffer);
  return success();
}

LogicalResult StageVerifier::verify(WaitStoresOp wait) {
  if (stage < Stage::Synchronized)
    return wait.emitOpError("expected waits for bulk copies from stage synchronized on, but got ")
           << stringifyStage(stage);
  stored.clear();
  return success();
}

/// A write to a buffer follows the wait for what is copied from it, and so does the end.
LogicalResult StageVerifier::verifyStored(Operation *op, Value buffer) {
  if (stage < Stage::Synchronized || !stored.contains(buffer))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError(
      "expected a 'fuser_loop.wait_stores' after the bulk copies from a buffer in shared memory");
  diagnostic.attachNote(buffer.getLoc()) << "the buffer is here";
  return diagnostic;
}
