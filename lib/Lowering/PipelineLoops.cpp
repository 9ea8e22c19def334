//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-pipeline-loops: copies to circular buffers are begun iterations before they are read.
//
//===----------------------------------------------------------------------===//

#include "LoopPipeliner.h"
#include "MmaOperands.h"
#include "Stages.h"
#include "fuser/Dialect/Loop/Iterations.h"
#include "fuser/Lowering/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERPIPELINELOOPS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// Bytes.
static constexpr int64_t kWidestCopy = 16;

//===----------------------------------------------------------------------===//
// What is copied ahead
//===----------------------------------------------------------------------===//

static LogicalResult verifyCopy(loop::TileOp copy) {
  if (copy.getStep() != loop::TileStep::Element || copy.getElementOp() ||
      copy.getInputs().size() != 1)
    return copy.emitOpError("expected a copy, without an op, to a buffer with stages");
  Value source = copy.getInputs().front();
  if (!isa<BlockArgument>(source) || !isa<loop::BufferType>(source.getType()))
    return copy.emitOpError("expected a copy from an argument of the kernel to a buffer with "
                            "stages");
  for (Operation *user : source.getUsers())
    if (auto tile = dyn_cast<loop::TileOp>(user);
        tile && llvm::is_contained(tile.getOutputs(), source)) {
      InFlightDiagnostic diagnostic =
          copy.emitOpError("expected a copy of what the kernel does not write");
      diagnostic.attachNote(tile.getLoc()) << "the argument is written here";
      return diagnostic;
    }
  auto isOfLoops = [](Value index) {
    auto swizzled = index.getDefiningOp<loop::XorOp>();
    return isa<BlockArgument>(index) ||
           (swizzled && llvm::all_of(swizzled.getIndices(), llvm::IsaPred<BlockArgument>));
  };
  if (!llvm::all_of(copy.getIndices(), isOfLoops))
    return copy.emitOpError("expected a copy at indices of loops, which are known iterations "
                            "before");
  return success();
}

FailureOr<loop::TileOp> fuser::findCopy(loop::BufferOp buffer) {
  loop::TileOp copy;
  for (Operation *user : buffer->getUsers()) {
    auto tile = dyn_cast<loop::TileOp>(user);
    if (!tile || !llvm::is_contained(tile.getOutputs(), buffer.getResult()))
      continue;
    if (copy)
      return tile.emitOpError("expected one tile that writes a buffer with stages");
    copy = tile;
  }
  if (!copy)
    return buffer.emitOpError("expected a tile that writes a buffer with stages");
  if (failed(verifyCopy(copy)))
    return failure();
  return copy;
}

