//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernel's arguments, block and grid size, shared memory and workspaces.
//
//===----------------------------------------------------------------------===//

#include "ExtentOrder.h"
#include "KernelEmitter.h"
#include "KernelOperands.h"
#include "SymbolAttrs.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace fuser;
using kernel_ir::FuserGPUDialect;

/// Pointers of arguments and outputs, and scalars, in the order of the kernel's operands.
void KernelEmitter::addKernelArguments() {
  MLIRContext *context = builder.getContext();
  const llvm::SmallDenseSet<int64_t> aliased = getWrittenInputs(kernel);
  unsigned operand = 0;
  auto addPointer = [&](RankedTensorType type, bool isInput) {
    auto pointerType = MemRefType::get({}, getStorageType(type.getElementType()));
    pointers.push_back(addArgument(pointerType, kernel_ir::PointerAttr::get(context, operand)));
    unsigned number = function.getNumArguments() - 1;
    Attribute unit = builder.getUnitAttr();
    bool written = !isInput || aliased.contains(operand);
    if (!written)
      function.setArgAttr(number, FuserGPUDialect::kReadonly, unit);
    if (aliased.empty())
      function.setArgAttr(number, FuserGPUDialect::kNoalias, unit);
    function.setArgAttr(
        number, FuserGPUDialect::kAlign,
        builder.getI64IntegerAttr(llvm::bit_floor(uint64_t(extents.getPointerAlignment(operand)))));
    ++operand;
  };
  for (BlockArgument argument : kernel.getArguments()) {
    if (auto type = dyn_cast<RankedTensorType>(argument.getType())) {
      addPointer(type, true);
      continue;
    }
    scalars.map(argument,
                addArgument(argument.getType(), kernel_ir::ScalarAttr::get(context, operand++)));
    pointers.push_back({});
  }
  for (Value output : cast<ReturnOp>(kernel.getBody().front().getTerminator()).getValues())
    addPointer(cast<RankedTensorType>(output.getType()), false);
}

Value KernelEmitter::addArgument(Type type, Attribute bind) {
  Value &slot = boundArguments[bind];
  if (slot)
    return slot;
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, type, builder.getDictionaryAttr({}), loc);
  function.setArgAttr(number, FuserGPUDialect::kBind, bind);
  return slot = function.getArgument(number);
}

Value KernelEmitter::getSymbol(unsigned symbol) {
  ExtentAnalysis::Symbol entry = extents.getSymbols()[symbol];
  if (entry.dim >= 0)
    return addArgument(builder.getIndexType(),
                       getSymbolAttr(extents, symbol, builder.getContext()));
  Value scalar = scalars.lookup(kernel.getArgument(entry.arg));
  if (isa<IndexType>(scalar.getType()))
    return scalar;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(scalar);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), scalar);
}

Value KernelEmitter::getStride(unsigned operand, unsigned dim) {
  if (!emits())
    return placeholder;
  return addArgument(builder.getIndexType(),
                     kernel_ir::StrideAttr::get(builder.getContext(), operand, dim));
}

Value KernelEmitter::evaluate(AffineExpr expr) {
  if (!emits())
    return placeholder;
  // What facts pin down needs no argument, and folds.
  if (std::optional<int64_t> constant = extents.getConstant(expr))
    return index.constant(*constant);
  return index.expr(expr, [&](AffineExpr symbol) {
    return getSymbol(cast<AffineSymbolExpr>(symbol).getPosition());
  });
}

//===----------------------------------------------------------------------===//
// Block and grid
//===----------------------------------------------------------------------===//

/// True where blocks of this type combine results, and count each other.
static bool isReducedOver(const LoopNest &nest, ParallelType type) {
  return llvm::any_of(nest.getOps(), [&](const auto &scheduled) {
    return llvm::any_of(
        llvm::zip(scheduled->domain.getLoop(), scheduled->domain.getParallel()), [&](auto loop) {
          auto [id, own] = loop;
          return own == type && scheduled->domain.getKinds()[id] == IdKind::Reduction;
        });
  });
}

