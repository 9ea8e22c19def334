//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Copies, other ops for the same values, and the loops of several ops.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Dialect/Transforms/Inlining.h"
#include "fuser/Dialect/Transforms/Propagate.h"
#include "fuser/Scheduling/KernelView.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::transform_ops;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Calls `make` for each kernel of `payload` and collects the results; `missing` is the message if
/// `make` returns null.
static DiagnosedSilenceableFailure makeCopies(Operation *op, ArrayRef<Operation *> payload,
                                              function_ref<FailureOr<Operation *>(KernelOp)> make,
                                              StringRef missing,
                                              SmallVectorImpl<Operation *> &copies) {
  SmallVector<KernelOp> kernels;
  DiagnosedSilenceableFailure kinds = getKernels(op, payload, kernels);
  if (!kinds.succeeded())
    return kinds;
  for (KernelOp kernel : kernels) {
    DiagnosticCapture capture(op->getContext());
    FailureOr<Operation *> copy = make(kernel);
    if (failed(copy) || !*copy)
      // An earlier kernel may already have its copy.
      return copies.empty() ? capture.makeSilenceable(op, kernel, missing)
                            : capture.makeDefinite(op, kernel, missing);
    copies.push_back(*copy);
  }
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure CacheLoadOp::apply(transform::TransformRewriter &,
                                               transform::TransformResults &results,
                                               transform::TransformState &state) {
  llvm::SmallPtrSet<Operation *, 8> users;
  if (getUsers())
    users.insert_range(state.getPayloadOps(getUsers()));
  auto reads = [&](OpOperand &use) {
    if (getUsers())
      return users.contains(use.getOwner());
    // Uses that only query sizes do not count.
    return isa<TensorViewOpInterface, ReturnOp>(use.getOwner()) && !isReadInPlace(use);
  };
  SmallVector<Operation *> loads;
  DiagnosedSilenceableFailure made = makeCopies(
      *this, llvm::to_vector(state.getPayloadOps(getKernel())),
      [&](KernelOp kernel) { return cacheLoad(kernel, getArgument(), reads); },
      "expected an argument that is read, but got argument " + std::to_string(getArgument()),
      loads);
  if (made.succeeded())
    results.set(cast<OpResult>(getLoad()), loads);
  return made;
}

DiagnosedSilenceableFailure CacheStoreOp::apply(transform::TransformRewriter &,
                                                transform::TransformResults &results,
                                                transform::TransformState &state) {
  auto make = [&](KernelOp kernel) -> FailureOr<Operation *> {
    if (getOutput() >= kernel.getNumResults())
      return cacheStore(kernel, getOutput()); // which says so
    SmallVector<int64_t> order = getOutputOrder(kernel, getOutput());
    FailureOr<Operation *> store = cacheStore(kernel, getOutput());
    if (succeeded(store) && *store && !cast<TensorViewOpInterface>(*store).hasDomains() &&
        !llvm::is_sorted(order) &&
        failed(orderAllocation(cast<TensorViewOpInterface>(*store), order)))
      return failure();
    return store;
  };
  SmallVector<Operation *> stores;
  DiagnosedSilenceableFailure made =
      makeCopies(*this, llvm::to_vector(state.getPayloadOps(getKernel())), make,
                 "expected an output of its own, but output " + std::to_string(getOutput()) +
                     " is an argument that it overwrites",
                 stores);
  if (made.succeeded())
    results.set(cast<OpResult>(getStore()), stores);
  return made;
}

DiagnosedSilenceableFailure CacheValueOp::apply(transform::TransformRewriter &,
                                                transform::TransformResults &results,
                                                transform::TransformState &state) {
  SmallVector<TensorViewOpInterface> views;
  DiagnosedSilenceableFailure kinds =
      getViews(*this, llvm::to_vector(state.getPayloadOps(getTarget())), views);
  if (!kinds.succeeded())
    return kinds;
  for (TensorViewOpInterface view : views)
    if (getNumber() >= view->getNumResults())
      return refuse(*this, view,
                    "expected one of " + Twine(view->getNumResults()) +
                        " results, but got result " + Twine(getNumber()));
  SmallVector<Operation *> copies;
  for (TensorViewOpInterface view : views)
    copies.push_back(cacheValue(view->getResult(getNumber())));
  results.set(cast<OpResult>(getCopy()), copies);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure CacheUseOp::apply(transform::TransformRewriter &,
                                              transform::TransformResults &results,
                                              transform::TransformState &state) {
  SmallVector<TensorViewOpInterface> views;
  DiagnosedSilenceableFailure kinds =
      getViews(*this, llvm::to_vector(state.getPayloadOps(getTarget())), views);
  if (!kinds.succeeded())
    return kinds;
  for (TensorViewOpInterface view : views)
    if (getOperand() >= view->getNumOperands() ||
        !isa<RankedTensorType>(view->getOperand(getOperand()).getType()))
      return refuse(*this, view,
                    "expected one of " + Twine(view->getNumOperands()) +
                        " operands that is a tensor, but got operand " + Twine(getOperand()));
  SmallVector<Operation *> copies;
  for (TensorViewOpInterface view : views)
    copies.push_back(cacheUse(view->getOpOperand(getOperand())));
  results.set(cast<OpResult>(getCopy()), copies);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// Other ops for the same values
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure SplitBroadcastsOp::apply(transform::TransformRewriter &,
                                                     transform::TransformResults &,
                                                     transform::TransformState &state) {
  SmallVector<KernelOp> kernels;
  DiagnosedSilenceableFailure kinds =
      getKernels(*this, llvm::to_vector(state.getPayloadOps(getKernel())), kernels);
  if (!kinds.succeeded())
    return kinds;
  for (KernelOp kernel : kernels)
    splitBroadcasts(kernel);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure RecomputeOp::apply(transform::TransformRewriter &,
                                               transform::TransformResults &results,
                                               transform::TransformState &state) {
  TensorViewOpInterface target;
  DiagnosedSilenceableFailure one =
      getOneView(*this, "target", llvm::to_vector(state.getPayloadOps(getTarget())), target);
  if (!one.succeeded())
    return one;
  auto users = llvm::to_vector(state.getPayloadOps(getUsers()));
  if (users.empty())
    return emitSilenceableError("expected at least one op in 'users', but got none");
  Value value = target->getResult(0);
  for (Operation *user : users)
    if (user->getBlock() != target->getBlock() || !llvm::is_contained(user->getOperands(), value))
      return refuse(*this, user,
                    "expected users that read the first result of '" +
                        target->getName().getStringRef() + "', but '" +
                        user->getName().getStringRef() + "' does not");
  OpOperand *use = llvm::find_if(users.front()->getOpOperands(),
                                 [&](OpOperand &operand) { return operand.get() == value; });
  llvm::SmallPtrSet<Operation *, 8> available;
  if (getAvailable())
    available.insert_range(state.getPayloadOps(getAvailable()));
  auto isAvailable = [&](Value operand) { return available.contains(operand.getDefiningOp()); };
  if (failed(recomputeFor(value, users, isAvailable)))
    return refuse(*this, target,
                  "expected pointwise ops alone between 'available' and the value, but got others");
  results.set(cast<OpResult>(getClone()), {use->get().getDefiningOp()});
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure RFactorOp::apply(transform::TransformRewriter &,
                                             transform::TransformResults &results,
                                             transform::TransformState &state) {
  SmallVector<TensorViewOpInterface> views;
  DiagnosedSilenceableFailure kinds =
      getViews(*this, llvm::to_vector(state.getPayloadOps(getTarget())), views);
  if (!kinds.succeeded())
    return kinds;
  SmallVector<Operation *> partials;
  for (TensorViewOpInterface view : views) {
    DiagnosticCapture capture(getContext());
    FailureOr<Operation *> partial = rfactor(view, getPosition());
    if (failed(partial))
      // The results of reductions that were split before have changed by now.
      return partials.empty() ? capture.makeSilenceable(*this, view)
                              : capture.makeDefinite(*this, view);
    partials.push_back(*partial);
  }
  results.set(cast<OpResult>(getPartial()), partials);
  return DiagnosedSilenceableFailure::success();
}

/// Rewrites each of the payload kernels.
template <typename RewriteOp>
static DiagnosedSilenceableFailure rewriteKernels(RewriteOp op, void (*rewrite)(KernelOp),
                                                  transform::TransformResults &results,
                                                  transform::TransformState &state) {
  auto payload = llvm::to_vector(state.getPayloadOps(op.getKernel()));
  SmallVector<KernelOp> kernels;
  DiagnosedSilenceableFailure kinds = getKernels(op, payload, kernels);
  if (!kinds.succeeded())
    return kinds;
  llvm::for_each(kernels, rewrite);
  results.set(cast<OpResult>(op.getResult()), payload);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure DecomposeVarianceOp::apply(transform::TransformRewriter &,
                                                       transform::TransformResults &results,
                                                       transform::TransformState &state) {
  return rewriteKernels(*this, decomposeVariance, results, state);
}

DiagnosedSilenceableFailure DecomposeMeansOp::apply(transform::TransformRewriter &,
                                                    transform::TransformResults &results,
                                                    transform::TransformState &state) {
  return rewriteKernels(*this, decomposeMeans, results, state);
}

DiagnosedSilenceableFailure ComposeSoftmaxSumsOp::apply(transform::TransformRewriter &,
                                                        transform::TransformResults &results,
                                                        transform::TransformState &state) {
  return rewriteKernels(*this, composeSoftmaxSums, results, state);
}

//===----------------------------------------------------------------------===//
// Loops of several ops
//===----------------------------------------------------------------------===//

/// Fails unless all of `views` are ops of `kernel`.
static DiagnosedSilenceableFailure checkInKernel(Operation *op, KernelOp kernel,
                                                 ArrayRef<TensorViewOpInterface> views) {
  for (TensorViewOpInterface view : views)
    if (view->getParentOp() != kernel)
      return refuse(op, view,
                    "expected ops of the kernel @" + kernel.getSymName() +
                        ", but got one of another");
  return DiagnosedSilenceableFailure::success();
}

/// Propagates the loops of `reference`; outputs keep their orders, which new domains would drop.
static LogicalResult propagateInKernel(KernelOp kernel, TensorViewOpInterface reference,
                                       ArrayRef<TensorViewOpInterface> targets) {
  FailureOr<KernelView> view = KernelView::create(kernel);
  if (failed(view))
    return failure();
  SmallVector<std::pair<TensorViewOpInterface, SmallVector<int64_t>>> outputs;
  for (OpOperand &value : kernel.getBody().front().getTerminator()->getOpOperands()) {
    auto op = value.get().getDefiningOp<TensorViewOpInterface>();
    if (op && op != reference && op->getNumResults() == 1 && llvm::is_contained(targets, op))
      outputs.push_back({op, getOutputOrder(kernel, value.getOperandNumber())});
  }
  SmallVector<Operation *> selected(targets.begin(), targets.end());
  return editSchedules(targets, [&] {
    if (failed(propagateTransforms(reference, selected, view->getClasses(), view->getResizes())))
      return failure();
    return success(llvm::all_of(outputs, [](auto &output) {
      return succeeded(orderAllocation(output.first, output.second));
    }));
  });
}

DiagnosedSilenceableFailure PropagateOp::apply(transform::TransformRewriter &,
                                               transform::TransformResults &,
                                               transform::TransformState &state) {
  TensorViewOpInterface reference;
  DiagnosedSilenceableFailure one = getOneView(
      *this, "reference", llvm::to_vector(state.getPayloadOps(getReference())), reference);
  if (!one.succeeded())
    return one;
  KernelOp kernel;
  DiagnosedSilenceableFailure inKernel = getKernelOf(*this, reference, kernel);
  if (!inKernel.succeeded())
    return inKernel;
  SmallVector<TensorViewOpInterface> targets;
  if (getTargets()) {
    DiagnosedSilenceableFailure kinds =
        getViews(*this, llvm::to_vector(state.getPayloadOps(getTargets())), targets);
    if (!kinds.succeeded())
      return kinds;
    DiagnosedSilenceableFailure own = checkInKernel(*this, kernel, targets);
    if (!own.succeeded())
      return own;
  } else {
    for (Operation &op : kernel.getBody().front())
      if (auto view = dyn_cast<TensorViewOpInterface>(op))
        targets.push_back(view);
  }
  DiagnosticCapture capture(getContext());
  if (failed(propagateInKernel(kernel, reference, targets)))
    return capture.makeSilenceable(*this, reference);
  return DiagnosedSilenceableFailure::success();
}

LogicalResult InlineMostOp::verify() {
  if (getLimited().size() != getPositions().size())
    return emitOpError("expected one position for each of ")
           << getLimited().size() << " handles, but got " << getPositions().size();
  for (int64_t position : getPositions())
    if (position < 0)
      return emitOpError("expected positions of at least 0, but got ") << position;
  return success();
}

DiagnosedSilenceableFailure InlineMostOp::apply(transform::TransformRewriter &,
                                                transform::TransformResults &,
                                                transform::TransformState &state) {
  SmallVector<KernelOp> kernels;
  DiagnosedSilenceableFailure kinds =
      getKernels(*this, llvm::to_vector(state.getPayloadOps(getKernel())), kernels);
  if (!kinds.succeeded())
    return kinds;
  InlineLimits limits;
  for (auto [limited, position] : llvm::zip_equal(getLimited(), getPositions()))
    for (Operation *op : state.getPayloadOps(limited)) {
      if (!llvm::is_contained(kernels, op->getParentOp()))
        return refuse(*this, op, "expected limited ops of the kernel, but got another");
      limits[op] = position;
    }
  for (KernelOp kernel : kernels)
    inlineMost(kernel, limits);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure InlineUpToOp::apply(transform::TransformRewriter &,
                                                transform::TransformResults &,
                                                transform::TransformState &state) {
  auto payload = llvm::to_vector(state.getPayloadOps(getTarget()));
  SmallVector<TensorViewOpInterface> views;
  DiagnosedSilenceableFailure kinds = getViews(*this, payload, views);
  if (!kinds.succeeded())
    return kinds;
  if (views.empty())
    return DiagnosedSilenceableFailure::success();
  KernelOp kernel;
  DiagnosedSilenceableFailure inKernel = getKernelOf(*this, views.front(), kernel);
  if (!inKernel.succeeded())
    return inKernel;
  DiagnosedSilenceableFailure own = checkInKernel(*this, kernel, views);
  if (!own.succeeded())
    return own;
  inlineUpTo(kernel, payload, getPosition());
  return DiagnosedSilenceableFailure::success();
}
