//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A library with the functions of a CUDA driver that the runtime binds, for one device that does
// nothing: addresses are never accessed. With FUSER_OLD_DRIVER it has only those of CUDA 11.7.
//
//===----------------------------------------------------------------------===//

#include "NullDriver.h"

#include "../../lib/Runtime/CudaDriver.h"
#include "fuser/Runtime/TensorMap.h"

#include <cstring>
#include <utility>

using namespace fuser::runtime;
using fuser::runtime::test::NullDriverState;

static NullDriverState state;
static char handle;
static void *current = nullptr;
static uint64_t nextAddress = uint64_t(1) << 40;

static int getAttribute(int attribute) {
  switch (attribute) {
  case cuda::kMaxThreadsPerBlock:
  case cuda::kMaxBlockDimX:
  case cuda::kMaxBlockDimX + 1:
    return 1024;
  case cuda::kMaxBlockDimX + 2:
    return 64;
  case cuda::kMaxGridDimX:
    return 0x7fffffff;
  case cuda::kMaxGridDimX + 1:
  case cuda::kMaxGridDimX + 2:
    return 65535;
  case cuda::kMaxSharedPerBlock:
    return 48 << 10;
  case cuda::kMaxSharedPerBlockOptIn:
    return 227 << 10;
  case cuda::kMaxSharedPerMultiprocessor:
    return 228 << 10;
  case cuda::kWarpSize:
  case cuda::kMaxBlocksPerMultiprocessor:
    return 32;
  case cuda::kMultiprocessors:
    return 132;
  case cuda::kMaxThreadsPerMultiprocessor:
    return 2048;
  case cuda::kMaxRegistersPerMultiprocessor:
    return 65536;
  case cuda::kL2Bytes:
    return 50 << 20;
  case cuda::kCapabilityMajor:
    return 9;
  case cuda::kCapabilityMinor:
    return 0;
  default:
    return 1;
  }
}

static int launch(const unsigned *grid, const unsigned *block, unsigned sharedBytes, void *stream,
                  unsigned numAttributes, void **parameters) {
  ++state.launches;
  std::memcpy(state.grid, grid, sizeof(state.grid));
  std::memcpy(state.block, block, sizeof(state.block));
  state.sharedBytes = sharedBytes;
  state.stream = stream;
  state.numAttributes = numAttributes;
  for (unsigned i = 0; i < state.numParameters; ++i)
    std::memcpy(&state.parameters[i], parameters[i], sizeof(uint64_t));
  return state.launchResult;
}

/// What a function answers that others read the calls of.
template <typename... Numbers> static int answer(const char *name, Numbers... numbers) {
  std::string call = name;
  ((call += " " + std::to_string(numbers)), ...);
  state.calls.push_back(call);
  return call.compare(0, call.find(' '), state.failing) == 0 ? 700 : 0;
}

/// The result of a function whose calls are not read.
static int getResult(const char *name) { return state.failing == name ? 700 : 0; }

extern "C" {

NullDriverState *fuser_null_driver_state() { return &state; }

// Functions whose success is all that callers use.
#define FUSER_SUCCEED(name)                                                                        \
  int name() { return 0; }
FUSER_SUCCEED(cuInit)
FUSER_SUCCEED(cuDevicePrimaryCtxRelease_v2)
FUSER_SUCCEED(cuCtxSynchronize)
FUSER_SUCCEED(cuMemFree_v2)
FUSER_SUCCEED(cuModuleUnload)
FUSER_SUCCEED(cuFuncSetAttribute)
#undef FUSER_SUCCEED

int cuMemcpyHtoDAsync_v2(size_t target, const void *source, size_t bytes, void *stream) {
  return answer("cuMemcpyHtoDAsync", target, size_t(source), bytes, size_t(stream));
}
int cuMemcpyDtoHAsync_v2(void *target, size_t source, size_t bytes, void *stream) {
  return answer("cuMemcpyDtoHAsync", size_t(target), source, bytes, size_t(stream));
}
int cuMemcpyDtoDAsync_v2(size_t target, size_t source, size_t bytes, void *stream) {
  return answer("cuMemcpyDtoDAsync", target, source, bytes, size_t(stream));
}
int cuMemsetD8Async(size_t target, unsigned char value, size_t bytes, void *stream) {
  return answer("cuMemsetD8Async", target, size_t(value), bytes, size_t(stream));
}
int cuStreamDestroy_v2(void *stream) { return answer("cuStreamDestroy", size_t(stream)); }
int cuStreamSynchronize(void *stream) { return answer("cuStreamSynchronize", size_t(stream)); }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  return answer("cuStreamWaitEvent", size_t(stream), size_t(event), size_t(flags));
}
int cuEventDestroy_v2(void *event) { return answer("cuEventDestroy", size_t(event)); }
int cuEventRecord(void *event, void *stream) {
  return answer("cuEventRecord", size_t(event), size_t(stream));
}
int cuEventSynchronize(void *event) { return answer("cuEventSynchronize", size_t(event)); }
int cuStreamCreate(void **stream, unsigned flags) {
  *stream = reinterpret_cast<void *>(70);
  return answer("cuStreamCreate", size_t(flags));
}
int cuEventCreate(void **event, unsigned flags) {
  *event = reinterpret_cast<void *>(80);
  return answer("cuEventCreate", size_t(flags));
}
int cuEventElapsedTime(float *milliseconds, void *start, void *stop) {
  *milliseconds = 2.5;
  return answer("cuEventElapsedTime", size_t(start), size_t(stop));
}
int cuLinkCreate_v2(unsigned, int *, void **, void **link) {
  *link = reinterpret_cast<void *>(90);
  return answer("cuLinkCreate");
}
int cuLinkAddData_v2(void *link, int type, void *data, size_t bytes, const char *name) {
  return answer(
      (std::string("cuLinkAddData ") + name + " '" + static_cast<char *>(data) + "'").c_str(),
      size_t(link), size_t(type), bytes);
}
int cuLinkComplete(void *link, void **image, size_t *bytes) {
  static char code[] = "cubin";
  *image = code;
  *bytes = 5;
  return answer("cuLinkComplete", size_t(link));
}
int cuLinkDestroy(void *link) { return answer("cuLinkDestroy", size_t(link)); }

