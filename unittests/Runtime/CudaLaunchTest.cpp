//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the CUDA device asks a driver for, with a driver that has no GPU. Runs everywhere.
//
//===----------------------------------------------------------------------===//

#include "NullDriver.h"

#include "fuser/Runtime/CudaDevice.h"

#include <algorithm>
#include <dlfcn.h>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace fuser::artifact;
using namespace fuser::runtime;
using fuser::runtime::test::NullDriverState;

namespace {

class CudaLaunchTest : public ::testing::Test {
protected:
  void SetUp() override {
    CudaDeviceOptions options;
    options.driverLibrary = FUSER_NULL_DRIVER;
    auto created = createCudaDevice(options);
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
    void *library = dlopen(FUSER_NULL_DRIVER, RTLD_NOW);
    ASSERT_NE(library, nullptr);
    driver = reinterpret_cast<NullDriverStateFunction>(dlsym(library, kNullDriverState))();
    *driver = NullDriverState();
    Kernel code;
    code.name = code.entry = "k";
    code.format = KernelFormat::PTX;
    code.chip = "sm_90a";
    auto loaded = device->loadKernel(code);
    ASSERT_TRUE(loaded.ok()) << loaded.error().str();
    kernel = loaded.take();
  }

  std::unique_ptr<Device> device;
  std::shared_ptr<LoadedKernel> kernel;
  NullDriverState *driver = nullptr;
};

/// All of what the driver says of the device.
TEST_F(CudaLaunchTest, DescribesTheDevice) {
  EXPECT_EQ(printDevice(device->description()), R"(name = NVIDIA H100
kind = cuda
chip = sm_90a
compute_capability = 90
multiprocessors = 132
clock_hz = 1000
memory_bandwidth = 2980000000000
memory_latency_ns = 650
)" + std::string(kNullDriverLimits));
}

TEST_F(CudaLaunchTest, PassesTheLaunchOn) {
  const uint64_t values[2] = {11, 22};
  const KernelParameter parameters[2] = {{&values[0], 8}, {&values[1], 8}};
  LaunchConfig config;
  config.grid[0] = 5;
  config.grid[2] = 3;
  config.block[0] = 128;
  config.dynamicSharedBytes = 512;
  int stream = 0;
  config.stream = &stream;
  driver->numParameters = 2;
  ASSERT_TRUE(device->launch(*kernel, config, {parameters, 2}).ok());
  EXPECT_EQ(driver->launches, 1u);
  EXPECT_EQ(driver->grid[0], 5u);
  EXPECT_EQ(driver->grid[1], 1u);
  EXPECT_EQ(driver->grid[2], 3u);
  EXPECT_EQ(driver->block[0], 128u);
  EXPECT_EQ(driver->sharedBytes, 512u);
  EXPECT_EQ(driver->stream, &stream);
  EXPECT_EQ(driver->numAttributes, 0u);
  EXPECT_EQ(driver->parameters[0], 11u);
  EXPECT_EQ(driver->parameters[1], 22u);
  EXPECT_EQ(driver->occupancyQueries, 0u);

  driver->launchResult = 700;
  Status status = device->launch(*kernel, config, {parameters, 2});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(), "DriverError: k: expected success, but the driver answered "
                                  "CUDA_ERROR_NULL_DRIVER (null driver)");
}

