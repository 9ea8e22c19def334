//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-resolve-stride-orders.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Preseg/Passes.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERRESOLVESTRIDEORDERS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// Makes the order of `op`, which defines output `output`, a requirement.
static LogicalResult require(FusionOp fusion, unsigned output, StrideOrderOp op) {
  std::optional<ArrayRef<int64_t>> required = fusion.getOutputStrideOrder(output);
  if (required && *required != op.getOrder()) {
    InFlightDiagnostic error = op.emitOpError("expected the stride order of output ")
                               << output << ", which is required to be [" << *required
                               << "], but got [" << op.getOrder() << "]";
    error.attachNote(fusion.getLoc()) << "the fusion requires it here";
    return error;
  }
  std::optional<unsigned> alias = LayoutInfo(fusion).getAlias(output);
  if (alias && fusion.getArgLayout(*alias).getOrder() != op.getOrder()) {
    InFlightDiagnostic error = op.emitOpError("expected the stride order of output ")
                               << output << ", which aliases argument " << *alias << ", to be ["
                               << fusion.getArgLayout(*alias).getOrder() << "], but got ["
                               << op.getOrder() << "]";
    error.attachNote(fusion.getArgument(*alias).getLoc()) << "the argument has that order";
    return error;
  }
  fusion.setOutputStrideOrder(output, op.getOrder());
  return success();
}

/// Turns the order of an intermediate into a hint on the value that it copies.
static void hint(StrideOrderOp op) {
  auto source = dyn_cast<OpResult>(op.getInput());
  if (!source || getLayoutHint(source) || !isa<TensorViewOpInterface>(source.getOwner()))
    return;
  setLayoutHint(source, LayoutHintAttr::get(op.getContext(), op.getOrder(), "stride-order", ""));
}

FailureOr<unsigned> fuser::resolveStrideOrders(FusionOp fusion) {
  Operation *terminator = fusion.getBody().front().getTerminator();
  for (OpOperand &output : terminator->getOpOperands())
    if (auto op = output.get().getDefiningOp<StrideOrderOp>())
      if (failed(require(fusion, output.getOperandNumber(), op)))
        return failure();
  unsigned numResolved = 0;
  for (auto op : llvm::make_early_inc_range(fusion.getBody().front().getOps<StrideOrderOp>())) {
    // Its domains are a schedule, which only schedulers may remove.
    if (op->hasAttr("domains"))
      continue;
    if (!llvm::is_contained(op->getUsers(), terminator))
      hint(op);
    op.replaceAllUsesWith(op.getInput());
    op.erase();
    ++numResolved;
  }
  return numResolved;
}

namespace {
struct ResolveStrideOrders : fuser::impl::FuserResolveStrideOrdersBase<ResolveStrideOrders> {
  void runOnOperation() override {
    FailureOr<unsigned> count = resolveStrideOrders(getOperation());
    if (failed(count))
      return signalPassFailure();
    numResolved += *count;
  }
};
} // namespace
