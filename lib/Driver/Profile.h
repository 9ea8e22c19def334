//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The time of each kernel of a program, as a file.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_PROFILE_H
#define FUSER_LIB_DRIVER_PROFILE_H

#include "fuser/Runtime/Executable.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace fuser::driver {

/// Another device that records the launches of one call with an event before and after each.
class LaunchRecorder : public runtime::Device {
public:
  explicit LaunchRecorder(std::shared_ptr<runtime::Device> device) : device(std::move(device)) {}
  ~LaunchRecorder() override;

  /// Records launches from now on.
  void start() { isRecording = true; }
  /// Ends the recording. Returns milliseconds by the name of the kernel; several launches of one
  /// kernel are added up.
  artifact::Expected<std::map<std::string, double>> stop();
  unsigned getNumLaunches() const { return used; }

  const artifact::DeviceDescription &description() const override { return device->description(); }
  int ordinal() const override { return device->ordinal(); }
  bool checksAccesses() const override { return device->checksAccesses(); }
  artifact::Expected<void *> allocate(size_t bytes, runtime::Stream stream) override {
    return device->allocate(bytes, stream);
  }
  artifact::Status free(void *memory, runtime::Stream stream) override {
    return device->free(memory, stream);
  }
  artifact::Status copyToDevice(void *target, const void *host, size_t bytes,
                                runtime::Stream stream) override {
    return device->copyToDevice(target, host, bytes, stream);
  }
  artifact::Status copyToHost(void *host, const void *source, size_t bytes,
                              runtime::Stream stream) override {
    return device->copyToHost(host, source, bytes, stream);
  }
  artifact::Status copyOnDevice(void *target, const void *source, size_t bytes,
                                runtime::Stream stream) override {
    return device->copyOnDevice(target, source, bytes, stream);
  }
  artifact::Status fill(void *memory, uint8_t value, size_t bytes,
                        runtime::Stream stream) override {
    return device->fill(memory, value, bytes, stream);
  }
  artifact::Expected<artifact::Kernel> assemble(const artifact::Kernel &kernel) override {
    return device->assemble(kernel);
  }
  std::string assemblerKey() const override { return device->assemblerKey(); }
  artifact::Expected<std::shared_ptr<runtime::LoadedKernel>>
  loadKernel(const artifact::Kernel &kernel) override {
    return device->loadKernel(kernel);
  }
  artifact::Expected<uint64_t> maxResidentBlocks(runtime::LoadedKernel &kernel,
                                                 const runtime::LaunchConfig &config) override {
    return device->maxResidentBlocks(kernel, config);
  }
  artifact::Status launch(runtime::LoadedKernel &kernel, const runtime::LaunchConfig &config,
                          runtime::ArrayView<runtime::KernelParameter> parameters) override;
  artifact::Expected<runtime::Stream> createStream() override { return device->createStream(); }
  artifact::Status destroyStream(runtime::Stream stream) override {
    return device->destroyStream(stream);
  }
  artifact::Status waitEvent(runtime::Stream stream, runtime::Event event) override {
    return device->waitEvent(stream, event);
  }
  artifact::Status synchronize(runtime::Stream stream) override {
    return device->synchronize(stream);
  }
  artifact::Expected<runtime::Event> createEvent() override { return device->createEvent(); }
  artifact::Status destroyEvent(runtime::Event event) override {
    return device->destroyEvent(event);
  }
  artifact::Status recordEvent(runtime::Event event, runtime::Stream stream) override {
    return device->recordEvent(event, stream);
  }
  artifact::Expected<double> elapsedMilliseconds(runtime::Event begin,
                                                 runtime::Event end) override {
    return device->elapsedMilliseconds(begin, end);
  }

private:
  struct Record {
    std::string kernel;
    runtime::Event begin = nullptr, end = nullptr;
  };

  std::shared_ptr<runtime::Device> device;
  bool isRecording = false;
  /// Events are reused; the first `used` records are of the present call.
  std::vector<Record> records;
  size_t used = 0;
};

/// Calls an executable on `recorder` several times (on the host device once) and writes the median
/// time of each kernel to the JSON file `path` (docs/explain.md). On a GPU, caches are flushed
/// before each call, which also hides the host time of the launches.
artifact::Status writeProfile(const std::string &path, llvm::StringRef program,
                              runtime::Executable &executable, LaunchRecorder &recorder,
                              const std::shared_ptr<runtime::Device> &device,
                              const std::vector<runtime::CallArgument> &arguments, unsigned repeat);

/// What such a file contains.
struct Profile {
  std::string program, device, sizes;
  /// Microseconds by the name of the kernel.
  std::map<std::string, double> kernels;
};

/// Fails with IoError or ParseError, naming the key.
artifact::Expected<Profile> readProfile(const std::string &path);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_PROFILE_H
