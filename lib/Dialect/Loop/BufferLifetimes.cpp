//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Loop/BufferLifetimes.h"

using namespace mlir;
using namespace fuser::loop;

BufferLifetimes::BufferLifetimes(KernelOp kernel) {
  unsigned next = 0;
  auto visit = [&](auto &&self, Block &block) -> void {
    for (Operation &op : block) {
      const unsigned begin = next++;
      if (auto loop = dyn_cast<ForOp>(op))
        self(self, loop.getBlock());
      else if (isa<IfOp, RolesOp>(op))
        for (Region &version : op.getRegions())
          for (Block &inner : version)
            self(self, inner);
      numbers[&op] = {begin, next++};
      auto buffer = dyn_cast<BufferOp>(op);
      if (buffer && buffer.getType().getSpace() == fuser::MemoryType::Shared)
        buffers.push_back(buffer);
    }
  };
  visit(visit, kernel.getBlock());
}

BufferLifetimes::Interval BufferLifetimes::getOfRoles(RolesOp roles,
                                                      ArrayRef<Operation *> users) const {
  Interval lifetime = {numbers.lookup(roles).begin, numbers.lookup(roles).begin};
  for (Operation *user : users) {
    if (!RolesOp::isProducer(user) && !RolesOp::isConsumer(user))
      return numbers.lookup(roles);
    if (Operation *item = roles.getConsumerBlock().findAncestorOpInBlock(*user))
      lifetime.end = std::max(lifetime.end, numbers.lookup(item).end);
  }
  return lifetime;
}

BufferLifetimes::Interval BufferLifetimes::get(BufferOp buffer) const {
  // Peers access it at times that the text of this block does not tell.
  if (buffer.getDistributed())
    return {0, ~0u};
  SmallVector<Operation *> users(buffer->getUsers());
  if (users.empty())
    return numbers.lookup(buffer);
  // The consumers have waited for all that the producers copy to a circular buffer when the last
  // loop that reads it ends.
  auto producer = llvm::find_if(users, RolesOp::isProducer);
  if (buffer.getStages() && producer != users.end())
    return getOfRoles((*producer)->getParentOfType<RolesOp>(), users);
  // The innermost block that all accesses are in.
  Block *common = users.front()->getBlock();
  for (Operation *user : users)
    while (!common->findAncestorOpInBlock(*user))
      common = common->getParentOp()->getBlock();
  Interval lifetime{~0u, 0};
  for (Operation *user : users) {
    const Interval own = numbers.lookup(common->findAncestorOpInBlock(*user));
    lifetime = {std::min(lifetime.begin, own.begin), std::max(lifetime.end, own.end)};
  }
  return lifetime;
}
