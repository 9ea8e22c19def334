//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fusion, kernel, host, return, set, segment_set, stride_order, library.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ArgumentNames.h"
#include "fuser/Dialect/IR/CallBuffers.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/StructureOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Inherent attributes of functions
//===----------------------------------------------------------------------===//

LayoutAttr fuser::detail::getArgLayout(Operation *function, unsigned arg) {
  if (auto layouts = function->getAttrOfType<ArrayAttr>("arg_layouts"))
    if (auto layout = dyn_cast<LayoutAttr>(layouts[arg]))
      return layout;
  auto type =
      dyn_cast<RankedTensorType>(cast<FunctionOpInterface>(function).getArgument(arg).getType());
  return LayoutAttr::getRowMajor(function->getContext(), type ? type.getRank() : 0);
}

/// Replaces element `index` of an array attribute of `size` elements; the attribute is removed once
/// all elements are unit.
static void setElement(Operation *op, StringRef name, unsigned size, unsigned index,
                       Attribute value) {
  Attribute unit = UnitAttr::get(op->getContext());
  SmallVector<Attribute> elements(size, unit);
  if (auto old = op->getAttrOfType<ArrayAttr>(name))
    elements.assign(old.begin(), old.end());
  elements[index] = value ? value : unit;
  if (llvm::all_of(elements, [&](Attribute element) { return element == unit; }))
    op->removeAttr(name);
  else
    op->setAttr(name, ArrayAttr::get(op->getContext(), elements));
}

void fuser::detail::setArgLayout(Operation *function, unsigned arg, LayoutAttr layout) {
  setElement(function, "arg_layouts", cast<FunctionOpInterface>(function).getNumArguments(), arg,
             layout && layout.isRowMajorContiguous() ? Attribute() : Attribute(layout));
}

std::optional<ArrayRef<int64_t>> fuser::detail::getOutputStrideOrder(Operation *function,
                                                                     unsigned output) {
  if (auto orders = function->getAttrOfType<ArrayAttr>("output_orders"))
    if (auto order = dyn_cast<DenseI64ArrayAttr>(orders[output]))
      return order.asArrayRef();
  return std::nullopt;
}

void fuser::detail::setOutputStrideOrder(Operation *function, unsigned output,
                                         std::optional<ArrayRef<int64_t>> order) {
  Attribute value = order ? DenseI64ArrayAttr::get(function->getContext(), *order) : Attribute();
  setElement(function, "output_orders", cast<FunctionOpInterface>(function).getNumResults(), output,
             value);
}

DomainAttr fuser::detail::getArgDomain(Operation *function, unsigned arg) {
  if (auto domains = function->getAttrOfType<ArrayAttr>("arg_domains"))
    if (auto domain = dyn_cast<DomainAttr>(domains[arg]))
      return domain;
  auto type =
      cast<RankedTensorType>(cast<FunctionOpInterface>(function).getArgument(arg).getType());
  SmallVector<IdKind> kinds = llvm::map_to_vector(type.getShape(), [](int64_t size) {
    return size == 1 ? IdKind::Broadcast : IdKind::Iteration;
  });
  return DomainAttr::get(function->getContext(), kinds);
}

void fuser::detail::setArgDomain(Operation *function, unsigned arg, DomainAttr domain) {
  setElement(function, "arg_domains", cast<FunctionOpInterface>(function).getNumArguments(), arg,
             domain);
}

//===----------------------------------------------------------------------===//
// Verification of functions
//===----------------------------------------------------------------------===//

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
  // An encoding may state a layout, which all code would ignore.
  auto hasEncoding = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  auto verifyPlain = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types))
      if (hasEncoding(type))
        return function->emitOpError("expected ")
               << what << " " << index << " without an encoding, but got " << type;
    return success();
  };
  if (failed(verifyPlain(function.getArgumentTypes(), "argument")) ||
      failed(verifyPlain(function.getResultTypes(), "output")))
    return failure();
  // Passes of other dialects reach into these functions, but do not convert them.
  for (Operation &op : function.getFunctionBody().front())
    if (op.getName().getDialectNamespace() == "llvm")
      return op.emitOpError("expected an op on tensors or sizes in ")
             << function->getName()
             << ": run fuser-to-kernel-ir and fuser-convert-host-to-gpu before passes that lower "
                "to "
                "the llvm dialect";
  for (Operation &op : function.getFunctionBody().front())
    if (auto it = llvm::find_if(op.getResultTypes(), hasEncoding); it != op.result_type_end())
      return op.emitOpError("expected tensors without an encoding, but got ") << *it;
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
      failed(verifySizes(function)) || failed(verifyArgLayouts(function)) ||
      failed(verifyOutputOrders(function)) || failed(verifyAliases(function)) ||
      failed(verifyFacts(function)) || failed(verifyArgDomains(function)))
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

//===----------------------------------------------------------------------===//
// Syntax of functions
//===----------------------------------------------------------------------===//

