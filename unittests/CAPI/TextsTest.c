//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phases, decisions, schedules and the reference from C.
//
//===----------------------------------------------------------------------===//

#include "Testing.h"

static const char kProgram[] =
    "fuser.fusion @rows(%x: tensor<?x?xf32>, %s: f32) -> tensor<?xf32> {\n"
    "  %0 = fuser.mul %x, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32> loc(\"scaled\")\n"
    "  %1 = fuser.segment_set %0 : tensor<?x?xf32> loc(\"mark\")\n"
    "  %2 = fuser.sum %1 dims [1] : tensor<?x?xf32> -> tensor<?xf32>\n"
    "  fuser.return %2 : tensor<?xf32>\n"
    "}\n";

static float values[5][3];
static int64_t shape[2] = {5, 3};

/* Takes the text; whether it contains `part`. */
static int contains(fuser_text text, const char *part) {
  int found = text && strstr(fuser_text_data(text), part) != NULL &&
              fuser_text_size(text) == strlen(fuser_text_data(text));
  if (!found)
    printf("expected '%s' in:\n%s\n", part, text ? fuser_text_data(text) : "(null)");
  if (text)
    fuser_text_destroy(text);
  return found;
}

static int testTransform(const fuser_argument *arguments) {
  size_t length = strlen(kProgram);
  fuser_text text = NULL;
  EXPECT(!fuser_transform(kProgram, length, "segmentation", NULL, NULL, 0, NULL, &text));
  EXPECT(contains(text, "fuser.kernel @rows_1"));
  EXPECT(!fuser_transform(kProgram, length, "choose", "h200", arguments, 2, NULL, &text));
  EXPECT(contains(text, "schedule = #fuser_sched."));
  EXPECT(isError(fuser_transform(kProgram, length, "codegen", NULL, NULL, 0, NULL, &text),
                 "ParseError",
                 "phase: expected one of preseg, segmentation, choose, apply, loops, "));
  EXPECT(isError(fuser_transform(kProgram, length, "choose", "toaster", NULL, 0, NULL, &text),
                 "DeviceUnavailable", "toaster"));
  EXPECT(isError(fuser_transform("fuser.fusion", 12, "choose", NULL, NULL, 0, NULL, &text),
                 "InvalidProgram", "1:13"));
  EXPECT(isError(fuser_transform(kProgram, length, "choose", NULL, arguments, 1, NULL, &text),
                 "ArgumentCount", "expected 2 arguments, but got 1"));
  fuser_argument swapped[2] = {arguments[1], arguments[0]};
  EXPECT(isError(fuser_transform(kProgram, length, "choose", NULL, swapped, 2, NULL, &text),
                 "ArgumentKind", "argument 0: expected a tensor, but got a scalar"));
  return 0;
}

