//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-convert-host-to-gpu: a host function and its buffers.
//
//===----------------------------------------------------------------------===//

#include "UpstreamHost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;

Type fuser::getMemoryType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element;
}

Type fuser::getParameterType(gpu::GPUFuncOp kernel, Type type) {
  if (isa<MemRefType>(type))
    return LLVM::LLVMPointerType::get(type.getContext());
  if (!type.isIndex())
    return type;
  auto bits = kernel->getParentOfType<gpu::GPUModuleOp>()->getAttrOfType<IntegerAttr>(
      kernel_ir::FuserGPUDialect::kIndexBits);
  return IntegerType::get(type.getContext(), bits ? bits.getInt() : 64);
}

Value UpstreamHost::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Strides of a dense tensor in an order, slowest dimension first, as far as sizes are static;
/// strides for which `isStrided` holds are only known at run time.
static SmallVector<int64_t> getStaticStrides(ArrayRef<int64_t> shape, ArrayRef<int64_t> order,
                                             function_ref<bool(unsigned)> isStrided) {
  SmallVector<int64_t> strides(shape.size());
  int64_t next = 1;
  for (size_t position = order.size(); position-- > 0;) {
    int64_t dim = order[position];
    strides[dim] = isStrided(position) ? ShapedType::kDynamic : next;
    if (ShapedType::isDynamic(next) || ShapedType::isDynamic(shape[dim]))
      next = ShapedType::kDynamic;
    else
      next *= shape[dim];
  }
  return strides;
}

