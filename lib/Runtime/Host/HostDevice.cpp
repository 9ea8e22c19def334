//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/Host/HostDevice.h"

#include "Allocations.h"
#include "EarlierLaunches.h"
#include "Executor.h"
#include "LaunchChecks.h"
#include "ObjectLoader.h"
#include "TensorCopies.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

namespace fuser::runtime {

using host::Executor;
using host::LaunchPlan;
using host::LoadedObject;

namespace {

/// Limits for kernels that were scheduled for a GPU: those of the largest known one.
constexpr int64_t kSharedBytesPerBlock = 232448;
constexpr int64_t kMaxClusterBlocks = 8;
constexpr size_t kAllocationAlignment = 256;

class HostKernel final : public LoadedKernel {
public:
  explicit HostKernel(std::unique_ptr<LoadedObject> object) : object(std::move(object)) {}
  const fuser_host_kernel_info &info() const { return object->info(); }

private:
  std::unique_ptr<LoadedObject> object;
};

/// Work is synchronous, so that a stream is only a name, and an event a time.
struct HostStream {};
struct HostEvent {
  std::chrono::steady_clock::time_point time;
  bool recorded = false;
};

class HostDevice final : public Device {
public:
  explicit HostDevice(const HostDeviceOptions &options) : options(options), executor(options) {
    describe();
  }

  const DeviceDescription &description() const override { return machine; }

  Expected<void *> allocate(size_t bytes, Stream) override;
  Status free(void *memory, Stream) override;
  Status copyToDevice(void *device, const void *from, size_t bytes, Stream) override;
  Status copyToHost(void *to, const void *device, size_t bytes, Stream) override;
  Status copyOnDevice(void *target, const void *source, size_t bytes, Stream) override;
  Status fill(void *memory, uint8_t value, size_t bytes, Stream) override;

  Expected<std::shared_ptr<LoadedKernel>> loadKernel(const artifact::Kernel &kernel) override;
  Expected<uint64_t> maxResidentBlocks(LoadedKernel &kernel, const LaunchConfig &config) override;
  Status makeTensorMap(const TensorMapSpec &spec, const char *name, TensorMap &map) override {
    return host::makeHostTensorMap(spec, name, map);
  }
  Status launch(LoadedKernel &kernel, const LaunchConfig &config,
                ArrayView<KernelParameter> parameters) override;

  Expected<Stream> createStream() override { return static_cast<Stream>(new HostStream); }
  Status destroyStream(Stream stream) override {
    earlierLaunches.finish(stream);
    delete static_cast<HostStream *>(stream);
    return {};
  }
  Status waitEvent(Stream, Event) override { return {}; }
  Status synchronize(Stream stream) override {
    earlierLaunches.finish(stream);
    return {};
  }

  Expected<Event> createEvent() override { return static_cast<Event>(new HostEvent); }
  Status destroyEvent(Event event) override {
    delete static_cast<HostEvent *>(event);
    return {};
  }
  Status recordEvent(Event event, Stream) override {
    *static_cast<HostEvent *>(event) = {std::chrono::steady_clock::now(), true};
    return {};
  }
  Expected<double> elapsedMilliseconds(Event start, Event stop) override;

private:
  void describe();
  void defineWritten(ArrayView<MemoryRange> ranges, ArrayView<KernelParameter> parameters);

