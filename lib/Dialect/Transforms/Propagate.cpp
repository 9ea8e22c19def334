//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Replay of a reference's loop transforms over the ids of another op.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Transforms/Propagate.h"
#include "ReplayReference.h"
#include "fuser/Ids/IdDerivation.h"
#include "llvm/ADT/SmallBitVector.h"
#include <tuple>

using namespace mlir;
using namespace fuser;

namespace {

/// The replay on one op.
class Replay {
public:
  Replay(const ReplayReference &reference, TensorViewOpInterface op, const IdRelations &classes)
      : reference(reference), op(op), classes(classes), builder(op.getTrivialDomain(0)),
        mapped(reference.domain.getNumIds(), kNoId), needed(reference.domain.getNumIds(), false),
        own(reference.domain.getNumIds()), replaced(reference.domain.getNumIds()) {}

  /// The new domain, or a diagnostic at the op.
  FailureOr<DomainAttr> run() {
    if (failed(mapIds()))
      return failure();
    markReal();
    markNeeded();
    cutAtStandIns();
    chooseLoops();
    mergeLeftovers();
    replayTransforms();
    return build();
  }

private:
  /// A loop of the result: a loop of the reference, or what stands for it.
  struct Loop {
    unsigned referenceId;
    ParallelType type;
    /// A size-1 id of the op that stands for a loop it lacks, or kNoId.
    unsigned standIn = kNoId;
  };
  /// A size-1 logical id of the op that is not the reference's.
  struct Leftover {
    unsigned id;
    /// The id of the reference that consumers broadcast it to, a logical one or a part or a whole
    /// that its transforms make, or kNoId.
    unsigned target;
    /// The class that they broadcast it to, or kNone.
    unsigned targetClass;
  };

  /// Maps an id of the reference to one of the op.
  void map(unsigned referenceId, unsigned id) {
    mapped[referenceId] = id;
    own.set(referenceId);
  }

  /// True where the transform is not replayed: an output of it is an id of the op or is mapped to a
  /// broadcast id, or the input of a split into factors is no id of the op, so that each factor is
  /// mapped to a broadcast id of its own.
  bool isCut(const DomainTransform &transform) const {
    if (llvm::any_of(transform.getOutputs(),
                     [&](unsigned id) { return own.test(id) || replaced.test(id); }))
      return true;
    return transform.kind == TransformKind::Split && !real.test(transform.inputs[0]) &&
           reference.madeClasses[transform.outputs[0]] != IdRelations::kNone;
  }

  /// Finds the op's id for each logical id of the reference; where a reshape lies between them, for
  /// the ids that its products relate.
  LogicalResult mapIds() {
    IdDerivation rest(classes, builder);
    SmallVector<unsigned> restDims;
    for (unsigned id : SmallVector<unsigned>(builder.getLogical())) {
      unsigned dimClass = classes.getClass(op, id), loop = id;
      // Computed for a consumer that reads it at an offset: it runs over the consumer's indices.
      if (builder.getKind(id) != IdKind::Broadcast)
        std::tie(dimClass, loop) = resize(dimClass, id);
      auto first = llvm::find(reference.classes, dimClass);
      bool found = dimClass != IdRelations::kNone && first != reference.classes.end();
      unsigned position = first - reference.classes.begin();
      // One of size 1 may stand anywhere.
      const bool isSeveral = found && (own.test(reference.domain.getLogical()[position]) ||
                                       std::find(first + 1, reference.classes.end(), dimClass) !=
                                           reference.classes.end());
      if ((!found || isSeveral) && builder.getKind(id) == IdKind::Broadcast) {
        unsigned target =
            dimClass == IdRelations::kNone ? IdRelations::kNone : classes.getResolved(dimClass);
        leftovers.push_back({id, reference.findTarget(target), target});
        continue;
      }
      if (isSeveral)
        return op->emitOpError("expected dimension ")
               << getDim(id) << " to stand for one dimension of the reference '"
               << reference.op->getName() << "', but it stands for several";
      if (found) {
        map(reference.domain.getLogical()[position], loop);
        continue;
      }
      unsigned made = dimClass == IdRelations::kNone ? kNoId : reference.findMade(dimClass);
      if (made != kNoId && !isCovered(made)) {
        map(made, loop);
        continue;
      }
      if (dimClass == IdRelations::kNone)
        return emitMissing(id);
      rest.add(loop, dimClass);
      restDims.push_back(id);
    }
    if (restDims.empty())
      return success();
    for (const Leftover &leftover : leftovers)
      if (mayBePart(leftover))
        rest.addStandIn(leftover.id, leftover.targetClass);
    if (failed(deriveRest(rest, restDims)))
      return failure();
    llvm::erase_if(leftovers, [&](const Leftover &leftover) {
      return mayBePart(leftover) && rest.isTaken(leftover.id);
    });
    return success();
  }

