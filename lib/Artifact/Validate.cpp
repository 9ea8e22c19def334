//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks whether an artifact is consistent. The runtime needs no checks of its own after that: an
// artifact from a damaged or hostile file cannot make it index out of a table or use a freed
// buffer.
//
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/Artifact.h"

namespace fuser::artifact {
namespace {

constexpr uint32_t kNoLoop = 0xffffffffu;
constexpr uint32_t kMostLoopStreams = 1024;
/// Loops that are open at once.
constexpr size_t kMostLoopDepth = 16;

bool isPowerOfTwo(uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

/// State of one buffer during the walk of the program.
struct BufferState {
  bool placed = false;
  bool freed = false;
  bool isAlloc = false;
  /// Loop in which its memory was assigned.
  uint32_t loop = kNoLoop;
  /// Buffer whose memory it is a part of; itself unless it is a view.
  BufferId root = 0;
  size_t rank = 0;
  /// Of an allocation in a program with several streams: its stream and when, and the last access
  /// of each stream.
  uint32_t stream = 0, tick = 0;
  std::vector<uint32_t> accesses;
};

class Validator {
public:
  explicit Validator(const Artifact &artifact) : artifact(artifact) {}

  Status run() {
    if (Status status = checkArguments(); !status)
      return status;
    if (Status status = checkConstants(); !status)
      return status;
    findLoops();
    if (Status status = checkExprs(); !status)
      return status;
    for (const Guard &guard : artifact.guards) {
      if (guard.relation < ExprKind::Equal || guard.relation > ExprKind::LessEqual)
        return fail("expected the relation of a guard to be a comparison");
      if (Status status = checkExprs({guard.lhs, guard.rhs}, "a guard"); !status)
        return status;
    }
    for (const OutputSpec &output : artifact.outputs) {
      if (!isPowerOfTwo(output.alignment))
        return fail("output '", output.name, "': expected a power of two as alignment, but got ",
                    output.alignment);
      if (output.sizes.size() != output.strides.size())
        return fail("output '", output.name, "': expected ", output.sizes.size(),
                    " strides, but got ", output.strides.size());
      if (Status status = checkExprs(output.sizes, "an output size"); !status)
        return status;
      if (Status status = checkExprs(output.strides, "an output stride"); !status)
        return status;
    }
    return checkProgram();
  }

private:
  template <typename... Parts> Error fail(Parts &&...parts) {
    return makeError(ErrorCode::Corrupt, "artifact '", artifact.name, "': ", parts...);
  }
  /// An error at the current instruction.
  template <typename... Parts> Error failHere(Parts &&...parts) {
    return fail("instruction ", position, ": ", parts...);
  }

  Status checkArguments();
  Status checkConstants();
  Status checkExprs();
  Status checkLeaf(const ExprNode &node);
  Status checkExprs(ArrayView<ExprId> ids, const char *what);

  Status checkProgram();
  Status place(BufferId id, size_t rank, bool isAlloc, BufferId root);
  Status use(BufferId id, const char *what);

  Status check(const Alloc &op);
  Status check(const Free &op);
  Status check(const View &op);
  Status check(const Launch &op);
  Status checkDependent(const Launch &op);
  Status checkParameter(const Parameter &parameter);
  Status checkTensorMap(const Parameter &map);
  Status check(const Copy &op);
  Status check(const LibraryCall &op);
  Status check(const ForBegin &op);
  Status check(const ForEnd &op);
  Status check(const Return &op);
  Status check(const SelectStream &op);
  Status check(const RecordEvent &op);
  Status check(const WaitEvent &op);
  /// Counts an access of the current stream to the memory of a buffer.
  Status access(BufferId id);

  const Artifact &artifact;
  void findLoops();
  /// True if loop `inner` is `outer` or in it; every loop is in kNoLoop.
  bool isInLoop(uint32_t inner, uint32_t outer) const;

  /// The loop around each loop; loops that no instruction opens have none.
  std::vector<uint32_t> outerOf;
  /// The innermost loop that each node depends on.
  std::vector<uint32_t> loopOf;
  std::vector<BufferState> buffers;
  std::vector<bool> loopSeen;
  uint32_t currentLoop = kNoLoop;
  /// Vector clocks: what each stream, and what waits for each event, comes after. A clock that is
  /// shorter than another one has zeros at its end.
  using Clock = std::vector<uint32_t>;
  std::vector<Clock> streams = {Clock(kMostStreams, 0)};
  std::vector<Clock> events;
  std::vector<bool> hasStarted = {true};
  uint32_t currentStream = 0;
  /// The streams of the open loops together, outermost first.
  std::vector<uint32_t> openStreams = {1};
  /// Set by the instructions of the outermost open loop.
  bool loopAllocates = false, loopPicksStreams = false;
  size_t position = 0;
};

//===----------------------------------------------------------------------===//
// Arguments and expressions
//===----------------------------------------------------------------------===//

Status Validator::checkArguments() {
  for (const ArgumentSpec &argument : artifact.arguments) {
    size_t rank = argument.sizes.size();
    if (!argument.isTensor && rank != 0)
      return fail("argument '", argument.name, "': expected a scalar to have no sizes");
    if (argument.order.size() != rank || argument.contiguous.size() != rank)
      return fail("argument '", argument.name, "': expected order and contiguity of ", rank,
                  " dimensions, but got ", argument.order.size(), " and ",
                  argument.contiguous.size());
    std::vector<bool> seen(rank, false);
    for (uint32_t dim : argument.order) {
      if (dim >= rank || seen[dim])
        return fail("argument '", argument.name, "': expected a permutation of ", rank,
                    " dimensions as order");
      seen[dim] = true;
    }
    if (!isPowerOfTwo(argument.alignment))
      return fail("argument '", argument.name, "': expected a power of two as alignment, but got ",
                  argument.alignment);
  }
  return {};
}

Status Validator::checkLeaf(const ExprNode &node) {
  if (node.kind == ExprKind::Constant || node.kind == ExprKind::LoopIndex)
    return {};
  if (node.a >= artifact.arguments.size())
    return fail("expected an argument below ", artifact.arguments.size(), ", but got ", node.a);
  const ArgumentSpec &argument = artifact.arguments[node.a];
  bool scalar = node.kind == ExprKind::Scalar;
  if (argument.isTensor == scalar)
    return fail("argument '", argument.name, "': expected a ", scalar ? "scalar" : "tensor");
  if (scalar && !isInteger(argument.dtype))
    return fail("argument '", argument.name, "': expected an integer, but got ",
                toString(argument.dtype));
  bool hasDim = node.kind == ExprKind::Size || node.kind == ExprKind::Stride;
  if (hasDim && node.b >= argument.sizes.size())
    return fail("argument '", argument.name, "': expected a dimension below ",
                argument.sizes.size(), ", but got ", node.b);
  return {};
}

Status Validator::checkConstants() {
  if (artifact.constants.size() > artifact.arguments.size())
    return fail("expected at most ", artifact.arguments.size(), " constants, but got ",
                artifact.constants.size());
  const size_t first = numPassedArguments(artifact);
  for (size_t i = 0; i < artifact.constants.size(); ++i) {
    const Constant &constant = artifact.constants[i];
    const ArgumentSpec &argument = artifact.arguments[first + i];
    bool fits = argument.isTensor && argument.dtype == constant.dtype &&
                argument.sizes.size() == constant.sizes.size();
    uint64_t bytes = byteSize(constant.dtype);
    for (size_t dim = 0; fits && dim < constant.sizes.size(); ++dim) {
      const int64_t size = constant.sizes[dim];
      fits = size >= 0 && (argument.sizes[dim] == kDynamic || argument.sizes[dim] == size) &&
             !__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes);
    }
    if (!fits || bytes != constant.bytes.size())
      return fail("expected constant ", i, " to be a value of argument ", first + i);
  }
  return {};
}

/// Malformed nests are diagnosed where their instructions are checked.
void Validator::findLoops() {
  outerOf.assign(artifact.program.instructions.size(), kNoLoop);
  uint32_t open = kNoLoop;
  size_t depth = 0;
  for (const Instruction &instruction : artifact.program.instructions) {
    if (const auto *begin = std::get_if<ForBegin>(&instruction)) {
      // The loop of an open number would be in itself.
      if (begin->loop >= outerOf.size() || isInLoop(open, begin->loop) || ++depth > kMostLoopDepth)
        return;
      outerOf[begin->loop] = open;
      open = begin->loop;
    } else if (std::holds_alternative<ForEnd>(instruction) && open != kNoLoop) {
      open = outerOf[open];
      --depth;
    }
  }
}

bool Validator::isInLoop(uint32_t inner, uint32_t outer) const {
  while (inner != outer && inner < outerOf.size())
    inner = outerOf[inner];
  return inner == outer || outer == kNoLoop;
}

Status Validator::checkExprs() {
  const std::vector<ExprNode> &nodes = artifact.exprs.nodes();
  loopOf.assign(nodes.size(), kNoLoop);
  for (size_t id = 0; id < nodes.size(); ++id) {
    const ExprNode &node = nodes[id];
    if (static_cast<unsigned>(node.kind) >= kNumExprKinds)
      return fail("expression ", id, ": unknown kind ", static_cast<unsigned>(node.kind));
    unsigned operands = numOperands(node.kind);
    if (operands == 0) {
      if (Status status = checkLeaf(node); !status)
        return status;
      if (node.kind == ExprKind::LoopIndex)
        loopOf[id] = node.a;
      continue;
    }
    const uint32_t ids[] = {node.a, node.b, node.c};
    for (unsigned i = 0; i < operands; ++i) {
      if (ids[i] >= id)
        return fail("expression ", id, ": expected operands before it, but got ", ids[i]);
      const uint32_t loop = loopOf[ids[i]];
      if (isInLoop(loopOf[id], loop))
        continue;
      if (!isInLoop(loop, loopOf[id]))
        return fail("expression ", id, ": expected indices of loops that nest, but got loops ",
                    loopOf[id], " and ", loop);
      loopOf[id] = loop;
    }
  }
  return {};
}

Status Validator::checkExprs(ArrayView<ExprId> ids, const char *what) {
  for (ExprId id : ids) {
    if (id >= loopOf.size())
      return failHere("expected ", what, " below ", loopOf.size(), ", but got expression ", id);
    if (!isInLoop(currentLoop, loopOf[id]))
      return failHere("expected ", what, " not to use the index of another loop");
  }
  return {};
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

Status Validator::place(BufferId id, size_t rank, bool isAlloc, BufferId root) {
  if (id >= buffers.size())
    return failHere("expected a buffer below ", buffers.size(), ", but got ", id);
  if (buffers[id].placed)
    return failHere("expected buffer ", id, " to be placed once");
  buffers[id] = {true, false, isAlloc, currentLoop, root, rank, currentStream, 0, {}};
  return {};
}

Status Validator::use(BufferId id, const char *what) {
  if (id >= buffers.size())
    return failHere("expected ", what, " below ", buffers.size(), ", but got buffer ", id);
  if (!buffers[id].placed)
    return failHere("expected ", what, " to have memory, but buffer ", id, " has none here");
  if (buffers[id].freed || buffers[buffers[id].root].freed)
    return failHere("expected ", what, " to be alive, but buffer ", id, " was freed");
  return {};
}

Status Validator::check(const Alloc &op) {
  if (op.sizes.size() != op.strides.size())
    return failHere("expected ", op.sizes.size(), " strides, but got ", op.strides.size());
  if (Status status = checkExprs(op.sizes, "a size"); !status)
    return status;
  if (Status status = checkExprs(op.strides, "a stride"); !status)
    return status;
  loopAllocates |= currentLoop != kNoLoop;
  if (Status status = place(op.buffer, op.sizes.size(), /*isAlloc=*/true, op.buffer); !status)
    return status;
  buffers[op.buffer].tick = ++streams[currentStream][currentStream];
  return {};
}

Status Validator::check(const Free &op) {
  if (Status status = use(op.buffer, "the freed buffer"); !status)
    return status;
  BufferState &state = buffers[op.buffer];
  if (!state.isAlloc || state.loop != currentLoop)
    return failHere("expected buffer ", op.buffer, " to be allocated in the same block");
  if (state.stream != currentStream)
    return failHere("expected buffer ", op.buffer, " to be freed on stream ", state.stream,
                    ", which allocates it, but got stream ", currentStream);
  for (uint32_t stream = 0; stream < state.accesses.size(); ++stream)
    if (state.accesses[stream] > streams[currentStream][stream])
      return failHere("expected an event after the last access of stream ", stream, " to buffer ",
                      op.buffer, " before it is freed");
  state.freed = true;
  return {};
}

Status Validator::check(const View &op) {
  if (Status status = use(op.base, "the base"); !status)
    return status;
  if (op.sizes.size() != op.strides.size())
    return failHere("expected ", op.sizes.size(), " strides, but got ", op.strides.size());
  if (Status status = checkExprs({op.offset}, "the offset"); !status)
    return status;
  if (Status status = checkExprs(op.sizes, "a size"); !status)
    return status;
  if (Status status = checkExprs(op.strides, "a stride"); !status)
    return status;
  if (op.buffer < buffers.size() &&
      artifact.program.buffers[op.buffer].dtype != artifact.program.buffers[op.base].dtype)
    return failHere("expected a view of the element type of its base");
  return place(op.buffer, op.sizes.size(), /*isAlloc=*/false, buffers[op.base].root);
}

Status Validator::checkParameter(const Parameter &parameter) {
  switch (parameter.kind) {
  case Parameter::Kind::Pointer:
    if (Status status = use(parameter.buffer, "a parameter"); !status)
      return status;
    return access(parameter.buffer);
  case Parameter::Kind::Integer:
    if (parameter.bytes != 4 && parameter.bytes != 8)
      return failHere("expected a parameter of 4 or 8 bytes, but got ", parameter.bytes);
    return checkExprs({parameter.expr}, "a parameter");
  case Parameter::Kind::Scalar:
    if (parameter.argument >= artifact.arguments.size() ||
        artifact.arguments[parameter.argument].isTensor)
      return failHere("expected a scalar argument as parameter, but got argument ",
                      parameter.argument);
    return {};
  case Parameter::Kind::TensorMap:
    return checkTensorMap(parameter);
  }
  return failHere("expected a pointer, an integer, a scalar or a tensor map as parameter");
}

/// The device checks the numbers.
Status Validator::checkTensorMap(const Parameter &map) {
  if (Status status = use(map.buffer, "a parameter"); !status)
    return status;
  constexpr size_t kMaxRank = 5;
  const size_t rank = map.box.size();
  if (rank == 0 || rank > kMaxRank || map.sizes.size() != rank || map.strides.size() != rank)
    return failHere("expected a tensor map of 1 to ", kMaxRank, " dimensions, but got ", rank,
                    " of the box, ", map.sizes.size(), " sizes and ", map.strides.size(),
                    " strides");
  if (map.bytes != 1 && map.bytes != 2 && map.bytes != 4 && map.bytes != 8)
    return failHere("expected elements of 1, 2, 4 or 8 bytes of a tensor map, but got ", map.bytes);
  if (Status status = checkExprs(map.sizes, "a size"); !status)
    return status;
  if (Status status = checkExprs(map.strides, "a stride"); !status)
    return status;
  return access(map.buffer);
}

/// True if `instruction` does no work on the device: what is allocated or freed is of its stream.
static bool isNoWork(const Instruction &instruction) {
  const auto *alloc = std::get_if<Alloc>(&instruction);
  return std::holds_alternative<Free>(instruction) || std::holds_alternative<View>(instruction) ||
         (alloc && !alloc->zeroed);
}

Status Validator::checkDependent(const Launch &op) {
  if (currentLoop != kNoLoop)
    return failHere("expected no dependent launch inside of a loop");
  if (op.cooperative)
    return failHere("expected a launch that is cooperative or dependent, but got both");
  const Kernel &kernel = artifact.kernels[op.kernel];
  if (kernel.attribute(kWaitsForLaunches, 0) != 1)
    return failHere(
        "expected a dependent launch of a kernel that waits for the launches before it");
  const std::vector<Instruction> &instructions = artifact.program.instructions;
  size_t before = position;
  while (before > 0 && isNoWork(instructions[before - 1]))
    --before;
  if (before == 0 || !std::holds_alternative<Launch>(instructions[before - 1]))
    return failHere("expected a launch as the last work before a dependent launch");
  return {};
}

Status Validator::check(const Launch &op) {
  if (op.kernel >= artifact.kernels.size())
    return failHere("expected a kernel below ", artifact.kernels.size(), ", but got ", op.kernel);
  for (const Parameter &parameter : op.parameters)
    if (Status status = checkParameter(parameter); !status)
      return status;
  for (const auto *triple : {&op.grid, &op.block, &op.cluster})
    if (Status status = checkExprs({*triple, 3}, "a launch dimension"); !status)
      return status;
  if (Status status = checkExprs({op.dynamicSharedBytes}, "the shared memory"); !status)
    return status;
  if (op.stream != kNoExpr) {
    if (currentLoop == kNoLoop)
      return failHere("expected a stream only inside of a loop");
    if (Status status = checkExprs({op.stream}, "the stream"); !status)
      return status;
    loopPicksStreams = true;
  }
  if (op.dependent)
    if (Status status = checkDependent(op); !status)
      return status;
  for (const Box &box : op.boxes) {
    if (Status status = use(box.buffer, "a box"); !status)
      return status;
    if (box.access < Access::Read || box.access > Access::ReadWrite)
      return failHere("expected a box that is read, written or both");
    size_t rank = buffers[box.buffer].rank;
    if (box.offsets.size() != rank || box.sizes.size() != rank)
      return failHere("expected a box of rank ", rank, ", but got ", box.offsets.size(),
                      " offsets and ", box.sizes.size(), " sizes");
    if (Status status = checkExprs(box.offsets, "an offset of a box"); !status)
      return status;
    if (Status status = checkExprs(box.sizes, "a size of a box"); !status)
      return status;
    if (Status status = checkExprs({box.byteBegin, box.byteEnd}, "a byte of a box"); !status)
      return status;
  }
  return {};
}

Status Validator::access(BufferId id) {
  if (!hasStarted[currentStream])
    return failHere("expected stream ", currentStream,
                    " to wait for an event before its first work");
  BufferState &root = buffers[buffers[id].root];
  Clock &clock = streams[currentStream];
  if (root.isAlloc && clock[root.stream] < root.tick)
    return failHere("expected stream ", currentStream, " to wait for the allocation of buffer ",
                    buffers[id].root);
  if (root.accesses.size() <= currentStream)
    root.accesses.resize(currentStream + 1, 0);
  root.accesses[currentStream] = ++clock[currentStream];
  return {};
}

Status Validator::check(const SelectStream &op) {
  if (currentLoop != kNoLoop)
    return failHere("expected no change of the stream inside of a loop");
  if (op.stream >= kMostStreams)
    return failHere("expected a stream below ", kMostStreams, ", but got ", op.stream);
  if (op.stream >= streams.size()) {
    streams.resize(op.stream + 1, Clock(kMostStreams, 0));
    hasStarted.resize(op.stream + 1, false);
  }
  currentStream = op.stream;
  return {};
}

Status Validator::check(const RecordEvent &op) {
  if (currentLoop != kNoLoop)
    return failHere("expected no event inside of a loop");
  if (op.event >= artifact.program.instructions.size())
    return failHere("expected an event below ", artifact.program.instructions.size(), ", but got ",
                    op.event);
  if (op.event >= events.size())
    events.resize(op.event + 1);
  if (!events[op.event].empty())
    return failHere("expected event ", op.event, " to be recorded once");
  events[op.event] = streams[currentStream];
  return {};
}

Status Validator::check(const WaitEvent &op) {
  if (currentLoop != kNoLoop)
    return failHere("expected no event inside of a loop");
  if (op.event >= events.size() || events[op.event].empty())
    return failHere("expected event ", op.event, " to be recorded before a stream waits for it");
  for (uint32_t stream = 0; stream < kMostStreams; ++stream)
    streams[currentStream][stream] =
        std::max(streams[currentStream][stream], events[op.event][stream]);
  hasStarted[currentStream] = true;
  return {};
}

Status Validator::check(const Copy &op) {
  for (BufferId id : {op.source, op.destination}) {
    if (Status status = use(id, "a buffer of a copy"); !status)
      return status;
    if (Status status = access(id); !status)
      return status;
  }
  if (buffers[op.source].rank != buffers[op.destination].rank ||
      artifact.program.buffers[op.source].dtype != artifact.program.buffers[op.destination].dtype)
    return failHere("expected a copy between buffers of one rank and element type");
  return {};
}

Status Validator::check(const LibraryCall &op) {
  for (const std::vector<BufferId> *ids : {&op.inputs, &op.outputs})
    for (BufferId id : *ids) {
      if (Status status = use(id, "an operand of a library call"); !status)
        return status;
      if (Status status = access(id); !status)
        return status;
    }
  return {};
}

Status Validator::check(const ForBegin &op) {
  if (currentStream != 0)
    return failHere("expected a loop on stream 0, but got stream ", currentStream);
  if (openStreams.size() > kMostLoopDepth)
    return failHere("expected at most ", kMostLoopDepth, " nested loops");
  if (op.streams == 0 || op.streams > kMostLoopStreams / openStreams.back())
    return failHere("expected 1 to ", kMostLoopStreams,
                    " streams of nested loops together, but got ", op.streams, " times ",
                    openStreams.back());
  if (op.loop >= loopSeen.size() || loopSeen[op.loop])
    return failHere("expected each loop to have its own number below ", loopSeen.size(),
                    ", but got ", op.loop);
  if (Status status = checkExprs({op.count}, "the count of a loop"); !status)
    return status;
  loopSeen[op.loop] = true;
  currentLoop = op.loop;
  openStreams.push_back(openStreams.back() * op.streams);
  return {};
}

Status Validator::check(const ForEnd &op) {
  if (currentLoop == kNoLoop || op.loop != currentLoop)
    return failHere("expected the end of the loop that is open");
  // The memory of an iteration is reused in the order of the iteration's stream.
  if (loopAllocates && loopPicksStreams)
    return failHere("expected a loop whose launches choose their streams to allocate nothing");
  if (outerOf[currentLoop] == kNoLoop)
    loopAllocates = loopPicksStreams = false;
  for (BufferState &state : buffers)
    if (state.placed && state.loop == currentLoop)
      state.freed = true;
  currentLoop = outerOf[currentLoop];
  openStreams.pop_back();
  return {};
}

Status Validator::check(const Return &op) {
  if (currentLoop != kNoLoop)
    return failHere("expected no return inside of a loop");
  if (currentStream != 0)
    return failHere("expected a return on stream 0, but got stream ", currentStream);
  for (uint32_t stream = 0; stream < streams.size(); ++stream)
    if (streams[stream][stream] > streams[0][stream])
      return failHere("expected stream 0 to wait for the end of stream ", stream);
  if (op.values.size() != artifact.outputs.size())
    return failHere("expected ", artifact.outputs.size(), " values, but got ", op.values.size());
  for (size_t i = 0; i < op.values.size(); ++i) {
    BufferId id = op.values[i];
    if (Status status = use(id, "a returned buffer"); !status)
      return status;
    const OutputSpec &output = artifact.outputs[i];
    if (artifact.program.buffers[id].dtype != output.dtype ||
        buffers[id].rank != output.sizes.size())
      return failHere("expected value ", i, " of the type and rank of output '", output.name, "'");
    if (artifact.program.buffers[buffers[id].root].argument != output.aliasOfArgument)
      return failHere("expected value ", i, " to share memory with the argument that output '",
                      output.name, "' names");
  }
  return {};
}

Status Validator::checkProgram() {
  const HostProgram &program = artifact.program;
  buffers.resize(program.buffers.size());
  loopSeen.assign(program.instructions.size(), false);
  for (BufferId id = 0; id < buffers.size(); ++id) {
    uint32_t argument = program.buffers[id].argument;
    if (argument == kNotAnArgument)
      continue;
    if (argument >= artifact.arguments.size() || !artifact.arguments[argument].isTensor)
      return fail("buffer ", id, ": expected a tensor argument, but got argument ", argument);
    const ArgumentSpec &spec = artifact.arguments[argument];
    if (program.buffers[id].dtype != spec.dtype)
      return fail("buffer ", id, ": expected the element type of argument '", spec.name, "'");
    if (Status status = place(id, spec.sizes.size(), /*isAlloc=*/false, id); !status)
      return status;
  }
  if (program.instructions.empty() || !std::holds_alternative<Return>(program.instructions.back()))
    return fail("expected a return as last instruction");
  for (position = 0; position < program.instructions.size(); ++position) {
    const Instruction &instruction = program.instructions[position];
    if (std::holds_alternative<Return>(instruction) && position + 1 != program.instructions.size())
      return failHere("expected no instruction after a return");
    if (Status status = std::visit([&](const auto &op) { return check(op); }, instruction); !status)
      return status;
  }
  return {};
}

} // namespace

Status validate(const Artifact &artifact) { return Validator(artifact).run(); }

size_t numPassedArguments(const Artifact &artifact) {
  return artifact.arguments.size() - artifact.constants.size();
}

std::vector<std::string> argumentNames(const Artifact &artifact) {
  std::vector<std::string> names;
  for (const ArgumentSpec &argument : artifact.arguments)
    names.push_back(argument.name);
  return names;
}

} // namespace fuser::artifact
