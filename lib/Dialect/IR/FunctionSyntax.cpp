//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text of fusions, kernels and hosts, and the names of their arguments.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/ArgumentNames.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace fuser;

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
