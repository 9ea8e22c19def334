//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensors that are made of scalars and of bodies over their positions.
//
//===----------------------------------------------------------------------===//

#include "GenericImporter.h"
#include "Scratch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

linalg::GenericOp Scratch::createGeneric(RankedTensorType type, ArrayRef<Value> sizes, Body body) {
  Value empty = create<tensor::EmptyOp>(type.getShape(), type.getElementType(), sizes);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  return create<linalg::GenericOp>(
      TypeRange(type), ValueRange(), ValueRange(empty), ArrayRef<AffineMap>{identity},
      ArrayRef(iterators), [&](OpBuilder &inner, Location at, ValueRange) {
        SmallVector<Value> loops;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          loops.push_back(linalg::IndexOp::create(inner, at, uint64_t(dim)));
        linalg::YieldOp::create(inner, at, body(inner, at, loops));
      });
}

linalg::GenericOp Scratch::createGeneric(RankedTensorType type, Body body) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim)) {
      Value position = create<arith::ConstantIndexOp>(dim);
      sizes.push_back(create<tensor::DimOp>(op->getResult(0), position));
    }
  return createGeneric(type, sizes, body);
}

/// Converts a generic op that has one result.
static Value convertScratch(Importer &importer, linalg::GenericOp generic) {
  FailureOr<SmallVector<Value>> results = GenericImporter(importer, generic).convert({true});
  return succeeded(results) ? results->front() : Value();
}

Value Importer::compute(Operation *op, RankedTensorType type, Scratch::Body body) {
  Scratch scratch(op);
  return convertScratch(*this, scratch.createGeneric(type, body));
}

Value Importer::convertGenerate(Operation *op, Region &body, RankedTensorType type) {
  if (!body.hasOneBlock())
    return refuse("expected a body of one block, but got several");
  return compute(op, type, [&](OpBuilder &inner, Location, ArrayRef<Value> loops) -> Value {
    IRMapping mapping;
    mapping.map(body.getArguments(), loops);
    Block &block = body.front();
    for (Operation &bodyOp : block.without_terminator())
      inner.clone(bodyOp, mapping);
    return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
  });
}

Value Importer::convertFromElements(Operation *op) {
  constexpr size_t kMostElements = 128;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (op->getNumOperands() == 0 || op->getNumOperands() > kMostElements)
    return refuse("expected 1 to " + llvm::Twine(kMostElements) + " elements, but got " +
                  llvm::Twine(op->getNumOperands()));
  SmallVector<Value> elements;
  AffineExpr one = builder.getAffineConstantExpr(1);
  for (Value element : op->getOperands()) {
    Value value = lookup(element);
    value = value ? makeFull(value, {one}, convertElementType(type.getElementType())) : Value();
    if (!value)
      return {};
    elements.push_back(value);
  }
  Value all = elements.front();
  if (elements.size() > 1)
    all = CatOp::create(builder, loc, elements, 0);
  if (type.getRank() == 0)
    return SqueezeOp::create(builder, loc, all, 0);
  return type.getRank() == 1 ? all : reshape(all, type.getShape());
}

Value Importer::convertInsert(Operation *op) {
  auto insert = cast<tensor::InsertOp>(op);
  auto type = insert.getDest().getType();
  Value scalar = lookup(insert.getScalar());
  if (!scalar)
    return {};
  SmallVector<AffineExpr> ones(type.getRank(), builder.getAffineConstantExpr(1));
  Value element = makeFull(scalar, ones, type.getElementType());
  if (!element || type.getRank() == 0)
    return element;
  Value destination = lookup(insert.getDest());
  if (!destination)
    return {};
  SmallVector<OpFoldResult> offsets;
  for (Value index : insert.getIndices()) {
    if (readsTensor(index))
      return refuse("expected an insertion at indices that do not depend on data, but got another");
    offsets.push_back(materialize(getIndexExpr(index)));
    if (!offsets.back())
      return {};
  }
  SmallVector<Value> dynamic;
  SmallVector<int64_t> fixed;
  dispatchIndexOpFoldResults(offsets, dynamic, fixed);
  return fuser::InsertSliceOp::create(builder, loc, destination.getType(), element, destination,
                                      dynamic, fixed, {}, {}, {});
}

Value Importer::convertGather(Operation *op) {
  // The result has the leading dimensions of the indices, then those of the source: all of them, of
  // size 1 where they are gathered, or only the others.
  auto gathering = cast<tensor::GatherOp>(op);
  auto type = gathering.getResultType();
  int64_t leading = gathering.getIndicesType().getRank() - 1,
          rank = gathering.getSourceType().getRank();
  ArrayRef<int64_t> dims = gathering.getGatherDims();
  bool keepsAll = type.getRank() == leading + rank;
  Scratch scratch(op);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim)) {
      Value from = gathering.getIndices();
      int64_t position = dim;
      if (dim >= leading) {
        from = gathering.getSource();
        position = dim - leading;
        for (int64_t gathered : keepsAll ? ArrayRef<int64_t>() : dims)
          position += position >= gathered;
      }
      Value constant = scratch.create<arith::ConstantIndexOp>(position);
      sizes.push_back(scratch.create<tensor::DimOp>(from, constant));
    }
  linalg::GenericOp generic =
      scratch.createGeneric(type, sizes, [&](OpBuilder &inner, Location at, ArrayRef<Value> loops) {
        SmallVector<Value> indices;
        unsigned next = leading;
        for (int64_t dim = 0; dim < rank; ++dim) {
          const int64_t *found = llvm::find(dims, dim);
          if (found == dims.end()) {
            indices.push_back(loops[next++]);
            continue;
          }
          next += keepsAll;
          SmallVector<Value> of(ArrayRef(loops).take_front(leading));
          of.push_back(arith::ConstantIndexOp::create(inner, at, found - dims.begin()));
          Value index = tensor::ExtractOp::create(inner, at, gathering.getIndices(), of);
          if (!index.getType().isIndex())
            index = arith::IndexCastOp::create(inner, at, inner.getIndexType(), index);
          indices.push_back(index);
        }
        return Value(tensor::ExtractOp::create(inner, at, gathering.getSource(), indices));
      });
  return convertScratch(*this, generic);
}
