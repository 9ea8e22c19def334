//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The steps of the host function of a fusion, in order: the launch of each segment, its outputs and
// their buffers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_STAGEPLAN_H
#define FUSER_LIB_SEGMENTATION_STAGEPLAN_H

#include "JoinPlan.h"
#include "KernelBuilder.h"
#include "ProgramOutputs.h"
#include "fuser/Segmentation/Partition.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace fuser {

/// One launch of a kernel or call of a library.
struct Stage {
  const Segment *segment;
  /// The op that a library routine computes instead of a kernel.
  LibraryOpInterface library;
  llvm::SmallVector<KernelOutput> outputs;
  std::vector<KernelBorder> borders;
  /// It computes the whole program: its kernel keeps the arguments that it does not read.
  bool keepsArguments = false;
};

/// An output that is a view of a whole stored value: it is allocated in its own dimensions, and the
/// kernel, or the kernels of the parts of a joined value, write it in the dimensions of the value.
struct OutputView {
  mlir::Value root, result;
  unsigned position;
  /// The ops from the value to the output.
  llvm::SmallVector<mlir::Operation *> chain;
  /// The layout of the result.
  LayoutAttr layout;
};

/// The kernel of a stage that no library computes.
BuiltKernel buildKernel(const Stage &stage, KernelBuilder &kernels, llvm::StringRef name);

/// The stages of a fusion and their shared state. Segments that only join results of earlier ones
/// are joins, not stages; segments that only reshape or permute stored results of earlier ones are
/// views.
class StagePlan {
public:
  /// Marks the outputs that a stage writes in place.
  StagePlan(FusionOp fusion, const ExtentAnalysis &analysis, const Partition &partition,
            KernelBuilder &kernels, ProgramOutputs &outputs);
  StagePlan(const StagePlan &) = delete;
  StagePlan &operator=(const StagePlan &) = delete;

  llvm::ArrayRef<Stage> getStages() const { return stages; }
  /// Values that stages write part by part.
  llvm::ArrayRef<HostJoin> getJoins() const { return joinPlan.joins; }

  /// The joins that the value is a part of, or that are written into it.
  llvm::ArrayRef<PartOfJoin> findJoins(mlir::Value value) const {
    return joinPlan.findJoins(value);
  }
  /// True if other kernels read the result of the join in its buffer.
  bool isReadAt(const HostJoin &join) const { return joinPlan.findJoinOf(join.result) == &join; }
  /// The output that is a view of a stored value; null: none.
  const OutputView *findOutputView(mlir::Value root) const;
  /// True for a part of a joined value that lies there as it would in a buffer of its own: other
  /// kernels read it there.
  bool isReadInPlace(mlir::Value value) const { return readInPlace.contains(value); }
  /// The last of the outputs of stages that are stored in the buffer of this one, one after the
  /// other (`UpdateOpInterface`).
  const KernelOutput &getLastUpdate(const KernelOutput &output) const;
  /// Copies of arguments that no stage makes, as their updates are stored in the argument.
  llvm::ArrayRef<std::pair<mlir::Value, mlir::BlockArgument>> getUpdatedArguments() const {
    return updatedArguments;
  }
  /// The value that owns the buffer: the stored value for a view of it, the joined value for a part
  /// that is read in place.
  mlir::Value getOwner(mlir::Value value) const;
  /// Null if no stage reads the value, or a value that is written into its buffer.
  const Stage *getLastReader(mlir::Value value) const { return lastReaders.lookup(value); }
  /// True if an output is a view, with the required order, of an argument or of a value that a
  /// stage stores.
  bool isViewOutput(unsigned position) const { return viewOutputs.test(position); }

private:
  void findViewOutputs();
  void planJoins(KernelBuilder &kernels);
  void planViews(KernelBuilder &kernels);
  /// Turns the results of a segment into views, if all of them can be views.
  bool viewSegment(const Segment &segment, KernelBuilder &kernels);
  /// The output `position`, whose layout is `layout`, as a view of a stored value; none if it
  /// cannot be a view.
  std::optional<OutputView> getOutputView(unsigned position, const ViewLayout &layout,
                                          KernelBuilder &kernels) const;
  void planStages();
  /// The values that the kernel of a segment writes, given those that later ones read and the
  /// positions of the fusion's outputs.
  llvm::SmallVector<KernelOutput>
  getOutputs(const Segment &segment, const llvm::DenseSet<mlir::Value> &readLater,
             const llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 1>> &positions) const;
  void addPartOutputs(mlir::Value value, llvm::SmallVectorImpl<KernelOutput> &written) const;
  void planBorders();
  bool isLikeNewBuffer(mlir::BlockArgument argument, mlir::Value value,
                       KernelBuilder &kernels) const;
  void placeAliases(KernelBuilder &kernels);
  void placeUpdates(KernelBuilder &kernels);
  bool isViewed(mlir::Value value) const;
  bool canUpdateArgument(const Stage &copy, mlir::Value last, KernelBuilder &kernels) const;
  bool isLaidOutLikeNewBuffer(mlir::BlockArgument argument, mlir::Value value,
                              KernelBuilder &kernels) const;

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  const Partition &partition;
  ProgramOutputs &outputs;
  std::vector<Stage> stages;
  JoinPlan joinPlan;
  llvm::DenseSet<mlir::Value> readInPlace;
  /// The direct base of each value that is a view of a stored value.
  llvm::DenseMap<mlir::Value, mlir::Value> viewBases;
  std::vector<OutputView> outputViews;
  llvm::SmallVector<std::pair<mlir::Value, mlir::BlockArgument>> updatedArguments;
  llvm::DenseMap<mlir::Value, const Stage *> lastReaders;
  llvm::BitVector viewOutputs;
};

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_STAGEPLAN_H
