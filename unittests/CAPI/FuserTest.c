//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The C interface from C: a program runs on tensors of DLPack, and what is wrong is said.
//
//===----------------------------------------------------------------------===//

#include "Testing.h"

static const char kProgram[] =
    "fuser.fusion @scale(%x: tensor<?x?xf32>, %s: f32) -> tensor<?x?xf32> {\n"
    "  %0 = fuser.mul %x, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>\n"
    "  fuser.return %0 : tensor<?x?xf32>\n"
    "}\n";

static int testErrors(fuser_device device) {
  fuser_device none = NULL;
  fuser_program program = NULL;
  EXPECT(isError(fuser_device_create("toaster", 0, &none), "DeviceUnavailable", "'toaster'"));
  EXPECT(isError(fuser_program_create(device, "fuser.fusion", 12, NULL, &program), "InvalidProgram",
                 "1:13"));
  fuser_program_options options = {.target = "toaster"};
  fuser_error error = fuser_program_create(device, kProgram, strlen(kProgram), &options, &program);
  EXPECT(error != NULL);
  EXPECT(fuser_error_code(error) != 0);
  fuser_error_destroy(error);
  return 0;
}

/* A tensor of no dimensions is no scalar. */
static int testTensorOfOneElement(fuser_device device) {
  static const char kText[] = "fuser.fusion @f(%x: tensor<f32>) -> tensor<f32> {\n"
                              "  %0 = fuser.neg %x : tensor<f32>\n"
                              "  fuser.return %0 : tensor<f32>\n}\n";
  fuser_program program = NULL;
  EXPECT(!fuser_program_create(device, kText, strlen(kText), NULL, &program));
  EXPECT(fuser_program_is_tensor(program, 0));
  EXPECT(fuser_program_scalar_type(program, 0) == NULL);
  fuser_program_destroy(program);
  return 0;
}

/* A constant of the program is no argument of its calls. */
static int testConstantsAreNoArguments(fuser_device device) {
  static const char kText[] =
      "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
      "  %0 = arith.addf %x, %c : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n";
  fuser_program program = NULL;
  EXPECT(!fuser_program_create(device, kText, strlen(kText), NULL, &program));
  EXPECT(fuser_program_num_arguments(program) == 1);
  EXPECT(fuser_program_is_tensor(program, 0) && !fuser_program_is_tensor(program, 1));
  fuser_program_destroy(program);
  return 0;
}

/* Tensors of each element type, by DLPack's codes, and codes that are none. */
static int testElementTypes(fuser_device device) {
  static const struct {
    const char *name;
    uint8_t code, bits;
  } types[] = {
      {"i1", 6, 8},        {"i8", 0, 8},      {"i16", 0, 16},          {"i32", 0, 32},
      {"i64", 0, 64},

      {"f16", 2, 16},      {"bf16", 4, 16},   {"f32", 2, 32},          {"f64", 2, 64},
      {"f8E4M3FN", 10, 8}, {"f8E5M2", 12, 8}, {"complex<f32>", 5, 64}, {"complex<f64>", 5, 128}};
  static const struct {
    uint8_t code, bits;
    uint16_t lanes;
  } others[] = {{0, 9, 1},  {0, 4, 1},   {0, 128, 1}, {1, 255, 1}, {2, 8, 1},  {3, 64, 1},
                {4, 32, 1}, {5, 32, 1},  {6, 1, 1},   {7, 8, 1},   {9, 8, 1},  {11, 8, 1},
                {13, 8, 1}, {13, 16, 1}, {14, 8, 1},  {255, 8, 1}, {2, 32, 0}, {2, 32, 2}};
  static double memory[8];
  int64_t shape[1] = {2};
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
    char text[512];
    snprintf(text, sizeof(text),
             "fuser.fusion @f(%%x: tensor<2x%s>) -> tensor<2x%s> {\n"
             "  %%0 = fuser.set %%x : tensor<2x%s>\n  fuser.return %%0 : tensor<2x%s>\n}\n",
             types[i].name, types[i].name, types[i].name, types[i].name);
    fuser_program program = NULL;
    struct DLManagedTensor *result = NULL;
    struct DLTensor x = makeTensor(memory, shape, NULL);
    x.ndim = 1;
    x.dtype.code = types[i].code;
    x.dtype.bits = types[i].bits;
    fuser_argument argument = {&x, 0, 0, 0};
    EXPECT(!fuser_program_create(device, text, strlen(text), NULL, &program));
    EXPECT(!fuser_program_call(program, &argument, 1, NULL, &result, 1));
    EXPECT(result->dl_tensor.dtype.code == types[i].code);
    EXPECT(result->dl_tensor.dtype.bits == types[i].bits && result->dl_tensor.dtype.lanes == 1);
    result->deleter(result);
    /* Unsigned ones are known, but no program has them. */
    for (int bits = 8; i == 0 && bits <= 64; bits *= 2) {
      char message[128];
      snprintf(message, sizeof(message), "expected element type bool, but got u%d", bits);
      x.dtype.code = 1;
      x.dtype.bits = (uint8_t)bits;
      EXPECT(isError(fuser_program_call(program, &argument, 1, NULL, &result, 1), "DTypeMismatch",
                     message));
    }
    for (size_t k = 0; i == 0 && k < sizeof(others) / sizeof(others[0]); ++k) {
      char message[128];
      snprintf(message, sizeof(message), "but got DLPack type code %d of %d bits and %d lanes",
               others[k].code, others[k].bits, others[k].lanes);
      x.dtype.code = others[k].code;
      x.dtype.bits = others[k].bits;
      x.dtype.lanes = others[k].lanes;
      EXPECT(isError(fuser_program_call(program, &argument, 1, NULL, &result, 1), "DTypeMismatch",
                     message));
    }
    fuser_program_destroy(program);
  }
  return 0;
}

