//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Common checks of schedulers, and helpers of apply.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Dialect/Transforms/Propagate.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// True if the op is simple except for arguments that it reads at data-dependent indices or at
/// constant offsets. If an output is stored in the argument, another thread may already have
/// overwritten the element.
static bool isSimpleButForArguments(const KernelView &kernel, TensorViewOpInterface op) {
  if (overwritesReadArgument(kernel.getKernel()))
    return false;
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return llvm::all_of(mapping.getDimMaps(operand.getOperandNumber()), [&](const DimMap &map) {
      return map.kind == DimMap::Kind::Mapped || map.kind == DimMap::Kind::Broadcast ||
             ((map.kind == DimMap::Kind::Indirect ||
               (map.kind == DimMap::Kind::Resized && getStaticOffset(map))) &&
              isa<BlockArgument>(operand.get()));
    });
  });
}

unsigned fuser::findWhole(const KernelView &kernel, unsigned dimClass) {
  for (const ClassResize &resize : kernel.getResizes())
    if (resize.to == dimClass && resize.isCrop() && !kernel.getClasses().isBroadcast(resize.from) &&
        !kernel.getClasses().isBroadcast(dimClass) &&
        kernel.getSpace().getLoopClasses(dimClass) == ArrayRef(dimClass) &&
        kernel.getSpace().getLoopClasses(resize.from) == ArrayRef(resize.from))
      return resize.from;
  return dimClass;
}

/// True if the op reads each operand at its own index, a part of a computed value or of an
/// argument, or a part of the result (a join of computed values).
static bool readsParts(const KernelView &kernel, TensorViewOpInterface op) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return llvm::all_of(
        llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())), [&](auto each) {
          const DimMap &map = each.value();
          if (map.kind == DimMap::Kind::Mapped || map.kind == DimMap::Kind::Broadcast)
            return true;
          std::optional<int64_t> offset = getStaticOffset(map);
          if (!offset || map.step != 1)
            return false;
          if (isa<BlockArgument>(operand.get()))
            return !overwritesReadArgument(kernel.getKernel());
          const unsigned from = kernel.getClasses().getClass(operand.get(), each.index());
          const unsigned to = kernel.getClasses().getClass(op, map.id);
          const ClassResize *resize = kernel.getResize(from);
          return (from == to && *offset == 0) ||
                 (resize && resize->to == to &&
                  (findWhole(kernel, to) == from || (resize->before >= 0 && resize->after >= 0)));
        });
  });
}

std::optional<Refusal> fuser::checkNoReduction(const KernelView &kernel) {
  if (kernel.getReductions().empty())
    return std::nullopt;
  return Refusal{RefusalCategory::OutOfScope,
                 kHasReduction,
                 {kernel.getReductions().front()},
                 "expected no reduction, but got " + std::to_string(kernel.getReductions().size())};
}

/// Refuses an op that combines parts of several factorizations of one dimension.
static std::optional<Refusal> checkFactorizations(const KernelView &kernel) {
  TensorViewOpInterface op = kernel.getMixedFactorizations();
  if (!op)
    return std::nullopt;
  Refusal refusal{RefusalCategory::Structure,
                  kReshapeOfLoops,
                  {op},
                  "expected dimensions of '" + op->getName().getStringRef().str() +
                      "' that are parts of one factorization, but parts of several "
                      "factorizations of one dimension overlap"};
  cutBefore(op, refusal.cuts);
  return refusal;
}

std::optional<Refusal> fuser::checkReshapes(const KernelView &kernel) {
  Operation *op = kernel.getSpace().getConflict();
  if (!op)
    return checkFactorizations(kernel);
  Refusal refusal{RefusalCategory::Structure,
                  kReshapeOfLoops,
                  {op},
                  "expected loops that are the same on both sides of '" +
                      op->getName().getStringRef().str() +
                      "', but a part of what it merges or splits is reduced on one side"};
  cutBefore(op, refusal.cuts);
  return refusal;
}

static std::string getName(CombiningOps combining) {
  switch (combining) {
  case CombiningOps::Reductions:
    return " and reductions";
  case CombiningOps::Scans:
    return " and scans";
  case CombiningOps::Both:
    return ", reductions and scans";
  }
  llvm_unreachable("unknown ops");
}

