//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text of kernels, loops, branches and tiles.
//
//===----------------------------------------------------------------------===//

#include "ExprSyntax.h"

using namespace mlir;
using fuser::ParallelType;
using namespace fuser::loop;

/// A keyword of an enum.
template <typename EnumT>
static ParseResult parseEnum(OpAsmParser &parser, std::optional<EnumT> (*symbolize)(StringRef),
                             StringRef what, EnumT &value) {
  StringRef keyword;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<EnumT> symbol = symbolize(keyword);
  if (!symbol)
    return parser.emitError(loc, "expected ") << what << ", but got " << keyword;
  value = *symbol;
  return success();
}

void fuser::loop::printBody(OpAsmPrinter &printer, Region &body) {
  printer << " ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

ParseResult fuser::loop::parseBody(OpAsmParser &parser, Region &body,
                                   ArrayRef<OpAsmParser::Argument> arguments) {
  if (parser.parseRegion(body, arguments))
    return failure();
  if (!body.empty())
    return success();
  Block &block = body.emplaceBlock();
  for (const OpAsmParser::Argument &argument : arguments)
    block.addArgument(argument.type, parser.getBuilder().getUnknownLoc());
  return success();
}

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

namespace {
/// An argument with its binding, before the index arguments of the kernel are known.
struct ParsedArgument {
  OpAsmParser::Argument argument;
  Attribute source;
  SmallVector<AffineExpr> strides;
  int64_t alignment = 0;
  bool readonly = false, noalias = false;
};
} // namespace

static ParseResult parseArgument(OpAsmParser &parser, ExprParser &exprs, ParsedArgument &parsed) {
  if (parser.parseArgument(parsed.argument, /*allowType=*/true) || parser.parseKeyword("from") ||
      parser.parseAttribute(parsed.source))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("strides"))) {
    auto parseStride = [&] { return exprs.parseExpr(parsed.strides.emplace_back()); };
    if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseStride) ||
        parser.parseKeyword("align") || parser.parseInteger(parsed.alignment))
      return failure();
  }
  parsed.readonly = succeeded(parser.parseOptionalKeyword("readonly"));
  parsed.noalias = succeeded(parser.parseOptionalKeyword("noalias"));
  return success();
}

/// Renames the symbols that `exprs` found to the index arguments of the kernel, in order.
static ParseResult numberSymbols(OpAsmParser &parser, const ExprParser &exprs,
                                 ArrayRef<ParsedArgument> arguments,
                                 SmallVectorImpl<AffineExpr> &renamed, unsigned &numSymbols) {
  if (!exprs.getDims().empty())
    return parser.emitError(exprs.getDims().front().location,
                            "expected index arguments of the kernel as symbols");
  numSymbols = llvm::count_if(
      arguments, [](const ParsedArgument &parsed) { return parsed.argument.type.isIndex(); });
  for (const OpAsmParser::UnresolvedOperand &symbol : exprs.getSymbols()) {
    unsigned number = 0;
    const auto *it = llvm::find_if(arguments, [&](const ParsedArgument &parsed) {
      const bool isFound = parsed.argument.ssaName.name == symbol.name;
      number += !isFound && parsed.argument.type.isIndex();
      return isFound;
    });
    if (it == arguments.end() || !it->argument.type.isIndex())
      return parser.emitError(symbol.location, "expected an index argument of the kernel");
    renamed.push_back(getAffineSymbolExpr(number, parser.getContext()));
  }
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  SmallVector<ParsedArgument> arguments;
  StringAttr name;
  Stage stage = Stage::Loops;
  int64_t indexBits = 0;
  ParsedConstraints assumptions;
  SmallVector<int64_t> threads;
  SmallVector<AffineExpr> grid;
  MLIRContext *context = parser.getContext();
  if (parser.parseSymbolName(name) ||
      parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Paren,
          [&] { return parseArgument(parser, exprs, arguments.emplace_back()); }) ||
      parser.parseKeyword("stage") || parseEnum(parser, symbolizeStage, "a stage", stage) ||
      parser.parseKeyword("index_bits") || parser.parseInteger(indexBits))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("assume")) && exprs.parseConstraints(assumptions))
    return failure();
  const bool isLaunched = succeeded(parser.parseOptionalKeyword("threads"));
  if (isLaunched && (parser.parseCommaSeparatedList(
                         OpAsmParser::Delimiter::Square,
                         [&] { return parser.parseInteger(threads.emplace_back()); }) ||
                     parser.parseKeyword("grid") ||
                     parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
                       return exprs.parseExpr(grid.emplace_back());
                     })))
    return failure();
  int64_t cluster = 0;
  if (isLaunched && succeeded(parser.parseOptionalKeyword("cluster")) &&
      parser.parseInteger(cluster))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SmallVector<AffineExpr> symbols;
  unsigned numSymbols = 0;
  if (numberSymbols(parser, exprs, arguments, symbols, numSymbols))
    return failure();
  auto getMap = [&](ArrayRef<AffineExpr> results) {
    SmallVector<AffineExpr> renamed;
    for (AffineExpr expr : results)
      renamed.push_back(expr.replaceSymbols(symbols));
    return AffineMap::get(0, numSymbols, renamed, context);
  };
  SmallVector<Attribute> bindings;
  SmallVector<OpAsmParser::Argument> blockArguments;
  for (const ParsedArgument &parsed : arguments) {
    bindings.push_back(BindingAttr::get(context, parsed.source, getMap(parsed.strides),
                                        parsed.alignment, parsed.readonly, parsed.noalias));
    blockArguments.push_back(parsed.argument);
  }
  Properties &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  properties.sym_name = name;
  properties.stage = StageAttr::get(context, stage);
  properties.index_bits = builder.getI64IntegerAttr(indexBits);
  properties.bindings = builder.getArrayAttr(bindings);
  properties.assumptions =
      ConstraintsAttr::get(context, assumptions.kinds, getMap(assumptions.bounds));
  if (isLaunched) {
    properties.threads = builder.getDenseI64ArrayAttr(threads);
    properties.grid = AffineMapAttr::get(getMap(grid));
    if (cluster != 0)
      properties.cluster = builder.getI64IntegerAttr(cluster);
  }
  return parseBody(parser, *result.addRegion(), blockArguments);
}

