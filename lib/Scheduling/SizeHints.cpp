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

FailureOr<SizeHints> SizeHints::parse(FunctionOpInterface program, StringRef text) {
  SizeHints hints;
  if (text.empty())
    return hints;
  SmallVector<StringRef> arguments;
  text.split(arguments, ';');
  if (arguments.size() != program.getNumArguments())
    return program->emitOpError("expected sizes of ")
           << program.getNumArguments() << " arguments, but got " << arguments.size();
  for (auto [argument, list] : llvm::enumerate(arguments)) {
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
  auto list = dyn_cast<ArrayAttr>(attribute);
  if (!list || list.size() != kernel.getNumArguments())
    return kernel->emitOpError("expected '")
           << FuserSchedDialect::kSizes << "' to have one element for each of "
           << kernel.getNumArguments() << " arguments";
  for (auto [argument, element] : llvm::enumerate(list)) {
    auto sizes = dyn_cast<DenseI64ArrayAttr>(element);
    auto type = dyn_cast<RankedTensorType>(kernel.getArgument(argument).getType());
    if (!sizes && isa<UnitAttr>(element))
      continue;
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

std::optional<int64_t> SizeHints::evaluate(AffineExpr expr, const ExtentAnalysis &extents) const {
  if (!expr)
    return std::nullopt;
  if (std::optional<int64_t> constant = extents.getConstant(expr))
    return constant;
  MLIRContext *context = expr.getContext();
  SmallVector<AffineExpr> values;
  for (auto [number, symbol] : llvm::enumerate(extents.getSymbols())) {
    std::optional<int64_t> size;
    if (symbol.dim >= 0)
      size = getSize(symbol.arg, symbol.dim);
    values.push_back(size ? getAffineConstantExpr(*size, context)
                          : getAffineSymbolExpr(number, context));
  }
  // An equal symbol may have a hint although this one has none.
  for (unsigned number = 0, e = values.size(); number < e; ++number)
    if (isa<AffineConstantExpr>(values[number]))
      if (auto symbol = dyn_cast_or_null<AffineSymbolExpr>(extents.getSymbolExpr(number)))
        if (!isa<AffineConstantExpr>(values[symbol.getPosition()]))
          values[symbol.getPosition()] = values[number];
  AffineExpr value = simplifyAffineExpr(expr.replaceSymbols(values), 0, values.size());
  if (auto constant = dyn_cast<AffineConstantExpr>(value))
    return constant.getValue();
  return std::nullopt;
}
