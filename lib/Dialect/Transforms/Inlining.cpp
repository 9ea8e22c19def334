//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inline positions as high as the order of loop nests allows.
//
// Shared loops form loop nests: at depth d, ops that are connected by values that share more than d
// loops are in one nest. A value that does not share the loop at depth d must be complete before
// that loop of its consumers starts, so that its consumers, and all ops that depend on them, must
// not be in the nest of the value's own loop d. If they are, the positions of the values that cross
// this point are lowered. Two nests must not need results of each other either; in this case one of
// them is split.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Inlining.h"
#include "fuser/Ids/EdgeIds.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

namespace {
class Inliner {
public:
  explicit Inliner(KernelOp kernel) : relations(kernel.getBody().front()) {
    for (Operation &op : kernel.getBody().front())
      if (auto view = dyn_cast<TensorViewOpInterface>(op)) {
        numbers[&op] = ops.size();
        ops.push_back(view);
      }
    consumers.resize(ops.size());
    reaches.assign(ops.size(), llvm::BitVector(ops.size()));
    positions.assign(ops.size(), 0);
    for (unsigned number = ops.size(); number-- > 0;) {
      reaches[number].set(number);
      for (Operation *user : ops[number]->getUsers()) {
        auto it = numbers.find(user);
        if (it == numbers.end())
          continue;
        if (!llvm::is_contained(consumers[number], it->second))
          consumers[number].push_back(it->second);
        reaches[number] |= reaches[it->second];
      }
    }
  }

  /// Starts with the maximum that each consumer and `limits` allow.
  void start(function_ref<int64_t(unsigned)> limit) {
    for (unsigned number = 0, e = ops.size(); number < e; ++number) {
      int64_t position = consumers[number].empty() ? 0 : limit(number);
      for (unsigned consumer : consumers[number])
        position =
            std::min<int64_t>(position, getNumSharedLoops(ops[number], ops[consumer], relations));
      positions[number] = position;
    }
  }

  /// Lowers positions until the loops can be nested.
  void settle() {
    while (llvm::any_of(llvm::seq<int64_t>(0, getDepth()),
                        [&](int64_t depth) { return settleAt(depth); }))
      ;
    for (auto [op, position] : llvm::zip(ops, positions))
      if (position != op.getInlinePosition())
        op.setInlinePosition(position);
  }

  TensorViewOpInterface getOp(unsigned number) const { return ops[number]; }

private:
  int64_t getDepth() const { return positions.empty() ? 0 : *llvm::max_element(positions); }

  /// The nest of each op at `depth`.
  SmallVector<unsigned> getNests(int64_t depth) const {
    SmallVector<unsigned> nests = llvm::to_vector(llvm::seq<unsigned>(0, ops.size()));
    auto find = [&](unsigned number) {
      while (nests[number] != number)
        number = nests[number] = nests[nests[number]];
      return number;
    };
    for (unsigned number = 0, e = ops.size(); number < e; ++number)
      if (positions[number] > depth)
        for (unsigned consumer : consumers[number])
          nests[find(consumer)] = find(number);
    for (unsigned number = 0, e = ops.size(); number < e; ++number)
      nests[number] = find(number);
    return nests;
  }

  /// The ops that cannot begin before a nest: its members, the ops that depend on them, the nests
  /// that contain those, and so on.
  llvm::BitVector getBehind(const llvm::BitVector &nest, ArrayRef<unsigned> nests,
                            const DenseMap<unsigned, llvm::BitVector> &members) const {
    llvm::BitVector behind = nest, next = nest;
    while (next.any()) {
      llvm::BitVector found = next;
      for (unsigned number : next.set_bits()) {
        found |= members.at(nests[number]);
        found |= reaches[number];
      }
      next = found.reset(behind);
      behind |= next;
    }
    return behind;
  }

