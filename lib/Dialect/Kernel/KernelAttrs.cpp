//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Attributes of kernel IR: syntax and verifiers.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser::kernel_ir;

#include "fuser/Dialect/Kernel/KernelEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fuser/Dialect/Kernel/KernelAttrs.cpp.inc"

void FuserGPUDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuser/Dialect/Kernel/KernelAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifyNotNegative(EmitError emitError, StringRef what, int64_t value) {
  if (value >= 0)
    return success();
  return emitError() << "expected the " << what << " to be at least 0, but got " << value;
}

LogicalResult PointerAttr::verify(EmitError emitError, int64_t operand) {
  return verifyNotNegative(emitError, "operand", operand);
}

LogicalResult ScalarAttr::verify(EmitError emitError, int64_t operand) {
  return verifyNotNegative(emitError, "operand", operand);
}

LogicalResult SizeAttr::verify(EmitError emitError, int64_t operand, int64_t dim) {
  if (failed(verifyNotNegative(emitError, "operand", operand)))
    return failure();
  return verifyNotNegative(emitError, "dimension", dim);
}

LogicalResult StrideAttr::verify(EmitError emitError, int64_t operand, int64_t dim) {
  if (failed(verifyNotNegative(emitError, "operand", operand)))
    return failure();
  return verifyNotNegative(emitError, "dimension", dim);
}

LogicalResult FirstBlockAttr::verify(EmitError emitError, int64_t part) {
  return verifyNotNegative(emitError, "part", part);
}

LogicalResult PartGridAttr::verify(EmitError emitError, int64_t part, int64_t axis) {
  if (failed(verifyNotNegative(emitError, "part", part)))
    return failure();
  if (axis >= 0 && axis < 3)
    return success();
  return emitError() << "expected the axis to be 0, 1 or 2, but got " << axis;
}

LogicalResult WorkspaceAttr::verify(EmitError emitError, int64_t index, bool zeroed) {
  return verifyNotNegative(emitError, "index", index);
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

LaunchAttr LaunchAttr::get(AffineMap grid, ArrayRef<Attribute> symbols) {
  MLIRContext *context = grid.getContext();
  AffineMap noBytes = AffineMap::get(0, symbols.size(), getAffineConstantExpr(0, context), context);
  return get(context, grid, symbols, noBytes, {}, /*cooperative=*/false, {}, std::nullopt,
             /*parts=*/AffineMap());
}

/// Checks that `map` reads exactly the launch's symbols and gives `results`.
static LogicalResult verifyMap(EmitError emitError, StringRef field, AffineMap map, size_t symbols,
                               unsigned results) {
  if (map.getNumDims() != 0)
    return emitError() << "expected '" << field << "' to have no dimensions, but got "
                       << map.getNumDims();
  if (map.getNumSymbols() != symbols)
    return emitError() << "expected '" << field << "' to have " << symbols
                       << " symbols, as many as 'symbols', but got " << map.getNumSymbols();
  if (map.getNumResults() != results)
    return emitError() << "expected '" << field << "' to have " << results << " results, but got "
                       << map.getNumResults();
  return success();
}

LogicalResult LaunchAttr::verify(EmitError emitError, AffineMap grid, ArrayRef<Attribute> symbols,
                                 AffineMap smem, ArrayRef<AffineMap> workspaces, bool cooperative,
                                 ArrayRef<int64_t> cluster, std::optional<int64_t> minBlocksPerSM,
                                 AffineMap parts) {
  for (Attribute symbol : symbols)
    if (!isa<SizeAttr, StrideAttr, ScalarAttr>(symbol))
      return emitError() << "expected 'symbols' to hold sizes, strides and scalars, but got "
                         << symbol;
  if (failed(verifyMap(emitError, "grid", grid, symbols.size(), 3)) ||
      failed(verifyMap(emitError, "smem", smem, symbols.size(), 1)))
    return failure();
  for (AffineMap workspace : workspaces)
    if (failed(verifyMap(emitError, "workspaces", workspace, symbols.size(), 1)))
      return failure();
  if (!cluster.empty()) {
    if (cluster.size() != 3)
      return emitError() << "expected 'cluster' to have 3 sizes, but got " << cluster.size();
    for (int64_t size : cluster)
      if (size < 1)
        return emitError() << "expected sizes of 'cluster' to be at least 1, but got " << size;
  }
  if (minBlocksPerSM && *minBlocksPerSM < 1)
    return emitError() << "expected 'min_blocks_per_sm' to be at least 1, but got "
                       << *minBlocksPerSM;
  if (!parts)
    return success();
  if (parts.getNumResults() == 0 || parts.getNumResults() % 3 != 0)
    return emitError() << "expected 'parts' to have 3 results for each part, but got "
                       << parts.getNumResults();
  if (cooperative || !cluster.empty())
    return emitError() << "expected a launch of several parts to be neither cooperative nor in "
                          "clusters";
  return verifyMap(emitError, "parts", parts, symbols.size(), parts.getNumResults());
}

//===----------------------------------------------------------------------===//
// ResolvedIds
//===----------------------------------------------------------------------===//

LogicalResult ResolvedIdsAttr::verify(EmitError emitError, ArrayRef<int64_t> loops,
                                      ArrayRef<int64_t> broadcasts, AffineMap extents,
                                      ArrayRef<Attribute> symbols, ArrayRef<int64_t> replicated,
                                      ArrayRef<int64_t> once) {
  for (Attribute symbol : symbols)
    if (!isa<SizeAttr, ScalarAttr>(symbol))
      return emitError() << "expected 'symbols' to hold sizes and scalars, but got " << symbol;
  if (failed(verifyMap(emitError, "extents", extents, symbols.size(), broadcasts.size())))
    return failure();
  for (int64_t loop : loops)
    if (loop < 0)
      return emitError() << "expected 'loops' to hold numbers of loops, but got " << loop;
  for (int64_t position : replicated)
    if (position < 0 || position >= int64_t(loops.size()))
      return emitError() << "expected 'replicated' to hold positions of the " << loops.size()
                         << " loops, but got " << position;
  for (int64_t id : once)
    if (!llvm::is_contained(broadcasts, id))
      return emitError() << "expected 'once' to hold ids of 'broadcasts', but got " << id;
  return success();
}

//===----------------------------------------------------------------------===//
// Syntax of Launch
//===----------------------------------------------------------------------===//

namespace {
/// The fields of a launch attribute during parsing, in any order.
struct LaunchFields {
  AffineMap grid;
  SmallVector<Attribute> symbols;
  AffineMap smem;
  SmallVector<AffineMap> workspaces;
  bool cooperative = false;
  SmallVector<int64_t> cluster;
  std::optional<int64_t> minBlocksPerSM;
  AffineMap parts;
};
} // namespace

static ParseResult parseMap(AsmParser &parser, AffineMap &map) {
  AffineMapAttr attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  map = attribute.getValue();
  return success();
}

static ParseResult parseBool(AsmParser &parser, bool &value) {
  StringRef keyword;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  if (keyword != "true" && keyword != "false")
    return parser.emitError(location) << "expected true or false, but got '" << keyword << "'";
  value = keyword == "true";
  return success();
}

/// Parses what follows `name =`.
static ParseResult parseField(AsmParser &parser, StringRef name, SMLoc location,
                              LaunchFields &fields) {
  auto list = [&](llvm::function_ref<ParseResult()> element) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, element);
  };
  if (name == "grid")
    return parseMap(parser, fields.grid);
  if (name == "symbols")
    return list([&] { return parser.parseAttribute(fields.symbols.emplace_back()); });
  if (name == "smem")
    return parseMap(parser, fields.smem);
  if (name == "workspaces")
    return list([&] { return parseMap(parser, fields.workspaces.emplace_back()); });
  if (name == "cooperative")
    return parseBool(parser, fields.cooperative);
  if (name == "cluster")
    return list([&] { return parser.parseInteger(fields.cluster.emplace_back()); });
  if (name == "min_blocks_per_sm")
    return parser.parseInteger(fields.minBlocksPerSM.emplace());
  if (name == "parts")
    return parseMap(parser, fields.parts);
  return parser.emitError(location)
         << "expected grid, symbols, smem, workspaces, cooperative, cluster, min_blocks_per_sm "
            "or parts, but got '"
         << name << "'";
}

