//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bodies and results of structured ops: pointwise ops, reductions, matrix products.
//
//===----------------------------------------------------------------------===//

#include "GenericImporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

FailureOr<SmallVector<Value>> GenericImporter::convert(ArrayRef<bool> wanted) {
  if (failed(checkBody()) || failed(findSizes()))
    return failure();
  findTaps();
  SmallVector<Value> results(op->getNumResults());
  if (failed(convertVariance(results)) || failed(convertIndexedResults(wanted, results)))
    return failure();
  for (auto [index, result] : llvm::enumerate(results)) {
    if (!wanted[index] || result)
      continue;
    result = convertResult(index);
    if (!result)
      return failure();
  }
  return results;
}

LogicalResult GenericImporter::checkBody() {
  for (Operation &bodyOp : op.getBody()->without_terminator()) {
    // A division may have no value, which is no effect.
    if (isMemoryEffectFree(&bodyOp) && bodyOp.getNumRegions() == 0)
      continue;
    // Matched by name, so that this room does not depend on cf.
    if (bodyOp.getName().getStringRef() == "cf.assert" && im.options.dropAsserts) {
      im.dropped.push_back(&bodyOp);
      continue;
    }
    return im.refuse("expected a body without effects, but got '" +
                     bodyOp.getName().getStringRef() + "'");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Value GenericImporter::eval(Value bodyValue) {
  if (Value known = values.lookup(bodyValue))
    return known;
  Value value;
  if (auto argument = dyn_cast<BlockArgument>(bodyValue);
      argument && argument.getOwner() == op.getBody())
    value = evalArgument(argument);
  else if (Operation *bodyOp = bodyValue.getDefiningOp(); bodyOp && op->isProperAncestor(bodyOp))
    value = evalOp(bodyOp);
  else
    value = im.lookup(bodyValue);
  // A scalar that is read from a tensor is a tensor of rank 0.
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  if (type && type.getRank() == 0 && !loops.empty())
    value = BroadcastOp::create(im.builder, im.loc, value,
                                llvm::to_vector(llvm::seq<int64_t>(0, loops.size())));
  return values[bodyValue] = value;
}

Value GenericImporter::evalArgument(BlockArgument argument) {
  OpOperand &operand = op->getOpOperand(argument.getArgNumber());
  if (reducing && op.isDpsInit(&operand))
    return im.refuse("expected a body that combines its running value with another (add, mul, "
                     "minimum, maximum, minnum, maxnum, and, or), but got another use of it");
  AffineMap map = op.getMatchingIndexingMap(&operand);
  Value value = im.lookup(operand.get());
  if (value && isa<RankedTensorType>(value.getType()) && !isWindow(map))
    return readAtMap(value, operand.get(), map);
  return align(value, map, loops);
}

Value GenericImporter::evalIndex(unsigned loop) {
  Type i64 = im.builder.getI64Type();
  if (isTap(loop))
    return im.makeScalar(im.builder.getIndexAttr(taps.lookup(loop)));
  OpFoldResult size = im.materialize(sizes[loop]);
  if (!size)
    return {};
  std::optional<int64_t> fixed = getConstantIntValue(size);
  Value start = im.makeScalar(im.builder.getI64IntegerAttr(0)),
        step = im.makeScalar(im.builder.getI64IntegerAttr(1));
  Value counted = IotaOp::create(im.builder, im.loc,
                                 RankedTensorType::get({fixed.value_or(ShapedType::kDynamic)}, i64),
                                 start, step, fixed ? Value() : cast<Value>(size), {}, {}, {});
  return align(counted, AffineMap::get(op.getNumLoops(), 0, im.builder.getAffineDimExpr(loop)),
               loops);
}

Value GenericImporter::evalOp(Operation *bodyOp) {
  if (auto index = dyn_cast<linalg::IndexOp>(bodyOp))
    return evalIndex(index.getDim());
  if (auto extract = dyn_cast<tensor::ExtractOp>(bodyOp))
    return evalExtract(extract);
  if (isa<tensor::DimOp>(bodyOp))
    return im.lookup(bodyOp->getResult(0));
  SmallVector<Value> operands;
  for (Value operand : bodyOp->getOperands()) {
    operands.push_back(eval(operand));
    if (!operands.back())
      return {};
  }
  auto isTensor = [](Value value) { return isa<RankedTensorType>(value.getType()); };
  if (llvm::none_of(operands, isTensor)) {
    IRMapping mapping;
    mapping.map(bodyOp->getOperands(), operands);
    if (bodyOp->getNumResults() != 1)
      return im.refuse("'" + bodyOp->getName().getStringRef() + "' has no counterpart");
    return im.builder.clone(*bodyOp, mapping)->getResult(0);
  }
  for (Value &operand : operands)
    if (operand.getType().isIndex())
      operand = arith::IndexCastOp::create(im.builder, im.loc, im.builder.getI64Type(), operand);
  std::string why;
  Value value = convertElement(im.builder, im.loc, bodyOp, operands, why);
  return value ? value : Value(im.refuse(why));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

FailureOr<GenericImporter::Loops> GenericImporter::findReduced(AffineMap map) {
  Loops reduced;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (map.isFunctionOfDim(loop))
      continue;
    if (iterator == utils::IteratorType::parallel &&
        sizes[loop] != im.builder.getAffineConstantExpr(1))
      return im.refuse("expected results that use every parallel iterator, but one does not");
    reduced.push_back(loop);
  }
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return im.refuse("expected results at iterators, but got another map");
  return reduced;
}

bool GenericImporter::isReduction(ArrayRef<unsigned> reduced) {
  return llvm::any_of(reduced, [&](unsigned loop) {
    return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  });
}

Value GenericImporter::convertResult(unsigned result) {
  OpOperand *init = op.getDpsInitOperand(result);
  AffineMap map = op.getMatchingIndexingMap(init);
  Value yielded = op.getBody()->getTerminator()->getOperand(result);
  FailureOr<Loops> found = findReduced(map);
  if (failed(found))
    return {};
  const Loops &reduced = *found;

  values.clear();
  reducing = isReduction(reduced);
  if (!reducing) {
    Value value = expand(eval(yielded), loops);
    for (unsigned loop : llvm::reverse(reduced)) // parallel iterators of size 1
      if (value)
        value = SqueezeOp::create(im.builder, im.loc, value,
                                  int64_t(llvm::find(loops, loop) - loops.begin()));
    Loops left = loops;
    llvm::erase_if(left, [&](unsigned loop) { return llvm::is_contained(reduced, loop); });
    return arrange(value, left, map);
  }

  std::optional<Combiner> combiner = Combiner::match(yielded, op.getMatchingBlockArgument(init));
  if (!combiner)
    return im.refuse("expected a body that combines its running value with another (add, mul, "
                     "minimum, maximum, minnum, maxnum, and, or), but got another");
  int64_t rounds = 1;
  for (unsigned loop : tapLoops)
    rounds *= cast<AffineConstantExpr>(sizes[loop]).getValue();
  Value total;
  for (int64_t round = 0; round < rounds; ++round) {
    int64_t rest = round;
    for (unsigned loop : llvm::reverse(tapLoops)) {
      int64_t size = cast<AffineConstantExpr>(sizes[loop]).getValue();
      taps[loop] = rest % size;
      rest /= size;
    }
    values.clear();
    Value value = reduceRound(*combiner, combiner->input, map);
    if (!value)
      return {};
    total = total ? combiner->combine(im.builder, im.loc, total, value) : value;
  }
  Type type = getElementTypeOrSelf(total.getType()),
       stored = convertElementType(getElementTypeOrSelf(init->get().getType()));
  auto castTo = [&](Type to, Value value) -> Value {
    return type == stored ? value : Value(CastOp::create(im.builder, im.loc, to, value));
  };
  TypedAttr initial = im.getUniformConstant(init->get());
  if (initial && combiner->isNeutral(initial))
    return castTo(stored, total);
  Value before = im.lookup(init->get());
  if (!before)
    return {};
  return castTo(stored, combiner->combine(im.builder, im.loc, castTo(type, before), total));
}

//===----------------------------------------------------------------------===//
// Extremes with their indices
//===----------------------------------------------------------------------===//

LogicalResult GenericImporter::convertIndexedResults(ArrayRef<bool> wanted,
                                                     MutableArrayRef<Value> results) {
  Operation *yield = op.getBody()->getTerminator();
  auto running = [&](unsigned result) {
    return op.getMatchingBlockArgument(op.getDpsInitOperand(result));
  };
  auto mapOf = [&](unsigned result) {
    return op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  };
  for (unsigned index = 0; index < results.size(); ++index) {
    if (!wanted[index] || results[index] ||
        Combiner::match(yield->getOperand(index), running(index)))
      continue;
    for (unsigned value = 0; value < results.size(); ++value) {
      if (value == index || mapOf(value) != mapOf(index))
        continue;
      std::optional<Extreme> extreme = Extreme::match(yield->getOperand(value), running(value),
                                                      yield->getOperand(index), running(index));
      if (!extreme)
        continue;
      FailureOr<Loops> reduced = findReduced(mapOf(value));
      if (failed(reduced))
        return failure();
      if (!isReduction(*reduced))
        continue;
      auto both = convertExtreme(*extreme, value, index, *reduced);
      if (failed(both))
        return failure();
      std::tie(results[value], results[index]) = *both;
    }
  }
  return success();
}

bool GenericImporter::countsFromZero(Value bodyIndex, ArrayRef<unsigned> reduced) {
  while (auto cast = bodyIndex.getDefiningOp<arith::IndexCastOp>())
    bodyIndex = cast.getIn();
  auto index = bodyIndex.getDefiningOp<linalg::IndexOp>();
  return index && reduced.size() == 1 && index.getDim() == reduced.front();
}

FailureOr<std::pair<Value, Value>> GenericImporter::convertExtreme(const Extreme &extreme,
                                                                   unsigned valueResult,
                                                                   unsigned indexResult,
                                                                   ArrayRef<unsigned> reduced) {
  if (!tapLoops.empty())
    return im.refuse("expected an extreme and its index over whole dimensions, but got a window");
  values.clear();
  reducing = true;
  OpBuilder &builder = im.builder;
  Value value = expand(eval(extreme.value), loops);
  Value index = value ? expand(eval(extreme.index), loops) : Value();
  if (!index)
    return failure();
  // The extreme is the greatest of signed values, and the index the smallest of i32 or i64.
  Type i64 = builder.getI64Type(), indexType = getElementTypeOrSelf(index.getType());
  if (!indexType.isInteger(32) && !indexType.isInteger(64))
    index = CastOp::create(builder, im.loc, i64, index);
  if (extreme.isUnsigned)
    value = flipSign(builder, im.loc, value);
  if (extreme.skipsNaN && isa<FloatType>(getElementTypeOrSelf(value.getType())))
    value = replaceNaN(builder, im.loc, value, /*negative=*/extreme.isMaximum);
  if (extreme.takesLast)
    index = BitwiseNotOp::create(builder, im.loc, index);
  Loops left;
  SmallVector<int64_t> dims;
  for (auto [dim, loop] : llvm::enumerate(loops))
    if (llvm::is_contained(reduced, loop))
      dims.push_back(dim);
    else
      left.push_back(loop);
  Operation *reduce =
      extreme.isMaximum
          ? MaxWithIndexOp::create(builder, im.loc, value, index, dims).getOperation()
          : MinWithIndexOp::create(builder, im.loc, value, index, dims).getOperation();
  value = reduce->getResult(0);
  index = reduce->getResult(1);
  if (extreme.takesLast)
    index = BitwiseNotOp::create(builder, im.loc, index);
  if (extreme.isUnsigned)
    value = flipSign(builder, im.loc, value);
  if (getElementTypeOrSelf(index.getType()) != indexType)
    index = CastOp::create(builder, im.loc, indexType, index);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(valueResult));
  value = arrange(value, left, map);
  index = arrange(index, left, map);

  // The initial values: where they win, or where no element is better, they stay.
  Value initialValue = op.getDpsInitOperand(valueResult)->get(),
        initialIndex = op.getDpsInitOperand(indexResult)->get();
  Combiner combiner{extreme.isUnsigned  ? extreme.isMaximum ? Combiner::Kind::MaxUnsigned
                                                            : Combiner::Kind::MinUnsigned
                    : extreme.isMaximum ? Combiner::Kind::Maximum
                                        : Combiner::Kind::Minimum,
                    Value()};
  TypedAttr neutral = im.getUniformConstant(initialValue),
            first = im.getUniformConstant(initialIndex);
  bool isNeutral = neutral && combiner.isNeutral(neutral);
  bool hasElements = llvm::all_of(reduced, [&](unsigned loop) {
    auto size = dyn_cast<AffineConstantExpr>(sizes[loop]);
    return size && size.getValue() > 0;
  });
  auto zero = dyn_cast_or_null<IntegerAttr>(first);
  if (isNeutral && hasElements && zero && zero.getValue().isZero() && !extreme.takesLast &&
      countsFromZero(extreme.index, reduced))
    return std::pair(value, index);
  Value valueBefore = im.lookup(initialValue);
  Value indexBefore = valueBefore ? im.lookup(initialIndex) : Value();
  if (!indexBefore)
    return failure();
  Value lhs = valueBefore, rhs = value;
  if (!extreme.isMaximum)
    std::swap(lhs, rhs);
  if (extreme.isUnsigned) {
    lhs = flipSign(builder, im.loc, lhs);
    rhs = flipSign(builder, im.loc, rhs);
  }
  // NaN is better than any initial value, unless NaN is skipped.
  Value isBetter;
  if (extreme.takesLast)
    isBetter = LeOp::create(builder, im.loc, lhs, rhs);
  else
    isBetter = LtOp::create(builder, im.loc, lhs, rhs);
  if (!extreme.skipsNaN && isa<FloatType>(getElementTypeOrSelf(value.getType()))) {
    Value isNaN = IsNanOp::create(builder, im.loc, value);
    isBetter = LogicalOrOp::create(builder, im.loc, isBetter, isNaN);
  }
  index = WhereOp::create(builder, im.loc, isBetter, index, indexBefore);
  if (!isNeutral)
    value = combiner.combine(builder, im.loc, valueBefore, value);
  return std::pair(value, index);
}

Value GenericImporter::reduceRound(const Combiner &combiner, Value input, AffineMap map) {
  if (combiner.kind == Combiner::Kind::Add)
    if (Value product = multiplyRound(input, map))
      return product;
  Value value = expand(eval(input), loops);
  if (!value)
    return {};
  Loops left;
  SmallVector<int64_t> dims;
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    if (map.isFunctionOfDim(loop))
      left.push_back(loop);
    else
      dims.push_back(dim);
  }
  if (!dims.empty())
    value = combiner.reduce(im.builder, im.loc, value, dims);
  return arrange(value, left, map);
}

