//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernel IR and a host function as text, through the host target, the artifact (saved and loaded)
// and the runtime to numbers.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Export/ExportArtifact.h"
#include "fuser/Runtime/Executable.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Target/Host/EmitHostObject.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

using namespace fuser::runtime;

namespace {

/// y[m, n] = a * x[m, n], rows of x at any stride, one element per thread.
constexpr const char *kScale = R"mlir(
gpu.module @scale attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @scale(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.readonly},
                  %a: f32 {fuser_gpu.bind = #fuser_gpu.scalar<1>},
                  %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<2>},
                  %m: index {fuser_gpu.bind = #fuser_gpu.size<0, 0>},
                  %n: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>},
                  %s: index {fuser_gpu.bind = #fuser_gpu.stride<0, 0>}) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<
          grid = affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 64, 1, 1)>,
          symbols = [#fuser_gpu.size<0, 0>, #fuser_gpu.size<0, 1>]>} {
    %c64 = arith.constant 64 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %base = arith.muli %b, %c64 : index
    %i = arith.addi %base, %t : index
    %count = arith.muli %m, %n : index
    %inside = arith.cmpi slt, %i, %count : index
    scf.if %inside {
      %row = arith.divui %i, %n : index
      %column = arith.remui %i, %n : index
      %offset = arith.muli %row, %s : index
      %at = arith.addi %offset, %column : index
      %xs = memref.reinterpret_cast %x to offset: [0], sizes: [2147483647], strides: [1]
          : memref<f32> to memref<2147483647xf32, strided<[1]>>
      %ys = memref.reinterpret_cast %y to offset: [0], sizes: [2147483647], strides: [1]
          : memref<f32> to memref<2147483647xf32, strided<[1]>>
      %v = memref.load %xs[%at] : memref<2147483647xf32, strided<[1]>>
      %w = arith.mulf %v, %a : f32
      memref.store %w, %ys[%i] : memref<2147483647xf32, strided<[1]>>
    }
    gpu.return
  }
}
fuser.host @f(%x: tensor<?x?xf32>, %a: f32) -> tensor<?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>, unit]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = fuser.alloc(%m, %n) : tensor<?x?xf32>
  %1 = fuser.launch @scale::@scale ins(%x, %a : tensor<?x?xf32>, f32)
         outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
})mlir";

