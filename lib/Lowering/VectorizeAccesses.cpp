//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-vectorize-accesses: the offset of each access, and how many elements it moves at once.
//
//===----------------------------------------------------------------------===//

#include "KernelOperands.h"
#include "LaneSplits.h"
#include "OffsetExprs.h"
#include "PartialVectors.h"
#include "Stages.h"
#include "UnswitchLoops.h"
#include "Warps.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Lowering/Passes.h"
#include <numeric>

namespace fuser {
#define GEN_PASS_DEF_FUSERVECTORIZEACCESSES
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
class AccessVectorizer {
public:
  AccessVectorizer(loop::KernelOp kernel, bool vectorAtomics);
  LogicalResult run();

private:
  LogicalResult vectorize(loop::TileOp tile);
  void settleCopy(loop::TileOp copy);
  void vectorize(loop::IndexOp index);
  void vectorize(loop::XorOp index);
  void vectorize(Value buffer, AccessExprs &access, bool isRead, int64_t widest);
  void setLanes(Operation *op);
  void noteUniform(loop::TileOp tile, const TileExprs &exprs);
  bool isOneElement(loop::TileOp tile, const TileExprs &exprs) const;
  std::optional<Constraint> getFirstLane(const Constraint &constraint) const;
  LogicalResult guardParts(loop::TileOp tile, TileExprs &exprs);
  void atFirstLane(TileExprs &exprs) const;
  template <typename Op> void foldPlace(Op op);
  void foldAll(TileExprs &exprs) const;
  bool isContiguous(AffineExpr offset, int64_t chunk, int64_t bytes, int64_t alignment) const;
  void useInstruction(loop::TileOp tile);

  int64_t getWidestWrite(loop::TileOp tile) const;

  loop::KernelOp kernel;
  bool vectorAtomics;
  MLIRContext *context;
  LoopFacts facts;
  OffsetExprs offsets;
  LaneSplits lanes;
  /// Registers in which all lanes have the same element, and the dimension of the lanes.
  llvm::DenseMap<Value, unsigned> uniform;
  /// Of the @vectorize loop of the tile: its induction variable and its extent.
  AffineExpr variable;
  int64_t width = 1;
};
} // namespace

AccessVectorizer::AccessVectorizer(loop::KernelOp kernel, bool vectorAtomics)
    : kernel(kernel), vectorAtomics(vectorAtomics), context(kernel->getContext()), facts(kernel),
      offsets(kernel, facts), lanes(facts) {}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// Folds what is no offset.
void AccessVectorizer::foldAll(TileExprs &exprs) const {
  auto foldGuard = [&](Constraints &guard) {
    for (Constraint &constraint : guard)
      constraint.lhs = offsets.fold(constraint.lhs);
  };
  foldGuard(exprs.guard);
  for (std::optional<AccessExprs> &access : exprs.reads)
    if (access)
      foldGuard(access->guard);
  for (AccessExprs &access : exprs.writes)
    foldGuard(access.guard);
  for (AffineExpr &root : exprs.roots)
    root = offsets.fold(root);
}

/// The elements that a tile may store at once. An atomic access adds several elements of f32 only,
/// in global memory.
int64_t AccessVectorizer::getWidestWrite(loop::TileOp tile) const {
  const std::optional<ScatterReduce> combine = tile.getCombine();
  if (!combine)
    return width;
  auto type = cast<loop::BufferType>(tile.getOutputs().front().getType());
  const bool isVector = vectorAtomics && combine == ScatterReduce::Add &&
                        type.getElementType().isF32() && type.getSpace() == MemoryType::Global;
  return isVector ? std::min(width, kWidestAccess / getElementBytes(type.getElementType())) : 1;
}

/// True if the lanes of a chunk are one access: of one element, or of consecutive elements at a
/// multiple of the chunk.
bool AccessVectorizer::isContiguous(AffineExpr offset, int64_t chunk, int64_t bytes,
                                    int64_t alignment) const {
  std::optional<LaneSplit> parts = lanes.split(offset, chunk);
  return parts && (!parts->hasLane || lanes.isVector(*parts, chunk, bytes, alignment));
}

