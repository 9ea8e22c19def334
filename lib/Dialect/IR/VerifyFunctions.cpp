//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What holds for fusions, kernels and hosts.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace fuser;

static LogicalResult verifyTypes(FunctionOpInterface function) {
  auto isScalar = [](Type type) {
    return type.isInteger(1) || type.isInteger(64) || type.isF32() || type.isF64() ||
           isa<ComplexType, IndexType>(type);
  };
  // ST1
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (!isa<RankedTensorType>(type) && !isScalar(type))
      return function->emitOpError("expected argument ")
             << index
             << " to be a ranked tensor or a scalar (i1, i64, f32, f64, complex, index), but got "
             << type;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    if (auto complexType = dyn_cast<ComplexType>(getElementTypeOrSelf(type)))
      if (Type part = complexType.getElementType(); !part.isF32() && !part.isF64())
        return function->emitOpError("expected argument ")
               << index << " to have parts of f32 or f64, but got " << type;
  // ST2
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (!isa<RankedTensorType>(type))
      return function->emitOpError("expected output ")
             << index << " to be a ranked tensor, but got " << type;
  return success();
}

/// An encoding may state a layout, which all code would ignore. Passes of other dialects reach into
/// these functions, but do not convert them.
static LogicalResult verifyValues(FunctionOpInterface function) {
  auto hasEncoding = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  auto verifyPlain = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types))
      if (hasEncoding(type))
        return function->emitOpError("expected ")
               << what << " " << index << " without an encoding, but got " << type;
      else if (fuser::detail::hasTooManyElements(type))
        return function->emitOpError("expected ")
               << what << " " << index << " to have fewer than 2^59 elements, but got " << type;
    return success();
  };
  if (failed(verifyPlain(function.getArgumentTypes(), "argument")) ||
      failed(verifyPlain(function.getResultTypes(), "output")))
    return failure();
  for (Operation &op : function.getFunctionBody().front()) {
    if (op.getName().getDialectNamespace() == "llvm")
      return op.emitOpError("expected an op on tensors or sizes in ")
             << function->getName()
             << ": run fuser-to-kernel-ir and fuser-convert-host-to-gpu before passes that "
                "lower to the llvm dialect";
    if (auto it = llvm::find_if(op.getResultTypes(), hasEncoding); it != op.result_type_end())
      return op.emitOpError("expected tensors without an encoding, but got ") << *it;
  }
  return success();
}

static LogicalResult verifyArgLayouts(FunctionOpInterface function) {
  auto layouts = function->getAttrOfType<ArrayAttr>("arg_layouts");
  if (!layouts)
    return success();
  // ST3
  if (layouts.size() != function.getNumArguments())
    return function->emitOpError("expected 'arg_layouts' to have ")
           << function.getNumArguments() << " elements, but got " << layouts.size();
  for (auto [index, attr] : llvm::enumerate(layouts)) {
    auto layout = dyn_cast<LayoutAttr>(attr);
    if (!layout)
      continue;
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
    int64_t rank = type ? type.getRank() : 0;
    if (int64_t(layout.getOrder().size()) != rank)
      return function->emitOpError("expected the layout of argument ")
             << index << " to have rank " << rank << ", but got " << layout.getOrder().size();
  }
  return success();
}

static LogicalResult verifyArgDomains(FunctionOpInterface function) {
  auto domains = function->getAttrOfType<ArrayAttr>("arg_domains");
  if (!domains)
    return success();
  // ST11
  if (domains.size() != function.getNumArguments())
    return function->emitOpError("expected 'arg_domains' to have ")
           << function.getNumArguments() << " elements, but got " << domains.size();
  for (auto [index, attr] : llvm::enumerate(domains)) {
    auto domain = dyn_cast<DomainAttr>(attr);
    if (!domain)
      continue;
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
    if (!type)
      return function->emitOpError("expected a tensor to have a domain, but got argument ")
             << index << " of type " << function.getArgumentTypes()[index];
    if (!domain.getRoot().empty() || int64_t(domain.getLogical().size()) != type.getRank() ||
        domain.getResultIds().size() != domain.getLogical().size())
      return function->emitOpError("expected the domain of argument ")
             << index << " to have one logical id for each of " << type.getRank()
             << " dimensions and no root, but got " << domain;
  }
  return success();
}

