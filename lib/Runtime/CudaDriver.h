//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The functions of libcuda that the runtime uses, declared here so that no CUDA header is needed
// and bound when the library is opened. Types and numbers are those of the driver's stable ABI.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_CUDADRIVER_H
#define FUSER_LIB_RUNTIME_CUDADRIVER_H

#include "fuser/Artifact/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace fuser::runtime::cuda {

using Result = int;
using DeviceHandle = int;
using DevicePointer = unsigned long long;
using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using StreamHandle = struct StreamTag *;
using EventHandle = struct EventTag *;
using Link = struct LinkTag *;
using Graph = struct GraphTag *;
using UserObject = struct UserObjectTag *;

inline constexpr Result kSuccess = 0;
inline constexpr Result kOutOfMemory = 2;

/// CUdevice_attribute
enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kMaxBlockDimX = 2, // y and z follow
  kMaxGridDimX = 5,  // y and z follow
  kMaxSharedPerBlock = 8,
  kWarpSize = 10,
  kClockKhz = 13,
  kMultiprocessors = 16,
  kMemoryClockKhz = 36,
  kMemoryBusBits = 37,
  kL2Bytes = 38,
  kMaxThreadsPerMultiprocessor = 39,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kMaxSharedPerMultiprocessor = 81,
  kMaxRegistersPerMultiprocessor = 82,
  kCooperativeLaunch = 95,
  kMaxSharedPerBlockOptIn = 97,
  kMaxBlocksPerMultiprocessor = 106,
  kClusterLaunch = 120,
};

/// CUfunction_attribute
enum FunctionAttribute : int {
  kStaticSharedBytes = 1,
  kMaxDynamicSharedBytes = 8,
  kNonPortableClusterSize = 14,
};

/// CUjit_option
enum JitOption : int {
  kInfoLogBuffer = 3,
  kInfoLogBytes = 4,
  kErrorLogBuffer = 5,
  kErrorLogBytes = 6,
};

/// CUjitInputType
inline constexpr int kInputPtx = 1;

/// CUlaunchAttribute
struct LaunchAttribute {
  int id;
  char padding[8 - sizeof(int)];
  union {
    char bytes[64];
    int cooperative;
    unsigned clusterDim[3];
    int overlapsStream;
  } value;
};
inline constexpr int kAttributeCooperative = 2;
inline constexpr int kAttributeClusterDim = 4;
/// CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION; graphs can capture it since CUDA 12.3.
inline constexpr int kAttributeOverlapsStream = 6;
inline constexpr int kFirstDriverWithOverlaps = 12030;

/// CUstreamCaptureStatus, CUstreamCaptureMode
inline constexpr int kCaptureActive = 1, kCaptureRelaxed = 2;
/// CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, CU_GRAPH_USER_OBJECT_MOVE
inline constexpr unsigned kNoDestructorSync = 1, kMoveUserObject = 1;

/// CUlaunchConfig
struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedBytes;
  StreamHandle stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

/// X(member, symbol, parameter types)
#define FUSER_CUDA_FUNCTIONS(X)                                                                    \
  X(init, "cuInit", (unsigned))                                                                    \
  X(driverGetVersion, "cuDriverGetVersion", (int *))                                               \
  X(getErrorName, "cuGetErrorName", (Result, const char **))                                       \
  X(getErrorString, "cuGetErrorString", (Result, const char **))                                   \
  X(deviceGetCount, "cuDeviceGetCount", (int *))                                                   \
  X(deviceGet, "cuDeviceGet", (DeviceHandle *, int))                                               \
  X(deviceGetName, "cuDeviceGetName", (char *, int, DeviceHandle))                                 \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, DeviceHandle))                        \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, DeviceHandle))                               \
  X(primaryCtxRetain, "cuDevicePrimaryCtxRetain", (Context *, DeviceHandle))                       \
  X(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (DeviceHandle))                             \
  X(ctxGetCurrent, "cuCtxGetCurrent", (Context *))                                                 \
  X(ctxPushCurrent, "cuCtxPushCurrent_v2", (Context))                                              \
  X(ctxPopCurrent, "cuCtxPopCurrent_v2", (Context *))                                              \
  X(ctxSynchronize, "cuCtxSynchronize", ())                                                        \
  X(memAlloc, "cuMemAlloc_v2", (DevicePointer *, size_t))                                          \
  X(memFree, "cuMemFree_v2", (DevicePointer))                                                      \
  X(memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (DevicePointer, const void *, size_t, StreamHandle))  \
  X(memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void *, DevicePointer, size_t, StreamHandle))        \
  X(memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (DevicePointer, DevicePointer, size_t, StreamHandle)) \
  X(memsetD8Async, "cuMemsetD8Async", (DevicePointer, unsigned char, size_t, StreamHandle))        \
  X(moduleLoadDataEx, "cuModuleLoadDataEx", (Module *, const void *, unsigned, int *, void **))    \
  X(moduleUnload, "cuModuleUnload", (Module))                                                      \
  X(moduleGetFunction, "cuModuleGetFunction", (Function *, Module, const char *))                  \
  X(funcGetAttribute, "cuFuncGetAttribute", (int *, int, Function))                                \
  X(funcSetAttribute, "cuFuncSetAttribute", (Function, int, int))                                  \
  X(occupancyMaxActiveBlocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                       \
    (int *, Function, int, size_t))                                                                \
  X(launchKernel, "cuLaunchKernel",                                                                \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, StreamHandle, \
     void **, void **))                                                                            \
  X(linkCreate, "cuLinkCreate_v2", (unsigned, int *, void **, Link *))                             \
  X(linkAddData, "cuLinkAddData_v2",                                                               \
    (Link, int, void *, size_t, const char *, unsigned, int *, void **))                           \
  X(linkComplete, "cuLinkComplete", (Link, void **, size_t *))                                     \
  X(linkDestroy, "cuLinkDestroy", (Link))                                                          \
  X(streamCreate, "cuStreamCreate", (StreamHandle *, unsigned))                                    \
  X(streamDestroy, "cuStreamDestroy_v2", (StreamHandle))                                           \
  X(streamSynchronize, "cuStreamSynchronize", (StreamHandle))                                      \
  X(streamWaitEvent, "cuStreamWaitEvent", (StreamHandle, EventHandle, unsigned))                   \
  X(eventCreate, "cuEventCreate", (EventHandle *, unsigned))                                       \
  X(eventDestroy, "cuEventDestroy_v2", (EventHandle))                                              \
  X(eventRecord, "cuEventRecord", (EventHandle, StreamHandle))                                     \
  X(eventSynchronize, "cuEventSynchronize", (EventHandle))                                         \
  X(eventElapsedTime, "cuEventElapsedTime", (float *, EventHandle, EventHandle))

