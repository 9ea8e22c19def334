//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds sizes in a host function from the expressions of the extent analysis.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_HOSTEXTENTS_H
#define FUSER_LIB_SEGMENTATION_HOSTEXTENTS_H

#include "fuser/Analysis/Extents.h"
#include "mlir/IR/Builders.h"

namespace fuser {

/// Emits index arithmetic over the arguments of a host function, which are those of the analysed
/// program. Each argument size is read once, where it is first needed.
class HostExtents {
public:
  HostExtents(const ExtentAnalysis &analysis, mlir::ValueRange arguments, mlir::OpBuilder &builder,
              mlir::Location loc)
      : analysis(analysis), arguments(arguments), builder(builder), loc(loc) {}

  /// The value of an expression of the analysis' symbols, of type index, at the builder's place.
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

#endif // FUSER_LIB_SEGMENTATION_HOSTEXTENTS_H
