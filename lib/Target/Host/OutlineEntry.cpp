//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ContextFields.h"
#include "Stages.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::host;

namespace {

/// Minimum alignment of every shared buffer: that of the widest vector access.
constexpr uint64_t kSharedAlignment = 16;

/// Builds the entry function of one kernel.
class EntryBuilder {
public:
  EntryBuilder(gpu::GPUFuncOp func, ModuleOp module, const LLVMTypeConverter &converter,
               KernelFacts &facts)
      : func(func), module(module), converter(converter), facts(facts), layout(module),
        builder(func.getContext()), loc(func.getLoc()),
        pointer(LLVM::LLVMPointerType::get(func.getContext())) {}

  FailureOr<LLVM::LLVMFuncOp> build() {
    builder.setInsertionPointToEnd(module.getBody());
    auto type =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(func.getContext()), {pointer, pointer});
    std::string name = ("fuser_host_entry_" + func.getName()).str();
    entry = LLVM::LLVMFuncOp::create(builder, loc, name, type, LLVM::Linkage::Internal);
    builder.setInsertionPointToStart(entry.addEntryBlock(builder));

    SmallVector<kernel_ir::PartArgumentOp> parts;
    func.walk([&](kernel_ir::PartArgumentOp op) { parts.push_back(op); });
    for (kernel_ir::PartArgumentOp op : parts)
      if (failed(loadPartArgument(op)))
        return failure();
    SmallVector<Value> replacements;
    for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
      FailureOr<Value> value = loadArgument(i);
      if (failed(value))
        return failure();
      replacements.push_back(*value);
    }
    for (unsigned i = 0, e = func.getNumWorkgroupAttributions(); i < e; ++i) {
      FailureOr<Value> buffer = placeShared(i);
      if (failed(buffer))
        return failure();
      replacements.push_back(*buffer);
    }
    for (BlockArgument array : func.getPrivateAttributions()) {
      FailureOr<Value> buffer = allocatePrivate(array);
      if (failed(buffer))
        return failure();
      replacements.push_back(*buffer);
    }
    moveBody(replacements);
    return entry;
  }

