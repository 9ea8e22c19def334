//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The buffers that the ops on tuples read and write, whatever asks for them.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Dialect/Loop/LoopDialect.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

constexpr char kKernel[] = R"(
!x = !fuser_loop.buffer<?xf32, global>
!a = !fuser_loop.buffer<f32, register>
fuser_loop.kernel @k(%x: !x from #fuser_gpu.pointer<0> strides [1] align 4,
                     %n: index from #fuser_gpu.size<0, 0>) stage loops index_bits 64 {
  fuser_loop.for %t to (64) on thread_x {
    %a = fuser_loop.buffer : !a
    %b = fuser_loop.buffer : !a
    fuser_loop.tile %a[] = %x[%t] : (!x) -> !a of tensor<f32>
    fuser_loop.tile %a[] = initial fuser.sum() {dims = array<i64: 0>} : () -> !a of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.tile %a[] = accumulate fuser.sum(%x[%t]) {dims = array<i64: 0>} : (!x) -> !a of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.combine %a by fuser.sum {dims = array<i64: 0>} over [thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<f32>
    fuser_loop.tile %a[] = lift fuser.cumsum(%x[%t]) {dim = 0 : i64} : (!x) -> !a of (tensor<?xf32>) -> tensor<?xf32>
    fuser_loop.scan %a before %b by fuser.cumsum {dim = 0 : i64} over [thread_x] lanes 1 : !a of (tensor<?xf32>) -> tensor<?xf32>
    fuser_loop.tile %a[] = prepend fuser.cumsum(%b[]) {dim = 0 : i64} : (!a) -> !a of (tensor<?xf32>) -> tensor<?xf32>
  }
})";

TEST(LoopEffects, OfOpsOnTuples) {
  DialectRegistry registry;
  registry.insert<fuser::FuserDialect, fuser::loop::FuserLoopDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kKernel, &context);
  ASSERT_TRUE(module);
  AsmState names(*module);
  std::string text;
  llvm::raw_string_ostream out(text);
  module->walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    if (effects.empty())
      return;
    out << op->getName().stripDialect();
    if (auto tile = dyn_cast<fuser::loop::TileOp>(op.getOperation()))
      out << ' ' << stringifyTileStep(tile.getStep());
    for (const MemoryEffects::EffectInstance &effect : effects) {
      out << (isa<MemoryEffects::Read>(effect.getEffect())    ? ", reads "
              : isa<MemoryEffects::Write>(effect.getEffect()) ? ", writes "
                                                              : ", allocates ");
      effect.getValue().printAsOperand(out, names);
    }
    out << "\n";
  });
  EXPECT_EQ(text, R"(buffer, allocates %0
buffer, allocates %1
tile element, reads %arg0, writes %0
tile initial, writes %0
tile accumulate, reads %arg0, writes %0, reads %0
combine, reads %0, writes %0
tile lift, reads %arg0, writes %0
scan, reads %0, writes %0, writes %1
tile prepend, reads %1, writes %0, reads %0
)");
}

} // namespace
