//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Implements fuser-count-kernel: reads kernel IR and counts the ops of its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_COUNTFILE_H
#define FUSER_DRIVER_COUNTFILE_H

#include "fuser/Driver/Driver.h"

namespace fuser::driver {

enum class CountFormat { Text, Lines };

struct CountOptions {
  /// The .mlir files; "-" is the standard input.
  std::vector<std::string> files;
  CountFormat format = CountFormat::Text;
};

/// Counts the kernels of each file, in the order of the command line and of the file. With several
/// files, a line begins with "FILE:", and a paragraph follows "file FILE". A file that cannot be
/// read, or has no kernel, is an error after which the next file is read. The counts go to `out`,
/// diagnostics go to `errors`. `registry` has the dialects that the files may use.
Outcome count(const CountOptions &options, const mlir::DialectRegistry &registry,
              llvm::raw_ostream &out, llvm::raw_ostream &errors);

} // namespace fuser::driver

#endif // FUSER_DRIVER_COUNTFILE_H
