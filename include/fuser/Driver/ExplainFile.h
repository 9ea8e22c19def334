//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Implements fuser-explain: reads a program and reports the compiler's decisions and their reasons.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_EXPLAINFILE_H
#define FUSER_DRIVER_EXPLAINFILE_H

#include "fuser/Driver/Driver.h"

namespace fuser::driver {

enum class ExplainFormat { Text, Json, Svg, Html };

struct ExplainOptions {
  /// The .mlir file; "-" is the standard input.
  std::string file;
  /// The fusion of the file to explain; empty: the only one.
  std::string program;
  /// Sizes of arguments; other fields are ignored.
  InputOptions inputs;
  /// Device that kernels are scheduled for: a name or a chip.
  std::string target = "sm_90";
  /// A file with a device description in text form, instead of `target`; empty: none.
  std::string deviceFile;
  /// Where segments end (PipelineOptions::markBoundaries).
  std::string markBoundaries;
  /// A file with schedules of kernels, as fuser-tune writes it; empty: none.
  std::string schedules;
  /// Measured times: a file that `fuser-run --profile` wrote; empty: none. Its sizes are the
  /// default of `inputs`.
  std::string profile;
  ExplainFormat format = ExplainFormat::Text;
  /// The file to write; empty or "-": the stream of explain().
  std::string output;
  /// Emit segments and boundaries as remarks at the ops, instead of a report.
  bool remarks = false;
};

/// Explains one fusion. The report goes to `out`; diagnostics, remarks and errors go to `errors`.
/// `registry` has the dialects that the file may use.
Outcome explain(const ExplainOptions &options, const mlir::DialectRegistry &registry,
                llvm::raw_ostream &out, llvm::raw_ostream &errors);

} // namespace fuser::driver

#endif // FUSER_DRIVER_EXPLAINFILE_H