TEST_F(CudaLaunchTest, EncodesTensorMaps) {
  TensorMapSpec spec;
  spec.address = reinterpret_cast<const void *>(uint64_t(4096));
  spec.rank = 3;
  spec.elementBytes = 2;
  spec.swizzle = 64;
  // Of the dimension of size 1, the stride is no multiple of 16.
  const int64_t sizes[] = {1, 100, 40}, strides[] = {5, 80, 2};
  const uint32_t box[] = {1, 64, 32};
  std::copy(std::begin(sizes), std::end(sizes), spec.sizes);
  std::copy(std::begin(strides), std::end(strides), spec.strides);
  std::copy(std::begin(box), std::end(box), spec.box);
  TensorMap map;
  ASSERT_TRUE(device->makeTensorMap(spec, "x", map).ok());
  EXPECT_EQ(map.bytes[127], 7);
  ASSERT_EQ(driver->calls.size(), 1u);
  // The fastest dimension first; elements of 2 bytes as UINT16.
  EXPECT_EQ(driver->calls[0],
            "cuTensorMapEncodeTiled [40 by - box 32 step 1] [100 by 80 box 64 step 1] "
            "[1 by 16 box 1 step 1] 1 3 4096 0 2 2 0");

  driver->failing = "cuTensorMapEncodeTiled";
  Status status = device->makeTensorMap(spec, "argument 'x'", map);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(), "DriverError: argument 'x': expected success, but the driver "
                                  "answered CUDA_ERROR_NULL_DRIVER (null driver)");

  // A tensor without elements needs no map; one beyond the limits has none.
  spec.sizes[1] = 0;
  ASSERT_TRUE(device->makeTensorMap(spec, "x", map).ok());
  EXPECT_EQ(map.bytes[127], 0);
  spec.sizes[1] = 100;
  spec.strides[1] = 88;
  EXPECT_EQ(device->makeTensorMap(spec, "x", map).error().code, ErrorCode::StrideMismatch);
  EXPECT_EQ(driver->calls.size(), 2u);
}

// The numbers of the driver for swizzles and types of elements.
TEST_F(CudaLaunchTest, EncodesSwizzlesAndElements) {
  struct Case {
    uint32_t swizzle, elementBytes;
    const char *typeAndRank, *swizzleAndRest;
  };
  for (const Case &each :
       {Case{0, 1, " 0 1 4096", " 0 0 2 0"}, Case{0, 2, " 1 1 4096", " 0 0 2 0"},
        Case{0, 4, " 2 1 4096", " 0 0 2 0"}, Case{0, 8, " 4 1 4096", " 0 0 2 0"},
        Case{32, 4, " 2 1 4096", " 0 1 2 0"}, Case{64, 4, " 2 1 4096", " 0 2 2 0"},
        Case{128, 4, " 2 1 4096", " 0 3 2 0"}}) {
    TensorMapSpec spec;
    spec.address = reinterpret_cast<const void *>(uint64_t(4096));
    spec.rank = 1;
    spec.elementBytes = each.elementBytes;
    spec.swizzle = each.swizzle;
    spec.sizes[0] = 256;
    spec.strides[0] = each.elementBytes;
    spec.box[0] = each.swizzle != 0 ? each.swizzle / each.elementBytes : 16;
    TensorMap map;
    driver->calls.clear();
    Status status = device->makeTensorMap(spec, "x", map);
    ASSERT_TRUE(status.ok()) << status.error().str();
    EXPECT_EQ(driver->calls, std::vector<std::string>{"cuTensorMapEncodeTiled [256 by - box " +
                                                      std::to_string(spec.box[0]) + " step 1]" +
                                                      each.typeAndRank + each.swizzleAndRest});
  }
}

TEST_F(CudaLaunchTest, DependentLaunchesMayOverlapTheStream) {
  constexpr int kClusterDim = 4, kProgrammaticStreamSerialization = 6;
  LaunchConfig config;
  config.dependent = true;
  EXPECT_TRUE(device->launch(*kernel, config, {}).ok());
  EXPECT_EQ(driver->attributes, std::vector<int>{kProgrammaticStreamSerialization});
  config.grid[0] = config.cluster[0] = 4;
  EXPECT_TRUE(device->launch(*kernel, config, {}).ok());
  EXPECT_EQ(driver->attributes, (std::vector<int>{kClusterDim, kProgrammaticStreamSerialization}));
  EXPECT_EQ(driver->attributeValues, (std::vector<int>{4, 1}));
  config = LaunchConfig();
  EXPECT_TRUE(device->launch(*kernel, config, {}).ok());
  EXPECT_EQ(driver->numAttributes, 0u);
}