void KernelOp::print(OpAsmPrinter &printer) {
  SmallVector<Value> symbols = getSymbols();
  ExprPrinter exprs(printer, symbols, /*numDims=*/0);
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << "(";
  llvm::interleaveComma(getBlock().getArguments(), printer, [&](BlockArgument argument) {
    BindingAttr binding = getBinding(argument.getArgNumber());
    printer.printRegionArgument(argument);
    printer << " from " << binding.getSource();
    if (isa<BufferType>(argument.getType())) {
      printer << " strides [";
      exprs.printExprs(binding.getStrides().getResults());
      printer << "] align " << binding.getAlignment();
    }
    printer << (binding.getReadonly() ? " readonly" : "")
            << (binding.getNoalias() ? " noalias" : "");
  });
  printer << ")";
  printer.increaseIndent();
  printer.printNewline();
  printer << "stage " << stringifyStage(getStage()) << " index_bits " << getIndexBits();
  if (!getAssumptions().empty()) {
    printer << " assume ";
    exprs.printConstraints(getAssumptions());
  }
  if (getThreads() && getGrid()) {
    printer << " threads [";
    llvm::interleaveComma(*getThreads(), printer);
    printer << "] grid [";
    exprs.printExprs(getGrid()->getResults());
    printer << "]";
    if (getCluster())
      printer << " cluster " << *getCluster();
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"sym_name", "bindings", "stage", "index_bits", "assumptions", "threads", "grid", "cluster"});
  printer.decreaseIndent();
  printBody(printer, getBody());
}

//===----------------------------------------------------------------------===//
// ForOp, IfOp
//===----------------------------------------------------------------------===//

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  OpAsmParser::Argument variable;
  AffineExpr extent;
  ParallelType type = ParallelType::Serial;
  int64_t bound = 0;
  if (parser.parseArgument(variable) || parser.parseKeyword("to") || parser.parseLParen() ||
      exprs.parseExpr(extent) || parser.parseRParen())
    return failure();
  variable.type = parser.getBuilder().getIndexType();
  // Serial loops state no type.
  if (succeeded(parser.parseOptionalKeyword("on")) &&
      parseEnum(parser, fuser::symbolizeParallelType, "a parallel type", type))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  if (succeeded(parser.parseOptionalKeyword("in_turn")))
    properties.in_turn = parser.getBuilder().getUnitAttr();
  if (succeeded(parser.parseOptionalKeyword("bound"))) {
    if (parser.parseInteger(bound))
      return failure();
    properties.bound = parser.getBuilder().getI64IntegerAttr(bound);
  }
  if (succeeded(parser.parseOptionalKeyword("unswitch")))
    properties.unswitch = parser.getBuilder().getUnitAttr();
  properties.extent = AffineMapAttr::get(exprs.getMap(extent));
  properties.parallel = ParallelTypeAttr::get(parser.getContext(), type);
  return failure(exprs.resolve(result.operands) ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parseBody(parser, *result.addRegion(), variable));
}

void ForOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getExtent().getNumDims());
  printer << " ";
  printer.printRegionArgument(getInductionVar(), {}, /*omitType=*/true);
  printer << " to (";
  exprs.printExpr(getExtentExpr());
  printer << ")";
  if (getType() != ParallelType::Serial)
    printer << " on " << stringifyParallelType(getType());
  printer << (getInTurn() ? " in_turn" : "");
  if (getBound())
    printer << " bound " << *getBound();
  if (getUnswitch())
    printer << " unswitch";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"extent", "parallel", "bound", "unswitch", "in_turn"});
  printBody(printer, getBody());
}

ParseResult IfOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  ParsedConstraints guard;
  ParallelTypesAttr once;
  if (exprs.parseConstraints(guard) || parseOptionalTypes(parser, "once", once) ||
      exprs.resolve(result.operands) || parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.guard = exprs.getConstraints(guard);
  properties.once = once;
  Region *body = result.addRegion(), *otherwise = result.addRegion();
  return failure(parseBody(parser, *body) ||
                 (succeeded(parser.parseOptionalKeyword("else")) && parseBody(parser, *otherwise)));
}

void IfOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getGuard().getBounds().getNumDims());
  printer << " ";
  exprs.printConstraints(getGuard());
  printOptionalTypes(printer, "once", getOnce());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"guard", "once"});
  printBody(printer, getBody());
  if (getElseBlock()) {
    printer << " else";
    printBody(printer, getOtherwise());
  }
}

//===----------------------------------------------------------------------===//
// BufferOp
//===----------------------------------------------------------------------===//

ParseResult BufferOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  Properties &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  if (succeeded(parser.parseOptionalKeyword("zeroed")))
    properties.zeroed = builder.getUnitAttr();
  if (succeeded(parser.parseOptionalKeyword("distributed")))
    properties.distributed = builder.getUnitAttr();
  int64_t stages = 0;
  if (succeeded(parser.parseOptionalKeyword("stages"))) {
    if (parser.parseInteger(stages))
      return failure();
    properties.stages = builder.getI64IntegerAttr(stages);
    if (succeeded(parser.parseOptionalKeyword("by"))) {
      if (parser.parseKeyword("bulk"))
        return failure();
      properties.bulk = builder.getUnitAttr();
    }
    if (succeeded(parser.parseOptionalKeyword("role"))) {
      if (parser.parseKeyword("producer"))
        return failure();
      properties.producer = builder.getUnitAttr();
    }
    if (succeeded(parser.parseOptionalKeyword("registers"))) {
      properties.registers =
          dyn_cast_if_present<DenseI64ArrayAttr>(DenseI64ArrayAttr::parse(parser, Type()));
      if (!properties.registers)
        return failure();
    }
  }
  SmallVector<AffineExpr> extents;
  bool hasExtents = false;
  auto parseExtent = [&] { return exprs.parseExpr(extents.emplace_back()); };
  if (succeeded(parser.parseOptionalLSquare())) {
    hasExtents = true;
    if (failed(parser.parseOptionalRSquare()) &&
        (parser.parseCommaSeparatedList(parseExtent) || parser.parseRSquare()))
      return failure();
  }
  int64_t offset = 0;
  if (succeeded(parser.parseOptionalKeyword("at"))) {
    if (parser.parseInteger(offset))
      return failure();
    properties.offset = builder.getI64IntegerAttr(offset);
  }
  if (hasExtents)
    properties.extents = AffineMapAttr::get(exprs.getMap(extents));
  Type type;
  return failure(exprs.resolve(result.operands) ||
                 parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type) ||
                 parser.addTypeToList(type, result.types));
}

