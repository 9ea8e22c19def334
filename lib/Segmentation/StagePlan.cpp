//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StagePlan.h"
#include "fuser/Dialect/IR/Updates.h"

using namespace mlir;
using namespace fuser;

/// Bytes that divide the address of a buffer of its own.
static constexpr int64_t kAlignment = 16;

StagePlan::StagePlan(FusionOp fusion, const ExtentAnalysis &analysis, const Partition &partition,
                     KernelBuilder &kernels, ProgramOutputs &outputs)
    : fusion(fusion), analysis(analysis), partition(partition), outputs(outputs) {
  findViewOutputs();
  planJoins(kernels);
  planViews(kernels);
  planStages();
  placeUpdates(kernels);
  for (const Stage &stage : stages)
    for (Operation *op : stage.segment->ops)
      for (Value operand : op->getOperands()) {
        lastReaders[operand] = &stage;
        lastReaders[getOwner(operand)] = &stage;
      }
  placeAliases(kernels);
}

/// The result that is stored last in the buffer of a value.
static Value getLastUpdateOf(Value value) {
  while (Value update = getUpdateOf(value))
    value = update;
  return value;
}

const KernelOutput &StagePlan::getLastUpdate(const KernelOutput &output) const {
  const Value last = getLastUpdateOf(output.value);
  for (const Stage &stage : stages)
    for (const KernelOutput &other : stage.outputs)
      if (last != output.value && other.value == last)
        return other;
  return output;
}

const OutputView *StagePlan::findOutputView(Value root) const {
  auto view = llvm::find_if(outputViews, [&](const OutputView &view) { return view.root == root; });
  return view == outputViews.end() ? nullptr : &*view;
}

Value StagePlan::getOwner(Value value) const {
  for (auto base = viewBases.find(value); base != viewBases.end(); base = viewBases.find(value))
    value = base->second;
  if (Value update = getUpdateOf(value))
    return getOwner(update);
  if (const OutputView *view = findOutputView(value))
    return view->result;
  // A joined value that is only a part of others has no buffer either.
  if (const HostJoin *join = joinPlan.findJoinOf(value))
    return join->destination.outer ? getOwner(getJoins()[join->destination.outer->join].result)
                                   : value;
  if (readInPlace.contains(value))
    return getOwner(getJoins()[findJoins(value).front().join].result);
  return value;
}

void StagePlan::findViewOutputs() {
  viewOutputs.resize(outputs.size());
  for (size_t position = 0; position < outputs.size(); ++position)
    if (isArgumentViewOutput(fusion, position, analysis))
      viewOutputs.set(position);
}

/// True if nothing is written over the parts of a join.
static bool keepsParts(const JoinPlan &plan, const HostJoin &join) {
  const std::optional<PartOfJoin> &outer = join.destination.outer;
  return !join.mayOverlap && (!outer || (outer->part && keepsParts(plan, plan.joins[outer->join])));
}

