//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The executables of one program in the order in which calls try them, and the sizes that the next
// one should accept.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SESSION_SPECIALIZATIONS_H
#define FUSER_SESSION_SPECIALIZATIONS_H

#include "fuser/Runtime/Executable.h"

#include <atomic>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace fuser::session {

/// The sizes of one dimension that an executable accepts.
struct SizeBounds {
  int64_t least = 0, most = INT64_MAX;

  /// One size, or a range of sizes, not just "not empty" or "not too long".
  bool isRange() const { return least >= 2 && most < INT64_MAX; }
  bool contains(int64_t size) const { return least <= size && size <= most; }
};
/// By argument and dimension; those that guards bound by constants.
using SizeBoundsMap = std::map<std::pair<uint32_t, uint32_t>, SizeBounds>;
SizeBoundsMap getSizeBounds(const artifact::Artifact &artifact);

/// The range for a size that executables for `refused` do not accept.
SizeBounds chooseRange(int64_t size, artifact::ArrayView<SizeBounds> refused);

/// A dimension of an argument whose sizes differ between calls, and what code for it is to accept.
struct SizeRange {
  uint32_t argument = 0, dim = 0;
  SizeBounds bounds;
};

/// How general an executable is. Of those that accept a call, one for fewer sizes, wider accesses
/// and denser layouts is faster.
struct Generality {
  /// Sum of the binary logarithms of (largest / smallest size) of ranges.
  int64_t rangeBits = 0;
  /// Sum of the binary logarithms of divisors of sizes and alignments, and the numbers of
  /// contiguous dimensions and of computed sizes that may not be 0, negated.
  int64_t freedom = 0;

  bool operator<(const Generality &other) const {
    return std::pair(rangeBits, freedom) < std::pair(other.rangeBits, other.freedom);
  }
};
Generality getGenerality(const artifact::Artifact &artifact, const SizeBoundsMap &bounds);

/// True where a value that is computed may not be empty.
bool refusesEmptyValues(const artifact::Artifact &artifact);

/// An executable, and the next one in the order.
struct Specialization {
  std::shared_ptr<runtime::Executable> executable;
  SizeBoundsMap bounds;
  Generality generality;
  std::atomic<Specialization *> next{nullptr};
};

/// A list that any number of threads read without a lock while one adds to it; nothing is removed.
class Specializations {
public:
  /// After those that are less general; before others, because calls tend to repeat. The caller
  /// excludes other calls of this function.
  void add(std::shared_ptr<runtime::Executable> executable);

  Specialization *getFirst() const { return head.load(std::memory_order_acquire); }
  static Specialization *getNext(const Specialization *entry) {
    return entry->next.load(std::memory_order_acquire);
  }
  bool empty() const { return getFirst() == nullptr; }

  /// The dimensions for which `arguments` have a size that executables were specialized against,
  /// with the range of sizes that one executable is to serve from now on (ADR 84). Empty for a call
  /// that differs from earlier ones in something else.
  std::vector<SizeRange> chooseRanges(artifact::ArrayView<runtime::CallArgument> arguments) const;

private:
  std::vector<std::unique_ptr<Specialization>> storage;
  std::atomic<Specialization *> head{nullptr};
};

} // namespace fuser::session

#endif // FUSER_SESSION_SPECIALIZATIONS_H
