//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-lower-kernels: scheduled fuser.kernel to kernel IR.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Lowering/Passes.h"
#include "fuser/Support/Interruption.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERLOWERKERNELS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// Kernel IR of a kernel in any stage.
static FailureOr<gpu::GPUModuleOp> finishStages(loop::KernelOp kernel, OpBuilder &builder,
                                                const LoweringOptions &options) {
  if (failed(planLaunch(kernel)) || failed(planReductions(kernel)) ||
      failed(pipelineLoops(kernel, options)) || failed(placeBuffers(kernel, options)))
    return failure();
  insertBarriers(kernel);
  if (failed(vectorizeAccesses(kernel, options)))
    return failure();
  placeGuards(kernel);
  return expandLoops(kernel, builder, options);
}

FailureOr<gpu::GPUModuleOp> fuser::lowerKernel(KernelOp kernel, OpBuilder &builder,
                                               const LoweringOptions &options) {
  FailureOr<std::unique_ptr<CheckedKernel>> checked = checkKernel(kernel);
  if (failed(checked))
    return failure();
  FailureOr<loop::KernelOp> loops = buildLoops(**checked, builder, options);
  if (failed(loops))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = finishStages(*loops, builder, options);
  loops->erase();
  return module;
}

void fuser::addStagePasses(OpPassManager &manager, loop::Stage stage,
                           const LoweringOptions &options) {
  switch (stage) {
  case loop::Stage::Loops: {
    FuserBuildLoopsOptions build;
    build.maxSharedBytes = options.maxSharedBytes;
    build.maxClusterBlocks = options.maxClusterBlocks;
    manager.addNestedPass<KernelOp>(createFuserResolveIds());
    manager.addPass(createFuserBuildLoops(build));
    return;
  }
  case loop::Stage::Launched:
    manager.addNestedPass<loop::KernelOp>(createFuserPlanLaunch());
    return;
  case loop::Stage::Reduced:
    manager.addNestedPass<loop::KernelOp>(createFuserPlanReductions());
    return;
  case loop::Stage::Pipelined: {
    FuserPipelineLoopsOptions pipeline;
    pipeline.bulkCopies = options.bulkCopies;
    pipeline.warpGroups = options.warpGroups;
    manager.addNestedPass<loop::KernelOp>(createFuserPipelineLoops(pipeline));
    return;
  }
  case loop::Stage::Placed: {
    FuserPlaceBuffersOptions place;
    place.maxSharedBytes = options.maxSharedBytes;
    manager.addNestedPass<loop::KernelOp>(createFuserPlaceBuffers(place));
    return;
  }
  case loop::Stage::Synchronized:
    manager.addNestedPass<loop::KernelOp>(createFuserInsertBarriers());
    return;
  case loop::Stage::Accessed: {
    FuserVectorizeAccessesOptions vectorize;
    vectorize.matrixStores = options.matrixStores;
    vectorize.vectorAtomics = options.vectorAtomics;
    vectorize.warpGroups = options.warpGroups;
    manager.addNestedPass<loop::KernelOp>(createFuserVectorizeAccesses(vectorize));
    return;
  }
  case loop::Stage::Guarded:
    manager.addNestedPass<loop::KernelOp>(createFuserPlaceGuards());
    return;
  }
  llvm_unreachable("unknown stage");
}

KernelLaunches::KernelLaunches(ModuleOp module) {
  for (HostOp host : module.getOps<HostOp>())
    host.walk([&](LaunchOp launch) { launches[launch.getKernel()].push_back(launch); });
}

void KernelLaunches::redirect(StringAttr name) const {
  for (LaunchOp launch : launches.lookup(SymbolRefAttr::get(name)))
    launch.setKernelAttr(SymbolRefAttr::get(name, {FlatSymbolRefAttr::get(name)}));
}

namespace {
struct LowerKernels : fuser::impl::FuserLowerKernelsBase<LowerKernels> {
  using FuserLowerKernelsBase::FuserLowerKernelsBase;

  /// Kernel IR of a kernel in a module of its own, as threads must not insert into one block; null
  /// after a diagnostic.
  static OwningOpRef<ModuleOp> lower(Operation *op, const LoweringOptions &options) {
    if (isInterrupted(op->getContext()))
      return {};
    OwningOpRef<ModuleOp> lowered(ModuleOp::create(op->getLoc()));
    OpBuilder builder(lowered->getBodyRegion());
    auto kernel = dyn_cast<KernelOp>(op);
    FailureOr<gpu::GPUModuleOp> module =
        kernel ? lowerKernel(kernel, builder, options)
               : finishStages(cast<loop::KernelOp>(op), builder, options);
    return succeeded(module) ? std::move(lowered) : nullptr;
  }

  /// Kernels do not depend on each other. All of them are lowered, so that the diagnostics do not
  /// depend on threads.
  SmallVector<OwningOpRef<ModuleOp>> lower(ArrayRef<Operation *> kernels,
                                           const LoweringOptions &options) {
    SmallVector<OwningOpRef<ModuleOp>> lowered(kernels.size());
    ParallelDiagnosticHandler diagnostics(&getContext());
    mlir::parallelFor(&getContext(), 0, kernels.size(), [&](size_t number) {
      diagnostics.setOrderIDForThread(number);
      lowered[number] = lower(kernels[number], options);
      diagnostics.eraseOrderIDForThread();
    });
    return lowered;
  }

  void runOnOperation() override {
    LoweringOptions options;
    options.maxSharedBytes = maxSharedBytes;
    options.maxClusterBlocks = maxClusterBlocks;
    options.approximateMath = approximateMath;
    options.bulkCopies = bulkCopies;
    options.matrixStores = matrixStores;
    options.vectorAtomics = vectorAtomics;
    options.warpGroups = warpGroups;
    options.multiprocessors = multiprocessors;
    SmallVector<Operation *> kernels;
    for (Operation &op : *getOperation().getBody())
      if (isa<KernelOp, loop::KernelOp>(op))
        kernels.push_back(&op);
    SmallVector<OwningOpRef<ModuleOp>> lowered = lower(kernels, options);
    if (llvm::any_of(lowered, [](const OwningOpRef<ModuleOp> &module) { return !module; }))
      return signalPassFailure();
    const KernelLaunches launches(getOperation());
    for (auto [kernel, result] : llvm::zip_equal(kernels, lowered)) {
      auto module = *result->getOps<gpu::GPUModuleOp>().begin();
      module->moveBefore(kernel);
      ++numKernels;
      launches.redirect(module.getSymNameAttr());
      kernel->erase();
    }
    getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                            UnitAttr::get(&getContext()));
  }
};
} // namespace
