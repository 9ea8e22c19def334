//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-build-loops: loops, buffers and accesses of a scheduled kernel.
//
//===----------------------------------------------------------------------===//

#include "BufferIds.h"
#include "KernelOperands.h"
#include "LoopNest.h"
#include "OpIndices.h"
#include "Stages.h"
#include "SymbolAttrs.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Lowering/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERBUILDLOOPS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
/// Writes the fuser_loop.kernel of one scheduled kernel.
///
/// Expressions have the symbols of the kernel's ExtentAnalysis, followed by strides; a symbol
/// becomes an argument when an op first uses it. Dimension k is `dims[k]`.
class LoopBuilder {
public:
  LoopBuilder(CheckedKernel &checked, OpBuilder &builder);
  loop::KernelOp build();

private:
  // Arguments.
  void addOperands();
  void addScalars();
  void addBuffer(Value tensor, LayoutAttr layout, bool isReadonly, bool isNoalias);
  Value addArgument(Type type, Attribute source);
  AffineExpr getStride(unsigned operand, unsigned dim);
  AffineExpr getScalarIndex(Value scalar);
  Value getValue(AffineExpr leaf);
  Value getSymbolValue(unsigned symbol);
  Attribute getSource(unsigned symbol) const;
  SmallVector<AffineExpr> sortSymbols();
  void finishArguments();

  // Loops.
  void buildItems(Loop &loop);
  void buildLoop(Loop &loop);
  void buildBuffers(Loop &loop, const LoopItem &item);
  void buildTile(const ScheduledOp &scheduled);
  void buildBody(loop::TileOp tile, Operation *op);
  AccessExprs getRead(const ScheduledOp &scheduled, OpOperand &operand,
                      ArrayRef<AffineExpr> ids) const;
  AccessExprs getWrite(const ScheduledOp &scheduled, IdIndices ids) const;

  CheckedKernel &checked;
  KernelOp kernel;
  const ExtentAnalysis &extents;
  OpIndices indices;
  OpBuilder builder;
  MLIRContext *context;
  loop::KernelOp result;

  struct Binding {
    Attribute source;
    /// Over all symbols.
    SmallVector<AffineExpr> strides;
    int64_t alignment = 0;
    bool isReadonly = false, isNoalias = false;
  };
  SmallVector<Binding> bindings;
  /// Symbols beyond those of the analysis.
  SmallVector<Attribute> strides;
  llvm::DenseMap<Attribute, Value> argumentOf;
  SmallVector<Value> dims;
  llvm::DenseMap<const Loop *, AffineExpr> loopIndex;
  /// Scalars, and tensors that are arguments, outputs or in buffers.
  IRMapping values;
  /// The dimensions of each op's buffer.
  llvm::DenseMap<Operation *, SmallVector<unsigned>> bufferIds;
};
} // namespace

LoopBuilder::LoopBuilder(CheckedKernel &checked, OpBuilder &builder)
    : checked(checked), kernel(checked.kernel), extents(checked.extents),
      indices(
          checked.extents, *checked.equalIds,
          [this](const Loop &loop) { return loopIndex.lookup(&loop); },
          [this](Value scalar) { return getScalarIndex(scalar); }),
      builder(builder), context(builder.getContext()) {}

