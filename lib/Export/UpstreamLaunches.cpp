//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-convert-host-to-gpu: launches, and the facts that they rely on.
//
//===----------------------------------------------------------------------===//

#include "UpstreamHost.h"
#include "VerifyLaunch.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fuser;
using kernel_ir::FuserGPUDialect;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value UpstreamHost::getSize(Value buffer, int64_t dim) {
  return memref::DimOp::create(builder, loc, buffer, dim);
}

Value UpstreamHost::getStride(Value buffer, int64_t dim) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  return metadata.getStrides()[dim];
}

Value UpstreamHost::getBound(LaunchOp op, Attribute binding) {
  auto operand = [&](int64_t number) { return mapping.lookup(getLaunchOperands(op)[number]); };
  if (auto size = dyn_cast<kernel_ir::SizeAttr>(binding))
    return getSize(operand(size.getOperand()), size.getDim());
  if (auto stride = dyn_cast<kernel_ir::StrideAttr>(binding))
    return getStride(operand(stride.getOperand()), stride.getDim());
  if (auto scalar = dyn_cast<kernel_ir::ScalarAttr>(binding))
    return operand(scalar.getOperand());
  if (auto first = dyn_cast<kernel_ir::FirstBlockAttr>(binding))
    return firstBlocks[first.getPart()];
  auto grid = cast<kernel_ir::PartGridAttr>(binding);
  return partGrids[3 * grid.getPart() + grid.getAxis()];
}

Value UpstreamHost::getAddress(Value buffer) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  auto parts = dyn_cast<ComplexType>(element);
  int64_t bits =
      parts ? 2 * parts.getElementType().getIntOrFloatBitWidth() : element.getIntOrFloatBitWidth();
  Value moved = arith::MulIOp::create(builder, loc, metadata.getOffset(), constant(bits / 8));
  return arith::AddIOp::create(builder, loc, start, moved);
}

Value UpstreamHost::getPointer(Value buffer) {
  Value number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), getAddress(buffer));
  return LLVM::IntToPtrOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                  number);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

void UpstreamHost::assertLayout(BlockArgument argument) {
  LayoutAttr layout = host.getArgLayout(argument.getArgNumber());
  Value buffer = mapping.lookup(argument);
  auto type = cast<MemRefType>(buffer.getType());
  ArrayRef<int64_t> strides = cast<StridedLayoutAttr>(type.getLayout()).getStrides();
  Value wanted;
  for (size_t position = layout.getOrder().size(); position-- > 0;) {
    int64_t dim = layout.getOrder()[position];
    if (ShapedType::isDynamic(strides[dim]) && layout.isContiguousAt(position) &&
        type.getDimSize(dim) != 1) {
      Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                          getStride(buffer, dim), wanted);
      // The stride of a dimension of size 1 has no effect.
      Value isShort = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                            getSize(buffer, dim), constant(1));
      cf::AssertOp::create(builder, loc, arith::OrIOp::create(builder, loc, holds, isShort),
                           "expected argument " + std::to_string(argument.getArgNumber()) +
                               " to lie densely in dimension " + std::to_string(dim));
    }
    Value size = getSize(buffer, dim);
    wanted = wanted ? Value(arith::MulIOp::create(builder, loc, wanted, size)) : size;
  }
}

