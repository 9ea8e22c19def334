//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Session/Progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace fuser::session;

std::string fuser::session::describe(const Progress &progress) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << progress.step;
  if (progress.total > 0)
    stream << ": " << progress.done << " of " << progress.total << " kernels";
  stream << llvm::format(", after %.1f s", progress.seconds);
  return text;
}

ProgressReporter::ProgressReporter(const Function &function, std::chrono::milliseconds delay,
                                   Clock::time_point (*now)())
    : function(function), delay(delay), now(now), start(now()), next(start + delay) {}

void ProgressReporter::report(const std::string &step, size_t done, size_t total) {
  std::lock_guard<std::mutex> lock(mutex);
  const Clock::time_point time = now();
  if (!function || time < next)
    return;
  next = time + delay / 2;
  function({step, done, total, std::chrono::duration<double>(time - start).count()});
}
