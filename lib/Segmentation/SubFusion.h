//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The fusion that one iteration of a stream loop computes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_SUBFUSION_H
#define FUSER_LIB_SEGMENTATION_SUBFUSION_H

#include "KernelBuilder.h"
#include "fuser/Analysis/StreamNest.h"
#include "llvm/ADT/SetVector.h"
#include <functional>

namespace fuser {

/// Some ops of a fusion as a separate fusion.
struct SubFusion {
  /// The value that is passed for an argument: a value of the fusion, and the dimension of which a
  /// part is passed (none: the whole value, or a scalar).
  struct Input {
    mlir::Value value;
    std::optional<unsigned> dim;
  };

  FusionOp fusion;
  llvm::SmallVector<Input> inputs;
  llvm::SmallVector<KernelOutput> outputs;
  /// By output: the argument in whose memory it is stored, after the inputs; none: the fusion
  /// returns a new buffer.
  llvm::SmallVector<std::optional<unsigned>> destinations;
  /// Expected sizes of its arguments.
  SizeHints hints;
};

class SubFusionBuilder {
public:
  using DestinationFinder = std::function<std::optional<unsigned>(const KernelOutput &)>;
  /// The memory of a value that is a view of other memory of the host function.
  struct BufferView {
    LayoutAttr layout;
    /// In bytes; none: that of a new buffer.
    std::optional<int64_t> alignment;
  };
  using ViewFinder = std::function<std::optional<BufferView>(mlir::Value)>;

  /// `analysis` and `hints` are those of the fusion; all outlive the builder. `findDestination`:
  /// the argument of the fusion in which an output is stored at once; `findView` is asked about
  /// values of groups that were built before.
  SubFusionBuilder(FusionOp fusion, const ExtentAnalysis &analysis, const SizeHints &hints,
                   DestinationFinder findDestination, ViewFinder findView)
      : fusion(fusion), analysis(analysis), hints(hints),
        findDestination(std::move(findDestination)), findView(std::move(findView)),
        kernels(fusion, analysis, hints) {}

  /// A fusion, outside of any module, of the ops of a group: of their whole results, or of one
  /// iteration of their loop. In the latter case, its types are those of the parts, its domains
  /// have the loops and the allocations in the iteration, and its outputs are the values whose
  /// allocation is outside of the loop (S4.8); each is an alias of an additional argument, the part
  /// of the buffer that the iteration writes. It has the facts, layouts and hints of the fusion
  /// that apply to the parts. Fails with a diagnostic at an op that cannot compute a part, or that
  /// needs a size which arguments do not determine.
  mlir::FailureOr<SubFusion> build(const StreamGroup &group, llvm::StringRef name);

  /// The alignment of an argument in bytes, if a fact states it, or of a value that is a view.
  std::optional<int64_t> getStatedAlignment(mlir::Value value);

private:
  struct Key {
    mlir::Value value;
    /// The dimension of which it is a part, or -1.
    int64_t dim;
    bool operator==(const Key &other) const { return value == other.value && dim == other.dim; }
  };
  struct KeyInfo {
    static Key getEmptyKey() { return {llvm::DenseMapInfo<mlir::Value>::getEmptyKey(), -1}; }
    static Key getTombstoneKey() {
      return {llvm::DenseMapInfo<mlir::Value>::getTombstoneKey(), -1};
    }
    static unsigned getHashValue(const Key &key) {
      return llvm::hash_combine(mlir::hash_value(key.value), key.dim);
    }
    static bool isEqual(const Key &a, const Key &b) { return a == b; }
  };

  Key getKey(const StreamGroup &group, mlir::OpOperand &operand) const;
  mlir::LogicalResult collectInputs(const StreamGroup &group);
  mlir::LogicalResult addScalar(mlir::Value scalar);
  mlir::Type getType(const StreamGroup &group, const Key &key) const;
  llvm::SmallVector<mlir::AffineExpr> getExtents(const StreamGroup &group, const Key &key) const;
  LayoutAttr getLayout(llvm::ArrayRef<int64_t> order, int64_t rank, int64_t dim);
  LayoutAttr getLayout(const Key &key);
  /// The argument that a value is, or is stored in at once; null: it is in a new buffer.
  mlir::BlockArgument getArgument(mlir::Value value);
  bool mayBeAligned(LayoutAttr layout, const Key &key,
                    llvm::ArrayRef<mlir::AffineExpr> extents) const;
  llvm::SmallVector<KernelOutput> collectOutputs(const StreamGroup &group) const;
  mlir::LogicalResult cloneOps(const StreamGroup &group, SubFusion &sub);
  DomainAttr getPartDomain(const StreamGroup &group, mlir::OpResult result,
                           TensorViewOpInterface part);
  void finishClone(const StreamGroup &group, mlir::Operation *op, mlir::Operation *clone);
  void addArgumentAttributes(const StreamGroup &group, SubFusion &sub,
                             llvm::ArrayRef<Key> arguments);
  void addFacts(SubFusion &sub, llvm::ArrayRef<Key> arguments,
                llvm::ArrayRef<llvm::SmallVector<mlir::AffineExpr>> extents);

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  const SizeHints &hints;
  const DestinationFinder findDestination;
  const ViewFinder findView;
  KernelBuilder kernels;

  // State of the fusion under construction.
  llvm::SetVector<Key, llvm::SmallVector<Key>, llvm::DenseSet<Key, KeyInfo>> inputs;
  llvm::SetVector<mlir::Operation *> scalarOps;
};

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_SUBFUSION_H
