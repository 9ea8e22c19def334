//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-translate: turns IR of fuser into other formats. Besides upstream's
// translations it has --kernel-to-ptx: one gpu.module of kernel IR to PTX text.
//
//===----------------------------------------------------------------------===//

#include "fuser/InitAllDialects.h"
#include "fuser/Support/Config.h"
#include "fuser/Target/NVVM/EmitPTX.h"
#include "fuser/Target/NVVM/LowerToNVVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"

namespace {
/// The command line of --kernel-to-ptx.
struct PTXCommandLine {
  llvm::cl::opt<std::string> chip{"chip", llvm::cl::desc("GPU architecture, as in sm_90a"),
                                  llvm::cl::init("sm_90")};
  llvm::cl::opt<unsigned> ptxVersion{
      "ptx-version", llvm::cl::desc("PTX version times ten; 0: as the chip needs"),
      llvm::cl::init(0)};
  llvm::cl::opt<std::string> libdevice{"libdevice", llvm::cl::desc("path of libdevice.10.bc"),
                                       llvm::cl::init(fuser::config::kLibdevicePath)};
  llvm::cl::opt<unsigned> optLevel{"ptx-opt-level", llvm::cl::desc("LLVM's level, 0 to 3"),
                                   llvm::cl::init(3)};
  llvm::cl::opt<bool> flushDenormals{"ftz", llvm::cl::desc("treat f32 denormals as zero")};
  llvm::cl::opt<bool> times{"times", llvm::cl::desc("append each stage's time as a comment")};
};
} // namespace

static llvm::LogicalResult writePTX(mlir::Operation *root, llvm::raw_ostream &os,
                                    const PTXCommandLine &arguments) {
  llvm::SmallVector<mlir::gpu::GPUModuleOp> modules;
  root->walk([&](mlir::gpu::GPUModuleOp module) { modules.push_back(module); });
  if (modules.size() != 1)
    return root->emitError() << "expected one gpu.module, but got " << modules.size();
  fuser::nvvm::NVVMTargetOptions options;
  options.chip = arguments.chip;
  options.ptxVersion = arguments.ptxVersion;
  options.libdevicePath = arguments.libdevice;
  options.optLevel = arguments.optLevel;
  options.flushDenormals = arguments.flushDenormals;
  auto result = fuser::nvvm::emitPTX(modules.front(), options);
  if (mlir::failed(result))
    return mlir::failure();
  os << result->ptx;
  if (arguments.times) {
    const fuser::nvvm::PTXTimes &times = result->times;
    os << llvm::format("// ms: lower %.2f, translate %.2f, link %.2f, optimize %.2f, codegen %.2f, "
                       "total %.2f\n",
                       times.lower, times.translate, times.link, times.optimize, times.codegen,
                       times.total());
  }
  return mlir::success();
}

int main(int argc, char **argv) {
  mlir::registerAllTranslations();
  PTXCommandLine arguments;
  mlir::TranslateFromMLIRRegistration toPTX(
      "kernel-to-ptx", "one gpu.module of kernel IR to PTX",
      [&](mlir::Operation *root, llvm::raw_ostream &os) { return writePTX(root, os, arguments); },
      [](mlir::DialectRegistry &registry) {
        mlir::registerAllDialects(registry);
        fuser::registerAllDialects(registry);
        fuser::nvvm::registerDialects(registry);
      });
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "fuser translation driver"));
}
