//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Attributes other than the domain: layouts, hints, meshes, facts, aliases.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;

#define GET_ATTRDEF_CLASSES
#include "fuser/Dialect/IR/FuserAttrs.cpp.inc"

void FuserDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuser/Dialect/IR/FuserAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// LayoutAttr
//===----------------------------------------------------------------------===//

/// True where `order` is a permutation of 0 .. size-1.
static bool isPermutation(ArrayRef<int64_t> order) {
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<int64_t>(0, order.size()));
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> order, ArrayRef<int64_t> strided) {
  if (!isPermutation(order))
    return emitError() << "expected 'order' to be a permutation of 0 to "
                       << int64_t(order.size()) - 1 << ", but got [" << order << "]";
  for (int64_t position : strided)
    if (position < 0 || position >= int64_t(order.size()))
      return emitError() << "expected 'strided' to hold positions of 'order' (0 to "
                         << int64_t(order.size()) - 1 << "), but got " << position;
  return success();
}

LayoutAttr LayoutAttr::getRowMajor(MLIRContext *context, int64_t rank) {
  return get(context, llvm::to_vector(llvm::seq<int64_t>(0, rank)), {});
}

bool LayoutAttr::isRowMajorContiguous() const {
  return getStrided().empty() && llvm::equal(getOrder(), llvm::seq<int64_t>(0, getOrder().size()));
}

LogicalResult LayoutHintAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                     ArrayRef<int64_t> order, StringRef rule, StringRef) {
  if (!isPermutation(order))
    return emitError() << "expected 'order' to be a permutation of 0 to "
                       << int64_t(order.size()) - 1 << ", but got [" << order << "]";
  if (rule.empty())
    return emitError() << "expected 'rule' to name what made the hint";
  return success();
}

//===----------------------------------------------------------------------===//
// MeshAttr
//===----------------------------------------------------------------------===//

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t x, int64_t y,
                               int64_t z) {
  for (int64_t size : {x, y, z})
    if (size < 1)
      return emitError() << "expected at least 1 device along each axis, but got " << size;
  return success();
}

int64_t MeshAttr::getSize(ParallelType type) const {
  switch (type) {
  case ParallelType::DeviceX:
    return getDeviceX();
  case ParallelType::DeviceY:
    return getDeviceY();
  case ParallelType::DeviceZ:
    return getDeviceZ();
  default:
    return 1;
  }
}

//===----------------------------------------------------------------------===//
// FactAttr
//===----------------------------------------------------------------------===//

FactAttr FactAttr::getDivisible(MLIRContext *context, int64_t arg, int64_t dim, int64_t value) {
  return get(context, FactKind::Divisible, arg, dim, value, -1, -1);
}
FactAttr FactAttr::getAtMost(MLIRContext *context, int64_t arg, int64_t dim, int64_t value) {
  return get(context, FactKind::AtMost, arg, dim, value, -1, -1);
}
FactAttr FactAttr::getAtLeast(MLIRContext *context, int64_t arg, int64_t dim, int64_t value) {
  return get(context, FactKind::AtLeast, arg, dim, value, -1, -1);
}
FactAttr FactAttr::getEqual(MLIRContext *context, int64_t arg, int64_t dim, int64_t otherArg,
                            int64_t otherDim) {
  return get(context, FactKind::Equal, arg, dim, 0, otherArg, otherDim);
}
FactAttr FactAttr::getAligned(MLIRContext *context, int64_t arg, int64_t bytes) {
  return get(context, FactKind::Aligned, arg, -1, bytes, -1, -1);
}
FactAttr FactAttr::getElementsAtMost(MLIRContext *context, int64_t arg, int64_t value) {
  return get(context, FactKind::ElementsAtMost, arg, -1, value, -1, -1);
}

FactAttr FactAttr::getStrideDivisible(MLIRContext *context, int64_t arg, int64_t dim,
                                      int64_t value) {
  return get(context, FactKind::StrideDivisible, arg, dim, value, -1, -1);
}

FactAttr FactAttr::getStrideIs(MLIRContext *context, int64_t arg, int64_t dim, int64_t value) {
  return get(context, FactKind::StrideIs, arg, dim, value, -1, -1);
}

/// arg[dim]
static ParseResult parseExtent(AsmParser &parser, int64_t &arg, int64_t &dim) {
  return failure(parser.parseInteger(arg) || parser.parseLSquare() || parser.parseInteger(dim) ||
                 parser.parseRSquare());
}

Attribute FactAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<FactKind> kind = symbolizeFactKind(keyword);
  if (!kind) {
    parser.emitError(loc) << "expected a fact (equal, divisible, at_most, at_least, aligned, "
                             "elements_at_most, stride_divisible, stride_is), but got '"
                          << keyword << "'";
    return {};
  }
  int64_t arg = 0, dim = -1, value = 0, otherArg = -1, otherDim = -1;
  bool ofBuffer = *kind == FactKind::Aligned || *kind == FactKind::ElementsAtMost;
  if (ofBuffer ? ParseResult(parser.parseInteger(arg)) : parseExtent(parser, arg, dim))
    return {};
  if (parser.parseComma())
    return {};
  SMLoc valueLoc = parser.getCurrentLocation();
  if (*kind == FactKind::Equal ? parseExtent(parser, otherArg, otherDim)
                               : ParseResult(parser.parseInteger(value)))
    return {};
  if (parser.parseGreater())
    return {};
  bool isDivisor = *kind == FactKind::Divisible || *kind == FactKind::Aligned ||
                   *kind == FactKind::StrideDivisible;
  if (*kind != FactKind::Equal && value < (isDivisor ? 1 : 0)) {
    parser.emitError(valueLoc) << "expected a positive value, but got " << value;
    return {};
  }
  return get(parser.getContext(), *kind, arg, dim, value, otherArg, otherDim);
}

void FactAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyFactKind(getKind()) << " " << getArg();
  if (!isOfBuffer())
    printer << "[" << getDim() << "]";
  printer << ", ";
  if (getKind() == FactKind::Equal)
    printer << getOtherArg() << "[" << getOtherDim() << "]";
  else
    printer << getValue();
  printer << ">";
}
