//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_ACCUMULATION_TD
#define FUSER_SCHEDULING_SCHEDULERS_ACCUMULATION_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_AccumulationAttr : FuserSched_ParamsAttr<"AccumulationParams", "accumulation", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, int64_t threads, int64_t vector,
        int64_t unroll, int64_t steps) {
      return failure(failed(checkRange(emitError, "threads", threads, 1, 1024)) ||
                     failed(checkVector(emitError, "vector", vector)) ||
                     failed(checkRange(emitError, "unroll", unroll, 1, 16)) ||
                     failed(checkRange(emitError, "steps", steps, 1, int64_t(1) << 30)));
    }
}]> {
  let summary = "an update whose elements a block combines in shared memory first";
  let description = [{
    The dimensions of what is stored are rows, those slower than the one at whose index elements are combined, and columns, the
    others. A block has adjacent columns of one row: `steps` times those that its threads have of `unroll` vectors each. It
    combines them in shared memory, in a copy of all that a row is combined in, and the copy with the result at its end.
    Blocks run over rows (x) and parts of their columns (y).

    | parameter | default | range |
    |---|---|---|
    | `threads` | 512 | 1 to 1024, along columns |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `unroll` | 1 | 1 to 16 vectors per thread and step, all loaded first |
    | `steps` | 1 | steps of a block, 1 or more |

    ```mlir
    #fuser_sched.accumulation<vector = 4, steps = 16>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"512", "threads along columns">:$threads,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors of a thread in a step">:$unroll,
    FuserSched_Int<"1", "steps of a block">:$steps);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_ACCUMULATION_TD
