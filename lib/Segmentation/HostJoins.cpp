//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Boxes that kernels write, from the domain mappings of the ops that join them.
//
//===----------------------------------------------------------------------===//

#include "HostJoins.h"
#include "SharedParts.h"
#include "Windows.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Dialect/IR/Updates.h"
#include "fuser/Scheduling/Passes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

/// A value that a kernel computes and that it can store at any address, or that a routine of a
/// library computes for this use only (see `fitsRoutine`). A permuted argument is a view wherever
/// it is read, but not where it is stored in another order.
static bool isPart(FusionOp fusion, Value value, const ExtentAnalysis &analysis) {
  Operation *op = value.getDefiningOp();
  // An update, and what it updates, have one buffer.
  if (!op || hasSchedule(op) || isa<UpdateOpInterface>(op) || getUpdateOf(value))
    return false;
  if (isa<LibraryOpInterface>(op))
    return value.hasOneUse();
  std::optional<HostView> view = getHostView(op, analysis);
  return !view || isa<PermuteOp>(op) || !isArgumentView(fusion, value, analysis);
}

/// The slice that computes the value, if a kernel stores it as a window of its operand. What may be
/// a join is stored by several kernels, and routines of a library write all of their results.
static SliceOp getWindow(FusionOp fusion, Value value, const ExtentAnalysis &analysis) {
  SliceOp slice = findWindow(value, analysis);
  if (!slice ||
      isa<CatOp, InsertSliceOp, LibraryOpInterface, PadOp, SliceOp>(
          slice.getInput().getDefiningOp()) ||
      !isPart(fusion, slice.getInput(), analysis))
    return {};
  return slice;
}

/// True if segmentation could not make the value a view of another one.
static bool isOwnPart(FusionOp fusion, Value value, const ExtentAnalysis &analysis) {
  std::optional<HostView> view = getHostView(value.getDefiningOp(), analysis);
  return value.hasOneUse() &&
         (!view || (view->isReshape() && !isArgumentView(fusion, value, analysis)));
}

/// The box of the result that an operand fills: its mapped dimensions, with a negated offset.
static std::optional<HostView> getBox(Operation *op, unsigned operandNumber,
                                      const ExtentAnalysis &analysis) {
  MLIRContext *context = op->getContext();
  Value operand = op->getOperand(operandNumber);
  HostView box;
  box.base = op->getResult(0);
  auto mapping = cast<DomainMappingOpInterface>(op);
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operandNumber))) {
    AffineExpr offset = getAffineConstantExpr(0, context);
    if (map.kind == DimMap::Kind::Resized) {
      std::optional<int64_t> constant = getConstantIntValue(map.offset);
      if (!constant || map.step != 1)
        return std::nullopt;
      offset = getAffineConstantExpr(-*constant, context);
      if (map.minus)
        offset =
            analysis.getScalar(map.minus) ? offset + analysis.getScalar(map.minus) : AffineExpr();
      for (auto [other, otherDim] : map.minusExtents) {
        AffineExpr extent = analysis.getExtent(op->getOperand(other), otherDim);
        offset = offset && extent ? offset + extent : AffineExpr();
      }
    } else if (map.kind != DimMap::Kind::Mapped) {
      return std::nullopt;
    }
    AffineExpr size = analysis.getExtent(operand, dim);
    if (map.id != dim || !offset || !size)
      return std::nullopt;
    // Only a pad may crop.
    if (isa<PadOp>(op) && map.kind == DimMap::Kind::Resized) {
      AffineExpr extent = analysis.getExtent(box.base, dim);
      if (!extent || analysis.getLowerBound(offset) < 0 ||
          analysis.getLowerBound(analysis.simplify(extent - offset - size)) < 0)
        return std::nullopt;
    }
    box.offsets.push_back(offset);
    box.sizes.push_back(size);
    box.steps.push_back(1);
    box.dims.push_back(dim);
  }
  return box;
}

