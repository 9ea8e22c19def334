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

#include "fuser/Driver/Driver.h"
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

/// The same for a tool that runs the program: the device, the arguments and how it is compiled.
/// OptionsT is an ExecutionOptions of the driver.
template <typename OptionsT> struct ExecutionCommandLine : ProgramCommandLine<OptionsT> {
  using Base = ProgramCommandLine<OptionsT>;
  using Base::category;
  using Base::options;
  using DeviceChoice = driver::DeviceChoice;

  ExecutionCommandLine(llvm::StringRef categoryName, llvm::StringRef targetText)
      : Base(categoryName, targetText) {}

  cl::opt<DeviceChoice, true> device{
      "device",
      cl::desc("What runs the program (default: the GPU if there is one, else the host)"),
      cl::location(options.device),
      cl::values(
          clEnumValN(DeviceChoice::Cuda, "cuda", "the GPU"),
          clEnumValN(DeviceChoice::Host, "host", "the same kernels on the CPU"),
          clEnumValN(DeviceChoice::Reference, "reference", "the evaluator in double precision")),
      cl::init(DeviceChoice::Default),
      cl::cat(category)};
  cl::opt<unsigned, true> threads{
      "compile-threads",
      cl::desc("Threads that compile different kernels at the same time (default: one per "
               "processor); the code is the same"),
      cl::value_desc("n"), cl::location(options.threads), cl::cat(category)};
  cl::opt<bool, true> approximateMath{
      "approximate-math",
      cl::desc("Compute f32 functions by the GPU's approximations: changes results"),
      cl::location(options.approximateMath), cl::cat(category)};
  cl::opt<DependentLaunches> dependentLaunches{
      "dependent-launches",
      cl::desc("Launches that begin before the launches before them have ended (sm_90 or later)"),
      cl::values(clEnumValN(DependentLaunches::Marked, "marked", "those with fuser.dependent"),
                 clEnumValN(DependentLaunches::All, "all", "all that can")),
      cl::cat(category),
      cl::callback([this](const DependentLaunches &value) { options.dependentLaunches = value; })};
  cl::opt<std::string, true> markBoundaries{
      "mark-boundaries",
      cl::desc("Operations (fuser.reshape, fuser.reshape:after) and regions (@name) at which "
               "segments end"),
      cl::value_desc("marks"), cl::location(options.markBoundaries), cl::cat(category)};
  cl::opt<int64_t, true> defaultSize{
      "default-size",
      cl::desc("Size of dynamic dimensions where no sizes are given (default: 128)"),
      cl::value_desc("n"),
      cl::location(options.inputs.defaultSize),
      cl::init(128),
      cl::cat(category)};
  cl::opt<uint64_t, true> seed{"seed", cl::desc("Seed of random inputs"), cl::value_desc("n"),
                               cl::location(options.inputs.seed), cl::cat(category)};
  cl::list<std::string> files{"input", cl::desc("Read an argument from a .npy file: x=a.npy"),
                              cl::value_desc("arg=file"), cl::cat(category)};
  cl::list<std::string> scalars{"scalar", cl::desc("Value of a scalar argument: eps=1e-5"),
                                cl::value_desc("arg=value"), cl::cat(category)};
  cl::list<std::string> ranges{"range", cl::desc("Range of a random argument: idx=0:100"),
                               cl::value_desc("arg=low:high"), cl::cat(category)};
  cl::opt<bool, true> uint16IsBF16{"uint16-is-bf16", cl::desc("Read uint16 arrays as bf16"),
                                   cl::location(options.inputs.uint16IsBF16), cl::cat(category)};

  /// Sets the options that have no location of their own.
  void finishInputs() {
    options.inputs.files.assign(files.begin(), files.end());
    options.inputs.scalars.assign(scalars.begin(), scalars.end());
    options.inputs.ranges.assign(ranges.begin(), ranges.end());
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
