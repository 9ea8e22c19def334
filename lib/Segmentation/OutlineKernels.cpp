//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The trivial outliner: the whole fusion is one kernel.
//
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/OutlineKernels.h"
#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Analysis/ImpliedFacts.h"
#include "fuser/Segmentation/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace fuser {
#define GEN_PASS_DEF_FUSEROUTLINEKERNELS
#include "fuser/Segmentation/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {

/// Where an output of the fusion comes from, and where it is stored.
struct Output {
  Value value;
  /// The argument that it is, unchanged; none: the kernel computes it.
  std::optional<unsigned> forwarded;
  /// The argument in whose buffer it is stored; none: a new buffer.
  std::optional<unsigned> alias;

  bool isComputed() const { return !forwarded; }
  /// The program asks for a boundary between the computation of the output and its alias (because
  /// others read what it overwrites): it is computed into a buffer of its own, and copied.
  bool isStaged() const { return alias && value.getDefiningOp<SegmentSetOp>(); }
  /// The kernel writes into the buffer of the alias.
  bool isWrittenInPlace() const { return alias && isComputed() && !isStaged(); }
  /// The output is stored where it already lies.
  bool isInPlace() const { return forwarded && alias == forwarded; }
};

/// Outlines one fusion.
class Outliner {
public:
  Outliner(FusionOp fusion, const ExtentAnalysis &analysis, SymbolTable &symbols)
      : fusion(fusion), analysis(analysis), symbols(symbols), builder(fusion) {}

