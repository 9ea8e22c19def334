//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Exports launches: bindings, grid, workspaces and boxes.
//
//===----------------------------------------------------------------------===//

#include "HostExporter.h"
#include "VerifyLaunch.h"
#include "fuser/Dialect/IR/DependentLaunches.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

#include <limits>

using namespace mlir;
using namespace fuser;
using artifact::ExprId;
using artifact::ExprKind;
using artifact::Parameter;
using kernel_ir::FuserGPUDialect;

/// The operand that a binding names.
static Value getOperandNumber(LaunchOp op, int64_t number) {
  const int64_t numInputs = op.getInputs().size();
  return number < numInputs ? op.getInputs()[number] : op.getOutputs()[number - numInputs];
}

static bool waitsForLaunches(gpu::GPUFuncOp function) {
  return !function.getOps<kernel_ir::WaitDependenciesOp>().empty();
}

LogicalResult HostExporter::exportLaunch(LaunchOp op) {
  auto function = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, op.getKernel());
  if (!function)
    return op.emitOpError("expected a kernel that is lowered to kernel IR, but got ")
           << op.getKernel();
  auto module = function->getParentOfType<gpu::GPUModuleOp>();
  auto attribute = function->getAttrOfType<kernel_ir::LaunchAttr>(FuserGPUDialect::kLaunch);
  if (!attribute)
    return op.emitOpError("expected ")
           << op.getKernel() << " to have '" << FuserGPUDialect::kLaunch << "'";
  if (failed(verifyLaunch(op, function)))
    return failure();
  // The attribute is with three numbers of threads only.
  DenseI32ArrayAttr block = function.getKnownBlockSizeAttr();
  auto bits = module->getAttrOfType<IntegerAttr>(FuserGPUDialect::kIndexBits);
  indexBits = bits ? static_cast<unsigned>(bits.getInt()) : 64;

  artifact::Launch launch;
  launch.cooperative = attribute.getCooperative();
  launch.dependent = canBeDependent(op) && !launch.cooperative;
  if (launch.dependent && !waitsForLaunches(function))
    return op.emitOpError("expected ")
           << op.getKernel() << " to have a fuser_gpu.wait_dependencies, because the launch has '"
           << kDependentName << "'";
  if (!launch.dependent)
    chainBegin = artifact.program.instructions.size();
  FailureOr<uint32_t> kernel = getKernel(op, function);
  if (failed(kernel))
    return failure();
  launch.kernel = *kernel;
  SmallVector<ExprId> symbols;
  for (Attribute symbol : attribute.getSymbols()) {
    FailureOr<ExprId> expr = getBound(op, symbol);
    if (failed(expr))
      return failure();
    symbols.push_back(*expr);
  }
  for (unsigned i = 0; i < 3; ++i) {
    launch.grid[i] = convert(attribute.getGrid().getResult(i), symbols);
    launch.block[i] = artifact.exprs.constant(block[i]);
    ArrayRef<int64_t> cluster = attribute.getCluster();
    launch.cluster[i] = artifact.exprs.constant(cluster.empty() ? 1 : cluster[i]);
  }
  launch.dynamicSharedBytes = artifact.exprs.constant(0);
  if (AffineMap smem = attribute.getSmem())
    launch.dynamicSharedBytes = convert(smem.getResult(0), symbols);
  if (op.getStream()) {
    FailureOr<ExprId> stream = getInteger(op, op.getStream());
    if (failed(stream))
      return failure();
    launch.stream = *stream;
  }

  SmallVector<artifact::BufferId> workspaces;
  addParts(attribute.getParts(), symbols);
  addWorkspaces(op, function, symbols, workspaces);
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    if (failed(bindArgument(op, function, number, workspaces, launch)))
      return failure();
  if (failed(addBoxes(op, launch)) || failed(addKernelFacts(op, function)))
    return failure();
  artifact.program.instructions.push_back(launch);
  for (artifact::BufferId workspace : workspaces)
    artifact.program.instructions.push_back(artifact::Free{workspace});
  for (auto [result, output] : llvm::zip_equal(op.getResults(), op.getOutputs()))
    alias(result, output);
  return success();
}

