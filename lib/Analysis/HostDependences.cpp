//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/HostDependences.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// The operand whose memory `value` lies in; null for a buffer.
static Value getBase(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto view = dyn_cast<ViewOp>(op))
    return view.getBase();
  if (auto view = dyn_cast<ReshapeViewOp>(op))
    return view.getBase();
  if (auto place = dyn_cast<PlaceOp>(op))
    return place.getBuffer();
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getDestination();
  if (auto launch = dyn_cast<LaunchOp>(op))
    return launch.getOutputs()[number];
  if (auto call = dyn_cast<LibraryCallOp>(op))
    return call.getOutputs()[number];
  return {};
}

Value fuser::getHostBuffer(Value tensor) {
  while (Value base = getBase(tensor))
    tensor = base;
  return tensor;
}

namespace {

/// An access of one op to a buffer.
struct Access {
  Operation *op;
  /// The view that it goes through, if this is one of the buffer itself.
  ViewOp view;
};

/// The accesses to one buffer.
struct BufferAccesses {
  SmallVector<Access> reads, writes;
};

} // namespace

/// The view that a tensor is, or that a launch or a copy wrote the tensor through; null: none.
static ViewOp findView(Value tensor) {
  while (isa_and_nonnull<LaunchOp, LibraryCallOp, CopyOp>(tensor.getDefiningOp()))
    tensor = getBase(tensor);
  return tensor.getDefiningOp<ViewOp>();
}

/// True if no element is in both views.
static bool areDisjoint(ViewOp a, ViewOp b) {
  if (!a || !b)
    return false;
  for (unsigned dim = 0; dim < a.getStaticOffsets().size(); ++dim) {
    auto getRange = [&](ViewOp view) -> std::optional<std::pair<int64_t, int64_t>> {
      int64_t offset = view.getStaticOffsets()[dim], size = view.getStaticSizes()[dim];
      if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size))
        return std::nullopt;
      return std::pair(offset, offset + size * view.getStep(dim));
    };
    auto first = getRange(a), second = getRange(b);
    if (first && second && (first->second <= second->first || second->second <= first->first))
      return true;
  }
  return false;
}

/// Calls `visit` with each tensor whose memory `op` accesses.
static void forEachAccess(Operation *op, function_ref<void(Value tensor, bool isWrite)> visit) {
  auto visitAll = [&](ValueRange values, bool isWrite) {
    for (Value value : values)
      if (isa<RankedTensorType>(value.getType()))
        visit(value, isWrite);
  };
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    visitAll(launch.getInputs(), false);
    visitAll(launch.getOutputs(), true);
  } else if (auto call = dyn_cast<LibraryCallOp>(op)) {
    visitAll(call.getInputs(), false);
    visitAll(call.getOutputs(), true);
  } else if (auto copy = dyn_cast<CopyOp>(op)) {
    visit(copy.getSource(), false);
    visit(copy.getDestination(), true);
  } else if (auto release = dyn_cast<FreeOp>(op)) {
    visit(release.getBuffer(), true);
  } else if (op->getNumRegions() > 0) {
    // All that a loop names.
    llvm::SetVector<Value> buffers;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          buffers.insert(getHostBuffer(operand));
    });
    visitAll(buffers.getArrayRef(), true);
  }
}

/// Accesses of one buffer beyond this number count as accesses to all of it, so that the work is
/// linear.
static constexpr size_t kMostViews = 64;

HostDependences::HostDependences(Block &block) {
  llvm::DenseMap<Value, BufferAccesses> buffers;
  // One more than the depth of the op that defines it.
  llvm::DenseMap<Operation *, unsigned> available;
  for (Operation &op : block) {
    Node node;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          node.depth = std::max(node.depth, available.lookup(producer));
    });
    llvm::SetVector<Operation *> predecessors;
    bool hasAccess = false;
    forEachAccess(&op, [&](Value tensor, bool isWrite) {
      hasAccess = true;
      Value buffer = getHostBuffer(tensor);
      BufferAccesses &accesses = buffers[buffer];
      ViewOp view = findView(tensor);
      if (view && view.getBase() != buffer)
        view = {};
      auto dependOn = [&](ArrayRef<Access> others) {
        for (const Access &other : others)
          if (other.op != &op && !areDisjoint(view, other.view))
            predecessors.insert(other.op);
      };
      dependOn(accesses.writes);
      if (isWrite)
        dependOn(accesses.reads);
      SmallVector<Access> &own = isWrite ? accesses.writes : accesses.reads;
      if (isWrite && (!view || accesses.writes.size() >= kMostViews)) {
        // Later ops depend on the earlier accesses through this one.
        view = {};
        dependOn(accesses.writes);
        dependOn(accesses.reads);
        accesses.reads.clear();
        accesses.writes.clear();
      }
      own.push_back({&op, view});
    });
    for (Operation *predecessor : predecessors)
      node.depth = std::max(node.depth, nodes.lookup(predecessor).depth + 1);
    available[&op] = node.depth + (hasAccess ? 1 : 0);
    node.predecessors = predecessors.takeVector();
    nodes[&op] = std::move(node);
  }
}
