//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-join-operands.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Dialect/IR/OwnLoops.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERJOINOPERANDS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// Each element of the result computes the functions of all parts, which are cheap.
static constexpr size_t kMostJoinedParts = 4;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static bool isComputedForJoin(Value value) {
  Operation *function = value.getDefiningOp();
  return function && isPointwise(function);
}

static bool isMovable(Value value) {
  return isComputedForJoin(value) && value.hasOneUse() &&
         value.getDefiningOp()->hasTrait<fuser::CheapElement>();
}

namespace {

/// A concatenation, and what the functions of its parts read.
class Join {
public:
  explicit Join(CatOp op) : op(op) {}

  /// True if the functions move to the result.
  bool isCandidate(const ExtentAnalysis &extents);
  void rewrite();

private:
  bool isAlong(Value value);
  bool addSource(Value value, Value &source);
  bool isAtRuntime(unsigned part, const ExtentAnalysis &extents);
  Value apply(IRRewriter &rewriter, Value value, Value source, Value joined);
  SmallVector<Value> getEnds(OpBuilder &builder);

  CatOp op;
  /// One for each part.
  SmallVector<Value> sources;
};

} // namespace

/// False for scalars, and for tensors that are broadcast along the dimension of the concatenation.
bool Join::isAlong(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getDimSize(op.getDim()) != 1;
}

/// Finds the tensor that a function reads along the dimension. False if there are several.
bool Join::addSource(Value value, Value &source) {
  if (isMovable(value))
    return llvm::all_of(value.getDefiningOp()->getOperands(), [&](Value operand) {
      return !isAlong(operand) || addSource(operand, source);
    });
  if (source && source != value)
    return false;
  source = value;
  return true;
}

/// True if kernels cannot compute the elements of the part at the offset of the result.
bool Join::isAtRuntime(unsigned part, const ExtentAnalysis &extents) {
  const unsigned dim = op.getDim();
  AffineExpr before = getAffineConstantExpr(0, op.getContext()), all = before;
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    const AffineExpr extent = extents.getExtent(input, dim);
    if (!extent)
      return false;
    before = number < part ? before + extent : before;
    all = all + extent;
  }
  const AffineExpr own = extents.getExtent(op.getInputs()[part], dim);
  return !extents.getConstant(before) || !extents.getConstant(all - own);
}

bool Join::isCandidate(const ExtentAnalysis &extents) {
  if (fuser::detail::isScheduled(op) || op.getInputs().size() > kMostJoinedParts)
    return false;
  bool anyMoves = false;
  for (auto [part, input] : llvm::enumerate(op.getInputs())) {
    Value source;
    // Parts of size 1 would count as broadcast.
    if (!isAlong(input) || isAfterOwnLoops(input) || !addSource(input, source) || !source ||
        isComputedForJoin(source))
      return false;
    sources.push_back(source);
    auto type = cast<RankedTensorType>(source.getType());
    if (type.getShape() != cast<RankedTensorType>(input.getType()).getShape() ||
        type.getElementType() != getElementTypeOrSelf(sources.front().getType()))
      return false;
    anyMoves |= source != input && isAtRuntime(part, extents);
  }
  return anyMoves;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The function of a part, of the joined sources.
Value Join::apply(IRRewriter &rewriter, Value value, Value source, Value joined) {
  if (value == source)
    return joined;
  if (!isAlong(value))
    return value;
  Operation *function = value.getDefiningOp();
  SmallVector<Value> operands = llvm::map_to_vector(function->getOperands(), [&](Value operand) {
    return apply(rewriter, operand, source, joined);
  });
  SmallVector<int64_t> shape(cast<RankedTensorType>(value.getType()).getShape());
  shape[op.getDim()] = cast<RankedTensorType>(joined.getType()).getDimSize(op.getDim());
  return clonePointwise(rewriter, function, operands, shape);
}

/// The indices after the parts.
SmallVector<Value> Join::getEnds(OpBuilder &builder) {
  const Location loc = op.getLoc();
  SmallVector<Value> ends;
  for (Value input : op.getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    Value number = arith::ConstantIndexOp::create(builder, loc, op.getDim());
    Value size = type.isDynamicDim(op.getDim())
                     ? tensor::DimOp::create(builder, loc, input, number).getResult()
                     : arith::ConstantIndexOp::create(builder, loc, type.getDimSize(op.getDim()))
                           .getResult();
    ends.push_back(
        ends.empty() ? size : arith::AddIOp::create(builder, loc, ends.back(), size).getResult());
  }
  return ends;
}

void Join::rewrite() {
  IRRewriter rewriter(op);
  const Location loc = op.getLoc();
  const RankedTensorType type = op.getType();
  const int64_t dim = op.getDim();
  const Type i64 = rewriter.getI64Type();
  const SmallVector<Value> ends = getEnds(rewriter);
  Value joined = CatOp::create(rewriter, loc, sources, dim);
  joined.setType(cast<RankedTensorType>(joined.getType()).clone(type.getShape()));
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(0));
  Value index = buildIndices(rewriter, loc, RankedTensorType::get(type.getDimSize(dim), i64), zero,
                             type.isDynamicDim(dim) ? ends.back() : Value(), dim, type.getRank());
  Value chosen;
  for (size_t part = sources.size(); part-- > 0;) {
    Value value = apply(rewriter, op.getInputs()[part], sources[part], joined);
    if (!chosen || value == chosen) {
      chosen = value;
      continue;
    }
    Value end = arith::IndexCastOp::create(rewriter, loc, i64, ends[part]);
    chosen = WhereOp::create(rewriter, loc, LtOp::create(rewriter, loc, index, end), value, chosen);
    chosen.setType(type);
  }
  rewriter.replaceOp(op, chosen);
}

namespace {

struct JoinOperandsPass : fuser::impl::FuserJoinOperandsBase<JoinOperandsPass> {
  void runOnOperation() override {
    FailureOr<unsigned> count = joinOperands(getOperation());
    if (failed(count))
      return signalPassFailure();
    numJoins += *count;
  }
};

} // namespace

FailureOr<unsigned> fuser::joinOperands(FusionOp fusion) {
  // Without a reader, each part is stored in its box of the result.
  auto mayMove = [](CatOp op) {
    return op.getType().isDynamicDim(op.getDim()) && llvm::any_of(op.getInputs(), isMovable) &&
           llvm::any_of(op->getUsers(), isPointwise);
  };
  SmallVector<CatOp> ops;
  llvm::copy_if(fusion.getBody().front().getOps<CatOp>(), std::back_inserter(ops), mayMove);
  if (ops.empty())
    return 0u;
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(fusion);
  if (failed(extents))
    return failure();
  SmallVector<Join> joins;
  for (CatOp op : ops)
    if (Join join(op); join.isCandidate(*extents))
      joins.push_back(std::move(join));
  for (Join &join : joins)
    join.rewrite();
  // The original functions may be dead now.
  eraseDeadOps(fusion);
  return unsigned(joins.size());
}
