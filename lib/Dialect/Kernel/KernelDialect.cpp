//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect and the verifiers of its discardable attributes.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Support/DialectBytecode.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser::kernel_ir;

#include "fuser/Dialect/Kernel/KernelDialect.cpp.inc"

namespace {

/// Version 1.0 is the first; files without a version have the same form.
class KernelBytecode : public fuser::VersionedBytecode {
public:
  explicit KernelBytecode(Dialect *dialect) : VersionedBytecode(dialect, {1, 0}) {}
};

} // namespace

void FuserGPUDialect::initialize() {
  addInterfaces<KernelBytecode>();
  registerAttributes();
  registerTypes();
  registerOperations();
}

/// Other conversions keep the attributes of a function, but not what they mean.
static constexpr StringLiteral kOrder =
    ": run fuser-lower-to-nvvm before other passes lower the kernel";

LogicalResult FuserGPUDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kIndexBits) {
    if (!isa<gpu::GPUModuleOp>(op))
      return op->emitOpError() << "expected '" << name << "' on a gpu.module only";
    auto bits = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!bits || !bits.getType().isInteger(32) || (bits.getInt() != 32 && bits.getInt() != 64))
      return op->emitOpError() << "expected '" << name << "' to be 32 : i32 or 64 : i32, but got "
                               << attribute.getValue();
    return success();
  }
  if (name == kLaunch) {
    auto function = dyn_cast<gpu::GPUFuncOp>(op);
    if (!function || !function.isKernel())
      return op->emitOpError() << "expected '" << name << "' on a gpu.func kernel only" << kOrder;
    if (!isa<LaunchAttr>(attribute.getValue()))
      return op->emitOpError() << "expected '" << name << "' to be a #fuser_gpu.launch, but got "
                               << attribute.getValue();
    if (!function.getKnownBlockSizeAttr())
      return op->emitOpError() << "expected known_block_size in addition to '" << name << "'";
    return success();
  }
  if (name == kIds) {
    if (!isa<ResolvedIdsAttr>(attribute.getValue()))
      return op->emitOpError() << "expected '" << name
                               << "' to be a #fuser_gpu.resolved_ids, but got "
                               << attribute.getValue();
    return success();
  }
  return op->emitOpError() << "expected an attribute of kernel IR, but got '" << name << "'";
}

/// Checks that `type` is what `binding` packs: an address for pointers and
/// workspaces, index for extents, any scalar for scalars.
static LogicalResult verifyBinding(Operation *op, unsigned argument, Type type, Attribute binding) {
  auto expect = [&](bool condition, StringRef what) -> LogicalResult {
    if (condition)
      return success();
    return op->emitOpError() << "expected argument " << argument << " bound to " << binding
                             << " to be " << what << ", but got " << type;
  };
  if (isa<PointerAttr>(binding))
    return expect(isa<MemRefType>(type), "a memref");
  if (auto map = dyn_cast<TensorMapAttr>(binding)) {
    auto mapType = dyn_cast<TensorMapType>(type);
    return expect(mapType && mapType.getBox().size() == map.getDims().size(),
                  "a tensor map with as many dimensions");
  }
  if (isa<SizeAttr, StrideAttr>(binding))
    return expect(type.isIndex(), "an index");
  if (isa<ScalarAttr>(binding))
    return expect(type.isIntOrIndexOrFloat() || isa<ComplexType>(type), "a scalar");
  if (isa<FirstBlockAttr, PartGridAttr>(binding)) {
    if (failed(expect(type.isIndex(), "an index")))
      return failure();
    auto first = dyn_cast<FirstBlockAttr>(binding);
    int64_t part = first ? first.getPart() : cast<PartGridAttr>(binding).getPart();
    auto launch = op->getAttrOfType<LaunchAttr>(FuserGPUDialect::kLaunch);
    if (launch && part >= int64_t(launch.getNumParts()))
      return op->emitOpError() << "expected argument " << argument << " to name one of "
                               << launch.getNumParts() << " parts of the launch, but got " << part;
    return success();
  }
  if (auto workspace = dyn_cast<WorkspaceAttr>(binding)) {
    if (failed(expect(isa<MemRefType>(type), "a memref")))
      return failure();
    auto launch = op->getAttrOfType<LaunchAttr>(FuserGPUDialect::kLaunch);
    int64_t count = launch ? launch.getWorkspaces().size() : 0;
    if (launch && workspace.getIndex() >= count)
      return op->emitOpError() << "expected argument " << argument << " to name one of " << count
                               << " workspaces of the launch, but got " << workspace.getIndex();
    return success();
  }
  return op->emitOpError() << "expected argument " << argument
                           << " to be bound to a pointer, size, stride, scalar, workspace, tensor "
                              "map or part, but got "
                           << binding;
}

LogicalResult FuserGPUDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                                        unsigned argIndex,
                                                        NamedAttribute attribute) {
  auto function = dyn_cast<gpu::GPUFuncOp>(op);
  StringRef name = attribute.getName();
  if (!function)
    return op->emitOpError() << "expected '" << name << "' on arguments of a gpu.func only"
                             << kOrder;
  // The body may have other arguments, which upstream verifies later.
  Type type = function.getArgumentTypes()[argIndex];
  if (name == kBind)
    return verifyBinding(op, argIndex, type, attribute.getValue());
  if (name != kReadonly && name != kNoalias && name != kAlign)
    return op->emitOpError() << "expected an argument attribute of kernel IR, but got '" << name
                             << "'";
  // A pointer once the launching code is in stock dialects.
  if (!isa<MemRefType, LLVM::LLVMPointerType>(type))
    return op->emitOpError() << "expected '" << name << "' on a memref, but argument " << argIndex
                             << " is " << type;
  if (name == kAlign) {
    auto bytes = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!bytes || !bytes.getType().isInteger(64) || bytes.getInt() <= 0 ||
        !llvm::isPowerOf2_64(bytes.getInt()))
      return op->emitOpError() << "expected '" << name
                               << "' to be a power of two of type i64, but got "
                               << attribute.getValue();
    return success();
  }
  if (!isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError() << "expected '" << name << "' to be a unit attribute, but got "
                             << attribute.getValue();
  return success();
}
