//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The plain structs of #fuser.domain and a builder for it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_DOMAIN_H
#define FUSER_DIALECT_IR_DOMAIN_H

#include "fuser/Dialect/IR/FuserEnums.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace fuser {

class DomainAttr;

/// The marker of an absent id.
constexpr unsigned kNoId = ~0u;

enum class TransformKind : uint32_t { Split, Merge, Swizzle, Resize, Broadcast };

/// One step from root to logical, or from logical to loop or allocation; the formulas are in the
/// description of #fuser.domain.
struct DomainTransform {
  TransformKind kind;
  /// Consumed ids; `kNoId` where the kind has fewer.
  unsigned inputs[2] = {kNoId, kNoId};
  /// Defined ids.
  unsigned outputs[2] = {kNoId, kNoId};
  /// Split: the factor. Swizzle: the period. Resize: indices added before.
  int64_t value = 0;
  /// Resize: indices added after.
  int64_t after = 0;
  /// Split: the factor is the extent of the inner output (else of the outer one).
  bool inner = true;

  llvm::ArrayRef<unsigned> getInputs() const;
  llvm::ArrayRef<unsigned> getOutputs() const;
  bool operator==(const DomainTransform &other) const;
};

llvm::hash_code hash_value(const DomainTransform &transform);

/// Builds a #fuser.domain step by step, or edits one. Ids keep their numbers; each transform
/// returns the new ones. A transform of loop ids replaces them in the loop domain at the place of
/// its first input.
class DomainBuilder {
public:
  /// Starts from logical ids of these kinds; loop = logical, allocation = logical without
  /// reductions.
  DomainBuilder(mlir::MLIRContext *context, llvm::ArrayRef<IdKind> logicalKinds);
  /// Starts from an existing domain.
  explicit DomainBuilder(DomainAttr domain);

  unsigned getNumIds() const { return kinds.size(); }
  IdKind getKind(unsigned id) const { return kinds[id]; }
  llvm::ArrayRef<unsigned> getLoop() const { return loop; }
  llvm::ArrayRef<unsigned> getLogical() const { return logical; }

  std::pair<unsigned, unsigned> split(unsigned id, int64_t factor, bool inner = true);
  unsigned merge(unsigned outer, unsigned inner);
  std::pair<unsigned, unsigned> swizzle(unsigned outer, unsigned inner, int64_t period);
  unsigned resize(unsigned id, int64_t before, int64_t after);
  /// Adds a broadcast id to the loop domain at `position`.
  unsigned broadcast(unsigned position);

  /// Reorders loop: `order[i]` is the old position of the id at the new position i.
  void reorderLoop(llvm::ArrayRef<unsigned> order);
  void parallelize(unsigned id, ParallelType type);
  /// Changes the kind of an id (rfactor makes one output of a split of a reduction id an iteration
  /// id).
  void setKind(unsigned id, IdKind kind) { kinds[id] = kind; }
  void setLoop(llvm::ArrayRef<unsigned> ids, llvm::ArrayRef<ParallelType> types);
  void setAllocation(llvm::ArrayRef<unsigned> ids, llvm::ArrayRef<bool> contiguity = {});
  /// Makes the present logical ids the root and `ids` (derived from them) the logical domain
  /// (reshape, rfactor). The allocation becomes logical without reductions.
  void setLogical(llvm::ArrayRef<unsigned> ids);

  /// The attribute; null if the domain is not valid: if its loops do not cover each dimension once.
  DomainAttr build() const;

private:
  friend class DomainAttr;
  unsigned addId(IdKind kind);
  void replaceInLoop(llvm::ArrayRef<unsigned> inputs, llvm::ArrayRef<unsigned> outputs);

  mlir::MLIRContext *context;
  llvm::SmallVector<IdKind> kinds;
  llvm::SmallVector<unsigned> root, logical, loop, allocation;
  llvm::SmallVector<DomainTransform> transforms;
  llvm::SmallVector<ParallelType> parallel;
  llvm::SmallVector<bool> contiguity;
};

/// True for types whose iterations run on different threads (thread_*) or blocks (block_*,
/// cluster_x).
bool isThreadType(ParallelType type);
bool isBlockType(ParallelType type);
/// device_x, device_y, device_z.
bool isDeviceType(ParallelType type);
/// True for types that several loops of an op may have.
bool isRepeatableType(ParallelType type);
/// The kind of ids derived from `inputs`: reduction if any is, broadcast if all are, else
/// iteration.
IdKind deriveKind(llvm::ArrayRef<IdKind> inputs);

} // namespace fuser

#endif // FUSER_DIALECT_IR_DOMAIN_H
