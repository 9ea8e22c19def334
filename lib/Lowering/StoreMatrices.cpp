//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stores of matrices in place of stores of pairs: the lanes of a warp have results of products as
// stmatrix stores them to shared memory.
//
//===----------------------------------------------------------------------===//

#include "LaneAccesses.h"
#include "Stages.h"
#include "Warps.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

/// The matrices that an instruction stores, at most.
static constexpr int64_t kMostMatrices = 4;
/// Those that a lane holds until it stores them, each in a register: all that a warp has of 256
/// columns.
static constexpr int64_t kMostHeld = 64;

namespace {
/// A tile that stores a pair of 16-bit elements to shared memory, in copies of loops. It becomes
/// one that writes registers, and the loops are followed by the stores of matrices from these.
struct PairStore {
  loop::TileOp tile;
  /// The loops that end before the matrices are stored, innermost first: those that are written out
  /// with what one instruction stores of them, and those on threads.
  struct Copies {
    loop::ForOp loop;
    int64_t extent, atOnce;
    /// That of the stores; null if one instruction has all.
    loop::ForOp ofStores;
  };
  SmallVector<Copies, 4> copies;
  SmallVector<std::pair<loop::ForOp, loop::ForOp>, 2> threads;
  int64_t matrices = 1;
  /// The last of the loops.
  Operation *outermost = nullptr;
  loop::BufferOp held;
  /// Where the stores are.
  Block *block = nullptr;
  Block::iterator place;

  Value getTarget() const { return loop::TileOp(tile).getOutputs().front(); }
};

class MatrixStores {
public:
  explicit MatrixStores(loop::KernelOp kernel) : kernel(kernel) {}
  void run();

private:
  std::optional<PairStore> find(loop::TileOp tile) const;
  bool isPair(loop::TileOp tile) const;
  bool isOfAllThreads(loop::TileOp tile) const;
  void open(PairStore &store);
  bool isInside(const PairStore &store, LoopFacts &facts) const;
  bool haveOwnPlaces(const PairStore &store, const AccessExprs &row, LoopFacts &facts,
                     RowAddresses &rows);
  ExprReplacement getAddress(const PairStore &store, bool isTransposed, LoopFacts &facts,
                             RowAddresses &rows) const;
  bool replace(PairStore &store, LoopFacts &facts, RowAddresses &rows);
  void hold(const PairStore &store, LoopFacts &facts);

  loop::KernelOp kernel;
};
} // namespace

//===----------------------------------------------------------------------===//
// Stores of pairs
//===----------------------------------------------------------------------===//

static bool isWrittenBy(Value buffer, Operation *user) {
  auto tile = dyn_cast<loop::TileOp>(user);
  return tile && llvm::is_contained(tile.getOutputs(), buffer);
}

/// Two elements of 16 bits of a buffer that nothing else writes.
bool MatrixStores::isPair(loop::TileOp tile) const {
  if (tile.getStep() != loop::TileStep::Element || tile.getInstruction() ||
      tile.getOutputs().size() != 1 || !tile.getOnce().getTypes().empty() || tile.getWidth() != 2 ||
      !llvm::all_of(tile.getGuard().getKinds(),
                    [](loop::ConstraintKind kind) { return kind == loop::ConstraintKind::Less; }))
    return false;
  Value target = tile.getOutputs().front();
  auto type = cast<loop::BufferType>(target.getType());
  return type.getSpace() == MemoryType::Shared && !loop::BufferOp::isDistributed(target) &&
         !loop::BufferOp::isCircular(target) &&
         kernel_ir::StMatrixAttr::exists(1, type.getElementType()) &&
         llvm::count_if(target.getUsers(),
                        [&](Operation *user) { return isWrittenBy(target, user); }) == 1;
}

