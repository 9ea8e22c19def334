//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-vectorize-accesses: the offset of each access, and how many elements it moves at once.
//
//===----------------------------------------------------------------------===//

#include "KernelOperands.h"
#include "LoopExprs.h"
#include "Stages.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Lowering/Passes.h"
#include "llvm/ADT/BitVector.h"
#include <numeric>

namespace fuser {
#define GEN_PASS_DEF_FUSERVECTORIZEACCESSES
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

namespace {
/// An expression as base + lane, or as an expression that is the same for all lanes.
struct LaneSplit {
  AffineExpr base;
  bool hasLane = false;
};

class AccessVectorizer {
public:
  explicit AccessVectorizer(loop::KernelOp kernel);
  LogicalResult run();

private:
  LogicalResult vectorize(loop::TileOp tile);
  void settleCopy(loop::TileOp copy);
  void vectorize(loop::IndexOp index);
  void vectorize(loop::XorOp index);
  void vectorize(Value buffer, AccessExprs &access, bool isRead, int64_t widest);
  void setLanes(Operation *op);
  unsigned getNumber(Value index);
  bool isFixed(AffineExpr expr) const;
  bool isOneElement(loop::TileOp tile, const TileExprs &exprs) const;
  std::optional<Constraint> getFirstLane(const Constraint &constraint) const;
  LogicalResult guardParts(loop::TileOp tile, TileExprs &exprs) const;
  void atFirstLane(TileExprs &exprs) const;
  AffineExpr getOffset(Value buffer, ArrayRef<AffineExpr> indices);
  AffineExpr getDividend(AffineExpr term, AffineExpr value, AffineExpr divisor,
                         AffineExpr scale) const;
  template <typename Op> void foldPlace(Op op);
  AffineExpr fold(AffineExpr expr) const;
  void foldAll(TileExprs &exprs) const;
  bool joinPair(SmallVectorImpl<AffineExpr> &terms) const;
  AffineExpr joinTerms(AffineExpr sum) const;
  std::optional<LaneSplit> split(AffineExpr expr, int64_t chunk) const;
  bool isUniform(const Constraints &guard, int64_t chunk) const;
  bool isContiguous(AffineExpr offset, int64_t chunk, int64_t bytes, int64_t alignment) const;

