//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_INNERPERSISTENT_TD
#define FUSER_SCHEDULING_SCHEDULERS_INNERPERSISTENT_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_InnerPersistentAttr : FuserSched_ParamsAttr<"InnerPersistentParams", "inner_persistent", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, int64_t threads,
        int64_t vector, int64_t vectors, int64_t rows,
        bool recompute, int64_t cluster, int64_t part, int64_t flat) {
      if (failed(checkRange(emitError, "threads", threads, 1, 1024)) ||
          failed(checkVector(emitError, "vector", vector)) ||
          failed(checkRange(emitError, "vectors", vectors, 1, 64)) ||
          failed(checkRange(emitError, "rows", rows, 1, 1024)) ||
          failed(checkRange(emitError, "cluster", cluster, 1, 8)) ||
          failed(checkRange(emitError, "part", part, 1, 1024)) ||
          failed(checkVector(emitError, "flat", flat)) ||
          failed(checkBlock(emitError, "rows", rows, "threads", threads)))
        return failure();
      if (threads % part != 0)
        return emitError() << "expected 'part' to divide 'threads', but got " << part << " and " << threads;
      if (flat > 1 && (cluster > 1 || part > 1))
        return emitError() << "expected no 'flat' with 'cluster' or 'part', but got " << flat << " with " << cluster
                           << " and " << part;
      // Threads of a row that do not fill warps would share one with the next row.
      if (threads > 32 ? threads % 32 != 0 : !llvm::isPowerOf2_64(threads))
        return emitError() << "expected 'threads' to be a multiple of 32, or a power of two below it, "
                              "but got "
                           << threads;
      return success();
    }
}]> {
  let summary = "rows kept in registers between their reductions and their use";
  let description = [{
    A block holds `rows` rows; `threads` threads share a row, each keeping `vectors` vectors of `vector` elements of every
    input that is read more than once. With `cluster`, so many blocks share each row, and exchange the parts of reductions
    through distributed shared memory. The row is at most `cluster` x `threads` x `vectors` x `vector` elements long.
    If some reductions reduce only the fastest part of the row (a scale for each block of it), `part` adjacent threads have one
    vector each of such a part, which is at most `part` x `vector` elements long.
    With `flat`, the rows of a block, which are adjacent in memory, pass through shared memory in vectors of `flat` elements that
    cross their ends: rows whose length no wide vector divides are then loaded and stored like any others.

    | parameter | default | range |
    |---|---|---|
    | `threads` | 128 | 1 to 1024, a multiple of 32 where above 32; a power of two below |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `vectors` | 1 | 1 to 64 vectors per thread |
    | `rows` | 1 | rows per block; `rows` x `threads` at most 1024 |
    | `recompute` | true | recompute pointwise work after a reduction from the inputs, else keep its result |
    | `cluster` | 1 | 1 to 8 blocks that share a row; above 1, the device has clusters |
    | `part` | 1 | threads of a part of the row; divides `threads` |
    | `flat` | 1 | a power of two, 1 to 16 elements; above 1, neither `cluster` nor `part` |

    ```mlir
    #fuser_sched.inner_persistent<threads = 512, vector = 8, vectors = 4>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"128", "threads of a row">:$threads,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors of a thread">:$vectors,
    FuserSched_Int<"1", "rows of a block">:$rows,
    FuserSched_Bool<"true", "recompute instead of keeping intermediate rows">:$recompute,
    FuserSched_Int<"1", "blocks of a row">:$cluster,
    FuserSched_Int<"1", "threads of a part of a row">:$part,
    FuserSched_Int<"1", "elements of a vector of adjacent rows">:$flat);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_INNERPERSISTENT_TD