std::optional<Refusal> fuser::checkOps(const KernelView &kernel, ReadsAtData reads,
                                       PartsOfValues parts, CombiningOps combining) {
  std::optional<Refusal> refusal = checkReshapes(kernel);
  if (refusal)
    return refusal;
  for (TensorViewOpInterface op : kernel.getOps()) {
    std::string name = op->getName().getStringRef().str();
    std::string sentence;
    const bool isCombining =
        (combining != CombiningOps::Reductions && isa<ScanOpInterface>(op.getOperation())) ||
        (combining != CombiningOps::Scans && isa<CombinerOpInterface>(op.getOperation()));
    if (!isa<ElementwiseOpInterface>(op.getOperation()) && !isCombining)
      sentence = "expected elementwise ops" + getName(combining) + ", but got '" + name + "'";
    else if (!kernel.isSimple(op) &&
             !(reads == ReadsAtData::OfArguments && isSimpleButForArguments(kernel, op)) &&
             !(parts == PartsOfValues::Accepted && readsParts(kernel, op)))
      sentence = "expected ops that read each operand at the index of their own dimensions, but '" +
                 name + "' does not";
    else
      continue;
    if (!refusal)
      refusal = Refusal{RefusalCategory::Structure, kUnsupportedOp, {op}, sentence};
    // The rest could be accepted without all of these.
    cutBefore(op, refusal->cuts);
    cutBehind(op, refusal->cuts);
  }
  return refusal;
}

/// Cuts between ops whose dimensions are all covered (`isCovered`) and other ops.
static void cutAtCover(const KernelView &kernel,
                       function_ref<bool(TensorViewOpInterface)> isCovered,
                       SmallVectorImpl<OpOperand *> &cuts) {
  llvm::SmallPtrSet<Operation *, 16> covered;
  for (TensorViewOpInterface op : kernel.getOps())
    if (isCovered(op))
      covered.insert(op);
  SmallVector<OpOperand *> all;
  for (TensorViewOpInterface op : kernel.getOps())
    cutBefore(op, all);
  for (OpOperand *operand : all)
    if (covered.contains(operand->getOwner()) != covered.contains(operand->get().getDefiningOp()))
      cuts.push_back(operand);
}

/// Refuses to store an output of which only a part is read: only that part is computed.
static std::optional<Refusal> checkOutputs(const KernelView &kernel, ArrayRef<unsigned> reference) {
  for (const GlobalTensor &tensor : kernel.getTensors())
    for (unsigned dimClass : tensor.order)
      for (size_t steps = 0; tensor.isOutput && steps < kernel.getResizes().size(); ++steps) {
        const ClassResize *resize = kernel.getResize(dimClass);
        if (!resize || llvm::is_contained(reference, dimClass))
          break;
        if (resize->before < 0 || resize->after < 0) {
          Refusal refusal{RefusalCategory::Structure,
                          kUncoveredDimension,
                          {tensor.value.getDefiningOp()},
                          "expected outputs that are read completely, but only a part of output " +
                              std::to_string(tensor.position) + " is"};
          cutBehind(tensor.value.getDefiningOp(), refusal.cuts);
          return refusal;
        }
        dimClass = resize->to;
      }
  return std::nullopt;
}

std::optional<Refusal> fuser::checkCovered(const KernelView &kernel, ArrayRef<unsigned> reference,
                                           function_ref<unsigned(unsigned)> find) {
  auto getOwn = [&](TensorViewOpInterface op) {
    SmallVector<unsigned> own = kernel.getOwnClasses(op);
    return find ? llvm::map_to_vector(own, find) : own;
  };
  for (TensorViewOpInterface op : kernel.getOps()) {
    SmallVector<unsigned> own = getOwn(op);
    std::string name = op->getName().getStringRef().str();
    for (auto [index, dimClass] : llvm::enumerate(own)) {
      if (!llvm::is_contained(reference, dimClass)) {
        Refusal refusal{
            RefusalCategory::Structure,
            kUncoveredDimension,
            {op},
            "expected one value that has every dimension of the kernel, but dimension " +
                std::to_string(index) + " of '" + name + "' is not in it"};
        auto isCovered = [&](TensorViewOpInterface other) {
          return llvm::all_of(getOwn(other), [&](unsigned otherClass) {
            return llvm::is_contained(reference, otherClass);
          });
        };
        cutAtCover(kernel, isCovered, refusal.cuts);
        return refusal;
      }
      if (llvm::is_contained(ArrayRef(own).take_front(index), dimClass))
        return Refusal{RefusalCategory::Structure,
                       kUncoveredDimension,
                       {op},
                       "expected dimensions that are all different, but '" + name +
                           "' has one of them twice"};
    }
  }
  return checkOutputs(kernel, reference);
}

