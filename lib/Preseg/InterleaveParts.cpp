//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-interleave-parts.
//
//===----------------------------------------------------------------------===//

#include "PointwiseOps.h"
#include "fuser/Analysis/OrderInference.h"
#include "fuser/Dialect/IR/Origins.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERINTERLEAVEPARTS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// Bytes of a vector: runs of that length are stored as vectors, wherever they are.
static constexpr int64_t kVectorBytes = 16;
/// The ops of a part that all elements of the join may compute.
static constexpr size_t kMostCheapOps = 8;
/// The most parts: each is computed for all elements of a vector that does not have all of them.
static constexpr int64_t kMostParts = 8;
/// As many single elements are a row of whole vectors that one thread computes: 16 steps of
/// generalized advantages of 1000000x16 f32 take 295 us on one NVIDIA H200 as parts that are
/// joined.
static constexpr int64_t kPartsOfRow = 16;

/// True if a kernel that stores the value has other loops than those of its elements. Slices end
/// such a kernel: it stores the value that they read.
static bool isOfOwnLoops(Value value) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    if (!op || !isa<RankedTensorType>(op->getResult(0).getType()) || isa<SliceOp>(op) ||
        !seen.insert(op).second)
      continue;
    if (hasOwnLoops(op))
      return true;
    llvm::append_range(stack, op->getOperands());
  }
  return false;
}

/// Adds the arguments that the value is computed from, element by element, at no cost. False for
/// other values.
static bool findArguments(Value value, llvm::SmallPtrSetImpl<Value> &seen,
                          llvm::SmallPtrSetImpl<Value> &arguments) {
  if (!isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
    return true;
  if (isa<BlockArgument>(value)) {
    arguments.insert(value);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if ((!isPointwise(op) && !isa<BroadcastOp>(op)) || !op->hasTrait<CheapElement>() ||
      seen.size() > kMostCheapOps)
    return false;
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) { return findArguments(operand, seen, arguments); });
}

/// True if all parts are cheap functions of one argument. No loop of a kernel has several of them.
static bool shareArgument(ArrayRef<Value> parts) {
  llvm::SmallPtrSet<Value, 4> common;
  for (auto [number, part] : llvm::enumerate(parts)) {
    llvm::SmallPtrSet<Value, 4> own;
    llvm::SmallPtrSet<Value, 16> seen;
    if (!findArguments(part, seen, own))
      return false;
    if (number == 0)
      common = own;
    common.remove_if([&](Value argument) { return !own.contains(argument); });
  }
  return !common.empty();
}

/// True if pointwise ops, and nothing else, read what is joined: an element at a time, after the
/// reshape of a stack if it has one.
static bool isReadByElements(Value value) {
  return !value.use_empty() && llvm::all_of(value.getUsers(), [](Operation *user) {
    return isa<ReshapeOp>(user) ? isReadByElements(user->getResult(0)) : isPointwise(user);
  });
}

namespace {

/// What an op writes along `dim`: parts of `size` elements each.
struct Parts {
  Value result;
  int64_t dim, size;
  /// The parts, and the index of each, but for the last one: what remains.
  SmallVector<Value> values;
  SmallVector<int64_t> indices;
};

/// Finds the joins to rewrite, in a fusion that does not change.
class PartsFinder {
public:
  PartsFinder(FusionOp fusion, const ExtentAnalysis &extents)
      : fusion(fusion), inference(fusion, {}), extents(extents) {}

  std::optional<Parts> find(Operation *op) const {
    std::optional<Parts> parts;
    if (auto cat = dyn_cast<CatOp>(op))
      parts = getParts(cat);
    else if (auto insert = dyn_cast<InsertSliceOp>(op))
      parts = getParts(insert);
    if (!parts || fuser::detail::isScheduled(op) || llvm::any_of(parts->values, isOfOwnLoops) ||
        !(hasShortRuns(*parts) || isOfOneArgument(*parts)))
      return std::nullopt;
    return parts;
  }

private:
  std::optional<Parts> getParts(CatOp cat) const;
  std::optional<Parts> getParts(InsertSliceOp insert) const;
  bool isFastest(const Parts &parts) const;
  bool hasShortRuns(const Parts &parts) const;
  /// A stack of cheap functions of one argument that pointwise ops read.
  static bool isOfOneArgument(const Parts &parts) {
    auto isReshape = [](Operation *user) { return isa<ReshapeOp>(user); };
    return (parts.size == 1 || llvm::all_of(parts.result.getUsers(), isReshape)) &&
           isReadByElements(parts.result) && shareArgument(parts.values);
  }

