//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The C interface: programs as text, compiled for a device and run on tensors of other libraries.
//
// It includes the interface of the runtime, whose conventions hold here. A child of fork must not
// use the library at all if another thread of the parent was inside a function that compiles.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_C_FUSER_H
#define FUSER_C_FUSER_H

#include "fuser-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Programs ----------------------------------------------------------===*/

typedef struct fuser_program_s *fuser_program;

/* How far a compilation is: the step that runs ("preseg", ..., "ptx" or "object", "load"), kernels
 * that it has finished and all of them (0 of 0 in a step that does not count them), and the seconds
 * since the compilation began. Lives until the callback returns. */
typedef struct {
  const char *step;
  size_t done, total;
  double seconds;
} fuser_progress;
/* May be called by any thread, one call at a time; must not use the program. */
typedef void (*fuser_progress_callback)(void *data, const fuser_progress *progress);

typedef struct {
  /* Device that kernels are scheduled for, "h200" or "sm_90"; null: the GPU, else sm_90. */
  const char *target;
  /* Folder that caches artifacts and machine code across processes; null: none. A program whose
   * artifacts are there is not parsed, and calls that they fit compile nothing. */
  const char *cache_directory;
  /* Not 0: f32 functions by the GPU's approximations (docs/approximate-math.md). Changes results.
   */
  int approximate_math;
  /* The only scheduler that may schedule the kernels, by name; null: any. */
  const char *scheduler;
  /* Parameters of every kernel, as an attribute: "#fuser_sched.pointwise<...>"; null: chosen. */
  const char *schedule;
  /* Not 0: calls do not compile. They fail with NotCompiled unless fuser_program_compile has
   * compiled kernels that fit. */
  int compile_ahead;
  /* Not 0: nothing is compiled. Calls and fuser_program_compile fail with NotCompiled unless an
   * artifact of the cache, or one that was added, fits. */
  int never_compile;
  /* Where segments end: operations and regions, "fuser.reshape,@encoder.attention" (see the pass
   * fuser-mark-boundaries); null: where the program has a mark. */
  const char *mark_boundaries;
  /* Threads that compile and assemble different kernels at the same time; 0: one per processor. The
   * code is the same. */
  unsigned threads;
  /* Called with `progress_data` from time to time during compilations that take longer than
   * `progress_delay` milliseconds (0: 2000); null: not called. */
  fuser_progress_callback progress;
  void *progress_data;
  unsigned progress_delay;
  /* Which launches may begin before the launches before them have ended (sm_90 and later): "all"
   * that can, or those that the text has "marked" (`fuser.dependent`); null: "all". Changes no
   * result. */
  const char *dependent_launches;
  /* The text of a file of fuser-tune: kernels that equal one of its kernels get the parameters of
   * that; null: none. */
  const char *schedules;
} fuser_program_options;

/* Reads `text` (`length` bytes): a module with one `fuser.fusion` (or the result of a later phase,
 * see fuser_transform; in addition a transform script for its schedule), or a function of linalg,
 * tensor, arith, math and TOSA ops, which is converted first. `options` may be null. Nothing is
 * compiled before the first call. Fails with InvalidProgram, or ArgumentKind for an option with
 * another value than the ones it lists. */
FUSER_EXPORT fuser_error fuser_program_create(fuser_device device, const char *text, size_t length,
                                              const fuser_program_options *options,
                                              fuser_program *program);
/* A program without a text, which runs `artifact` and those that are added, and compiles nothing.
 * `cache_directory`: a folder that caches machine code; null: none. Fails as
 * fuser_executable_create does. */
FUSER_EXPORT fuser_error fuser_program_load(fuser_device device, fuser_artifact artifact,
                                            const char *cache_directory, fuser_program *program);
/* Lets calls run an artifact that fuser_program_artifact made of the same program. Fails with
 * InvalidProgram if its arguments or results differ from the program's. */
FUSER_EXPORT fuser_error fuser_program_add_artifact(fuser_program program, fuser_artifact artifact);
FUSER_EXPORT void fuser_program_destroy(fuser_program program);

/* Arguments that a call passes, and results. */
FUSER_EXPORT size_t fuser_program_num_arguments(fuser_program program);
FUSER_EXPORT size_t fuser_program_num_results(fuser_program program);
/* True if the argument is a tensor, not a scalar. */
FUSER_EXPORT int fuser_program_is_tensor(fuser_program program, size_t argument);
/* The type of a scalar argument as MLIR spells it: "i1", "i64", "f32", "f64", "complex<f32>",
 * "complex<f64>"; null for a tensor. */
FUSER_EXPORT const char *fuser_program_scalar_type(fuser_program program, size_t argument);
/* The argument whose memory a result is stored in; -1: memory of its own. */
FUSER_EXPORT int64_t fuser_program_alias_of(fuser_program program, size_t result);

/* Runs the program, compiled where no earlier call fits. `stream`: a CUstream of the device that
 * orders the work (null: the default stream). `results` gets `num_results` tensors, which the
 * caller deletes by their deleter; on failure none. Work on a GPU has been enqueued when this
 * returns. Fails with an error about the first argument that does not fit, or CompilationFailed. */
FUSER_EXPORT fuser_error fuser_program_call(fuser_program program, const fuser_argument *arguments,
                                            size_t num_arguments, void *stream,
                                            struct DLManagedTensor **results, size_t num_results);

/* As fuser_program_call, with results as DLPack 1.0 and later pass them; of such results
 * fuser_versioned_result_owns_memory tells whether they have memory of their own. */
