//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensor maps: the type, and what binds an argument to one.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser::kernel_ir;

#define GET_TYPEDEF_CLASSES
#include "fuser/Dialect/Kernel/KernelTypes.cpp.inc"

void FuserGPUDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "fuser/Dialect/Kernel/KernelTypes.cpp.inc"
      >();
}

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// The type
//===----------------------------------------------------------------------===//

int64_t TensorMapType::getElementBytes() const {
  return getElementType().getIntOrFloatBitWidth() / 8;
}

int64_t TensorMapType::getBoxBytes() const {
  return llvm::product_of(getBox()) * getElementBytes();
}

LogicalResult TensorMapType::verify(EmitError emitError, ArrayRef<int64_t> box, Type elementType,
                                    int64_t swizzle) {
  if (box.empty() || int64_t(box.size()) > kMaxRank)
    return emitError() << "expected a box of 1 to " << kMaxRank << " dimensions, but got "
                       << box.size();
  for (int64_t extent : box)
    if (extent < 1 || extent > kMaxBox)
      return emitError() << "expected 1 to " << kMaxBox
                         << " elements along each dimension of a box, but got " << extent;
  const unsigned bits = elementType.isIntOrFloat() ? elementType.getIntOrFloatBitWidth() : 0;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return emitError() << "expected elements of 1, 2, 4 or 8 bytes, but got " << elementType;
  const int64_t rowBytes = box.back() * bits / 8;
  if (rowBytes % kGranule != 0)
    return emitError() << "expected rows of a multiple of " << kGranule << " bytes, but got "
                       << rowBytes;
  if (swizzle == 0)
    return success();
  if (swizzle != 32 && swizzle != 64 && swizzle != 128)
    return emitError() << "expected a swizzle of 32, 64 or 128 bytes, but got " << swizzle;
  if (rowBytes != swizzle)
    return emitError() << "expected rows of " << swizzle << " bytes, as the swizzle has, but got "
                       << rowBytes;
  return success();
}

Type TensorMapType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> box;
  Type elementType;
  int64_t swizzle = 0;
  if (parser.parseLess() ||
      parser.parseDimensionList(box, /*allowDynamic=*/false, /*withTrailingX=*/true) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("swizzle") || parser.parseEqual() || parser.parseInteger(swizzle)))
    return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), box, elementType,
                    swizzle);
}

void TensorMapType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getBox());
  printer << "x" << getElementType();
  if (getSwizzle() != 0)
    printer << ", swizzle = " << getSwizzle();
  printer << ">";
}

//===----------------------------------------------------------------------===//
// The binding
//===----------------------------------------------------------------------===//

LogicalResult TensorMapAttr::verify(EmitError emitError, int64_t operand, ArrayRef<int64_t> dims) {
  if (operand < 0)
    return emitError() << "expected the operand to be at least 0, but got " << operand;
  for (int64_t dim = 0, rank = dims.size(); dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      return emitError() << "expected each of " << rank << " dimensions once, but got [" << dims
                         << "]";
  return success();
}
