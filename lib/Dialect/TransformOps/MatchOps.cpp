//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finding kernels and ops.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::transform_ops;

DiagnosedSilenceableFailure GetKernelOp::apply(transform::TransformRewriter &,
                                               transform::TransformResults &results,
                                               transform::TransformState &state) {
  SmallVector<Operation *> found;
  Operation *last = nullptr;
  for (Operation *root : state.getPayloadOps(getRoot())) {
    last = root;
    root->walk<WalkOrder::PreOrder>([&](KernelOp kernel) {
      if (kernel.getSymName() == getName())
        found.push_back(kernel);
      return WalkResult::skip();
    });
  }
  if (found.empty()) {
    DiagnosedSilenceableFailure result =
        emitSilenceableError("expected a 'fuser.kernel' called @" + getName() + ", but got none");
    if (last)
      result.attachNote(last->getLoc()) << "in this op";
    return result;
  }
  results.set(cast<OpResult>(getKernel()), found);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure MatchOp::apply(transform::TransformRewriter &,
                                           transform::TransformResults &results,
                                           transform::TransformState &state) {
  SmallVector<Operation *> found;
  Operation *last = nullptr;
  for (Operation *root : state.getPayloadOps(getRoot())) {
    last = root;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (llvm::any_of(getNames().getAsValueRange<StringAttr>(),
                       [&](StringRef name) { return op->getName().getStringRef() == name; }))
        found.push_back(op);
    });
  }
  if (found.empty()) {
    DiagnosedSilenceableFailure result = emitSilenceableError("expected an op called one of ");
    result << getNames() << ", but got none";
    if (last)
      result.attachNote(last->getLoc()) << "in this op";
    return result;
  }
  results.set(cast<OpResult>(getOps()), found);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure GetOutputOp::apply(transform::TransformRewriter &,
                                               transform::TransformResults &results,
                                               transform::TransformState &state) {
  SmallVector<KernelOp> kernels;
  DiagnosedSilenceableFailure kinds =
      getKernels(*this, llvm::to_vector(state.getPayloadOps(getKernel())), kernels);
  if (!kinds.succeeded())
    return kinds;
  SmallVector<Operation *> found;
  for (KernelOp kernel : kernels) {
    OperandRange values = kernel.getBody().front().getTerminator()->getOperands();
    if (getOutput() >= values.size())
      return refuse(*this, kernel,
                    "expected one of " + Twine(values.size()) + " outputs, but got output " +
                        Twine(getOutput()));
    Operation *op = values[getOutput()].getDefiningOp();
    if (!op)
      return refuse(*this, kernel,
                    "expected an output that an op defines, but output " + Twine(getOutput()) +
                        " is an argument");
    found.push_back(op);
  }
  results.set(cast<OpResult>(getOp()), found);
  return DiagnosedSilenceableFailure::success();
}

/// The neighbours of `payload` by `getNext`, with domains, each once, in the order of the program.
static SmallVector<Operation *>
findNeighbours(ArrayRef<Operation *> payload, bool all,
               function_ref<SmallVector<Operation *>(Operation *)> getNext) {
  llvm::SetVector<Operation *> found;
  SmallVector<Operation *> worklist(payload);
  while (!worklist.empty())
    for (Operation *next : getNext(worklist.pop_back_val()))
      if (isa<TensorViewOpInterface>(next) && found.insert(next) && all)
        worklist.push_back(next);
  // Blocks, of several kernels, in the order in which they are met; ops by their place in them.
  SmallVector<Operation *> ordered;
  llvm::SmallPtrSet<Block *, 4> blocks;
  for (Operation *op : found)
    if (blocks.insert(op->getBlock()).second)
      for (Operation &other : *op->getBlock())
        if (found.contains(&other))
          ordered.push_back(&other);
  return ordered;
}

DiagnosedSilenceableFailure GetProducersOp::apply(transform::TransformRewriter &,
                                                  transform::TransformResults &results,
                                                  transform::TransformState &state) {
  auto getNext = [](Operation *op) {
    SmallVector<Operation *> next;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        next.push_back(producer);
    return next;
  };
  results.set(cast<OpResult>(getOps()),
              findNeighbours(llvm::to_vector(state.getPayloadOps(getTarget())), getAll(), getNext));
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure GetConsumersOp::apply(transform::TransformRewriter &,
                                                  transform::TransformResults &results,
                                                  transform::TransformState &state) {
  auto getNext = [](Operation *op) { return llvm::to_vector(op->getUsers()); };
  results.set(cast<OpResult>(getOps()),
              findNeighbours(llvm::to_vector(state.getPayloadOps(getTarget())), getAll(), getNext));
  return DiagnosedSilenceableFailure::success();
}