void UpstreamHost::assertFact(FactAttr fact, ArrayRef<Value> operands, StringRef reason) {
  Value buffer = mapping.lookup(operands[fact.getArg()]);
  using Predicate = arith::CmpIPredicate;
  auto compare = [&](Predicate predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  };
  auto isMultiple = [&](Value value, int64_t divisor) {
    Value rest = arith::RemUIOp::create(builder, loc, value, constant(divisor));
    return compare(Predicate::eq, rest, constant(0));
  };
  Value holds;
  switch (fact.getKind()) {
  case FactKind::Equal:
    holds = compare(Predicate::eq, getSize(buffer, fact.getDim()),
                    getSize(mapping.lookup(operands[fact.getOtherArg()]), fact.getOtherDim()));
    break;
  case FactKind::Divisible:
    holds = isMultiple(getSize(buffer, fact.getDim()), fact.getValue());
    break;
  case FactKind::AtMost:
    holds = compare(Predicate::sle, getSize(buffer, fact.getDim()), constant(fact.getValue()));
    break;
  case FactKind::AtLeast:
    holds = compare(Predicate::sge, getSize(buffer, fact.getDim()), constant(fact.getValue()));
    break;
  case FactKind::Aligned:
    holds = isMultiple(getAddress(buffer), fact.getValue());
    break;
  case FactKind::StrideDivisible:
    holds = isMultiple(getStride(buffer, fact.getDim()), fact.getValue());
    break;
  case FactKind::StrideIs:
    holds = compare(Predicate::eq, getStride(buffer, fact.getDim()), constant(fact.getValue()));
    break;
  case FactKind::ElementsAtMost: {
    Value distance = constant(0);
    for (int64_t dim = 0; dim < cast<MemRefType>(buffer.getType()).getRank(); ++dim) {
      Value last = arith::SubIOp::create(builder, loc, getSize(buffer, dim), constant(1));
      Value reach = arith::MulIOp::create(builder, loc, last, getStride(buffer, dim));
      distance = arith::AddIOp::create(builder, loc, distance, reach);
    }
    holds = compare(Predicate::sle, distance, constant(fact.getValue()));
    break;
  }
  }
  std::string text;
  llvm::raw_string_ostream(text) << "expected " << fact << " (" << reason << ")";
  cf::AssertOp::create(builder, loc, holds, text);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> UpstreamHost::bindOperands(LaunchOp op, gpu::GPUFuncOp function,
                                                         ArrayRef<Value> buffers,
                                                         ArrayRef<Value> workspaces) {
  SmallVector<Value> operands;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    Attribute bind = function.getArgAttr(number, FuserGPUDialect::kBind);
    Type type = getParameterType(function, function.getArgument(number).getType());
    if (auto pointer = dyn_cast_or_null<kernel_ir::PointerAttr>(bind)) {
      operands.push_back(getPointer(mapping.lookup(buffers[pointer.getOperand()])));
      continue;
    }
    if (isa_and_nonnull<kernel_ir::TensorMapAttr>(bind))
      return op.emitOpError(
                 "expected a kernel without tensor maps, which upstream's host IR cannot "
                 "make, but argument ")
             << number << " of " << op.getKernel() << " is one";
    if (auto workspace = dyn_cast_or_null<kernel_ir::WorkspaceAttr>(bind)) {
      Value memory = workspaces[workspace.getIndex()];
      if (workspace.getZeroed()) {
        Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
        inStream([&](Type token, Value stream) {
          return gpu::MemsetOp::create(builder, loc, token, stream, memory, zero).getAsyncToken();
        });
      }
      operands.push_back(getPointer(memory));
      continue;
    }
    Value value = getBound(op, bind);
    if (type.isInteger() && value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, type, value);
    operands.push_back(value);
  }
  return operands;
}

void UpstreamHost::launch(LaunchOp op, kernel_ir::LaunchAttr attr, const LaunchShape &shape,
                          ArrayRef<Value> operands) {
  OpBuilder::InsertionGuard guard(builder);
  // An empty grid needs no launch; a driver would refuse it.
  auto [x, y, z] = std::tuple(shape.grid[0], shape.grid[1], shape.grid[2]);
  Value blocks = arith::MulIOp::create(builder, loc, arith::MulIOp::create(builder, loc, x, y), z);
  Value any = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, blocks, constant(0));
  auto branch = scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (attr.getCooperative()) {
    std::string name =
        ("fuser_launch_cooperative_" + op.getKernel().getLeafReference().getValue()).str();
    op.emitRemark("expected the embedder to supply the function '")
        << name << "': gpu.launch_func has no cooperative form";
    SmallVector<Value> all(shape.grid);
    llvm::append_range(all, shape.block);
    all.push_back(shape.shared);
    llvm::append_range(all, operands);
    func::CallOp::create(builder, loc, declare(name, ValueRange(all).getTypes()), all);
  } else {
    Value sharedBytes =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), shape.shared);
    std::optional<gpu::KernelDim3> cluster;
    if (ArrayRef<int64_t> sizes = attr.getCluster(); !sizes.empty())
      cluster = gpu::KernelDim3{constant(sizes[0]), constant(sizes[1]), constant(sizes[2])};
    gpu::LaunchFuncOp::create(builder, loc, op.getKernel(), gpu::KernelDim3{x, y, z},
                              gpu::KernelDim3{shape.block[0], shape.block[1], shape.block[2]},
                              sharedBytes, operands,
                              /*asyncTokenType=*/Type(), ValueRange(), cluster);
  }
}

