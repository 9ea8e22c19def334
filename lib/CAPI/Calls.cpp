//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments, errors and schedules from C.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include <cstring>

using namespace mlir;
using namespace fuser;
using artifact::ArrayView;
using artifact::DType;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;
using runtime::ScalarValue;

fuser_error capi::fail(Error error) { return new fuser_error_s{std::move(error)}; }

static ScalarValue makeScalar(DType dtype, const fuser_argument &argument) {
  switch (dtype) {
  case DType::F32:
    return ScalarValue::f32(static_cast<float>(argument.real));
  case DType::F64:
    return ScalarValue::f64(argument.real);
  case DType::Bool:
    return ScalarValue::boolean(argument.integer != 0);
  case DType::Complex64: {
    float parts[2] = {static_cast<float>(argument.real), static_cast<float>(argument.imaginary)};
    ScalarValue scalar;
    scalar.dtype = dtype;
    std::memcpy(scalar.bytes, parts, sizeof(parts));
    return scalar;
  }
  case DType::Complex128: {
    double parts[2] = {argument.real, argument.imaginary};
    ScalarValue scalar;
    scalar.dtype = dtype;
    std::memcpy(scalar.bytes, parts, sizeof(parts));
    return scalar;
  }
  default:
    return ScalarValue::i64(argument.integer);
  }
}

Status capi::readArguments(ArrayView<session::Program::Parameter> parameters,
                           const fuser_argument *arguments, size_t count, Call &call) {
  if (count != parameters.size())
    return makeError(ErrorCode::ArgumentCount, "expected ", parameters.size(),
                     " arguments, but got ", count);
  call.strides.resize(count);
  call.arguments.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    if (!arguments[i].tensor) {
      call.arguments.emplace_back(
          makeScalar(parameters[i].dtype.value_or(DType::F32), arguments[i]));
      continue;
    }
    auto view = capi::readTensor(*arguments[i].tensor, "argument", i, call.strides[i]);
    if (!view)
      return view.takeError();
    call.arguments.emplace_back(*view);
  }
  return {};
}

Expected<std::function<void(Phase, ModuleOp)>> capi::forceSchedule(const char *scheduler,
                                                                   const char *schedule) {
  std::string name = scheduler ? scheduler : "", parameters = schedule ? schedule : "";
  if (!parameters.empty()) {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    std::string text;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      text += (text.empty() ? "schedule: " : "; ") + diagnostic.str();
    });
    if (!parseAttribute(parameters, &context))
      return Error{ErrorCode::InvalidProgram, text};
  }
  return std::function<void(Phase, ModuleOp)>([name, parameters](Phase phase, ModuleOp module) {
    if (phase != Phase::Segmentation)
      return;
    for (KernelOp kernel : module.getOps<KernelOp>()) {
      MLIRContext *context = module.getContext();
      if (!parameters.empty())
        kernel->setAttr("schedule", parseAttribute(parameters, context));
      else
        kernel->setAttr(FuserSchedDialect::kOnly, StringAttr::get(context, name));
    }
  });
}
