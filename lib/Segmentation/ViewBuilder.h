//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds the ops of views in the host function.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_VIEWBUILDER_H
#define FUSER_LIB_SEGMENTATION_VIEWBUILDER_H

#include "HostViews.h"
#include "fuser/Analysis/ExtentValues.h"

namespace fuser {

class ViewBuilder {
public:
  /// Ops are built where `builder` is; both outlive this one.
  ViewBuilder(mlir::OpBuilder &builder, mlir::Location loc, const ExtentAnalysis &analysis)
      : builder(builder), loc(loc), analysis(analysis) {}

  /// The view of `base`, of this type.
  mlir::Value build(mlir::Value base, mlir::Type type, const HostView &view,
                    ExtentValues &extents) const;
  /// The sizes of the dynamic dimensions of a tensor type.
  llvm::SmallVector<mlir::Value> buildSizes(mlir::Type type, llvm::ArrayRef<mlir::AffineExpr> exprs,
                                            ExtentValues &extents) const;
  /// Constants, and kDynamic for expressions that are appended to `values`.
  llvm::SmallVector<int64_t> resolve(llvm::ArrayRef<mlir::AffineExpr> exprs,
                                     llvm::SmallVectorImpl<mlir::Value> &values,
                                     ExtentValues &extents) const;

private:
  mlir::Value buildReshape(mlir::Value base, mlir::Type type, const HostView &view,
                           ExtentValues &extents) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const ExtentAnalysis &analysis;
};

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_VIEWBUILDER_H