  /// Repairs the first value that would have to be complete inside the nest that computes it.
  /// Returns true if there was one.
  bool settleAt(int64_t depth) {
    SmallVector<unsigned> nests = getNests(depth);
    DenseMap<unsigned, llvm::BitVector> members;
    for (unsigned number = 0, e = ops.size(); number < e; ++number)
      members.try_emplace(nests[number], llvm::BitVector(ops.size())).first->second.set(number);
    for (unsigned number = 0, e = ops.size(); number < e; ++number) {
      if (positions[number] > depth)
        continue;
      for (unsigned consumer : consumers[number])
        if (members[nests[number]].anyCommon(reaches[consumer])) {
          cut(depth, number, consumer, members[nests[number]]);
          return true;
        }
    }
    // The smallest of the nests that need results of each other.
    const llvm::BitVector *smallest = nullptr;
    for (unsigned number = 0, e = ops.size(); number < e; ++number) {
      const llvm::BitVector &nest = members[nests[number]];
      if (nests[number] == number && nest.count() > 1 &&
          (!smallest || nest.count() < smallest->count()) && needsItself(nest, nests, members))
        smallest = &nest;
    }
    if (smallest)
      takeApart(depth, *smallest);
    return smallest;
  }

  /// True if the nest reads a value that cannot be computed before it.
  bool needsItself(const llvm::BitVector &nest, ArrayRef<unsigned> nests,
                   const DenseMap<unsigned, llvm::BitVector> &members) const {
    llvm::BitVector others = getBehind(nest, nests, members);
    others.reset(nest);
    return llvm::any_of(others.set_bits(), [&](unsigned number) {
      return llvm::any_of(consumers[number], [&](unsigned user) { return nest.test(user); });
    });
  }

  void takeApart(int64_t depth, const llvm::BitVector &nest) {
    for (unsigned number : nest.set_bits())
      positions[number] = std::min(positions[number], depth);
  }

  /// The ops that share loops with `start`, directly or transitively, except for those in `behind`.
  llvm::BitVector getSide(int64_t depth, unsigned start, const llvm::BitVector &behind) const {
    llvm::BitVector side(ops.size());
    side.set(start);
    for (bool grows = true; grows;) {
      const unsigned before = side.count();
      for (unsigned number = 0, e = ops.size(); number < e; ++number) {
        if (positions[number] <= depth || behind.test(number))
          continue;
        auto isIn = [&](unsigned other) { return side.test(other); };
        if (!isIn(number) && llvm::none_of(consumers[number], isIn))
          continue;
        side.set(number);
        for (unsigned user : consumers[number])
          if (!behind.test(user))
            side.set(user);
      }
      grows = side.count() > before;
    }
    return side;
  }

  /// Removes from the nest the values that are computed before `producer` is complete and used
  /// after `consumer`.
  void cut(int64_t depth, unsigned producer, unsigned consumer, const llvm::BitVector &nest) {
    auto feedsBehind = [&](unsigned number) {
      return llvm::any_of(consumers[number],
                          [&](unsigned user) { return reaches[consumer].test(user); });
    };
    auto feedsBefore = [&](unsigned number) {
      return llvm::any_of(consumers[number],
                          [&](unsigned user) { return reaches[user].test(producer); });
    };
    bool any = false;
    const llvm::BitVector side = getSide(depth, producer, reaches[consumer]);
    // First lower values with uses on both sides, then all values that cross. Values that only the
    // other side shares stay with it.
    for (bool onBothSides : {true, false}) {
      for (unsigned number : nest.set_bits()) {
        if (positions[number] <= depth || reaches[consumer].test(number) || !feedsBehind(number) ||
            !(onBothSides ? feedsBefore(number) : side.test(number)))
          continue;
        positions[number] = depth;
        any = true;
      }
      if (any)
        return;
    }
    // Nothing crosses.
    takeApart(depth, nest);
  }

  const IdRelations relations;
  SmallVector<TensorViewOpInterface> ops;
  DenseMap<Operation *, unsigned> numbers;
  SmallVector<SmallVector<unsigned, 2>> consumers;
  /// The ops that depend on an op, including itself.
  SmallVector<llvm::BitVector> reaches;
  SmallVector<int64_t> positions;
};
} // namespace

void fuser::inlineMost(KernelOp kernel, const InlineLimits &limits) {
  Inliner inliner(kernel);
  inliner.start([&](unsigned number) {
    auto it = limits.find(inliner.getOp(number));
    return it == limits.end() ? std::numeric_limits<int64_t>::max() : it->second;
  });
  inliner.settle();
}

void fuser::inlineUpTo(KernelOp kernel, ArrayRef<Operation *> ops, int64_t position) {
  Inliner inliner(kernel);
  inliner.start([&](unsigned number) {
    TensorViewOpInterface op = inliner.getOp(number);
    return llvm::is_contained(ops, op.getOperation()) ? position : op.getInlinePosition();
  });
  inliner.settle();
}
