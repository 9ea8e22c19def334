//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The host device: runs kernels that were compiled for this machine's CPU
// (KernelFormat::HostObject), one fiber per GPU thread.
//
// A launch returns when the kernel is done. Blocks run in parallel over the CPU's threads; a
// cooperative launch of a kernel that waits for the whole grid keeps all of its threads alive in
// one scheduler. Errors that would hang or fault on a GPU are typed errors that name the kernel,
// the block and the op:
//
//   BarrierDivergence  threads of a block, or lanes of a warp, wait for each other at different ops
//   Deadlock           every live thread waits, and none can go on
//   AlignmentMismatch  an access states an alignment that its address does not keep
//   OutOfBounds, BoxViolation, DataRace, UninitializedRead
//                      of kernels that were compiled with checks (docs/host-device.md)
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_HOST_HOSTDEVICE_H
#define FUSER_RUNTIME_HOST_HOSTDEVICE_H

#include "fuser/Runtime/Device.h"

#include <cstdint>
#include <memory>

namespace fuser::runtime {

struct HostDeviceOptions {
  /// CPU threads that run the blocks of one launch; 0: as many as the machine has.
  uint32_t workers = 0;
  /// GPU threads that a cooperative launch may keep alive at once. Each has its own stack and guard
  /// page, and Linux gives a process 65530 mappings by default: two per thread.
  uint32_t maxLiveThreads = 16384;
  /// Stack of one GPU thread in bytes, excluding its own arrays. Pages are allocated on first
  /// access.
  uint32_t stackBytes = 64 * 1024;
  /// Fill new memory with all ones: an uninitialised float then reads as NaN. Shared memory
  /// before every block, and global memory when it is allocated.
  bool poisonMemory = true;
};

/// Makes the device.
Expected<std::unique_ptr<Device>> createHostDevice(const HostDeviceOptions &options = {});

/// Bytes of physical memory of this machine.
uint64_t getHostMemoryBytes();

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_HOST_HOSTDEVICE_H
