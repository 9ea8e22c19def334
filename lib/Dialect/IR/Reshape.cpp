//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Factors reshapes. Dimensions of size 1 are left aside: an operand's is read at 0, a result's is a
// root id of its own. The rest is cut into groups of dimensions with equal products; each group is
// merged and split again.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Reshape.h"
#include "ReshapePlans.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Consecutive dimensions of both shapes with equal products: [begin, end).
struct Group {
  unsigned fromBegin, fromEnd, toBegin, toEnd;
};

/// Cuts two lists of sizes (none is 1) into groups.
class Grouping {
public:
  Grouping(ArrayRef<int64_t> from, ArrayRef<int64_t> to) : from(from), to(to) {}

  /// The groups that `stated` gives. `fromDims` and `toDims` are the positions of the sizes in both
  /// shapes. False, with a reason, where one side of a group has only dimensions of size 1.
  bool takeStated(ArrayRef<ReshapeGroup> stated, ArrayRef<unsigned> fromDims,
                  ArrayRef<unsigned> toDims, std::string &reason);

  /// Groups of one dynamic pair each, in order, where there are equally many on both sides. The
  /// first pair takes part in what is left of the static sizes before it, the last in those after
  /// it. False, and perhaps a reason why no other grouping exists, where that is impossible.
  bool pairDynamic(std::string &reason) {
    SmallVector<unsigned> fromDynamic = getDynamic(from), toDynamic = getDynamic(to);
    if (fromDynamic.size() != toDynamic.size())
      return false;
    unsigned i = 0, j = 0;
    for (size_t pair = 0, last = fromDynamic.size(); pair <= last; ++pair) {
      unsigned fromEnd = pair < last ? fromDynamic[pair] : from.size(),
               toEnd = pair < last ? toDynamic[pair] : to.size();
      while (matchStatic(i, j, fromEnd, toEnd))
        ;
      bool isMatched = i == fromEnd && j == toEnd;
      if (isMatched && pair < last) {
        groups.push_back({i, i + 1, j, j + 1});
      } else if (!isMatched && last > 1 && pair == 0) {
        groups.push_back({i, fromEnd + 1, j, toEnd + 1});
      } else if (!isMatched && last > 1 && pair == last) {
        takeRest(i, j);
      } else if (!isMatched) {
        if (last > 1)
          reason = "expected static dimensions of equal products between dynamic ones " +
                   std::to_string(pair - 1) + " and " + std::to_string(pair) +
                   " of both shapes, but got others: which of the two takes the rest is open";
        return false;
      }
      i = fromEnd + 1, j = toEnd + 1;
    }
    return true;
  }

  /// Static groups from the left and from the right, and one group of what remains.
  void strip() {
    groups.clear();
    unsigned i = 0, j = 0;
    while (matchStatic(i, j, from.size(), to.size()))
      ;
    unsigned fromEnd = from.size(), toEnd = to.size();
    SmallVector<Group> right;
    // An empty dimension at the end says nothing about the others.
    while (fromEnd > i && toEnd > j && from[fromEnd - 1] == to[toEnd - 1] &&
           !ShapedType::isDynamic(from[fromEnd - 1]) && from[fromEnd - 1] != 0) {
      right.push_back({fromEnd - 1, fromEnd, toEnd - 1, toEnd});
      --fromEnd, --toEnd;
    }
    if (i < fromEnd || j < toEnd)
      groups.push_back({i, fromEnd, j, toEnd});
    llvm::append_range(groups, llvm::reverse(right));
  }

  SmallVector<Group> groups;

private:
  static SmallVector<unsigned> getDynamic(ArrayRef<int64_t> sizes) {
    SmallVector<unsigned> positions;
    for (auto [position, size] : llvm::enumerate(sizes))
      if (ShapedType::isDynamic(size))
        positions.push_back(position);
    return positions;
  }

  /// Makes the static dimensions from (i, j) on part of the last pair, but for equal ones at the
  /// end. Those that were matched since the pair come with them.
  void takeRest(unsigned i, unsigned j) {
    auto hasDynamic = [&](const Group &group) {
      return llvm::any_of(from.slice(group.fromBegin, group.fromEnd - group.fromBegin),
                          ShapedType::isDynamic);
    };
    while (!hasDynamic(groups.back()))
      groups.pop_back();
    Group &pair = groups.back();
    unsigned fromEnd = from.size(), toEnd = to.size();
    while (fromEnd > i && toEnd > j && from[fromEnd - 1] == to[toEnd - 1] && from[fromEnd - 1] != 0)
      --fromEnd, --toEnd;
    pair.fromEnd = fromEnd;
    pair.toEnd = toEnd;
    for (; fromEnd < from.size(); ++fromEnd, ++toEnd)
      groups.push_back({fromEnd, fromEnd + 1, toEnd, toEnd + 1});
  }

