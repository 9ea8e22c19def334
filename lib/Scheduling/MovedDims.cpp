//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Offsets of reads, followed to the dimensions of the reference.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/MovedDims.h"
#include "fuser/Scheduling/KernelSchedule.h"

using namespace mlir;
using namespace fuser;

namespace {
/// The index of some dimension in the reference: it belongs to `dimClass` there, and is smaller by
/// `before`.
struct PlaceInReference {
  unsigned dimClass;
  int64_t before;
};
} // namespace

/// Follows resizes of `dimClass` until a class is in `reference`; nothing if there is no such
/// class. A class in `reference` is returned unchanged.
static std::optional<PlaceInReference> findPlace(const KernelView &kernel, unsigned dimClass,
                                                 ArrayRef<unsigned> reference) {
  PlaceInReference place{dimClass, 0};
  for (size_t steps = 0; steps <= kernel.getResizes().size(); ++steps) {
    if (llvm::is_contained(reference, place.dimClass))
      return place;
    const ClassResize *resize = kernel.getResize(place.dimClass);
    if (!resize)
      break;
    place = {resize->to, place.before + resize->before};
  }
  return std::nullopt;
}

unsigned fuser::findInReference(const KernelView &kernel, unsigned dimClass,
                                ArrayRef<unsigned> reference) {
  std::optional<PlaceInReference> place = findPlace(kernel, dimClass, reference);
  return place ? place->dimClass : unsigned(IdRelations::kNone);
}

unsigned fuser::findWholeInReference(const KernelView &kernel, unsigned dimClass,
                                     ArrayRef<unsigned> reference) {
  const unsigned joined = findInReference(kernel, dimClass, reference);
  return joined == IdRelations::kNone ? findWhole(kernel, dimClass) : joined;
}

unsigned fuser::findWholeOrRead(const KernelView &kernel, const GlobalTensor &tensor,
                                unsigned dimClass, ArrayRef<unsigned> reference, bool atAnyStep) {
  const unsigned whole = findWholeInReference(kernel, dimClass, reference);
  if (llvm::is_contained(reference, whole))
    return whole;
  for (OpOperand &use : tensor.value.getUses()) {
    auto op = dyn_cast<TensorViewOpInterface>(use.getOwner());
    if (!op || !isReadInPlace(use))
      continue;
    auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(use.getOperandNumber()))) {
      if (map.kind != DimMap::Kind::Resized || (map.step != 1 && !atAnyStep) ||
          tensor.dims[dim] != dimClass)
        continue;
      const unsigned read =
          findWholeInReference(kernel, kernel.getClasses().getClass(op, map.id), reference);
      if (llvm::is_contained(reference, read))
        return read;
    }
  }
  return whole;
}

int64_t fuser::findAlong(const KernelView &kernel, const GlobalTensor &tensor, unsigned dimClass,
                         ArrayRef<unsigned> reference) {
  const int64_t own = tensor.find(dimClass);
  if (own >= 0)
    return own;
  // If the fastest dimension is none of the reference's (a reshape moved it), nothing is known.
  for (int64_t i = int64_t(tensor.order.size()) - 1; i >= 0; --i) {
    const unsigned whole =
        findWholeOrRead(kernel, tensor, tensor.order[i], reference, /*atAnyStep=*/true);
    if (whole == dimClass)
      return i;
    if (!llvm::is_contained(reference, whole))
      break;
  }
  return -1;
}

bool fuser::isAcross(const KernelView &kernel, const GlobalTensor &tensor, unsigned dimClass,
                     ArrayRef<unsigned> reference) {
  const int64_t place = findAlong(kernel, tensor, dimClass, reference);
  return place >= 0 && place + 1 < int64_t(tensor.order.size());
}

bool fuser::isMovedAlong(const KernelView &kernel, ArrayRef<unsigned> reference,
                         TensorViewOpInterface op, OpOperand &operand, unsigned dim,
                         const DimMap &map) {
  const IdRelations &classes = kernel.getClasses();
  std::optional<int64_t> offset = getStaticOffset(map);
  if (!offset)
    return false;
  unsigned from = classes.getClass(operand.get(), dim), to = classes.getClass(op, map.id);
  if (from == to)
    return *offset == 0;
  const ClassResize *resize = kernel.getResize(from);
  // If the loops of a reshape are its parts, no single loop can be moved by the offset.
  auto isLoop = [&](unsigned idClass) {
    return kernel.getSpace().getLoopClasses(idClass) == ArrayRef(idClass);
  };
  if (!resize || !isLoop(from) || !isLoop(to))
    return false;
  // Loops over a dimension of size 1 cannot be moved by an offset.
  if (classes.isBroadcast(from) || classes.isBroadcast(to))
    return resize->before == 0 && resize->after == 0;
  std::optional<PlaceInReference> a = findPlace(kernel, from, reference);
  std::optional<PlaceInReference> b = findPlace(kernel, to, reference);
  // Another check refuses dimensions that the reference lacks.
  return !a || !b || (a->dimClass == b->dimClass && a->before == b->before + resize->before);
}

std::optional<Refusal> fuser::checkJoins(const KernelView &kernel, ArrayRef<unsigned> loops) {
  for (TensorViewOpInterface op : kernel.getOps())
    if (OpOperand *operand = findUnmovedOperand(kernel, loops, op))
      return Refusal{RefusalCategory::Structure,
                     kUnsupportedOp,
                     {op},
                     "expected parts of rows that are computed at one offset, but those of '" +
                         op->getName().getStringRef().str() + "' are not",
                     {operand}};
  return std::nullopt;
}

OpOperand *fuser::findUnmovedOperand(const KernelView &kernel, ArrayRef<unsigned> reference,
                                     TensorViewOpInterface op) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber()))) {
      const bool isMoved = map.kind == DimMap::Kind::Resized || map.kind == DimMap::Kind::Indirect;
      if (isMoved && !isa<BlockArgument>(operand.get()) &&
          !isMovedAlong(kernel, reference, op, operand, dim, map))
        return &operand;
    }
  return nullptr;
}
