//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loops and operands of structured ops: sizes, windows, alignment; named ops become generic ones.
//
//===----------------------------------------------------------------------===//

#include "GenericImporter.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

LogicalResult Importer::convertStructured(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return refuse("expected operands that are tensors, but got buffers");
  SmallVector<bool> wanted =
      llvm::map_to_vector(op->getResults(), [](Value result) { return !result.use_empty(); });
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  Operation *scratch = nullptr;
  if (!generic) {
    OpBuilder beside(op);
    scratch = beside.clone(*op);
    IRRewriter rewriter(op->getContext());
    rewriter.setInsertionPoint(scratch);
    FailureOr<linalg::GenericOp> made =
        linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(scratch));
    if (failed(made)) {
      scratch->erase();
      return refuse("it has no form as linalg.generic");
    }
    scratch = generic = *made;
  }
  if (linalg::GenericOp rewritten = rewriteReduction(generic)) {
    if (scratch)
      scratch->erase();
    scratch = generic = rewritten;
  }
  FailureOr<SmallVector<Value>> results = GenericImporter(*this, generic).convert(wanted);
  if (scratch)
    scratch->erase();
  if (failed(results))
    return failure();
  for (auto [old, value] : llvm::zip_equal(op->getResults(), *results))
    if (value)
      map[old] = value;
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult GenericImporter::findSizes() {
  sizes.assign(op.getNumLoops(), AffineExpr());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      AffineExpr &size = sizes[loop.getPosition()];
      if (!size || (!isa<AffineConstantExpr>(size) && !type.isDynamicDim(dim)))
        size = im.getSizeExpr(operand.get(), dim);
    }
  }
  if (llvm::is_contained(sizes, AffineExpr()))
    return im.refuse("expected an operand with the size of each iterator, but one has none");
  return success();
}

void GenericImporter::findTaps() {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults()) {
      if (isa<AffineDimExpr, AffineConstantExpr>(expr))
        continue;
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        if (expr.isFunctionOfDim(loop) && iterators[loop] == utils::IteratorType::reduction &&
            !isTap(loop))
          tapLoops.push_back(loop);
    }
  // A window that is too large, or of dynamic size, is read element by element.
  constexpr int64_t kMostTaps = 128;
  int64_t rounds = 1;
  for (unsigned loop : tapLoops) {
    auto size = dyn_cast<AffineConstantExpr>(sizes[loop]);
    rounds = size && rounds <= kMostTaps ? rounds * size.getValue() : 0;
  }
  if (rounds < 1 || rounds > kMostTaps)
    tapLoops.clear();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!isTap(loop))
      loops.push_back(loop);
}

AffineExpr GenericImporter::substituteTaps(AffineExpr expr) {
  SmallVector<AffineExpr> dims;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    dims.push_back(isTap(loop) ? getAffineConstantExpr(taps.lookup(loop), op.getContext())
                               : getAffineDimExpr(loop, op.getContext()));
  return simplifyAffineExpr(expr.replaceDims(dims), dims.size(), 0);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// `expr` as offset + step * loop, without a loop if it is constant. Fails for other forms.
static FailureOr<std::pair<int64_t, int64_t>>
getStep(AffineExpr expr, std::optional<unsigned> &loop, unsigned numLoops) {
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(expr, numLoops, 0, &flat)) || flat.size() != numLoops + 1)
    return failure();
  int64_t step = 0;
  for (unsigned dim = 0; dim < numLoops; ++dim) {
    if (flat[dim] == 0)
      continue;
    if (loop || flat[dim] < 0)
      return failure();
    loop = dim;
    step = flat[dim];
  }
  if (flat.back() < 0)
    return failure();
  return std::pair(flat.back(), step);
}

bool GenericImporter::isWindow(AffineMap map) {
  llvm::SmallBitVector used(op.getNumLoops());
  for (AffineExpr expr : map.getResults()) {
    std::optional<unsigned> loop;
    if (failed(getStep(substituteTaps(expr), loop, op.getNumLoops())) || (loop && used.test(*loop)))
      return false;
    if (loop)
      used.set(*loop);
  }
  return true;
}