void BufferOp::print(OpAsmPrinter &printer) {
  printer << (getZeroed() ? " zeroed" : "") << (getDistributed() ? " distributed" : "");
  if (getStages())
    printer << " stages " << *getStages() << (getBulk() ? " by bulk" : "")
            << (getProducer() ? " role producer" : "");
  if (getRegisters()) {
    printer << " registers ";
    getRegistersAttr().print(printer);
  }
  if (std::optional<AffineMap> extents = getExtents()) {
    ExprPrinter exprs(printer, getIndices(), extents->getNumDims());
    printer << " [";
    exprs.printExprs(extents->getResults());
    printer << "]";
  }
  if (getOffset())
    printer << " at " << *getOffset();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"extents", "zeroed", "distributed", "stages",
                                                      "bulk", "producer", "registers", "offset"});
  printer << " : " << getType();
}

//===----------------------------------------------------------------------===//
// BarrierOp, LastBlockOp
//===----------------------------------------------------------------------===//

ParseResult BarrierOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  ParsedConstraints guard;
  OpAsmParser::UnresolvedOperand counter;
  const bool isGrid = succeeded(parser.parseOptionalKeyword("grid"));
  if (!isGrid && succeeded(parser.parseOptionalKeyword("role")))
    result.getOrAddProperties<Properties>().role = parser.getBuilder().getUnitAttr();
  if (isGrid) {
    auto type = BufferType::get(parser.getContext(), 1, parser.getBuilder().getI32Type(),
                                fuser::MemoryType::Global);
    if (parser.parseOperand(counter) || parser.resolveOperand(counter, type, result.operands))
      return failure();
  }
  if (exprs.parseOptionalGuard("if", guard) || exprs.resolve(result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.getOrAddProperties<Properties>().guard = exprs.getConstraints(guard);
  llvm::copy(ArrayRef<int32_t>{int32_t(isGrid), int32_t(result.operands.size()) - isGrid},
             result.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  return success();
}

void BarrierOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getGuard().getBounds().getNumDims());
  if (getCounter())
    printer << " grid " << getCounter();
  if (getRole())
    printer << " role";
  exprs.printOptionalGuard("if", getGuard());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"guard", "role", "operandSegmentSizes"});
}

ParseResult LastBlockOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  OpAsmParser::UnresolvedOperand flag, counter;
  AffineExpr place, participants;
  Type flagType, counterType;
  if (parser.parseOperand(flag) || parser.parseEqual() || parser.parseOperand(counter) ||
      parser.parseLSquare() || exprs.parseExpr(place) || parser.parseRSquare() ||
      parser.parseKeyword("of") || parser.parseLParen() || exprs.parseExpr(participants) ||
      parser.parseRParen() || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(flagType) || parser.parseComma() || parser.parseType(counterType) ||
      parser.resolveOperand(flag, flagType, result.operands) ||
      parser.resolveOperand(counter, counterType, result.operands) ||
      exprs.resolve(result.operands))
    return failure();
  AffineMap places = exprs.getMap(place);
  result.getOrAddProperties<Properties>().arrival = AffineMapAttr::get(AffineMap::get(
      places.getNumDims(), places.getNumSymbols(), {place, participants}, parser.getContext()));
  return success();
}

void LastBlockOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getArrival().getNumDims());
  printer << " " << getFlag() << " = " << getCounter() << "[";
  exprs.printExpr(getPlace());
  printer << "] of (";
  exprs.printExpr(getParticipants());
  printer << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"arrival"});
  printer << " : " << getFlag().getType() << ", " << getCounter().getType();
}

ParseResult ClusterBarrierOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  ParsedConstraints guard;
  BarrierPhase phase = BarrierPhase::Both;
  if (parseEnum(parser, symbolizeBarrierPhase, "both, arrive or wait", phase) ||
      exprs.parseOptionalGuard("if", guard) || exprs.resolve(result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.guard = exprs.getConstraints(guard);
  properties.phase = BarrierPhaseAttr::get(parser.getContext(), phase);
  return success();
}

void ClusterBarrierOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getGuard().getBounds().getNumDims());
  printer << " " << stringifyBarrierPhase(getPhase());
  exprs.printOptionalGuard("if", getGuard());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"guard", "phase"});
}

//===----------------------------------------------------------------------===//
// TileOp, CombineOp
//===----------------------------------------------------------------------===//

