//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Host time of one call: a fusion of one kernel, two tensors and one scalar on a device without
// work. Prints microseconds per call and per launch.
//
//===----------------------------------------------------------------------===//

#include "../unittests/Artifact/SampleArtifact.h"

#include "fuser/Runtime/Executable.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace fuser::artifact;
using namespace fuser::runtime;

namespace {

class NullKernel final : public LoadedKernel {};

/// Returns immediately. Memory is one block that is never accessed.
class NullDevice final : public Device {
public:
  NullDevice() { device = *lookupDevice("sm_90"); }
  const DeviceDescription &description() const override { return device; }
  bool checksAccesses() const override { return false; }
  Expected<void *> allocate(size_t, Stream) override { return static_cast<void *>(memory); }
  Status free(void *, Stream) override { return {}; }
  Status copyToDevice(void *, const void *, size_t, Stream) override { return {}; }
  Status copyToHost(void *, const void *, size_t, Stream) override { return {}; }
  Status copyOnDevice(void *, const void *, size_t, Stream) override { return {}; }
  Status fill(void *, uint8_t, size_t, Stream) override { return {}; }
  Expected<std::shared_ptr<LoadedKernel>> loadKernel(const Kernel &) override {
    return std::shared_ptr<LoadedKernel>(std::make_shared<NullKernel>());
  }
  Expected<uint64_t> maxResidentBlocks(LoadedKernel &, const LaunchConfig &) override {
    return uint64_t(1);
  }
  Status launch(LoadedKernel &, const LaunchConfig &, ArrayView<KernelParameter>) override {
    return {};
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

/// The sample without its loop, with `launches` launches.
Artifact makeArtifact(unsigned launches) {
  Artifact artifact = test::makeSample();
  std::vector<Instruction> &program = artifact.program.instructions;
  Launch launch = std::get<Launch>(program[2]);
  launch.parameters.erase(launch.parameters.begin() + 2);
  launch.boxes.pop_back();
  std::vector<Instruction> instructions = {program[0]};
  for (unsigned i = 0; i < launches; ++i)
    instructions.push_back(launch);
  instructions.push_back(Return{{1}});
  program = instructions;
  return artifact;
}

/// Median over rounds of the time of one call, in microseconds; negative where a call fails.
double microsecondsPerCall(unsigned launches, bool intoMemory) {
  auto created = Executable::create(makeArtifact(launches), std::make_shared<NullDevice>());
  if (!created)
    return -1;
  alignas(256) static char memory[512];
  int64_t sizes[] = {16, 8}, strides[] = {8, 1};
  TensorView x{memory, DType::F32, 2, sizes, strides, {DeviceKind::Cuda, 0}};
  TensorView y = x;
  // The address does not matter to a null device, as long as the buffers do not overlap.
  y.data = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(memory) + (1 << 20));
  CallArgument arguments[] = {x, ScalarValue::f32(1), ScalarValue::i64(2)};
  constexpr unsigned kRounds = 51, kCalls = 2000;
  std::vector<double> times;
  for (unsigned round = 0; round < kRounds; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (unsigned call = 0; call < kCalls; ++call) {
      bool ok = intoMemory ? (*created)->callInto({arguments, 3}, {&y, 1}).ok()
                           : (*created)->call({arguments, 3}).ok();
      if (!ok)
        return -1;
    }
    auto stop = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(stop - start).count() / kCalls);
  }
  std::sort(times.begin(), times.end());
  return times[kRounds / 2];
}

} // namespace

int main() {
  for (bool intoMemory : {false, true}) {
    double one = microsecondsPerCall(1, intoMemory), nine = microsecondsPerCall(9, intoMemory);
    if (one < 0 || nine < 0) {
      std::fprintf(stderr, "expected calls to succeed\n");
      return 1;
    }
    std::printf("%-28s %.2f us for a call of one kernel, %.2f us for each further launch\n",
                intoMemory ? "into the caller's memory:" : "with allocated outputs:", one,
                (nine - one) / 8);
  }
  return 0;
}
