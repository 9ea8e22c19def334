//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans whose tiles are on blocks, each of which waits for the tuples of those before it: a part of
// fuser-plan-reductions.
//
// Tiles are numbered in the order in which their blocks begin, so that a block waits for blocks
// that have begun. They form groups: a tile combines the tuple of all groups before its own, which
// the last tile of the preceding group publishes, with those of the tiles before it in its group.
// What is combined, and in which order, does not depend on timing.
//
//===----------------------------------------------------------------------===//

#include "ScanPlanner.h"

using namespace mlir;
using namespace fuser;

/// Tiles of a group. The tuples of groups pass from one to the next, which takes about 2 us; in
/// this time the memory of a device serves about 100 tiles of 64 KB.
static constexpr int64_t kGroup = 256;

/// Where the tuples of tiles are. A group has kGroup + 1 entries: that of all groups before it, and
/// those of its tiles.
struct ScanPlanner::Chain {
  /// The number of the tile in its row, and of tiles.
  AffineExpr tile, tiles;
  /// Its group, its number in its group, and the number of groups.
  AffineExpr group, inGroup, groups;
  /// The index and the extent of each block type that is not chained.
  SmallVector<AffineExpr> row, rows;
  /// Which of the tuples of an entry this thread has, and their number.
  AffineExpr slot;
  int64_t slots = 1;
  /// The threads with the same tuple; the number of this one in the order of the scan, and theirs.
  SmallVector<ParallelType> equal;
  AffineExpr helper;
  int64_t helpers = 1;
  /// A workspace for each component of a tuple, and a counter for each entry.
  SmallVector<Value> memory;
  Value flags;

  /// An entry in the workspaces. Neighboring threads access neighboring elements.
  TupleIndex getPlace(const TupleIndex &tuple, AffineExpr ofGroup, AffineExpr entry) const {
    TupleIndex place(row);
    place.append({ofGroup, entry});
    llvm::append_range(place, tuple);
    place.push_back(slot);
    return place;
  }
  /// The number of an entry.
  AffineExpr getNumber(AffineExpr ofGroup, AffineExpr entry) const {
    AffineExpr number = getAffineConstantExpr(0, entry.getContext());
    for (auto [index, extent] : llvm::zip_equal(row, rows))
      number = number * extent + index;
    return addTerms(addTerms(number * groups, ofGroup) * (kGroup + 1), entry);
  }

private:
  /// Term by term, as text is parsed.
  static AffineExpr addTerms(AffineExpr sum, AffineExpr terms) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(terms);
    return binary && terms.getKind() == AffineExprKind::Add
               ? addTerms(addTerms(sum, binary.getLHS()), binary.getRHS())
               : sum + terms;
  }
};

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void ScanPlanner::addRow(Chain &chain) {
  const ParallelType chained = scan.getOver().getTypes().front();
  const SmallVector<AffineExpr> grid = getGrid(kernel, facts);
  auto getCount = [&](ParallelType type) {
    return grid[unsigned(type) - unsigned(ParallelType::BlockX)];
  };
  for (ParallelType type : kBlockTypes) {
    if (type == chained || !kernel.isSplit(type))
      continue;
    chain.row.push_back(openBlock(type));
    chain.rows.push_back(getCount(type));
  }
  chain.tile = openBlock(chained);
  chain.tiles = getCount(chained);
  chain.group = chain.tile.floorDiv(kGroup);
  chain.inGroup = chain.tile % kGroup;
  chain.groups = chain.tiles.ceilDiv(kGroup);
}

void ScanPlanner::addSlots(Chain &chain) {
  openThreads();
  chain.equal = getSplitTypes(scan.getEqual().getTypes());
  chain.slot = chain.helper = constant(0);
  for (ParallelType type : chain.equal) {
    chain.helper = chain.helper * getCount(type) + getThread(type);
    chain.helpers *= getCount(type);
  }
  if (isReversed)
    chain.helper = chain.helpers - 1 - chain.helper;
  for (ParallelType type : llvm::reverse(kThreadTypes))
    if (!llvm::is_contained(chain.equal, type)) {
      chain.slot = chain.slot * getCount(type) + getThread(type);
      chain.slots *= getCount(type);
    }
}

