//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The facts that a lowered kernel relies on, kept after its `fuser.kernel` is gone.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_KERNELFACTS_H
#define FUSER_DIALECT_IR_KERNELFACTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace fuser {

/// A discardable attribute (unit) of a fusion and its kernels: the values of a call may be empty.
/// Schedules then do not rely on a size that the host computes not to be 0, even where a kernel of
/// its own is slower. Without it, such a call fails a guard.
inline constexpr llvm::StringLiteral kAllowsEmptyName = "fuser.allows_empty";

/// Discardable attribute of a `gpu.func` of kernel IR: an array of `#fuser.fact` on the operands of
/// its launches (inputs, then outputs) that its code relies on. Lowering keeps the facts of the
/// `fuser.kernel` there; each becomes a guard of the artifact.
inline constexpr llvm::StringLiteral kKernelFactsAttrName = "fuser.facts";

/// Discardable attribute next to it: for each fact, what requires it ("sizes of 'fuser.add'");
/// empty where the kernel's schedule does. Only errors show it.
inline constexpr llvm::StringLiteral kKernelFactReasonsAttrName = "fuser.fact_reasons";

/// What requires fact `number` of a lowered kernel called `name`.
inline std::string getFactReason(mlir::Operation *function, unsigned number, llvm::StringRef name) {
  auto reasons = function->getAttrOfType<mlir::ArrayAttr>(kKernelFactReasonsAttrName);
  if (reasons && number < reasons.size())
    if (auto reason = llvm::dyn_cast<mlir::StringAttr>(reasons[number]);
        reason && !reason.getValue().empty())
      return reason.str();
  return ("schedule of kernel '" + name + "'").str();
}

} // namespace fuser

#endif // FUSER_DIALECT_IR_KERNELFACTS_H
