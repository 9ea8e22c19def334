//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An artifact is loaded and run by libfuser_runtime.so alone; damaged files and calls that do not
// fit are typed errors.
//
//===----------------------------------------------------------------------===//

#include "Testing.h"
#include <malloc.h>
#include <stdlib.h>

static int testDescription(fuser_artifact artifact) {
  fuser_value_info info;
  fuser_text text = NULL;
  EXPECT(!strcmp(fuser_artifact_name(artifact), "scale"));
  EXPECT(!strcmp(fuser_artifact_device_kind(artifact), "host"));
  EXPECT(fuser_artifact_num_arguments(artifact) == 2);
  EXPECT(fuser_artifact_num_results(artifact) == 2);
  EXPECT(!fuser_artifact_argument(artifact, 0, &info));
  EXPECT(!strcmp(info.name, "x") && !strcmp(info.dtype, "f32") && info.rank == 2);
  EXPECT(info.sizes[0] == -1 && info.sizes[1] == 8 && info.alignment > 0 && info.alias_of == -1);
  EXPECT(!fuser_artifact_argument(artifact, 1, &info));
  EXPECT(!strcmp(info.name, "s") && info.rank == -1);
  EXPECT(!fuser_artifact_result(artifact, 1, &info));
  EXPECT(!strcmp(info.dtype, "f32") && info.rank == 1 && info.sizes[0] == -1);
  EXPECT(isError(fuser_artifact_argument(artifact, 2, &info), "ArgumentCount",
                 "expected one of 2 arguments, but got number 2"));
  EXPECT(isError(fuser_artifact_result(artifact, 2, &info), "ArgumentCount", "2 results"));
  fuser_artifact_print(artifact, &text);
  EXPECT(strstr(fuser_text_data(text), "artifact @scale for ") != NULL);
  EXPECT(strlen(fuser_text_data(text)) == fuser_text_size(text));
  fuser_text_destroy(text);
  return 0;
}

/* A new tensor of f32 on the host, row by row. */
static int isNewTensor(const struct DLTensor *tensor, int rank, const int64_t *sizes) {
  int64_t stride = 1;
  for (int dim = rank; dim-- > 0; stride *= sizes[dim])
    EXPECT(tensor->shape[dim] == sizes[dim] && tensor->strides[dim] == stride);
  EXPECT(tensor->data != NULL && tensor->byte_offset == 0 && tensor->ndim == rank);
  EXPECT(tensor->device.type == 1 && tensor->device.id == 0);
  EXPECT(tensor->dtype.code == 2 && tensor->dtype.bits == 32 && tensor->dtype.lanes == 1);
  return 0;
}

static int testCalls(fuser_executable executable) {
  enum { kRows = 3, kBytes = 128 };
  /* The kernels may rely on aligned rows. A size is a multiple of the alignment. */
  float *values = aligned_alloc(64, kBytes);
  float *stored = aligned_alloc(64, kBytes);
  float *sums = aligned_alloc(64, 64);
  EXPECT(values && stored && sums && kRows * 8 * sizeof(float) <= kBytes);
  for (int i = 0; i < kRows * 8; ++i)
    values[i] = 0.25f * (float)i - 2;
  int64_t shape[2] = {kRows, 8};
  struct DLTensor x = makeTensor(values, shape, NULL);
  fuser_argument arguments[2] = {{&x, 0, 0, 0}, {NULL, 0, 2.5, 0}};
  struct DLManagedTensor *results[2] = {NULL, NULL};
  EXPECT(!fuser_executable_check(executable, arguments, 2));
  EXPECT(!fuser_executable_call(executable, arguments, 2, NULL, results, 2));
  for (int i = 0; i < 2; ++i)
    EXPECT(!isNewTensor(&results[i]->dl_tensor, 2 - i, shape));
  for (int i = 0; i < kRows; ++i) {
    float sum = 0;
    for (int j = 0; j < 8; ++j) {
      sum += values[8 * i + j];
      EXPECT(((float *)results[0]->dl_tensor.data)[8 * i + j] == 2.5f * values[8 * i + j]);
    }
    EXPECT(((float *)results[1]->dl_tensor.data)[i] == sum);
  }
  for (int i = 0; i < 2; ++i)
    results[i]->deleter(results[i]);
  struct DLManagedTensorVersioned *versioned[2] = {NULL, NULL};
  EXPECT(!fuser_executable_call_versioned(executable, arguments, 2, NULL, versioned, 2));
  EXPECT(((float *)versioned[0]->dl_tensor.data)[9] == 2.5f * values[9]);
  for (int i = 0; i < 2; ++i)
    EXPECT(!isNewTensor(&versioned[i]->dl_tensor, 2 - i, shape) && versioned[i]->flags == 0 &&
           versioned[i]->version.major == 1 && versioned[i]->version.minor == 1);
  for (int i = 0; i < 2; ++i)
    versioned[i]->deleter(versioned[i]);

  /* Results return their memory. */
  size_t used = 0;
  for (int round = 0; round < 400; ++round) {
    /* The first ones fill caches. */
    if (round == 200)
      used = mallinfo2().uordblks;
    EXPECT(!fuser_executable_call(executable, arguments, 2, NULL, results, 2));
    for (int i = 0; i < 2; ++i)
      results[i]->deleter(results[i]);
  }
  EXPECT(mallinfo2().uordblks < used + 4096);

  struct DLTensor scaled = makeTensor(stored, shape, NULL), reduced = makeTensor(sums, shape, NULL);
  reduced.ndim = 1;
  const struct DLTensor *places[2] = {&scaled, &reduced}, *missing[2] = {&scaled, NULL};
  EXPECT(!fuser_executable_call_into(executable, arguments, 2, NULL, places, 2));
  EXPECT(stored[8] == 2.5f * values[8]);
  EXPECT(isError(fuser_executable_call_into(executable, arguments, 2, NULL, missing, 2),
                 "ArgumentKind", "output 1: expected a tensor, but got a null pointer"));
  EXPECT(isError(fuser_executable_call_into(executable, arguments, 2, NULL, places, 1),
                 "ArgumentCount", "expected 2 results, but got 1"));
  EXPECT(isError(fuser_executable_call(executable, arguments, 2, NULL, results, 0), "ArgumentCount",
                 "expected 2 results, but got 0"));

  EXPECT(isError(fuser_executable_check(executable, arguments, 1), "ArgumentCount",
                 "expected 2 arguments, but got 1"));
  /* As many strides as there are dimensions. */
  int64_t strides[3] = {8, 1, -1};
  x.strides = strides;
  EXPECT(!fuser_executable_check(executable, arguments, 2));
  strides[1] = -1;
  EXPECT(isError(fuser_executable_check(executable, arguments, 2), "StrideMismatch",
                 "expected a stride of at least 0 in dimension 1, but got -1"));
  x.strides = NULL;
  shape[1] = 7;
  EXPECT(isError(fuser_executable_check(executable, arguments, 2), "SizeMismatch",
                 "argument 0 (x): expected size 8 in dimension 1, but got 7"));
  shape[1] = 8;
  x.dtype.bits = 64;
  EXPECT(isError(fuser_executable_call(executable, arguments, 2, NULL, results, 2), "DTypeMismatch",
                 "argument 0 (x)"));
  x.dtype.bits = 32;
  x.device.type = 2;
  EXPECT(isError(fuser_executable_check(executable, arguments, 2), "DeviceMismatch", "argument 0"));
  x.device.type = 1;
  arguments[1].tensor = &x;
  EXPECT(isError(fuser_executable_check(executable, arguments, 2), "ArgumentKind",
                 "argument 1 (s): expected a scalar, but got a tensor"));
  arguments[1].tensor = NULL;
  shape[0] = 0;
  EXPECT(!fuser_executable_check(executable, arguments, 2));
  free(values);
  free(stored);
  free(sums);
  return 0;
}

