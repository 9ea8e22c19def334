//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The CUDA device on a GPU: hand-written PTX through loading, launching, caching and failing.
// Skipped where there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/CudaDevice.h"
#include "fuser/Runtime/Executable.h"
#include "fuser/Runtime/KernelCache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <random>

#include <unistd.h>

using namespace fuser::artifact;
using namespace fuser::runtime;

namespace {

/// y[i] = a * x[i] for i < n.
constexpr const char *kScale = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 px, .param .u64 py, .param .u32 pn, .param .f32 pa)
{
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<6>; .reg .f32 %f<4>;
  ld.param.u64 %d1, [px]; ld.param.u64 %d2, [py]; ld.param.u32 %r1, [pn]; ld.param.f32 %f1, [pa];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p, %r5, %r1;
  @%p bra done;
  cvta.to.global.u64 %d1, %d1; cvta.to.global.u64 %d2, %d2;
  mul.wide.s32 %d3, %r5, 4;
  add.s64 %d4, %d1, %d3; add.s64 %d5, %d2, %d3;
  ld.global.f32 %f2, [%d4]; mul.f32 %f3, %f1, %f2; st.global.f32 [%d5], %f3;
done:
  ret;
}
)";

/// Uses all the dynamic shared memory it gets: out[block] = the last word, written and read back.
constexpr const char *kShared = R"(.version 7.8
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 memory[];
.visible .entry shared(.param .u64 pout, .param .u32 pbytes)
{
  .reg .b32 %r<6>; .reg .b64 %d<6>;
  ld.param.u64 %d1, [pout]; ld.param.u32 %r1, [pbytes];
  mov.u32 %r2, memory; add.u32 %r3, %r2, %r1; mov.u32 %r4, %ctaid.x; add.u32 %r4, %r4, 1000;
  st.shared.u32 [%r3+-4], %r4; ld.shared.u32 %r5, [%r3+-4];
  cvta.to.global.u64 %d1, %d1; mov.u32 %r4, %ctaid.x; mul.wide.u32 %d2, %r4, 4;
  add.s64 %d3, %d1, %d2; st.global.u32 [%d3], %r5;
  ret;
}
)";

/// out[block] = table[block], where the table is one parameter.
constexpr const char *kTable = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry table(.param .align 4 .b8 ptable[12], .param .u64 pout)
{
  .reg .b32 %r<3>; .reg .b64 %d<5>;
  mov.u32 %r1, %ctaid.x; mul.wide.u32 %d1, %r1, 4;
  mov.b64 %d2, ptable; add.s64 %d2, %d2, %d1; ld.param.b32 %r2, [%d2];
  ld.param.u64 %d3, [pout]; cvta.to.global.u64 %d3, %d3; add.s64 %d4, %d3, %d1;
  st.global.u32 [%d4], %r2;
  ret;
}
)";

Kernel makeKernel(const char *entry, const char *code) {
  Kernel kernel;
  kernel.name = entry;
  kernel.chip = "sm_80";
  kernel.entry = entry;
  kernel.code = code;
  return kernel;
}

class CudaSmoke : public ::testing::Test {
protected:
  void SetUp() override {
    Expected<std::unique_ptr<Device>> created = createCudaDevice();
    if (!created && created.error().code == ErrorCode::DeviceUnavailable)
      GTEST_SKIP() << created.error().message;
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
  }

  template <typename T> Tensor upload(const std::vector<T> &values, DType dtype) {
    Expected<Tensor> tensor =
        allocateTensor(device, dtype, std::vector<int64_t>{static_cast<int64_t>(values.size())});
    EXPECT_TRUE(tensor.ok());
    EXPECT_TRUE(
        device->copyToDevice(tensor->data, values.data(), values.size() * sizeof(T), nullptr).ok());
    return tensor.take();
  }
  template <typename T> std::vector<T> download(const Tensor &tensor) {
    std::vector<T> values(static_cast<size_t>(tensor.sizes[0]));
    Status status =
        device->copyToHost(values.data(), tensor.data, values.size() * sizeof(T), nullptr);
    EXPECT_TRUE(status.ok()) << status.error().str();
    return values;
  }

  std::shared_ptr<Device> device;
};