  const HostDeviceOptions options;
  host::Allocations allocations;
  host::EarlierLaunches earlierLaunches;
  Executor executor;
  DeviceDescription machine;
};

} // namespace

void HostDevice::describe() {
  machine.name = "host " + host::hostProcessor();
  machine.kind = artifact::DeviceKind::Host;
  machine.chip = host::hostTriple();
  machine.multiprocessors = executor.workers();
  const int64_t page = sysconf(_SC_PAGESIZE), pages = sysconf(_SC_PHYS_PAGES);
  machine.memoryBytes = std::max<int64_t>(0, page) * std::max<int64_t>(0, pages);
  machine.sharedBytesPerBlockOptIn = kSharedBytesPerBlock;
  machine.sharedBytesPerMultiprocessor = kSharedBytesPerBlock;
  machine.maxThreadsPerMultiprocessor = machine.maxThreadsPerBlock;
  machine.maxBlocksPerMultiprocessor = 1;
  machine.maxClusterBlocks = kMaxClusterBlocks;
  machine.maxCooperativeThreads = options.maxLiveThreads;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Expected<void *> HostDevice::allocate(size_t bytes, Stream) {
  // The system overcommits memory, and kills a process that accesses more than there is.
  const bool fits = bytes <= static_cast<uint64_t>(machine.memoryBytes);
  const size_t rounded =
      (bytes + kAllocationAlignment - 1) / kAllocationAlignment * kAllocationAlignment;
  void *memory = fits ? std::aligned_alloc(kAllocationAlignment, rounded) : nullptr;
  if (!memory)
    return makeError(ErrorCode::OutOfMemory, "expected ", bytes, " bytes of memory on ",
                     machine.name, ", which has ", machine.memoryBytes);
  // Without the poison, writes that are not reported cannot be detected, so that all memory counts
  // as written.
  if (options.poisonMemory)
    std::memset(memory, host::kPoison, rounded);
  allocations.add(static_cast<char *>(memory), bytes);
  if (!options.poisonMemory)
    allocations.define(memory, bytes);
  return memory;
}

Status HostDevice::free(void *memory, Stream) {
  allocations.remove(static_cast<char *>(memory));
  std::free(memory);
  return {};
}

Status HostDevice::copyToDevice(void *device, const void *from, size_t bytes, Stream stream) {
  return copyOnDevice(device, from, bytes, stream);
}

Status HostDevice::copyToHost(void *to, const void *device, size_t bytes, Stream stream) {
  return copyOnDevice(to, device, bytes, stream);
}

Status HostDevice::copyOnDevice(void *target, const void *source, size_t bytes, Stream stream) {
  earlierLaunches.finish(stream);
  if (bytes != 0)
    std::memmove(target, source, bytes);
  allocations.define(target, bytes);
  return {};
}

Status HostDevice::fill(void *memory, uint8_t value, size_t bytes, Stream stream) {
  earlierLaunches.finish(stream);
  if (bytes != 0)
    std::memset(memory, value, bytes);
  allocations.define(memory, bytes);
  return {};
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Expected<std::shared_ptr<LoadedKernel>> HostDevice::loadKernel(const artifact::Kernel &kernel) {
  Expected<std::unique_ptr<LoadedObject>> object = LoadedObject::load(kernel);
  if (!object)
    return object.takeError();
  return std::shared_ptr<LoadedKernel>(std::make_shared<HostKernel>(object.take()));
}

Expected<uint64_t> HostDevice::maxResidentBlocks(LoadedKernel &kernel, const LaunchConfig &config) {
  const char *name = static_cast<HostKernel &>(kernel).info().name;
  if (Status status = checkLaunchLimits(machine, config, name); !status)
    return status.takeError();
  const uint64_t threads = uint64_t(config.block[0]) * config.block[1] * config.block[2];
  return options.maxLiveThreads / threads;
}

/// Checks `parameters` against the kernel's signature.
static Status checkParameters(const fuser_host_kernel_info &kernel,
                              ArrayView<KernelParameter> parameters) {
  if (parameters.size() != kernel.num_params)
    return makeError(ErrorCode::ArgumentCount, "kernel '", kernel.name, "': expected ",
                     kernel.num_params, " parameters, but got ", parameters.size());
  for (uint32_t i = 0; i < kernel.num_params; ++i)
    if (parameters[i].bytes != kernel.param_bytes[i])
      return makeError(ErrorCode::ArgumentKind, "kernel '", kernel.name, "': expected parameter ",
                       i, " to have ", kernel.param_bytes[i], " bytes, but got ",
                       parameters[i].bytes);
  return {};
}

/// Checks the launch constraints that only the kernel knows.
static Status checkShape(const fuser_host_kernel_info &kernel, const LaunchConfig &config) {
  for (unsigned i = 0; i < 3; ++i)
    if (kernel.block_size[i] != 0 && kernel.block_size[i] != config.block[i])
      return makeError(ErrorCode::InvalidLaunch, "kernel '", kernel.name, "': expected block.",
                       "xyz"[i], " = ", kernel.block_size[i],
                       ", which it was compiled for, but got ", config.block[i]);
  const uint64_t shared = uint64_t(kernel.static_shared_bytes) + config.dynamicSharedBytes;
  if (shared > uint64_t(kSharedBytesPerBlock))
    return makeError(ErrorCode::InvalidLaunch, "kernel '", kernel.name, "': expected at most ",
                     kSharedBytesPerBlock, " bytes of shared memory, but got ",
                     kernel.static_shared_bytes, " static and ", config.dynamicSharedBytes,
                     " dynamic");
  if ((kernel.flags & FUSER_HOST_USES_GRID_SYNC) != 0 && !config.cooperative)
    return makeError(ErrorCode::InvalidLaunch, "kernel '", kernel.name,
                     "': expected a cooperative launch, because it waits for the whole grid");
  if (config.dependent && (kernel.flags & FUSER_HOST_IS_DEPENDENT) == 0)
    return makeError(ErrorCode::InvalidLaunch, "kernel '", kernel.name,
                     "': expected a launch that is not dependent, because the kernel does not wait "
                     "for the launches before it");
  if (config.dependent && config.cooperative)
    return makeError(ErrorCode::InvalidLaunch, "kernel '", kernel.name,
                     "': expected a launch that is cooperative or dependent, but got both");
  return {};
}

/// Marks all memory that a kernel may write as written, for kernels that do not report their
/// writes.
void HostDevice::defineWritten(ArrayView<MemoryRange> ranges,
                               ArrayView<KernelParameter> parameters) {
  for (const MemoryRange &range : ranges)
    if (range.writes)
      allocations.define(range.begin, range.bytes);
  if (ranges.size() != 0)
    return;
  for (const KernelParameter &parameter : parameters) {
    if (parameter.bytes != sizeof(void *))
      continue;
    // It may be an integer as well; then it is not an address of an allocation.
    const void *address = nullptr;
    std::memcpy(&address, parameter.value, sizeof(address));
    if (std::shared_ptr<host::Allocation> found = allocations.find(address))
      found->define(found->begin(), found->bytes());
  }
}

Status HostDevice::launch(LoadedKernel &loaded, const LaunchConfig &config,
                          ArrayView<KernelParameter> parameters) {
  const fuser_host_kernel_info &kernel = static_cast<HostKernel &>(loaded).info();
  if (Status status = checkLaunchLimits(machine, config, kernel.name); !status)
    return status;
  if (Status status = checkShape(kernel, config); !status)
    return status;
  if (Status status = checkParameters(kernel, parameters); !status)
    return status;

  std::vector<void *> params;
  params.reserve(parameters.size());
  for (const KernelParameter &parameter : parameters)
    params.push_back(const_cast<void *>(parameter.value));
  LaunchPlan plan;
  plan.kernel = &kernel;
  plan.params = params.data();
  std::copy(std::begin(config.grid), std::end(config.grid), plan.grid);
  std::copy(std::begin(config.block), std::end(config.block), plan.block);
  std::copy(std::begin(config.cluster), std::end(config.cluster), plan.cluster);
  plan.dynamicSharedBytes = config.dynamicSharedBytes;
  plan.poisonShared = options.poisonMemory;
  std::optional<host::LaunchChecks> checks;
  host::EarlierAccesses earlier = earlierLaunches.add(config, kernel.name);
  if ((kernel.flags & FUSER_HOST_CHECKED) != 0) {
    plan.checks = &checks.emplace(config.ranges, allocations, params, std::move(earlier));
    plan.checks->races.setClusters(plan.grid, plan.cluster);
  } else {
    defineWritten(config.ranges, parameters);
  }

  // Only a wait for the whole grid needs all blocks alive at once.
  const bool together = (kernel.flags & FUSER_HOST_USES_GRID_SYNC) != 0;
  const uint64_t resident = options.maxLiveThreads / plan.threadsPerBlock();
  if (together && plan.blocks() > resident)
    return makeError(ErrorCode::CooperativeTooLarge, "kernel '", kernel.name,
                     "': expected at most ", resident, " blocks of ", plan.threadsPerBlock(),
                     " threads to be resident at once, but got ", plan.blocks());
  if (plan.blocksPerCluster() > resident)
    return makeError(ErrorCode::CooperativeTooLarge, "kernel '", kernel.name,
                     "': expected at most ", resident, " blocks of ", plan.threadsPerBlock(),
                     " threads to be resident at once, but got a cluster of ",
                     plan.blocksPerCluster());
  return executor.run(plan, together);
}

Expected<double> HostDevice::elapsedMilliseconds(Event start, Event stop) {
  const auto &from = *static_cast<HostEvent *>(start), &to = *static_cast<HostEvent *>(stop);
  if (!from.recorded || !to.recorded)
    return makeError(ErrorCode::DriverError,
                     "expected two recorded events, but got one that is not");
  return std::chrono::duration<double, std::milli>(to.time - from.time).count();
}

uint64_t getHostMemoryBytes() {
  return uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
}

Expected<std::unique_ptr<Device>> createHostDevice(const HostDeviceOptions &options) {
  return std::unique_ptr<Device>(std::make_unique<HostDevice>(options));
}

} // namespace fuser::runtime
