//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Export/ExportArtifact.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using fuser::artifact::Artifact;

namespace {

class ExportTest : public ::testing::Test {
protected:
  ExportTest() {
    DialectRegistry registry;
    registry.insert<fuser::FuserDialect, fuser::kernel_ir::FuserGPUDialect, arith::ArithDialect,
                    gpu::GPUDialect, memref::MemRefDialect, tensor::TensorDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    binaries["k"].name = "k";
    binaries["k"].chip = "sm_90";
    binaries["k"].entry = "k";
    binaries["k"].code = "code";
  }

  /// Exports the one host function of `text`; diagnostics are gathered in `diagnostics`.
  FailureOr<Artifact> run(const std::string &text) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      diagnostics += diagnostic.str() + "\n";
      return success();
    });
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return failure();
    auto hosts = module->getOps<fuser::HostOp>();
    return fuser::exportArtifact(*hosts.begin(), binaries, *fuser::artifact::lookupDevice("sm_90"));
  }

  /// Expects `lines` in the artifact's text.
  void expectLines(const std::string &text, std::initializer_list<const char *> lines) {
    FailureOr<Artifact> artifact = run(text);
    ASSERT_TRUE(succeeded(artifact)) << diagnostics;
    std::string printed = printArtifact(*artifact);
    for (const char *line : lines)
      EXPECT_NE(printed.find(std::string(line) + "\n"), std::string::npos)
          << "expected: " << line << "\nin:\n"
          << printed;
  }

  void expectDiagnostic(const std::string &text, const std::string &message) {
    diagnostics.clear();
    EXPECT_TRUE(failed(run(text)));
    EXPECT_NE(diagnostics.find(message), std::string::npos)
        << "expected: " << message << "\ngot: " << diagnostics;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  llvm::StringMap<fuser::artifact::Kernel> binaries;
  std::string diagnostics;
};

/// A kernel `k` with these arguments, attributes of its launch, and of its module.
std::string kernel(const std::string &arguments, const std::string &launch,
                   const std::string &module = "") {
  return "gpu.module @k " + module + " { gpu.func @k(" + arguments +
         ") kernel attributes {known_block_size = array<i32: 256, 1, 1>, fuser_gpu.launch = "
         "#fuser_gpu.launch<" +
         launch + ">} { gpu.return } }\n";
}

const char *const kOneBlock = "grid = affine_map<() -> (1, 1, 1)>";

TEST_F(ExportTest, PointwiseWithDynamicSizes) {
  expectLines(
      kernel(
          "%x: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<0>, fuser_gpu.align = 16 : i64},"
          "%y: memref<bf16> {fuser_gpu.bind = #fuser_gpu.pointer<2>, fuser_gpu.align = 32 : i64},"
          "%n: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>},"
          "%a: f32 {fuser_gpu.bind = #fuser_gpu.scalar<1>}",
          "grid = affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 2048, 1, 1)>, symbols = "
          "[#fuser_gpu.size<0, 0>, #fuser_gpu.size<0, 1>]",
          "attributes {fuser_gpu.index_bits = 32 : i32}") +
          R"(fuser.host @f(%x: tensor<?x?xbf16>, %a: f32) -> tensor<?x?xbf16>
               attributes {facts = [#fuser.fact<divisible 0[1], 8>, #fuser.fact<at_most 0[0], 100>,
                                    #fuser.fact<elements_at_most 0, 1000>]} {
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %m = tensor.dim %x, %c0 : tensor<?x?xbf16>
               %n = tensor.dim %x, %c1 : tensor<?x?xbf16>
               %0 = fuser.alloc(%m, %n) : tensor<?x?xbf16>
               %1 = fuser.launch @k::@k ins(%x, %a : tensor<?x?xbf16>, f32)
                      outs(%0 : tensor<?x?xbf16>) -> tensor<?x?xbf16>
               fuser.return %1 : tensor<?x?xbf16>
             })",
      {"argument 0 x: bf16[?, ?] order [0, 1] align 16", "argument 1 a: f32 scalar",
       "output out0: bf16[x.size[0], x.size[1]] strides [x.size[1], 1] align 32",
       "guard x.size[1] mod 8 == 0 : fact of the fusion",
       "guard x.size[0] <= 100 : fact of the fusion",
       "guard ((x.size[0] - 1) * x.size[1]) + (x.size[1] - 1) <= 1000 : "
       "fact of the fusion",
       "  %1 = alloc bf16[x.size[0], x.size[1]] strides [x.size[1], 1]",
       "  launch k(%x, %1, x.size[1] : i32, a) grid [ceildiv(x.size[0] * x.size[1], "
       "2048), 1, 1] block [256, 1, 1] cluster [1, 1, 1] shared 0",
       "    reads %x[0, 0][x.size[0], x.size[1]] bytes [0, (x.size[0] * x.size[1]) "
       "* "
       "2)",
       "    writes %1[0, 0][x.size[0], x.size[1]] bytes [0, (x.size[0] * x.size[1]) * "
       "2)",
       "  return %1"});
}

