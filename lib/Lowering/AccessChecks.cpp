//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccessChecks.h"
#include "BufferIds.h"
#include "KernelOperands.h"
#include "PrivatizedUpdate.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/IR/Updates.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

AccessChecks::AccessChecks(const CheckedKernel &checked)
    : kernel(checked.kernel), extents(checked.extents), nest(*checked.nest),
      forms(checked.extents, *checked.equalIds) {
  auto returnOp = cast<ReturnOp>(kernel.getBody().front().getTerminator());
  for (auto [output, value] : llvm::enumerate(returnOp.getValues()))
    outputOf.try_emplace(value, output);
}

bool AccessChecks::isInMemory(Value operand) const {
  const ScheduledOp *producer = nest.lookup(operand.getDefiningOp());
  return !producer || !producer->isPrivate();
}

bool AccessChecks::touchesMemory(const ScheduledOp &scheduled) const {
  return !scheduled.isPrivate() || scheduled.collects() ||
         llvm::any_of(scheduled.op->getOperands(), [&](Value operand) {
           return isa<RankedTensorType>(operand.getType()) && isInMemory(operand);
         });
}

//===----------------------------------------------------------------------===//
// Registers and shared memory
//===----------------------------------------------------------------------===//

FailureOr<int64_t> AccessChecks::countElements(const ScheduledOp &scheduled) const {
  const bool shared = scheduled.memory == MemoryType::Shared;
  const StringRef space = shared ? "shared memory" : "registers";
  SmallVector<int64_t> shape;
  for (unsigned id : getBufferIds(scheduled)) {
    const AffineExpr extent = scheduled.getExtent(id);
    const std::optional<int64_t> bound = extents.getUpperBound(extent);
    if (!bound)
      return scheduled.op->emitOpError("expected a value in ")
             << space << " to have constant or bounded extents, but got " << describe(extent);
    shape.push_back(*bound);
  }
  // Registers spill into at most 512 KiB for each thread. Shared memory is checked as a whole.
  const int64_t maxElements = shared ? int64_t(1) << 30 : int64_t(1) << 16;
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent > maxElements / elements) {
      InFlightDiagnostic diagnostic = scheduled.op->emitOpError("expected a value in ");
      diagnostic << space << " to have at most " << maxElements << " elements, but got ";
      llvm::interleave(
          shape, [&](int64_t each) { diagnostic << each; }, [&] { diagnostic << " x "; });
      return diagnostic;
    }
    elements *= std::max<int64_t>(extent, 1);
  }
  return elements;
}