static LogicalResult verifyOutputOrders(FunctionOpInterface function) {
  auto orders = function->getAttrOfType<ArrayAttr>("output_orders");
  if (!orders)
    return success();
  // ST4 (S0.1)
  if (orders.size() != function.getNumResults())
    return function->emitOpError("expected 'output_orders' to have ")
           << function.getNumResults() << " elements, but got " << orders.size();
  for (auto [index, attr] : llvm::enumerate(orders)) {
    auto order = dyn_cast<DenseI64ArrayAttr>(attr);
    if (!order)
      continue;
    int64_t rank = cast<RankedTensorType>(function.getResultTypes()[index]).getRank();
    if (!isStrideOrder(order.asArrayRef(), rank))
      return function->emitOpError("expected the required stride order of output ")
             << index << " to be a permutation of its " << rank << " dimensions, but got ["
             << order.asArrayRef() << "]";
  }
  return success();
}

/// Describes the required order of an output, for a note.
static std::string describeRequirement(FunctionOpInterface function, unsigned output) {
  std::optional<ArrayRef<int64_t>> order = fuser::detail::getOutputStrideOrder(function, output);
  if (!order)
    return "no required stride order";
  std::string text;
  llvm::raw_string_ostream(text) << "required stride order [" << llvm::interleaved(*order) << "]";
  return text;
}

static LogicalResult verifyAliases(FunctionOpInterface function) {
  auto aliases = function->getAttrOfType<ArrayAttr>("aliases");
  if (!aliases)
    return success();
  // The output that is stored in an argument.
  llvm::SmallDenseMap<int64_t, int64_t> outputOf;
  for (AliasAttr alias : aliases.getAsRange<AliasAttr>()) {
    // ST5
    if (alias.getOutput() < 0 || alias.getOutput() >= int64_t(function.getNumResults()) ||
        alias.getInput() < 0 || alias.getInput() >= int64_t(function.getNumArguments()))
      return function->emitOpError("expected an alias of one of ")
             << function.getNumResults() << " outputs and " << function.getNumArguments()
             << " arguments, but got " << alias;
    Type output = function.getResultTypes()[alias.getOutput()],
         input = function.getArgumentTypes()[alias.getInput()];
    if (output != input)
      return function->emitOpError("expected aliased output ")
             << alias.getOutput() << " to have the type of argument " << alias.getInput() << " ("
             << input << "), but got " << output;
    auto [it, isFirst] = outputOf.try_emplace(alias.getInput(), alias.getOutput());
    if (!isFirst) {
      InFlightDiagnostic error = function->emitOpError("expected argument ")
                                 << alias.getInput() << " to be aliased once, but got twice";
      for (int64_t number : {it->second, alias.getOutput()})
        error.attachNote(function.getArgument(alias.getInput()).getLoc())
            << "output " << number << " is stored here, with "
            << describeRequirement(function, number);
      return error;
    }
    std::optional<ArrayRef<int64_t>> order =
        fuser::detail::getOutputStrideOrder(function, alias.getOutput());
    ArrayRef<int64_t> fact = fuser::detail::getArgLayout(function, alias.getInput()).getOrder();
    if (order && *order != fact) {
      InFlightDiagnostic error =
          function->emitOpError("expected output ")
          << alias.getOutput() << " to be stored in its required stride order ["
          << llvm::interleaved(*order) << "], but got an alias of argument " << alias.getInput();
      error.attachNote(function.getArgument(alias.getInput()).getLoc())
          << "the argument has the order [" << fact << "]";
      return error;
    }
  }
  return success();
}

