//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an embedder starts with: parse a fusion with the packaged headers and libraries.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

static constexpr char kProgram[] = R"(
fuser.fusion @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = fuser.add %x, %x : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
)";

int main() {
  mlir::MLIRContext context;
  context.loadDialect<fuser::FuserDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kProgram, &context);
  if (!module)
    return 1;
  for (auto fusion : module->getOps<fuser::FusionOp>())
    llvm::outs() << "parsed fusion " << fusion.getSymName() << "\n";
  return 0;
}
