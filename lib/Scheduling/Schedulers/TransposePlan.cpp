//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The sides of the tiles of transpositions.
//
//===----------------------------------------------------------------------===//

#include "TransposePlan.h"
#include "TransposeTile.h"
#include "fuser/Scheduling/Requirements.h"

using namespace mlir;
using namespace fuser;

/// More than two dimensions are the fastest of some tensor.
static constexpr StringLiteral kMixedOrders = "mixed-orders";

bool fuser::isResized(const KernelView &kernel, ArrayRef<unsigned> dims) {
  return llvm::any_of(kernel.getResizes(), [&](const ClassResize &resize) {
    return llvm::is_contained(dims, resize.from) || llvm::is_contained(dims, resize.to);
  });
}

/// True if the tensor has the dimensions next to each other, contiguous, in this order.
static bool isRun(const GlobalTensor &tensor, ArrayRef<unsigned> dims) {
  const int64_t first = tensor.find(dims.front());
  return first >= 0 && ArrayRef(tensor.order).drop_front(first).take_front(dims.size()) == dims &&
         llvm::all_of(ArrayRef(tensor.contiguous).drop_front(first).take_front(dims.size() - 1),
                      [](bool contiguous) { return contiguous; });
}

/// True if every tensor that has any of the dimensions has them next to each other, contiguous, in
/// this order.
static bool areMergeable(const KernelView &kernel, ArrayRef<unsigned> dims) {
  // The index of a part in a merged dimension needs a division.
  return !isResized(kernel, dims) &&
         llvm::all_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
           return isRun(tensor, dims) ||
                  llvm::all_of(dims, [&](unsigned dim) { return tensor.find(dim) < 0; });
         });
}

/// The fastest dimension of `order`, with the slower ones that can be merged with it in all
/// tensors.
static SmallVector<unsigned> mergeFastest(const KernelView &kernel, ArrayRef<unsigned> order) {
  size_t count = 1;
  while (count < order.size() && areMergeable(kernel, order.take_back(count + 1)))
    ++count;
  return SmallVector<unsigned>(order.take_back(count));
}

std::optional<Refusal> fuser::findTransposed(const KernelView &kernel, ArrayRef<unsigned> order,
                                             TransposePlan &plan) {
  plan.order.assign(order.begin(), order.end());
  plan.out = mergeFastest(kernel, order);
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    const unsigned fastest = order.back();
    if (tensor.order.empty() || tensor.order.back() == fastest || tensor.find(fastest) < 0)
      continue;
    std::string name =
        (tensor.isOutput ? "output " : "argument ") + std::to_string(tensor.position);
    // Blocks along a broadcast dimension read the same tiles of the argument.
    if ((tensor.isOutput && tensor.order.size() != order.size()) || !tensor.contiguous.back())
      return Refusal{
          RefusalCategory::Layout,
          kMixedOrders,
          {},
          "expected transposed outputs that have every dimension, and transposed tensors "
          "that have a dense one, but " +
              name + " does not"};
    if (!plan.in.empty() && tensor.order.back() != plan.in.back())
      return Refusal{RefusalCategory::Layout,
                     kMixedOrders,
                     {},
                     "expected transposed tensors with one fastest dimension, but that of " + name +
                         " is another"};
    if (plan.in.empty())
      plan.in = mergeFastest(kernel, tensor.order);
    (tensor.isOutput ? plan.transposedOutputs : plan.transposedArguments)
        .push_back(tensor.position);
    plan.transposedBytes += tensor.elementBytes;
  }
  return std::nullopt;
}

void fuser::followArguments(const KernelView &kernel, TransposePlan &plan) {
  const unsigned *whole = llvm::find_if(plan.transposedArguments, [&](unsigned argument) {
    return kernel.getArgument(argument).order.size() == plan.order.size();
  });
  if (whole == plan.transposedArguments.end())
    return;
  TransposePlan other;
  other.reference = plan.reference;
  if (!findTransposed(kernel, kernel.getArgument(*whole).order, other) &&
      other.transposedBytes < plan.transposedBytes)
    plan = std::move(other);
}

/// True if the merged dimensions of a side give the index of each tensor: those of the side have
/// them as a run. Others have all, or none; or some, if they are few numbers for all elements of
/// the other side (the means of groups of channels) and these are accepted.
static bool areOneSide(const KernelView &kernel, const TransposePlan &plan, bool isIn,
                       ArrayRef<unsigned> dims, bool acceptParts) {
  const unsigned across = (isIn ? plan.out : plan.in).back();
  return llvm::all_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
    if (plan.isOfSide(tensor, isIn))
      return isRun(tensor, dims);
    const size_t count = llvm::count_if(dims, [&](unsigned dim) { return tensor.find(dim) >= 0; });
    return count == 0 || count == dims.size() || (acceptParts && tensor.find(across) < 0);
  });
}

/// Adds slower dimensions to a side that is too short for a tile until it has the length of one,
/// if the tensors of this side have them next to each other. Those of the other side divide the
/// index by constants.
static void extendShortSide(const KernelView &kernel, const TransposePlan &plan, bool isIn,
                            bool acceptParts, SmallVectorImpl<unsigned> &side) {
  const Requirements requirements(kernel, SizeHints());
  const auto *first = llvm::find_if(
      kernel.getTensors(), [&](const GlobalTensor &tensor) { return plan.isOfSide(tensor, isIn); });
  const std::optional<int64_t> size = requirements.getSize(side);
  if (first == kernel.getTensors().end() || !size || *size >= kLeastTransposeSize)
    return;
  SmallVector<unsigned> extended(side.begin(), side.end());
  while (*requirements.getSize(extended) < kExtendedTransposeSize) {
    const size_t place = first->order.size() - extended.size();
    if (place == 0)
      break;
    const unsigned next = first->order[place - 1];
    extended.insert(extended.begin(), next);
    if (llvm::is_contained(isIn ? plan.out : plan.in, next) || isResized(kernel, extended) ||
        !requirements.getSize(extended) || requirements.getRangeEnd(extended) ||
        !areOneSide(kernel, plan, isIn, extended, acceptParts))
      return;
    if (*requirements.getSize(extended) >= kLeastTransposeSize)
      side.assign(extended.begin(), extended.end());
  }
}

/// Operands that have some of the dimensions are read at each element: tiles without them come
/// first.
void fuser::extendShortSides(const KernelView &kernel, TransposePlan &plan) {
  for (bool acceptParts : {false, true}) {
    extendShortSide(kernel, plan, /*isIn=*/false, acceptParts, plan.out);
    extendShortSide(kernel, plan, /*isIn=*/true, acceptParts, plan.in);
  }
}
