//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Infers a good memory order for each value of a fusion (docs/layout.md, "Inference").
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_ORDERINFERENCE_H
#define FUSER_ANALYSIS_ORDERINFERENCE_H

#include "fuser/Analysis/LayoutInfo.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>
#include <string>

namespace fuser {

/// A tensor whose order is known, as a value that depends on it sees it.
struct OrderReference {
  /// An argument, or the result of an op whose order is given.
  mlir::Value source;
  /// Dimensions of `source` whose size is not statically 1.
  unsigned numDims = 0;
  /// Estimated size of `source`; a dynamic dimension counts as kAssumedExtent elements.
  uint64_t bytes = 0;
  /// The dimensions of the value that are read from `source`, from slowest to fastest in its
  /// memory, without those that are slower than a dimension that the value lacks.
  llvm::SmallVector<int64_t> dims;
  /// A dimension of `source` that the value lacks is faster than some that it has.
  bool truncated = false;

  static constexpr int64_t kAssumedExtent = 256;

  /// The order of a value of `rank` dimensions that follows this reference: dimensions that the
  /// reference lacks come outermost in logical order, then `dims`. Row-major if the reference is.
  llvm::SmallVector<int64_t> getOrder(int64_t rank) const;
};

/// A decision about one value.
struct InferredOrder {
  /// Dimensions from slowest to fastest; never row-major.
  llvm::SmallVector<int64_t> order;
  /// "follow-reference" (the references agree), "cheapest-reference" (they differ, and one order
  /// costs less than every other), or the rule name of a policy.
  std::string rule;
  /// The deciding reference; null if a policy does not state one.
  mlir::Value reference;
};

/// Overrides the general rules, e.g. with a scheduler's preference for the values that it writes
/// (S0.7). Row-major: no hint. Nullopt: the general rules decide.
using OrderPolicy =
    std::function<std::optional<InferredOrder>(mlir::Value, llvm::ArrayRef<OrderReference>)>;

/// Walks a fusion once, from its arguments to its outputs, and decides for each value. It only
/// queries the domain mappings of ops. It does not change the IR, and is valid until the IR
/// changes.
///
/// The references of a value are those of its operands with the most dimensions that are not 1. The
/// result of a reduction or contraction that gets no order is a row-major reference itself. Values
/// with a frozen allocation or a hint of another rule are references in their orders.
class OrderInference {
public:
  /// `ownRules`: hints of these rules come from an earlier run and are ignored.
  OrderInference(FusionOp fusion, llvm::ArrayRef<llvm::StringRef> ownRules,
                 OrderPolicy policy = nullptr);

  /// The order to hint at; nullopt if row-major is good or the references do not decide.
  std::optional<InferredOrder> getOrder(mlir::Value value) const;
  /// The references that the decision is based on; at most kMaxReferences.
  llvm::ArrayRef<OrderReference> getReferences(mlir::Value value) const;

  /// Bounds the work for a value that depends on many inputs of one rank: only the first ones
  /// count.
  static constexpr unsigned kMaxReferences = 8;

private:
  void visit(TensorViewOpInterface op, llvm::ArrayRef<llvm::StringRef> ownRules);
  void visitResult(TensorViewOpInterface op, mlir::OpResult result);
  void setReference(mlir::Value value, llvm::ArrayRef<int64_t> order);

  OrderPolicy policy;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<OrderReference, 2>> references;
  llvm::DenseMap<mlir::Value, InferredOrder> orders;
};

} // namespace fuser

#endif // FUSER_ANALYSIS_ORDERINFERENCE_H
