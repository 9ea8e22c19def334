//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-count-kernel: counts the ops of the kernels in kernel IR.
//
//===----------------------------------------------------------------------===//

#include "../ProgramCommandLine.h"
#include "../ToolOutput.h"
#include "fuser/Driver/CountFile.h"
#include "llvm/Support/InitLLVM.h"

namespace cl = llvm::cl;
using fuser::driver::CountFormat;
using fuser::driver::CountOptions;
using fuser::driver::Outcome;

int main(int argc, char **argv) {
  fuser::tools::handleSignals();
  llvm::InitLLVM init(argc, argv);
  fuser::tools::exitWhenOutOfMemory();
  CountOptions options;
  cl::OptionCategory category("fuser-count-kernel options");
  cl::list<std::string> files(cl::Positional, cl::desc("FILE.mlir... (default: standard input)"),
                              cl::cat(category));
  cl::opt<CountFormat, true> format(
      "format", cl::desc("What to print (default: text)"), cl::location(options.format),
      cl::values(clEnumValN(CountFormat::Text, "text", "a paragraph for each kernel"),
                 clEnumValN(CountFormat::Lines, "lines",
                            "a line for each kernel, in a form for programs")),
      cl::init(CountFormat::Text), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Counts accesses, barriers, divisions, branches and loops of kernel IR, the text after "
          "the phase lowering\n",
          &llvm::errs()))
    return int(Outcome::BadCommand);
  options.files.assign(files.begin(), files.end());
  if (options.files.empty())
    options.files.push_back("-");
  Outcome outcome =
      fuser::driver::count(options, fuser::tools::getProgramDialects(), llvm::outs(), llvm::errs());
  return fuser::tools::finish(argv[0], int(outcome));
}
