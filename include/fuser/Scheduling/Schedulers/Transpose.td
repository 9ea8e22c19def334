//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_TRANSPOSE_TD
#define FUSER_SCHEDULING_SCHEDULERS_TRANSPOSE_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_TransposeAttr : FuserSched_ParamsAttr<"TransposeParams", "transpose", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, int64_t threads, int64_t tile_in,
        int64_t tile_out, int64_t vector_in, int64_t vector_out, bool adjacent_in, bool in_registers) {
      const int64_t least = in_registers ? 1 : 2;
      if (failed(checkRange(emitError, "threads", threads, 1, 1024)) ||
          failed(checkRange(emitError, "tile_in", tile_in, least, 1024)) ||
          failed(checkRange(emitError, "tile_out", tile_out, least, 1024)) ||
          failed(checkVector(emitError, "vector_in", vector_in)) ||
          failed(checkVector(emitError, "vector_out", vector_out)))
        return failure();
      if (in_registers) {
        auto isWhole = [](int64_t tile, int64_t vector, int64_t other_tile, int64_t other_vector) {
          return tile % vector == 0 && vector * other_tile % other_vector == 0;
        };
        if (!isWhole(tile_in, vector_in, tile_out, vector_out) && !isWhole(tile_out, vector_out, tile_in, vector_in))
          return emitError() << "expected whole vectors in the elements of a thread, but got " << tile_in << " x "
                             << tile_out << " elements with vectors of " << vector_in << " and " << vector_out;
        return success();
      }
      const bool crosses_in = tile_in % vector_in != 0, crosses_out = tile_out % vector_out != 0;
      if ((crosses_in && crosses_out) || tile_in * tile_out % vector_in != 0 || tile_in * tile_out % vector_out != 0)
        return emitError() << "expected whole vectors in a tile and, along one side, in each of its rows, but got rows of "
                           << tile_in << " and " << tile_out << " elements with vectors of " << vector_in << " and "
                           << vector_out;
      return success();
    }
}]> {
  let summary = "a pointwise kernel whose inputs and outputs have different fastest dimensions";
  let description = [{
    Tiles of `tile_in` elements along the fastest dimension of the transposed inputs by `tile_out` elements along that of
    the outputs; one block for each tile. Transposed inputs pass through swizzled shared memory: read by vectors of
    `vector_in` along their own rows, gathered along the output's. All else is read and written by vectors of `vector_out`.
    A swizzle permutes a power of two chunks; rows of other numbers of chunks are not swizzled.
    A vector that does not divide the side of the tile crosses the ends of its rows: the side is all of its dimension, and
    the rows are adjacent in memory. The tile then has no swizzle.
    Where a function of several arguments is transposed and nothing else, it is computed before it passes through shared
    memory: `in` is the fastest dimension of the output then, and `out` that of the arguments.

    With `in_registers` a thread transposes, without shared memory. One side of its tile is all of a few dimensions, which are
    the fastest of the tensors on this side (2 x 2 results of each pixel): their vectors lie along it and the other side
    together. Along the other side, the thread has a vector for each of these elements. If that side of the tile is several
    vectors, they are those of threads of as many blocks.

    | parameter | default | range |
    |---|---|---|
    | `threads` | 512 | 1 to 1024 |
    | `tile_in`, `tile_out` | 64 | 2 to 1024 (1 in registers); one of them is a multiple of its vector |
    | `vector_in`, `vector_out` | 1 | a power of two, 1 to 16 elements |
    | `adjacent_in` | false | adjacent blocks have adjacent tiles along `tile_in` instead of `tile_out` |
    | `in_registers` | false | the tile is that of a thread |

    ```mlir
    #fuser_sched.transpose<tile_in = 128, tile_out = 128, vector_in = 8, vector_out = 8>
    #fuser_sched.transpose<threads = 248, tile_in = 31, vector_in = 8>
    #fuser_sched.transpose<threads = 256, tile_in = 4, tile_out = 2, vector_in = 4, vector_out = 8, in_registers = true>
    ```
  }];
  let parameters = (ins
    FuserSched_Int<"512", "threads of a block">:$threads,
    FuserSched_Int<"64", "elements of a tile along the inputs' rows">:$tile_in,
    FuserSched_Int<"64", "elements of a tile along the outputs' rows">:$tile_out,
    FuserSched_Int<"1", "elements of a vector that is read">:$vector_in,
    FuserSched_Int<"1", "elements of a vector that is written">:$vector_out,
    FuserSched_Bool<"false", "adjacent blocks lie along tile_in">:$adjacent_in,
    FuserSched_Bool<"false", "a thread transposes in its registers">:$in_registers);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_TRANSPOSE_TD
