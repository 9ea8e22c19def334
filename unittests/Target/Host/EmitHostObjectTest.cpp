//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fuser/Target/Host/EmitHostObject.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <regex>

using namespace mlir;
using namespace fuser;

namespace {

const char kReverse[] = R"mlir(
gpu.module @m {
  gpu.func @reverse(%x: memref<f32>, %n: index)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %v = memref.load %xs[%t] : memref<?xf32, strided<[1]>>
    memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c63, %t : index
    %w = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %xs[%t] : memref<?xf32, strided<[1]>>
    gpu.return
  }
})mlir";

class EmitHostObject : public ::testing::Test {
protected:
  EmitHostObject() {
    DialectRegistry registry;
    registerHostTarget(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(kReverse, &context);
  }
  gpu::GPUModuleOp kernel() { return *module->getOps<gpu::GPUModuleOp>().begin(); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(EmitHostObject, DescribesTheKernel) {
  FailureOr<HostObject> object = emitHostObject(kernel());
  ASSERT_TRUE(succeeded(object));
  EXPECT_EQ(object->name, "reverse");
  EXPECT_TRUE(object->usesBarrier);
  EXPECT_FALSE(object->usesShuffle);
  EXPECT_FALSE(object->usesGridSync);
  EXPECT_FALSE(object->object.empty());
  EXPECT_TRUE(object->llvmIR.empty());
}

TEST_F(EmitHostObject, LeavesTheKernelAsItIs) {
  std::string before, after;
  llvm::raw_string_ostream(before) << *module;
  ASSERT_TRUE(succeeded(emitHostObject(kernel())));
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after);
}

TEST_F(EmitHostObject, IsDeterministic) {
  FailureOr<HostObject> first = emitHostObject(kernel()), second = emitHostObject(kernel());
  ASSERT_TRUE(succeeded(first) && succeeded(second));
  EXPECT_EQ(first->object, second->object);
}

TEST_F(EmitHostObject, KeepsTextOnRequest) {
  HostTargetOptions options;
  options.keepText = true;
  FailureOr<HostObject> object = emitHostObject(kernel(), options);
  ASSERT_TRUE(succeeded(object));
  EXPECT_NE(object->llvmIR.find("@fuser_host_info_reverse"), std::string::npos);
  EXPECT_NE(object->assembly.find("fuser_host_barrier"), std::string::npos);
}

TEST_F(EmitHostObject, RefusesAnUnknownProcessor) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  HostTargetOptions options;
  options.cpu = "z80";
  EXPECT_TRUE(failed(emitHostObject(kernel(), options)));
  EXPECT_NE(message.find("expected a processor that LLVM knows, but got 'z80'"), std::string::npos)
      << message;
}

TEST_F(EmitHostObject, RefusesAnUnknownOptimisationLevel) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  HostTargetOptions options;
  options.optLevel = 4;
  EXPECT_TRUE(failed(emitHostObject(kernel(), options)));
  EXPECT_NE(message.find("expected an optimisation level from 0 to 3, but got 4"),
            std::string::npos)
      << message;
}

/// LLVM's errors are diagnostics.
TEST_F(EmitHostObject, RefusesWhatLLVMRefuses) {
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
    return success();
  });
  auto expectFailure = [&](const std::string &body, const std::string &message) {
    messages.clear();
    module = parseSourceString<ModuleOp>(
        "gpu.module @m { gpu.func @k() kernel { " + body + " gpu.return } }", &context);
    ASSERT_TRUE(module) << messages;
    EXPECT_TRUE(failed(emitHostObject(kernel())));
    EXPECT_NE(messages.find(message), std::string::npos) << messages;
  };
  expectFailure(R"(llvm.call_intrinsic "llvm.nope"() : () -> ())",
                "expected the lowered kernel to translate to LLVM IR");
  expectFailure(R"(%0 = llvm.inline_asm has_side_effects "", "={nope}" : () -> i32)",
                "expected code that LLVM can compile");
}

//===----------------------------------------------------------------------===//
// Large functions
//===----------------------------------------------------------------------===//

