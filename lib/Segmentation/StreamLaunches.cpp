//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StreamLaunches.h"
#include "fuser/Analysis/HostDependences.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

/// The share of the time that several streams must save: about the error of the prediction.
constexpr double kLeastShare = 0.05;
/// Prediction takes time that is cubic in the number of launches.
constexpr size_t kMostLaunches = 128;

namespace {

/// The launches of a host function as tasks: those of a batch are one.
class TaskCollector {
public:
  TaskCollector(HostOp host, SymbolTable &symbols,
                const llvm::DenseMap<StringAttr, KernelEstimate> &estimates,
                const artifact::DeviceDescription &device, bool force)
      : body(host.getBody().front()), symbols(symbols), estimates(estimates), device(device),
        force(force) {}

  /// False if nothing is predicted of a launch, or something else takes time.
  bool collect();
  ArrayRef<StreamTask> getTasks() const { return tasks; }
  ArrayRef<SmallVector<LaunchOp>> getLaunches() const { return launches; }

private:
  bool addLaunch(LaunchOp launch);
  void addDependences();

  Block &body;
  SymbolTable &symbols;
  const llvm::DenseMap<StringAttr, KernelEstimate> &estimates;
  const artifact::DeviceDescription &device;
  const bool force;
  SmallVector<StreamTask> tasks;
  SmallVector<SmallVector<LaunchOp>> launches;
  llvm::DenseMap<int64_t, unsigned> taskOfBatch;
  llvm::DenseMap<Operation *, unsigned> taskOf;
};

} // namespace

bool TaskCollector::addLaunch(LaunchOp launch) {
  auto kernel = symbols.lookup<KernelOp>(launch.getKernel().getRootReference());
  auto estimate = kernel ? estimates.find(kernel.getSymNameAttr()) : estimates.end();
  if (launch.getStream() || (estimate == estimates.end() && !force))
    return false;
  const KernelEstimate known = estimate == estimates.end() ? KernelEstimate() : estimate->second;
  unsigned number = tasks.size();
  if (auto batch = launch->getAttrOfType<IntegerAttr>(kLaunchBatchAttrName))
    number = taskOfBatch.try_emplace(batch.getInt(), number).first->second;
  if (number == tasks.size()) {
    tasks.emplace_back();
    launches.emplace_back();
    tasks.back().share = 0;
  }
  launches[number].push_back(launch);
  taskOf[launch] = number;
  const double share = getDeviceShare(known, device);
  StreamTask &task = tasks[number];
  // The parts of a batch are blocks of one grid.
  const double occupied = task.share * task.microseconds + share * known.microseconds;
  task.share = std::min(1.0, task.share + share);
  task.microseconds = std::max({task.microseconds, known.microseconds, occupied});
  return true;
}

/// The launches of a batch have no dependences between them; those of the batch are those of all.
/// Tasks are numbered by their first launch, so that a batch may depend on a later task: then there
/// is no order of the tasks, and nothing is predicted.
void TaskCollector::addDependences() {
  HostDependences dependences(body);
  // The tasks that each op depends on through ops that are no tasks.
  llvm::DenseMap<Operation *, llvm::SetVector<unsigned>> through;
  for (Operation &op : body) {
    auto task = taskOf.find(&op);
    llvm::SetVector<unsigned> found;
    for (Operation *predecessor : dependences.getPredecessors(&op)) {
      auto other = taskOf.find(predecessor);
      if (other != taskOf.end())
        found.insert(other->second);
      else if (auto it = through.find(predecessor); it != through.end())
        found.insert(it->second.begin(), it->second.end());
    }
    if (task == taskOf.end()) {
      through[&op] = std::move(found);
      continue;
    }
    for (unsigned other : found)
      if (other != task->second && !llvm::is_contained(tasks[task->second].predecessors, other))
        tasks[task->second].predecessors.push_back(other);
  }
}

bool TaskCollector::collect() {
  for (Operation &op : body) {
    if (isa<ForOp>(op) || (isa<LibraryCallOp>(op) && !force))
      return false;
    if (auto launch = dyn_cast<LaunchOp>(op); launch && !addLaunch(launch))
      return false;
  }
  if (tasks.size() < 2 || (tasks.size() > kMostLaunches && !force))
    return false;
  addDependences();
  return llvm::all_of(llvm::enumerate(tasks), [](auto each) {
    return llvm::all_of(each.value().predecessors,
                        [&](unsigned other) { return other < each.index(); });
  });
}

unsigned fuser::planLaunchStreams(HostOp host, SymbolTable &symbols,
                                  const llvm::DenseMap<StringAttr, KernelEstimate> &estimates,
                                  const artifact::DeviceDescription &device, bool force) {
  TaskCollector collector(host, symbols, estimates, device, force);
  if (!collector.collect())
    return 0;
  const StreamPlan plan = planStreams(collector.getTasks());
  if (!force && plan.together > (1 - kLeastShare) * plan.apart)
    return 0;
  Builder builder(host.getContext());
  unsigned numStreams = 0;
  for (auto [launches, slot] : llvm::zip_equal(collector.getLaunches(), plan.slots)) {
    numStreams = std::max(numStreams, slot.stream + 1);
    for (LaunchOp launch : launches) {
      launch->setAttr(kLaunchStreamAttrName, builder.getI64IntegerAttr(slot.stream));
      launch->setAttr(kLaunchIntervalAttrName,
                      builder.getDenseF64ArrayAttr({slot.start, slot.end}));
    }
  }
  return numStreams;
}
