//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_REDUCTION_TD
#define FUSER_SCHEDULING_SCHEDULERS_REDUCTION_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_ReductionPattern : I32EnumAttr<"ReductionPattern", "which dimensions a reduction kernel reduces", [
    I32EnumAttrCase<"Inner", 0, "inner">,
    I32EnumAttrCase<"Outer", 1, "outer">,
    I32EnumAttrCase<"Window", 2, "window">,
    I32EnumAttrCase<"Tile", 3, "tile">]> {
  let cppNamespace = "::fuser";
  let genSpecializedAttr = 0;
}

def FuserSched_ReductionAttr : FuserSched_ParamsAttr<"ReductionParams", "reduction", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, ReductionPattern pattern,
        int64_t threads_x, int64_t threads_y, int64_t vector,
        int64_t unroll, int64_t splits, bool split_rows) {
      return failure(failed(checkRange(emitError, "threads_x", threads_x, 1, 1024)) ||
                     failed(checkRange(emitError, "threads_y", threads_y, 1, pattern == ReductionPattern::Window ? 1 : 1024)) ||
                     failed(checkBlock(emitError, "threads_x", threads_x, "threads_y", threads_y)) ||
                     failed(checkVector(emitError, "vector", vector)) ||
                     failed(checkRange(emitError, "unroll", unroll, 1, pattern == ReductionPattern::Window ? 1 : 16)) ||
                     failed(checkRange(emitError, "splits", splits, 1, pattern == ReductionPattern::Window ||
                                                                           pattern == ReductionPattern::Tile ? 1 : 65535)) ||
                     failed(checkRowSplits(emitError, pattern == ReductionPattern::Inner, splits, split_rows)));
    }
}]> {
  let summary = "a kernel that reduces without keeping what it reads";
  let description = [{
    `inner`: the fastest dimension is reduced (or all are). A block reduces `threads_y` rows with `threads_x` threads each;
    a thread takes `unroll` vectors of `vector` adjacent elements at a time.

    `outer`: the fastest dimension is kept. `threads_x` threads lie side by side on vectors of `vector` columns;
    `threads_y` threads share the rows, each taking `unroll` at a time. With `threads_y` of 1 no threads share a result, and
    those of a block lie side by side on the results of all outer dimensions.

    `window`: the fastest dimension is reduced, and few elements are (2 x 2 of an image). A thread has `vector` adjacent results
    and all of their elements, which it reads in vectors across the windows; `threads_y`, `unroll` and `splits` are 1.

    `tile`: no argument has all kept dimensions and the reduced ones (distances of all pairs of two lists of points). A thread has
    `vector` adjacent results of each of `unroll` rows of results, and reads each argument once for those that share it;
    `threads_x` threads lie side by side along the rows of results, `threads_y` across them; `splits` is 1.

    With `splits` above 1, that many blocks share what is reduced and the last to arrive combines their results. Where a
    result has several rows (`dims [0, 2, 3]`: those of all images), the blocks share the rows, and with `split_rows` the
    elements of all rows.

    | parameter | default | range |
    |---|---|---|
    | `pattern` | | `inner`, `outer`, `window` or `tile` |
    | `threads_x` | 128 | 1 to 1024 |
    | `threads_y` | 1 | 1 to 1024; `threads_x` x `threads_y` at most 1024 |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `unroll` | 1 | 1 to 16 |
    | `splits` | 1 | 1 to 65535 blocks for one result |
    | `split_rows` | false | true only for `inner` with `splits` above 1 |

    ```mlir
    #fuser_sched.reduction<pattern = inner, threads_x = 512, vector = 8, unroll = 4>
    #fuser_sched.reduction<pattern = window, vector = 4>
    ```
  }];
  let parameters = (ins
    EnumParameter<FuserSched_ReductionPattern>:$pattern,
    FuserSched_Int<"128", "threads along x">:$threads_x,
    FuserSched_Int<"1", "threads along y">:$threads_y,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors or rows of a thread at a time">:$unroll,
    FuserSched_Int<"1", "blocks that share one result">:$splits,
    FuserSched_Bool<"false", "whether they share the elements of all rows">:$split_rows);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_REDUCTION_TD
