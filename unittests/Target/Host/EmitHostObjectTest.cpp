//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "fuser/Target/Host/EmitHostObject.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

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

} // namespace
