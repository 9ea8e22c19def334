//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-expand-loops: kernel IR of loops, branches and tiles. No decision is left.
//
//===----------------------------------------------------------------------===//

#include "ApproximateMath.h"
#include "BoundedMath.h"
#include "ConstantDivision.h"
#include "EarlyLoads.h"
#include "ExpandCopies.h"
#include "ExpandDivisions.h"
#include "ExpandMatrices.h"
#include "ExpandRareValues.h"
#include "GuardedLoads.h"
#include "KnownComparisons.h"
#include "ScaledSums.h"
#include "SelectedLoads.h"
#include "ShortBuffers.h"
#include "ShortMath.h"
#include "SoftmaxBuffers.h"
#include "Stages.h"
#include "UnswitchLoops.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fuser {
#define GEN_PASS_DEF_FUSEREXPANDLOOPS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
/// Collects the f32 math that a builder creates.
struct MathCollector : OpBuilder::Listener {
  explicit MathCollector(ShortMathOps &math) : math(math) {}
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (isF32Math(op))
      math.ops.push_back(op);
  }
  ShortMathOps &math;
};

class LoopExpander {
public:
  LoopExpander(loop::KernelOp kernel, gpu::GPUFuncOp function)
      : kernel(kernel), expanded(kernel, function), buffers(kernel, expanded),
        reads(expanded, buffers), copies(kernel, expanded, buffers, reads),
        matrices(expanded, buffers, reads), shortBuffers(kernel), softmaxBuffers(kernel),
        builder(expanded.getBuilder()), index(expanded.getIndex()), loc(kernel.getLoc()) {}
  void run(int64_t multiprocessors);
  /// The f32 math of tiles whose results only reach memory as floats of at most 16 bits.
  const ShortMathOps &getShortMath() const { return shortMath; }

private:
  /// The location of what is built from now on.
  void setLoc(Location newLoc);
  void expand(Block &block);
  void expand(loop::ForOp loop);
  void expand(loop::IfOp branch);
  void expand(loop::TileOp tile);
  void expand(loop::RolesOp roles);
  void expand(loop::BarrierOp barrier);
  void expand(loop::ClusterBarrierOp barrier);
  void expand(loop::LastBlockOp lastBlock);
  void expand(loop::IsLastOp isLast);
  void expand(loop::HoldsOp holds);
  void expand(loop::OrderBlocksOp order);
  void expand(loop::PublishOp publish);
  void expand(loop::AwaitOp await);
  void expandScalar(Operation &op);

  /// The components of the tuple that a tile updates, or reads.
  SmallVector<Value> readTuple(loop::TileOp tile, bool isOutput);
  SmallVector<Value> readOperands(loop::TileOp tile);
  SmallVector<Value> buildTuple(loop::TileOp tile);
  SmallVector<Value> buildScan(loop::TileOp tile, ScanOpInterface op);
  SmallVector<Value> shuffle(loop::TileOp tile, ValueRange tuple, Value offset,
                             kernel_ir::ShuffleMode mode);
  SmallVector<Value> select(Value condition, ValueRange yes, ValueRange no);
  Value isInFront(loop::TileOp tile, ScanOpInterface op, int64_t distance);
  SmallVector<Value> shuffleUp(loop::TileOp tile, ScanOpInterface op);
  SmallVector<Value> take(loop::TileOp tile, ScanOpInterface op);
  SmallVector<Value> splatAll(ArrayRef<Value> scalars, int64_t width);
  SmallVector<Value> foldLanes(CombinerOpInterface op, ArrayRef<Value> tuple);
  void write(loop::TileOp tile, unsigned output, Value value);
  Value getRootIndex(loop::TileOp tile, unsigned root);
  Value buildElement(loop::TileOp tile);

  loop::KernelOp kernel;
  ExpandedKernel expanded;
  ExpandedBuffers buffers;
  ExpandedReads reads;
  CopyExpander copies;
  ExpandedMatrices matrices;
  const ShortBuffers shortBuffers;
  const SoftmaxBuffers softmaxBuffers;
  ShortMathOps shortMath;
  /// Tiles whose math is counted.
  llvm::SmallPtrSet<Operation *, 16> counted;
  OpBuilder &builder;
  IndexBuilder &index;
  Location loc;
  /// What each `last_block` has told.
  llvm::DenseMap<Value, Value> flags;
};
} // namespace

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

