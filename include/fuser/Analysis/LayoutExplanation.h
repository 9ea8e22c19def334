//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Describes what determines the order of every value of a function, as rows to print.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_LAYOUTEXPLANATION_H
#define FUSER_ANALYSIS_LAYOUTEXPLANATION_H

#include "fuser/Analysis/LayoutInfo.h"
#include <string>

namespace fuser {

/// One value or output.
struct LayoutRow {
  /// "%arg0", "%3#1" as the function prints them, or "output 0".
  std::string name;
  /// Location for a remark about it.
  mlir::Location loc;
  ValueOrder order;
  /// The effect of the order or of the hint: "stored as output 0", "hint not taken", ...
  std::string outcome;
};

/// The rows of a fusion, a kernel or a host function: arguments, results of ops on tensors (or
/// buffers), outputs, each in order.
llvm::SmallVector<LayoutRow> explainLayouts(mlir::FunctionOpInterface function);

/// "hint [0, 2, 3, 1], rule follow-reference, reference argument 0; stored as output 0"
std::string describeRow(const LayoutRow &row);

/// The rows as a table with a line of titles; columns are as wide as their texts.
void printTable(llvm::raw_ostream &out, llvm::ArrayRef<LayoutRow> rows);

} // namespace fuser

#endif // FUSER_ANALYSIS_LAYOUTEXPLANATION_H
