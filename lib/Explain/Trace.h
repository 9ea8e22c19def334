//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The texts of a program after each step of the compiler, and which op each line came from.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_EXPLAIN_TRACE_H
#define FUSER_LIB_EXPLAIN_TRACE_H

#include "fuser/Explain/Explanation.h"

namespace fuser::explain {

/// The text of a fusion before preseg. Its ops are found again by their locations.
class SourceText {
public:
  explicit SourceText(FusionOp fusion);
  /// The text, with the numbers of the ops of the fusion after preseg (not located yet).
  StageText finish(FusionOp fusion, llvm::ArrayRef<mlir::Operation *> ops) const;

private:
  struct Line {
    unsigned number;
    mlir::Location loc;
  };
  std::string text;
  std::vector<Line> lines;
};

/// Adds number k to the location of op k of a fusion, and the numbers after them to those of tensor
/// arguments: what the compiler makes of them keeps that location. Returns the text of the fusion,
/// stage "preseg".
StageText locateSources(FusionOp fusion, llvm::ArrayRef<mlir::Operation *> ops);

/// Compiles the kernels of `module`, the result of segmentation of a fusion with located ops, and
/// adds their texts to `result`. Diagnostics become errors of the result.
void traceKernels(mlir::ModuleOp module, const PipelineOptions &options, Explanation &result);

} // namespace fuser::explain

#endif // FUSER_LIB_EXPLAIN_TRACE_H
