//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Work that the caller does not wait for.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_THREADS_BACKGROUNDTASK_H
#define FUSER_THREADS_BACKGROUNDTASK_H

#include <functional>
#include <mutex>
#include <pthread.h>

namespace fuser {

/// A task that runs at most once, in a thread of its own. It ends before its object does.
class BackgroundTask {
public:
  BackgroundTask() = default;
  BackgroundTask(const BackgroundTask &) = delete;
  BackgroundTask &operator=(const BackgroundTask &) = delete;
  /// Waits for the task, if it was started.
  ~BackgroundTask();

  /// Starts the task; later calls have no effect. Where the system gives no other thread, the task
  /// does not run: it may only be work that is also done without it, later. Thread-safe.
  void start(std::function<void()> task);

private:
  std::mutex mutex;
  std::function<void()> started;
  pthread_t thread = {};
  bool hasThread = false;
};

} // namespace fuser

#endif // FUSER_THREADS_BACKGROUNDTASK_H
