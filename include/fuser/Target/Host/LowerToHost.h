//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Lowers kernel IR to the llvm dialect, for the host device.
//
// The input is the same kernel IR as for the NVVM target. Each GPU thread becomes one call of a
// function with the binary interface of fuser/Artifact/HostABI.h; every wait on another thread
// becomes a call into the scheduler.
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
  /// Check the alignment that an access states, and end the launch with an error if the address
  /// violates it. Otherwise a misaligned access behaves as if it were aligned.
  bool checkAlignment = true;
  /// Let the device check every memory access and every wait: an access that is out of bounds of
  /// its buffer or box, not ordered with a conflicting access of another thread, or a read of
  /// uninitialized memory, ends the launch with an error. Many times slower.
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

/// The same for an existing context, and loads the dialects. Must not be called while passes run.
void loadHostTarget(mlir::MLIRContext &context);

} // namespace fuser

#endif // FUSER_TARGET_HOST_LOWERTOHOST_H