LogicalResult AccessChecks::verifyBuffer(const ScheduledOp &producer,
                                         ArrayRef<LaneForm> ids) const {
  for (unsigned id : getBufferIds(producer))
    if (ids[id] == LaneForm::Unknown)
      return producer.op->emitOpError("expected its consumers to know the index of id ")
             << id << ", but nothing maps to it";
  return success();
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

AccessChecks::Memory AccessChecks::getMemory(unsigned operand) const {
  const unsigned numArguments = kernel.getNumArguments();
  const bool isInput = operand < numArguments;
  const Value value =
      isInput ? kernel.getArgument(operand)
              : kernel.getBody().front().getTerminator()->getOperand(operand - numArguments);
  return {(isInput ? "argument " : "output ") +
              std::to_string(isInput ? operand : operand - numArguments),
          extents.getPointerAlignment(operand),
          getElementBytes(getElementTypeOrSelf(value.getType()))};
}

/// A vector is one access if the fastest term holds all of it, and the strides of the others are
/// multiples of it. Other vectors are accessed element by element.
LogicalResult AccessChecks::verifyVector(Operation *user, const Memory &memory,
                                         ArrayRef<Term> terms, int64_t width) const {
  int64_t divisor = 0;
  bool isVector = false, strideKnown = true;
  AffineExpr stride = getAffineConstantExpr(1, user->getContext());
  for (auto [position, term] : llvm::enumerate(llvm::reverse(terms))) {
    strideKnown &= !term.isStrided;
    if (term.form != LaneForm::Equal)
      isVector = position == 0 && term.form == LaneForm::Consecutive && !term.isStrided;
    if (position > 0 || term.isStrided)
      divisor = std::gcd(divisor, term.isStrided ? term.divisor : extents.getKnownDivisor(stride));
    stride = stride * term.extent;
  }
  if (!isVector)
    return success();
  const int64_t alignment = std::min(kWidestAccess, width * memory.elementBytes);
  if (memory.alignment % alignment != 0)
    return user->emitOpError("expected a vector access of ")
           << width << " elements to be aligned to " << alignment << " bytes, but " << memory.name
           << " is known to be aligned to " << memory.alignment
           << " (a fact 'aligned' would say so)";
  if (divisor % width != 0)
    return user->emitOpError("expected the extents below a vector access of ")
           << width
           << " elements to be divisible by it, but the stride between its rows is known to be "
           << "divisible by " << divisor << " only"
           << (strideKnown ? " (a fact 'divisible' would say so)" : "");
  return success();
}

/// Joins terms that are the two inputs of one merge and contiguous: they are indexed by the merged
/// id.
void AccessChecks::joinMerged(const ScheduledOp &scheduled, ArrayRef<LaneForm> ids,
                              SmallVectorImpl<Term> &terms) {
  auto findMerged = [&](const Term &outer, const Term &inner) -> unsigned {
    if (outer.id == kNoId || inner.id == kNoId || outer.isStrided || inner.isStrided)
      return kNoId;
    const auto *merge = llvm::find_if(scheduled.loopPath, [&](const DomainTransform &transform) {
      return transform.kind == TransformKind::Merge && transform.inputs[0] == outer.id &&
             transform.inputs[1] == inner.id;
    });
    return merge == scheduled.loopPath.end() ? unsigned(kNoId) : merge->outputs[0];
  };
  for (unsigned i = 0; i + 1 < terms.size();) {
    const unsigned merged = findMerged(terms[i], terms[i + 1]);
    if (merged == kNoId || ids[merged] == LaneForm::Unknown) {
      ++i;
      continue;
    }
    terms[i] = {ids[merged], scheduled.getExtent(merged), merged};
    terms.erase(terms.begin() + i + 1);
    // The merged id may be an input of a merge with the term before.
    i = 0;
  }
}

LogicalResult AccessChecks::verifyArgument(const ScheduledOp &scheduled, unsigned operandNumber,
                                           ArrayRef<LaneForm> ids, const OperandForms &at,
                                           int64_t width, bool mayBeScattered) const {
  // An element that is read at the indices of a consumer is read as the consumer would read it.
  const bool isResized = llvm::any_of(scheduled.loopPath, [](const DomainTransform &transform) {
    return transform.kind == TransformKind::Resize;
  });
  if (width == 1 || mayBeScattered || isResized)
    return success();
  const Value operand = scheduled.op->getOperand(operandNumber);
  const unsigned argument = cast<BlockArgument>(operand).getArgNumber();
  const LayoutAttr layout = kernel.getArgLayout(argument);
  SmallVector<Term> terms;
  for (auto [position, dim] : llvm::enumerate(layout.getOrder()))
    // The index is 0 at any stride, and a factor of 1 in slower strides.
    if (const AffineExpr extent = extents.getExtent(operand, dim); extents.getConstant(extent) != 1)
      terms.push_back({at.dims[dim].form, extent, at.dims[dim].id, !layout.isContiguousAt(position),
                       extents.getStrideDivisor(argument, dim)});
  joinMerged(scheduled, ids, terms);
  return verifyVector(scheduled.op, getMemory(argument), terms, width);
}

LogicalResult AccessChecks::verifyGlobalValue(Operation *user, const ScheduledOp &producer,
                                              unsigned result, IdForms ids, int64_t width,
                                              bool mayBeScattered) const {
  const Value value = producer.op->getResult(result);
  SmallVector<Term> terms;
  const auto output = outputOf.find(value);
  const bool isOutput = output != outputOf.end();
  if (isOutput) {
    const LayoutAttr layout = getOutputLayout(kernel, output->second);
    const SmallVector<unsigned> dims = producer.getDomain(result).getResultIds();
    const std::optional<unsigned> alias = LayoutInfo(kernel).getAlias(output->second);
    for (auto [position, dim] : llvm::enumerate(layout.getOrder()))
      if (const AffineExpr extent = extents.getExtent(value, dim); extents.getConstant(extent) != 1)
        terms.push_back({ids[dims[dim]], extent, dims[dim], !layout.isContiguousAt(position),
                         alias ? extents.getStrideDivisor(*alias, dim) : 1});
  } else {
    forms.applyForward(producer, ids, width);
    for (unsigned id : getWorkspaceIds(producer))
      terms.push_back({ids[id], producer.getExtent(id), id});
  }
  for (const Term &term : terms)
    if (term.form == LaneForm::Unknown)
      return user->emitOpError("expected the index of id ")
             << term.id << " of a value in global memory to follow from the loops, but it does not";
  // The lanes of a window are stored one by one, and those of an update where data says.
  if (width == 1 || mayBeScattered || isa<WindowOp, UpdateOpInterface>(producer.op))
    return success();
  joinMerged(producer, ids, terms);
  const Memory memory = isOutput ? getMemory(kernel.getNumArguments() + output->second)
                                 : Memory{"a value in global memory", kWorkspaceAlignment,
                                          getElementBytes(getElementTypeOrSelf(value.getType()))};
  return verifyVector(user, memory, terms, width);
}

//===----------------------------------------------------------------------===//
// Reads and writes
//===----------------------------------------------------------------------===//

LogicalResult AccessChecks::verifyRead(const ScheduledOp &scheduled, unsigned number, int64_t width,
                                       bool isGuarded) const {
  const IdForms ids = forms.getIds(scheduled, width);
  const OperandForms at = forms.getOperand(scheduled, number, ids, width, isGuarded);
  const bool mayBeScattered = at.isMoved || at.insideVaries;
  const Value operand = scheduled.op->getOperand(number);
  const ScheduledOp *producer = nest.lookup(operand.getDefiningOp());
  if (!producer)
    return verifyArgument(scheduled, number, ids, at, width, mayBeScattered);
  IdForms producerIds = forms.getProducerIds(*producer, scheduled, number, ids, at, width);
  if (producer->memory != MemoryType::Global)
    return verifyBuffer(*producer, producerIds);
  return verifyGlobalValue(scheduled.op, *producer, cast<OpResult>(operand).getResultNumber(),
                           std::move(producerIds), width, mayBeScattered);
}

LogicalResult AccessChecks::verifyReads(const ScheduledOp &scheduled) const {
  // An op that reads dimensions whole reads element by element.
  const bool readsWhole = isa<WholeReadOpInterface>(scheduled.op);
  auto element = dyn_cast<ElementwiseOpInterface>(scheduled.op);
  if (!element && !readsWhole &&
      !isa<CombinerOpInterface, ScanOpInterface, UpdateOpInterface>(scheduled.op))
    return scheduled.op->emitOpError(
        "expected an op with a scalar form or a combiner; lowering has none for it");
  const bool isRagged = forms.isRagged(scheduled);
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  for (OpOperand &operand : scheduled.op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    const unsigned number = operand.getOperandNumber();
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(number)))
      if (map.kind == DimMap::Kind::Whole && !readsWhole)
        return scheduled.op->emitOpError("expected operand ")
               << number << " to be indexed by loops, but dimension " << dim << " is not";
    const bool isGuarded =
        readsWhole || isUpdated(operand) ||
        (element && (element.mayReadOutside(number) || (isRagged && isInMemory(operand.get()))));
    if (failed(verifyRead(scheduled, number, readsWhole ? 1 : LaneForms::getWidth(scheduled),
                          isGuarded)))
      return failure();
  }
  return success();
}