loop::KernelOp LoopBuilder::build() {
  auto none = ArrayAttr::get(context, {});
  result = loop::KernelOp::create(
      builder, kernel.getLoc(), kernel.getSymNameAttr(), none,
      loop::StageAttr::get(context, loop::Stage::Loops),
      builder.getI64IntegerAttr(fitsIn32Bits(kernel, extents) ? 32 : 64),
      loop::ConstraintsAttr::getEmpty(context, 0, 0), /*threads=*/DenseI64ArrayAttr(),
      /*grid=*/AffineMapAttr(), kernel.getFactsAttr());
  builder.setInsertionPointToEnd(&result.getBody().emplaceBlock());
  addOperands();
  addScalars();
  buildItems(checked.nest->getRoot());
  finishArguments();
  return result;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Value LoopBuilder::addArgument(Type type, Attribute source) {
  bindings.push_back({source, {}});
  return result.getBody().addArgument(type, kernel.getLoc());
}

/// The arguments and outputs of the kernel, in order.
void LoopBuilder::addOperands() {
  const llvm::SmallDenseSet<int64_t> written = getWrittenInputs(kernel);
  for (BlockArgument argument : kernel.getArguments()) {
    const unsigned number = argument.getArgNumber();
    if (isa<RankedTensorType>(argument.getType())) {
      addBuffer(argument, kernel.getArgLayout(number), !written.contains(number), written.empty());
      continue;
    }
    Attribute source = kernel_ir::ScalarAttr::get(context, number);
    Value scalar = addArgument(argument.getType(), source);
    values.map(argument, scalar);
    if (scalar.getType().isIndex())
      argumentOf[source] = scalar;
  }
  auto returnOp = cast<ReturnOp>(kernel.getBody().front().getTerminator());
  for (auto [output, value] : llvm::enumerate(returnOp.getValues()))
    addBuffer(value, getOutputLayout(kernel, output), /*isReadonly=*/false, written.empty());
}

void LoopBuilder::addBuffer(Value tensor, LayoutAttr layout, bool isReadonly, bool isNoalias) {
  const unsigned operand = bindings.size();
  auto type = cast<RankedTensorType>(tensor.getType());
  Value buffer = addArgument(
      loop::BufferType::get(context, type.getShape(), type.getElementType(), MemoryType::Global),
      kernel_ir::PointerAttr::get(context, operand));
  values.map(tensor, buffer);
  Binding &binding = bindings.back();
  binding.alignment = extents.getPointerAlignment(operand);
  binding.isReadonly = isReadonly;
  binding.isNoalias = isNoalias;
  // An index of a dimension of size 1 does not matter.
  binding.strides.assign(type.getRank(), getAffineConstantExpr(0, context));
  AffineExpr dense = getAffineConstantExpr(1, context);
  ArrayRef<int64_t> order = layout.getOrder();
  for (int64_t position = order.size() - 1; position >= 0; --position) {
    const int64_t dim = order[position];
    if (type.getDimSize(dim) == 1)
      continue;
    binding.strides[dim] = layout.isContiguousAt(position) ? dense : getStride(operand, dim);
    dense = dense * indices.getExtent(extents.getExtent(tensor, dim));
  }
}

AffineExpr LoopBuilder::getStride(unsigned operand, unsigned dim) {
  strides.push_back(kernel_ir::StrideAttr::get(context, operand, dim));
  return getAffineSymbolExpr(extents.getSymbols().size() + strides.size() - 1, context);
}

/// Arithmetic on scalars is copied; a size is the argument that has it.
void LoopBuilder::addScalars() {
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isa<TensorViewOpInterface>(op))
      continue;
    if (llvm::any_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>))
      values.map(op.getResult(0), getValue(extents.getScalar(op.getResult(0))));
    else
      builder.clone(op, values);
  }
}

/// The symbol or dimension of an index that an op of the kernel takes.
AffineExpr LoopBuilder::getScalarIndex(Value scalar) {
  if (auto argument = dyn_cast<BlockArgument>(scalar))
    for (auto [number, symbol] : llvm::enumerate(extents.getSymbols()))
      if (symbol.dim < 0 && symbol.arg == argument.getArgNumber())
        return getAffineSymbolExpr(number, context);
  Value value = values.lookup(scalar);
  auto *it = llvm::find(dims, value);
  if (it == dims.end()) {
    dims.push_back(value);
    return getAffineDimExpr(dims.size() - 1, context);
  }
  return getAffineDimExpr(it - dims.begin(), context);
}

Attribute LoopBuilder::getSource(unsigned symbol) const {
  const unsigned numSizes = extents.getSymbols().size();
  return symbol < numSizes ? getSymbolAttr(extents, symbol, context) : strides[symbol - numSizes];
}

Value LoopBuilder::getSymbolValue(unsigned symbol) {
  Attribute source = getSource(symbol);
  Value &argument = argumentOf[source];
  if (!argument)
    argument = addArgument(builder.getIndexType(), source);
  return argument;
}

Value LoopBuilder::getValue(AffineExpr leaf) {
  if (auto dim = dyn_cast<AffineDimExpr>(leaf))
    return dims[dim.getPosition()];
  return getSymbolValue(cast<AffineSymbolExpr>(leaf).getPosition());
}

/// Moves the index arguments to the end, in the order of the analysis: the order of symbols is that
/// of sums and products. Returns the new symbol of each symbol that is one, else null.
SmallVector<AffineExpr> LoopBuilder::sortSymbols() {
  Block &block = result.getBlock();
  SmallVector<AffineExpr> renamed(extents.getSymbols().size() + strides.size());
  unsigned numSymbols = 0;
  for (auto [symbol, name] : llvm::enumerate(renamed)) {
    Value &argument = argumentOf[getSource(symbol)];
    if (!argument)
      continue;
    name = getAffineSymbolExpr(numSymbols++, context);
    const unsigned number = cast<BlockArgument>(argument).getArgNumber();
    bindings.push_back({getSource(symbol), {}});
    bindings.erase(bindings.begin() + number);
    Value moved = block.addArgument(argument.getType(), kernel.getLoc());
    argument.replaceAllUsesWith(moved);
    block.eraseArgument(number);
    argument = moved;
  }
  return renamed;
}

