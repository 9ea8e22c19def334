//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_STREAMING_TD
#define FUSER_SCHEDULING_SCHEDULERS_STREAMING_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_StreamingAttr : FuserSched_ParamsAttr<"StreamingParams", "streaming", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        int64_t threads_x, int64_t threads_y, int64_t vector, int64_t unroll) {
      return failure(failed(checkRange(emitError, "threads_x", threads_x, 1, 1024)) ||
                     failed(checkRange(emitError, "threads_y", threads_y, 1, 1024)) ||
                     failed(checkBlock(emitError, "threads_x", threads_x, "threads_y", threads_y)) ||
                     failed(checkVector(emitError, "vector", vector)) ||
                     failed(checkRange(emitError, "unroll", unroll, 1, 16)));
    }
}]> {
  let summary = "reduced rows that are read again for their use";
  let description = [{
    A block reads its rows once for each reduction that depends on another one, and once more for the outputs: nothing of
    a row is kept, so that its length is not limited. Where the fastest dimension is reduced, a block has `threads_y` rows
    of `threads_x` threads, and a thread takes `unroll` vectors of `vector` adjacent elements at a time. Where it is kept,
    `threads_x` threads lie side by side on vectors of `vector` columns; `threads_y` threads share the rows, each taking
    `unroll` at a time.

    | parameter | default | range |
    |---|---|---|
    | `threads_x` | 128 | 1 to 1024 |
    | `threads_y` | 1 | 1 to 1024; `threads_x` x `threads_y` at most 1024 |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `unroll` | 1 | 1 to 16 |

    ```mlir
    #fuser_sched.streaming<threads_x = 512, vector = 8, unroll = 4>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"128", "threads along x">:$threads_x,
    FuserSched_Int<"1", "threads along y">:$threads_y,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors or rows of a thread at a time">:$unroll);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_STREAMING_TD
