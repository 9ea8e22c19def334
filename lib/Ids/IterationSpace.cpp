//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Chooses the whole or the parts of each product, from the largest whole down.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/IterationSpace.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace fuser;

namespace {
/// Adjacent ids of a member that form a class.
struct Run {
  bool isReduced;
  /// For tensors: positions [begin, end).
  unsigned begin, end;
};
} // namespace

static std::optional<Run> findRun(const IdRelations &relations,
                                  const IterationSpace::Member &member, unsigned idClass) {
  for (auto [position, id] : llvm::enumerate(member.ids))
    if (id.idClass == idClass)
      return Run{id.isReduced, unsigned(position), unsigned(position + 1)};
  for (const IdProduct &product : relations.getProducts()) {
    if (product.whole != idClass)
      continue;
    std::optional<Run> outer = findRun(relations, member, product.outer);
    std::optional<Run> inner = outer ? findRun(relations, member, product.inner) : std::nullopt;
    if (!inner || outer->isReduced != inner->isReduced)
      continue;
    if (member.isTensor && (outer->end != inner->begin || !member.ids[outer->end - 1].isContiguous))
      continue;
    return Run{outer->isReduced, outer->begin, inner->end};
  }
  return std::nullopt;
}

bool IterationSpace::has(const IdRelations &relations, const Member &member, unsigned idClass) {
  return findRun(relations, member, idClass).has_value();
}

/// Chooses the loop classes of all classes below the largest wholes.
class IterationSpace::Chooser {
public:
  Chooser(IterationSpace &space, const IdRelations &relations)
      : space(space), relations(relations) {
    for (const IdProduct &product : relations.getProducts())
      ofWhole[product.whole].push_back(&product);
    llvm::DenseMap<unsigned, unsigned> wholeOfPart;
    for (const IdProduct &product : relations.getProducts())
      for (unsigned part : {product.outer, product.inner}) {
        auto [it, isNew] = wholeOfPart.try_emplace(part, product.whole);
        if (!isNew && it->second != product.whole)
          shared.insert(part);
      }
    for (const IdProduct &product : relations.getProducts())
      if (!wholeOfPart.contains(product.whole))
        tops.insert(product.whole);
  }

  void run(ArrayRef<Member> members) {
    SmallVector<const Member *> all;
    for (const Member &member : members)
      all.push_back(&member);
    for (unsigned top : tops)
      choose(top, all);
  }

private:
  llvm::SmallSetVector<unsigned, 8> getParts(unsigned idClass) const {
    return relations.getParts(idClass);
  }

  bool has(const Member &member, unsigned idClass) const {
    return IterationSpace::has(relations, member, idClass);
  }
  /// True where all ids of the member below the whole are those of `product` or below them.
  bool isRefined(const Member &member, const IdProduct &product,
                 const llvm::SmallSetVector<unsigned, 8> &all) const {
    auto outer = getParts(product.outer), inner = getParts(product.inner);
    return llvm::all_of(member.ids, [&](const Member::Id &id) {
      return !all.contains(id.idClass) || outer.contains(id.idClass) || inner.contains(id.idClass);
    });
  }

  /// True if all members that have the whole or a part of it can use the parts of `product`
  /// instead.
  bool canRefine(const IdProduct &product, ArrayRef<const Member *> members,
                 const llvm::SmallSetVector<unsigned, 8> &all) const {
    return llvm::all_of(members, [&](const Member *member) {
      return isRefined(*member, product, all) ||
             (product.canSplit() && has(*member, product.whole));
    });
  }

  /// True if an op reads the whole at an offset, or at one into it.
  bool isMoved(unsigned whole) const {
    return llvm::any_of(relations.getOffsets(), [&](const IdRelations::Offset &offset) {
      return offset.from != offset.to && (offset.from == whole || offset.to == whole);
    });
  }

