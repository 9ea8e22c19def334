//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Correspondence between the ids of a producer and of one consumer.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_IDS_EDGEIDS_H
#define FUSER_IDS_EDGEIDS_H

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Ids/IdRelations.h"
#include "fuser/Ids/ScanLoops.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuser {

/// Why a producer's loop cannot be a loop of its consumer.
enum class InlineConflictKind {
  /// The consumer has no loop at this position.
  MissingLoop,
  /// The loops run over ids that do not correspond.
  DifferentIds,
  /// The loops have different parallel types.
  DifferentParallelTypes,
  /// The producer's loop reduces.
  Reduction,
  /// The producer's loop collects the elements of a tile that is scanned after it.
  ScanTile,
};

/// The ids of a producer and of a consumer that reads it through one operand. In contrast to the
/// classes of IdRelations this relation is not transitive: it depends on two ops only, so the id to
/// which another consumer broadcasts is irrelevant, and in `x + permute(x)` each operand has its
/// own relation. Code that shares loops or generates indices queries edges.
///
/// An id of the producer corresponds to an id of the consumer if
///   - the operand's dimension is mapped to it (or resized to it by the `resize` that the producer
///     also has), or
///   - both are outputs of transforms of the same kind with equal parameters from corresponding
///     ids, or one results from undoing a product (IdProduct) that the other consists of, or
///   - it is a broadcast: it indexes nothing, and corresponds to the consumer's id at its position,
///     or
///   - one of them is a merge of the other with a broadcast. The broadcast has the extent 1 if the
///     loops have equal extents, which lowering checks.
class EdgeIds {
public:
  /// `use` is an operand of an op with loops that is a result of `producer`. `readsAll` returns
  /// true if a dimension of the operand that is read at offset 0 has the extent of a root id of the
  /// reader; by default it returns false.
  using ReadsAll = llvm::function_ref<bool(mlir::OpOperand &use, unsigned dim, unsigned rootId)>;
  /// The extents of the ids in loops that exist. A broadcast has that of its resolution. Those of
  /// the producer may be missing: then a broadcast of it has the extent that it stands for.
  struct Resolved {
    const ExtentAnalysis &extents;
    llvm::ArrayRef<mlir::AffineExpr> producer, consumer;
  };
  /// With resolved extents, a broadcast corresponds only to an id of its extent, and a merge is
  /// that of its other input only if the broadcast has extent 1: ids that correspond have equal
  /// indices.
  EdgeIds(TensorViewOpInterface producer, mlir::OpOperand &use, ReadsAll readsAll = nullptr,
          std::optional<Resolved> resolved = std::nullopt);

  bool correspond(unsigned producerId, unsigned consumerId) const;
  /// The number of outermost loops that correspond one by one, have equal parallel types and are
  /// not reduction loops.
  unsigned getNumSharedLoops() const;
  struct Conflict {
    /// The position of the outermost loop that conflicts.
    unsigned position;
    InlineConflictKind kind;
  };
  /// The first of the outermost `end` loops of which the consumer has no counterpart.
  std::optional<Conflict> findConflict(unsigned end) const;

  /// Visits the pairs of ids that are equal if the first `numLoops` loops are shared: the loops
  /// and, as far as their transforms correspond, the inputs of these transforms. A broadcast of the
  /// producer is visited with its corresponding id.
  void visitShared(unsigned numLoops,
                   llvm::function_ref<void(unsigned producerId, unsigned consumerId)> visit) const;

private:
  void visitShared(unsigned p, unsigned c,
                   llvm::function_ref<void(unsigned, unsigned)> visit) const;
  bool haveEqualSteps(int producerStep, int consumerStep, unsigned p, unsigned c) const;
  /// True unless one of them is a broadcast that is resolved to another extent.
  bool haveEqualExtents(unsigned p, unsigned c) const;

  DomainAttr producer, consumer;
  std::optional<Resolved> resolved;
  /// The broadcasts that change no index when they are merged with another id.
  llvm::SmallBitVector producerUnits, consumerUnits;
  /// Of the producer.
  std::optional<ScanLoops> scan;
  /// True if `isElementwiseEdge` holds: the graph is empty, and ids correspond to themselves.
  bool isElementwise;
  /// Ids of the producer, then those of the consumer.
  IdGraph graph;
};

/// True if both ops have the same ids, though perhaps other loops and reductions, and each
/// dimension that `use` reads is the consumer's dimension at the same position: the ids of the
/// producer are those of the consumer, number by number. Most edges of a scheduled kernel are such
/// edges.
bool isElementwiseEdge(DomainAttr producer, mlir::OpOperand &use);

/// The relations of a producer and a consumer through all operands of the consumer that are results
/// of the producer: how many of the outermost loops they can share.
unsigned getNumSharedLoops(TensorViewOpInterface producer, mlir::Operation *consumer,
                           const IdRelations &relations);

/// As EdgeIds::ReadsAll, by classes and by extents.
bool readsAll(const IdRelations &relations, mlir::OpOperand &use, unsigned dim, unsigned rootId);
bool readsAll(const ExtentAnalysis &extents, mlir::OpOperand &use, unsigned dim, unsigned rootId);

/// Fails with a diagnostic at each producer, and a note at its consumer, if the first `inline_at`
/// loops do not correspond.
mlir::LogicalResult verifyInlinePositions(mlir::FunctionOpInterface program,
                                          const ExtentAnalysis &extents);

} // namespace fuser

#endif // FUSER_IDS_EDGEIDS_H