OwningOpRef<KernelOp> fuser::copyDecomposed(const KernelView &kernel) {
  if (llvm::none_of(kernel.getOps(), isVariance))
    return {};
  OwningOpRef<KernelOp> copy(kernel.getKernel().clone());
  decomposeVariance(*copy);
  return copy;
}

SmallVector<TensorViewOpInterface> fuser::getDependents(const KernelView &kernel,
                                                        ArrayRef<TensorViewOpInterface> sources) {
  llvm::SmallPtrSet<Operation *, 16> reached;
  for (TensorViewOpInterface op : sources)
    reached.insert(op);
  SmallVector<TensorViewOpInterface> dependents;
  for (TensorViewOpInterface op : kernel.getOps())
    if (llvm::any_of(op->getOperands(), [&](Value operand) {
          return operand.getDefiningOp() && reached.contains(operand.getDefiningOp());
        })) {
      reached.insert(op);
      dependents.push_back(op);
    }
  return dependents;
}

int64_t fuser::getElementBytesRead(const KernelView &kernel) {
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (!tensor.isOutput)
      bytes += tensor.elementBytes;
  return std::max<int64_t>(bytes, 1);
}

int64_t fuser::getWidestElement(const KernelView &kernel) {
  int64_t bytes = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    bytes = std::max(bytes, tensor.elementBytes);
  return bytes;
}

//===----------------------------------------------------------------------===//
// KernelSchedule
//===----------------------------------------------------------------------===//

FailureOr<KernelSchedule> KernelSchedule::create(KernelOp kernel) {
  KernelSchedule schedule(kernel);
  for (unsigned argument = 0, e = kernel.getNumArguments(); argument < e; ++argument) {
    if (!isa<RankedTensorType>(kernel.getArgument(argument).getType()) ||
        !isRead(kernel.getArgument(argument)))
      continue;
    // Not for ops that only query its sizes, either.
    FailureOr<Operation *> load = cacheLoad(kernel, argument, [](OpOperand &use) {
      return isa<TensorViewOpInterface, ReturnOp>(use.getOwner()) && !isReadInPlace(use);
    });
    if (failed(load))
      return failure();
    if (*load)
      schedule.loads.push_back(cast<TensorViewOpInterface>(*load));
  }
  for (unsigned output = 0, e = kernel.getNumResults(); output < e; ++output) {
    if (isBorder(kernel.getBody().front().getTerminator()->getOperand(output)))
      continue;
    SmallVector<int64_t> order = getOutputOrder(kernel, output);
    FailureOr<Operation *> store = cacheStore(kernel, output);
    if (failed(store))
      return failure();
    if (!*store)
      continue;
    schedule.stores.push_back(cast<TensorViewOpInterface>(*store));
    schedule.orders.push_back(std::move(order));
  }
  splitBroadcasts(kernel);
  return schedule;
}

void KernelSchedule::addLoad(OpOperand &use) {
  loads.push_back(cast<TensorViewOpInterface>(cacheUse(use)));
}

TensorViewOpInterface KernelSchedule::clone(TensorViewOpInterface op, OpBuilder &builder) {
  auto copy = cast<TensorViewOpInterface>(builder.clone(*op));
  if (llvm::is_contained(loads, op))
    loads.push_back(copy);
  return copy;
}

SmallVector<TensorViewOpInterface> KernelSchedule::getOps() const {
  SmallVector<TensorViewOpInterface> ops;
  for (Operation &op : KernelOp(kernel).getBody().front())
    if (auto view = dyn_cast<TensorViewOpInterface>(op); view && !isa<BorderOp>(op))
      ops.push_back(view);
  return ops;
}

LogicalResult KernelSchedule::propagate(TensorViewOpInterface reference) {
  SmallVector<TensorViewOpInterface> ops = getOps();
  return propagate(reference, SmallVector<Operation *>(ops.begin(), ops.end()));
}

LogicalResult KernelSchedule::propagate(TensorViewOpInterface reference,
                                        ArrayRef<Operation *> selected) {
  // For the ops in their current state. Only resizes depend on extents.
  IdRelations relations(kernel.getBody().front());
  SmallVector<ClassResize> resizes;
  if (!relations.getOffsets().empty()) {
    FailureOr<KernelView> view = KernelView::create(kernel);
    if (failed(view))
      return failure();
    llvm::append_range(resizes, view->getResizes());
  }
  if (failed(propagateTransforms(reference, selected, relations, resizes)))
    return failure();
  hasReshapes |= !relations.getProducts().empty();
  for (TensorViewOpInterface store : stores)
    setOutputOrder(store);
  return success();
}