TEST_F(CudaLaunchTest, CooperativeLaunchesAskOnceHowManyBlocksFit) {
  LaunchConfig config;
  config.cooperative = true;
  config.grid[0] = 264;
  config.block[0] = 256;
  auto launch = [&] { return device->launch(*kernel, config, {}); };
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_TRUE(launch().ok());
  EXPECT_EQ(driver->launches, 3u);
  EXPECT_EQ(driver->numAttributes, 1u);
  EXPECT_EQ(driver->occupancyQueries, 1u);
  // The number of blocks is compared in every launch.
  config.grid[0] = 265;
  Status status = launch();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(), "CooperativeTooLarge: kernel 'k': expected at most 264 blocks "
                                  "that are resident at once, but got 265");
  EXPECT_EQ(driver->occupancyQueries, 1u);

  // What the answer depends on asks again.
  driver->residentBlocks = 1;
  config.grid[0] = 132;
  unsigned queries = 1;
  auto expectQuery = [&](uint64_t resident) {
    EXPECT_TRUE(launch().ok());
    EXPECT_EQ(driver->occupancyQueries, ++queries);
    auto blocks = device->maxResidentBlocks(*kernel, config);
    ASSERT_TRUE(blocks.ok());
    EXPECT_EQ(*blocks, resident);
    EXPECT_EQ(driver->occupancyQueries, queries);
  };
  config.block[0] = 512;
  expectQuery(132);
  config.dynamicSharedBytes = 100 << 10;
  expectQuery(132);
  config.grid[0] = 64;
  config.cluster[0] = 4;
  expectQuery(64);
  config.cluster[0] = 1;
  config.cluster[1] = 4;
  config.grid[1] = 1;
  expectQuery(64);
  // 16 blocks per cluster are not kept, and asked for in every launch.
  config.cluster[0] = config.cluster[1] = 1;
  config.cluster[2] = 16;
  EXPECT_TRUE(launch().ok());
  EXPECT_TRUE(launch().ok());
  EXPECT_EQ(driver->occupancyQueries, queries + 2);
}

TEST_F(CudaLaunchTest, MemoryIsReusedWithoutTheDriver) {
  for (unsigned i = 0; i < 5; ++i) {
    auto memory = device->allocate(1000, nullptr);
    ASSERT_TRUE(memory.ok());
    EXPECT_TRUE(device->free(*memory, nullptr).ok());
  }
  EXPECT_EQ(driver->allocations, 1u);
}

/// An operation of the device, its calls of the driver and which of these may fail without it.
struct DriverUse {
  const char *what;
  std::function<Status(Device &)> run;
  std::vector<std::string> calls;
  std::vector<std::string> mayFail = {};
};

template <typename T> void *at(T address) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

template <typename T> Status check(Expected<T> result, const T &expected) {
  if (!result)
    return result.takeError();
  EXPECT_EQ(*result, expected);
  return {};
}

Kernel makeKernel(KernelFormat format) {
  Kernel kernel;
  kernel.name = "k";
  kernel.entry = "e";
  kernel.format = format;
  kernel.chip = "sm_90a";
  kernel.code = "text";
  return kernel;
}

Status assemble(Device &device) {
  Expected<Kernel> kernel = device.assemble(makeKernel(KernelFormat::PTX));
  if (!kernel)
    return kernel.takeError();
  EXPECT_EQ(kernel->format, KernelFormat::Cubin);
  EXPECT_EQ(kernel->code, "cubin");
  EXPECT_EQ(kernel->entry, "e");
  return {};
}