/// y[n] = s * x[n] as an artifact.
Artifact makeScale() {
  Artifact a;
  a.name = "scale";
  a.target = *lookupDevice("sm_80");
  a.kernels = {makeKernel("scale", kScale)};
  a.arguments = {{"x", true, DType::F32, {kDynamic}, {0}, {1}, 4},
                 {"s", false, DType::F32, {}, {}, {}, 1}};
  ExprPool &e = a.exprs;
  ExprId zero = e.constant(0), one = e.constant(1), block = e.constant(128), n = e.size(0, 0);
  ExprId bytes = e.mul(n, e.constant(4));
  a.outputs = {{"y", DType::F32, {n}, {one}, kNotAnArgument, false, 4}};
  a.program.buffers = {{"x", DType::F32, 0}, {"y", DType::F32, kNotAnArgument}};
  Launch launch;
  launch.parameters = {{Parameter::Kind::Pointer, 0, 0, 8, 0},
                       {Parameter::Kind::Pointer, 1, 0, 8, 0},
                       {Parameter::Kind::Integer, 0, n, 4, 0},
                       {Parameter::Kind::Scalar, 0, 0, 4, 1}};
  ExprId grid[3] = {e.ceilDiv(n, block), one, one}, threads[3] = {block, one, one};
  for (unsigned i = 0; i < 3; ++i) {
    launch.grid[i] = grid[i];
    launch.block[i] = threads[i];
    launch.cluster[i] = one;
  }
  launch.dynamicSharedBytes = zero;
  launch.boxes = {{0, Access::Read, {zero}, {n}, zero, bytes},
                  {1, Access::Write, {zero}, {n}, zero, bytes}};
  a.program.instructions = {Alloc{1, {n}, {one}, false}, launch, Return{{1}}};
  return a;
}

TEST_F(CudaSmoke, Describes) {
  const DeviceDescription &d = device->description();
  std::cout << printDevice(d);
  EXPECT_GE(d.computeCapability, 80);
  EXPECT_GT(d.multiprocessors, 0);
  EXPECT_GT(d.memoryBandwidth, 0);
  EXPECT_GT(d.sharedBytesPerBlockOptIn, 48 * 1024);
  Expected<DeviceDescription> again = parseDevice(printDevice(d));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(*again == d);
}

TEST_F(CudaSmoke, CallsAFusion) {
  auto executable = Executable::create(makeScale(), device);
  ASSERT_TRUE(executable.ok()) << executable.error().str();
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (size_t n : {1u, 127u, 128u, 5002u, 1u << 20}) {
    std::vector<float> x(n);
    for (float &value : x)
      value = normal(random);
    Tensor input = upload(x, DType::F32);
    Expected<std::vector<Tensor>> result =
        (*executable)->call({input.view(), ScalarValue::f32(1.25f)});
    ASSERT_TRUE(result.ok()) << result.error().str();
    std::vector<float> y = download<float>((*result)[0]);
    for (size_t i = 0; i < n; ++i)
      ASSERT_EQ(y[i], 1.25f * x[i]) << i;
  }
}

TEST_F(CudaSmoke, KeepsMachineCodeOnDisk) {
  std::string folder = (std::filesystem::temp_directory_path() / "fuser-smoke-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  Kernel kernel = makeKernel("scale", kScale);
  for (uint64_t hits : {0, 1}) {
    KernelCache cache(device, {folder});
    auto start = std::chrono::steady_clock::now();
    Expected<std::shared_ptr<LoadedKernel>> loaded = cache.get(kernel);
    double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    ASSERT_TRUE(loaded.ok()) << loaded.error().str();
    EXPECT_EQ(cache.statistics().diskHits, hits);
    std::cout << (hits ? "from disk: " : "assembled: ") << ms << " ms\n";
  }
  ExecutableOptions options;
  options.kernels = std::make_shared<KernelCache>(device, KernelCacheOptions{folder});
  auto executable = Executable::create(makeScale(), device, options);
  ASSERT_TRUE(executable.ok());
  Tensor input = upload(std::vector<float>{1, 2, 3}, DType::F32);
  Expected<std::vector<Tensor>> result = (*executable)->call({input.view(), ScalarValue::f32(2)});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(download<float>((*result)[0]), (std::vector<float>{2, 4, 6}));
  std::filesystem::remove_all(folder);
}

TEST_F(CudaSmoke, AssemblerErrorsCarryTheLog) {
  Kernel bad = makeKernel("scale", ".version 7.8\n.target sm_80\nnonsense\n");
  for (bool assemble : {true, false}) {
    Error error =
        assemble ? device->assemble(bad).takeError() : device->loadKernel(bad).takeError();
    EXPECT_EQ(error.code, ErrorCode::KernelLoadFailed);
    EXPECT_NE(error.message.find("line 3"), std::string::npos) << error.message;
  }
  Kernel missing = makeKernel("absent", kScale);
  Expected<std::shared_ptr<LoadedKernel>> loaded = device->loadKernel(missing);
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().message.find("an entry 'absent'"), std::string::npos);
}