/// Bindings and assumptions, now that all symbols are known.
void LoopBuilder::finishArguments() {
  for (unsigned number = 0; number < bindings.size(); ++number)
    for (AffineExpr stride : SmallVector<AffineExpr>(bindings[number].strides))
      stride.walk([&](AffineExpr part) {
        if (isa<AffineSymbolExpr>(part))
          getValue(part);
      });
  const SmallVector<AffineExpr> renamed = sortSymbols();
  SmallVector<Value> symbols = result.getSymbols();
  auto isKnown = [&](AffineExpr expr) {
    return !expr.walk([&](AffineExpr part) {
                  auto symbol = dyn_cast<AffineSymbolExpr>(part);
                  return symbol && !renamed[symbol.getPosition()] ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
                })
                .wasInterrupted();
  };
  // Symbols that are not renamed do not occur.
  SmallVector<AffineExpr> complete(renamed);
  llvm::replace(complete, AffineExpr(), getAffineConstantExpr(0, context));
  auto getMap = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(0, symbols.size(), exprs, context)
        .replaceDimsAndSymbols({}, complete, 0, symbols.size());
  };
  SmallVector<Attribute> attributes;
  for (const Binding &binding : bindings)
    attributes.push_back(loop::BindingAttr::get(context, binding.source, getMap(binding.strides),
                                                binding.alignment, binding.isReadonly,
                                                binding.isNoalias));
  result.setBindingsAttr(builder.getArrayAttr(attributes));
  SymbolFacts facts = extents.getFacts();
  for (auto [number, stride] : llvm::enumerate(strides)) {
    auto attribute = cast<kernel_ir::StrideAttr>(stride);
    facts.addDivisor(getAffineSymbolExpr(extents.getSymbols().size() + number, context),
                     extents.getStrideDivisor(attribute.getOperand(), attribute.getDim()));
  }
  SmallVector<loop::ConstraintKind> kinds;
  SmallVector<AffineExpr> bounds;
  for (const Constraint &constraint : getAssumptions(facts, context)) {
    if (!isKnown(constraint.lhs) || !isKnown(constraint.rhs))
      continue;
    kinds.push_back(constraint.kind);
    bounds.append({constraint.lhs, constraint.rhs});
  }
  result.setAssumptionsAttr(loop::ConstraintsAttr::get(context, kinds, getMap(bounds)));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void LoopBuilder::buildItems(Loop &loop) {
  for (const LoopItem &item : loop.items) {
    buildBuffers(loop, item);
    if (item.loop)
      buildLoop(*item.loop);
    else
      buildTile(*checked.nest->lookup(item.op));
  }
}

void LoopBuilder::buildLoop(Loop &loop) {
  // The grid has the extent as it is written, other loops what facts make of it.
  AffineExpr extent =
      isBlockType(loop.type) ? extents.canonicalize(loop.extent) : indices.getExtent(loop.extent);
  std::optional<int64_t> bound;
  if (loop.type == ParallelType::Unroll || isThreadType(loop.type))
    if (!isa<AffineConstantExpr>(extent))
      bound = loop.getStaticBound();
  auto forOp = createFor(builder, kernel.getLoc(), extent, loop.type, bound,
                         [&](AffineExpr leaf) { return getValue(leaf); });
  loopIndex[&loop] = getAffineDimExpr(dims.size(), context);
  dims.push_back(forOp.getInductionVar());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&forOp.getBlock());
  buildItems(loop);
}

/// The loop in which the value is new in each iteration: the innermost that it shares with all of
/// its readers. The ops in a vectorized loop process all lanes at once.
static const Loop *getScope(const ScheduledOp &scheduled, const Loop &root) {
  const Loop *scope = &root;
  for (const Loop *loop : ArrayRef(scheduled.loops).take_front(scheduled.inlinePosition))
    if (loop->type != ParallelType::Vectorize)
      scope = loop;
  return scope;
}

