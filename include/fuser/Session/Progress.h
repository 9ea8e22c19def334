//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Progress of compilations that take long.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SESSION_PROGRESS_H
#define FUSER_SESSION_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

namespace fuser::session {

/// How far the compilation of one call is.
struct Progress {
  /// The step that runs: a phase of the compiler, "ptx" or "object", "load".
  std::string step;
  /// Different kernels that the step has finished, and all of them; 0 of 0 in a step that does not
  /// count them.
  size_t done = 0, total = 0;
  /// Since the compilation began.
  double seconds = 0;
};

/// "ptx of 3 of 10 kernels, after 2.4 s", for people.
std::string describe(const Progress &progress);

/// Passes on the progress of one compilation, once it takes longer than a delay, and then at most
/// twice in a time of this length. May be called from several threads.
class ProgressReporter {
public:
  using Clock = std::chrono::steady_clock;
  using Function = std::function<void(const Progress &)>;

  /// `function`: called with the progress; may be null. `now`: for tests.
  ProgressReporter(const Function &function, std::chrono::milliseconds delay,
                   Clock::time_point (*now)() = Clock::now);

  bool isNeeded() const { return bool(function); }
  void report(const std::string &step, size_t done, size_t total);

private:
  const Function &function;
  const std::chrono::milliseconds delay;
  Clock::time_point (*const now)();
  const Clock::time_point start;
  std::mutex mutex;
  Clock::time_point next;
};

} // namespace fuser::session

#endif // FUSER_SESSION_PROGRESS_H
