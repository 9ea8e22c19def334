//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-hoist-flips.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "SliceSizes.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERHOISTFLIPS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// The tensors up to which a function of arguments is computed of them in the opposite order, and
/// the ops that are computed again for it.
static constexpr size_t kMostFlippedArguments = 2, kMostRepeatedOps = 16;

/// A dimension of a value, in the opposite order.
using FlippedValue = std::pair<Value, unsigned>;

/// The only result of an op that each element of a flipped dimension passes by itself, or in the
/// opposite order: a pointwise op, a change of other dimensions, a scan.
static bool isPassed(Operation *op) {
  if (!op || op->getNumResults() != 1 || fuser::detail::isScheduled(op))
    return false;
  return isPointwise(op) || isa<BroadcastOp, ExpandOp, PermuteOp, SqueezeOp, ScanOpInterface>(op);
}

/// The dimension of an operand that has the elements of dimension `dim` of the result, if any has.
static std::optional<unsigned> getFlippedDim(OpOperand &operand, unsigned dim) {
  if (!isa<RankedTensorType>(operand.get().getType()))
    return std::nullopt;
  auto mapping = cast<DomainMappingOpInterface>(operand.getOwner());
  for (auto [number, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
    if (map.kind == DimMap::Kind::Mapped &&
        getResultDim(operand.getOwner(), map.id) == int64_t(dim))
      return number;
  return std::nullopt;
}

static bool scansAlong(Operation *op, unsigned dim) {
  auto scan = dyn_cast<ScanOpInterface>(op);
  return scan && getResultDim(op, scan.getScannedId()) == int64_t(dim);
}

namespace {

/// Finds what one flip is hoisted to. The IR must not change meanwhile.
class FlipFinder {
public:
  FlipFinder(const ExtentAnalysis &analysis, IndexSelectOp root)
      : analysis(analysis), root(root), dim(root.getDim()) {}

  /// True if fewer values are flipped afterwards, or if the values that still are flipped are
  /// arguments, which kernels may read in any order, and scans are reversed or functions of few
  /// arguments need not be stored.
  bool find();

  /// The flips that are replaced, in the order of the program: those of equal values.
  ArrayRef<IndexSelectOp> getRoots() const { return roots; }
  bool isHoistedAbove(FlippedValue value) const { return passed.contains(value); }
  /// What the value is a flip of; null: it is none.
  Value getFlipped(FlippedValue value) const {
    auto flip = value.first.getDefiningOp<IndexSelectOp>();
    return flip && flip.getDim() == value.second && isFlip(flip) ? flip.getInput() : Value();
  }
  /// True if all elements of the dimension are equal.
  static bool isInvariant(FlippedValue value) {
    return cast<RankedTensorType>(value.first.getType()).getDimSize(value.second) == 1 ||
           value.first.getDefiningOp<FullOp>();
  }
  bool isFlip(IndexSelectOp op) const;

private:
  void visit(FlippedValue value);
  bool isFunctionOfArguments() const;

  const ExtentAnalysis &analysis;
  IndexSelectOp root;
  unsigned dim;
  SmallVector<IndexSelectOp> roots;
  llvm::SetVector<FlippedValue> passed, cancelled, leaves;
};

/// Hoists one flip.
class FlipHoister {
public:
  FlipHoister(const FlipFinder &finder, IRRewriter &rewriter)
      : finder(finder), rewriter(rewriter) {}

  void hoist();

private:
  Value build(FlippedValue value);

  const FlipFinder &finder;
  IRRewriter &rewriter;
  llvm::DenseMap<FlippedValue, Value> built;
};

struct HoistFlipsPass : fuser::impl::FuserHoistFlipsBase<HoistFlipsPass> {
  void runOnOperation() override {
    FailureOr<unsigned> count = hoistFlips(getOperation());
    if (failed(count))
      return signalPassFailure();
    numHoisted += *count;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Finding flips
//===----------------------------------------------------------------------===//

/// True if the op has all elements of the dimension, the last one first.
bool FlipFinder::isFlip(IndexSelectOp op) const {
  auto index = op.getIndex().getDefiningOp<IotaOp>();
  if (!index || fuser::detail::isScheduled(op) || fuser::detail::isScheduled(index) ||
      getConstantIntValue(index.getStep()) != -1)
    return false;
  const AffineExpr size = analysis.getExtent(op.getInput(), op.getDim());
  const AffineExpr start = analysis.getScalar(index.getStart());
  return start && analysis.isProvablyEqual(start + 1, size) &&
         analysis.isProvablyEqual(analysis.getExtent(op.getIndex(), 0), size);
}

void FlipFinder::visit(FlippedValue value) {
  Operation *op = value.first.getDefiningOp();
  if (isInvariant(value))
    return;
  if (getFlipped(value)) {
    cancelled.insert(value);
  } else if (!isPassed(op)) {
    leaves.insert(value);
  } else if (passed.insert(value)) {
    for (OpOperand &operand : op->getOpOperands())
      if (std::optional<unsigned> flipped = getFlippedDim(operand, value.second))
        visit({operand.get(), *flipped});
  }
}

/// True for an argument, or a part of one.
static bool isOfArgument(Value value) {
  while (auto slice = value.getDefiningOp<SliceOp>())
    value = slice.getInput();
  return isa<BlockArgument>(value);
}

/// True if what is flipped is computed element by element of few arguments. Other ops may read it
/// in its own order: it is computed twice, of what the kernel reads, instead of stored for the
/// flip.
bool FlipFinder::isFunctionOfArguments() const {
  const bool hasFunction = llvm::any_of(
      passed, [](FlippedValue value) { return isPointwise(value.first.getDefiningOp()); });
  const bool hasScan = llvm::any_of(
      passed, [](FlippedValue value) { return isa<ScanOpInterface>(value.first.getDefiningOp()); });
  return hasFunction && !hasScan && passed.size() <= kMostRepeatedOps &&
         leaves.size() <= kMostFlippedArguments &&
         llvm::all_of(leaves, [](FlippedValue value) { return isOfArgument(value.first); });
}

bool FlipFinder::find() {
  if (!isFlip(root))
    return false;
  for (Operation *user : root.getInput().getUsers())
    if (auto flip = dyn_cast<IndexSelectOp>(user); flip && flip.getDim() == dim && isFlip(flip))
      roots.push_back(flip);
  llvm::sort(roots, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  visit({root.getInput(), dim});
  if (isFunctionOfArguments())
    return true;
  auto isReadByAll = [&](FlippedValue value) {
    return llvm::all_of(value.first.getUsers(), [&](Operation *user) {
      return llvm::is_contained(roots, user) || llvm::any_of(passed, [&](FlippedValue other) {
               return other.first.getDefiningOp() == user;
             });
    });
  };
  // What others read in its own order would be computed twice.
  if (!llvm::all_of(passed, isReadByAll))
    return false;
  const size_t numRemoved = roots.size() + llvm::count_if(cancelled, isReadByAll);
  if (leaves.size() < numRemoved)
    return true;
  return llvm::any_of(passed,
                      [](FlippedValue value) {
                        return scansAlong(value.first.getDefiningOp(), value.second);
                      }) &&
         llvm::all_of(leaves, [](FlippedValue value) { return isa<BlockArgument>(value.first); });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The value with the dimension in the opposite order.
Value FlipHoister::build(FlippedValue value) {
  if (FlipFinder::isInvariant(value))
    return value.first;
  if (Value flipped = finder.getFlipped(value))
    return flipped;
  if (Value known = built.lookup(value))
    return known;
  IndexSelectOp root = finder.getRoots().front();
  Value result;
  if (!finder.isHoistedAbove(value)) {
    result = IndexSelectOp::create(rewriter, root.getLoc(), value.first.getType(), value.first,
                                   root.getIndex(), rewriter.getI64IntegerAttr(value.second),
                                   ArrayAttr(), MemoryAttr(), IntegerAttr());
  } else {
    Operation *op = value.first.getDefiningOp();
    SmallVector<Value> operands(op->getOperands());
    for (OpOperand &operand : op->getOpOperands())
      if (std::optional<unsigned> flipped = getFlippedDim(operand, value.second))
        operands[operand.getOperandNumber()] = build({operand.get(), *flipped});
    Operation *copy = rewriter.clone(*op);
    copy->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
    copy->setOperands(operands);
    if (scansAlong(op, value.second)) {
      auto scan = cast<ScanOpInterface>(copy);
      scan.setReversed(!scan.isReversed());
    }
    result = copy->getResult(0);
  }
  built.try_emplace(value, result);
  return result;
}

void FlipHoister::hoist() {
  const ArrayRef<IndexSelectOp> roots = finder.getRoots();
  IndexSelectOp first = roots.front();
  rewriter.setInsertionPoint(first);
  Value value = build({first.getInput(), unsigned(first.getDim())});
  for (IndexSelectOp root : roots)
    rewriter.replaceOp(root, value);
}

/// One flip.
static FailureOr<unsigned> hoistOnce(FusionOp fusion) {
  Block &body = fusion.getBody().front();
  if (body.getOps<IndexSelectOp>().empty() || body.getOps<IotaOp>().empty())
    return 0u;
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  if (failed(analysis))
    return failure();
  for (auto op : body.getOps<IndexSelectOp>()) {
    FlipFinder finder(*analysis, op);
    if (!finder.find())
      continue;
    IRRewriter rewriter(fusion.getContext());
    FlipHoister(finder, rewriter).hoist();
    eraseDeadOps(fusion);
    return 1u;
  }
  return 0u;
}

FailureOr<unsigned> fuser::hoistFlips(FusionOp fusion) { return repeatRounds(fusion, hoistOnce); }