SmallVector<unsigned, 1> fuser::getPositions(Value value) {
  SmallVector<unsigned, 1> positions;
  for (OpOperand &use : value.getUses())
    if (isa<ReturnOp>(use.getOwner()))
      positions.push_back(use.getOperandNumber());
  llvm::sort(positions);
  return positions;
}

/// The layout of the joined value if it has a separate buffer.
static LayoutAttr getLayout(FusionOp fusion, Value result, std::optional<unsigned> output) {
  LayoutInfo info(fusion);
  ValueOrder order = output ? info.getOutputOrder(*output) : info.getOrder(result);
  return LayoutAttr::get(fusion.getContext(), order.order, ArrayRef<int64_t>());
}

/// True if a kernel computes the value, or elements of it.
static bool hasKernel(Value value) {
  Operation *op = value.getDefiningOp();
  return !isa_and_nonnull<LibraryOpInterface>(op) &&
         (!isa_and_nonnull<CatOp>(op) || llvm::any_of(op->getOperands(), hasKernel));
}

/// True if the value can be stored with the layout: a routine of a library writes its results
/// densely, in its own order.
static bool fitsRoutine(Value value, LayoutAttr layout) {
  auto library = value.getDefiningOp<LibraryOpInterface>();
  if (!library)
    return true;
  SmallVector<int64_t> order = library.getResultOrder(cast<OpResult>(value).getResultNumber());
  if (order.empty())
    order = getRowMajorOrder(cast<RankedTensorType>(value.getType()).getRank());
  return layout.getStrided().empty() && layout.getOrder() == ArrayRef(order);
}

bool HostJoin::isContiguous() const {
  return llvm::all_of(parts,
                      [](const JoinPart &part) { return part.layout.layout.getStrided().empty(); });
}