  /// Takes static dimensions from position (i, j) on until their products agree; false (and nothing
  /// taken) where they do not.
  bool matchStatic(unsigned &i, unsigned &j, unsigned fromEnd, unsigned toEnd) {
    unsigned a = i, b = j;
    std::optional<int64_t> left = take(from, a, fromEnd), right = take(to, b, toEnd);
    while (left && right && *left != *right) {
      std::optional<int64_t> next = *left < *right ? take(from, a, fromEnd) : take(to, b, toEnd);
      if (!next)
        return false;
      std::optional<int64_t> &product = *left < *right ? left : right;
      product = llvm::checkedMul(*product, *next);
    }
    if (!left || !right)
      return false;
    // Nothing is nothing, however many rows of it.
    if (*left == 0 && (a == fromEnd) != (b == toEnd)) {
      while (take(from, a, fromEnd) || take(to, b, toEnd))
        ;
    }
    groups.push_back({i, a, j, b});
    i = a, j = b;
    return true;
  }

  static std::optional<int64_t> take(ArrayRef<int64_t> sizes, unsigned &position, unsigned end) {
    if (position >= end || ShapedType::isDynamic(sizes[position]))
      return std::nullopt;
    return sizes[position++];
  }

  ArrayRef<int64_t> from, to;
};

/// Merges and splits the ids of a group.
class GroupBuilder {
public:
  GroupBuilder(DomainBuilder &builder) : builder(builder) {}

  /// The ids of sizes `to` (at least one) that replace `ids` of sizes `from` (at least one). The
  /// last of `ids` stand for the empty dimensions of `to` after the first one.
  SmallVector<unsigned> transform(ArrayRef<unsigned> ids, ArrayRef<int64_t> from,
                                  ArrayRef<int64_t> to);

private:
  SmallVector<unsigned> transformSizes(ArrayRef<unsigned> ids, ArrayRef<int64_t> from,
                                       ArrayRef<int64_t> to);
  SmallVector<unsigned> transformByFactors(ArrayRef<unsigned> ids, ArrayRef<int64_t> from,
                                           ArrayRef<int64_t> to, ArrayRef<int64_t> boundaries);
  SmallVector<unsigned> splitAgain(unsigned rest, ArrayRef<int64_t> sizes);

  DomainBuilder &builder;
};

} // namespace

bool Grouping::takeStated(ArrayRef<ReshapeGroup> stated, ArrayRef<unsigned> fromDims,
                          ArrayRef<unsigned> toDims, std::string &reason) {
  unsigned i = 0, j = 0, fromRank = 0, toRank = 0;
  for (const ReshapeGroup &group : stated) {
    fromRank += group.from;
    toRank += group.to;
    unsigned fromEnd = i, toEnd = j;
    while (fromEnd < fromDims.size() && fromDims[fromEnd] < fromRank)
      ++fromEnd;
    while (toEnd < toDims.size() && toDims[toEnd] < toRank)
      ++toEnd;
    if ((i == fromEnd) != (j == toEnd)) {
      reason = "expected dimensions that split and merge, but all dimensions of one side are 1";
      return false;
    }
    if (i != fromEnd)
      groups.push_back({i, fromEnd, j, toEnd});
    i = fromEnd, j = toEnd;
  }
  return true;
}

/// The products of the trailing sizes, from one size to all of them; nullopt where one is dynamic,
/// empty or too large.
static std::optional<SmallVector<int64_t>> getTrailingProducts(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> products;
  std::optional<int64_t> product = 1;
  for (int64_t size : llvm::reverse(sizes)) {
    if (ShapedType::isDynamic(size) || size == 0)
      return std::nullopt;
    product = llvm::checkedMul(*product, size);
    if (!product)
      return std::nullopt;
    products.push_back(*product);
  }
  return products;
}