void KernelSchedule::setOutputOrder(TensorViewOpInterface store) {
  DomainBuilder builder(store.getDomain());
  SmallVector<unsigned> dims = store.getDomain().getResultIds(), allocation;
  for (int64_t dim : orders[llvm::find(stores, store) - stores.begin()])
    allocation.push_back(dims[dim]);
  builder.setAllocation(allocation);
  store.setDomain(builder.build());
}

//===----------------------------------------------------------------------===//
// LoopBuilder
//===----------------------------------------------------------------------===//

LoopBuilder::LoopBuilder(const KernelView &kernel, TensorViewOpInterface op)
    : op(op), builder(op.getDomain()) {
  derivation.emplace(kernel.getClasses(), builder);
  for (unsigned id : op.getDomain().getLogical())
    derivation->add(id, kernel.getClasses().getClass(op, id));
}

LoopBuilder::LoopBuilder(const KernelView &kernel, TensorViewOpInterface copy,
                         const GlobalTensor &tensor)
    : op(copy), builder(copy.getDomain()) {
  derivation.emplace(kernel.getClasses(), builder);
  for (auto [id, idClass] : llvm::zip_equal(copy.getDomain().getLogical(), tensor.dims))
    derivation->add(id, idClass);
}

SmallVector<unsigned> LoopBuilder::take(ArrayRef<unsigned> classes) {
  SmallVector<unsigned> ids;
  for (unsigned idClass : classes) {
    unsigned id = derivation->take(idClass);
    if (id == kNoId)
      id = derivation->takePartial(idClass);
    if (id != kNoId)
      ids.push_back(id);
  }
  return ids;
}

SmallVector<unsigned> LoopBuilder::takeRest() {
  SmallVector<unsigned> rest = derivation->getRest();
  derivation.reset();
  return rest;
}

unsigned LoopBuilder::merge(ArrayRef<unsigned> ids) {
  unsigned merged = kNoId;
  for (unsigned id : ids) {
    if (id == kNoId)
      continue;
    merged = merged == kNoId ? id : builder.merge(merged, id);
  }
  return merged;
}

std::pair<unsigned, unsigned> LoopBuilder::split(unsigned id, int64_t factor) {
  if (id == kNoId || factor == 1)
    return {id, kNoId};
  return builder.split(id, factor);
}

std::pair<unsigned, unsigned> LoopBuilder::splitOuter(unsigned id, int64_t factor) {
  if (id == kNoId || factor == 1)
    return {kNoId, id};
  return builder.split(id, factor, /*inner=*/false);
}

LogicalResult LoopBuilder::finish(ArrayRef<Loop> loops) {
  SmallVector<unsigned> ids;
  SmallVector<ParallelType> types;
  for (const Loop &loop : loops) {
    if (loop.id == kNoId)
      continue;
    ids.push_back(loop.id);
    types.push_back(loop.type);
  }
  builder.setLoop(ids, types);
  DomainAttr domain = builder.build();
  if (!domain)
    return op->emitOpError("expected loops that cover each of its dimensions once");
  for (unsigned result = 0, e = op->getNumResults(); result < e; ++result)
    op.setDomain(domain, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Diagnostics and facts
//===----------------------------------------------------------------------===//

LogicalResult fuser::emitRefusal(KernelOp kernel, StringRef scheduler, const Refusal &refusal) {
  InFlightDiagnostic error = kernel->emitOpError("cannot be scheduled by '")
                             << scheduler << "' [" << refusal.code << "]: " << refusal.sentence;
  for (Operation *op : refusal.ops)
    error.attachNote(op->getLoc()) << "here: " << op->getName();
  return error;
}

void fuser::addFacts(KernelOp kernel, ArrayRef<FactAttr> facts) {
  SmallVector<Attribute> all;
  if (auto old = kernel->getAttrOfType<ArrayAttr>("facts"))
    all.assign(old.begin(), old.end());
  for (FactAttr fact : facts)
    if (!llvm::is_contained(all, fact))
      all.push_back(fact);
  if (!all.empty())
    kernel->setAttr("facts", ArrayAttr::get(kernel.getContext(), all));
}

LogicalResult fuser::addFacts(KernelOp kernel, StringRef scheduler,
                              const std::variant<Choice, Refusal> &answer) {
  if (const auto *refusal = std::get_if<Refusal>(&answer))
    return emitRefusal(kernel, scheduler, *refusal);
  addFacts(kernel, std::get<Choice>(answer).facts);
  return success();
}
