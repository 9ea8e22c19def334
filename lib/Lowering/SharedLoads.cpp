//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loads of what a thread has loaded before.
//
//===----------------------------------------------------------------------===//

#include "SharedLoads.h"
#include "CommonGuards.h"
#include "ExpandRareValues.h"
#include "LinearIndices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>

using namespace mlir;
using namespace fuser;

namespace {
/// What a load has, and where it is known.
struct LoadedPlace {
  int64_t offset, elements;
  Value value;
  llvm::SmallPtrSet<Value, 4> conditions;
};

/// Memory and the terms of an index.
using Base = std::pair<const void *, SmallVector<std::pair<unsigned, int64_t>>>;

class LoadSharing {
public:
  void run(Block &block);

private:
  using Places = std::map<Base, SmallVector<LoadedPlace, 4>>;

  void visit(Operation &load);
  void visit(scf::IfOp branch);
  Value find(const LoadedPlace &wanted, ArrayRef<LoadedPlace> places, Operation &load) const;

  Places places;
  LinearIndices indices;
  /// The conditions of the branches around.
  SmallVector<Value> conditions;
  SmallVector<Operation *> erased;
};
} // namespace

/// The base of what a load reads, and the place relative to it; nullopt for loads with several
/// indices.
static std::optional<std::pair<Base, LoadedPlace>> getPlace(Operation &load,
                                                            LinearIndices &indices) {
  auto scalar = dyn_cast<memref::LoadOp>(load);
  Value memory = scalar ? scalar.getMemRef() : cast<vector::LoadOp>(load).getBase();
  ValueRange at = scalar ? scalar.getIndices() : cast<vector::LoadOp>(load).getIndices();
  if (at.size() != 1)
    return std::nullopt;
  const LinearIndex &index = indices.get(at.front());
  auto vector = dyn_cast<VectorType>(load.getResult(0).getType());
  return std::pair(
      Base(memory.getAsOpaquePointer(), index.terms),
      LoadedPlace{index.constant, vector ? vector.getNumElements() : 1, load.getResult(0), {}});
}

/// True if what is loaded from `wanted` is the value of `place`, or an element of it.
static bool has(const LoadedPlace &place, const LoadedPlace &wanted) {
  const Type type = place.value.getType(), other = wanted.value.getType();
  if (type == other)
    return place.offset == wanted.offset;
  const int64_t first = wanted.offset - place.offset;
  return isa<VectorType>(type) && !isa<VectorType>(other) && first >= 0 && first < place.elements;
}

/// The first place that has all elements of `wanted` wherever these are loaded.
Value LoadSharing::find(const LoadedPlace &wanted, ArrayRef<LoadedPlace> places,
                        Operation &load) const {
  for (const LoadedPlace &place : places) {
    if (!has(place, wanted) || !llvm::all_of(place.conditions, [&](Value condition) {
          return wanted.conditions.contains(condition);
        }))
      continue;
    if (place.value.getType() == wanted.value.getType())
      return place.value;
    OpBuilder builder(&load);
    return vector::ExtractOp::create(builder, load.getLoc(), place.value,
                                     wanted.offset - place.offset);
  }
  return {};
}

void LoadSharing::visit(Operation &load) {
  auto found = getPlace(load, indices);
  if (!found)
    return;
  auto &[base, place] = *found;
  for (Value condition : conditions)
    addConjuncts(condition, place.conditions);
  SmallVector<LoadedPlace, 4> &others = places[base];
  if (Value known = find(place, others, load)) {
    load.getResult(0).replaceAllUsesWith(known);
    erased.push_back(&load);
    return;
  }
  others.push_back(std::move(place));
}

/// What the branch loads is known after it if it is a result.
void LoadSharing::visit(scf::IfOp branch) {
  for (Region &region : branch->getRegions()) {
    if (region.empty())
      continue;
    const bool isTrue = &region == &branch.getThenRegion();
    const Places before = places;
    if (isTrue)
      conditions.push_back(branch.getCondition());
    run(region.front());
    if (isTrue)
      conditions.pop_back();
    Places inside = std::exchange(places, before);
    if (!isTrue)
      continue;
    for (auto [yielded, result] :
         llvm::zip_equal(branch.thenYield().getOperands(), branch.getResults()))
      for (auto &[base, loaded] : inside)
        for (LoadedPlace &place : loaded)
          if (place.value == yielded && place.value.getParentBlock() == branch.thenBlock()) {
            LoadedPlace outside = place;
            outside.value = result;
            places[base].push_back(std::move(outside));
          }
  }
}

void LoadSharing::run(Block &block) {
  const size_t first = erased.size();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      visit(branch);
    else if (isa<memref::LoadOp, vector::LoadOp>(op) && readsOnlyArguments(op))
      visit(op);
  }
  for (Operation *op : ArrayRef(erased).drop_front(first))
    op->erase();
  erased.truncate(first);
}

/// Results of branches that are known before, or poison, are what is known.
static void forwardYields(gpu::GPUFuncOp function) {
  function.walk([](scf::IfOp branch) {
    if (branch.getNumResults() == 0)
      return;
    for (auto [result, onTrue, onFalse] :
         llvm::zip_equal(branch.getResults(), branch.thenYield().getOperands(),
                         branch.elseYield().getOperands()))
      if (onFalse.getDefiningOp<ub::PoisonOp>() &&
          !branch.getThenRegion().isAncestor(onTrue.getParentRegion()))
        result.replaceAllUsesWith(onTrue);
  });
}

llvm::SmallPtrSet<Operation *, 16> fuser::getRepeatedLoads(gpu::GPUFuncOp function) {
  LinearIndices indices;
  std::map<Base, SmallVector<LoadedPlace, 4>> places;
  function.walk([&](Operation *op) {
    if (!isa<memref::LoadOp, vector::LoadOp>(op) || !readsOnlyArguments(*op))
      return;
    if (auto found = getPlace(*op, indices))
      places[found->first].push_back(std::move(found->second));
  });
  llvm::SmallPtrSet<Operation *, 16> repeated;
  for (auto &[base, others] : places)
    for (const LoadedPlace &a : others)
      for (const LoadedPlace &b : others)
        if (a.value != b.value && has(a, b)) {
          repeated.insert(a.value.getDefiningOp());
          repeated.insert(b.value.getDefiningOp());
        }
  return repeated;
}

void fuser::shareLoads(gpu::GPUFuncOp function) {
  LoadSharing sharing;
  for (Block &block : function.getBody())
    sharing.run(block);
  forwardYields(function);
}