/// The trailing products of both shapes, ascending, where each divides the next: then both shapes
/// consist of the quotients, and no id larger than a dimension is needed. Empty where that is not
/// so.
static SmallVector<int64_t> getCommonBoundaries(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  std::optional<SmallVector<int64_t>> ofFrom = getTrailingProducts(from),
                                      ofTo = getTrailingProducts(to);
  if (!ofFrom || !ofTo || ofFrom->back() != ofTo->back())
    return {};
  SmallVector<int64_t> boundaries(*ofFrom);
  llvm::append_range(boundaries, *ofTo);
  llvm::sort(boundaries);
  boundaries.erase(llvm::unique(boundaries), boundaries.end());
  for (size_t i = 1; i < boundaries.size(); ++i)
    if (boundaries[i] % boundaries[i - 1] != 0)
      return {};
  return boundaries;
}

/// The positions of the empty dimensions of a group after the first one, of which no split of one
/// empty id can be the outputs.
static SmallVector<unsigned> getFurtherEmpty(ArrayRef<int64_t> to) {
  SmallVector<unsigned> positions;
  for (auto [position, size] : llvm::enumerate(to))
    if (size == 0)
      positions.push_back(position);
  if (!positions.empty())
    positions.erase(positions.begin());
  return positions;
}

SmallVector<unsigned> GroupBuilder::transform(ArrayRef<unsigned> ids, ArrayRef<int64_t> from,
                                              ArrayRef<int64_t> to) {
  SmallVector<unsigned> further = getFurtherEmpty(to);
  SmallVector<int64_t> sizes(to);
  for (unsigned position : llvm::reverse(further))
    sizes.erase(sizes.begin() + position);
  SmallVector<unsigned> result = transformSizes(ids.take_front(from.size()), from, sizes);
  for (auto [position, id] : llvm::zip_equal(further, ids.drop_front(from.size())))
    result.insert(result.begin() + position, id);
  return result;
}

SmallVector<unsigned> GroupBuilder::transformSizes(ArrayRef<unsigned> ids, ArrayRef<int64_t> from,
                                                   ArrayRef<int64_t> to) {
  if (SmallVector<int64_t> boundaries = getCommonBoundaries(from, to); !boundaries.empty())
    return transformByFactors(ids, from, to, boundaries);
  // With dynamic dimensions the outermost static ones, and the innermost, are split off the
  // operand's where they divide them.
  SmallVector<unsigned> rest(ids), front, back;
  SmallVector<int64_t> sizes(from);
  auto divides = [](int64_t part, int64_t size) {
    return !ShapedType::isDynamic(part) && !ShapedType::isDynamic(size) && part > 0 && size > 0 &&
           size % part == 0;
  };
  while (to.size() > 1 && divides(to.front(), sizes.front()) &&
         (sizes.size() > 1 || sizes.front() != to.front())) {
    if (sizes.front() == to.front()) {
      front.push_back(rest.front());
      rest.erase(rest.begin());
      sizes.erase(sizes.begin());
    } else {
      auto [outer, inner] = builder.split(rest.front(), to.front(), /*inner=*/false);
      front.push_back(outer);
      rest.front() = inner;
      sizes.front() /= to.front();
    }
    to = to.drop_front();
  }
  while (to.size() > 1 && divides(to.back(), sizes.back()) &&
         (sizes.size() > 1 || sizes.back() != to.back())) {
    if (sizes.back() == to.back()) {
      back.push_back(rest.pop_back_val());
      sizes.pop_back();
    } else {
      auto [outer, inner] = builder.split(rest.back(), to.back());
      back.push_back(inner);
      rest.back() = outer;
      sizes.back() /= to.back();
    }
    to = to.drop_back();
  }
  unsigned merged = rest.front();
  for (unsigned id : ArrayRef(rest).drop_front())
    merged = builder.merge(merged, id);
  llvm::append_range(front, splitAgain(merged, to));
  llvm::append_range(front, llvm::reverse(back));
  return front;
}

