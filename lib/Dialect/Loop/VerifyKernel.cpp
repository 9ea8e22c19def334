//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What each stage promises.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using fuser::MemoryType;
using fuser::ParallelType;
using namespace fuser::loop;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Symbols are arguments of the kernel, dimensions are not.
static LogicalResult verifyIndices(Operation *op, ValueRange indices, unsigned numDims,
                                   unsigned numSymbols) {
  if (indices.size() != numDims + numSymbols)
    return op->emitOpError("expected ")
           << numDims + numSymbols << " indices, but got " << indices.size();
  for (auto [position, value] : llvm::enumerate(indices)) {
    auto argument = dyn_cast<BlockArgument>(value);
    const bool isSymbol = argument && isa<KernelOp>(argument.getOwner()->getParentOp());
    if (isSymbol != (position >= numDims))
      return op->emitOpError("expected ")
             << (isSymbol ? "an argument of the kernel" : "a value that is no kernel argument")
             << " to be a " << (isSymbol ? "symbol" : "dimension") << " of expressions";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

LogicalResult ForOp::verify() {
  if (getExtent().getNumResults() != 1)
    return emitOpError("expected one extent, but got ") << getExtent().getNumResults();
  if (getBody().getNumArguments() != 1 || !getInductionVar().getType().isIndex())
    return emitOpError("expected one index as argument of the body");
  std::optional<int64_t> bound = getStaticBound();
  switch (getType()) {
  case ParallelType::Vectorize:
    if (std::optional<int64_t> extent = getConstantExtent();
        !extent || *extent < 1 || *extent > 16 || !llvm::isPowerOf2_64(*extent))
      return emitOpError("expected a vectorize extent of 1, 2, 4, 8 or 16");
    if (llvm::any_of(getBlock(), [](Operation &op) { return !isa<TileOp, IfOp>(op); }))
      return emitOpError("expected only tiles and branches in a vectorize loop");
    break;
  case ParallelType::Unroll:
  case ParallelType::ThreadX:
  case ParallelType::ThreadY:
  case ParallelType::ThreadZ:
    if (!bound)
      return emitOpError("expected a constant extent or a bound of a loop on ")
             << stringifyParallelType(getType());
    break;
  case ParallelType::Serial:
  case ParallelType::BlockX:
  case ParallelType::BlockY:
  case ParallelType::BlockZ:
    break;
  default:
    return emitOpError("expected a serial, unroll, vectorize, block or thread loop, but got ")
           << stringifyParallelType(getType());
  }
  if (bound && *bound < 0)
    return emitOpError("expected an extent of at least 0, but got ") << *bound;
  return verifyIndices(*this, getIndices(), getExtent().getNumDims(), getExtent().getNumSymbols());
}

LogicalResult IfOp::verify() {
  AffineMap bounds = getGuard().getBounds();
  if (getGuard().empty() && getOnce().getTypes().empty())
    return emitOpError("expected a constraint");
  return verifyIndices(*this, getIndices(), bounds.getNumDims(), bounds.getNumSymbols());
}

LogicalResult BufferOp::verify() {
  if (getType().getSpace() == MemoryType::Register)
    return success();
  return emitOpError("expected a buffer in registers, but got ")
         << stringifyMemoryType(getType().getSpace());
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static LogicalResult verifyAccess(TileOp tile, Value buffer, AccessAttr access, bool isRead) {
  auto type = cast<BufferType>(buffer.getType());
  if (!access.hasOffset() && access.getMap().getNumResults() != type.getRank())
    return tile.emitOpError("expected ") << type.getRank() << " indices of " << type << ", but got "
                                         << access.getMap().getNumResults();
  if (access.getMap().getNumDims() != tile.getNumDims() ||
      access.getMap().getNumSymbols() != tile.getRoots().getNumSymbols())
    return tile.emitOpError("expected accesses over ")
           << tile.getNumDims() << " dimensions and " << tile.getRoots().getNumSymbols()
           << " symbols, the operands of the tile";
  if (access.getChunk() > tile.getWidth())
    return tile.emitOpError("expected a chunk of at most ")
           << tile.getWidth() << " elements, the vectorize loop, but got " << access.getChunk();
  if (access.getClamped() && (!isRead || type.getSpace() != MemoryType::Register))
    return tile.emitOpError("expected 'clamp' on a read of registers only");
  if (!isRead && !access.getGuard().empty())
    return tile.emitOpError("expected a guard on a read only");
  return success();
}

LogicalResult TileOp::verify() {
  if (getReads().size() != getInputs().size() || getWrites().size() != getOutputs().size())
    return emitOpError("expected one access for each of ")
           << getInputs().size() << " inputs and " << getOutputs().size() << " outputs";
  AffineMap roots = getRoots();
  if (failed(verifyIndices(*this, getIndices(), roots.getNumDims(), roots.getNumSymbols())))
    return failure();
  for (auto [input, attribute] : llvm::zip_equal(getInputs(), getReads())) {
    auto access = dyn_cast<AccessAttr>(attribute);
    if (isa<BufferType>(input.getType()) != bool(access))
      return emitOpError("expected an access of each buffer that is read, and of no scalar");
    if (access && failed(verifyAccess(*this, input, access, /*isRead=*/true)))
      return failure();
  }
  for (auto [output, attribute] : llvm::zip_equal(getOutputs(), getWrites())) {
    auto access = dyn_cast<AccessAttr>(attribute);
    if (!access)
      return emitOpError("expected an access of each output, but got ") << attribute;
    if (failed(verifyAccess(*this, output, access, /*isRead=*/false)))
      return failure();
  }
  AffineMap bounds = getGuard().getBounds();
  if (bounds.getNumDims() != roots.getNumDims() || bounds.getNumSymbols() != roots.getNumSymbols())
    return emitOpError("expected a guard over the operands of the tile");
  return success();
}

/// P3: what loops replaced is gone.
static LogicalResult verifyUnscheduled(TileOp tile, Operation *op) {
  for (StringRef name : {StringRef("domains"), StringRef("memory"), StringRef("inline_at"),
                         StringRef(fuser::kernel_ir::FuserGPUDialect::kIds)})
    if (Attribute attribute = op->getAttr(name))
      return tile.emitOpError("expected an op without '")
             << name << "', which the loops state, but got " << attribute;
  return success();
}

LogicalResult TileOp::verifyRegions() {
  Block &block = getBody().front();
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield || std::distance(block.begin(), block.end()) > 2)
    return emitOpError("expected a region with at most one op and a yield");
  Operation *op = getElementOp();
  if (op && op->getDialect()->getNamespace() != fuser::FuserDialect::getDialectNamespace())
    return emitOpError("expected an op of the fuser dialect, but got ") << op->getName();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError("expected an argument for each of ")
           << getInputs().size() << " inputs, but got " << block.getNumArguments();
  ValueRange arguments(block.getArguments());
  if (op ? op->getOperands() != arguments || yield.getValues() != op->getResults()
         : yield.getValues() != arguments)
    return emitOpError("expected the op to take all arguments, in order, and its results to be "
                       "yielded");
  if (yield.getValues().size() != getOutputs().size())
    return emitOpError("expected an output for each of ")
           << yield.getValues().size() << " results, but got " << getOutputs().size();
  auto isOf = [](Type buffer, Type value) {
    auto type = dyn_cast<BufferType>(buffer);
    auto tensor = dyn_cast<RankedTensorType>(value);
    return type ? tensor && type.getElementType() == tensor.getElementType() : buffer == value;
  };
  for (auto [buffer, value] : llvm::zip_equal(getInputs().getTypes(), block.getArgumentTypes()))
    if (!isOf(buffer, value))
      return emitOpError("expected an input with elements of ") << value << ", but got " << buffer;
  for (auto [buffer, value] : llvm::zip_equal(getOutputs(), yield.getValues()))
    if (!isOf(buffer.getType(), value.getType()))
      return emitOpError("expected an output with elements of ")
             << value.getType() << ", but got " << buffer.getType();
  return op ? verifyUnscheduled(*this, op) : success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static LogicalResult verifyBinding(KernelOp kernel, BlockArgument argument, unsigned numSymbols) {
  auto binding = dyn_cast<BindingAttr>(kernel.getBindings()[argument.getArgNumber()]);
  if (!binding)
    return kernel.emitOpError("expected a binding of argument ") << argument.getArgNumber();
  auto fail = [&](const Twine &message) {
    return kernel.emitOpError("expected argument ") << argument.getArgNumber() << message;
  };
  Attribute source = binding.getSource();
  auto buffer = dyn_cast<BufferType>(argument.getType());
  if (bool(buffer) != isa<fuser::kernel_ir::PointerAttr>(source))
    return fail(" to be a buffer if and only if it comes from a pointer");
  if (!isa<fuser::kernel_ir::PointerAttr, fuser::kernel_ir::SizeAttr, fuser::kernel_ir::StrideAttr,
           fuser::kernel_ir::ScalarAttr>(source))
    return fail(" to come from a pointer, size, stride or scalar");
  if (isa<fuser::kernel_ir::SizeAttr, fuser::kernel_ir::StrideAttr>(source) &&
      !argument.getType().isIndex())
    return fail(" to be an index, as it comes from a size or stride");
  if (!buffer)
    return success();
  if (buffer.getSpace() != MemoryType::Global)
    return fail(" to be in global memory");
  if (int64_t(binding.getStrides().getNumResults()) != buffer.getRank() ||
      binding.getStrides().getNumDims() != 0 || binding.getStrides().getNumSymbols() != numSymbols)
    return fail(" to have a stride for each dimension, over the index arguments");
  if (binding.getAlignment() < 1)
    return fail(" to have an alignment of at least 1 byte");
  return success();
}

static LogicalResult verifyLaunch(KernelOp kernel, unsigned numSymbols) {
  const bool isLaunched = kernel.getStage() >= Stage::Launched;
  if (isLaunched != bool(kernel.getThreads()) || isLaunched != bool(kernel.getGrid()))
    return kernel.emitOpError("expected threads and grid from stage launched on, and not before");
  if (!isLaunched)
    return success();
  ArrayRef<int64_t> threads = *kernel.getThreads();
  AffineMap grid = *kernel.getGrid();
  if (threads.size() != 3 || grid.getNumResults() != 3 || grid.getNumDims() != 0 ||
      grid.getNumSymbols() != numSymbols)
    return kernel.emitOpError("expected three numbers of threads and of blocks, over the index "
                              "arguments");
  if (llvm::any_of(threads, [](int64_t count) { return count < 1 || count > 1024; }) ||
      threads[0] * threads[1] * threads[2] > 1024 || threads[2] > 64)
    return kernel.emitOpError(
               "expected at most 1024 threads in a block (64 of them in z), but got ")
           << threads[0] << " x " << threads[1] << " x " << threads[2];
  return success();
}

LogicalResult KernelOp::verify() {
  if (getIndexBits() != 32 && getIndexBits() != 64)
    return emitOpError("expected an index of 32 or 64 bits, but got ") << getIndexBits();
  if (getBindings().size() != getBody().getNumArguments())
    return emitOpError("expected a binding for each of ")
           << getBody().getNumArguments() << " arguments, but got " << getBindings().size();
  const unsigned numSymbols = getSymbols().size();
  for (BlockArgument argument : getBlock().getArguments())
    if (failed(verifyBinding(*this, argument, numSymbols)))
      return failure();
  AffineMap assumed = getAssumptions().getBounds();
  if (assumed.getNumDims() != 0 || assumed.getNumSymbols() != numSymbols)
    return emitOpError("expected assumptions over the ") << numSymbols << " index arguments";
  return verifyLaunch(*this, numSymbols);
}

namespace {
/// The checks of the ops of a kernel, in the order of their execution.
class StageVerifier {
public:
  explicit StageVerifier(KernelOp kernel) : stage(kernel.getStage()) {}

  LogicalResult verify(Block &block) {
    for (Operation &op : block) {
      LogicalResult result =
          llvm::TypeSwitch<Operation *, LogicalResult>(&op)
              .Case([&](TileOp tile) { return verify(tile); })
              .Case([&](ForOp loop) { return verify(loop.getBlock()); })
              .Case([&](IfOp branch) -> LogicalResult {
                if (stage < Stage::Guarded)
                  return branch.emitOpError("expected branches from stage guarded on, but got ")
                         << stringifyStage(stage);
                return verify(branch.getBlock());
              })
              .Default([](Operation *) { return success(); });
      if (failed(result))
        return failure();
    }
    return success();
  }

private:
  LogicalResult verify(TileOp tile) {
    SmallVector<Attribute> accesses(tile.getReads().getValue());
    llvm::append_range(accesses, tile.getWrites());
    for (Attribute attribute : accesses)
      if (auto access = dyn_cast<AccessAttr>(attribute);
          access && access.hasOffset() != (stage >= Stage::Accessed))
        return tile.emitOpError("expected ")
               << (access.hasOffset() ? "indices" : "an offset") << " of each access in stage "
               << stringifyStage(stage);
    if (stage >= Stage::Guarded && !tile.getGuard().empty())
      return tile.emitOpError("expected a branch around the tile from stage guarded on, but got a "
                              "guard");
    if ((stage < Stage::Launched || stage >= Stage::Guarded) && !tile.getOnce().getTypes().empty())
      return tile.emitOpError("expected no 'once' in stage ") << stringifyStage(stage);
    for (Value input : tile.getInputs())
      if (input.getDefiningOp<BufferOp>() && !written.contains(input))
        return tile.emitOpError("expected a buffer that is written before it is read");
    for (Value output : tile.getOutputs())
      written.insert(output);
    return success();
  }

  const Stage stage;
  llvm::SmallPtrSet<Value, 16> written;
};
} // namespace

LogicalResult KernelOp::verifyRegions() { return StageVerifier(*this).verify(getBlock()); }