/// Since CUDA 11.8 (tensor maps: 12.0, graphs: 11.3): null with older drivers, which then launch no
/// clusters.
#define FUSER_CUDA_OPTIONAL_FUNCTIONS(X)                                                           \
  X(tensorMapEncodeTiled, "cuTensorMapEncodeTiled",                                                \
    (void *, int, unsigned, void *, const uint64_t *, const uint64_t *, const unsigned *,          \
     const unsigned *, int, int, int, int))                                                        \
  X(launchKernelEx, "cuLaunchKernelEx", (const LaunchConfig *, Function, void **, void **))        \
  X(streamGetCaptureInfo, "cuStreamGetCaptureInfo_v2",                                             \
    (StreamHandle, int *, uint64_t *, Graph *, const void **, size_t *))                           \
  X(exchangeCaptureMode, "cuThreadExchangeStreamCaptureMode", (int *))                             \
  X(userObjectCreate, "cuUserObjectCreate",                                                        \
    (UserObject *, void *, void (*)(void *), unsigned, unsigned))                                  \
  X(graphRetainUserObject, "cuGraphRetainUserObject", (Graph, UserObject, unsigned, unsigned))     \
  X(occupancyMaxActiveClusters, "cuOccupancyMaxActiveClusters",                                    \
    (int *, Function, const LaunchConfig *))

/// The opened library.
class Driver {
public:
  /// Opens and initialises the driver. Fails with DeviceUnavailable.
  static artifact::Expected<std::shared_ptr<Driver>> open(const std::string &library);
  ~Driver();
  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;

#define FUSER_DECLARE(member, symbol, parameters) Result(*member) parameters = nullptr;
  FUSER_CUDA_FUNCTIONS(FUSER_DECLARE)
  FUSER_CUDA_OPTIONAL_FUNCTIONS(FUSER_DECLARE)
#undef FUSER_DECLARE

  /// "CUDA_ERROR_INVALID_VALUE (invalid argument)".
  std::string describe(Result result) const;
  /// Success, or an error "<what>: the driver answered ...": OutOfMemory or `otherwise`.
  artifact::Status check(Result result, const char *what,
                         artifact::ErrorCode otherwise = artifact::ErrorCode::DriverError) const {
    return result == kSuccess ? artifact::Status() : failure(result, what, otherwise);
  }
  artifact::Error failure(Result result, const char *what,
                          artifact::ErrorCode otherwise = artifact::ErrorCode::DriverError) const;

private:
  explicit Driver(void *handle) : handle(handle) {}
  artifact::Status bind();

  void *handle;
};

/// Makes a context current for a scope, unless it is current already.
class ContextScope {
public:
  ContextScope(const Driver &driver, Context context) : driver(driver) {
    Context current = nullptr;
    pushed = driver.ctxGetCurrent(&current) != kSuccess || current != context;
    if (pushed)
      result = driver.ctxPushCurrent(context);
  }
  ~ContextScope() {
    Context popped = nullptr;
    if (pushed && result == kSuccess)
      (void)driver.ctxPopCurrent(&popped);
  }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  /// Whether the context is current.
  artifact::Status status() const { return driver.check(result, "making the context current"); }

private:
  const Driver &driver;
  bool pushed = false;
  Result result = kSuccess;
};

/// Lets a thread allocate memory, load code and make streams while a graph is captured: calls that
/// capture nothing, and that the driver would otherwise refuse in every thread.
class RelaxedCaptureScope {
public:
  explicit RelaxedCaptureScope(const Driver &driver) : driver(driver) { exchange(); }
  ~RelaxedCaptureScope() { exchange(); }
  RelaxedCaptureScope(const RelaxedCaptureScope &) = delete;
  RelaxedCaptureScope &operator=(const RelaxedCaptureScope &) = delete;

private:
  void exchange() {
    if (driver.exchangeCaptureMode)
      (void)driver.exchangeCaptureMode(&mode);
  }

  const Driver &driver;
  int mode = kCaptureRelaxed;
};

} // namespace fuser::runtime::cuda

#endif // FUSER_LIB_RUNTIME_CUDADRIVER_H
