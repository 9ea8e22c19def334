//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text that a run prints.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_REPORT_H
#define FUSER_LIB_DRIVER_REPORT_H

#include "fuser/Driver/Compare.h"
#include "fuser/Driver/Inputs.h"
#include "llvm/Support/raw_ostream.h"

namespace fuser::driver {

/// "program     @rms_norm": a line with a title and the beginning of its text.
llvm::raw_ostream &printTitle(llvm::raw_ostream &out, llvm::StringRef title);

/// The program's name, and one line for each argument: name, type, value of a scalar or file.
void printProgram(llvm::raw_ostream &out, llvm::StringRef name, const std::vector<Input> &inputs);

/// One line: what was compared, the errors, the verdict; a second one for the first wrong element.
void printComparison(llvm::raw_ostream &out, unsigned output, const Comparison &comparison,
                     const Tolerance &tolerance, const reference::Tensor &actual,
                     const reference::Tensor &expected);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_REPORT_H