TEST_F(ExportTest, StridedArgumentsKeepTheirStrides) {
  // Kernels with 32-bit indices are guarded against rows that are too far apart.
  expectLines(kernel("%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>},"
                     "%s: index {fuser_gpu.bind = #fuser_gpu.stride<0, 0>},"
                     "%y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}",
                     kOneBlock, "attributes {fuser_gpu.index_bits = 32 : i32}") +
                  R"(fuser.host @f(%x: tensor<?x8xf32>) -> tensor<8xf32>
               attributes {arg_layouts = [#fuser.layout<order = [0, 1], strided = [0]>]} {
               %0 = fuser.alloc() : tensor<8xf32>
               %1 = fuser.launch @k::@k ins(%x : tensor<?x8xf32>) outs(%0 : tensor<8xf32>)
                      -> tensor<8xf32>
               fuser.return %1 : tensor<8xf32>
             })",
              {"argument 0 x: f32[?, 8] order [0 strided, 1] align 4",
               "guard ((x.size[0] - 1) * x.stride[0]) + 7 <= 2147483647 : 32-bit indices of kernel "
               "'k'",
               "  launch k(%x, x.stride[0] : i32, %1) grid [1, 1, 1] block [256, 1, 1] cluster [1, "
               "1, "
               "1] shared 0",
               "    reads %x[0, 0][x.size[0], 8] bytes [0, select(x.size[0] * 8, "
               "((((x.size[0] - 1) * x.stride[0]) + 7) + 1) * 4, 0))"});
}

TEST_F(ExportTest, TransposedLayoutsAndAllocations) {
  expectLines(kernel("%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>},"
                     "%s: index {fuser_gpu.bind = #fuser_gpu.stride<1, 1>}",
                     kOneBlock) +
                  R"(fuser.host @f(%x: tensor<?x?xf32>) -> tensor<?x4xf32>
               attributes {arg_layouts = [#fuser.layout<order = [1, 0]>]} {
               %c1 = arith.constant 1 : index
               %n = tensor.dim %x, %c1 : tensor<?x?xf32>
               %0 = fuser.alloc(%n) order [1, 0] : tensor<?x4xf32>
               %1 = fuser.launch @k::@k ins(%x : tensor<?x?xf32>) outs(%0 : tensor<?x4xf32>)
                      -> tensor<?x4xf32>
               fuser.return %1 : tensor<?x4xf32>
             })",
              {"argument 0 x: f32[?, ?] order [1, 0] align 4",
               "output out0: f32[x.size[1], 4] strides [1, x.size[1]] align 4",
               "  launch k(%x, x.size[1] : i64) grid [1, 1, 1] block [256, 1, 1] cluster [1, 1, 1] "
               "shared 0"});
}

TEST_F(ExportTest, WorkspacesLiveAroundTheirLaunch) {
  expectLines(
      kernel("%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>},"
             "%w: memref<f32> {fuser_gpu.bind = #fuser_gpu.workspace<0, zeroed = false>},"
             "%c: memref<i32> {fuser_gpu.bind = #fuser_gpu.workspace<1, zeroed = true>}",
             "grid = affine_map<()[s0] -> (s0, 1, 1)>, symbols = [#fuser_gpu.size<0, 0>], smem = "
             "affine_map<()[s0] -> (s0 * 4)>, workspaces = [affine_map<()[s0] -> (s0 * 8)>, "
             "affine_map<()[s0] -> (4)>], cooperative = true, cluster = [2, 1, 1]") +
          R"(fuser.host @f(%x: tensor<?xf32>) {
               fuser.launch @k::@k ins(%x : tensor<?xf32>)
               fuser.return
             })",
      {"  %1 = alloc u8[x.size[0] * 8] strides [1]", "  %2 = alloc u8[4] strides [1] zeroed",
       "  launch k(%x, %1, %2) grid [x.size[0], 1, 1] block [256, 1, 1] cluster [2, 1, 1] "
       "shared x.size[0] * 4 cooperative",
       "    reads and writes %2[0][4] bytes [0, 4)", "  free %1", "  free %2"});
}

