//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sizes and values that types do not rule out, and that ops refuse.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace fuser::reference;

namespace {

class RefusalsTest : public ReferenceTest {
protected:
  Tensor ones(llvm::ArrayRef<int64_t> shape) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    return floats("f32", shape, std::vector<double>(count, 1));
  }
  Tensor number(int64_t value, llvm::StringRef element = "index") {
    return integers(element, {}, {value});
  }
  void expectRefusal(llvm::ArrayRef<llvm::StringRef> types, llvm::StringRef body,
                     llvm::StringRef result, llvm::ArrayRef<Tensor> args, llvm::StringRef message) {
    EXPECT_TRUE(failed(runBody(types, body, result, args))) << body.str();
    EXPECT_TRUE(llvm::StringRef(diagnostics).contains(message))
        << body.str() << "\nexpected " << message.str() << "\ngot " << diagnostics;
  }
};

TEST_F(RefusalsTest, Contractions) {
  expectRefusal({"tensor<?x?xf32>", "tensor<?x?xf32>"},
                "%0 = fuser.matmul %a, %b : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>",
                "tensor<?x?xf32>", {ones({2, 3}), ones({4, 2})}, "of size 3, but got 4");
  expectRefusal(
      {"tensor<?x?x?xf32>", "tensor<?x?x?xf32>"},
      "%0 = fuser.matmul %a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32> -> tensor<?x?x?xf32>",
      "tensor<?x?x?xf32>", {ones({2, 3, 4}), ones({3, 4, 2})},
      "expected batch dimensions of operand 1 to be 2 or 1, but got 3");
}

TEST_F(RefusalsTest, NegativeSizes) {
  expectRefusal({"f32", "index"}, "%0 = fuser.full %a sizes(%b) : f32 -> tensor<?xf32>",
                "tensor<?xf32>", {floats("f32", {}, {1}), number(-1)},
                "expected sizes that are not negative, but got -1");
  expectRefusal({"i64", "i64", "index"},
                "%0 = fuser.iota %a, %b length(%c) : i64, i64 -> tensor<?xi64>", "tensor<?xi64>",
                {number(0, "i64"), number(1, "i64"), number(-2)},
                "expected sizes that are not negative, but got -2");
}

TEST_F(RefusalsTest, ShapesOfOtherSizes) {
  expectRefusal({"tensor<?xf32>"}, "%0 = fuser.reshape %a : tensor<?xf32> -> tensor<?x2xf32>",
                "tensor<?x2xf32>", {ones({5})}, "expected");
  expectRefusal(
      {"tensor<?x?xf32>", "tensor<?x?xf32>"},
      "%0 = fuser.cat %a, %b dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
      "tensor<?x?xf32>", {ones({2, 3}), ones({4, 3})},
      "expected operand 1 to have sizes [2, 6] outside of dimension 1, but got [4, 3]");
}

TEST_F(RefusalsTest, Scalars) {
  expectRefusal({"tensor<?xf32>", "index"},
                "%n = tensor.dim %a, %b : tensor<?xf32>\n"
                "%s = arith.constant 1.0 : f32\n"
                "%0 = fuser.full %s sizes(%n) : f32 -> tensor<?xf32>",
                "tensor<?xf32>", {ones({3}), number(1)},
                "expected a dimension below the rank 1, but got 1");
  for (const char *op : {"divui", "remui", "ceildivui"})
    for (int64_t left : {-1, 7})
      expectRefusal({"index", "index"},
                    std::string("%n = arith.") + op +
                        " %a, %b : index\n%s = arith.constant 1.0 : f32\n"
                        "%0 = fuser.full %s sizes(%n) : f32 -> tensor<?xf32>",
                    "tensor<?xf32>", {number(left), number(left < 0 ? 2 : -2)},
                    "expected operands below 2^63");
}

TEST_F(RefusalsTest, Conditions) {
  for (const char *kind : {"", "at_most "})
    expectRefusal({"f32", "index", "index"},
                  std::string("fuser.expect ") + kind +
                      "%b, %c \"the box of a slice\"\n"
                      "%0 = fuser.full %a sizes(%b) : f32 -> tensor<?xf32>",
                  "tensor<?xf32>", {floats("f32", {}, {1}), number(4), number(3)},
                  *kind ? "expected ascending integers (the box of a slice), but got 4 and 3"
                        : "expected equal integers (the box of a slice), but got 4 and 3");
}

TEST_F(RefusalsTest, PartsOfReductions) {
  const std::string domain = "#fuser.domain<root = [i0, r1], split(r1, 2) -> (r2, i3),"
                             " logical = [i0, r2, i3]>";
  expectRefusal({"tensor<?x?xf32>"},
                "%0 = fuser.mean %a dims [1] {domains = [" + domain +
                    "]} : tensor<?x?xf32> -> tensor<?x2xf32>",
                "tensor<?x2xf32>", {ones({1, 4})},
                "expected a domain without a root (rfactor) to evaluate a mean");
  expectRefusal({"tensor<?x?xf32>"},
                "%0, %1 = fuser.max_sum_exp %a dims [1] {domains = [" + domain + ", " + domain +
                    "]} : tensor<?x?xf32> -> tensor<?x2xf32>, tensor<?x2xf32>",
                "tensor<?x2xf32>", {ones({1, 4})},
                "expected a domain without a root (rfactor) to evaluate a sum of exponentials");
}

} // namespace
