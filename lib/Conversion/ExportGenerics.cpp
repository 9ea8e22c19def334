//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Converts ops with elements and combiners to linalg.generic.
//
//===----------------------------------------------------------------------===//

#include "Exporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

FailureOr<AffineMap> Exporter::getIndexingMap(Operation *op, unsigned operand, unsigned numLoops) {
  SmallVector<AffineExpr> results;
  for (const DimMap &dim : cast<DomainMappingOpInterface>(op).getDimMaps(operand)) {
    if (dim.kind == DimMap::Kind::Mapped)
      results.push_back(builder.getAffineDimExpr(dim.id));
    else if (dim.kind == DimMap::Kind::Broadcast)
      results.push_back(builder.getAffineConstantExpr(0));
    else
      return refuse("expected operands that are read at the index of the result, but got another");
  }
  return AffineMap::get(numLoops, 0, results, op->getContext());
}

Value Exporter::getRootSize(Operation *op, unsigned id) {
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      continue;
    for (auto [dim, mapping] :
         llvm::enumerate(cast<DomainMappingOpInterface>(op).getDimMaps(number)))
      if (mapping.kind == DimMap::Kind::Mapped && mapping.id == id)
        return builder.createOrFold<tensor::DimOp>(loc, map.lookup(operand), dim);
  }
  reason = "expected an operand with the size of each dimension, but one has none";
  return {};
}

FailureOr<Value> Exporter::makeEmpty(Operation *op, RankedTensorType type, ArrayRef<unsigned> ids) {
  SmallVector<Value> sizes;
  ValueRange given;
  if (auto expand = dyn_cast<ExpandOp>(op))
    given = expand.getSizes();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    auto expand = dyn_cast<ExpandOp>(op);
    if (expand && expand.isExpanded(dim)) {
      sizes.push_back(map.lookup(given.front()));
      given = given.drop_front();
      continue;
    }
    sizes.push_back(getRootSize(op, ids[dim]));
    if (!sizes.back())
      return failure();
  }
  return Value(tensor::EmptyOp::create(builder, loc, type, sizes));
}

/// Tensor operands with their maps; scalars are captured by the body.
namespace {
struct Inputs {
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
};
} // namespace

LogicalResult Exporter::convertElementwise(ElementwiseOpInterface op) {
  if (fuser::detail::computesInComplex(op))
    return refuse("expected real elements, but its scalar form is complex");
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  SmallVector<IdKind> kinds = mapping.getRootKinds();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (int64_t(kinds.size()) != type.getRank() || op.dependsOnIndex())
    return refuse("it has no equivalent in linalg");
  Inputs inputs;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    if (op.mayReadOutside(number))
      return refuse("it has no equivalent in linalg");
    FailureOr<AffineMap> indexing = getIndexingMap(op, number, kinds.size());
    if (failed(indexing))
      return failure();
    inputs.tensors.push_back(map.lookup(operand));
    inputs.maps.push_back(*indexing);
  }
  FailureOr<Value> init =
      makeEmpty(op, type, llvm::to_vector(llvm::seq<unsigned>(0, kinds.size())));
  if (failed(init))
    return failure();
  inputs.maps.push_back(builder.getMultiDimIdentityMap(kinds.size()));
  auto generic = linalg::GenericOp::create(
      builder, loc, type, inputs.tensors, *init, inputs.maps,
      SmallVector<utils::IteratorType>(kinds.size(), utils::IteratorType::parallel),
      [&](OpBuilder &body, Location at, ValueRange arguments) {
        SmallVector<Value> elements;
        for (Value operand : op->getOperands()) {
          bool isTensor = isa<RankedTensorType>(operand.getType());
          elements.push_back(isTensor ? arguments.front() : map.lookup(operand));
          if (isTensor)
            arguments = arguments.drop_front();
        }
        linalg::YieldOp::create(body, at, op.buildElement(body, at, elements));
      });
  map.map(op->getResult(0), generic.getResult(0));
  return success();
}

LogicalResult Exporter::convertReduction(CombinerOpInterface op) {
  if (fuser::detail::computesInComplex(op))
    return refuse("expected real elements, but its scalar form is complex");
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  SmallVector<IdKind> kinds = mapping.getRootKinds();
  SmallVector<unsigned> kept;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> keptExprs;
  for (auto [id, kind] : llvm::enumerate(kinds)) {
    bool reduced = kind == IdKind::Reduction;
    iterators.push_back(reduced ? utils::IteratorType::reduction : utils::IteratorType::parallel);
    if (reduced)
      continue;
    kept.push_back(id);
    keptExprs.push_back(builder.getAffineDimExpr(id));
  }
  Inputs inputs;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    FailureOr<AffineMap> indexing = getIndexingMap(op, number, kinds.size());
    if (failed(indexing))
      return failure();
    inputs.tensors.push_back(map.lookup(operand));
    inputs.maps.push_back(*indexing);
  }
  Value count = arith::ConstantIndexOp::create(builder, loc, 1);
  for (auto [id, kind] : llvm::enumerate(kinds)) {
    if (kind != IdKind::Reduction)
      continue;
    Value size = getRootSize(op, id);
    if (!size)
      return failure();
    count = builder.createOrFold<arith::MulIOp>(loc, count, size);
  }

  // Accumulators, and the result elements that are computed from them.
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> inits;
  SmallVector<Type> types;
  SmallVector<Value> identity = op.buildIdentity(builder, loc);
  AffineMap keptMap = AffineMap::get(kinds.size(), 0, keptExprs, op->getContext());
  for (auto [value, element] : llvm::zip_equal(identity, op.getAccumulatorTypes())) {
    FailureOr<Value> empty = makeEmpty(op, resultType.clone(element), kept);
    if (failed(empty))
      return failure();
    inits.push_back(linalg::FillOp::create(builder, loc, value, *empty).getResult(0));
    types.push_back(inits.back().getType());
    inputs.maps.push_back(keptMap);
  }
  unsigned numInputs = inputs.tensors.size();
  auto reduce = linalg::GenericOp::create(
      builder, loc, types, inputs.tensors, inits, inputs.maps, iterators,
      [&](OpBuilder &body, Location at, ValueRange arguments) {
        linalg::YieldOp::create(body, at,
                                op.buildAccumulate(body, at, arguments.drop_front(numInputs),
                                                   arguments.take_front(numInputs)));
      });

  SmallVector<Value> outputs;
  for (Value result : op->getResults()) {
    FailureOr<Value> empty = makeEmpty(op, cast<RankedTensorType>(result.getType()), kept);
    if (failed(empty))
      return failure();
    outputs.push_back(*empty);
  }
  SmallVector<AffineMap> maps(types.size() + outputs.size(),
                              builder.getMultiDimIdentityMap(kept.size()));
  auto finish = linalg::GenericOp::create(
      builder, loc, TypeRange(op->getResultTypes()), reduce.getResults(), outputs, maps,
      SmallVector<utils::IteratorType>(kept.size(), utils::IteratorType::parallel),
      [&](OpBuilder &body, Location at, ValueRange arguments) {
        linalg::YieldOp::create(
            body, at, op.buildFinalize(body, at, arguments.take_front(types.size()), count));
      });
  // Most reductions need no final computation.
  Operation *yield = finish.getBody()->getTerminator();
  bool plain = op->getNumResults() == 1 && types.size() == 1 &&
               yield->getOperand(0) == finish.getBody()->getArgument(0);
  map.map(op->getResults(), plain ? reduce.getResults() : finish.getResults());
  if (plain)
    finish.erase();
  return success();
}