void AccessVectorizer::vectorize(Value buffer, AccessExprs &access, bool isRead, int64_t widest) {
  auto type = cast<loop::BufferType>(buffer.getType());
  const int64_t bytes = getElementBytes(type.getElementType());
  const int64_t alignment = offsets.getAlignment(buffer);
  // A distributed buffer has its elements in the block that the first index names.
  SmallVector<AffineExpr, 2> peer;
  if (loop::BufferOp::isDistributed(buffer))
    peer.push_back(offsets.fold(access.results.front()));
  const AffineExpr offset = offsets.getOffset(buffer, access.results);
  access.results.assign(peer);
  access.results.push_back(offset);
  access.chunk = 1;
  if (type.isPrivate() && isRead) {
    const IntegerRange range = facts.getRange(offset);
    access.clamped = range.lower < 0 || range.upper >= type.getNumElements();
  }
  // What is read or guarded is done in the widest parts that are one access, a store without guard
  // at once or one by one.
  const bool hasParts = isRead || !access.guard.empty();
  bool isVector = false;
  for (int64_t chunk = widest; chunk > 1; chunk = hasParts ? chunk / 2 : 1) {
    if (!lanes.isUniform(access.guard, chunk) || !isContiguous(offset, chunk, bytes, alignment))
      continue;
    const LaneSplit parts = *lanes.split(offset, chunk);
    // The last chunk, which stands for those beyond the buffer, has to begin at a multiple.
    if (access.clamped && parts.hasLane && type.getNumElements() % chunk != 0)
      continue;
    // Equal lanes are one element: the access does not name the lane, so that its expansion
    // reads no vector. Chunks that differ would name it.
    if (!parts.hasLane && (!isRead || chunk != width))
      continue;
    access.chunk = chunk;
    isVector = parts.hasLane;
    if (!isVector)
      access.results.back() = parts.base;
    break;
  }
  access.alignment =
      isVector ? std::min(kWidestAccess, access.chunk * bytes) : std::gcd(kWidestAccess, bytes);
}

/// True if the tile computes one element for all lanes, which exists where the first lane does.
bool AccessVectorizer::isOneElement(loop::TileOp tile, const TileExprs &exprs) const {
  auto isFixed = [&](AffineExpr expr) { return lanes.isFixed(expr); };
  auto isInRegisters = [](Type type) { return cast<loop::BufferType>(type).isPrivate(); };
  return tile.getStep() == loop::TileStep::Element &&
         llvm::all_of(tile.getOutputs().getTypes(), isInRegisters) &&
         llvm::all_of(exprs.roots, isFixed) &&
         llvm::all_of(exprs.reads, [&](const std::optional<AccessExprs> &access) {
           return !access || (llvm::all_of(access->results, isFixed) &&
                              llvm::all_of(access->guard, [&](const Constraint &constraint) {
                                return isFixed(constraint.lhs) && isFixed(constraint.rhs);
                              }));
         });
}

/// `constraint` as one that holds for lane 0 alone if it holds: an equality with 0 of an index that
/// begins at a multiple of the width and follows the lanes. Null for another constraint.
std::optional<Constraint> AccessVectorizer::getFirstLane(const Constraint &constraint) const {
  const AffineExpr zero = getAffineConstantExpr(0, context);
  std::optional<LaneSplit> parts = lanes.split(constraint.lhs, width);
  if (constraint.kind != loop::ConstraintKind::Equal || constraint.rhs != zero || !parts ||
      !parts->hasLane || facts.getDivisor(parts->base) % width != 0)
    return std::nullopt;
  return Constraint::equal(parts->base, zero);
}

/// A vector of which only some lanes may exist is computed for all of them. Its accesses to memory
/// have the constraints that differ. Where the first lane alone is stored, the store says so.
LogicalResult AccessVectorizer::guardParts(loop::TileOp tile, TileExprs &exprs) {
  Constraints parts, common, stored;
  const bool storesGlobal = llvm::all_of(tile.getOutputs().getTypes(), [](Type type) {
    return cast<loop::BufferType>(type).getSpace() == MemoryType::Global;
  });
  for (const Constraint &constraint : exprs.guard) {
    if (lanes.isUniform({constraint}, width)) {
      common.push_back(constraint);
    } else if (std::optional<Constraint> first = getFirstLane(constraint); first && storesGlobal) {
      common.push_back(*first);
      stored = {Constraint::equal(variable, getAffineConstantExpr(0, context))};
    } else if (!isImpliedByBranches(constraint, tile, facts)) {
      parts.push_back(constraint);
    }
  }
  for (AccessExprs &access : exprs.writes)
    llvm::append_range(access.guard, stored);
  if (parts.empty()) {
    exprs.guard = common;
    return success();
  }
  if (tile.getStep() != loop::TileStep::Element)
    return tile.emitOpError("expected a vector of ")
           << width << " elements that all exist or do not, but their guard differs";
  exprs.guard = common;
  auto isInMemory = [](Value buffer) {
    auto type = dyn_cast<loop::BufferType>(buffer.getType());
    return type && !type.isPrivate();
  };
  for (auto [input, access] : llvm::zip_equal(tile.getInputs(), exprs.reads))
    if (isInMemory(input))
      llvm::append_range(access->guard, parts);
  for (auto [output, access] : llvm::zip_equal(tile.getOutputs(), exprs.writes))
    if (isInMemory(output))
      llvm::append_range(access.guard, parts);
  return success();
}

