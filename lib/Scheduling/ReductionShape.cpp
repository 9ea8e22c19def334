//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds the dimensions that all reductions of a kernel share.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ReductionShape.h"
#include "fuser/Ids/IdDerivation.h"
#include "fuser/Scheduling/MovedDims.h"
#include "fuser/Scheduling/Requirements.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

/// True if both contain the same classes.
static bool isSameSet(ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
  return a.size() == b.size() &&
         llvm::all_of(a, [&](unsigned dimClass) { return llvm::is_contained(b, dimClass); });
}

/// Refuses a reduction of operands that lack one of its dimensions (a contraction): its operands
/// are read many times, which needs a different schedule.
static std::optional<Refusal> checkOperands(const KernelView &kernel, TensorViewOpInterface op) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  unsigned numRoots = mapping.getRootKinds().size();
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) &&
        mapping.getDimMaps(operand.getOperandNumber()).size() != numRoots) {
      Refusal refusal{RefusalCategory::Structure,
                      kUnsupportedOp,
                      {op},
                      "expected reductions of operands that have every dimension, but operand " +
                          std::to_string(operand.getOperandNumber()) + " of '" +
                          op->getName().getStringRef().str() + "' lacks one"};
      cutBefore(op, refusal.cuts);
      cutBehind(op, refusal.cuts);
      return refusal;
    }
  return std::nullopt;
}

/// Refuses a reference that has only a part of one of its loop classes: other ops have the whole,
/// and cannot split it.
static std::optional<Refusal> checkWholes(const KernelView &kernel, TensorViewOpInterface reference,
                                          ArrayRef<unsigned> loops) {
  const IdRelations &classes = kernel.getClasses();
  if (classes.getProducts().empty())
    return std::nullopt;
  DomainAttr domain = reference.getTrivialDomain(0);
  DomainBuilder builder(domain);
  IdDerivation derivation(classes, builder);
  for (unsigned id : domain.getRootOrLogical())
    derivation.add(id, classes.getClass(reference, id));
  if (llvm::all_of(loops, [&](unsigned loop) {
        return classes.isBroadcast(loop) || derivation.take(loop) != kNoId;
      }))
    return std::nullopt;
  Refusal refusal{RefusalCategory::Structure,
                  kUncoveredDimension,
                  {reference},
                  "expected reductions that have every dimension of the kernel, but '" +
                      reference->getName().getStringRef().str() +
                      "' lacks a part of what a reshape merges"};
  cutBefore(reference, refusal.cuts);
  cutBehind(reference, refusal.cuts);
  return refusal;
}

/// Cuts before each reduction whose dimensions differ from those of the last reduction on the path
/// to it (or of the first reduction of the kernel if the path has none).
static void cutBetweenReductions(const KernelView &kernel, SmallVectorImpl<OpOperand *> &cuts) {
  llvm::DenseMap<Operation *, TensorViewOpInterface> last;
  for (TensorViewOpInterface op : kernel.getOps()) {
    TensorViewOpInterface &latest = last[op];
    for (Value operand : op->getOperands()) {
      TensorViewOpInterface other = last.lookup(operand.getDefiningOp());
      if (other && (!latest || latest->isBeforeInBlock(other)))
        latest = other;
    }
    if (!llvm::is_contained(kernel.getReductions(), op))
      continue;
    TensorViewOpInterface before = latest ? latest : kernel.getReductions().front();
    if (!isSameSet(kernel.getReducedClasses(op), kernel.getReducedClasses(before)))
      cutBefore(op, cuts);
    latest = op;
  }
}

/// Rows are one loop: the loops of an output with only some of their dimensions would differ from
/// those of its producers.
static Refusal refusePartialRow(const GlobalTensor &output) {
  Operation *op = output.value.getDefiningOp();
  Refusal refusal{RefusalCategory::Structure,
                  kUncoveredDimension,
                  {op},
                  "expected outputs with all reduced dimensions or none, but output " +
                      std::to_string(output.position) + " has some"};
  cutBefore(op, refusal.cuts);
  return refusal;
}

