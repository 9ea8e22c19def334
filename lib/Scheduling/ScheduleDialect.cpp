//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect `fuser_sched` and the ranges of its parameters.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Support/DialectBytecode.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

#include "fuser/Scheduling/ScheduleDialect.cpp.inc"
#include "fuser/Scheduling/ScheduleEnums.cpp.inc"
#include "fuser/Scheduling/ScheduleInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fuser/Scheduling/ScheduleAttrs.cpp.inc"

namespace {

/// Version 1.0 is the first; files without a version have the same form.
class ScheduleBytecode : public VersionedBytecode {
public:
  explicit ScheduleBytecode(Dialect *dialect) : VersionedBytecode(dialect, {1, 0}) {}
};

} // namespace

void FuserSchedDialect::initialize() {
  addInterfaces<ScheduleBytecode>();
  registerAttributes();
}

void FuserSchedDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuser/Scheduling/ScheduleAttrs.cpp.inc"
      >();
}

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult checkRange(EmitError emitError, StringRef name, int64_t value, int64_t low,
                                int64_t high) {
  if (value >= low && value <= high)
    return success();
  return emitError() << "expected '" << name << "' between " << low << " and " << high
                     << ", but got " << value;
}

static LogicalResult checkVector(EmitError emitError, StringRef name, int64_t vector) {
  if (failed(checkRange(emitError, name, vector, 1, 16)))
    return failure();
  if (llvm::isPowerOf2_64(vector))
    return success();
  return emitError() << "expected '" << name << "' to be a power of two, but got " << vector;
}

/// A block has at most 1024 threads.
static LogicalResult checkBlock(EmitError emitError, StringRef first, int64_t a, StringRef second,
                                int64_t b) {
  if (a * b <= 1024)
    return success();
  return emitError() << "expected '" << first << "' x '" << second
                     << "' to be at most 1024 threads, but got " << a << " x " << b;
}

LogicalResult PointwiseParamsAttr::verify(EmitError emitError, int64_t threads, int64_t vector,
                                          int64_t unroll, int64_t rows, int64_t inner_dims,
                                          bool merge_grid, int64_t outer_dims, int64_t repeats) {
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

static LogicalResult checkTile(EmitError emitError, StringRef name, int64_t tile) {
  if (failed(checkRange(emitError, name, tile, 8, 256)))
    return failure();
  if (llvm::isPowerOf2_64(tile))
    return success();
  return emitError() << "expected '" << name << "' to be a power of two, but got " << tile;
}

LogicalResult TransposeParamsAttr::verify(EmitError emitError, int64_t threads, int64_t tile_in,
                                          int64_t tile_out, int64_t vector_in, int64_t vector_out) {
  if (failed(checkRange(emitError, "threads", threads, 1, 1024)) ||
      failed(checkTile(emitError, "tile_in", tile_in)) ||
      failed(checkTile(emitError, "tile_out", tile_out)) ||
      failed(checkVector(emitError, "vector_in", vector_in)) ||
      failed(checkVector(emitError, "vector_out", vector_out)))
    return failure();
  if (vector_in > tile_in || vector_out > tile_out)
    return emitError() << "expected vectors of at most a tile's row";
  return success();
}

LogicalResult ReductionParamsAttr::verify(EmitError emitError, ReductionPattern pattern,
                                          int64_t threads_x, int64_t threads_y, int64_t vector,
                                          int64_t unroll, int64_t splits) {
  return failure(failed(checkRange(emitError, "threads_x", threads_x, 1, 1024)) ||
                 failed(checkRange(emitError, "threads_y", threads_y, 1, 1024)) ||
                 failed(checkBlock(emitError, "threads_x", threads_x, "threads_y", threads_y)) ||
                 failed(checkVector(emitError, "vector", vector)) ||
                 failed(checkRange(emitError, "unroll", unroll, 1, 16)) ||
                 failed(checkRange(emitError, "splits", splits, 1, 65535)));
}

LogicalResult InnerOuterParamsAttr::verify(EmitError emitError, int64_t threads, int64_t vector,
                                           int64_t vectors, int64_t blocks) {
  if (failed(checkRange(emitError, "threads", threads, 32, 1024)) ||
      failed(checkVector(emitError, "vector", vector)) ||
      failed(checkRange(emitError, "vectors", vectors, 1, 32)) ||
      failed(checkRange(emitError, "blocks", blocks, 1, 65535)))
    return failure();
  if (threads % 32 != 0)
    return emitError() << "expected 'threads' to be a multiple of 32, but got " << threads;
  return success();
}

LogicalResult InnerPersistentParamsAttr::verify(EmitError emitError, int64_t threads,
                                                int64_t vector, int64_t vectors, int64_t rows,
                                                bool recompute) {
  if (failed(checkRange(emitError, "threads", threads, 1, 1024)) ||
      failed(checkVector(emitError, "vector", vector)) ||
      failed(checkRange(emitError, "vectors", vectors, 1, 32)) ||
      failed(checkRange(emitError, "rows", rows, 1, 1024)) ||
      failed(checkBlock(emitError, "rows", rows, "threads", threads)))
    return failure();
  // Threads of a row that do not fill warps would share one with the next row.
  if (threads > 32 ? threads % 32 != 0 : !llvm::isPowerOf2_64(threads))
    return emitError() << "expected 'threads' to be a multiple of 32, or a power of two below it, "
                          "but got "
                       << threads;
  return success();
}

LogicalResult SingleOpParamsAttr::verify(EmitError emitError, int64_t threads) {
  return checkRange(emitError, "threads", threads, 1, 1024);
}
