//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OutlineCopies.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Scheduling/ScheduleDialect.h"

using namespace mlir;
using namespace fuser;

static LayoutAttr getBufferLayout(HostOp host, Value buffer);

/// The layout of a part: in the order of its base, and contiguous where it has all of the faster
/// dimensions.
static LayoutAttr getViewLayout(HostOp host, ViewOp view) {
  LayoutAttr base = getBufferLayout(host, view.getBase());
  if (!base)
    return {};
  auto baseType = cast<RankedTensorType>(view.getBase().getType());
  SmallVector<int64_t> order = LayoutInfo(host).getOrder(view.getResult()).order, strided;
  // True as long as the faster dimensions are those of the base, and whole.
  bool isDense = true;
  for (int64_t position = order.size(); position-- > 0;) {
    const int64_t dim = view.getBaseDim(order[position]);
    const int64_t *found = llvm::find(base.getOrder(), dim);
    if (found == base.getOrder().end()) {
      strided.push_back(position);
      continue;
    }
    const int64_t basePosition = found - base.getOrder().begin();
    // A faster dimension of the base that the view drops leaves a gap.
    const int64_t numFaster = base.getOrder().size() - 1 - basePosition;
    isDense &= numFaster == int64_t(order.size()) - 1 - position;
    if (!isDense || view.getStep(dim) != 1 || !base.isContiguousAt(basePosition))
      strided.push_back(position);
    const int64_t size = view.getStaticSizes()[dim];
    isDense &=
        view.getStep(dim) == 1 && !ShapedType::isDynamic(size) && size == baseType.getDimSize(dim);
  }
  std::reverse(strided.begin(), strided.end());
  return LayoutAttr::get(host.getContext(), order, strided);
}

/// The layout of a buffer of the host function; null if it is not known.
static LayoutAttr getBufferLayout(HostOp host, Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    if (argument.getOwner() != &host.getBody().front())
      return {};
    return host.getArgLayout(argument.getArgNumber());
  }
  if (Value forwarded = getForwardedBuffer(cast<OpResult>(buffer)))
    return getBufferLayout(host, forwarded);
  Operation *op = buffer.getDefiningOp();
  if (auto view = dyn_cast<ViewOp>(op))
    return getViewLayout(host, view);
  if (auto view = dyn_cast<ReshapeViewOp>(op)) {
    LayoutAttr base = getBufferLayout(host, view.getBase());
    if (!base || !base.getStrided().empty())
      return {};
  } else if (!isa<AllocOp>(op)) {
    return {};
  }
  return LayoutAttr::get(host.getContext(), LayoutInfo(host).getOrder(buffer).order,
                         ArrayRef<int64_t>());
}

/// True if elements at consecutive addresses of one buffer are so in the other one: all strides are
/// products of sizes, and dimensions with more than one index have the same order.
static bool isOneTransfer(RankedTensorType type, LayoutAttr source, LayoutAttr destination) {
  auto getOrder = [&](LayoutAttr layout) {
    return llvm::filter_to_vector(layout.getOrder(),
                                  [&](int64_t dim) { return type.getDimSize(dim) != 1; });
  };
  return source.getStrided().empty() && destination.getStrided().empty() &&
         getOrder(source) == getOrder(destination);
}

/// The expected sizes of what is copied, from an argument that is the source or the destination, as
/// those of the kernel's arguments. Null: sizes are not given.
static ArrayAttr getSizes(CopyOp copy, unsigned numArguments, const SizeHints &hints) {
  if (!hints.areGiven())
    return {};
  Builder builder(copy.getContext());
  SmallVector<int64_t> sizes(copy.getSource().getType().getShape());
  for (Value buffer : {copy.getSource(), copy.getDestination()})
    if (auto argument = dyn_cast<BlockArgument>(buffer))
      for (auto [dim, size] : llvm::enumerate(sizes))
        if (ShapedType::isDynamic(size))
          size = hints.getSize(argument.getArgNumber(), dim).value_or(size);
  for (int64_t &size : sizes)
    size = ShapedType::isDynamic(size) ? -1 : size;
  return builder.getArrayAttr(
      SmallVector<Attribute>(numArguments, builder.getDenseI64ArrayAttr(sizes)));
}

/// A kernel of one `fuser.set`. A destination in an argument's memory is an argument too, which its
/// output aliases.
static KernelOp buildCopyKernel(HostOp host, CopyOp copy, LayoutAttr source, LayoutAttr destination,
                                const SizeHints &hints, StringRef name) {
  OpBuilder builder(host.getContext());
  const bool isInPlace = isa<BlockArgument>(copy.getDestination());
  SmallVector<Type> types = {copy.getSource().getType()};
  if (isInPlace)
    types.push_back(copy.getDestination().getType());
  Location loc = copy.getLoc();
  auto kernel = KernelOp::create(builder, loc, name,
                                 builder.getFunctionType(types, copy.getDestination().getType()));
  kernel.getArgument(0).setLoc(copy.getSource().getLoc());
  kernel.setArgLayout(0, source);
  if (isInPlace) {
    kernel.setArgLayout(1, destination);
    kernel.setAliasesAttr(builder.getArrayAttr(AliasAttr::get(host.getContext(), 0, 1)));
  } else {
    // Also for row-major order: clean-up may fold the op, and the order of its operand is another.
    kernel.setOutputStrideOrder(0, destination.getOrder());
  }
  if (ArrayAttr sizes = getSizes(copy, types.size(), hints))
    kernel->setAttr(FuserSchedDialect::kSizes, sizes);
  kernel->setAttr(FuserSchedDialect::kCopy, builder.getUnitAttr());
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  Value value = SetOp::create(builder, loc, copy.getDestination().getType(), kernel.getArgument(0),
                              /*domains=*/nullptr, /*memory=*/nullptr, /*inline_at=*/nullptr);
  ReturnOp::create(builder, loc, value);
  return kernel;
}

SmallVector<KernelOp> fuser::outlineCopies(HostOp host, const SizeHints &hints,
                                           SymbolTable &symbols) {
  SmallVector<CopyOp> copies;
  host.walk([&](CopyOp copy) { copies.push_back(copy); });
  SmallVector<KernelOp> kernels;
  for (CopyOp copy : copies) {
    LayoutAttr source = getBufferLayout(host, copy.getSource());
    LayoutAttr destination = getBufferLayout(host, copy.getDestination());
    auto type = cast<RankedTensorType>(copy.getSource().getType());
    const bool isPart = !isa<BlockArgument>(copy.getDestination()) && destination &&
                        !destination.getStrided().empty();
    if (!source || !destination || isPart || isOneTransfer(type, source, destination))
      continue;
    std::string name = (host.getSymName() + "_copy_" + Twine(kernels.size())).str();
    KernelOp kernel = buildCopyKernel(host, copy, source, destination, hints, name);
    host->getBlock()->getOperations().insert(Block::iterator(host), kernel);
    symbols.insert(kernel);
    kernels.push_back(kernel);

    OpBuilder builder(copy);
    SmallVector<Value> inputs = {copy.getSource()};
    if (isa<BlockArgument>(copy.getDestination()))
      inputs.push_back(copy.getDestination());
    auto launch = LaunchOp::create(builder, copy.getLoc(), copy->getResultTypes(),
                                   FlatSymbolRefAttr::get(kernel), inputs, copy.getDestination(),
                                   /*stream=*/Value());
    copy->replaceAllUsesWith(launch);
    copy.erase();
  }
  return kernels;
}
