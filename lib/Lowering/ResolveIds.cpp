//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-resolve-ids: shared loops of ops, and the resolutions of dimensions of size 1 in them.
//
//===----------------------------------------------------------------------===//

#include "ResolveIds.h"
#include "SymbolAttrs.h"
#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Ids/EdgeIds.h"
#include "fuser/Lowering/Passes.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERRESOLVEIDS
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;
using kernel_ir::FuserGPUDialect;
using kernel_ir::ResolvedIdsAttr;

namespace {
/// What `fuser_gpu.ids` says of one op, with extents in the symbols of the kernel.
struct Resolution {
  SmallVector<int64_t> loops, broadcasts;
  SmallVector<AffineExpr> extents;
  SmallVector<int64_t> replicated, once;
};

/// Groups the loops and the ids of a kernel by `inline_at`, and gives every broadcast the extent of
/// the ids that it shares a loop with.
class IdResolver {
public:
  IdResolver(const ExtentAnalysis &extents, ScheduledOps ops);

  LogicalResult resolve();
  /// Writes `fuser_gpu.ids` on the ops.
  void write();
  /// The ops with what the attribute says.
  ScheduledOps take();
  /// True if all shared loops correspond, so that `verifyInlinePositions` succeeds.
  bool loopsCorrespond() const { return !hasConflicts; }

private:
  LogicalResult shareLoops();
  /// Ops of which the first is computed in loops of the second, which reads it.
  struct Edge {
    unsigned producer, consumer;
    OpOperand *operand;
  };

  LogicalResult shareLoops(const Edge &edge);
  void shareIds();
  void shareIds(const Edge &edge);
  void resolveExtents();
  LogicalResult checkConcrete() const;
  LogicalResult checkSplitBroadcasts() const;
  LogicalResult checkSwizzles() const;
  unsigned getNumReadLoops(unsigned op) const;
  const ScheduledOp *findOtherIn(unsigned op, unsigned loop, unsigned id) const;
  bool isInLoopOfUnits(unsigned op, unsigned id) const;
  void numberLoops();
  Resolution getResolution(unsigned op) const;

  const ExtentAnalysis &extents;
  ScheduledOps ops;
  llvm::DenseMap<Operation *, unsigned> numberOf;
  /// The first of each op's ids in the numbering of all ids of the kernel.
  SmallVector<unsigned> firstId;
  SmallVector<Edge> edges;
  /// Ids that are equal because of shared loops, and (by loop id) the loops themselves.
  llvm::EquivalenceClasses<unsigned> sharedIds, sharedLoops;
  bool hasConflicts = false;
};
} // namespace

IdResolver::IdResolver(const ExtentAnalysis &extents, ScheduledOps scheduledOps)
    : extents(extents), ops(std::move(scheduledOps)) {
  unsigned nextId = 0;
  for (auto [number, scheduled] : llvm::enumerate(ops)) {
    numberOf[scheduled->op] = number;
    firstId.push_back(nextId);
    for (unsigned id : scheduled->domain.getLoop())
      sharedLoops.insert(nextId + id);
    nextId += scheduled->domain.getNumIds();
  }
}

