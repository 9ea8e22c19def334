//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device without work, for what a call costs on the host.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_RUNTIME_NULLDEVICE_H
#define FUSER_UNITTESTS_RUNTIME_NULLDEVICE_H

#include "fuser/Runtime/Device.h"
#include "fuser/Runtime/ParameterArrays.h"

#include <memory>
#include <vector>

namespace fuser::runtime::test {

class NullKernel final : public LoadedKernel {
public:
  std::vector<uint32_t> parameterRuns;
};

/// Returns immediately. Memory is one block that is never accessed. Collects the parameters of a
/// launch as a GPU does.
class NullDevice final : public Device {
public:
  NullDevice() { device = *artifact::lookupDevice("sm_90"); }
  const DeviceDescription &description() const override { return device; }
  bool checksAccesses() const override { return false; }
  Expected<void *> allocate(size_t, Stream) override { return static_cast<void *>(memory); }
  Status free(void *, Stream) override { return {}; }
  Status copyToDevice(void *, const void *, size_t, Stream) override { return {}; }
  Status copyToHost(void *, const void *, size_t, Stream) override { return {}; }
  Status copyOnDevice(void *, const void *, size_t, Stream) override { return {}; }
  Status fill(void *, uint8_t, size_t, Stream) override { return {}; }
  Expected<std::shared_ptr<LoadedKernel>> loadKernel(const artifact::Kernel &kernel) override {
    auto loaded = std::make_shared<NullKernel>();
    for (const auto &[key, value] : kernel.attributes)
      if (key == artifact::kParameterRun)
        loaded->parameterRuns.push_back(static_cast<uint32_t>(value));
    return std::shared_ptr<LoadedKernel>(std::move(loaded));
  }
  Expected<uint64_t> maxResidentBlocks(LoadedKernel &, const LaunchConfig &) override {
    return uint64_t(1);
  }
  Status launch(LoadedKernel &kernel, const LaunchConfig &,
                ArrayView<KernelParameter> parameters) override {
    const std::vector<uint32_t> &runs = static_cast<NullKernel &>(kernel).parameterRuns;
    if (runs.empty())
      return {};
    auto arrays = ParameterArrays::create(runs, parameters, "k");
    return arrays ? Status() : Status(arrays.takeError());
  }
  Expected<Stream> createStream() override { return Stream(nullptr); }
  Status destroyStream(Stream) override { return {}; }
  Status waitEvent(Stream, Event) override { return {}; }
  Status synchronize(Stream) override { return {}; }
  Expected<Event> createEvent() override { return Event(nullptr); }
  Status destroyEvent(Event) override { return {}; }
  Status recordEvent(Event, Stream) override { return {}; }
  Expected<double> elapsedMilliseconds(Event, Event) override { return 0.0; }

private:
  DeviceDescription device;
  alignas(256) char memory[256];
};

} // namespace fuser::runtime::test

#endif // FUSER_UNITTESTS_RUNTIME_NULLDEVICE_H
