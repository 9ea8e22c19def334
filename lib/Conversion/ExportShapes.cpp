//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops that have a counterpart in tensor.
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

Exporter::Exporter(FusionOp fusion, func::FuncOp function)
    : builder(function.getContext()), loc(fusion.getLoc()) {
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  map.map(fusion.getBody().front().getArguments(), entry->getArguments());
}

LogicalResult Exporter::convert(Operation *op) {
  loc = op->getLoc();
  if (isa<fuser::ReturnOp>(op)) {
    func::ReturnOp::create(builder, loc, lookupAll(op->getOperands()));
    return success();
  }
  if (fuser::detail::isScheduled(op))
    return refuse("expected an op without a schedule, but got one");
  bool handled = true;
  LogicalResult shape = convertShape(op, handled);
  if (handled)
    return shape;
  if (auto elementwise = dyn_cast<ElementwiseOpInterface>(op))
    return convertElementwise(elementwise);
  if (auto combiner = dyn_cast<CombinerOpInterface>(op))
    return convertReduction(combiner);
  if (isa<FuserDialect>(op->getDialect()) || op->getNumRegions() > 0)
    return refuse("it has no equivalent in linalg");
  builder.clone(*op, map); // scalars and sizes
  return success();
}

/// Consecutive dimensions in groups of these sizes.
static SmallVector<ReassociationIndices> getReassociation(ArrayRef<int64_t> counts) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t count : counts) {
    if (count > 0)
      groups.push_back(llvm::to_vector<2>(llvm::seq(next, next + count)));
    next += count;
  }
  return groups;
}

/// Merges each group of dimensions, then splits it.
LogicalResult Exporter::convertReshape(ReshapeOp op) {
  Value value = map.lookup(op.getInput());
  auto from = cast<RankedTensorType>(value.getType()), to = op.getResult().getType();
  if (from == to) {
    map.map(op.getResult(), value);
    return success();
  }
  std::string reason;
  std::optional<ReshapePlan> plan = planReshape(op, from.getShape(), to.getShape(), reason);
  if (!plan)
    return refuse(reason);
  SmallVector<int64_t> merged, split, middle;
  ArrayRef<int64_t> sizes = from.getShape();
  for (const ReshapeGroup &group : plan->groups) {
    merged.push_back(group.from);
    split.push_back(group.to);
    ArrayRef<int64_t> own = sizes.take_front(group.from);
    sizes = sizes.drop_front(group.from);
    bool isDynamic = llvm::any_of(own, ShapedType::isDynamic);
    middle.push_back(isDynamic ? ShapedType::kDynamic : ShapedType::getNumElements(own));
  }
  if (from.getRank() == 0 || to.getRank() == 0)
    middle.clear(); // one element, without dimensions
  auto flat = RankedTensorType::get(middle, from.getElementType());
  if (flat != from)
    value = tensor::CollapseShapeOp::create(builder, loc, flat, value,
                                            middle.empty() ? SmallVector<ReassociationIndices>()
                                                           : getReassociation(merged));
  if (flat != to) {
    SmallVector<ReassociationIndices> groups;
    if (!middle.empty())
      groups = getReassociation(split);
    auto isForgotten = [&](auto group) {
      return !ShapedType::isDynamic(middle[group.index()]) &&
             llvm::any_of(group.value(), [&](int64_t dim) { return to.isDynamicDim(dim); });
    };
    // Upstream computes no size that it could be.
    FailureOr<SmallVector<OpFoldResult>> all = failure();
    if (llvm::none_of(llvm::enumerate(groups), isForgotten))
      all = tensor::ExpandShapeOp::inferOutputShape(builder, loc, to, groups,
                                                    tensor::getMixedSizes(builder, loc, value));
    if (failed(all))
      return refuse("expected a static result where sizes are static, but got a dynamic one");
    value = tensor::ExpandShapeOp::create(builder, loc, to, value, groups, *all);
  }
  map.map(op.getResult(), value);
  return success();
}

