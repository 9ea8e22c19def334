//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Bytecode.h"
#include "ReshapePlans.h"
#include "TrivialDomains.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Dialect/IR/DependentLaunches.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Dialect/IR/HostStreamOps.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Dialect/IR/Products.h"
#include "fuser/Dialect/IR/Updates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuser;

#include "fuser/Dialect/IR/FuserDialect.cpp.inc"
#include "fuser/Dialect/IR/FuserEnums.cpp.inc"
#include "fuser/Dialect/IR/FuserInterfaces.cpp.inc"

void FuserDialect::initialize() {
  registerAttributes();
  addInterfaces<fuser::detail::FuserBytecode, fuser::detail::ReshapePlans,
                fuser::detail::TrivialDomains>();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/StructureOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/HostOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/HostShapeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/HostStreamOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/BorderOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/PointwiseOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/ActivationOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/SpecialFunctionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/ReductionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/ScanOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/ShapeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/IndexingOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/ContractionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/IR/RandomOps.cpp.inc"
      >();
  fuser::detail::attachProductModels(getContext());
}

/// Of a buffer that asynchronous copies fill.
static LogicalResult verifyStages(Operation *op, Attribute attribute) {
  if (!isa<SetOp>(op))
    return op->emitOpError("expected '")
           << kStagesName << "' on a copy (fuser.set): what is computed is not copied while a loop "
           << "computes";
  auto stages = dyn_cast<IntegerAttr>(attribute);
  if (!stages || !stages.getType().isInteger(64) || stages.getInt() < 1 ||
      stages.getInt() > kMostStages)
    return op->emitOpError("expected '") << kStagesName << "' to be an i64 between 1 and "
                                         << kMostStages << ", but got " << attribute;
  return success();
}

LogicalResult FuserDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == kLayoutHintsName)
    return fuser::detail::verifyLayoutHints(op, attribute.getValue());
  if (attribute.getName() == kDefaultOrderName)
    return fuser::detail::verifyDefaultOrder(op, attribute.getValue());
  if (attribute.getName() == kAllowsEmptyName && !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError("expected '")
           << kAllowsEmptyName << "' to be a unit attribute, but got " << attribute.getValue();
  if (attribute.getName() == kStagesName)
    return verifyStages(op, attribute.getValue());
  if (attribute.getName() == kCopyEngineName) {
    auto engine = dyn_cast<StringAttr>(attribute.getValue());
    // Of a circular buffer, or of a store.
    auto set = dyn_cast<SetOp>(op);
    const bool isCopy =
        getStages(op).value_or(1) > 1 ||
        (set && cast<TensorViewOpInterface>(op).getMemoryType() == MemoryType::Global);
    if (!isCopy || !engine || engine.getValue() != kBulkEngine)
      return op->emitOpError("expected '")
             << kCopyEngineName << "' to be \"" << kBulkEngine << "\", next to '" << kStagesName
             << "' of at least 2, but got " << attribute.getValue();
  }
  if (attribute.getName() == kCopyRoleName) {
    auto role = dyn_cast<StringAttr>(attribute.getValue());
    if (!op->hasAttr(kCopyEngineName) || !role || role.getValue() != kProducerRole)
      return op->emitOpError("expected '")
             << kCopyRoleName << "' to be \"" << kProducerRole << "\", next to '" << kCopyEngineName
             << "', but got " << attribute.getValue();
  }
  if (attribute.getName() == kRoleRegistersName) {
    auto registers = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (!op->hasAttr(kCopyRoleName) || !registers || registers.size() != 2)
      return op->emitOpError("expected '")
             << kRoleRegistersName << "' to be array<i64> of 2 numbers, next to '" << kCopyRoleName
             << "', but got " << attribute.getValue();
  }
  if (attribute.getName() == kPrivatizedName) {
    auto update = dyn_cast<UpdateOpInterface>(op);
    if (!update || !update.getCombination() || !isa<UnitAttr>(attribute.getValue()))
      return op->emitOpError("expected '")
             << kPrivatizedName << "' to be a unit attribute of an op that combines elements with "
             << "those of a buffer, but got " << attribute.getValue();
  }
  if (attribute.getName() == kDependentName) {
    auto launch = dyn_cast<LaunchOp>(op);
    if (!launch || !(isa<UnitAttr>(attribute.getValue()) || asksForTrigger(launch)))
      return op->emitOpError("expected '")
             << kDependentName << "' to be a unit attribute of a fuser.launch, or \"" << kEarly
             << "\", but got " << attribute.getValue();
  }
  if (attribute.getName() == kOriginName && !isa<DenseI64ArrayAttr>(attribute.getValue()))
    return op->emitOpError("expected '")
           << kOriginName << "' to be array<i64: ...>, but got " << attribute.getValue();
  return success();
}