void StagePlan::planJoins(KernelBuilder &kernels) {
  joinPlan = fuser::planJoins(fusion, analysis, partition.segments);
  for (const auto &[value, places] : joinPlan.getPlaces())
    if (places.front().part && !joinPlan.isJoined(value)) {
      // Its readers get no facts about its address.
      const HostJoin &join = getJoins()[places.front().join];
      const JoinPart &part = join.parts[*places.front().part];
      const ViewLayout &lies = part.layout;
      const int64_t bytes =
          getElementBytes(cast<RankedTensorType>(value.getType()).getElementType());
      if (!part.slice && keepsParts(joinPlan, join) && lies.layout.isRowMajorContiguous() &&
          kernels.getOrder(value).empty() && lies.offset &&
          analysis.getKnownDivisor(lies.offset * bytes) % kAlignment == 0)
        readInPlace.insert(value);
    }
  for (ProgramOutput &output : outputs)
    if (output.alias && joinPlan.isJoined(output.value))
      output.isWrittenInPlace = true;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

std::optional<OutputView> StagePlan::getOutputView(unsigned position, const ViewLayout &layout,
                                                   KernelBuilder &kernels) const {
  const ProgramOutput &output = outputs[position];
  OutputView view{output.value, output.value, position, {}, layout.layout};
  while (viewBases.contains(view.root)) {
    Operation *op = view.root.getDefiningOp();
    if (!isWholeView(op))
      return std::nullopt;
    view.chain.insert(view.chain.begin(), op);
    view.root = op->getOperand(0);
  }
  Operation *writer = view.root.getDefiningOp();
  bool isReturned =
      llvm::any_of(outputs, [&](const ProgramOutput &other) { return other.value == view.root; });
  auto isSame = [&](const ProgramOutput &other) { return other.value == output.value; };
  if (output.alias || isReturned || llvm::count_if(outputs, isSame) != 1 ||
      isa<LibraryOpInterface>(writer) || findOutputView(view.root) ||
      !findJoins(view.root).empty() || !layout.layout.getStrided().empty() ||
      !fitsOutput(fusion, position, layout.layout))
    return std::nullopt;
  // The kernel stores the value in its own order.
  ViewLayout lies = getRootLayout(output.value, layout.layout, analysis);
  for (Operation *op : llvm::reverse(view.chain)) {
    std::optional<ViewLayout> base =
        getViewLayout(getInverse(op, *getHostView(op, analysis), analysis), lies, analysis);
    if (!base)
      return std::nullopt;
    lies = *base;
  }
  if (lies.layout != kernels.getInputLayout(view.root).layout)
    return std::nullopt;
  return view;
}

bool StagePlan::viewSegment(const Segment &segment, KernelBuilder &kernels) {
  llvm::DenseMap<Value, ViewLayout> layouts;
  for (Operation *op : segment.ops) {
    std::optional<HostView> view = getHostView(op, analysis);
    if (!view || !view->base.getDefiningOp() || !findJoins(op->getResult(0)).empty())
      return false;
    auto inside = layouts.find(view->base);
    std::optional<ViewLayout> layout = getViewLayout(
        *view, inside == layouts.end() ? kernels.getInputLayout(view->base) : inside->second,
        analysis);
    if (!layout)
      return false;
    layouts.try_emplace(op->getResult(0), *layout);
    viewBases[op->getResult(0)] = view->base;
  }
  llvm::SmallPtrSet<Operation *, 4> own(segment.ops.begin(), segment.ops.end());
  SmallVector<OutputView> found;
  for (Operation *op : segment.ops) {
    Value value = op->getResult(0);
    const ViewLayout &layout = layouts.find(value)->second;
    // Kernels read it as if another kernel had stored it.
    bool isRead = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !own.contains(user) && !isa<ReturnOp>(user);
    });
    SmallVector<int64_t> order = kernels.getOrder(value);
    bool isPlain = layout.layout.getStrided().empty() &&
                   (order.empty() ? llvm::is_sorted(layout.layout.getOrder())
                                  : layout.layout.getOrder() == ArrayRef(order));
    if (isRead && !isPlain)
      return false;
    for (auto [position, output] : llvm::enumerate(outputs)) {
      if (output.value != value)
        continue;
      std::optional<OutputView> view = getOutputView(position, layout, kernels);
      if (!view ||
          llvm::any_of(found, [&](const OutputView &other) { return other.root == view->root; }))
        return false;
      found.push_back(std::move(*view));
    }
  }
  for (OutputView &view : found) {
    viewOutputs.set(view.position);
    outputViews.push_back(std::move(view));
  }
  return true;
}

