//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Both sides of each limit of the hardware on tensor maps.
//
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/TensorMap.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

using namespace fuser::runtime;

namespace {

/// A map of 100 x 80 floats, boxes of 8 x 32.
TensorMapSpec makeSpec() {
  TensorMapSpec spec;
  spec.rank = 2;
  spec.elementBytes = 4;
  spec.sizes[0] = 100;
  spec.sizes[1] = 80;
  spec.strides[0] = 320;
  spec.strides[1] = 4;
  spec.box[0] = 8;
  spec.box[1] = 32;
  return spec;
}

struct TensorMapCase {
  std::function<void(TensorMapSpec &)> change;
  /// "" where the map is legal.
  const char *message;
};

TEST(TensorMap, Limits) {
  using Spec = TensorMapSpec;
  const char *const kSize0 = "SizeMismatch: x: expected a size of 1 to 4294967296 in dimension 0 "
                             "of a tensor map, but got ";
  const char *const kStride0 = "StrideMismatch: x: expected a multiple of 16 bytes below "
                               "1099511627776 as the stride of dimension 0 of a tensor map, but "
                               "got ";
  const char *const kBox0 = "InvalidLaunch: x: expected 1 to 256 elements of a box in dimension 0 "
                            "of a tensor map, but got ";
  auto check = [](const TensorMapCase &each, std::string suffix = "") {
    TensorMapSpec spec = makeSpec();
    each.change(spec);
    auto status = checkTensorMap(spec, "x");
    EXPECT_EQ(status ? "" : status.error().str(), each.message + suffix);
  };
  check({[](Spec &) {}, ""});
  // Dimensions.
  check({[](Spec &s) { s.rank = 0; },
         "InvalidLaunch: x: expected 1 to 5 dimensions of a tensor map, but got 0"});
  check({[](Spec &s) { s.rank = 6; },
         "InvalidLaunch: x: expected 1 to 5 dimensions of a tensor map, but got 6"});
  check({[](Spec &s) {
           s.rank = 1;
           s.sizes[0] = 80;
           s.strides[0] = 4;
           s.box[0] = 32;
         },
         ""});
  check({[](Spec &s) {
           s.rank = 5;
           for (int dim = 0; dim < 5; ++dim) {
             s.sizes[dim] = 8;
             s.strides[dim] = dim < 4 ? 16 << dim : 4;
             s.box[dim] = 8;
           }
         },
         ""});
  // The address.
  check({[](Spec &s) { s.address = reinterpret_cast<void *>(0x1010); }, ""});
  check({[](Spec &s) { s.address = reinterpret_cast<void *>(0x1008); },
         "AlignmentMismatch: x: expected an address with a multiple of 16 bytes for a tensor map, "
         "but got 0x1008"});
  // Sizes.
  check({[](Spec &s) { s.sizes[0] = 0; }, kSize0}, "0");
  check({[](Spec &s) { s.sizes[0] = 1; }, ""});
  check({[](Spec &s) { s.sizes[0] = int64_t(1) << 32; }, ""});
  check({[](Spec &s) { s.sizes[0] = (int64_t(1) << 32) + 1; }, kSize0}, "4294967297");
  check({[](Spec &s) { s.sizes[1] = -1; },
         "SizeMismatch: x: expected a size of 1 to 4294967296 in dimension 1 of a tensor map, but "
         "got -1"});
  // Strides, of which dimensions of one element have none.
  check({[](Spec &s) { s.strides[0] = 0; }, ""});
  check({[](Spec &s) { s.strides[0] = -16; }, kStride0}, "-16");
  check({[](Spec &s) { s.strides[0] = 328; }, kStride0}, "328");
  check({[](Spec &s) { s.strides[0] = (int64_t(1) << 40) - 16; }, ""});
  check({[](Spec &s) { s.strides[0] = int64_t(1) << 40; }, kStride0}, "1099511627776");
  check({[](Spec &s) {
           s.sizes[0] = 2;
           s.strides[0] = 8;
         },
         kStride0},
        "8");
  check({[](Spec &s) {
           s.sizes[0] = 1;
           s.strides[0] = 8;
         },
         ""});
  const char *const kStride1 = "StrideMismatch: x: expected adjacent elements of 4 bytes in "
                               "dimension 1 of a tensor map, but got a stride of 8 bytes";
  check({[](Spec &s) { s.strides[1] = 8; }, kStride1});
  check({[](Spec &s) {
           s.sizes[1] = 2;
           s.strides[1] = 8;
         },
         kStride1});
  check({[](Spec &s) {
           s.sizes[1] = 1;
           s.strides[1] = 8;
         },
         ""});
  // Boxes, and their rows.
  check({[](Spec &s) { s.box[0] = 0; }, kBox0}, "0");
  check({[](Spec &s) { s.box[0] = 1; }, ""});
  check({[](Spec &s) { s.box[0] = 256; }, ""});
  check({[](Spec &s) { s.box[0] = 257; }, kBox0}, "257");
  check({[](Spec &s) { s.box[1] = 4; }, ""});
  check({[](Spec &s) { s.box[1] = 6; },
         "InvalidLaunch: x: expected rows of a box with a multiple of 16 bytes, but got 24"});
  check({[](Spec &s) { s.swizzle = 128; }, ""});
  check({[](Spec &s) { s.swizzle = 64; },
         "InvalidLaunch: x: expected rows of a box of 64 bytes, as its swizzle has, but got 128"});
}

TEST(TensorMap, EmptyTensors) {
  TensorMapSpec spec = makeSpec();
  EXPECT_FALSE(spec.isEmpty());
  // A size that is no dimension.
  EXPECT_EQ(spec.sizes[2], 0);
  for (int dim = 0; dim < 2; ++dim) {
    spec = makeSpec();
    spec.sizes[dim] = 0;
    EXPECT_TRUE(spec.isEmpty());
  }
}

} // namespace