TEST_F(CudaSmoke, LargeSharedMemoryClustersAndCooperation) {
  Expected<std::shared_ptr<LoadedKernel>> kernel =
      device->loadKernel(makeKernel("shared", kShared));
  ASSERT_TRUE(kernel.ok()) << kernel.error().str();
  Tensor out = upload(std::vector<int32_t>(256, 0), DType::I32);
  auto launch = [&](LaunchConfig config) {
    uint32_t bytes = config.dynamicSharedBytes;
    KernelParameter parameters[] = {{&out.data, 8}, {&bytes, 4}};
    return device->launch(**kernel, config, {parameters, 2});
  };
  LaunchConfig config;
  config.grid[0] = 16;
  config.dynamicSharedBytes = static_cast<uint32_t>(device->description().sharedBytesPerBlockOptIn);
  Status status = launch(config);
  ASSERT_TRUE(status.ok()) << status.error().str();
  EXPECT_EQ(download<int32_t>(out)[15], 1015);
  config.dynamicSharedBytes += 1024;
  status = launch(config);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::InvalidLaunch);

  // One block of this size fits a multiprocessor.
  config.dynamicSharedBytes -= 1024;
  config.cooperative = true;
  config.grid[0] = static_cast<uint32_t>(device->description().multiprocessors);
  status = launch(config);
  ASSERT_TRUE(status.ok()) << status.error().str();
  config.grid[0] += 1;
  status = launch(config);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::CooperativeTooLarge);
  std::cout << status.error().message << "\n";

  if (device->description().maxClusterBlocks < 8)
    return;
  for (uint32_t blocks : {2u, 8u, 16u}) {
    config = LaunchConfig();
    config.grid[0] = 2 * blocks;
    config.cluster[0] = blocks;
    config.dynamicSharedBytes = 1024;
    status = launch(config);
    ASSERT_TRUE(status.ok()) << status.error().str();
    EXPECT_EQ(download<int32_t>(out)[2 * blocks - 1], static_cast<int32_t>(999 + 2 * blocks));
  }
}

TEST_F(CudaSmoke, ParametersOfATable) {
  Kernel code = makeKernel("table", kTable);
  code.attributes = {{kParameterRun, 3}, {kParameterRun, 1}};
  Expected<std::shared_ptr<LoadedKernel>> kernel = device->loadKernel(code);
  ASSERT_TRUE(kernel.ok()) << kernel.error().str();
  Tensor out = upload(std::vector<int32_t>(3, 0), DType::I32);
  uint32_t values[3] = {5, 6, 7};
  KernelParameter parameters[] = {
      {&values[0], 4}, {&values[1], 4}, {&values[2], 4}, {&out.data, 8}};
  LaunchConfig config;
  config.grid[0] = 3;
  Status status = device->launch(**kernel, config, {parameters, 4});
  ASSERT_TRUE(status.ok()) << status.error().str();
  EXPECT_EQ(download<int32_t>(out), (std::vector<int32_t>{5, 6, 7}));
}

TEST_F(CudaSmoke, StreamsAndEvents) {
  Expected<Stream> stream = device->createStream();
  ASSERT_TRUE(stream.ok());
  Expected<Event> start = device->createEvent(), stop = device->createEvent();
  auto executable = Executable::create(makeScale(), device);
  ASSERT_TRUE(executable.ok());
  std::vector<float> x(1 << 22, 3);
  Tensor input = upload(x, DType::F32);
  ASSERT_TRUE(device->recordEvent(*start, *stream).ok());
  {
    Expected<std::vector<Tensor>> result =
        (*executable)->call({input.view(), ScalarValue::f32(2)}, *stream);
    ASSERT_TRUE(result.ok());
    ASSERT_TRUE(device->recordEvent(*stop, *stream).ok());
    Expected<double> ms = device->elapsedMilliseconds(*start, *stop);
    ASSERT_TRUE(ms.ok());
    EXPECT_GT(*ms, 0.0);
  }
  EXPECT_TRUE(device->destroyEvent(*start).ok());
  EXPECT_TRUE(device->destroyEvent(*stop).ok());
  EXPECT_TRUE(device->destroyStream(*stream).ok());
}

TEST_F(CudaSmoke, OrdinalsAreChecked) {
  CudaDeviceOptions options;
  options.ordinal = 99;
  Expected<std::unique_ptr<Device>> none = createCudaDevice(options);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::DeviceUnavailable);
}

TEST_F(CudaSmoke, OutOfMemoryIsTyped) {
  Expected<void *> memory = device->allocate(size_t(1) << 50, nullptr);
  ASSERT_FALSE(memory.ok());
  EXPECT_EQ(memory.error().code, ErrorCode::OutOfMemory);
  // Nothing is broken by it.
  EXPECT_TRUE(allocateTensor(device, DType::F32, std::vector<int64_t>{100}).ok());
}

} // namespace
