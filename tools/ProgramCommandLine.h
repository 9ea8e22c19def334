//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shared by tools that take one program of a file: options, dialects, start-up.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_TOOLS_PROGRAMCOMMANDLINE_H
#define FUSER_TOOLS_PROGRAMCOMMANDLINE_H

#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

namespace fuser::tools {

namespace cl = llvm::cl;

/// The program, its target and the sizes of its arguments, bound to the options of the driver; a
/// tool adds options of its own. OptionsT has `file`, `program`, `target` and `inputs`, whose
/// initial values are the defaults.
template <typename OptionsT> struct ProgramCommandLine {
  OptionsT options;
  cl::OptionCategory category;

  cl::opt<std::string, true> file{cl::Positional, cl::desc("FILE.mlir (-: standard input)"),
                                  cl::location(options.file), cl::Required, cl::cat(category)};
  cl::opt<std::string, true> program{
      "program", cl::desc("Which fusion of the file (default: the only one)"),
      cl::value_desc("name"), cl::location(options.program), cl::cat(category)};
  cl::opt<std::string, true> target;
  cl::list<std::string> sizes{"size",
                              cl::desc("Sizes of one argument, by name or number: x=4096x5002"),
                              cl::value_desc("arg=sizes"), cl::cat(category)};
  cl::opt<std::string, true> allSizes{
      "sizes", cl::desc("Sizes of all tensor arguments in order: 4096x5002,5002"),
      cl::value_desc("sizes,..."), cl::location(options.inputs.allSizes), cl::cat(category)};

  ProgramCommandLine(llvm::StringRef categoryName, llvm::StringRef targetText)
      : category(categoryName), target("target", cl::desc(targetText), cl::value_desc("device"),
                                       cl::location(options.target), cl::cat(category)) {}

  /// False if the command line is wrong; `errors` then has the message.
  bool parse(int argc, const char *const *argv, llvm::StringRef overview,
             llvm::raw_ostream &errors) {
    cl::HideUnrelatedOptions(category);
    if (!cl::ParseCommandLineOptions(argc, argv, overview, &errors))
      return false;
    options.inputs.sizes.assign(sizes.begin(), sizes.end());
    return true;
  }
};

/// Ends the process with a message and exit code 1 if an allocation fails, instead of an abort.
/// Called after InitLLVM, which installs the handler that calls this one.
inline void exitWhenOutOfMemory() {
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) {
    // Nothing that allocates.
    constexpr llvm::StringLiteral kMessage = "error: out of memory\n";
    (void)!write(STDERR_FILENO, kMessage.data(), kMessage.size());
    _exit(1);
  });
}

/// The dialects that programs are written in.
inline mlir::DialectRegistry getProgramDialects() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registry
      .insert<mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::tensor::TensorDialect>();
  return registry;
}

} // namespace fuser::tools

#endif // FUSER_TOOLS_PROGRAMCOMMANDLINE_H
