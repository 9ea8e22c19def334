//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The bufferization of fuser.call, as an external model.
//
//===----------------------------------------------------------------------===//

#include "fuser/Conversion/BufferizeCalls.h"
#include "fuser/Dialect/IR/CallBuffers.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fuser;
using namespace mlir::bufferization;

static FusionOp getFusion(fuser::CallOp call) {
  return SymbolTable::lookupNearestSymbolFrom<FusionOp>(call, call.getCalleeAttr());
}

/// The output stored in argument `argument`, if there is one.
static std::optional<unsigned> getOutputIn(FusionOp fusion, unsigned argument) {
  if (fusion && fusion.getAliases())
    for (auto alias : fusion.getAliases()->getAsRange<AliasAttr>())
      if (alias.getInput() == argument)
        return alias.getOutput();
  return std::nullopt;
}

/// Copies `source` into a new buffer of `type`, whose strides are those of some order of
/// dimensions: allocates in that order and transposes the buffer.
static FailureOr<Value> copyInto(OpBuilder &builder, Location loc, Value source, MemRefType type,
                                 ArrayRef<int64_t> order) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (int64_t dim : order) {
    shape.push_back(type.getDimSize(dim));
    if (type.isDynamicDim(dim))
      dynamic.push_back(memref::DimOp::create(builder, loc, source, dim));
  }
  Value buffer =
      memref::AllocOp::create(builder, loc, MemRefType::get(shape, type.getElementType()), dynamic);
  if (!llvm::is_sorted(order)) {
    SmallVector<unsigned> inverse(order.size());
    for (auto [position, dim] : llvm::enumerate(order))
      inverse[dim] = position;
    buffer = memref::TransposeOp::create(
        builder, loc, buffer,
        AffineMapAttr::get(AffineMap::getPermutationMap(inverse, builder.getContext())));
  }
  memref::CopyOp::create(builder, loc, source, buffer);
  if (buffer.getType() != type) {
    if (!memref::CastOp::areCastCompatible(buffer.getType(), type))
      return failure();
    buffer = memref::CastOp::create(builder, loc, type, buffer);
  }
  return buffer;
}

namespace {

struct CallBufferization
    : BufferizableOpInterface::ExternalModel<CallBufferization, fuser::CallOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return getOutputIn(getFusion(cast<fuser::CallOp>(op)), operand.getOperandNumber()).has_value();
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (auto output = getOutputIn(getFusion(cast<fuser::CallOp>(op)), operand.getOperandNumber()))
      return {{op->getResult(*output), BufferRelation::Equivalent}};
    return {};
  }
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  FailureOr<BufferLikeType> getBufferType(Operation *op, Value value, const BufferizationOptions &,
                                          const BufferizationState &, SmallVector<Value> &) const {
    FusionOp fusion = getFusion(cast<fuser::CallOp>(op));
    if (!fusion)
      return failure();
    return cast<BufferLikeType>(
        getOutputBufferType(fusion, cast<OpResult>(value).getResultNumber()));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto call = cast<fuser::CallOp>(op);
    FusionOp fusion = getFusion(call);
    if (!fusion)
      return op->emitOpError("expected a fusion named ")
             << call.getCalleeAttr()
             << ", but got kernels: run one-shot-bufferize before fuser-to-kernel-ir";
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<TensorType>(operand.get().getType())) {
        operands.push_back(operand.get());
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      MemRefType wanted = getArgumentBufferType(fusion, operand.getOperandNumber());
      auto have = cast<MemRefType>(buffer->getType());
      if (have != wanted) {
        // A cast would only assert the layout, so that a copy is needed unless the argument is
        // written in place.
        if (getOutputIn(fusion, operand.getOperandNumber()))
          return op->emitOpError("expected a buffer of type ")
                 << wanted << " for argument " << operand.getOperandNumber()
                 << ", which is stored into, but got " << have;
        buffer = copyInto(rewriter, op->getLoc(), *buffer, wanted,
                          fusion.getArgLayout(operand.getOperandNumber()).getOrder());
        if (failed(buffer))
          return op->emitOpError("expected a buffer that can be made of type ")
                 << wanted << " for argument " << operand.getOperandNumber();
      }
      operands.push_back(*buffer);
    }
    SmallVector<Type> results;
    for (unsigned output = 0; output < op->getNumResults(); ++output)
      results.push_back(getOutputBufferType(fusion, output));
    auto replaced = fuser::CallOp::create(rewriter, op->getLoc(), results, call.getCalleeAttr(),
                                          operands, call.getArgAttrsAttr(), call.getResAttrsAttr());
    replaceOpWithBufferizedValues(rewriter, op, replaced.getResults());
    return success();
  }
};

/// Tensors of fusions, kernels and hosts are values of fuser, which become buffers by its own
/// passes.
struct ReturnBufferization
    : BufferizableOpInterface::ExternalModel<ReturnBufferization, fuser::ReturnOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &, const AnalysisState &) const {
    return {};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &, const BufferizationOptions &options,
                          BufferizationState &) const {
    if (options.allowUnknownOps)
      return success();
    Operation *function = op->getParentOp();
    return function->emitOpError("expected no tensors of fuser: run ")
           << (isa<HostOp>(function) ? "fuser-convert-host-to-gpu"
                                     : "fuser-to-kernel-ir and fuser-convert-host-to-gpu")
           << " before one-shot-bufferize, or set its option allow-unknown-ops";
  }
};

} // namespace

void fuser::registerBufferizableCalls(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FuserDialect *) {
    fuser::CallOp::attachInterface<CallBufferization>(*context);
    fuser::ReturnOp::attachInterface<ReturnBufferization>(*context);
    context->loadDialect<BufferizationDialect, memref::MemRefDialect>();
  });
}