bool fuser::areDisjoint(const HostView &a, const HostView &b, const ExtentAnalysis &analysis) {
  auto isBefore = [&](const HostView &first, const HostView &second, unsigned dim) {
    return analysis.getLowerBound(
               analysis.simplify(second.offsets[dim] - first.offsets[dim] - first.sizes[dim])) >= 0;
  };
  return llvm::any_of(llvm::seq<unsigned>(0, a.sizes.size()),
                      [&](unsigned dim) { return isBefore(a, b, dim) || isBefore(b, a, dim); });
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

namespace {

/// Finds the parts of one join.
class JoinBuilder {
public:
  JoinBuilder(FusionOp fusion, Operation *op, const ExtentAnalysis &analysis,
              const JoinDestination &destination)
      : fusion(fusion), analysis(analysis), join(create(op, destination)) {}

  std::optional<HostJoin> build();

private:
  static HostJoin create(Operation *op, const JoinDestination &destination) {
    return {op, op->getResult(0), destination, {op}, {}, {}, {}, {}, {}};
  }
  bool addDestination(InsertSliceOp insert);
  bool addOperands();
  bool addSlice(SliceOp slice);
  bool addPart(Operation *op, unsigned number);

  FusionOp fusion;
  const ExtentAnalysis &analysis;
  HostJoin join;
  std::optional<unsigned> alias;
  /// The layout of an argument that is the buffer of the result.
  LayoutAttr layout;
};

} // namespace

/// Adds operand `number` of a join, or of an insertion into its result, as a part; false if it
/// cannot be a part.
bool JoinBuilder::addPart(Operation *op, unsigned number) {
  Value value = op->getOperand(number);
  // A slice with other readers is a join of its own.
  SliceOp slice = value.hasOneUse() ? getWindow(fusion, value, analysis) : SliceOp();
  std::optional<HostView> box =
      slice || isPart(fusion, value, analysis) ? getBox(op, number, analysis) : std::nullopt;
  if (!box)
    return false;
  box->base = join.result;
  if (slice)
    join.absorbed.push_back(slice);
  join.parts.push_back({slice ? slice.getInput() : value, slice, std::move(*box), {}});
  return true;
}

/// The destination of an insertion: a fill, an earlier insertion for this use, a computed value (of
/// which other readers get a separate copy), or an argument.
bool JoinBuilder::addDestination(InsertSliceOp insert) {
  Value destination = insert.getDestination();
  if (auto argument = dyn_cast<BlockArgument>(destination)) {
    if (alias != argument.getArgNumber()) {
      join.copied = destination;
      return !alias && !isOverwritten(fusion, argument.getArgNumber());
    }
    join.into = destination;
    layout = fusion.getArgLayout(argument.getArgNumber());
    // There must be no other reader of the destination's previous contents.
    return destination.hasOneUse() && join.result.hasOneUse();
  }
  if (auto fill = destination.getDefiningOp<FullOp>()) {
    if (alias || hasSchedule(fill))
      return false;
    join.fill = fill.getValue();
    // It may be inserted into another value as well.
    if (llvm::all_of(fill->getUses(), [&](OpOperand &use) {
          auto user = dyn_cast<InsertSliceOp>(use.getOwner());
          return user && &use == &user.getDestinationMutable() &&
                 llvm::is_contained(join.absorbed, user);
        }))
      join.absorbed.push_back(fill);
    return true;
  }
  auto inner = destination.getDefiningOp<InsertSliceOp>();
  if (inner && destination.hasOneUse() && !hasSchedule(inner)) {
    join.absorbed.push_back(inner);
    if (addDestination(inner) && addPart(inner, 0))
      return true;
    join = create(join.op, join.destination);
    layout = {};
  }
  join.into = destination;
  return !alias && isPart(fusion, destination, analysis);
}

/// A slice is its only part.
bool JoinBuilder::addSlice(SliceOp slice) {
  if (getWindow(fusion, slice, analysis) != slice)
    return false;
  HostView box;
  box.base = join.result;
  box.sizes = analysis.getExtents(join.result);
  box.offsets.assign(box.sizes.size(), getAffineConstantExpr(0, slice.getContext()));
  box.steps.assign(box.sizes.size(), 1);
  llvm::append_range(box.dims, llvm::seq<int64_t>(0, box.sizes.size()));
  join.parts.push_back({slice.getInput(), slice, std::move(box), {}});
  return true;
}

bool JoinBuilder::addOperands() {
  if (auto insert = dyn_cast<InsertSliceOp>(join.op))
    return addDestination(insert) && addPart(insert, 0);
  if (alias)
    return false;
  if (auto slice = dyn_cast<SliceOp>(join.op))
    return addSlice(slice);
  if (auto pad = dyn_cast<PadOp>(join.op)) {
    join.fill = pad.getValue();
    return addPart(pad, 0);
  }
  return llvm::all_of(llvm::seq<unsigned>(0, join.op->getNumOperands()),
                      [&](unsigned number) { return addPart(join.op, number); });
}

std::optional<HostJoin> JoinBuilder::build() {
  const std::optional<unsigned> output = join.destination.position;
  alias = output ? LayoutInfo(fusion).getAlias(*output) : std::nullopt;
  if (!addOperands())
    return std::nullopt;
  if (join.destination.outer)
    join.lies = join.destination.lies;
  else
    join.lies = getRootLayout(join.result, layout ? layout : getLayout(fusion, join.result, output),
                              analysis, dyn_cast_if_present<BlockArgument>(join.into));
  // Only kernels store borders.
  if (join.fill &&
      llvm::none_of(join.parts, [](const JoinPart &part) { return hasKernel(part.value); }))
    return std::nullopt;
  for (JoinPart &part : join.parts) {
    part.layout = *getViewLayout(part.box, join.lies, analysis);
    if (part.slice)
      part.layout.layout = getWindowLayout(part.layout.layout);
    if (!fitsRoutine(part.value, part.layout.layout))
      return std::nullopt;
  }
  for (size_t number = 0; !isa<CatOp>(join.op) && number < join.parts.size(); ++number)
    for (size_t other = 0; other < number; ++other)
      join.mayOverlap |= !areDisjoint(join.parts[number].box, join.parts[other].box, analysis);
  return std::move(join);
}

std::optional<HostJoin> fuser::getHostJoin(FusionOp fusion, Operation *op,
                                           const ExtentAnalysis &analysis,
                                           const JoinDestination &destination) {
  if (!isa<CatOp, InsertSliceOp, PadOp, SliceOp>(op) || hasSchedule(op))
    return std::nullopt;
  return JoinBuilder(fusion, op, analysis, destination).build();
}

std::optional<HostJoin> fuser::getHostJoin(FusionOp fusion, Operation *op,
                                           const ExtentAnalysis &analysis) {
  JoinDestination destination;
  if (op->getNumResults() == 1)
    if (SmallVector<unsigned, 1> positions = getPositions(op->getResult(0)); !positions.empty())
      destination.position = positions.front();
  return getHostJoin(fusion, op, analysis, destination);
}

//===----------------------------------------------------------------------===//
// Joins that are outputs
//===----------------------------------------------------------------------===//

/// The ops that a value depends on.
static llvm::SmallPtrSet<Operation *, 16> getUpstream(Value value) {
  llvm::SmallPtrSet<Operation *, 16> upstream;
  SmallVector<Value> stack = {value};
  while (!stack.empty())
    if (Operation *op = stack.pop_back_val().getDefiningOp())
      if (isa<RankedTensorType>(op->getResult(0).getType()) && upstream.insert(op).second)
        llvm::append_range(stack, op->getOperands());
  return upstream;
}

/// True if the loops of the op have the dimensions of the operand.
static bool isReadWhole(Operation *op, Value operand) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.getRank() >= result.getRank();
}