/* A scalar of each type, and what the program makes of it. */
static int testScalars(fuser_device device) {
  static const char kText[] =
      "fuser.fusion @f(%a: f32, %b: f64, %c: i1, %d: i64, %e: complex<f32>, "
      "%f: complex<f64>)\n"
      "    -> (tensor<1xf32>, tensor<1xf64>, tensor<1xi1>, tensor<1xi64>,\n"
      "        tensor<1xcomplex<f32>>, tensor<1xcomplex<f64>>) {\n"
      "  %0 = fuser.full %a : f32 -> tensor<1xf32>\n"
      "  %1 = fuser.full %b : f64 -> tensor<1xf64>\n"
      "  %2 = fuser.full %c : i1 -> tensor<1xi1>\n"
      "  %3 = fuser.full %d : i64 -> tensor<1xi64>\n"
      "  %4 = fuser.full %e : complex<f32> -> tensor<1xcomplex<f32>>\n"
      "  %5 = fuser.full %f : complex<f64> -> tensor<1xcomplex<f64>>\n"
      "  fuser.return %0, %1, %2, %3, %4, %5 : tensor<1xf32>, tensor<1xf64>, tensor<1xi1>,\n"
      "      tensor<1xi64>, tensor<1xcomplex<f32>>, tensor<1xcomplex<f64>>\n"
      "}\n";
  static const char *const kTypes[] = {"f32", "f64", "i1", "i64", "complex<f32>", "complex<f64>"};
  fuser_program program = NULL;
  EXPECT(!fuser_program_create(device, kText, strlen(kText), NULL, &program));
  for (size_t i = 0; i < 6; ++i)
    EXPECT(!strcmp(fuser_program_scalar_type(program, i), kTypes[i]));
  for (int64_t truth = 0; truth < 3; ++truth) {
    fuser_argument arguments[6] = {{NULL, 0, 0.1, 0},    {NULL, 0, 0.1, 0},
                                   {NULL, truth, 0, 0},  {NULL, INT64_MIN, 0, 0},
                                   {NULL, 0, 0.1, -0.3}, {NULL, 0, 0.1, -0.3}};
    struct DLManagedTensor *results[6];
    EXPECT(!fuser_program_call(program, arguments, 6, NULL, results, 6));
    EXPECT(*(float *)results[0]->dl_tensor.data == 0.1f);
    EXPECT(*(double *)results[1]->dl_tensor.data == 0.1);
    EXPECT(*(uint8_t *)results[2]->dl_tensor.data == (truth != 0));
    EXPECT(*(int64_t *)results[3]->dl_tensor.data == INT64_MIN);
    EXPECT(((float *)results[4]->dl_tensor.data)[0] == 0.1f);
    EXPECT(((float *)results[4]->dl_tensor.data)[1] == -0.3f);
    EXPECT(((double *)results[5]->dl_tensor.data)[0] == 0.1);
    EXPECT(((double *)results[5]->dl_tensor.data)[1] == -0.3);
    for (int i = 0; i < 6; ++i)
      results[i]->deleter(results[i]);
  }
  fuser_program_destroy(program);
  return 0;
}