/// A kernel that needs a workspace of zeros, and has `body`; a launch, a dependent one, and one
/// that is not because of the copy before it.
static std::string makeChain(const std::string &body) {
  std::string text = kernel(
      "%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>},"
      "%c: memref<i32> {fuser_gpu.bind = #fuser_gpu.workspace<0, zeroed = true>}",
      "grid = affine_map<() -> (1, 1, 1)>, symbols = [], workspaces = [affine_map<() -> (4)>]");
  text.replace(text.find("gpu.return"), 0, body + " ");
  return text + R"(fuser.host @f(%x: tensor<4xf32>) -> tensor<4xf32> {
                     %0 = fuser.alloc() : tensor<4xf32>
                     fuser.launch @k::@k ins(%x : tensor<4xf32>)
                     fuser.launch @k::@k ins(%x : tensor<4xf32>) {fuser.dependent}
                     %1 = fuser.copy %x into %0 : tensor<4xf32>, tensor<4xf32>
                     fuser.launch @k::@k ins(%x : tensor<4xf32>) {fuser.dependent}
                     fuser.return %1 : tensor<4xf32>
                   })";
}

TEST_F(ExportTest, WorkspacesOfDependentLaunchesAreClearedBeforeTheFirstOne) {
  FailureOr<Artifact> artifact = run(makeChain("fuser_gpu.wait_dependencies"));
  ASSERT_TRUE(succeeded(artifact)) << diagnostics;
  EXPECT_EQ(artifact->kernels[0].attribute(fuser::artifact::kWaitsForLaunches, 0), 1);
  std::string order;
  for (const fuser::artifact::Instruction &instruction : artifact->program.instructions) {
    const auto *alloc = std::get_if<fuser::artifact::Alloc>(&instruction);
    const auto *launch = std::get_if<fuser::artifact::Launch>(&instruction);
    if (alloc && alloc->zeroed)
      order += "clear ";
    if (launch)
      order += launch->dependent ? "dependent " : "launch ";
    if (std::holds_alternative<fuser::artifact::Copy>(instruction))
      order += "copy ";
  }
  EXPECT_EQ(order, "clear clear launch dependent copy clear launch ");
}

TEST_F(ExportTest, DependentLaunchesNeedKernelsThatWait) {
  expectDiagnostic(makeChain(""),
                   "expected @k::@k to have a fuser_gpu.wait_dependencies, because the launch has "
                   "'fuser.dependent'");
}

TEST_F(ExportTest, AliasedOutputsAreTheArgument) {
  expectLines(kernel("%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>},"
                     "%y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}",
                     kOneBlock) +
                  R"(fuser.host @f(%x: tensor<4xf32>) -> tensor<4xf32>
                       attributes {aliases = [#fuser.alias<output 0, input 0>]} {
                       %1 = fuser.launch @k::@k ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>)
                              -> tensor<4xf32>
                       fuser.return %1 : tensor<4xf32>
                     })",
              {"output out0: f32[4] strides [1] in x align 4",
               "    reads and writes %x[0][4] bytes [0, 16)", "  return %x"});
}

