//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_SCAN_TD
#define FUSER_SCHEDULING_SCHEDULERS_SCAN_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_ScanPattern : I32EnumAttr<"ScanPattern", "which dimension a kernel scans", [
    I32EnumAttrCase<"Inner", 0, "inner">,
    I32EnumAttrCase<"Outer", 1, "outer">]> {
  let cppNamespace = "::fuser";
  let genSpecializedAttr = 0;
}

def FuserSched_ScanAttr : FuserSched_ParamsAttr<"ScanParams", "scan", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, ScanPattern pattern,
        int64_t threads_x, int64_t threads_y, int64_t vector, int64_t unroll, bool chained, int64_t flat) {
      if (flat > 1 && (pattern != ScanPattern::Inner || chained))
        return emitError() << "expected no 'flat' with pattern 'outer' or 'chained', but got " << flat;
      return failure(failed(checkRange(emitError, "threads_x", threads_x, 1, 1024)) ||
                     failed(checkRange(emitError, "threads_y", threads_y, 1, 1024)) ||
                     failed(checkBlock(emitError, "threads_x", threads_x, "threads_y", threads_y)) ||
                     failed(checkVector(emitError, "vector", vector)) ||
                     failed(checkRange(emitError, "unroll", unroll, 1, 64)) ||
                     failed(checkVector(emitError, "flat", flat)));
    }
}]> {
  let summary = "a kernel that scans one dimension";
  let description = [{
    `inner`: the fastest dimension is scanned. A block scans `threads_y` rows with `threads_x` threads each, in tiles of
    `unroll` x `threads_x` vectors of `vector` elements, and carries the total of a tile to the next one.

    `outer`: a slower dimension is scanned. `threads_x` adjacent threads have vectors of `vector` columns; `threads_y`
    threads share the rows of a tile, each with `unroll` adjacent rows.

    With `flat`, the rows of a block, which are adjacent in memory, pass through shared memory in vectors of `flat` elements
    that cross their ends, and a thread scans `unroll` adjacent vectors of its row: the tile is the whole row.

    With `chained`, tiles are blocks of their own, each of which waits for the totals of the tiles before it.

    | parameter | default | range |
    |---|---|---|
    | `pattern` | | `inner` or `outer` |
    | `threads_x` | 128 | 1 to 1024 |
    | `threads_y` | 1 | 1 to 1024; `threads_x` x `threads_y` at most 1024 |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `unroll` | 1 | 1 to 64 vectors of a thread in a tile |
    | `chained` | false | one block per tile, else per row |
    | `flat` | 1 | a power of two, 1 to 16 elements; above 1, only `inner` and not `chained` |

    ```mlir
    #fuser_sched.scan<pattern = inner, threads_x = 512, vector = 4, unroll = 4>
    ```
  }];
  let parameters = (ins
    EnumParameter<FuserSched_ScanPattern>:$pattern,
    FuserSched_Int<"128", "threads along x">:$threads_x,
    FuserSched_Int<"1", "threads along y">:$threads_y,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors or rows of a thread in a tile">:$unroll,
    FuserSched_Bool<"false", "one block per tile">:$chained,
    FuserSched_Int<"1", "elements of a vector of adjacent rows">:$flat);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_SCAN_TD
