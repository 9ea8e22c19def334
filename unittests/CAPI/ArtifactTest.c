//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The artifact of a program from C: it is written to the file that RuntimeTest.c loads.
//
//===----------------------------------------------------------------------===//

#include "Testing.h"

static const char kProgram[] =
    "fuser.fusion @scale(%x: tensor<?x8xf32>, %s: f32) -> (tensor<?x8xf32>, tensor<?xf32>) {\n"
    "  %0 = fuser.mul %x, %s : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>\n"
    "  %1 = fuser.sum %x dims [1] : tensor<?x8xf32> -> tensor<?xf32>\n"
    "  fuser.return %0, %1 : tensor<?x8xf32>, tensor<?xf32>\n"
    "}\n";

/* `path`: where the artifact goes. */
static int test(fuser_device device, const char *path) {
  fuser_program program = NULL;
  EXPECT(!fuser_program_create(device, kProgram, strlen(kProgram), NULL, &program));
  float values[4][8] = {{0}};
  int64_t shape[2] = {4, 8};
  struct DLTensor x = makeTensor(values, shape, NULL);
  fuser_argument arguments[2] = {{&x, 0, 0, 0}, {NULL, 0, 2.5, 0}};
  fuser_artifact artifact = NULL;
  int interrupt = 1;
  EXPECT(isError(fuser_program_artifact(program, arguments, 1, NULL, &artifact), "ArgumentCount",
                 "expected 2 arguments"));
  EXPECT(isError(fuser_program_artifact(program, arguments, 2, &interrupt, &artifact),
                 "Interrupted", ""));
  EXPECT(!artifact);
  EXPECT(!fuser_program_artifact(program, arguments, 2, NULL, &artifact));
  EXPECT(!strcmp(fuser_artifact_name(artifact), "scale"));
  EXPECT(isError(fuser_artifact_write(artifact, "/nowhere/scale.artifact"), "IoError",
                 "/nowhere/scale.artifact"));
  EXPECT(!fuser_artifact_write(artifact, path));
  fuser_program_destroy(program);

  /* A program without a text runs it, and compiles nothing else. */
  EXPECT(!fuser_program_load(device, artifact, NULL, &program));
  EXPECT(fuser_program_num_arguments(program) == 2 && fuser_program_num_results(program) == 2);
  EXPECT(!strcmp(fuser_program_scalar_type(program, 1), "f32"));
  EXPECT(!fuser_program_compile(program, arguments, 2, NULL));
  int compiles = 1;
  shape[1] = 7;
  EXPECT(isError(fuser_program_compile(program, arguments, 2, NULL), "SizeMismatch",
                 "argument 0 (x): expected size 8 in dimension 1, but got 7"));
  shape[1] = 8;
  int64_t columns[2] = {1, 4};
  x.strides = columns;
  EXPECT(isError(fuser_program_compile(program, arguments, 2, NULL), "NotCompiled",
                 "expected kernels that are compiled for these arguments, but there are none"));
  EXPECT(!fuser_program_would_compile(program, arguments, 2, &compiles) && compiles == 0);
  EXPECT(!fuser_program_add_artifact(program, artifact));
  fuser_program_destroy(program);

  fuser_program_options strict = {.never_compile = 1};
  EXPECT(!fuser_program_create(device, kProgram, strlen(kProgram), &strict, &program));
  EXPECT(isError(fuser_program_compile(program, arguments, 2, NULL), "NotCompiled", ""));
  EXPECT(!fuser_program_add_artifact(program, artifact));
  x.strides = NULL;
  EXPECT(!fuser_program_compile(program, arguments, 2, NULL));
  fuser_artifact_destroy(artifact);
  fuser_program_destroy(program);
  return 0;
}

int main(int argc, char **argv) {
  fuser_device device = NULL;
  EXPECT(argc == 2);
  EXPECT(!fuser_device_create("host", 0, &device));
  int failed = test(device, argv[1]);
  fuser_device_destroy(device);
  if (!failed)
    puts("ok");
  return failed;
}