FailureOr<gpu::GPUFuncOp> UpstreamHost::getKernel(LaunchOp op) {
  Operation *kernel = kernels.lookupNearestSymbolFrom(host, op.getKernel());
  auto function = dyn_cast_or_null<gpu::GPUFuncOp>(kernel);
  DenseI32ArrayAttr block = function ? function.getKnownBlockSizeAttr() : DenseI32ArrayAttr();
  if (block && block.size() == 3 &&
      function->getAttrOfType<kernel_ir::LaunchAttr>(FuserGPUDialect::kLaunch))
    return function;
  auto error = op->emitOpError("expected a kernel that is lowered to kernel IR, but got ")
               << op.getKernel();
  if (isa_and_nonnull<KernelOp>(kernel))
    error << ": run fuser-to-kernel-ir first";
  else if (isa_and_nonnull<LLVM::LLVMFuncOp>(kernel))
    error << ": run fuser-convert-host-to-gpu before fuser-lower-to-nvvm";
  else if (isa_and_nonnull<gpu::BinaryOp>(
               kernels.lookupNearestSymbolFrom(host, op.getKernel().getRootReference())))
    error << ": run fuser-convert-host-to-gpu before fuser-emit-ptx";
  return error;
}

LogicalResult UpstreamHost::convertLaunch(LaunchOp op) {
  FailureOr<gpu::GPUFuncOp> kernel = getKernel(op);
  if (failed(kernel))
    return failure();
  gpu::GPUFuncOp function = *kernel;
  auto attr = function->getAttrOfType<kernel_ir::LaunchAttr>(FuserGPUDialect::kLaunch);
  if (op.getStream())
    op.emitRemark(
        "expected host IR with streams, but got stock dialects: this launch runs in order");

  if (failed(verifyLaunch(op, function)))
    return failure();
  SmallVector<Value> launchOperands = getLaunchOperands(op);
  if (auto facts = function->getAttrOfType<ArrayAttr>(kKernelFactsAttrName))
    for (auto [number, fact] : llvm::enumerate(facts.getAsRange<FactAttr>()))
      assertFact(fact, launchOperands, getFactReason(function, number, function.getName()));

  SmallVector<Value> symbols;
  for (Attribute symbol : attr.getSymbols()) {
    Value value = getBound(op, symbol);
    if (!value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
    symbols.push_back(value);
  }
  auto evaluate = [&](AffineExpr expr) {
    return affine::expandAffineExpr(builder, loc, expr, ValueRange(), symbols);
  };
  LaunchShape shape;
  SmallVector<Value> workspaces;
  for (unsigned axis = 0; axis < 3; ++axis) {
    shape.grid.push_back(evaluate(attr.getGrid().getResult(axis)));
    shape.block.push_back(constant(function.getKnownBlockSizeAttr()[axis]));
  }
  shape.shared = attr.getSmem() ? evaluate(attr.getSmem().getResult(0)) : constant(0);
  partGrids.clear();
  firstBlocks.clear();
  if (AffineMap parts = attr.getParts()) {
    Value first = constant(0);
    for (unsigned part = 0; part < attr.getNumParts(); ++part) {
      firstBlocks.push_back(first);
      Value blocks = constant(1);
      for (unsigned axis = 0; axis < 3; ++axis) {
        partGrids.push_back(evaluate(parts.getResult(3 * part + axis)));
        blocks = arith::MulIOp::create(builder, loc, blocks, partGrids.back());
      }
      first = arith::AddIOp::create(builder, loc, first, blocks);
    }
  }
  // Words, because upstream sets no bytes.
  auto wordsType = MemRefType::get({ShapedType::kDynamic}, builder.getI32Type());
  for (AffineMap map : attr.getWorkspaces())
    workspaces.push_back(allocate(wordsType, evaluate(map.getResult(0).ceilDiv(4))));
  FailureOr<SmallVector<Value>> operands = bindOperands(op, function, launchOperands, workspaces);
  if (failed(operands))
    return failure();
  launch(op, attr, shape, *operands);
  for (Value workspace : workspaces)
    free(workspace);
  for (auto [result, output] : llvm::zip_equal(op.getResults(), op.getOutputs()))
    mapping.map(result, mapping.lookup(output));
  return success();
}