#ifndef FUSER_OLD_DRIVER
int cuStreamGetCaptureInfo_v2(void *, int *status, uint64_t *number, void **graph, const void **,
                              size_t *) {
  *status = state.capture ? cuda::kCaptureActive : 0;
  *number = state.capture;
  *graph = &handle;
  return getResult("cuStreamGetCaptureInfo");
}
int cuThreadExchangeStreamCaptureMode(int *mode) {
  ++state.modeExchanges;
  std::swap(*mode, state.captureMode);
  return 0;
}
int cuUserObjectCreate(void **object, void *argument, void (*end)(void *)) {
  if (int result = getResult("cuUserObjectCreate"))
    return result;
  *object = &handle;
  state.userObjects.push_back({end, argument});
  return 0;
}
int cuGraphRetainUserObject() { return getResult("cuGraphRetainUserObject"); }
int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address, const uint64_t *sizes,
                           const uint64_t *strides, const unsigned *box, const unsigned *steps,
                           int interleave, int swizzle, int promotion, int fill) {
  std::memset(map, 7, sizeof(TensorMap));
  std::string name = "cuTensorMapEncodeTiled";
  for (unsigned dim = 0; dim < rank; ++dim)
    name += " [" + std::to_string(sizes[dim]) + " by " +
            (dim == 0 ? "-" : std::to_string(strides[dim - 1])) + " box " +
            std::to_string(box[dim]) + " step " + std::to_string(steps[dim]) + "]";
  return answer(name.c_str(), type, rank, size_t(address), interleave, swizzle, promotion, fill);
}
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return getResult("cuDriverGetVersion");
}
#else
int cuDriverGetVersion(int *version) { return *version = 11070, 0; }
#endif
int cuGetErrorName(int, const char **name) { return *name = "CUDA_ERROR_NULL_DRIVER", 0; }
int cuGetErrorString(int, const char **text) { return *text = "null driver", 0; }
int cuDeviceGetCount(int *count) {
  *count = 1;
  return getResult("cuDeviceGetCount");
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return getResult("cuDeviceGet");
}
int cuDeviceGetName(char *name, int size, int) {
  std::strncpy(name, state.name.c_str(), size_t(size));
  return getResult("cuDeviceGetName");
}
int cuDeviceGetAttribute(int *value, int id, int) {
  const int result = getResult(("cuDeviceGetAttribute " + std::to_string(id)).c_str());
  *value = result ? 0 : getAttribute(id);
  return result;
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = size_t(80) << 30;
  return getResult("cuDeviceTotalMem_v2");
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = current = &handle;
  return getResult("cuDevicePrimaryCtxRetain");
}
int cuCtxGetCurrent(void **context) { return *context = current, 0; }
int cuCtxPushCurrent_v2(void *context) { return current = context, 0; }
int cuCtxPopCurrent_v2(void **context) { return *context = current, 0; }
int cuMemAlloc_v2(unsigned long long *memory, size_t bytes) {
  ++state.allocations;
  state.allocationsInOtherModes += state.captureMode != cuda::kCaptureRelaxed;
  *memory = nextAddress;
  nextAddress += (bytes / 512 + 1) * 512;
  return 0;
}
int cuModuleLoadDataEx(void **module) {
  *module = &handle;
  return getResult("cuModuleLoadDataEx");
}
int cuModuleGetFunction(void **function) {
  *function = &handle;
  return getResult("cuModuleGetFunction");
}
int cuFuncGetAttribute(int *value) { return *value = 0, 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count) {
  ++state.occupancyQueries;
  return *count = state.residentBlocks, 0;
}
#ifndef FUSER_OLD_DRIVER
int cuOccupancyMaxActiveClusters(int *count) {
  ++state.occupancyQueries;
  return *count = state.residentBlocks * 132 / 8, 0;
}
#endif
int cuLaunchKernel(void *, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *stream,
                   void **parameters, void **) {
  const unsigned grid[3] = {gridX, gridY, gridZ}, block[3] = {blockX, blockY, blockZ};
  return launch(grid, block, sharedBytes, stream, 0, parameters);
}
#ifndef FUSER_OLD_DRIVER
int cuLaunchKernelEx(const cuda::LaunchConfig *config, void *, void **parameters, void **) {
  state.attributes.clear();
  for (unsigned i = 0; i < config->numAttributes; ++i)
    state.attributes.push_back(config->attributes[i].id);
  state.attributeValues.clear();
  for (unsigned i = 0; i < config->numAttributes; ++i)
    state.attributeValues.push_back(config->attributes[i].value.overlapsStream);
  return launch(config->grid, config->block, config->sharedBytes, config->stream,
                config->numAttributes, parameters);
}
#endif

} // extern "C"