bool fuser::isReadByOwnLoops(Value value) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Value operand = stack.pop_back_val();
    for (Operation *user : operand.getUsers()) {
      if (isa<ReturnOp, CatOp, InsertSliceOp, PadOp>(user) || user->getNumResults() == 0 ||
          !isa<RankedTensorType>(user->getResult(0).getType()) || !isReadWhole(user, operand) ||
          !seen.insert(user).second)
        continue;
      if (hasOwnLoops(user))
        return true;
      llvm::append_range(stack, user->getResults());
    }
  }
  return false;
}

namespace {

/// Which ops are connected with one that has loops of its own.
class OwnLoops {
public:
  /// `isJoin` is true for ops that connect nothing.
  OwnLoops(FusionOp fusion, function_ref<bool(Operation *)> isJoin);
  bool isUpstreamOf(Value value) const { return upstream.contains(value.getDefiningOp()); }
  bool isConnectedTo(Value value) const {
    auto number = numbers.find(value.getDefiningOp());
    return number != numbers.end() && connected.test(classes[number->second]);
  }

private:
  /// Ops that have or depend on loops of their own.
  llvm::DenseSet<Operation *> upstream;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::IntEqClasses classes;
  llvm::BitVector connected;
};

} // namespace

OwnLoops::OwnLoops(FusionOp fusion, function_ref<bool(Operation *)> isJoin) {
  SmallVector<Operation *> ops;
  for (Operation &op : fusion.getBody().front().without_terminator())
    if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>)) {
      numbers[&op] = ops.size();
      ops.push_back(&op);
    }
  classes.grow(ops.size());
  llvm::DenseMap<Value, unsigned> readers;
  for (auto [number, op] : llvm::enumerate(ops)) {
    bool isAfter = hasOwnLoops(op);
    for (Value operand : op->getOperands()) {
      // A kernel can compute all that is read at the indices of one argument.
      if (isa<BlockArgument>(operand) && !isJoin(op) && isReadWhole(op, operand))
        classes.join(number, readers.try_emplace(operand, number).first->second);
      Operation *producer = operand.getDefiningOp();
      isAfter |= upstream.contains(producer);
      auto other = numbers.find(producer);
      if (other != numbers.end() && !isJoin(op))
        classes.join(number, other->second);
    }
    if (isAfter)
      upstream.insert(op);
  }
  classes.compress();
  connected.resize(classes.getNumClasses());
  for (auto [number, op] : llvm::enumerate(ops))
    if (hasOwnLoops(op))
      connected.set(classes[number]);
}

