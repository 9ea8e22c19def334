//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-opt: reads MLIR, runs passes of upstream and of fuser, prints MLIR.
//
//===----------------------------------------------------------------------===//

#include "../ToolOutput.h"
#include "fuser/InitAllDialects.h"
#include "fuser/InitAllPasses.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  fuser::registerAllPasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  fuser::registerAllDialects(registry);

  return fuser::tools::OutputArgument(argc, argv).run([&](int argc, char **argv) {
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, "fuser optimizer driver\n", registry));
  });
}