/// y[n, m] = x[m, n] for x whose rows, or columns, lie at any stride: a block copies a box of 8 x 8
/// elements, of which the last dimension is the fastest one of x.
std::string getTransposeText(bool ofColumns) {
  std::string text = R"mlir(
!map = !fuser_gpu.tensor_map<8x8xf32, swizzle = 32>
!tile = memref<64xf32, #gpu.address_space<workgroup>>
!barrier = memref<1xi64, #gpu.address_space<workgroup>>
gpu.module @boxes attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @boxes(%map: !map {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = [DIMS]>},
                  %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>},
                  %m: index {fuser_gpu.bind = #fuser_gpu.size<0, SLOW>},
                  %n: index {fuser_gpu.bind = #fuser_gpu.size<0, FAST>})
      workgroup(%s: !tile {llvm.align = 1024 : i64}, %f: !barrier) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, fuser_gpu.launch = #fuser_gpu.launch<
          grid = affine_map<()[s0, s1] -> (s0 ceildiv 8, s1 ceildiv 8, 1)>,
          symbols = [#fuser_gpu.size<0, SLOW>, #fuser_gpu.size<0, FAST>]>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %bytes = arith.constant 256 : index
    %t = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row = arith.muli %bx, %c8 : index
    %column = arith.muli %by, %c8 : index
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      fuser_gpu.mbarrier_init %f[%c0] count 1 : !barrier
      fuser_gpu.mbarrier_fence
      fuser_gpu.mbarrier_expect %f[%c0] bytes %bytes : !barrier
      fuser_gpu.copy_tensor %map[%row, %column] to %s[%c0] signal %f[%c0] : !map, !tile, !barrier
    }
    gpu.barrier
    fuser_gpu.mbarrier_wait %f[%c0] phase %c0 : !barrier
    %r = arith.divui %t, %c8 : index
    %c = arith.remui %t, %c8 : index
    %chunk = arith.divui %c, %c4 : index
    %in = arith.remui %c, %c4 : index
    %group = arith.divui %r, %c4 : index
    %place = arith.xori %chunk, %group : index
    %base = arith.muli %r, %c8 : index
    %offset = arith.muli %place, %c4 : index
    %a = arith.addi %base, %offset : index
    %at = arith.addi %a, %in : index
    %i = arith.addi %row, %r : index
    %j = arith.addi %column, %c : index
    %inRows = arith.cmpi ult, %i, %m : index
    %inColumns = arith.cmpi ult, %j, %n : index
    %inside = arith.andi %inRows, %inColumns : i1
    scf.if %inside {
      %v = memref.load %s[%at] : !tile
      %ys = memref.reinterpret_cast %y to offset: [0], sizes: [2147483647], strides: [1]
          : memref<f32> to memref<2147483647xf32, strided<[1]>>
      %to = arith.muli %j, %m : index
      %index = arith.addi %to, %i : index
      memref.store %v, %ys[%index] : memref<2147483647xf32, strided<[1]>>
    }
    gpu.return
  }
}
fuser.host @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32>
    attributes {arg_layouts = [#fuser.layout<order = [DIMS], strided = [0]>]} {
  %slow = arith.constant SLOW : index
  %fast = arith.constant FAST : index
  %m = tensor.dim %x, %slow : tensor<?x?xf32>
  %n = tensor.dim %x, %fast : tensor<?x?xf32>
  %0 = fuser.alloc(%n, %m) : tensor<?x?xf32>
  %1 = fuser.launch @boxes::@boxes ins(%x : tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>)
         -> tensor<?x?xf32>
  fuser.return %1 : tensor<?x?xf32>
})mlir";
  auto replace = [&](const std::string &from, const std::string &to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
      text.replace(at, from.size(), to);
  };
  replace("DIMS", ofColumns ? "1, 0" : "0, 1");
  replace("SLOW", ofColumns ? "1" : "0");
  replace("FAST", ofColumns ? "0" : "1");
  return text;
}

/// The artifact of a program for this machine.
mlir::FailureOr<fuser::artifact::Artifact> compile(const std::string &text = kScale) {
  mlir::DialectRegistry registry;
  registry.insert<fuser::FuserDialect, mlir::tensor::TensorDialect>();
  fuser::registerHostTarget(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return mlir::failure();
  llvm::StringMap<fuser::artifact::Kernel> binaries;
  for (auto kernel : module->getOps<mlir::gpu::GPUModuleOp>()) {
    mlir::FailureOr<fuser::HostObject> object = fuser::emitHostObject(kernel);
    if (mlir::failed(object))
      return mlir::failure();
    binaries[kernel.getName()] = fuser::toKernel(*object);
  }
  return fuser::exportArtifact(*module->getOps<fuser::HostOp>().begin(), binaries,
                               *fuser::artifact::lookupDevice("sm_90"));
}

TEST(HostEndToEnd, TextToNumbers) {
  mlir::FailureOr<fuser::artifact::Artifact> compiled = compile();
  ASSERT_TRUE(mlir::succeeded(compiled));
  auto loaded = fuser::artifact::deserialize(serialize(*compiled));
  ASSERT_TRUE(loaded.ok()) << loaded.error().str();
  auto created = createHostDevice();
  ASSERT_TRUE(created.ok()) << created.error().str();
  std::shared_ptr<Device> device = created.take();
  auto executable = Executable::create(loaded.take(), device);
  ASSERT_TRUE(executable.ok()) << executable.error().str();

  std::mt19937 random(9);
  std::normal_distribution<float> normal;
  struct {
    int64_t m, n, stride;
  } cases[] = {{1, 1, 1},       {3, 7, 7}, {3, 7, 11}, {64, 64, 64},
               {5, 5002, 5002}, {0, 4, 4}, {4, 0, 9}};
  for (auto [m, n, stride] : cases) {
    std::vector<float> x(static_cast<size_t>(m * stride + n));
    for (float &value : x)
      value = normal(random);
    int64_t sizes[] = {m, n}, strides[] = {stride, 1};
    TensorView view{x.data(), DType::F32, 2, sizes, strides, idOf(*device)};
    Expected<std::vector<Tensor>> result = (*executable)->call({view, ScalarValue::f32(-1.5f)});
    ASSERT_TRUE(result.ok()) << result.error().str();
    const auto *y = static_cast<const float *>((*result)[0].data);
    for (int64_t i = 0; i < m * n; ++i) {
      double exact = -1.5 * x[static_cast<size_t>(i / n * stride + i % n)];
      ASSERT_EQ(y[i], static_cast<float>(exact)) << m << "x" << n << " at " << i;
    }
  }
}

class TensorMaps : public ::testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    mlir::FailureOr<fuser::artifact::Artifact> compiled = compile(getTransposeText(GetParam()));
    ASSERT_TRUE(mlir::succeeded(compiled));
    auto loaded = fuser::artifact::deserialize(serialize(*compiled));
    ASSERT_TRUE(loaded.ok()) << loaded.error().str();
    auto created = createHostDevice();
    ASSERT_TRUE(created.ok()) << created.error().str();
    device = created.take();
    auto made = Executable::create(loaded.take(), device);
    ASSERT_TRUE(made.ok()) << made.error().str();
    executable = made.take();
  }

  /// Calls with a matrix of `slow` rows at a stride.
  Expected<std::vector<Tensor>> call(float *x, int64_t slow, int64_t fast, int64_t stride) {
    int64_t sizes[] = {slow, fast}, strides[] = {stride, 1};
    if (GetParam()) {
      std::swap(sizes[0], sizes[1]);
      std::swap(strides[0], strides[1]);
    }
    return executable->call({TensorView{x, DType::F32, 2, sizes, strides, idOf(*device)}});
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<Executable> executable;
};