  /// True where the op may merge the id with others to a whole that is no dimension of the
  /// reference.
  bool mayBePart(const Leftover &leftover) const {
    return leftover.targetClass != IdRelations::kNone &&
           !llvm::is_contained(reference.domain.getLogical(), leftover.target);
  }

  /// True where the op has the id, something that it is made of, or something made of it.
  bool isCovered(unsigned referenceId) const {
    llvm::SmallBitVector above(own), below(own);
    for (const DomainTransform *transform : reference.transforms)
      if (llvm::any_of(transform->getInputs(), [&](unsigned id) { return above.test(id); }))
        for (unsigned id : transform->getOutputs())
          above.set(id);
    for (const DomainTransform *transform : llvm::reverse(reference.transforms))
      if (llvm::any_of(transform->getOutputs(), [&](unsigned id) { return below.test(id); }))
        for (unsigned id : transform->getInputs())
          below.set(id);
    return above.test(referenceId) || below.test(referenceId);
  }

  /// Derives ids of the reference from the dimensions of the op that are not dimensions of the
  /// reference themselves.
  LogicalResult deriveRest(IdDerivation &rest, ArrayRef<unsigned> dims) {
    // First ids that are whole dimensions of the op, or of a consumer that reads it at an offset;
    // then ids of which the op has only parts.
    for (bool isPartial : {false, false, true, true}) {
      auto derive = [&](unsigned id, unsigned dimClass) {
        if (dimClass == IdRelations::kNone || rest.getRest().empty() || isCovered(id))
          return;
        unsigned derived = isPartial ? rest.takePartial(dimClass) : rest.take(dimClass);
        if (derived != kNoId)
          map(id, derived);
      };
      // A merge of dimensions that the op lacks is derived as a whole: it would be split only to be
      // merged again. If the op has one part of a split id, no broadcast replaces the other part.
      for (const DomainTransform *transform : llvm::reverse(reference.transforms))
        for (unsigned id : transform->getOutputs())
          if (transform->kind == TransformKind::Merge ||
              (isPartial && rest.hasPartOf(reference.madeClasses[id])))
            derive(id, reference.madeClasses[id]);
      for (auto [id, dimClass] : llvm::zip(reference.domain.getLogical(), reference.classes))
        derive(id, dimClass);
      for (auto [id, dimClass] : llvm::enumerate(reference.madeClasses))
        derive(id, dimClass);
      // What a consumer reads at an offset may be made of several ids of the op.
      for (const ClassResize &step : reference.resizes) {
        unsigned whole = isPartial ? rest.takePartial(step.from) : rest.take(step.from);
        if (whole == kNoId)
          continue;
        auto [end, resized] = resize(step.from, whole);
        rest.add(resized, end);
      }
      // A part of what was split may be read at an offset.
      rest.replaceRest([&](unsigned id, unsigned dimClass) {
        auto [end, resized] = resize(dimClass, id);
        return std::pair(resized, end);
      });
    }
    return rest.getRest().empty() ? success() : emitMissing(dims.front());
  }

  /// The position of a logical id.
  unsigned getDim(unsigned id) const {
    return llvm::find(builder.getLogical(), id) - builder.getLogical().begin();
  }

  LogicalResult emitMissing(unsigned id) {
    InFlightDiagnostic diagnostic =
        op->emitOpError("expected every dimension to be one of the reference '")
        << reference.op->getName() << "', but dimension " << getDim(id) << " is not";
    unsigned dimClass = classes.getClass(op, id);
    for (const IdProduct &product : classes.getProducts())
      if (llvm::is_contained({product.whole, product.outer, product.inner}, dimClass))
        diagnostic.attachNote(product.op->getLoc())
            << "loops cannot be replayed through this op in this direction";
    return diagnostic;
  }

  /// True if a product has the class as a part.
  bool isPart(unsigned idClass) const {
    return llvm::any_of(classes.getProducts(), [&](const IdProduct &product) {
      return product.outer == idClass || product.inner == idClass;
    });
  }

  /// Resizes an id of a class that the reference lacks until it is one that the reference has, if
  /// there is one; the class and the id at the end. The loops of a part of a dimension of the
  /// reference are those of the whole.
  std::pair<unsigned, unsigned> resize(unsigned dimClass, unsigned id) {
    SmallVector<const ClassResize *> steps;
    unsigned end = dimClass;
    auto isOfReference = [&](unsigned idClass) {
      return llvm::any_of(reference.classes, [&](unsigned other) {
        return other != IdRelations::kNone && classes.overlap(idClass, other);
      });
    };
    while (!isOfReference(end)) {
      const ClassResize *step = reference.findResize(end);
      // An argument of which a copy is a part of what is moved may be read at an offset as well.
      if (step && step->isOfArguments && isPart(end))
        step = nullptr;
      if (!step || steps.size() > reference.resizes.size()) {
        if (const ClassResize *crop = reference.findCrop(dimClass))
          return {crop->from, builder.resize(id, -crop->before, -crop->after)};
        return {dimClass, id};
      }
      steps.push_back(step);
      end = step->to;
    }
    for (const ClassResize *step : steps)
      id = builder.resize(id, step->before, step->after);
    return {end, id};
  }

