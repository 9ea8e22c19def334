//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Export/ExportArtifact.h"
#include "HostExporter.h"
#include "fuser/Dialect/IR/ArgumentNames.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fuser;
using artifact::DType;
using artifact::ExprId;
using artifact::ExprKind;

std::optional<DType> fuser::getDType(Type type) {
  if (type.isIndex())
    return DType::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1:
      return DType::Bool;
    case 8:
      return isUnsigned ? DType::U8 : DType::I8;
    case 16:
      return isUnsigned ? DType::U16 : DType::I16;
    case 32:
      return isUnsigned ? DType::U32 : DType::I32;
    case 64:
      return isUnsigned ? DType::U64 : DType::I64;
    default:
      return std::nullopt;
    }
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return DType::Complex64;
    return complex.getElementType().isF64() ? std::optional(DType::Complex128) : std::nullopt;
  }
  if (type.isF16())
    return DType::F16;
  if (type.isBF16())
    return DType::BF16;
  if (type.isF32())
    return DType::F32;
  if (type.isF64())
    return DType::F64;
  if (isa<Float8E4M3FNType>(type))
    return DType::F8E4M3;
  if (isa<Float8E5M2Type>(type))
    return DType::F8E5M2;
  return std::nullopt;
}

FailureOr<artifact::Artifact>
fuser::exportArtifact(HostOp host, const llvm::StringMap<artifact::Kernel> &binaries,
                      const artifact::DeviceDescription &target) {
  HostExporter exporter(host, binaries, target);
  if (failed(exporter.run()))
    return failure();
  artifact::Artifact result = exporter.take();
  if (artifact::Status status = artifact::validate(result); !status)
    return host.emitOpError("expected a host program that the runtime accepts, but got: ")
           << status.error().message;
  return result;
}

LogicalResult HostExporter::run() {
  for (BlockArgument argument : host.getArguments())
    if (failed(addArgument(argument)))
      return failure();
  if (failed(exportBlock(host.getBody().front())))
    return failure();
  // Outputs are known now, and facts may be about them.
  return addFacts();
}

//===----------------------------------------------------------------------===//
// Arguments, facts, outputs
//===----------------------------------------------------------------------===//

LogicalResult HostExporter::addArgument(BlockArgument argument) {
  uint32_t number = argument.getArgNumber();
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  std::optional<DType> dtype = getDType(getElementTypeOrSelf(argument.getType()));
  if (!dtype)
    return host.emitOpError("expected argument ")
           << number << " to be a tensor or scalar of a type that a call can pass, but got "
           << argument.getType();
  artifact::ArgumentSpec spec;
  StringRef name = getArgumentName(argument);
  spec.name = name.empty() ? "arg" + std::to_string(number) : name.str();
  spec.dtype = *dtype;
  spec.isTensor = bool(type);
  if (!type) {
    scalarArguments[argument] = number;
    if (artifact::isInteger(*dtype))
      integers[argument] = artifact.exprs.scalar(number);
    artifact.arguments.push_back(spec);
    return success();
  }
  LayoutAttr layout = host.getArgLayout(number);
  TensorValue tensor;
  tensor.dtype = *dtype;
  tensor.argument = tensor.rootArgument = number;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    bool dynamic = ShapedType::isDynamic(size);
    spec.sizes.push_back(dynamic ? artifact::kDynamic : size);
    tensor.shape.sizes.push_back(dynamic ? artifact.exprs.size(number, dim)
                                         : artifact.exprs.constant(size));
  }
  // Where the stride follows from the sizes it is computed: that of a dimension of size 1 may be
  // anything.
  tensor.shape.strides = denseStrides(tensor.shape.sizes, layout.getOrder());
  for (auto [position, dim] : llvm::enumerate(layout.getOrder())) {
    bool contiguous = layout.isContiguousAt(position);
    spec.order.push_back(static_cast<uint32_t>(dim));
    spec.contiguous.push_back(contiguous);
    tensor.shape.dense &= contiguous;
    if (!contiguous)
      tensor.shape.strides[dim] = artifact.exprs.stride(number, dim);
  }
  spec.alignment = artifact::byteSize(*dtype);
  tensor.rootOffset = artifact.exprs.constant(0);
  tensor.root = tensor.buffer = addBuffer(*dtype, spec.name);
  artifact.program.buffers.back().argument = number;
  artifact.arguments.push_back(spec);
  tensors[argument] = tensor;
  return success();
}