TEST_F(ExportTest, ViewsLoopsCopiesAndLibraryCalls) {
  expectLines(kernel("%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>},"
                     "%i: index {fuser_gpu.bind = #fuser_gpu.scalar<1>},"
                     "%y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<2>}",
                     kOneBlock) +
                  R"(fuser.host @f(%x: tensor<?x4xf32>, %k: i64) -> tensor<?x4xf32> {
               %c0 = arith.constant 0 : index
               %c2 = arith.constant 2 : index
               %m = tensor.dim %x, %c0 : tensor<?x4xf32>
               %kk = arith.index_cast %k : i64 to index
               %less = arith.cmpi sgt, %m, %kk : index
               %count = arith.select %less, %kk, %m : index
               %0 = fuser.alloc(%m) : tensor<?x4xf32>
               %1 = fuser.copy %x into %0 : tensor<?x4xf32>, tensor<?x4xf32>
               fuser.for %i to %count streams 2 {
                 %row = arith.muli %i, %c2 : index
                 %a = fuser.view %x [%row, 1] [2, 3] : tensor<?x4xf32> -> tensor<2x3xf32>
                 %b = fuser.view %1 [%row, 1] [2, 3] : tensor<?x4xf32> -> tensor<2x3xf32>
                 %l = fuser.launch @k::@k ins(%a, %i : tensor<2x3xf32>, index)
                        outs(%b : tensor<2x3xf32>) -> tensor<2x3xf32>
               }
               %2 = fuser.library_call "sort" ins(%x : tensor<?x4xf32>)
                      outs(%1 : tensor<?x4xf32>) options {axis = 1 : i64, kind = "stable"}
                      -> tensor<?x4xf32>
               fuser.return %2 : tensor<?x4xf32>
             })",
              {"  copy %x into %1", "  for loop0 < select(k < x.size[0], k, x.size[0]) streams 2",
               "  %2 = view %x offset ((loop0 * 2) * 4) + 1 sizes [2, 3] strides [4, 1]",
               "  %3 = view %1 offset ((loop0 * 2) * 4) + 1 sizes [2, 3] strides [4, 1]",
               "  launch k(%2, loop0 : i64, %3) grid [1, 1, 1] block [256, 1, 1] cluster [1, 1, 1] "
               "shared 0",
               "    reads %2[0, 0][2, 3] bytes [0, 28)", "  end loop0",
               "  library_call sort(%x) -> (%1) axis=1 : i64 kind=stable", "  return %1"});
}

/// The strides of each group are those of its fastest dimension that is longer than 1, if there is
/// one.
TEST_F(ExportTest, ReshapedViews) {
  expectLines(
      R"(fuser.host @f(%x: tensor<6x1x8x1xf32>, %n: index) -> tensor<2x3x1x?x2xf32>
                   attributes {arg_layouts = [#fuser.layout<order = [0, 1, 2, 3],
                                                            strided = [0, 1, 2, 3]>, unit]} {
                   %0 = fuser.reshape_view %x [2, 3, 1, %n, 2] groups [1, 1, 2] to [2, 1, 2]
                          : tensor<6x1x8x1xf32> -> tensor<2x3x1x?x2xf32>
                   fuser.return %0 : tensor<2x3x1x?x2xf32>
                 })",
      {"  %1 = view %x offset 0 sizes [2, 3, 1, n, 2] strides [x.stride[0] * 3, x.stride[0], "
       "1, x.stride[2] * 2, x.stride[2]]"});
}

TEST_F(ExportTest, ZeroDimensionsAndSpecialTypes) {
  expectLines(kernel("%x: memref<i8> {fuser_gpu.bind = #fuser_gpu.pointer<0>}", kOneBlock) +
                  R"(fuser.host @f(%x: tensor<i1>, %y: tensor<2xcomplex<f32>>, %z: i1) {
                       fuser.launch @k::@k ins(%x : tensor<i1>)
                       fuser.return
                     })",
              {"argument 0 x: bool[] order [] align 1",
               "argument 1 y: complex64[2] order [0] align 8", "argument 2 z: bool scalar",
               "    reads %x[][] bytes [0, 1)"});
}

TEST_F(ExportTest, OneKernelMayBeLaunchedTwice) {
  FailureOr<Artifact> artifact =
      run(kernel("%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}", kOneBlock) +
          R"(fuser.host @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
               fuser.launch @k::@k ins(%x : tensor<4xf32>)
               fuser.launch @k::@k ins(%y : tensor<5xf32>)
               fuser.return
             })");
  ASSERT_TRUE(succeeded(artifact)) << diagnostics;
  EXPECT_EQ(artifact->kernels.size(), 1u);
}

TEST_F(ExportTest, FactsThatNeverHoldStayGuards) {
  expectLines(R"(fuser.host @f(%x: tensor<6xf32>) attributes {facts = [
                   #fuser.fact<divisible 0[0], 4>, #fuser.fact<at_least 0[0], 1>,
                   #fuser.fact<aligned 0, 16>]} {
                   fuser.return
                 })",
              {"argument 0 x: f32[6] order [0] align 16", "guard 2 == 0 : fact of the fusion"});
  EXPECT_EQ(run(R"(fuser.host @f(%x: tensor<6xf32>) attributes {facts = [
                     #fuser.fact<at_least 0[0], 1>]} { fuser.return })")
                ->guards.size(),
            0u);
}

