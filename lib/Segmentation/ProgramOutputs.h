//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The outputs of a host function, and its signature and guards.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SEGMENTATION_PROGRAMOUTPUTS_H
#define FUSER_LIB_SEGMENTATION_PROGRAMOUTPUTS_H

#include "fuser/Analysis/ExtentValues.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/Extents.h"

namespace fuser {

/// The source of an output of the fusion, and its buffer.
struct ProgramOutput {
  mlir::Value value;
  /// The argument that is returned unchanged; none: a kernel computes the output.
  std::optional<unsigned> forwarded;
  /// The argument in whose buffer it is stored; none: a new buffer.
  std::optional<unsigned> alias;
  /// A kernel writes it into the argument's buffer; otherwise it is copied there at the end.
  bool isWrittenInPlace = false;

  bool isComputed() const { return !forwarded; }
  /// The output is already in its buffer.
  bool isInPlace() const { return forwarded && alias == forwarded; }
};

/// The outputs of a fusion, by position.
class ProgramOutputs {
public:
  /// Fails with a diagnostic at a stride order that is not resolved to a requirement, and at the
  /// fusion if its arguments do not determine the size of an output.
  static mlir::FailureOr<ProgramOutputs> create(FusionOp fusion, const ExtentAnalysis &analysis);

  size_t size() const { return outputs.size(); }
  ProgramOutput &operator[](unsigned position) { return outputs[position]; }
  auto begin() { return outputs.begin(); }
  auto end() { return outputs.end(); }
  /// True if another output is stored in the buffer of an argument.
  bool isOverwritten(unsigned argument) const {
    return llvm::any_of(outputs, [&](const ProgramOutput &output) {
      return output.alias == argument && !output.isInPlace();
    });
  }

private:
  llvm::SmallVector<ProgramOutput> outputs;
};

/// A host function at the insertion point with the signature and attributes of `fusion`, and an
/// empty body. Calls must satisfy `facts`; null: none.
HostOp createHostFunction(FusionOp fusion, mlir::ArrayAttr facts, mlir::OpBuilder &builder);

/// Creates at the insertion point the expectations that calls must satisfy in addition to facts.
void buildExpectations(FusionOp fusion, const ExtentAnalysis &analysis, ExtentValues &extents,
                       mlir::OpBuilder &builder);

} // namespace fuser

#endif // FUSER_LIB_SEGMENTATION_PROGRAMOUTPUTS_H