/// Adds the facts on which the kernel's schedule relies, in addition to those of the fusion.
LogicalResult HostExporter::addKernelFacts(LaunchOp op, gpu::GPUFuncOp function) {
  auto facts = function->getAttrOfType<ArrayAttr>(kKernelFactsAttrName);
  if (!facts)
    return success();
  SmallVector<Value> operands = getLaunchOperands(op);
  for (auto [number, fact] : llvm::enumerate(facts.getAsRange<FactAttr>()))
    if (failed(addFact(op, fact, operands, getFactReason(function, number, function.getName()))))
      return failure();
  return success();
}

FailureOr<uint32_t> HostExporter::getKernel(LaunchOp op, gpu::GPUFuncOp function) {
  StringRef name = function->getParentOfType<gpu::GPUModuleOp>().getName();
  auto [entry, isNew] = kernelNumbers.try_emplace(name, artifact.kernels.size());
  if (!isNew)
    return entry->second;
  auto binary = binaries.find(name);
  if (binary == binaries.end())
    return op.emitOpError("expected code for kernel '") << name << "', but there is none";
  artifact.kernels.push_back(binary->second);
  if (waitsForLaunches(function))
    artifact.kernels.back().attributes.emplace_back(artifact::kWaitsForLaunches, 1);
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Integers of a launch
//===----------------------------------------------------------------------===//

FailureOr<ExprId> HostExporter::getBound(LaunchOp op, Attribute binding) {
  auto dimension = [&](int64_t operand, int64_t dim, bool stride) -> FailureOr<ExprId> {
    FailureOr<TensorValue> tensor = getTensor(op, getOperandNumber(op, operand));
    if (failed(tensor))
      return failure();
    return (stride ? tensor->shape.strides : tensor->shape.sizes)[dim];
  };
  if (auto size = dyn_cast<kernel_ir::SizeAttr>(binding))
    return dimension(size.getOperand(), size.getDim(), /*stride=*/false);
  if (auto stride = dyn_cast<kernel_ir::StrideAttr>(binding))
    return dimension(stride.getOperand(), stride.getDim(), /*stride=*/true);
  if (auto scalar = dyn_cast<kernel_ir::ScalarAttr>(binding))
    return getInteger(op, getOperandNumber(op, scalar.getOperand()));
  if (auto first = dyn_cast<kernel_ir::FirstBlockAttr>(binding))
    return firstBlocks[first.getPart()];
  auto grid = cast<kernel_ir::PartGridAttr>(binding);
  return partGrids[3 * grid.getPart() + grid.getAxis()];
}

void HostExporter::addParts(AffineMap parts, ArrayRef<ExprId> symbols) {
  partGrids.clear();
  firstBlocks.clear();
  if (!parts)
    return;
  ExprId first = artifact.exprs.constant(0);
  for (auto [number, expr] : llvm::enumerate(parts.getResults())) {
    const ExprId blocks = convert(expr, symbols);
    partGrids.push_back(blocks);
    if (number % 3 != 2)
      continue;
    firstBlocks.push_back(first);
    ExprId plane =
        artifact.exprs.binary(ExprKind::Mul, partGrids[number - 2], partGrids[number - 1]);
    first = artifact.exprs.binary(ExprKind::Add, first,
                                  artifact.exprs.binary(ExprKind::Mul, plane, blocks));
  }
}

ExprId HostExporter::convert(AffineExpr expr, ArrayRef<ExprId> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return artifact.exprs.constant(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  // The maps of a launch have no dimensions.
  auto binary = cast<AffineBinaryOpExpr>(expr);
  const ExprId lhs = convert(binary.getLHS(), symbols), rhs = convert(binary.getRHS(), symbols);
  ExprKind kind = ExprKind::Add;
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    kind = ExprKind::Mul;
    break;
  case AffineExprKind::FloorDiv:
    kind = ExprKind::FloorDiv;
    break;
  case AffineExprKind::CeilDiv:
    kind = ExprKind::CeilDiv;
    break;
  case AffineExprKind::Mod:
    kind = ExprKind::Mod;
    break;
  default:
    break;
  }
  return artifact.exprs.binary(kind, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void HostExporter::addWorkspaces(LaunchOp op, gpu::GPUFuncOp function, ArrayRef<ExprId> symbols,
                                 SmallVectorImpl<artifact::BufferId> &workspaces) {
  auto attribute = function->getAttrOfType<kernel_ir::LaunchAttr>(FuserGPUDialect::kLaunch);
  SmallVector<bool> zeroed(attribute.getWorkspaces().size(), false);
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    if (auto bind = dyn_cast_or_null<kernel_ir::WorkspaceAttr>(
            function.getArgAttr(number, FuserGPUDialect::kBind)))
      zeroed[bind.getIndex()] = bind.getZeroed();
  for (auto [index, map] : llvm::enumerate(attribute.getWorkspaces())) {
    const ExprId bytes = convert(map.getResult(0), symbols);
    artifact::BufferId buffer = addBuffer(artifact::DType::U8, "");
    artifact::Alloc alloc{buffer, {bytes}, {artifact.exprs.constant(1)}, zeroed[index]};
    // Work between two launches would keep the second one from beginning early.
    std::vector<artifact::Instruction> &instructions = artifact.program.instructions;
    if (zeroed[index] && canBeDependent(op))
      instructions.insert(instructions.begin() + chainBegin++, std::move(alloc));
    else
      instructions.push_back(std::move(alloc));
    workspaces.push_back(buffer);
  }
}

LogicalResult HostExporter::bindArgument(LaunchOp op, gpu::GPUFuncOp function, unsigned number,
                                         ArrayRef<artifact::BufferId> workspaces,
                                         artifact::Launch &launch) {
  Attribute bind = function.getArgAttr(number, FuserGPUDialect::kBind);
  if (auto pointer = dyn_cast<kernel_ir::PointerAttr>(bind))
    return bindPointer(op, function, number, pointer.getOperand(), launch);
  if (auto map = dyn_cast<kernel_ir::TensorMapAttr>(bind))
    return bindTensorMap(op, function, number, map, launch);
  if (auto scalar = dyn_cast<kernel_ir::ScalarAttr>(bind))
    return bindScalar(op, function.getArgument(number).getType(), scalar.getOperand(), launch);
  Parameter parameter;
  if (auto workspace = dyn_cast<kernel_ir::WorkspaceAttr>(bind)) {
    parameter.buffer = workspaces[workspace.getIndex()];
    launch.parameters.push_back(parameter);
    return success();
  }
  FailureOr<ExprId> expr = getBound(op, bind);
  if (failed(expr))
    return failure();
  parameter.kind = Parameter::Kind::Integer;
  parameter.expr = *expr;
  parameter.bytes = indexBits / 8;
  launch.parameters.push_back(parameter);
  return success();
}

LogicalResult HostExporter::bindPointer(LaunchOp op, gpu::GPUFuncOp function, unsigned number,
                                        int64_t operand, artifact::Launch &launch) {
  FailureOr<TensorValue> tensor = getTensor(op, getOperandNumber(op, operand));
  if (failed(tensor))
    return failure();
  if (auto align = function.getArgAttrOfType<IntegerAttr>(number, FuserGPUDialect::kAlign))
    if (failed(requireAlignment(op, *tensor, static_cast<uint32_t>(align.getInt()),
                                "aligned accesses of kernel '" + function.getName().str() + "'")))
      return failure();
  if (indexBits == 32 && !tensor->shape.dense &&
      failed(addGuard(op, distance(tensor->shape), ExprKind::LessEqual,
                      artifact.exprs.constant(std::numeric_limits<int32_t>::max()),
                      "32-bit indices of kernel '" + function.getName().str() + "'")))
    return failure();
  Parameter parameter;
  parameter.buffer = tensor->buffer;
  launch.parameters.push_back(parameter);
  return success();
}

LogicalResult HostExporter::bindTensorMap(LaunchOp op, gpu::GPUFuncOp function, unsigned number,
                                          kernel_ir::TensorMapAttr map, artifact::Launch &launch) {
  FailureOr<TensorValue> tensor = getTensor(op, getOperandNumber(op, map.getOperand()));
  if (failed(tensor))
    return failure();
  auto type = cast<kernel_ir::TensorMapType>(function.getArgument(number).getType());
  constexpr int64_t kGranule = kernel_ir::TensorMapType::kGranule;
  const std::string reason = "tensor copies of kernel '" + function.getName().str() + "'";
  if (failed(requireAlignment(op, *tensor, kGranule, reason)))
    return failure();
  Parameter parameter;
  parameter.kind = Parameter::Kind::TensorMap;
  parameter.buffer = tensor->buffer;
  parameter.bytes = type.getElementBytes();
  parameter.swizzle = type.getSwizzle();
  parameter.box.assign(type.getBox().begin(), type.getBox().end());
  for (int64_t dim : map.getDims()) {
    parameter.sizes.push_back(tensor->shape.sizes[dim]);
    parameter.strides.push_back(tensor->shape.strides[dim]);
  }
  // Dimensions of size 1 have no stride.
  artifact::ExprPool &exprs = artifact.exprs;
  for (unsigned i = 0; i + 1 < parameter.sizes.size(); ++i) {
    ExprId one = exprs.constant(1), zero = exprs.constant(0);
    ExprId steps = exprs.binary(ExprKind::Sub, parameter.sizes[i], one);
    ExprId counts = exprs.binary(ExprKind::Min, exprs.binary(ExprKind::Max, steps, zero), one);
    ExprId bytes =
        exprs.binary(ExprKind::Mul, exprs.binary(ExprKind::Mul, counts, parameter.strides[i]),
                     exprs.constant(parameter.bytes));
    ExprId rest = exprs.binary(ExprKind::Mod, bytes, exprs.constant(kGranule));
    if (failed(addGuard(op, rest, ExprKind::Equal, zero, "strides of " + reason)))
      return failure();
  }
  launch.parameters.push_back(parameter);
  return success();
}

LogicalResult HostExporter::bindScalar(LaunchOp op, Type type, int64_t operand,
                                       artifact::Launch &launch) {
  Value value = getOperandNumber(op, operand);
  Parameter parameter;
  auto scalar = scalarArguments.find(value);
  if (scalar != scalarArguments.end() && !type.isIndex() && type == value.getType()) {
    parameter.kind = Parameter::Kind::Scalar;
    parameter.argument = scalar->second;
    parameter.bytes = artifact::byteSize(artifact.arguments[scalar->second].dtype);
    launch.parameters.push_back(parameter);
    return success();
  }
  // Either computed on the host, or of type index, whose width is that of the kernel.
  unsigned bits = type.isIndex() ? indexBits : type.isInteger() ? type.getIntOrFloatBitWidth() : 0;
  if (bits != 32 && bits != 64)
    return op.emitOpError("expected operand ")
           << operand << " to be a scalar argument or an integer of 32 or 64 bits, but got "
           << value.getType();
  FailureOr<ExprId> expr = getInteger(op, value);
  if (failed(expr))
    return failure();
  parameter.kind = Parameter::Kind::Integer;
  parameter.expr = *expr;
  parameter.bytes = bits / 8;
  launch.parameters.push_back(parameter);
  return success();
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

LogicalResult HostExporter::addBoxes(LaunchOp op, artifact::Launch &launch) {
  llvm::DenseMap<artifact::BufferId, unsigned> boxOf;
  auto add = [&](Value value, artifact::Access access) -> LogicalResult {
    if (!isa<RankedTensorType>(value.getType()))
      return success();
    FailureOr<TensorValue> tensor = getTensor(op, value);
    if (failed(tensor))
      return failure();
    auto [entry, isNew] = boxOf.try_emplace(tensor->buffer, launch.boxes.size());
    if (!isNew) {
      // The buffer is read and written in place.
      artifact::Access &known = launch.boxes[entry->second].access;
      if (known != access)
        known = artifact::Access::ReadWrite;
      return success();
    }
    // A view is a buffer of its own, so that the box always covers all of it.
    artifact::Box box;
    box.buffer = tensor->buffer;
    box.access = access;
    box.sizes = tensor->shape.sizes;
    box.offsets.assign(box.sizes.size(), artifact.exprs.constant(0));
    box.byteBegin = artifact.exprs.constant(0);
    box.byteEnd = spanBytes(tensor->shape, tensor->dtype);
    launch.boxes.push_back(box);
    return success();
  };
  for (Value input : op.getInputs())
    if (failed(add(input, artifact::Access::Read)))
      return failure();
  for (Value output : op.getOutputs())
    if (failed(add(output, artifact::Access::Write)))
      return failure();
  for (const Parameter &parameter : launch.parameters) {
    if (parameter.kind != Parameter::Kind::Pointer || boxOf.count(parameter.buffer))
      continue;
    // A workspace.
    const auto &alloc = std::get<artifact::Alloc>(*llvm::find_if(
        artifact.program.instructions, [&](const artifact::Instruction &instruction) {
          const auto *alloc = std::get_if<artifact::Alloc>(&instruction);
          return alloc && alloc->buffer == parameter.buffer;
        }));
    ExprId zero = artifact.exprs.constant(0);
    launch.boxes.push_back(
        {parameter.buffer, artifact::Access::ReadWrite, {zero}, alloc.sizes, zero, alloc.sizes[0]});
  }
  return success();
}