TEST_F(ExportTest, WhatAKernelReliesOnIsGuarded) {
  // The schedule's facts are about operands of the launch: here an allocation and a view.
  std::string text =
      "gpu.module @k { gpu.func @k(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>, "
      "fuser_gpu.align = 16 : i64}, %y: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<1>}) "
      "kernel "
      "attributes {known_block_size = array<i32: 1, 1, 1>, fuser.facts = [#fuser.fact<divisible "
      "0[0], 4>, #fuser.fact<elements_at_most 1, 1000>, #fuser.fact<aligned 1, 64>], "
      "fuser_gpu.launch = #fuser_gpu.launch<grid = affine_map<() -> (1, 1, 1)>>} { gpu.return } "
      "}\n";
  expectLines(text + R"(fuser.host @f(%x: tensor<?xf32>, %o: index) -> tensor<?xf32> {
                          %c0 = arith.constant 0 : index
                          %c2 = arith.constant 2 : index
                          %n = tensor.dim %x, %c0 : tensor<?xf32>
                          %m = arith.subi %n, %o : index
                          %v = fuser.view %x [%o] [%m] : tensor<?xf32> -> tensor<?xf32>
                          %k = arith.muli %m, %c2 : index
                          %0 = fuser.alloc(%k) : tensor<?xf32>
                          %1 = fuser.launch @k::@k ins(%v : tensor<?xf32>) outs(%0 : tensor<?xf32>)
                                 -> tensor<?xf32>
                          fuser.return %1 : tensor<?xf32>
                        })",
              {"argument 0 x: f32[?] order [0] align 16",
               "guard (o * 4) mod 16 == 0 : aligned accesses of kernel 'k'",
               "guard (x.size[0] - o) mod 4 == 0 : schedule of kernel 'k'",
               "guard ((x.size[0] - o) * 2) - 1 <= 1000 : schedule of kernel 'k'",
               "output out0: f32[(x.size[0] - o) * 2] strides [1] align 64"});
  std::string loop = R"(fuser.host @f(%x: tensor<?xf32>) {
                          %c4 = arith.constant 4 : index
                          fuser.for %i to %c4 streams 1 {
                            %j = arith.muli %i, %c4 : index
                            %v = fuser.view %x [OFFSET] [4] : tensor<?xf32> -> tensor<4xf32>
                            %0 = fuser.alloc() : tensor<4xf32>
                            %1 = fuser.launch @k::@k ins(%v : tensor<4xf32>)
                                   outs(%0 : tensor<4xf32>) -> tensor<4xf32>
                          }
                          fuser.return
                        })";
  auto withOffset = [&](const char *offset) {
    std::string result = text + loop;
    return result.replace(result.find("OFFSET"), 6, offset);
  };
  ASSERT_TRUE(succeeded(run(withOffset("%j")))) << diagnostics;
  expectDiagnostic(
      withOffset("%i"),
      "expected parts that begin at multiples of 16 bytes, but got an offset or a step of 4 "
      "(aligned accesses of kernel 'k')");
}

