//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which order in memory would be good for each value of a fusion (docs/layout.md, "Inference").
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
  /// memory; those slower than one that the value lacks are left out.
  llvm::SmallVector<int64_t> dims;
  /// A dimension of `source` that the value lacks is faster than some that it has.
  bool truncated = false;

  static constexpr int64_t kAssumedExtent = 256;

  /// The order of a value of `rank` dimensions that follows this reference: what it lacks outermost
  /// in logical order, then `dims`. Row-major where the reference is.
  llvm::SmallVector<int64_t> getOrder(int64_t rank) const;
};

/// A decision about one value.
struct InferredOrder {
  /// Dimensions from slowest to fastest; never row-major.
  llvm::SmallVector<int64_t> order;
  /// "follow-reference" (the references agree), "cheapest-reference" (they differ, and one order
  /// costs less than every other), or what a policy calls its rule.
  std::string rule;
  /// What it was taken from; null where a policy says nothing of it.
  mlir::Value reference;
};

/// A decision that takes the place of the general rules: a scheduler's view of the values that it
/// writes (S0.7). Nothing: the general rules decide.
using OrderPolicy =
    std::function<std::optional<InferredOrder>(mlir::Value, llvm::ArrayRef<OrderReference>)>;

/// Walks a fusion once, from its arguments to its outputs, and decides for each value. It asks the
/// ops for their domain mappings only. Reads the IR and changes nothing; valid while it stays.
///
/// References of a value are those of its operands with most dimensions that are not 1. An op that
/// reduces or contracts, and whose result gets no order, is a row-major reference itself. So are
/// values with a frozen allocation or a hint of another rule, in their orders.
class OrderInference {
public:
  /// `ownRules`: hints of these rules are what an earlier run wrote; they count for nothing.
  OrderInference(FusionOp fusion, llvm::ArrayRef<llvm::StringRef> ownRules,
                 OrderPolicy policy = nullptr);

  /// The order to hint at, or nothing: row-major is good, or the references do not say.
  std::optional<InferredOrder> getOrder(mlir::Value value) const;
  /// The references that the decision was taken from; at most kMaxReferences.
  llvm::ArrayRef<OrderReference> getReferences(mlir::Value value) const;

  /// Bounds the work for a value that depends on many inputs of one rank: the first ones count.
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
