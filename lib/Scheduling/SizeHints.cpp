//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reading size hints.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/SizeHints.h"
#include "fuser/Scheduling/ScheduleDialect.h"

using namespace mlir;
using namespace fuser;

/// Checks a size against the type and records it.
static LogicalResult addSize(FunctionOpInterface program, SizeHints &hints, unsigned argument,
                             unsigned dim, int64_t size) {
  auto type = cast<RankedTensorType>(program.getArgument(argument).getType());
  if (!type.isDynamicDim(dim) && type.getDimSize(dim) != size)
    return program->emitOpError("expected size ")
           << type.getDimSize(dim) << " for dimension " << dim << " of argument " << argument
           << ", but got " << size;
  hints.setSize(argument, dim, size);
  return success();
}

/// Records the value of an integer; "" and "?" are none.
static LogicalResult addScalar(FunctionOpInterface program, SizeHints &hints, unsigned argument,
                               StringRef word) {
  int64_t value;
  if (word.empty() || word == "?")
    return success();
  if (word.getAsInteger(10, value))
    return program->emitOpError("expected an integer or '?' for argument ")
           << argument << ", but got '" << word << "'";
  hints.setScalar(argument, value);
  return success();
}

FailureOr<SizeHints> SizeHints::parse(FunctionOpInterface program, StringRef text) {
  SizeHints hints;
  if (text.empty())
    return hints;
  hints.given = true;
  SmallVector<StringRef> arguments;
  text.split(arguments, ';');
  if (arguments.size() != program.getNumArguments())
    return program->emitOpError("expected sizes of ")
           << program.getNumArguments() << " arguments, but got " << arguments.size();
  for (auto [argument, list] : llvm::enumerate(arguments)) {
    if (program.getArgument(argument).getType().isIntOrIndex()) {
      if (failed(addScalar(program, hints, argument, list.trim())))
        return failure();
      continue;
    }
    auto type = dyn_cast<RankedTensorType>(program.getArgument(argument).getType());
    SmallVector<StringRef> sizes;
    list.split(sizes, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    unsigned rank = type ? type.getRank() : 0;
    if (sizes.size() != rank)
      return program->emitOpError("expected ")
             << rank << " sizes for argument " << argument << ", but got '" << list << "'";
    for (auto [dim, word] : llvm::enumerate(sizes)) {
      int64_t size;
      if (word.trim() == "?")
        continue;
      if (word.trim().getAsInteger(10, size) || size < 0)
        return program->emitOpError("expected a size of at least 0 or '?', but got '")
               << word << "'";
      if (failed(addSize(program, hints, argument, dim, size)))
        return failure();
    }
  }
  return hints;
}

FailureOr<SizeHints> SizeHints::fromAttribute(KernelOp kernel) {
  SizeHints hints;
  Attribute attribute = kernel->getAttr(FuserSchedDialect::kSizes);
  if (!attribute)
    return hints;
  hints.given = true;
  auto list = dyn_cast<ArrayAttr>(attribute);
  if (!list || list.size() != kernel.getNumArguments())
    return kernel->emitOpError("expected '")
           << FuserSchedDialect::kSizes << "' to have one element for each of "
           << kernel.getNumArguments() << " arguments";
  for (auto [argument, element] : llvm::enumerate(list)) {
    auto sizes = dyn_cast<DenseI64ArrayAttr>(element);
    const Type of = kernel.getArgument(argument).getType();
    auto type = dyn_cast<RankedTensorType>(of);
    if (!sizes && isa<UnitAttr>(element))
      continue;
    if (sizes && of.isIntOrIndex() && sizes.size() == 1) {
      hints.setScalar(argument, sizes[0]);
      continue;
    }
    if (!sizes || !type || sizes.size() != type.getRank())
      return kernel->emitOpError("expected the sizes of argument ")
             << argument << " in '" << FuserSchedDialect::kSizes << "', but got " << element;
    for (auto [dim, size] : llvm::enumerate(sizes.asArrayRef()))
      if (size >= 0 && failed(addSize(kernel, hints, argument, dim, size)))
        return failure();
  }
  return hints;
}

std::optional<int64_t> SizeHints::getSize(unsigned argument, unsigned dim) const {
  auto it = sizes.find({argument, dim});
  if (it == sizes.end())
    return std::nullopt;
  return it->second;
}

std::optional<int64_t> SizeHints::getScalar(unsigned argument) const {
  auto it = scalars.find(argument);
  if (it == scalars.end())
    return std::nullopt;
  return it->second;
}

std::optional<int64_t> SizeHints::evaluate(AffineExpr expr, const ExtentAnalysis &extents) const {
  std::optional<int64_t> value = compute(expr, extents, /*areScalarsKnown=*/false);
  if (value || scalars.empty())
    return value;
  value = compute(expr, extents, /*areScalarsKnown=*/true);
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<int64_t> SizeHints::compute(AffineExpr expr, const ExtentAnalysis &extents,
                                          bool areScalarsKnown) const {
  if (!expr)
    return std::nullopt;
  if (std::optional<int64_t> constant = extents.getConstant(expr))
    return constant;
  ArrayRef<ExtentAnalysis::Symbol> symbols = extents.getSymbols();
  auto getHint = [&](unsigned number) {
    const ExtentAnalysis::Symbol &symbol = symbols[number];
    if (symbol.dim >= 0)
      return getSize(symbol.arg, symbol.dim);
    return areScalarsKnown ? getScalar(symbol.arg) : std::nullopt;
  };
  // Looked for only if the symbol has no hint itself: there may be many symbols.
  auto getHintOfEqual = [&](AffineExpr symbol) -> std::optional<int64_t> {
    for (unsigned number = 0, e = symbols.size(); number < e; ++number)
      if (extents.getSymbolExpr(number) == symbol)
        if (std::optional<int64_t> size = getHint(number))
          return size;
    return std::nullopt;
  };
  llvm::DenseMap<AffineExpr, AffineExpr> values;
  expr.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    if (!symbol || values.contains(part))
      return;
    std::optional<int64_t> size = getHint(symbol.getPosition());
    if (!size)
      size = getHintOfEqual(part);
    values[part] = size ? getAffineConstantExpr(*size, expr.getContext()) : part;
  });
  AffineExpr value = expr.replace(values);
  if (auto constant = dyn_cast<AffineConstantExpr>(value))
    return constant.getValue();
  value = simplifyAffineExpr(value, 0, symbols.size());
  if (auto constant = dyn_cast<AffineConstantExpr>(value))
    return constant.getValue();
  return std::nullopt;
}