LogicalResult LoopPipeliner::add(loop::BufferOp buffer) {
  const int64_t own = *buffer.getStages();
  if (stages != 0 && own != stages)
    return buffer.emitOpError("expected ")
           << stages << " stages, as another circular buffer of the loop has, but got " << own;
  stages = own;
  FailureOr<loop::TileOp> copy = findCopy(buffer);
  if (failed(copy))
    return failure();
  rings.push_back({buffer, *copy, {}, {}});
  wantsProducer |= buffer.getProducer();
  if (std::optional<ArrayRef<int64_t>> asked = buffer.getRegisters()) {
    if (!registers.empty() && *asked != ArrayRef(registers))
      return buffer.emitOpError("expected registers [")
             << registers << "], as another circular buffer of the loop has, but got [" << *asked
             << "]";
    registers.assign(asked->begin(), asked->end());
  }
  if (buffer.getBulk())
    rings.back().pieces = findPieces(*copy);
  return success();
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

/// The iterations of the loop that precede its first one: those of the loops around it. Null if
/// their number is not known.
AffineExpr LoopPipeliner::getUseBase() {
  const SmallVector<loop::ForOp> around = getIterations(loop);
  auto isInvariant = [&](AffineExpr extent) {
    return llvm::none_of(around, [&](loop::ForOp each) {
      const AffineExpr variable = facts.getExpr(each.getInductionVar());
      return extent.isFunctionOfDim(cast<AffineDimExpr>(variable).getPosition());
    });
  };
  AffineExpr base = getAffineConstantExpr(0, kernel.getContext());
  for (loop::ForOp each : llvm::reverse(around)) {
    const AffineExpr extent = facts.getExtent(each);
    if (each != around.back() && !isInvariant(extent))
      return {};
    if (each != around.back())
      base = base * extent;
    base = base + facts.getExpr(each.getInductionVar());
  }
  const AffineExpr extent = facts.getExtent(loop);
  if (!isInvariant(extent))
    return {};
  return around.empty() ? base : base * extent;
}

/// Else all threads copy, with a remark.
std::optional<BulkPieces> LoopPipeliner::findPieces(loop::TileOp copy) {
  BulkPieces pieces;
  useBase = getUseBase();
  if (!options.bulkCopies)
    pieces.problem = "expected a target with bulk copies (sm_90 or later)";
  else if (!useBase)
    pieces.problem = "expected as many iterations in each iteration of the loops around";
  else
    pieces = findBulkPieces(copy, loop, facts);
  if (pieces.problem.empty())
    return pieces;
  if (options.bulkCopies && useBase) {
    BulkPieces boxes = findTensorBoxes(copy, loop, facts);
    if (boxes.problem.empty())
      return boxes;
    pieces.problem += ", or " + boxes.problem;
  }
  copy.emitRemark(pieces.problem) << ": the threads of the block copy instead of one of them";
  return std::nullopt;
}

/// The number of a use of a stage. Thread copies have no phases, so that each loop begins again.
AffineExpr LoopPipeliner::getUse(const Ring &ring, AffineExpr of) const {
  return ring.pieces ? useBase + of : of;
}

/// Those of the bulk copies of an iteration.
int64_t LoopPipeliner::countArrivals() const {
  int64_t arrivals = 0;
  for (const Ring &ring : rings)
    arrivals += ring.pieces ? ring.pieces->getNumPieces() : 0;
  return arrivals;
}

/// One for each stage, outside of all iterations: their phases are counted over all of them.
Value LoopPipeliner::createBarriers(OpBuilder &builder, int64_t arrivals) {
  auto created =
      loop::BufferOp::create(builder, loop.getLoc(),
                             loop::BufferType::get(kernel.getContext(), {stages},
                                                   builder.getI64Type(), MemoryType::Shared));
  loop::InitPhasesOp::create(builder, loop.getLoc(), created, arrivals);
  return created;
}

loop::ParallelTypesAttr fuser::getSplitThreadTypes(loop::KernelOp kernel) {
  SmallVector<ParallelType> types;
  for (ParallelType type : {ParallelType::ThreadX, ParallelType::ThreadY, ParallelType::ThreadZ})
    if (kernel.isSplit(type))
      types.push_back(type);
  return loop::ParallelTypesAttr::get(kernel.getContext(), types);
}

/// One thread begins the copies of another iteration, where it exists. It arrives for each piece,
/// also if that has no elements.
void LoopPipeliner::beginBulkCopy(OpBuilder builder, const Ring &ring, AffineExpr of) {
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  ExprReplacement replacement = ofProducer;
  replacement[iteration] = of;
  for (loop::ForOp each : ring.pieces->loops) {
    const ParallelType type = isBlockType(each.getType()) ? each.getType() : ParallelType::Unroll;
    auto clone = createFor(builder, each.getLoc(), facts.getExtent(each).replace(replacement), type,
                           each.getBound(), getValue);
    replacement[facts.getExpr(each.getInductionVar())] = facts.getExpr(clone.getInductionVar());
    builder.setInsertionPointToEnd(&clone.getBlock());
  }
  auto tile = cast<loop::TileOp>(builder.clone(*ring.copy));
  TileExprs exprs = facts.lift(ring.copy);
  AccessExprs &read = *exprs.reads.front(), &write = exprs.writes.front();
  read.results.assign(ring.pieces->source);
  read.guard = ring.pieces->exists;
  write.results.assign(ring.pieces->target);
  exprs.roots.assign(ring.pieces->counts);
  exprs.guard.clear();
  replaceAll(exprs, replacement);
  const AffineExpr stage = getUse(ring, of).replace(ofProducer) % stages;
  write.results.insert(write.results.begin(), stage);
  AccessExprs arrival = write;
  arrival.results.assign({stage});
  exprs.writes.push_back(arrival);
  // A producer copies in iterations that exist.
  if (ofProducer.empty())
    exprs.guard.push_back(Constraint::less(of, facts.getExtent(loop)));
  tile.getOutputsMutable().assign({ring.buffer, barriers});
  tile.setStep(loop::TileStep::Bulk);
  if (ring.pieces->map)
    tile.setInstructionAttr(ring.pieces->map);
  tile.setOnceAttr(getSplitThreadTypes(kernel));
  tile.setReplicatedAttr(loop::ParallelTypesAttr::get(kernel.getContext(), {}));
  setTileExprs(tile, exprs, getValue);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// A swizzled index at other ones.
static AffineExpr copyIndex(OpBuilder &builder, loop::XorOp swizzled,
                            const ExprReplacement &replacement, LoopFacts &facts) {
  SmallVector<AffineExpr, 2> terms;
  for (AffineExpr term : swizzled.getTerms().getResults())
    terms.push_back(facts.lift(term, swizzled.getIndices(), swizzled.getTerms().getNumDims())
                        .replace(replacement));
  return facts.getExpr(createXor(builder, swizzled.getLoc(), terms[0], terms[1],
                                 [&](AffineExpr leaf) { return facts.getValue(leaf); }));
}

std::pair<loop::TileOp, TileExprs> fuser::cloneCopy(OpBuilder builder, loop::TileOp copy,
                                                    Operation *outermost,
                                                    ExprReplacement replacement, LoopFacts &facts) {
  SmallVector<loop::ForOp> around;
  for (Operation *inner = copy->getParentOp(); inner != outermost; inner = inner->getParentOp())
    around.push_back(cast<loop::ForOp>(inner));
  for (loop::ForOp inner : llvm::reverse(around)) {
    const std::optional<int64_t> bound =
        inner.getBound() ? std::optional<int64_t>(*inner.getBound()) : std::nullopt;
    auto clone =
        createFor(builder, inner.getLoc(), facts.getExtent(inner).replace(replacement),
                  inner.getType(), bound, [&](AffineExpr leaf) { return facts.getValue(leaf); });
    clone.setUnswitch(inner.getUnswitch());
    replacement[facts.getExpr(inner.getInductionVar())] = facts.getExpr(clone.getInductionVar());
    builder.setInsertionPointToEnd(&clone.getBlock());
  }
  for (Value index : copy.getIndices())
    if (auto swizzled = index.getDefiningOp<loop::XorOp>())
      replacement[facts.getExpr(index)] = copyIndex(builder, swizzled, replacement, facts);
  auto tile = cast<loop::TileOp>(builder.clone(*copy));
  TileExprs exprs = facts.lift(copy);
  replaceAll(exprs, replacement);
  return {tile, exprs};
}

void fuser::makeCopy(loop::TileOp tile, TileExprs exprs, Value buffer, AffineExpr stage,
                     LoopFacts &facts) {
  exprs.writes.front().results.insert(exprs.writes.front().results.begin(), stage);
  tile.getOutputsMutable().assign(buffer);
  tile.setStep(loop::TileStep::Copy);
  setTileExprs(tile, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
}

/// The copy of another iteration, where it exists, in loops of its own.
void LoopPipeliner::beginCopy(OpBuilder builder, const Ring &ring, AffineExpr of) {
  auto [tile, exprs] = cloneCopy(builder, ring.copy, loop, {{iteration, of}}, facts);
  // Operands of matrix instructions are zeros where there is nothing to copy, without a branch.
  Constraints &guard = isOperandOfMma(ring.old) ? exprs.reads.front()->guard : exprs.guard;
  guard.insert(guard.begin(), Constraint::less(of, facts.getExtent(loop)));
  makeCopy(tile, exprs, ring.buffer, of % stages, facts);
}

void LoopPipeliner::beginCopies(OpBuilder &builder, AffineExpr of) {
  for (const Ring &ring : rings)
    ring.pieces ? beginBulkCopy(builder, ring, of) : beginCopy(builder, ring, of);
  if (llvm::any_of(rings, [](const Ring &ring) { return !ring.pieces; }))
    loop::CommitCopiesOp::create(builder, loop.getLoc());
}

/// For the copies of an iteration.
void LoopPipeliner::wait(OpBuilder &builder) {
  SmallVector<Value> byThreads, byBulk;
  for (const Ring &ring : rings)
    (ring.pieces ? byBulk : byThreads).push_back(ring.buffer);
  if (!byThreads.empty())
    loop::WaitCopiesOp::create(builder, loop.getLoc(), byThreads, ahead - 1);
  if (!byBulk.empty())
    createWaitPhase(builder, loop.getLoc(), byBulk, barriers, useBase + iteration,
                    [&](AffineExpr leaf) { return facts.getValue(leaf); });
  // The stage that is filled next was read two iterations before.
  if (!products.empty())
    loop::WaitProductsOp::create(builder, loop.getLoc(), /*pending=*/1, ValueRange());
}

/// True if what a product reads stays as it is while the next iteration begins.
bool LoopPipeliner::isCopiedAhead(Value operand) const {
  if (llvm::any_of(rings, [&](const Ring &ring) { return ring.old == operand; }))
    return true;
  return llvm::none_of(operand.getUsers(), [&](Operation *user) {
    auto tile = dyn_cast<loop::TileOp>(user);
    return tile && llvm::is_contained(tile.getOutputs(), operand) &&
           loop::ForOp(loop)->isAncestor(tile);
  });
}

/// The accumulators of products of warp groups, if one group for each iteration has all of them,
/// nothing else in the loop uses them, and another stage is left for copies.
SmallVector<Value> LoopPipeliner::findPendingProducts() {
  SmallVector<Value> accumulators;
  if (stages < 3)
    return accumulators;
  for (loop::TileOp tile : findProductsOfGroups(loop)) {
    auto around = tile->getParentOfType<loop::ForOp>();
    while (around != loop && (around.isWrittenOut() || isThreadType(around.getType())))
      around = around->getParentOfType<loop::ForOp>();
    Value accumulator = tile.getOutputs().front();
    const bool isUsedHere = llvm::any_of(accumulator.getUsers(), [&](Operation *user) {
      return user != tile && loop->isAncestor(user);
    });
    if (around != loop || isUsedHere || loop->isAncestor(accumulator.getDefiningOp()) ||
        !llvm::all_of(tile.getInputs(), [&](Value input) { return isCopiedAhead(input); }))
      return {};
    accumulators.push_back(accumulator);
  }
  return accumulators;
}

void fuser::readStage(LoopFacts &facts, Value old, Value buffer, AffineExpr stage) {
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  auto addStage = [&](AccessExprs &access) {
    access.results.insert(access.results.begin(), stage);
  };
  // An op may read it twice.
  const llvm::SetVector<Operation *> users(old.user_begin(), old.user_end());
  for (Operation *user : users) {
    user->replaceUsesOfWith(old, buffer);
    if (auto index = dyn_cast<loop::IndexOp>(user)) {
      AccessExprs access = facts.lift(index.getAccess(), index.getIndices());
      addStage(access);
      setIndexExprs(index, access, getValue);
      continue;
    }
    auto tile = cast<loop::TileOp>(user);
    TileExprs exprs = facts.lift(tile);
    for (auto [input, access] : llvm::zip_equal(tile.getInputs(), exprs.reads))
      if (input == buffer)
        addStage(*access);
    setTileExprs(tile, exprs, getValue);
  }
}

void fuser::eraseWithLoops(Operation *op, Operation *outermost) {
  while (op != outermost) {
    Operation *around = op->getParentOp();
    const SmallVector<Value> operands(op->getOperands());
    op->erase();
    for (Value operand : operands)
      if (auto swizzled = operand.getDefiningOp<loop::XorOp>(); swizzled && swizzled->use_empty())
        swizzled.erase();
    if (!around->getRegion(0).front().empty())
      return;
    op = around;
  }
}

loop::BufferOp fuser::createStages(OpBuilder &builder, Value old, int64_t stages) {
  auto type = cast<loop::BufferType>(old.getType());
  SmallVector<int64_t> shape = {stages};
  llvm::append_range(shape, type.getShape());
  auto buffer = loop::BufferOp::create(
      builder, old.getLoc(),
      loop::BufferType::get(old.getContext(), shape, type.getElementType(), type.getSpace()));
  buffer.setStages(stages);
  return buffer;
}

void LoopPipeliner::createRings(OpBuilder &builder) {
  for (Ring &ring : rings) {
    loop::BufferOp buffer = createStages(builder, ring.old, stages);
    buffer.setBulk(ring.pieces.has_value());
    ring.buffer = buffer;
  }
}

void LoopPipeliner::eraseOld() {
  for (const Ring &ring : rings) {
    eraseWithLoops(ring.copy, loop);
    // The readers of an iteration read its stage.
    readStage(facts, ring.old, ring.buffer, getUse(ring, iteration) % stages);
    ring.old.getDefiningOp()->erase();
  }
}

/// The threads that compute begin the copies, iterations before.
void LoopPipeliner::runAhead() {
  products = findPendingProducts();
  ahead = products.empty() ? stages - 1 : stages - 2;
  if (int64_t arrivals = countArrivals()) {
    SmallVector<loop::ForOp> around = getIterations(loop);
    OpBuilder outside(around.empty() ? loop : around.back());
    barriers = createBarriers(outside, arrivals);
  }
  OpBuilder before(loop);
  createRings(before);
  auto first = createFor(before, loop.getLoc(), getAffineConstantExpr(ahead, kernel.getContext()),
                         ParallelType::Unroll, std::nullopt, [](AffineExpr) { return Value(); });
  OpBuilder prologue(&first.getBlock(), first.getBlock().end());
  beginCopies(prologue, facts.getExpr(first.getInductionVar()));
  OpBuilder inside(&loop.getBlock(), loop.getBlock().begin());
  wait(inside);
  beginCopies(inside, iteration + ahead);
  OpBuilder after(loop->getContext());
  after.setInsertionPointAfter(loop);
  if (!products.empty()) {
    OpBuilder last(&loop.getBlock(), loop.getBlock().end());
    loop::CommitProductsOp::create(last, loop.getLoc());
    loop::WaitProductsOp::create(after, loop.getLoc(), /*pending=*/0, products);
  }
  // Zeros are also copied for iterations that do not exist.
  SmallVector<Value> operands;
  for (const Ring &ring : rings)
    if (!ring.pieces && isOperandOfMma(ring.old))
      operands.push_back(ring.buffer);
  if (!operands.empty())
    loop::WaitCopiesOp::create(after, loop.getLoc(), operands, 0);
  eraseOld();
}

void LoopPipeliner::run(bool isOnly) {
  if (!wantsProducer)
    return runAhead();
  RoleScope scope = findRoles(isOnly);
  if (scope.problem.empty())
    return runInRoles(scope);
  for (Ring &ring : rings)
    if (ring.pieces)
      ring.copy.emitRemark(scope.problem) << ": one of the other threads begins the copies";
  runAhead();
}

/// Equal lanes are copied one by one.
int64_t fuser::getCopiedElements(loop::TileOp copy) {
  int64_t count =
      kWidestCopy / copy.getOutputs().front().getDefiningOp<loop::BufferOp>().getElementBytes();
  loop::ForOp lanes = copy.getVectorLoop();
  for (loop::AccessAttr access : {copy.getRead(0), copy.getWrite(0)}) {
    const bool isVector =
        lanes && llvm::any_of(llvm::seq<unsigned>(0, copy.getNumDims()), [&](unsigned dim) {
          return copy.getIndices()[dim] == lanes.getInductionVar() &&
                 access.getMap().isFunctionOfDim(dim);
        });
    count = std::min<int64_t>(count, isVector ? access.getChunk() : 1);
  }
  return count;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The serial loop in whose iterations a buffer is new.
static loop::ForOp getLoop(loop::BufferOp buffer) {
  auto loop = buffer->getParentOfType<loop::ForOp>();
  while (loop && isThreadType(loop.getType()))
    loop = loop->getParentOfType<loop::ForOp>();
  return loop;
}

LogicalResult fuser::pipelineLoops(loop::KernelOp kernel, const LoweringOptions &options) {
  if (kernel.getStage() != loop::Stage::Reduced)
    return success();
  LoopFacts facts(kernel);
  storeByBulk(kernel, facts, options.bulkCopies);
  if (failed(copyToOneStage(kernel, facts)))
    return failure();
  llvm::MapVector<Operation *, LoopPipeliner> loops;
  WalkResult walked = kernel.walk([&](loop::BufferOp buffer) {
    if (buffer.getStages().value_or(1) == 1)
      return WalkResult::advance();
    loop::ForOp loop = getLoop(buffer);
    auto [it, isNew] = loops.try_emplace(loop, kernel, facts, loop, options);
    return succeeded(it->second.add(buffer)) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto &[loop, pipeliner] : loops)
    pipeliner.run(/*isOnly=*/loops.size() == 1);
  kernel.setStage(loop::Stage::Pipelined);
  return success();
}

namespace {
struct PipelineLoops : fuser::impl::FuserPipelineLoopsBase<PipelineLoops> {
  using FuserPipelineLoopsBase::FuserPipelineLoopsBase;

  void runOnOperation() override {
    LoweringOptions options;
    options.bulkCopies = bulkCopies;
    options.warpGroups = warpGroups;
    if (failed(pipelineLoops(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