void LoopExpander::run(int64_t multiprocessors) {
  expand(kernel.getBlock());
  gpu::ReturnOp::create(builder, loc);
  expanded.finish(multiprocessors);
}

void LoopExpander::setLoc(Location newLoc) {
  loc = newLoc;
  expanded.setLoc(newLoc);
  buffers.setLoc(newLoc);
}

void LoopExpander::expand(Block &block) {
  for (Operation &op : block) {
    setLoc(op.getLoc());
    llvm::TypeSwitch<Operation *>(&op)
        .Case<loop::ForOp, loop::IfOp, loop::TileOp, loop::BarrierOp, loop::ClusterBarrierOp,
              loop::LastBlockOp, loop::IsLastOp, loop::HoldsOp, loop::OrderBlocksOp,
              loop::PublishOp, loop::AwaitOp, loop::RolesOp>([&](auto each) { expand(each); })
        .Case<loop::CommitCopiesOp, loop::WaitCopiesOp, loop::InitPhasesOp, loop::WaitPhaseOp,
              loop::AcquireOp, loop::ReleaseOp, loop::WaitStoresOp>([&](auto each) {
          matrices.forget();
          copies.expand(each);
        })
        .Case<loop::CommitProductsOp, loop::WaitProductsOp, loop::FenceAsyncOp>(
            [&](auto each) { matrices.expand(each); })
        .Case<loop::IndexOp, loop::XorOp>([&](auto each) { reads.addIndex(each); })
        .Case([&](loop::BufferOp buffer) { buffers.start(buffer); })
        // Its tile sets the index.
        .Case([&](loop::WholeOp) {})
        .Default([&](Operation *) { expandScalar(op); });
  }
}

/// Arithmetic on scalars of the kernel.
void LoopExpander::expandScalar(Operation &op) {
  IRMapping mapping;
  for (Value operand : op.getOperands())
    mapping.map(operand, expanded.lookup(operand));
  Operation *clone = builder.clone(op, mapping);
  for (auto [result, value] : llvm::zip_equal(op.getResults(), clone->getResults()))
    expanded.map(result, value);
}

