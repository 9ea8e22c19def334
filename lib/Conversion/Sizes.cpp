//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sizes of results become sizes of operands.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

void fuser::conversion::resolveSizes(Block &block) {
  OpBuilder builder(block.getParentOp()->getContext());
  FusionOp scratch = FusionOp::create(builder, block.getParentOp()->getLoc(), "scratch",
                                      builder.getFunctionType({}, {}));
  Importer importer(scratch, {});
  for (auto dim : llvm::make_early_inc_range(block.getOps<tensor::DimOp>())) {
    Value source = dim.getSource();
    std::optional<int64_t> position = dim.getConstantIndex();
    Operation *op = source.getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(source.getType());
    if (!type || !position || *position < 0 || *position >= type.getRank() || !op ||
        isa<CallOp>(op))
      continue;
    AffineExpr size = importer.getSizeExpr(source, *position);
    bool isOpaque = false;
    SmallVector<Value> values;
    builder.setInsertionPoint(dim);
    for (auto [number, symbol] : llvm::enumerate(importer.getSymbols())) {
      auto [old, at] = symbol;
      bool isUsed = size.isFunctionOfSymbol(number);
      isOpaque |= isUsed && old == source;
      if (!isUsed || isOpaque)
        old = {};
      values.push_back(!old     ? Value()
                       : at < 0 ? old
                                : Value(tensor::DimOp::create(builder, dim.getLoc(), old, at)));
      if (values.back() && !values.back().getType().isIndex())
        values.back() = arith::IndexCastOp::create(builder, dim.getLoc(), builder.getIndexType(),
                                                   values.back());
    }
    if (isOpaque)
      continue;
    for (Value &value : values)
      value = value ? value : Value(dim);
    size = simplifyAffineExpr(size, 0, values.size());
    Value result;
    if (auto constant = dyn_cast<AffineConstantExpr>(size))
      result = arith::ConstantIndexOp::create(builder, dim.getLoc(), constant.getValue());
    else
      result = buildIndexExpr(builder, dim.getLoc(), size, values);
    dim.replaceAllUsesWith(result);
    dim.erase();
  }
  scratch.erase();
}
