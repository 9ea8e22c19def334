//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_CUDADEVICE_H
#define FUSER_LIB_RUNTIME_CUDADEVICE_H

#include "CaptureMemory.h"
#include "CudaDriver.h"

#include "fuser/Runtime/CachingAllocator.h"
#include "fuser/Runtime/CudaDevice.h"
#include "fuser/Threads/BackgroundTask.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace fuser::runtime {

/// The driver and a GPU's primary context, kept alive by the device and by everything it loaded.
class CudaContext {
public:
  static Expected<std::shared_ptr<CudaContext>> create(std::shared_ptr<cuda::Driver> driver,
                                                       int ordinal);
  ~CudaContext();

  std::shared_ptr<cuda::Driver> driver;
  cuda::DeviceHandle device = 0;
  cuda::Context context = nullptr;

private:
  CudaContext() = default;
};

/// A function of a loaded module.
class CudaKernel final : public LoadedKernel {
public:
  CudaKernel(std::shared_ptr<CudaContext> context, cuda::Module module, cuda::Function function,
             std::string name, uint32_t staticSharedBytes, std::vector<uint32_t> parameterRuns)
      : context(std::move(context)), module(module), function(function), name(std::move(name)),
        staticSharedBytes(staticSharedBytes), parameterRuns(std::move(parameterRuns)) {}
  ~CudaKernel() override;

  /// Prepares the function for a launch shape: dynamic shared memory beyond 48 KiB and clusters of
  /// more than 8 blocks need an opt-in.
  Status prepare(const LaunchConfig &config, const DeviceDescription &description);

  /// The number of co-resident blocks that the driver gave for a launch with these blocks, clusters
  /// and shared memory, if it was the last one that was asked for: the question takes as long as a
  /// part of a launch, and cooperative launches repeat it.
  std::optional<uint64_t> getResidentBlocks(const LaunchConfig &config) const;
  void setResidentBlocks(const LaunchConfig &config, uint64_t blocks);

  std::shared_ptr<CudaContext> context;
  cuda::Module module;
  cuda::Function function;
  std::string name;
  uint32_t staticSharedBytes;
  /// The number of parameters of a launch that each parameter of the function is an array of;
  /// empty: one each.
  std::vector<uint32_t> parameterRuns;

private:
  /// The key of a launch and the number of its blocks in one word; 0: not known.
  std::atomic<uint64_t> residentBlocks{0};
  std::mutex mutex;
  uint32_t grantedSharedBytes = 0;
  bool grantedLargeClusters = false;
};

class CudaDevice final : public Device {
public:
  CudaDevice(std::shared_ptr<CudaContext> context, int ordinal, DeviceDescription description,
             int driverVersion);
  ~CudaDevice() override;

  const DeviceDescription &description() const override { return deviceDescription; }
  int ordinal() const override { return deviceOrdinal; }
  bool checksAccesses() const override { return false; }

  Expected<void *> allocate(size_t bytes, Stream stream) override;
  Status free(void *memory, Stream stream) override;
  Status copyToDevice(void *device, const void *host, size_t bytes, Stream stream) override;
  Status copyToHost(void *host, const void *device, size_t bytes, Stream stream) override;
  Status copyOnDevice(void *target, const void *source, size_t bytes, Stream stream) override;
  Status fill(void *memory, uint8_t value, size_t bytes, Stream stream) override;

  void prepareAssembler() override;
  Expected<artifact::Kernel> assemble(const artifact::Kernel &kernel) override;
  std::string assemblerKey() const override;
  Expected<std::shared_ptr<LoadedKernel>> loadKernel(const artifact::Kernel &kernel) override;
  Expected<uint64_t> maxResidentBlocks(LoadedKernel &kernel, const LaunchConfig &config) override;
  Status makeTensorMap(const TensorMapSpec &spec, const char *name, TensorMap &map) override;
  Status launch(LoadedKernel &kernel, const LaunchConfig &config,
                ArrayView<KernelParameter> parameters) override;

  Expected<Stream> createStream() override;
  Status destroyStream(Stream stream) override;
  Status waitEvent(Stream stream, Event event) override;
  Status synchronize(Stream stream) override;
  Expected<Event> createEvent() override;
  Status destroyEvent(Event event) override;
  Status recordEvent(Event event, Stream stream) override;
  Expected<double> elapsedMilliseconds(Event start, Event stop) override;

private:
  Status checkCooperative(CudaKernel &kernel, const LaunchConfig &config);
  bool canOverlap() const;
  Status launchWithAttributes(CudaKernel &kernel, const LaunchConfig &config, void **values);

  /// A capture of a stream; its number is 0 where none is in progress.
  struct Capture {
    uint64_t number = 0;
    cuda::Graph graph = nullptr;
  };
  Expected<Capture> getCapture(Stream stream) const;
  /// Null where the driver cannot tell.
  GraphIsGone watch(cuda::Graph graph) const;

  std::shared_ptr<CudaContext> context;
  const cuda::Driver &driver;
  int deviceOrdinal;
  DeviceDescription deviceDescription;
  int driverVersion;
  CachingAllocator allocator;
  CaptureMemory captureMemory;
  BackgroundTask assemblerStart;
};

/// Queries the driver for the properties of the GPU. Rates that it does not report come from the
/// table of known devices.
Expected<DeviceDescription> describeCudaDevice(const cuda::Driver &driver,
                                               cuda::DeviceHandle device);

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_CUDADEVICE_H