namespace {
/// The op in a region.
struct ParsedElement {
  /// The name of the op, or nothing.
  std::string name;
  NamedAttrList attributes;
  SmallVector<Type> operands, results;
};

/// The parts of a tile's text.
struct ParsedTile {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, outputs;
  /// None for a scalar.
  SmallVector<std::optional<ParsedAccess>> reads;
  SmallVector<ParsedAccess> writes;
  TileStep step = TileStep::Element;
  std::optional<int64_t> distance;
  ParsedElement op;
  SmallVector<AffineExpr> roots;
  ParsedConstraints guard;
  std::optional<fuser::ScatterReduce> combine;
  ParallelTypesAttr once, replicated;
  Attribute instruction;
  FunctionType buffers;
};
} // namespace

/// A buffer with an access, or a scalar.
static ParseResult parseInput(OpAsmParser &parser, ExprParser &exprs, ParsedTile &tile) {
  if (parser.parseOperand(tile.inputs.emplace_back()))
    return failure();
  tile.reads.emplace_back();
  if (succeeded(parser.parseOptionalKeyword("scalar")))
    return success();
  return exprs.parseAccess(tile.reads.back().emplace());
}

static ParseResult takeType(OpAsmParser &parser, Type type, ParsedElement &op) {
  auto function = dyn_cast<FunctionType>(type);
  if (!function)
    return parser.emitError(parser.getNameLoc(),
                            "expected the type of the op to be a function type, but got ")
           << type;
  llvm::append_range(op.operands, function.getInputs());
  llvm::append_range(op.results, function.getResults());
  return success();
}

/// Types of buffers and scalars, then those of the op.
static ParseResult parseTypes(OpAsmParser &parser, ParsedTile &tile) {
  Type buffers, op;
  if (parser.parseColon() || parser.parseType(buffers) || parser.parseKeyword("of") ||
      parser.parseType(op))
    return failure();
  tile.buffers = dyn_cast<FunctionType>(buffers);
  if (!tile.buffers)
    return parser.emitError(parser.getNameLoc(), "expected the types of inputs and outputs as a "
                                                 "function type, but got ")
           << buffers;
  if (!tile.op.name.empty())
    return takeType(parser, op, tile.op);
  tile.op.operands.push_back(op);
  return success();
}

static StringRef getRootsKeyword(TileStep step) {
  if (step == TileStep::Take)
    return "from";
  if (step == TileStep::Store)
    return "within";
  return step == TileStep::Finalize || step == TileStep::Bulk ? "count" : "at";
}

static ParseResult parseClauses(OpAsmParser &parser, ExprParser &exprs, ParsedTile &tile) {
  // A bulk copy has a count, a store the sizes of the argument, and that of a box its coordinates.
  const bool isBulk = tile.step == TileStep::Bulk || tile.step == TileStep::Store;
  const bool hasRoots = succeeded(parser.parseOptionalKeyword(getRootsKeyword(tile.step))) ||
                        (isBulk && succeeded(parser.parseOptionalKeyword("at")));
  if (hasRoots && parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
        return exprs.parseExpr(tile.roots.emplace_back());
      }))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("combine")) &&
      parseEnum(parser, fuser::symbolizeScatterReduce, "a combination", tile.combine.emplace()))
    return failure();
  return failure(
      exprs.parseOptionalGuard("if", tile.guard) || parseOptionalTypes(parser, "once", tile.once) ||
      parseOptionalTypes(parser, "replicated", tile.replicated) ||
      // Without a keyword in between, the attribute of an instruction would take the types that
      // follow for its own; the array of a tensor map and its binding does not.
      (succeeded(parser.parseOptionalKeyword("using")) &&
       (parser.parseAttribute(tile.instruction) ||
        (!isa<ArrayAttr>(tile.instruction) && parser.parseKeyword("together")))));
}

/// Creates the op of a region and the terminator.
static ParseResult makeBody(OpAsmParser &parser, ParsedElement &op, Region &region) {
  Location loc = parser.getEncodedSourceLoc(parser.getNameLoc());
  Block &block = region.emplaceBlock();
  for (Type type : op.operands)
    block.addArgument(type, loc);
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> results(block.getArguments());
  if (!op.name.empty()) {
    OperationName name(op.name, parser.getContext());
    auto emitError = [&] { return parser.emitError(parser.getNameLoc()) << "'" << name << "' "; };
    if (!name.isRegistered())
      return emitError() << "expected a registered op in a tile";
    if (failed(name.verifyInherentAttrs(op.attributes, emitError)))
      return failure();
    OperationState state(loc, name, block.getArguments(), op.results);
    state.addAttributes(op.attributes);
    results.assign(builder.create(state)->result_begin(), block.back().result_end());
  }
  YieldOp::create(builder, loc, results);
  return success();
}

