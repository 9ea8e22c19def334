//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Session/Specializations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fuser;
using namespace fuser::session;
using artifact::ArrayView;
using artifact::Artifact;
using artifact::ExprKind;
using artifact::ExprNode;
using runtime::CallArgument;

/// Largest over smallest size of the first range of a dimension: at most three quarters of the
/// loads of a thread are masked off. A call beyond it shows that sizes differ by more.
static constexpr int64_t kFirstFactor = 4, kLaterFactor = 32;
/// Rows that a few threads hold are in one range.
static constexpr int64_t kShortRow = 128;
/// Sizes from here on are no rows that a kernel keeps.
static constexpr int64_t kLongRow = int64_t(1) << 40;

SizeBoundsMap session::getSizeBounds(const Artifact &artifact) {
  SizeBoundsMap all;
  for (const artifact::Guard &guard : artifact.guards) {
    const ExprNode &lhs = artifact.exprs.nodes()[guard.lhs];
    const ExprNode &rhs = artifact.exprs.nodes()[guard.rhs];
    const bool isEqual = guard.relation == ExprKind::Equal;
    if (!isEqual && guard.relation != ExprKind::LessEqual)
      continue;
    if (lhs.kind == ExprKind::Size && rhs.kind == ExprKind::Constant) {
      SizeBounds &bounds = all[{lhs.a, lhs.b}];
      bounds.most = std::min(bounds.most, rhs.value);
      if (isEqual)
        bounds.least = std::max(bounds.least, rhs.value);
    } else if (lhs.kind == ExprKind::Constant && rhs.kind == ExprKind::Size) {
      SizeBounds &bounds = all[{rhs.a, rhs.b}];
      bounds.least = std::max(bounds.least, lhs.value);
      if (isEqual)
        bounds.most = std::min(bounds.most, lhs.value);
    }
  }
  return all;
}

/// The guard that a size which is computed, as that of a pad, is not 0.
static bool isOfComputedSize(const Artifact &artifact, const artifact::Guard &guard) {
  const ExprNode &lhs = artifact.exprs.nodes()[guard.lhs];
  const ExprNode &rhs = artifact.exprs.nodes()[guard.rhs];
  return guard.relation == ExprKind::LessEqual && lhs.kind == ExprKind::Constant &&
         lhs.value == 1 && rhs.kind != ExprKind::Size;
}

bool session::refusesEmptyValues(const Artifact &artifact) {
  return llvm::any_of(artifact.guards,
                      [&](auto &guard) { return isOfComputedSize(artifact, guard); });
}

Generality session::getGenerality(const Artifact &artifact, const SizeBoundsMap &bounds) {
  Generality result;
  for (const auto &[place, size] : bounds)
    if (size.isRange() && size.least <= size.most)
      result.rangeBits += llvm::Log2_64_Ceil(llvm::divideCeil(size.most, size.least));
  const std::vector<ExprNode> &nodes = artifact.exprs.nodes();
  for (const artifact::Guard &guard : artifact.guards) {
    const ExprNode &lhs = nodes[guard.lhs], &rhs = nodes[guard.rhs];
    if (guard.relation == ExprKind::Equal && lhs.kind == ExprKind::Mod &&
        nodes[lhs.b].kind == ExprKind::Constant && nodes[lhs.b].value > 0 &&
        rhs.kind == ExprKind::Constant && rhs.value == 0)
      result.freedom -= llvm::Log2_64(static_cast<uint64_t>(nodes[lhs.b].value));
    result.freedom -= isOfComputedSize(artifact, guard);
  }
  for (const artifact::ArgumentSpec &argument : artifact.arguments) {
    result.freedom -= llvm::Log2_64(std::max<uint64_t>(1, argument.alignment));
    result.freedom -= std::count(argument.contiguous.begin(), argument.contiguous.end(), 1);
  }
  return result;
}

void Specializations::add(std::shared_ptr<runtime::Executable> executable) {
  auto entry = std::make_unique<Specialization>();
  entry->bounds = getSizeBounds(executable->getArtifact());
  entry->generality = getGenerality(executable->getArtifact(), entry->bounds);
  entry->executable = std::move(executable);
  std::atomic<Specialization *> *place = &head;
  while (Specialization *next = place->load(std::memory_order_relaxed)) {
    if (!(next->generality < entry->generality))
      break;
    place = &next->next;
  }
  entry->next.store(place->load(std::memory_order_relaxed), std::memory_order_relaxed);
  place->store(entry.get(), std::memory_order_release);
  storage.push_back(std::move(entry));
}

SizeBounds session::chooseRange(int64_t size, ArrayView<SizeBounds> refused) {
  int64_t smallest = size, largest = size, factor = kFirstFactor;
  for (const SizeBounds &bounds : refused) {
    smallest = std::min(smallest, bounds.least);
    if (bounds.least < bounds.most)
      factor = kLaterFactor;
    else
      // The end of a range may be a size that no call had, and the longest row determines the code.
      largest = std::max(largest, bounds.most);
  }
  // From power of two to power of two, first towards the sizes of other calls, then in the
  // direction in which the size differs from a single one, and in both directions by turns after
  // that.
  int64_t least = int64_t(1) << llvm::Log2_64(static_cast<uint64_t>(size));
  int64_t most = static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(size)));
  bool upwards = size != smallest;
  while (most / least < factor) {
    if (most < largest) {
      most *= 2;
    } else if (least > smallest) {
      least /= 2;
    } else {
      if (upwards || least == 1)
        most *= 2;
      else
        least /= 2;
      upwards ^= factor != kFirstFactor;
    }
  }
  return most <= kShortRow ? SizeBounds{2, kShortRow} : SizeBounds{least, most};
}

std::vector<SizeRange> Specializations::chooseRanges(ArrayView<CallArgument> arguments) const {
  // What each dimension was specialized for.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<SizeBounds>> refused;
  for (const Specialization *entry = getFirst(); entry; entry = getNext(entry))
    for (const auto &[place, bounds] : entry->bounds) {
      if (!bounds.isRange())
        continue;
      auto [argument, dim] = place;
      const int64_t size = arguments[argument].tensor.sizes[dim];
      if (size >= 2 && size < kLongRow && bounds.most < kLongRow && !bounds.contains(size))
        refused[place].push_back(bounds);
    }
  std::vector<SizeRange> ranges;
  for (const auto &[place, sizes] : refused)
    ranges.push_back({place.first, place.second,
                      chooseRange(arguments[place.first].tensor.sizes[place.second], sizes)});
  return ranges;
}