/// True if the kernels of the parts are best without the join.
static bool isBestApart(const HostJoin &join, const OwnLoops &loops) {
  auto values = llvm::map_to_vector(join.parts, [](const JoinPart &part) { return part.value; });
  if (llvm::any_of(values, [&](Value value) { return loops.isUpstreamOf(value); }) ||
      (!join.into && (shareWork(values) || shareReads(values, [](Value) { return false; }))))
    return true;
  // What else the source of a padding is used for determines its loops.
  return join.fill && llvm::any_of(join.parts, [&](const JoinPart &part) {
           return loops.isConnectedTo(part.value);
         });
}

/// True if boxes do not overlap, or no op computes values of two of them, so that their kernels can
/// run in any order.
static bool canBeOrdered(const HostJoin &join) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  return !join.mayOverlap || llvm::all_of(join.parts, [&](const JoinPart &part) {
    return llvm::all_of(getUpstream(part.value),
                        [&](Operation *op) { return seen.insert(op).second; });
  });
}

/// True for a join that is best outside of kernels whatever computes its parts.
static bool isBlockwise(FusionOp fusion, const HostJoin &join, const ExtentAnalysis &analysis) {
  auto isOwn = [&](const JoinPart &part) { return isOwnPart(fusion, part.value, analysis); };
  if (join.fill || join.copied || !join.isContiguous() || !llvm::all_of(join.parts, isOwn))
    return false;
  if (!join.into || isa<BlockArgument>(join.into))
    return true;
  if (!isOwnPart(fusion, join.into, analysis))
    return false;
  auto first = getUpstream(join.into), second = getUpstream(join.parts.front().value);
  return llvm::none_of(second, [&](Operation *other) { return first.contains(other); });
}

/// True if the op returns the value, also after a reshape: the output is a view of it.
static bool isReturn(Operation *op) {
  if (!isa<ReshapeOp>(op) || hasSchedule(op))
    return isa<ReturnOp>(op);
  return op->hasOneUse() && isa<ReturnOp>(*op->user_begin());
}

SmallVector<Operation *> fuser::findJoinEnds(FusionOp fusion,
                                             function_ref<bool(Operation *)> isJoin) {
  llvm::SmallPtrSet<Operation *, 8> found;
  SmallVector<Operation *> ends;
  for (Operation &op : llvm::reverse(fusion.getBody().front().without_terminator()))
    if (isJoin(&op) && !op.use_empty() && llvm::all_of(op.getUsers(), [&](Operation *user) {
          return isReturn(user) || found.contains(user);
        })) {
      found.insert(&op);
      ends.push_back(&op);
    }
  return ends;
}

SmallVector<Operation *> fuser::findOutputJoins(FusionOp fusion, const ExtentAnalysis &analysis) {
  Block &body = fusion.getBody().front();
  const SmallVector<Operation *> ends = findJoinEnds(fusion, [&](Operation *op) {
    return isa<CatOp, InsertSliceOp, PadOp>(op) ||
           (isa<SliceOp>(op) && getWindow(fusion, op->getResult(0), analysis));
  });
  if (ends.empty())
    return {};
  const llvm::SmallPtrSet<Operation *, 8> all(ends.begin(), ends.end());
  const OwnLoops loops(fusion, [&](Operation *op) { return all.contains(op); });
  llvm::SmallPtrSet<Operation *, 8> found;
  for (Operation *op : ends) {
    if (found.contains(op) || !llvm::all_of(op->getUsers(), [&](Operation *user) {
          return isReturn(user) || found.contains(user);
        }))
      continue;
    std::optional<HostJoin> join = getHostJoin(fusion, op, analysis);
    if (join && canBeOrdered(*join) &&
        (isBlockwise(fusion, *join, analysis) || isBestApart(*join, loops)))
      found.insert(join->absorbed.begin(), join->absorbed.end());
  }
  SmallVector<Operation *> joins;
  for (Operation &op : body)
    if (found.contains(&op))
      joins.push_back(&op);
  return joins;
}
