//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-explain: says what the compiler decides about a fusion, and why.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/ExplainFile.h"
#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

namespace cl = llvm::cl;
using fuser::driver::ExplainFormat;
using fuser::driver::ExplainOptions;
using fuser::driver::Outcome;

namespace {

/// The command line, bound to the options of the driver.
struct CommandLine {
  ExplainOptions options;
  cl::OptionCategory category{"fuser-explain options"};

  cl::opt<std::string, true> file{cl::Positional, cl::desc("FILE.mlir (-: standard input)"),
                                  cl::location(options.file), cl::Required, cl::cat(category)};
  cl::opt<std::string, true> program{
      "program", cl::desc("Which fusion of the file (default: the only one)"),
      cl::value_desc("name"), cl::location(options.program), cl::cat(category)};
  cl::opt<std::string, true> target{
      "target",
      cl::desc("What to schedule for: h200, sm_90, ... (default: sm_90)"),
      cl::value_desc("device"),
      cl::location(options.target),
      cl::init("sm_90"),
      cl::cat(category)};
  cl::opt<std::string, true> deviceFile{
      "device-file", cl::desc("Schedule for the device that a file of `key = value` describes"),
      cl::value_desc("file"), cl::location(options.deviceFile), cl::cat(category)};
  cl::opt<ExplainFormat, true> format{
      "format",
      cl::desc("What to print (default: text)"),
      cl::location(options.format),
      cl::values(clEnumValN(ExplainFormat::Text, "text", "a report"),
                 clEnumValN(ExplainFormat::Json, "json", "everything, with stable keys"),
                 clEnumValN(ExplainFormat::Svg, "svg", "a picture"),
                 clEnumValN(ExplainFormat::Html, "html", "a page with the picture and the report")),
      cl::init(ExplainFormat::Text),
      cl::cat(category)};
  cl::opt<bool, true> remarks{"remarks", cl::desc("Give remarks at the ops instead of a report"),
                              cl::location(options.remarks), cl::cat(category)};
  cl::list<std::string> sizes{"size",
                              cl::desc("Sizes of one argument, by name or number: x=4096x5002"),
                              cl::value_desc("arg=sizes"), cl::cat(category)};
  cl::opt<std::string, true> allSizes{
      "sizes", cl::desc("Sizes of all tensor arguments in order: 4096x5002,5002"),
      cl::value_desc("sizes,..."), cl::location(options.inputs.allSizes), cl::cat(category)};
};

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine commandLine;
  cl::HideUnrelatedOptions(commandLine.category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Says what the compiler decides about a fusion, and why\n", &llvm::errs()))
    return int(Outcome::BadCommand);
  commandLine.options.inputs.sizes.assign(commandLine.sizes.begin(), commandLine.sizes.end());

  mlir::DialectRegistry registry;
  fuser::registerAllDialects(registry);
  registry
      .insert<mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::tensor::TensorDialect>();
  return int(fuser::driver::explain(commandLine.options, registry, llvm::outs(), llvm::errs()));
}