Attribute LaunchAttr::parse(AsmParser &parser, Type) {
  LaunchFields fields;
  llvm::StringSet<> seen;
  SMLoc start = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    StringRef name;
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (!seen.insert(name).second)
      return parser.emitError(location) << "expected '" << name << "' once";
    return parseField(parser, name, location, fields);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseOne))
    return {};
  if (!fields.grid) {
    parser.emitError(start) << "expected 'grid'";
    return {};
  }
  MLIRContext *context = parser.getContext();
  if (!fields.smem)
    fields.smem =
        AffineMap::get(0, fields.symbols.size(), getAffineConstantExpr(0, context), context);
  return parser.getChecked<LaunchAttr>(start, context, fields.grid, fields.symbols, fields.smem,
                                       fields.workspaces, fields.cooperative, fields.cluster,
                                       fields.minBlocksPerSM, fields.parts);
}

void LaunchAttr::print(AsmPrinter &printer) const {
  auto printMap = [&](AffineMap map) { printer << AffineMapAttr::get(map); };
  printer << "<grid = ";
  printMap(getGrid());
  if (!getSymbols().empty()) {
    printer << ", symbols = [";
    llvm::interleaveComma(getSymbols(), printer);
    printer << "]";
  }
  if (getSmem().getResult(0) != getAffineConstantExpr(0, getContext())) {
    printer << ", smem = ";
    printMap(getSmem());
  }
  if (!getWorkspaces().empty()) {
    printer << ", workspaces = [";
    llvm::interleaveComma(getWorkspaces(), printer, printMap);
    printer << "]";
  }
  if (getCooperative())
    printer << ", cooperative = true";
  if (!getCluster().empty()) {
    printer << ", cluster = [";
    llvm::interleaveComma(getCluster(), printer);
    printer << "]";
  }
  if (getMinBlocksPerSM())
    printer << ", min_blocks_per_sm = " << *getMinBlocksPerSM();
  if (getParts()) {
    printer << ", parts = ";
    printMap(getParts());
  }
  printer << ">";
}