Location fuser::nameArgument(Location loc, StringRef name, unsigned argument) {
  unsigned number = 0;
  if (!name.getAsInteger(10, number) || name == ("arg" + Twine(argument)).str())
    return loc;
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

StringRef fuser::getArgumentName(BlockArgument argument) {
  auto name = dyn_cast<NameLoc>(argument.getLoc());
  return name ? name.getName().getValue() : StringRef();
}

/// `visibility? @name(arguments) (-> results)? (attributes {...})? body`
template <typename OpT>
static ParseResult parseFunction(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  (void)mlir::impl::parseOptionalVisibilityKeyword(parser, result.attributes);
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results;
  SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, results, resultAttrs))
    return failure();
  auto types = llvm::map_to_vector(arguments, [](const auto &argument) { return argument.type; });
  Builder &builder = parser.getBuilder();
  result.addAttribute(OpT::getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(types, results)));
  SMLoc attributesLoc = parser.getCurrentLocation();
  NamedAttrList attributes;
  if (parser.parseOptionalAttrDictWithKeyword(attributes))
    return failure();
  for (StringRef inferred : {SymbolTable::getVisibilityAttrName(), SymbolTable::getSymbolAttrName(),
                             OpT::getFunctionTypeAttrName(result.name).getValue()})
    if (attributes.get(inferred))
      return parser.emitError(attributesLoc)
             << "expected '" << inferred << "' to be written before the attributes only";
  result.attributes.append(attributes);
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, resultAttrs,
                                            OpT::getArgAttrsAttrName(result.name),
                                            OpT::getResAttrsAttrName(result.name));
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (!argument.sourceLoc)
      argument.sourceLoc = nameArgument(parser.getEncodedSourceLoc(argument.ssaName.location),
                                        argument.ssaName.name.drop_front(), index);
  Region *body = result.addRegion();
  OptionalParseResult parsed =
      parser.parseOptionalRegion(*body, arguments, /*enableNameShadowing=*/false);
  if ((parsed.has_value() && failed(*parsed)) ||
      fuser::detail::verifyParsedAttributes(parser, loc, result))
    return failure();
  if (body->empty())
    return parser.emitError(loc) << "expected a body";
  return success();
}

static void nameBlockArguments(Region &region, OpAsmSetValueNameFn setName) {
  // The printer would number those without a name on their own.
  for (BlockArgument argument : region.getArguments()) {
    StringRef name = getArgumentName(argument);
    setName(argument, name.empty() ? "arg" + std::to_string(argument.getArgNumber()) : name.str());
  }
}

void FusionOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameBlockArguments(region, setName);
}
void KernelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameBlockArguments(region, setName);
}
void HostOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameBlockArguments(region, setName);
}

template <typename OpT> static void printFunction(OpT op, OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, op, /*isVariadic=*/false,
                                           op.getFunctionTypeAttrName(), op.getArgAttrsAttrName(),
                                           op.getResAttrsAttrName());
}

template <typename OpT>
static void buildFunction(OpBuilder &builder, OperationState &state, StringRef name,
                          FunctionType type) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  state.addAttribute(OpT::getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  Block &body = state.addRegion()->emplaceBlock();
  for (Type input : type.getInputs())
    body.addArgument(input, state.location);
}

ParseResult FusionOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<FusionOp>(parser, result);
}
ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<KernelOp>(parser, result);
}
ParseResult HostOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<HostOp>(parser, result);
}
void FusionOp::print(OpAsmPrinter &printer) { printFunction(*this, printer); }
void KernelOp::print(OpAsmPrinter &printer) { printFunction(*this, printer); }
void HostOp::print(OpAsmPrinter &printer) { printFunction(*this, printer); }
void FusionOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  buildFunction<FusionOp>(builder, state, name, type);
}
void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  buildFunction<KernelOp>(builder, state, name, type);
}
void HostOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  buildFunction<HostOp>(builder, state, name, type);
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FunctionOpInterface>((*this)->getParentOp());
  if (getValues().size() != function.getNumResults())
    return emitOpError("expected ")
           << function.getNumResults() << " outputs, but got " << getValues().size();
  for (auto [index, value, type] : llvm::enumerate(getValues(), function.getResultTypes()))
    if (value.getType() != type)
      return emitOpError("expected output ")
             << index << " of type " << type << ", but got " << value.getType();
  return success();
}

