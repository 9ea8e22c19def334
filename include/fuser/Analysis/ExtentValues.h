//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values of the expressions of the extent analysis.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ANALYSIS_EXTENTVALUES_H
#define FUSER_ANALYSIS_EXTENTVALUES_H

#include "fuser/Ids/Extents.h"
#include "mlir/IR/Builders.h"

namespace fuser {

/// Emits index arithmetic over the arguments of a function, which correspond to those of the
/// analysed program. Each argument size is read once, at its first use.
class ExtentValues {
public:
  ExtentValues(const ExtentAnalysis &analysis, mlir::ValueRange arguments, mlir::OpBuilder &builder,
               mlir::Location loc)
      : analysis(analysis), arguments(arguments), builder(builder), loc(loc) {}

  /// The value of an expression over the symbols of the analysis, of type index, at the builder's
  /// insertion point.
  mlir::Value build(mlir::AffineExpr expr);

private:
  mlir::Value buildSymbol(unsigned position);
  mlir::Value buildConstant(int64_t value);

  const ExtentAnalysis &analysis;
  mlir::ValueRange arguments;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::DenseMap<unsigned, mlir::Value> symbols;
};

} // namespace fuser

#endif // FUSER_ANALYSIS_EXTENTVALUES_H