void LoopExpander::expand(loop::ForOp loop) {
  const Value variable = loop.getInductionVar();
  const ParallelType type = loop.getType();
  if (isThreadType(type) || isBlockType(type)) {
    expanded.map(variable, expanded.getHardwareIndex(type));
    return expand(loop.getBlock());
  }
  if (loop.isWrittenOut()) {
    // Tiles process all lanes of a vector at once.
    const int64_t copies = type == ParallelType::Vectorize ? 1 : *loop.getStaticBound();
    for (int64_t copy = 0; copy < copies; ++copy) {
      expanded.map(variable, index.constant(copy));
      expand(loop.getBlock());
    }
    return;
  }
  Value extent =
      expanded.evaluate(loop.getExtentExpr(), loop.getIndices(), loop.getExtent().getNumDims());
  auto [first, step] =
      loop.getInTurn() ? expanded.getThread() : std::pair(index.constant(0), index.constant(1));
  auto forOp = scf::ForOp::create(builder, loc, first, extent, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(forOp.getBody()->getTerminator());
  IndexBuilder::Scope scope(index, forOp);
  expanded.map(variable, forOp.getInductionVar());
  matrices.forget();
  expand(loop.getBlock());
  matrices.forget();
}

void LoopExpander::expand(loop::IfOp branch) {
  std::optional<Value> guard = expanded.evaluate(branch.getGuard(), branch.getIndices());
  Block *otherwise = branch.getElseBlock();
  if (!guard)
    return otherwise ? expand(*otherwise) : void();
  Value predicate = *guard;
  for (ParallelType type : branch.getOnce().getTypes())
    predicate =
        index.both(predicate, index.equal(expanded.getHardwareIndex(type), index.constant(0)));
  if (!predicate)
    return expand(branch.getBlock());
  auto ifOp = scf::IfOp::create(builder, loc, predicate, /*withElseRegion=*/otherwise != nullptr);
  OpBuilder::InsertionGuard insertion(builder);
  auto expandVersion = [&](Block &version, Block *into) {
    builder.setInsertionPoint(into->getTerminator());
    // Indices of versions are computed in them: before the branch, all of them would be live.
    IndexBuilder::Scope scope(index, otherwise ? nullptr : ifOp.getOperation());
    matrices.forget();
    expand(version);
    matrices.forget();
  };
  expandVersion(branch.getBlock(), ifOp.thenBlock());
  if (otherwise)
    expandVersion(*otherwise, ifOp.elseBlock());
}

/// The number of the barrier at which the consumers wait for each other.
static constexpr int64_t kConsumerBarrier = 1;

/// In place of what the launch gives to all threads.
static void setRegisters(OpBuilder &builder, Location loc, int64_t atLaunch,
                         std::optional<int64_t> registers) {
  if (registers && *registers != atLaunch)
    kernel_ir::SetMaxRegistersOp::create(builder, loc, /*increases=*/*registers > atLaunch,
                                         *registers);
}

/// The producers have the further indices along the slowest type of threads.
void LoopExpander::expand(loop::RolesOp roles) {
  const ParallelType type = loop::RolesOp::getSlowestType(kernel);
  Value own = expanded.getHardwareIndex(type);
  Value first =
      index.constant((*kernel.getThreads())[unsigned(type) - unsigned(ParallelType::ThreadX)]);
  Value isProducer = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, own, first);
  auto branch = scf::IfOp::create(builder, loc, isProducer, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard insertion(builder);
  const int64_t atLaunch = kernel_ir::SetMaxRegistersOp::getAtLaunch(
      ShapedType::getNumElements(*kernel.getThreads()) + int64_t(roles.getThreads()));
  auto expandRole = [&](Block &role, Block *into, std::optional<int64_t> registers) {
    builder.setInsertionPoint(into->getTerminator());
    IndexBuilder::Scope scope(index);
    setRegisters(builder, loc, atLaunch, registers);
    matrices.forget();
    expand(role);
    matrices.forget();
  };
  {
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    IndexBuilder::Scope scope(index);
    expanded.setHardwareIndex(type, index.define(arith::SubIOp::create(builder, loc, own, first)));
    expandRole(roles.getProducerBlock(), branch.thenBlock(), roles.getProducerRegisters());
    expanded.setHardwareIndex(type, own);
  }
  expandRole(roles.getConsumerBlock(), branch.elseBlock(), roles.getConsumerRegisters());
}

void LoopExpander::expand(loop::BarrierOp barrier) {
  if (!expanded.evaluate(barrier.getGuard(), barrier.getIndices()))
    return;
  matrices.forget();
  if (barrier.getCounter())
    expanded.synchronizeGrid(barrier.getCounter());
  else if (barrier.getRole())
    kernel_ir::RoleBarrierOp::create(builder, loc, kConsumerBarrier,
                                     ShapedType::getNumElements(*kernel.getThreads()));
  else
    gpu::BarrierOp::create(builder, loc);
}

void LoopExpander::expand(loop::LastBlockOp lastBlock) {
  auto evaluate = [&](AffineExpr expr) {
    return expanded.evaluate(expr, lastBlock.getIndices(), lastBlock.getArrival().getNumDims());
  };
  Value place = evaluate(lastBlock.getPlace());
  Value participants = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                                  evaluate(lastBlock.getParticipants()));
  flags[lastBlock.getFlag()] = kernel_ir::LastBlockOp::create(
      builder, loc, builder.getI1Type(), expanded.getMemory(lastBlock.getCounter()),
      ValueRange{place}, participants);
}

void LoopExpander::expand(loop::IsLastOp isLast) {
  Value value = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                             flags.lookup(isLast.getFlag()));
  index.define(value);
  expanded.map(isLast, value);
}

void LoopExpander::expand(loop::HoldsOp holds) {
  std::optional<Value> condition = expanded.evaluate(holds.getConstraints(), holds.getIndices());
  Value value = index.constant(condition ? 1 : 0);
  if (condition && *condition)
    value = index.define(
        arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), *condition));
  expanded.map(holds, value);
}

void LoopExpander::expand(loop::ClusterBarrierOp barrier) {
  if (!expanded.evaluate(barrier.getGuard(), barrier.getIndices()))
    return;
  matrices.forget();
  if (barrier.arrives())
    kernel_ir::ClusterArriveOp::create(builder, loc);
  if (barrier.waits())
    kernel_ir::ClusterWaitOp::create(builder, loc);
}

