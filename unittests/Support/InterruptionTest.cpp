//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How long a flag interrupts the passes of a context.
//
//===----------------------------------------------------------------------===//

#include "fuser/Support/Interruption.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace fuser;

namespace {

TEST(Interruption, FromTheFlagToTheEndOfTheScope) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  EXPECT_FALSE(isInterrupted(&context));
  int flag = 0;
  {
    InterruptionScope scope(&context, &flag);
    EXPECT_FALSE(isInterrupted(&context));
    EXPECT_FALSE(scope.isInterrupted());
    flag = 1;
    EXPECT_TRUE(isInterrupted(&context));
    EXPECT_TRUE(scope.isInterrupted());
    {
      // One without a flag changes nothing.
      InterruptionScope inner(&context, nullptr);
      EXPECT_FALSE(inner.isInterrupted());
      EXPECT_TRUE(isInterrupted(&context));
    }
    EXPECT_TRUE(isInterrupted(&context));
  }
  EXPECT_FALSE(isInterrupted(&context));
}

} // namespace
