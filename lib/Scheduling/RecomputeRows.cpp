//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/RecomputeRows.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

/// Ops that depend on elements of `source`, itself included: a size depends on none.
static llvm::SmallPtrSet<Operation *, 16> getReached(Operation *source) {
  llvm::SmallPtrSet<Operation *, 16> reached;
  SmallVector<Operation *> worklist = {source};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!isa<tensor::DimOp>(op) && reached.insert(op).second)
      llvm::append_range(worklist, op->getUsers());
  }
  return reached;
}

bool fuser::isReached(Operation *source, Operation *op) { return getReached(source).contains(op); }

bool fuser::makesDimension(TensorViewOpInterface op) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  SmallVector<IdKind> kinds = mapping.getRootKinds();
  llvm::SmallBitVector made(kinds.size());
  for (auto [id, kind] : llvm::enumerate(kinds))
    made[id] = kind != IdKind::Broadcast;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      for (const DimMap &map : mapping.getDimMaps(operand.getOperandNumber()))
        if (map.kind == DimMap::Kind::Mapped)
          made.reset(map.id);
  return made.any();
}

/// True if at most kMaxRecomputedOps ops compute `op` from available values.
static bool isCheap(Operation *op, function_ref<bool(Value)> available) {
  llvm::SmallSetVector<Operation *, 16> needed;
  needed.insert(op);
  for (size_t i = 0; i < needed.size() && needed.size() <= kMaxRecomputedOps; ++i)
    for (Value operand : needed[i]->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && !available(operand))
        needed.insert(producer);
  return needed.size() <= kMaxRecomputedOps;
}

static SmallVector<unsigned> getClasses(Value value, const IdRelations &classes) {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0, e = cast<RankedTensorType>(value.getType()).getRank(); dim < e; ++dim)
    dims.push_back(classes.getClass(value, dim));
  return dims;
}

/// True if the value has a dimension of those that each reduction reduces. Clones are in no class;
/// they have rows.
static bool hasAllReduced(Value value, const IdRelations &classes,
                          ArrayRef<SmallVector<unsigned>> reduced) {
  const SmallVector<unsigned> dims = getClasses(value, classes);
  return llvm::is_contained(dims, IdRelations::kNone) ||
         llvm::all_of(reduced, [&](ArrayRef<unsigned> own) {
           return llvm::any_of(dims, [&](unsigned dimClass) {
             return llvm::any_of(own, [&](unsigned row) { return classes.overlap(dimClass, row); });
           });
         });
}

/// True if the value has some of the dimensions that one reduction reduces, and not others: its
/// elements are repeated within a row.
static bool isRepeatedInRows(Value value, const IdRelations &classes,
                             ArrayRef<SmallVector<unsigned>> reduced) {
  const SmallVector<unsigned> dims = getClasses(value, classes);
  auto isOwn = [&](unsigned row) {
    return llvm::any_of(dims, [&](unsigned dimClass) { return classes.overlap(dimClass, row); });
  };
  return !llvm::is_contained(dims, IdRelations::kNone) &&
         llvm::any_of(reduced, [&](ArrayRef<unsigned> own) {
           return llvm::any_of(own, isOwn) && !llvm::all_of(own, isOwn);
         });
}

void fuser::recomputeRows(const KernelSchedule &schedule,
                          ArrayRef<TensorViewOpInterface> reductions) {
  IdRelations classes(KernelOp(schedule.getKernel()).getBody().front());
  // What each reduction reduces: a part of a row has the dimensions that all of them reduce.
  SmallVector<SmallVector<unsigned>> reduced;
  for (TensorViewOpInterface reduction : reductions) {
    auto mapping = cast<DomainMappingOpInterface>(reduction.getOperation());
    SmallVector<unsigned> &own = reduced.emplace_back();
    for (auto [id, kind] : llvm::enumerate(mapping.getRootKinds()))
      if (kind == IdKind::Reduction)
        own.push_back(classes.getClass(mapping, id));
  }
  // What registers keep: the loads of rows, and rows that take too many ops to recompute. Threads
  // that have one element each of what is repeated in a row have others than those of the row.
  llvm::SmallPtrSet<Operation *, 8> kept;
  for (TensorViewOpInterface load : schedule.getLoads()) {
    auto argument = dyn_cast<BlockArgument>(load->getOperand(0));
    const bool canRepeat = argument && !isOverwritten(schedule.getKernel(), argument);
    if (!canRepeat || !isRepeatedInRows(load->getResult(0), classes, reduced))
      kept.insert(load);
  }
  // Each reduction asks about each value, and no value is erased.
  llvm::DenseMap<Value, bool> rows;
  auto hasRow = [&](Value value) {
    auto it = rows.find(value);
    return it != rows.end() ? it->second : rows[value] = hasAllReduced(value, classes, reduced);
  };
  llvm::DenseMap<Operation *, bool> makers;
  auto makesDimension = [&](TensorViewOpInterface op) {
    auto it = makers.find(op);
    return it != makers.end() ? it->second : makers[op] = fuser::makesDimension(op);
  };
  auto available = [&](Value value) {
    auto view = value.getDefiningOp<TensorViewOpInterface>();
    return !isa<RankedTensorType>(value.getType()) || kept.contains(value.getDefiningOp()) ||
           !hasRow(value) || (view && makesDimension(view));
  };
  for (TensorViewOpInterface reduction : reductions) {
    llvm::SmallPtrSet<Operation *, 16> behind = getReached(reduction);
    // What is computed after the reduction: what depends on it, and what only such ops use.
    llvm::SmallPtrSet<Operation *, 16> late = behind;
    late.erase(reduction);
    for (Operation &op : llvm::reverse(*reduction->getBlock())) {
      auto view = dyn_cast<TensorViewOpInterface>(op);
      if (view && isa<ElementwiseOpInterface>(op) && !kept.contains(&op) && !op.use_empty() &&
          !makesDimension(view) && hasRow(view->getResult(0)) &&
          llvm::all_of(op.getUsers(), [&](Operation *user) { return late.contains(user); }))
        late.insert(&op);
    }
    for (TensorViewOpInterface op : schedule.getOps()) {
      // Values computed before the reduction, with users on both sides. A clone of an op that
      // creates a dimension would create another dimension.
      if (behind.contains(op) || kept.contains(op) || !isa<ElementwiseOpInterface>(*op) ||
          makesDimension(op) || !hasRow(op->getResult(0)))
        continue;
      SmallVector<Operation *> lateUsers;
      bool early = false;
      for (Operation *user : op->getResult(0).getUsers()) {
        if (late.contains(user))
          lateUsers.push_back(user);
        else
          early = true;
      }
      if (!early || lateUsers.empty())
        continue;
      if (isCheap(op, available))
        (void)recomputeFor(op->getResult(0), lateUsers, available);
      else
        kept.insert(op);
    }
  }
}
