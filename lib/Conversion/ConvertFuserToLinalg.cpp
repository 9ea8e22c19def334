//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-convert-fuser-to-linalg.
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"
#include "fuser/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

namespace fuser {
#define GEN_PASS_DEF_FUSERCONVERTFUSERTOLINALG
#include "fuser/Conversion/Passes.h.inc"
} // namespace fuser

namespace {
struct ConvertFuserToLinalgPass
    : fuser::impl::FuserConvertFuserToLinalgBase<ConvertFuserToLinalgPass> {
  using FuserConvertFuserToLinalgBase::FuserConvertFuserToLinalgBase;

  void runOnOperation() override {
    FailureOr<unsigned> count = convertFuserToLinalg(getOperation(), strict);
    if (failed(count))
      return signalPassFailure();
    numFunctions += *count;
  }
};
} // namespace

/// Describes a property of the fusion that linalg cannot express; empty if there is none.
static StringRef getUnspeakable(FusionOp fusion) {
  for (auto [attribute, what] :
       {std::pair("output_orders", "required orders of outputs"),
        std::pair("aliases", "outputs stored in arguments"),
        std::pair("arg_layouts", "layouts of arguments"), std::pair("mesh", "devices"),
        std::pair("arg_domains", "distributed arguments")})
    if (fusion->hasAttr(attribute))
      return what;
  return {};
}

/// The function for a fusion; null, after a remark (or error) with the reason, if it cannot be
/// expressed.
static func::FuncOp writeFunction(FusionOp fusion, bool strict) {
  auto refuse = [&](Operation *op, StringRef reason) {
    if (strict)
      op->emitOpError("expected a form in linalg: ") << reason;
    else
      op->emitRemark("not converted, and neither is its fusion: ") << reason;
    return func::FuncOp();
  };
  if (StringRef what = getUnspeakable(fusion); !what.empty())
    return refuse(fusion, ("linalg has no equivalent of " + what).str());
  OpBuilder builder(fusion.getContext());
  auto function =
      func::FuncOp::create(builder, fusion.getLoc(), fusion.getSymName(), fusion.getFunctionType());
  Exporter exporter(fusion, function);
  for (Operation &op : fusion.getBody().front())
    if (failed(exporter.convert(&op))) {
      function.erase();
      return refuse(&op, exporter.getReason());
    }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  if (fusion.getArgAttrsAttr())
    function.setArgAttrsAttr(fusion.getArgAttrsAttr());
  if (fusion.getResAttrsAttr())
    function.setResAttrsAttr(fusion.getResAttrsAttr());
  return function;
}

FailureOr<unsigned> fuser::convertFuserToLinalg(ModuleOp module, bool strict) {
  SmallVector<std::pair<FusionOp, func::FuncOp>> pairs;
  for (auto fusion : module.getOps<FusionOp>()) {
    func::FuncOp function = writeFunction(fusion, strict);
    if (function) {
      pairs.emplace_back(fusion, function);
    } else if (strict) {
      for (auto [_, made] : pairs)
        made.erase();
      return failure();
    }
  }
  llvm::StringSet<> names;
  for (auto [fusion, function] : pairs) {
    names.insert(fusion.getSymName());
    fusion->getBlock()->getOperations().insert(fusion->getIterator(), function);
    fusion.erase();
  }
  module.walk([&](fuser::CallOp call) {
    if (!names.contains(call.getCallee()))
      return;
    OpBuilder builder(call);
    auto replaced = func::CallOp::create(builder, call.getLoc(), call.getCallee(),
                                         call.getResultTypes(), call.getOperands());
    call.replaceAllUsesWith(replaced.getResults());
    call.erase();
  });
  return pairs.size();
}