/// What is updated is an argument, and the result is the output that is stored in it.
LogicalResult AccessChecks::verifyUpdate(const ScheduledOp &scheduled,
                                         UpdateOpInterface update) const {
  auto argument = dyn_cast<BlockArgument>(update->getOperand(update.getUpdatedOperand()));
  const auto output = outputOf.find(update->getResult(0));
  const std::optional<unsigned> alias =
      output == outputOf.end() ? std::nullopt : LayoutInfo(kernel).getAlias(output->second);
  if (!argument || alias != argument.getArgNumber() || !update->getResult(0).hasOneUse())
    return update.emitOpError(
        "expected an output that is stored in the argument that the op updates (an alias)");
  return isPrivatized(update) ? verifyPrivatized(scheduled, update) : success();
}

LogicalResult AccessChecks::verifyWrites(const ScheduledOp &scheduled, int64_t width) const {
  if (auto update = dyn_cast<UpdateOpInterface>(scheduled.op);
      update && failed(verifyUpdate(scheduled, update)))
    return failure();
  IdForms ids = forms.getIds(scheduled, LaneForms::getWidth(scheduled));
  if (scheduled.memory != MemoryType::Global) {
    forms.applyForward(scheduled, ids, width);
    return failed(countElements(scheduled)) ? failure() : verifyBuffer(scheduled, ids);
  }
  // The parts of a vector that exist are stored, and the first lane of what is stored once.
  const bool storesParts =
      forms.isRagged(scheduled) || llvm::any_of(scheduled.once.checked, [&](unsigned id) {
        return ids[id] == LaneForm::Consecutive;
      });
  for (unsigned result = 0, e = scheduled.op->getNumResults(); result < e; ++result)
    if (failed(verifyGlobalValue(scheduled.op, scheduled, result, ids, width,
                                 /*mayBeScattered=*/storesParts)))
      return failure();
  return success();
}
