/* A C program that links with the flags of fuser_runtime.pc, and runs an artifact without a
 * compiler: runtime FILE.artifact, with one f32 argument that has two dimensions. */
#include "fuser-c/Runtime.h"
#include <stdio.h>
#include <stdlib.h>

/* As dlpack.h has them. */
struct DLTensor {
  void *data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};
struct DLManagedTensor {
  struct DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
};

static int fail(fuser_error error) {
  fprintf(stderr, "%s: %s\n", fuser_error_kind(error), fuser_error_message(error));
  fuser_error_destroy(error);
  return 1;
}

int main(int argc, char **argv) {
  enum { kRows = 4, kColumns = 128 };
  fuser_artifact artifact = NULL;
  fuser_device device = NULL;
  fuser_executable executable = NULL;
  fuser_error error;
  if (argc != 2)
    return 2;
  if ((error = fuser_artifact_read(argv[1], &artifact)))
    return fail(error);
  if ((error = fuser_device_create(fuser_artifact_device_kind(artifact), 0, &device)))
    return fail(error);
  if ((error = fuser_executable_create(device, artifact, NULL, &executable)))
    return fail(error);
  printf("loaded %s, %d arguments\n", fuser_artifact_name(artifact),
         (int)fuser_artifact_num_arguments(artifact));
  fuser_artifact_destroy(artifact);

  float *values = aligned_alloc(64, sizeof(float) * kRows * kColumns);
  if (!values)
    return 1;
  for (int i = 0; i < kRows * kColumns; ++i)
    values[i] = (float)(i % 7) - 3;
  int64_t shape[2] = {kRows, kColumns};
  struct DLTensor x = {values, {1, 0}, 2, {2, 32, 1}, shape, NULL, 0};
  fuser_argument arguments[2] = {{&x, 0, 0, 0}, {&x, 0, 0, 0}};
  struct DLManagedTensor *result = NULL;
  if ((error = fuser_executable_check(executable, arguments, 1)))
    fail(error); /* expected: the program has two arguments */
  if ((error = fuser_executable_call(executable, arguments, 2, NULL, &result, 1)))
    return fail(error);
  int wrong = 0;
  for (int i = 0; i < kRows * kColumns; ++i)
    wrong += ((float *)result->dl_tensor.data)[i] != values[i] * values[i];
  printf("ran, %d wrong\n", wrong);
  result->deleter(result);
  fuser_executable_destroy(executable);
  fuser_device_destroy(device);
  free(values);
  return wrong != 0;
}
