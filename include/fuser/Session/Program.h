//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where the compiler and the runtime meet: a program as text, compiled on demand for
// the arguments that it is called with.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SESSION_PROGRAM_H
#define FUSER_SESSION_PROGRAM_H

#include "fuser/Compiler/Compiler.h"
#include "fuser/Compiler/Import.h"
#include "fuser/Runtime/Executable.h"
#include "fuser/Runtime/KernelCache.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fuser::session {

struct ProgramOptions {
  /// What kernels are scheduled for; nullopt: the GPU that runs them, else sm_90.
  std::optional<artifact::DeviceDescription> target;
  /// libdevice.10.bc; empty: the one that the build found.
  std::string libdevicePath;
  /// f32 functions by the GPU's approximations (docs/approximate-math.md). Changes results.
  bool approximateMath = false;
  /// On the host device: accesses and waits are checked (CompileOptions).
  bool checkAccesses = false;
  /// Compile beyond kernel IR (CompileOptions). False: prepare returns no executable.
  bool emitCode = true;
  /// Folder of machine code that outlives the process; empty: none.
  std::string cacheDirectory;
  /// Routines for what only a library computes, by name.
  std::map<std::string, runtime::LibraryRoutine> libraries;
  /// Called after each phase with the module as it is then.
  std::function<void(Phase, mlir::ModuleOp)> afterPhase;
  /// Who may schedule; null: the schedulers of fuser.
  std::shared_ptr<const SchedulerRegistry> registry;
};

/// What one compilation cost, step by step.
struct Prepared {
  std::shared_ptr<runtime::Executable> executable;
  /// False where an executable for such arguments was there already.
  bool compiled = false;
  /// Steps of the compiler, and "load": code to a loaded kernel.
  std::vector<StepTime> times;
  /// Why kernels were taken apart (CompileResult::fallbacks).
  std::vector<std::string> fallbacks;
};

/// One fusion on one device. May be used from several threads.
///
/// Arguments choose among the executables that were made so far by their guards; where none
/// accepts them, the fusion is specialised (layouts and alignment become facts, sizes become hints)
/// and compiled. A new shape that satisfies the guards of an executable compiles nothing.
class Program {
public:
  /// Parses `text`, a module with one fusion (or with what a later phase made of it), or with a
  /// function that importProgram turns into one; its constants go to the device. Fails with
  /// InvalidProgram and the diagnostics of the parser.
  static artifact::Expected<std::unique_ptr<Program>>
  create(llvm::StringRef text, std::shared_ptr<runtime::Device> device,
         ProgramOptions options = {});
  ~Program();

  /// An argument of a call, or what is known of it.
  struct Parameter {
    /// -1: a scalar.
    int64_t rank = -1;
    /// Of scalars.
    artifact::DType dtype = artifact::DType::F32;
  };
  /// What a call passes, without constants of the program.
  artifact::ArrayView<Parameter> getParameters() const {
    return {parameters.data(), parameters.size() - constants.size()};
  }
  unsigned getNumResults() const { return aliases.size(); }
  /// The argument whose memory the program stores a result in; -1: memory of its own.
  int64_t getAliasOf(size_t result) const { return result < aliases.size() ? aliases[result] : -1; }
  /// The arguments of a call as an executable takes them: constants that the program was written
  /// with follow.
  std::vector<runtime::CallArgument>
  withConstants(artifact::ArrayView<runtime::CallArgument> arguments) const;

  /// Whether a call with these arguments would compile. False also for arguments that no
  /// specialisation accepts: another number, kind, rank or type.
  bool wouldCompile(artifact::ArrayView<runtime::CallArgument> arguments) const;

  /// The executable for these arguments, compiled if need be. Fails with CompilationFailed and the
  /// compiler's diagnostics, or as Executable::create and checkGuards do.
  artifact::Expected<Prepared> prepare(artifact::ArrayView<runtime::CallArgument> arguments);

  /// Why kernels were taken apart (CompileResult::fallbacks), in all compilations so far. A
  /// sentence lives as long as the program; null beyond the last one.
  size_t getNumFallbacks() const;
  const std::string *getFallback(size_t number) const;

  /// Runs with freshly allocated outputs; see Executable::call.
  artifact::Expected<std::vector<runtime::Tensor>>
  call(artifact::ArrayView<runtime::CallArgument> arguments, runtime::Stream stream = nullptr);

private:
  Program(std::shared_ptr<runtime::Device> device, ProgramOptions options);

  /// What the executables so far say to some arguments.
  struct Lookup {
    std::shared_ptr<runtime::Executable> executable;
    /// Without an executable: why none accepts them. Success where none was made yet.
    artifact::Status refusal;
    /// Another specialisation may accept them.
    bool mayCompile = true;
  };
  Lookup find(artifact::ArrayView<runtime::CallArgument> arguments) const;
  /// Fails where the arguments differ from the program's in number, kind or rank.
  artifact::Status checkSignature(artifact::ArrayView<runtime::CallArgument> arguments) const;
  artifact::Status readSignature();
  artifact::Status uploadConstants(const ImportedProgram &imported);
  /// `forEmpty`: for these empty dimensions, where code for any number of elements needs some.
  artifact::Expected<Prepared> compileFor(artifact::ArrayView<runtime::CallArgument> arguments,
                                          bool forEmpty = false);

  std::shared_ptr<runtime::Device> device;
  ProgramOptions options;
  std::shared_ptr<runtime::KernelCache> kernels;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Arguments of executables: those of calls, then the constants.
  std::vector<Parameter> parameters;
  std::vector<runtime::Tensor> constants;
  /// For each result: the argument whose memory it takes, or -1.
  std::vector<int64_t> aliases;
  double parseMilliseconds = 0;
  /// Guards what follows and the context, which compiles one module at a time.
  mutable std::mutex mutex;
  std::vector<std::shared_ptr<runtime::Executable>> executables;
  /// A deque: what it holds stays where it is.
  std::deque<std::string> fallbacks;
};

/// States on the only fusion of `module` how these arguments lie in memory: their layouts where the
/// program says nothing, and alignments below 16 bytes; with `forEmpty` also which dimensions are
/// empty.
void specialize(mlir::ModuleOp module, artifact::ArrayView<runtime::CallArgument> arguments,
                bool forEmpty = false);

/// Sizes of the arguments as `fuser-choose-schedules` takes them.
std::string describeSizes(artifact::ArrayView<runtime::CallArgument> arguments);

} // namespace fuser::session

#endif // FUSER_SESSION_PROGRAM_H
