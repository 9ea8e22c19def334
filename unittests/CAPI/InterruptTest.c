//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compilation ahead of calls, its interruption, and handles after fork.
//
//===----------------------------------------------------------------------===//

#include "Testing.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char kProgram[] =
    "fuser.fusion @scale(%x: tensor<?x?xf32>, %s: f32) -> tensor<?x?xf32> {\n"
    "  %0 = fuser.mul %x, %s : (tensor<?x?xf32>, f32) -> tensor<?x?xf32>\n"
    "  fuser.return %0 : tensor<?x?xf32>\n"
    "}\n";

static float values[5][3];
static int64_t shape[2] = {5, 3};
static struct DLTensor tensor;
static fuser_argument arguments[2] = {{&tensor, 0, 0, 0}, {NULL, 0, 2.5, 0}};

static int testCompileAhead(fuser_device device) {
  fuser_program program = NULL;
  fuser_program_options options = {.compile_ahead = 1};
  EXPECT(!fuser_program_create(device, kProgram, strlen(kProgram), &options, &program));
  struct DLManagedTensor *result = NULL;
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "NotCompiled",
                 "expected kernels that are compiled for these arguments"));
  int flag = 1;
  EXPECT(isError(fuser_program_compile(program, arguments, 2, &flag), "Interrupted",
                 "expected to compile, but was interrupted"));
  EXPECT(isError(fuser_program_compile(program, arguments, 1, NULL), "ArgumentCount", ""));
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "NotCompiled", ""));
  flag = 0;
  EXPECT(!fuser_program_compile(program, arguments, 2, &flag));
  flag = 1; /* Nothing is left to do, and nothing to interrupt. */
  EXPECT(!fuser_program_compile(program, arguments, 2, &flag));
  EXPECT(!fuser_program_call(program, arguments, 2, NULL, &result, 1));
  EXPECT(((float *)result->dl_tensor.data)[14] == 2.5f * values[4][2]);
  result->deleter(result);
  fuser_program_destroy(program);
  return 0;
}

struct progress_log {
  int calls;
  char last_step[32];
  size_t done, total;
};

static void logProgress(void *data, const fuser_progress *progress) {
  struct progress_log *log = data;
  ++log->calls;
  snprintf(log->last_step, sizeof log->last_step, "%s", progress->step);
  log->done = progress->done;
  log->total = progress->total;
}

static int testProgress(fuser_device device) {
  fuser_program program = NULL;
  struct progress_log log = {0};
  /* Every compilation takes longer than a millisecond. */
  fuser_program_options options = {
      .threads = 2, .progress = logProgress, .progress_data = &log, .progress_delay = 1};
  EXPECT(!fuser_program_create(device, kProgram, strlen(kProgram), &options, &program));
  EXPECT(!fuser_program_compile(program, arguments, 2, NULL));
  EXPECT(log.calls > 0);
  EXPECT(strcmp(log.last_step, "load") == 0 || strcmp(log.last_step, "object") == 0);
  EXPECT(log.done == 1 && log.total == 1);
  fuser_program_destroy(program);
  return 0;
}

static int testTexts(void) {
  size_t length = strlen(kProgram);
  fuser_text text = NULL;
  int flag = 1;
  EXPECT(isError(fuser_transform(kProgram, length, "lowering", NULL, NULL, 0, &flag, &text),
                 "Interrupted", "expected to finish, but was interrupted"));
  EXPECT(isError(fuser_partition(kProgram, length, NULL, NULL, 0, &flag, &text), "Interrupted",
                 "expected to finish, but was interrupted"));
  EXPECT(isError(fuser_explain(kProgram, length, "text", NULL, NULL, 0, &flag, &text),
                 "Interrupted", "expected to finish, but was interrupted"));
  flag = 0;
  EXPECT(!fuser_transform(kProgram, length, "lowering", NULL, NULL, 0, &flag, &text));
  fuser_text_destroy(text);
  return 0;
}

