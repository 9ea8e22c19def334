//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device that leaves all work to another one: a base of those that change a part of it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_FORWARDINGDEVICE_H
#define FUSER_LIB_DRIVER_FORWARDINGDEVICE_H

#include "fuser/Runtime/Device.h"

#include <memory>
#include <string>
#include <utility>

namespace fuser::driver {

class ForwardingDevice : public runtime::Device {
public:
  explicit ForwardingDevice(std::shared_ptr<runtime::Device> device) : device(std::move(device)) {}

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
  void prepareAssembler() override { device->prepareAssembler(); }
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
  artifact::Status makeTensorMap(const runtime::TensorMapSpec &spec, const char *name,
                                 runtime::TensorMap &map) override {
    return device->makeTensorMap(spec, name, map);
  }
  artifact::Status launch(runtime::LoadedKernel &kernel, const runtime::LaunchConfig &config,
                          runtime::ArrayView<runtime::KernelParameter> parameters) override {
    return device->launch(kernel, config, parameters);
  }
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

protected:
  std::shared_ptr<runtime::Device> device;
};

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_FORWARDINGDEVICE_H