/// The first thread draws the number of the block.
void LoopExpander::expand(loop::OrderBlocksOp order) {
  Value slot = buffers.getMemory(order.getSlot()), zero = index.constant(0);
  const SmallVector<Value> counts =
      llvm::map_to_vector(order.getCounts().getResults(), [&](AffineExpr count) {
        return expanded.evaluate(count, order.getIndices(), /*numDims=*/0);
      });
  Value blocks = index.constant(1);
  for (Value count : counts)
    blocks = index.mul(blocks, count);
  runOnFirstThread(kernel, expanded, [&] {
    Value participants = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), blocks);
    Value ticket = kernel_ir::TicketOp::create(builder, loc, builder.getI32Type(),
                                               expanded.getMemory(order.getCounter()),
                                               ValueRange{zero}, participants);
    memref::StoreOp::create(builder, loc, ticket, slot, ValueRange{zero});
  });
  gpu::BarrierOp::create(builder, loc);
  Value ticket = memref::LoadOp::create(builder, loc, slot, ValueRange{zero});
  Value number = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), ticket);
  index.define(number);
  constexpr ParallelType types[] = {ParallelType::BlockX, ParallelType::BlockY,
                                    ParallelType::BlockZ};
  for (auto [type, count] : llvm::zip_equal(types, counts)) {
    if (!kernel.isSplit(type))
      continue;
    expanded.setHardwareIndex(type, index.rem(number, count));
    number = index.div(number, count);
  }
}

/// More tickets than any counter gets.
static constexpr int64_t kManyTickets = int64_t(1) << 30;

void LoopExpander::expand(loop::PublishOp publish) {
  Value place = expanded.evaluate(publish.getPlace().getResult(0), publish.getIndices(),
                                  publish.getPlace().getNumDims());
  Value many = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(kManyTickets));
  kernel_ir::TicketOp::create(builder, loc, builder.getI32Type(),
                              expanded.getMemory(publish.getFlags()), ValueRange{place}, many);
}

void LoopExpander::expand(loop::AwaitOp await) {
  Value place = expanded.evaluate(await.getPlace().getResult(0), await.getIndices(),
                                  await.getPlace().getNumDims());
  kernel_ir::AwaitOp::create(builder, loc, expanded.getMemory(await.getFlags()), ValueRange{place});
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void LoopExpander::write(loop::TileOp tile, unsigned output, Value value) {
  const AccessSite site(tile);
  loop::AccessAttr access = tile.getWrite(output);
  // A fold has one element for all lanes.
  const int64_t width = tile.getStep() == loop::TileStep::Fold ? 1 : tile.getWidth(),
                chunk = access.getChunk();
  for (int64_t lane = 0; lane < width; lane += chunk) {
    reads.setLane(site, lane);
    std::optional<Value> exists = expanded.evaluate(access.getGuard(), tile.getIndices());
    if (!exists)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    std::optional<IndexBuilder::Scope> scope;
    if (*exists) {
      auto ifOp = scf::IfOp::create(builder, loc, *exists, /*withElseRegion=*/false);
      builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
      scope.emplace(index, ifOp);
    }
    Value offset = reads.evaluate(site, access.getMap().getResults().back());
    Value part = chunk == width ? value : buffers.getPart(value, lane, chunk);
    if (std::optional<ScatterReduce> combine = tile.getCombine())
      buffers.combine(tile.getOutputs()[output], offset, access, part, *combine);
    else
      buffers.store(tile.getOutputs()[output], reads.getPeer(site, access), offset, access, part);
  }
  reads.setLane(site, 0);
}

/// True if the lane is added to the expression, whose other terms do not depend on it.
static bool isConsecutive(AffineExpr expr, unsigned lane) {
  if (expr.getKind() == AffineExprKind::DimId)
    return cast<AffineDimExpr>(expr).getPosition() == lane;
  if (expr.getKind() != AffineExprKind::Add)
    return false;
  auto sum = cast<AffineBinaryOpExpr>(expr);
  return (isConsecutive(sum.getLHS(), lane) && !sum.getRHS().isFunctionOfDim(lane)) ||
         (isConsecutive(sum.getRHS(), lane) && !sum.getLHS().isFunctionOfDim(lane));
}

/// The index of a root id, or a vector of it.
Value LoopExpander::getRootIndex(loop::TileOp tile, unsigned root) {
  const AccessSite site(tile);
  const AffineExpr expr = tile.getRoots().getResult(root);
  const int64_t width = site.width;
  auto evaluateAt = [&](int64_t lane) {
    reads.setLane(site, lane);
    return reads.evaluate(site, expr);
  };
  if (width == 1 || !reads.dependsOnLane(site, expr))
    return buffers.splat(evaluateAt(0), width);
  auto dims = tile.getIndices().take_front(tile.getNumDims());
  const unsigned lane = llvm::find(dims, tile.getVectorLoop().getInductionVar()) - dims.begin();
  if (isConsecutive(expr, lane)) {
    SmallVector<Attribute> steps;
    for (int64_t step = 0; step < width; ++step)
      steps.push_back(builder.getIndexAttr(step));
    auto type = VectorType::get({width}, builder.getIndexType());
    Value lanes = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, steps));
    return arith::AddIOp::create(builder, loc, buffers.splat(evaluateAt(0), width), lanes);
  }
  SmallVector<Value> values;
  for (int64_t each = 0; each < width; ++each)
    values.push_back(evaluateAt(each));
  reads.setLane(site, 0);
  return buffers.join(values);
}

