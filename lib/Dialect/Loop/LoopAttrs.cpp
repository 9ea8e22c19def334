//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Attributes and types of the loop dialect.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Loop/LoopDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser::loop;

#include "fuser/Dialect/Loop/LoopEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fuser/Dialect/Loop/LoopAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "fuser/Dialect/Loop/LoopTypes.cpp.inc"

void FuserLoopDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuser/Dialect/Loop/LoopAttrs.cpp.inc"
      >();
}

void FuserLoopDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fuser/Dialect/Loop/LoopTypes.cpp.inc"
      >();
}

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

ConstraintsAttr ConstraintsAttr::getEmpty(MLIRContext *context, unsigned numDims,
                                          unsigned numSymbols) {
  return get(context, ArrayRef<ConstraintKind>(), AffineMap::get(numDims, numSymbols, context));
}

LogicalResult ConstraintsAttr::verify(EmitError emitError, ArrayRef<ConstraintKind> kinds,
                                      AffineMap bounds) {
  if (bounds.getNumResults() == 2 * kinds.size())
    return success();
  return emitError() << "expected two bounds for each of " << kinds.size()
                     << " constraints, but got " << bounds.getNumResults();
}

LogicalResult AccessAttr::verify(EmitError emitError, AffineMap map, ConstraintsAttr guard,
                                 int64_t chunk, int64_t alignment, bool clamped, bool kept,
                                 ParallelTypesAttr follows) {
  if (guard.getBounds().getNumDims() != map.getNumDims() ||
      guard.getBounds().getNumSymbols() != map.getNumSymbols())
    return emitError() << "expected a guard over the operands of the access";
  if (chunk < 0 || chunk > 16 || (chunk && !llvm::isPowerOf2_64(chunk)))
    return emitError() << "expected a chunk of 1, 2, 4, 8 or 16 elements, but got " << chunk;
  if (chunk && map.getNumResults() != 1 && map.getNumResults() != 2)
    return emitError() << "expected one offset of a chunk, perhaps after a block of the cluster, "
                          "but got "
                       << map.getNumResults();
  if (chunk ? alignment < 1 || !llvm::isPowerOf2_64(alignment) : alignment != 0)
    return emitError() << "expected an alignment that is a power of two, of a chunk, but got "
                       << alignment;
  return success();
}

LogicalResult ParallelTypesAttr::verify(EmitError emitError, ArrayRef<ParallelType> types) {
  llvm::SmallSet<ParallelType, 4> seen;
  for (ParallelType type : types) {
    if (!isThreadType(type) && !isBlockType(type))
      return emitError() << "expected block and thread types, but got "
                         << stringifyParallelType(type);
    if (!seen.insert(type).second)
      return emitError() << "expected each type once, but got " << stringifyParallelType(type)
                         << " twice";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

bool BufferType::hasStaticShape() const { return !ShapedType::isDynamicShape(getShape()); }

int64_t BufferType::getNumElements() const {
  int64_t elements = 1;
  for (int64_t extent : getShape())
    elements *= extent;
  return elements;
}

Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  StringRef spaceName;
  llvm::SMLoc loc;
  if (parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(element) ||
      parser.parseComma() || failed(parser.getCurrentLocation(&loc)) ||
      parser.parseKeyword(&spaceName) || parser.parseGreater())
    return {};
  std::optional<MemoryType> space = symbolizeMemoryType(spaceName);
  if (!space) {
    parser.emitError(loc, "expected register, shared or global, but got ") << spaceName;
    return {};
  }
  return parser.getChecked<BufferType>(parser.getContext(), shape, element, *space);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape()) {
    if (ShapedType::isDynamic(extent))
      printer << "?x";
    else
      printer << extent << "x";
  }
  printer << getElementType() << ", " << stringifyMemoryType(getSpace()) << ">";
}

LogicalResult BufferType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type elementType,
                                 MemoryType space) {
  if (!isa<IntegerType, FloatType, ComplexType>(elementType))
    return emitError() << "expected integers, floats or complex numbers as elements, but got "
                       << elementType;
  if (space != MemoryType::Global && ShapedType::isDynamicShape(shape))
    return emitError() << "expected constant extents of a buffer in "
                       << (space == MemoryType::Shared ? "shared memory" : "registers");
  return success();
}