/* Status of a child that runs `child`. */
static int runInChild(int (*child)(fuser_device, fuser_program), fuser_device device,
                      fuser_program program) {
  int status = 1;
  pid_t id = fork();
  if (id == 0)
    _exit(child(device, program));
  return id > 0 && waitpid(id, &status, 0) == id && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int usesHandles(fuser_device device, fuser_program program) {
  struct DLManagedTensor *result = NULL;
  fuser_program own = NULL;
  EXPECT(!fuser_program_call(program, arguments, 2, NULL, &result, 1));
  result->deleter(result);
  EXPECT(!fuser_program_create(device, kProgram, strlen(kProgram), NULL, &own));
  EXPECT(!fuser_program_call(own, arguments, 2, NULL, &result, 1));
  result->deleter(result);
  return 0;
}

static int isRefused(fuser_device device, fuser_program program) {
  struct DLManagedTensor *result = NULL;
  fuser_program own = NULL;
  EXPECT(isError(fuser_program_call(program, arguments, 2, NULL, &result, 1), "ProcessForked",
                 "expected a handle of process"));
  EXPECT(isError(fuser_program_create(device, kProgram, strlen(kProgram), NULL, &own),
                 "ProcessForked", "that another thread was using"));
  EXPECT(fuser_program_num_fallbacks(program) == 0);
  EXPECT(fuser_program_fallback(program, 0) == NULL);
  return 0;
}

/* A program of `ops` ops, which takes a while to compile. */
static char *makeLongProgram(int ops) {
  char *text = malloc(64 * (size_t)ops + 256), *end = text;
  end += sprintf(end, "fuser.fusion @long(%%x: tensor<?x?xf32>, %%s: f32) -> tensor<?x?xf32> {\n"
                      "  %%0 = fuser.neg %%x : tensor<?x?xf32>\n");
  for (int i = 0; i < ops; ++i)
    end +=
        sprintf(end, "  %%%d = fuser.%s %%%d : tensor<?x?xf32>\n", i + 1, i % 2 ? "sin" : "neg", i);
  sprintf(end, "  fuser.return %%%d : tensor<?x?xf32>\n}\n", ops);
  return text;
}

static int interrupt = 0;
static void *compile(void *program) {
  return fuser_program_compile((fuser_program)program, arguments, 2, &interrupt);
}

static int testFork(fuser_device device) {
  fuser_program program = NULL, slow = NULL;
  char *text = makeLongProgram(2000);
  EXPECT(!fuser_program_create(device, kProgram, strlen(kProgram), NULL, &program));
  EXPECT(!fuser_program_create(device, text, strlen(text), NULL, &slow));
  EXPECT(runInChild(usesHandles, device, program) == 0);
  pthread_t thread;
  EXPECT(!pthread_create(&thread, NULL, compile, slow));
  /* Another thread is compiling from some moment on: then a child cannot use the handles. */
  int refused = 0;
  for (int attempt = 0; attempt < 200 && !refused; ++attempt) {
    usleep(5000);
    refused = runInChild(isRefused, device, program) == 0;
  }
  __atomic_store_n(&interrupt, 1, __ATOMIC_RELAXED);
  void *error = NULL;
  EXPECT(!pthread_join(thread, &error));
  EXPECT(refused);
  EXPECT(isError((fuser_error)error, "Interrupted", ""));
  EXPECT(runInChild(usesHandles, device, program) == 0);
  fuser_program_destroy(slow);
  fuser_program_destroy(program);
  free(text);
  return 0;
}

static int isRefusedOnGPU(fuser_device device, fuser_program program) {
  (void)program;
  fuser_text text = NULL;
  EXPECT(isError(fuser_device_describe(device, &text), "ProcessForked",
                 "whose GPU the child cannot use"));
  return 0;
}

/* With a driver that has no GPU. */
static int testForkOfGPU(void) {
  fuser_device device = NULL;
  fuser_text text = NULL;
  EXPECT(dlopen(FUSER_NULL_DRIVER, RTLD_NOW));
  EXPECT(!fuser_device_create("cuda", 0, &device));
  EXPECT(runInChild(isRefusedOnGPU, device, NULL) == 0);
  EXPECT(!fuser_device_describe(device, &text));
  fuser_text_destroy(text);
  fuser_device_destroy(device);
  return 0;
}

int main(void) {
  fuser_device device = NULL;
  for (int i = 0; i < 15; ++i)
    values[i / 3][i % 3] = 0.5f * (float)i - 3;
  tensor = makeTensor(values, shape, NULL);
  EXPECT(!fuser_device_create("host", 0, &device));
  int failed = testCompileAhead(device) || testProgress(device) || testTexts() ||
               testFork(device) || testForkOfGPU();
  fuser_device_destroy(device);
  if (!failed)
    puts("ok");
  return failed;
}
