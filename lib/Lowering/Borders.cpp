//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Borders: the elements of a buffer outside of the boxes that other outputs are stored in. They are
// stored at the end of the kernel, by all threads of the grid in turn, independent of the loops of
// other ops (S2.1).
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <vector>

using namespace mlir;
using namespace fuser;

bool fuser::hasBorders(KernelOp kernel) {
  return llvm::any_of(kernel.getBody().front(), llvm::IsaPred<BorderOp>);
}

namespace fuser {
/// Stores one border. The elements outside of the first box are `rank` slabs: slab p contains the
/// indices that are in the box along the p slowest dimensions and outside of it along the next one.
/// So each element is in one slab. Elements of a slab that are in another box are skipped.
class KernelEmitter::BorderEmitter {
public:
  BorderEmitter(KernelEmitter &emitter, BorderOp border);
  void emit();

private:
  /// A dimension of the buffer, with an offset and a size for each box.
  struct Dim {
    AffineExpr extent;
    Value extentValue;
    /// The stride where it is not the product of the faster extents, and what divides it.
    Value stride;
    int64_t strideDivisor = 1;
    SmallVector<AffineExpr> offsets, sizes;
    SmallVector<Value> offsetValues, sizeValues;
  };

  std::pair<AffineExpr, Value> resolve(int64_t constant, ValueRange values, unsigned &next);
  /// The elements of one access: a power of two that divides everything along the fastest
  /// dimension.
  int64_t getWidth(int64_t bytes) const;
  /// The number of this thread in the grid, and the number of threads.
  std::pair<Value, Value> getThread();
  void emitSlab(unsigned position);
  /// The index along each dimension of access `number` of a slab.
  SmallVector<Value> getIndices(unsigned position, Value number, ArrayRef<Value> counts);
  void storeAt(ArrayRef<Value> indices);

  KernelEmitter &emitter;
  OpBuilder &builder;
  IndexBuilder &index;
  Location loc;
  BorderOp border;
  /// From slowest to fastest.
  std::vector<Dim> dims;
  GlobalMemory &memory;
  int64_t width = 1;
  Value element, thread, numThreads;
};
} // namespace fuser

std::pair<AffineExpr, Value>
KernelEmitter::BorderEmitter::resolve(int64_t constant, ValueRange values, unsigned &next) {
  if (!ShapedType::isDynamic(constant))
    return {getAffineConstantExpr(constant, border.getContext()), index.constant(constant)};
  Value scalar = values[next++];
  return {emitter.extents.getScalar(scalar), emitter.getScalar(scalar)};
}

KernelEmitter::BorderEmitter::BorderEmitter(KernelEmitter &emitter, BorderOp border)
    : emitter(emitter), builder(emitter.builder), index(emitter.index), loc(border.getLoc()),
      border(border),
      memory(emitter.getOperandMemory(emitter.kernel.getNumArguments() +
                                      emitter.outputsOf.find(border.getResult())->second.front())) {
  const unsigned output = emitter.outputsOf.find(border.getResult())->second.front(),
                 operand = emitter.kernel.getNumArguments() + output;
  const LayoutAttr layout = getOutputLayout(emitter.kernel, output);
  const unsigned rank = layout.getOrder().size(), numBoxes = border.getNumBoxes();
  std::vector<Dim> byDim(rank);
  for (auto [dim, each] : llvm::enumerate(byDim)) {
    each.extent = emitter.extents.getExtent(border.getResult(), dim);
    each.extentValue = emitter.evaluate(each.extent);
  }
  unsigned nextOffset = 0, nextSize = 0;
  for (unsigned entry = 0; entry < numBoxes * rank; ++entry) {
    Dim &dim = byDim[entry % rank];
    auto [offset, offsetValue] =
        resolve(border.getStaticOffsets()[entry], border.getOffsets(), nextOffset);
    auto [size, sizeValue] =
        resolve(border.getStaticBoxSizes()[entry], border.getBoxSizes(), nextSize);
    dim.offsets.push_back(offset);
    dim.sizes.push_back(size);
    dim.offsetValues.push_back(offsetValue);
    dim.sizeValues.push_back(sizeValue);
  }
  for (auto [position, dim] : llvm::enumerate(layout.getOrder())) {
    if (!layout.isContiguousAt(position)) {
      byDim[dim].stride = emitter.getStride(operand, dim);
      byDim[dim].strideDivisor = emitter.getOutputStrideDivisor(output, dim);
    }
    dims.push_back(std::move(byDim[dim]));
  }
  width = getWidth(getElementBytes(memory.element));
}

int64_t KernelEmitter::BorderEmitter::getWidth(int64_t bytes) const {
  auto divides = [&](int64_t width, AffineExpr expr) {
    return expr && emitter.extents.getKnownDivisor(expr) % width == 0;
  };
  auto fits = [&](int64_t width) {
    const Dim &fastest = dims.back();
    if (fastest.stride || memory.alignment % (width * bytes) != 0 ||
        !divides(width, fastest.extent))
      return false;
    return llvm::all_of(
               ArrayRef(dims).drop_back(),
               [&](const Dim &dim) { return !dim.stride || dim.strideDivisor % width == 0; }) &&
           llvm::all_of(fastest.offsets, [&](AffineExpr expr) { return divides(width, expr); }) &&
           llvm::all_of(fastest.sizes, [&](AffineExpr expr) { return divides(width, expr); });
  };
  int64_t widest = std::max<int64_t>(kWidestAccess / bytes, 1);
  while (widest > 1 && !fits(widest))
    widest /= 2;
  return widest;
}

