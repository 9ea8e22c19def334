//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The inputs of a kernel: values of the fusion, views of them, and scalars.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Ids/PositivePart.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

/// True if the scalar is computed from the size of a tensor that an op defines.
static bool asksForInnerSize(Value scalar) {
  Operation *op = scalar.getDefiningOp();
  if (!op)
    return false;
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return !isa<BlockArgument>(dim.getSource());
  return llvm::any_of(op->getOperands(), asksForInnerSize);
}

/// True if the scalar is computed from a minimum, a maximum or a condition that depends on the
/// call: in kernels these have no expressions.
static bool hasClamp(Value scalar, const ExtentAnalysis &analysis) {
  Operation *op = scalar.getDefiningOp();
  if (!op || !isa<IntegerType, IndexType>(scalar.getType()) || isa<tensor::DimOp>(op))
    return false;
  AffineExpr expr = analysis.getScalar(scalar);
  return (expr && hasSign(expr)) || llvm::any_of(op->getOperands(), [&](Value operand) {
           return hasClamp(operand, analysis);
         });
}

bool fuser::isHostScalar(Value scalar, const ExtentAnalysis &analysis) {
  return scalar.getType().isIndex() && (asksForInnerSize(scalar) || hasClamp(scalar, analysis)) &&
         analysis.getScalar(scalar);
}

void KernelBuilder::addScalar(Value scalar) {
  Operation *op = scalar.getDefiningOp();
  if (!op || isHostScalar(scalar, analysis)) {
    inputs.insert(scalar);
    return;
  }
  if (scalarOps.contains(op))
    return;
  for (Value operand : op->getOperands()) {
    if (isTensor(operand))
      inputs.insert(operand);
    else
      addScalar(operand);
  }
  scalarOps.insert(op);
}

bool KernelBuilder::isReshapedOutside(const HostView &view) {
  auto isOwn = [&](Operation *user) { return own.contains(user); };
  if (llvm::count_if(view.base.getUsers(), isOwn) != 1)
    return false;
  ViewLayout base = getInputLayout(view.base);
  std::optional<ViewLayout> layout = getViewLayout(view, base, analysis);
  return layout && layout->layout.getStrided().size() <= base.layout.getStrided().size();
}

/// True if the view has all elements of its base along a dimension.
static bool isWholeDim(const HostView &view, int64_t dim, const ExtentAnalysis &analysis) {
  AffineExpr extent = analysis.getExtent(view.base, dim);
  return extent && analysis.isProvablyEqual(view.sizes[dim], extent);
}

/// The bytes to which a part that is read with its whole is aligned: those of the widest vector.
static constexpr int64_t kAlignedPartBytes = 16;

/// True if the view is a part of each row of a value that the kernel also reads as a whole: a
/// thread can load an element once for both. One element of rows that no vector has is not: it
/// would be loaded with others of which no thread has it, and loops of one element are not those of
/// a concatenation that moves it (a roll by one of what else is read in place).
bool KernelBuilder::isReadWithWhole(Operation *op, const HostView &view) {
  auto type = cast<RankedTensorType>(view.base.getType());
  if (!isa<SliceOp>(op) || type.getRank() == 0)
    return false;
  const int64_t fastest = getInputLayout(view.base).layout.getOrder().back();
  const int64_t bytes = std::max<int64_t>(1, type.getElementTypeBitWidth() / 8);
  const std::optional<int64_t> columns =
      analysis.getConstant(analysis.getExtent(view.base, fastest));
  if (analysis.getConstant(view.sizes[fastest]) == 1 &&
      (!columns || *columns * bytes > kAlignedPartBytes))
    return false;
  for (auto [dim, offset] : llvm::enumerate(view.offsets)) {
    auto constant = dyn_cast<AffineConstantExpr>(offset);
    if (!constant || view.steps[dim] != 1)
      return false;
    const int64_t before = constant.getValue();
    if (int64_t(dim) == fastest ? before * bytes % kAlignedPartBytes != 0
                                : before != 0 || !isWholeDim(view, dim, analysis))
      return false;
  }
  return llvm::any_of(view.base.getUsers(), [&](Operation *user) {
    return own.contains(user) && !getHostView(user, analysis);
  });
}

namespace {
/// Every `step`-th element of each row of a value, from `first` on.
struct EveryNth {
  int64_t first, step;
};
} // namespace

