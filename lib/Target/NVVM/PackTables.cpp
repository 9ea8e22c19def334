//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes tables of arguments as arrays: LLVM and the assembler read a part of an array of
// parameters like any other parameter, from constant memory.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "fuser/Dialect/Kernel/ArgumentTables.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace fuser::nvvm;
using fuser::kernel_ir::ArgumentTable;
using fuser::kernel_ir::PartArgumentOp;

namespace {

/// Rewrites the `part_argument` ops of one table.
class TablePacker {
public:
  TablePacker(gpu::GPUFuncOp function, unsigned indexBits, const LLVMTypeConverter &converter)
      : function(function), indexType(IntegerType::get(function.getContext(), indexBits)),
        converter(converter) {}

  /// Replaces the arguments of `table` by one pointer, and returns the type of the array.
  FailureOr<Type> pack(const ArgumentTable &table) {
    SmallVector<PartArgumentOp> ops;
    function.walk([&](PartArgumentOp op) {
      if (op.getFirst() == table.first)
        ops.push_back(op);
    });
    Type type = ops.front().getType(), element = getElementType(type);
    if (!element)
      return ops.front().emitOpError()
             << "expected pointers, integers or floats as arguments of parts, but got " << type;
    auto array = LLVM::LLVMArrayType::get(element, table.count);
    auto pointer = LLVM::LLVMPointerType::get(function.getContext());
    Block &entry = function.getBody().front();
    Value base = entry.insertArgument(table.first, pointer, function.getLoc());
    for (PartArgumentOp op : ops) {
      op.replaceAllUsesWith(load(op, base, array));
      op.erase();
    }
    entry.eraseArguments(table.first + 1, table.count);
    auto replace = [&](auto &list, auto value) {
      list.erase(list.begin() + table.first + 1, list.begin() + table.first + table.count);
      list[table.first] = value;
    };
    SmallVector<Type> types(function.getArgumentTypes());
    SmallVector<DictionaryAttr> attributes;
    for (unsigned number = 0; number < types.size(); ++number)
      attributes.push_back(function.getArgAttrDict(number));
    replace(types, pointer);
    replace(attributes, DictionaryAttr::get(function.getContext()));
    function.setFunctionType(FunctionType::get(function.getContext(), types, TypeRange()));
    function.setAllArgAttrs(attributes);
    return Type(array);
  }

private:
  /// Pointers are loaded as such to global memory, so that accesses through them are as well.
  Type getElementType(Type type) const {
    if (isa<MemRefType>(type))
      return LLVM::LLVMPointerType::get(type.getContext(),
                                        static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
    if (type.isIndex())
      return indexType;
    return type.isIntOrFloat() ? type : Type();
  }

  Value load(PartArgumentOp op, Value base, LLVM::LLVMArrayType array) const {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value part = arith::IndexCastOp::create(builder, loc, indexType, op.getPart());
    Value slot =
        LLVM::GEPOp::create(builder, loc, pointer, array, base, ArrayRef<LLVM::GEPArg>{0, part});
    auto load = LLVM::LoadOp::create(builder, loc, array.getElementType(), slot);
    load.setInvariant(true);
    Value value = load.getResult();
    if (auto memref = dyn_cast<MemRefType>(op.getType())) {
      value = LLVM::AddrSpaceCastOp::create(builder, loc, pointer, value);
      value = MemRefDescriptor::fromStaticShape(builder, loc, converter, memref, value);
    }
    if (op.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, op.getType(), value);
    if (value.getType() == op.getType())
      return value;
    return UnrealizedConversionCastOp::create(builder, loc, op.getType(), value).getResult(0);
  }

  gpu::GPUFuncOp function;
  Type indexType;
  const LLVMTypeConverter &converter;
};

} // namespace

LogicalResult fuser::nvvm::packTables(gpu::GPUFuncOp function, unsigned indexBits,
                                      SmallVectorImpl<PackedTable> &packed) {
  FailureOr<SmallVector<ArgumentTable>> tables = kernel_ir::getArgumentTables(function);
  if (failed(tables) || tables->empty())
    return LogicalResult(tables);
  LowerToLLVMOptions options(function.getContext());
  options.overrideIndexBitwidth(indexBits);
  LLVMTypeConverter converter(function.getContext(), options);
  TablePacker packer(function, indexBits, converter);
  // Backward, so that the numbers of earlier arguments stay the same.
  for (const ArgumentTable &table : llvm::reverse(*tables)) {
    FailureOr<Type> type = packer.pack(table);
    if (failed(type))
      return failure();
    for (PackedTable &later : packed)
      later.argument -= table.count - 1;
    packed.push_back({table.first, *type});
  }
  return success();
}

void fuser::nvvm::addTensorMaps(gpu::GPUFuncOp function, SmallVectorImpl<PackedTable> &packed) {
  using fuser::kernel_ir::TensorMapType;
  auto bytes =
      LLVM::LLVMArrayType::get(IntegerType::get(function.getContext(), 8), TensorMapType::kBytes);
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isa<TensorMapType>(type))
      packed.push_back({static_cast<unsigned>(number), bytes, TensorMapType::kAlignment});
}

void fuser::nvvm::markTables(LLVM::LLVMFuncOp function, ArrayRef<PackedTable> packed) {
  MLIRContext *context = function.getContext();
  for (const PackedTable &table : packed) {
    function.setArgAttr(table.argument, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(table.type));
    // Read where it is passed: otherwise each thread copies the array to its stack.
    function.setArgAttr(table.argument, NVVM::NVVMDialect::getGridConstantAttrName(),
                        UnitAttr::get(context));
    function.setArgAttr(table.argument, LLVM::LLVMDialect::getReadonlyAttrName(),
                        UnitAttr::get(context));
    if (table.alignment != 0)
      function.setArgAttr(table.argument, LLVM::LLVMDialect::getAlignAttrName(),
                          IntegerAttr::get(IntegerType::get(context, 64), table.alignment));
  }
}
