//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Private to the room: LLVM IR to PTX.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_TARGET_NVVM_BACKEND_H
#define FUSER_LIB_TARGET_NVVM_BACKEND_H

#include "fuser/Target/NVVM/EmitPTX.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace fuser::nvvm {

/// The code generator for the options' chip; null after a diagnostic at `op`.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(mlir::Operation *op,
                                                         const NVVMTargetOptions &options);

/// The names of libdevice's functions begin with it.
inline constexpr llvm::StringLiteral kLibdevicePrefix = "__nv_";

/// Links the functions of the libdevice at `path` that `module` declares, as internal ones. Fails
/// after a diagnostic at `op`.
mlir::LogicalResult linkNeededFunctions(mlir::Operation *op, llvm::StringRef path,
                                        llvm::Module &module);

/// Rewrites negations of integers so that ptxas does not drop them next to minima and maxima.
void hideNegations(llvm::Module &module);

/// Writes the additions of a condition to a 32-bit count as selections, which the assembler
/// predicates.
void selectCounts(llvm::Module &module);

/// Folds comparisons of vectors for the lanes whose result is known.
void foldLaneComparisons(llvm::Module &module);

/// Rewrites `or disjoint` as an addition, so that strength reduction may reuse it anywhere.
void expandDisjointOrs(llvm::Module &module);

/// Lets accesses at constant distances share an address. After `expandDisjointOrs`.
void shareAddresses(llvm::Module &module);

/// Extends vectors of bf16 by pairs.
void unpackPairs(llvm::Module &module);

/// Works around stores of constant pairs that ptxas miscompiles.
void widenStoredConstants(llvm::Module &module);

/// The stages from LLVM IR to PTX. LLVM's errors become diagnostics at `op`. The stages must be
/// called in the order of their declaration.
class Backend {
public:
  Backend(mlir::Operation *op, llvm::TargetMachine &machine, const NVVMTargetOptions &options)
      : op(op), machine(machine), options(options) {}

  /// Sets triple, data layout and denormal mode, and installs the handler for LLVM's diagnostics.
  void adopt(llvm::Module &module);

  /// Replaces calls of libdevice that are one instruction, for which the library would be read.
  void replaceInstructions(llvm::Module &module);

  /// True if `module` declares a function of libdevice.
  bool callsLibdevice(const llvm::Module &module) const;

  /// Links the functions of libdevice that `module` calls, as internal ones.
  mlir::LogicalResult linkLibdevice(llvm::Module &module);

  mlir::LogicalResult optimize(llvm::Module &module);

  mlir::FailureOr<std::string> emit(llvm::Module &module);

private:
  mlir::Operation *op;
  llvm::TargetMachine &machine;
  const NVVMTargetOptions &options;
  /// LLVM has reported an error.
  bool failedInLLVM = false;
};

} // namespace fuser::nvvm

#endif // FUSER_LIB_TARGET_NVVM_BACKEND_H
