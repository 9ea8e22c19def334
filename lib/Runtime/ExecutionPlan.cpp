//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExecutionPlan.h"

#include "fuser/Threads/ParallelFor.h"
#include <algorithm>
#include <mutex>

namespace fuser::runtime {
namespace {

using namespace artifact;

/// Calls `fn` with every expression of an instruction, and optionally with those of boxes.
template <typename Fn> void forEachExpr(const Instruction &instruction, bool withBoxes, Fn fn) {
  auto all = [&](const std::vector<ExprId> &ids) {
    for (ExprId id : ids)
      fn(id);
  };
  if (const auto *alloc = std::get_if<Alloc>(&instruction)) {
    all(alloc->sizes);
    all(alloc->strides);
  } else if (const auto *view = std::get_if<View>(&instruction)) {
    fn(view->offset);
    all(view->sizes);
    all(view->strides);
  } else if (const auto *loop = std::get_if<ForBegin>(&instruction)) {
    fn(loop->count);
  } else if (const auto *launch = std::get_if<Launch>(&instruction)) {
    for (const Parameter &parameter : launch->parameters)
      if (parameter.kind == Parameter::Kind::Integer) {
        fn(parameter.expr);
      } else if (parameter.kind == Parameter::Kind::TensorMap) {
        all(parameter.sizes);
        all(parameter.strides);
      }
    for (unsigned i = 0; i < 3; ++i) {
      fn(launch->grid[i]);
      fn(launch->block[i]);
      fn(launch->cluster[i]);
    }
    fn(launch->dynamicSharedBytes);
    if (launch->stream != kNoExpr)
      fn(launch->stream);
    if (withBoxes)
      for (const Box &box : launch->boxes) {
        all(box.offsets);
        all(box.sizes);
        fn(box.byteBegin);
        fn(box.byteEnd);
      }
  }
}

/// Collects the transitive operands of some roots, operands before users, each once over all calls.
class NodeCollector {
public:
  /// `depths`: the number of loops around each loop.
  NodeCollector(const ExprPool &pool, const std::vector<uint32_t> &depths)
      : pool(pool), depths(depths), state(pool.size(), kUnseen) {}

  void need(ExprId root) {
    if (state[root] == kUnseen)
      state[root] = kWanted;
  }