/// Bytecode and builders may hold values that the parser refuses.
static LogicalResult verifyFactValue(FunctionOpInterface function, FactAttr fact) {
  // The largest alignment that a call is checked for.
  constexpr int64_t kMaxAlignment = 4096;
  const int64_t value = fact.getValue();
  switch (fact.getKind()) {
  case FactKind::Aligned:
    if (value < 1 || value > kMaxAlignment || !llvm::isPowerOf2_64(value))
      return function->emitOpError("expected an alignment of a power of two of at most ")
             << kMaxAlignment << " bytes, but got " << fact;
    return success();
  case FactKind::Divisible:
  case FactKind::StrideDivisible:
    if (value < 1)
      return function->emitOpError("expected a positive value, but got ") << fact;
    return success();
  case FactKind::Equal:
    return success();
  default:
    if (value < 0)
      return function->emitOpError("expected a value of at least 0, but got ") << fact;
    return success();
  }
}

static LogicalResult verifyFacts(FunctionOpInterface function) {
  auto facts = function->getAttrOfType<ArrayAttr>("facts");
  if (!facts)
    return success();
  auto verifyExtent = [&](FactAttr fact, int64_t arg, int64_t dim) -> LogicalResult {
    auto type = arg >= 0 && arg < int64_t(function.getNumArguments())
                    ? dyn_cast<RankedTensorType>(function.getArgumentTypes()[arg])
                    : RankedTensorType();
    if (fact.isOfBuffer() && arg >= int64_t(function.getNumArguments()) &&
        arg < int64_t(function.getNumArguments() + function.getNumResults()))
      return success(); // Outputs are numbered after the arguments.
    if (!type || (!fact.isOfBuffer() && (dim < 0 || dim >= type.getRank())))
      return function->emitOpError("expected a fact of a dimension of a tensor argument, but got ")
             << fact;
    return success();
  };
  // ST6
  for (FactAttr fact : facts.getAsRange<FactAttr>()) {
    if (failed(verifyExtent(fact, fact.getArg(), fact.getDim())) ||
        failed(verifyFactValue(function, fact)))
      return failure();
    if (fact.getKind() == FactKind::Equal &&
        failed(verifyExtent(fact, fact.getOtherArg(), fact.getOtherDim())))
      return failure();
  }
  return success();
}

/// Bytecode may hold sizes that the parser refuses.
static LogicalResult verifySizes(FunctionOpInterface function) {
  auto verify = [&](TypeRange types, const char *what) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types))
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        for (int64_t size : tensor.getShape())
          if (size < 0 && !ShapedType::isDynamic(size))
            return function->emitOpError("expected sizes of at least 0, but ")
                   << what << " " << index << " has the size " << size;
    return success();
  };
  return success(succeeded(verify(function.getArgumentTypes(), "argument")) &&
                 succeeded(verify(function.getResultTypes(), "output")));
}

static LogicalResult verifyFunction(FunctionOpInterface function) {
  // ST8: an unused function must not be edited or erased.
  if (!function.isPublic())
    return function->emitOpError("expected public visibility, but got '")
           << (function.isPrivate() ? "private" : "nested") << "'";
  if (failed(fuser::detail::verifyAttributeNames(function)) || failed(verifyTypes(function)) ||
      failed(verifyValues(function)) || failed(verifySizes(function)) ||
      failed(verifyArgLayouts(function)) || failed(verifyOutputOrders(function)) ||
      failed(verifyAliases(function)) || failed(verifyFacts(function)) ||
      failed(verifyArgDomains(function)))
    return failure();
  // ST7
  Block &body = function.getFunctionBody().front();
  if (body.empty() || !isa<ReturnOp>(body.back()))
    return function->emitOpError("expected a body that ends with 'fuser.return'");
  return success();
}

LogicalResult FusionOp::verify() { return verifyFunction(*this); }
LogicalResult KernelOp::verify() { return verifyFunction(*this); }
LogicalResult HostOp::verify() { return verifyFunction(*this); }
