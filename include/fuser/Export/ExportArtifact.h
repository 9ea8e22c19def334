//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Exports the compiler's IR to the artifact, which the runtime executes without MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_EXPORT_EXPORTARTIFACT_H
#define FUSER_EXPORT_EXPORTARTIFACT_H

#include "fuser/Artifact/Artifact.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/StringMap.h"

namespace fuser {

/// Turns a host function and the kernels that it launches into an artifact.
///
/// Reads `fuser.host` and, for each launched `gpu.func` of kernel IR (docs/kernel-ir.md), the block
/// size, `fuser_gpu.launch` and the bindings of its arguments. The IR is not changed.
///
/// \param host     its launches name kernel IR (`@module::@function`), not `fuser.kernel`.
/// \param binaries code by name of the `gpu.module`; kernels that nothing launches are left out.
/// \param target   what the kernels were scheduled for.
///
/// Sizes and strides become integer expressions of the arguments; facts, static sizes and layouts
/// become guards and argument specifications; a workspace becomes an allocation around its launch;
/// boxes come from the operands of the launches. Kernels with 32-bit indices add a guard on the
/// reach of strided arguments. The result is valid (artifact::validate).
///
/// Fails after a diagnostic at an op that the artifact cannot express: host arithmetic on floats, a
/// launch of a kernel that is not lowered or has no binary, an element type without a DType.
mlir::FailureOr<artifact::Artifact>
exportArtifact(HostOp host, const llvm::StringMap<artifact::Kernel> &binaries,
               const artifact::DeviceDescription &target);

/// The artifact's type for an element or scalar type; nullopt if there is none. `i1` is Bool,
/// integers without a sign are signed, `index` is I64.
std::optional<artifact::DType> getDType(mlir::Type type);

} // namespace fuser

#endif // FUSER_EXPORT_EXPORTARTIFACT_H