LogicalResult HostExporter::addGuard(Operation *user, ExprId lhs, ExprKind relation, ExprId rhs,
                                     const std::string &reason) {
  int64_t a = 0, b = 0, holds = 0;
  // What always holds needs no check; what never holds is left for the call to report.
  if (artifact.exprs.isConstant(lhs, a) && artifact.exprs.isConstant(rhs, b) &&
      artifact::applyOperator(relation, a, b, holds) == artifact::EvalFault::None && holds)
    return success();
  for (const artifact::Guard &guard : artifact.guards)
    if (guard.lhs == lhs && guard.rhs == rhs && guard.relation == relation)
      return success();
  if (dependsOnLoop(lhs) || dependsOnLoop(rhs))
    return user->emitOpError("expected conditions that hold before the call, but got one on a "
                             "loop index (")
           << reason << ")";
  artifact.guards.push_back({lhs, relation, rhs, reason});
  return success();
}

LogicalResult HostExporter::requireAlignment(Operation *user, const TensorValue &tensor,
                                             uint32_t bytes, const std::string &reason) {
  // Memory that a caller brings for an output is that of all views of it.
  for (artifact::BufferId buffer : {tensor.buffer, tensor.root}) {
    uint32_t &wanted = pointerAlignment[buffer];
    wanted = std::max(wanted, bytes);
  }
  if (tensor.rootArgument != artifact::kNotAnArgument) {
    uint32_t &alignment = artifact.arguments[tensor.rootArgument].alignment;
    alignment = std::max(alignment, bytes);
  }
  // Allocations are aligned to 256; what is left is the offset.
  artifact::ExprPool &exprs = artifact.exprs;
  ExprId offset = exprs.mul(tensor.rootOffset, exprs.constant(artifact::byteSize(tensor.dtype)));
  if (knownDivisor(offset) % bytes == 0)
    return success();
  // In a loop the offset grows by the same step in every iteration: `bytes` has to divide that step
  // and where it begins.
  SmallVector<ExprId> terms;
  addStepsOfLoop(offset, terms);
  for (ExprId term : terms) {
    int64_t step = 0;
    if (artifact.exprs.isConstant(term, step) && step % int64_t(bytes) != 0)
      return user->emitOpError("expected parts that begin at multiples of ")
             << bytes << " bytes, but got an offset or a step of " << step << " (" << reason << ")";
    if (failed(addGuard(user, exprs.binary(ExprKind::Mod, term, exprs.constant(bytes)),
                        ExprKind::Equal, exprs.constant(0), reason)))
      return failure();
  }
  return success();
}

LogicalResult HostExporter::addFacts() {
  if (!host.getFacts())
    return success();
  // Outputs are numbered after the arguments.
  SmallVector<Value> operands(host.getArguments().begin(), host.getArguments().end());
  llvm::append_range(operands, host.getBody().front().getTerminator()->getOperands());
  for (FactAttr fact : host.getFacts()->getAsRange<FactAttr>()) {
    // Nobody but the caller answers for an output's address.
    if (fact.getKind() == FactKind::Aligned && fact.getArg() >= int64_t(host.getNumArguments())) {
      uint32_t &alignment = artifact.outputs[fact.getArg() - host.getNumArguments()].alignment;
      alignment = std::max(alignment, static_cast<uint32_t>(fact.getValue()));
      continue;
    }
    if (failed(addFact(host, fact, operands, "fact of the fusion")))
      return failure();
  }
  return success();
}

