//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of the C interface share: tensors of DLPack and expectations.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_CAPI_TESTING_H
#define FUSER_UNITTESTS_CAPI_TESTING_H

#include "fuser-c/Fuser.h"
#include <stdio.h>
#include <string.h>

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
struct DLManagedTensorVersioned {
  struct {
    uint32_t major, minor;
  } version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  struct DLTensor dl_tensor;
};

#define EXPECT(condition)                                                                          \
  if (!(condition)) {                                                                              \
    printf("line %d: expected %s\n", __LINE__, #condition);                                        \
    return 1;                                                                                      \
  }

/* Takes the error, which must be of this kind and say this. */
static int isError(fuser_error error, const char *kind, const char *part) {
  int same = error && !strcmp(fuser_error_kind(error), kind) &&
             strstr(fuser_error_message(error), part) != NULL;
  if (error && !same)
    printf("got %s: %s\n", fuser_error_kind(error), fuser_error_message(error));
  if (error)
    fuser_error_destroy(error);
  return same;
}

static struct DLTensor makeTensor(void *data, int64_t *shape, int64_t *strides) {
  struct DLTensor tensor = {data, {1, 0}, 2, {2, 32, 1}, shape, strides, 0};
  return tensor;
}

#endif /* FUSER_UNITTESTS_CAPI_TESTING_H */
