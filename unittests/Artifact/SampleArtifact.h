//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An artifact with one of everything, for tests of the artifact and of the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_ARTIFACT_SAMPLEARTIFACT_H
#define FUSER_UNITTESTS_ARTIFACT_SAMPLEARTIFACT_H

#include "fuser/Artifact/Artifact.h"

namespace fuser::artifact::test {

/// y[m, n] = k(x[m, n] f32 with strided rows, s f32, c i64): a zeroed workspace of one i32 per
/// block, one launch over everything, then a loop over rows on 2 streams that copies row i of x
/// into row i of y. Guard: n divides by 4. Buffers: 0 x, 1 y, 2 workspace, 3 row of x, 4 row of y.
inline Artifact makeSample() {
  Artifact a;
  a.name = "sample";
  a.target = *lookupDevice("sm_90");
  Kernel kernel;
  kernel.name = "sample_0";
  kernel.format = KernelFormat::PTX;
  kernel.chip = "sm_90";
  kernel.entry = "k";
  kernel.code = ".version 8.6\n.target sm_90\n";
  kernel.attributes = {{"static_shared_bytes", 64}};
  a.kernels.push_back(kernel);

  a.arguments.resize(3);
  a.arguments[0] = {"x", true, DType::F32, {kDynamic, kDynamic}, {0, 1}, {0, 1}, 16};
  a.arguments[1] = {"s", false, DType::F32, {}, {}, {}, 1};
  a.arguments[2] = {"c", false, DType::I64, {}, {}, {}, 1};

  ExprPool &e = a.exprs;
  ExprId zero = e.constant(0), one = e.constant(1), four = e.constant(4), block = e.constant(128);
  ExprId m = e.size(0, 0), n = e.size(0, 1), rowStride = e.stride(0, 0);
  ExprId blocks = e.ceilDiv(e.mul(m, n), block), c = e.scalar(2);
  ExprId bytesX = e.mul(four, e.add(e.mul(e.sub(m, one), rowStride), n));
  ExprId bytesY = e.mul(four, e.mul(m, n));
  ExprId row = e.loopIndex(0);

  a.outputs.push_back({"y", DType::F32, {m, n}, {n, one}, kNotAnArgument, false, 16});
  a.guards.push_back({e.binary(ExprKind::Mod, n, four), ExprKind::Equal, zero, "16-byte loads"});

  HostProgram &p = a.program;
  p.buffers = {{"x", DType::F32, 0},
               {"y", DType::F32, kNotAnArgument},
               {"work", DType::I32, kNotAnArgument},
               {"x_row", DType::F32, kNotAnArgument},
               {"y_row", DType::F32, kNotAnArgument}};
  p.instructions.push_back(Alloc{1, {m, n}, {n, one}, false});
  p.instructions.push_back(Alloc{2, {blocks}, {one}, true});
  Launch launch;
  launch.kernel = 0;
  launch.parameters.resize(6);
  launch.parameters[0] = {Parameter::Kind::Pointer, 0, 0, 8, 0};
  launch.parameters[1] = {Parameter::Kind::Pointer, 1, 0, 8, 0};
  launch.parameters[2] = {Parameter::Kind::Pointer, 2, 0, 8, 0};
  launch.parameters[3] = {Parameter::Kind::Integer, 0, n, 4, 0};
  launch.parameters[4] = {Parameter::Kind::Integer, 0, c, 8, 0};
  launch.parameters[5] = {Parameter::Kind::Scalar, 0, 0, 4, 1};
  ExprId grid[3] = {blocks, one, one}, threads[3] = {block, one, one};
  for (unsigned i = 0; i < 3; ++i) {
    launch.grid[i] = grid[i];
    launch.block[i] = threads[i];
    launch.cluster[i] = one;
  }
  launch.dynamicSharedBytes = e.constant(512);
  launch.boxes = {{0, Access::Read, {zero, zero}, {m, n}, zero, bytesX},
                  {1, Access::Write, {zero, zero}, {m, n}, zero, bytesY},
                  {2, Access::ReadWrite, {zero}, {blocks}, zero, e.mul(blocks, four)}};
  p.instructions.push_back(launch);
  p.instructions.push_back(Free{2});
  p.instructions.push_back(ForBegin{0, m, 2});
  p.instructions.push_back(View{3, 0, e.mul(row, rowStride), {n}, {one}});
  p.instructions.push_back(View{4, 1, e.mul(row, n), {n}, {one}});
  p.instructions.push_back(Copy{3, 4});
  p.instructions.push_back(ForEnd{0});
  p.instructions.push_back(Return{{1}});
  return a;
}

} // namespace fuser::artifact::test

#endif // FUSER_UNITTESTS_ARTIFACT_SAMPLEARTIFACT_H
