//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Session/Program.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;
using artifact::ArrayView;
using runtime::CallArgument;
using runtime::TensorView;

/// The bytes of the widest access, by which addresses are aligned without a fact.
static constexpr int64_t kMostVectorBytes = 16;

/// The layout that a tensor has; dense row-major where it has no elements.
static LayoutAttr getLayout(MLIRContext *context, const TensorView &tensor) {
  int64_t rank = tensor.rank;
  bool empty = llvm::is_contained(ArrayRef(tensor.sizes, rank), 0);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (empty)
    return LayoutAttr::getRowMajor(context, rank);
  // The stride of a dimension of size 1 is arbitrary, so that the dimension keeps its position.
  auto stride = [&](int64_t dim) { return tensor.strides[dim]; };
  SmallVector<int64_t> places, moved;
  for (int64_t dim : order)
    if (tensor.sizes[dim] != 1) {
      places.push_back(dim);
      moved.push_back(dim);
    }
  llvm::sort(moved, [&](int64_t a, int64_t b) {
    return std::pair(-stride(a), a) < std::pair(-stride(b), b);
  });
  for (auto [place, dim] : llvm::zip(places, moved))
    order[place] = dim;
  SmallVector<int64_t> strided;
  int64_t dense = 1;
  for (int64_t position = rank - 1; position >= 0; --position) {
    int64_t dim = order[position];
    if (tensor.sizes[dim] == 1)
      continue;
    if (stride(dim) != dense)
      strided.push_back(position);
    // The product of the faster extents, as in LayoutAttr, in any memory order.
    if (llvm::MulOverflow(dense, tensor.sizes[dim], dense))
      return LayoutAttr::getRowMajor(context, rank); // Refused when it is called.
  }
  llvm::sort(strided);
  return LayoutAttr::get(context, order, strided);
}

/// No vector has more elements.
static constexpr int64_t kMostVectorElements = 16;

/// States by which powers of two the strides of strided dimensions are divisible, up to those that
/// the longest vector needs: that of bytes, which another tensor of the program may have. Without
/// adjacent elements there are no vectors.
static void addStrideFacts(unsigned argument, const TensorView &tensor, LayoutAttr layout,
                           SmallVectorImpl<Attribute> &facts) {
  ArrayRef<int64_t> strided = layout.getStrided();
  auto isLarge = [&](int64_t dim) { return tensor.sizes[dim] != 1; };
  const auto fastest = llvm::find_if(llvm::reverse(layout.getOrder()), isLarge);
  if (strided.empty() || fastest == layout.getOrder().rend() || tensor.strides[*fastest] != 1)
    return;
  for (int64_t position : strided) {
    const int64_t dim = layout.getOrder()[position], stride = tensor.strides[dim];
    const int64_t divisor =
        stride == 0 ? kMostVectorElements : std::min(kMostVectorElements, stride & -stride);
    if (divisor > 1)
      facts.push_back(FactAttr::getStrideDivisible(layout.getContext(), argument, dim, divisor));
  }
}

void session::specialize(ModuleOp module, ArrayView<CallArgument> arguments, bool forEmpty,
                         ArrayView<SizeRange> ranges) {
  for (FusionOp fusion : module.getOps<FusionOp>()) {
    if (fusion.getNumArguments() != arguments.size())
      continue;
    SmallVector<Attribute> facts;
    if (auto old = fusion.getFacts())
      facts.assign(old->begin(), old->end());
    for (unsigned i = 0; i < arguments.size(); ++i) {
      auto type = dyn_cast<RankedTensorType>(fusion.getArgument(i).getType());
      if (!arguments[i].isTensor || !type || type.getRank() != int64_t(arguments[i].tensor.rank))
        continue;
      const TensorView &tensor = arguments[i].tensor;
      if (fusion.getArgLayout(i).isRowMajorContiguous())
        fusion.setArgLayout(i, getLayout(module.getContext(), tensor));
      addStrideFacts(i, tensor, fusion.getArgLayout(i), facts);
      uint64_t address = reinterpret_cast<uintptr_t>(tensor.data);
      if (address % kMostVectorBytes != 0)
        facts.push_back(
            FactAttr::getAligned(module.getContext(), i, int64_t(1) << llvm::countr_zero(address)));
      for (int64_t dim = 0; forEmpty && dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          facts.push_back(tensor.sizes[dim] == 0
                              ? FactAttr::getAtMost(module.getContext(), i, dim, 0)
                              : FactAttr::getAtLeast(module.getContext(), i, dim, 1));
    }
    if (forEmpty)
      fusion->setAttr(kAllowsEmptyName, UnitAttr::get(module.getContext()));
    for (const SizeRange &range : ranges) {
      auto type = dyn_cast<RankedTensorType>(fusion.getArgument(range.argument).getType());
      if (!type || range.dim >= type.getRank() || !type.isDynamicDim(range.dim))
        continue;
      MLIRContext *context = module.getContext();
      facts.push_back(FactAttr::getAtLeast(context, range.argument, range.dim, range.bounds.least));
      facts.push_back(FactAttr::getAtMost(context, range.argument, range.dim, range.bounds.most));
    }
    if (!facts.empty())
      fusion.setFactsAttr(ArrayAttr::get(module.getContext(), facts));
  }
}

/// True for an integer that is converted to an index. The values of others, such as the offset of
/// random numbers, are not what code is compiled for.
static bool isSize(BlockArgument argument) {
  return argument.getType().isIndex() ||
         llvm::any_of(argument.getUsers(), llvm::IsaPred<arith::IndexCastOp>);
}

/// `fusion` is null if unknown.
static std::string printSizes(ArrayView<CallArgument> arguments, FusionOp fusion) {
  std::string text;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (i)
      text += ";";
    if (!arguments[i].isTensor) {
      if (fusion && isSize(fusion.getArgument(i)))
        text += std::to_string(arguments[i].scalar.asInteger());
      continue;
    }
    for (unsigned dim = 0; dim < arguments[i].tensor.rank; ++dim)
      text += (dim ? "," : "") + std::to_string(arguments[i].tensor.sizes[dim]);
  }
  return text;
}

std::string session::describeSizes(ArrayView<CallArgument> arguments) {
  return printSizes(arguments, nullptr);
}

std::string session::describeSizes(ArrayView<CallArgument> arguments, ModuleOp module) {
  for (FusionOp fusion : module.getOps<FusionOp>())
    if (fusion.getNumArguments() == arguments.size())
      return printSizes(arguments, fusion);
  return printSizes(arguments, nullptr);
}