/// The buffers of this scope that ops of the item write.
void LoopBuilder::buildBuffers(Loop &loop, const LoopItem &item) {
  if (item.loop) {
    for (const LoopItem &inner : item.loop->items)
      buildBuffers(loop, inner);
    return;
  }
  const ScheduledOp &scheduled = *checked.nest->lookup(item.op);
  if (scheduled.memory != MemoryType::Register ||
      getScope(scheduled, checked.nest->getRoot()) != &loop)
    return;
  SmallVector<unsigned> ids = getBufferIds(scheduled);
  SmallVector<int64_t> shape;
  for (unsigned id : ids)
    shape.push_back(*extents.getUpperBound(scheduled.getExtent(id)));
  for (Value value : scheduled.op->getResults()) {
    Type element = cast<RankedTensorType>(value.getType()).getElementType();
    values.map(value, loop::BufferOp::create(
                          builder, scheduled.op->getLoc(),
                          loop::BufferType::get(context, shape, element, MemoryType::Register)));
  }
  bufferIds[scheduled.op] = std::move(ids);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

AccessExprs LoopBuilder::getRead(const ScheduledOp &scheduled, OpOperand &operand,
                                 ArrayRef<AffineExpr> ids) const {
  auto element = cast<ElementwiseOpInterface>(scheduled.op);
  const unsigned number = operand.getOperandNumber();
  AccessExprs access;
  SmallVector<AffineExpr> at = indices.indexOperand(
      scheduled, number, ids, element.mayReadOutside(number) ? &access.guard : nullptr);
  const ScheduledOp *producer = checked.nest->lookup(operand.get().getDefiningOp());
  if (!producer) {
    access.results.assign(at.begin(), at.end());
    return access;
  }
  IdIndices producerIds = indices.getProducerIds(*producer, scheduled, number, ids, at);
  for (unsigned id : bufferIds.find(producer->op)->second)
    access.results.push_back(producerIds[id]);
  return access;
}

AccessExprs LoopBuilder::getWrite(const ScheduledOp &scheduled, IdIndices ids) const {
  indices.applyForward(scheduled, ids);
  AccessExprs access;
  if (scheduled.memory == MemoryType::Register) {
    for (unsigned id : bufferIds.find(scheduled.op)->second)
      access.results.push_back(ids[id]);
    return access;
  }
  for (unsigned id : scheduled.domain.getResultIds())
    access.results.push_back(ids[id]);
  return access;
}

/// The block and thread types of loops with one iteration that all of them execute.
static SmallVector<ParallelType> getReplicatedTypes(const ScheduledOp &scheduled) {
  SmallVector<ParallelType> types;
  for (auto [id, type] : llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel()))
    if (scheduled.replicated.test(id) && (isThreadType(type) || isBlockType(type)))
      types.push_back(type);
  return types;
}

void LoopBuilder::buildTile(const ScheduledOp &scheduled) {
  Operation *op = scheduled.op;
  const IdIndices ids = indices.getIds(scheduled);
  TileExprs exprs;
  SmallVector<Value> inputs;
  for (OpOperand &operand : op->getOpOperands()) {
    inputs.push_back(values.lookup(operand.get()));
    exprs.reads.emplace_back();
    if (isa<RankedTensorType>(operand.get().getType()))
      exprs.reads.back() = getRead(scheduled, operand, ids);
  }
  exprs.writes.push_back(getWrite(scheduled, ids));
  if (cast<ElementwiseOpInterface>(op).dependsOnIndex())
    for (unsigned root = 0, e = scheduled.domain.getRootOrLogical().size(); root < e; ++root)
      exprs.roots.push_back(indices.getRoot(scheduled, root, ids));
  exprs.guard = indices.getExistence(scheduled, ids);
  auto tile =
      createTile(builder, op->getLoc(), inputs, values.lookup(op->getResult(0)), exprs,
                 getReplicatedTypes(scheduled), [&](AffineExpr leaf) { return getValue(leaf); });
  buildBody(tile, op);
}

/// The op without its schedule and hints. An op that folds to an operand then moves its element.
void LoopBuilder::buildBody(loop::TileOp tile, Operation *op) {
  OpBuilder::InsertionGuard guard(builder);
  Block &block = tile.getBody().emplaceBlock();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(block.addArgument(operand.getType(), op->getLoc()));
  builder.setInsertionPointToEnd(&block);
  Operation *element = builder.clone(*op);
  element->setOperands(operands);
  for (StringRef name : {"domains", "memory", "inline_at"})
    element->removeAttr(name);
  element->setDiscardableAttrs(DictionaryAttr::get(context));
  SmallVector<OpFoldResult> folded;
  SmallVector<Value> results(element->getResults());
  if (operands.size() == 1 && succeeded(element->fold(folded)) && folded.size() == 1 &&
      llvm::dyn_cast_if_present<Value>(folded[0]) == operands[0]) {
    element->erase();
    results = operands;
  }
  loop::YieldOp::create(builder, op->getLoc(), results);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

FailureOr<loop::KernelOp> fuser::buildLoops(CheckedKernel &checked, OpBuilder &builder,
                                            const LoweringOptions &options) {
  if (failed(verifySchedule(checked, options)))
    return failure();
  return LoopBuilder(checked, builder).build();
}

namespace {
struct BuildLoops : fuser::impl::FuserBuildLoopsBase<BuildLoops> {
  using FuserBuildLoopsBase::FuserBuildLoopsBase;

  void runOnOperation() override {
    LoweringOptions options;
    options.maxSharedBytes = maxSharedBytes;
    for (KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      FailureOr<std::unique_ptr<CheckedKernel>> checked = checkKernel(kernel);
      if (failed(checked))
        return signalPassFailure();
      if (!isStaged(**checked))
        continue;
      OpBuilder builder(kernel);
      if (failed(buildLoops(**checked, builder, options)))
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace
