//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Kernel IR to the llvm dialect, for the host device.
//
// The kernel IR is the one that the NVVM target takes. Each GPU thread becomes
// one call of a function with the binary interface of fuser/Artifact/HostABI.h;
// every wait on another thread becomes a call into the scheduler.
//
// Where the GPU leaves a value undefined or a CPU would trap, the host defines it:
//   x / 0 = all ones, x % 0 = x; the least integer / -1 = itself, % -1 = 0;
//   a left or logical right shift by the width or more = 0, an arithmetic one = the sign;
//   float to integer saturates and takes NaN to 0;
//   bf16 and f16 arithmetic computes in f32; conversions round once, to nearest even.
//===----------------------------------------------------------------------===//
#ifndef FUSER_TARGET_HOST_LOWERTOHOST_H
#define FUSER_TARGET_HOST_LOWERTOHOST_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
namespace gpu {
class GPUModuleOp;
} // namespace gpu
} // namespace mlir

namespace fuser {

struct HostLoweringOptions {
  /// Test the alignment that an access states, and end the launch with an error where it is
  /// not kept. Without it a misaligned access is done as if it were aligned.
  bool checkAlignment = true;
  /// Let the device look at every access to memory before it is done, and at every wait: what is
  /// outside of its buffer or its box, not ordered with what another thread does, or read before it
  /// was written ends the launch with an error. Many times slower.
  bool checkAccesses = false;
  /// Recorded in the kernel's info; the loader refuses a processor that cannot run it.
  std::string cpu;
};

/// Lowers a copy of `kernel` and returns it as a module of the llvm dialect that defines
/// `fuser_host_info_<name of its gpu.func>`. `kernel` itself is not changed.
/// Fails with a diagnostic at the op that has no lowering for the host.
/// The dialects of registerHostTarget must be loaded.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> lowerToHost(mlir::gpu::GPUModuleOp kernel,
                                                               const HostLoweringOptions &options);

/// Adds the dialects and translations that lowerToHost and emitHostObject need.
void registerHostTarget(mlir::DialectRegistry &registry);

/// The same for a context that exists, and loads the dialects. Not while passes run on it.
void loadHostTarget(mlir::MLIRContext &context);

} // namespace fuser

#endif // FUSER_TARGET_HOST_LOWERTOHOST_H