/// The host function that a fusion became has its types. The layout of its buffers follows from its
/// body, so that a call on buffers states their shapes.
static LogicalResult verifyCallOfHost(CallOp call, HostOp host) {
  auto check = [&](StringRef what, TypeRange have, TypeRange want) -> LogicalResult {
    if (have.size() != want.size())
      return call.emitOpError("expected ") << want.size() << " " << what << "s for @"
                                           << host.getSymName() << ", but got " << have.size();
    for (auto [index, a, b] : llvm::enumerate(have, want)) {
      auto buffer = dyn_cast<MemRefType>(a);
      auto tensor = dyn_cast<RankedTensorType>(b);
      bool same = buffer && tensor && buffer.getShape() == tensor.getShape() &&
                  buffer.getElementType() == tensor.getElementType();
      if (a != b && !same)
        return call.emitOpError("expected ")
               << what << " " << index << " of type " << b << ", but got " << a;
    }
    return success();
  };
  if (failed(check("operand", call.getOperandTypes(), host.getArgumentTypes())))
    return failure();
  return check("result", call.getResultTypes(), host.getResultTypes());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // ST9
  Operation *callee = symbols.lookupNearestSymbolFrom(*this, getCalleeAttr());
  if (auto host = dyn_cast_or_null<HostOp>(callee))
    return verifyCallOfHost(*this, host);
  auto fusion = dyn_cast_or_null<FusionOp>(callee);
  if (!fusion)
    return emitOpError("expected a fusion named ") << getCalleeAttr() << ", but there is none";
  // On buffers, with the types that facts and requirements determine.
  auto check = [&](StringRef what, TypeRange have, TypeRange want,
                   MemRefType (*getBufferType)(FusionOp, unsigned)) -> LogicalResult {
    if (have.size() != want.size())
      return emitOpError("expected ") << want.size() << " " << what << "s for " << getCalleeAttr()
                                      << ", but got " << have.size();
    for (auto [index, a, b] : llvm::enumerate(have, want))
      if (a != b) {
        MemRefType buffer = isa<MemRefType>(a) && isa<RankedTensorType>(b)
                                ? getBufferType(fusion, index)
                                : MemRefType();
        if (buffer && a == buffer)
          continue;
        auto error = emitOpError("expected ") << what << " " << index << " of type " << b;
        if (buffer)
          error << " or " << buffer;
        return error << ", but got " << a;
      }
    return success();
  };
  if (failed(check("operand", getOperandTypes(), fusion.getArgumentTypes(), getArgumentBufferType)))
    return failure();
  return check("result", getResultTypes(), fusion.getResultTypes(), getOutputBufferType);
}

//===----------------------------------------------------------------------===//
// set, segment_set, stride_order
//===----------------------------------------------------------------------===//

SmallVector<IdKind> SetOp::getRootKinds() { return detail::getKindsOfResult(*this); }
SmallVector<DimMap> SetOp::getDimMaps(unsigned operandNumber) {
  return detail::getIdentityDimMaps(*this, operandNumber);
}
Value SetOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return operands[0];
}

SmallVector<IdKind> SegmentSetOp::getRootKinds() { return detail::getKindsOfResult(*this); }
SmallVector<DimMap> SegmentSetOp::getDimMaps(unsigned operandNumber) {
  return detail::getIdentityDimMaps(*this, operandNumber);
}
Value SegmentSetOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return operands[0];
}

SmallVector<IdKind> StrideOrderOp::getRootKinds() { return detail::getKindsOfResult(*this); }
SmallVector<DimMap> StrideOrderOp::getDimMaps(unsigned operandNumber) {
  return detail::getIdentityDimMaps(*this, operandNumber);
}
Value StrideOrderOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return operands[0];
}

LogicalResult StrideOrderOp::verify() {
  // ST10
  if (!isStrideOrder(getOrder(), getType().getRank()))
    return emitOpError("expected 'order' to be a permutation of ")
           << getType().getRank() << " dimensions, but got [" << getOrder() << "]";
  return fuser::detail::verifyTensorViewOp(*this);
}

//===----------------------------------------------------------------------===//
// library
//===----------------------------------------------------------------------===//

SmallVector<IdKind> LibraryOp::getRootKinds() { return detail::getKindsOfResult(*this); }

/// The access pattern of the routine is unknown.
SmallVector<DimMap> LibraryOp::getDimMaps(unsigned operandNumber) {
  auto type = dyn_cast<RankedTensorType>(getOperand(operandNumber).getType());
  return SmallVector<DimMap>(type ? type.getRank() : 0, DimMap::whole());
}

SmallVector<AffineExpr> LibraryOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>>,
                                                    function_ref<AffineExpr(Value)> symbolOf) {
  auto type = cast<RankedTensorType>(getResult(0).getType());
  return detail::getExtentsFromSizes(type.getShape(), getSizes(), symbolOf, getContext());
}

DictionaryAttr LibraryOp::getRoutineOptions() { return getOptionsAttr(); }

LogicalResult LibraryOp::verify() {
  // ST11
  if (getNumResults() == 0)
    return emitOpError("expected at least one result, but got none");
  auto first = cast<RankedTensorType>(getResult(0).getType());
  for (Value result : getResults())
    if (cast<RankedTensorType>(result.getType()).getShape() != first.getShape())
      return emitOpError("expected results of the shape of ")
             << first << ", but got " << result.getType();
  if (failed(detail::verifyDynamicSizes(*this, getSizes(), first.getShape(), "sizes")))
    return failure();
  return detail::verifyTensorViewOp(*this);
}

LogicalResult SetOp::verify() { return fuser::detail::verifyTensorViewOp(*this); }
LogicalResult SegmentSetOp::verify() { return fuser::detail::verifyTensorViewOp(*this); }

void SegmentSetOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // The effect is unconditional: two boundaries at one value must not be merged, and an unused one
  // still requests a boundary.
  effects.emplace_back(MemoryEffects::Write::get(), ScheduleResource::get());
}
