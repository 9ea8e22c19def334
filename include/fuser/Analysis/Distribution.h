//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How a value is distributed over devices and streams, read from its loop domain.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_DISTRIBUTION_H
#define FUSER_ANALYSIS_DISTRIBUTION_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// True for device_x, device_y, device_z and stream, which are bound before segmentation.
bool isDistributed(ParallelType type);

/// A part of a logical dimension that a device axis or a stream runs over.
struct Shard {
  ParallelType type;
  /// The loop id.
  unsigned id;
  /// The position in the logical domain of the id that it is part of.
  unsigned logical;
  /// The splits that lead from that id to this one, with the output that is followed at each.
  struct Step {
    int64_t factor;
    bool inner;
    unsigned output;
    bool operator==(const Step &other) const {
      return factor == other.factor && inner == other.inner && output == other.output;
    }
  };
  llvm::SmallVector<Step, 2> steps;
};

/// The shards of a loop domain, outermost first. Fails (without a diagnostic) if a distributed id
/// is derived from more than one logical id, or by a transform other than a split.
mlir::FailureOr<llvm::SmallVector<Shard>> getShards(DomainAttr domain);

/// The order of the loop ids before segmentation, as positions in `domain.getLoop()`: streams in
/// their order, device_z, device_y, device_x, then the others in the order of the logical ids that
/// they come from (S4.3).
llvm::SmallVector<unsigned> getCanonicalLoopOrder(DomainAttr domain);

/// True if the op's domain only describes distribution and memory order: no loop runs on blocks,
/// threads or vectors, and the op has no memory type and no inline position.
bool isUnscheduled(TensorViewOpInterface op);

/// A dimension of a buffer before it is distributed.
struct AllocatedDim {
  /// A logical id.
  unsigned id;
  /// The dimension is contiguous with the next faster one.
  bool contiguous;
};

/// The logical ids of an allocation in its order, regardless of its splits. Nullopt if an id is not
/// derived from one logical id by splits.
std::optional<llvm::SmallVector<AllocatedDim>> getAllocatedDims(DomainAttr domain);

/// `domain` with an allocation in the order of `dims` that is split like the loops on devices and
/// the first `numStreams` loops over streams.
DomainAttr replayAllocation(DomainAttr domain, llvm::ArrayRef<AllocatedDim> dims,
                            unsigned numStreams);

/// True if the buffer holds one iteration of the stream `id`. A whole dimension on a stream is a
/// single id; in an allocation it stands for the whole dimension.
bool isAllocatedStream(DomainAttr domain, unsigned id);

} // namespace fuser

#endif // FUSER_ANALYSIS_DISTRIBUTION_H