/// A step, if one is named, and the op with its inputs.
static ParseResult parseElement(OpAsmParser &parser, ExprParser &exprs, ParsedTile &tile) {
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    return parseInput(parser, exprs, tile);
  if (std::optional<TileStep> step = symbolizeTileStep(name)) {
    tile.step = *step;
    if (*step == TileStep::Copy || *step == TileStep::Bulk || *step == TileStep::Store)
      return parseInput(parser, exprs, tile);
    const bool hasDistance = *step == TileStep::Shuffle || *step == TileStep::ShuffleUp;
    if (hasDistance && parser.parseInteger(tile.distance.emplace()))
      return failure();
    if (parser.parseKeyword(&name))
      return failure();
  }
  tile.op.name = name.str();
  return failure(parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
    return parseInput(parser, exprs, tile);
  }) || parser.parseOptionalAttrDict(tile.op.attributes));
}

ParseResult TileOp::parse(OpAsmParser &parser, OperationState &result) {
  ExprParser exprs(parser);
  ParsedTile tile;
  auto parseOutput = [&] {
    return failure(parser.parseOperand(tile.outputs.emplace_back()) ||
                   exprs.parseAccess(tile.writes.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(parseOutput) || parser.parseEqual() ||
      parseElement(parser, exprs, tile))
    return failure();
  if (parseClauses(parser, exprs, tile) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || ::parseTypes(parser, tile))
    return failure();
  llvm::SMLoc loc = parser.getNameLoc();
  if (parser.resolveOperands(tile.inputs, tile.buffers.getInputs(), loc, result.operands) ||
      parser.resolveOperands(tile.outputs, tile.buffers.getResults(), loc, result.operands) ||
      exprs.resolve(result.operands))
    return failure();
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> reads, writes;
  for (const std::optional<ParsedAccess> &access : tile.reads)
    reads.push_back(access ? Attribute(exprs.getAccess(*access)) : builder.getUnitAttr());
  for (const ParsedAccess &access : tile.writes)
    writes.push_back(exprs.getAccess(access));
  if (llvm::is_contained(reads, Attribute()) || llvm::is_contained(writes, Attribute()))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.reads = builder.getArrayAttr(reads);
  properties.writes = builder.getArrayAttr(writes);
  properties.roots = AffineMapAttr::get(exprs.getMap(tile.roots));
  properties.guard = exprs.getConstraints(tile.guard);
  properties.once = tile.once;
  properties.replicated = tile.replicated;
  properties.step = TileStepAttr::get(parser.getContext(), tile.step);
  if (tile.distance)
    properties.distance = builder.getI64IntegerAttr(*tile.distance);
  properties.instruction = tile.instruction;
  if (tile.combine)
    properties.combination = fuser::ScatterReduceAttr::get(parser.getContext(), *tile.combine);
  llvm::copy(ArrayRef<int32_t>{int32_t(tile.inputs.size()), int32_t(tile.outputs.size()),
                               int32_t(exprs.getDims().size() + exprs.getSymbols().size())},
             properties.operandSegmentSizes.begin());
  return makeBody(parser, tile.op, *result.addRegion());
}

void TileOp::print(OpAsmPrinter &printer) {
  ExprPrinter exprs(printer, getIndices(), getNumDims());
  Operation *op = getElementOp();
  printer << " ";
  llvm::interleaveComma(llvm::enumerate(getOutputs()), printer, [&](auto output) {
    printer << output.value();
    exprs.printAccess(getWrite(output.index()));
  });
  printer << " = ";
  if (getStep() != TileStep::Element)
    printer << stringifyTileStep(getStep()) << " ";
  if (getDistance())
    printer << *getDistance() << " ";
  if (op)
    printer << op->getName() << "(";
  llvm::interleaveComma(llvm::enumerate(getInputs()), printer, [&](auto input) {
    printer << input.value();
    if (AccessAttr access = getRead(input.index()))
      exprs.printAccess(access);
    else
      printer << " scalar";
  });
  if (op) {
    printer << ")";
    printer.printOptionalAttrDict(op->getAttrs());
  }
  if (unsigned numRoots = getRoots().getNumResults(); numRoots > 0) {
    printer << " " << (getTensorMap() ? "at" : getRootsKeyword(getStep())) << " [";
    exprs.printExprs(getRoots().getResults());
    printer << "]";
  }
  if (std::optional<fuser::ScatterReduce> combine = getCombine())
    printer << " combine " << fuser::stringifyScatterReduce(*combine);
  exprs.printOptionalGuard("if", getGuard());
  printOptionalTypes(printer, "once", getOnce());
  printOptionalTypes(printer, "replicated", getReplicated());
  if (getInstruction()) {
    printer << " using " << *getInstruction();
    if (!isa<ArrayAttr>(*getInstruction()))
      printer << " together";
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"reads", "writes", "roots", "guard", "once", "replicated", "step",
                            "distance", "instruction", "combination", "operandSegmentSizes"});
  printer.increaseIndent();
  printer.printNewline();
  printer << ": ";
  printer.printFunctionalType(getInputs().getTypes(), getOutputs().getTypes());
  printer << " of ";
  if (op)
    printer.printFunctionalType(op);
  else
    printer << getBody().getArgument(0).getType();
  printer.decreaseIndent();
}

ParseResult CombineOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> accumulators;
  SmallVector<Type> types;
  ParsedElement op;
  ParallelTypesAttr over;
  int64_t lanes = 0;
  StringRef name;
  Type type;
  if (parser.parseOperandList(accumulators) || parser.parseKeyword("by") ||
      parser.parseKeyword(&name) || parser.parseOptionalAttrDict(op.attributes) ||
      parser.parseKeyword("over") || fuser::loop::parseTypes(parser, over) ||
      parser.parseKeyword("lanes") || parser.parseInteger(lanes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseColonTypeList(types) || parser.parseKeyword("of") || parser.parseType(type) ||
      takeType(parser, type, op) ||
      parser.resolveOperands(accumulators, types, parser.getNameLoc(), result.operands))
    return failure();
  op.name = name.str();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.over = over;
  properties.lanes = parser.getBuilder().getI64IntegerAttr(lanes);
  return makeBody(parser, op, *result.addRegion());
}

/// The buffers of a tuple, and the operands and results of the op that combines tuples.
static void printTupleTypes(OpAsmPrinter &printer, TypeRange buffers, Operation *op) {
  printer.increaseIndent();
  printer.printNewline();
  printer << ": ";
  llvm::interleaveComma(buffers, printer);
  printer << " of ";
  printer.printFunctionalType(op);
  printer.decreaseIndent();
}

void CombineOp::print(OpAsmPrinter &printer) {
  Operation *op = getElementOp();
  printer << " ";
  printer.printOperands(getAccumulators());
  printer << " by " << op->getName();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " over ";
  printTypes(printer, getOver());
  printer << " lanes " << getLanes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"over", "lanes"});
  printTupleTypes(printer, getAccumulators().getTypes(), op);
}

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> totals, before;
  SmallVector<Type> types;
  ParsedElement op;
  ParallelTypesAttr over, equal;
  int64_t lanes = 0;
  StringRef name;
  Type type;
  if (parser.parseOperandList(totals) || parser.parseKeyword("before") ||
      parser.parseOperandList(before) || parser.parseKeyword("by") || parser.parseKeyword(&name) ||
      parser.parseOptionalAttrDict(op.attributes) || parser.parseKeyword("over") ||
      fuser::loop::parseTypes(parser, over) || parseOptionalTypes(parser, "equal", equal) ||
      parser.parseKeyword("lanes") || parser.parseInteger(lanes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseColonTypeList(types) || parser.parseKeyword("of") || parser.parseType(type) ||
      takeType(parser, type, op) ||
      parser.resolveOperands(totals, types, parser.getNameLoc(), result.operands) ||
      parser.resolveOperands(before, types, parser.getNameLoc(), result.operands))
    return failure();
  op.name = name.str();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.over = over;
  properties.equal = equal;
  properties.lanes = parser.getBuilder().getI64IntegerAttr(lanes);
  return makeBody(parser, op, *result.addRegion());
}

void ScanOp::print(OpAsmPrinter &printer) {
  Operation *op = getElementOp();
  printer << " ";
  printer.printOperands(getTotals());
  printer << " before ";
  printer.printOperands(getBefore());
  printer << " by " << op->getName();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " over ";
  printTypes(printer, getOver());
  printOptionalTypes(printer, "equal", getEqual());
  printer << " lanes " << getLanes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"over", "equal", "lanes"});
  printTupleTypes(printer, getTotals().getTypes(), op);
}
