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
#include "ShortMath.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Lowering/Passes.h"
#include "fuser/Support/Interruption.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERLOWERKERNELS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// What 32 bits address, with room for the last tiles.
static constexpr int64_t kMax32BitElements =
    std::numeric_limits<int32_t>::max() - (int64_t(1) << 24);

/// The extents of a value that are not 1, in normal form.
static SmallVector<AffineExpr> getFactors(const ExtentAnalysis &extents, Value value) {
  SmallVector<AffineExpr> factors;
  for (AffineExpr extent : extents.getExtents(value))
    if (extents.getConstant(extent) != 1)
      factors.push_back(extents.simplify(extent));
  return factors;
}

static AffineExpr getProduct(ArrayRef<AffineExpr> factors, MLIRContext *context) {
  AffineExpr product = getAffineConstantExpr(1, context);
  for (AffineExpr factor : factors)
    product = product * factor;
  return product;
}

/// True where a value has no more elements than `other` has, as each of its extents is one of its,
/// or less.
static bool isWithin(const ExtentAnalysis &extents, ArrayRef<AffineExpr> factors,
                     SmallVector<AffineExpr> other) {
  return llvm::all_of(factors, [&](AffineExpr factor) {
    auto *it = llvm::find(other, factor);
    if (it == other.end())
      it = llvm::find_if(
          other, [&](AffineExpr larger) { return extents.getLowerBound(larger - factor) >= 0; });
    if (it == other.end())
      return false;
    other.erase(it);
    return true;
  });
}

/// True where every index into an argument or output, and every number of an element of what is
/// computed between them, fits into 32 bits.
static bool fitsIn32Bits(KernelOp kernel, const ExtentAnalysis &extents) {
  SmallVector<Value> ends(kernel.getArguments());
  llvm::append_range(ends, kernel.getBody().front().getTerminator()->getOperands());
  SmallVector<SmallVector<AffineExpr>> fitting;
  for (auto [number, value] : llvm::enumerate(ends)) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    // An argument that nothing reads is but a place for an output.
    if (!tensor || (isa<BlockArgument>(value) && value.use_empty()))
      continue;
    std::optional<int64_t> bound = extents.getElementsAtMost(number);
    // The strides of an output in a part of a buffer are those of the buffer.
    const bool isStrided =
        number >= kernel.getNumArguments() &&
        !getOutputLayout(kernel, number - kernel.getNumArguments()).getStrided().empty();
    if (!bound && !isStrided && tensor.hasStaticShape())
      bound = tensor.getNumElements();
    if (!bound || *bound > kMax32BitElements)
      return false;
    fitting.push_back(getFactors(extents, value));
  }
  // An outer product that is reduced again is larger than both.
  auto fits = [&](Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return true;
    SmallVector<AffineExpr> factors = getFactors(extents, value);
    AffineExpr elements = getProduct(factors, kernel.getContext());
    std::optional<int64_t> bound = extents.getUpperBound(elements);
    return (bound && *bound <= kMax32BitElements) || llvm::any_of(fitting, [&](auto &other) {
             return isWithin(extents, factors, other) ||
                    extents.isProvablyEqual(elements, getProduct(other, kernel.getContext()));
           });
  };
  return llvm::all_of(kernel.getBody().front().without_terminator(),
                      [&](Operation &op) { return llvm::all_of(op.getResults(), fits); });
}

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

namespace {
/// What code is made of: analyses of one kernel that passed the checks that precede its code.
struct CheckedKernel {
  ExtentAnalysis extents;
  std::unique_ptr<LoopNest> nest;
  std::unique_ptr<EqualIds> equalIds;
};
} // namespace

/// Fails after a diagnostic.
static FailureOr<std::unique_ptr<CheckedKernel>> checkKernel(KernelOp kernel) {
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(kernel);
  if (failed(extents) || failed(verifyElements(kernel)) || failed(verifyOutputs(kernel)))
    return failure();
  auto checked = std::make_unique<CheckedKernel>(CheckedKernel{std::move(*extents), {}, {}});
  FailureOr<std::unique_ptr<LoopNest>> nest = LoopNest::create(kernel, checked->extents);
  if (failed(nest))
    return failure();
  checked->nest = std::move(*nest);
  checked->equalIds = std::make_unique<EqualIds>(checked->extents);
  if (failed(checked->equalIds->verifyReads(*checked->nest)))
    return failure();
  return checked;
}

LogicalResult fuser::verifySchedule(KernelOp kernel, const LoweringOptions &options) {
  FailureOr<std::unique_ptr<CheckedKernel>> checked = checkKernel(kernel);
  if (failed(checked))
    return failure();
  return KernelEmitter(kernel, (*checked)->extents, *(*checked)->nest, *(*checked)->equalIds,
                       options)
      .emit();
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

/// What requires each fact of a kernel: for equal sizes an op, where one does; null if no op
/// requires any.
static ArrayAttr describeFacts(KernelOp kernel) {
  ArrayAttr facts = kernel.getFactsAttr();
  auto isEqual = [](Attribute fact) { return cast<FactAttr>(fact).getKind() == FactKind::Equal; };
  if (llvm::none_of(facts, isEqual))
    return {};
  // Without the facts the analysis finds the ops that require them.
  Builder builder(kernel.getContext());
  kernel.setFactsAttr(builder.getArrayAttr(
      llvm::filter_to_vector(facts, [&](Attribute fact) { return !isEqual(fact); })));
  FailureOr<ExtentAnalysis> analysis = failure();
  {
    ScopedDiagnosticHandler quiet(kernel.getContext(), [](Diagnostic &) { return success(); });
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
    useShortMath(function);
  return module;
}

namespace {
struct LowerKernels : fuser::impl::FuserLowerKernelsBase<LowerKernels> {
  using FuserLowerKernelsBase::FuserLowerKernelsBase;

  void runOnOperation() override {
    LoweringOptions options;
    options.maxSharedBytes = maxSharedBytes;
    options.approximateMath = approximateMath;
    llvm::DenseMap<SymbolRefAttr, SmallVector<LaunchOp>> launches;
    for (HostOp host : getOperation().getOps<HostOp>())
      host.walk([&](LaunchOp launch) { launches[launch.getKernel()].push_back(launch); });
    for (KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      if (isInterrupted(&getContext()))
        return signalPassFailure();
      OpBuilder builder(kernel);
      FailureOr<gpu::GPUModuleOp> module = lowerKernel(kernel, builder, options);
      if (failed(module))
        return signalPassFailure();
      ++numKernels;
      // Launches name the function in the module.
      StringAttr name = kernel.getSymNameAttr();
      for (LaunchOp launch : launches.lookup(SymbolRefAttr::get(name)))
        launch.setKernelAttr(SymbolRefAttr::get(name, {FlatSymbolRefAttr::get(name)}));
      kernel.erase();
    }
    getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                            UnitAttr::get(&getContext()));
  }
};
} // namespace
