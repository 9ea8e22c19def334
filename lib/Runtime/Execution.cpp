//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include <algorithm>
#include <limits>

namespace fuser::runtime {

using namespace artifact;

/// The state of an earlier call, or a new one.
static std::unique_ptr<CallState> takeState(const ExecutionPlan &plan) {
  if (std::unique_ptr<CallState> kept = plan.states.take())
    return kept;
  return std::make_unique<CallState>(plan);
}

Execution::Execution(const ExecutionPlan &plan, ArrayView<CallArgument> passed, Stream stream)
    : plan(plan), device(*plan.device), numPassed(passed.size()), arguments(passed),
      callStream(stream), currentStream(stream), loopIndices(plan.loopNodes.size(), 0),
      state(takeState(plan)), values(state->values), data(state->data), owned(state->owned) {
  if (plan.constantTensors.empty())
    return;
  state->arguments.assign(passed.begin(), passed.end());
  for (const Tensor &constant : plan.constantTensors)
    state->arguments.emplace_back(constant.view());
  arguments = state->arguments;
}

Execution::~Execution() {
  // A failure is already reported, or will be by the next use of the device.
  for (BufferId buffer : plan.allocatedBuffers)
    (void)release(buffer).ok();
  plan.states.keep(std::move(state));
}

int64_t Execution::leaf(const ExprNode &node) const {
  const CallArgument &argument = arguments[node.kind == ExprKind::LoopIndex ? 0 : node.a];
  switch (node.kind) {
  case ExprKind::Size:
    return argument.tensor.sizes[node.b];
  case ExprKind::Stride:
    return argument.tensor.strides[node.b];
  case ExprKind::Scalar:
    return argument.scalar.asInteger();
  case ExprKind::Alignment:
    return alignmentOf(argument.tensor.data);
  default:
    return loopIndices[node.a];
  }
}

Status Execution::evaluate(const std::vector<ExprId> &nodes) {
  ExprFault fault = artifact::evaluate(
      plan.artifact.exprs, nodes, [this](const ExprNode &node) { return leaf(node); },
      values.data());
  if (fault.fault == EvalFault::None)
    return {};
  return describeFault(plan.artifact.exprs, fault, values.data(), plan.argumentNames);
}

Status Execution::check(bool explain) {
  if (const size_t expected = plan.numPassed; numPassed != expected)
    return makeError(ErrorCode::ArgumentCount, "expected ", expected, " arguments, but got ",
                     numPassed);
  // What held for the last call holds for this one.
  if (state->signature.matches(plan, arguments))
    return checkInPlace(plan, arguments, state->written);
  state->forget();
  if (Status status = checkArguments(plan, arguments, state->written); !status)
    return status;
  if (Status status = evaluate(plan.guardNodes); !status)
    return status;
  for (const Guard &guard : plan.artifact.guards) {
    int64_t lhs = values[guard.lhs], rhs = values[guard.rhs], holds = 0;
    if (applyOperator(guard.relation, lhs, rhs, holds) == EvalFault::None && holds)
      continue;
    if (!explain)
      return Error{ErrorCode::GuardFailed, {}};
    const char *relation = guard.relation == ExprKind::Equal      ? " == "
                           : guard.relation == ExprKind::NotEqual ? " != "
                           : guard.relation == ExprKind::Less     ? " < "
                                                                  : " <= ";
    return makeError(ErrorCode::GuardFailed, "expected ",
                     printExpr(plan.artifact.exprs, guard.lhs, plan.argumentNames), relation,
                     printExpr(plan.artifact.exprs, guard.rhs, plan.argumentNames), " (",
                     guard.reason, "), but got ", lhs, " and ", rhs);
  }
  state->signature.assign(plan, arguments);
  return {};
}

Status Execution::run(const ArrayView<TensorView> *callerOutputs) {
  if (!state->isEvaluated)
    if (Status status = evaluate(plan.callNodes); !status)
      return status;
  state->isEvaluated = true;
  if (callerOutputs)
    if (Status status =
            checkOutputs(plan, arguments, *callerOutputs, values.data(), state->written);
        !status)
      return status;
  outputs = callerOutputs;
  std::fill(data.begin(), data.end(), nullptr);
  for (BufferId id : plan.argumentBuffers)
    data[id] = static_cast<char *>(arguments[plan.buffers[id].argument].tensor.data);
  if (plan.usesStreams)
    if (Status status = openStreams(); !status)
      return status;
  if (Status status = runRange(0, plan.artifact.program.instructions.size()); !status) {
    currentStream = callStream;
    // Enqueued work may read memory that is freed on the call's stream.
    if (callStreams)
      (void)callStreams->join().ok();
    return status;
  }
  if (!callerOutputs)
    return {};
  for (size_t i = 0; i < callerOutputs->size(); ++i) {
    const TensorView &output = (*callerOutputs)[i];
    const char *actual = data[plan.outputBuffers[i]];
    if (plan.artifact.outputs[i].isView && output.data != actual) {
      if (Status status = copyView(i); !status)
        return status;
      continue;
    }
    if (plan.artifact.outputs[i].aliasOfArgument != kNotAnArgument && output.data != actual)
      return makeError(ErrorCode::OverlappingBuffers, "output ", i, " (",
                       plan.artifact.outputs[i].name, "): expected the memory of the argument it ",
                       "aliases, but got other memory");
  }
  return {};
}

/// The caller provides memory for an output that is a view of an argument.
Status Execution::copyView(size_t index) {
  if (Status status = checkOverlap(plan, arguments, *outputs, index); !status)
    return status;
  std::vector<int64_t> shape;
  TensorView source = viewOf(plan.outputBuffers[index], shape);
  return copyStrided(device, source, (*outputs)[index], callStream);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

Status Execution::runRange(size_t begin, size_t end) {
  const std::vector<Instruction> &instructions = plan.artifact.program.instructions;
  for (size_t i = begin; i < end; ++i) {
    position = i;
    if (const auto *loop = std::get_if<ForBegin>(&instructions[i])) {
      if (Status status = runLoop(i); !status)
        return status;
      i = plan.loops[loop->loop].end;
      continue;
    }
    if (Status status = std::visit([&](const auto &op) { return execute(op); }, instructions[i]);
        !status)
      return status;
  }
  return {};
}

/// The outermost loop has streams of its own. The iterations of a loop in it share the streams of
/// the iteration around it, of which each of them gets as many as its own loops use.
Expected<std::vector<uint32_t>> Execution::takeLoopStreams(const ForBegin &loop, int64_t count) {
  const LoopPlan &loopPlan = plan.loops[loop.loop];
  const uint32_t first = getStreamNumber();
  const auto wanted = static_cast<uint32_t>(std::min<int64_t>(loop.streams, count));
  if (wanted <= 1)
    return std::vector<uint32_t>(1, first);
  std::vector<uint32_t> streams;
  for (uint32_t i = 0; i < wanted; ++i)
    streams.push_back((loopPlan.depth == 0 ? 1 : first) + i * loopPlan.streamsOfIteration);
  if (const size_t needed = streams.back() + 1; callStreams->size() < needed) {
    Expected<std::vector<Stream>> others = plan.streams->get(needed - 1);
    if (!others)
      return others.takeError();
    callStreams->extend(*others);
  }
  return streams;
}

/// The streams of a loop start after the previous work of the stream that it is in, which continues
/// after all of them.
Status Execution::runLoop(size_t begin) {
  const auto &loop = std::get<ForBegin>(plan.artifact.program.instructions[begin]);
  const int64_t count = values[loop.count];
  if (count <= 0)
    return {};
  const uint32_t from = getStreamNumber();
  Expected<std::vector<uint32_t>> streams = takeLoopStreams(loop, count);
  if (!streams)
    return streams.takeError();
  std::vector<uint32_t> outer = std::exchange(loopStreams, streams.take());
  if (callStreams)
    if (Status status = callStreams->fork(from, loopStreams); !status)
      return status;
  if (Status status = runIterations(begin, count); !status)
    return status;
  selectStream(from);
  if (callStreams)
    if (Status status = callStreams->join(loopStreams, from); !status)
      return status;
  loopStreams = std::move(outer);
  // All that follows is ordered after what precedes.
  if (callStreams && loopStreams.empty() && plan.numStreams == 1)
    callStreams->forgetAccesses();
  return {};
}

Status Execution::runIterations(size_t begin, int64_t count) {
  const std::vector<Instruction> &instructions = plan.artifact.program.instructions;
  const uint32_t loop = std::get<ForBegin>(instructions[begin]).loop;
  const size_t end = plan.loops[loop].end;
  for (int64_t i = 0; i < count; ++i) {
    loopIndices[loop] = i;
    selectStream(loopStreams[static_cast<size_t>(i) % loopStreams.size()]);
    if (Status status = evaluate(plan.loopNodes[loop]); !status)
      return status;
    if (Status status = runRange(begin + 1, end); !status)
      return status;
    for (size_t each = begin + 1; each < end; ++each)
      if (const auto *alloc = std::get_if<Alloc>(&instructions[each]))
        if (Status status = release(alloc->buffer); !status)
          return status;
  }
  return {};
}

void Execution::selectStream(uint32_t stream) {
  if (callStreams)
    currentStream = callStreams->select(stream);
}

Status Execution::openStreams() {
  Expected<std::vector<Stream>> others = plan.streams->get(plan.numStreams - 1);
  if (!others)
    return others.takeError();
  std::vector<Stream> streams = {callStream};
  streams.insert(streams.end(), others->begin(), others->end());
  Expected<std::unique_ptr<CallStreams>> opened =
      CallStreams::create(device, *plan.events, std::move(streams), plan.numEvents);
  if (!opened)
    return opened.takeError();
  callStreams = opened.take();
  return {};
}

Status Execution::execute(const SelectStream &op) {
  selectStream(op.stream);
  return {};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Status Execution::allocationBytes(const Alloc &op, size_t &bytes) const {
  const std::string &name = plan.artifact.program.buffers[op.buffer].name;
  int64_t last = 0;
  bool overflow = false;
  bytes = 0;
  for (size_t i = 0; i < op.sizes.size(); ++i) {
    int64_t size = values[op.sizes[i]], stride = values[op.strides[i]], reach = 0;
    if (size < 0 || stride < 0)
      return makeError(ErrorCode::SizeMismatch, "buffer '", name,
                       "': expected a size and a stride ", "of at least 0 in dimension ", i,
                       ", but got ", size, " and ", stride);
    if (size == 0)
      return {};
    overflow |= __builtin_mul_overflow(size - 1, stride, &reach) ||
                __builtin_add_overflow(last, reach, &last);
  }
  int64_t total = 0, element = byteSize(plan.artifact.program.buffers[op.buffer].dtype);
  overflow |=
      __builtin_add_overflow(last, 1, &last) || __builtin_mul_overflow(last, element, &total);
  if (overflow)
    return makeError(ErrorCode::IntegerOverflow, "buffer '", name,
                     "': expected a number of bytes that fits 64 bits");
  bytes = static_cast<size_t>(total);
  return {};
}

Status Execution::execute(const Alloc &op) {
  PreparedInstruction &prepared = state->instructions[position];
  size_t &bytes = prepared.bytes;
  if (!prepared.isPrepared)
    if (Status status = allocationBytes(op, bytes); !status)
      return status;
  prepared.isPrepared = loopStreams.empty();
  uint32_t output = plan.buffers[op.buffer].output;
  if (outputs && output != kNone) {
    data[op.buffer] = static_cast<char *>((*outputs)[output].data);
  } else if (bytes > 0) {
    Expected<void *> memory = device.allocate(bytes, currentStream);
    if (!memory)
      return memory.takeError();
    if (callStreams && plan.checksAccesses)
      callStreams->forgetAccesses(*memory, bytes);
    owned[op.buffer] = *memory;
    data[op.buffer] = static_cast<char *>(*memory);
  }
  if (op.zeroed && bytes > 0)
    return device.fill(data[op.buffer], 0, bytes, currentStream);
  return {};
}

Status Execution::release(BufferId buffer) {
  void *memory = owned[buffer];
  owned[buffer] = nullptr;
  return memory ? device.free(memory, currentStream) : Status();
}

Status Execution::execute(const Free &op) { return release(op.buffer); }

Status Execution::execute(const View &op) {
  int64_t element = byteSize(plan.artifact.program.buffers[op.base].dtype);
  data[op.buffer] = data[op.base] ? data[op.base] + values[op.offset] * element : nullptr;
  return {};
}

/// `shape` holds sizes and strides of the view and must outlive it.
TensorView Execution::viewOf(BufferId buffer, std::vector<int64_t> &shape) const {
  const BufferPlan &bufferPlan = plan.buffers[buffer];
  if (bufferPlan.argument != kNone)
    return arguments[bufferPlan.argument].tensor;
  shape.clear();
  for (const std::vector<ExprId> *ids : {bufferPlan.sizes, bufferPlan.strides})
    for (ExprId id : *ids)
      shape.push_back(values[id]);
  size_t rank = bufferPlan.sizes->size();
  return {data[buffer],
          plan.artifact.program.buffers[buffer].dtype,
          static_cast<uint32_t>(rank),
          shape.data(),
          shape.data() + rank,
          plan.deviceId};
}

/// The memory of a whole tensor.
static MemoryRange rangeOf(const TensorView &tensor, const std::string &name, bool writes) {
  MemoryRange range;
  range.reads = !writes;
  range.writes = writes;
  range.begin = range.origin = static_cast<const char *>(tensor.data);
  range.sizes = tensor.sizes;
  range.strides = tensor.strides;
  range.rank = tensor.rank;
  range.elementBytes = byteSize(tensor.dtype);
  range.name = name.c_str();
  int64_t last = 0;
  for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
    if (tensor.sizes[dim] == 0)
      return range;
    last += (tensor.sizes[dim] - 1) * tensor.strides[dim];
  }
  range.bytes = static_cast<uint64_t>(last + 1) * range.elementBytes;
  return range;
}

Status Execution::execute(const Copy &op) {
  std::vector<int64_t> sourceShape, destinationShape;
  TensorView source = viewOf(op.source, sourceShape);
  TensorView destination = viewOf(op.destination, destinationShape);
  if (callStreams && plan.checksAccesses) {
    const MemoryRange ranges[] = {
        rangeOf(source, plan.artifact.program.buffers[op.source].name, /*writes=*/false),
        rangeOf(destination, plan.artifact.program.buffers[op.destination].name, /*writes=*/true)};
    if (Status status = callStreams->access(getStreamNumber(), "copy", {ranges, 2}); !status)
      return status;
  }
  return copyStrided(device, source, destination, currentStream);
}

Status Execution::execute(const LibraryCall &op) {
  std::vector<std::vector<int64_t>> shapes(op.inputs.size() + op.outputs.size());
  std::vector<TensorView> inputs, results;
  for (size_t i = 0; i < op.inputs.size(); ++i)
    inputs.push_back(viewOf(op.inputs[i], shapes[i]));
  for (size_t i = 0; i < op.outputs.size(); ++i)
    results.push_back(viewOf(op.outputs[i], shapes[op.inputs.size() + i]));
  return (*plan.routines[position])(device, currentStream, inputs, results, op.options);
}

void Execution::takeOutputs(ResultReceiver &receiver) {
  const size_t count = plan.outputBuffers.size();
  // By their first output; nearly no program has outputs that are parts of one allocation.
  std::vector<std::shared_ptr<Storage>> sharedMemory;
  int64_t *sizes = state->resultShape.data();
  for (size_t i = 0; i < count; ++i) {
    const OutputSpec &spec = plan.artifact.outputs[i];
    const size_t rank = spec.sizes.size();
    int64_t *strides = sizes + rank;
    for (size_t dim = 0; dim < rank; ++dim) {
      sizes[dim] = values[spec.sizes[dim]];
      strides[dim] = values[spec.strides[dim]];
    }
    const TensorView view = {data[plan.outputBuffers[i]],
                             spec.dtype,
                             static_cast<uint32_t>(rank),
                             sizes,
                             strides,
                             plan.deviceId};
    void *memory = std::exchange(owned[plan.buffers[plan.outputBuffers[i]].root], nullptr);
    Storage own = memory ? Storage(plan.device, memory, callStream) : Storage();
    if (!plan.sharesBuffer[i]) {
      receiver.receive(view, std::move(own), nullptr);
      continue;
    }
    sharedMemory.resize(count);
    const uint32_t first = plan.firstOutputs[i];
    if (memory)
      sharedMemory[first] = std::make_shared<Storage>(std::move(own));
    receiver.receive(view, {}, sharedMemory[first]);
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Status Execution::launchConfig(const Launch &op, LaunchConfig &config) const {
  constexpr int64_t kLimit = std::numeric_limits<uint32_t>::max();
  bool fits = true;
  auto take = [&](ExprId id, uint32_t &field) {
    int64_t value = values[id];
    fits &= value >= 0 && value <= kLimit;
    field = static_cast<uint32_t>(value);
  };
  for (unsigned i = 0; i < 3; ++i) {
    take(op.grid[i], config.grid[i]);
    take(op.block[i], config.block[i]);
    take(op.cluster[i], config.cluster[i]);
  }
  take(op.dynamicSharedBytes, config.dynamicSharedBytes);
  if (!fits)
    return makeError(ErrorCode::InvalidLaunch, "kernel '", plan.artifact.kernels[op.kernel].name,
                     "': expected launch dimensions from 0 to ", kLimit, ", but got grid ",
                     values[op.grid[0]], " x ", values[op.grid[1]], " x ", values[op.grid[2]],
                     ", block ", values[op.block[0]], " x ", values[op.block[1]], " x ",
                     values[op.block[2]], ", shared memory ", values[op.dynamicSharedBytes]);
  return {};
}

Status Execution::checkParameters(const Launch &op) const {
  for (size_t i = 0; i < op.parameters.size(); ++i) {
    const Parameter &parameter = op.parameters[i];
    if (parameter.kind != Parameter::Kind::Integer || parameter.bytes != 4)
      continue;
    const int64_t value = values[parameter.expr];
    if (value != static_cast<int32_t>(value))
      return makeError(ErrorCode::IntegerOverflow, "kernel '",
                       plan.artifact.kernels[op.kernel].name, "', parameter ", i, ": expected '",
                       printExpr(plan.artifact.exprs, parameter.expr, plan.argumentNames),
                       "' to fit 32 bits, but got ", value);
  }
  return {};
}

void Execution::bindRanges(const Launch &op) {
  std::vector<MemoryRange> &ranges = state->ranges;
  std::vector<int64_t> &rangeShapes = state->rangeShapes;
  ranges.clear();
  rangeShapes.clear();
  size_t numbers = 0;
  for (const RangePlan &range : plan.launches[position].ranges)
    numbers += 2 * op.boxes[range.box].sizes.size();
  rangeShapes.reserve(numbers);
  for (const RangePlan &range : plan.launches[position].ranges) {
    const Box &box = op.boxes[range.box];
    const Buffer &buffer = plan.artifact.program.buffers[box.buffer];
    auto access = static_cast<unsigned>(box.access);
    int64_t begin = values[box.byteBegin], end = values[box.byteEnd];
    MemoryRange memory;
    memory.parameter = range.parameter;
    memory.reads = (access & unsigned(Access::Read)) != 0;
    memory.writes = (access & unsigned(Access::Write)) != 0;
    memory.begin = data[box.buffer] + begin;
    memory.bytes = end > begin ? static_cast<uint64_t>(end - begin) : 0;
    memory.rank = static_cast<uint32_t>(box.sizes.size());
    memory.elementBytes = byteSize(buffer.dtype);
    memory.name = buffer.name.c_str();
    // The pointers into the vector stay valid, because no allocation follows.
    memory.sizes = rangeShapes.data() + rangeShapes.size();
    memory.strides = memory.sizes + memory.rank;
    for (ExprId size : box.sizes)
      rangeShapes.push_back(values[size]);
    int64_t origin = 0;
    for (uint32_t dim = 0; dim < memory.rank; ++dim) {
      rangeShapes.push_back(strideOf(box.buffer, dim));
      origin += values[box.offsets[dim]] * rangeShapes.back();
    }
    memory.origin = data[box.buffer] + origin * memory.elementBytes;
    ranges.push_back(memory);
  }
}

int64_t Execution::strideOf(BufferId buffer, uint32_t dim) const {
  const BufferPlan &bufferPlan = plan.buffers[buffer];
  if (bufferPlan.argument != kNone)
    return arguments[bufferPlan.argument].tensor.strides[dim];
  return values[(*bufferPlan.strides)[dim]];
}

static bool hasBlocks(const LaunchConfig &config) {
  return config.grid[0] != 0 && config.grid[1] != 0 && config.grid[2] != 0;
}

/// What stays while the values do. A launch without blocks is not checked.
Status Execution::prepareLaunch(const Launch &op, PreparedInstruction &prepared) {
  if (Status status = launchConfig(op, prepared.config); !status)
    return status;
  if (hasBlocks(prepared.config)) {
    if (Status status =
            checkLaunchLimits(device.description(), prepared.config, prepared.config.kernelName);
        !status)
      return status;
    if (Status status = checkParameters(op); !status)
      return status;
  }
  for (PreparedTensorMap &map : prepared.tensorMaps)
    map.address = nullptr;
  prepared.isPrepared = loopStreams.empty();
  return {};
}

/// Makes the maps of tensors that are elsewhere than in the last call.
Status Execution::prepareTensorMaps(const Launch &op, PreparedInstruction &prepared) {
  for (size_t i = 0; i < prepared.tensorMaps.size(); ++i) {
    const Parameter &parameter = op.parameters[plan.launches[position].tensorMaps[i]];
    PreparedTensorMap &map = prepared.tensorMaps[i];
    TensorMapSpec spec;
    spec.address = data[parameter.buffer];
    if (spec.address && map.address == spec.address)
      continue;
    spec.rank = static_cast<uint32_t>(parameter.box.size());
    spec.elementBytes = parameter.bytes;
    spec.swizzle = parameter.swizzle;
    for (uint32_t dim = 0; dim < spec.rank; ++dim) {
      spec.sizes[dim] = values[parameter.sizes[dim]];
      spec.box[dim] = parameter.box[dim];
      if (__builtin_mul_overflow(values[parameter.strides[dim]], int64_t(spec.elementBytes),
                                 &spec.strides[dim]))
        return makeError(ErrorCode::IntegerOverflow, "kernel '", prepared.config.kernelName,
                         "': expected a stride of a tensor map that fits 64 bits");
    }
    if (Status status = device.makeTensorMap(spec, map.name.c_str(), map.map); !status)
      return status;
    map.address = spec.address;
  }
  return {};
}

Status Execution::execute(const Launch &op) {
  PreparedInstruction &prepared = state->instructions[position];
  if (!prepared.isPrepared)
    if (Status status = prepareLaunch(op, prepared); !status)
      return status;
  LaunchConfig &config = prepared.config;
  // The first launch of a chain begins after what precedes it in the stream. Without it, the next
  // one does.
  if (!op.dependent)
    hasChain = false;
  if (!hasBlocks(config))
    return {};
  config.dependent = op.dependent && hasChain;
  hasChain = true;
  uint32_t stream = getStreamNumber();
  if (op.stream != kNoExpr) {
    int64_t index = values[op.stream], size = static_cast<int64_t>(loopStreams.size());
    stream = loopStreams[static_cast<size_t>((index % size + size) % size)];
  }
  config.stream = callStreams ? callStreams->get(stream) : callStream;
  for (uint32_t parameter : plan.launches[position].scalars) {
    const ScalarValue &scalar = arguments[op.parameters[parameter].argument].scalar;
    prepared.parameters[parameter] = {scalar.bytes, byteSize(scalar.dtype)};
  }
  if (Status status = prepareTensorMaps(op, prepared); !status)
    return status;
  if (plan.checksAccesses) {
    bindRanges(op);
    config.ranges = state->ranges;
    if (callStreams)
      if (Status status = callStreams->access(stream, config.kernelName, state->ranges); !status)
        return status;
  }
  return device.launch(*plan.kernels[op.kernel], config, prepared.parameters);
}

} // namespace fuser::runtime