  /// An id of the reference is real where the op iterates over something that it is made of.
  void markReal() {
    real = own;
    for (const DomainTransform *transform : reference.transforms)
      if (!isCut(*transform) &&
          llvm::any_of(transform->getInputs(), [&](unsigned id) { return real.test(id); }))
        for (unsigned id : transform->getOutputs())
          real.set(id);
  }
  bool isReal(unsigned referenceId) const { return real.test(referenceId); }

  /// Ids that the op lacks, but that are merged with one that it has; all that such an id is made
  /// of and is made into.
  void markNeeded() {
    bool changed = true;
    auto mark = [&](unsigned id) {
      if (isReal(id) || needed[id])
        return;
      needed[id] = true;
      changed = true;
    };
    while (changed) {
      changed = false;
      for (const DomainTransform *transform : llvm::reverse(reference.transforms)) {
        auto isWanted = [&](unsigned id) { return isReal(id) || needed[id]; };
        if (isCut(*transform) || (llvm::none_of(transform->getInputs(), isWanted) &&
                                  llvm::none_of(transform->getOutputs(), isWanted)))
          continue;
        for (unsigned id : transform->getInputs())
          mark(id);
        for (unsigned id : transform->getOutputs())
          mark(id);
      }
    }
  }

  /// Of a part or a whole that the reference makes, the op has one stand-in and not one for each id
  /// that it is made of, where another op may have it as a dimension: a size-1 id that consumers
  /// broadcast to it, or a whole of which the op has nothing.
  void cutAtStandIns() {
    for (const Leftover &leftover : leftovers)
      if (mayBePart(leftover) && leftover.target != kNoId && needed[leftover.target] &&
          !isCovered(leftover.target))
        replaced.set(leftover.target);
    for (const DomainTransform *transform : reference.transforms) {
      const unsigned made = transform->outputs[0];
      if (transform->kind == TransformKind::Merge && needed[made] &&
          reference.madeClasses[made] != IdRelations::kNone &&
          llvm::none_of(leftovers, [&](const Leftover &leftover) {
            return leftover.target != kNoId && reference.origins[made].test(leftover.target);
          }))
        replaced.set(made);
    }
    if (replaced.none())
      return;
    // What such an id is made of is no longer needed for it.
    needed.assign(needed.size(), false);
    markNeeded();
  }

  /// Decides which loops of the reference the op has.
  void chooseLoops() {
    ArrayRef<unsigned> ids = reference.domain.getLoop();
    ArrayRef<ParallelType> types = reference.domain.getParallel();
    // Loops up to the last own one; where the reference reduces, up to the last own one that is a
    // loop at run time.
    int64_t last = -1, lastSerial = -1;
    for (auto [position, id] : llvm::enumerate(ids)) {
      if (!isReal(id) && !needed[id])
        continue;
      last = position;
      if (types[position] == ParallelType::Serial || types[position] == ParallelType::Unswitch)
        lastSerial = position;
    }
    for (auto [position, id] : llvm::enumerate(ids)) {
      Loop loop{id, types[position]};
      if (!isReal(id) && !needed[id]) {
        bool reduced = reference.domain.getKinds()[id] == IdKind::Reduction;
        if (int64_t(position) > (reduced ? lastSerial : last))
          continue;
        loop.standIn = takeLeftover(id);
      }
      loops.push_back(loop);
    }
  }

  /// Removes and returns a size-1 id of the op that consumers broadcast to an id from which
  /// `referenceId` is derived; kNoId if there is none.
  unsigned takeLeftover(unsigned referenceId) {
    auto *it = llvm::find_if(leftovers, [&](const Leftover &leftover) {
      return leftover.target != kNoId && reference.origins[referenceId].test(leftover.target) &&
             !needed[leftover.target];
    });
    if (it == leftovers.end())
      return kNoId;
    unsigned id = it->id;
    leftovers.erase(it);
    return id;
  }

