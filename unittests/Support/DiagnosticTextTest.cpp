//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/DiagnosticText.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

class DiagnosticTextTest : public testing::Test {
protected:
  Location at(unsigned line, unsigned column) {
    return FileLineColLoc::get(&context, "source", line, column);
  }

  MLIRContext context;
  fuser::DiagnosticText text{&context, "first line\nsecond line\n", "source"};
};

TEST_F(DiagnosticTextTest, NothingWithoutErrors) {
  emitWarning(at(1, 1), "a warning");
  emitRemark(at(1, 1), "a remark");
  EXPECT_EQ(text.take(), "");
}

// With the source and a caret; there is no line break at the end.
TEST_F(DiagnosticTextTest, ErrorsWithTheirNotes) {
  emitError(at(1, 7), "wrong").attachNote(at(2, 1)) << "because of this";
  EXPECT_EQ(text.take(), "source:1:7: error: wrong\n"
                         "first line\n"
                         "      ^\n"
                         "source:2:1: note: because of this\n"
                         "second line\n"
                         "^");
}

TEST_F(DiagnosticTextTest, ErrorsAreTakenOnce) {
  emitError(UnknownLoc::get(&context), "first");
  emitError(UnknownLoc::get(&context), "second");
  EXPECT_EQ(text.take(), "<unknown>:0: error: first\n<unknown>:0: error: second");
  emitError(UnknownLoc::get(&context), "third\n\n");
  EXPECT_EQ(text.take(), "<unknown>:0: error: third");
  EXPECT_EQ(text.take(), "");
}

} // namespace
