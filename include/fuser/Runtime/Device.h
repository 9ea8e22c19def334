//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device executes kernels and owns memory. This class abstracts CUDA GPUs and the host device;
// its users do not depend on the kind of device.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_DEVICE_H
#define FUSER_RUNTIME_DEVICE_H

#include "fuser/Artifact/ArrayView.h"
#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Artifact/Error.h"
#include "fuser/Artifact/Kernel.h"
#include "fuser/Runtime/TensorMap.h"

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
/// a framework's current stream can be used directly; a synchronous device ignores it.
using Stream = void *;

/// A point in a stream, made by Device::createEvent.
using Event = void *;

/// A kernel that is loaded on a device; unloaded with the last reference. Each device derives a
/// subclass.
class LoadedKernel {
public:
  virtual ~LoadedKernel();

protected:
  LoadedKernel() = default;
};

/// Memory that one pointer parameter of a launch may access: its box, and the byte interval that
/// contains it. Devices that check accesses (the host device, for kernels that were compiled with
/// checks) report other accesses as BoxViolation.
struct MemoryRange {
  /// Index of the pointer among the kernel's parameters.
  uint32_t parameter = 0;
  bool reads = false;
  bool writes = false;
  const char *begin = nullptr;
  uint64_t bytes = 0;
  /// The box itself: its first element, and sizes and strides in elements of `elementBytes` bytes.
  /// Rank 0: only the interval is known.
  const char *origin = nullptr;
  const int64_t *sizes = nullptr, *strides = nullptr;
  uint32_t rank = 0, elementBytes = 1;
  /// The program's name for the buffer; may be null or empty.
  const char *name = nullptr;
};

/// Everything about a launch except its parameters.
struct LaunchConfig {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  /// Blocks per cluster; all ones: no cluster.
  uint32_t cluster[3] = {1, 1, 1};
  /// Dynamic shared memory, in addition to the kernel's static shared memory.
  uint32_t dynamicSharedBytes = 0;
  /// All blocks are co-resident and may wait for each other.
  bool cooperative = false;
  /// The launch may begin before the launches before it in the stream have ended, for which the
  /// kernel waits itself. A permission: devices may ignore it.
  bool dependent = false;
  Stream stream = nullptr;
  /// Empty if the caller states none; otherwise complete: the kernel accesses no global memory
  /// outside of the ranges.
  ArrayView<MemoryRange> ranges;
  /// The program's name for the kernel, for reports; may be null.
  const char *kernelName = nullptr;
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
  /// True if launch reads LaunchConfig::ranges; otherwise callers need not build them.
  virtual bool checksAccesses() const { return true; }

  /// Memory of `bytes` bytes (more than zero), aligned to at least 256, usable in stream order.
  /// Fails with OutOfMemory, naming the wanted bytes.
  virtual Expected<void *> allocate(size_t bytes, Stream stream) = 0;
  /// Frees memory of `allocate` once the work that is now in `stream` is done.
  virtual Status free(void *memory, Stream stream) = 0;

  virtual Status copyToDevice(void *device, const void *host, size_t bytes, Stream stream) = 0;
  virtual Status copyToHost(void *host, const void *device, size_t bytes, Stream stream) = 0;
  virtual Status copyOnDevice(void *target, const void *source, size_t bytes, Stream stream) = 0;
  virtual Status fill(void *memory, uint8_t value, size_t bytes, Stream stream) = 0;

  /// Tells that PTX will be assembled soon: an assembler that takes time to start may do so in the
  /// background. Without effect on results; need not be called.
  virtual void prepareAssembler() {}
  /// Assembles PTX into machine code that can be cached on disk; returns the kernel unchanged if it
  /// needs no assembly. Fails with KernelLoadFailed and the assembler's log.
  virtual Expected<artifact::Kernel> assemble(const artifact::Kernel &kernel);
  /// The part of the cache key of `assemble` that does not depend on the kernel: architecture and
  /// assembler version.
  virtual std::string assemblerKey() const { return description().chip; }
  /// Loads a kernel in one of the formats the device understands; else fails with Unsupported.
  /// Fails with KernelLoadFailed and the loader's log.
  virtual Expected<std::shared_ptr<LoadedKernel>> loadKernel(const artifact::Kernel &kernel) = 0;

  /// The maximum number of co-resident blocks of this kernel, with this block, cluster and shared
  /// memory size; a cooperative launch must not exceed it.
  virtual Expected<uint64_t> maxResidentBlocks(LoadedKernel &kernel,
                                               const LaunchConfig &config) = 0;
  /// Makes the map of a tensor, a parameter of later launches. One of a tensor without elements can
  /// be passed, but not be copied by. Fails as checkTensorMap does, or with Unsupported.
  virtual Status makeTensorMap(const TensorMapSpec &spec, const char *name, TensorMap &map);
  /// Enqueues a launch. No dimension of the grid is zero. Fails with InvalidLaunch or
  /// CooperativeTooLarge, with the requested and possible numbers, or with an error that the kernel
  /// caused.
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