LogicalResult HostExporter::addFact(Operation *user, FactAttr fact, ArrayRef<Value> operands,
                                    const std::string &reason) {
  FailureOr<TensorValue> tensor = getTensor(user, operands[fact.getArg()]);
  if (failed(tensor))
    return failure();
  artifact::ExprPool &exprs = artifact.exprs;
  ExprId wanted = exprs.constant(fact.getValue());
  auto size = [&] { return tensor->shape.sizes[fact.getDim()]; };
  switch (fact.getKind()) {
  case FactKind::Equal: {
    FailureOr<TensorValue> other = getTensor(user, operands[fact.getOtherArg()]);
    if (failed(other))
      return failure();
    return addGuard(user, size(), ExprKind::Equal, other->shape.sizes[fact.getOtherDim()], reason);
  }
  case FactKind::Divisible:
    return addGuard(user, exprs.binary(ExprKind::Mod, size(), wanted), ExprKind::Equal,
                    exprs.constant(0), reason);
  case FactKind::AtMost:
    return addGuard(user, size(), ExprKind::LessEqual, wanted, reason);
  case FactKind::AtLeast:
    return addGuard(user, wanted, ExprKind::LessEqual, size(), reason);
  case FactKind::StrideDivisible:
    return addGuard(user, exprs.binary(ExprKind::Mod, tensor->shape.strides[fact.getDim()], wanted),
                    ExprKind::Equal, exprs.constant(0), reason);
  case FactKind::StrideIs:
    return addGuard(user, tensor->shape.strides[fact.getDim()], ExprKind::Equal, wanted, reason);
  case FactKind::ElementsAtMost:
    return addGuard(user, distance(tensor->shape), ExprKind::LessEqual, wanted, reason);
  case FactKind::Aligned:
    return requireAlignment(user, *tensor, static_cast<uint32_t>(fact.getValue()), reason);
  }
  return failure();
}

LogicalResult HostExporter::addOutputs(ReturnOp op) {
  artifact::Return instruction;
  for (auto [number, value] : llvm::enumerate(op.getValues())) {
    FailureOr<TensorValue> tensor = getTensor(op, value);
    if (failed(tensor))
      return failure();
    artifact::OutputSpec spec;
    spec.name = "out" + std::to_string(number);
    spec.dtype = tensor->dtype;
    spec.sizes = tensor->shape.sizes;
    spec.strides = tensor->shape.strides;
    spec.aliasOfArgument = tensor->rootArgument;
    spec.isView = tensor->isView && tensor->rootArgument != artifact::kNotAnArgument;
    spec.alignment = std::max<uint32_t>(artifact::byteSize(tensor->dtype),
                                        pointerAlignment.lookup(tensor->buffer));
    instruction.values.push_back(tensor->buffer);
    artifact.outputs.push_back(spec);
  }
  artifact.program.instructions.push_back(instruction);
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult HostExporter::exportBlock(Block &block) {
  for (Operation &op : block)
    if (failed(exportOp(&op)))
      return failure();
  return success();
}

LogicalResult HostExporter::exportOp(Operation *op) {
  auto add = [&](artifact::Instruction instruction) {
    artifact.program.instructions.push_back(std::move(instruction));
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AllocOp op) { return exportAlloc(op); })
      .Case([&](FreeOp op) { return exportFree(op); })
      .Case([&](ViewOp op) { return exportView(op); })
      .Case([&](ReshapeViewOp op) { return exportReshapeView(op); })
      .Case([&](PlaceOp op) { return exportPlace(op); })
      .Case([&](ExpectOp op) { return exportExpect(op); })
      .Case([&](LaunchOp op) { return exportLaunch(op); })
      .Case([&](CopyOp op) { return exportCopy(op); })
      .Case([&](ForOp op) { return exportFor(op); })
      .Case([&](LibraryCallOp op) { return exportLibraryCall(op); })
      .Case([&](StreamOp op) {
        return add(artifact::SelectStream{static_cast<uint32_t>(op.getNumber())});
      })
      .Case([&](RecordOp op) {
        return add(artifact::RecordEvent{static_cast<uint32_t>(op.getEvent())});
      })
      .Case(
          [&](WaitOp op) { return add(artifact::WaitEvent{static_cast<uint32_t>(op.getEvent())}); })
      .Case([&](ReturnOp op) { return addOutputs(op); })
      .Case([&](YieldOp) { return success(); })
      .Default([&](Operation *op) { return exportInteger(op); });
}

