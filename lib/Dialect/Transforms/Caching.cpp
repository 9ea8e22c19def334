//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Cached loads and stores, and recomputation.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Dialect/IR/ScheduleNames.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// True where output `output` is stored in the buffer of an argument, which is `value` itself.
static bool isReturnedAlias(KernelOp kernel, unsigned output, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto aliases = kernel->getAttrOfType<ArrayAttr>("aliases");
  return argument && aliases && llvm::any_of(aliases.getAsRange<AliasAttr>(), [&](AliasAttr alias) {
           return alias.getOutput() == output &&
                  alias.getInput() == int64_t(argument.getArgNumber());
         });
}

/// A copy has the origins of what computes the value; of an argument, those of its readers.
static void copyOriginsOf(Value value, SetOp copy) {
  if (Operation *op = value.getDefiningOp())
    copyOrigins(copy, op);
  else
    copyOrigins(copy, SmallVector<Operation *>(copy->getUsers()));
}

static ReturnOp getReturn(KernelOp kernel) {
  return cast<ReturnOp>(kernel.getBody().front().back());
}

/// The cached load of an argument: a `fuser.set` at the start of the body.
static SetOp getCachedLoad(BlockArgument argument) {
  for (Operation *user : argument.getUsers())
    if (auto set = dyn_cast<SetOp>(user))
      if (set.getMemory() != MemoryAttr::get(set.getContext(), MemoryType::Global))
        return set;
  return {};
}

FailureOr<Operation *> fuser::cacheLoad(KernelOp kernel, unsigned argument,
                                        function_ref<bool(OpOperand &)> reads) {
  Block &body = kernel.getBody().front();
  if (argument >= body.getNumArguments() ||
      !isa<RankedTensorType>(body.getArgument(argument).getType()))
    return kernel->emitOpError("expected a tensor argument to cache, but got argument ")
           << argument;
  BlockArgument value = body.getArgument(argument);
  auto isRead = [&](OpOperand &use) {
    if (isa<ReturnOp>(use.getOwner()) && isReturnedAlias(kernel, use.getOperandNumber(), value))
      return false;
    return !reads || reads(use);
  };
  // An existing copy before a later use does not dominate earlier uses.
  auto isBehind = [](OpOperand &use, SetOp load) {
    return use.getOwner() == load || load->isBeforeInBlock(use.getOwner());
  };
  SetOp existing = getCachedLoad(value);
  if (existing && llvm::all_of(value.getUses(), [&](OpOperand &use) {
        return !isRead(use) || isBehind(use, existing);
      })) {
    value.replaceUsesWithIf(existing.getResult(), [&](OpOperand &use) {
      return use.getOwner() != existing && isRead(use);
    });
    return existing.getOperation();
  }
  if (llvm::none_of(value.getUses(), isRead))
    return static_cast<Operation *>(nullptr);
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  // Insert after existing loads, so that loads follow the order of arguments, but before the first
  // reader.
  for (Operation &op : body) {
    if (!isa<SetOp>(op) || !isa<BlockArgument>(op.getOperand(0)) || op.getOperand(0) == value)
      break;
    builder.setInsertionPointAfter(&op);
  }
  auto set = SetOp::create(builder, value.getLoc(), value.getType(), value, /*domains=*/nullptr,
                           /*memory=*/nullptr, /*inline_at=*/nullptr);
  value.replaceUsesWithIf(set.getResult(),
                          [&](OpOperand &use) { return use.getOwner() != set && isRead(use); });
  copyOrigins(set, SmallVector<Operation *>(set->getUsers()));
  return set.getOperation();
}

FailureOr<Operation *> fuser::cacheStore(KernelOp kernel, unsigned output) {
  ReturnOp ret = getReturn(kernel);
  if (output >= ret.getValues().size())
    return kernel->emitOpError("expected one of ")
           << ret.getValues().size() << " outputs to cache, but got output " << output;
  Value value = ret.getValues()[output];
  if (isReturnedAlias(kernel, output, value))
    return static_cast<Operation *>(nullptr);
  auto view = value.getDefiningOp<TensorViewOpInterface>();
  // A window is a store, and so is an update.
  if (view && isa<WindowOp, UpdateOpInterface>(view.getOperation())) {
    view.setMemoryType(MemoryType::Global);
    return view.getOperation();
  }
  // A value at two positions is stored twice.
  if (view && isa<SetOp>(view) && view.getMemoryType() == MemoryType::Global && value.hasOneUse())
    return view.getOperation();
  OpBuilder builder(ret);
  auto set = SetOp::create(builder, value.getLoc(), value.getType(), value, /*domains=*/nullptr,
                           MemoryAttr::get(kernel.getContext(), MemoryType::Global),
                           /*inline_at=*/nullptr);
  ret->setOperand(output, set.getResult());
  copyOriginsOf(value, set);
  return set.getOperation();
}

Operation *fuser::cacheValue(Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto copy = SetOp::create(builder, value.getLoc(), value.getType(), value, /*domains=*/nullptr,
                            /*memory=*/nullptr, /*inline_at=*/nullptr);
  value.replaceAllUsesExcept(copy.getResult(), copy);
  copyOriginsOf(value, copy);
  return copy;
}

Operation *fuser::cacheUse(OpOperand &use) {
  OpBuilder builder(use.getOwner());
  Value value = use.get();
  auto copy = SetOp::create(builder, value.getLoc(), value.getType(), value, /*domains=*/nullptr,
                            /*memory=*/nullptr, /*inline_at=*/nullptr);
  use.set(copy.getResult());
  copyOrigins(copy, use.getOwner());
  return copy;
}

void fuser::splitBroadcasts(KernelOp kernel) {
  for (Operation &op : llvm::make_early_inc_range(kernel.getBody().front())) {
    if (!isa<BroadcastOp>(op))
      continue;
    for (OpOperand &use : llvm::make_early_inc_range(op.getResult(0).getUses())) {
      if (op.hasOneUse())
        break;
      OpBuilder builder(use.getOwner());
      use.set(builder.clone(op)->getResult(0));
    }
  }
}

LogicalResult fuser::recomputeFor(Value value, ArrayRef<Operation *> users,
                                  function_ref<bool(Value)> available) {
  // The ops to clone, consumers first.
  SetVector<Operation *> chain;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || (next != value && available(next)))
      continue;
    if (!isa<ElementwiseOpInterface>(op))
      return failure();
    if (chain.insert(op))
      llvm::append_range(worklist, op->getOperands());
  }
  if (chain.empty() || users.empty())
    return failure();
  Operation *first =
      *llvm::min_element(users, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  SmallVector<Operation *> ordered(chain.begin(), chain.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpBuilder builder(first);
  IRMapping mapping;
  for (Operation *op : ordered) {
    Operation *clone = builder.clone(*op, mapping);
    for (StringRef name : kScheduleNames)
      clone->removeAttr(name);
  }
  Value copy = mapping.lookup(value);
  value.replaceUsesWithIf(
      copy, [&](OpOperand &use) { return llvm::is_contained(users, use.getOwner()); });
  return success();
}
