//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/BoundaryPreferences.h"
#include "fuser/Scheduling/KernelSchedule.h"

using namespace mlir;
using namespace fuser;

/// The dimensions of the tensor in the order of its loop classes `order`; those of size 1 are the
/// slowest. Nothing if a dimension is not one loop.
static std::optional<SmallVector<int64_t>>
getDims(const KernelView &kernel, const GlobalTensor &tensor, ArrayRef<unsigned> order) {
  const int64_t rank = cast<RankedTensorType>(tensor.value.getType()).getRank();
  SmallVector<int64_t> dims, ones;
  SmallVector<int64_t> ofLoop(order.size(), -1);
  for (int64_t dim = 0; dim < rank; ++dim) {
    SmallVector<unsigned, 2> concrete;
    for (unsigned loop : kernel.getLoopClasses(tensor.value, dim))
      if (!kernel.getClasses().isBroadcast(loop))
        concrete.push_back(loop);
    if (concrete.empty()) {
      ones.push_back(dim);
      continue;
    }
    const auto *found = llvm::find(order, concrete.front());
    if (concrete.size() != 1 || found == order.end() || ofLoop[found - order.begin()] >= 0)
      return std::nullopt;
    ofLoop[found - order.begin()] = dim;
  }
  if (llvm::is_contained(ofLoop, -1))
    return std::nullopt;
  llvm::append_range(dims, ones);
  llvm::append_range(dims, ofLoop);
  return dims;
}

/// The order of the other arguments with all dimensions of the leader; nothing if they differ.
static std::optional<ArrayRef<unsigned>> getOrderOfOthers(const KernelView &kernel,
                                                          const GlobalTensor &leader) {
  std::optional<ArrayRef<unsigned>> common;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (&tensor == &leader || tensor.isOutput || tensor.order.size() != leader.order.size())
      continue;
    if (common && *common != ArrayRef(tensor.order))
      return std::nullopt;
    common = tensor.order;
  }
  return common;
}

SmallVector<BoundaryPreference> fuser::getBoundaryPreferences(const KernelView &kernel,
                                                              const GlobalTensor &leader,
                                                              ArrayRef<unsigned> loops) {
  SmallVector<BoundaryPreference> preferences;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (tensor.order.size() < 2)
      continue;
    SmallVector<unsigned> order;
    if (&tensor == &leader) {
      if (std::optional<ArrayRef<unsigned>> others = getOrderOfOthers(kernel, leader))
        order.assign(others->begin(), others->end());
    } else if (llvm::all_of(tensor.order, [&](unsigned loop) { return leader.find(loop) >= 0; })) {
      llvm::copy_if(loops, std::back_inserter(order),
                    [&](unsigned loop) { return tensor.find(loop) >= 0; });
    }
    if (order.size() != tensor.order.size())
      continue;
    if (std::optional<SmallVector<int64_t>> dims = getDims(kernel, tensor, order))
      preferences.push_back({tensor.isOutput, tensor.position, std::move(*dims)});
  }
  return preferences;
}

SmallVector<BoundaryPreference> fuser::getBoundaryPreferences(const KernelView &kernel,
                                                              ArrayRef<unsigned> loops) {
  const GlobalTensor *leader = nullptr;
  int64_t most = 1;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    const int64_t count =
        llvm::count_if(loops, [&](unsigned loop) { return tensor.find(loop) >= 0; });
    if (count > most)
      leader = &tensor, most = count;
  }
  return leader ? getBoundaryPreferences(kernel, *leader, loops)
                : SmallVector<BoundaryPreference>();
}
