//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef FUSER_TARGET_HOST_PASSES_TD
#define FUSER_TARGET_HOST_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserLowerToHost : Pass<"fuser-lower-to-host", "::mlir::ModuleOp"> {
  let summary = "Lower every gpu.module to a module of the llvm dialect for the host device";
  let description = [{
    Replaces each `gpu.module` by a `builtin.module` of the same name. Its one kernel becomes a
    function that runs one GPU thread and has the binary interface of
    `fuser/Artifact/HostABI.h`: ids and extents are loads from the thread's context, arguments
    are loads through the parameter array, shared memory is an address in the context, and a
    barrier, shuffle or grid synchronisation is a call into the scheduler. The symbol
    `fuser_host_info_<kernel>` describes the kernel to the loader.

    Does nothing to a module without a `gpu.module`. Fails at an op that has no lowering for the
    host, and at a `gpu.module` that does not hold exactly one kernel.

    Example: `test/Target/Host/lower-to-host.mlir`.
  }];
  let options = [
    Option<"checkAlignment", "check-alignment", "bool", /*default=*/"true",
           "Test the alignment that vector accesses state">,
    Option<"checkAccesses", "check-accesses", "bool", /*default=*/"false",
           "Let the device check every access to memory and every wait">,
    Option<"cpu", "cpu", "std::string", /*default=*/"\"\"",
           "LLVM's name of the processor, recorded in the kernel's info">,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels lowered">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect",
  ];
}

#endif // FUSER_TARGET_HOST_PASSES_TD