/* `path`: an artifact. Every bit that is flipped, and every byte that is missing, is noticed. */
static int testDamage(const char *path) {
  static char data[1 << 17];
  FILE *file = fopen(path, "rb");
  EXPECT(file != NULL);
  size_t size = fread(data, 1, sizeof(data), file);
  fclose(file);
  EXPECT(size > 64 && size < sizeof(data));
  fuser_artifact artifact = NULL;
  EXPECT(!fuser_artifact_deserialize(data, size, &artifact));
  fuser_artifact_destroy(artifact);
  for (size_t i = 0; i < size; i += i < 256 ? 1 : 17) {
    data[i] ^= (char)(1 << i % 8);
    fuser_error error = fuser_artifact_deserialize(data, size, &artifact);
    data[i] ^= (char)(1 << i % 8);
    EXPECT(error && (!strcmp(fuser_error_kind(error), "Corrupt") ||
                     !strcmp(fuser_error_kind(error), "VersionMismatch")));
    fuser_error_destroy(error);
    EXPECT(isError(fuser_artifact_deserialize(data, i, &artifact), "Corrupt", "expected "));
  }
  EXPECT(isError(fuser_artifact_deserialize(NULL, 5, &artifact), "Corrupt", "0 bytes"));
  EXPECT(isError(fuser_artifact_read("/nowhere.artifact", &artifact), "IoError",
                 "'/nowhere.artifact': expected to open the file"));
  EXPECT(isError(fuser_artifact_read("/", &artifact), "IoError", "'/': expected to read"));
  EXPECT(isError(fuser_artifact_read(NULL, &artifact), "IoError", ""));
  EXPECT(isError(fuser_artifact_read("/proc/self/exe", &artifact), "Corrupt",
                 "'/proc/self/exe': expected a saved artifact"));
  return 0;
}

int main(int argc, char **argv) {
  fuser_artifact artifact = NULL;
  fuser_device device = NULL, none = NULL;
  fuser_executable executable = NULL;
  EXPECT(argc == 2);
  EXPECT(fuser_api_version() == 10);
  EXPECT(isError(fuser_device_create("toaster", 0, &none), "DeviceUnavailable", "'toaster'"));
  EXPECT(!fuser_artifact_read(argv[1], &artifact));
  EXPECT(!fuser_device_create("host", 0, &device));
  EXPECT(!fuser_executable_create(device, artifact, NULL, &executable));
  int failed = testDescription(artifact);
  fuser_artifact_destroy(artifact);
  fuser_device_destroy(device);
  failed = failed || testCalls(executable) || testDamage(argv[1]);
  fuser_executable_destroy(executable);
  if (!failed)
    puts("ok");
  return failed;
}
