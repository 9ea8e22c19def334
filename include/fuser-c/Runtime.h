//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The C interface of the runtime: artifacts that fuser has compiled are loaded and run, without a
// compiler. libfuser_runtime.so has these functions and needs no other library than the C library;
// libfuser_capi.so has them as well.
//
// Handles are opaque. Functions that can fail return an error, null for success, which the caller
// destroys. Tensors are those of DLPack (version 0.8 and up: `DLTensor`, `DLManagedTensor`; 1.0 and
// up: `DLManagedTensorVersioned`).
// Nothing here throws, exits or prints. Functions may be called from several threads; a handle must
// live until the last call with it returns. Handles of one library are not passed to the other.
//
// After fork, the child makes handles of its own: those of the parent fail with ProcessForked where
// they belong to a GPU or were in use by another thread.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_C_RUNTIME_H
#define FUSER_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FUSER_EXPORT __attribute__((visibility("default")))

/* Of DLPack; include dlpack.h to look inside. */
struct DLTensor;
struct DLManagedTensor;
struct DLManagedTensorVersioned;

typedef struct fuser_error_s *fuser_error;
typedef struct fuser_device_s *fuser_device;

/*===-- Errors ------------------------------------------------------------===*/

/* The number and name of the kind of error, "RankMismatch"; see fuser/Artifact/Error.h. */
FUSER_EXPORT int fuser_error_code(fuser_error error);
FUSER_EXPORT const char *fuser_error_kind(fuser_error error);
/* A sentence that names argument, expected and actual; of bad programs the diagnostics, one a line.
 * It lives as long as the error. */
FUSER_EXPORT const char *fuser_error_message(fuser_error error);
FUSER_EXPORT void fuser_error_destroy(fuser_error error);

/*===-- Texts -------------------------------------------------------------===*/

/* A text that the library made: zero-terminated. */
typedef struct fuser_text_s *fuser_text;
FUSER_EXPORT const char *fuser_text_data(fuser_text text);
FUSER_EXPORT size_t fuser_text_size(fuser_text text);
FUSER_EXPORT void fuser_text_destroy(fuser_text text);

/*===-- Devices -----------------------------------------------------------===*/

/* The version of this interface; it grows with every change of a declaration. */
FUSER_EXPORT int fuser_api_version(void);

/* How many GPUs there are; 0 without a driver. */
FUSER_EXPORT int fuser_count_gpus(void);

/* Opens a device. `kind`: "cuda" (GPU number `ordinal`) or "host" (the same kernels on the CPU, on
 * memory of the process). */
FUSER_EXPORT fuser_error fuser_device_create(const char *kind, int ordinal, fuser_device *device);
/* Sets `*result` to a line `key = value` for each property of the device: name, chip, memory_bytes
 * ... (see fuser/Artifact/DeviceDescription.h), and `assembler`, which names what assembles its
 * kernels. */
FUSER_EXPORT fuser_error fuser_device_describe(fuser_device device, fuser_text *result);
/* Gives the handle up; programs and executables keep the device alive. */
FUSER_EXPORT void fuser_device_destroy(fuser_device device);

/*===-- Artifacts ---------------------------------------------------------===*/

/* A compiled program as data: kernels, the host program, and the conditions on calls. */
typedef struct fuser_artifact_s *fuser_artifact;

/* Reads an artifact from a file or from memory. Fails with IoError, Corrupt (damaged, truncated, or
 * no artifact at all) or VersionMismatch. */
FUSER_EXPORT fuser_error fuser_artifact_read(const char *path, fuser_artifact *artifact);
FUSER_EXPORT fuser_error fuser_artifact_deserialize(const void *data, size_t size,
                                                    fuser_artifact *artifact);
/* Writes an artifact to a file, as a whole or not at all. Fails with IoError. */
FUSER_EXPORT fuser_error fuser_artifact_write(fuser_artifact artifact, const char *path);
FUSER_EXPORT void fuser_artifact_destroy(fuser_artifact artifact);

/* The program's name, the kind of device that runs it ("cuda" or "host"), and all of it as text. */
FUSER_EXPORT const char *fuser_artifact_name(fuser_artifact artifact);
FUSER_EXPORT const char *fuser_artifact_device_kind(fuser_artifact artifact);
FUSER_EXPORT void fuser_artifact_print(fuser_artifact artifact, fuser_text *result);

