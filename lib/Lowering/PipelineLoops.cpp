//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-pipeline-loops: copies to circular buffers are begun iterations before they are read.
//
//===----------------------------------------------------------------------===//

#include "LoopExprs.h"
#include "MmaOperands.h"
#include "Stages.h"
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

namespace {
/// The circular buffers of one serial loop. With N stages, N - 1 copies are under way when an
/// iteration begins: it waits for the oldest one, begins the copy of the iteration N - 1 later to
/// the stage that was read last, and computes.
class LoopPipeliner {
public:
  LoopPipeliner(loop::KernelOp kernel, LoopFacts &facts, loop::ForOp loop)
      : kernel(kernel), facts(facts), loop(loop), iteration(facts.getExpr(loop.getInductionVar())) {
  }
  /// Fails after a diagnostic.
  LogicalResult add(loop::BufferOp buffer);
  void run();

private:
  /// A buffer, before and after, and the tile that fills it.
  struct Ring {
    Value old;
    loop::TileOp copy;
    Value buffer;
  };
  LogicalResult verifyCopy(loop::TileOp copy);
  void beginCopies(OpBuilder &builder, AffineExpr of);
  void beginCopy(OpBuilder builder, const Ring &ring, AffineExpr of);
  AffineExpr copyIndex(OpBuilder &builder, loop::XorOp swizzled,
                       const ExprReplacement &replacement);
  void readStage(const Ring &ring);