/// True if an op with reduced dimensions reads the value or one of its producers: they may share
/// its loops.
static bool isReadByRows(const KernelView &kernel, Value value, ArrayRef<unsigned> reduced) {
  auto isRow = [&](Operation *user) {
    auto op = dyn_cast<TensorViewOpInterface>(user);
    return op && llvm::any_of(kernel.getOwnClasses(op), [&](unsigned dimClass) {
             return llvm::is_contained(reduced, dimClass);
           });
  };
  llvm::SetVector<Value> sources;
  sources.insert(value);
  for (size_t next = 0; next < sources.size(); ++next) {
    if (llvm::any_of(sources[next].getUsers(), isRow))
      return true;
    if (Operation *op = sources[next].getDefiningOp())
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          sources.insert(operand);
  }
  return false;
}

/// True if the op lacks some dimension, has no rows, is not computed after reductions, and may
/// share loops with reduced values.
static bool isBesideRows(const KernelView &kernel, TensorViewOpInterface op,
                         ArrayRef<unsigned> reduced, ArrayRef<TensorViewOpInterface> behind) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return llvm::is_contained(type.getShape(), 1) && !llvm::is_contained(behind, op) &&
         !llvm::is_contained(kernel.getReductions(), op) &&
         llvm::none_of(kernel.getOwnClasses(op),
                       [&](unsigned dimClass) { return llvm::is_contained(reduced, dimClass); }) &&
         isReadByRows(kernel, op->getResult(0), reduced);
}

/// Collects the dimensions that are missing from ops inside their loops: the kept ones for outputs
/// that are computed after reductions (`behind`) and have no reduced dimension; all for any other
/// output, and the reduced ones for other ops that may share loops with reduced values. Refuses a
/// part of a row.
static std::optional<Refusal> findLacked(const KernelView &kernel, ArrayRef<unsigned> all,
                                         ArrayRef<unsigned> reduced, ArrayRef<unsigned> part,
                                         ArrayRef<TensorViewOpInterface> behind,
                                         SmallVectorImpl<LackedDim> &lacked) {
  SmallVector<TensorViewOpInterface> results;
  llvm::copy_if(kernel.getReductions(), std::back_inserter(results), [&](TensorViewOpInterface op) {
    return !part.empty() && isSameSet(kernel.getReducedClasses(op), part);
  });
  llvm::append_range(results, getDependents(kernel, results));
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    Operation *output = tensor.value.getDefiningOp();
    if (!tensor.isOutput || !output)
      continue;
    const SmallVector<unsigned> order = llvm::map_to_vector(
        tensor.order, [&](unsigned dimClass) { return findWhole(kernel, dimClass); });
    const bool isRow = llvm::any_of(
        order, [&](unsigned dimClass) { return llvm::is_contained(reduced, dimClass); });
    auto isOutput = [&](Operation *op) { return op == output; };
    const bool isResult = !isRow && (llvm::any_of(kernel.getReductions(), isOutput) ||
                                     llvm::any_of(behind, isOutput));
    for (unsigned dimClass : all) {
      if (llvm::is_contained(order, dimClass) || kernel.getClasses().isBroadcast(dimClass) ||
          (isResult && llvm::is_contained(reduced, dimClass)))
        continue;
      const bool isOfPart = llvm::is_contained(part, dimClass);
      if (isOfPart && llvm::any_of(results, isOutput))
        continue;
      if (isRow && !isOfPart && llvm::is_contained(reduced, dimClass))
        return refusePartialRow(tensor);
      lacked.push_back({dimClass, kernel.getNumber(cast<TensorViewOpInterface>(output))});
    }
  }
  for (TensorViewOpInterface op : kernel.getOps())
    if (isBesideRows(kernel, op, reduced, behind))
      for (unsigned dimClass : reduced)
        if (!kernel.getClasses().isBroadcast(dimClass))
          lacked.push_back({dimClass, kernel.getNumber(op)});
  return std::nullopt;
}

