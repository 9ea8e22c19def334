//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where arguments, outputs and values between ops of a kernel lie in global memory, and where an
// element of them is.
//
//===----------------------------------------------------------------------===//

#include "BufferIds.h"
#include "KernelEmitter.h"
#include "KernelOperands.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

GlobalMemory &KernelEmitter::getOperandMemory(unsigned operand) {
  GlobalMemory &memory = operandMemory[operand];
  if (memory.view)
    return memory;
  unsigned numArguments = kernel.getNumArguments();
  bool isInput = operand < numArguments;
  memory.view = emits() ? viewAsFlat(pointers[operand]) : placeholder;
  auto returnOp = cast<ReturnOp>(kernel.getBody().front().getTerminator());
  Value value =
      isInput ? kernel.getArgument(operand) : returnOp.getValues()[operand - numArguments];
  memory.element = getStorageType(getElementTypeOrSelf(value.getType()));
  memory.alignment = extents.getPointerAlignment(operand);
  memory.name = (isInput ? "argument " : "output ") +
                std::to_string(isInput ? operand : operand - numArguments);
  return memory;
}

/// A value that several ops of the kernel share through global memory and nobody else sees.
GlobalMemory &KernelEmitter::getWorkspace(const ScheduledOp &producer, unsigned result) {
  Value value = producer.op->getResult(result);
  GlobalMemory &memory = workspaceOf[value];
  if (memory.view)
    return memory;
  Type element = getStorageType(cast<RankedTensorType>(value.getType()).getElementType());
  AffineExpr bytes = getAffineConstantExpr(getElementBytes(element), builder.getContext());
  for (unsigned id : getWorkspaceIds(producer))
    bytes = bytes * getExtent(producer, id);
  memory.view = addWorkspace(bytes, element, /*zeroed=*/false);
  memory.element = element;
  memory.alignment = kWorkspaceAlignment;
  memory.name = "a value in global memory";
  return memory;
}

FailureOr<Access> KernelEmitter::accessGlobal(Operation *user, const GlobalMemory &memory,
                                              SmallVector<OffsetTerm> terms, int64_t width,
                                              bool mayBeScattered) {
  Access access;
  access.memory = memory.view;
  access.offset = index.constant(0);
  // A vector access needs the fastest term to hold the whole vector, and all strides to be
  // multiples of it.
  int64_t divisor = 0, bytes = getElementBytes(memory.element);
  bool strideKnown = true;
  AffineExpr stride = getAffineConstantExpr(1, kernel.getContext());
  for (auto [position, term] : llvm::enumerate(llvm::reverse(terms))) {
    Value strideValue = term.stride;
    if (strideValue)
      strideKnown = false;
    else
      strideValue = evaluate(stride);
    access.offset = index.add(index.mul(term.index, strideValue), access.offset);
    if (term.form != VectorForm::Independent) {
      bool contiguous = position == 0 && term.form == VectorForm::Trailing && !term.stride;
      access.form = contiguous ? VectorForm::Trailing : VectorForm::Other;
    }
    if (position > 0 || term.stride)
      divisor =
          std::gcd(divisor, term.stride ? term.strideDivisor : extents.getKnownDivisor(stride));
    stride = stride * term.extent;
  }
  access.alignment = bytes;
  // What is wider than the widest access there is becomes several.
  const int64_t alignment = std::min<int64_t>(kWidestAccess, width * bytes);
  if (mayBeScattered && access.form == VectorForm::Trailing &&
      (memory.alignment % alignment != 0 || divisor % width != 0))
    access.form = VectorForm::Other;
  if (access.form == VectorForm::Trailing) {
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
    access.alignment = alignment;
  }
  return access;
}

/// Joins terms that are the two inputs of one merge and contiguous: they are indexed by the merged
/// id.
static void joinMerged(const ScheduledOp &scheduled, const IdValues &ids,
                       SmallVector<unsigned> &termIds, SmallVector<OffsetTerm> &terms,
                       LoopNest &nest) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned i = 0; i + 1 < terms.size(); ++i) {
      if (termIds[i] == kNoId || termIds[i + 1] == kNoId || terms[i].stride || terms[i + 1].stride)
        continue;
      const DomainTransform *merge =
          llvm::find_if(scheduled.loopPath, [&](const DomainTransform &t) {
            return t.kind == TransformKind::Merge && t.inputs[0] == termIds[i] &&
                   t.inputs[1] == termIds[i + 1];
          });
      if (merge == scheduled.loopPath.end())
        continue;
      unsigned merged = merge->outputs[0];
      if (!ids.values[merged])
        continue;
      terms[i] = {ids.values[merged], ids.forms[merged], scheduled.getExtent(merged), Value()};
      termIds[i] = merged;
      terms.erase(terms.begin() + i + 1);
      termIds.erase(termIds.begin() + i + 1);
      changed = true;
      break;
    }
  }
}