/// All lanes exist where the first one does. Roots that follow the lanes say so.
void AccessVectorizer::atFirstLane(TileExprs &exprs) const {
  const AffineExpr zero = getAffineConstantExpr(0, context);
  for (Constraint &constraint : exprs.guard) {
    constraint.lhs = constraint.lhs.replace(variable, zero);
    constraint.rhs = constraint.rhs.replace(variable, zero);
  }
  for (AffineExpr &root : exprs.roots)
    if (std::optional<LaneSplit> parts = lanes.split(root, width))
      root = parts->hasLane ? parts->base + variable : parts->base;
}

/// As the offset and the guard of what is published, and awaited, there.
template <typename Op> void AccessVectorizer::foldPlace(Op op) {
  AffineMap map = op.getPlace();
  AffineExpr place = facts.lift(map.getResult(0), op.getIndices(), map.getNumDims());
  Constraints guard = facts.lift(op.getGuard(), op.getIndices());
  for (Constraint &constraint : guard)
    constraint.lhs = offsets.fold(constraint.lhs);
  setChainExprs(op, offsets.joinTerms(offsets.fold(offsets.joinTerms(place))), guard,
                [&](AffineExpr leaf) { return facts.getValue(leaf); });
}

void AccessVectorizer::setLanes(Operation *op) {
  loop::ForOp vector = loop::TileOp::findVectorLoop(op);
  variable = vector ? facts.getExpr(vector.getInductionVar()) : AffineExpr();
  width = loop::TileOp::findWidth(op);
  lanes.setLanes(variable, width);
}

