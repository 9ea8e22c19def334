//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arguments of a fuser_loop.kernel: what the host packs into each, and what is known of it.
//
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"
#include "KernelOperands.h"
#include "OpIndices.h"
#include "SymbolAttrs.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

using namespace mlir;
using namespace fuser;

Value KernelArguments::addArgument(Type type, Attribute source) {
  bindings.push_back({source, {}});
  return result.getBody().addArgument(type, kernel.getLoc());
}

void KernelArguments::addOperands(loop::KernelOp newKernel, IRMapping &values) {
  result = newKernel;
  const llvm::SmallDenseSet<int64_t> written = getWrittenInputs(kernel);
  for (BlockArgument argument : kernel.getArguments()) {
    const unsigned number = argument.getArgNumber();
    if (isa<RankedTensorType>(argument.getType())) {
      values.map(argument, addBuffer(argument, kernel.getArgLayout(number),
                                     !written.contains(number), written.empty()));
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
    values.map(value, addBuffer(value, getOutputLayout(kernel, output), /*isReadonly=*/false,
                                written.empty()));
}

Value KernelArguments::addBuffer(Value tensor, LayoutAttr layout, bool isReadonly, bool isNoalias) {
  const unsigned operand = bindings.size();
  auto type = cast<RankedTensorType>(tensor.getType());
  Value buffer = addArgument(
      loop::BufferType::get(context, type.getShape(), type.getElementType(), MemoryType::Global),
      kernel_ir::PointerAttr::get(context, operand));
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
    dense = dense * getKnownExtent(extents, extents.getExtent(tensor, dim));
  }
  return buffer;
}

AffineExpr KernelArguments::getStride(unsigned operand, unsigned dim) {
  const std::optional<unsigned> argument = getArgument(operand);
  if (std::optional<int64_t> known =
          argument ? extents.getKnownStride(*argument, dim) : std::nullopt)
    return getAffineConstantExpr(*known, context);
  strides.push_back(kernel_ir::StrideAttr::get(context, operand, dim));
  return getAffineSymbolExpr(extents.getSymbols().size() + strides.size() - 1, context);
}

Attribute KernelArguments::getSource(unsigned symbol) const {
  const unsigned numSizes = extents.getSymbols().size();
  return symbol < numSizes ? getSymbolAttr(extents, symbol, context) : strides[symbol - numSizes];
}

Value KernelArguments::getSymbolValue(unsigned symbol) {
  Attribute source = getSource(symbol);
  Value &argument = argumentOf[source];
  if (!argument)
    argument = addArgument(IndexType::get(context), source);
  return argument;
}

/// Moves the index arguments to the end, in the order of the analysis: the order of symbols is that
/// of sums and products. Returns the new symbol of each symbol that is one, else null.
SmallVector<AffineExpr> KernelArguments::sortSymbols() {
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

std::optional<unsigned> KernelArguments::getArgument(unsigned operand) const {
  KernelOp scheduled = kernel;
  const unsigned numArguments = scheduled.getArguments().size();
  return operand < numArguments ? std::optional(operand)
                                : LayoutInfo(scheduled).getAlias(operand - numArguments);
}

int64_t KernelArguments::getStrideDivisor(unsigned operand, unsigned dim) const {
  const std::optional<unsigned> argument = getArgument(operand);
  return argument ? extents.getStrideDivisor(*argument, dim) : 1;
}

void KernelArguments::finish() {
  for (unsigned number = 0; number < bindings.size(); ++number)
    for (AffineExpr stride : SmallVector<AffineExpr>(bindings[number].strides))
      stride.walk([&](AffineExpr part) {
        if (isa<AffineSymbolExpr>(part))
          getSymbolValue(cast<AffineSymbolExpr>(part).getPosition());
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
  result.setBindingsAttr(ArrayAttr::get(context, attributes));
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