MemRefType UpstreamHost::getArgumentType(unsigned argument) {
  auto type = cast<RankedTensorType>(host.getArgumentTypes()[argument]);
  LayoutAttr layout = host.getArgLayout(argument);
  SmallVector<int64_t> strides =
      getStaticStrides(type.getShape(), layout.getOrder(),
                       [&](unsigned position) { return !layout.isContiguousAt(position); });
  return MemRefType::get(type.getShape(), getMemoryType(type.getElementType()),
                         StridedLayoutAttr::get(builder.getContext(), 0, strides));
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> UpstreamHost::build() {
  SmallVector<Type> arguments;
  for (auto [number, type] : llvm::enumerate(host.getArgumentTypes()))
    arguments.push_back(isa<RankedTensorType>(type) ? Type(getArgumentType(number)) : type);
  // The result types are known after the body: they follow from the returned buffers.
  auto function = func::FuncOp::create(builder, loc, host.getSymName(),
                                       builder.getFunctionType(arguments, TypeRange()));
  Block *entry = function.addEntryBlock();
  mapping.map(host.getArguments(), entry->getArguments());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(entry);
  for (BlockArgument argument : host.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      assertLayout(argument);
  if (host.getFacts()) {
    SmallVector<Value> operands(host.getArguments());
    for (FactAttr fact : host.getFacts()->getAsRange<FactAttr>())
      // The provider of an output guarantees its facts: here, the allocator.
      if (fact.getArg() < int64_t(operands.size()))
        assertFact(fact, operands, "fact of the fusion");
  }
  if (failed(convertBlock(host.getBody().front()))) {
    function.erase();
    return failure();
  }
  function.setType(builder.getFunctionType(arguments, entry->getTerminator()->getOperandTypes()));
  return function;
}

func::FuncOp UpstreamHost::declare(StringRef name, TypeRange arguments) {
  auto module = host->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto function =
      func::FuncOp::create(builder, loc, name, builder.getFunctionType(arguments, TypeRange()));
  function.setPrivate();
  return function;
}

LogicalResult UpstreamHost::convertBlock(Block &block) {
  for (Operation &op : block)
    if (failed(convert(&op)))
      return failure();
  return success();
}

LogicalResult UpstreamHost::convert(Operation *op) {
  loc = op->getLoc();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AllocOp op) { return convertAlloc(op); })
      .Case([&](FreeOp op) {
        free(allocations.lookup(mapping.lookup(op.getBuffer())));
        return success();
      })
      .Case([&](ViewOp op) { return convertView(op); })
      .Case([&](ReshapeViewOp op) { return convertReshapeView(op); })
      .Case([&](ExpectOp op) { return convertExpect(op); })
      .Case([&](PlaceOp op) {
        mapping.map(op.getResult(), mapping.lookup(op.getBuffer()));
        return success();
      })
      .Case([&](CopyOp op) { return convertCopy(op); })
      .Case([&](LaunchOp op) { return convertLaunch(op); })
      .Case([&](ForOp op) { return convertFor(op); })
      .Case([&](LibraryCallOp op) { return convertLibraryCall(op); })
      .Case([&](ReturnOp op) { return convertReturn(op); })
      .Case([&](YieldOp) { return success(); })
      // All launches are in one stream, in the order of the program.
      .Case<StreamOp, RecordOp, WaitOp>([&](auto) { return success(); })
      .Case([&](tensor::DimOp op) {
        mapping.map(op.getResult(),
                    memref::DimOp::create(builder, loc, mapping.lookup(op.getSource()),
                                          mapping.lookup(op.getIndex()))
                        .getResult());
        return success();
      })
      .Default([&](Operation *op) {
        builder.clone(*op, mapping);
        return success();
      });
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

void UpstreamHost::inStream(llvm::function_ref<Value(Type, Value)> create) {
  Type token = gpu::AsyncTokenType::get(builder.getContext());
  Value stream = gpu::WaitOp::create(builder, loc, token, ValueRange()).getAsyncToken();
  gpu::WaitOp::create(builder, loc, Type(), create(token, stream));
}

Value UpstreamHost::allocate(MemRefType type, ValueRange sizes) {
  Value memory;
  inStream([&](Type token, Value stream) {
    auto op = gpu::AllocOp::create(builder, loc, type, token, stream, sizes, ValueRange());
    memory = op.getMemref();
    return op.getAsyncToken();
  });
  return memory;
}

void UpstreamHost::free(Value memory) {
  inStream([&](Type token, Value stream) {
    return gpu::DeallocOp::create(builder, loc, token, stream, memory).getAsyncToken();
  });
}

/// Allocates dense memory in its memory order, and transposes it to the order of the tensor.
LogicalResult UpstreamHost::convertAlloc(AllocOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  if (auto given = op.getOrder())
    order.assign(given->begin(), given->end());
  SmallVector<Value> sizeOf(type.getRank()), sizes;
  for (auto [dim, size] :
       llvm::zip(llvm::make_filter_range(llvm::seq<int64_t>(0, type.getRank()),
                                         [&](int64_t dim) { return type.isDynamicDim(dim); }),
                 op.getSizes()))
    sizeOf[dim] = mapping.lookup(size);
  SmallVector<int64_t> shape;
  for (int64_t dim : order) {
    shape.push_back(type.getDimSize(dim));
    if (sizeOf[dim])
      sizes.push_back(sizeOf[dim]);
  }
  Type element = getMemoryType(type.getElementType());
  Value memory = allocate(MemRefType::get(shape, element), sizes);
  Value buffer = memory;
  if (!llvm::is_sorted(order)) {
    SmallVector<unsigned> position(order.size());
    for (auto [at, dim] : llvm::enumerate(order))
      position[dim] = at;
    auto map = AffineMap::getPermutationMap(position, builder.getContext());
    buffer = memref::TransposeOp::create(builder, loc, memory, AffineMapAttr::get(map));
  }
  allocations[buffer] = memory;
  mapping.map(op.getResult(), buffer);
  return success();
}

Value UpstreamHost::getMemory(Value buffer, Value elements) {
  MLIRContext *context = builder.getContext();
  Type i64 = builder.getI64Type(), pointer = LLVM::LLVMPointerType::get(context);
  Type array = LLVM::LLVMArrayType::get(i64, 1);
  Value start = getPointer(buffer);
  Value count = arith::IndexCastOp::create(builder, loc, i64, elements);
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(value));
  };
  Value descriptor = LLVM::PoisonOp::create(
      builder, loc,
      LLVM::LLVMStructType::getLiteral(context, {pointer, pointer, i64, array, array}));
  auto insert = [&](Value value, ArrayRef<int64_t> position) {
    descriptor = LLVM::InsertValueOp::create(builder, loc, descriptor, value, position);
  };
  insert(start, 0);
  insert(start, 1);
  insert(number(0), 2);
  insert(count, {3, 0});
  insert(number(1), {4, 0});
  Type dense =
      MemRefType::get({ShapedType::kDynamic}, cast<MemRefType>(buffer.getType()).getElementType());
  return UnrealizedConversionCastOp::create(builder, loc, TypeRange(dense), descriptor)
      .getResult(0);
}