FailureOr<Access> KernelEmitter::accessArgument(const ScheduledOp &user, unsigned operandNumber,
                                                const IdValues &ids, const OperandIndex &at,
                                                int64_t width) {
  Value operand = user.op->getOperand(operandNumber);
  unsigned arg = cast<BlockArgument>(operand).getArgNumber();
  LayoutAttr layout = kernel.getArgLayout(arg);
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<OffsetTerm> terms;
  SmallVector<unsigned> termIds;
  for (auto [position, dim] : llvm::enumerate(layout.getOrder())) {
    // The index is 0 at any stride, and a factor of 1 in slower strides.
    if (type.getDimSize(dim) == 1)
      continue;
    bool contiguous = layout.isContiguousAt(position);
    const OperandIndex::Dim &from = at.dims[dim];
    terms.push_back({from.index, from.form, extents.getExtent(operand, dim),
                     contiguous ? Value() : getStride(arg, dim),
                     extents.getStrideDivisor(arg, dim)});
    termIds.push_back(from.id);
  }
  joinMerged(user, ids, termIds, terms, nest);
  // What is read for a reader's indices is read as what the reader would read there.
  const bool isResized = llvm::any_of(user.loopPath, [](const DomainTransform &transform) {
    return transform.kind == TransformKind::Resize;
  });
  return accessGlobal(user.op, getOperandMemory(arg), std::move(terms), width,
                      /*mayBeScattered=*/at.moved || isResized);
}

int64_t KernelEmitter::getOutputStrideDivisor(unsigned output, unsigned dim) const {
  std::optional<unsigned> alias = LayoutInfo(KernelOp(kernel)).getAlias(output);
  return alias ? extents.getStrideDivisor(*alias, dim) : 1;
}

FailureOr<Access> KernelEmitter::accessGlobalValue(Operation *user, const ScheduledOp &producer,
                                                   unsigned result, IdValues ids, int64_t width,
                                                   bool mayBeScattered) {
  Value value = producer.op->getResult(result);
  SmallVector<OffsetTerm> terms;
  SmallVector<unsigned> termIds;
  auto addTerm = [&](unsigned id, AffineExpr extent, Value stride = {},
                     int64_t strideDivisor = 1) -> LogicalResult {
    if (!ids.values[id])
      return user->emitOpError("expected the index of id ")
             << id << " of a value in global memory to follow from the loops, but it does not";
    terms.push_back({ids.values[id], ids.forms[id], extent, stride, strideDivisor});
    termIds.push_back(id);
    return success();
  };
  auto outputs = outputsOf.find(value);
  if (outputs == outputsOf.end()) {
    applyForward(producer, ids, width);
    for (unsigned id : getWorkspaceIds(producer))
      if (failed(addTerm(id, getExtent(producer, id))))
        return failure();
    joinMerged(producer, ids, termIds, terms, nest);
    return accessGlobal(user, getWorkspace(producer, result), std::move(terms), width,
                        mayBeScattered);
  }
  unsigned operand = kernel.getNumArguments() + outputs->second.front();
  auto type = cast<RankedTensorType>(value.getType());
  LayoutAttr layout = getOutputLayout(kernel, outputs->second.front());
  SmallVector<unsigned> results = producer.getDomain(result).getResultIds();
  for (auto [position, dim] : llvm::enumerate(layout.getOrder())) {
    bool contiguous = layout.isContiguousAt(position);
    if (type.getDimSize(dim) != 1 &&
        failed(addTerm(results[dim], extents.getExtent(value, dim),
                       contiguous ? Value() : getStride(operand, dim),
                       getOutputStrideDivisor(outputs->second.front(), dim))))
      return failure();
  }
  joinMerged(producer, ids, termIds, terms, nest);
  return accessGlobal(user, getOperandMemory(operand), std::move(terms), width, mayBeScattered);
}
