//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_POINTWISE_TD
#define FUSER_SCHEDULING_SCHEDULERS_POINTWISE_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_PointwiseAttr : FuserSched_ParamsAttr<"PointwiseParams", "pointwise", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, int64_t threads, int64_t vector,
        int64_t unroll, int64_t rows, int64_t inner_dims,
        bool merge_grid, int64_t outer_dims, int64_t repeats, bool ragged) {
      if (failed(checkRange(emitError, "threads", threads, 1, 1024)) ||
          failed(checkVector(emitError, "vector", vector)) ||
          failed(checkRange(emitError, "unroll", unroll, 1, 16)) ||
          failed(checkRange(emitError, "rows", rows, 1, 1024)) ||
          failed(checkRange(emitError, "repeats", repeats, 1, 16)) ||
          failed(checkBlock(emitError, "rows", rows, "threads", threads)))
        return failure();
      if (outer_dims < 0)
        return emitError() << "expected 'outer_dims' to be 0 or more, but got " << outer_dims;
      if (inner_dims < -1)
        return emitError() << "expected 'inner_dims' to be -1 or more, but got " << inner_dims;
      return success();
    }
}]> {
  let summary = "a pointwise kernel: a grid of tiles of rows by columns";
  let description = [{
    The dimensions of the reference (the output with most dimensions), slowest first, are merged into rows (all but the
    last `inner_dims`) and columns (the last `inner_dims`). A block has `rows` x `threads` threads; a thread handles
    `unroll` vectors of `vector` adjacent columns of one row. Blocks run over column tiles (x) and rows (y), or over both
    merged (x) where `merge_grid` is set.

    Where `outer_dims` is set, the first dimensions are no rows but planes: a thread handles the same place of `repeats`
    planes, so that what lacks them (the cosines of a rotary embedding) is loaded once for all of these; blocks run over
    groups of planes (z, or merged).

    | parameter | default | range |
    |---|---|---|
    | `threads` | 128 | 1 to 1024, along columns |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `unroll` | 1 | 1 to 16 vectors per thread, all loaded first |
    | `rows` | 1 | rows per block; `rows` x `threads` at most 1024 |
    | `inner_dims` | -1 | dimensions merged to columns, -1: all of them |
    | `merge_grid` | false | rows and column tiles share the x axis of the grid |
    | `outer_dims` | 0 | dimensions merged to planes; with `inner_dims` at most all of them. Without rows between, those of a block are groups of planes |
    | `repeats` | 1 | 1 to 16 planes per thread, all loaded first |
    | `ragged` | false | the columns may end within a vector, whose elements are then accessed one by one; else a fact says that they do not |

    ```mlir
    #fuser_sched.pointwise<threads = 256, vector = 8, inner_dims = 1>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"128", "threads along columns">:$threads,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors of a thread">:$unroll,
    FuserSched_Int<"1", "rows of a block">:$rows,
    FuserSched_Count<"-1", "dimensions merged to columns">:$inner_dims,
    FuserSched_Bool<"false", "rows and column tiles share a grid axis">:$merge_grid,
    FuserSched_Count<"0", "dimensions merged to planes">:$outer_dims,
    FuserSched_Int<"1", "planes of a thread">:$repeats,
    FuserSched_Bool<"false", "the columns may end within a vector">:$ragged);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_POINTWISE_TD
