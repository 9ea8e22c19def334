//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Threads/BackgroundTask.h"

using namespace fuser;

static void *runTask(void *task) {
  (*static_cast<std::function<void()> *>(task))();
  return nullptr;
}

void BackgroundTask::start(std::function<void()> task) {
  std::lock_guard<std::mutex> lock(mutex);
  if (started)
    return;
  started = std::move(task);
  hasThread = pthread_create(&thread, /*attributes=*/nullptr, runTask, &started) == 0;
}

BackgroundTask::~BackgroundTask() {
  if (hasThread)
    (void)pthread_join(thread, nullptr);
}