  FusionOp fusion;
  OrderInference inference;
  const ExtentAnalysis &extents;
};

} // namespace

std::optional<Parts> PartsFinder::getParts(CatOp cat) const {
  auto getSize = [&](Value part) {
    return cast<RankedTensorType>(part.getType()).getDimSize(cat.getDim());
  };
  const size_t count = cat.getInputs().size();
  const int64_t size = getSize(cat.getInputs().front());
  const bool isRow = count == size_t(kPartsOfRow) && size == 1;
  if (count < 2 || (count > size_t(kMostParts) && !isRow))
    return std::nullopt;
  if (ShapedType::isDynamic(size) || size == 0 ||
      llvm::any_of(cat.getInputs(), [&](Value part) { return getSize(part) != size; }))
    return std::nullopt;
  return Parts{cat.getResult(), int64_t(cat.getDim()), size, SmallVector<Value>(cat.getInputs()),
               llvm::to_vector(llvm::seq<int64_t>(0, count - 1))};
}

/// An insertion of one index of a dimension, at all indices of the others. What is inserted into an
/// argument may be stored in place.
std::optional<Parts> PartsFinder::getParts(InsertSliceOp insert) const {
  Value source = insert.getSource(), whole = insert.getDestination();
  const auto type = cast<RankedTensorType>(source.getType()),
             wholeType = cast<RankedTensorType>(whole.getType());
  if (!whole.getDefiningOp())
    return std::nullopt;
  std::optional<int64_t> dim;
  for (auto [each, offset] : llvm::enumerate(insert.getStaticOffsets())) {
    const AffineExpr from = extents.getExtent(source, each), to = extents.getExtent(whole, each);
    if (offset == 0 && from && to && extents.isProvablyEqual(from, to))
      continue;
    const int64_t size = wholeType.getDimSize(each);
    if (dim || type.getDimSize(each) != 1 || ShapedType::isDynamic(offset) ||
        ShapedType::isDynamic(size) || size > kMostParts)
      return std::nullopt;
    dim = each;
  }
  if (!dim)
    return std::nullopt;
  return Parts{
      insert.getResult(), *dim, /*size=*/1, {source, whole}, {insert.getStaticOffsets()[*dim]}};
}

/// True if the dimension is the fastest one in memory, by the order that an output requires or by
/// the one that hints will ask for.
bool PartsFinder::isFastest(const Parts &parts) const {
  for (OpOperand &use : parts.result.getUses())
    if (isa<ReturnOp>(use.getOwner()))
      if (std::optional<ArrayRef<int64_t>> order =
              FusionOp(fusion).getOutputStrideOrder(use.getOperandNumber()))
        return order->back() == parts.dim;
  std::optional<InferredOrder> order = inference.getOrder(parts.result);
  return order && order->order.back() == parts.dim;
}

/// True if what is consecutive in memory of one part is shorter than a vector. Orders that are
/// inferred tell nothing about a dimension that the references lack: it is in its place then.
bool PartsFinder::hasShortRuns(const Parts &parts) const {
  const auto type = cast<RankedTensorType>(parts.result.getType());
  int64_t bytes = std::min(parts.size, kVectorBytes) * getElementBytes(type.getElementType());
  if (isFastest(parts))
    return bytes < kVectorBytes;
  for (int64_t size : type.getShape().drop_front(parts.dim + 1)) {
    if (ShapedType::isDynamic(size))
      return false;
    bytes = std::min(bytes * std::min(size, kVectorBytes), kVectorBytes);
  }
  return bytes < kVectorBytes;
}

namespace {

/// Replaces results by selections of the part that the index along the dimension names.
class Interleaver {
public:
  explicit Interleaver(FusionOp fusion) : block(fusion.getBody().front()) {}

