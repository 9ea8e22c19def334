//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-merge-launches: launches that segmentation batched become one.
//
//===----------------------------------------------------------------------===//

#include "PartsKernel.h"
#include "fuser/Analysis/HostDependences.h"
#include "fuser/Dialect/IR/DependentLaunches.h"
#include "fuser/Lowering/Passes.h"
#include "fuser/Scheduling/LaunchStreams.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <queue>

namespace fuser {
#define GEN_PASS_DEF_FUSERMERGELAUNCHES
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {

using Batch = SmallVector<LaunchPart>;

class LaunchMerger {
public:
  LaunchMerger(HostOp host, SymbolTable &symbols)
      : host(host), body(host.getBody().front()), symbols(symbols), dependences(body) {}

  /// Returns the number of batches.
  unsigned run();
  unsigned getNumLaunches() const { return numLaunches; }

private:
  void collectBatches();
  void moveTogether();
  void merge(Batch &batch);

  HostOp host;
  Block &body;
  SymbolTable &symbols;
  HostDependences dependences;
  SmallVector<Batch> batches;
  llvm::DenseMap<Operation *, unsigned> batchOf;
  llvm::SetVector<Operation *> replaced;
  unsigned numLaunches = 0;
};

} // namespace

/// A batch is a hint: launches that cannot be merged stay as they are.
void LaunchMerger::collectBatches() {
  std::map<int64_t, Batch> byNumber;
  for (LaunchOp launch : body.getOps<LaunchOp>()) {
    auto number = launch->getAttrOfType<IntegerAttr>(kLaunchBatchAttrName);
    auto kernel =
        number && !launch.getStream()
            ? SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernel())
            : gpu::GPUFuncOp();
    // Export has the diagnostic for a binding without an operand.
    if (!kernel || !findMergeObstacle(kernel).empty() || !bindsOperandsOf(launch, kernel))
      continue;
    Batch &batch = byNumber[number.getInt()];
    if (batch.empty() ||
        (canShareLaunch(batch.front().kernel, kernel) &&
         dependences.getDepth(batch.front().launch) == dependences.getDepth(launch)))
      batch.push_back({launch, kernel});
  }
  for (auto &[number, batch] : byNumber) {
    if (batch.size() < 2)
      continue;
    for (const LaunchPart &part : batch)
      batchOf[part.launch] = batches.size();
    batches.push_back(std::move(batch));
  }
}

/// Orders the ops of the host function so that the launches of each batch are adjacent. All of them
/// have the same depth, so that the batches depend on each other in one direction. Other ops stay
/// in their order as far as dependences allow it.
void LaunchMerger::moveTogether() {
  // A node is an op, or all launches of a batch.
  SmallVector<SmallVector<Operation *>> nodes;
  llvm::DenseMap<Operation *, unsigned> nodeOf;
  SmallVector<std::optional<unsigned>> nodeOfBatch(batches.size());
  for (Operation &op : body.without_terminator()) {
    auto batch = batchOf.find(&op);
    std::optional<unsigned> known =
        batch == batchOf.end() ? std::nullopt : nodeOfBatch[batch->second];
    unsigned node = known.value_or(nodes.size());
    if (!known)
      nodes.emplace_back();
    if (batch != batchOf.end())
      nodeOfBatch[batch->second] = node;
    nodes[node].push_back(&op);
    nodeOf[&op] = node;
  }
  SmallVector<SmallVector<unsigned>> successors(nodes.size());
  SmallVector<unsigned> waitsFor(nodes.size(), 0);
  auto addEdge = [&](Operation *from, Operation *to) {
    auto producer = nodeOf.find(from);
    unsigned consumer = nodeOf.lookup(to);
    if (producer == nodeOf.end() || producer->second == consumer)
      return;
    successors[producer->second].push_back(consumer);
    ++waitsFor[consumer];
  };
  for (Operation &op : body.without_terminator()) {
    for (Operation *predecessor : dependences.getPredecessors(&op))
      addEdge(predecessor, &op);
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          addEdge(producer, &op);
    });
  }
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned node = 0; node < nodes.size(); ++node)
    if (waitsFor[node] == 0)
      ready.push(node);
  while (!ready.empty()) {
    unsigned node = ready.top();
    ready.pop();
    for (Operation *op : nodes[node])
      op->moveBefore(body.getTerminator());
    for (unsigned successor : successors[node])
      if (--waitsFor[successor] == 0)
        ready.push(successor);
  }
}

void LaunchMerger::merge(Batch &batch) {
  std::string name = (host.getSymName() + "_batch").str();
  OpBuilder builder(host);
  gpu::GPUModuleOp kernel = buildPartsKernel(batch, name, builder);
  // Makes the name unique.
  StringAttr unique = symbols.insert(kernel);
  for (auto function : kernel.getOps<gpu::GPUFuncOp>())
    SymbolTable::setSymbolName(function, unique);
  SmallVector<Value> inputs, outputs;
  for (const LaunchPart &part : batch) {
    llvm::append_range(inputs, LaunchOp(part.launch).getInputs());
    llvm::append_range(outputs, LaunchOp(part.launch).getOutputs());
    replaced.insert(part.kernel->getParentOp());
  }
  // They are adjacent, but in another order than in the batch.
  LaunchOp last = batch.front().launch;
  for (const LaunchPart &part : batch)
    if (last->isBeforeInBlock(part.launch))
      last = part.launch;
  builder.setInsertionPoint(last);
  auto merged =
      LaunchOp::create(builder, batch.front().launch.getLoc(), ValueRange(outputs).getTypes(),
                       SymbolRefAttr::get(unique, {FlatSymbolRefAttr::get(unique)}), inputs,
                       outputs, /*stream=*/Value());
  // A batch is on one stream.
  if (Attribute stream = batch.front().launch->getAttr(kLaunchStreamAttrName))
    merged->setAttr(kLaunchStreamAttrName, stream);
  for (const LaunchPart &part : batch)
    if (Attribute dependent = LaunchOp(part.launch)->getAttr(kDependentName))
      merged->setDiscardableAttr(kDependentName, dependent);
  auto result = merged.getResults().begin();
  for (LaunchPart &part : batch) {
    for (Value old : part.launch.getResults())
      old.replaceAllUsesWith(*result++);
    part.launch.erase();
  }
  numLaunches += batch.size();
}

unsigned LaunchMerger::run() {
  collectBatches();
  if (batches.empty())
    return 0;
  moveTogether();
  for (Batch &batch : batches)
    merge(batch);
  // Kernels that nothing launches any longer.
  llvm::DenseSet<StringAttr> launched;
  host->getParentOp()->walk(
      [&](LaunchOp launch) { launched.insert(launch.getKernel().getRootReference()); });
  for (Operation *kernel : replaced)
    if (!launched.contains(SymbolTable::getSymbolName(kernel)))
      symbols.erase(kernel);
  return batches.size();
}

namespace {
struct MergeLaunches : fuser::impl::FuserMergeLaunchesBase<MergeLaunches> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (HostOp host : getOperation().getOps<HostOp>()) {
      LaunchMerger merger(host, symbols);
      numBatches += merger.run();
      numLaunches += merger.getNumLaunches();
    }
  }
};
} // namespace