Value GenericImporter::readWindow(Value value, AffineMap map, Loops &read) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> offsets, shape, steps, squeezed;
  SmallVector<Value> dynamic;
  bool whole = true;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    std::optional<unsigned> loop;
    FailureOr<std::pair<int64_t, int64_t>> step =
        getStep(substituteTaps(expr), loop, op.getNumLoops());
    if (failed(step))
      return im.refuse("expected maps of iterators, constants and sums of them with one that is "
                       "not reduced, but got another");
    if (isa<AffineDimExpr>(expr) && loop) { // the whole dimension
      read.push_back(*loop);
      offsets.push_back(0);
      steps.push_back(1);
      shape.push_back(type.getDimSize(dim));
      if (type.isDynamicDim(dim))
        dynamic.push_back({});
      continue;
    }
    whole &= !loop && type.getDimSize(dim) == 1;
    offsets.push_back(step->first);
    steps.push_back(loop ? step->second : 1);
    if (loop) {
      read.push_back(*loop);
      OpFoldResult size = im.materialize(sizes[*loop]);
      if (!size)
        return {};
      std::optional<int64_t> fixed = getConstantIntValue(size);
      shape.push_back(fixed.value_or(ShapedType::kDynamic));
      if (!fixed)
        dynamic.push_back(cast<Value>(size));
    } else {
      shape.push_back(1);
      squeezed.push_back(dim);
    }
  }
  if (!whole) {
    // Dynamic dimensions that are read as a whole.
    for (auto [position, size] : llvm::enumerate(dynamic)) {
      if (size)
        continue;
      unsigned seen = 0, dim = 0;
      for (;; ++dim)
        if (ShapedType::isDynamic(shape[dim]) && seen++ == position)
          break;
      size = tensor::DimOp::create(im.builder, im.loc, value, dim);
    }
    bool unit = llvm::all_of(steps, [](int64_t step) { return step == 1; });
    value = SliceOp::create(im.builder, im.loc, RankedTensorType::get(shape, type.getElementType()),
                            value, ValueRange(), dynamic, im.builder.getDenseI64ArrayAttr(offsets),
                            im.builder.getDenseI64ArrayAttr(shape),
                            unit ? DenseI64ArrayAttr() : im.builder.getDenseI64ArrayAttr(steps), {},
                            {}, {});
  }
  if (!squeezed.empty())
    value = SqueezeOp::create(im.builder, im.loc, value, squeezed);
  return value;
}

Value GenericImporter::align(Value value, AffineMap map, ArrayRef<unsigned> target) {
  if (!value || !isa<RankedTensorType>(value.getType()))
    return value;
  // If the map has constants for loops that it lacks, the dimensions of size 1 are in place
  // already.
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == int64_t(target.size()) &&
      llvm::all_of(llvm::seq<int64_t>(0, type.getRank()), [&](int64_t dim) {
        AffineExpr expr = map.getResult(dim);
        if (auto loop = dyn_cast<AffineDimExpr>(expr))
          return loop.getPosition() == target[dim];
        return isa<AffineConstantExpr>(expr) && type.getDimSize(dim) == 1 &&
               !map.isFunctionOfDim(target[dim]);
      }))
    return value;
  Loops read;
  value = readWindow(value, map, read);
  if (!value)
    return {};
  SmallVector<int64_t> permutation, missing;
  for (auto [position, loop] : llvm::enumerate(target)) {
    unsigned count = llvm::count(read, loop);
    if (count > 1)
      return im.refuse("expected an operand that uses each iterator once, but got a diagonal");
    if (count == 1)
      permutation.push_back(llvm::find(read, loop) - read.begin());
    else
      missing.push_back(position);
  }
  if (!llvm::is_sorted(permutation))
    value = PermuteOp::create(im.builder, im.loc, value, permutation);
  if (!missing.empty())
    value = BroadcastOp::create(im.builder, im.loc, value, missing);
  return value;
}

Value GenericImporter::expand(Value value, ArrayRef<unsigned> over) {
  if (!value)
    return {};
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return im.makeFull(value, llvm::map_to_vector(over, [&](unsigned loop) { return sizes[loop]; }),
                       convertElementType(value.getType()));
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<Value> dynamic;
  bool changed = false;
  for (auto [dim, loop] : llvm::enumerate(over)) {
    if (shape[dim] != 1)
      continue;
    OpFoldResult size = im.materialize(sizes[loop]);
    if (!size)
      return {};
    std::optional<int64_t> fixed = getConstantIntValue(size);
    shape[dim] = fixed.value_or(ShapedType::kDynamic);
    changed |= shape[dim] != 1;
    if (!fixed)
      dynamic.push_back(cast<Value>(size));
  }
  if (!changed)
    return value;
  return ExpandOp::create(im.builder, im.loc, RankedTensorType::get(shape, type.getElementType()),
                          value, dynamic, {}, {}, {});
}

Value GenericImporter::arrange(Value value, ArrayRef<unsigned> over, AffineMap map) {
  if (!value)
    return {};
  SmallVector<int64_t> permutation, ones;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      permutation.push_back(llvm::find(over, loop.getPosition()) - over.begin());
    else
      ones.push_back(dim);
  }
  if (!llvm::is_sorted(permutation))
    value = PermuteOp::create(im.builder, im.loc, value, permutation);
  if (!ones.empty())
    value = BroadcastOp::create(im.builder, im.loc, value, ones);
  return value;
}