private:
  /// Casts a value of the llvm dialect to `type`; the conversion resolves the cast.
  Value castTo(Type type, Value value) {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
  }

  /// The argument with a number that only the thread knows: the array of parameters has them all.
  LogicalResult loadPartArgument(kernel_ir::PartArgumentOp op) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    Type i32 = builder.getI32Type();
    Value part = arith::IndexCastOp::create(builder, loc, i32, op.getPart());
    Value first =
        LLVM::ConstantOp::create(builder, loc, i32, builder.getI32IntegerAttr(op.getFirst()));
    Value number = LLVM::AddOp::create(builder, loc, first, part);
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, entry.getArgument(1),
                                     ArrayRef<LLVM::GEPArg>{number});
    if (auto memory = op->getAttrOfType<IntegerAttr>(kPartMemory))
      storeNumber(number, memory.getInt());
    FailureOr<std::pair<Value, uint32_t>> loaded = loadValue(op.getFirst(), op.getType(), slot);
    if (failed(loaded))
      return failure();
    op.replaceAllUsesWith(loaded->first);
    op.erase();
    return success();
  }

  /// Keeps the number of the parameter for checks of accesses to its memory.
  void storeNumber(Value number, int64_t memory) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&entry.getBody().front());
    Value one =
        LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(1));
    Value slot = LLVM::AllocaOp::create(builder, loc, pointer, builder.getI32Type(), one);
    builder.setInsertionPointAfterValue(number);
    LLVM::StoreOp::create(builder, loc, number, slot);
    facts.partNumbers[memory] = slot;
  }

  FailureOr<Value> loadArgument(unsigned index) {
    BlockArgument argument = func.getArgument(index);
    // Those of a table are read by their ops.
    auto memref = dyn_cast<MemRefType>(argument.getType());
    if (argument.use_empty() &&
        (argument.getType().isIndex() || (memref && memref.getRank() == 0))) {
      facts.paramBytes.push_back(memref ? sizeof(void *)
                                        : layout.getTypeSize(converter.getIndexType()));
      return Value();
    }
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, entry.getArgument(1),
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    FailureOr<std::pair<Value, uint32_t>> loaded = loadValue(index, argument.getType(), slot);
    if (failed(loaded))
      return failure();
    facts.paramBytes.push_back(loaded->second);
    return loaded->first;
  }

  /// The value of type `type` whose address is in `slot`, and its bytes.
  FailureOr<std::pair<Value, uint32_t>> loadValue(unsigned index, Type type, Value slot) {
    Value address = loadInvariant(builder, loc, pointer, slot);
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
        return func.emitOpError("expected argument ")
               << index << " to be a scalar or a buffer of static shape, but got " << type;
      Value data = loadInvariant(builder, loc, pointer, address);
      Value descriptor = MemRefDescriptor::fromStaticShape(builder, loc, converter, memref, data);
      return std::pair(castTo(type, descriptor), uint32_t(sizeof(void *)));
    }
    if (isa<kernel_ir::TensorMapType>(type))
      return std::pair(castTo(type, address), uint32_t(kernel_ir::TensorMapType::kBytes));
    Type llvmType = converter.convertType(type);
    if (!llvmType ||
        !(isa<IntegerType, FloatType, LLVM::LLVMPointerType>(llvmType) || isa<ComplexType>(type)))
      return func.emitOpError("expected argument ")
             << index << " to be a scalar or a buffer of static shape, but got " << type;
    uint32_t bytes = layout.getTypeSize(llvmType);
    if (llvmType.isInteger(1)) {
      Value byte = loadInvariant(builder, loc, builder.getI8Type(), address);
      return std::pair(Value(LLVM::TruncOp::create(builder, loc, llvmType, byte)), bytes);
    }
    return std::pair(castTo(type, loadInvariant(builder, loc, llvmType, address)), bytes);
  }

  /// Bytes of one buffer, or failure with a diagnostic.
  FailureOr<uint64_t> bytesOf(MemRefType type, StringRef kind) {
    Type element = converter.convertType(type.getElementType());
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !element)
      return func.emitOpError("expected a ")
             << kind << " buffer of static shape and identity layout, but got " << type;
    uint64_t stride =
        llvm::alignTo(layout.getTypeSize(element), layout.getTypeABIAlignment(element));
    return stride * type.getNumElements();
  }

  FailureOr<Value> placeShared(unsigned index) {
    BlockArgument argument =
        func.getBody().getArgument(func.getFirstWorkgroupAttributionIndex() + index);
    auto type = cast<MemRefType>(argument.getType());
    FailureOr<uint64_t> bytes = bytesOf(type, "shared");
    if (failed(bytes))
      return failure();
    uint64_t alignment = kSharedAlignment;
    if (func->hasAttr(func.getWorkgroupAttribAttrsAttrName()))
      if (auto stated = dyn_cast_if_present<IntegerAttr>(
              func.getWorkgroupAttributionAttr(index, LLVM::LLVMDialect::getAlignAttrName())))
        alignment = std::max<uint64_t>(alignment, stated.getValue().getZExtValue());
    uint64_t offset = llvm::alignTo(facts.staticSharedBytes, alignment);
    facts.staticSharedBytes = offset + *bytes;
    if (!sharedBase)
      sharedBase = loadContextField(builder, loc, entry, pointer,
                                    offsetof(fuser_host_context, static_shared));
    Value address = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), sharedBase,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
    return castTo(type, MemRefDescriptor::fromStaticShape(builder, loc, converter, type, address));
  }

  FailureOr<Value> allocatePrivate(BlockArgument argument) {
    auto type = cast<MemRefType>(argument.getType());
    FailureOr<uint64_t> bytes = bytesOf(type, "private");
    if (failed(bytes))
      return failure();
    Value count = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                           builder.getI64IntegerAttr(*bytes));
    Value address =
        LLVM::AllocaOp::create(builder, loc, pointer, builder.getI8Type(), count, kSharedAlignment);
    return castTo(type, MemRefDescriptor::fromStaticShape(builder, loc, converter, type, address));
  }

  void moveBody(ArrayRef<Value> replacements) {
    Block &body = func.getBody().front();
    for (auto [argument, value] : llvm::zip_equal(body.getArguments(), replacements))
      if (value)
        argument.replaceAllUsesWith(value);
    Block &target = entry.getBody().front();
    target.getOperations().splice(target.end(), body.getOperations());
    Region::BlockListType &rest = func.getBody().getBlocks();
    entry.getBody().getBlocks().splice(entry.getBody().end(), rest, std::next(rest.begin()),
                                       rest.end());
    entry.walk([](gpu::ReturnOp op) {
      OpBuilder at(op);
      LLVM::ReturnOp::create(at, op.getLoc(), ValueRange());
      op.erase();
    });
    func.erase();
  }

  gpu::GPUFuncOp func;
  ModuleOp module;
  const LLVMTypeConverter &converter;
  KernelFacts &facts;
  DataLayout layout;
  OpBuilder builder;
  Location loc;
  Type pointer;
  LLVM::LLVMFuncOp entry;
  Value sharedBase;
};

} // namespace

FailureOr<LLVM::LLVMFuncOp> fuser::host::outlineEntry(gpu::GPUFuncOp func, ModuleOp module,
                                                      const LLVMTypeConverter &converter,
                                                      KernelFacts &facts) {
  facts.name = func.getName().str();
  if (auto size = func.getKnownBlockSize())
    for (unsigned i = 0; i < 3; ++i)
      facts.blockSize[i] = (*size)[i];
  return EntryBuilder(func, module, converter, facts).build();
}