LogicalResult IdResolver::resolve() {
  if (failed(shareLoops()))
    return failure();
  shareIds();
  for (auto &scheduled : ops)
    for (unsigned id = 0, e = scheduled->domain.getNumIds(); id < e; ++id)
      if (scheduled->isBroadcastLeaf(id) && extents.getConstant(scheduled->getExtent(id)) != 1)
        scheduled->concrete.set(id);
  numberLoops();
  return success(succeeded(checkConcrete()) && succeeded(checkSplitBroadcasts()) &&
                 succeeded(checkSwizzles()));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult IdResolver::shareLoops() {
  for (auto [number, consumer] : llvm::enumerate(ops))
    for (OpOperand &operand : consumer->op->getOpOperands()) {
      auto it = numberOf.find(operand.get().getDefiningOp());
      if (it == numberOf.end() || ops[it->second]->inlinePosition == 0)
        continue;
      edges.push_back({it->second, unsigned(number), &operand});
      if (failed(shareLoops(edges.back())))
        return failure();
    }
  return success();
}

LogicalResult IdResolver::shareLoops(const Edge &edge) {
  const ScheduledOp &producer = *ops[edge.producer], &consumer = *ops[edge.consumer];
  ArrayRef<unsigned> from = producer.domain.getLoop(), to = consumer.domain.getLoop();
  int64_t shared = producer.inlinePosition;
  auto fail = [&](const Twine &message) -> LogicalResult {
    InFlightDiagnostic diagnostic = producer.op->emitOpError(message);
    diagnostic.attachNote(consumer.op->getLoc()) << "the consumer is here";
    return diagnostic;
  };
  if (shared > int64_t(to.size()))
    return fail("expected 'inline_at' of at most " + Twine(to.size()) +
                ", the number of the consumer's loops, but got " + Twine(shared));
  for (int64_t position = 0; position < shared; ++position) {
    ParallelType a = producer.domain.getParallel()[position];
    ParallelType b = consumer.domain.getParallel()[position];
    if (a != b)
      return fail("expected shared loop " + Twine(position) +
                  " to have one parallel type, but got @" + stringifyParallelType(a) + " and @" +
                  stringifyParallelType(b));
    sharedLoops.unionSets(firstId[edge.producer] + from[position],
                          firstId[edge.consumer] + to[position]);
  }
  return success();
}

void IdResolver::shareIds(const Edge &edge) {
  const ScheduledOp &producer = *ops[edge.producer], &consumer = *ops[edge.consumer];
  const int64_t shared = producer.inlinePosition;
  std::optional<EdgeIds::Resolved> resolved;
  if (!consumer.extents.empty())
    resolved.emplace(EdgeIds::Resolved{extents, {}, consumer.extents});
  EdgeIds ids(
      cast<TensorViewOpInterface>(producer.op), *edge.operand,
      [&](OpOperand &use, unsigned dim, unsigned rootId) {
        return readsAll(extents, use, dim, rootId);
      },
      resolved);
  hasConflicts |= ids.findConflict(shared).has_value();
  ids.visitShared(shared, [&](unsigned p, unsigned c) {
    sharedIds.unionSets(firstId[edge.producer] + p, firstId[edge.consumer] + c);
  });
}

/// A broadcast of a producer corresponds to one of several that its consumer merges: to one that
/// was resolved to more than one element, where there is one. As long as none is, each of them is
/// taken for a dimension of size 1.
void IdResolver::shareIds() {
  auto getExtents = [&] {
    SmallVector<AffineExpr> all;
    for (auto &scheduled : ops)
      llvm::append_range(all, scheduled->extents);
    return all;
  };
  auto isConcrete = [&](const auto &scheduled) {
    return llvm::any_of(llvm::seq(scheduled->domain.getNumIds()), [&](unsigned id) {
      return scheduled->isBroadcastLeaf(id) && extents.getConstant(scheduled->getExtent(id)) != 1;
    });
  };
  SmallVector<AffineExpr> before;
  unsigned step = 0;
  do {
    before = getExtents();
    sharedIds = {};
    for (auto [number, scheduled] : llvm::enumerate(ops))
      for (unsigned id = 0, e = scheduled->domain.getNumIds(); id < e; ++id)
        sharedIds.insert(firstId[number] + id);
    hasConflicts = false;
    for (const Edge &edge : edges)
      shareIds(edge);
    for (auto &scheduled : ops)
      scheduled->extents.clear();
    resolveExtents();
  } while (step++ < ops.size() && getExtents() != before && llvm::any_of(ops, isConcrete));
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// The broadcasts of a class get the extent of its last member that is not a broadcast: the most
/// concrete one. All other ids keep their extents, and shared loops are checked for equal extents.
void IdResolver::resolveExtents() {
  struct Member {
    ScheduledOp *op;
    unsigned id;
  };
  SmallVector<Member> members;
  for (auto &scheduled : ops)
    for (unsigned id = 0, e = scheduled->domain.getNumIds(); id < e; ++id) {
      scheduled->extents.push_back(extents.getIdExtent(scheduled->op->getResult(0), id));
      members.push_back({scheduled.get(), id});
    }
  auto isBroadcast = [&](unsigned member) {
    return members[member].op->isBroadcast(members[member].id);
  };
  llvm::DenseMap<unsigned, unsigned> best;
  for (unsigned member = 0; member < members.size(); ++member) {
    auto [it, inserted] = best.try_emplace(sharedIds.getLeaderValue(member), member);
    if (!inserted && (!isBroadcast(member) || isBroadcast(it->second)))
      it->second = member;
  }
  // The extent that a broadcast gets may itself come from another op: each step propagates through
  // one more op.
  for (unsigned step = 0; step <= ops.size(); ++step) {
    SmallVector<AffineExpr> before;
    for (auto [op, id] : members)
      before.push_back(op->getExtent(id));
    for (auto [number, member] : llvm::enumerate(members))
      if (isBroadcast(number))
        member.op->extents[member.id] = before[best[sharedIds.getLeaderValue(number)]];
    for (auto &scheduled : ops)
      deriveExtents(*scheduled);
    if (llvm::equal(members, before, [](const Member &member, AffineExpr extent) {
          return member.op->getExtent(member.id) == extent;
        }))
      return;
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// A consumer's loop over a concrete id may have a trip count of 0: then all readers of the value
/// must be inside the loop. A grid dimension has at least one block if another op needs it.
LogicalResult IdResolver::checkConcrete() const {
  for (auto &scheduled : ops)
    for (unsigned id : scheduled->concrete.set_bits()) {
      if (extents.getLowerBound(scheduled->getExtent(id)) > 0)
        continue;
      llvm::SmallBitVector made = scheduled->getDerived(id);
      ArrayRef<unsigned> own = scheduled->domain.getLoop().drop_front(scheduled->inlinePosition);
      if (llvm::any_of(own, [&](unsigned loop) {
            const bool isGrid = isBlockType(scheduled->domain.getParallelType(loop)) &&
                                scheduled->isBroadcast(loop);
            return made.test(loop) && !isGrid &&
                   extents.getLowerBound(scheduled->getExtent(loop)) <= 0;
          }))
        return scheduled->op->emitOpError("expected a loop of its own for id ")
               << id << ", which has one index, but it shares one that may have none: "
               << describe(scheduled->getExtent(id)) << " iterations";
    }
  return success();
}

/// An op in the loop `loop` whose id there is neither a broadcast nor derived from `id`. Iterations
/// that read a circular buffer read a stage of their own, also of a broadcast.
const ScheduledOp *IdResolver::findOtherIn(unsigned op, unsigned loop, unsigned id) const {
  const bool isCircular = getStages(ops[op]->op).has_value();
  for (auto [number, other] : llvm::enumerate(ops)) {
    auto isOfOther = [&, first = firstId[number]](unsigned ofOther) {
      return sharedIds.isEquivalent(firstId[op] + id, first + ofOther);
    };
    if (llvm::any_of(llvm::seq(other->domain.getNumIds()), isOfOther))
      continue;
    for (unsigned shared : other->domain.getLoop())
      if ((isCircular || !other->isBroadcast(shared)) &&
          sharedLoops.isEquivalent(firstId[op] + loop, firstId[number] + shared))
        return other.get();
  }
  return nullptr;
}

/// How many of the outermost loops of an op contain a reader of it. Those beyond its inline
/// position contain both because of a third op.
unsigned IdResolver::getNumReadLoops(unsigned op) const {
  ArrayRef<unsigned> own = ops[op]->domain.getLoop();
  unsigned most = 0;
  for (Operation *reader : ops[op]->op->getUsers()) {
    auto it = numberOf.find(reader);
    if (it == numberOf.end())
      continue;
    ArrayRef<unsigned> others = ops[it->second]->domain.getLoop();
    unsigned position = 0;
    while (position < std::min(own.size(), others.size()) &&
           sharedLoops.isEquivalent(firstId[op] + own[position],
                                    firstId[it->second] + others[position]))
      ++position;
    most = std::max(most, position);
  }
  return most;
}

/// A split may extend the parts of a broadcast beyond its one element, but only index 0 is in
/// bounds: longer consumer loops would read uninitialized elements.
LogicalResult IdResolver::checkSplitBroadcasts() const {
  for (auto [number, scheduled] : llvm::enumerate(ops))
    for (const DomainTransform &split : scheduled->loopPath) {
      const unsigned id = split.inputs[0];
      if (split.kind != TransformKind::Split || !scheduled->isBroadcast(id) ||
          extents.getKnownDivisor(scheduled->getExtent(id)) % split.value == 0)
        continue;
      llvm::SmallBitVector made = scheduled->getDerived(id);
      for (unsigned position = 0, end = getNumReadLoops(number); position < end; ++position) {
        const unsigned loop = scheduled->domain.getLoop()[position];
        if (!made.test(loop) || extents.getConstant(scheduled->getExtent(loop)) == 1)
          continue;
        const ScheduledOp *other = findOtherIn(number, loop, id);
        if (!other)
          continue;
        InFlightDiagnostic diagnostic = scheduled->op->emitOpError("expected shared loop ");
        diagnostic << position << " to consist of id " << id
                   << ", which has one element, in all ops that share it";
        diagnostic.attachNote(other->op->getLoc()) << "this one has something else there";
        return diagnostic;
      }
    }
  return success();
}

/// The result of an xor is less than the extent only if the extent is a power of two.
LogicalResult IdResolver::checkSwizzles() const {
  for (auto &scheduled : ops)
    for (const DomainTransform &transform : scheduled->domain.getTransforms()) {
      if (transform.kind != TransformKind::Swizzle)
        continue;
      // If several iterations compute one element, an xor would remove it from some of them.
      for (unsigned id : transform.getInputs())
        if (scheduled->isBroadcast(id))
          return scheduled->op->emitOpError("expected a swizzle of ids that are no broadcast, but "
                                            "got id ")
                 << id;
      AffineExpr extent = scheduled->getExtent(transform.inputs[1]);
      std::optional<int64_t> constant = extents.getConstant(extent);
      if (!constant || *constant < 1 || !llvm::isPowerOf2_64(*constant))
        return scheduled->op->emitOpError("expected the extent of a swizzled id to be a constant "
                                          "power of two, but got ")
               << describe(extent);
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// True for a loop id of extent 1 on a hardware dimension that may be larger.
static bool isReplicated(const ScheduledOp &scheduled, unsigned id, const ExtentAnalysis &extents) {
  ParallelType type = scheduled.domain.getParallelType(id);
  if (!isThreadType(type) && !isBlockType(type))
    return false;
  return extents.getConstant(scheduled.getExtent(id)) == 1
             ? scheduled.domain.getKinds()[id] != IdKind::Reduction
             : scheduled.isBroadcast(id) && !scheduled.isConcrete(id);
}

/// True if an id is part of a reduction loop of the op: with a concrete id, it would accumulate
/// once for each index of that id.
static bool reducesOver(const ScheduledOp &scheduled, unsigned id) {
  llvm::SmallBitVector made = scheduled.getDerived(id);
  return llvm::any_of(scheduled.domain.getLoop(), [&](unsigned loop) {
    return made.test(loop) && scheduled.domain.getKinds()[loop] == IdKind::Reduction;
  });
}

/// True for a loop on a hardware dimension whose ids are of size 1, or parts of such ids, in all
/// ops that share it. A part that a split extends makes the ids of the other ops concrete; but the
/// consumer with the part executes it redundantly, so that its producers have to do the same.
bool IdResolver::isInLoopOfUnits(unsigned op, unsigned id) const {
  ParallelType type = ops[op]->domain.getParallelType(id);
  if (!isThreadType(type) && !isBlockType(type))
    return false;
  auto isUnit = [&](unsigned member) {
    const size_t owner = std::prev(llvm::upper_bound(firstId, member)) - firstId.begin();
    return ops[owner]->isBroadcast(member - firstId[owner]);
  };
  return std::all_of(sharedLoops.findLeader(firstId[op] + id), sharedLoops.member_end(), isUnit);
}

/// Numbers the loops in the order of their first use.
void IdResolver::numberLoops() {
  llvm::DenseMap<unsigned, int64_t> numberOf;
  for (auto [number, scheduled] : llvm::enumerate(ops))
    for (unsigned id : scheduled->domain.getLoop())
      scheduled->loopNumbers.push_back(
          numberOf.try_emplace(sharedLoops.getLeaderValue(firstId[number] + id), numberOf.size())
              .first->second);
}

Resolution IdResolver::getResolution(unsigned op) const {
  const ScheduledOp &scheduled = *ops[op];
  Resolution resolution;
  resolution.loops = scheduled.loopNumbers;
  for (unsigned id = 0, e = scheduled.domain.getNumIds(); id < e; ++id) {
    if (!scheduled.isBroadcastLeaf(id))
      continue;
    resolution.broadcasts.push_back(id);
    resolution.extents.push_back(scheduled.getExtent(id));
    if (scheduled.concrete.test(id) &&
        (scheduled.memory == MemoryType::Global || reducesOver(scheduled, id)))
      resolution.once.push_back(id);
  }
  for (auto [position, id] : llvm::enumerate(scheduled.domain.getLoop()))
    if (isReplicated(scheduled, id, extents) || isInLoopOfUnits(op, id))
      resolution.replicated.push_back(position);
  return resolution;
}

void IdResolver::write() {
  for (auto [number, scheduled] : llvm::enumerate(ops)) {
    Resolution resolution = getResolution(number);
    MLIRContext *context = scheduled->op->getContext();
    SymbolNumbering numbering(extents, resolution.extents, context);
    scheduled->op->setDiscardableAttr(
        FuserGPUDialect::kIds,
        ResolvedIdsAttr::get(context, resolution.loops, resolution.broadcasts,
                             numbering.getMap(resolution.extents), numbering.getSymbols(),
                             resolution.replicated, resolution.once));
  }
}

/// Adds to an op what was resolved for it.
static void apply(ScheduledOp &scheduled, const Resolution &resolution,
                  const ExtentAnalysis &extents) {
  scheduled.loopNumbers = resolution.loops;
  scheduled.extents.clear();
  scheduled.concrete.reset();
  for (unsigned id = 0, e = scheduled.domain.getNumIds(); id < e; ++id)
    scheduled.extents.push_back(extents.getIdExtent(scheduled.op->getResult(0), id));
  for (auto [id, extent] : llvm::zip_equal(resolution.broadcasts, resolution.extents)) {
    scheduled.extents[id] = extent;
    if (extents.getConstant(extent) != 1)
      scheduled.concrete.set(id);
  }
  deriveExtents(scheduled);
  for (int64_t position : resolution.replicated)
    scheduled.replicated.set(scheduled.domain.getLoop()[position]);
  setDoneOnce(scheduled, resolution.once);
}

ScheduledOps IdResolver::take() {
  for (auto [number, scheduled] : llvm::enumerate(ops))
    apply(*scheduled, getResolution(number), extents);
  return std::move(ops);
}

LogicalResult fuser::resolveIds(KernelOp kernel, const ExtentAnalysis &extents) {
  FailureOr<ScheduledOps> ops = collectScheduledOps(kernel);
  if (failed(ops))
    return failure();
  IdResolver resolver(extents, std::move(*ops));
  if (failed(resolver.resolve()))
    return failure();
  resolver.write();
  return success();
}

/// True if all ops of the kernel have `fuser_gpu.ids`.
static bool hasResolvedIds(KernelOp kernel) {
  return llvm::all_of(kernel.getBody().front(), [](Operation &op) {
    return !isa<TensorViewOpInterface>(op) || op.hasAttr(FuserGPUDialect::kIds);
  });
}

/// The kernel's symbols for the new symbols of an attribute; fails if one is not a size of an
/// argument.
static FailureOr<SmallVector<AffineExpr>> getSymbols(ResolvedIdsAttr ids,
                                                     const ExtentAnalysis &extents) {
  SmallVector<AffineExpr> symbols;
  for (Attribute symbol : ids.getSymbols()) {
    auto all = llvm::seq<unsigned>(0, extents.getSymbols().size());
    auto it = llvm::find_if(all, [&](unsigned number) {
      return getSymbolAttr(extents, number, ids.getContext()) == symbol;
    });
    if (it == all.end())
      return failure();
    symbols.push_back(getAffineSymbolExpr(*it, ids.getContext()));
  }
  return symbols;
}

/// Reads `fuser_gpu.ids` of an op; fails with a diagnostic if it does not match the op's domain.
static LogicalResult readResolution(ScheduledOp &scheduled, const ExtentAnalysis &extents) {
  auto ids = scheduled.op->getAttrOfType<ResolvedIdsAttr>(FuserGPUDialect::kIds);
  auto fail = [&](const Twine &message) {
    return scheduled.op->emitOpError("expected '") << FuserGPUDialect::kIds << "' " << message;
  };
  const unsigned numLoops = scheduled.domain.getLoop().size();
  if (ids.getLoops().size() != numLoops)
    return fail("to number ") << numLoops << " loops, but got " << ids.getLoops().size();
  Resolution resolution;
  for (unsigned id = 0, e = scheduled.domain.getNumIds(); id < e; ++id)
    if (scheduled.isBroadcastLeaf(id))
      resolution.broadcasts.push_back(id);
  if (ids.getBroadcasts() != ArrayRef(resolution.broadcasts))
    return fail("to list the broadcasts of the op: ") << resolution.broadcasts.size() << " ids";
  FailureOr<SmallVector<AffineExpr>> symbols = getSymbols(ids, extents);
  if (failed(symbols))
    return fail("to have sizes of arguments as symbols");
  for (AffineExpr extent : ids.getExtents().getResults())
    resolution.extents.push_back(extent.replaceSymbols(*symbols));
  llvm::append_range(resolution.loops, ids.getLoops());
  llvm::append_range(resolution.replicated, ids.getReplicated());
  llvm::append_range(resolution.once, ids.getOnce());
  apply(scheduled, resolution, extents);
  return success();
}

FailureOr<ResolvedOps> fuser::getResolvedOps(KernelOp kernel, const ExtentAnalysis &extents) {
  FailureOr<ScheduledOps> ops = collectScheduledOps(kernel);
  if (failed(ops))
    return failure();
  if (!hasResolvedIds(kernel)) {
    IdResolver resolver(extents, std::move(*ops));
    if (failed(resolver.resolve()))
      return failure();
    return ResolvedOps{resolver.take(), resolver.loopsCorrespond()};
  }
  for (auto &scheduled : *ops)
    if (failed(readResolution(*scheduled, extents)))
      return failure();
  return ResolvedOps{std::move(*ops), /*loopsCorrespond=*/false};
}

namespace {
struct ResolveIds : fuser::impl::FuserResolveIdsBase<ResolveIds> {
  using FuserResolveIdsBase::FuserResolveIdsBase;

  void runOnOperation() override {
    FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(getOperation());
    if (failed(extents) || failed(resolveIds(getOperation(), *extents)))
      signalPassFailure();
  }
};
} // namespace
