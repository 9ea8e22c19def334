//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Target/NVVM/EmitPTX.h"
#include "fuser/Target/NVVM/LowerToNVVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <thread>

using namespace mlir;
using namespace fuser::nvvm;

namespace {

constexpr char kScale[] = R"mlir(
gpu.module @scale attributes {fuser_gpu.index_bits = 32 : i32} {
  gpu.func @scale(%x: memref<f32> {fuser_gpu.readonly, fuser_gpu.noalias}, %y: memref<f32> {fuser_gpu.noalias},
                  %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %t = gpu.thread_id x
    %in = arith.cmpi slt, %t, %n : index
    scf.if %in {
      %v = memref.load %xs[%t] : memref<?xf32, strided<[1]>>
      %w = arith.addf %v, %v : f32
      memref.store %w, %ys[%t] : memref<?xf32, strided<[1]>>
    }
    gpu.return
  }
}
)mlir";

constexpr char kExp[] = R"mlir(
gpu.module @exp {
  gpu.func @exp(%x: memref<f32>) kernel {
    %v = memref.load %x[] : memref<f32>
    %w = math.exp %v : f32
    memref.store %w, %x[] : memref<f32>
    gpu.return
  }
}
)mlir";

/// An array that stays in the memory of the thread.
constexpr char kLocal[] = R"mlir(
gpu.module @local {
  gpu.func @local(%x: memref<f32>, %i: index, %j: index) kernel {
    %a = memref.alloca() : memref<4xf32>
    %v = memref.load %x[] : memref<f32>
    memref.store %v, %a[%i] : memref<4xf32>
    %w = memref.load %a[%j] : memref<4xf32>
    memref.store %w, %x[] : memref<f32>
    gpu.return
  }
}
)mlir";

/// A context with one parsed module of kernel IR, and what was reported in it.
class Kernel {
public:
  explicit Kernel(const char *text) : context(registry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      reported += diagnostic.str() + "\n";
      return success();
    });
    module = parseSourceString<ModuleOp>(text, &context);
  }
  gpu::GPUModuleOp operator*() { return *module->getOps<gpu::GPUModuleOp>().begin(); }
  std::string text() {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    module->print(os);
    return printed;
  }
  std::string reported;

private:
  static DialectRegistry registry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

std::string compile(const char *text) {
  Kernel kernel(text);
  FailureOr<CompiledKernelText> compiled = emitPTX(*kernel, {});
  return succeeded(compiled) ? compiled->ptx : "failed: " + kernel.reported;
}

TEST(EmitPTX, NamesTheEntryAndMeasuresEachStage) {
  Kernel kernel(kScale);
  FailureOr<CompiledKernelText> compiled = emitPTX(*kernel, {});
  ASSERT_TRUE(succeeded(compiled)) << kernel.reported;
  EXPECT_EQ(compiled->entry, "scale");
  EXPECT_NE(compiled->ptx.find(".visible .entry scale("), std::string::npos);
  EXPECT_GT(compiled->times.lower, 0);
  EXPECT_GT(compiled->times.translate, 0);
  EXPECT_EQ(compiled->times.link, 0) << "no function of libdevice is called";
  EXPECT_GT(compiled->times.optimize, 0);
  EXPECT_GT(compiled->times.codegen, 0);
}

TEST(EmitPTX, LeavesTheModuleAsItWas) {
  Kernel kernel(kScale);
  std::string before = kernel.text();
  ASSERT_TRUE(succeeded(emitPTX(*kernel, {}))) << kernel.reported;
  EXPECT_EQ(kernel.text(), before);
}

TEST(EmitPTX, TakesAModuleThatIsLoweredAlready) {
  Kernel kernel(kScale);
  ASSERT_TRUE(succeeded(lowerToNVVM(*kernel))) << kernel.reported;
  FailureOr<CompiledKernelText> compiled = emitPTX(*kernel, {});
  ASSERT_TRUE(succeeded(compiled)) << kernel.reported;
  EXPECT_EQ(compiled->ptx, compile(kScale));
}

TEST(EmitPTX, TellsTheLineOfEachInstruction) {
  Kernel kernel(kScale);
  NVVMTargetOptions options;
  options.locateLines = true;
  FailureOr<CompiledKernelText> compiled = emitPTX(*kernel, options);
  ASSERT_TRUE(succeeded(compiled)) << kernel.reported;
  EXPECT_EQ(compiled->ptx, compile(kScale));
  SmallVector<StringRef> lines;
  StringRef(compiled->ptx).split(lines, '\n');
  ASSERT_EQ(compiled->lines.size(), lines.size());
  auto findLine = [](const char *op) {
    StringRef text(kScale);
    return unsigned(text.take_front(text.find(op)).count('\n') + 1);
  };
  for (auto [line, number] : llvm::zip_equal(lines, compiled->lines)) {
    if (line.contains("ld.global"))
      EXPECT_EQ(number, findLine("memref.load"));
    if (line.contains("add.rn.f32"))
      EXPECT_EQ(number, findLine("arith.addf"));
    if (line.contains("st.global"))
      EXPECT_EQ(number, findLine("memref.store"));
    if (line.contains(".reg") || line.contains(".entry"))
      EXPECT_EQ(number, 0u);
  }
}

TEST(EmitPTX, LinesLeaveDirectivesThatBeginLikeThem) {
  Kernel kernel(kLocal);
  NVVMTargetOptions options;
  options.locateLines = true;
  FailureOr<CompiledKernelText> compiled = emitPTX(*kernel, options);
  ASSERT_TRUE(succeeded(compiled)) << kernel.reported;
  EXPECT_TRUE(StringRef(compiled->ptx).contains("\t.local "));
  EXPECT_EQ(compiled->ptx, compile(kLocal));
}

TEST(EmitPTX, GivesThreadsEqualText) {
  std::string alone = compile(kScale);
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string &text : texts)
    threads.emplace_back([&text] { text = compile(kScale); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : texts)
    EXPECT_EQ(text, alone);
}

/// Compiles `text` and expects a failure that reports `expected`.
void expectError(const char *text, const NVVMTargetOptions &options, StringRef expected) {
  Kernel kernel(text);
  EXPECT_TRUE(failed(emitPTX(*kernel, options)));
  EXPECT_TRUE(StringRef(kernel.reported).contains(expected)) << kernel.reported;
}

TEST(EmitPTX, ReportsOptionsThatCannotBe) {
  NVVMTargetOptions chip;
  chip.chip = "gfx942";
  expectError(kScale, chip, "but got 'gfx942'");
  NVVMTargetOptions version;
  version.ptxVersion = 99;
  expectError(kScale, version, "but got 99");
  NVVMTargetOptions level;
  level.optLevel = 7;
  expectError(kScale, level, "but got 7");
  expectError(kExp, {}, "expected the path of libdevice");
}

TEST(EmitPTX, ReportsModulesWithoutOneKernel) {
  expectError("gpu.module @none {}", {}, "expected a kernel in the module, but got none");
  expectError(R"mlir(gpu.module @two {
    gpu.func @a() kernel { gpu.return }
    gpu.func @b() kernel { gpu.return }
  })mlir",
              {}, "but got 'a' and 'b'");
  expectError(R"mlir(gpu.module @name {
    gpu.func @"a.b"() kernel { gpu.return }
  })mlir",
              {}, "an identifier of PTX, but got 'a.b'");
}

} // namespace
