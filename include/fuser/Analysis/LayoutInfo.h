//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The order of a value in memory, and the reason for it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_LAYOUTINFO_H
#define FUSER_ANALYSIS_LAYOUTINFO_H

#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>

namespace fuser {

/// What determines the order of a value, strongest first.
enum class OrderSource {
  /// The caller states the order of an argument; an output that aliases it has the same order.
  Fact,
  /// The program requires the order of an output.
  Requirement,
  /// A hint, or an allocation that was derived from a hint and may still change.
  Hint,
  /// An inherent order without a hint: an allocation domain, or the order of a `fuser.alloc`.
  Frozen,
  /// Nothing determines the order: row-major.
  Default,
};
/// "fact", "requirement", "hint", "frozen", "default".
llvm::StringRef stringifyOrderSource(OrderSource source);

/// The order of one value.
struct ValueOrder {
  /// Logical dimensions from slowest to fastest.
  llvm::SmallVector<int64_t> order;
  OrderSource source;
  /// The hint of the value, if any (a requirement or a fact may override it).
  LayoutHintAttr hint;

  bool isRowMajor() const { return llvm::is_sorted(order); }
};

/// Determines the order of a value, and the reason for it, in a fusion, a kernel or a host
/// function. All code that reads an order uses it, so that producers and consumers agree. The IR
/// may change during the lifetime of the object: every query reads the IR.
///
/// Hints only decide in a fusion. After outlining every order is inherent, so that stripping hints
/// does not change any order.
class LayoutInfo {
public:
  explicit LayoutInfo(mlir::FunctionOpInterface function) : function(function) {}

  /// The order of a tensor value of the function: an argument, the result of an op on tensors, or,
  /// in a host function, a buffer.
  ValueOrder getOrder(mlir::Value value) const;

  /// The order in which an output is stored: the fact of the argument that it aliases, else what
  /// the program requires, else the order of the returned value.
  ValueOrder getOutputOrder(unsigned output) const;

  /// The argument in whose buffer an output is stored, if there is one.
  std::optional<unsigned> getAlias(unsigned output) const;

private:
  mlir::FunctionOpInterface function;
};

/// The order of an allocation domain in terms of the result's dimensions, slowest first; a
/// dimension that is split counts at the place of its fastest part. Nullopt if an id is derived
/// from several dimensions.
std::optional<llvm::SmallVector<int64_t>> getAllocationOrder(DomainAttr domain);

/// The buffer that an op of a host function writes and whose new value is `value`: of a launch, a
/// library call, a copy or a placed part. Null for other ops.
mlir::Value getForwardedBuffer(mlir::OpResult value);

/// 0, 1, ..., rank - 1.
llvm::SmallVector<int64_t> getRowMajorOrder(int64_t rank);

} // namespace fuser

#endif // FUSER_ANALYSIS_LAYOUTINFO_H