/// The argument of the body that `value` is, possibly after a widening cast; else null.
static BlockArgument getFactor(Value value) {
  if (auto widen = value.getDefiningOp<arith::ExtFOp>())
    value = widen.getIn();
  return dyn_cast<BlockArgument>(value);
}

std::optional<GenericImporter::Product> GenericImporter::matchProduct(Value input, AffineMap map) {
  Operation *multiply = input.getDefiningOp();
  if (!multiply || !isa<arith::MulFOp, arith::MulIOp>(multiply))
    return std::nullopt;
  BlockArgument left = getFactor(multiply->getOperand(0)),
                right = getFactor(multiply->getOperand(1));
  if (!left || !right || left == right || left.getOwner() != op.getBody() ||
      right.getOwner() != op.getBody() || left.getType() != right.getType())
    return std::nullopt;
  Product product;
  product.a = &op->getOpOperand(left.getArgNumber());
  product.b = &op->getOpOperand(right.getArgNumber());
  for (OpOperand *factor : {product.a, product.b})
    if (op.isDpsInit(factor) || !isa<RankedTensorType>(factor->get().getType()))
      return std::nullopt;
  product.mapA = op.getMatchingIndexingMap(product.a);
  product.mapB = op.getMatchingIndexingMap(product.b);
  if (!isWindow(product.mapA) || !isWindow(product.mapB))
    return std::nullopt;
  Loops sums;
  for (unsigned loop : loops) {
    bool inA = product.mapA.isFunctionOfDim(loop), inB = product.mapB.isFunctionOfDim(loop);
    bool stays = map.isFunctionOfDim(loop);
    if (stays ? !inA && !inB : !inA || !inB)
      return std::nullopt;
    Loops &kind = !stays ? sums : inA && inB ? product.batch : inA ? product.m : product.n;
    kind.push_back(loop);
  }
  if (sums.size() != 1)
    return std::nullopt;
  product.sum = sums.front();
  return product;
}