TEST_F(ExportTest, RefusalsAreDiagnosticsAtTheOp) {
  std::string launchOfX = R"(fuser.host @f(%x: tensor<4xf32>) {
                               fuser.launch @k::@k ins(%x : tensor<4xf32>)
                               fuser.return
                             })";
  expectDiagnostic(R"(fuser.kernel @k(%x: tensor<4xf32>) { fuser.return }
                      fuser.host @f(%x: tensor<4xf32>) {
                        fuser.launch @k ins(%x : tensor<4xf32>)
                        fuser.return
                      })",
                   "expected a kernel that is lowered to kernel IR, but got @k");
  expectDiagnostic(kernel("%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<3>}", kOneBlock) +
                       launchOfX,
                   "expected an operand for #fuser_gpu.pointer<3>, but there is none");
  expectDiagnostic(kernel("%x: memref<f32>", kOneBlock) + launchOfX,
                   "expected argument 0 of @k::@k to have 'fuser_gpu.bind'");
  expectDiagnostic(kernel("%x: index {fuser_gpu.bind = #fuser_gpu.size<0, 2>}", kOneBlock) +
                       launchOfX,
                   "expected #fuser_gpu.size<0, 2> to name one of 1 dimensions");
  expectDiagnostic(kernel("%x: index {fuser_gpu.bind = #fuser_gpu.size<0, 1>}", kOneBlock) +
                       launchOfX,
                   "expected #fuser_gpu.size<0, 1> to name one of 1 dimensions");
  expectDiagnostic(kernel("%x: index {fuser_gpu.bind = #fuser_gpu.stride<1, 0>}", kOneBlock) +
                       launchOfX,
                   "expected an operand for #fuser_gpu.stride<1, 0>, but there is none");
  expectDiagnostic(
      kernel("%x: !fuser_gpu.tensor_map<8x8xf32> {fuser_gpu.bind = #fuser_gpu.tensor_map<0, dims = "
             "[0, 1]>}",
             kOneBlock) +
          launchOfX,
      "expected #fuser_gpu.tensor_map<0, dims = [0, 1]> to name the 1 dimensions of operand 0");
  expectDiagnostic(R"(fuser.host @f(%n: index) {
                        fuser.for %i to %n streams 1000000 {
                        }
                        fuser.return
                      })",
                   "'fuser.host' op expected a host program that the runtime accepts, but got: "
                   "artifact 'f': instruction 0: expected 1 to ");
  auto withAttributes = [](const std::string &attributes) {
    return "gpu.module @k { gpu.func @k(%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}) "
           "kernel attributes {" +
           attributes + "} { gpu.return } }\n";
  };
  const std::string block = "known_block_size = array<i32: 1, 1, 1>",
                    launch = std::string("fuser_gpu.launch = #fuser_gpu.launch<") + kOneBlock + ">";
  expectDiagnostic(withAttributes(block) + launchOfX, "expected @k::@k to have 'fuser_gpu.launch'");
  expectDiagnostic(withAttributes(block + ", " + launch + ", fuser.facts = [1]") + launchOfX,
                   "expected 'fuser.facts' of @k::@k to hold facts, but got 1 : i64");
  // Integer arithmetic of tensors.
  for (const char *op :
       {"arith.addi %x, %x : tensor<4xi64>", "arith.cmpi slt, %x, %x : tensor<4xi64>",
        "arith.index_cast %x : tensor<4xi64> to tensor<4xindex>",
        "arith.select %c, %x, %x : tensor<4xi64>"}) {
    expectDiagnostic("fuser.host @f(%x: tensor<4xi64>, %c: i1) { %0 = " + std::string(op) +
                         " fuser.return }",
                     "expected integers of the host program, but got a value of type "
                     "'tensor<4xi64>'");
    EXPECT_EQ(llvm::StringRef(diagnostics).count('\n'),
              llvm::StringRef(op).contains("cast") ? 1u : 2u);
  }
  expectDiagnostic(R"(fuser.host @f(%x: tensor<?xf32>, %i: index) {
                        %0 = tensor.dim %x, %i : tensor<?xf32>
                        fuser.return
                      })",
                   "expected a constant dimension below 1");
  for (const char *dim : {"-1", "1"})
    expectDiagnostic(std::string("fuser.host @f(%x: tensor<?xf32>) { %i = arith.constant ") + dim +
                         " : index %0 = tensor.dim %x, %i : tensor<?xf32> fuser.return }",
                     "expected a constant dimension below 1");
  expectDiagnostic(R"(fuser.host @f(%x: f32) {
                        %0 = arith.constant 1.0 : f32
                        fuser.return
                      })",
                   "expected an integer constant in a host program, but got 1.000000e+00 : f32");
  expectDiagnostic(R"(fuser.host @f(%x: f32) {
                        %0 = arith.addf %x, %x : f32
                        fuser.return
                      })",
                   "expected a host op or integer arithmetic in a host program");
  expectDiagnostic(
      R"(fuser.host @f(%x: tensor<4xi3>) { fuser.return })",
      "expected argument 0 to be a tensor or scalar of a type that a call can pass, but "
      "got 'tensor<4xi3>'");
  binaries.clear();
  expectDiagnostic(kernel("%x: memref<f32> {fuser_gpu.bind = #fuser_gpu.pointer<0>}", kOneBlock) +
                       launchOfX,
                   "expected code for kernel 'k', but there is none");
}

} // namespace
