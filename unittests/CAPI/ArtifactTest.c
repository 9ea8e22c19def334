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

/* The dependent launches of what a call runs, of two launches; -1: an error. */
static int countDependent(fuser_device device, const char *launches) {
  static const char kTotal[] = "fuser.fusion @total(%x: tensor<?x?xf32>) -> tensor<f32> {\n"
                               "  %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>\n"
                               "  %1 = fuser.segment_set %0 : tensor<?xf32>\n"
                               "  %2 = fuser.sum %1 dims [0] : tensor<?xf32> -> tensor<f32>\n"
                               "  fuser.return %2 : tensor<f32>\n"
                               "}\n";
  float values[6][4];
  for (int i = 0; i < 24; ++i)
    values[i / 4][i % 4] = (float)i;
  int64_t shape[2] = {6, 4};
  struct DLTensor x = makeTensor(values, shape, NULL);
  fuser_argument arguments[1] = {{&x, 0, 0, 0}};
  fuser_program_options options = {.dependent_launches = launches};
  fuser_program program = NULL;
  fuser_artifact artifact = NULL;
  struct DLManagedTensor *result = NULL;
  fuser_text text = NULL;
  if (fuser_program_create(device, kTotal, strlen(kTotal), &options, &program) ||
      fuser_program_call(program, arguments, 1, NULL, &result, 1) ||
      fuser_program_artifact(program, arguments, 1, NULL, &artifact))
    return -1;
  const float total = *(float *)result->dl_tensor.data;
  result->deleter(result);
  fuser_artifact_print(artifact, &text);
  int count = 0;
  for (const char *at = fuser_text_data(text); (at = strstr(at, " dependent")); ++at)
    ++count;
  fuser_text_destroy(text);
  fuser_artifact_destroy(artifact);
  fuser_program_destroy(program);
  return total == 276 ? count : -1;
}

static int testDependentLaunches(fuser_device device) {
  EXPECT(countDependent(device, NULL) == 1);
  EXPECT(countDependent(device, "all") == 1);
  EXPECT(countDependent(device, "marked") == 0);
  fuser_program_options options = {.dependent_launches = "some"};
  fuser_program program = NULL;
  EXPECT(isError(fuser_program_create(device, kProgram, strlen(kProgram), &options, &program),
                 "ArgumentKind", "dependent_launches: expected 'all' or 'marked', but got 'some'"));
  EXPECT(!program);
  return 0;
}

int main(int argc, char **argv) {
  fuser_device device = NULL;
  EXPECT(argc == 2);
  EXPECT(!fuser_device_create("host", 0, &device));
  int failed = test(device, argv[1]) || testDependentLaunches(device);
  fuser_device_destroy(device);
  if (!failed)
    puts("ok");
  return failed;
}
