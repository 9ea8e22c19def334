//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-translate: between MLIR and PTX or artifacts.
//
//===----------------------------------------------------------------------===//

#include "../ToolOutput.h"
#include "fuser/Translate/Translations.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;

int main(int argc, char **argv) {
  cl::opt<std::string> target("target",
                              cl::desc("What to schedule and emit code for: h200, sm_90, ..."),
                              cl::value_desc("device"), cl::init("sm_90"));
  cl::opt<fuser::artifact::DeviceKind> device(
      "device", cl::desc("What runs the kernels of an artifact"),
      cl::values(clEnumValN(fuser::artifact::DeviceKind::Cuda, "cuda", "a GPU: PTX"),
                 clEnumValN(fuser::artifact::DeviceKind::Host, "host", "the CPU: an object")),
      cl::init(fuser::artifact::DeviceKind::Cuda));
  cl::opt<std::string> sizes(
      "sizes",
      cl::desc(
          "Sizes to choose schedules for, as fuser-choose-schedules takes them: 4096,5002;5002"),
      cl::value_desc("sizes;..."));
  fuser::registerTranslations([&] { return fuser::TranslationOptions{target, device, sizes}; });
  return fuser::tools::OutputArgument(argc, argv).run([&](int argc, char **argv) {
    return int(failed(mlir::mlirTranslateMain(argc, argv, "fuser translation driver")));
  });
}