/// The view as every n-th element of the rows of its base, if a vector has several of them.
static std::optional<EveryNth> getEveryNth(Operation *op, const HostView &view, int64_t fastest,
                                           const ExtentAnalysis &analysis) {
  if (!isa<SliceOp>(op))
    return std::nullopt;
  for (auto [dim, offset] : llvm::enumerate(view.offsets))
    if (int64_t(dim) != fastest && (view.steps[dim] != 1 || !isWholeDim(view, dim, analysis)))
      return std::nullopt;
  auto first = dyn_cast<AffineConstantExpr>(view.offsets[fastest]);
  int64_t step = view.steps[fastest];
  // A column of rows of n elements is every n-th element of them.
  if (step == 1 && analysis.getConstant(view.sizes[fastest]) == 1)
    step = analysis.getConstant(analysis.getExtent(view.base, fastest)).value_or(1);
  const int64_t bytes = getElementBytes(getElementTypeOrSelf(view.base.getType()));
  if (!first || step < 2 || step * bytes > kAlignedPartBytes || first.getValue() >= step)
    return std::nullopt;
  return EveryNth{first.getValue(), step};
}

/// True if the view is every n-th element of the rows of a value, and the kernel reads others of
/// the same rows: a thread can load vectors for all of them. Only kernels that compute element by
/// element read at such indices.
bool KernelBuilder::isInterleaved(Operation *op, const HostView &view) {
  if (cast<RankedTensorType>(view.base.getType()).getRank() == 0)
    return false;
  const LayoutAttr layout = getInputLayout(view.base).layout;
  const int64_t fastest = layout.getOrder().back();
  const std::optional<EveryNth> own = getEveryNth(op, view, fastest, analysis);
  if (!own || !layout.isContiguousAt(layout.getOrder().size() - 1) ||
      llvm::any_of(this->own, hasOwnLoops))
    return false;
  return llvm::any_of(view.base.getUsers(), [&](Operation *user) {
    std::optional<HostView> other =
        this->own.contains(user) ? getHostView(user, analysis) : std::nullopt;
    if (!other || other->base != view.base)
      return false;
    std::optional<EveryNth> others = getEveryNth(user, *other, fastest, analysis);
    return others && others->step == own->step && others->first != own->first;
  });
}

/// The largest distance of elements that belong to one window.
static constexpr int64_t kWidestWindow = 16;

std::optional<KernelBuilder::Shift> KernelBuilder::getShift(PadOp pad) {
  const RankedTensorType type = pad.getInput().getType();
  auto isFar = [](int64_t amount) { return amount < -kWidestWindow; };
  auto isCrop = [](int64_t amount) { return amount < 0; };
  Shift shift;
  shift.low.assign(pad.getStaticLow().begin(), pad.getStaticLow().end());
  shift.high.assign(pad.getStaticHigh().begin(), pad.getStaticHigh().end());
  // Dynamic amounts are the least number.
  if (!inputs.contains(pad.getInput()) || hasSchedule(pad) || llvm::any_of(shift.low, isFar) ||
      llvm::any_of(shift.high, isFar) ||
      (llvm::none_of(shift.low, isCrop) && llvm::none_of(shift.high, isCrop)))
    return std::nullopt;
  for (auto [dim, amounts] : llvm::enumerate(llvm::zip_equal(shift.low, shift.high))) {
    auto &[before, after] = amounts;
    shift.offsets.push_back(std::max<int64_t>(-before, 0));
    shift.cuts.push_back(shift.offsets.back() + std::max<int64_t>(-after, 0));
    before = std::max<int64_t>(before, 0);
    after = std::max<int64_t>(after, 0);
    std::optional<int64_t> size = type.getDimSize(dim);
    if (type.isDynamicDim(dim))
      size = shift.cuts.back() == 0 ? std::nullopt : getExpectedSize(pad.getInput(), dim);
    // Without hints, sizes are assumed to be large. Each call is checked for an expected one.
    const bool isLarge =
        size ? *size - shift.cuts.back() >= 2 : shift.cuts.back() == 0 || !hints.areGiven();
    if (!isLarge)
      return std::nullopt;
  }
  return shift;
}

/// What shifts crop of dimensions of unknown size exists.
void KernelBuilder::addShiftFacts(llvm::SetVector<Attribute> &facts) {
  for (auto [number, input] : llvm::enumerate(inputs)) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type || type.hasStaticShape())
      continue;
    SmallVector<int64_t> most(type.getRank(), 0);
    for (Operation *user : input.getUsers())
      if (auto pad = dyn_cast<PadOp>(user); pad && needed.contains(user))
        if (std::optional<Shift> shift = getShift(pad))
          for (auto [known, cut] : llvm::zip_equal(most, shift->cuts))
            known = std::max(known, cut);
    for (auto [dim, cut] : llvm::enumerate(most))
      if (cut > 0 && type.isDynamicDim(dim))
        facts.insert(FactAttr::getAtLeast(input.getContext(), number, dim, cut));
  }
}