std::pair<Value, Value> KernelEmitter::BorderEmitter::getThread() {
  Value number = index.constant(0), count = index.constant(1);
  for (ParallelType type : llvm::reverse(kBlockTypes))
    if (AffineExpr extent = emitter.getGridDim(type)) {
      Value blocks = emitter.evaluate(extent);
      number = index.add(index.mul(number, blocks), emitter.getHardwareIndex(type));
      count = index.mul(count, blocks);
    }
  for (ParallelType type : llvm::reverse(kThreadTypes))
    if (const int64_t threads = emitter.getBlockDim(type); threads > 1) {
      number =
          index.add(index.mul(number, index.constant(threads)), emitter.getHardwareIndex(type));
      count = index.mul(count, index.constant(threads));
    }
  return {number, count};
}

SmallVector<Value> KernelEmitter::BorderEmitter::getIndices(unsigned position, Value number,
                                                            ArrayRef<Value> counts) {
  SmallVector<Value> indices(dims.size());
  for (unsigned each = dims.size(); each-- > 0;) {
    const Dim &dim = dims[each];
    Value at = each == 0 ? number : index.rem(number, counts[each]);
    if (each > 0)
      number = index.div(number, counts[each]);
    if (each + 1 == dims.size())
      at = index.mul(at, index.constant(width));
    if (each < position) {
      at = index.add(at, dim.offsetValues[0]);
    } else if (each == position && index.getConstant(dim.offsetValues[0]) == 0) {
      at = index.add(at, dim.sizeValues[0]);
    } else if (each == position) {
      // null: always before the box.
      if (Value isBefore = index.lessThan(at, dim.offsetValues[0]))
        at = arith::SelectOp::create(builder, loc, isBefore, at, index.add(at, dim.sizeValues[0]));
    }
    indices[each] = at;
  }
  return indices;
}

void KernelEmitter::BorderEmitter::storeAt(ArrayRef<Value> indices) {
  Access access;
  access.memory = memory.view;
  access.offset = index.constant(0);
  access.alignment = width * getElementBytes(memory.element);
  AffineExpr stride = getAffineConstantExpr(1, border.getContext());
  for (auto [dim, at] : llvm::reverse(llvm::zip_equal(dims, indices))) {
    access.offset =
        index.add(index.mul(at, dim.stride ? dim.stride : emitter.evaluate(stride)), access.offset);
    stride = stride * dim.extent;
  }
  emitter.store(access, emitter.splat(element, width));
}

void KernelEmitter::BorderEmitter::emitSlab(unsigned position) {
  Value total = index.constant(1);
  SmallVector<Value> counts;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    Value count = number < position ? dim.sizeValues[0] : dim.extentValue;
    if (number == position)
      count = index.sub(dim.extentValue, dim.sizeValues[0]);
    if (number + 1 == dims.size())
      count = index.div(count, index.constant(width));
    counts.push_back(count);
    total = index.mul(total, count);
  }
  auto loop = scf::ForOp::create(builder, loc, thread, total, numThreads);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  IndexBuilder::Scope scope(index);
  SmallVector<Value> indices = getIndices(position, loop.getInductionVar(), counts);
  Value isInOther;
  for (unsigned box = 1; box < dims.front().offsets.size(); ++box) {
    Value inside;
    for (auto [dim, at] : llvm::zip_equal(dims, indices))
      inside = index.both(
          inside, index.lessThan(index.sub(at, dim.offsetValues[box]), dim.sizeValues[box]));
    if (!inside)
      inside = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    isInOther =
        isInOther ? arith::OrIOp::create(builder, loc, isInOther, inside).getResult() : inside;
  }
  if (isInOther) {
    Value yes = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    Value isOutside = arith::XOrIOp::create(builder, loc, isInOther, yes);
    auto ifOp = scf::IfOp::create(builder, loc, isOutside, /*withElseRegion=*/false);
    builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
    IndexBuilder::Scope inner(index);
    storeAt(indices);
    return;
  }
  storeAt(indices);
}

void KernelEmitter::BorderEmitter::emit() {
  element = cast<ElementwiseOpInterface>(border.getOperation())
                .buildElement(builder, loc, {emitter.readScalar(border.getValue())});
  std::tie(thread, numThreads) = getThread();
  const ExtentAnalysis &extents = emitter.extents;
  for (auto [position, dim] : llvm::enumerate(dims))
    if (!dim.sizes[0] || !extents.isProvablyEqual(dim.extent, dim.sizes[0]))
      emitSlab(position);
}

void KernelEmitter::emitBorders() {
  if (!emits())
    return;
  for (Operation &op : kernel.getBody().front())
    if (auto border = dyn_cast<BorderOp>(op))
      BorderEmitter(*this, border).emit();
}