/* The memory that a fork wipes, in KiB: each handle that knows its process has a page. */
static long countWipedMemory(void) {
  char line[512];
  long size = 0, sum = 0;
  FILE *file = fopen("/proc/self/smaps", "r");
  while (file && fgets(line, sizeof(line), file))
    if (sscanf(line, "Size: %ld kB", &size) != 1 && !strncmp(line, "VmFlags:", 8) &&
        strstr(line, " wf"))
      sum += size;
  if (file)
    fclose(file);
  return sum;
}

static int testHandlesReturnTheirMemory(fuser_device device) {
  const long before = countWipedMemory();
  fuser_device devices[8];
  fuser_program programs[8];
  for (int i = 0; i < 8; ++i) {
    EXPECT(!fuser_device_create("host", 0, &devices[i]));
    EXPECT(!fuser_program_create(device, kProgram, strlen(kProgram), NULL, &programs[i]));
  }
  for (int i = 0; i < 8; ++i) {
    fuser_program_destroy(programs[i]);
    fuser_device_destroy(devices[i]);
  }
  EXPECT(countWipedMemory() == before);
  return 0;
}

static int testCalls(fuser_device device) {
  fuser_program program = NULL;
  EXPECT(!fuser_program_create(device, kProgram, strlen(kProgram), NULL, &program));
  EXPECT(fuser_program_num_arguments(program) == 2);
  EXPECT(fuser_program_num_results(program) == 1);
  EXPECT(fuser_program_is_tensor(program, 0) && !fuser_program_is_tensor(program, 1));
  EXPECT(fuser_program_scalar_type(program, 0) == NULL);
  EXPECT(!strcmp(fuser_program_scalar_type(program, 1), "f32"));
  EXPECT(fuser_program_scalar_type(program, 2) == NULL);
  EXPECT(fuser_program_alias_of(program, 0) == -1);

  float values[3][5];
  for (int i = 0; i < 15; ++i)
    values[i / 5][i % 5] = 0.5f * (float)i - 3;
  int64_t shape[2] = {5, 3}, columnMajor[2] = {1, 5};
  struct DLTensor x = makeTensor(values, shape, columnMajor);
  fuser_argument arguments[2] = {{&x, 0, 0, 0}, {NULL, 0, 2.5, 0}};
  struct DLManagedTensor *result = NULL;
  int compiles = 0;
  EXPECT(!fuser_program_would_compile(program, arguments, 2, &compiles) && compiles == 1);
  fuser_text reason = NULL;
  EXPECT(!fuser_program_reason_to_compile(program, arguments, 2, &reason));
  EXPECT(strcmp(fuser_text_data(reason), "expected kernels, but none are compiled yet") == 0);
  fuser_text_destroy(reason);
  EXPECT(!fuser_program_call(program, arguments, 2, NULL, &result, 1));
  EXPECT(!fuser_program_would_compile(program, arguments, 2, &compiles) && compiles == 0);
  EXPECT(!fuser_program_reason_to_compile(program, arguments, 2, &reason));
  EXPECT(fuser_text_size(reason) == 0);
  fuser_text_destroy(reason);
  const struct DLTensor *y = &result->dl_tensor;
  EXPECT(y->ndim == 2 && y->shape[0] == 5 && y->shape[1] == 3 && y->dtype.bits == 32);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT(((float *)y->data)[i * y->strides[0] + j * y->strides[1]] == 2.5f * values[j][i]);
  EXPECT(fuser_result_owns_memory(result));
  result->deleter(result);
  // The same as newer versions of DLPack pass it.
  struct DLManagedTensorVersioned *versioned = NULL;
  EXPECT(!fuser_program_call_versioned(program, arguments, 2, NULL, &versioned, 1));
  EXPECT(versioned->version.major == 1 && versioned->flags == 0);
  y = &versioned->dl_tensor;
  EXPECT(y->ndim == 2 && y->shape[0] == 5 && y->shape[1] == 3 && y->byte_offset == 0);
  EXPECT(((float *)y->data)[4 * y->strides[0] + 2 * y->strides[1]] == 2.5f * values[2][4]);
  EXPECT(fuser_versioned_result_owns_memory(versioned));
  versioned->deleter(versioned);

  float stored[5][3] = {{0}};
  int64_t wrongShape[2] = {3, 5};
  struct DLTensor place = makeTensor(stored, shape, NULL),
                  wrong = makeTensor(stored, wrongShape, NULL);
  const struct DLTensor *places[1] = {&place}, *wrongPlaces[1] = {&wrong}, *noPlaces[1] = {NULL};
  x = makeTensor(values, shape, NULL);
  EXPECT(isError(fuser_program_call_into(program, arguments, 2, NULL, wrongPlaces, 1),
                 "SizeMismatch", "output 0"));
  EXPECT(isError(fuser_program_call_into(program, arguments, 2, NULL, noPlaces, 1), "ArgumentKind",
                 "output 0: expected a tensor, but got a null pointer"));
  EXPECT(isError(fuser_program_call_into(program, arguments, 2, NULL, places, 0), "ArgumentCount",
                 "expected 1 results, but got 0"));
  EXPECT(stored[4][2] == 0);
  EXPECT(!fuser_program_call_into(program, arguments, 2, NULL, places, 1));
  for (int i = 0; i < 15; ++i)
    EXPECT(stored[i / 3][i % 3] == 2.5f * values[i / 5][i % 5]);
  x = makeTensor(values, shape, columnMajor);

  EXPECT(isError(fuser_program_call(program, arguments, 1, NULL, &result, 1), "ArgumentCount",
                 "expected 2 arguments, but got 1"));
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 3), "ArgumentCount",
                 "expected 1 results, but got 3"));
  x.dtype.bits = 16;
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "DTypeMismatch",
                 "argument 0"));
  x.dtype.bits = 12;
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "DTypeMismatch",
                 "DLPack type code 2 of 12 bits"));
  x = makeTensor(values, shape, NULL);
  x.device.type = 2;
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "DeviceMismatch",
                 "argument 0"));
  x = makeTensor(NULL, shape, NULL);
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "NullPointer",
                 "argument 0"));
  int64_t reversed[2] = {3, -1};
  x = makeTensor(values, shape, reversed);
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "StrideMismatch",
                 "argument 0: expected a stride of at least 0 in dimension 1, but got -1"));
  x = makeTensor(values, shape, NULL);
  x.ndim = 1;
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "RankMismatch",
                 "argument 0"));
  fuser_program_destroy(program);
  return 0;
}