/// A kernel that copies 4 elements in a loop, and stores the maximum of `count` others that are all
/// live at one point.
std::string getMaximumOf(unsigned count) {
  std::string loads, maxima = "    %m0 = arith.maximumf %v0, %v0 : f32\n";
  for (unsigned i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    loads += "    %i" + n + " = arith.constant " + n + " : index\n    %v" + n +
             " = memref.load %xs[%i" + n + "] : memref<?xf32, strided<[1]>>\n";
    if (i > 0)
      maxima += "    %m" + n + " = arith.maximumf %m" + std::to_string(i - 1) + ", %v" +
                std::to_string(count - i) + " : f32\n";
  }
  return R"mlir(
gpu.module @m {
  gpu.func @maximum(%x: memref<f32>, %y: memref<f32>, %n: index) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %xs = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    %ys = memref.reinterpret_cast %y to offset: [0], sizes: [%n], strides: [1]
        : memref<f32> to memref<?xf32, strided<[1]>>
    scf.for %k = %c0 to %c4 step %c1 {
      %v = memref.load %xs[%k] : memref<?xf32, strided<[1]>>
      memref.store %v, %ys[%k] : memref<?xf32, strided<[1]>>
      gpu.barrier
    }
)mlir" + loads +
         "    gpu.barrier\n" + maxima + "    memref.store %m" + std::to_string(count - 1) +
         ", %ys[%c4] : memref<?xf32, strided<[1]>>\n    gpu.return\n  }\n}\n";
}

/// The number of instructions of the longest block in LLVM IR as text.
size_t getLongestBlock(const std::string &text) {
  size_t longest = 0, length = 0;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    length = line.starts_with("  ") ? length + 1 : 0;
    longest = std::max(longest, length);
  }
  return longest;
}

/// The largest number that `expression` captures in `text`, or 0.
size_t getLargest(const std::string &text, const char *expression) {
  std::regex pattern(expression);
  size_t largest = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    largest = std::max<size_t>(largest, std::stoul((*it)[1].str()));
  return largest;
}

struct LargeFunctions : EmitHostObject {
  HostObject emit(unsigned count) {
    module = parseSourceString<ModuleOp>(getMaximumOf(count), &context);
    HostTargetOptions options;
    options.keepText = true;
    FailureOr<HostObject> object = emitHostObject(kernel(), options);
    EXPECT_TRUE(succeeded(object));
    return succeeded(object) ? std::move(*object) : HostObject();
  }
};

/// The seventh number of fuser_host_info_maximum.
size_t getThreadStack(const std::string &assembly) {
  StringRef text = StringRef(assembly).split("\nfuser_host_info_maximum:").second;
  SmallVector<size_t> fields;
  for (StringRef line : llvm::split(text, '\n')) {
    size_t number = 0;
    StringRef word = line.split('#').first.trim();
    if (word.consume_front(".zero") && !word.trim().getAsInteger(10, number))
      fields.append(number / 4, 0);
    else if (word.consume_front(".long") && !word.trim().getAsInteger(10, number))
      fields.push_back(number);
    if (fields.size() > 6)
      return fields[6];
  }
  return 0;
}

TEST_F(LargeFunctions, SmallOnesAreOptimized) {
  HostObject object = emit(300);
  EXPECT_EQ(object.llvmIR.find(" phi "), std::string::npos) << "the loop is unrolled";
  EXPECT_GT(getLongestBlock(object.llvmIR), 300u);
  EXPECT_EQ(getThreadStack(object.assembly), 0u);
}

TEST_F(LargeFunctions, LongBlocksAreSplit) {
  HostObject object = emit(2000);
  EXPECT_EQ(object.llvmIR.find(" phi "), std::string::npos) << "the loop is unrolled";
  EXPECT_LE(getLongestBlock(object.llvmIR), 300u);
}

TEST_F(LargeFunctions, LoopsAreKept) {
  HostObject object = emit(6000);
  EXPECT_NE(object.llvmIR.find(" phi "), std::string::npos) << "loop passes are skipped";
  EXPECT_LE(getLongestBlock(object.llvmIR), 300u);
}

TEST_F(LargeFunctions, StackHasRoomForFrames) {
  HostObject object = emit(6000);
  size_t stack = getThreadStack(object.assembly);
  EXPECT_GT(stack, 0u);
#ifdef __x86_64__
  size_t frame = getLargest(object.assembly, "subq\t\\$(\\d+), %r(?:sp|11)");
  EXPECT_GT(frame, 6000u * 4) << "the values are spilled";
  EXPECT_LE(frame, stack);
#endif
}

} // namespace
