//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiles, checks and times the schedules of kernels, and decides which one is the fastest.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_TUNER_H
#define FUSER_LIB_DRIVER_TUNER_H

#include "DeviceRun.h"
#include "Profile.h"
#include "Timing.h"
#include "fuser/Driver/TuneFile.h"

#include <chrono>
#include <optional>

namespace fuser::driver {

/// What is known of one schedule of a kernel.
struct TunedOption {
  enum class State {
    /// Not compiled: there was no time for it.
    Pending,
    /// It computes what the model's choice computes.
    Checked,
    /// It computes something else.
    Wrong,
    /// It does not compile or does not run.
    Failed,
  };
  State state = State::Pending;
  /// Why it failed.
  std::string reason = {};
  /// Microseconds of the kernel in each round.
  std::vector<double> times = {};
};

struct TunedKernel {
  const TuningKernel *kernel;
  /// One for each of its options.
  std::vector<TunedOption> options;
  /// The number of the option to use.
  size_t winner = 0;
  /// An option was faster when all were measured, but not when it was measured again with the
  /// first one.
  std::optional<size_t> unconfirmed = std::nullopt;
};

/// The number of the fastest of several schedules, of which the first is the one to replace:
/// another one only if it is faster than that by more than the times of both spread, and by more
/// than the least gain. Schedules without times are not considered.
size_t chooseFastest(llvm::ArrayRef<std::vector<double>> times);

/// Tunes the kernels of one program, one after the other: each with the winners of those before.
class Tuner {
public:
  /// A program as text, its inputs, and how it is compiled for `device`.
  struct Source {
    std::string text;
    session::ProgramOptions options;
    const ProgramFile &file;
    const std::vector<Input> &inputs;
  };
  Tuner(const TuneOptions &options, Source source, std::shared_ptr<runtime::Device> device,
        llvm::raw_ostream &errors);

  /// Compiles and runs the program as the model schedules it.
  artifact::Status start();
  /// Enumerates the schedules: around those of `schedules` (text; empty: none), and around choices.
  artifact::Status enumerate(const std::string &schedules);
  /// Tunes the kernels for which `isTuned` holds. Fails where a device does; a schedule that fails
  /// is a result.
  artifact::Status run(llvm::function_ref<bool(const TuningKernel &)> isTuned);

  llvm::ArrayRef<TunedKernel> getKernels() const { return tuned; }
  /// The device that the kernels are scheduled for.
  const std::string &getTargetName() const { return targetName; }
  /// Times mean something.
  bool measuresTime() const { return flush || options.timer; }
  /// The budget or the user ended it.
  bool wasCut() const { return isCut; }

private:
  /// The program with one schedule.
  struct Variant {
    std::unique_ptr<session::Program> program;
    std::shared_ptr<runtime::Executable> executable;
  };

  /// Seconds since the begin.
  double getElapsed() const;
  /// True after an interruption, or after so many seconds; by default those of the budget.
  bool isOver(std::optional<double> until = std::nullopt);
  /// The schedules so far, with another one for one kernel.
  std::string printLibrary(size_t kernel, size_t option) const;
  artifact::Expected<Variant> compile(const std::string &schedules, llvm::StringRef kernel);
  artifact::Expected<std::vector<HostArray>> callOnce(Variant &variant);
  artifact::Status prepareArguments();
  /// Compiles, runs and checks an option; its state tells the result.
  std::optional<Variant> check(size_t kernel, size_t option);
  artifact::Status measure(size_t kernel, llvm::ArrayRef<size_t> numbers,
                           std::vector<std::optional<Variant>> &variants);
  artifact::Expected<double> time(Variant &variant, const TuningKernel &kernel, size_t option);
  artifact::Status tuneKernel(size_t kernel);
  bool matches(llvm::ArrayRef<HostArray> outputs);

  const TuneOptions &options;
  Source source;
  std::shared_ptr<LaunchRecorder> device;
  llvm::raw_ostream &errors;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  bool isCut = false;
  std::string targetName;

  std::unique_ptr<DeviceArguments> arguments;
  /// An output overwrites an argument, so that each check needs new ones.
  bool overwrites = false;
  /// The outputs of the model's choices; in double precision, once an output is not equal to one.
  std::vector<HostArray> expected;
  std::vector<std::optional<reference::Tensor>> expectedValues;
  /// For the kernels of the last enumeration.
  std::vector<TuningKernel> kernels;
  std::vector<TunedKernel> tuned;
  /// Removes data of earlier calls from the caches; null on the host device.
  std::function<artifact::Status()> flush;
};

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_TUNER_H