  void choose(unsigned whole, ArrayRef<const Member *> members) {
    llvm::SmallSetVector<unsigned, 8> parts = getParts(whole);
    SmallVector<const Member *> touching, lacking;
    bool mustRefine =
        llvm::any_of(parts, [&](unsigned part) { return part != whole && shared.contains(part); });
    for (const Member *member : members) {
      if (llvm::none_of(member->ids,
                        [&](const Member::Id &id) { return parts.contains(id.idClass); }))
        continue;
      touching.push_back(member);
      if (has(*member, whole))
        continue;
      lacking.push_back(member);
      mustRefine |= llvm::any_of(member->ids, [&](const Member::Id &id) {
        return id.isReduced && parts.contains(id.idClass);
      });
    }
    // A loop moves by an offset as a whole.
    if (!mustRefine && (lacking.empty() || isMoved(whole)))
      return setWhole(whole, parts);
    auto it = ofWhole.find(whole);
    for (const IdProduct *product :
         it == ofWhole.end() ? ArrayRef<const IdProduct *>() : ArrayRef(it->second))
      if (canRefine(*product, touching, parts))
        return refine(*product, touching, parts);
    // A member that only lacks a part computes the same value for all indices of that part.
    setWhole(whole, parts);
    if (mustRefine && it != ofWhole.end() && !space.conflict)
      space.conflict = it->second.front()->op;
  }

  /// The member as it is after it has split the whole, which it has as it is or merges from the
  /// parts of another factorization. The parts may have parts that it cannot split off.
  const Member *split(const Member &member, const IdProduct &product,
                      const llvm::SmallSetVector<unsigned, 8> &all) {
    auto result = std::make_unique<Member>();
    result->isTensor = member.isTensor;
    std::optional<size_t> inner;
    for (const Member::Id &id : member.ids) {
      if (!all.contains(id.idClass)) {
        result->ids.push_back(id);
      } else if (inner) {
        result->ids[*inner].isContiguous = id.isContiguous;
      } else {
        result->ids.push_back({product.outer, id.isReduced, /*isContiguous=*/true});
        result->ids.push_back({product.inner, id.isReduced, id.isContiguous});
        inner = result->ids.size() - 1;
      }
    }
    splitMembers.push_back(std::move(result));
    return splitMembers.back().get();
  }

  void setWhole(unsigned whole, const llvm::SmallSetVector<unsigned, 8> &parts) {
    for (unsigned part : parts)
      space.loopClasses[part] = {whole};
  }

  void refine(const IdProduct &product, ArrayRef<const Member *> members,
              const llvm::SmallSetVector<unsigned, 8> &parts) {
    SmallVector<const Member *> rest;
    for (const Member *member : members)
      rest.push_back(isRefined(*member, product, parts) ? member : split(*member, product, parts));
    auto outerParts = getParts(product.outer), innerParts = getParts(product.inner);
    choose(product.outer, rest);
    choose(product.inner, rest);
    SmallVector<unsigned, 1> classes(space.loopClasses[product.outer]);
    llvm::append_range(classes, space.loopClasses[product.inner]);
    // Parts of another factorization have the loop classes of both: they are merged and split
    // again.
    for (unsigned part : parts)
      if (!outerParts.contains(part) && !innerParts.contains(part))
        space.loopClasses[part] = classes;
  }

  IterationSpace &space;
  const IdRelations &relations;
  llvm::DenseMap<unsigned, SmallVector<const IdProduct *, 2>> ofWhole;
  /// Parts of more than one whole.
  llvm::DenseSet<unsigned> shared;
  llvm::SetVector<unsigned> tops;
  std::vector<std::unique_ptr<Member>> splitMembers;
};

IterationSpace::IterationSpace(const IdRelations &relations, ArrayRef<Member> members) {
  for (unsigned idClass = 0, e = relations.getNumClasses(); idClass < e; ++idClass)
    loopClasses.push_back({idClass});
  if (!relations.getProducts().empty())
    Chooser(*this, relations).run(members);
  for (auto [idClass, loops] : llvm::enumerate(loopClasses)) {
    const llvm::SmallSetVector<unsigned, 8> parts = relations.getParts(idClass);
    hasAllOfLoops.push_back(
        llvm::all_of(loops, [&](unsigned loop) { return parts.contains(loop); }));
  }
}

SmallVector<unsigned> IterationSpace::getLoopClasses(ArrayRef<unsigned> idClasses) const {
  SmallVector<unsigned> loops;
  for (auto [position, idClass] : llvm::enumerate(idClasses)) {
    const bool isRepeated = llvm::is_contained(idClasses.take_front(position), idClass);
    for (unsigned loop : loopClasses[idClass])
      if (hasAllOfLoops[idClass] || isRepeated || !llvm::is_contained(loops, loop))
        loops.push_back(loop);
  }
  return loops;
}