/// gpu.memcpy has no strides, so that both buffers must have the same, without gaps.
LogicalResult UpstreamHost::convertCopy(CopyOp op) {
  Value source = mapping.lookup(op.getSource()), destination = mapping.lookup(op.getDestination());
  mapping.map(op.getResult(), destination);
  auto from = cast<MemRefType>(source.getType()), to = cast<MemRefType>(destination.getType());
  if (from == to && to.getLayout().isIdentity()) {
    copy(source, destination);
    return success();
  }
  Value elements = constant(1);
  for (int64_t dim = 0; dim < to.getRank(); ++dim) {
    Value size = getSize(destination, dim);
    elements = arith::MulIOp::create(builder, loc, elements, size);
    Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       getStride(source, dim), getStride(destination, dim));
    Value isShort =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, size, constant(1));
    cf::AssertOp::create(builder, loc, arith::OrIOp::create(builder, loc, same, isShort),
                         "expected buffers of equal strides in dimension " + std::to_string(dim) +
                             ", for a copy has none");
  }
  copy(getMemory(source, elements), getMemory(destination, elements));
  return success();
}

void UpstreamHost::copy(Value source, Value destination) {
  inStream([&](Type token, Value stream) {
    return gpu::MemcpyOp::create(builder, loc, token, stream, destination, source).getAsyncToken();
  });
}

LogicalResult UpstreamHost::convertView(ViewOp op) {
  MLIRContext *context = op.getContext();
  Value base = mapping.lookup(op.getBase());
  auto resolve = [&](OpFoldResult entry) -> OpFoldResult {
    if (auto value = dyn_cast<Value>(entry))
      return mapping.lookup(value);
    return entry;
  };
  auto offsets =
      llvm::map_to_vector(getMixedValues(op.getStaticOffsets(), op.getOffsets(), context), resolve);
  auto sizes =
      llvm::map_to_vector(getMixedValues(op.getStaticSizes(), op.getSizes(), context), resolve);
  SmallVector<OpFoldResult> steps;
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    steps.push_back(builder.getIndexAttr(op.getStep(dim)));
  Value part = memref::SubViewOp::create(builder, loc, base, offsets, sizes, steps);
  if (std::optional<ArrayRef<int64_t>> dims = op.getDims()) {
    // Sizes and strides of the part, in the order of the view.
    auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, part);
    SmallVector<OpFoldResult> viewSizes, viewStrides;
    SmallVector<int64_t> shape(cast<RankedTensorType>(op.getResult().getType()).getShape());
    for (auto [dim, baseDim] : llvm::enumerate(*dims)) {
      if (ShapedType::isDynamic(shape[dim]))
        viewSizes.push_back(metadata.getSizes()[baseDim]);
      else
        viewSizes.push_back(builder.getIndexAttr(shape[dim]));
      if (baseDim < 0)
        viewStrides.push_back(builder.getIndexAttr(1));
      else
        viewStrides.push_back(metadata.getStrides()[baseDim]);
    }
    part = reinterpret(metadata, shape, viewSizes, viewStrides);
  }
  mapping.map(op.getResult(), part);
  return success();
}

Value UpstreamHost::reinterpret(memref::ExtractStridedMetadataOp source, ArrayRef<int64_t> shape,
                                ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides) {
  SmallVector<int64_t> staticStrides = llvm::map_to_vector(strides, [](OpFoldResult stride) {
    return getConstantIntValue(stride).value_or(ShapedType::kDynamic);
  });
  auto type = MemRefType::get(
      shape, cast<MemRefType>(source.getSource().getType()).getElementType(),
      StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, staticStrides));
  return memref::ReinterpretCastOp::create(builder, loc, type, source.getBaseBuffer(),
                                           OpFoldResult(source.getOffset()), sizes, strides);
}