  /// Size-1 ids that are no loops of their own go where they do no harm.
  void mergeLeftovers() {
    for (const Leftover &leftover : leftovers) {
      const bool isMade = mayBePart(leftover);
      if (leftover.target != kNoId && needed[leftover.target] && mapped[leftover.target] == kNoId &&
          (!isMade || replaced.test(leftover.target))) {
        mapped[leftover.target] = leftover.id;
        continue;
      }
      // The nearest own id before it, else after it, takes it in: always as the inner part, so that
      // in another op, where they lie in another order, their merged ids have the same parts. One
      // that is reduced does so only where there is no other, as it is reduced alone.
      unsigned neighbour = kNoId;
      auto isReduced = [&](unsigned id) {
        return builder.getKind(mapped[id]) == IdKind::Reduction;
      };
      for (unsigned id : getOwnInOrder())
        if (neighbour == kNoId || isReduced(neighbour) ||
            (mapped[id] < leftover.id && !isReduced(id)))
          neighbour = id;
      if (neighbour == kNoId) {
        extra.push_back(leftover.id);
        continue;
      }
      unsigned &own = mapped[neighbour];
      own = builder.merge(own, leftover.id);
    }
  }

  /// The ids of the reference that are mapped, logical ones first.
  SmallVector<unsigned> getOwnInOrder() const {
    SmallVector<unsigned> ids;
    for (unsigned id : reference.domain.getLogical())
      if (own.test(id))
        ids.push_back(id);
    for (unsigned id : own.set_bits())
      if (!llvm::is_contained(reference.domain.getLogical(), id))
        ids.push_back(id);
    return ids;
  }

  void replayTransforms() {
    auto standIn = [&](unsigned id) {
      if (needed[id] && mapped[id] == kNoId)
        mapped[id] = builder.broadcast(builder.getLoop().size());
    };
    for (unsigned id : reference.domain.getLogical())
      standIn(id);
    for (const DomainTransform *transform : reference.transforms) {
      if (isCut(*transform)) {
        for (unsigned id : transform->getOutputs())
          standIn(id);
        continue;
      }
      if (llvm::any_of(transform->getInputs(), [&](unsigned id) { return mapped[id] == kNoId; }))
        continue;
      unsigned first = mapped[transform->inputs[0]];
      unsigned second =
          transform->getInputs().size() == 2 ? mapped[transform->inputs[1]] : unsigned(kNoId);
      std::pair<unsigned, unsigned> outputs(kNoId, kNoId);
      switch (transform->kind) {
      case TransformKind::Split:
        outputs = builder.split(first, transform->value, transform->inner);
        break;
      case TransformKind::Merge:
        outputs.first = builder.merge(first, second);
        break;
      case TransformKind::Swizzle:
        outputs = builder.swizzle(first, second, transform->value);
        break;
      case TransformKind::Resize:
        outputs.first = builder.resize(first, transform->value, transform->after);
        break;
      case TransformKind::Broadcast:
        llvm_unreachable("a broadcast has no inputs");
      }
      mapped[transform->outputs[0]] = outputs.first;
      if (transform->getOutputs().size() == 2)
        mapped[transform->outputs[1]] = outputs.second;
    }
  }

  FailureOr<DomainAttr> build() {
    SmallVector<unsigned> ids;
    SmallVector<ParallelType> types;
    for (const Loop &loop : loops) {
      unsigned id = loop.standIn;
      if (id == kNoId)
        id = mapped[loop.referenceId];
      if (id == kNoId)
        id = builder.broadcast(builder.getLoop().size());
      ids.push_back(id);
      types.push_back(loop.type);
    }
    ids.append(extra);
    types.append(extra.size(), ParallelType::Serial);
    builder.setLoop(ids, types);
    DomainAttr domain = builder.build();
    if (!domain)
      return op->emitOpError("expected the loops of the reference '")
             << reference.op->getName() << "' to cover each dimension once, but they do not";
    return domain;
  }

  const ReplayReference &reference;
  TensorViewOpInterface op;
  const IdRelations &classes;
  DomainBuilder builder;
  /// The op's id for an id of the reference, or kNoId.
  SmallVector<unsigned> mapped;
  SmallVector<bool> needed;
  /// Ids of the reference that the op has as they are, or that were derived; and with them those
  /// that transforms make of them.
  llvm::SmallBitVector own, replaced, real;
  SmallVector<Leftover> leftovers;
  SmallVector<Loop> loops;
  /// Size-1 ids of an op that has no other.
  SmallVector<unsigned> extra;
};

} // namespace

LogicalResult fuser::propagateTransforms(TensorViewOpInterface reference,
                                         ArrayRef<Operation *> selected, const IdRelations &classes,
                                         ArrayRef<ClassResize> resizes) {
  ReplayReference shared(reference, classes, resizes);
  SmallVector<std::pair<TensorViewOpInterface, DomainAttr>> domains;
  for (Operation *op : selected) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view || op == reference.getOperation())
      continue;
    FailureOr<DomainAttr> domain = Replay(shared, view, classes).run();
    if (failed(domain))
      return failure();
    domains.push_back({view, *domain});
  }
  for (auto [view, domain] : domains)
    for (unsigned result = 0, e = view->getNumResults(); result < e; ++result)
      view.setDomain(domain, result);
  return success();
}
