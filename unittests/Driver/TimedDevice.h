//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device that makes the times of its events up.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_TIMEDDEVICE_H
#define FUSER_UNITTESTS_DRIVER_TIMEDDEVICE_H

#include "../Runtime/FakeDevice.h"
#include "gtest/gtest.h"

#include <set>
#include <sys/mman.h>

namespace fuser::driver::test {

/// Memory of any size that is never touched, and the times of a list. One of its calls may fail.
class TimedDevice : public runtime::test::FakeDevice {
public:
  ~TimedDevice() override { EXPECT_TRUE(large.empty()); }

  std::vector<double> milliseconds;
  /// What happened: "copy 1073741824", "launch", "start", "stop".
  std::vector<std::string> calls;
  size_t failing = SIZE_MAX, numCalls = 0;

  artifact::Expected<void *> allocate(size_t bytes, runtime::Stream) override {
    if (artifact::Status status = next(); !status)
      return status.error();
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    large[memory] = bytes;
    return memory;
  }
  artifact::Status free(void *memory, runtime::Stream) override {
    munmap(memory, large[memory]);
    large.erase(memory);
    return {};
  }
  artifact::Status fill(void *, uint8_t value, size_t bytes, runtime::Stream) override {
    return next("fill " + std::to_string(bytes) + " by " + std::to_string(value));
  }
  artifact::Status copyOnDevice(void *, const void *, size_t bytes, runtime::Stream) override {
    return next("copy " + std::to_string(bytes));
  }
  artifact::Status launch(runtime::LoadedKernel &, const runtime::LaunchConfig &,
                          artifact::ArrayView<runtime::KernelParameter>) override {
    return next("launch");
  }
  artifact::Expected<runtime::Event> createEvent() override {
    if (artifact::Status status = next(); !status)
      return status.error();
    auto event = reinterpret_cast<runtime::Event>(++events);
    live.insert(event);
    return event;
  }
  artifact::Status destroyEvent(runtime::Event event) override {
    EXPECT_EQ(live.erase(event), 1u);
    return {};
  }
  artifact::Status recordEvent(runtime::Event event, runtime::Stream) override {
    return next(event == *live.begin() ? "start" : "stop");
  }
  artifact::Expected<double> elapsedMilliseconds(runtime::Event begin,
                                                 runtime::Event end) override {
    EXPECT_LT(begin, end);
    if (artifact::Status status = next(); !status)
      return status.error();
    if (milliseconds.empty())
      return 0.0;
    const double first = milliseconds.front();
    milliseconds.erase(milliseconds.begin());
    return first;
  }

  std::set<runtime::Event> live;

private:
  artifact::Status next(const std::string &call = "") {
    if (!call.empty())
      calls.push_back(call);
    if (numCalls++ != failing)
      return {};
    return artifact::makeError(artifact::ErrorCode::DriverError, "expected no call ", failing);
  }

  std::map<void *, size_t> large;
  uintptr_t events = 0;
};

} // namespace fuser::driver::test

#endif // FUSER_UNITTESTS_DRIVER_TIMEDDEVICE_H
