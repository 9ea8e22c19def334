//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProgramContext.h"
#include "fuser/Compiler/Compiler.h"
#include "fuser/Compiler/Import.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;

static DialectRegistry addCompilerDialects(const DialectRegistry &registry) {
  DialectRegistry dialects;
  registry.appendTo(dialects);
  registerCompilerDialects(dialects);
  registerImportDialects(dialects);
  return dialects;
}

ProgramContext::ProgramContext(const DialectRegistry &registry, llvm::raw_ostream &errors)
    : context(addCompilerDialects(registry)), handler(sources, &context, errors) {
  context.printOpOnDiagnostic(false);
}