static int testDecisions(const fuser_argument *arguments) {
  size_t length = strlen(kProgram);
  fuser_text text = NULL;
  EXPECT(!fuser_partition(kProgram, length, NULL, arguments, 2, NULL, &text));
  EXPECT(contains(text, "{\"microseconds\":"));
  EXPECT(!fuser_partition(kProgram, length, NULL, NULL, 0, NULL, &text));
  /* The sum has no name: it is op 2 of the fusion. */
  EXPECT(contains(text, "\"ops\":[\"2\"]"));
  EXPECT(!fuser_partition(kProgram, length, NULL, NULL, 0, NULL, &text));
  EXPECT(contains(text, "\"ops\":[\"scaled\",\"mark\"]"));
  EXPECT(!fuser_transform(kProgram, length, "segmentation", NULL, NULL, 0, NULL, &text));
  fuser_text again = NULL;
  EXPECT(isError(
      fuser_partition(fuser_text_data(text), fuser_text_size(text), NULL, NULL, 0, NULL, &again),
      "InvalidProgram", "expected a fusion to partition, but got fuser.host"));
  EXPECT(isError(fuser_explain(fuser_text_data(text), fuser_text_size(text), "text", NULL, NULL, 0,
                               NULL, &again),
                 "InvalidProgram", "expected a fusion to explain, but got fuser.host"));
  fuser_text_destroy(text);
  EXPECT(!fuser_explain(kProgram, length, "text", NULL, arguments, 2, NULL, &text));
  EXPECT(contains(text, "device      NVIDIA H100\nsizes       5,3;\n"
                        "fused       2 kernels, 120 B read, 80 B written, "));
  EXPECT(!fuser_explain(kProgram, length, "text", "sm_80", NULL, 0, NULL, &text));
  EXPECT(contains(text, "device      NVIDIA A100\nsizes       not known"));
  /* Those for programs have the stages of each kernel, and the picture and the table have not. */
  static const char *const formats[] = {"json", "html", "svg", "text"};
  static const char *const beginnings[] = {"{", "<!DOCTYPE html>", "<svg ", "program "};
  for (int i = 0; i < 4; ++i) {
    EXPECT(!fuser_explain(kProgram, length, formats[i], NULL, arguments, 2, NULL, &text));
    EXPECT(!strncmp(fuser_text_data(text), beginnings[i], strlen(beginnings[i])));
    EXPECT((strstr(fuser_text_data(text), "gpu.func") != NULL) == (i < 2));
    fuser_text_destroy(text);
  }
  /* All of a partition but its numbers. */
  EXPECT(!fuser_partition(kProgram, length, NULL, arguments, 2, NULL, &text));
  char letters[256];
  size_t used = 0;
  for (const char *at = fuser_text_data(text); *at; ++at)
    if ((*at < '0' || *at > '9') && *at != '.' && used + 1 < sizeof(letters))
      letters[used++] = *at;
  letters[used] = 0;
  fuser_text_destroy(text);
  EXPECT(!strcmp(letters, "[{\"microseconds\":,\"ops\":[\"scaled\",\"mark\"],"
                          "\"recomputed\":[],\"scheduler\":\"pointwise\"},"
                          "{\"microseconds\":,\"ops\":[\"\"],\"recomputed\":[],"
                          "\"scheduler\":\"reduction\"}]"));
  EXPECT(!fuser_partition(kProgram, length, NULL, NULL, 0, NULL, &text));
  EXPECT(!fuser_partition(kProgram, length, "sm_80", NULL, 0, NULL, &again));
  EXPECT(strcmp(fuser_text_data(text), fuser_text_data(again)) != 0);
  fuser_text_destroy(again);
  EXPECT(!fuser_partition(kProgram, length, NULL, arguments, 2, NULL, &again));
  EXPECT(strcmp(fuser_text_data(text), fuser_text_data(again)) != 0);
  fuser_text_destroy(again);
  fuser_text_destroy(text);
  EXPECT(isError(fuser_explain(kProgram, length, "toml", NULL, NULL, 0, NULL, &text), "ParseError",
                 "format: expected text, json, svg or html, but got 'toml'"));
  EXPECT(isError(fuser_explain(kProgram, length, NULL, NULL, NULL, 0, NULL, &text), "ParseError",
                 "format: expected text, json, svg or html, but got ''"));
  return 0;
}

static int testSchedules(fuser_device device, const fuser_argument *arguments) {
  fuser_program program = NULL;
  struct DLManagedTensor *result = NULL;
  fuser_program_options options = {.scheduler = "reduction"};
  /* The product is no reduction. */
  EXPECT(!fuser_program_create(device, kProgram, strlen(kProgram), &options, &program));
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "CompilationFailed",
                 "expected a kernel that 'reduction' accepts, but it refuses"));
  fuser_program_destroy(program);
  options.scheduler = NULL;
  options.schedule = "#fuser_sched.";
  EXPECT(isError(fuser_program_create(device, kProgram, strlen(kProgram), &options, &program),
                 "InvalidProgram", "schedule: "));
  return 0;
}

