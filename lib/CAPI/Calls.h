//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments and errors of the C interface as the rooms take them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_CAPI_CALLS_H
#define FUSER_LIB_CAPI_CALLS_H

#include "DLPack.h"
#include "fuser-c/Fuser.h"
#include "fuser/Session/Program.h"

struct fuser_error_s {
  fuser::artifact::Error error;
};
struct fuser_text_s {
  std::string text;
};

namespace fuser::capi {

fuser_error fail(artifact::Error error);

/// The arguments of one call, with strides for the tensors that have none.
struct Call {
  std::vector<std::vector<int64_t>> strides;
  std::vector<runtime::CallArgument> arguments;
};

/// Reads the arguments of a call: one for each parameter. A scalar has its parameter's type.
artifact::Status readArguments(artifact::ArrayView<session::Program::Parameter> parameters,
                               const fuser_argument *arguments, size_t count, Call &call);

/// Called after each phase: restricts the kernels to `scheduler` (may be null) or sets `schedule`
/// (may be null), the text of an attribute, as their parameters. Fails with InvalidProgram for a
/// text that is no attribute.
artifact::Expected<std::function<void(Phase, mlir::ModuleOp)>> forceSchedule(const char *scheduler,
                                                                             const char *schedule);

} // namespace fuser::capi

#endif // FUSER_LIB_CAPI_CALLS_H