  LogicalResult collectOutputs();
  /// Erases the fusion.
  OutlinedFusion run();

private:
  KernelOp buildKernel();
  HostOp buildHost(KernelOp kernel);
  void buildHostBody(HostOp host, KernelOp kernel);
  /// Facts with outputs numbered as those of the kernel.
  ArrayAttr getKernelFacts(ArrayAttr facts);
  Value allocate(unsigned output, ExtentValues &extents);
  DenseI64ArrayAttr getAllocationOrder(unsigned output);
  /// True where another output is stored in the buffer of an argument.
  bool isOverwritten(unsigned argument) const {
    return llvm::any_of(outputs, [&](const Output &output) {
      return output.alias == argument && !output.isInPlace();
    });
  }

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  SymbolTable &symbols;
  OpBuilder builder;
  SmallVector<Output> outputs;
  ArrayAttr facts;
  unsigned numCopies = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

LogicalResult Outliner::collectOutputs() {
  for (Value value : fusion.getBody().front().getTerminator()->getOperands()) {
    Output output{value, std::nullopt, std::nullopt};
    if (auto argument = dyn_cast<BlockArgument>(value))
      output.forwarded = argument.getArgNumber();
    outputs.push_back(output);
  }
  if (auto aliases = fusion.getAliases())
    for (AliasAttr alias : aliases->getAsRange<AliasAttr>())
      outputs[alias.getOutput()].alias = alias.getInput();

  for (auto [index, output] : llvm::enumerate(outputs)) {
    auto type = cast<RankedTensorType>(output.value.getType());
    for (auto [dim, extent] : llvm::enumerate(analysis.getExtents(output.value)))
      if (!extent && type.isDynamicDim(dim) && !output.alias)
        return fusion.emitOpError("expected sizes of output ")
               << index << " that arguments determine, but got an unknown dimension " << dim;
  }
  return success();
}

/// The order of the allocation domain, as positions of result dimensions; row-major gives none.
static SmallVector<int64_t> getOrderOfDomain(DomainAttr domain) {
  SmallVector<unsigned> dims = domain.getResultIds();
  SmallVector<int64_t> order;
  for (unsigned id : domain.getAllocation()) {
    auto *it = llvm::find(dims, id);
    if (it == dims.end())
      return {};
    order.push_back(it - dims.begin());
  }
  return llvm::is_sorted(order) ? SmallVector<int64_t>() : order;
}

DenseI64ArrayAttr Outliner::getAllocationOrder(unsigned output) {
  if (std::optional<ArrayRef<int64_t>> order = fusion.getOutputStrideOrder(output))
    return builder.getDenseI64ArrayAttr(*order);
  auto result = dyn_cast<OpResult>(outputs[output].value);
  auto op = result ? dyn_cast<TensorViewOpInterface>(result.getOwner()) : TensorViewOpInterface();
  if (!op || !op.hasDomains())
    return {};
  SmallVector<int64_t> order = getOrderOfDomain(op.getDomain(result.getResultNumber()));
  return order.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(order);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

ArrayAttr Outliner::getKernelFacts(ArrayAttr facts) {
  if (!facts)
    return {};
  const int64_t numArguments = fusion.getNumArguments();
  SmallVector<int64_t> kernelOutputs;
  int64_t next = 0;
  for (const Output &output : outputs)
    kernelOutputs.push_back(output.isComputed() ? next++ : -1);
  SmallVector<Attribute> result;
  for (FactAttr fact : facts.getAsRange<FactAttr>()) {
    if (fact.getArg() < numArguments) {
      result.push_back(fact);
      continue;
    }
    int64_t output = kernelOutputs[fact.getArg() - numArguments];
    if (output >= 0)
      result.push_back(FactAttr::get(fact.getContext(), fact.getKind(), numArguments + output,
                                     fact.getDim(), fact.getValue(), fact.getOtherArg(),
                                     fact.getOtherDim()));
  }
  return ArrayAttr::get(facts.getContext(), result);
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

/// The elements of `array` that belong to computed outputs.
static SmallVector<Attribute> selectComputed(ArrayRef<Output> outputs, ArrayAttr array) {
  SmallVector<Attribute> selected;
  for (auto [output, element] : llvm::zip_equal(outputs, array))
    if (output.isComputed())
      selected.push_back(element);
  return selected;
}

KernelOp Outliner::buildKernel() {
  SmallVector<Type> resultTypes;
  SmallVector<Value> results;
  SmallVector<Attribute> aliases;
  for (const Output &output : outputs) {
    if (!output.isComputed())
      continue;
    if (output.isWrittenInPlace())
      aliases.push_back(AliasAttr::get(fusion.getContext(), results.size(), *output.alias));
    resultTypes.push_back(output.value.getType());
    results.push_back(output.value);
  }
  if (results.empty())
    return {};

  auto type = builder.getFunctionType(fusion.getArgumentTypes(), resultTypes);
  auto kernel =
      KernelOp::create(builder, fusion.getLoc(), (fusion.getSymName() + "_0").str(), type);
  kernel->setDiscardableAttrs(fusion->getDiscardableAttrDictionary());
  kernel.setArgAttrsAttr(fusion.getArgAttrsAttr());
  kernel.setArgLayoutsAttr(fusion.getArgLayoutsAttr());
  kernel.setInputIdsAttr(fusion.getInputIdsAttr());
  kernel.setExtentIdsAttr(fusion.getExtentIdsAttr());
  kernel.setFactsAttr(getKernelFacts(facts));
  if (!aliases.empty())
    kernel.setAliasesAttr(builder.getArrayAttr(aliases));
  if (auto attrs = fusion.getResAttrsAttr())
    kernel.setResAttrsAttr(builder.getArrayAttr(selectComputed(outputs, attrs)));
  if (auto ids = fusion.getOutputIds()) {
    SmallVector<int64_t> computed;
    for (auto [output, id] : llvm::zip_equal(outputs, *ids))
      if (output.isComputed())
        computed.push_back(id);
    kernel.setOutputIdsAttr(builder.getDenseI64ArrayAttr(computed));
  }
  unsigned kernelOutput = 0;
  for (auto [index, output] : llvm::enumerate(outputs))
    if (output.isComputed())
      kernel.setOutputStrideOrder(kernelOutput++, fusion.getOutputStrideOrder(index));

  OpBuilder::InsertionGuard guard(builder);
  Block &body = kernel.getBody().front();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  mapping.map(fusion.getArguments(), body.getArguments());
  for (Operation &op : fusion.getBody().front().without_terminator())
    builder.clone(op, mapping);
  ReturnOp::create(
      builder, fusion.getBody().front().getTerminator()->getLoc(),
      llvm::map_to_vector(results, [&](Value value) { return mapping.lookup(value); }));
  symbols.insert(kernel);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Host function
//===----------------------------------------------------------------------===//

Value Outliner::allocate(unsigned output, ExtentValues &extents) {
  Value value = outputs[output].value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(extents.build(analysis.getExtent(value, dim)));
  return AllocOp::create(builder, value.getLoc(), type, sizes, getAllocationOrder(output));
}

void Outliner::buildHostBody(HostOp host, KernelOp kernel) {
  Block &body = host.getBody().front();
  builder.setInsertionPointToEnd(&body);
  ExtentValues extents(analysis, body.getArguments(), builder, fusion.getLoc());
  auto copy = [&](Value source, Value destination) -> Value {
    ++numCopies;
    return CopyOp::create(builder, fusion.getLoc(), destination.getType(), source, destination);
  };

  // Buffers of what the kernel computes, and copies of arguments that it or a later copy
  // overwrites.
  SmallVector<Value> results(outputs.size()), buffers;
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (output.isComputed())
      buffers.push_back(output.isWrittenInPlace() ? body.getArgument(*output.alias)
                                                  : allocate(index, extents));
    else if (output.isInPlace())
      results[index] = body.getArgument(*output.forwarded);
    else if (isOverwritten(*output.forwarded) || !output.alias)
      results[index] = copy(body.getArgument(*output.forwarded), allocate(index, extents));
  }
  if (kernel) {
    auto launch = LaunchOp::create(builder, fusion.getLoc(), ValueRange(buffers).getTypes(),
                                   FlatSymbolRefAttr::get(kernel), body.getArguments(), buffers,
                                   /*stream=*/Value());
    unsigned next = 0;
    for (auto [index, output] : llvm::enumerate(outputs))
      if (output.isComputed())
        results[index] = launch.getResult(next++);
  }
  // Arguments are overwritten by copies last, when the kernel has read them.
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (output.isWrittenInPlace() || output.isInPlace() || !output.alias)
      continue;
    Value source = results[index] ? results[index] : body.getArgument(*output.forwarded);
    results[index] = copy(source, body.getArgument(*output.alias));
    if (output.isStaged())
      FreeOp::create(builder, fusion.getLoc(), source);
  }
  ReturnOp::create(builder, fusion.getBody().front().getTerminator()->getLoc(), results);
}

HostOp Outliner::buildHost(KernelOp kernel) {
  auto host =
      HostOp::create(builder, fusion.getLoc(), fusion.getSymName(), fusion.getFunctionType());
  host->setDiscardableAttrs(fusion->getDiscardableAttrDictionary());
  host.setSymVisibilityAttr(fusion.getSymVisibilityAttr());
  host.setArgAttrsAttr(fusion.getArgAttrsAttr());
  host.setResAttrsAttr(fusion.getResAttrsAttr());
  host.setArgLayoutsAttr(fusion.getArgLayoutsAttr());
  host.setOutputOrdersAttr(fusion.getOutputOrdersAttr());
  host.setAliasesAttr(fusion.getAliasesAttr());
  host.setFactsAttr(facts);
  host.setInputIdsAttr(fusion.getInputIdsAttr());
  host.setOutputIdsAttr(fusion.getOutputIdsAttr());
  host.setExtentIdsAttr(fusion.getExtentIdsAttr());
  OpBuilder::InsertionGuard guard(builder);
  buildHostBody(host, kernel);
  return host;
}

OutlinedFusion Outliner::run() {
  // What a call must be checked for.
  facts = getFactsWithImplied(fusion, analysis);
  KernelOp kernel = buildKernel();
  HostOp host = buildHost(kernel);
  // The host function takes over the name.
  symbols.erase(fusion);
  symbols.insert(host);
  return {host, kernel, numCopies};
}

FailureOr<OutlinedFusion> fuser::outlineFusion(FusionOp fusion, SymbolTable &symbols) {
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis))
    return failure();
  Outliner outliner(fusion, *analysis, symbols);
  if (failed(outliner.collectOutputs()))
    return failure();
  return outliner.run();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

class OutlineKernels : public fuser::impl::FuserOutlineKernelsBase<OutlineKernels> {
public:
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (FusionOp fusion : llvm::make_early_inc_range(getOperation().getOps<FusionOp>())) {
      FailureOr<OutlinedFusion> outlined = outlineFusion(fusion, symbols);
      if (failed(outlined))
        return signalPassFailure();
      numKernels += outlined->kernel ? 1 : 0;
      numCopies += outlined->numCopies;
    }
  }
};

} // namespace