LogicalResult HostExporter::exportAlloc(AllocOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  std::optional<DType> dtype = getDType(type.getElementType());
  if (!dtype)
    return op.emitOpError("expected an element type of the artifact, but got ")
           << type.getElementType();
  TensorValue tensor;
  tensor.dtype = *dtype;
  tensor.rootOffset = artifact.exprs.constant(0);
  unsigned dynamic = 0;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      tensor.shape.sizes.push_back(artifact.exprs.constant(size));
      continue;
    }
    FailureOr<ExprId> expr = getInteger(op, op.getSizes()[dynamic++]);
    if (failed(expr))
      return failure();
    tensor.shape.sizes.push_back(*expr);
  }
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  if (auto given = op.getOrder())
    order.assign(given->begin(), given->end());
  tensor.shape.strides = denseStrides(tensor.shape.sizes, order);
  tensor.root = tensor.buffer = addBuffer(*dtype, "");
  artifact.program.instructions.push_back(
      artifact::Alloc{tensor.buffer, tensor.shape.sizes, tensor.shape.strides, /*zeroed=*/false});
  tensors[op.getResult()] = tensor;
  return success();
}

LogicalResult HostExporter::exportFree(FreeOp op) {
  FailureOr<TensorValue> tensor = getTensor(op, op.getBuffer());
  if (failed(tensor))
    return failure();
  artifact.program.instructions.push_back(artifact::Free{tensor->buffer});
  return success();
}

LogicalResult HostExporter::exportView(ViewOp op) {
  FailureOr<TensorValue> base = getTensor(op, op.getBase());
  if (failed(base))
    return failure();
  MLIRContext *context = op.getContext();
  artifact::ExprPool &exprs = artifact.exprs;
  ExprId offset = exprs.constant(0), one = exprs.constant(1);
  TensorValue tensor = *base;
  auto offsets = getMixedValues(op.getStaticOffsets(), op.getOffsets(), context);
  auto baseSizes = getMixedValues(op.getStaticSizes(), op.getSizes(), context);
  std::vector<ExprId> sizes;
  for (auto [dim, stride] : llvm::enumerate(base->shape.strides)) {
    FailureOr<ExprId> start = getInteger(op, offsets[dim]), size = getInteger(op, baseSizes[dim]);
    if (failed(start) || failed(size))
      return failure();
    offset = exprs.add(offset, exprs.mul(*start, stride));
    sizes.push_back(*size);
  }
  // A view of the whole base is dense in any order of dimensions. That views of a part may be dense
  // too is not used.
  tensor.shape.dense &= sizes == base->shape.sizes;
  tensor.shape.sizes.clear();
  tensor.shape.strides.clear();
  for (int64_t dim = 0; dim < cast<RankedTensorType>(op.getResult().getType()).getRank(); ++dim) {
    int64_t baseDim = op.getBaseDim(dim);
    tensor.shape.sizes.push_back(baseDim < 0 ? one : sizes[baseDim]);
    tensor.shape.strides.push_back(
        baseDim < 0 ? one
                    : exprs.mul(base->shape.strides[baseDim], exprs.constant(op.getStep(baseDim))));
  }
  addView(op.getResult(), *base, offset, std::move(tensor));
  return success();
}

void HostExporter::addView(Value result, const TensorValue &base, ExprId offset,
                           TensorValue tensor) {
  tensor.argument = artifact::kNotAnArgument;
  tensor.isView = true;
  tensor.rootOffset = artifact.exprs.add(base.rootOffset, offset);
  tensor.buffer = addBuffer(tensor.dtype, "");
  artifact.program.instructions.push_back(
      artifact::View{tensor.buffer, base.buffer, offset, tensor.shape.sizes, tensor.shape.strides});
  tensors[result] = std::move(tensor);
}

