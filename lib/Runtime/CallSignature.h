//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether a call has the sizes, strides and scalars of an earlier one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_CALLSIGNATURE_H
#define FUSER_LIB_RUNTIME_CALLSIGNATURE_H

#include "fuser/Runtime/Tensor.h"

#include <vector>

namespace fuser::runtime {

class ExecutionPlan;

/// Everything about the arguments of a call that its checks, guards and expressions read, other
/// than addresses: what holds for arguments holds for others of the same signature. Types, ranks,
/// devices and addresses are compared with the plan. Arguments without elements have no signature.
class CallSignature {
public:
  /// Whether arguments that have this signature were assigned, and these have it. Their addresses
  /// are those that checkArguments accepts, overlaps aside.
  bool matches(const ExecutionPlan &plan, ArrayView<CallArgument> arguments) const;
  /// The signature of arguments that checkArguments accepts.
  void assign(const ExecutionPlan &plan, ArrayView<CallArgument> arguments);
  void clear() { isKnown = false; }

private:
  bool isKnown = false;
  /// Sizes and strides of tensors in turn, and values of scalars and alignments that expressions
  /// read.
  std::vector<int64_t> numbers;
};

/// The largest power of two up to 4096 that divides an address.
inline int64_t alignmentOf(const void *data) {
  // The lowest set bit; null counts as fully aligned.
  auto address = reinterpret_cast<uintptr_t>(data) | 4096;
  return static_cast<int64_t>(address & (~address + 1));
}

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_CALLSIGNATURE_H
