//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Gathers tensors, reductions and classes of a kernel.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/KernelView.h"
#include "fuser/Analysis/LayoutInfo.h"

using namespace mlir;
using namespace fuser;

int64_t GlobalTensor::find(unsigned dimClass) const {
  auto it = llvm::find(order, dimClass);
  return it == order.end() ? -1 : it - order.begin();
}

SmallVector<int64_t> fuser::getOutputOrder(KernelOp kernel, unsigned output) {
  return LayoutInfo(kernel).getOutputOrder(output).order;
}

FailureOr<KernelView> KernelView::create(KernelOp kernel) {
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(kernel);
  if (failed(extents))
    return failure();
  return KernelView(kernel, std::move(*extents));
}

KernelView::KernelView(KernelOp kernel, ExtentAnalysis extents)
    : kernel(kernel), classes(kernel.getBody().front()), extents(std::move(extents)) {
  classExtents.resize(classes.getNumClasses());
  auto noteExtents = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0, rank = type ? type.getRank() : 0; dim < rank; ++dim) {
      // A partial result (rfactor) has a dimension that is none of the op's.
      unsigned dimClass = classes.getClass(value, dim);
      if (dimClass == IdRelations::kNone)
        continue;
      AffineExpr &extent = classExtents[dimClass];
      if (!extent)
        extent = this->extents.getExtent(value, dim);
    }
  };
  auto addTensor = [&](Value value, bool isOutput, unsigned position, ArrayRef<int64_t> order,
                       LayoutAttr layout) {
    auto type = cast<RankedTensorType>(value.getType());
    GlobalTensor tensor{value, isOutput, position, getElementBytes(type.getElementType()),
                        {},    {},       {}};
    for (auto [place, dim] : llvm::enumerate(order)) {
      unsigned dimClass = classes.getClass(value, dim);
      if (classes.isBroadcast(dimClass))
        continue;
      tensor.order.push_back(dimClass);
      tensor.contiguous.push_back(!layout || layout.isContiguousAt(place));
      tensor.strideDivisors.push_back(
          tensor.contiguous.back() ? 0 : this->extents.getStrideDivisor(position, dim));
    }
    tensors.push_back(std::move(tensor));
  };

  for (BlockArgument argument : kernel.getBody().getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    noteExtents(argument);
    if (!isRead(argument))
      continue;
    LayoutAttr layout = kernel.getArgLayout(argument.getArgNumber());
    addTensor(argument, false, argument.getArgNumber(), layout.getOrder(), layout);
  }
  for (Operation &op : kernel.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view)
      continue;
    ops.push_back(view);
    for (Value result : op.getResults())
      noteExtents(result);
    if (llvm::is_contained(cast<DomainMappingOpInterface>(op).getRootKinds(), IdKind::Reduction))
      reductions.push_back(view);
  }
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  for (auto [output, value] : llvm::enumerate(ret.getValues())) {
    // What is stored in an argument lies as that does.
    std::optional<unsigned> alias = LayoutInfo(kernel).getAlias(output);
    addTensor(value, true, output, getOutputOrder(kernel, output),
              alias ? kernel.getArgLayout(*alias) : LayoutAttr());
  }
  collectResizes();
}

void KernelView::collectResizes() {
  ArrayRef<IdRelations::Offset> offsets = classes.getOffsets();
  for (const IdRelations::Offset &offset : offsets) {
    // A dimension that is read as its own is not resized.
    if (offset.from == offset.to)
      continue;
    bool only = llvm::count_if(offsets, [&](const IdRelations::Offset &other) {
                  return other.from == offset.from && other.from != other.to;
                }) == 1;
    AffineExpr from = classExtents[offset.from], to = classExtents[offset.to];
    std::optional<int64_t> grown =
        only && from && to ? extents.getConstant(to - from) : std::nullopt;
    if (grown)
      resizes.push_back({offset.from, offset.to, offset.before, *grown - offset.before});
  }
}

const ClassResize *KernelView::getResize(unsigned dimClass) const {
  auto *it =
      llvm::find_if(resizes, [&](const ClassResize &resize) { return resize.from == dimClass; });
  return it == resizes.end() ? nullptr : it;
}

bool fuser::isRead(BlockArgument argument) {
  return llvm::any_of(argument.getUsers(), llvm::IsaPred<TensorViewOpInterface, ReturnOp>);
}

bool fuser::isReadInPlace(OpOperand &use) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(use.getOwner());
  return mapping && llvm::any_of(mapping.getDimMaps(use.getOperandNumber()), [](const DimMap &map) {
           return map.kind == DimMap::Kind::Resized || map.kind == DimMap::Kind::Indirect;
         });
}

SmallVector<unsigned> KernelView::getOwnClasses(TensorViewOpInterface op) const {
  SmallVector<unsigned> own;
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  for (unsigned id = 0, e = mapping.getRootKinds().size(); id < e; ++id) {
    unsigned dimClass = classes.getClass(op, id);
    if (!classes.isBroadcast(dimClass))
      own.push_back(dimClass);
  }
  return own;
}

SmallVector<unsigned> KernelView::getReducedClasses(TensorViewOpInterface op) const {
  SmallVector<unsigned> reduced;
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  for (auto [id, kind] : llvm::enumerate(mapping.getRootKinds()))
    if (kind == IdKind::Reduction)
      reduced.push_back(classes.getClass(op, id));
  return reduced;
}

bool KernelView::isSimple(TensorViewOpInterface op) const {
  auto mapping = dyn_cast<DomainMappingOpInterface>(op.getOperation());
  if (!mapping || !op.getTrivialDomain(0).getRoot().empty())
    return false;
  for (OpOperand &operand : op->getOpOperands())
    for (const DimMap &map : mapping.getDimMaps(operand.getOperandNumber()))
      if (map.kind != DimMap::Kind::Mapped && map.kind != DimMap::Kind::Broadcast)
        return false;
  return true;
}
