//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-reduce-scatters.
//
//===----------------------------------------------------------------------===//

#include "InPlaceUpdates.h"
#include "PointwiseOps.h"
#include "Scatters.h"
#include "SliceShapes.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERREDUCESCATTERS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

void fuser::replaceByScatter(PushOp op) {
  OpBuilder builder(op);
  auto scatter = ScatterOp::create(builder, op.getLoc(), op.getType(), op.getSource(),
                                   op.getIndex(), op.getInput(), op.getDimAttr(),
                                   op.getReduceAttr(), ArrayAttr(), MemoryAttr(), IntegerAttr());
  op.replaceAllUsesWith(scatter.getResult());
  op.erase();
}

/// A scatter looks through so many indices for each element of the result in less time than the
/// launches of a push take.
static constexpr int64_t kFewIndices = 8;

/// Comparisons of elements with destinations that take longer than to combine the elements in
/// shared memory, and the launch before. Of short rows, a block has no copy: their elements are
/// combined in global memory, which takes as long as about kMostCompared comparisons of each.
static constexpr int64_t kMostComparisons = int64_t(1) << 24, kShortRow = 1024;
static constexpr int64_t kMostOfShortRows = int64_t(1) << 26, kMostCompared = 32;

/// True if many elements, or an unknown number, are pushed, and atomic accesses combine them.
static bool isLong(PushOp op) {
  auto index = cast<RankedTensorType>(op.getIndex().getType());
  const int64_t ofRow = index.getDimSize(op.getDim());
  const int64_t destinations = op.getInput().getType().getDimSize(op.getDim());
  const bool isShortRow = !ShapedType::isDynamic(ofRow) && ofRow < kShortRow;
  if ((isShortRow && destinations <= kMostCompared) || op.getReduce() == ScatterReduce::Mul ||
      isa<ComplexType>(op.getInput().getType().getElementType()))
    return false;
  return !index.hasStaticShape() ||
         index.getNumElements() > (isShortRow ? kMostOfShortRows : kMostComparisons) / destinations;
}

/// True if, as far as types show, the elements of the push are few and not stored where they belong
/// in an argument, or they go to few destinations, each of which looks through them.
static bool isShort(PushOp op, bool isInPlace, int64_t maxDestinations) {
  const int64_t destinations = op.getInput().getType().getDimSize(op.getDim()),
                indices = cast<RankedTensorType>(op.getIndex().getType()).getDimSize(op.getDim());
  return !fuser::detail::isScheduled(op) &&
         ((!isInPlace && !ShapedType::isDynamic(indices) && indices <= kFewIndices) ||
          (op.getReduce() && !ShapedType::isDynamic(destinations) &&
           destinations <= maxDestinations && (destinations == 0 || !isLong(op))));
}

/// Pushes of few elements, or to few destinations, are scatters.
static void replaceShortPushes(FusionOp fusion, int64_t maxDestinations) {
  llvm::SmallPtrSet<Operation *, 4> inPlace;
  for (const InPlaceUpdates &updates : findInPlaceUpdates(fusion))
    inPlace.insert(updates.ops.begin(), updates.ops.end());
  for (auto op : llvm::make_early_inc_range(fusion.getBody().front().getOps<PushOp>())) {
    if (isShort(op, inPlace.contains(op), maxDestinations))
      replaceByScatter(op);
  }
}

/// So many elements of a row are compared with each destination in less time than a kernel of its
/// own takes.
static constexpr int64_t kMostSelections = 4;

/// True if each row of the operand gets at most one element, or few that replace others.
static bool hasFewSources(ScatterOp op) {
  const int64_t count = op.getIndex().getType().getDimSize(op.getDim());
  return !fuser::detail::isScheduled(op) &&
         (count == 1 || (!op.getReduce() && count > 0 && count <= kMostSelections));
}

/// True if, as far as types show, every element of the source goes to one of at most
/// `maxDestinations` along `dim`.
static bool isCandidate(ScatterOp op, int64_t maxDestinations) {
  int64_t destinations = op.getInput().getType().getDimSize(op.getDim());
  return op.getReduce() && !fuser::detail::isScheduled(op) &&
         !ShapedType::isDynamic(destinations) && destinations <= maxDestinations;
}

/// True if index and operand have equal sizes in the other dimensions, so that each element of the
/// result is covered.
static bool coversOthers(ScatterOp op, const ExtentAnalysis &extents) {
  for (int64_t dim = 0, rank = op.getInput().getType().getRank(); dim < rank; ++dim) {
    if (dim == int64_t(op.getDim()))
      continue;
    AffineExpr index = extents.getExtent(op.getIndex(), dim),
               input = extents.getExtent(op.getInput(), dim);
    if (!index || !input || !extents.isProvablyEqual(index, input))
      return false;
  }
  return true;
}

namespace {

/// Writes one scatter as a reduction or as a selection.
class ScatterRewriter {
public:
  explicit ScatterRewriter(ScatterOp op)
      : op(op), builder(op), loc(op.getLoc()), kind(op.getReduce()),
        element(op.getInput().getType().getElementType()),
        compute(ElementBuilder::getComputeType(element)) {}

  /// The operand, where source elements of a row go the last one of these.
  Value buildSelections() {
    Value destinations = buildDestinations(op.getInput().getType().getRank());
    Value selected = op.getInput();
    for (int64_t each = 0; each < op.getIndex().getType().getDimSize(op.getDim()); ++each) {
      Value source = getColumn(op.getSource(), each), index = getColumn(op.getIndex(), each);
      Value hit = EqOp::create(builder, loc, index, destinations);
      selected =
          WhereOp::create(builder, loc, hit, kind ? combine(selected, source) : source, selected);
    }
    // The op's type may be more static than its operands.
    selected.setType(op.getType());
    return selected;
  }