  void rewrite(const Parts &parts);

private:
  Value getIndex(RankedTensorType type, int64_t dim, Operation *op);

  Block &block;
  /// By type of the result and dimension: selections of equal shape have one index, so that their
  /// dimensions correspond and one kernel stores all.
  llvm::DenseMap<std::pair<Type, int64_t>, Value> indices;
};

} // namespace

static Value makeConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
}

/// The index along a dimension of a tensor of this type, with size 1 in the others, for `op`.
Value Interleaver::getIndex(RankedTensorType type, int64_t dim, Operation *op) {
  const Type shape =
      RankedTensorType::get(type.getShape(), IntegerType::get(type.getContext(), 64));
  Value &index = indices[{shape, dim}];
  if (index)
    return index;
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  const Location loc = op->getLoc();
  const Value zero = makeConstant(builder, loc, 0), one = makeConstant(builder, loc, 1);
  index = IotaOp::create(builder, loc,
                         RankedTensorType::get(type.getDimSize(dim), builder.getI64Type()), zero,
                         one, /*length=*/Value(), ArrayAttr(), MemoryAttr(), IntegerAttr());
  copyOrigins(index.getDefiningOp(), op);
  SmallVector<int64_t> others = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  llvm::erase(others, dim);
  if (!others.empty()) {
    index = BroadcastOp::create(builder, loc, index, others);
    copyOrigins(index.getDefiningOp(), op);
  }
  return index;
}

void Interleaver::rewrite(const Parts &parts) {
  Operation *op = parts.result.getDefiningOp();
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  SmallVector<Value> values = parts.values;
  // Rows of parts, each of which is selected as a whole.
  auto type = cast<RankedTensorType>(parts.result.getType());
  if (parts.size > 1) {
    SmallVector<int64_t> shape(type.getShape());
    shape[parts.dim] = parts.size;
    shape.insert(shape.begin() + parts.dim, values.size());
    type = type.clone(shape);
    for (Value &value : values) {
      value = BroadcastOp::create(builder, loc, value, ArrayRef(parts.dim));
      copyOrigins(value.getDefiningOp(), op);
    }
  }
  const Value index = getIndex(type, parts.dim, op);
  Value selected = values.back();
  for (size_t number = parts.indices.size(); number-- > 0;) {
    auto isHere =
        EqOp::create(builder, loc, index, makeConstant(builder, loc, parts.indices[number]));
    auto where = WhereOp::create(builder, loc, isHere, values[number], selected);
    for (Operation *made : {isHere.getOperation(), where.getOperation()})
      copyOrigins(made, op);
    selected = where;
  }
  // The op's type may be more static than its operands.
  selected.setType(type);
  if (parts.size > 1) {
    selected =
        ReshapeOp::create(builder, loc, parts.result.getType(), selected, DenseI64ArrayAttr(),
                          DenseI64ArrayAttr(), ArrayAttr(), MemoryAttr(), IntegerAttr());
    copyOrigins(selected.getDefiningOp(), op);
  }
  op->getResult(0).replaceAllUsesWith(selected);
  op->erase();
}

FailureOr<unsigned> fuser::interleaveParts(FusionOp fusion) {
  SmallVector<Operation *> joins;
  for (Operation &op : fusion.getBody().front())
    if (isa<CatOp, InsertSliceOp>(op))
      joins.push_back(&op);
  if (joins.empty())
    return 0u;
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(fusion);
  if (failed(extents))
    return failure();
  const PartsFinder finder(fusion, *extents);
  SmallVector<Parts> found;
  for (Operation *op : joins)
    if (std::optional<Parts> parts = finder.find(op))
      found.push_back(std::move(*parts));
  // From the last one: an earlier one may be a part of it.
  Interleaver interleaver(fusion);
  for (const Parts &parts : llvm::reverse(found))
    interleaver.rewrite(parts);
  return unsigned(found.size());
}

namespace {

struct InterleavePartsPass : fuser::impl::FuserInterleavePartsBase<InterleavePartsPass> {
  void runOnOperation() override {
    FailureOr<unsigned> count = interleaveParts(getOperation());
    if (failed(count))
      return signalPassFailure();
    numInterleaved += *count;
  }
};

} // namespace
