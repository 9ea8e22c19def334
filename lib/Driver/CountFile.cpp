//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Driver/CountFile.h"
#include "fuser/Compiler/Compiler.h"
#include "fuser/Explain/KernelCounts.h"
#include "fuser/Support/InputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;

/// Counts the kernels of one file. Fails after a diagnostic.
static LogicalResult countFile(const std::string &path, const CountOptions &options,
                               MLIRContext *context, llvm::raw_ostream &out,
                               llvm::raw_ostream &errors) {
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, context, errors);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(path, /*isText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(context))
           << "cannot open input file '" << path << "': " << llvm::toString(buffer.takeError());
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(context));
  if (!module)
    return failure();

  const bool isOneOfSeveral = options.files.size() > 1;
  const bool isText = options.format == CountFormat::Text;
  bool found = false;
  module->walk<WalkOrder::PreOrder>([&](gpu::GPUFuncOp kernel) {
    if (isText && isOneOfSeveral && !found)
      out << "file " << path << "\n";
    found = true;
    explain::KernelCounts counts = explain::countKernel(kernel);
    if (isText)
      explain::printText(out, counts);
    else
      explain::printLine(out, counts, isOneOfSeveral ? path + ":" : "");
    return WalkResult::skip();
  });
  if (!found)
    return module->emitError("expected kernel IR (a gpu.func), but got none");
  return success();
}

Outcome fuser::driver::count(const CountOptions &options, const DialectRegistry &registry,
                             llvm::raw_ostream &out, llvm::raw_ostream &errors) {
  DialectRegistry dialects;
  registry.appendTo(dialects);
  registerCompilerDialects(dialects);
  MLIRContext context(dialects);
  context.printOpOnDiagnostic(false);
  Outcome outcome = Outcome::Success;
  for (const std::string &path : options.files)
    if (failed(countFile(path, options, &context, out, errors)))
      outcome = Outcome::Failure;
  return outcome;
}
