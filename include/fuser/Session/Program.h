//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Connects the compiler and the runtime: a program as text, compiled on demand for the arguments of
// each call.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SESSION_PROGRAM_H
#define FUSER_SESSION_PROGRAM_H

#include "fuser/Compiler/Tuning.h"
#include "fuser/Runtime/Executable.h"
#include "fuser/Runtime/KernelCache.h"
#include "fuser/Session/Progress.h"
#include "fuser/Session/Specializations.h"
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fuser::session {

struct ProgramOptions {
  /// Device that kernels are scheduled for; nullopt: the GPU that runs them, else sm_90.
  std::optional<artifact::DeviceDescription> target;
  /// Path of libdevice.10.bc; empty: getLibdevicePath().
  std::string libdevicePath;
  /// Approximate f32 functions by the GPU's instructions (docs/approximate-math.md). Changes
  /// results.
  bool approximateMath = false;
  /// Schedules of kernels as text (CompileOptions).
  std::string schedules;
  /// Where segments end (PipelineOptions::markBoundaries).
  std::string markBoundaries;
  /// Distribute launches over streams wherever possible (PipelineOptions): for tests.
  bool forceStreams = false;
  /// Launches that may begin before the launches before them have ended (PipelineOptions).
  DependentLaunches dependentLaunches = PipelineOptions().dependentLaunches;
  /// On the host device: check accesses and waits (CompileOptions).
  bool checkAccesses = false;
  /// Verify the module after every pass (PipelineOptions).
  bool verifyEach = false;
  /// Compile beyond kernel IR (CompileOptions). False: prepare returns no executable.
  bool emitCode = true;
  /// Calls compile where no executable fits. False: they fail with NotCompiled; only prepare
  /// compiles.
  bool compileOnCall = true;
  /// Compile nothing: calls and prepare run the artifacts of the cache and those that were added,
  /// and fail with NotCompiled where none fits.
  bool neverCompile = false;
  /// Threads that compile and assemble different kernels at the same time; 0: one per processor.
  /// The artifacts are the same.
  unsigned threads = 0;
  /// Called from time to time during a compilation that takes longer than `progressDelay`, by any
  /// thread, one call at a time. Must not use the program.
  std::function<void(const Progress &)> onProgress;
  std::chrono::milliseconds progressDelay = std::chrono::seconds(2);
  /// Folder that caches artifacts and machine code across processes; empty: none.
  std::string cacheDirectory;
  /// Names in the cache what `afterPhase` and `registry` change. A program with one of these and no
  /// name caches no artifacts.
  std::string cacheKey;
  /// Routines for ops that only a library computes, by name.
  std::map<std::string, runtime::LibraryRoutine> libraries;
  /// Called with the module after each phase.
  std::function<void(Phase, mlir::ModuleOp)> afterPhase;
  /// Called with a copy of the module after each stage of lowering.
  std::function<void(PipelineStep, mlir::ModuleOp)> afterStage;
  /// Registered schedulers; null: the schedulers of fuser.
  std::shared_ptr<const SchedulerRegistry> registry;
};

struct Signature;
class Source;
class ArtifactCache;

/// The result and the times of one compilation.
struct Prepared {
  std::shared_ptr<runtime::Executable> executable;
  /// False if a matching executable or artifact already existed.
  bool compiled = false;
  /// Steps of the compiler, and "load": loading the code.
  std::vector<StepTime> times;
  /// The reasons why kernels were split, and kernels of single ops (CompileResult).
  std::vector<std::string> fallbacks, singleOps;
  /// Kernels with parameters of ProgramOptions::schedules (CompileResult).
  std::vector<std::string> tuned;
};

/// One fusion on one device. Thread-safe.
///
/// Arguments select one of the existing executables by their guards. If none accepts them, the
/// fusion is specialized (layouts, alignment and divisors of strides become facts, sizes become
/// hints) and compiled. A new shape that satisfies the guards of an executable is not compiled
/// again, and neither is one whose artifact is in the cache; a program that finds its artifacts
/// there is not even parsed.
class Program {
public:
  /// Parses `text`, a module with one fusion (or the result of a later phase), or with a function
  /// that importProgram turns into one; its constants are copied to the device. Fails with
  /// InvalidProgram and the diagnostics of the parser.
  static artifact::Expected<std::unique_ptr<Program>>
  create(llvm::StringRef text, std::shared_ptr<runtime::Device> device,
         ProgramOptions options = {});
  /// A program without a text, which runs `artifact` and what is added later, and compiles nothing.
  /// Fails as Executable::create does.
  static artifact::Expected<std::unique_ptr<Program>> load(artifact::Artifact artifact,
                                                           std::shared_ptr<runtime::Device> device,
                                                           ProgramOptions options = {});
  ~Program();

  /// Lets calls run `artifact`, another specialization of this program. Fails with InvalidProgram
  /// if its arguments or results differ from the program's, and as Executable::create does.
  artifact::Status addArtifact(artifact::Artifact artifact);

  /// The known properties of an argument.
  struct Parameter {
    /// In the text; empty: none.
    std::string name = {};
    /// -1: a scalar.
    int64_t rank = -1;
    /// Of a scalar, as a call passes it, or of elements; nullopt: no type of a call.
    std::optional<artifact::DType> dtype = artifact::DType::F32;
    /// Of a tensor; -1: any.
    std::vector<int64_t> sizes = {};
  };
  /// The arguments of a call, without constants of the program.
  artifact::ArrayView<Parameter> getParameters() const {
    return {parameters.data(), parameters.size() - constants.size()};
  }
  /// The device that kernels are scheduled for. Not of a program without a text.
  const artifact::DeviceDescription &getTarget() const { return *options.target; }
  unsigned getNumResults() const { return aliases.size(); }
  /// The argument whose memory stores a result; -1: memory of its own.
  int64_t getAliasOf(size_t result) const { return result < aliases.size() ? aliases[result] : -1; }
  /// The arguments of a call as an executable takes them, followed by the program's constants.
  std::vector<runtime::CallArgument>
  withConstants(artifact::ArrayView<runtime::CallArgument> arguments) const;

  /// Whether a call with these arguments would compile. Also false for arguments that no
  /// specialization accepts: a wrong number, kind, rank or type. Where it would, `reason` is set to
  /// the guard that failed, of the most general executable, or to the lack of one.
  bool wouldCompile(artifact::ArrayView<runtime::CallArgument> arguments,
                    std::string *reason = nullptr);

  /// The executable for these arguments, compiled if needed. Fails with CompilationFailed and the
  /// compiler's diagnostics, or as Executable::create and checkGuards do.
  /// Once `*interrupt` is not 0 (another thread or a signal handler may set it; null: never) a
  /// compilation ends soon and fails with Interrupted; it changes nothing.
  artifact::Expected<Prepared> prepare(artifact::ArrayView<runtime::CallArgument> arguments,
                                       const int *interrupt = nullptr);

  /// The schedules that the kernels of a call with these arguments could have, at most `most` for
  /// each. Fails as `prepare` does.
  artifact::Expected<std::vector<TuningKernel>>
  enumerateSchedules(artifact::ArrayView<runtime::CallArgument> arguments, size_t most,
                     const int *interrupt = nullptr);

  /// The artifact that a call with these arguments runs, with the program's constants. Prepares as
  /// `prepare` does, and fails as it does.
  artifact::Expected<artifact::Artifact>
  getArtifact(artifact::ArrayView<runtime::CallArgument> arguments, const int *interrupt = nullptr);

  /// The reasons why kernels were split (CompileResult::fallbacks), in all compilations so far. A
  /// sentence lives as long as the program; null after the last one.
  size_t getNumFallbacks() const;
  const std::string *getFallback(size_t number) const;

  /// Runs with freshly allocated outputs; see Executable::call.
  artifact::Expected<std::vector<runtime::Tensor>>
  call(artifact::ArrayView<runtime::CallArgument> arguments, runtime::Stream stream = nullptr);
  artifact::Status call(artifact::ArrayView<runtime::CallArgument> arguments,
                        runtime::ResultReceiver &receiver, runtime::Stream stream = nullptr);
  /// Runs into memory of the caller, one view per result; see Executable::callInto.
  artifact::Status callInto(artifact::ArrayView<runtime::CallArgument> arguments,
                            artifact::ArrayView<runtime::TensorView> outputs,
                            runtime::Stream stream = nullptr);

private:
  Program(std::shared_ptr<runtime::Device> device, ProgramOptions options);

  /// The result of looking up an executable for some arguments.
  struct Lookup {
    std::shared_ptr<runtime::Executable> executable;
    /// Without an executable: why none accepts the arguments. Success if there is none yet.
    artifact::Status refusal;
    /// Another specialisation may accept them.
    bool mayCompile = true;
  };
  Lookup find(artifact::ArrayView<runtime::CallArgument> arguments) const;
  /// Fails where the arguments differ from the program's in number, kind or rank.
  artifact::Status checkSignature(artifact::ArrayView<runtime::CallArgument> arguments) const;
  /// Sets the known properties of arguments and results, and copies the constants to the device.
  artifact::Status setSignature(Signature &&signature);
  /// The executable of a cached artifact that accepts the arguments; null if there is none.
  std::shared_ptr<runtime::Executable>
  loadCached(artifact::ArrayView<runtime::CallArgument> arguments, const int *interrupt);
  void storeInCache(artifact::ArrayView<runtime::CallArgument> arguments,
                    const artifact::Artifact &artifact);
  artifact::Expected<std::shared_ptr<runtime::Executable>>
  makeExecutable(artifact::Artifact artifact, runtime::ExecutableOptions execution);
  artifact::Expected<std::vector<artifact::Constant>> readConstants() const;
  /// `forEmpty`: specialize for these empty dimensions and allow for empty values, because general
  /// code needs elements.
  /// `ranges`: sizes that the code is to serve.
  artifact::Expected<Prepared> compileFor(artifact::ArrayView<runtime::CallArgument> arguments,
                                          const int *interrupt, bool forEmpty,
                                          artifact::ArrayView<SizeRange> ranges);
  CompileOptions makeCompileOptions(artifact::ArrayView<runtime::CallArgument> arguments) const;
  /// Calls `tryCall` with executables, the least general ones first, until it returns true.
  template <typename TryCall> bool tryExecutables(TryCall tryCall);
  artifact::Expected<Prepared> findOrCompile(artifact::ArrayView<runtime::CallArgument> arguments,
                                             bool mayCompile, const int *interrupt);
  /// The executable for a call.
  artifact::Expected<Prepared> prepareCall(artifact::ArrayView<runtime::CallArgument> arguments);

  std::shared_ptr<runtime::Device> device;
  ProgramOptions options;
  std::shared_ptr<runtime::KernelCache> kernels;
  /// Null for a program without a text.
  std::unique_ptr<Source> source;
  /// Null without a folder, and where the key is not known.
  std::unique_ptr<ArtifactCache> cache;
  /// Arguments of executables: those of calls, then the constants.
  std::vector<Parameter> parameters;
  std::vector<runtime::Tensor> constants;
  /// For each result: the argument whose memory it uses, or -1.
  std::vector<int64_t> aliases;
  /// Guards the members below, the cache and the source, which compiles one module at a time.
  mutable std::mutex mutex;
  /// Read without the mutex; so is the one that the last call ran, null before the first one.
  Specializations executables;
  std::atomic<const Specialization *> lastUsed{nullptr};
  /// A deque has stable addresses.
  std::deque<std::string> fallbacks;
};

/// Adds facts about these arguments to the only fusion of `module`: their layouts where the program
/// states none, alignments below 16 bytes, and `ranges` of sizes; with `forEmpty` also which
/// dimensions are empty, and that computed values may be.
void specialize(mlir::ModuleOp module, artifact::ArrayView<runtime::CallArgument> arguments,
                bool forEmpty = false, artifact::ArrayView<SizeRange> ranges = {});

/// Sizes of the arguments as `fuser-choose-schedules` takes them. With `module`, also the values of
/// integers that are sizes in its only fusion.
std::string describeSizes(artifact::ArrayView<runtime::CallArgument> arguments);
std::string describeSizes(artifact::ArrayView<runtime::CallArgument> arguments,
                          mlir::ModuleOp module);

} // namespace fuser::session

#endif // FUSER_SESSION_PROGRAM_H