/// A lane names the row of an 8x8 matrix, and has its part of the product, or of what is stored.
void AccessVectorizer::useInstruction(loop::TileOp tile) {
  TileExprs exprs = facts.lift(tile);
  auto set = [&](Value buffer, AccessExprs &access, int64_t chunk, int64_t alignment) {
    access.results = {offsets.getOffset(buffer, access.results)};
    access.chunk = chunk;
    access.alignment = alignment;
  };
  if (auto store = dyn_cast<kernel_ir::StMatrixAttr>(*tile.getInstruction())) {
    const int64_t ofLane = store.getOfLane();
    set(tile.getInputs().front(), *exprs.reads.front(), ofLane, /*alignment=*/2 * ofLane);
    set(tile.getOutputs().front(), exprs.writes.front(), /*chunk=*/8, /*alignment=*/16);
  } else {
    // What a lane has of the product; of a warp group's, a pair of columns.
    auto mma = dyn_cast<kernel_ir::MmaAttr>(*tile.getInstruction());
    const int64_t ofLane = mma ? mma.getM() * mma.getN() / kWarp : kOfMmaLane;
    for (auto [input, access] : llvm::zip_equal(tile.getInputs(), exprs.reads))
      set(input, *access, /*chunk=*/8, /*alignment=*/16);
    set(tile.getOutputs().front(), exprs.writes.front(), ofLane, /*alignment=*/4);
  }
  setTileExprs(tile, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
}

/// An index that is computed of rows is the same for all lanes, although each has an element of its
/// own: what is read at it is one access.
void AccessVectorizer::noteUniform(loop::TileOp tile, const TileExprs &exprs) {
  auto isFixed = [&](AffineExpr expr) { return lanes.isFixed(expr); };
  auto isEqual = [&](Value input, const std::optional<AccessExprs> &access) {
    if (!access)
      return true;
    auto it = uniform.find(input);
    return lanes.isUniform(access->guard, width) &&
           llvm::all_of(llvm::enumerate(access->results), [&](const auto &result) {
             return isFixed(result.value()) ||
                    (it != uniform.end() && result.index() == it->second &&
                     result.value() == variable);
           });
  };
  if (tile.getStep() != loop::TileStep::Element || !lanes.isUniform(exprs.guard, width) ||
      !llvm::all_of(exprs.roots, isFixed) ||
      !llvm::all_of(llvm::zip_equal(tile.getInputs(), exprs.reads),
                    [&](auto read) { return isEqual(std::get<0>(read), std::get<1>(read)); }))
    return;
  for (auto [output, write] : llvm::zip_equal(tile.getOutputs(), exprs.writes)) {
    const Value written = output;
    auto buffer = written.getDefiningOp<loop::BufferOp>();
    const bool isOnlyWriter = llvm::all_of(written.getUsers(), [&](Operation *user) {
      auto other = dyn_cast<loop::TileOp>(user);
      return user == tile || !other || !llvm::is_contained(other.getOutputs(), written);
    });
    const auto *place = llvm::find(write.results, variable);
    if (buffer && buffer.getType().isPrivate() && isOnlyWriter && place != write.results.end())
      uniform[written] = place - write.results.begin();
  }
}

LogicalResult AccessVectorizer::vectorize(loop::TileOp tile) {
  if (tile.getInstruction() && !tile.isBulk()) {
    useInstruction(tile);
    return success();
  }
  setLanes(tile);
  TileExprs exprs = facts.lift(tile);
  foldAll(exprs);
  if (variable)
    noteUniform(tile, exprs);
  if (variable && !isOneElement(tile, exprs) && failed(guardParts(tile, exprs)))
    return failure();
  if (variable)
    atFirstLane(exprs);
  // An op with loops of its own computes lane by lane.
  const bool isLaneByLane = isa_and_present<WholeReadOpInterface>(tile.getElementOp());
  for (auto [input, access] : llvm::zip_equal(tile.getInputs(), exprs.reads))
    if (access)
      vectorize(input, *access, /*isRead=*/true, isLaneByLane ? 1 : width);
  for (auto [output, access] : llvm::zip_equal(tile.getOutputs(), exprs.writes))
    vectorize(output, access, /*isRead=*/false, getWidestWrite(tile));
  setTileExprs(tile, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
  if (tile.getStep() == loop::TileStep::Copy)
    settleCopy(tile);
  return success();
}

/// A vector that is not one access may have parts that no asynchronous copy has.
void AccessVectorizer::settleCopy(loop::TileOp copy) {
  auto buffer = copy.getOutputs().front().getDefiningOp<loop::BufferOp>();
  const int64_t bytes = getCopiedElements(copy) * buffer.getElementBytes();
  if (bytes == 4 || bytes == 8 || bytes == 16)
    return;
  copy.emitRemark("expected accesses of 4, 8 or 16 bytes to copy asynchronously, but got ")
      << bytes << ": each copy is a load and a store";
  copy.setStep(loop::TileStep::Element);
}

void AccessVectorizer::vectorize(loop::IndexOp index) {
  setLanes(index);
  AccessExprs access = facts.lift(index.getAccess(), index.getIndices());
  if (auto it = uniform.find(index.getBuffer()); variable && it != uniform.end()) {
    AffineExpr &result = access.results[it->second];
    result = result.replace(variable, getAffineConstantExpr(0, context));
  }
  vectorize(index.getBuffer(), access, /*isRead=*/true, width);
  if (variable && !lanes.isFixed(access.results.front()))
    lanes.setPerLane(facts.getExpr(index.getResult()));
  setIndexExprs(index, access, [&](AffineExpr leaf) { return facts.getValue(leaf); });
}

void AccessVectorizer::vectorize(loop::XorOp index) {
  setLanes(index);
  if (variable && !llvm::all_of(index.getTerms().getResults(), [&](AffineExpr term) {
        return lanes.isFixed(facts.lift(term, index.getIndices(), index.getTerms().getNumDims()));
      }))
    lanes.setPerLane(facts.getExpr(index.getResult()));
}

LogicalResult AccessVectorizer::run() {
  WalkResult walked = kernel.walk([&](Operation *op) {
    if (auto index = dyn_cast<loop::IndexOp>(op))
      vectorize(index);
    else if (auto swizzled = dyn_cast<loop::XorOp>(op))
      vectorize(swizzled);
    else if (auto publish = dyn_cast<loop::PublishOp>(op))
      foldPlace(publish);
    else if (auto await = dyn_cast<loop::AwaitOp>(op))
      foldPlace(await);
    auto tile = dyn_cast<loop::TileOp>(op);
    return tile && failed(vectorize(tile)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  kernel.setStage(loop::Stage::Accessed);
  return success();
}

LogicalResult fuser::vectorizeAccesses(loop::KernelOp kernel, const LoweringOptions &options) {
  if (kernel.getStage() != loop::Stage::Synchronized)
    return success();
  if (failed(selectInstructions(kernel, options)))
    return failure();
  versionPartialVectors(kernel);
  return AccessVectorizer(kernel, options.vectorAtomics).run();
}

namespace {
struct VectorizeAccesses : fuser::impl::FuserVectorizeAccessesBase<VectorizeAccesses> {
  using FuserVectorizeAccessesBase::FuserVectorizeAccessesBase;

  void runOnOperation() override {
    LoweringOptions options;
    options.warpGroups = warpGroups;
    options.matrixStores = matrixStores;
    options.vectorAtomics = vectorAtomics;
    if (failed(vectorizeAccesses(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