/// In each group, the fastest dimension has the stride of the fastest one of the base.
LogicalResult HostExporter::exportReshapeView(ReshapeViewOp op) {
  FailureOr<TensorValue> base = getTensor(op, op.getBase());
  if (failed(base))
    return failure();
  artifact::ExprPool &exprs = artifact.exprs;
  ExprId one = exprs.constant(1);
  TensorValue tensor = *base;
  tensor.shape.sizes.clear();
  for (OpFoldResult size : getMixedValues(op.getStaticSizes(), op.getSizes(), op.getContext())) {
    FailureOr<ExprId> expr = getInteger(op, size);
    if (failed(expr))
      return failure();
    tensor.shape.sizes.push_back(*expr);
  }
  tensor.shape.strides.assign(tensor.shape.sizes.size(), one);
  size_t dim = 0, baseDim = 0;
  for (auto [from, to] : llvm::zip_equal(op.getFrom(), op.getTo())) {
    baseDim += from;
    dim += to;
    ExprId stride = one;
    for (size_t fastest = baseDim; fastest-- > baseDim - from;)
      if (base->shape.sizes[fastest] != one) {
        stride = base->shape.strides[fastest];
        break;
      }
    for (size_t each = dim; each-- > dim - to;) {
      tensor.shape.strides[each] = stride;
      stride = exprs.mul(stride, tensor.shape.sizes[each]);
    }
  }
  addView(op.getResult(), *base, exprs.constant(0), std::move(tensor));
  return success();
}

LogicalResult HostExporter::exportExpect(ExpectOp op) {
  FailureOr<ExprId> lhs = getInteger(op, op.getLhs()), rhs = getInteger(op, op.getRhs());
  if (failed(lhs) || failed(rhs))
    return failure();
  return addGuard(op, *lhs, op.getAtMost() ? ExprKind::LessEqual : ExprKind::Equal, *rhs,
                  op.getReason().str());
}

/// Nothing to run: the part lies in the buffer.
LogicalResult HostExporter::exportPlace(PlaceOp op) {
  FailureOr<TensorValue> buffer = getTensor(op, op.getBuffer());
  if (failed(buffer))
    return failure();
  alias(op.getResult(), op.getBuffer());
  return success();
}

LogicalResult HostExporter::exportCopy(CopyOp op) {
  FailureOr<TensorValue> source = getTensor(op, op.getSource());
  FailureOr<TensorValue> destination = getTensor(op, op.getDestination());
  if (failed(source) || failed(destination))
    return failure();
  artifact.program.instructions.push_back(artifact::Copy{source->buffer, destination->buffer});
  alias(op.getResult(), op.getDestination());
  return success();
}

LogicalResult HostExporter::exportFor(ForOp op) {
  FailureOr<ExprId> count = getInteger(op, op.getCount());
  if (failed(count))
    return failure();
  uint32_t loop = numLoops++;
  integers[op.getInductionVariable()] = artifact.exprs.loopIndex(loop);
  artifact.program.instructions.push_back(
      artifact::ForBegin{loop, *count, static_cast<uint32_t>(op.getStreams())});
  if (failed(exportBlock(op.getBody().front())))
    return failure();
  artifact.program.instructions.push_back(artifact::ForEnd{loop});
  return success();
}

LogicalResult HostExporter::exportLibraryCall(LibraryCallOp op) {
  artifact::LibraryCall call;
  call.name = op.getRoutine().str();
  for (Value input : op.getInputs()) {
    FailureOr<TensorValue> tensor = getTensor(op, input);
    if (failed(tensor))
      return failure();
    call.inputs.push_back(tensor->buffer);
  }
  for (auto [output, result] : llvm::zip_equal(op.getOutputs(), op.getResults())) {
    FailureOr<TensorValue> tensor = getTensor(op, output);
    if (failed(tensor))
      return failure();
    call.outputs.push_back(tensor->buffer);
    alias(result, output);
  }
  if (DictionaryAttr options = op.getOptionsAttr())
    for (NamedAttribute option : options) {
      std::string text;
      if (auto string = dyn_cast<StringAttr>(option.getValue()))
        text = string.str();
      else
        llvm::raw_string_ostream(text) << option.getValue();
      call.options.emplace_back(option.getName().str(), text);
    }
  artifact.program.instructions.push_back(call);
  return success();
}