/* `path`: a program with a kernel that a phase refuses. */
static int testFallbacks(fuser_device device, const char *path) {
  char text[8192];
  FILE *file = fopen(path, "r");
  EXPECT(file != NULL);
  size_t length = fread(text, 1, sizeof(text), file);
  fclose(file);
  EXPECT(length > 0 && length < sizeof(text));
  fuser_program program = NULL;
  EXPECT(!fuser_program_create(device, text, length, NULL, &program));
  EXPECT(fuser_program_num_fallbacks(program) == 0);
  EXPECT(fuser_program_fallback(program, 0) == NULL);

  float values[1][512] = {{1024}};
  int64_t shape[2] = {1, 512};
  struct DLTensor x = makeTensor(values, shape, NULL);
  fuser_argument argument = {&x, 0, 0, 0};
  for (int call = 0; call < 2; ++call) {
    struct DLManagedTensor *results[2];
    EXPECT(!fuser_program_call(program, &argument, 1, NULL, results, 2));
    EXPECT(((float *)results[0]->dl_tensor.data)[0] == 2);
    for (int i = 0; i < 2; ++i)
      results[i]->deleter(results[i]);
    EXPECT(fuser_program_num_fallbacks(program) == 1);
  }
  const char *fallback = fuser_program_fallback(program, 0);
  EXPECT(fallback && strstr(fallback, "a kernel of 2 ops is split"));
  EXPECT(fuser_program_fallback(program, 1) == NULL);
  fuser_program_destroy(program);
  return 0;
}

int main(int argc, char **argv) {
  fuser_device device = NULL;
  EXPECT(argc == 2);
  fuser_text description = NULL;
  EXPECT(fuser_api_version() == 10);
  EXPECT(!fuser_device_create("host", 0, &device));
  EXPECT(!fuser_device_describe(device, &description));
  EXPECT(strstr(fuser_text_data(description), "kind = host\n"));
  EXPECT(strstr(fuser_text_data(description), "\nassembler = "));
  fuser_text_destroy(description);
  int failed = testErrors(device) || testTensorOfOneElement(device) || testScalars(device) ||
               testConstantsAreNoArguments(device) || testElementTypes(device) ||
               testHandlesReturnTheirMemory(device) || testCalls(device) ||
               testFallbacks(device, argv[1]);
  fuser_device_destroy(device);
  if (!failed)
    puts("ok");
  return failed;
}