LogicalResult KernelEmitter::planLaunch() {
  for (auto &scheduled : nest.getOps())
    for (Loop *loop : scheduled->loops) {
      unsigned type = static_cast<unsigned>(loop->type);
      if (isThreadType(loop->type)) {
        int64_t &dim = blockDim[type - static_cast<unsigned>(ParallelType::ThreadX)];
        dim = std::max({dim, *loop->getStaticBound(), int64_t(1)});
      }
      if (!isBlockType(loop->type))
        continue;
      AffineExpr &dim = gridDim[type - static_cast<unsigned>(ParallelType::BlockX)];
      if (!dim || extents.getConstant(dim) == 1) {
        dim = loop->extent;
        continue;
      }
      if (extents.isProvablyEqual(dim, loop->extent) || extents.getConstant(loop->extent) == 1)
        continue;
      // Loops beside each other: the blocks beyond the shorter one leave it out.
      AffineExpr larger = isReducedOver(nest, loop->type)
                              ? AffineExpr()
                              : getLarger(dim, loop->extent, [&](AffineExpr expr) {
                                  return extents.getLowerBound(expr);
                                });
      if (!larger)
        return scheduled->op->emitOpError("expected all loops on @")
               << stringifyParallelType(loop->type) << " to have one extent, but got "
               << describe(dim) << " and " << describe(loop->extent);
      dim = larger;
    }
  int64_t threads = blockDim[0] * blockDim[1] * blockDim[2];
  if (threads > 1024 || blockDim[2] > 64)
    return kernel.emitOpError(
               "expected at most 1024 threads in a block (64 of them in z), but got ")
           << blockDim[0] << " x " << blockDim[1] << " x " << blockDim[2];
  keepGridsFromBeingEmpty();
  return success();
}

/// A sum over no elements is stored too: where blocks run over an extent that may be 0, but not for
/// every output, there is at least one of them.
void KernelEmitter::keepGridsFromBeingEmpty() {
  for (ParallelType type : kBlockTypes) {
    AffineExpr &dim =
        gridDim[static_cast<unsigned>(type) - static_cast<unsigned>(ParallelType::BlockX)];
    if (!dim || extents.getLowerBound(dim) > 0)
      continue;
    bool isWholeGridIdle =
        !hasBorders(kernel) && llvm::all_of(nest.getOps(), [&](const auto &scheduled) {
          if (scheduled->memory != MemoryType::Global)
            return true;
          auto loops = llvm::zip(scheduled->domain.getLoop(), scheduled->domain.getParallel());
          const llvm::SmallBitVector &writtenOnce = scheduled->resultOnce.derived;
          return isDistributed(*scheduled, type) && llvm::none_of(loops, [&](auto loop) {
                   return std::get<1>(loop) == type && writtenOnce.test(std::get<0>(loop));
                 });
        });
    // max(dim, 1): 1 floordiv (n + 1) is 1 for n = 0 and 0 for all others.
    if (!isWholeGridIdle)
      dim = dim + getAffineConstantExpr(1, builder.getContext()).floorDiv(dim + 1);
  }
}

bool KernelEmitter::isDistributed(const ScheduledOp &scheduled, ParallelType type) {
  for (auto [id, own] : llvm::zip(scheduled.domain.getLoop(), scheduled.domain.getParallel()))
    if (own == type)
      return scheduled.domain.getKinds()[id] != IdKind::Reduction && !scheduled.replicated.test(id);
  return false;
}

AffineExpr KernelEmitter::getGridDim(ParallelType type) const {
  return gridDim[static_cast<unsigned>(type) - static_cast<unsigned>(ParallelType::BlockX)];
}

bool KernelEmitter::isSplit(ParallelType type) const {
  AffineExpr dim = getGridDim(type);
  return dim && extents.getConstant(dim) != 1;
}

Value KernelEmitter::getHardwareIndex(ParallelType type) {
  if (!emits())
    return placeholder;
  Value &slot = hardwareIndices[static_cast<unsigned>(type)];
  if (slot)
    return slot;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  bool thread = isThreadType(type);
  unsigned first = static_cast<unsigned>(thread ? ParallelType::ThreadX : ParallelType::BlockX);
  auto dimension = static_cast<gpu::Dimension>(static_cast<unsigned>(type) - first);
  if (thread)
    slot = gpu::ThreadIdOp::create(builder, loc, dimension);
  else
    slot = gpu::BlockIdOp::create(builder, loc, dimension);
  return slot;
}

//===----------------------------------------------------------------------===//
// Shared memory and workspaces
//===----------------------------------------------------------------------===//