// The driver gets the arguments of each operation in its order, and each of its failures is one of
// the operation.
TEST_F(CudaLaunchTest, OperationsAreCallsOfTheDriver) {
  void *stream = at(7), *event = at(8);
  const DriverUse uses[] = {
      {"copyToDevice",
       [&](Device &d) { return d.copyToDevice(at(1), at(2), 3, stream); },
       {"cuMemcpyHtoDAsync 1 2 3 7", "cuStreamSynchronize 7"}},
      {"copyToHost",
       [&](Device &d) { return d.copyToHost(at(1), at(2), 3, stream); },
       {"cuMemcpyDtoHAsync 1 2 3 7", "cuStreamSynchronize 7"}},
      {"copyOnDevice",
       [&](Device &d) { return d.copyOnDevice(at(1), at(2), 3, stream); },
       {"cuMemcpyDtoDAsync 1 2 3 7"}},
      {"fill", [&](Device &d) { return d.fill(at(1), 2, 3, stream); }, {"cuMemsetD8Async 1 2 3 7"}},
      {"createStream",
       [](Device &d) { return check<Stream>(d.createStream(), at(70)); },
       {"cuStreamCreate 1"}},
      {"destroyStream",
       [&](Device &d) { return d.destroyStream(stream); },
       {"cuStreamSynchronize 7", "cuStreamDestroy 7"}},
      {"waitEvent",
       [&](Device &d) { return d.waitEvent(stream, event); },
       {"cuStreamWaitEvent 7 8 0"}},
      {"synchronize", [&](Device &d) { return d.synchronize(stream); }, {"cuStreamSynchronize 7"}},
      {"createEvent",
       [](Device &d) { return check<Event>(d.createEvent(), at(80)); },
       {"cuEventCreate 0"}},
      {"destroyEvent", [&](Device &d) { return d.destroyEvent(event); }, {"cuEventDestroy 8"}},
      {"recordEvent",
       [&](Device &d) { return d.recordEvent(event, stream); },
       {"cuEventRecord 8 7"}},
      {"elapsedMilliseconds",
       [&](Device &d) { return check<double>(d.elapsedMilliseconds(event, at(9)), 2.5); },
       {"cuEventSynchronize 9", "cuEventElapsedTime 8 9"}},
      {"assemble",
       assemble,
       {"cuLinkCreate", "cuLinkAddData k 'text' 90 1 5", "cuLinkComplete 90", "cuLinkDestroy 90"},
       {"cuLinkDestroy"}},
  };
  for (const DriverUse &use : uses) {
    SCOPED_TRACE(use.what);
    *driver = NullDriverState();
    EXPECT_TRUE(use.run(*device).ok());
    EXPECT_EQ(driver->calls, use.calls);
    for (const std::string &call : use.calls) {
      *driver = NullDriverState();
      driver->failing = call.substr(0, call.find(' '));
      const bool mayFail = std::count(use.mayFail.begin(), use.mayFail.end(), driver->failing);
      Status status = use.run(*device);
      EXPECT_EQ(status.ok(), mayFail) << driver->failing;
      if (!status.ok()) {
        EXPECT_NE(status.error().str().find("CUDA_ERROR_NULL_DRIVER (null driver)"),
                  std::string::npos)
            << status.error().str();
      }
      // What was made is destroyed.
      EXPECT_EQ(driver->calls.front() == "cuLinkCreate" && driver->failing != "cuLinkCreate",
                driver->calls.back() == "cuLinkDestroy 90")
          << driver->failing;
    }
  }
}

TEST_F(CudaLaunchTest, TheAssemblerStartsOnce) {
  *driver = NullDriverState();
  device->prepareAssembler();
  device->prepareAssembler();
  device.reset(); // Waits for it.
  ASSERT_EQ(driver->calls.size(), 3u);
  EXPECT_EQ(driver->calls[0], "cuLinkCreate");
  EXPECT_EQ(driver->calls[1].rfind("cuLinkAddData empty '.version 6.4\n.target sm_75\n", 0), 0u);
  EXPECT_EQ(driver->calls[2], "cuLinkDestroy 90");
}

