//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Philox.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fuser;

static constexpr unsigned kRounds = 10;
static constexpr uint32_t kMultipliers[2] = {0xD2511F53, 0xCD9E8D57};
/// Increments of the key between rounds: the golden ratio and sqrt(3) - 1, times 2^32.
static constexpr uint32_t kKeySteps[2] = {0x9E3779B9, 0xBB67AE85};

std::array<Value, 4> fuser::buildPhilox(OpBuilder &builder, Location loc,
                                        std::array<Value, 4> counter, std::array<Value, 2> key) {
  Type word = builder.getI32Type();
  ElementBuilder b(builder, loc, word);
  auto constant = [&](uint32_t number) { return b.constant(key[0], word, APInt(32, number)); };
  auto mix = [&](Value high, Value other, Value roundKey) {
    return b.create<arith::XOrIOp>({b.create<arith::XOrIOp>({high, other}), roundKey});
  };
  for (unsigned round = 0; round < kRounds; ++round) {
    if (round > 0)
      for (unsigned half : {0, 1})
        key[half] = b.create<arith::AddIOp>({key[half], constant(kKeySteps[half])});
    auto left = arith::MulUIExtendedOp::create(builder, loc, counter[0], constant(kMultipliers[0]));
    auto right =
        arith::MulUIExtendedOp::create(builder, loc, counter[2], constant(kMultipliers[1]));
    counter = {mix(right.getHigh(), counter[1], key[0]), right.getLow(),
               mix(left.getHigh(), counter[3], key[1]), left.getLow()};
  }
  return counter;
}