Value GenericImporter::multiplyRound(Value input, AffineMap map) {
  std::optional<Product> product = matchProduct(input, map);
  if (!product)
    return {};
  if (product->batch.empty() && product->m.size() == 1 && product->n.size() > 1)
    product->swap();
  AffineMap mapB = product->mapB;
  bool weightLast = mapB.getNumResults() == 2 && isa<AffineDimExpr>(mapB.getResult(0)) &&
                    mapB.getResult(0).isFunctionOfDim(product->sum);
  Type element = convertElementType(input.getType());
  if (product->batch.empty() && product->n.size() == 1 && (product->m.size() != 1 || !weightLast))
    return buildLinear(*product, element, map);
  // A sum of products of vectors is a reduction like any other.
  bool isDot = product->m.empty() && product->n.empty();
  if (isDot || product->m.size() > 1 || product->n.size() > 1)
    return {};
  return buildMatmul(*product, element, map);
}

Value GenericImporter::buildLinear(const Product &product, Type element, AffineMap map) {
  Loops over = product.m, overA = product.m, overB = product.n;
  overA.push_back(product.sum);
  overB.push_back(product.sum);
  Value lhs = align(im.lookup(product.a->get()), product.mapA, overA);
  Value rhs = lhs ? align(im.lookup(product.b->get()), product.mapB, overB) : Value();
  if (!rhs)
    return {};
  SmallVector<int64_t> shape(cast<RankedTensorType>(lhs.getType()).getShape().drop_back());
  shape.push_back(cast<RankedTensorType>(rhs.getType()).getDimSize(0));
  over.append(product.n);
  return arrange(LinearOp::create(im.builder, im.loc, RankedTensorType::get(shape, element), lhs,
                                  rhs, Value(), {}, {}, {}),
                 over, map);
}