LogicalResult Exporter::convertFull(FullOp op) {
  RankedTensorType type = op.getResult().getType();
  Value value = ElementBuilder(builder, loc, type)
                    .convertTo(map.lookup(op.getValue()), type.getElementType());
  Value empty = tensor::EmptyOp::create(builder, loc, type, lookupAll(op.getSizes()));
  map.map(op.getResult(), linalg::FillOp::create(builder, loc, value, empty).getResult(0));
  return success();
}

LogicalResult Exporter::convertIota(IotaOp op) {
  RankedTensorType type = op.getResult().getType();
  SmallVector<Value> sizes;
  if (op.getLength())
    sizes.push_back(map.lookup(op.getLength()));
  Value empty = tensor::EmptyOp::create(builder, loc, type, sizes);
  SmallVector<Value> operands{map.lookup(op.getStart()), map.lookup(op.getStep())};
  auto generic = linalg::GenericOp::create(
      builder, loc, type, ValueRange(), empty, builder.getMultiDimIdentityMap(1),
      utils::IteratorType::parallel, [&](OpBuilder &body, Location at, ValueRange) {
        Value inRange[2] = {};
        Value element = op.buildElementAt(body, at, operands, inRange, [&](unsigned id) -> Value {
          return linalg::IndexOp::create(body, at, id);
        });
        linalg::YieldOp::create(body, at, element);
      });
  map.map(op.getResult(), generic.getResult(0));
  return success();
}

LogicalResult Exporter::convertShape(Operation *op, bool &handled) {
  auto mixed = [&](ArrayRef<int64_t> fixed, ValueRange dynamic) {
    return getMixedValues(fixed, lookupAll(dynamic), builder);
  };
  auto ones = [&](size_t count) {
    return SmallVector<OpFoldResult>(count, builder.getIndexAttr(1));
  };
  auto sizesOf = [&](Value value) { return tensor::getMixedSizes(builder, loc, value); };
  if (isa<SetOp, SegmentSetOp>(op)) {
    map.map(op->getResult(0), map.lookup(op->getOperand(0)));
    return success();
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return convertReshape(reshape);
  if (auto full = dyn_cast<FullOp>(op))
    return convertFull(full);
  if (auto iota = dyn_cast<IotaOp>(op))
    return convertIota(iota);
  if (auto pad = dyn_cast<fuser::PadOp>(op)) {
    for (ArrayRef<int64_t> amounts : {pad.getStaticLow(), pad.getStaticHigh()})
      for (int64_t amount : amounts)
        if (amount < 0)
          return refuse(
              "expected padding amounts of at least 0, as tensor.pad requires, but got others");
    RankedTensorType type = pad.getResult().getType();
    Value value = ElementBuilder(builder, loc, type)
                      .convertTo(map.lookup(pad.getValue()), type.getElementType());
    map.map(pad.getResult(),
            tensor::PadOp::create(builder, loc, type, map.lookup(pad.getInput()),
                                  mixed(pad.getStaticLow(), pad.getLow()),
                                  mixed(pad.getStaticHigh(), pad.getHigh()), value));
    return success();
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    SmallVector<OpFoldResult> strides = ones(slice.getStaticSizes().size());
    if (slice.getStrides())
      strides = mixed(*slice.getStrides(), {});
    map.map(slice.getResult(),
            tensor::ExtractSliceOp::create(
                builder, loc, slice.getResult().getType(), map.lookup(slice.getInput()),
                mixed(slice.getStaticOffsets(), slice.getOffsets()),
                mixed(slice.getStaticSizes(), slice.getSizes()), strides));
    return success();
  }
  if (auto insert = dyn_cast<fuser::InsertSliceOp>(op)) {
    Value source = map.lookup(insert.getSource());
    map.map(insert.getResult(),
            tensor::InsertSliceOp::create(builder, loc, source, map.lookup(insert.getDestination()),
                                          mixed(insert.getStaticOffsets(), insert.getOffsets()),
                                          sizesOf(source), ones(insert.getStaticOffsets().size())));
    return success();
  }
  if (auto cat = dyn_cast<CatOp>(op)) {
    map.map(cat.getResult(), tensor::ConcatOp::create(builder, loc, cat.getResult().getType(),
                                                      cat.getDim(), lookupAll(cat.getInputs())));
    return success();
  }
  handled = false;
  return success();
}
