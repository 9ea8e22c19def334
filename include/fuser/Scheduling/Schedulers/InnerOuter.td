//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_INNEROUTER_TD
#define FUSER_SCHEDULING_SCHEDULERS_INNEROUTER_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_InnerOuterAttr : FuserSched_ParamsAttr<"InnerOuterParams", "inner_outer", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, int64_t threads, int64_t vector,
        int64_t vectors, int64_t rows, int64_t blocks) {
      if (failed(checkRange(emitError, "threads", threads, 1, 1024)) ||
          failed(checkVector(emitError, "vector", vector)) ||
          failed(checkRange(emitError, "vectors", vectors, 1, 32)) ||
          failed(checkRange(emitError, "rows", rows, 1, 64)) ||
          failed(checkRange(emitError, "blocks", blocks, 1, 65535)))
        return failure();
      if (threads % 32 != 0 && (threads > 32 || !llvm::isPowerOf2_64(threads)))
        return emitError() << "expected 'threads' to be a power of two up to 32, or a multiple of 32, but got "
                           << threads;
      return checkBlock(emitError, "threads", threads, "rows", rows);
    }
}]> {
  let summary = "rows kept in registers, and sums of columns over all of them";
  let description = [{
    `blocks` blocks take the rows one after the other, `rows` at a time, each its share of them. A row is held as with
    `inner_persistent`; `threads` threads keep `vectors` vectors of `vector` elements each, and a partial sum for each of
    these columns. Then all blocks wait for each other, and each adds up the partial sums of its columns.

    | parameter | default | range |
    |---|---|---|
    | `threads` | 256 | 1 to 1024 for a row, a power of two or a multiple of 32 |
    | `vector` | 1 | a power of two, 1 to 16 elements |
    | `vectors` | 1 | 1 to 32 vectors per thread |
    | `rows` | 1 | 1 to 64 rows of a block at a time; `threads` x `rows` at most 1024 |
    | `blocks` | 132 | 1 to 65535, all of which the device can run at once |

    ```mlir
    #fuser_sched.inner_outer<threads = 512, vector = 8, vectors = 2, blocks = 264>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"256", "threads of a row">:$threads,
    FuserSched_Int<"1", "elements of a vector">:$vector,
    FuserSched_Int<"1", "vectors of a thread">:$vectors,
    FuserSched_Int<"1", "rows of a block at a time">:$rows,
    FuserSched_Int<"132", "blocks of the launch">:$blocks);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_INNEROUTER_TD