  loop::KernelOp kernel;
  LoopFacts &facts;
  loop::ForOp loop;
  const AffineExpr iteration;
  int64_t stages = 0;
  SmallVector<Ring> rings;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is copied ahead
//===----------------------------------------------------------------------===//

/// Only an argument that the kernel does not write can be copied, at indices of loops alone.
LogicalResult LoopPipeliner::verifyCopy(loop::TileOp copy) {
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

LogicalResult LoopPipeliner::add(loop::BufferOp buffer) {
  const int64_t own = *buffer.getStages();
  if (stages != 0 && own != stages)
    return buffer.emitOpError("expected ")
           << stages << " stages, as another circular buffer of the loop has, but got " << own;
  stages = own;
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
  rings.push_back({buffer, copy, {}});
  return verifyCopy(copy);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// A swizzled index of another iteration.
AffineExpr LoopPipeliner::copyIndex(OpBuilder &builder, loop::XorOp swizzled,
                                    const ExprReplacement &replacement) {
  SmallVector<AffineExpr, 2> terms;
  for (AffineExpr term : swizzled.getTerms().getResults())
    terms.push_back(facts.lift(term, swizzled.getIndices(), swizzled.getTerms().getNumDims())
                        .replace(replacement));
  return facts.getExpr(createXor(builder, swizzled.getLoc(), terms[0], terms[1],
                                 [&](AffineExpr leaf) { return facts.getValue(leaf); }));
}

/// The copy of another iteration, where it exists, in loops of its own.
void LoopPipeliner::beginCopy(OpBuilder builder, const Ring &ring, AffineExpr of) {
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  SmallVector<loop::ForOp> around;
  for (auto inner = ring.copy->getParentOfType<loop::ForOp>(); inner != loop;
       inner = inner->getParentOfType<loop::ForOp>())
    around.push_back(inner);
  ExprReplacement replacement = {{iteration, of}};
  for (loop::ForOp inner : llvm::reverse(around)) {
    const std::optional<int64_t> bound =
        inner.getBound() ? std::optional<int64_t>(*inner.getBound()) : std::nullopt;
    auto clone = createFor(builder, inner.getLoc(), facts.getExtent(inner).replace(replacement),
                           inner.getType(), bound, getValue);
    clone.setUnswitch(inner.getUnswitch());
    replacement[facts.getExpr(inner.getInductionVar())] = facts.getExpr(clone.getInductionVar());
    builder.setInsertionPointToEnd(&clone.getBlock());
  }
  for (Value index : loop::TileOp(ring.copy).getIndices())
    if (auto swizzled = index.getDefiningOp<loop::XorOp>())
      replacement[facts.getExpr(index)] = copyIndex(builder, swizzled, replacement);
  auto tile = cast<loop::TileOp>(builder.clone(*ring.copy));
  TileExprs exprs = facts.lift(ring.copy);
  replaceAll(exprs, replacement);
  exprs.writes.front().results.insert(exprs.writes.front().results.begin(), of % stages);
  // Operands of matrix instructions are zeros where there is nothing to copy, without a branch.
  Constraints &guard = isOperandOfMma(ring.old) ? exprs.reads.front()->guard : exprs.guard;
  guard.insert(guard.begin(), Constraint::less(of, facts.getExtent(loop)));
  tile.getOutputsMutable().assign(ring.buffer);
  tile.setStep(loop::TileStep::Copy);
  setTileExprs(tile, exprs, getValue);
}

void LoopPipeliner::beginCopies(OpBuilder &builder, AffineExpr of) {
  for (const Ring &ring : rings)
    beginCopy(builder, ring, of);
  loop::CommitCopiesOp::create(builder, loop.getLoc());
}

/// The readers of an iteration read its stage.
void LoopPipeliner::readStage(const Ring &ring) {
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  auto addStage = [&](AccessExprs &access) {
    access.results.insert(access.results.begin(), iteration % stages);
  };
  // An op may read it twice.
  const llvm::SetVector<Operation *> users(ring.old.user_begin(), ring.old.user_end());
  for (Operation *user : users) {
    user->replaceUsesOfWith(ring.old, ring.buffer);
    if (auto index = dyn_cast<loop::IndexOp>(user)) {
      AccessExprs access = facts.lift(index.getAccess(), index.getIndices());
      addStage(access);
      setIndexExprs(index, access, getValue);
      continue;
    }
    auto tile = cast<loop::TileOp>(user);
    TileExprs exprs = facts.lift(tile);
    for (auto [input, access] : llvm::zip_equal(tile.getInputs(), exprs.reads))
      if (input == ring.buffer)
        addStage(*access);
    setTileExprs(tile, exprs, getValue);
  }
}

/// Erases an op, and the loops around it that are empty then.
static void eraseWithLoops(Operation *op, Operation *outermost) {
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

void LoopPipeliner::run() {
  OpBuilder before(loop);
  SmallVector<Value> buffers;
  for (Ring &ring : rings) {
    auto type = cast<loop::BufferType>(ring.old.getType());
    SmallVector<int64_t> shape = {stages};
    llvm::append_range(shape, type.getShape());
    auto buffer = loop::BufferOp::create(
        before, ring.old.getLoc(),
        loop::BufferType::get(kernel.getContext(), shape, type.getElementType(), type.getSpace()));
    buffer.setStages(stages);
    ring.buffer = buffer;
    buffers.push_back(buffer);
  }
  auto first =
      createFor(before, loop.getLoc(), getAffineConstantExpr(stages - 1, kernel.getContext()),
                ParallelType::Unroll, std::nullopt, [](AffineExpr) { return Value(); });
  OpBuilder ahead(&first.getBlock(), first.getBlock().end());
  beginCopies(ahead, facts.getExpr(first.getInductionVar()));
  OpBuilder inside(&loop.getBlock(), loop.getBlock().begin());
  loop::WaitCopiesOp::create(inside, loop.getLoc(), buffers, stages - 2);
  beginCopies(inside, iteration + (stages - 1));
  // Zeros are also copied for iterations that do not exist.
  if (llvm::any_of(rings, [](const Ring &ring) { return isOperandOfMma(ring.old); })) {
    OpBuilder after(loop->getContext());
    after.setInsertionPointAfter(loop);
    loop::WaitCopiesOp::create(after, loop.getLoc(), buffers, 0);
  }
  for (const Ring &ring : rings) {
    eraseWithLoops(ring.copy, loop);
    readStage(ring);
    ring.old.getDefiningOp()->erase();
  }
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

LogicalResult fuser::pipelineLoops(loop::KernelOp kernel) {
  if (kernel.getStage() != loop::Stage::Reduced)
    return success();
  LoopFacts facts(kernel);
  llvm::MapVector<Operation *, LoopPipeliner> loops;
  WalkResult walked = kernel.walk([&](loop::BufferOp buffer) {
    if (!buffer.getStages())
      return WalkResult::advance();
    loop::ForOp loop = getLoop(buffer);
    auto [it, isNew] = loops.try_emplace(loop, kernel, facts, loop);
    return succeeded(it->second.add(buffer)) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  for (auto &[loop, pipeliner] : loops)
    pipeliner.run();
  kernel.setStage(loop::Stage::Pipelined);
  return success();
}

namespace {
struct PipelineLoops : fuser::impl::FuserPipelineLoopsBase<PipelineLoops> {
  using FuserPipelineLoopsBase::FuserPipelineLoopsBase;

  void runOnOperation() override {
    if (failed(pipelineLoops(getOperation())))
      signalPassFailure();
  }
};
} // namespace
