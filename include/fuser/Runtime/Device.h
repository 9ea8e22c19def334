//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device executes kernels and owns memory. CUDA GPUs and the host device stand behind this one
// class; nothing above it knows which it talks to.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_DEVICE_H
#define FUSER_RUNTIME_DEVICE_H

#include "fuser/Artifact/ArrayView.h"
#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Artifact/Error.h"
#include "fuser/Artifact/Kernel.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace fuser::runtime {

using artifact::ArrayView;
using artifact::DeviceDescription;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;

/// An ordered queue of work. Null is the device's default stream. On CUDA it is a CUstream, so that
/// a framework's current stream can be used as it is; a device that runs everything at once ignores
/// it.
using Stream = void *;

/// A point in a stream, made by Device::createEvent.
using Event = void *;

/// A kernel that is loaded on a device; unloaded with the last reference. Each device derives its
/// own.
class LoadedKernel {
public:
  virtual ~LoadedKernel();

protected:
  LoadedKernel() = default;
};

/// Memory that one pointer parameter of a launch may reach: its box, and the byte interval that
/// contains it. Devices that check accesses (the host device, for kernels that were compiled for
/// it) report whatever else is touched as BoxViolation.
struct MemoryRange {
  /// Index of the pointer among the kernel's parameters.
  uint32_t parameter = 0;
  bool reads = false;
  bool writes = false;
  const char *begin = nullptr;
  uint64_t bytes = 0;
  /// The box itself: its first element, and sizes and strides in elements of `elementBytes` bytes.
  /// Rank 0: nothing is known but the interval.
  const char *origin = nullptr;
  const int64_t *sizes = nullptr, *strides = nullptr;
  uint32_t rank = 0, elementBytes = 1;
  /// What the program calls the buffer; may be null or empty.
  const char *name = nullptr;
};

/// Everything about a launch except its parameters.
struct LaunchConfig {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  /// Blocks per cluster; all ones: no cluster.
  uint32_t cluster[3] = {1, 1, 1};
  /// Shared memory beyond what the kernel declares statically.
  uint32_t dynamicSharedBytes = 0;
  /// All blocks are resident at the same time and may wait for each other.
  bool cooperative = false;
  Stream stream = nullptr;
  /// Empty where the caller states nothing; otherwise complete: global memory outside is not
  /// touched.
  ArrayView<MemoryRange> ranges;
};

/// One parameter by value: `value` points to `bytes` bytes (8 for pointers).
struct KernelParameter {
  const void *value = nullptr;
  uint32_t bytes = 0;
};

/// Abstract device.
///
/// Every function may be called from any thread. Work is ordered per stream; copies between host
/// and device return when the host memory may be reused. Errors that a kernel causes while it runs
/// (an illegal address, a deadlock) are reported by the launch or by a later synchronize.
class Device {
public:
  virtual ~Device();

  virtual const DeviceDescription &description() const = 0;
  /// Which of the machine's devices of this kind it is.
  virtual int ordinal() const { return 0; }
  /// True where launch looks at LaunchConfig::ranges; others are spared the work of making them.
  virtual bool checksAccesses() const { return true; }

  /// Memory of `bytes` bytes (more than zero), aligned to at least 256, usable in stream order.
  /// Fails with OutOfMemory, naming the wanted bytes.
  virtual Expected<void *> allocate(size_t bytes, Stream stream) = 0;
  /// Gives memory of `allocate` back once the work now in `stream` is done.
  virtual Status free(void *memory, Stream stream) = 0;

  virtual Status copyToDevice(void *device, const void *host, size_t bytes, Stream stream) = 0;
  virtual Status copyToHost(void *host, const void *device, size_t bytes, Stream stream) = 0;
  virtual Status copyOnDevice(void *target, const void *source, size_t bytes, Stream stream) = 0;
  virtual Status fill(void *memory, uint8_t value, size_t bytes, Stream stream) = 0;

  /// Turns PTX into machine code that can be kept on disk; returns the kernel as it is where it has
  /// nothing to gain. Fails with KernelLoadFailed and the assembler's log.
  virtual Expected<artifact::Kernel> assemble(const artifact::Kernel &kernel);
  /// What the result of `assemble` depends on besides the kernel: architecture and assembler
  /// version.
  virtual std::string assemblerKey() const { return description().chip; }
  /// Loads a kernel in one of the formats the device understands; else fails with Unsupported.
  /// Fails with KernelLoadFailed and the loader's log.
  virtual Expected<std::shared_ptr<LoadedKernel>> loadKernel(const artifact::Kernel &kernel) = 0;

  /// The most blocks of this kernel, in this block, cluster and shared memory size, that the device
  /// keeps resident at once; a cooperative launch must not exceed it.
  virtual Expected<uint64_t> maxResidentBlocks(LoadedKernel &kernel,
                                               const LaunchConfig &config) = 0;
  /// Enqueues a launch. No dimension of the grid is zero. Fails with InvalidLaunch or
  /// CooperativeTooLarge, naming wanted and possible numbers, or with what the kernel did wrong.
  virtual Status launch(LoadedKernel &kernel, const LaunchConfig &config,
                        ArrayView<KernelParameter> parameters) = 0;

  virtual Expected<Stream> createStream() = 0;
  virtual Status destroyStream(Stream stream) = 0;
  /// Work enqueued to `stream` from now on starts after `event`.
  virtual Status waitEvent(Stream stream, Event event) = 0;
  virtual Status synchronize(Stream stream) = 0;

  virtual Expected<Event> createEvent() = 0;
  virtual Status destroyEvent(Event event) = 0;
  virtual Status recordEvent(Event event, Stream stream) = 0;
  /// Time between two recorded events; waits for `stop`.
  virtual Expected<double> elapsedMilliseconds(Event start, Event stop) = 0;
};

/// Checks block, grid, cluster and shared memory of a launch against the limits in `description`.
/// Fails with InvalidLaunch. `name` is the kernel's, for the message.
Status checkLaunchLimits(const DeviceDescription &description, const LaunchConfig &config,
                         const char *name);

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_DEVICE_H
