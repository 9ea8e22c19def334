//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace fuser::nvvm;
using fuser::kernel_ir::FuserGPUDialect;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The arguments that the host passes; shared buffers come after them in the entry block.
static auto packedArguments(gpu::GPUFuncOp function) {
  return function.getArguments().take_front(function.getNumArguments());
}

/// Since CUDA 12.1, for compute capability 7.0 and later (CUDA C++ Programming Guide).
constexpr int64_t kMaxParameterBytes = 32764;

/// The argument forms of docs/kernel-ir.md. More parameters than PTX has space for would be left to
/// the assembler to refuse.
static LogicalResult verifyArguments(gpu::GPUFuncOp function) {
  int64_t bytes = 0;
  const DataLayout layout;
  for (BlockArgument argument : packedArguments(function)) {
    Type type = argument.getType();
    using fuser::kernel_ir::TensorMapType;
    if (isa<TensorMapType>(type)) {
      bytes = llvm::alignTo(bytes, TensorMapType::kAlignment) + TensorMapType::kBytes;
      continue;
    }
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (memref.getRank() == 0 && !memref.getMemorySpace()) {
        bytes = llvm::alignTo(bytes, 8) + 8;
        continue;
      }
      return function.emitError() << "expected tensors as memrefs of rank 0 in global memory, but "
                                     "argument "
                                  << argument.getArgNumber() << " is " << memref;
    }
    auto vector = dyn_cast<VectorType>(type);
    const bool isFixed = vector && vector.getRank() == 1 && !vector.isScalable();
    Type element = isFixed ? vector.getElementType() : type;
    if (!element.isIntOrIndexOrFloat() && !isa<ComplexType>(element))
      return function.emitError() << "expected a memref or a scalar, but argument "
                                  << argument.getArgNumber() << " is " << type;
    const uint64_t alignment = std::max<uint64_t>(layout.getTypeABIAlignment(type), 1);
    bytes = llvm::alignTo(bytes, alignment) + layout.getTypeSize(type);
  }
  if (bytes > kMaxParameterBytes)
    return function.emitError() << "expected at most " << kMaxParameterBytes
                                << " bytes of parameters, but got " << bytes;
  return success();
}