/// Finds the segments that need no kernel because they are only views of values that earlier ones
/// store.
void StagePlan::planViews(KernelBuilder &kernels) {
  for (const Segment &segment : partition.segments) {
    auto isOfArgument = [&](Operation *op) {
      return isArgumentView(fusion, op->getResult(0), analysis);
    };
    if (!areReshapes(segment.ops) || !segment.recomputed.empty() ||
        llvm::any_of(segment.ops, isOfArgument))
      continue;
    if (!viewSegment(segment, kernels))
      for (Operation *op : segment.ops)
        viewBases.erase(op->getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// The value in each join that it is the base or a part of.
void StagePlan::addPartOutputs(Value value, SmallVectorImpl<KernelOutput> &written) const {
  for (const PartOfJoin &place : findJoins(value)) {
    const HostJoin &join = getJoins()[place.join];
    const JoinPart *part = place.part ? &join.parts[*place.part] : nullptr;
    written.push_back({value, std::nullopt, std::nullopt, part ? part->layout : join.lies,
                       place.join, place.part, part ? part->slice : SliceOp()});
  }
}

/// The outputs of a segment's kernel: returned values and values that a later stage reads.
SmallVector<KernelOutput>
StagePlan::getOutputs(const Segment &segment, const llvm::DenseSet<Value> &readLater,
                      const llvm::DenseMap<Value, SmallVector<unsigned, 1>> &positions) const {
  SmallVector<KernelOutput> written;
  if (joinPlan.isAbsorbed(segment))
    return written;
  llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
  for (Operation *op : segment.recomputed)
    own.erase(op);
  llvm::DenseSet<Value> returned;
  for (Operation *op : own)
    for (Value value : op->getResults())
      for (unsigned position : positions.lookup(value))
        if (outputs[position].isComputed() && !isViewOutput(position)) {
          written.push_back({value, position, std::nullopt});
          returned.insert(value);
        }
  llvm::sort(written, [](const KernelOutput &a, const KernelOutput &b) {
    return *a.position < *b.position;
  });
  for (Operation *op : segment.ops)
    for (Value value : op->getResults())
      if (own.contains(op) && readLater.contains(value) && !returned.contains(value) &&
          !viewBases.contains(value) && !isReadInPlace(value) &&
          !isArgumentView(fusion, value, analysis))
        written.push_back({value, std::nullopt, std::nullopt});
  for (Operation *op : segment.ops)
    if (own.contains(op))
      for (Value value : op->getResults())
        addPartOutputs(value, written);
  return written;
}

void StagePlan::planStages() {
  llvm::DenseSet<Value> readLater;
  llvm::DenseMap<Value, SmallVector<unsigned, 1>> positions;
  for (auto [position, output] : llvm::enumerate(outputs))
    positions[output.value].push_back(position);
  for (const Segment &segment : llvm::reverse(partition.segments)) {
    Stage stage{&segment,
                dyn_cast<LibraryOpInterface>(segment.ops.front()),
                getOutputs(segment, readLater, positions),
                {},
                /*keepsArguments=*/partition.segments.size() == 1 && viewOutputs.none()};
    llvm::SmallPtrSet<Operation *, 16> own(segment.ops.begin(), segment.ops.end());
    const bool isJoin = joinPlan.isAbsorbed(segment);
    for (Operation *op : segment.ops)
      for (Value operand : op->getOperands())
        if (!isJoin && !own.contains(operand.getDefiningOp()))
          readLater.insert(operand);
    if (!stage.outputs.empty() || stage.library)
      stages.push_back(std::move(stage));
  }
  std::reverse(stages.begin(), stages.end());
  planBorders();
}

/// The first kernel that writes to a joined value stores its border as well.
void StagePlan::planBorders() {
  llvm::DenseSet<unsigned> begun;
  auto isCovered = [&](const HostJoin &join, const JoinPart &part) {
    return llvm::all_of(llvm::enumerate(part.box.sizes), [&](auto each) {
      AffineExpr extent = analysis.getExtent(join.result, each.index());
      return extent && analysis.isProvablyEqual(extent, each.value());
    });
  };
  for (Stage &stage :
       llvm::make_filter_range(stages, [](const Stage &stage) { return !stage.library; }))
    for (const KernelOutput &output : stage.outputs)
      for (std::optional<unsigned> number = output.join; number && begun.insert(*number).second;) {
        const HostJoin &join = getJoins()[*number];
        auto covers = [&](const JoinPart &part) { return isCovered(join, part); };
        if (join.fill && llvm::none_of(join.parts, covers)) {
          KernelBorder border{join.result, *number, join.fill, {}, join.lies};
          for (const JoinPart &part : join.parts)
            border.boxes.push_back(part.box);
          stage.borders.push_back(std::move(border));
        }
        // The join may be a part itself.
        const std::optional<PartOfJoin> &outer = join.destination.outer;
        number = outer ? std::optional(outer->join) : std::nullopt;
      }
}

/// True if other kernels can read a value in the buffer of an argument: nothing else is in it, and
/// it has the layout and the alignment of a new buffer.
bool StagePlan::isLikeNewBuffer(BlockArgument argument, Value value, KernelBuilder &kernels) const {
  return argument.use_empty() && isLaidOutLikeNewBuffer(argument, value, kernels);
}

bool StagePlan::isLaidOutLikeNewBuffer(BlockArgument argument, Value value,
                                       KernelBuilder &kernels) const {
  if (kernels.getInputLayout(argument).layout != kernels.getInputLayout(value).layout)
    return false;
  auto facts = fusion->getAttrOfType<ArrayAttr>("facts");
  return !facts || llvm::none_of(facts.getAsRange<FactAttr>(), [&](FactAttr fact) {
    return fact.getKind() == FactKind::Aligned &&
           fact.getArg() == int64_t(argument.getArgNumber()) && fact.getValue() < kAlignment;
  });
}

/// True if readers get a value, or an update of it, as a view that was planned for the layout of a
/// new buffer.
bool StagePlan::isViewed(Value value) const {
  for (; value; value = getUpdateOf(value))
    if (findOutputView(value) ||
        llvm::any_of(viewBases, [&](const auto &view) { return view.second == value; }))
      return true;
  return false;
}

/// True if a stage only copies an argument that an output is stored in, that output is the last
/// update of the copy, and all other stages that read the argument run before the first update.
bool StagePlan::canUpdateArgument(const Stage &copy, Value last, KernelBuilder &kernels) const {
  Operation *op = copy.segment->ops.front();
  auto argument = dyn_cast<BlockArgument>(op->getOperand(0));
  const SmallVector<unsigned, 1> positions = getPositions(last);
  if (!argument || positions.size() != 1 ||
      outputs[positions.front()].alias != argument.getArgNumber() ||
      (isViewed(op->getResult(0)) && !isLaidOutLikeNewBuffer(argument, op->getResult(0), kernels)))
    return false;
  // An op may be computed again by the kernel of an update or by one after it.
  llvm::SmallPtrSet<Operation *, 16> before, after;
  Operation *first = getUpdateOf(op->getResult(0)).getDefiningOp();
  bool isBefore = true;
  for (const Stage &stage : stages) {
    isBefore &= !llvm::is_contained(stage.segment->ops, first);
    (isBefore ? before : after).insert(stage.segment->ops.begin(), stage.segment->ops.end());
  }
  return llvm::all_of(argument.getUsers(), [&](Operation *user) {
    const bool isTensor = user->getNumResults() > 0 && fuser::isTensor(user->getResult(0));
    return (before.contains(user) && !after.contains(user) &&
            !isArgumentView(fusion, user->getResult(0), analysis)) ||
           (!isTensor && !isa<ReturnOp>(user));
  });
}

/// An argument is updated where it is, without a copy, if nothing needs its previous value.
void StagePlan::placeUpdates(KernelBuilder &kernels) {
  for (auto stage = stages.begin(); stage != stages.end();) {
    Operation *op = stage->segment->ops.front();
    const bool isCopy = stage->segment->ops.size() == 1 && stage->outputs.size() == 1 &&
                        isa<SegmentSetOp>(op) && getUpdateOf(op->getResult(0));
    Value last = isCopy ? getLastUpdateOf(op->getResult(0)) : Value();
    if (!isCopy || !canUpdateArgument(*stage, last, kernels)) {
      ++stage;
      continue;
    }
    auto argument = cast<BlockArgument>(op->getOperand(0));
    for (Value value = op->getResult(0); value; value = getUpdateOf(value))
      kernels.placeIn(argument, value);
    updatedArguments.push_back({op->getResult(0), argument});
    outputs[getPositions(last).front()].isWrittenInPlace = true;
    stage = stages.erase(stage);
  }
}

/// A kernel writes into an argument's buffer if it is the last reader of the argument or there is
/// none, and if no other kernel reads the result and no mark separates them, or the argument is as
/// good as a new buffer.
void StagePlan::placeAliases(KernelBuilder &kernels) {
  bool isWhole = partition.segments.size() == 1;
  for (Stage &stage : stages)
    for (KernelOutput &output : stage.outputs) {
      if (stage.library || !output.position || !outputs[*output.position].alias ||
          getUpdatedValue(output.value))
        continue;
      BlockArgument argument =
          fusion.getBody().front().getArgument(*outputs[*output.position].alias);
      const Stage *last = getLastReader(output.value);
      bool isReadBetween = last && last != &stage;
      // The program may request a boundary between the computation of the output and its alias.
      bool isStaged = output.value.getDefiningOp<SegmentSetOp>() != nullptr;
      const Stage *lastOfArgument = getLastReader(argument);
      bool isReadElsewhere = lastOfArgument && lastOfArgument != &stage;
      if ((isStaged || (!isWhole && (isReadElsewhere || isReadBetween))) &&
          !isLikeNewBuffer(argument, output.value, kernels))
        continue;
      output.alias = outputs[*output.position].alias;
      outputs[*output.position].isWrittenInPlace = true;
    }
}

BuiltKernel fuser::buildKernel(const Stage &stage, KernelBuilder &kernels, StringRef name) {
  BuiltKernel built =
      kernels.build(stage.segment->ops, stage.outputs, name, stage.keepsArguments, stage.borders);
  if (const Scheduler *only = stage.segment->only)
    built.kernel->setAttr(FuserSchedDialect::kOnly,
                          StringAttr::get(built.kernel.getContext(), only->getName()));
  return built;
}