TEST_P(TensorMaps, AreMadeForEachCall) {
  std::mt19937 random(9);
  std::normal_distribution<float> normal;
  struct {
    int64_t slow, fast, stride;
  } cases[] = {{8, 8, 8}, {16, 24, 24}, {3, 5, 8}, {100, 12, 16},
               {1, 7, 3}, {9, 40, 64},  {0, 8, 8}, {8, 0, 16}};
  for (auto [slow, fast, stride] : cases) {
    auto x = static_cast<float *>(std::aligned_alloc(64, (slow * stride + fast) / 16 * 64 + 64));
    for (int64_t i = 0; i < slow * stride + fast; ++i)
      x[i] = normal(random);
    Expected<std::vector<Tensor>> result = call(x, slow, fast, stride);
    ASSERT_TRUE(result.ok()) << result.error().str();
    const auto *y = static_cast<const float *>((*result)[0].data);
    for (int64_t i = 0; i < slow; ++i)
      for (int64_t j = 0; j < fast; ++j)
        ASSERT_EQ(y[j * slow + i], x[i * stride + j]) << slow << "x" << fast << " at " << i << j;
    std::free(x);
  }
}

/// What is refused before a map is made.
TEST_P(TensorMaps, NeedAlignedRows) {
  alignas(64) float x[256] = {};
  Expected<std::vector<Tensor>> result = call(x, 4, 8, 9);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::GuardFailed);
  EXPECT_NE(result.error().message.find("strides of tensor copies of kernel 'boxes'"),
            std::string::npos)
      << result.error().message;
  result = call(x + 1, 4, 8, 8);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::AlignmentMismatch) << result.error().message;
}

INSTANTIATE_TEST_SUITE_P(Dims, TensorMaps, ::testing::Bool(),
                         [](const ::testing::TestParamInfo<bool> &info) {
                           return std::string(info.param ? "Columns" : "Rows");
                         });

TEST(HostEndToEnd, TheGpuRefusesHostCodeAndTheOtherWayRound) {
  mlir::FailureOr<fuser::artifact::Artifact> compiled = compile();
  ASSERT_TRUE(mlir::succeeded(compiled));
  compiled->kernels[0].format = fuser::artifact::KernelFormat::PTX;
  auto device = createHostDevice();
  ASSERT_TRUE(device.ok());
  auto executable = Executable::create(*compiled, device.take());
  ASSERT_FALSE(executable.ok());
  EXPECT_EQ(executable.error().code, ErrorCode::DeviceUnavailable);
}

} // namespace
