//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensors that are made of scalars and of bodies over their positions.
//
//===----------------------------------------------------------------------===//

#include "GenericImporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

namespace {
/// Ops that are inserted before an op of the function while it is converted.
class Scratch {
public:
  explicit Scratch(Operation *op) : builder(op), loc(op->getLoc()) {}
  ~Scratch() {
    for (Operation *op : llvm::reverse(made))
      op->erase();
  }
  template <typename OpT, typename... Args> OpT create(Args &&...args) {
    auto op = OpT::create(builder, loc, std::forward<Args>(args)...);
    made.push_back(op);
    return op;
  }

  /// A generic op without operands that gives a tensor of `type`, of the sizes of `like` where they
  /// are dynamic; `body` yields its elements.
  linalg::GenericOp createGeneric(RankedTensorType type, ArrayRef<Value> sizes,
                                  function_ref<Value(OpBuilder &, Location)> body) {
    Value empty = create<tensor::EmptyOp>(type.getShape(), type.getElementType(), sizes);
    AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    return create<linalg::GenericOp>(TypeRange(type), ValueRange(), ValueRange(empty),
                                     ArrayRef<AffineMap>{identity}, ArrayRef(iterators),
                                     [&](OpBuilder &inner, Location at, ValueRange) {
                                       linalg::YieldOp::create(inner, at, body(inner, at));
                                     });
  }

  OpBuilder builder;

private:
  Location loc;
  SmallVector<Operation *> made;
};
} // namespace

/// Converts a generic op that has one result.
static Value convertScratch(Importer &importer, linalg::GenericOp generic) {
  FailureOr<SmallVector<Value>> results = GenericImporter(importer, generic).convert({true});
  return succeeded(results) ? results->front() : Value();
}

Value Importer::convertGenerate(Operation *op, Region &body, RankedTensorType type) {
  if (!body.hasOneBlock())
    return refuse("expected a body of one block, but got several");
  Scratch scratch(op);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim)) {
      Value position = scratch.create<arith::ConstantIndexOp>(dim);
      sizes.push_back(scratch.create<tensor::DimOp>(op->getResult(0), position));
    }
  linalg::GenericOp generic =
      scratch.createGeneric(type, sizes, [&](OpBuilder &inner, Location at) -> Value {
        IRMapping mapping;
        for (BlockArgument argument : body.getArguments())
          mapping.map(argument,
                      Value(linalg::IndexOp::create(inner, at, uint64_t(argument.getArgNumber()))));
        Block &block = body.front();
        for (Operation &bodyOp : block.without_terminator())
          inner.clone(bodyOp, mapping);
        return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
      });
  return convertScratch(*this, generic);
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
      scratch.createGeneric(type, sizes, [&](OpBuilder &inner, Location at) -> Value {
        SmallVector<Value> loops;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          loops.push_back(linalg::IndexOp::create(inner, at, uint64_t(dim)));
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
        return tensor::ExtractOp::create(inner, at, gathering.getSource(), indices);
      });
  return convertScratch(*this, generic);
}
