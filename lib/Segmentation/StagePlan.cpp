//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StagePlan.h"
#include "fuser/Analysis/LayoutInfo.h"

using namespace mlir;
using namespace fuser;

StagePlan::StagePlan(FusionOp fusion, const ExtentAnalysis &analysis, const Partition &partition,
                     KernelBuilder &kernels, ProgramOutputs &outputs)
    : fusion(fusion), analysis(analysis), partition(partition), outputs(outputs) {
  findViewOutputs(kernels);
  planJoins();
  planStages();
  for (const Stage &stage : stages)
    for (Operation *op : stage.segment->ops)
      for (Value operand : op->getOperands()) {
        lastReaders[operand] = &stage;
        lastReaders[getOwner(operand)] = &stage;
      }
  placeAliases();
}

std::optional<std::pair<unsigned, unsigned>> StagePlan::findJoin(Value value) const {
  auto part = joinOf.find(value);
  return part == joinOf.end() ? std::nullopt : std::optional(part->second);
}

Value StagePlan::getOwner(Value value) const {
  auto part = joinOf.find(value);
  return part == joinOf.end() ? value : joins[part->second.first].result;
}

bool StagePlan::isJoined(Value value) const {
  return llvm::any_of(joins, [&](const HostJoin &join) { return join.result == value; });
}

void StagePlan::findViewOutputs(KernelBuilder &kernels) {
  viewOutputs.resize(outputs.size());
  for (auto [position, output] : llvm::enumerate(outputs)) {
    if (!output.isComputed() || output.alias || !isArgumentView(fusion, output.value, analysis))
      continue;
    ValueOrder order = LayoutInfo(fusion).getOutputOrder(position);
    bool isBound = order.source == OrderSource::Requirement || order.source == OrderSource::Frozen;
    LayoutAttr layout = kernels.getInputLayout(output.value).layout;
    if (!isBound || (layout.getStrided().empty() && layout.getOrder() == ArrayRef(order.order)))
      viewOutputs.set(position);
  }
}

/// Finds the segments that only put together what earlier ones compute.
void StagePlan::planJoins() {
  llvm::DenseMap<Value, unsigned> writers;
  for (auto [number, segment] : llvm::enumerate(partition.segments))
    for (Operation *op : segment.ops)
      if (!llvm::is_contained(segment.recomputed, op))
        for (Value value : op->getResults())
          writers[value] = number;
  for (const Segment &segment : partition.segments) {
    if (segment.ops.size() != 1)
      continue;
    std::optional<HostJoin> join = getHostJoin(fusion, segment.ops.front(), analysis);
    // What is written into a computed value is written after it.
    auto isAfter = [&](const JoinPart &part) {
      auto writer = writers.find(part.value);
      auto into = join->into ? writers.find(join->into) : writers.end();
      // A part that is joined itself is no kernel's: it is copied to its place by one.
      return writer != writers.end() && !isJoined(part.value) &&
             (into == writers.end() || into->second < writer->second);
    };
    if (!join || !llvm::all_of(join->parts, isAfter))
      continue;
    for (auto [number, part] : llvm::enumerate(join->parts))
      joinOf[part.value] = {joins.size(), number};
    joins.push_back(std::move(*join));
  }
  for (ProgramOutput &output : outputs)
    if (output.alias && isJoined(output.value))
      output.isWrittenInPlace = true;
}

/// Where a value lies in the one that it is written into or that is written into it; none: alone.
std::optional<ViewLayout> StagePlan::getBox(Value value) const {
  for (const HostJoin &join : llvm::reverse(joins))
    if (join.into == value)
      return join.lies;
  if (auto part = findJoin(value))
    return joins[part->first].parts[part->second].layout;
  return std::nullopt;
}

/// What the kernel of a segment writes: what the program returns, and what a later stage reads.
SmallVector<KernelOutput> StagePlan::getOutputs(const Segment &segment,
                                                const llvm::DenseSet<Value> &readLater) const {
  SmallVector<KernelOutput> written;
  if (segment.ops.size() == 1 && isJoined(segment.ops.front()->getResult(0)))
    return written;
  llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
  for (Operation *op : segment.recomputed)
    own.erase(op);
  llvm::DenseSet<Value> returned;
  for (auto [position, output] : llvm::enumerate(outputs))
    if (output.isComputed() && own.contains(output.value.getDefiningOp()) &&
        !isViewOutput(position)) {
      written.push_back({output.value, unsigned(position), std::nullopt});
      returned.insert(output.value);
    }
  for (Operation *op : segment.ops)
    for (Value value : op->getResults())
      if (own.contains(op) && readLater.contains(value) && !returned.contains(value) &&
          !isArgumentView(fusion, value, analysis))
        written.push_back({value, std::nullopt, std::nullopt, getBox(value)});
  return written;
}

void StagePlan::planStages() {
  llvm::DenseSet<Value> readLater;
  for (const Segment &segment : llvm::reverse(partition.segments)) {
    Stage stage{&segment, dyn_cast<LibraryOpInterface>(segment.ops.front()),
                getOutputs(segment, readLater)};
    llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
    for (Operation *op : segment.ops)
      for (Value operand : op->getOperands())
        if (!own.contains(operand.getDefiningOp()))
          readLater.insert(operand);
    if (!stage.outputs.empty() || stage.library)
      stages.push_back(std::move(stage));
  }
  std::reverse(stages.begin(), stages.end());
}

/// A kernel writes into an argument's buffer where it is the last that reads the argument or nobody
/// does, where nobody reads the result as a value between kernels, and where no mark keeps them
/// apart.
void StagePlan::placeAliases() {
  bool isWhole = partition.segments.size() == 1;
  for (Stage &stage : stages)
    for (KernelOutput &output : stage.outputs) {
      if (stage.library || !output.position || !outputs[*output.position].alias)
        continue;
      Value argument = fusion.getArgument(*outputs[*output.position].alias);
      const Stage *last = getLastReader(output.value);
      bool isReadBetween = last && last != &stage;
      // The program may ask for a boundary between the computation of the output and its alias.
      bool isStaged = output.value.getDefiningOp<SegmentSetOp>() != nullptr;
      const Stage *lastOfArgument = getLastReader(argument);
      bool isReadElsewhere = lastOfArgument && lastOfArgument != &stage;
      if (isStaged || (!isWhole && (isReadElsewhere || isReadBetween)))
        continue;
      output.alias = outputs[*output.position].alias;
      outputs[*output.position].isWrittenInPlace = true;
    }
}
