//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs of several tests of this room.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_SESSION_PROGRAMS_H
#define FUSER_UNITTESTS_SESSION_PROGRAMS_H

inline constexpr const char *kScale = R"mlir(
fuser.fusion @scale(%x: tensor<?x?xf32>, %a: f32) -> tensor<?x?xf32> {
  %0 = fuser.mul %x, %a : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
)mlir";

#endif // FUSER_UNITTESTS_SESSION_PROGRAMS_H
