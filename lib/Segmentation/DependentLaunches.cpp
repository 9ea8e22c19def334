//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DependentLaunches.h"
#include "fuser/Dialect/IR/DependentLaunches.h"

using namespace mlir;
using namespace fuser;

/// The share of the blocks that the device executes at once; none if the number is not known.
static std::optional<double> getWaves(LaunchOp launch,
                                      const llvm::DenseMap<StringAttr, KernelEstimate> &estimates,
                                      const artifact::DeviceDescription &device) {
  auto estimate = estimates.find(launch.getKernel().getRootReference());
  if (estimate == estimates.end() || estimate->second.use.blocks <= 0)
    return std::nullopt;
  const ResourceUse &use = estimate->second.use;
  const int64_t slots =
      std::max<int64_t>(device.multiprocessors, 1) * getResidentBlocks(use, device);
  return double(use.blocks) / double(slots);
}

unsigned fuser::markDependentLaunches(HostOp host,
                                      const llvm::DenseMap<StringAttr, KernelEstimate> &estimates,
                                      const artifact::DeviceDescription &device) {
  // The blocks of a batch are those of all of its launches.
  llvm::DenseMap<Attribute, double> wavesOfBatch;
  auto getBatch = [](LaunchOp launch) { return launch->getAttr(kLaunchBatchAttrName); };
  auto getStream = [](LaunchOp launch) { return launch->getAttr(kLaunchStreamAttrName); };
  constexpr double kUnknown = 2;
  auto getOwnWaves = [&](LaunchOp launch) {
    return getWaves(launch, estimates, device).value_or(kUnknown);
  };
  for (LaunchOp launch : host.getBody().getOps<LaunchOp>())
    if (Attribute batch = getBatch(launch))
      wavesOfBatch[batch] += getOwnWaves(launch);
  auto getAllWaves = [&](LaunchOp launch) {
    Attribute batch = getBatch(launch);
    return batch ? wavesOfBatch.lookup(batch) : getOwnWaves(launch);
  };
  unsigned numMarked = 0;
  for (LaunchOp launch : host.getBody().getOps<LaunchOp>()) {
    LaunchOp before = getPrecedingLaunch(launch);
    Attribute batch = getBatch(launch);
    if (!before || getStream(before) != getStream(launch) || (batch && getBatch(before) == batch))
      continue;
    Attribute when = UnitAttr::get(launch.getContext());
    if (getAllWaves(before) <= 1)
      when = StringAttr::get(launch.getContext(), kEarly);
    launch->setDiscardableAttr(kDependentName, when);
    ++numMarked;
  }
  return numMarked;
}
