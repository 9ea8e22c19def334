//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Layouts of buffers.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/Contiguity.h"
#include "fuser/Dialect/IR/Fuser.h"

using namespace mlir;
using namespace fuser;

void BufferLayout::setStrides(function_ref<bool(unsigned)> isStrided) {
  AffineExpr stride = getAffineConstantExpr(1, context);
  bool dense = true;
  numContiguous = 0;
  for (unsigned position = dims.size(); position-- > 0;) {
    BufferDim &dim = dims[position];
    bool strided = isStrided(position);
    // The index of a dimension of size 1 is 0: its stride moves nothing.
    bool isUnit = dim.extent == getAffineConstantExpr(1, context);
    dim.stride = strided && !isUnit ? AffineExpr() : stride;
    dense &= !strided || isUnit;
    numContiguous += dense;
    stride = stride * dim.extent;
  }
}

BufferLayout BufferLayout::ofArgument(FunctionOpInterface program, const ExtentAnalysis &extents,
                                      unsigned argument) {
  BufferLayout result(program->getContext());
  LayoutAttr layout = detail::getArgLayout(program, argument);
  Value value = program.getArgument(argument);
  for (int64_t dim : layout.getOrder())
    result.dims.push_back({unsigned(dim), extents.getExtent(value, dim), {}});
  result.setStrides([&](unsigned position) { return !layout.isContiguousAt(position); });
  return result;
}

/// The argument whose buffer an output is, or -1.
static int64_t getAliasedArgument(FunctionOpInterface program, unsigned output, Value value) {
  if (auto aliases = program->getAttrOfType<ArrayAttr>("aliases"))
    for (AliasAttr alias : aliases.getAsRange<AliasAttr>())
      if (alias.getOutput() == int64_t(output))
        return alias.getInput();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? int64_t(argument.getArgNumber()) : -1;
}

/// The dimensions of a value in the order of its allocation domain. An allocation id that is no
/// dimension stands at the place of the dimensions it is made of, and leaves the order as it is.
static SmallVector<int64_t> getAllocationOrder(OpResult value) {
  DomainAttr domain =
      cast<TensorViewOpInterface>(value.getOwner()).getDomain(value.getResultNumber());
  SmallVector<unsigned> ids = domain.getResultIds();
  SmallVector<int64_t> order;
  for (unsigned id : domain.getAllocation()) {
    unsigned *dim = llvm::find(ids, id);
    if (dim == ids.end())
      return llvm::to_vector(llvm::seq<int64_t>(0, ids.size()));
    order.push_back(dim - ids.begin());
  }
  return order;
}

BufferLayout BufferLayout::ofOutput(FunctionOpInterface program, const ExtentAnalysis &extents,
                                    unsigned output) {
  Value value = program.getFunctionBody().front().getTerminator()->getOperand(output);
  int64_t argument = getAliasedArgument(program, output, value);
  if (argument >= 0)
    return ofArgument(program, extents, argument);
  BufferLayout result(program->getContext());
  SmallVector<int64_t> order;
  if (auto required = detail::getOutputStrideOrder(program, output))
    order.assign(required->begin(), required->end());
  else
    order = getAllocationOrder(cast<OpResult>(value));
  for (int64_t dim : order)
    result.dims.push_back({unsigned(dim), extents.getExtent(value, dim), {}});
  result.setStrides([](unsigned) { return false; });
  return result;
}

BufferLayout BufferLayout::ofValue(OpResult value, const ExtentAnalysis &extents) {
  BufferLayout result(value.getContext());
  DomainAttr domain =
      cast<TensorViewOpInterface>(value.getOwner()).getDomain(value.getResultNumber());
  for (unsigned id : domain.getAllocation())
    result.dims.push_back({id, extents.getIdExtent(value, id), {}});
  result.setStrides([&](unsigned position) { return !domain.getContiguity()[position]; });
  return result;
}

AffineExpr BufferLayout::getInnerExtent(unsigned count) const {
  AffineExpr extent = getAffineConstantExpr(1, context);
  for (const BufferDim &dim : ArrayRef(dims).take_back(count))
    extent = dim.extent * extent;
  return extent;
}

int64_t BufferLayout::find(unsigned index) const {
  for (auto [position, dim] : llvm::enumerate(dims))
    if (dim.index == index)
      return position;
  return -1;
}
