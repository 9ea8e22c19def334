//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A library with the functions of a CUDA driver that the runtime binds, for one device that does
// nothing: addresses are never accessed.
//
//===----------------------------------------------------------------------===//

#include "NullDriver.h"

#include "../../lib/Runtime/CudaDriver.h"

#include <cstring>

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

extern "C" {

NullDriverState *fuser_null_driver_state() { return &state; }

// Functions whose success is all that callers use.
#define FUSER_SUCCEED(name)                                                                        \
  int name() { return 0; }
FUSER_SUCCEED(cuInit)
FUSER_SUCCEED(cuDevicePrimaryCtxRelease_v2)
FUSER_SUCCEED(cuCtxSynchronize)
FUSER_SUCCEED(cuMemFree_v2)
FUSER_SUCCEED(cuMemcpyHtoDAsync_v2)
FUSER_SUCCEED(cuMemcpyDtoHAsync_v2)
FUSER_SUCCEED(cuMemcpyDtoDAsync_v2)
FUSER_SUCCEED(cuMemsetD8Async)
FUSER_SUCCEED(cuModuleUnload)
FUSER_SUCCEED(cuFuncSetAttribute)
FUSER_SUCCEED(cuLinkAddData_v2)
FUSER_SUCCEED(cuLinkDestroy)
FUSER_SUCCEED(cuStreamDestroy_v2)
FUSER_SUCCEED(cuStreamSynchronize)
FUSER_SUCCEED(cuStreamWaitEvent)
FUSER_SUCCEED(cuEventDestroy_v2)
FUSER_SUCCEED(cuEventRecord)
FUSER_SUCCEED(cuEventSynchronize)
#undef FUSER_SUCCEED

int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuGetErrorName(int, const char **name) { return *name = "CUDA_ERROR_NULL_DRIVER", 0; }
int cuGetErrorString(int, const char **text) { return *text = "null driver", 0; }
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char *name, int size, int) {
  return std::strncpy(name, "NVIDIA H100", size_t(size)), 0;
}
int cuDeviceGetAttribute(int *value, int id, int) { return *value = getAttribute(id), 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int) { return *bytes = size_t(80) << 30, 0; }
int cuDevicePrimaryCtxRetain(void **context, int) { return *context = current = &handle, 0; }
int cuCtxGetCurrent(void **context) { return *context = current, 0; }
int cuCtxPushCurrent_v2(void *context) { return current = context, 0; }
int cuCtxPopCurrent_v2(void **context) { return *context = current, 0; }
int cuMemAlloc_v2(unsigned long long *memory, size_t bytes) {
  ++state.allocations;
  *memory = nextAddress;
  nextAddress += (bytes / 512 + 1) * 512;
  return 0;
}
int cuModuleLoadDataEx(void **module) { return *module = &handle, 0; }
int cuModuleGetFunction(void **function) { return *function = &handle, 0; }
int cuFuncGetAttribute(int *value) { return *value = 0, 0; }
int cuLinkCreate_v2(unsigned, int *, void **, void **link) { return *link = &handle, 0; }
int cuLinkComplete(void *, void **image, size_t *bytes) {
  *image = &handle;
  return *bytes = 1, 0;
}
int cuStreamCreate(void **stream) { return *stream = &handle, 0; }
int cuEventCreate(void **event) { return *event = &handle, 0; }
int cuEventElapsedTime(float *milliseconds) { return *milliseconds = 0, 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count) {
  ++state.occupancyQueries;
  return *count = state.residentBlocks, 0;
}
int cuOccupancyMaxActiveClusters(int *count) {
  ++state.occupancyQueries;
  return *count = state.residentBlocks * 132 / 8, 0;
}
int cuLaunchKernel(void *, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *stream,
                   void **parameters, void **) {
  const unsigned grid[3] = {gridX, gridY, gridZ}, block[3] = {blockX, blockY, blockZ};
  return launch(grid, block, sharedBytes, stream, 0, parameters);
}
int cuLaunchKernelEx(const cuda::LaunchConfig *config, void *, void **parameters, void **) {
  return launch(config->grid, config->block, config->sharedBytes, config->stream,
                config->numAttributes, parameters);
}

} // extern "C"
