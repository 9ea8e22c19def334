//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuser;

static Value createSplat(OpBuilder &builder, Location loc, Type type, TypedAttr element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    element = DenseElementsAttr::get(shaped, Attribute(element));
  return arith::ConstantOp::create(builder, loc, element);
}

Value kernel_ir::createConstant(OpBuilder &builder, Location loc, Type type, double number) {
  return createSplat(builder, loc, type, builder.getFloatAttr(getElementTypeOrSelf(type), number));
}

Value kernel_ir::createConstant(OpBuilder &builder, Location loc, Type type, const APInt &number) {
  return createSplat(builder, loc, type,
                     builder.getIntegerAttr(getElementTypeOrSelf(type), number));
}
