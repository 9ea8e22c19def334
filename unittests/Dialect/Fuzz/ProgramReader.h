//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Processes one input of the fuzzer of parsers, bytecode and verifiers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DIALECT_FUZZ_PROGRAMREADER_H
#define FUSER_UNITTESTS_DIALECT_FUZZ_PROGRAMREADER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace fuser::fuzz {

/// Reads programs, text or bytecode, as every tool does: parse, verify. An accepted program is also
/// printed in both forms and written as bytecode of both formats that have properties; if it came
/// from text, each of these must be accepted in turn.
///
/// One context serves many inputs, since making one takes longer than reading a program; it is
/// replaced now and then, as types and attributes live as long as it does.
class ProgramReader {
public:
  ProgramReader();
  ~ProgramReader();

  /// True if the input is a valid program; `fault` gets a sentence if its printed or written form
  /// is not valid.
  bool read(llvm::StringRef input, std::string &fault);

  /// The program, or null; with diagnostics thrown away.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef input);

  mlir::MLIRContext &getContext() { return *context; }

private:
  void renewContext();

  std::unique_ptr<mlir::MLIRContext> context;
  /// Inputs that `context` has seen.
  unsigned reads = 0;
};

/// True where the first bytes are those of bytecode.
bool isBytecodeInput(llvm::StringRef input);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DIALECT_FUZZ_PROGRAMREADER_H