  loop::KernelOp kernel;
  MLIRContext *context;
  LoopFacts facts;
  /// Of the @vectorize loop of the tile: its induction variable and its extent.
  AffineExpr variable;
  int64_t width = 1;
  /// By dimension: indices that data or a swizzle gives each lane.
  llvm::BitVector perLane;
  /// By the logarithm of a chunk: its first lane, a multiple of the chunk.
  AffineExpr first[5];
};
} // namespace

AccessVectorizer::AccessVectorizer(loop::KernelOp kernel)
    : kernel(kernel), context(kernel->getContext()), facts(kernel) {
  for (unsigned log = 0; log < 5; ++log)
    first[log] = facts.addDim({0, 16}, int64_t(1) << log);
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

/// Row-major in buffers of the kernel, by the strides of the binding in an argument.
AffineExpr AccessVectorizer::getOffset(Value buffer, ArrayRef<AffineExpr> indices) {
  auto type = cast<loop::BufferType>(buffer.getType());
  AffineExpr offset = getAffineConstantExpr(0, context);
  if (type.getSpace() != MemoryType::Global) {
    const unsigned numPeers = loop::BufferOp::isDistributed(buffer) ? 1 : 0;
    for (auto [index, extent] :
         llvm::drop_begin(llvm::zip_equal(indices, type.getShape()), numPeers))
      offset = offset * extent + index;
    return offset;
  }
  if (auto workspace = buffer.getDefiningOp<loop::BufferOp>()) {
    for (auto [index, extent] : llvm::zip_equal(indices, workspace.getExtents()->getResults()))
      offset = offset * facts.lift(extent, workspace.getIndices(), /*numDims=*/0) + index;
    return joinTerms(fold(joinTerms(offset)));
  }
  // Symbols of the kernel are numbered as those of its bindings.
  AffineMap strides = kernel.getBinding(cast<BlockArgument>(buffer).getArgNumber()).getStrides();
  for (auto [index, stride] : llvm::zip_equal(indices, strides.getResults()))
    offset = offset + index * stride;
  return joinTerms(fold(joinTerms(offset)));
}

/// Joins nested quotients by constants, and drops quotients and remainders that ranges make
/// constant or equal to their dividends.
AffineExpr AccessVectorizer::fold(AffineExpr expr) const {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = fold(binary.getLHS()), rhs = fold(binary.getRHS());
  const AffineExprKind kind = expr.getKind();
  auto constant = dyn_cast<AffineConstantExpr>(rhs);
  auto inner = dyn_cast<AffineBinaryOpExpr>(lhs);
  if (kind == AffineExprKind::FloorDiv && constant && inner &&
      inner.getKind() == AffineExprKind::FloorDiv && isa<AffineConstantExpr>(inner.getRHS())) {
    lhs = inner.getLHS();
    rhs = inner.getRHS() * rhs;
    constant = cast<AffineConstantExpr>(rhs);
  }
  const bool isDivision = kind == AffineExprKind::FloorDiv || kind == AffineExprKind::Mod;
  if (isDivision && constant && constant.getValue() > 0) {
    const IntegerRange range = facts.get().getRange(lhs);
    if (range.lower >= 0 && range.upper < constant.getValue())
      return kind == AffineExprKind::Mod ? lhs : getAffineConstantExpr(0, context);
  }
  return getAffineBinaryOpExpr(kind, lhs, rhs);
}

/// True if a quotient or a remainder is part of the expression.
static bool hasDivision(AffineExpr expr) {
  return expr
      .walk([](AffineExpr part) {
        const AffineExprKind kind = part.getKind();
        return kind == AffineExprKind::FloorDiv || kind == AffineExprKind::Mod
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The terms of scale * sum, in order. A product with a sum is one term unless it has a part that
/// may be joined: apart, its terms would each need registers.
static void collectTerms(AffineExpr sum, AffineExpr scale, SmallVectorImpl<AffineExpr> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(sum);
  if (binary && sum.getKind() == AffineExprKind::Add) {
    collectTerms(binary.getLHS(), scale, terms);
    collectTerms(binary.getRHS(), scale, terms);
  } else if (binary && sum.getKind() == AffineExprKind::Mul && hasDivision(binary.getLHS())) {
    collectTerms(binary.getLHS(), binary.getRHS() * scale, terms);
  } else {
    terms.push_back(sum * scale);
  }
}

static SmallVector<AffineExpr> getTerms(AffineExpr sum) {
  SmallVector<AffineExpr> terms;
  collectTerms(sum, getAffineConstantExpr(1, sum.getContext()), terms);
  return terms;
}

static AffineExpr getSum(ArrayRef<AffineExpr> terms, MLIRContext *context) {
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (AffineExpr term : terms)
    sum = sum + term;
  return sum;
}

/// The e of a term (e floordiv c) * c * s, or of ((e mod m) floordiv c) * c * s with a multiple m
/// of c, whose remainder is `value` mod c; null for another term.
AffineExpr AccessVectorizer::getDividend(AffineExpr term, AffineExpr value, AffineExpr divisor,
                                         AffineExpr scale) const {
  const AffineExpr quotient = value.floorDiv(divisor) * (divisor * scale);
  if (term == quotient || facts.get().isEqual(term, quotient))
    return value;
  auto product = dyn_cast<AffineBinaryOpExpr>(term);
  if (!product || term.getKind() != AffineExprKind::Mul || product.getRHS() != divisor * scale ||
      product.getLHS().getKind() != AffineExprKind::FloorDiv)
    return {};
  auto division = cast<AffineBinaryOpExpr>(product.getLHS());
  auto rest = dyn_cast<AffineBinaryOpExpr>(division.getLHS());
  if (!rest || rest.getKind() != AffineExprKind::Mod || division.getRHS() != divisor ||
      rest.getLHS() != value)
    return {};
  auto factor = dyn_cast<AffineConstantExpr>(divisor);
  auto multiple = dyn_cast<AffineConstantExpr>(rest.getRHS());
  return factor && multiple && factor.getValue() > 0 && multiple.getValue() % factor.getValue() == 0
             ? AffineExpr(rest)
             : AffineExpr();
}

/// Folds what is no offset.
void AccessVectorizer::foldAll(TileExprs &exprs) const {
  auto foldGuard = [&](Constraints &guard) {
    for (Constraint &constraint : guard)
      constraint.lhs = fold(constraint.lhs);
  };
  foldGuard(exprs.guard);
  for (std::optional<AccessExprs> &access : exprs.reads)
    if (access)
      foldGuard(access->guard);
  for (AffineExpr &root : exprs.roots)
    root = fold(root);
}

/// Replaces (e floordiv c) * c * s + (e mod c) * s by e * s; false if there is no such pair.
bool AccessVectorizer::joinPair(SmallVectorImpl<AffineExpr> &terms) const {
  for (AffineExpr &term : terms) {
    // A remainder, perhaps times a stride.
    auto product = dyn_cast<AffineBinaryOpExpr>(term);
    const bool isScaled = product && term.getKind() == AffineExprKind::Mul;
    const AffineExpr part = isScaled ? product.getLHS() : term;
    const AffineExpr scale = isScaled ? product.getRHS() : getAffineConstantExpr(1, context);
    if (part.getKind() != AffineExprKind::Mod)
      continue;
    const AffineExpr value = cast<AffineBinaryOpExpr>(part).getLHS();
    const AffineExpr divisor = cast<AffineBinaryOpExpr>(part).getRHS();
    for (AffineExpr *other = terms.begin(); other != terms.end(); ++other)
      if (AffineExpr dividend = getDividend(*other, value, divisor, scale)) {
        term = dividend * scale;
        terms.erase(other);
        return true;
      }
  }
  return false;
}

/// Dimensions that are merged in the loops and contiguous in memory need no division. Without any,
/// the expression stays as it is written, as its parts may be shared.
AffineExpr AccessVectorizer::joinTerms(AffineExpr sum) const {
  SmallVector<AffineExpr> terms = getTerms(sum);
  while (joinPair(terms)) {
    sum = getSum(terms, context);
    terms = getTerms(sum);
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// True if the expression is the same for all lanes.
bool AccessVectorizer::isFixed(AffineExpr expr) const {
  return !expr.isFunctionOfDim(cast<AffineDimExpr>(variable).getPosition()) &&
         llvm::none_of(perLane.set_bits(), [&](unsigned dim) { return expr.isFunctionOfDim(dim); });
}

/// Splits the lane off an expression of `variable`, for the lanes of one chunk; none if lanes are
/// neither equal nor consecutive. The base of consecutive lanes is a multiple of the chunk.
std::optional<LaneSplit> AccessVectorizer::split(AffineExpr expr, int64_t chunk) const {
  if (isFixed(expr))
    return LaneSplit{expr, false};
  if (expr == variable)
    return LaneSplit{chunk == width ? getAffineConstantExpr(0, expr.getContext())
                                    : first[llvm::Log2_64(chunk)],
                     true};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<LaneSplit> lhs = split(binary.getLHS(), chunk), rhs = split(binary.getRHS(), chunk);
  if (!lhs || !rhs)
    return std::nullopt;
  const AffineExpr a = lhs->base, b = rhs->base;
  auto divides = [&](AffineExpr value) { return facts.getDivisor(value) % chunk == 0; };
  const bool isWithin = !rhs->hasLane && divides(a) && divides(b);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    if (lhs->hasLane && rhs->hasLane)
      return std::nullopt;
    return LaneSplit{a + b, lhs->hasLane || rhs->hasLane};
  case AffineExprKind::Mul:
    // Lanes that are all equal may still differ between chunks.
    if (lhs->hasLane || rhs->hasLane)
      return std::nullopt;
    return LaneSplit{a * b, false};
  case AffineExprKind::FloorDiv:
    if (!lhs->hasLane && !rhs->hasLane)
      return LaneSplit{a.floorDiv(b), false};
    return isWithin ? std::optional(LaneSplit{a.floorDiv(b), false}) : std::nullopt;
  case AffineExprKind::Mod:
    if (!lhs->hasLane && !rhs->hasLane)
      return LaneSplit{a % b, false};
    return isWithin ? std::optional(LaneSplit{a % b, true}) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// True if a guard holds for all lanes of a chunk or for none.
bool AccessVectorizer::isUniform(const Constraints &guard, int64_t chunk) const {
  return llvm::all_of(guard, [&](const Constraint &constraint) {
    std::optional<LaneSplit> lhs = split(constraint.lhs, chunk);
    std::optional<LaneSplit> rhs = split(constraint.rhs, chunk);
    if (!lhs || !rhs || rhs->hasLane)
      return false;
    return !lhs->hasLane ||
           (constraint.kind == loop::ConstraintKind::Less &&
            facts.getDivisor(lhs->base) % chunk == 0 && facts.getDivisor(rhs->base) % chunk == 0);
  });
}

/// True if the lanes of a chunk are one access: of one element, or of consecutive elements at a
/// multiple of the chunk.
bool AccessVectorizer::isContiguous(AffineExpr offset, int64_t chunk, int64_t bytes,
                                    int64_t alignment) const {
  std::optional<LaneSplit> lanes = split(offset, chunk);
  if (!lanes)
    return false;
  return !lanes->hasLane || (facts.getDivisor(lanes->base) % chunk == 0 &&
                             alignment % std::min(kWidestAccess, chunk * bytes) == 0);
}

void AccessVectorizer::vectorize(Value buffer, AccessExprs &access, bool isRead, int64_t widest) {
  auto type = cast<loop::BufferType>(buffer.getType());
  const int64_t bytes = getElementBytes(type.getElementType());
  const int64_t alignment =
      buffer.getDefiningOp<loop::BufferOp>()
          ? kWidestAccess
          : kernel.getBinding(cast<BlockArgument>(buffer).getArgNumber()).getAlignment();
  // A distributed buffer has its elements in the block that the first index names.
  SmallVector<AffineExpr, 2> peer;
  if (loop::BufferOp::isDistributed(buffer))
    peer.push_back(fold(access.results.front()));
  const AffineExpr offset = getOffset(buffer, access.results);
  access.results.assign(peer);
  access.results.push_back(offset);
  access.chunk = 1;
  if (type.getSpace() == MemoryType::Register && isRead) {
    const IntegerRange range = facts.getRange(offset);
    access.clamped = range.lower < 0 || range.upper >= type.getNumElements();
  }
  // What is read or guarded is done in the widest parts that are one access, a store without guard
  // at once or one by one.
  const bool hasParts = isRead || !access.guard.empty();
  bool isVector = false;
  for (int64_t chunk = widest; chunk > 1; chunk = hasParts ? chunk / 2 : 1) {
    if (!isUniform(access.guard, chunk) || !isContiguous(offset, chunk, bytes, alignment))
      continue;
    const LaneSplit lanes = *split(offset, chunk);
    // The last chunk, which stands for those beyond the buffer, has to begin at a multiple.
    if (access.clamped && lanes.hasLane && type.getNumElements() % chunk != 0)
      continue;
    // Equal lanes are one element: the access does not name the lane, so that its expansion
    // reads no vector. Chunks that differ would name it.
    if (!lanes.hasLane && (!isRead || chunk != width))
      continue;
    access.chunk = chunk;
    isVector = lanes.hasLane;
    if (!isVector)
      access.results.back() = lanes.base;
    break;
  }
  access.alignment =
      isVector ? std::min(kWidestAccess, access.chunk * bytes) : std::gcd(kWidestAccess, bytes);
}

/// True if the tile computes one element for all lanes, which exists where the first lane does.
bool AccessVectorizer::isOneElement(loop::TileOp tile, const TileExprs &exprs) const {
  auto isFixed = [&](AffineExpr expr) { return this->isFixed(expr); };
  auto isInRegisters = [](Type type) {
    return cast<loop::BufferType>(type).getSpace() == MemoryType::Register;
  };
  return tile.getStep() == loop::TileStep::Element &&
         llvm::all_of(tile.getOutputs().getTypes(), isInRegisters) &&
         llvm::all_of(exprs.roots, isFixed) &&
         llvm::all_of(exprs.reads, [&](const std::optional<AccessExprs> &access) {
           return !access || (llvm::all_of(access->results, isFixed) &&
                              llvm::all_of(access->guard, [&](const Constraint &constraint) {
                                return isFixed(constraint.lhs) && isFixed(constraint.rhs);
                              }));
         });
}

/// `constraint` as one that holds for lane 0 alone if it holds: an equality with 0 of an index that
/// begins at a multiple of the width and follows the lanes. Null for another constraint.
std::optional<Constraint> AccessVectorizer::getFirstLane(const Constraint &constraint) const {
  const AffineExpr zero = getAffineConstantExpr(0, context);
  std::optional<LaneSplit> lanes = split(constraint.lhs, width);
  if (constraint.kind != loop::ConstraintKind::Equal || constraint.rhs != zero || !lanes ||
      !lanes->hasLane || facts.getDivisor(lanes->base) % width != 0)
    return std::nullopt;
  return Constraint::equal(lanes->base, zero);
}

/// A vector of which only some lanes may exist is computed for all of them. Its accesses to memory
/// have the constraints that differ. Where the first lane alone is stored, the store says so.
LogicalResult AccessVectorizer::guardParts(loop::TileOp tile, TileExprs &exprs) const {
  Constraints parts, common, stored;
  const bool storesGlobal = llvm::all_of(tile.getOutputs().getTypes(), [](Type type) {
    return cast<loop::BufferType>(type).getSpace() == MemoryType::Global;
  });
  for (const Constraint &constraint : exprs.guard) {
    if (isUniform({constraint}, width)) {
      common.push_back(constraint);
    } else if (std::optional<Constraint> first = getFirstLane(constraint); first && storesGlobal) {
      common.push_back(*first);
      stored = {Constraint::equal(variable, getAffineConstantExpr(0, context))};
    } else {
      parts.push_back(constraint);
    }
  }
  for (AccessExprs &access : exprs.writes)
    llvm::append_range(access.guard, stored);
  if (parts.empty()) {
    exprs.guard = common;
    return success();
  }
  if (tile.getStep() != loop::TileStep::Element)
    return tile.emitOpError("expected a vector of ")
           << width << " elements that all exist or do not, but their guard differs";
  exprs.guard = common;
  auto isInMemory = [](Value buffer) {
    auto type = dyn_cast<loop::BufferType>(buffer.getType());
    return type && type.getSpace() != MemoryType::Register;
  };
  for (auto [input, access] : llvm::zip_equal(tile.getInputs(), exprs.reads))
    if (isInMemory(input))
      llvm::append_range(access->guard, parts);
  for (auto [output, access] : llvm::zip_equal(tile.getOutputs(), exprs.writes))
    if (isInMemory(output))
      llvm::append_range(access.guard, parts);
  return success();
}

/// All lanes exist where the first one does. Roots that follow the lanes say so.
void AccessVectorizer::atFirstLane(TileExprs &exprs) const {
  const AffineExpr zero = getAffineConstantExpr(0, context);
  for (Constraint &constraint : exprs.guard) {
    constraint.lhs = constraint.lhs.replace(variable, zero);
    constraint.rhs = constraint.rhs.replace(variable, zero);
  }
  for (AffineExpr &root : exprs.roots)
    if (std::optional<LaneSplit> lanes = split(root, width))
      root = lanes->hasLane ? lanes->base + variable : lanes->base;
}

/// As the offset and the guard of what is published, and awaited, there.
template <typename Op> void AccessVectorizer::foldPlace(Op op) {
  AffineMap map = op.getPlace();
  AffineExpr place = facts.lift(map.getResult(0), op.getIndices(), map.getNumDims());
  Constraints guard = facts.lift(op.getGuard(), op.getIndices());
  for (Constraint &constraint : guard)
    constraint.lhs = fold(constraint.lhs);
  setChainExprs(op, joinTerms(fold(joinTerms(place))), guard,
                [&](AffineExpr leaf) { return facts.getValue(leaf); });
}

void AccessVectorizer::setLanes(Operation *op) {
  loop::ForOp lanes = loop::TileOp::findVectorLoop(op);
  variable = lanes ? facts.getExpr(lanes.getInductionVar()) : AffineExpr();
  width = loop::TileOp::findWidth(op);
}

LogicalResult AccessVectorizer::vectorize(loop::TileOp tile) {
  setLanes(tile);
  TileExprs exprs = facts.lift(tile);
  foldAll(exprs);
  if (variable && !isOneElement(tile, exprs) && failed(guardParts(tile, exprs)))
    return failure();
  if (variable)
    atFirstLane(exprs);
  // An op with loops of its own computes lane by lane.
  const bool isLaneByLane = isa_and_present<WholeReadOpInterface>(tile.getElementOp());
  for (auto [input, access] : llvm::zip_equal(tile.getInputs(), exprs.reads))
    if (access)
      vectorize(input, *access, /*isRead=*/true, isLaneByLane ? 1 : width);
  for (auto [output, access] : llvm::zip_equal(tile.getOutputs(), exprs.writes))
    vectorize(output, access, /*isRead=*/false, width);
  setTileExprs(tile, exprs, [&](AffineExpr leaf) { return facts.getValue(leaf); });
  if (tile.getStep() == loop::TileStep::Copy)
    settleCopy(tile);
  return success();
}

/// A vector that is not one access may have parts that no asynchronous copy has.
void AccessVectorizer::settleCopy(loop::TileOp copy) {
  auto buffer = copy.getOutputs().front().getDefiningOp<loop::BufferOp>();
  const int64_t bytes = getCopiedElements(copy) * buffer.getElementBytes();
  if (bytes == 4 || bytes == 8 || bytes == 16)
    return;
  copy.emitRemark("expected accesses of 4, 8 or 16 bytes to copy asynchronously, but got ")
      << bytes << ": each copy is a load and a store";
  copy.setStep(loop::TileStep::Element);
}

void AccessVectorizer::vectorize(loop::IndexOp index) {
  setLanes(index);
  AccessExprs access = facts.lift(index.getAccess(), index.getIndices());
  vectorize(index.getBuffer(), access, /*isRead=*/true, width);
  if (variable && !isFixed(access.results.front()))
    perLane.set(getNumber(index.getResult()));
  setIndexExprs(index, access, [&](AffineExpr leaf) { return facts.getValue(leaf); });
}

void AccessVectorizer::vectorize(loop::XorOp index) {
  setLanes(index);
  if (variable && !llvm::all_of(index.getTerms().getResults(), [&](AffineExpr term) {
        return isFixed(facts.lift(term, index.getIndices(), index.getTerms().getNumDims()));
      }))
    perLane.set(getNumber(index.getResult()));
}

/// The number of the dimension of an index.
unsigned AccessVectorizer::getNumber(Value index) {
  const unsigned number = cast<AffineDimExpr>(facts.getExpr(index)).getPosition();
  if (perLane.size() <= number)
    perLane.resize(number + 1);
  return number;
}

LogicalResult AccessVectorizer::run() {
  WalkResult walked = kernel.walk([&](Operation *op) {
    if (auto index = dyn_cast<loop::IndexOp>(op))
      vectorize(index);
    else if (auto swizzled = dyn_cast<loop::XorOp>(op))
      vectorize(swizzled);
    else if (auto publish = dyn_cast<loop::PublishOp>(op))
      foldPlace(publish);
    else if (auto await = dyn_cast<loop::AwaitOp>(op))
      foldPlace(await);
    auto tile = dyn_cast<loop::TileOp>(op);
    return tile && failed(vectorize(tile)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  kernel.setStage(loop::Stage::Accessed);
  return success();
}

LogicalResult fuser::vectorizeAccesses(loop::KernelOp kernel) {
  return kernel.getStage() == loop::Stage::Synchronized ? AccessVectorizer(kernel).run()
                                                        : success();
}

namespace {
struct VectorizeAccesses : fuser::impl::FuserVectorizeAccessesBase<VectorizeAccesses> {
  using FuserVectorizeAccessesBase::FuserVectorizeAccessesBase;

  void runOnOperation() override {
    if (failed(vectorizeAccesses(getOperation())))
      signalPassFailure();
  }
};
} // namespace