void ScanPlanner::addMemory(Chain &chain) {
  auto getValue = [&](AffineExpr leaf) { return facts.getValue(leaf); };
  AffineExpr entries = chain.groups * (kGroup + 1);
  for (AffineExpr extent : chain.rows)
    entries = entries * extent;
  SmallVector<AffineExpr> extents(chain.rows);
  extents.append({chain.groups, constant(kGroup + 1)});
  for (int64_t extent : shape)
    extents.push_back(constant(extent));
  extents.push_back(constant(chain.slots));
  for (Value total : totals)
    chain.memory.push_back(createWorkspace(kernel, loc,
                                           cast<loop::BufferType>(total.getType()).getElementType(),
                                           extents, /*zeroed=*/false, getValue));
  chain.flags =
      createWorkspace(kernel, loc, builder.getI32Type(), entries, /*zeroed=*/true, getValue);
}

//===----------------------------------------------------------------------===//
// Publications
//===----------------------------------------------------------------------===//

/// Stores tuples to an entry, and tells other blocks. Of the threads with the same tuple, one does.
void ScanPlanner::publish(const Chain &chain, ValueRange tuples, AffineExpr group, AffineExpr entry,
                          const Constraints &condition) {
  Constraints guard(condition);
  if (chain.helpers > 1)
    guard.push_back(Constraint::equal(chain.helper, constant(0)));
  forTuples([&](const TupleIndex &tuple) {
    move(tuples, chain.memory, tuple, chain.getPlace(tuple, group, entry), guard);
  });
  if (chain.slots > 1)
    guard.push_back(Constraint::equal(chain.slot, constant(0)));
  createPublish(builder, loc, chain.flags, chain.memory, chain.getNumber(group, entry), guard,
                chain.equal, [&](AffineExpr leaf) { return facts.getValue(leaf); });
}

/// Each helper combines some adjacent entries before that of the tile.
SmallVector<Value> ScanPlanner::collect(const Chain &chain) {
  const SmallVector<Value> partial = addPartial();
  OpBuilder::InsertionGuard insertion(builder);
  const int64_t each = llvm::divideCeil(kGroup + 1, chain.helpers);
  const AffineExpr number = chain.helper * each + openLoop(each, ParallelType::Serial);
  // The first group has none before it.
  const Constraints exists = {Constraint::less(number, chain.inGroup + 1),
                              Constraint::less(constant(0), number + chain.group)};
  createAwait(builder, loc, chain.flags, chain.getNumber(chain.group, number), exists,
              [&](AffineExpr leaf) { return facts.getValue(leaf); });
  forTuples([&](const TupleIndex &tuple) {
    AccessExprs read = getAccess(chain.getPlace(tuple, chain.group, number));
    // What is awaited was written before.
    for (auto types : {ArrayRef(kBlockTypes), ArrayRef(kThreadTypes)})
      llvm::append_range(read.follows, getSplitTypes(types));
    step(loop::TileStep::Merge, chain.memory, read, partial, tuple, std::nullopt, exists);
  });
  return partial;
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

LogicalResult ScanPlanner::chainBlocks() {
  for (auto loop = scan->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    if (!isThreadType(loop.getType()) && !isBlockType(loop.getType()))
      return scan.emitOpError("expected no loop around a scan of blocks but those on hardware");
  const SmallVector<Value> ofTile(totals), before(scan.getBefore());
  Chain chain;
  OpBuilder::InsertionGuard guard(builder);
  addRow(chain);
  addSlots(chain);
  addMemory(chain);
  publish(chain, ofTile, chain.group, chain.inGroup + 1, {});
  const SmallVector<Value> partial = collect(chain);
  forTuples([&](const TupleIndex &tuple) { move(partial, before, tuple, tuple); });
  // What all helpers have.
  totals = before;
  scanThreads(chain.equal, {});
  // The last tile of a group has what the next group waits for.
  const SmallVector<Value> next = addBuffers(shape, MemoryType::Register);
  forTuples([&](const TupleIndex &tuple) {
    move(before, next, tuple, tuple);
    step(loop::TileStep::Merge, ofTile, getAccess(tuple), next, tuple);
  });
  publish(chain, next, chain.group + 1, constant(0),
          {Constraint::equal(chain.inGroup, constant(kGroup - 1)),
           Constraint::less(chain.tile + 1, chain.tiles)});
  return success();
}
