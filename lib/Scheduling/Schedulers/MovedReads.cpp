//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads at an offset in kernels whose loops are those of one output.
//
//===----------------------------------------------------------------------===//

#include "MovedReads.h"
#include "fuser/Scheduling/ReferenceOutput.h"
#include "fuser/Scheduling/Requirements.h"
#include "llvm/ADT/DenseSet.h"

#include <numeric>

using namespace mlir;
using namespace fuser;

/// Refuses ops that do not read exactly one element of each operand, and computed values that are
/// read at data-dependent indices, or not at a single constant offset from their own index.
static std::optional<Refusal> checkReads(const KernelView &kernel, ArrayRef<unsigned> reference) {
  auto refuse = [](TensorViewOpInterface op, const std::string &sentence) {
    return Refusal{RefusalCategory::Structure,
                   kUnsupportedOp,
                   {op},
                   sentence + ", but '" + op->getName().getStringRef().str() + "' does not"};
  };
  auto refuseAlone = [&](TensorViewOpInterface op) {
    Refusal refusal = refuse(op, "expected ops that compute each element from one of each operand");
    cutBefore(op, refusal.cuts);
    cutBehind(op, refusal.cuts);
    return refusal;
  };
  if (std::optional<Refusal> refusal = checkReshapes(kernel))
    return refusal;
  for (TensorViewOpInterface op : kernel.getOps()) {
    // What an update stores is an element of each operand but the updated one, which is no tensor
    // of the kernel.
    if (isa<UpdateOpInterface>(op.getOperation()))
      continue;
    if (!isa<ElementwiseOpInterface>(op.getOperation()))
      return refuseAlone(op);
    if (kernel.isSimple(op))
      continue;
    if (overwritesReadArgument(kernel.getKernel()))
      return refuse(op, "expected ops that read at their own index where an input is overwritten");
    if (OpOperand *operand = findUnmovedOperand(kernel, reference, op)) {
      Refusal refusal =
          refuse(op, "expected ops that read computed operands at one constant offset, in "
                     "dimensions of more than one element");
      refusal.cuts.push_back(operand);
      return refusal;
    }
  }
  return std::nullopt;
}

std::optional<Refusal> fuser::checkElementwise(const KernelView &kernel,
                                               const ReferenceOutput &reference) {
  if (std::optional<Refusal> refusal = checkNoReduction(kernel))
    return refusal;
  const SmallVector<unsigned> classes = getConcrete(kernel, reference.classes);
  std::optional<Refusal> refusal = checkReads(kernel, classes);
  if (!refusal)
    refusal = checkParts(kernel, reference);
  if (!refusal)
    refusal = Requirements(kernel, SizeHints()).requireNonEmpty(getLacked(kernel, classes));
  if (!refusal)
    refusal = checkCovered(kernel, classes, [&](unsigned dimClass) {
      return findInReference(kernel, dimClass, classes);
    });
  return refusal;
}

/// True where the output lacks a dimension of the reference, or a part of it.
static bool lacks(const KernelView &kernel, const GlobalTensor &output, unsigned dimClass,
                  ArrayRef<unsigned> reference) {
  return llvm::none_of(output.order, [&](unsigned own) {
    return findInReference(kernel, own, reference) == dimClass &&
           kernel.hasLoops(output.value, own);
  });
}

SmallVector<LackedDim> fuser::getLacked(const KernelView &kernel, ArrayRef<unsigned> reference) {
  SmallVector<LackedDim> lacked;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (Operation *op = tensor.isOutput ? tensor.value.getDefiningOp() : nullptr)
      for (unsigned dimClass : reference)
        if (lacks(kernel, tensor, dimClass, reference))
          lacked.push_back({dimClass, kernel.getNumber(cast<TensorViewOpInterface>(op))});
  return lacked;
}

void fuser::forEachResizedColumns(
    const KernelView &kernel, ArrayRef<unsigned> columns,
    function_ref<void(ArrayRef<unsigned>, const ClassResize &)> visit) {
  for (const ClassResize &resize : kernel.getResizes()) {
    unsigned target = findInReference(kernel, resize.from, columns);
    if (target == IdRelations::kNone || target == resize.from || isOfEveryNth(kernel, resize))
      continue;
    SmallVector<unsigned> resized(columns);
    std::replace(resized.begin(), resized.end(), target, resize.from);
    visit(resized, resize);
  }
}

std::optional<int64_t> fuser::getDistanceOfParts(const KernelView &kernel,
                                                 ArrayRef<unsigned> columns) {
  int64_t distance = 0;
  bool isSliced = false, isJoined = false;
  auto isColumn = [&](unsigned dimClass) { return llvm::is_contained(columns, dimClass); };
  const auto offsets = kernel.getClasses().getOffsets();
  // What is joined but no part of a tensor has no elements at such a distance.
  llvm::SmallDenseSet<unsigned> parts;
  for (const IdRelations::Offset &offset : offsets)
    if (isColumn(offset.from) && offset.from != offset.to)
      parts.insert(offset.to);
  for (const IdRelations::Offset &offset : offsets) {
    if (offset.before == 0 || offset.from == offset.to ||
        (!isColumn(offset.from) &&
         (!parts.contains(offset.from) ||
          findInReference(kernel, offset.from, columns) == IdRelations::kNone)))
      continue;
    distance = std::gcd(distance, std::abs(offset.before));
    isSliced |= isColumn(offset.from) && offset.before < 0;
    isJoined |= !isColumn(offset.from) && offset.before > 0;
  }
  return isSliced && isJoined ? std::optional(distance) : std::nullopt;
}