Value LoopExpander::buildElement(loop::TileOp tile) {
  SmallVector<Value> operands, inside;
  auto element = dyn_cast_if_present<ElementwiseOpInterface>(tile.getElementOp());
  bool isPositional = element && element.dependsOnIndex();
  for (unsigned input = 0, e = tile.getInputs().size(); input < e; ++input) {
    const ExpandedReads::Read operand = reads.read(tile, input);
    const bool mayBeOutside = element && tile.getRead(input) && element.mayReadOutside(input);
    operands.push_back(operand.value);
    inside.push_back(mayBeOutside ? operand.inside : Value());
    isPositional |= mayBeOutside;
  }
  if (!element)
    return operands.front();
  if (!isPositional)
    return element.buildElement(builder, loc, operands);
  return element.buildElementAt(builder, loc, operands, inside,
                                [&](unsigned root) { return getRootIndex(tile, root); });
}

//===----------------------------------------------------------------------===//
// Steps of reductions and scans
//===----------------------------------------------------------------------===//

SmallVector<Value> LoopExpander::readTuple(loop::TileOp tile, bool isOutput) {
  SmallVector<Value> tuple;
  ValueRange parts = isOutput ? ValueRange(tile.getOutputs()) : ValueRange(tile.getInputs());
  for (auto [number, buffer] : llvm::enumerate(parts))
    tuple.push_back(reads
                        .readParts(AccessSite(tile), buffer,
                                   isOutput ? tile.getWrite(number) : tile.getRead(number))
                        .value);
  return tuple;
}

/// Combines the lanes of vectors, in pairs.
SmallVector<Value> LoopExpander::foldLanes(CombinerOpInterface op, ArrayRef<Value> tuple) {
  const int64_t width = cast<VectorType>(tuple.front().getType()).getNumElements();
  SmallVector<SmallVector<Value>> lanes(width);
  for (int64_t lane = 0; lane < width; ++lane)
    for (Value component : tuple)
      lanes[lane].push_back(buffers.getLane(component, lane));
  for (int64_t half = width / 2; half > 0; half /= 2)
    for (int64_t lane = 0; lane < half; ++lane)
      lanes[lane] = op.buildCombine(builder, loc, lanes[lane], lanes[lane + half]);
  return lanes[0];
}

SmallVector<Value> LoopExpander::readOperands(loop::TileOp tile) {
  SmallVector<Value> operands;
  for (unsigned input = 0, e = tile.getInputs().size(); input < e; ++input)
    operands.push_back(reads.read(tile, input).value);
  return operands;
}

SmallVector<Value> LoopExpander::splatAll(ArrayRef<Value> scalars, int64_t width) {
  return llvm::map_to_vector(scalars, [&](Value scalar) { return buffers.splat(scalar, width); });
}

SmallVector<Value> LoopExpander::shuffle(loop::TileOp tile, ValueRange tuple, Value offset,
                                         kernel_ir::ShuffleMode mode) {
  return llvm::map_to_vector(tuple, [&](Value component) -> Value {
    return kernel_ir::ShuffleOp::create(builder, loc, component.getType(), mode, component, offset,
                                        tile.getGroupSize());
  });
}

SmallVector<Value> LoopExpander::select(Value condition, ValueRange yes, ValueRange no) {
  if (!condition)
    return llvm::to_vector(yes);
  SmallVector<Value> tuple;
  for (auto [a, b] : llvm::zip_equal(yes, no))
    tuple.push_back(arith::SelectOp::create(builder, loc, condition, a, b));
  return tuple;
}

