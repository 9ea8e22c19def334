//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace mlir;

namespace fuser::reference {
namespace {

struct ScalarTest : ReferenceTest {
  /// 1 or 0: what `op` ("arith.cmpf ueq,") says of two scalars of a type.
  int64_t compare(const std::string &op, const std::string &element, Tensor a, Tensor b) {
    auto outputs = runBody({element, element, "tensor<i64>"},
                           "%p = " + op + " %a, %b : " + element +
                               "\n%d = arith.extui %p : i1 to i64"
                               "\n%0 = fuser.add %c, %d : (tensor<i64>, i64) -> tensor<i64>",
                           "tensor<i64>", {a, b, integers("i64", {}, {0})});
    EXPECT_TRUE(succeeded(outputs)) << diagnostics;
    return succeeded(outputs) ? (*outputs)[0].integers()[0] : -1;
  }
};

/// Which of less, equal, greater and unordered a comparison holds for.
TEST_F(ScalarTest, ComparesFloats) {
  const std::pair<const char *, std::vector<int64_t>> predicates[] = {
      {"false", {0, 0, 0, 0}}, {"oeq", {0, 1, 0, 0}}, {"ogt", {0, 0, 1, 0}},
      {"oge", {0, 1, 1, 0}},   {"olt", {1, 0, 0, 0}}, {"ole", {1, 1, 0, 0}},
      {"one", {1, 0, 1, 0}},   {"ord", {1, 1, 1, 0}}, {"ueq", {0, 1, 0, 1}},
      {"ugt", {0, 0, 1, 1}},   {"uge", {0, 1, 1, 1}}, {"ult", {1, 0, 0, 1}},
      {"ule", {1, 1, 0, 1}},   {"une", {1, 0, 1, 1}}, {"uno", {0, 0, 0, 1}},
      {"true", {1, 1, 1, 1}}};
  const std::pair<double, double> pairs[] = {{1, 2}, {2, 2}, {kInf, 2}, {kNaN, 2}};
  for (const auto &[predicate, expected] : predicates)
    for (auto [pair, holds] : llvm::zip_equal(pairs, expected))
      EXPECT_EQ(compare("arith.cmpf " + std::string(predicate) + ",", "f32",
                        Tensor::scalar(type("f32"), pair.first),
                        Tensor::scalar(type("f32"), pair.second)),
                holds)
          << predicate << " " << pair.first << " " << pair.second;
}

TEST_F(ScalarTest, ComparesIntegers) {
  const std::pair<const char *, std::vector<int64_t>> predicates[] = {
      {"eq", {0, 1, 0, 0}},  {"ne", {1, 0, 1, 1}},  {"slt", {1, 0, 0, 1}}, {"sle", {1, 1, 0, 1}},
      {"sgt", {0, 0, 1, 0}}, {"sge", {0, 1, 1, 0}}, {"ult", {1, 0, 0, 0}}, {"ule", {1, 1, 0, 0}},
      {"ugt", {0, 0, 1, 1}}, {"uge", {0, 1, 1, 1}}};
  const std::pair<int64_t, int64_t> pairs[] = {{1, 2}, {2, 2}, {3, 2}, {-1, 2}};
  for (const auto &[predicate, expected] : predicates)
    for (auto [pair, holds] : llvm::zip_equal(pairs, expected))
      EXPECT_EQ(compare("arith.cmpi " + std::string(predicate) + ",", "i64",
                        integers("i64", {}, {pair.first}), integers("i64", {}, {pair.second})),
                holds)
          << predicate << " " << pair.first << " " << pair.second;
}

} // namespace
} // namespace fuser::reference
