//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Ids/ScanLoops.h"

using namespace mlir;
using namespace fuser;

/// Appends the positions of the loops that `id` consists of; false if it is not only split.
static bool addPositions(DomainAttr domain, unsigned id, SmallVectorImpl<unsigned> &positions) {
  for (const DomainTransform &transform : domain.getTransforms())
    if (llvm::is_contained(transform.getInputs(), id))
      return transform.kind == TransformKind::Split &&
             llvm::all_of(transform.getOutputs(),
                          [&](unsigned part) { return addPositions(domain, part, positions); });
  const auto *loop = llvm::find(domain.getLoop(), id);
  if (loop == domain.getLoop().end())
    return false;
  positions.push_back(loop - domain.getLoop().begin());
  return true;
}

std::optional<ScanLoops> ScanLoops::get(TensorViewOpInterface op) {
  auto scan = dyn_cast<ScanOpInterface>(op.getOperation());
  if (!scan)
    return std::nullopt;
  DomainAttr domain = op.getDomain();
  unsigned id = domain.getRootOrLogical()[scan.getScannedId()];
  if (domain.getKinds()[id] == IdKind::Broadcast)
    return std::nullopt;
  ScanLoops loops;
  if (!addPositions(domain, id, loops.positions)) {
    loops.problem = "the scanned dimension " + std::to_string(scan.getScannedId()) +
                    " to be a loop, or to be split into loops, but it is merged, swizzled or "
                    "resized";
    return loops;
  }
  ArrayRef<ParallelType> types = domain.getParallel();
  auto isHardware = [&](unsigned position) {
    return isThreadType(types[position]) || isBlockType(types[position]);
  };
  for (unsigned position : ArrayRef(loops.positions).drop_front())
    if (isBlockType(types[position]))
      loops.problem = "the loops over the scanned dimension " +
                      std::to_string(scan.getScannedId()) +
                      " to be loops or threads of one block, except for the outermost one, but "
                      "got @" +
                      stringifyParallelType(types[position]).str();
  loops.isChained = isBlockType(types[loops.positions.front()]);
  loops.tilePosition = domain.getLoop().size();

  auto isLoop = [&](unsigned position) {
    return types[position] == ParallelType::Serial || types[position] == ParallelType::Unroll ||
           types[position] == ParallelType::Unswitch;
  };
  if (loops.isChained) {
    loops.numCarried = 1;
  } else if (llvm::all_of(loops.positions, isLoop) && llvm::is_sorted(loops.positions)) {
    loops.numCarried = loops.positions.size();
  } else {
    for (unsigned position : loops.positions) {
      auto isInside = [&](unsigned other) { return isHardware(other) || other > position; };
      if (!isLoop(position) || types[position] == ParallelType::Unroll ||
          !llvm::all_of(ArrayRef(loops.positions).drop_front(loops.numCarried + 1), isInside))
        break;
      ++loops.numCarried;
    }
  }
  for (unsigned position : ArrayRef(loops.positions).drop_front(loops.numCarried))
    if (!isHardware(position))
      loops.tilePosition = std::min(loops.tilePosition, position);
  return loops;
}
