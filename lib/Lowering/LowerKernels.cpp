//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-lower-kernels: scheduled fuser.kernel to kernel IR.
//
//===----------------------------------------------------------------------===//

#include "ApproximateMath.h"
#include "KernelEmitter.h"
#include "KernelOperands.h"
#include "ShortMath.h"
#include "Stages.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Lowering/Passes.h"
#include "fuser/Support/Interruption.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/Threading.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERLOWERKERNELS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// What ops read is checked by them; an argument that none reads may hold anything.
static LogicalResult verifyElements(KernelOp kernel) {
  for (BlockArgument argument : kernel.getArguments())
    if (isa<RankedTensorType>(argument.getType()) &&
        !isa<IntegerType, FloatType, ComplexType>(getElementTypeOrSelf(argument.getType())))
      return kernel.emitOpError("expected integers, floats or complex numbers as elements of "
                                "argument ")
             << argument.getArgNumber() << ", but got " << argument.getType();
  return success();
}

/// Outputs must be in global memory, each computed by an op of the kernel.
static LogicalResult verifyOutputs(KernelOp kernel) {
  auto returnOp = cast<ReturnOp>(kernel.getBody().front().getTerminator());
  for (auto [index, value] : llvm::enumerate(returnOp.getValues())) {
    auto view = value.getDefiningOp<TensorViewOpInterface>();
    if (view && isa<BorderOp>(view.getOperation()))
      continue;
    if (!view || view.getMemoryType() != MemoryType::Global)
      return returnOp.emitOpError("expected output ")
             << index << " to be defined by an op with memory = #fuser.memory<global>, but got "
             << (view ? "a value in " + stringifyMemoryType(view.getMemoryType()).str() + " memory"
                      : std::string("an argument"));
    if (llvm::count(returnOp.getValues(), value) > 1)
      return returnOp.emitOpError("expected every output to be an op of its own, but output ")
             << index << " is returned twice";
  }
  return success();
}

FailureOr<std::unique_ptr<CheckedKernel>> fuser::checkKernel(KernelOp kernel) {
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(kernel);
  if (failed(extents) || failed(verifyElements(kernel)) || failed(verifyOutputs(kernel)))
    return failure();
  auto checked =
      std::make_unique<CheckedKernel>(CheckedKernel{kernel, std::move(*extents), {}, {}});
  FailureOr<std::unique_ptr<LoopNest>> nest = LoopNest::create(kernel, checked->extents);
  if (failed(nest))
    return failure();
  checked->nest = std::move(*nest);
  checked->equalIds = std::make_unique<EqualIds>(checked->extents);
  if (failed(checked->equalIds->verifyReads(*checked->nest)))
    return failure();
  return checked;
}

/// Kernel IR of a kernel in any stage.
static FailureOr<gpu::GPUModuleOp> finishStages(loop::KernelOp kernel, OpBuilder &builder,
                                                const LoweringOptions &options) {
  if (failed(planLaunch(kernel)) || failed(planReductions(kernel)) ||
      failed(placeBuffers(kernel, options)))
    return failure();
  insertBarriers(kernel);
  if (failed(vectorizeAccesses(kernel)))
    return failure();
  placeGuards(kernel);
  return expandLoops(kernel, builder, options);
}

/// The op that makes two sizes equal: the first one after which the equalities that ops require
/// connect their symbols; null if there is none.
static Operation *findRequirement(const ExtentAnalysis &analysis, FactAttr fact) {
  llvm::EquivalenceClasses<unsigned> equal;
  auto getSymbol = [&](int64_t arg, int64_t dim) {
    auto symbols = analysis.getSymbols();
    auto found = llvm::find_if(symbols, [&](const ExtentAnalysis::Symbol &symbol) {
      return symbol.arg == arg && symbol.dim == dim;
    });
    return unsigned(found - symbols.begin());
  };
  unsigned lhs = getSymbol(fact.getArg(), fact.getDim()),
           rhs = getSymbol(fact.getOtherArg(), fact.getOtherDim());
  for (const ExtentAnalysis::Equality &equality : analysis.getImpliedEqualities()) {
    auto first = dyn_cast<AffineSymbolExpr>(equality.lhs),
         second = dyn_cast<AffineSymbolExpr>(equality.rhs);
    if (!first || !second)
      continue;
    equal.unionSets(first.getPosition(), second.getPosition());
    if (equal.isEquivalent(lhs, rhs))
      return equality.op;
  }
  return nullptr;
}