  /// The nodes requested since the last call that are neither constant nor dependent on a loop.
  /// Nodes that depend on a loop are added to the list of the innermost one.
  std::vector<ExprId> take(std::vector<std::vector<ExprId>> &loopNodes) {
    const std::vector<ExprNode> &nodes = pool.nodes();
    // Operands have smaller numbers, so that one downward pass marks all of them.
    for (size_t id = nodes.size(); id > 0; --id) {
      const ExprNode &node = nodes[id - 1];
      const ExprId operands[] = {node.a, node.b, node.c};
      if (state[id - 1] == kWanted)
        for (unsigned i = 0; i < numOperands(node.kind); ++i)
          need(operands[i]);
    }
    std::vector<ExprId> result;
    std::vector<uint32_t> loopOf(nodes.size(), kNone);
    for (ExprId id = 0; id < nodes.size(); ++id) {
      const ExprNode &node = nodes[id];
      if (node.kind == ExprKind::LoopIndex)
        loopOf[id] = node.a;
      const ExprId operands[] = {node.a, node.b, node.c};
      for (unsigned i = 0; i < numOperands(node.kind); ++i)
        if (const uint32_t loop = loopOf[operands[i]];
            loop != kNone && (loopOf[id] == kNone || depths[loop] > depths[loopOf[id]]))
          loopOf[id] = loop;
      if (state[id] != kWanted)
        continue;
      state[id] = kTaken;
      if (loopOf[id] != kNone)
        loopNodes[loopOf[id]].push_back(id);
      else if (node.kind != ExprKind::Constant)
        result.push_back(id);
    }
    return result;
  }

private:
  enum State : uint8_t { kUnseen, kWanted, kTaken };
  const ExprPool &pool;
  const std::vector<uint32_t> &depths;
  std::vector<State> state;
};

} // namespace

StreamPool::~StreamPool() {
  for (Stream stream : streams)
    (void)device.destroyStream(stream).ok();
}

Expected<std::vector<Stream>> StreamPool::get(size_t count) {
  std::lock_guard<std::mutex> lock(mutex);
  while (streams.size() < count) {
    Expected<Stream> stream = device.createStream();
    if (!stream)
      return stream.takeError();
    streams.push_back(*stream);
  }
  return std::vector<Stream>(streams.begin(), streams.begin() + count);
}

Expected<std::unique_ptr<ExecutionPlan>> ExecutionPlan::create(Artifact artifact,
                                                               std::shared_ptr<Device> device,
                                                               ExecutableOptions options) {
  if (Status status = validate(artifact); !status)
    return status.takeError();
  std::unique_ptr<ExecutionPlan> plan(new ExecutionPlan());
  plan->artifact = std::move(artifact);
  plan->device = std::move(device);
  plan->deviceId = idOf(*plan->device);
  plan->options = std::move(options);
  plan->options.onlyFor.reset();
  plan->argumentNames = artifact::argumentNames(plan->artifact);
  plan->numPassed = artifact::numPassedArguments(plan->artifact);
  plan->streams = std::make_unique<StreamPool>(*plan->device);
  plan->events = std::make_unique<EventPool>(*plan->device);
  plan->planArguments();
  plan->planBuffers();
  plan->planLaunches();
  plan->planLoops();
  plan->planExpressions();
  if (Status status = plan->bindRoutines(); !status)
    return status.takeError();
  return plan;
}

Expected<std::shared_ptr<LoadedKernel>> ExecutionPlan::loadKernel(const Kernel &kernel) {
  if (options.interrupt && __atomic_load_n(options.interrupt, __ATOMIC_RELAXED) != 0)
    return makeError(ErrorCode::Interrupted, "expected to load kernels, but was interrupted");
  bool hostCode = kernel.format == KernelFormat::HostObject;
  if (hostCode != (deviceId.kind == DeviceKind::Host))
    return makeError(ErrorCode::DeviceUnavailable, "kernel '", kernel.name,
                     "': expected code for device ", toString(deviceId), ", but got ",
                     artifact::toString(kernel.format), " for ", kernel.chip);
  return options.kernels ? options.kernels->get(kernel) : device->loadKernel(kernel);
}

Status ExecutionPlan::loadKernels() {
  const size_t count = artifact.kernels.size();
  // A thread pays off for assembly only: other code is loaded in less time than it takes to start.
  const bool assembles =
      std::any_of(artifact.kernels.begin(), artifact.kernels.end(),
                  [](const Kernel &kernel) { return kernel.format == KernelFormat::PTX; });
  std::vector<Status> failures(count);
  kernels.resize(count);
  std::mutex mutex;
  size_t loadedKernels = 0;
  parallelFor(assembles ? options.threads : 1, count, [&](size_t number) {
    Expected<std::shared_ptr<LoadedKernel>> loaded = loadKernel(artifact.kernels[number]);
    if (!loaded) {
      failures[number] = loaded.takeError();
      return false;
    }
    kernels[number] = loaded.take();
    std::lock_guard<std::mutex> lock(mutex);
    ++loadedKernels;
    if (options.onProgress)
      options.onProgress(loadedKernels, count);
    return true;
  });
  options.interrupt = nullptr;
  options.onProgress = nullptr;
  for (Status &failure : failures)
    if (!failure)
      return std::move(failure);
  return {};
}

Status ExecutionPlan::bindRoutines() {
  for (const Instruction &instruction : artifact.program.instructions) {
    routines.push_back(nullptr);
    const auto *call = std::get_if<LibraryCall>(&instruction);
    if (!call)
      continue;
    auto found = options.libraries.find(call->name);
    if (found == options.libraries.end())
      return makeError(ErrorCode::Unsupported, "expected a library routine named '", call->name,
                       "', but none is registered");
    routines.back() = &found->second;
  }
  return {};
}

Status ExecutionPlan::uploadConstants() {
  for (Constant &constant : artifact.constants) {
    Expected<Tensor> tensor = allocateTensor(device, constant.dtype, constant.sizes);
    if (!tensor)
      return tensor.takeError();
    constantTensors.push_back(tensor.take());
    if (!constant.bytes.empty())
      if (Status status = device->copyToDevice(constantTensors.back().data, constant.bytes.data(),
                                               constant.bytes.size(), nullptr);
          !status)
        return status;
  }
  // Later calls may use any stream.
  return constantTensors.empty() ? Status() : device->synchronize(nullptr);
}

void ExecutionPlan::planExpressions() {
  const std::vector<ExprNode> &nodes = artifact.exprs.nodes();
  constants.assign(nodes.size(), 0);
  // The pool may contain the index of a loop that no instruction opens.
  size_t numLoops = loops.size();
  for (size_t id = 0; id < nodes.size(); ++id) {
    if (nodes[id].kind == ExprKind::Constant)
      constants[id] = nodes[id].value;
    if (nodes[id].kind == ExprKind::LoopIndex)
      numLoops = std::max<size_t>(numLoops, nodes[id].a + 1);
    if (nodes[id].kind == ExprKind::Scalar || nodes[id].kind == ExprKind::Alignment)
      argumentChecks[nodes[id].a].isRead = true;
  }
  loopNodes.resize(numLoops);
  std::vector<uint32_t> depths(numLoops, 0);
  for (size_t loop = 0; loop < loops.size(); ++loop)
    depths[loop] = loops[loop].depth;

  NodeCollector collector(artifact.exprs, depths);
  for (const Guard &guard : artifact.guards) {
    collector.need(guard.lhs);
    collector.need(guard.rhs);
  }
  guardNodes = collector.take(loopNodes);
  checksAccesses = device->checksAccesses();
  for (const Instruction &instruction : artifact.program.instructions)
    forEachExpr(instruction, checksAccesses, [&](ExprId id) { collector.need(id); });
  for (const OutputSpec &output : artifact.outputs) {
    for (ExprId id : output.sizes)
      collector.need(id);
    for (ExprId id : output.strides)
      collector.need(id);
  }
  callNodes = collector.take(loopNodes);
}

void ExecutionPlan::planArguments() {
  for (const ArgumentSpec &spec : artifact.arguments) {
    ArgumentCheck &check = argumentChecks.emplace_back();
    check.isTensor = spec.isTensor;
    check.dtype = spec.dtype;
    check.rank = static_cast<uint32_t>(spec.sizes.size());
    check.alignmentMask = spec.alignment - 1;
    check.firstDim = static_cast<uint32_t>(dimChecks.size());
    for (size_t position = spec.order.size(); position > 0; --position) {
      uint32_t dim = spec.order[position - 1];
      dimChecks.push_back({dim, spec.contiguous[position - 1] != 0, spec.sizes[dim]});
    }
  }
  for (const OutputSpec &output : artifact.outputs) {
    if (output.aliasOfArgument == artifact::kNotAnArgument)
      hasOwnOutputs = true;
    else if (!output.isView)
      writtenArguments.push_back(output.aliasOfArgument);
  }
}

void ExecutionPlan::planBuffers() {
  const HostProgram &program = artifact.program;
  buffers.resize(program.buffers.size());
  for (BufferId id = 0; id < buffers.size(); ++id) {
    buffers[id].argument = program.buffers[id].argument;
    buffers[id].root = id;
    if (buffers[id].argument != kNone)
      argumentBuffers.push_back(id);
  }
  std::vector<bool> allocated(buffers.size(), false);
  for (const Instruction &instruction : program.instructions) {
    if (const auto *alloc = std::get_if<Alloc>(&instruction)) {
      buffers[alloc->buffer].sizes = &alloc->sizes;
      buffers[alloc->buffer].strides = &alloc->strides;
      allocated[alloc->buffer] = true;
      allocatedBuffers.push_back(alloc->buffer);
    } else if (const auto *view = std::get_if<View>(&instruction)) {
      buffers[view->buffer].sizes = &view->sizes;
      buffers[view->buffer].strides = &view->strides;
      buffers[view->buffer].root = buffers[view->base].root;
    } else if (const auto *result = std::get_if<Return>(&instruction)) {
      outputBuffers = result->values;
    }
  }
  std::vector<uint32_t> firstOfRoot(buffers.size(), kNone);
  for (uint32_t output = 0; output < outputBuffers.size(); ++output) {
    uint32_t &first = firstOfRoot[buffers[outputBuffers[output]].root];
    first = std::min(first, output);
    firstOutputs.push_back(first);
    sharesBuffer.push_back(first != output);
    sharesBuffer[first] = sharesBuffer[first] || first != output;
    BufferPlan &buffer = buffers[outputBuffers[output]];
    if (allocated[outputBuffers[output]] && buffer.output == kNone)
      buffer.output = output;
  }
}

void ExecutionPlan::planLoops() {
  const std::vector<Instruction> &instructions = artifact.program.instructions;
  std::vector<const ForBegin *> open;
  for (size_t i = 0; i < instructions.size(); ++i) {
    if (const auto *begin = std::get_if<ForBegin>(&instructions[i])) {
      if (begin->loop >= loops.size())
        loops.resize(begin->loop + 1);
      loops[begin->loop].depth = static_cast<uint32_t>(open.size());
      usesStreams |= begin->streams > 1;
      open.push_back(begin);
    } else if (std::holds_alternative<ForEnd>(instructions[i])) {
      const ForBegin &begin = *open.back();
      open.pop_back();
      LoopPlan &loop = loops[begin.loop];
      loop.end = i;
      if (!open.empty()) {
        uint32_t &outer = loops[open.back()->loop].streamsOfIteration;
        outer = std::max(outer, begin.streams * loop.streamsOfIteration);
      }
    }
  }
  usesStreams |= numStreams > 1;
}

void ExecutionPlan::planLaunches() {
  for (const Instruction &instruction : artifact.program.instructions) {
    LaunchPlan &plan = launches.emplace_back();
    if (const auto *selected = std::get_if<SelectStream>(&instruction))
      numStreams = std::max<size_t>(numStreams, selected->stream + 1);
    if (const auto *recorded = std::get_if<RecordEvent>(&instruction))
      numEvents = std::max<size_t>(numEvents, recorded->event + 1);
    const auto *launch = std::get_if<Launch>(&instruction);
    if (!launch)
      continue;
    for (uint32_t p = 0; p < launch->parameters.size(); ++p) {
      if (launch->parameters[p].kind == Parameter::Kind::Scalar)
        plan.scalars.push_back(p);
      const bool isMap = launch->parameters[p].kind == Parameter::Kind::TensorMap;
      if (isMap)
        plan.tensorMaps.push_back(p);
      for (uint32_t b = 0; b < launch->boxes.size(); ++b)
        if ((isMap || launch->parameters[p].kind == Parameter::Kind::Pointer) &&
            launch->parameters[p].buffer == launch->boxes[b].buffer)
          plan.ranges.push_back({p, b});
    }
  }
}

} // namespace fuser::runtime