static int testReference(const fuser_argument *arguments) {
  struct DLManagedTensor *result = NULL;
  EXPECT(!fuser_evaluate(kProgram, strlen(kProgram), arguments, 2, &result, 1));
  struct DLTensor *rows = &result->dl_tensor;
  EXPECT(rows->ndim == 1 && rows->shape[0] == 5 && rows->dtype.code == 2 && rows->dtype.bits == 32);
  for (int i = 0; i < 5; ++i)
    EXPECT(((float *)rows->data)[i] == 2.5f * (values[i][0] + values[i][1] + values[i][2]));

  fuser_text difference = NULL;
  EXPECT(!fuser_compare(rows, rows, NULL, &difference) && difference == NULL);
  float others[5];
  memcpy(others, rows->data, sizeof(others));
  others[3] += 1;
  struct DLTensor other = *rows;
  other.data = others;
  EXPECT(!fuser_compare(&other, rows, NULL, &difference));
  EXPECT(contains(difference, "1 of 5 elements differ; expected "));
  EXPECT(!fuser_compare(&other, rows, NULL, &difference));
  EXPECT(contains(difference, " at row-major position 3, but got "));
  others[3] -= 1;
  others[2] *= 1.001f;
  EXPECT(!fuser_compare(&other, rows, NULL, &difference));
  EXPECT(contains(difference, "1 of 5 elements differ"));
  EXPECT(!fuser_compare(&other, rows, "bf16", &difference) && difference == NULL);
  EXPECT(isError(fuser_compare(&other, rows, "bf17", &difference), "DTypeMismatch",
                 "type: expected an element type, but got 'bf17'"));
  int64_t four = 4;
  other.shape = &four;
  EXPECT(!fuser_compare(&other, rows, NULL, &difference));
  EXPECT(contains(difference, "expected 5xf32, but got 4xf32"));
  other.dtype.bits = 12;
  EXPECT(isError(fuser_compare(&other, rows, NULL, &difference), "DTypeMismatch", "argument 0"));
  result->deleter(result);

  EXPECT(isError(fuser_evaluate(kProgram, strlen(kProgram), arguments, 2, &result, 3),
                 "ArgumentCount", "1 results, but got 2 and 3"));
  /* One row for all, and every row backwards. */
  int64_t repeated[2] = {0, 1}, backwards[2] = {3, -1};
  struct DLTensor strided = makeTensor(values, shape, repeated);
  fuser_argument views[2] = {{&strided, 0, 0, 0}, arguments[1]};
  EXPECT(!fuser_evaluate(kProgram, strlen(kProgram), views, 2, &result, 1));
  for (int i = 0; i < 5; ++i)
    EXPECT(((float *)result->dl_tensor.data)[i] ==
           2.5f * (values[0][0] + values[0][1] + values[0][2]));
  result->deleter(result);
  /* No elements. */
  int64_t empty[2] = {5, 0};
  strided.shape = empty;
  EXPECT(!fuser_evaluate(kProgram, strlen(kProgram), views, 2, &result, 1));
  for (int i = 0; i < 5; ++i)
    EXPECT(((float *)result->dl_tensor.data)[i] == 0);
  result->deleter(result);
  strided.shape = shape;
  strided.strides = backwards;
  EXPECT(isError(fuser_evaluate(kProgram, strlen(kProgram), views, 2, &result, 1), "StrideMismatch",
                 "argument 0: expected a stride of at least 0 in dimension 1, but got -1"));

  struct DLTensor doubles = makeTensor(values, shape, NULL);
  doubles.dtype.bits = 64;
  fuser_argument wrong[2] = {{&doubles, 0, 0, 0}, arguments[1]};
  EXPECT(isError(fuser_evaluate(kProgram, strlen(kProgram), wrong, 2, &result, 1), "DTypeMismatch",
                 "argument 0: expected f32, but got f64"));
  return 0;
}

