//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-verify-layouts, and the contract between stages.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/LayoutContract.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Analysis/Passes.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERVERIFYLAYOUTS
#include "fuser/Analysis/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// One module
//===----------------------------------------------------------------------===//

/// LV1, LV2
static LogicalResult verifyLaunch(HostOp host, LaunchOp launch, SymbolTable &symbols) {
  auto kernel = symbols.lookup<KernelOp>(launch.getKernel().getRootReference());
  if (!kernel)
    return success();
  LayoutInfo hostInfo(host), kernelInfo(kernel);
  auto check = [&](StringRef what, unsigned index, Value buffer,
                   ArrayRef<int64_t> wanted) -> LogicalResult {
    SmallVector<int64_t> order = hostInfo.getOrder(buffer).order;
    if (ArrayRef(order) == wanted)
      return success();
    InFlightDiagnostic error = launch.emitOpError("expected ")
                               << what << " " << index << " in the order [" << wanted
                               << "] of the kernel, but got [" << order << "]";
    error.attachNote(buffer.getLoc()) << "the buffer has its order here";
    error.attachNote(kernel.getLoc()) << "the kernel has it here";
    return error;
  };
  for (auto [index, input] : llvm::enumerate(launch.getInputs()))
    if (isa<RankedTensorType>(input.getType()) &&
        failed(check("input", index, input, kernel.getArgLayout(index).getOrder())))
      return failure();
  for (auto [index, output] : llvm::enumerate(launch.getOutputs()))
    if (failed(check("output", index, output, kernelInfo.getOutputOrder(index).order)))
      return failure();
  return success();
}

static LogicalResult verifyHost(HostOp host, SymbolTable &symbols) {
  WalkResult walked = host.walk([&](LaunchOp launch) {
    return failed(verifyLaunch(host, launch, symbols)) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  // LV3
  auto ret = cast<ReturnOp>(host.getBody().front().getTerminator());
  LayoutInfo info(host);
  for (auto [index, value] : llvm::enumerate(ret.getValues())) {
    std::optional<ArrayRef<int64_t>> required = host.getOutputStrideOrder(index);
    SmallVector<int64_t> order = info.getOrder(value).order;
    if (!required || *required == ArrayRef(order))
      continue;
    InFlightDiagnostic error = ret.emitOpError("expected output ")
                               << index << " in its required stride order [" << *required
                               << "], but got [" << order << "]";
    error.attachNote(value.getLoc()) << "the buffer has its order here";
    return error;
  }
  return success();
}

/// LV4
static LogicalResult verifyKernel(KernelOp kernel) {
  LayoutInfo info(kernel);
  auto ret = cast<ReturnOp>(kernel.getBody().front().getTerminator());
  for (auto [index, value] : llvm::enumerate(ret.getValues())) {
    auto store = value.getDefiningOp<TensorViewOpInterface>();
    if (!store || !store.hasDomains() || store.getMemoryType() != MemoryType::Global)
      continue;
    SmallVector<int64_t> wanted = info.getOutputOrder(index).order;
    SmallVector<int64_t> order = info.getOrder(value).order;
    // A schedule that does not set the allocation leaves it row-major.
    if (order == wanted || llvm::is_sorted(order))
      continue;
    InFlightDiagnostic error = store->emitOpError("expected the allocation of output ")
                               << index << " in the order [" << wanted << "], but got [" << order
                               << "]";
    error.attachNote(kernel.getLoc()) << "the kernel requires it here";
    return error;
  }
  return success();
}

LogicalResult fuser::verifyLayouts(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto kernel : module.getOps<KernelOp>())
    if (failed(verifyKernel(kernel)))
      return failure();
  for (auto host : module.getOps<HostOp>())
    if (failed(verifyHost(host, symbols)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Before and after
//===----------------------------------------------------------------------===//

/// The order that the program requests for an output: the requirement, or a front-end stride order
/// that will become one.
static DenseI64ArrayAttr getRequirement(FunctionOpInterface function, unsigned output) {
  if (auto order = fuser::detail::getOutputStrideOrder(function, output))
    return DenseI64ArrayAttr::get(function.getContext(), *order);
  Value value = function.getFunctionBody().front().getTerminator()->getOperand(output);
  auto op = value.getDefiningOp<StrideOrderOp>();
  return op ? op.getOrderAttr() : DenseI64ArrayAttr();
}

LayoutContract::Terms LayoutContract::getTerms(FunctionOpInterface function) {
  Terms terms;
  for (unsigned argument = 0, e = function.getNumArguments(); argument < e; ++argument)
    terms.facts.push_back(fuser::detail::getArgLayout(function, argument));
  for (unsigned output = 0, e = function.getNumResults(); output < e; ++output)
    terms.requirements.push_back(getRequirement(function, output));
  terms.aliases = function->getAttrOfType<ArrayAttr>("aliases");
  return terms;
}

LayoutContract::LayoutContract(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>())
    if (isa<FusionOp, HostOp>(function.getOperation()))
      terms.emplace_back(function.getNameAttr(), getTerms(function));
}

LogicalResult LayoutContract::verify(ModuleOp module) const {
  SymbolTable symbols(module);
  LogicalResult result = success();
  for (const auto &[name, before] : terms) {
    auto function = symbols.lookup<FunctionOpInterface>(name);
    if (!function || !isa<FusionOp, HostOp>(function.getOperation()))
      continue;
    Terms now = getTerms(function);
    auto report = [&](StringRef what, const auto &position, Attribute had, Attribute has) {
      InFlightDiagnostic error = function->emitOpError("expected ")
                                 << what << position << " to stay ";
      auto show = [&](Attribute attribute) {
        if (attribute)
          error << attribute;
        else
          error << "absent";
      };
      show(had);
      error << ", but got ";
      show(has);
      result = error;
    };
    if (now.facts.size() != before.facts.size() ||
        now.requirements.size() != before.requirements.size()) {
      result = function->emitOpError("expected ")
               << before.facts.size() << " arguments and " << before.requirements.size()
               << " outputs, but got " << now.facts.size() << " and " << now.requirements.size();
      continue;
    }
    for (unsigned index = 0; index < before.facts.size(); ++index)
      if (before.facts[index] != now.facts[index])
        report("the layout of argument ", index, before.facts[index], now.facts[index]);
    for (unsigned index = 0; index < before.requirements.size(); ++index)
      if (before.requirements[index] != now.requirements[index])
        report("the required stride order of output ", index, before.requirements[index],
               now.requirements[index]);
    if (before.aliases != now.aliases)
      report("the aliases", "", before.aliases, now.aliases);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct VerifyLayouts : fuser::impl::FuserVerifyLayoutsBase<VerifyLayouts> {
  void runOnOperation() override {
    if (failed(verifyLayouts(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