static Refusal refuseMixed(const KernelView &kernel, TensorViewOpInterface reference,
                           TensorViewOpInterface op) {
  Refusal refusal{RefusalCategory::Structure,
                  kMixedReductions,
                  {reference, op},
                  "expected reductions over the same dimensions, but they differ"};
  cutBetweenReductions(kernel, refusal.cuts);
  return refusal;
}

/// Finds the reduced dimensions, and the part of them that some reductions reduce alone.
std::optional<Refusal> ReductionShape::findReduced(const KernelView &kernel, PartsOfRows rows,
                                                   SmallVectorImpl<unsigned> &reduced) {
  ArrayRef<TensorViewOpInterface> reductions = kernel.getReductions();
  TensorViewOpInterface first = reductions.front();
  if (rows == PartsOfRows::Accepted)
    first = *llvm::max_element(reductions, [&](auto a, auto b) {
      return kernel.getReducedClasses(a).size() < kernel.getReducedClasses(b).size();
    });
  reference = kernel.getNumber(first);
  llvm::append_range(reduced, kernel.getReducedClasses(first));
  for (TensorViewOpInterface op : reductions) {
    const SmallVector<unsigned> own = kernel.getReducedClasses(op);
    if (isSameSet(own, reduced))
      continue;
    const bool isPart =
        rows == PartsOfRows::Accepted && !own.empty() && (part.empty() || isSameSet(own, part)) &&
        llvm::all_of(own, [&](unsigned dimClass) { return llvm::is_contained(reduced, dimClass); });
    if (!isPart)
      return refuseMixed(kernel, first, op);
    part = own;
  }
  return std::nullopt;
}

void ReductionShape::setOrder(const KernelView &kernel, ArrayRef<unsigned> all,
                              ArrayRef<unsigned> reduced) {
  order = getMemoryOrder(kernel, all);
  auto isReduced = [&](unsigned dimClass) { return llvm::is_contained(reduced, dimClass); };
  bool innerIsReduced = order.empty() || isReduced(order.back());
  bool inner = true;
  for (unsigned dimClass : llvm::reverse(order)) {
    inner &= isReduced(dimClass) == innerIsReduced;
    SmallVector<unsigned> &group = isReduced(dimClass) ? (inner ? innerReduced : outerReduced)
                                                       : (inner ? innerKept : outerKept);
    group.insert(group.begin(), dimClass);
  }
}

std::variant<ReductionShape, Refusal> ReductionShape::get(const KernelView &kernel,
                                                          PartsOfValues parts, PartsOfRows rows) {
  if (kernel.getReductions().empty())
    return Refusal{
        RefusalCategory::OutOfScope, kNoReduction, {}, "expected a reduction, but got none"};
  if (std::optional<Refusal> refusal = checkOps(kernel, ReadsAtData::OfArguments, parts))
    return *refusal;

  for (TensorViewOpInterface op : kernel.getReductions())
    if (std::optional<Refusal> refusal = checkOperands(kernel, op))
      return *refusal;

  ReductionShape shape;
  SmallVector<unsigned> reduced;
  if (std::optional<Refusal> refusal = shape.findReduced(kernel, rows, reduced))
    return *refusal;
  TensorViewOpInterface reference = shape.getReference(kernel);
  SmallVector<unsigned> all = kernel.getOwnClasses(reference);
  // A reduced dimension of size 1 counts as well.
  for (unsigned dimClass : reduced)
    if (!llvm::is_contained(all, dimClass))
      all.push_back(dimClass);
  if (std::optional<Refusal> refusal = checkWholes(kernel, reference, all))
    return *refusal;
  auto find = [&](unsigned dimClass) { return findWholeInReference(kernel, dimClass, all); };
  if (std::optional<Refusal> refusal = checkCovered(kernel, all, find))
    return *refusal;
  if (std::optional<Refusal> refusal = checkJoins(kernel, all))
    return *refusal;

  SmallVector<TensorViewOpInterface> behind = getDependents(kernel, kernel.getReductions());
  if (std::optional<Refusal> refusal =
          findLacked(kernel, all, reduced, shape.part, behind, shape.lacked))
    return *refusal;
  if (auto refusal = Requirements(kernel, SizeHints()).requireNonEmpty(shape.lacked))
    return *refusal;

  shape.setOrder(kernel, all, reduced);
  if (!shape.part.empty()) {
    // The part is what is contiguous: its threads are adjacent.
    const size_t size = shape.part.size();
    if (shape.innerReduced.size() <= size ||
        !isSameSet(ArrayRef(shape.innerReduced).take_back(size), shape.part)) {
      for (TensorViewOpInterface op : kernel.getReductions())
        if (isSameSet(kernel.getReducedClasses(op), shape.part))
          return refuseMixed(kernel, reference, op);
    }
    shape.part.assign(shape.innerReduced.end() - size, shape.innerReduced.end());
  }

  for (TensorViewOpInterface op : behind) {
    shape.behind.push_back(kernel.getNumber(op));
    if (!shape.reuse && llvm::any_of(kernel.getOwnClasses(op), [&](unsigned dimClass) {
          return llvm::is_contained(reduced, dimClass);
        }))
      shape.reuse = shape.behind.back();
  }
  return shape;
}

