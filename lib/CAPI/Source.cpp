//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Source.h"
#include "fuser/Compiler/Import.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Driver/HostArray.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::capi;
using artifact::ErrorCode;
using artifact::makeError;
using artifact::Status;

static DialectRegistry getDialects() {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  registerImportDialects(registry);
  return registry;
}

Source::Source(const int *interrupt)
    : context(getDialects(), MLIRContext::Threading::DISABLED), interruption(&context, interrupt) {
  context.printOpOnDiagnostic(false);
}

artifact::Error Source::fail(ErrorCode code) {
  if (interruption.isInterrupted())
    return makeError(ErrorCode::Interrupted, "expected to finish, but was interrupted");
  return {code, diagnostics ? diagnostics->take() : std::string()};
}

Status Source::checkComplete() {
  return interruption.isInterrupted() ? Status(fail(ErrorCode::Interrupted)) : Status();
}

Status Source::read(const char *text, size_t length) {
  // MLIR's lexer needs a terminating zero, which a text with a length may lack.
  std::string terminated(text, length);
  diagnostics.emplace(&context, terminated, "program");
  module = parseSourceString<ModuleOp>(terminated, ParserConfig(&context), "program");
  if (!module || failed(importProgram(*module)))
    return fail(ErrorCode::InvalidProgram);
  unsigned count = 0;
  for (auto function : module->getOps<FunctionOpInterface>())
    if (isa<FusionOp, HostOp>(function)) {
      program = function;
      ++count;
    }
  if (count != 1)
    return makeError(ErrorCode::InvalidProgram, "expected one fusion or host function, but got ",
                     count);
  return {};
}

std::vector<session::Program::Parameter> Source::getParameters() {
  std::vector<session::Program::Parameter> parameters;
  for (Type type : program.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    auto scalar = type.isIndex() ? artifact::DType::I64 : driver::getDType(type);
    session::Program::Parameter parameter;
    parameter.rank = tensor ? tensor.getRank() : -1;
    parameter.dtype = scalar.value_or(artifact::DType::F32);
    parameters.push_back(parameter);
  }
  return parameters;
}

Status Source::specializeFor(const fuser_argument *arguments, size_t count) {
  if (count == 0 && program.getNumArguments() != 0)
    return {};
  std::vector<session::Program::Parameter> parameters = getParameters();
  if (Status status = capi::readArguments(
          parameters.size(), [&](size_t index) { return *parameters[index].dtype; }, arguments,
          count, call);
      !status)
    return status;
  for (size_t i = 0; i < count; ++i) {
    const runtime::CallArgument &argument = call.arguments[i];
    if (argument.isTensor != (parameters[i].rank >= 0))
      return makeError(ErrorCode::ArgumentKind, "argument ", i, ": expected a ",
                       argument.isTensor ? "scalar" : "tensor", ", but got a ",
                       argument.isTensor ? "tensor" : "scalar");
    if (argument.isTensor && int64_t(argument.tensor.rank) != parameters[i].rank)
      return makeError(ErrorCode::RankMismatch, "argument ", i, ": expected rank ",
                       parameters[i].rank, ", but got rank ", argument.tensor.rank);
  }
  session::specialize(*module, call.arguments);
  return {};
}
