//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program as MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SESSION_SOURCE_H
#define FUSER_LIB_SESSION_SOURCE_H

#include "fuser/Artifact/Artifact.h"
#include "fuser/Compiler/Import.h"
#include "fuser/Session/Program.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuser::session {

/// The arguments and results of a program.
struct Signature {
  /// Those of calls, then the constants.
  std::vector<Program::Parameter> parameters;
  std::vector<artifact::Constant> constants;
  /// For each result: the argument whose memory it uses, or -1.
  std::vector<int64_t> aliases;
};

/// The signature of the program that was compiled to `artifact`; its constants are not copied.
Signature getSignature(const artifact::Artifact &artifact);

/// A text, parsed when it is first needed: a program whose artifacts are cached does without.
class Source {
public:
  explicit Source(llvm::StringRef text) : text(text.str()) {}

  /// Parses the text and converts it to a fusion, unless that was done. Fails with InvalidProgram
  /// and the diagnostics.
  artifact::Status parse();
  /// What the text says; it must have been parsed.
  Signature &getSignature() { return signature; }

  /// For diagnostics.
  const std::string text;
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  double parseMilliseconds = 0;

private:
  artifact::Status readSignature(const ImportedProgram &imported);

  Signature signature;
};

/// The name of the text in locations.
inline constexpr llvm::StringLiteral kSourceName = "program";

} // namespace fuser::session

#endif // FUSER_LIB_SESSION_SOURCE_H
