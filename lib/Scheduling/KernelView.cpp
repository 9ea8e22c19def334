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
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/IR/Updates.h"
#include "fuser/Ids/IdDerivation.h"

using namespace mlir;
using namespace fuser;

int64_t GlobalTensor::find(unsigned dimClass) const {
  auto it = llvm::find(order, dimClass);
  return it == order.end() ? -1 : it - order.begin();
}

bool GlobalTensor::isAdjacent(ArrayRef<unsigned> classes) const {
  return ArrayRef(order) == classes && !llvm::is_contained(contiguous, false);
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
  for (Operation &op : kernel.getBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    // A border has no loops that a scheduler could choose.
    if (!view || isa<BorderOp>(op))
      continue;
    ops.push_back(view);
    if (llvm::is_contained(cast<DomainMappingOpInterface>(op).getRootKinds(), IdKind::Reduction))
      reductions.push_back(view);
  }
  noteExtents();
  addTensors();
  chooseLoopClasses();
  collectResizes();
  findMixedFactorizations();
}

LogicalResult KernelView::updateFacts() {
  FailureOr<ExtentAnalysis> updated = ExtentAnalysis::create(kernel);
  if (failed(updated))
    return failure();
  extents = std::move(*updated);
  tensors.clear();
  resizes.clear();
  noteExtents();
  addTensors();
  chooseLoopClasses();
  collectResizes();
  return success();
}

void KernelView::noteExtents() {
  classExtents.assign(classes.getNumClasses(), AffineExpr());
  // A partial result (rfactor) has a dimension that the op does not have.
  auto note = [&](unsigned idClass, AffineExpr extent) {
    if (idClass != IdRelations::kNone && !classExtents[idClass])
      classExtents[idClass] = extent;
  };
  auto noteValue = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0, rank = type ? type.getRank() : 0; dim < rank; ++dim)
      note(classes.getClass(value, dim), extents.getExtent(value, dim));
  };
  for (BlockArgument argument : kernel.getBody().getArguments())
    noteValue(argument);
  for (TensorViewOpInterface op : ops)
    for (Value result : op->getResults())
      noteValue(result);
  // Intermediate ids of a reshape are not dimensions of a value.
  for (TensorViewOpInterface op : ops) {
    const DomainAttr domain = op.getTrivialDomain(0);
    if (!getExactTransforms(domain).empty())
      for (unsigned id : llvm::seq(domain.getNumIds()))
        note(classes.getClass(op, id), extents.getIdExtent(op->getResult(0), id));
  }
}

/// What divides the stride of a dimension: by a fact about the argument, or about that in which an
/// output is stored.
int64_t KernelView::getStrideDivisor(const GlobalTensor &tensor, unsigned dim) const {
  std::optional<unsigned> argument = tensor.position;
  if (tensor.isOutput)
    argument = LayoutInfo(KernelOp(kernel)).getAlias(tensor.position);
  return argument ? extents.getStrideDivisor(*argument, dim) : 1;
}

void KernelView::addTensor(Value value, bool isOutput, unsigned position, ArrayRef<int64_t> order,
                           LayoutAttr layout) {
  auto type = cast<RankedTensorType>(value.getType());
  GlobalTensor tensor{value, isOutput, position, getElementBytes(type.getElementType()),
                      {},    {},       {},       {}};
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    tensor.dims.push_back(classes.getClass(value, dim));
  for (auto [place, dim] : llvm::enumerate(order)) {
    unsigned dimClass = tensor.dims[dim];
    if (classes.isBroadcast(dimClass))
      continue;
    tensor.order.push_back(dimClass);
    tensor.contiguous.push_back(!layout || layout.isContiguousAt(place));
    tensor.strideDivisors.push_back(tensor.contiguous.back() ? 0 : getStrideDivisor(tensor, dim));
  }
  tensors.push_back(std::move(tensor));
}

void KernelView::addTensors() {
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()) || !isRead(argument))
      continue;
    LayoutAttr layout = kernel.getArgLayout(argument.getArgNumber());
    addTensor(argument, false, argument.getArgNumber(), layout.getOrder(), layout);
  }
  auto ret = cast<ReturnOp>(kernel.getBody().front().back());
  for (auto [output, value] : llvm::enumerate(ret.getValues())) {
    if (isBorder(value))
      continue;
    // An output that is stored in an argument has its layout.
    std::optional<unsigned> alias = LayoutInfo(kernel).getAlias(output);
    addTensor(value, true, output, getOutputOrder(kernel, output),
              alias ? kernel.getArgLayout(*alias) : LayoutAttr());
  }
}

/// The dimensions of a tensor in memory, as classes.
static IterationSpace::Member toMember(const GlobalTensor &tensor) {
  IterationSpace::Member member;
  member.isTensor = true;
  for (auto [idClass, isContiguous] : llvm::zip(tensor.order, tensor.contiguous))
    member.ids.push_back({idClass, /*isReduced=*/false, isContiguous});
  return member;
}