  Value buildReduction() {
    int64_t dim = op.getDim();
    // [..., c, j, ...] is true iff element j goes to destination c.
    Value index = BroadcastOp::create(builder, loc, op.getIndex(), ArrayRef(dim));
    Value source =
        BroadcastOp::create(builder, loc, castTo(op.getSource(), compute), ArrayRef(dim));
    Value hit =
        EqOp::create(builder, loc, index, buildDestinations(op.getInput().getType().getRank() + 1));
    Value chosen = WhereOp::create(builder, loc, hit, source, buildIdentity());
    Value sum = castTo(combine(castTo(op.getInput(), compute), reduce(chosen, dim + 1)), element);
    // The op's type may be more static than its operands.
    sum.setType(op.getType());
    return sum;
  }

private:
  /// One index of a value along the dimension of the scatter.
  Value getColumn(Value value, int64_t column) {
    const int64_t dim = op.getDim();
    if (cast<RankedTensorType>(value.getType()).getDimSize(dim) == 1)
      return value;
    return createSliceAt(builder, loc, value, dim, column);
  }
  Value castTo(Value value, Type type) { return castElements(builder, loc, value, type); }

  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }

  /// 0, 1, 2, ... along the destinations, at the position of dimension `dim` in `rank` dimensions.
  Value buildDestinations(int64_t rank) {
    int64_t dim = op.getDim();
    auto type = RankedTensorType::get({op.getInput().getType().getDimSize(dim)},
                                      getElementTypeOrSelf(op.getIndex().getType()));
    Value length;
    if (type.isDynamicDim(0))
      length = tensor::DimOp::create(builder, loc, op.getInput(), dim);
    return buildIndices(builder, loc, type, constant(0), length, dim, rank);
  }

  /// The identity of the combiner, as a scalar.
  Value buildIdentity() {
    if (auto complexType = dyn_cast<ComplexType>(compute)) {
      auto constant = [&](double value) -> Value {
        return arith::ConstantOp::create(builder, loc,
                                         builder.getFloatAttr(complexType.getElementType(), value));
      };
      return complex::CreateOp::create(builder, loc, compute, constant(*kind == ScatterReduce::Mul),
                                       constant(0));
    }
    TypedAttr attr;
    switch (*kind) {
    case ScatterReduce::Add:
      attr = builder.getZeroAttr(compute);
      break;
    case ScatterReduce::Mul:
      attr = isa<FloatType>(compute) ? TypedAttr(builder.getFloatAttr(compute, 1))
                                     : builder.getIntegerAttr(compute, 1);
      break;
    case ScatterReduce::Min:
      attr = fuser::detail::getGreatestAttr(compute);
      break;
    case ScatterReduce::Max:
      attr = fuser::detail::getLeastAttr(compute);
      break;
    }
    // Scalars are f32, f64 or i64.
    if (auto integer = dyn_cast<IntegerAttr>(attr))
      return constant(integer.getValue().getSExtValue());
    return arith::ConstantOp::create(builder, loc, attr);
  }

  Value reduce(Value value, int64_t dim) {
    ArrayRef<int64_t> dims(dim);
    switch (*kind) {
    case ScatterReduce::Add:
      return SumOp::create(builder, loc, value, dims);
    case ScatterReduce::Mul:
      return ProdOp::create(builder, loc, value, dims);
    case ScatterReduce::Min:
      return MinOp::create(builder, loc, value, dims);
    case ScatterReduce::Max:
      return MaxOp::create(builder, loc, value, dims);
    }
    llvm_unreachable("unknown way to combine");
  }

  Value combine(Value lhs, Value rhs) {
    switch (*kind) {
    case ScatterReduce::Add:
      return AddOp::create(builder, loc, lhs, rhs);
    case ScatterReduce::Mul:
      return MulOp::create(builder, loc, lhs, rhs);
    case ScatterReduce::Min:
      return MinimumOp::create(builder, loc, lhs, rhs);
    case ScatterReduce::Max:
      return MaximumOp::create(builder, loc, lhs, rhs);
    }
    llvm_unreachable("unknown way to combine");
  }

  ScatterOp op;
  OpBuilder builder;
  Location loc;
  /// Null where elements are replaced.
  std::optional<ScatterReduce> kind;
  Type element, compute;
};

struct ReduceScattersPass : fuser::impl::FuserReduceScattersBase<ReduceScattersPass> {
  using FuserReduceScattersBase::FuserReduceScattersBase;

  void runOnOperation() override {
    FailureOr<unsigned> count = reduceScatters(getOperation(), maxDestinations);
    if (failed(count))
      return signalPassFailure();
    numScatters += *count;
  }
};

} // namespace

FailureOr<unsigned> fuser::reduceScatters(FusionOp fusion, int64_t maxDestinations) {
  replaceShortPushes(fusion, maxDestinations);
  SmallVector<ScatterOp> scatters;
  for (auto op : fusion.getBody().front().getOps<ScatterOp>())
    if (hasFewSources(op) || isCandidate(op, maxDestinations))
      scatters.push_back(op);
  if (scatters.empty())
    return 0u;
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(fusion);
  if (failed(extents))
    return failure();
  // The analysis does not know the ops that the rewrite creates.
  llvm::erase_if(scatters, [&](ScatterOp op) { return !coversOthers(op, *extents); });
  for (ScatterOp op : scatters) {
    ScatterRewriter rewriter(op);
    op.replaceAllUsesWith(hasFewSources(op) ? rewriter.buildSelections()
                                            : rewriter.buildReduction());
    op.erase();
  }
  return unsigned(scatters.size());
}