Value GenericImporter::buildMatmul(const Product &product, Type element, AffineMap map) {
  Loops over = product.batch, overB = product.batch;
  over.append(product.m);
  Loops overA = over;
  overA.push_back(product.sum);
  overB.push_back(product.sum);
  overB.append(product.n);
  Value lhs = align(im.lookup(product.a->get()), product.mapA, overA);
  Value rhs = lhs ? align(im.lookup(product.b->get()), product.mapB, overB) : Value();
  if (!rhs)
    return {};
  int64_t rank = product.batch.size();
  if (product.m.empty())
    lhs = BroadcastOp::create(im.builder, im.loc, lhs, rank);
  if (product.n.empty())
    rhs = BroadcastOp::create(im.builder, im.loc, rhs, rank + 1);
  auto lhsType = cast<RankedTensorType>(lhs.getType()),
       rhsType = cast<RankedTensorType>(rhs.getType());
  SmallVector<int64_t> shape;
  for (auto [x, y] :
       llvm::zip_equal(lhsType.getShape().drop_back(2), rhsType.getShape().drop_back(2)))
    shape.push_back(ShapedType::isDynamic(x) ? y : x);
  shape.push_back(lhsType.getDimSize(rank));
  shape.push_back(rhsType.getDimSize(rank + 1));
  Value result = MatmulOp::create(im.builder, im.loc, RankedTensorType::get(shape, element), lhs,
                                  rhs, {}, {}, {});
  if (product.n.empty())
    result = SqueezeOp::create(im.builder, im.loc, result, rank + 1);
  if (product.m.empty())
    result = SqueezeOp::create(im.builder, im.loc, result, rank);
  over.append(product.n);
  return arrange(result, over, map);
}
