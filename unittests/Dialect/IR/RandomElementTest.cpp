//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The generator as arith against the known answers that its authors publish (Random123,
// kat_vectors), and the numbers made of its words.
//
//===----------------------------------------------------------------------===//

#include "OpTest.h"
#include "Philox.h"

using namespace mlir;
using namespace fuser;

namespace {

class RandomElementTest : public OpTest {
protected:
  RandomElementTest() { parse("%s: i64", "%0 = fuser.random_uniform %s, %s : tensor<4xf32>"); }

  std::vector<uint32_t> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
    auto word = [&](uint32_t number) { return constant(builder.getI32Type(), int32_t(number)); };
    std::vector<uint32_t> words;
    for (Value built :
         buildPhilox(builder, loc(),
                     {word(counter[0]), word(counter[1]), word(counter[2]), word(counter[3])},
                     {word(key[0]), word(key[1])}))
      words.push_back(uint32_t(int32_t(evaluate(built))));
    return words;
  }

  /// Element `index` of a vector under a seed and an offset.
  double element(StringRef op, StringRef type, int64_t seed, int64_t offset, int64_t index) {
    Operation *operation =
        parse("%s: i64", "%0 = fuser." + op.str() + " %s, %s : tensor<4x4x" + type.str() + ">");
    auto integer = [&](Type type, int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc(), builder.getIntegerAttr(type, value));
    };
    SmallVector<Value> operands = {integer(builder.getI64Type(), seed),
                                   integer(builder.getI64Type(), offset)};
    auto rootIndex = [&](unsigned dim) {
      return integer(builder.getIndexType(), dim == 0 ? index / 4 : index % 4);
    };
    return evaluate(cast<ElementwiseOpInterface>(operation).buildElementAt(builder, loc(), operands,
                                                                           {}, rootIndex));
  }
};

using Words = std::vector<uint32_t>;

TEST_F(RandomElementTest, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), Words({0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            Words({0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            Words({0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Seed 0, offset 0, the words of the first known answer: element i is made of word i.
TEST_F(RandomElementTest, TakesTheFirstBitsOfItsWord) {
  EXPECT_EQ(element("random_uniform", "f32", 0, 0, 0), std::ldexp(0x6627e8, -24));
  EXPECT_EQ(element("random_uniform", "f32", 0, 0, 3), std::ldexp(0x9b00db, -24));
  EXPECT_EQ(element("random_uniform", "bf16", 0, 0, 1), std::ldexp(0xe1, -8));
  EXPECT_EQ(element("random_uniform", "f16", 0, 0, 1), std::ldexp(0xe169c58d >> 21, -11));
  // Two words for an f64, the low one first.
  EXPECT_EQ(element("random_uniform", "f64", 0, 0, 0),
            std::ldexp(double(0xe169c58d6627e8d5 >> 11), -53));
  EXPECT_EQ(element("random_uniform", "f64", 0, 0, 1),
            std::ldexp(double(0x9b00dbd8bc57ac4c >> 11), -53));
}

TEST_F(RandomElementTest, KeepsToItsOwnBlockOfWords) {
  // Element 5 is word 1 of block 1: the counter's third word.
  uint32_t word = philox({7, 0, 1, 0}, {9, 0})[1];
  EXPECT_EQ(element("random_uniform", "f32", 9, 7, 5), std::ldexp(word >> 8, -24));
  // Seed and offset have 64 bits.
  word = philox({5, 6, 3, 0}, {0x89abcdef, 0x01234567})[2];
  EXPECT_EQ(element("random_uniform", "f32", 0x0123456789abcdef, 0x600000005, 14),
            std::ldexp(word >> 8, -24));
}

} // namespace