/// LLVM packs vectors of i1 into bits, but a boolean in memory is a byte.
static LogicalResult verifyNoPackedBooleans(gpu::GPUFuncOp function) {
  auto isPacked = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getElementType().isInteger(1);
  };
  WalkResult result = function.walk([&](Operation *op) {
    Type accessed;
    if (auto load = dyn_cast<vector::LoadOp>(op))
      accessed = load.getVectorType();
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      accessed = store.getVectorType();
    if (!accessed || !isPacked(accessed))
      return WalkResult::advance();
    op->emitOpError() << "expected booleans in memory as bytes (i8), but got " << accessed;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// LLVM aborts on arithmetic of float types that the GPU does not support.
static LogicalResult verifyFloats(gpu::GPUFuncOp function) {
  auto isTooWide = [](Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return element && element.getWidth() > 64;
  };
  WalkResult result = function.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      if (!isTooWide(type))
        continue;
      op->emitOpError() << "expected floats of up to 64 bits, but got " << type;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// fuser-convert-host-to-gpu gives parameters the types of a launch's operands, and casts them to
/// the types of kernel IR. Here the parameters get these types again.
static void restoreParameters(gpu::GPUFuncOp function) {
  SmallVector<Type> types(function.getArgumentTypes());
  for (auto [argument, type] : llvm::zip(packedArguments(function), types)) {
    if (!argument.hasOneUse())
      continue;
    auto cast = dyn_cast<UnrealizedConversionCastOp>(*argument.user_begin());
    if (!cast || cast.getNumResults() != 1)
      continue;
    type = cast.getResult(0).getType();
    argument.setType(type);
    cast.getResult(0).replaceAllUsesWith(argument);
    cast.erase();
  }
  function.setFunctionType(FunctionType::get(function.getContext(), types, TypeRange()));
}

//===----------------------------------------------------------------------===//
// Pointer arguments
//===----------------------------------------------------------------------===//

namespace {
/// The accesses of a kernel to a pointer argument's memory.
struct Accesses {
  bool reads = false;
  bool writes = false;
};
} // namespace

/// Follows views of `memory`. Unknown users count as reads and writes.
static void collectAccesses(Value memory, Accesses &accesses) {
  for (Operation *user : memory.getUsers()) {
    if (isa<memref::LoadOp, vector::LoadOp, fuser::kernel_ir::LoadOp>(user)) {
      accesses.reads = true;
    } else if (isa<memref::StoreOp, vector::StoreOp, fuser::kernel_ir::StoreOp>(user)) {
      accesses.writes = true;
    } else if (isa<fuser::kernel_ir::CopyAsyncOp, fuser::kernel_ir::CopyBulkOp>(user)) {
      // Its target is shared memory.
      accesses.reads = true;
    } else if (isa<ViewLikeOpInterface>(user)) {
      for (Value view : user->getResults())
        collectAccesses(view, accesses);
    } else {
      accesses.reads = accesses.writes = true;
    }
  }
}

/// Turns the facts on pointer arguments into LLVM's attributes.
///
/// LLVM interprets noalias as "nothing else changes this memory", even across fences. This is wrong
/// for memory through which threads exchange values, so that noalias is only kept if the kernel
/// only reads or only writes the memory. Neither is it true of what an earlier launch writes until
/// the kernel has waited for it.
static void convertArgumentFacts(gpu::GPUFuncOp function) {
  const bool waits = !function.getOps<fuser::kernel_ir::WaitDependenciesOp>().empty();
  MLIRContext *context = function.getContext();
  UnitAttr unit = UnitAttr::get(context);
  for (BlockArgument argument : packedArguments(function)) {
    unsigned index = argument.getArgNumber();
    auto take = [&](StringRef name) { return function.removeArgAttr(index, name); };
    take(FuserGPUDialect::kBind);
    bool readonly = take(FuserGPUDialect::kReadonly) != nullptr;
    bool noalias = take(FuserGPUDialect::kNoalias) != nullptr;
    Attribute align = take(FuserGPUDialect::kAlign);
    Accesses accesses;
    collectAccesses(argument, accesses);
    if (readonly)
      function.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(), unit);
    if (noalias && !(accesses.reads && (accesses.writes || (waits && !readonly))))
      function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
    if (align)
      function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(), align);
  }
}

/// The arguments that `memory` may be a view of: one, those of a table, or none.
static SmallVector<BlockArgument> findArguments(Value memory) {
  while (Operation *definition = memory.getDefiningOp()) {
    if (auto part = dyn_cast<fuser::kernel_ir::PartArgumentOp>(definition))
      return llvm::map_to_vector(part.getArguments(), llvm::CastTo<BlockArgument>);
    auto view = dyn_cast<ViewLikeOpInterface>(definition);
    if (!view)
      return {};
    memory = view.getViewSource();
  }
  return {cast<BlockArgument>(memory)};
}

/// Marks loads from memory that is constant during the launch.
static void markReadOnlyLoads(gpu::GPUFuncOp function) {
  auto isReadOnly = [&](BlockArgument argument) {
    unsigned index = argument.getArgNumber();
    return argument.getOwner() == &function.getBody().front() &&
           index < function.getNumArguments() &&
           function.getArgAttr(index, FuserGPUDialect::kReadonly) &&
           function.getArgAttr(index, FuserGPUDialect::kNoalias);
  };
  function.walk([&](fuser::kernel_ir::LoadOp load) {
    SmallVector<BlockArgument> arguments = findArguments(load.getBase());
    if (!arguments.empty() && llvm::all_of(arguments, isReadOnly))
      load->setAttr(kReadOnlyMarker, UnitAttr::get(function.getContext()));
  });
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

/// LLVM would align a shared buffer to its elements, so that vector accesses would be misaligned.
static void alignSharedMemory(gpu::GPUFuncOp function) {
  Builder builder(function.getContext());
  StringRef name = LLVM::LLVMDialect::getAlignAttrName();
  for (unsigned i = 0; i < function.getNumWorkgroupAttributions(); ++i)
    if (!function.getWorkgroupAttributionAttr(i, name))
      function.setWorkgroupAttributionAttr(i, name, builder.getI64IntegerAttr(16));
}

/// Hoists buffers of constant size to the entry block, where LLVM promotes them to registers;
/// elsewhere an alloca grows the stack on each execution.
static void hoistRegisterBuffers(gpu::GPUFuncOp function) {
  Block &entry = function.getBody().front();
  function.walk([&](memref::AllocaOp alloca) {
    if (alloca->getNumOperands() == 0 && alloca->getBlock() != &entry)
      alloca->moveBefore(&entry, entry.begin());
  });
}

/// Replaces gpu.block_dim by the known constant.
static void foldBlockSize(gpu::GPUFuncOp function) {
  std::optional<ArrayRef<int32_t>> size = function.getKnownBlockSize();
  if (!size)
    return;
  function.walk([&](gpu::BlockDimOp op) {
    OpBuilder builder(op);
    int64_t extent = (*size)[static_cast<unsigned>(op.getDimension())];
    op.replaceAllUsesWith(arith::ConstantIndexOp::create(builder, op.getLoc(), extent).getResult());
    op.erase();
  });
}

LogicalResult fuser::nvvm::prepareKernel(gpu::GPUFuncOp function) {
  restoreParameters(function);
  if (failed(verifyArguments(function)) || failed(verifyNoPackedBooleans(function)) ||
      failed(verifyFloats(function)))
    return failure();
  markReadOnlyLoads(function);
  convertArgumentFacts(function);
  alignSharedMemory(function);
  hoistRegisterBuffers(function);
  foldBlockSize(function);
  return success();
}
