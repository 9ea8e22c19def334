//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device that runs no kernels, records its calls in a journal, and uses host memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_RUNTIME_FAKEDEVICE_H
#define FUSER_UNITTESTS_RUNTIME_FAKEDEVICE_H

#include "fuser/Runtime/Device.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace fuser::runtime::test {

class FakeKernel : public LoadedKernel {
public:
  explicit FakeKernel(artifact::Kernel kernel) : kernel(std::move(kernel)) {}
  artifact::Kernel kernel;
};

class FakeDevice : public Device {
public:
  FakeDevice() { device = *artifact::lookupDevice("sm_90"); }
  ~FakeDevice() override {
    for (auto &[memory, bytes] : live)
      std::free(memory);
  }

  // State that tests set and read.
  DeviceDescription device;
  /// Called for each launch with the bytes of its parameters.
  std::function<Status(const LaunchConfig &, const std::vector<std::string> &)> onLaunch;
  size_t failAllocationsAbove = SIZE_MAX;
  /// Formats that loadKernel refuses, and whether assemble fails.
  std::function<bool(const artifact::Kernel &)> refuses;
  std::vector<std::string> journal;
  std::map<void *, size_t> live;
  unsigned launches = 0, assemblies = 0, loads = 0, preparations = 0;
  std::string assembler = "fake 1";

  const DeviceDescription &description() const override { return device; }

  Expected<void *> allocate(size_t bytes, Stream stream) override {
    std::lock_guard<std::mutex> lock(mutex);
    if (bytes > failAllocationsAbove)
      return makeError(ErrorCode::OutOfMemory, "expected ", bytes, " bytes");
    void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(memory, 0xcd, bytes);
    live[memory] = bytes;
    note("alloc " + std::to_string(bytes), stream);
    return memory;
  }
  Status free(void *memory, Stream stream) override {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = live.find(memory);
    if (found == live.end())
      return makeError(ErrorCode::DriverError, "freed twice");
    note("free " + std::to_string(found->second), stream);
    live.erase(found);
    std::free(memory);
    return {};
  }
  Status copyToDevice(void *target, const void *source, size_t bytes, Stream) override {
    std::memcpy(target, source, bytes);
    return {};
  }
  Status copyToHost(void *target, const void *source, size_t bytes, Stream) override {
    std::memcpy(target, source, bytes);
    return {};
  }
  Status copyOnDevice(void *target, const void *source, size_t bytes, Stream stream) override {
    std::lock_guard<std::mutex> lock(mutex);
    std::memcpy(target, source, bytes);
    note("copy " + std::to_string(bytes), stream);
    return {};
  }
  Status fill(void *memory, uint8_t value, size_t bytes, Stream stream) override {
    std::lock_guard<std::mutex> lock(mutex);
    std::memset(memory, value, bytes);
    note("fill " + std::to_string(bytes), stream);
    return {};
  }

  void prepareAssembler() override { ++preparations; }
  Expected<artifact::Kernel> assemble(const artifact::Kernel &kernel) override {
    std::lock_guard<std::mutex> lock(mutex);
    ++assemblies;
    artifact::Kernel binary = kernel;
    binary.format = artifact::KernelFormat::Cubin;
    binary.code = "assembled " + kernel.code;
    return binary;
  }
  std::string assemblerKey() const override { return assembler; }
  Expected<std::shared_ptr<LoadedKernel>> loadKernel(const artifact::Kernel &kernel) override {
    std::lock_guard<std::mutex> lock(mutex);
    if (refuses && refuses(kernel))
      return makeError(ErrorCode::KernelLoadFailed, "refused ", kernel.name);
    ++loads;
    return std::shared_ptr<LoadedKernel>(std::make_shared<FakeKernel>(kernel));
  }

  Expected<uint64_t> maxResidentBlocks(LoadedKernel &, const LaunchConfig &) override {
    return uint64_t(1);
  }
  Status launch(LoadedKernel &kernel, const LaunchConfig &config,
                ArrayView<KernelParameter> parameters) override {
    std::lock_guard<std::mutex> lock(mutex);
    ++launches;
    std::vector<std::string> bytes;
    for (const KernelParameter &parameter : parameters)
      bytes.emplace_back(static_cast<const char *>(parameter.value), parameter.bytes);
    note("launch " + static_cast<FakeKernel &>(kernel).kernel.entry + " " +
             std::to_string(config.grid[0]),
         config.stream);
    return onLaunch ? onLaunch(config, bytes) : Status();
  }

  Expected<Stream> createStream() override {
    std::lock_guard<std::mutex> lock(mutex);
    return reinterpret_cast<Stream>(++streams);
  }
  Status destroyStream(Stream) override { return {}; }
  Status waitEvent(Stream stream, Event) override {
    std::lock_guard<std::mutex> lock(mutex);
    note("wait", stream);
    return {};
  }
  Status synchronize(Stream) override { return {}; }
  Expected<Event> createEvent() override {
    std::lock_guard<std::mutex> lock(mutex);
    ++events;
    return Event(nullptr);
  }
  Status destroyEvent(Event) override {
    std::lock_guard<std::mutex> lock(mutex);
    --events;
    return {};
  }
  Status recordEvent(Event, Stream stream) override {
    std::lock_guard<std::mutex> lock(mutex);
    note("record", stream);
    return {};
  }
  Expected<double> elapsedMilliseconds(Event, Event) override { return 0.0; }

  int events = 0;

private:
  void note(const std::string &what, Stream stream) {
    if (journal.size() < 1000)
      journal.push_back(what + " @" + std::to_string(reinterpret_cast<uintptr_t>(stream)));
  }

  std::mutex mutex;
  uintptr_t streams = 0;
};

} // namespace fuser::runtime::test

#endif // FUSER_UNITTESTS_RUNTIME_FAKEDEVICE_H