/// True if whole warps run the tile, in no branch.
bool MatrixStores::isOfAllThreads(loop::TileOp tile) const {
  ArrayRef<int64_t> threads = *loop::KernelOp(kernel).getThreads();
  if (threads[0] % kWarp != 0 || !findThreadLoop(tile) || tile->getParentOfType<loop::IfOp>())
    return false;
  for (auto loop = tile->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (isThreadType(loop.getType()) &&
        loop.getConstantExtent() !=
            threads[unsigned(loop.getType()) - unsigned(ParallelType::ThreadX)])
      return false;
  return true;
}

/// True if the stores of the tile may be done after the loop: nothing in it waits for threads, or
/// accesses the buffer.
static bool canStoreAfter(loop::ForOp loop, loop::TileOp tile) {
  Value target = tile.getOutputs().front();
  if (loop->isAncestor(target.getDefiningOp()))
    return false;
  return !loop.walk<WalkOrder::PreOrder>([&](Operation *op) {
                if (op != tile && llvm::is_contained(op->getOperands(), target))
                  return WalkResult::interrupt();
                if (isa<loop::TileOp>(op))
                  return WalkResult::skip();
                return isa<loop::ForOp, loop::BufferOp, loop::IndexOp>(op) || isPure(op)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// As many matrices at once as possible, of as few loops as possible, but of all whose versions
/// threads choose on their own.
std::optional<PairStore> MatrixStores::find(loop::TileOp tile) const {
  if (!isPair(tile) || !isOfAllThreads(tile))
    return std::nullopt;
  loop::ForOp vector = tile.getVectorLoop();
  unsigned unswitched = 0;
  for (auto loop = vector->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    unswitched += loop.getUnswitch();
  PairStore store, found;
  store.tile = tile;
  store.outermost = vector;
  if (unswitched == 0)
    found = store;
  int64_t held = 1;
  for (auto loop = dyn_cast<loop::ForOp>(vector->getParentOp()); loop;
       loop = dyn_cast<loop::ForOp>(loop->getParentOp())) {
    const std::optional<int64_t> extent = loop.getConstantExtent();
    const bool isWrittenOut = loop.getType() == ParallelType::Unroll && extent.value_or(0) > 0;
    if ((!isWrittenOut && !isThreadType(loop.getType())) || !canStoreAfter(loop, tile))
      break;
    store.outermost = loop;
    if (!isWrittenOut) {
      store.threads.push_back({loop, {}});
      continue;
    }
    held *= *extent;
    if (held > kMostHeld)
      break;
    const int64_t atOnce = std::gcd(*extent, kMostMatrices / store.matrices);
    store.copies.push_back({loop, *extent, atOnce, {}});
    store.matrices *= atOnce;
    unswitched -= loop.getUnswitch();
    if (unswitched == 0 && (!found.tile || store.matrices > found.matrices))
      found = store;
  }
  return found.tile ? std::optional(found) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops of stores
//===----------------------------------------------------------------------===//

/// The registers before the loops, and the loops of the stores after them.
void MatrixStores::open(PairStore &store) {
  const Location loc = store.tile.getLoc();
  OpBuilder builder(store.outermost);
  int64_t groups = 1;
  for (const PairStore::Copies &each : store.copies)
    groups *= each.extent / each.atOnce;
  store.held = loop::BufferOp::create(
      builder, loc,
      loop::BufferType::get(kernel.getContext(), {groups, store.matrices, kOfMmaLane},
                            cast<loop::BufferType>(store.getTarget().getType()).getElementType(),
                            MemoryType::Register));
  builder.setInsertionPointAfter(store.outermost);
  for (PairStore::Copies &each : llvm::reverse(store.copies))
    if (each.extent > each.atOnce)
      each.ofStores = openLoop(builder, loc, each.extent / each.atOnce, ParallelType::Unroll);
  for (auto &[loop, ofStores] : llvm::reverse(store.threads))
    ofStores = openLoop(builder, loc, *loop.getConstantExtent(), loop.getType());
  store.block = builder.getInsertionBlock();
  store.place = builder.getInsertionPoint();
}

static void erase(const PairStore &store) {
  Operation *nest = nullptr;
  for (const PairStore::Copies &each : llvm::reverse(store.copies))
    nest = nest ? nest : loop::ForOp(each.ofStores);
  for (auto [loop, ofStores] : llvm::reverse(store.threads))
    nest = nest ? nest : loop::ForOp(ofStores);
  if (nest)
    nest->erase();
  loop::BufferOp(store.held).erase();
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// True if also elements that do not exist have places in the buffer.
bool MatrixStores::isInside(const PairStore &store, LoopFacts &facts) const {
  const TileExprs exprs = facts.lift(store.tile);
  auto type = cast<loop::BufferType>(store.getTarget().getType());
  return llvm::all_of(llvm::zip_equal(exprs.writes.front().results, type.getShape()),
                      [&](auto dim) {
                        auto [index, extent] = dim;
                        const IntegerRange range = facts.getRange(index);
                        return range.lower >= 0 && range.upper < extent;
                      });
}

/// True if no two rows that the threads of a block store have a place in common: elements that do
/// not exist may be stored, as nothing reads them.
bool MatrixStores::haveOwnPlaces(const PairStore &store, const AccessExprs &row, LoopFacts &facts,
                                 RowAddresses &rows) {
  loop::TileOp tile = store.tile;
  if (llvm::all_of(facts.lift(tile.getGuard(), tile.getIndices()),
                   [&](const Constraint &each) { return facts.isProved(each); }))
    return true;
  // Indices and their extents, that of the lane last.
  SmallVector<std::pair<AffineExpr, int64_t>> loops;
  for (const PairStore::Copies &each : store.copies)
    if (each.ofStores)
      loops.push_back(
          {facts.getExpr(loop::ForOp(each.ofStores).getInductionVar()), each.extent / each.atOnce});
  for (Operation *around = store.block->getParentOp(); around != kernel;
       around = around->getParentOp())
    if (auto loop = dyn_cast<loop::ForOp>(around); loop && isThreadType(loop.getType())) {
      auto at = loop.getType() == ParallelType::ThreadX ? loops.end() : loops.begin();
      loops.insert(at, {facts.getExpr(loop.getInductionVar()), *loop.getConstantExtent()});
    }
  int64_t cases = 1;
  for (auto [index, extent] : loops)
    cases *= extent;
  const AffineExpr offset = rows.getOffset(store.getTarget(), row.results);
  llvm::DenseSet<int64_t> places;
  llvm::DenseMap<AffineExpr, int64_t> at;
  for (int64_t number = 0; number < cases; ++number) {
    int64_t rest = number;
    for (auto [index, extent] : llvm::reverse(loops)) {
      at[index] = rest % extent;
      rest /= extent;
    }
    // The addresses of further lanes are not used.
    if (at[loops.back().first] % kWarp < kMatrix * store.matrices &&
        !places.insert(rows.evaluate(offset, at)).second)
      return false;
  }
  return true;
}

/// Indices of the loops for an element of the row whose address a lane names: lane 8 * q + r that
/// of row r of matrix q. Lane 4 * i + j has the elements 2 * j and 2 * j + 1 of row i or,
/// `transposed`, of column i.
ExprReplacement MatrixStores::getAddress(const PairStore &store, bool isTransposed,
                                         LoopFacts &facts, RowAddresses &rows) const {
  loop::TileOp tile = store.tile;
  ExprReplacement address;
  Value oldThread = findThreadLoop(tile).getInductionVar(), thread = oldThread;
  for (auto [loop, ofStores] : store.threads) {
    address[facts.getExpr(loop::ForOp(loop).getInductionVar())] =
        facts.getExpr(loop::ForOp(ofStores).getInductionVar());
    if (loop.getType() == ParallelType::ThreadX)
      thread = loop::ForOp(ofStores).getInductionVar();
  }
  const AffineExpr lane = rows.getLane(thread), element = rows.getElement();
  const AffineExpr row = lane % kMatrix;
  AffineExpr owner = isTransposed ? element * 4 + row.floorDiv(kOfMmaLane)
                                  : row * 4 + element.floorDiv(kOfMmaLane);
  if ((*loop::KernelOp(kernel).getThreads())[0] != kWarp)
    owner = facts.getExpr(thread).floorDiv(kWarp) * kWarp + owner;
  address[facts.getExpr(oldThread)] = owner;
  address[facts.getExpr(tile.getVectorLoop().getInductionVar())] =
      (isTransposed ? row : element) % kOfMmaLane;
  int64_t lanes = kMatrix;
  for (const PairStore::Copies &each : store.copies) {
    AffineExpr index = getAffineConstantExpr(0, tile.getContext());
    if (each.ofStores)
      index = facts.getExpr(loop::ForOp(each.ofStores).getInductionVar()) * each.atOnce;
    if (each.atOnce > 1)
      index = index + lane.floorDiv(lanes) % each.atOnce;
    lanes *= each.atOnce;
    address[facts.getExpr(loop::ForOp(each.loop).getInductionVar())] = index;
  }
  return address;
}

//===----------------------------------------------------------------------===//
// Replacement
//===----------------------------------------------------------------------===//

/// The tile writes to registers: by number of the store, of the matrix in it, and of the element.
void MatrixStores::hold(const PairStore &store, LoopFacts &facts) {
  loop::TileOp tile = store.tile;
  TileExprs exprs = facts.lift(tile);
  AffineExpr group = getAffineConstantExpr(0, kernel.getContext()), matrix = group;
  for (const PairStore::Copies &each : llvm::reverse(store.copies)) {
    const AffineExpr index = facts.getExpr(loop::ForOp(each.loop).getInductionVar());
    group = group * (each.extent / each.atOnce);
    if (each.extent > each.atOnce)
      group = group + index.floorDiv(each.atOnce);
    matrix = matrix * each.atOnce;
    if (each.atOnce > 1)
      matrix = matrix + (each.extent > each.atOnce ? index % each.atOnce : index);
  }
  exprs.writes.front().results = {group, matrix,
                                  facts.getExpr(tile.getVectorLoop().getInductionVar())};
  tile.getOutputsMutable().assign(loop::BufferOp(store.held).getResult());
  setTileExprs(tile, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
  for (Operation *around = tile->getParentOp();; around = around->getParentOp()) {
    eraseUnusedIndices(cast<loop::ForOp>(around).getBlock());
    if (around == store.outermost)
      return;
  }
}

/// False if the lanes do not have rows of 8 elements together.
bool MatrixStores::replace(PairStore &store, LoopFacts &facts, RowAddresses &rows) {
  loop::TileOp tile = store.tile;
  if (!isInside(store, facts))
    return false;
  OpBuilder builder(store.block, store.place);
  const AccessExprs pairs = facts.lift(tile).writes.front();
  TileExprs exprs;
  exprs.writes.push_back(pairs);
  // Rows of one matrix at once would be as many stores as pairs.
  bool isTransposed =
      store.matrices == 1 ||
      !rows.findRow(builder, store.getTarget(),
                    getAddress(store, /*isTransposed=*/false, facts, rows), exprs.writes.front());
  if (isTransposed &&
      !rows.findRow(builder, store.getTarget(),
                    getAddress(store, /*isTransposed=*/true, facts, rows), exprs.writes.front())) {
    eraseUnusedIndices(*store.block);
    return false;
  }
  if (!haveOwnPlaces(store, exprs.writes.front(), facts, rows)) {
    eraseUnusedIndices(*store.block);
    return false;
  }
  AffineExpr group = getAffineConstantExpr(0, kernel.getContext());
  for (const PairStore::Copies &each : llvm::reverse(store.copies)) {
    group = group * (each.extent / each.atOnce);
    if (each.ofStores)
      group = group + facts.getExpr(loop::ForOp(each.ofStores).getInductionVar());
  }
  const AffineExpr zero = getAffineConstantExpr(0, kernel.getContext());
  AccessExprs ofLane;
  ofLane.results = {group, zero, zero};
  exprs.reads.push_back(ofLane);
  auto moved = createMove(builder, tile.getLoc(), store.held, store.getTarget(), exprs,
                          tile.getReplicated().getTypes(),
                          [&](AffineExpr leaf) { return facts.getValue(leaf); });
  moved.setInstructionAttr(kernel_ir::StMatrixAttr::get(
      kernel.getContext(), store.matrices, store.held.getType().getElementType(), isTransposed));
  eraseUnusedIndices(*store.block);
  hold(store, facts);
  return true;
}

void MatrixStores::run() {
  SmallVector<PairStore> stores;
  kernel.walk([&](loop::TileOp tile) {
    if (std::optional<PairStore> store = find(tile))
      stores.push_back(*store);
  });
  if (stores.empty())
    return;
  for (PairStore &store : stores)
    open(store);
  LoopFacts facts(kernel);
  RowAddresses rows(kernel, facts);
  for (PairStore &store : stores)
    if (!replace(store, facts, rows))
      erase(store);
}

void fuser::storeMatrices(loop::KernelOp kernel) { MatrixStores(kernel).run(); }
