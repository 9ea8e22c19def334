//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiles kernel IR text for the host device and launches it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_RUNTIME_HOST_HOSTKERNELTEST_H
#define FUSER_UNITTESTS_RUNTIME_HOST_HOSTKERNELTEST_H

#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Target/Host/EmitHostObject.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace fuser::test {

using runtime::ErrorCode;

/// bf16 as the kernels see it: conversions written down independently of the compiler's.
inline float fromBF16(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}
inline uint16_t toBF16(double exact) {
  auto value = static_cast<float>(exact);
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (std::isnan(value))
    return 0x7FC0;
  const uint32_t low = bits & 0xFFFF, half = 0x8000;
  uint32_t high = bits >> 16;
  if (low > half || (low == half && (high & 1) != 0))
    ++high;
  return static_cast<uint16_t>(high);
}

inline std::vector<float> randomFloats(size_t count, uint32_t seed, float low = -2,
                                       float high = 2) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(low, high);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(generator);
  return values;
}
inline std::vector<uint16_t> randomBF16(size_t count, uint32_t seed, float low = -2,
                                        float high = 2) {
  std::vector<uint16_t> values;
  for (float value : randomFloats(count, seed, low, high))
    values.push_back(toBF16(value));
  return values;
}

/// Packs parameters by value, in order; they live as long as the object.
class Parameters {
public:
  template <typename... Ts> explicit Parameters(Ts... values) { (add(values), ...); }
  template <typename T> void add(T value) {
    storage.emplace_back(sizeof(T));
    std::memcpy(storage.back().data(), &value, sizeof(T));
  }
  std::vector<runtime::KernelParameter> view() const {
    std::vector<runtime::KernelParameter> result;
    for (const std::vector<char> &value : storage)
      result.push_back({value.data(), static_cast<uint32_t>(value.size())});
    return result;
  }

private:
  std::vector<std::vector<char>> storage;
};

inline runtime::LaunchConfig shape(uint32_t grid, uint32_t block) {
  runtime::LaunchConfig config;
  config.grid[0] = grid;
  config.block[0] = block;
  return config;
}

class HostKernelTest : public ::testing::Test {
protected:
  HostKernelTest() : HostKernelTest(runtime::HostDeviceOptions()) {}
  explicit HostKernelTest(const runtime::HostDeviceOptions &options) {
    mlir::DialectRegistry registry;
    registerHostTarget(registry);
    context.appendDialectRegistry(registry);
    auto made = runtime::createHostDevice(options);
    EXPECT_TRUE(made.ok());
    device = made.take();
  }

  /// Parses, compiles and loads the one kernel module of `text`; null (and a failure) on an error.
  std::shared_ptr<runtime::LoadedKernel> load(const std::string &text,
                                              const HostTargetOptions &options = {}) {
    mlir::OwningOpRef<mlir::ModuleOp> module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context, "kernel.mlir");
    if (!module) {
      ADD_FAILURE() << "the kernel does not parse";
      return nullptr;
    }
    auto kernel = *module->getOps<mlir::gpu::GPUModuleOp>().begin();
    mlir::FailureOr<HostObject> object = emitHostObject(kernel, options);
    if (mlir::failed(object)) {
      ADD_FAILURE() << "the kernel does not compile";
      return nullptr;
    }
    times = object->times;
    auto loaded = device->loadKernel(toKernel(*object));
    if (!loaded) {
      ADD_FAILURE() << loaded.error().str();
      return nullptr;
    }
    return loaded.take();
  }

  runtime::Status launch(runtime::LoadedKernel &kernel, const runtime::LaunchConfig &config,
                         const Parameters &parameters) {
    return device->launch(kernel, config, parameters.view());
  }

  /// Loads and launches; a failure on an error.
  void run(const std::string &text, const runtime::LaunchConfig &config,
           const Parameters &parameters) {
    auto kernel = load(text);
    ASSERT_TRUE(kernel);
    runtime::Status status = launch(*kernel, config, parameters);
    ASSERT_TRUE(status.ok()) << status.error().str();
  }

  mlir::MLIRContext context;
  std::unique_ptr<runtime::Device> device;
  HostCompileTimes times;
};

} // namespace fuser::test

#endif // FUSER_UNITTESTS_RUNTIME_HOST_HOSTKERNELTEST_H