TEST_F(CudaLaunchTest, AnAssemblerThatDoesNotStartIsNoError) {
  *driver = NullDriverState();
  driver->failing = "cuLinkCreate";
  device->prepareAssembler();
  device.reset();
  EXPECT_EQ(driver->calls, std::vector<std::string>{"cuLinkCreate"});
}

TEST_F(CudaLaunchTest, OnlyPTXIsAssembled) {
  *driver = NullDriverState();
  for (KernelFormat format : {KernelFormat::Cubin, KernelFormat::HostObject}) {
    Expected<Kernel> kernel = device->assemble(makeKernel(format));
    ASSERT_TRUE(kernel.ok());
    EXPECT_EQ(kernel->format, format);
    EXPECT_EQ(kernel->code, "text");
  }
  EXPECT_TRUE(driver->calls.empty());
  EXPECT_EQ(device->assemblerKey(), "sm_90a driver 13000");
}

TEST_F(CudaLaunchTest, HostObjectsAreRefused) {
  auto loaded = device->loadKernel(makeKernel(KernelFormat::HostObject));
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().str(),
            "Unsupported: kernel 'k': expected ptx or cubin for a GPU, but got host_object");
}

TEST_F(CudaLaunchTest, OtherOrdinalsAreRefused) {
  for (int ordinal : {-1, 1}) {
    CudaDeviceOptions options;
    options.driverLibrary = FUSER_NULL_DRIVER;
    options.ordinal = ordinal;
    auto created = createCudaDevice(options);
    ASSERT_FALSE(created.ok());
    EXPECT_EQ(created.error().str(),
              "DeviceUnavailable: expected a GPU from 0 to 0, but got " + std::to_string(ordinal));
  }
}

// What the driver answers, with the kernel and the chip.
TEST_F(CudaLaunchTest, CodeThatDoesNotLoadIsAnError) {
  Kernel code = makeKernel(KernelFormat::PTX);
  code.entry = "start";
  auto expectFailure = [&](const char *failing, const std::string &message) {
    driver->failing = failing;
    auto loaded = device->loadKernel(code);
    ASSERT_FALSE(loaded.ok());
    EXPECT_EQ(loaded.error().str(), message);
  };
  expectFailure("cuModuleLoadDataEx",
                "KernelLoadFailed: kernel 'k' for sm_90a: expected code that the driver loads, but "
                "it answered CUDA_ERROR_NULL_DRIVER (null driver): (the assembler's log is empty)");
  expectFailure("cuModuleGetFunction",
                "KernelLoadFailed: kernel 'k': expected the code to have an entry 'start', but the "
                "driver answered CUDA_ERROR_NULL_DRIVER (null driver)");
}

// Functions that a driver may lack.
TEST(OldCudaDriver, LacksSomeLaunches) {
  CudaDeviceOptions options;
  options.driverLibrary = FUSER_OLD_DRIVER;
  auto device = createCudaDevice(options);
  ASSERT_TRUE(device.ok()) << device.error().str();
  auto kernel = (*device)->loadKernel(makeKernel(KernelFormat::PTX));
  ASSERT_TRUE(kernel.ok()) << kernel.error().str();
  LaunchConfig config, cooperative;
  EXPECT_TRUE((*device)->launch(**kernel, config, {}).ok());
  cooperative.cooperative = true;
  config.grid[0] = config.cluster[0] = 2;
  for (const LaunchConfig &each : {config, cooperative}) {
    Status status = (*device)->launch(**kernel, each, {});
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().str(),
              "Unsupported: kernel 'k': expected a driver of CUDA 11.8 or later for a cooperative "
              "or cluster launch, but got version 11070");
  }
  TensorMap map;
  Status status = (*device)->makeTensorMap(TensorMapSpec(), "argument 'x'", map);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(), "Unsupported: argument 'x': expected a driver of CUDA 12.0 or "
                                  "later for tensor maps, but got version 11070");
}

} // namespace