/* Programs of other dialects, without arguments for the sizes, with one argument and with none. */
static int testOtherPrograms(void) {
  static const char negated[] = "func.func @negated(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {\n"
                                "  %0 = arith.negf %x : tensor<5x3xf32>\n"
                                "  return %0 : tensor<5x3xf32>\n"
                                "}\n";
  static const char ones[] = "fuser.fusion @ones() -> tensor<2xf32> {\n"
                             "  %0 = arith.constant 1.0 : f32\n"
                             "  %1 = fuser.full %0 : f32 -> tensor<2xf32>\n"
                             "  fuser.return %1 : tensor<2xf32>\n"
                             "}\n";
  static const char twoSums[] =
      "fuser.fusion @sums(%x: tensor<?x?xbf16>) -> (tensor<?xf32>, tensor<?xf32>) {\n"
      "  %0 = fuser.cast %x : tensor<?x?xbf16> to tensor<?x?xf32> loc(\"long\")\n"
      "  %1, %m = fuser.var_mean %0 dims [0] correction 0 : tensor<?x?xf32> -> tensor<?xf32>, "
      "tensor<?xf32> loc(\"columns\")\n"
      "  %2 = fuser.sum %0 dims [1] : tensor<?x?xf32> -> tensor<?xf32> loc(\"rows\")\n"
      "  fuser.return %1, %2 : tensor<?xf32>, tensor<?xf32>\n"
      "}\n";
  fuser_text text = NULL;
  EXPECT(!fuser_partition(twoSums, strlen(twoSums), NULL, NULL, 0, NULL, &text));
  EXPECT(contains(text, "\"ops\":[\"long\",\"rows\"],\"recomputed\":[\"long\"],"));
  EXPECT(!fuser_partition(negated, strlen(negated), NULL, NULL, 0, NULL, &text));
  EXPECT(contains(text, "\"scheduler\":\"pointwise\"}]"));
  EXPECT(!fuser_partition(ones, strlen(ones), NULL, NULL, 0, NULL, &text));
  EXPECT(contains(text, "\"scheduler\":\"pointwise\"}]"));
  struct DLTensor x = makeTensor(values, shape, NULL);
  fuser_argument argument = {&x, 0, 0, 0};
  struct DLManagedTensor *result = NULL;
  EXPECT(!fuser_evaluate(negated, strlen(negated), &argument, 1, &result, 1));
  for (int i = 0; i < 15; ++i)
    EXPECT(((float *)result->dl_tensor.data)[i] == -values[i / 3][i % 3]);
  result->deleter(result);
  EXPECT(isError(fuser_evaluate(negated, strlen(negated), NULL, 0, &result, 1), "ArgumentCount",
                 "expected 1 arguments and 1 results, but got 0 and 1"));
  /* A scalar before a tensor. */
  static const char scaled[] =
      "fuser.fusion @scaled(%s: f32, %x: tensor<5x3xf32>) -> tensor<5x3xf32> {\n"
      "  %0 = fuser.mul %x, %s : (tensor<5x3xf32>, f32) -> tensor<5x3xf32>\n"
      "  fuser.return %0 : tensor<5x3xf32>\n"
      "}\n";
  fuser_argument scaleAndTensor[2] = {{NULL, 0, 2.5, 0}, {&x, 0, 0, 0}};
  EXPECT(!fuser_evaluate(scaled, strlen(scaled), scaleAndTensor, 2, &result, 1));
  for (int i = 0; i < 15; ++i)
    EXPECT(((float *)result->dl_tensor.data)[i] == 2.5f * values[i / 3][i % 3]);
  result->deleter(result);
  EXPECT(!fuser_evaluate(ones, strlen(ones), NULL, 0, &result, 1));
  EXPECT(((float *)result->dl_tensor.data)[0] == 1 && ((float *)result->dl_tensor.data)[1] == 1);
  result->deleter(result);
  return 0;
}

/* A device that is counted can be used. */
static int testGPUs(void) {
  for (int i = 0; i < fuser_count_gpus(); ++i) {
    fuser_device device = NULL;
    EXPECT(!fuser_device_create("cuda", i, &device));
    fuser_device_destroy(device);
  }
  return 0;
}

int main(void) {
  for (int i = 0; i < 15; ++i)
    values[i / 3][i % 3] = 0.5f * (float)i - 3;
  struct DLTensor x = makeTensor(values, shape, NULL);
  fuser_argument arguments[2] = {{&x, 0, 0, 0}, {NULL, 0, 2.5, 0}};
  fuser_device device = NULL;
  EXPECT(!fuser_device_create("host", 0, &device));
  int failed = testTransform(arguments) || testDecisions(arguments) ||
               testSchedules(device, arguments) || testReference(arguments) ||
               testOtherPrograms() || testGPUs();
  fuser_device_destroy(device);
  if (!failed)
    puts("ok");
  return failed;
}
