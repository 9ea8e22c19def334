//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BufferIds.h"
#include "LoopNest.h"
#include "Stages.h"
#include "fuser/Lowering/LoopOutline.h"

using namespace mlir;
using namespace fuser;

namespace {
class Outliner {
public:
  explicit Outliner(LoopNest &nest) : nest(nest) {}
  std::vector<LoopOutline> run() { return outline(nest.getRoot()); }

private:
  std::vector<LoopOutline> outline(const Loop &loop);
  void addCombine(Operation *op, std::vector<LoopOutline> &items);
  void addBuffers(const Loop &scope, const LoopItem &item, std::vector<LoopOutline> &items);

  LoopNest &nest;
};
} // namespace

/// The buffers of `scope` that ops of the item write.
void Outliner::addBuffers(const Loop &scope, const LoopItem &item,
                          std::vector<LoopOutline> &items) {
  if (item.loop) {
    for (const LoopItem &inner : item.loop->items)
      addBuffers(scope, inner, items);
    return;
  }
  const ScheduledOp &scheduled = *nest.lookup(item.op);
  if (scheduled.memory == MemoryType::Global || item.op->use_empty() ||
      getBufferScope(scheduled, nest.getRoot()) != &scope)
    return;
  LoopOutline buffer{LoopOutline::Kind::Buffer};
  buffer.op = item.op;
  buffer.memory = scheduled.memory;
  for (unsigned id : getBufferIds(scheduled))
    buffer.shape.push_back(scheduled.getExtent(id));
  items.push_back(std::move(buffer));
}

/// Adds the end of the reduction `op` if it is over threads or blocks.
void Outliner::addCombine(Operation *op, std::vector<LoopOutline> &items) {
  LoopOutline combine{LoopOutline::Kind::Combine};
  combine.op = op;
  const DomainAttr domain = nest.lookup(op)->domain;
  for (auto [id, type] : llvm::zip(domain.getLoop(), domain.getParallel()))
    if (domain.getKinds()[id] == IdKind::Reduction && (isThreadType(type) || isBlockType(type)))
      combine.types.push_back(type);
  if (!combine.types.empty())
    items.push_back(std::move(combine));
}

std::vector<LoopOutline> Outliner::outline(const Loop &loop) {
  std::vector<LoopOutline> items;
  for (const LoopItem &item : loop.items) {
    addBuffers(loop, item, items);
    LoopOutline &inner = items.emplace_back(
        LoopOutline{item.loop ? LoopOutline::Kind::Loop : LoopOutline::Kind::Op});
    inner.op = item.op;
    if (!item.loop) {
      // A reduction without loops of its own ends with its one element.
      const ScheduledOp &scheduled = *nest.lookup(item.op);
      if (isa<CombinerOpInterface>(item.op) && llvm::none_of(scheduled.loops, [&](const Loop *own) {
            return llvm::is_contained(own->reductions, item.op);
          }))
        addCombine(item.op, items);
      continue;
    }
    inner.type = item.loop->type;
    inner.extent = item.loop->extent;
    inner.items = outline(*item.loop);
    for (Operation *op : item.loop->reductions)
      addCombine(op, items);
  }
  return items;
}

FailureOr<std::vector<LoopOutline>> fuser::outlineLoops(KernelOp kernel) {
  FailureOr<std::unique_ptr<CheckedKernel>> checked = checkKernel(kernel);
  if (failed(checked))
    return failure();
  return Outliner(*(*checked)->nest).run();
}