/// The thread is one of the first `distance` of its group, in the direction of a scan.
Value LoopExpander::isInFront(loop::TileOp tile, ScanOpInterface op, int64_t distance) {
  Value thread = expanded.getHardwareIndex(ParallelType::ThreadX);
  if ((*kernel.getThreads())[0] > tile.getGroupSize())
    thread = index.rem(thread, index.constant(tile.getGroupSize()));
  if (op.isReversed())
    return index.lessThan(index.constant(tile.getGroupSize() - distance - 1), thread);
  return index.lessThan(thread, index.constant(distance));
}

/// From a thread before this one, in the direction of a scan.
static kernel_ir::ShuffleMode getShuffleMode(ScanOpInterface op) {
  return op.isReversed() ? kernel_ir::ShuffleMode::Down : kernel_ir::ShuffleMode::Up;
}

SmallVector<Value> LoopExpander::shuffleUp(loop::TileOp tile, ScanOpInterface op) {
  const int64_t distance = *tile.getDistance();
  SmallVector<Value> own = readTuple(tile, /*isOutput=*/true);
  Value offset = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(distance));
  SmallVector<Value> preceding = shuffle(tile, own, offset, getShuffleMode(op));
  // The first threads have got their own tuple.
  return select(isInFront(tile, op, distance), own, op.buildCombine(builder, loc, preceding, own));
}

/// N if a tuple is taken from the thread N before this one in the direction of a scan; else 0.
static int64_t getDistanceBefore(loop::TileOp tile, ScanOpInterface op, int64_t numThreads) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(tile.getRoots().getResult(0));
  auto offset = sum ? dyn_cast<AffineConstantExpr>(sum.getRHS()) : AffineConstantExpr();
  const int64_t group = tile.getGroupSize();
  if (!offset || sum.getKind() != AffineExprKind::Add)
    return 0;
  const int64_t distance = op.isReversed() ? offset.getValue() : -offset.getValue();
  if (distance <= 0 || distance >= group)
    return 0;
  AffineExpr own = sum.getLHS();
  if (numThreads > group) {
    auto rest = dyn_cast<AffineBinaryOpExpr>(own);
    if (!rest || own.getKind() != AffineExprKind::Mod ||
        rest.getRHS() != getAffineConstantExpr(group, tile.getContext()))
      return 0;
    own = rest.getLHS();
  }
  auto leaf = dyn_cast<AffineDimExpr>(own);
  auto thread =
      leaf ? dyn_cast<BlockArgument>(tile.getIndices()[leaf.getPosition()]) : BlockArgument();
  auto loop = thread ? dyn_cast<loop::ForOp>(thread.getOwner()->getParentOp()) : loop::ForOp();
  return loop && loop.getType() == ParallelType::ThreadX ? distance : 0;
}

SmallVector<Value> LoopExpander::take(loop::TileOp tile, ScanOpInterface op) {
  const SmallVector<Value> own = readTuple(tile, /*isOutput=*/false);
  auto getIdentity = [&] { return splatAll(op.buildInitial(builder, loc), tile.getWidth()); };
  if (const int64_t distance = getDistanceBefore(tile, op, (*kernel.getThreads())[0])) {
    Value offset = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(distance));
    return select(isInFront(tile, op, distance), getIdentity(),
                  shuffle(tile, own, offset, getShuffleMode(op)));
  }
  Value thread =
      expanded.evaluate(tile.getRoots().getResult(0), tile.getIndices(), tile.getNumDims());
  Value offset = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), thread);
  SmallVector<Value> taken = shuffle(tile, own, offset, kernel_ir::ShuffleMode::Idx);
  const std::optional<int64_t> constant = index.getConstant(thread);
  if (constant && *constant >= 0 && *constant < tile.getGroupSize())
    return taken;
  return select(index.lessThan(thread, index.constant(tile.getGroupSize())), taken, getIdentity());
}

