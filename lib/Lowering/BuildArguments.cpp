//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arguments of a fuser_loop.kernel: what the host packs into each, and what is known of it.
//
//===----------------------------------------------------------------------===//

#include "KernelOperands.h"
#include "LoopBuilder.h"
#include "SymbolAttrs.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Affine/Utils.h"

using namespace mlir;
using namespace fuser;

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

/// The argument that has a size, or the arithmetic on arguments that computes it.
Value LoopBuilder::buildSize(AffineExpr size) {
  if (isa<AffineSymbolExpr>(size))
    return getValue(size);
  SmallVector<Value> symbols(extents.getSymbols().size());
  size.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      symbols[symbol.getPosition()] = getValue(symbol);
  });
  return affine::expandAffineExpr(builder, kernel.getLoc(), size, /*dimValues=*/{}, symbols);
}

/// Arithmetic on scalars is copied.
void LoopBuilder::addScalars() {
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isa<TensorViewOpInterface>(op))
      continue;
    if (llvm::any_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>))
      values.map(op.getResult(0), buildSize(indices.getExtent(extents.getScalar(op.getResult(0)))));
    else
      builder.clone(op, values);
  }
}

/// What only the sizes of tensors were computed from.
void LoopBuilder::eraseUnusedScalars() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(result.getBlock())))
    if (op.use_empty() && isPure(&op))
      op.erase();
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

/// What is known to divide a stride. An output that aliases an argument has its strides.
int64_t LoopBuilder::getStrideDivisor(unsigned operand, unsigned dim) const {
  KernelOp scheduled = kernel;
  const unsigned numArguments = scheduled.getArguments().size();
  if (operand < numArguments)
    return extents.getStrideDivisor(operand, dim);
  std::optional<unsigned> alias = LayoutInfo(scheduled).getAlias(operand - numArguments);
  return alias ? extents.getStrideDivisor(*alias, dim) : 1;
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
                     getStrideDivisor(attribute.getOperand(), attribute.getDim()));
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