ArrayAttr fuser::describeFacts(KernelOp kernel) {
  ArrayAttr facts = kernel.getFactsAttr();
  auto isEqual = [](Attribute fact) { return cast<FactAttr>(fact).getKind() == FactKind::Equal; };
  if (!facts || llvm::none_of(facts, isEqual))
    return {};
  // Without the facts the analysis finds the ops that require them.
  Builder builder(kernel.getContext());
  kernel.setFactsAttr(builder.getArrayAttr(
      llvm::filter_to_vector(facts, [&](Attribute fact) { return !isEqual(fact); })));
  FailureOr<ExtentAnalysis> analysis = failure();
  {
    // Kernels of other threads keep their diagnostics.
    ScopedDiagnosticHandler quiet(kernel.getContext(),
                                  [thread = llvm::get_threadid()](Diagnostic &) {
                                    return success(llvm::get_threadid() == thread);
                                  });
    analysis = ExtentAnalysis::create(kernel);
  }
  kernel.setFactsAttr(facts);
  if (failed(analysis))
    return {};
  bool hasReason = false;
  SmallVector<Attribute> reasons;
  for (FactAttr fact : facts.getAsRange<FactAttr>()) {
    Operation *op = isEqual(fact) ? findRequirement(*analysis, fact) : nullptr;
    hasReason |= op != nullptr;
    reasons.push_back(builder.getStringAttr(
        op ? "sizes of '" + op->getName().getStringRef().str() + "'" : std::string()));
  }
  return hasReason ? builder.getArrayAttr(reasons) : ArrayAttr();
}

FailureOr<gpu::GPUModuleOp> fuser::lowerKernel(KernelOp kernel, OpBuilder &builder,
                                               const LoweringOptions &options) {
  FailureOr<std::unique_ptr<CheckedKernel>> checked = checkKernel(kernel);
  if (failed(checked))
    return failure();
  // Clusters exist in stages only.
  if ((options.inStages && isStaged(**checked)) || hasClusters(**checked)) {
    FailureOr<loop::KernelOp> loops = buildLoops(**checked, builder, options);
    if (failed(loops))
      return failure();
    FailureOr<gpu::GPUModuleOp> module = finishStages(*loops, builder, options);
    loops->erase();
    return module;
  }
  const ExtentAnalysis &extents = (*checked)->extents;
  Location loc = kernel.getLoc();
  auto module = gpu::GPUModuleOp::create(builder, loc, kernel.getSymName());
  module->setAttr(kernel_ir::FuserGPUDialect::kIndexBits,
                  builder.getI32IntegerAttr(fitsIn32Bits(kernel, extents) ? 32 : 64));
  OpBuilder inner(module.getBodyRegion());
  auto function =
      gpu::GPUFuncOp::create(inner, loc, kernel.getSymName(), inner.getFunctionType({}, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  // The code relies on them: the artifact has to guard them.
  if (auto facts = kernel.getFacts(); facts && !facts->empty()) {
    function->setAttr(kKernelFactsAttrName, *facts);
    if (ArrayAttr reasons = describeFacts(kernel))
      function->setAttr(kKernelFactReasonsAttrName, reasons);
  }
  KernelEmitter emitter(kernel, extents, *(*checked)->nest, *(*checked)->equalIds, options,
                        function);
  if (failed(emitter.emit())) {
    module.erase();
    return failure();
  }
  if (options.approximateMath)
    useApproximateMath(function);
  else if (hasShortOutputs(kernel))
    useShortMath(collectF32Math(function));
  useHardwareExponentials(function);
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
  case loop::Stage::Placed: {
    FuserPlaceBuffersOptions place;
    place.maxSharedBytes = options.maxSharedBytes;
    manager.addNestedPass<loop::KernelOp>(createFuserPlaceBuffers(place));
    return;
  }
  case loop::Stage::Synchronized:
    manager.addNestedPass<loop::KernelOp>(createFuserInsertBarriers());
    return;
  case loop::Stage::Accessed:
    manager.addNestedPass<loop::KernelOp>(createFuserVectorizeAccesses());
    return;
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
    options.inStages = inStages;
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