/// What a step of a scan writes.
SmallVector<Value> LoopExpander::buildScan(loop::TileOp tile, ScanOpInterface op) {
  switch (tile.getStep()) {
  case loop::TileStep::Initial:
    return splatAll(op.buildInitial(builder, loc), tile.getWidth());
  case loop::TileStep::Accumulate: {
    SmallVector<Value> operands = readOperands(tile);
    return op.buildCombine(builder, loc, readTuple(tile, /*isOutput=*/true),
                           op.buildLift(builder, loc, operands));
  }
  case loop::TileStep::Finalize:
    return op.buildResults(builder, loc, readTuple(tile, /*isOutput=*/false));
  case loop::TileStep::Lift:
    return op.buildLift(builder, loc, readOperands(tile));
  case loop::TileStep::Merge:
    return op.buildCombine(builder, loc, readTuple(tile, /*isOutput=*/true),
                           readTuple(tile, /*isOutput=*/false));
  case loop::TileStep::Replace:
    return readTuple(tile, /*isOutput=*/false);
  case loop::TileStep::Prepend:
    return op.buildCombine(builder, loc, readTuple(tile, /*isOutput=*/false),
                           readTuple(tile, /*isOutput=*/true));
  case loop::TileStep::ShuffleUp:
    return shuffleUp(tile, op);
  case loop::TileStep::Take:
    return take(tile, op);
  default:
    llvm_unreachable("expected a step of a scan");
  }
}

/// What a step of a reduction or a scan writes.
SmallVector<Value> LoopExpander::buildTuple(loop::TileOp tile) {
  if (auto scan = dyn_cast<ScanOpInterface>(tile.getElementOp()))
    return buildScan(tile, scan);
  auto op = cast<CombinerOpInterface>(tile.getElementOp());
  switch (tile.getStep()) {
  case loop::TileStep::Initial:
    return splatAll(op.buildIdentity(builder, loc), tile.getWidth());
  case loop::TileStep::Accumulate: {
    SmallVector<Value> operands = readOperands(tile);
    return op.buildAccumulate(builder, loc, readTuple(tile, /*isOutput=*/true), operands);
  }
  case loop::TileStep::Fold:
    return foldLanes(op, readTuple(tile, /*isOutput=*/false));
  case loop::TileStep::Shuffle: {
    SmallVector<Value> own = readTuple(tile, /*isOutput=*/true), other;
    Value distance =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(*tile.getDistance()));
    for (Value component : own)
      other.push_back(kernel_ir::ShuffleOp::create(
          builder, loc, component.getType(), kernel_ir::ShuffleMode::Xor, component, distance, 32));
    return op.buildCombine(builder, loc, own, other);
  }
  case loop::TileStep::Merge:
    return op.buildCombine(builder, loc, readTuple(tile, /*isOutput=*/true),
                           readTuple(tile, /*isOutput=*/false));
  case loop::TileStep::Finalize: {
    Value count =
        expanded.evaluate(tile.getRoots().getResult(0), tile.getIndices(), tile.getNumDims());
    return op.buildFinalize(builder, loc, readTuple(tile, /*isOutput=*/false), count);
  }
  default:
    llvm_unreachable("expected a step of a reduction");
  }
}