int64_t ReductionShape::getElementBytes(const KernelView &kernel) const {
  int64_t bytes = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (!tensor.isOutput && tensor.order.size() == order.size())
      bytes = std::max(bytes, tensor.elementBytes);
  return bytes;
}

int64_t ReductionShape::getBytesRead(const KernelView &kernel) const {
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (!tensor.isOutput && tensor.order.size() == order.size())
      bytes += tensor.elementBytes;
  return bytes;
}

SmallVector<unsigned, 2> ReductionShape::getScattered(const KernelView &kernel) const {
  SmallVector<unsigned, 2> scattered;
  for (auto [number, tensor] : llvm::enumerate(kernel.getTensors()))
    if (!order.empty() &&
        (tensor.order.size() == order.size()
             ? findWholeOrRead(kernel, tensor, tensor.order.back(), order) != order.back()
             : tensor.isOutput && isAcross(kernel, tensor, order.back(), order)))
      scattered.push_back(number);
  return scattered;
}

SmallVector<unsigned> ReductionShape::getReduced() const {
  SmallVector<unsigned> reduced(outerReduced);
  llvm::append_range(reduced, innerReduced);
  return reduced;
}

SmallVector<unsigned> ReductionShape::getKept() const {
  SmallVector<unsigned> kept(outerKept);
  llvm::append_range(kept, innerKept);
  return kept;
}

SmallVector<unsigned> ReductionShape::getPartsOfRow() const {
  SmallVector<unsigned> parts = getReduced();
  parts.truncate(parts.size() - part.size());
  return parts;
}

SmallVector<TensorViewOpInterface>
ReductionShape::getReductionsOfRows(const KernelView &kernel) const {
  SmallVector<TensorViewOpInterface> whole;
  llvm::copy_if(kernel.getReductions(), std::back_inserter(whole), [&](TensorViewOpInterface op) {
    return part.empty() || !isSameSet(kernel.getReducedClasses(op), part);
  });
  return whole;
}

SmallVector<OpOperand *> ReductionShape::getCutsAtReuse(const KernelView &kernel) const {
  auto isRow = [&](TensorViewOpInterface op) {
    return llvm::any_of(kernel.getOwnClasses(op),
                        [&](unsigned dimClass) { return isReduced(dimClass); });
  };
  llvm::SmallPtrSet<Operation *, 16> reducedValues;
  for (TensorViewOpInterface op : kernel.getReductions())
    reducedValues.insert(op);
  SmallVector<OpOperand *> all, cuts;
  for (unsigned number : behind) {
    TensorViewOpInterface op = kernel.getOps()[number];
    if (isRow(op))
      cutBefore(op, all);
    else
      reducedValues.insert(op);
  }
  llvm::copy_if(all, std::back_inserter(cuts), [&](OpOperand *operand) {
    return reducedValues.contains(operand->get().getDefiningOp());
  });
  return cuts;
}
