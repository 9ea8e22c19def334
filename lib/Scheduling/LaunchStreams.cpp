//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/LaunchStreams.h"

#include <algorithm>
#include <limits>

using namespace fuser;

double fuser::getDeviceShare(const KernelEstimate &launch,
                             const artifact::DeviceDescription &device) {
  if (launch.use.blocks <= 0 || launch.microseconds <= 0)
    return 1;
  const Roofs roofs = getRoofs(device);
  const double seconds = launch.microseconds * 1e-6;
  const double slots = double(std::max<int64_t>(device.multiprocessors, 1)) *
                       double(getResidentBlocks(launch.use, device));
  const double bytes = launch.work.bytesRead + launch.work.bytesWritten + launch.work.bytesWasted;
  return std::min(
      1.0, std::max({double(launch.use.blocks) / slots, bytes / (roofs.bytesPerSecond * seconds),
                     launch.work.operations / (roofs.operationsPerSecond * seconds)}));
}

/// The stream of each task.
static llvm::SmallVector<unsigned> chooseStreams(llvm::ArrayRef<StreamTask> tasks) {
  llvm::SmallVector<unsigned> streams;
  // The last task and the sum of times of each stream.
  llvm::SmallVector<unsigned> last;
  llvm::SmallVector<double> total;
  for (auto [number, task] : llvm::enumerate(tasks)) {
    // Of the predecessors that end a stream, the latest one.
    unsigned stream = ~0u;
    for (unsigned predecessor : task.predecessors)
      if (last[streams[predecessor]] == predecessor &&
          (stream == ~0u || last[stream] < predecessor))
        stream = streams[predecessor];
    if (stream == ~0u && last.size() < kMostStreams) {
      stream = last.size();
      last.push_back(0);
      total.push_back(0);
    } else if (stream == ~0u) {
      stream = std::min_element(total.begin(), total.end()) - total.begin();
    }
    last[stream] = number;
    total[stream] += task.microseconds + kGapMicroseconds;
    streams.push_back(stream);
  }
  return streams;
}

namespace {

/// Executes the tasks of a plan, which share the device.
class StreamSimulation {
public:
  StreamSimulation(llvm::ArrayRef<StreamTask> tasks, StreamPlan &plan)
      : tasks(tasks), plan(plan), remaining(tasks.size()), state(tasks.size(), State::Waiting) {}

  void run();

private:
  enum class State { Waiting, Running, Done };
  bool isReady(unsigned number) const;
  void start(unsigned number);

  llvm::ArrayRef<StreamTask> tasks;
  StreamPlan &plan;
  /// Microseconds alone that are left of each task.
  llvm::SmallVector<double> remaining;
  llvm::SmallVector<State> state;
  double now = 0;
};

} // namespace

/// A task waits for its predecessors and for all earlier tasks of its stream.
bool StreamSimulation::isReady(unsigned number) const {
  auto isDone = [&](unsigned other) { return state[other] == State::Done; };
  return llvm::all_of(tasks[number].predecessors, isDone) &&
         llvm::all_of(llvm::seq<unsigned>(0, number), [&](unsigned other) {
           return plan.slots[other].stream != plan.slots[number].stream || isDone(other);
         });
}

void StreamSimulation::start(unsigned number) {
  state[number] = State::Running;
  plan.slots[number].start = now;
  const unsigned stream = plan.slots[number].stream;
  const bool waits = llvm::any_of(tasks[number].predecessors, [&](unsigned other) {
    return plan.slots[other].stream != stream;
  });
  const bool begins =
      stream != 0 && llvm::none_of(llvm::seq<unsigned>(0, number), [&](unsigned other) {
        return plan.slots[other].stream == stream;
      });
  remaining[number] =
      tasks[number].microseconds + kGapMicroseconds + (waits || begins ? kEventMicroseconds : 0);
}

void StreamSimulation::run() {
  for (size_t numDone = 0; numDone < tasks.size();) {
    double load = 0;
    for (unsigned number = 0; number < tasks.size(); ++number) {
      if (state[number] == State::Waiting && isReady(number))
        start(number);
      if (state[number] == State::Running)
        load += tasks[number].share;
    }
    const double slowdown = std::max(load, 1.0);
    double step = std::numeric_limits<double>::infinity();
    for (unsigned number = 0; number < tasks.size(); ++number)
      if (state[number] == State::Running)
        step = std::min(step, remaining[number]);
    now += step * slowdown;
    for (unsigned number = 0; number < tasks.size(); ++number) {
      if (state[number] != State::Running)
        continue;
      remaining[number] -= step;
      if (remaining[number] > 1e-9)
        continue;
      state[number] = State::Done;
      plan.slots[number].end = now;
      ++numDone;
    }
  }
}

StreamPlan fuser::planStreams(llvm::ArrayRef<StreamTask> tasks) {
  StreamPlan plan;
  unsigned numStreams = 0;
  for (unsigned stream : chooseStreams(tasks)) {
    plan.slots.push_back({stream, 0, 0});
    numStreams = std::max(numStreams, stream + 1);
  }
  StreamSimulation(tasks, plan).run();
  // The stream of the call waits for the others.
  plan.together = numStreams > 1 ? kEventMicroseconds : 0;
  double end = 0;
  for (auto [task, slot] : llvm::zip_equal(tasks, plan.slots)) {
    plan.apart += task.microseconds + kGapMicroseconds;
    end = std::max(end, slot.end);
  }
  plan.together += end;
  return plan;
}