void LoopExpander::expand(loop::TileOp tile) {
  if (llvm::any_of(tile.getOutputs(), [](Value output) {
        return cast<loop::BufferType>(output.getType()).getSpace() == MemoryType::Shared;
      }))
    matrices.forget();
  if (tile.getStep() == loop::TileStep::Copy || tile.isBulk())
    return copies.expand(tile);
  if (tile.getInstruction())
    return matrices.expand(tile);
  MathCollector collector(shortMath);
  const size_t numOpsBefore = shortMath.ops.size();
  if (shortBuffers.holdAll(tile.getOutputs()))
    builder.setListener(&collector);
  SmallVector<Value> values;
  if (tile.getStep() != loop::TileStep::Element)
    values = buildTuple(tile);
  else if (isa_and_present<WholeReadOpInterface>(tile.getElementOp()))
    values = reads.buildWholeReads(tile);
  else
    values.push_back(buildElement(tile));
  builder.setListener(nullptr);
  if (softmaxBuffers.isNumerator(tile))
    for (Operation *op : ArrayRef(shortMath.ops).drop_front(numOpsBefore))
      if (auto exp = dyn_cast<math::ExpOp>(op))
        exp.setFastmath(arith::FastMathFlags::afn);
  if (softmaxBuffers.isQuotient(tile))
    for (Operation *op : ArrayRef(shortMath.ops).drop_front(numOpsBefore))
      if (auto division = dyn_cast<arith::DivFOp>(op))
        division.setFastmath(arith::FastMathFlags::arcp);
  const bool isPerElement = tile.getStep() == loop::TileStep::Element ||
                            tile.getStep() == loop::TileStep::Accumulate ||
                            tile.getStep() == loop::TileStep::Lift;
  // Of two versions of a loop, one runs.
  if (isPerElement && !isInSecondVersion(tile) && counted.insert(tile).second)
    shortMath.count(ArrayRef(shortMath.ops).drop_front(numOpsBefore), tile.getWidth());
  for (auto [output, value] : llvm::enumerate(values))
    write(tile, output, value);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The sizes of the launch that are constants, and the divisors of sizes.
static LaunchSizes getLaunchSizes(loop::KernelOp kernel, gpu::GPUFuncOp function) {
  LaunchSizes launch;
  if (std::optional<ArrayRef<int64_t>> threads = kernel.getThreads())
    llvm::copy(*threads, launch.threads);
  if (std::optional<AffineMap> grid = kernel.getGrid())
    for (auto [axis, blocks] : llvm::enumerate(grid->getResults()))
      if (auto constant = dyn_cast<AffineConstantExpr>(blocks))
        launch.blocks[axis] = constant.getValue();
  if (kernel.getClusterBlocks() > 1)
    launch.blocks[0] = 0;
  LoopFacts facts(kernel);
  llvm::SmallDenseMap<Attribute, int64_t> divisors;
  for (Value symbol : kernel.getSymbols()) {
    const unsigned number = cast<BlockArgument>(symbol).getArgNumber();
    divisors[kernel.getBinding(number).getSource()] = facts.getDivisor(facts.getExpr(symbol));
  }
  for (BlockArgument argument : function.getArguments())
    if (int64_t divisor = divisors.lookup(
            function.getArgAttr(argument.getArgNumber(), kernel_ir::FuserGPUDialect::kBind));
        divisor > 0)
      launch.divisors[argument] = divisor;
  return launch;
}

gpu::GPUModuleOp fuser::expandLoops(loop::KernelOp kernel, OpBuilder &builder,
                                    const LoweringOptions &options) {
  Location loc = kernel.getLoc();
  auto module = gpu::GPUModuleOp::create(builder, loc, kernel.getSymName());
  module->setAttr(kernel_ir::FuserGPUDialect::kIndexBits,
                  builder.getI32IntegerAttr(kernel.getIndexBits()));
  OpBuilder inner(module.getBodyRegion());
  auto function =
      gpu::GPUFuncOp::create(inner, loc, kernel.getSymName(), inner.getFunctionType({}, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  // The code relies on them: the artifact has to guard them.
  if (auto facts = kernel.getFacts(); facts && !facts->empty())
    function->setAttr(kKernelFactsAttrName, *facts);
  if (Attribute reasons = kernel->getAttr(kKernelFactReasonsAttrName))
    function->setAttr(kKernelFactReasonsAttrName, reasons);
  LoopExpander expander(kernel, function);
  expander.run(options.multiprocessors);
  if (options.approximateMath) {
    useApproximateMath(function);
  } else {
    useShortMath(expander.getShortMath());
    useBoundedMath(function);
    shareDivisors(function);
    divideByCounts(function);
  }
  useHardwareExponentials(function);
  useHardwareReciprocals(function);
  divideByConstants(function);
  divideNonzeros(function);
  fuseScaledSums(function);
  const LaunchSizes launch = getLaunchSizes(kernel, function);
  foldKnownComparisons(function, launch);
  branchToRareValues(function);
  loadAtSelectedIndices(function, launch);
  loadBeforeBranches(function);
  loadBeforeGuardedParts(function);
  optimizeGuardedLoads(function, launch);
  return module;
}

namespace {
struct ExpandLoops : fuser::impl::FuserExpandLoopsBase<ExpandLoops> {
  using FuserExpandLoopsBase::FuserExpandLoopsBase;

  void runOnOperation() override {
    LoweringOptions options;
    options.approximateMath = approximateMath;
    options.multiprocessors = multiprocessors;
    const KernelLaunches launches(getOperation());
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<loop::KernelOp>())) {
      if (kernel.getStage() != loop::Stage::Guarded)
        continue;
      OpBuilder builder(kernel);
      expandLoops(kernel, builder, options);
      launches.redirect(kernel.getSymNameAttr());
      kernel.erase();
    }
    if (!getOperation().getOps<gpu::GPUModuleOp>().empty())
      getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                              UnitAttr::get(&getContext()));
  }
};
} // namespace
