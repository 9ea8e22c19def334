//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomRing.h"

#include "CaseRunner.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/InitAllDialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "gtest/gtest.h"

using namespace fuser;
using namespace fuser::fuzz;
using namespace mlir;

namespace {

/// Most of the first seeds of this kind have a warp that copies, some of them boxes, and some store
/// by boxes: mistakes in these ops have places in random cases.
TEST(RandomRing, ReachesRolesBoxesAndStores) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<arith::ArithDialect, tensor::TensorDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  unsigned cases = 0, roles = 0, boxes = 0, stores = 0;
  for (uint64_t seed = 1; cases < 20; ++seed) {
    if (!isRingSeed(seed))
      continue;
    ++cases;
    RandomCase made = makeRingCase(seed, &context, [](ModuleOp module, llvm::StringRef sizes) {
      OwningOpRef<ModuleOp> lowered = module.clone();
      return lower(*lowered, sizes).verdict != Verdict::Refused;
    });
    OwningOpRef<ModuleOp> module = schedule(made.fuzzCase, &context);
    ASSERT_TRUE(module) << "seed " << seed;
    EXPECT_EQ(lower(*module, made.fuzzCase.sizes).verdict, Verdict::Passed) << "seed " << seed;
    auto has = [&](auto match) {
      return module
          ->walk([&](Operation *op) {
            return match(op) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
    };
    roles += has([](Operation *op) { return isa<kernel_ir::MBarrierArriveOp>(op); });
    boxes += has([](Operation *op) { return isa<kernel_ir::CopyTensorOp>(op); });
    stores += has([](Operation *op) { return isa<kernel_ir::StoreTensorOp>(op); });
  }
  EXPECT_GE(roles, 10u);
  EXPECT_GE(boxes, 2u);
  EXPECT_GE(stores, 5u);
}

} // namespace