/// Splits each dimension of `from` at the boundaries within it, and merges the factors to `to`.
SmallVector<unsigned> GroupBuilder::transformByFactors(ArrayRef<unsigned> ids,
                                                       ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                                       ArrayRef<int64_t> boundaries) {
  // From the innermost factor to the outermost one.
  SmallVector<unsigned> factors;
  const int64_t *boundary = boundaries.begin();
  int64_t done = 1, end = 1;
  for (auto [id, size] : llvm::reverse(llvm::zip_equal(ids, from))) {
    unsigned rest = id;
    for (end *= size; *boundary != end; done = *boundary++) {
      auto [outer, inner] = builder.split(rest, *boundary / done);
      factors.push_back(inner);
      rest = outer;
    }
    done = *boundary++;
    factors.push_back(rest);
  }
  SmallVector<unsigned> result;
  const unsigned *factor = factors.begin();
  boundary = boundaries.begin();
  end = 1;
  for (int64_t size : llvm::reverse(to)) {
    const unsigned *first = factor;
    for (end *= size; *boundary++ != end;)
      ++factor;
    ++factor;
    unsigned merged = factor[-1];
    for (const unsigned *inner = factor - 1; inner != first;)
      merged = builder.merge(merged, *--inner);
    result.push_back(merged);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

/// Splits an id into dimensions. One of them takes what the others leave: the dynamic one, or an
/// empty one, else the first.
SmallVector<unsigned> GroupBuilder::splitAgain(unsigned rest, ArrayRef<int64_t> sizes) {
  const int64_t *found =
      llvm::find_if(sizes, [](int64_t size) { return ShapedType::isDynamic(size); });
  if (found == sizes.end())
    found = llvm::find(sizes, 0);
  unsigned keeper = found == sizes.end() ? 0 : found - sizes.begin();
  SmallVector<unsigned> result(sizes.size());
  for (unsigned k = 0; k < keeper; ++k)
    std::tie(result[k], rest) =
        builder.split(rest, std::max<int64_t>(1, sizes[k]), /*inner=*/false);
  for (unsigned k = sizes.size() - 1; k > keeper; --k)
    std::tie(rest, result[k]) = builder.split(rest, std::max<int64_t>(1, sizes[k]));
  result[keeper] = rest;
  return result;
}

size_t fuser::countLargeDims(ArrayRef<int64_t> sizes) {
  return llvm::count_if(sizes, [](int64_t size) { return size != 1; });
}

std::optional<int64_t> fuser::getStaticProduct(ArrayRef<int64_t> sizes) {
  std::optional<int64_t> product = 1;
  for (int64_t size : sizes)
    product =
        ShapedType::isDynamic(size) || !product ? std::nullopt : llvm::checkedMul(*product, size);
  return product;
}

/// The positions of `shape` whose size is not 1, and their sizes.
static SmallVector<unsigned> getLargeDims(ArrayRef<int64_t> shape, SmallVector<int64_t> &sizes) {
  SmallVector<unsigned> dims;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size != 1) {
      dims.push_back(dim);
      sizes.push_back(size);
    }
  return dims;
}

/// Why a group has no splits and merges; empty where it has.
static std::string checkGroup(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  std::optional<int64_t> fromCount = getStaticProduct(from), toCount = getStaticProduct(to);
  auto isStatic = [](ArrayRef<int64_t> sizes) {
    return llvm::none_of(sizes, ShapedType::isDynamic);
  };
  if ((isStatic(from) && !fromCount) || (isStatic(to) && !toCount))
    return "expected fewer than 2^63 elements, but got more";
  if (fromCount && toCount && *fromCount != *toCount)
    return "expected a result of " + std::to_string(*fromCount) +
           " elements like the operand, but got " + std::to_string(*toCount);
  unsigned dynamic = llvm::count_if(to, ShapedType::isDynamic);
  if (dynamic > 1)
    return "expected at most one dynamic result dimension in a group of dimensions that split and "
           "merge, but got " +
           std::to_string(dynamic);
  const bool isEmpty = llvm::is_contained(from, 0);
  if (dynamic == 0 && !fromCount && !isEmpty)
    return "expected a dynamic result dimension for the operand's dynamic ones, but got none";
  if (from.empty() || to.empty())
    return "expected dimensions that split and merge, but all dimensions of one side are 1";
  if (llvm::is_contained(to, 0) ? !isEmpty : isEmpty && toCount)
    return "expected both sides to be empty, but one is not";
  if (dynamic == 1 && llvm::is_contained(to, 0))
    return "expected no dynamic result dimension next to an empty one in a group of dimensions "
           "that split and merge, "
           "because any size is possible";
  if (dynamic == 1 && fromCount) {
    SmallVector<int64_t> others(to);
    llvm::erase_if(others, ShapedType::isDynamic);
    std::optional<int64_t> factor = getStaticProduct(others);
    if (!factor || *factor == 0 || *fromCount % *factor != 0)
      return "expected the " + std::to_string(*fromCount) +
             " elements to divide by the static result dimensions, but they do not";
  }
  return "";
}

static std::string checkGroups(ArrayRef<Group> groups, ArrayRef<int64_t> from,
                               ArrayRef<int64_t> to) {
  for (const Group &group : groups) {
    std::string reason = checkGroup(from.slice(group.fromBegin, group.fromEnd - group.fromBegin),
                                    to.slice(group.toBegin, group.toEnd - group.toBegin));
    if (!reason.empty())
      return reason;
  }
  return "";
}

namespace {
/// A reshape without the domain that it makes.
struct Factors {
  /// Dimensions other than 1, and their sizes.
  SmallVector<unsigned> fromDims, toDims;
  SmallVector<int64_t> fromSizes, toSizes;
  SmallVector<Group> groups;
  /// Of root ids. They are in the order of the result, so that a reshape that only adds or drops
  /// dimensions of size 1 needs no transform.
  SmallVector<IdKind> kinds;
  /// As ReshapePlan::rootOfDim.
  SmallVector<unsigned> rootOfDim;
  /// For each dimension of the result that is a root id, this id; else `kNoId`.
  SmallVector<unsigned> logical;

  ArrayRef<int64_t> getNewSizes(const Group &group) const {
    return ArrayRef(toSizes).slice(group.toBegin, group.toEnd - group.toBegin);
  }
};
} // namespace

/// As planReshape.
static std::optional<Factors> factor(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                     ArrayRef<ReshapeGroup> stated, std::string &reason) {
  Factors factors;
  SmallVector<int64_t> &fromSizes = factors.fromSizes, &toSizes = factors.toSizes;
  factors.fromDims = getLargeDims(from, fromSizes);
  factors.toDims = getLargeDims(to, toSizes);
  Grouping grouping(fromSizes, toSizes);
  if (!stated.empty()) {
    if (!grouping.takeStated(stated, factors.fromDims, factors.toDims, reason))
      return std::nullopt;
  } else if (!grouping.pairDynamic(reason)) {
    if (!reason.empty())
      return std::nullopt;
    grouping.strip();
  }
  reason = checkGroups(grouping.groups, fromSizes, toSizes);
  // An empty dimension matches any others: there may be a rest that only all dimensions together
  // can take.
  if (!reason.empty() && stated.empty() && getStaticProduct(fromSizes) == 0 &&
      getStaticProduct(toSizes) == 0) {
    grouping.groups.assign(1, {0, unsigned(fromSizes.size()), 0, unsigned(toSizes.size())});
    reason = checkGroups(grouping.groups, fromSizes, toSizes);
  }
  if (!reason.empty())
    return std::nullopt;

  factors.groups = std::move(grouping.groups);
  factors.rootOfDim.assign(from.size(), kNoId);
  factors.logical.assign(to.size(), kNoId);
  SmallVector<IdKind> &kinds = factors.kinds;
  unsigned nextTo = 0;
  auto addOnes = [&](unsigned end) {
    for (; nextTo < end; ++nextTo)
      if (to[nextTo] == 1) {
        factors.logical[nextTo] = kinds.size();
        kinds.push_back(IdKind::Broadcast);
      }
  };
  for (const Group &group : factors.groups) {
    addOnes(factors.toDims[group.toBegin]);
    for (unsigned k = group.fromBegin; k < group.fromEnd; ++k) {
      factors.rootOfDim[factors.fromDims[k]] = kinds.size();
      kinds.push_back(IdKind::Iteration);
    }
    kinds.append(getFurtherEmpty(factors.getNewSizes(group)).size(), IdKind::Expanded);
  }
  addOnes(to.size());
  return factors;
}

SmallVector<ReshapeGroup> fuser::getStatedGroups(ReshapeOp op) {
  SmallVector<ReshapeGroup> groups;
  if (op.getFrom() && op.getTo())
    for (auto [from, to] : llvm::zip(*op.getFrom(), *op.getTo()))
      groups.push_back({from, to});
  return groups;
}

/// The plan of shapes of these ranks.
/// SH7: why a plan has no domain.
static constexpr StringLiteral kLongFactor =
    "expected sizes of at most 2^40 where a dimension is split, but one is longer";

/// The plan has no domain if a factor is too long for a split.
static ReshapePlan planFactors(MLIRContext *context, const Factors &factors, size_t fromRank,
                               size_t toRank) {
  ArrayRef<unsigned> fromDims = factors.fromDims, toDims = factors.toDims;
  ReshapePlan plan;
  plan.rootOfDim = factors.rootOfDim;

  // Dimensions of size 1 join the group before them; those at the front, the first.
  for (auto [number, group] : llvm::enumerate(factors.groups)) {
    bool isFirst = number == 0, isLast = number + 1 == factors.groups.size();
    auto count = [&](ArrayRef<unsigned> dims, unsigned begin, unsigned end, size_t rank) {
      return int64_t(isLast ? rank : dims[end]) - int64_t(isFirst ? 0 : dims[begin]);
    };
    plan.groups.push_back({count(fromDims, group.fromBegin, group.fromEnd, fromRank),
                           count(toDims, group.toBegin, group.toEnd, toRank)});
  }
  if (plan.groups.empty() && (fromRank || toRank))
    plan.groups.push_back({int64_t(fromRank), int64_t(toRank)});

  DomainBuilder builder(context, factors.kinds);
  SmallVector<unsigned> logical = factors.logical;
  for (const Group &group : factors.groups) {
    SmallVector<unsigned> ids;
    for (unsigned k = group.fromBegin; k < group.fromEnd; ++k)
      ids.push_back(plan.rootOfDim[fromDims[k]]);
    ArrayRef<int64_t> sizes =
        ArrayRef(factors.fromSizes).slice(group.fromBegin, group.fromEnd - group.fromBegin);
    ArrayRef<int64_t> newSizes = factors.getNewSizes(group);
    for (unsigned further = 0, e = getFurtherEmpty(newSizes).size(); further < e; ++further)
      ids.push_back(plan.rootOfDim[fromDims[group.fromEnd - 1]] + 1 + further);
    for (auto [k, id] : llvm::enumerate(GroupBuilder(builder).transform(ids, sizes, newSizes)))
      logical[toDims[group.toBegin + k]] = id;
  }
  if (logical != builder.getLogical()) {
    builder.setLogical(logical);
    builder.setLoop(logical, SmallVector<ParallelType>(logical.size(), ParallelType::Serial));
  }
  plan.domain = builder.build();
  return plan;
}

std::optional<ReshapePlan> fuser::planReshape(ReshapeOp op, ArrayRef<int64_t> from,
                                              ArrayRef<int64_t> to, std::string &reason) {
  return planReshape(op.getContext(), from, to, reason, getStatedGroups(op));
}

static const fuser::detail::ReshapePlans::Entry &getKnown(ReshapeOp op) {
  auto *dialect = op.getContext()->getLoadedDialect<FuserDialect>();
  return dialect->getRegisteredInterface<fuser::detail::ReshapePlans>()->get(op);
}

ReshapePlan fuser::planReshape(ReshapeOp op) { return getKnown(op).plan; }

std::optional<ReshapePlan> fuser::planReshape(MLIRContext *context, ArrayRef<int64_t> from,
                                              ArrayRef<int64_t> to, std::string &reason,
                                              ArrayRef<ReshapeGroup> groups) {
  std::optional<Factors> factors = factor(from, to, groups, reason);
  if (!factors)
    return std::nullopt;
  ReshapePlan plan = planFactors(context, *factors, from.size(), to.size());
  if (plan.domain)
    return plan;
  reason = kLongFactor.str();
  return std::nullopt;
}

std::optional<ReshapedOrder> fuser::reshapeOrder(ArrayRef<ReshapeGroup> groups,
                                                 ArrayRef<int64_t> from, ArrayRef<int64_t> order) {
  SmallVector<unsigned> groupOf;
  SmallVector<int64_t> firstResult, fastestOf(groups.size(), -1);
  int64_t rank = 0;
  for (auto [number, group] : llvm::enumerate(groups)) {
    groupOf.append(group.from, number);
    firstResult.push_back(rank);
    rank += group.to;
  }
  ReshapedOrder result;
  auto addGroup = [&](unsigned number) {
    llvm::append_range(result.order,
                       llvm::seq(firstResult[number], firstResult[number] + groups[number].to));
  };
  int64_t last = -1;
  for (int64_t dim : order) {
    if (from[dim] == 1)
      continue;
    unsigned number = groupOf[dim];
    if (fastestOf[number] < 0)
      addGroup(number);
    else if (last != fastestOf[number] || dim < last)
      return std::nullopt;
    fastestOf[number] = last = dim;
  }
  SmallVector<int64_t> ones;
  for (auto [number, group] : llvm::enumerate(groups)) {
    result.fastest.append(group.to, fastestOf[number]);
    if (fastestOf[number] < 0)
      llvm::append_range(ones, llvm::seq(firstResult[number], firstResult[number] + group.to));
  }
  // What has one element may as well be slowest.
  result.order.insert(result.order.begin(), ones.begin(), ones.end());
  return result;
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

/// Checks that the stated groups cover the dimensions of both sides.
static LogicalResult verifyGroups(ReshapeOp op) {
  std::optional<ArrayRef<int64_t>> from = op.getFrom(), to = op.getTo();
  if (!from && !to)
    return success();
  if (!from || !to || from->size() != to->size())
    return op.emitOpError("expected as many groups of the operand's dimensions as of the result's, "
                          "but got ")
           << (from ? from->size() : 0) << " and " << (to ? to->size() : 0);
  auto verify = [&](ArrayRef<int64_t> counts, int64_t rank, StringRef what) -> LogicalResult {
    int64_t sum = 0;
    for (int64_t count : counts) {
      if (count < 0 || count > rank)
        return op.emitOpError("expected groups of 0 to ")
               << rank << " dimensions of the " << what << ", but got one of " << count;
      sum += count;
    }
    if (sum == rank)
      return success();
    return op.emitOpError("expected groups of the ")
           << rank << " dimensions of the " << what << ", but got groups of " << sum;
  };
  return success(succeeded(verify(*from, op.getInput().getType().getRank(), "operand")) &&
                 succeeded(verify(*to, op.getResult().getType().getRank(), "result")));
}

LogicalResult ReshapeOp::verify() {
  auto from = getInput().getType(), to = getResult().getType();
  // SH3
  if (from.getElementType() != to.getElementType())
    return emitOpError("expected a result with element type ")
           << from.getElementType() << ", but got " << to.getElementType();
  // SH5
  std::string reason;
  if (failed(verifyGroups(*this)))
    return failure();
  if (!factor(from.getShape(), to.getShape(), getStatedGroups(*this), reason))
    return emitOpError(reason);
  // SH7
  if (!getKnown(*this).plan.domain)
    return emitOpError(kLongFactor);
  return fuser::detail::verifyTensorViewOp(*this);
}

const fuser::detail::ReshapePlans::Entry &fuser::detail::ReshapePlans::get(ReshapeOp op) const {
  const Key key(op.getInput().getType(), op.getResult().getType(), op.getFromAttr(),
                op.getToAttr());
  {
    std::shared_lock<std::shared_mutex> lock(mutex);
    if (auto it = entries.find(key); it != entries.end())
      return *it->second;
  }
  ArrayRef<int64_t> from = op.getInput().getType().getShape(),
                    to = op.getResult().getType().getShape();
  std::string reason;
  std::optional<Factors> factors = factor(from, to, getStatedGroups(op), reason);
  assert(factors && "expected a verified reshape");
  auto entry = std::make_unique<Entry>(
      Entry{planFactors(op.getContext(), *factors, from.size(), to.size()), factors->kinds});
  std::unique_lock<std::shared_mutex> lock(mutex);
  // Another thread may have made it in the meantime.
  return *entries.try_emplace(key, std::move(entry)).first->second;
}

DomainAttr ReshapeOp::getTrivialDomain(unsigned) { return getKnown(*this).plan.domain; }

SmallVector<IdKind> ReshapeOp::getRootKinds() { return getKnown(*this).kinds; }

SmallVector<DimMap> ReshapeOp::getDimMaps(unsigned) {
  return llvm::map_to_vector(getKnown(*this).plan.rootOfDim, [](unsigned root) {
    return root == kNoId ? DimMap::broadcast() : DimMap::mapped(root);
  });
}

SmallVector<AffineExpr>
ReshapeOp::inferRootExtents(ArrayRef<SmallVector<AffineExpr>> operandExtents,
                            function_ref<AffineExpr(Value)>) {
  const fuser::detail::ReshapePlans::Entry &known = getKnown(*this);
  // Ids that no operand dimension maps to are of size 1, or empty.
  SmallVector<AffineExpr> extents;
  for (IdKind kind : known.kinds)
    extents.push_back(getAffineConstantExpr(kind == IdKind::Expanded ? 0 : 1, getContext()));
  for (auto [dim, root] : llvm::enumerate(known.plan.rootOfDim))
    if (root != kNoId)
      extents[root] = operandExtents[0][dim];
  return extents;
}
