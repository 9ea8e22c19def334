//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect `fuser_gpu`: low-level GPU operations, and the attributes that describe a kernel's
// launch and the packing of its arguments. docs/kernel-ir.md describes the form.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_KERNEL_KERNELDIALECT_H
#define FUSER_DIALECT_KERNEL_KERNELDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

namespace fuser::kernel_ir {

/// Represents the set of lanes that execute an op together: an effect on it prevents that the op is
/// moved. It is not memory.
class ConvergenceResource : public mlir::SideEffects::Resource::Base<ConvergenceResource> {
public:
  llvm::StringRef getName() final { return "<Convergence>"; }
};

} // namespace fuser::kernel_ir

#include "fuser/Dialect/Kernel/KernelDialect.h.inc"
#include "fuser/Dialect/Kernel/KernelEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fuser/Dialect/Kernel/KernelAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fuser/Dialect/Kernel/KernelTypes.h.inc"

#define GET_OP_CLASSES
#include "fuser/Dialect/Kernel/KernelOps.h.inc"

#endif // FUSER_DIALECT_KERNEL_KERNELDIALECT_H
