//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/InstalledFiles.h"
#include "fuser/Support/OutputFile.h"
#include "fuser/Target/NVVM/EmitPTX.h"
#include "fuser/Target/NVVM/LowerToNVVM.h"
#include "fuser/Target/NVVM/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fuser::nvvm;

namespace fuser::nvvm {
#define GEN_PASS_DEF_EMITPTXPASS
#include "fuser/Target/NVVM/Passes.h.inc"
} // namespace fuser::nvvm

static void writeTimes(raw_ostream &os, const PTXTimes &times) {
  os << llvm::format("// ms: lower %.2f, translate %.2f, link %.2f, optimize %.2f, codegen %.2f, "
                     "total %.2f\n",
                     times.lower, times.translate, times.link, times.optimize, times.codegen,
                     times.total());
}

/// Replaces `module` by a gpu.binary with the text.
static void replaceByBinary(gpu::GPUModuleOp module, StringRef chip, StringRef ptx) {
  OpBuilder builder(module);
  auto target =
      NVVM::NVVMTargetAttr::get(module.getContext(), /*O=*/3, "nvptx64-nvidia-cuda", chip);
  Attribute object =
      gpu::ObjectAttr::get(module.getContext(), target, gpu::CompilationTarget::Assembly,
                           builder.getStringAttr(ptx), /*properties=*/nullptr, /*kernels=*/nullptr);
  gpu::BinaryOp::create(builder, module.getLoc(), module.getName(), /*offloadingHandler=*/nullptr,
                        builder.getArrayAttr(object));
  module.erase();
}

namespace {
struct EmitPTXPass : fuser::nvvm::impl::EmitPTXPassBase<EmitPTXPass> {
  using EmitPTXPassBase::EmitPTXPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    fuser::nvvm::registerDialects(registry);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run() {
    NVVMTargetOptions options;
    options.chip = chip;
    options.ptxVersion = ptxVersion;
    options.libdevicePath = libdevice.empty() ? fuser::getLibdevicePath() : libdevice.getValue();
    options.optLevel = optLevel;
    options.flushDenormals = ftz;
    std::string texts;
    llvm::raw_string_ostream os(texts);
    for (auto module : llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>())) {
      FailureOr<CompiledKernelText> compiled = emitPTX(module, options);
      if (failed(compiled))
        return failure();
      os << compiled->ptx;
      if (times)
        writeTimes(os, compiled->times);
      replaceByBinary(module, chip, compiled->ptx);
    }
    return output.empty() ? success() : write(texts);
  }

  LogicalResult write(StringRef texts) {
    std::error_code error =
        fuser::writeFile(output, [&](llvm::raw_ostream &file) { file << texts; });
    if (error)
      // At the location, since a note with the whole module would hide the message.
      return emitError(getOperation().getLoc())
             << "expected to write '" << output << "', but got: " << error.message();
    return success();
  }
};
} // namespace