unsigned KernelBuilder::cloneShift(OpBuilder &builder, PadOp pad, IRMapping &mapping) {
  const std::optional<Shift> shift = getShift(pad);
  if (!shift)
    return 0;
  Block *block = builder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  const RankedTensorType type = pad.getInput().getType();
  Value input = mapping.lookup(pad.getInput());
  SmallVector<int64_t> sizes(type.getShape());
  SmallVector<Value> dynamicSizes;
  for (auto [dim, cut] : llvm::enumerate(shift->cuts)) {
    if (!type.isDynamicDim(dim)) {
      sizes[dim] -= cut;
      continue;
    }
    Value size = tensor::DimOp::create(builder, pad.getLoc(), input, dim);
    if (cut > 0)
      size = arith::SubIOp::create(builder, pad.getLoc(), size,
                                   arith::ConstantIndexOp::create(builder, pad.getLoc(), cut));
    dynamicSizes.push_back(size);
  }
  auto slice = SliceOp::create(builder, pad.getLoc(), type.clone(sizes), input, ValueRange(),
                               dynamicSizes, builder.getDenseI64ArrayAttr(shift->offsets),
                               builder.getDenseI64ArrayAttr(sizes), DenseI64ArrayAttr(),
                               ArrayAttr(), MemoryAttr(), IntegerAttr());
  auto shifted = cast<PadOp>(builder.clone(*pad, mapping));
  shifted.getInputMutable().assign(slice);
  shifted.setStaticLow(shift->low);
  shifted.setStaticHigh(shift->high);
  copyOrigins(slice.getOperation(), pad.getOperation());
  const auto first = last ? std::next(last->getIterator()) : block->begin();
  return std::distance(first, block->end());
}

/// True if two slices of one value, as views, have elements of the same windows: they overlap, and
/// are at a small distance in a dimension that is not the slowest one, so that they are not
/// contiguous. A dynamic dimension is taken to be longer than the distance.
static bool areOfOneWindow(const HostView &a, const HostView &b, ArrayRef<int64_t> order,
                           const ExtentAnalysis &analysis) {
  bool isMoved = false;
  for (auto [position, dim] : llvm::enumerate(order)) {
    const auto first = dyn_cast<AffineConstantExpr>(a.offsets[dim]),
               second = dyn_cast<AffineConstantExpr>(b.offsets[dim]);
    if (!first || !second || a.steps[dim] != b.steps[dim])
      return false;
    const int64_t distance = second.getValue() - first.getValue();
    const HostView &before = distance < 0 ? b : a;
    const std::optional<int64_t> size = analysis.getConstant(before.sizes[dim]);
    if (distance != 0 && (std::abs(distance) > kWidestWindow ||
                          (size && std::abs(distance) >= *size * before.steps[dim])))
      return false;
    isMoved |= distance != 0 && position > 0;
  }
  return isMoved;
}

/// True if the view is a slice of a value of which the kernel reads others at a small distance:
/// elements of the same windows. Offsets then differ by constants, so that threads load an element
/// once for all of them. A part that is joined with others (a rotation of rows) is moved again.
bool KernelBuilder::isOfWindow(Operation *op, const HostView &view) {
  if (!isa<SliceOp>(op) || view.offsets.empty() || llvm::any_of(own, hasOwnLoops) ||
      llvm::any_of(op->getUsers(), llvm::IsaPred<CatOp, InsertSliceOp>))
    return false;
  const LayoutAttr layout = getInputLayout(view.base).layout;
  const int64_t bytes = getElementBytes(getElementTypeOrSelf(view.base.getType()));
  if (!layout.isContiguousAt(layout.getOrder().size() - 1) ||
      view.steps[layout.getOrder().back()] * bytes > kAlignedPartBytes)
    return false;
  HostView whole = view;
  llvm::fill(whole.offsets, getAffineConstantExpr(0, op->getContext()));
  llvm::fill(whole.steps, 1);
  whole.sizes = analysis.getExtents(view.base);
  return llvm::any_of(view.base.getUsers(), [&](Operation *user) {
    if (user == op || !own.contains(user))
      return false;
    std::optional<HostView> other = getHostView(user, analysis);
    if (other && !isa<SliceOp>(user))
      return false;
    return areOfOneWindow(view, other ? *other : whole, layout.getOrder(), analysis);
  });
}

