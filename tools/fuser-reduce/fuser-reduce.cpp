//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-reduce: reduces a file while a script reports it as interesting, with MLIR's reduction tree
// and fuser's patterns for fusions. See docs/guides/debug-a-fusion.md.
//
//===----------------------------------------------------------------------===//

#include "../ToolOutput.h"
#include "fuser/Dialect/Reduce/ReductionPatterns.h"
#include "fuser/InitAllDialects.h"
#include "fuser/InitAllPasses.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  fuser::registerAllPasses(); // for --opt-reduction-pass

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  fuser::registerAllDialects(registry);
  fuser::registerReductionPatterns(registry);
  mlir::MLIRContext context(registry);
  return fuser::tools::OutputArgument(argc, argv).run([&](int argc, char **argv) {
    return int(failed(mlir::mlirReduceMain(argc, argv, context)));
  });
}
