//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_OUTERPERSISTENT_TD
#define FUSER_SCHEDULING_SCHEDULERS_OUTERPERSISTENT_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_OuterPersistentAttr : FuserSched_ParamsAttr<"OuterPersistentParams", "outer_persistent", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, int64_t rows,
        int64_t columns, int64_t part, int64_t vector, int64_t unroll, int64_t steps, int64_t cluster) {
      if (failed(checkRange(emitError, "rows", rows, 1, 1024)) ||
          failed(checkRange(emitError, "columns", columns, 1, 1024)) ||
          failed(checkRange(emitError, "part", part, 0, 1024)) ||
          failed(checkVector(emitError, "vector", vector)) ||
          failed(checkRange(emitError, "unroll", unroll, 1, 16)) ||
          failed(checkRange(emitError, "steps", steps, 1, 4096)) ||
          failed(checkRange(emitError, "cluster", cluster, 1, 8)) ||
          failed(checkBlock(emitError, "columns", columns, "rows", rows)))
        return failure();
      if (part > 1 && rows > 64)
        return emitError() << "expected 'rows' of at most 64, threads along z, next to a 'part', but got " << rows;
      if (part > 1 && rows * columns * part > 1024)
        return emitError() << "expected a block of at most 1024 threads ('rows' x 'columns' x 'part'), but got "
                           << rows * columns * part;
      if (part == 0 && columns != 1)
        return emitError() << "expected one of 'columns' next to 'part' of 0, but got " << columns;
      return success();
    }
}]> {
  let summary = "strips of columns kept in shared memory between their reductions and their use";
  let description = [{
    A block holds a strip: all rows of adjacent columns, where slower dimensions than these are reduced. Each thread copies its
    vectors of `vector` elements of every input that is read more than once to shared memory, asynchronously, and reads only
    those that it has copied itself. `columns` threads lie side by side on vectors of columns; `rows` threads share the rows, of
    which each takes `unroll` at a time, in `steps` iterations. With `cluster`, so many blocks share each strip, and exchange the
    parts of reductions through distributed shared memory. The reduced dimensions have at most
    `cluster` x `rows` x `unroll` x `steps` rows.

    Where the fastest dimension is reduced as well (the channels of a group), `part` threads lie side by side on its vectors, and
    `columns` are kept dimensions between the reduced ones, of which each thread has one. With `part = 0`, a block has one of
    these, and its `rows` threads lie side by side on the vectors of all that is reduced.

    | parameter | default | range |
    |---|---|---|
    | `rows` | 32 | 1 to 1024 threads that share the rows; at most 64 next to a `part` of several |
    | `columns` | 8 | 1 to 1024 threads side by side; 1 if `part` is 0 |
    | `part` | 1 | 0 to 1024 threads; `rows` x `columns` x `part` at most 1024 |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `unroll` | 1 | 1 to 16 rows of a thread at a time |
    | `steps` | 1 | 1 to 4096 iterations |
    | `cluster` | 1 | 1 to 8 blocks that share a strip; above 1, the device has clusters |

    ```mlir
    #fuser_sched.outer_persistent<rows = 32, columns = 8, vector = 8, unroll = 4, steps = 4, cluster = 4>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"32", "threads along the rows">:$rows,
    FuserSched_Int<"8", "threads along the columns">:$columns,
    FuserSched_Int<"1", "threads of the fastest reduced dimension">:$part,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "rows of a thread at a time">:$unroll,
    FuserSched_Int<"1", "iterations of a thread">:$steps,
    FuserSched_Int<"1", "blocks of a strip">:$cluster);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_OUTERPERSISTENT_TD