/// Replaces the classes of a tensor's dimensions by loop classes.
static void useLoopClasses(const IdRelations &classes, const IterationSpace &space,
                           GlobalTensor &tensor) {
  const IterationSpace::Member member = toMember(tensor);
  GlobalTensor result = tensor;
  result.order.clear();
  result.contiguous.clear();
  result.strideDivisors.clear();
  for (auto [idClass, isContiguous, divisor] :
       llvm::zip(tensor.order, tensor.contiguous, tensor.strideDivisors)) {
    ArrayRef<unsigned> loops = space.getLoopClasses(idClass);
    for (auto [number, loop] : llvm::enumerate(loops)) {
      // The parts of a dimension are nested in memory; the last one has the contiguity of the
      // dimension.
      const bool isLast = number + 1 == loops.size();
      bool fits = isLast ? isContiguous : true;
      // The whole has the contiguity of its last part. A tensor with only one part has no order
      // within the whole.
      if (loops.size() == 1 && loop != idClass && !IterationSpace::has(classes, member, loop))
        fits = false;
      int64_t position = result.find(loop);
      if (position < 0) {
        position = result.order.size();
        result.order.push_back(loop);
        result.contiguous.push_back(fits);
        result.strideDivisors.push_back(0);
      }
      result.contiguous[position] = fits;
      result.strideDivisors[position] = fits ? 0 : isLast && divisor ? divisor : 1;
    }
  }
  tensor = std::move(result);
}

void KernelView::chooseLoopClasses() {
  SmallVector<IterationSpace::Member> members;
  if (!classes.getProducts().empty()) {
    for (TensorViewOpInterface op : ops) {
      IterationSpace::Member &member = members.emplace_back();
      auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
      for (auto [id, kind] : llvm::enumerate(mapping.getRootKinds()))
        member.ids.push_back({classes.getClass(op, id), kind == IdKind::Reduction});
    }
    for (const GlobalTensor &tensor : tensors)
      members.push_back(toMember(tensor));
  }
  space.emplace(classes, members);
  if (members.empty())
    return;
  for (GlobalTensor &tensor : tensors)
    useLoopClasses(classes, *space, tensor);
}

static const GlobalTensor &findTensor(ArrayRef<GlobalTensor> tensors, bool isOutput,
                                      unsigned position) {
  auto *it = llvm::find_if(tensors, [&](const GlobalTensor &tensor) {
    return tensor.isOutput == isOutput && tensor.position == position;
  });
  assert(it != tensors.end() && "expected a tensor that the kernel reads or returns");
  return *it;
}

const GlobalTensor &KernelView::getArgument(unsigned argument) const {
  return findTensor(tensors, /*isOutput=*/false, argument);
}

const GlobalTensor &KernelView::getOutput(unsigned output) const {
  return findTensor(tensors, /*isOutput=*/true, output);
}

void KernelView::collectResizes() {
  ArrayRef<IdRelations::Offset> offsets = classes.getOffsets();
  for (const IdRelations::Offset &offset : offsets) {
    // A dimension that is read at its own index is not resized.
    if (offset.from == offset.to)
      continue;
    bool only = llvm::count_if(offsets, [&](const IdRelations::Offset &other) {
                  return other.from == offset.from && other.from != other.to;
                }) == 1;
    AffineExpr from = classExtents[offset.from], to = classExtents[offset.to];
    std::optional<int64_t> grown =
        only && from && to ? extents.getConstant(to - from) : std::nullopt;
    if (grown)
      resizes.push_back(
          {offset.from, offset.to, offset.before, *grown - offset.before, offset.isOfArguments});
  }
}

const ClassResize *KernelView::getResize(unsigned dimClass) const {
  auto *it =
      llvm::find_if(resizes, [&](const ClassResize &resize) { return resize.from == dimClass; });
  return it == resizes.end() ? nullptr : it;
}

bool fuser::isBorder(Value output) { return output.getDefiningOp<BorderOp>() != nullptr; }

bool fuser::overwritesReadArgument(KernelOp kernel) {
  auto aliases = kernel.getAliases();
  return aliases && llvm::any_of(aliases->getAsRange<AliasAttr>(), [&](AliasAttr alias) {
           return isRead(kernel.getArgument(alias.getInput()));
         });
}

bool fuser::isRead(BlockArgument argument) {
  return llvm::any_of(argument.getUses(), [](OpOperand &use) {
    return isa<TensorViewOpInterface, ReturnOp>(use.getOwner()) && !isUpdated(use);
  });
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
  return space->getLoopClasses(own);
}

bool KernelView::hasLoops(Value value, ArrayRef<unsigned> loops) const {
  auto op = value.getDefiningOp<TensorViewOpInterface>();
  if (!op || classes.getProducts().empty())
    return llvm::all_of(loops, [&](unsigned loop) {
      auto type = cast<RankedTensorType>(value.getType());
      return llvm::any_of(llvm::seq<int64_t>(0, type.getRank()), [&](int64_t dim) {
        return llvm::is_contained(getLoopClasses(value, dim), loop);
      });
    });
  DomainAttr domain = op.getTrivialDomain(cast<OpResult>(value).getResultNumber());
  DomainBuilder builder(domain);
  IdDerivation derivation(classes, builder);
  for (auto [dim, id] : llvm::enumerate(domain.getResultIds()))
    derivation.add(id, classes.getClass(value, dim));
  return llvm::all_of(loops, [&](unsigned loop) { return derivation.take(loop) != kNoId; });
}

SmallVector<unsigned> KernelView::getReducedClasses(TensorViewOpInterface op) const {
  SmallVector<unsigned> reduced;
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  for (auto [id, kind] : llvm::enumerate(mapping.getRootKinds()))
    if (kind == IdKind::Reduction)
      reduced.push_back(classes.getClass(op, id));
  return space->getLoopClasses(reduced);
}

bool KernelView::isSimple(TensorViewOpInterface op) const {
  auto mapping = dyn_cast<DomainMappingOpInterface>(op.getOperation());
  if (!mapping)
    return false;
  for (OpOperand &operand : op->getOpOperands())
    for (const DimMap &map : mapping.getDimMaps(operand.getOperandNumber()))
      if (map.kind != DimMap::Kind::Mapped && map.kind != DimMap::Kind::Broadcast)
        return false;
  return true;
}