SmallVector<OpOperand *> fuser::getMovedReads(const KernelView &kernel,
                                              ArrayRef<unsigned> reference) {
  SmallVector<OpOperand *> reads;
  for (TensorViewOpInterface op : kernel.getOps()) {
    auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<BlockArgument>(operand.get()) || !isReadInPlace(operand))
        continue;
      bool isMoved = true;
      for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
        if (map.kind != DimMap::Kind::Mapped && map.kind != DimMap::Kind::Broadcast)
          isMoved &= map.kind == DimMap::Kind::Resized &&
                     isMovedAlong(kernel, reference, op, operand, dim, map);
      if (isMoved)
        reads.push_back(&operand);
    }
  }
  return reads;
}

bool fuser::isReadAtEveryNth(TensorViewOpInterface op, OpOperand &operand, unsigned dim) {
  auto element = dyn_cast<ElementwiseOpInterface>(op.getOperation());
  if (!element || element.mayReadOutside(operand.getOperandNumber()))
    return false;
  const DimMap map =
      cast<DomainMappingOpInterface>(op.getOperation()).getDimMaps(operand.getOperandNumber())[dim];
  const auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return map.kind == DimMap::Kind::Resized && map.id < type.getRank() &&
         (map.step > 1 || type.getDimSize(map.id) == 1);
}

/// True if the op has each element of this dimension of its operand at the same index.
static bool isReadWhole(const KernelView &kernel, TensorViewOpInterface op, OpOperand &operand,
                        unsigned dim, const DimMap &map) {
  if (map.kind == DimMap::Kind::Mapped)
    return true;
  const ExtentAnalysis &extents = kernel.getExtents();
  const AffineExpr from = extents.getExtent(operand.get(), dim),
                   to = map.kind == DimMap::Kind::Resized
                            ? extents.getExtent(op->getResult(0), map.id)
                            : AffineExpr();
  return from && to && map.step == 1 && getStaticOffset(map) == 0 &&
         extents.isProvablyEqual(from, to);
}

GlobalTensor fuser::getReadTensor(const KernelView &kernel, const GlobalTensor &tensor) {
  if (tensor.isOutput || tensor.order.empty())
    return tensor;
  // The dimension of each loop class of the order.
  SmallVector<unsigned> dims;
  for (unsigned loop : tensor.order) {
    const auto *dim = llvm::find_if(tensor.dims, [&](unsigned dimClass) {
      return kernel.getSpace().getLoopClasses(dimClass) == ArrayRef(loop);
    });
    if (dim == tensor.dims.end())
      return tensor;
    dims.push_back(dim - tensor.dims.begin());
  }
  std::optional<GlobalTensor> read;
  for (OpOperand &use : tensor.value.getUses()) {
    auto op = dyn_cast<TensorViewOpInterface>(use.getOwner());
    if (!op)
      continue;
    if (!isReadAtEveryNth(op, use, dims.back()))
      return tensor;
    const SmallVector<DimMap> maps =
        cast<DomainMappingOpInterface>(op.getOperation()).getDimMaps(use.getOperandNumber());
    GlobalTensor slice = tensor;
    slice.order.clear();
    slice.contiguous.clear();
    slice.strideDivisors.clear();
    for (auto [position, dim] : llvm::enumerate(dims)) {
      const bool isLast = position + 1 == dims.size();
      if (!isLast && !isReadWhole(kernel, op, use, dim, maps[dim]))
        return tensor;
      for (unsigned loop :
           getConcrete(kernel, kernel.getLoopClasses(op->getResult(0), maps[dim].id))) {
        // One column.
        if (isLast && kernel.getExtents().getConstant(kernel.getExtent(loop)) == 1)
          continue;
        slice.order.push_back(loop);
        slice.contiguous.push_back(!isLast && tensor.contiguous[position]);
        slice.strideDivisors.push_back(isLast ? 1 : tensor.strideDivisors[position]);
      }
    }
    if (read && read->order != slice.order)
      return tensor;
    read = std::move(slice);
  }
  return read ? *read : tensor;
}

bool fuser::isOfEveryNth(const KernelView &kernel, const ClassResize &resize) {
  return llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
    return tensor.find(resize.from) >= 0 && getReadTensor(kernel, tensor).find(resize.from) < 0;
  });
}

int64_t fuser::getRepeatsOfElement(const KernelView &kernel, const GlobalTensor &tensor,
                                   ArrayRef<unsigned> columns) {
  /// More lanes than an access of bytes has do not share one.
  constexpr int64_t kMostRepeats = 8;
  const SmallVector<unsigned> own = getConcrete(kernel, tensor.order);
  int64_t repeats = 1;
  ArrayRef<unsigned> rest = columns;
  while (!tensor.isOutput && !own.empty() && !rest.empty() &&
         !llvm::is_contained(own, rest.back())) {
    const std::optional<int64_t> size =
        kernel.getExtents().getConstant(kernel.getExtent(rest.back()));
    if (!size || *size < 1 || *size * repeats > kMostRepeats)
      return 1;
    repeats *= *size;
    rest = rest.drop_back();
  }
  return rest.empty() || own.empty() || own.back() != rest.back() ? 1 : repeats;
}
