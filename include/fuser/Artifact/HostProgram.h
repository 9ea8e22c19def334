//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The host side of a compiled fusion: a list of instructions over numbered buffers and integer
// expressions. It is the content of `fuser.host`, without MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ARTIFACT_HOSTPROGRAM_H
#define FUSER_ARTIFACT_HOSTPROGRAM_H

#include "fuser/Artifact/DType.h"
#include "fuser/Artifact/IntExpr.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fuser::artifact {

/// Index into HostProgram::buffers.
using BufferId = uint32_t;
inline constexpr uint32_t kNotAnArgument = 0xffffffffu;

/// A tensor of the host program. Its memory is assigned by the call (an argument), by an Alloc or
/// by a View, exactly once and before any use.
struct Buffer {
  std::string name;
  DType dtype = DType::F32;
  /// Number of the tensor argument it is, or kNotAnArgument.
  uint32_t argument = kNotAnArgument;
};

/// Allocates memory on the device. Sizes and strides count elements, one expression per dimension;
/// the allocation spans the first to the last element. `zeroed`: all bytes are initially zero (grid
/// semaphores and atomics need it).
struct Alloc {
  BufferId buffer = 0;
  std::vector<ExprId> sizes, strides;
  bool zeroed = false;
};

/// Ends the live range of a buffer that an Alloc made.
struct Free {
  BufferId buffer = 0;
};

/// Names a sub-range of `base`: starts `offset` elements after its first one.
struct View {
  BufferId buffer = 0, base = 0;
  ExprId offset = 0;
  std::vector<ExprId> sizes, strides;
};

enum class Access : uint8_t { Read = 1, Write = 2, ReadWrite = 3 };

/// The minimal sub-range of a buffer that a launch touches: offset and size per dimension, and the
/// byte interval [byteBegin, byteEnd) from the buffer's first element that contains it.
struct Box {
  BufferId buffer = 0;
  Access access = Access::Read;
  std::vector<ExprId> offsets, sizes;
  ExprId byteBegin = 0, byteEnd = 0;
};

/// One parameter of a kernel, in the order of its signature.
struct Parameter {
  enum class Kind : uint8_t {
    Pointer = 0,   ///< address of the first element of `buffer`
    Integer = 1,   ///< `expr`, truncated to `bytes` (4 or 8) after a range check
    Scalar = 2,    ///< scalar argument `argument`, in its own type
    TensorMap = 3, ///< a map of `buffer`, by which the kernel copies boxes of it
  };
  Kind kind = Kind::Pointer;
  BufferId buffer = 0;
  ExprId expr = 0;
  uint32_t bytes = 8;
  uint32_t argument = 0;
  /// Of a tensor map, the slowest dimension first: sizes and strides in elements of `bytes` bytes
  /// (1, 2, 4 or 8), the elements of a box, and the bytes of a swizzled row (0: none).
  std::vector<ExprId> sizes = {}, strides = {};
  std::vector<uint32_t> box = {};
  uint32_t swizzle = 0;
};

/// Runs a kernel. A launch with an empty grid does nothing.
struct Launch {
  uint32_t kernel = 0;
  std::vector<Parameter> parameters;
  ExprId grid[3] = {0, 0, 0};
  ExprId block[3] = {0, 0, 0};
  /// Blocks per cluster; expressions of value 1 where there is none.
  ExprId cluster[3] = {0, 0, 0};
  ExprId dynamicSharedBytes = 0;
  bool cooperative = false;
  /// It may begin before the launches before it have ended: its kernel has the attribute
  /// kWaitsForLaunches, and the last work of the stream before it is a launch, which may be
  /// dependent as well. Not in loops, and not cooperative.
  bool dependent = false;
  /// Index of the stream within the enclosing loop; kNoExpr: the iteration modulo the number of
  /// streams, or the call's own stream outside of loops. Launches on different streams of a loop
  /// are not ordered, and a loop whose launches select streams allocates nothing.
  ExprId stream = kNoExpr;
  std::vector<Box> boxes;
};

/// Copies `source` into `destination`: equal sizes, any strides.
struct Copy {
  BufferId source = 0, destination = 0;
};

/// Runs a routine that the embedder registered under `name`.
struct LibraryCall {
  std::string name;
  std::vector<BufferId> inputs, outputs;
  /// The routine's own options, in order.
  std::vector<std::pair<std::string, std::string>> options;
};

/// Repeats the instructions up to its ForEnd for 0 <= i < count, iteration i on stream i mod
/// `streams`. Iterations are independent. Each loop has its own number, and the leaf LoopIndex of
/// that number is its induction variable. Loops nest: the iterations of an inner loop are on
/// streams of the iteration of the outer one, begin after what precedes the loop in it, and are
/// complete before what follows the loop.
struct ForBegin {
  uint32_t loop = 0;
  ExprId count = 0;
  uint32_t streams = 1;
};
struct ForEnd {
  uint32_t loop = 0;
};

/// Chooses the stream of the launches, copies, library calls, records and waits after it, and that
/// on which buffers are allocated and freed. 0, which is the first one, is the call's own. Outside
/// of loops. Work of different streams is ordered by events only.
struct SelectStream {
  uint32_t stream = 0;
};

/// The point that the current stream has reached. Each event is recorded once.
struct RecordEvent {
  uint32_t event = 0;
};

/// The current stream waits for a recorded event.
struct WaitEvent {
  uint32_t event = 0;
};

/// The last instruction; `values` are the outputs, in order.
struct Return {
  std::vector<BufferId> values;
};

/// The order of the alternatives is the tag in saved artifacts.
using Instruction = std::variant<Alloc, Free, View, Launch, Copy, LibraryCall, ForBegin, ForEnd,
                                 Return, SelectStream, RecordEvent, WaitEvent>;

/// The most streams of a program that selects them.
inline constexpr uint32_t kMostStreams = 64;

struct HostProgram {
  std::vector<Buffer> buffers;
  std::vector<Instruction> instructions;
};

} // namespace fuser::artifact

#endif // FUSER_ARTIFACT_HOSTPROGRAM_H