std::pair<Value, unsigned> KernelEmitter::addSharedMemory(Operation *owner, int64_t elements,
                                                          Type element,
                                                          Timeline::Interval lifetime) {
  unsigned region = sharedMemory.place(owner, elements * getElementBytes(element), lifetime);
  if (!emits())
    return {placeholder, region};
  OpBuilder::InsertionGuard guard(builder);
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  if (!dynamicShared) {
    builder.setInsertionPointToStart(entry);
    dynamicShared = gpu::DynamicSharedMemoryOp::create(
        builder, loc,
        MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(), MemRefLayoutAttrInterface(),
                        space));
  }
  Value offset = index.constant(sharedMemory.getRegions()[region].offset);
  // Behind both the base and the constant.
  builder.setInsertionPointAfter(dynamicShared.getDefiningOp());
  if (!offset.getDefiningOp()->isBeforeInBlock(dynamicShared.getDefiningOp()))
    offset.getDefiningOp()->moveBefore(dynamicShared.getDefiningOp());
  auto type = MemRefType::get({elements}, element, MemRefLayoutAttrInterface(), space);
  Value view = memref::ViewOp::create(builder, loc, type, dynamicShared, offset, ValueRange());
  return {view, region};
}

LogicalResult KernelEmitter::checkSharedMemory() {
  int64_t bytes = sharedMemory.getBytes();
  if (bytes <= options.maxSharedBytes)
    return success();
  InFlightDiagnostic diagnostic = kernel.emitOpError("expected at most ")
                                  << options.maxSharedBytes
                                  << " bytes of shared memory in a block, but got " << bytes;
  for (const SharedMemoryPlan::Region &region : sharedMemory.getRegions())
    diagnostic.attachNote(region.owner->getLoc())
        << region.bytes << " bytes at " << region.offset << " are for this op";
  return diagnostic;
}

Value KernelEmitter::addWorkspace(AffineExpr bytes, Type element, bool zeroed) {
  if (!emits())
    return placeholder;
  Value pointer =
      addArgument(MemRefType::get({}, element),
                  kernel_ir::WorkspaceAttr::get(builder.getContext(), workspaces.size(), zeroed));
  workspaces.push_back(bytes);
  function.setArgAttr(cast<BlockArgument>(pointer).getArgNumber(), FuserGPUDialect::kAlign,
                      builder.getI64IntegerAttr(kWorkspaceAlignment));
  return viewAsFlat(pointer);
}

Value KernelEmitter::viewAsFlat(Value pointer) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  // The size is only a bound for readers; the largest index type value is always one.
  Value size = arith::ConstantIndexOp::create(builder, loc, std::numeric_limits<int32_t>::max());
  auto type =
      MemRefType::get({ShapedType::kDynamic}, cast<MemRefType>(pointer.getType()).getElementType(),
                      StridedLayoutAttr::get(builder.getContext(), 0, {1}));
  return memref::ReinterpretCastOp::create(
      builder, loc, type, pointer, OpFoldResult(builder.getIndexAttr(0)),
      ArrayRef<OpFoldResult>{size}, ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

void KernelEmitter::finishLaunch() {
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> grid;
  for (AffineExpr dim : gridDim)
    grid.push_back(dim ? extents.canonicalize(dim) : getAffineConstantExpr(1, context));
  SmallVector<AffineExpr> exprs(grid);
  llvm::append_range(exprs, workspaces);
  SymbolNumbering numbering(extents, exprs, context);
  SmallVector<AffineMap> workspaceMaps;
  for (AffineExpr bytes : workspaces)
    workspaceMaps.push_back(numbering.getMap(bytes));
  AffineMap smem = numbering.getMap(getAffineConstantExpr(sharedMemory.getBytes(), context));
  function->setAttr(FuserGPUDialect::kLaunch,
                    kernel_ir::LaunchAttr::get(context, numbering.getMap(grid),
                                               numbering.getSymbols(), smem, workspaceMaps,
                                               /*cooperative=*/bool(gridCounter), /*cluster=*/{},
                                               std::nullopt, /*parts=*/AffineMap()));
  SmallVector<int32_t> block(blockDim, blockDim + 3);
  function.setKnownBlockSizeAttr(DenseI32ArrayAttr::get(context, block));
}
