//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-convert-host-to-gpu: all hosts of a module, the parameters of their kernels, and calls.
//
//===----------------------------------------------------------------------===//

#include "UpstreamHost.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Dialect/Kernel/ArgumentTables.h"
#include "fuser/Export/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERCONVERTHOSTTOGPU
#include "fuser/Export/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// The launching code has the host's part of a kernel. Its parameters get the types of the operands
/// in a launch, which upstream's verifier compares: a pointer for a memref, and an integer for an
/// index.
static void retypeParameters(gpu::GPUFuncOp kernel) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  SmallVector<Type> types(kernel.getArgumentTypes());
  for (auto [number, type] : llvm::enumerate(types)) {
    kernel.removeArgAttr(number, kernel_ir::FuserGPUDialect::kBind);
    if (!isa<MemRefType, IndexType>(type))
      continue;
    BlockArgument argument = kernel.getArgument(number);
    auto cast = UnrealizedConversionCastOp::create(builder, argument.getLoc(), type, argument);
    argument.replaceAllUsesExcept(cast.getResult(0), cast);
    type = getParameterType(kernel, type);
    argument.setType(type);
  }
  kernel.setFunctionType(builder.getFunctionType(types, TypeRange()));
}

/// Buffers of one shape under another layout; a bool is a byte.
static Value castBuffer(OpBuilder &builder, Location loc, Value buffer, Type wanted) {
  auto have = dyn_cast<MemRefType>(buffer.getType());
  auto want = dyn_cast<MemRefType>(wanted);
  if (!have || !want || have == want)
    return buffer;
  if (have.getElementType() != want.getElementType()) {
    have = MemRefType::get(have.getShape(), want.getElementType(), have.getLayout());
    buffer = UnrealizedConversionCastOp::create(builder, loc, TypeRange(have), buffer).getResult(0);
  }
  return have == want ? buffer : Value(memref::CastOp::create(builder, loc, want, buffer));
}

/// Turns calls of host functions into calls of what they became.
static LogicalResult convertCalls(ModuleOp module) {
  SymbolTableCollection symbols;
  SmallVector<fuser::CallOp> calls;
  module.walk([&](fuser::CallOp call) { calls.push_back(call); });
  for (fuser::CallOp call : calls) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (llvm::any_of(call->getOperandTypes(), llvm::IsaPred<TensorType>) || !callee)
      return call.emitOpError("expected buffers, but got tensors: run one-shot-bufferize before "
                              "fuser-to-kernel-ir");
    OpBuilder builder(call);
    SmallVector<Value> operands, results;
    for (auto [operand, type] : llvm::zip_equal(call.getOperands(), callee.getArgumentTypes()))
      operands.push_back(castBuffer(builder, call.getLoc(), operand, type));
    auto converted = func::CallOp::create(builder, call.getLoc(), callee, operands);
    for (auto [result, type] : llvm::zip_equal(converted.getResults(), call->getResultTypes()))
      results.push_back(castBuffer(builder, call.getLoc(), result, type));
    call->replaceAllUsesWith(results);
    call.erase();
  }
  return success();
}

LogicalResult fuser::convertHostToGPU(ModuleOp module) {
  for (FusionOp fusion : module.getOps<FusionOp>())
    return fusion.emitOpError("expected a host function with kernels, but got a fusion: run "
                              "fuser-to-kernel-ir first");
  SymbolTableCollection kernels;
  llvm::SetVector<gpu::GPUFuncOp> launched;
  for (HostOp host : llvm::make_early_inc_range(module.getOps<HostOp>())) {
    host.walk([&](LaunchOp launch) {
      if (auto kernel = kernels.lookupNearestSymbolFrom<gpu::GPUFuncOp>(host, launch.getKernel()))
        launched.insert(kernel);
    });
    OpBuilder builder(host);
    // One symbol at a time.
    std::string name = host.getSymName().str();
    FailureOr<func::FuncOp> function = UpstreamHost(host, builder, kernels).build();
    if (failed(function))
      return failure();
    host.erase();
    function->setSymName(name);
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
  }
  // The launching code asserts the facts of kernels.
  module.walk([](gpu::GPUFuncOp kernel) {
    kernel->removeAttr(kKernelFactsAttrName);
    kernel->removeAttr(kKernelFactReasonsAttrName);
  });
  for (gpu::GPUFuncOp kernel : launched) {
    // Upstream passes each operand of a launch separately.
    kernel_ir::expandPartArguments(kernel);
    retypeParameters(kernel);
  }
  return convertCalls(module);
}

namespace {
struct ConvertHostToGPU : fuser::impl::FuserConvertHostToGPUBase<ConvertHostToGPU> {
  void runOnOperation() override {
    numHosts += llvm::range_size(getOperation().getOps<HostOp>());
    if (failed(convertHostToGPU(getOperation())))
      signalPassFailure();
  }
};
} // namespace
