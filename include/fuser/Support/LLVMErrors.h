//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The errors of LLVM's linker, optimizer and code generators as diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SUPPORT_LLVMERRORS_H
#define FUSER_SUPPORT_LLVMERRORS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace fuser {

/// Turns the errors of an LLVMContext into diagnostics at `loc`, and sets `failed`; drops remarks
/// and warnings. A context without a handler ends the process at the first error. In the header,
/// because most that link this room do not link LLVM's IR.
class LLVMErrorHandler : public llvm::DiagnosticHandler {
public:
  LLVMErrorHandler(mlir::Location loc, bool &failed) : loc(loc), failed(failed) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    failed = true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    mlir::emitError(loc) << "expected code that LLVM can compile: " << text;
    return true;
  }

private:
  mlir::Location loc;
  bool &failed;
};

} // namespace fuser

#endif // FUSER_SUPPORT_LLVMERRORS_H
