//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiles kernel IR to PTX text, in process.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_TARGET_NVVM_EMITPTX_H
#define FUSER_TARGET_NVVM_EMITPTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Support/LLVM.h"
#include <string>
#include <vector>

namespace fuser::nvvm {

/// Options of the compilation.
struct NVVMTargetOptions {
  /// GPU architecture as LLVM names it: "sm_80", "sm_90a", "sm_100a", "sm_120".
  std::string chip = "sm_90";
  /// Version of the PTX language times ten (86 for 8.6), 0 for the oldest one that the chip needs.
  /// The driver must support it; LLVM 22 supports up to 90.
  unsigned ptxVersion = 0;
  /// NVIDIA's libdevice.10.bc. Read only for kernels that call its functions.
  std::string libdevicePath;
  /// LLVM's optimisation level, 0 to 3. All levels but 0 run the same passes (ADR 119).
  unsigned optLevel = 3;
  /// Treat f32 denormals as zero, in arithmetic and in libdevice.
  bool flushDenormals = false;
  /// Tell the location of each line (CompiledKernelText::lines). The text is the same.
  bool locateLines = false;
};

/// Wall time of each stage in milliseconds.
struct PTXTimes {
  double lower = 0;     ///< kernel IR to llvm and nvvm dialects
  double translate = 0; ///< to LLVM IR
  double link = 0;      ///< libdevice; 0 if no function of it is called
  double optimize = 0;  ///< LLVM's middle end
  double codegen = 0;   ///< LLVM IR to PTX
  double total() const { return lower + translate + link + optimize + codegen; }
};

/// One kernel as PTX.
struct CompiledKernelText {
  std::string ptx;
  /// Name of the kernel in the PTX.
  std::string entry;
  /// With NVVMTargetOptions::locateLines: of each line of `ptx`, the line in the FileLineColLoc of
  /// the op that it came from; 0: none.
  std::vector<unsigned> lines = {};
  PTXTimes times = {};
};

/// Compiles the only kernel of `module`, which is kernel IR or the result of lowerToNVVM and is not
/// changed. Needs nvvm::registerDialects on the context. Fails with a diagnostic at the op that
/// cannot be compiled, or at `module` for invalid options: an unknown chip, a missing libdevice.
/// Thread-safe; equal input gives equal text.
mlir::FailureOr<CompiledKernelText> emitPTX(mlir::gpu::GPUModuleOp module,
                                            const NVVMTargetOptions &options);

} // namespace fuser::nvvm

#endif // FUSER_TARGET_NVVM_EMITPTX_H
