//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The steps of a kernel whose rows are reduced and used again.
//
//===----------------------------------------------------------------------===//

#include "RowSteps.h"
#include "fuser/Scheduling/RecomputeRows.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

bool fuser::isReduction(Operation *op) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(op);
  return mapping && llvm::is_contained(mapping.getRootKinds(), IdKind::Reduction);
}

RowSteps::RowSteps(ArrayRef<TensorViewOpInterface> ops,
                   function_ref<bool(TensorViewOpInterface)> hasRows) {
  llvm::DenseMap<Operation *, unsigned> first;
  for (TensorViewOpInterface op : ops) {
    unsigned step = 0;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        step = std::max(step, first.lookup(producer) + unsigned(isReduction(producer)));
    first[op] = step;
    numSteps = std::max(numSteps, step + 1);
    if (hasRows(op))
      rows.insert(op);
  }
  for (TensorViewOpInterface op : llvm::reverse(ops)) {
    llvm::SmallBitVector own(numSteps);
    const bool isStored = llvm::any_of(op->getUsers(), llvm::IsaPred<ReturnOp>);
    if (rows.contains(op) && !isReduction(op))
      for (Value result : op->getResults())
        own |= getReaders(result);
    if (own.none() || isStored)
      own.set(first[op]);
    steps[op] = own;
  }
}

llvm::SmallBitVector RowSteps::getReaders(Value value) const {
  llvm::SmallBitVector readers(numSteps);
  for (Operation *user : value.getUsers())
    if (rows.contains(user))
      readers |= getSteps(user);
  return readers;
}

RowSteps fuser::getRowSteps(const KernelView &kernel, const ReductionShape &shape) {
  return RowSteps(kernel.getOps(), [&](TensorViewOpInterface op) {
    return llvm::any_of(kernel.getOwnClasses(op),
                        [&](unsigned dimClass) { return shape.isReduced(dimClass); });
  });
}

void fuser::separateSteps(KernelSchedule &schedule, const RowSteps &steps,
                          function_ref<bool(TensorViewOpInterface)> mayCross) {
  llvm::DenseMap<Operation *, unsigned> stepOf;
  const SmallVector<TensorViewOpInterface> ops = schedule.getOps();
  for (TensorViewOpInterface op : llvm::reverse(ops)) {
    const llvm::SmallBitVector &own = steps.getSteps(op);
    stepOf[op] = own.find_first();
    if (mayCross && mayCross(op))
      continue;
    for (unsigned step : llvm::drop_begin(own.set_bits())) {
      SmallVector<Operation *> users;
      for (Operation *user : op->getUsers())
        if (auto it = stepOf.find(user); it != stepOf.end() && it->second == step)
          users.push_back(user);
      OpBuilder builder(*llvm::min_element(
          users, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); }));
      TensorViewOpInterface copy = schedule.clone(op, builder);
      stepOf[copy] = step;
      op->replaceUsesWithIf(
          copy, [&](OpOperand &use) { return llvm::is_contained(users, use.getOwner()); });
    }
  }
}

RowSteps fuser::getRowSteps(const KernelSchedule &schedule, TensorViewOpInterface reference) {
  IdRelations relations(KernelOp(schedule.getKernel()).getBody().front());
  SmallVector<unsigned> reduced;
  auto mapping = cast<DomainMappingOpInterface>(reference.getOperation());
  for (auto [id, kind] : llvm::enumerate(mapping.getRootKinds()))
    if (kind == IdKind::Reduction)
      reduced.push_back(relations.getClass(mapping, id));
  return RowSteps(schedule.getOps(), [&](TensorViewOpInterface op) {
    unsigned numIds = op.getTrivialDomain(0).getRootOrLogical().size();
    return llvm::any_of(llvm::seq<unsigned>(0, numIds), [&](unsigned id) {
      return llvm::any_of(reduced, [&](unsigned idClass) {
        return relations.overlap(relations.getClass(op, id), idClass);
      });
    });
  });
}

std::optional<Refusal> fuser::checkCostlyRows(const KernelView &kernel, const ReductionShape &shape,
                                              const RowSteps &steps) {
  for (TensorViewOpInterface op : kernel.getOps()) {
    if (!steps.hasRows(op) || steps.getSteps(op).count() < 2)
      continue;
    llvm::SmallSetVector<Operation *, 16> needed;
    needed.insert(op);
    bool isCheap = true;
    for (size_t i = 0; i < needed.size() && isCheap; ++i) {
      auto view = cast<TensorViewOpInterface>(needed[i]);
      isCheap = isa<ElementwiseOpInterface>(needed[i]) && !makesDimension(view);
      for (Value operand : needed[i]->getOperands())
        if (auto producer = operand.getDefiningOp<TensorViewOpInterface>();
            producer && steps.hasRows(producer) && !isReduction(producer))
          needed.insert(producer);
      // With its load.
      isCheap &= needed.size() < kMaxRecomputedOps;
    }
    if (!isCheap)
      return Refusal{RefusalCategory::Structure,
                     kCostlyRows,
                     {op},
                     "expected rows that fewer than " + std::to_string(kMaxRecomputedOps) +
                         " pointwise ops compute from arguments, but '" +
                         op->getName().getStringRef().str() + "' takes more",
                     shape.getCutsAtReuse(kernel)};
  }
  return std::nullopt;
}

std::optional<Refusal> fuser::checkOverwritten(const KernelView &kernel,
                                               const ReductionShape &shape, const RowSteps &steps) {
  std::optional<ArrayAttr> aliases = KernelOp(kernel.getKernel()).getAliases();
  if (!aliases)
    return std::nullopt;
  for (AliasAttr alias : aliases->getAsRange<AliasAttr>()) {
    BlockArgument argument = KernelOp(kernel.getKernel()).getArgument(alias.getInput());
    for (const GlobalTensor &tensor : kernel.getTensors()) {
      Operation *op = tensor.value.getDefiningOp();
      if (!tensor.isOutput || int64_t(tensor.position) != alias.getOutput() || !op ||
          steps.getReaders(argument).find_last() <= steps.getSteps(op).find_first())
        continue;
      return Refusal{RefusalCategory::Structure,
                     kOverwritten,
                     {op},
                     "expected outputs that overwrite no argument which a later step reads, but "
                     "output " +
                         std::to_string(tensor.position) + " does",
                     shape.getCutsAtReuse(kernel)};
    }
  }
  return std::nullopt;
}
