//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-explain: prints the compiler's decisions about a fusion and their reasons.
//
//===----------------------------------------------------------------------===//

#include "../ProgramCommandLine.h"
#include "../ToolOutput.h"
#include "fuser/Driver/ExplainFile.h"
#include "llvm/Support/InitLLVM.h"

namespace cl = llvm::cl;
using fuser::driver::ExplainFormat;
using fuser::driver::ExplainOptions;
using fuser::driver::Outcome;

namespace {

struct CommandLine : fuser::tools::ProgramCommandLine<ExplainOptions> {
  CommandLine()
      : ProgramCommandLine("fuser-explain options",
                           "What to schedule for: h200, sm_90, ... (default: sm_90)") {}

  cl::opt<std::string, true> deviceFile{
      "device-file", cl::desc("Schedule for the device that a file of `key = value` describes"),
      cl::value_desc("file"), cl::location(options.deviceFile), cl::cat(category)};
  cl::opt<std::string, true> markBoundaries{
      "mark-boundaries",
      cl::desc("Operations (fuser.reshape, fuser.reshape:after) and regions (@name) at which "
               "segments end"),
      cl::value_desc("marks"), cl::location(options.markBoundaries), cl::cat(category)};
  cl::opt<std::string, true> schedules{
      "schedules", cl::desc("Read the schedules of kernels from a file of fuser-tune"),
      cl::value_desc("file"), cl::location(options.schedules), cl::cat(category)};
  cl::opt<std::string, true> profile{
      "profile", cl::desc("Show measured times: a file of fuser-run --profile"),
      cl::value_desc("file"), cl::location(options.profile), cl::cat(category)};
  cl::opt<ExplainFormat, true> format{
      "format",
      cl::desc("What to print (default: text)"),
      cl::location(options.format),
      cl::values(clEnumValN(ExplainFormat::Text, "text", "a report"),
                 clEnumValN(ExplainFormat::Json, "json", "everything, with stable keys"),
                 clEnumValN(ExplainFormat::Svg, "svg", "a picture"),
                 clEnumValN(ExplainFormat::Html, "html",
                            "a page with everything: kernels, loops, the text of each stage")),
      cl::init(ExplainFormat::Text),
      cl::cat(category)};
  cl::opt<std::string, true> output{
      "o", cl::desc("Write to a file (default, and -: standard output)"), cl::value_desc("file"),
      cl::location(options.output), cl::cat(category)};
  cl::opt<bool, true> remarks{"remarks", cl::desc("Give remarks at the ops instead of a report"),
                              cl::location(options.remarks), cl::cat(category)};
};

} // namespace

int main(int argc, char **argv) {
  fuser::tools::handleSignals();
  llvm::InitLLVM init(argc, argv);
  fuser::tools::exitWhenOutOfMemory();
  CommandLine commandLine;
  if (!commandLine.parse(argc, argv, "Says what the compiler decides about a fusion, and why\n",
                         llvm::errs()))
    return int(Outcome::BadCommand);
  Outcome outcome = fuser::driver::explain(commandLine.options, fuser::tools::getProgramDialects(),
                                           llvm::outs(), llvm::errs());
  return fuser::tools::finish(argv[0], int(outcome));
}