FUSER_EXPORT fuser_error fuser_program_call_versioned(fuser_program program,
                                                      const fuser_argument *arguments,
                                                      size_t num_arguments, void *stream,
                                                      struct DLManagedTensorVersioned **results,
                                                      size_t num_results);

/* As fuser_program_call, but stores the results in memory of the caller: one tensor per result, on
 * the device, with the sizes and strides that a call would give it. A result that is stored in an
 * argument has that argument's tensor here; any other shares no byte with an argument or another
 * result. Fails in addition with an error about the first result that does not fit; the memory is
 * not written then. */
FUSER_EXPORT fuser_error fuser_program_call_into(fuser_program program,
                                                 const fuser_argument *arguments,
                                                 size_t num_arguments, void *stream,
                                                 const struct DLTensor *const *results,
                                                 size_t num_results);

/* Compiles and loads what a call with these arguments needs, unless that is there. Fails as
 * fuser_program_call does; in addition soon with Interrupted once `*interrupt` is not 0, which
 * another thread or a signal handler may set (null: never). The program is then as before. */
FUSER_EXPORT fuser_error fuser_program_compile(fuser_program program,
                                               const fuser_argument *arguments,
                                               size_t num_arguments, const int *interrupt);

/* Sets `*artifact` to what a call with these arguments runs, compiled unless it is there; the
 * caller destroys it. Fails as fuser_program_compile does. */
FUSER_EXPORT fuser_error fuser_program_artifact(fuser_program program,
                                                const fuser_argument *arguments,
                                                size_t num_arguments, const int *interrupt,
                                                fuser_artifact *artifact);

/* Sets `*compiles` to 1 where a call with these arguments would compile, else to 0: also where the
 * program compiles nothing. */
FUSER_EXPORT fuser_error fuser_program_would_compile(fuser_program program,
                                                     const fuser_argument *arguments,
                                                     size_t num_arguments, int *compiles);

/* Why a call with these arguments would compile: the guard that failed, with the values of the
 * call. Empty where it would not. The caller destroys the text. */
FUSER_EXPORT fuser_error fuser_program_reason_to_compile(fuser_program program,
                                                         const fuser_argument *arguments,
                                                         size_t num_arguments, fuser_text *reason);

/* Kernels that segmentation split or rescheduled because their schedule cannot be lowered: slower,
 * and a defect of fuser. A sentence for each, in the order of compilations; calls with new sizes
 * may add some. A sentence lives as long as the program; null beyond the last one. */
FUSER_EXPORT size_t fuser_program_num_fallbacks(fuser_program program);
FUSER_EXPORT const char *fuser_program_fallback(fuser_program program, size_t number);

/*===-- Phases and decisions ----------------------------------------------===*/

/* In the functions below, work ends soon with Interrupted once `*interrupt` is not 0 (null: never).
 */

/* Runs a program through the phases up to `phase` ("preseg", "segmentation", "choose", "apply", a
 * stage of lowering: "loops", "launched", "accessed", "guarded", or "lowering") and sets `*result`
 * to the module as text, which fuser_program_create takes. `target` is a device that kernels are
 * scheduled for; null: sm_90. If `num_arguments` is not 0, the program
 * is specialized for the arguments first, as fuser_program_call does it. Fails with InvalidProgram,
 * CompilationFailed, or as fuser_program_call does for arguments that do not fit. */
FUSER_EXPORT fuser_error fuser_transform(const char *text, size_t length, const char *phase,
                                         const char *target, const fuser_argument *arguments,
                                         size_t num_arguments, const int *interrupt,
                                         fuser_text *result);

/* Specializes the only fusion of a program for arguments (none: sizes are unknown) and decides
 * which of its ops run together, without a rewrite before. `*result` is JSON, a list of segments in
 * an order in which they can run:
 *   {"scheduler": "reduction", "ops": ["T2", "T3"], "recomputed": [], "microseconds": 2.5}
 * An op is named by its location, `loc("T2")`, or by its number in the fusion where it has none.
 * Ops that are `recomputed` are computed by another segment as well, which readers use. Without a
 * scheduler no kernel computes the ops, or their schedule is written by hand. */
FUSER_EXPORT fuser_error fuser_partition(const char *text, size_t length, const char *target,
                                         const fuser_argument *arguments, size_t num_arguments,
                                         const int *interrupt, fuser_text *result);

/* Reports the decisions about the only fusion of a program, and their reasons, as `format` "text",
 * "json", "svg" or "html" (docs/explain.md). */
FUSER_EXPORT fuser_error fuser_explain(const char *text, size_t length, const char *format,
                                       const char *target, const fuser_argument *arguments,
                                       size_t num_arguments, const int *interrupt,
                                       fuser_text *result);

/*===-- The reference -----------------------------------------------------===*/

/* Evaluates a program on tensors in host memory with the slow reference, in double precision, and
 * rounds its results to their types once. `results` gets `num_results` row-major tensors in host
 * memory. Writes no argument. */
FUSER_EXPORT fuser_error fuser_evaluate(const char *text, size_t length,
                                        const fuser_argument *arguments, size_t num_arguments,
                                        struct DLManagedTensor **results, size_t num_results);

/* Compares two tensors in host memory, within the tolerance of an element type: `type` as MLIR
 * spells it, the least precise one that they were computed in; null: their own. `*difference` is
 * null if they agree, else a sentence. Fails for tensors that cannot be read. */
FUSER_EXPORT fuser_error fuser_compare(const struct DLTensor *actual,
                                       const struct DLTensor *expected, const char *type,
                                       fuser_text *difference);

#ifdef __cplusplus
}
#endif

#endif /* FUSER_C_FUSER_H */