/* An argument or a result. The pointers live as long as the artifact. */
typedef struct {
  const char *name;
  /* "f32", "bf16", "i64", "bool", "complex64" ... */
  const char *dtype;
  /* -1: a scalar. */
  int64_t rank;
  /* `rank` sizes; -1: any, or of a result one that depends on the arguments. */
  const int64_t *sizes;
  /* Bytes that divide the address of a tensor. */
  uint32_t alignment;
  /* Of a result: the argument whose memory it is stored in; -1: memory of its own. */
  int64_t alias_of;
} fuser_value_info;

/* Arguments that a call passes, and results. Fails with ArgumentCount for an index beyond them. */
FUSER_EXPORT size_t fuser_artifact_num_arguments(fuser_artifact artifact);
FUSER_EXPORT size_t fuser_artifact_num_results(fuser_artifact artifact);
FUSER_EXPORT fuser_error fuser_artifact_argument(fuser_artifact artifact, size_t index,
                                                 fuser_value_info *info);
FUSER_EXPORT fuser_error fuser_artifact_result(fuser_artifact artifact, size_t index,
                                               fuser_value_info *info);

/*===-- Calls -------------------------------------------------------------===*/

/* An argument: a tensor, or where that is null a scalar of the argument's type: integers and bools
 * from `integer`, floats from `real`, complex numbers from both parts. */
typedef struct {
  const struct DLTensor *tensor;
  int64_t integer;
  double real;
  double imaginary;
} fuser_argument;

/* An artifact that is loaded on a device. */
typedef struct fuser_executable_s *fuser_executable;

/* Loads the kernels of an artifact, which may be destroyed afterwards. `cache_directory`: a folder
 * that caches machine code across processes; null: none. Fails with DeviceUnavailable for kernels
 * of another kind of device, KernelLoadFailed, or Unsupported for programs that call routines of
 * other libraries. */
FUSER_EXPORT fuser_error fuser_executable_create(fuser_device device, fuser_artifact artifact,
                                                 const char *cache_directory,
                                                 fuser_executable *executable);
FUSER_EXPORT void fuser_executable_destroy(fuser_executable executable);

/* Checks whether a call with these arguments would run: success, or the error that names the first
 * argument that does not fit, or the condition that does not hold (GuardFailed). */
FUSER_EXPORT fuser_error fuser_executable_check(fuser_executable executable,
                                                const fuser_argument *arguments,
                                                size_t num_arguments);

/* Runs the program. `stream`: a CUstream of the device that orders the work (null: the default
 * stream). `results` gets `num_results` tensors, which the caller deletes by their deleter; on
 * failure none. Work on a GPU has been enqueued when this returns. Fails as
 * fuser_executable_check does, or with OutOfMemory or an error of the device. */
FUSER_EXPORT fuser_error fuser_executable_call(fuser_executable executable,
                                               const fuser_argument *arguments,
                                               size_t num_arguments, void *stream,
                                               struct DLManagedTensor **results,
                                               size_t num_results);

/* Whether a result of a call has memory of its own. False if it is memory of an argument, which
 * must live as long as the result, or has no elements. */
FUSER_EXPORT int fuser_result_owns_memory(const struct DLManagedTensor *result);

/* As the two functions above, with results as DLPack 1.0 and later pass them. */
FUSER_EXPORT fuser_error fuser_executable_call_versioned(fuser_executable executable,
                                                         const fuser_argument *arguments,
                                                         size_t num_arguments, void *stream,
                                                         struct DLManagedTensorVersioned **results,
                                                         size_t num_results);
FUSER_EXPORT int fuser_versioned_result_owns_memory(const struct DLManagedTensorVersioned *result);

/* As fuser_executable_call, but stores the results in memory of the caller: one tensor per result,
 * on the device, with the sizes and strides that a call would give it. A result that is stored in
 * an argument has that argument's tensor here; any other shares no byte with an argument or another
 * result. Fails in addition with an error about the first result that does not fit; the memory is
 * not written then. */
FUSER_EXPORT fuser_error fuser_executable_call_into(fuser_executable executable,
                                                    const fuser_argument *arguments,
                                                    size_t num_arguments, void *stream,
                                                    const struct DLTensor *const *results,
                                                    size_t num_results);

#ifdef __cplusplus
}
#endif

#endif /* FUSER_C_RUNTIME_H */
