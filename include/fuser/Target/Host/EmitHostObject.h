//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Compiles kernel IR to a relocatable object for the processor that this program runs on.
//===----------------------------------------------------------------------===//
#ifndef FUSER_TARGET_HOST_EMITHOSTOBJECT_H
#define FUSER_TARGET_HOST_EMITHOSTOBJECT_H

#include "fuser/Artifact/Kernel.h"
#include "fuser/Target/Host/LowerToHost.h"

#include <string>

namespace fuser {

struct HostTargetOptions {
  /// LLVM's name of the processor. Empty: the baseline of the architecture (x86-64-v3, which has
  /// AVX2, FMA and F16C; generic on AArch64), so that the bytes are the same on every machine. The
  /// host device loads code for x86-64, x86-64-v2 to x86-64-v4, and generic.
  std::string cpu;
  /// LLVM's optimisation level, 0 to 3.
  unsigned optLevel = 2;
  /// See HostLoweringOptions.
  bool checkAlignment = true;
  bool checkAccesses = false;
  /// Keep the LLVM IR and the assembly of the object as text.
  bool keepText = false;
};

/// Time of each stage of emitHostObject, in milliseconds.
struct HostCompileTimes {
  double lowering = 0;     ///< kernel IR to the llvm dialect
  double translation = 0;  ///< llvm dialect to LLVM IR
  double optimization = 0; ///< LLVM's pipeline
  double codegen = 0;      ///< LLVM IR to object
};

struct HostObject {
  std::string name;   ///< of the gpu.func
  std::string object; ///< the bytes of the object file
  std::string triple; ///< the target it was compiled for
  std::string cpu;    ///< and the processor
  bool usesBarrier = false;
  bool usesShuffle = false;
  bool usesGridSync = false;
  HostCompileTimes times;
  std::string llvmIR;   ///< after optimisation, if HostTargetOptions::keepText
  std::string assembly; ///< if HostTargetOptions::keepText
};

/// Compiles the only kernel of `kernel`. The object follows fuser/Artifact/HostABI.h and is
/// deterministic: equal kernels, options and processors give equal bytes. Fails with a diagnostic
/// at the op that cannot be lowered, or at `kernel`.
mlir::FailureOr<HostObject> emitHostObject(mlir::gpu::GPUModuleOp kernel,
                                           const HostTargetOptions &options = {});

/// The object in the form that the host device loads.
artifact::Kernel toKernel(const HostObject &object);

} // namespace fuser

#endif // FUSER_TARGET_HOST_EMITHOSTOBJECT_H
