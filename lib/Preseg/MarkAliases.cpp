//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-mark-aliases.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERMARKALIASES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

namespace {

/// An output as a view of an argument.
struct View {
  BlockArgument argument;
  /// For each dimension of the output, the corresponding dimension of the argument; -1: a dimension
  /// of size 1.
  SmallVector<int64_t> dims;
};

} // namespace

/// The view of an argument that `value` is, if all ops in between only permute dimensions and add
/// or drop those of size 1.
static std::optional<View> getView(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<SetOp, PermuteOp, BroadcastOp, SqueezeOp>(op) || fuser::detail::isScheduled(op))
      return std::nullopt;
    // Maps dimensions of the result to those of the operand.
    SmallVector<int64_t> inputs(cast<RankedTensorType>(op->getResult(0).getType()).getRank(), -1);
    for (auto [dim, map] : llvm::enumerate(cast<DomainMappingOpInterface>(op).getDimMaps(0)))
      if (map.kind == DimMap::Kind::Mapped)
        inputs[map.id] = dim;
    for (int64_t &dim : dims)
      dim = dim < 0 ? dim : inputs[dim];
    value = op->getOperand(0);
  }
  return View{cast<BlockArgument>(value), dims};
}

/// The order of the output in the memory of the argument, slowest dimension first; dimensions of
/// size 1 that the argument lacks come first.
static SmallVector<int64_t> getOrderOfView(FusionOp fusion, const View &view) {
  SmallVector<int64_t> order;
  for (auto [dim, source] : llvm::enumerate(view.dims))
    if (source < 0)
      order.push_back(dim);
  for (int64_t source : fusion.getArgLayout(view.argument.getArgNumber()).getOrder()) {
    auto *dim = llvm::find(view.dims, source);
    if (dim != view.dims.end())
      order.push_back(dim - view.dims.begin());
  }
  return order;
}

/// True if the output has no required order and its order has no other cause.
static bool isOrderAChoice(FusionOp fusion, unsigned output, OpResult result) {
  if (getLayoutHint(result) || fusion.getOutputStrideOrder(output))
    return false;
  auto aliases = fusion.getAliases();
  return !aliases || llvm::none_of(aliases->getAsRange<AliasAttr>(), [&](AliasAttr alias) {
    return alias.getOutput() == int64_t(output);
  });
}

MarkedAliases fuser::markAliases(FusionOp fusion) {
  MarkedAliases marked;
  Operation *terminator = fusion.getBody().front().getTerminator();
  for (OpOperand &output : terminator->getOpOperands()) {
    auto result = dyn_cast<OpResult>(output.get());
    std::optional<View> view = result ? getView(result) : std::nullopt;
    if (!view)
      continue;
    bool isWhole = output.get().getType() == view->argument.getType() &&
                   llvm::equal(view->dims, llvm::seq<int64_t>(0, view->dims.size()));
    if (isWhole) {
      output.set(view->argument);
      ++marked.numForwarded;
      continue;
    }
    SmallVector<int64_t> order = getOrderOfView(fusion, *view);
    if (llvm::is_sorted(order) || !isOrderAChoice(fusion, output.getOperandNumber(), result))
      continue;
    setLayoutHint(result,
                  LayoutHintAttr::get(fusion.getContext(), order, "view",
                                      "argument " + std::to_string(view->argument.getArgNumber())));
    ++marked.numHints;
  }
  eraseDeadOps(fusion);
  return marked;
}

namespace {
struct MarkAliasesPass : fuser::impl::FuserMarkAliasesBase<MarkAliasesPass> {
  void runOnOperation() override {
    MarkedAliases marked = markAliases(getOperation());
    numForwarded += marked.numForwarded;
    numHints += marked.numHints;
  }
};
} // namespace