/// True if the view is a slice of an unknown number of elements at a constant offset, and the
/// kernel inserts a value into a part of another one. Of views, the kernel would not know by how
/// much their sizes differ from that of the destination.
bool KernelBuilder::isOfUnknownPart(Operation *op, const HostView &view) {
  if (!isa<SliceOp>(op) || llvm::any_of(own, hasOwnLoops) ||
      llvm::none_of(own, llvm::IsaPred<InsertSliceOp>))
    return false;
  bool isUnknown = false;
  for (auto [dim, size] : llvm::enumerate(view.sizes)) {
    if (!isa<AffineConstantExpr>(view.offsets[dim]) || view.steps[dim] != 1)
      return false;
    isUnknown |= !analysis.getConstant(size) && !isWholeDim(view, dim, analysis);
  }
  return isUnknown;
}

/// Views of values that the kernel does not compute: at the beginning of the kernel, in the
/// dimensions of their base or of a reshape. Outputs are not views, because a kernel stores them. A
/// buffer that is overwritten while the kernel runs is read inside the kernel, where schedulers see
/// the hazard.
void KernelBuilder::collectViews(ArrayRef<Operation *> ops, ArrayRef<KernelOutput> outputs) {
  views.clear();
  if (llvm::any_of(ops, hasSchedule))
    return;
  for (Operation *op : ops) {
    std::optional<HostView> view = getHostView(op, analysis);
    if (!view || !(view->keepsDims() || view->isReshape()) ||
        llvm::any_of(outputs, [&](auto &output) { return output.value.getDefiningOp() == op; }))
      continue;
    Operation *producer = view->base.getDefiningOp();
    if (producer && own.contains(producer) && !views.contains(producer))
      continue;
    auto argument = dyn_cast<BlockArgument>(view->base);
    if (argument && isOverwritten(fusion, argument.getArgNumber()))
      continue;
    if (view->isReshape() ? isReshapedOutside(*view)
                          : !isReadWithWhole(op, *view) && !isInterleaved(op, *view) &&
                                !isOfWindow(op, *view) && !isOfUnknownPart(op, *view))
      views.insert(op);
  }
}

/// The ops that the outputs depend on, down to the kernel's inputs. Marks are always kept.
void KernelBuilder::collectNeeded(ArrayRef<KernelOutput> outputs) {
  needed.clear();
  SmallVector<Operation *> stack;
  auto visit = [&](Value value) {
    Operation *op = value.getDefiningOp();
    if (op && own.contains(op) && !views.contains(op) && needed.insert(op).second)
      stack.push_back(op);
  };
  for (const KernelOutput &output : outputs)
    visit(output.value);
  for (Operation *op : own)
    if (isa<SegmentSetOp>(op))
      visit(op->getResult(0));
  while (!stack.empty())
    for (Value operand : stack.pop_back_val()->getOperands())
      visit(operand);
}

/// Removes inputs of which the kernel only needs sizes, where tensors that it reads have the same
/// sizes.
void KernelBuilder::takeSizesOfReadInputs() {
  equalSizes.clear();
  llvm::SmallPtrSet<Value, 8> read;
  for (Operation *op : needed)
    read.insert_range(op->getOperands());
  auto isRead = [&](Value input) { return read.contains(input); };
  auto isReplaced = [&](Value input) {
    if (!isTensor(input) || isRead(input))
      return false;
    llvm::DenseMap<Operation *, Size> found;
    for (Operation *op : scalarOps) {
      if (!llvm::is_contained(op->getOperands(), input))
        continue;
      AffineExpr expr = isa<tensor::DimOp>(op) ? analysis.getScalar(op->getResult(0)) : nullptr;
      auto size = expr ? findSize(analysis.canonicalize(expr), isRead) : std::nullopt;
      if (!size)
        return false;
      found.insert({op, {inputs[size->first], size->second}});
    }
    equalSizes.insert_range(found);
    return true;
  };
  inputs.remove_if(isReplaced);
}

void KernelBuilder::collectInputs(ArrayRef<Operation *> ops, ArrayRef<KernelOutput> outputs) {
  own.clear();
  own.insert(ops.begin(), ops.end());
  inputs.clear();
  scalarOps.clear();
  collectViews(ops, outputs);
  collectNeeded(outputs);
  for (Operation *op : ops) {
    if (!needed.contains(op))
      continue;
    for (Value operand : op->getOperands()) {
      if (!isTensor(operand))
        addScalar(operand);
      else if (!needed.contains(operand.getDefiningOp()))
        inputs.insert(operand);
    }
  }
  takeSizesOfReadInputs();
}
