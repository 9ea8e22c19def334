//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the fuzzer of parsers, bytecode and verifiers does with one input.
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

/// Reads programs, text or bytecode, as every tool does: parse, verify. What is accepted is also
/// printed in both forms and written as bytecode of both formats that have properties; where it
/// came from text, each of these must be accepted in turn.
///
/// One context serves many inputs, since making one takes longer than reading a program; it is
/// replaced now and then, as types and attributes live as long as it does.
class ProgramReader {
public:
  ProgramReader();
  ~ProgramReader();

  /// True where the input is a valid program; `fault` gets a sentence where what is printed or
  /// written of it is not.
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
