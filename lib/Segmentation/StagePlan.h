//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the host function of a fusion does, in order: which segment becomes which launch, what each
// writes, and where.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_STAGEPLAN_H
#define FUSER_LIB_SEGMENTATION_STAGEPLAN_H

#include "HostJoins.h"
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
  /// What a routine of a library computes instead of a kernel.
  LibraryOpInterface library;
  llvm::SmallVector<KernelOutput> outputs;
};

/// An output that is a view of all that a kernel stores: it is allocated in its own dimensions, and
/// the kernel writes it in those of the value.
struct OutputView {
  mlir::Value root, result;
  unsigned position;
  /// The ops from the one to the other.
  llvm::SmallVector<mlir::Operation *> chain;
  /// How the result lies.
  LayoutAttr layout;
};

/// The stages of a fusion and what they share. Segments that only put together what earlier ones
/// compute are no stages but joins; those that only reshape or reorder what earlier ones store are
/// views.
/// The kernel of a stage of `partition` that no library computes.
BuiltKernel buildKernel(const Stage &stage, KernelBuilder &kernels, const Partition &partition,
                        llvm::StringRef name);

class StagePlan {
public:
  /// Marks the outputs that a stage writes in place.
  StagePlan(FusionOp fusion, const ExtentAnalysis &analysis, const Partition &partition,
            KernelBuilder &kernels, ProgramOutputs &outputs);
  StagePlan(const StagePlan &) = delete;
  StagePlan &operator=(const StagePlan &) = delete;

  llvm::ArrayRef<Stage> getStages() const { return stages; }
  /// Values that stages write part by part.
  llvm::ArrayRef<HostJoin> getJoins() const { return joins; }

  /// The number of the join that the value is a part of, and its number there.
  std::optional<std::pair<unsigned, unsigned>> findJoin(mlir::Value value) const;
  /// The output that is a view of a stored value; null: none.
  const OutputView *findOutputView(mlir::Value root) const;
  /// What has a buffer of its own: the joined value for one that is written into its place there,
  /// the stored value for a view of it.
  mlir::Value getOwner(mlir::Value value) const;
  /// Null where no stage reads the value, or what is written into its buffer.
  const Stage *getLastReader(mlir::Value value) const { return lastReaders.lookup(value); }
  /// True where an output is a view, in the order that is required, of an argument or of what a
  /// stage stores.
  bool isViewOutput(unsigned position) const { return viewOutputs.test(position); }

private:
  void findViewOutputs(KernelBuilder &kernels);
  void planJoins();
  void planViews(KernelBuilder &kernels);
  /// Makes the results of a segment views, where all of them can be.
  bool viewSegment(const Segment &segment, KernelBuilder &kernels);
  /// The output `position`, whose layout is `layout`, as a view of a stored value; none where it
  /// cannot be.
  std::optional<OutputView> getOutputView(unsigned position, const ViewLayout &layout,
                                          KernelBuilder &kernels) const;
  void planStages();
  llvm::SmallVector<KernelOutput> getOutputs(const Segment &segment,
                                             const llvm::DenseSet<mlir::Value> &readLater) const;
  std::optional<ViewLayout> getBox(mlir::Value value) const;
  void placeAliases();
  bool isJoined(mlir::Value value) const;

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  const Partition &partition;
  ProgramOutputs &outputs;
  std::vector<Stage> stages;
  std::vector<HostJoin> joins;
  llvm::DenseMap<mlir::Value, std::pair<unsigned, unsigned>> joinOf;
  /// Of each value that is a view of what a stage stores: what it is directly a view of.
  llvm::DenseMap<mlir::Value, mlir::Value> viewBases;
  std::vector<OutputView> outputViews;
  llvm::DenseMap<mlir::Value, const Stage *> lastReaders;
  llvm::BitVector viewOutputs;
};

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_STAGEPLAN_H