LogicalResult UpstreamHost::convertReshapeView(ReshapeViewOp op) {
  Value base = mapping.lookup(op.getBase());
  ArrayRef<int64_t> baseShape = cast<MemRefType>(base.getType()).getShape();
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, base);
  SmallVector<OpFoldResult> sizes;
  for (OpFoldResult size : getMixedValues(op.getStaticSizes(), op.getSizes(), op.getContext())) {
    auto value = dyn_cast<Value>(size);
    sizes.push_back(value ? OpFoldResult(mapping.lookup(value)) : size);
  }
  OpFoldResult one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> strides(sizes.size(), one);
  auto toValue = [&](OpFoldResult value) {
    std::optional<int64_t> known = getConstantIntValue(value);
    return known ? constant(*known) : cast<Value>(value);
  };
  size_t dim = 0, baseDim = 0;
  for (auto [from, to] : llvm::zip_equal(op.getFrom(), op.getTo())) {
    baseDim += from;
    dim += to;
    OpFoldResult stride = one;
    for (size_t fastest = baseDim; fastest-- > baseDim - from;)
      if (baseShape[fastest] != 1) {
        stride = metadata.getConstifiedMixedStrides()[fastest];
        break;
      }
    for (size_t each = dim; each-- > dim - to;) {
      strides[each] = stride;
      std::optional<int64_t> a = getConstantIntValue(stride), b = getConstantIntValue(sizes[each]);
      if (a && b)
        stride = builder.getIndexAttr(*a * *b);
      else if (each > dim - to)
        stride =
            arith::MulIOp::create(builder, loc, toValue(stride), toValue(sizes[each])).getResult();
    }
  }
  mapping.map(op.getResult(), reinterpret(metadata, op.getStaticSizes(), sizes, strides));
  return success();
}

LogicalResult UpstreamHost::convertExpect(ExpectOp op) {
  auto predicate = op.getAtMost() ? arith::CmpIPredicate::sle : arith::CmpIPredicate::eq;
  Value holds = arith::CmpIOp::create(builder, loc, predicate, mapping.lookup(op.getLhs()),
                                      mapping.lookup(op.getRhs()));
  cf::AssertOp::create(builder, loc, holds, op.getReason());
  return success();
}

//===----------------------------------------------------------------------===//
// Control and calls
//===----------------------------------------------------------------------===//

LogicalResult UpstreamHost::convertFor(ForOp op) {
  op.emitRemark(
      "expected host IR with streams, but got stock dialects: the iterations of this loop "
      "run in order");
  Value count = mapping.lookup(op.getCount());
  auto loop = scf::ForOp::create(builder, loc, constant(0), count, constant(1));
  mapping.map(op.getInductionVariable(), loop.getInductionVar());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  return convertBlock(op.getBody().front());
}

LogicalResult UpstreamHost::convertLibraryCall(LibraryCallOp op) {
  SmallVector<Value> operands;
  for (Value operand : llvm::concat<Value>(op.getInputs(), op.getOutputs()))
    operands.push_back(mapping.lookup(operand));
  std::string name = ("fuser_library_" + op.getRoutine()).str();
  op.emitRemark("expected the embedder to supply the function '")
      << name << "' for a routine of a library";
  func::FuncOp callee = declare(name, ValueRange(operands).getTypes());
  if (TypeRange(callee.getArgumentTypes()) != TypeRange(ValueRange(operands).getTypes()))
    return op.emitOpError("expected one type of '")
           << name << "' for all of its calls, but got " << callee.getFunctionType()
           << " and another one";
  func::CallOp::create(builder, loc, callee, operands);
  for (auto [result, output] : llvm::zip_equal(op.getResults(), op.getOutputs()))
    mapping.map(result, mapping.lookup(output));
  return success();
}

LogicalResult UpstreamHost::convertReturn(ReturnOp op) {
  SmallVector<Value> results;
  for (Value value : op.getValues())
    results.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, loc, results);
  return success();
}
