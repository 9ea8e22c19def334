//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which loops of a producer are the loops of its consumer, and where `inline_at` says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_INLINELEGALITY_H
#define FUSER_ANALYSIS_INLINELEGALITY_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// How the ids of one producer and one consumer that reads it correspond. An id of the producer
/// corresponds to an id of the consumer where
///   - the operand's dimension is mapped to it (or resized to it by the `resize` that the producer
///     also has), or
///   - both are made by one kind of transform with equal parameters from ids that correspond, or
///   - it is a broadcast: it indexes nothing, and stands for whatever the consumer has there, or
///   - one of them is a merge of the other with a broadcast; that this one has the extent 1 follows
///     where the loops have equal extents, which lowering checks.
/// In contrast to the classes of the ID model this looks at two ops only: what a broadcast becomes
/// in another consumer does not matter.
class LoopCorrespondence {
public:
  /// `operand` of a consumer with a domain mapping is a result of `producer`.
  LoopCorrespondence(TensorViewOpInterface producer, mlir::OpOperand &operand);

  bool correspond(unsigned producerId, unsigned consumerId) const;
  /// How many of the outermost loops correspond one by one and have the same parallel types.
  unsigned getNumSharedLoops() const;

private:
  struct Source {
    /// The consumer's root id, or kNoId.
    unsigned id = kNoId;
    /// The indices that the consumer has before the producer's first one.
    int64_t before = 0;
  };

  DomainAttr producer, consumer;
  /// By logical id of the producer.
  llvm::SmallVector<Source> sources;
};

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
};

struct InlineConflict {
  InlineConflictKind kind;
  mlir::Operation *producer, *consumer;
  /// The position of the outermost loop that conflicts.
  unsigned position;
};

/// One conflict for each producer and consumer whose first `inline_at` loops are not the same, in
/// program order. Empty: the inline positions of the program are legal.
llvm::SmallVector<InlineConflict> findInlineConflicts(mlir::FunctionOpInterface program);

/// Emits `conflict` as an error at the producer, with a note at the consumer.
void emitInlineConflict(const InlineConflict &conflict);

/// The largest legal `inline_at` of a value: how many loops all consumers share, up to the first
/// that reduces. 0 where a consumer has no loops, as `fuser.return`.
unsigned getMaxInlinePosition(TensorViewOpInterface producer);

} // namespace fuser

#endif // FUSER_ANALYSIS_INLINELEGALITY_H
