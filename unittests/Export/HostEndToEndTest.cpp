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

#include <random>

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

/// The artifact of kScale for this machine.
mlir::FailureOr<fuser::artifact::Artifact> compile() {
  mlir::DialectRegistry registry;
  registry.insert<fuser::FuserDialect, mlir::tensor::TensorDialect>();
  fuser::registerHostTarget(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kScale, &context);
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
