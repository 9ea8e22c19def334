//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The C interface over sessions.
//
//===----------------------------------------------------------------------===//

#include "fuser-c/Fuser.h"
#include "DLPack.h"
#include "fuser/Runtime/CudaDevice.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Session/Program.h"

using namespace fuser;
using artifact::DType;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using runtime::CallArgument;
using runtime::ScalarValue;

struct fuser_error_s {
  Error error;
};
struct fuser_device_s {
  std::shared_ptr<runtime::Device> device;
};
struct fuser_program_s {
  std::unique_ptr<session::Program> program;
};

static fuser_error fail(Error error) { return new fuser_error_s{std::move(error)}; }

//===----------------------------------------------------------------------===//
// Errors and devices
//===----------------------------------------------------------------------===//

int fuser_error_code(fuser_error error) { return static_cast<int>(error->error.code); }
const char *fuser_error_kind(fuser_error error) { return artifact::toString(error->error.code); }
const char *fuser_error_message(fuser_error error) { return error->error.message.c_str(); }
void fuser_error_destroy(fuser_error error) { delete error; }

int fuser_api_version(void) { return 2; }

int fuser_count_gpus(void) {
  Expected<int> count = runtime::countCudaDevices();
  return count ? *count : 0;
}

fuser_error fuser_device_create(const char *kind, int ordinal, fuser_device *device) {
  std::string name = kind ? kind : "";
  runtime::CudaDeviceOptions options;
  options.ordinal = ordinal;
  if (name != "cuda" && name != "host")
    return fail(makeError(ErrorCode::DeviceUnavailable,
                          "expected a device 'cuda' or 'host', but got '", name, "'"));
  auto made = name == "cuda" ? runtime::createCudaDevice(options) : runtime::createHostDevice();
  if (!made)
    return fail(made.takeError());
  *device = new fuser_device_s{made.take()};
  return nullptr;
}

void fuser_device_destroy(fuser_device device) { delete device; }

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

fuser_error fuser_program_create(fuser_device device, const char *text, size_t length,
                                 const fuser_program_options *options, fuser_program *program) {
  session::ProgramOptions session;
  if (options && options->target) {
    auto target = artifact::lookupDevice(options->target);
    if (!target)
      return fail(target.takeError());
    session.target = target.take();
  }
  if (options && options->cache_directory)
    session.cacheDirectory = options->cache_directory;
  session.approximateMath = options && options->approximate_math;
  auto made = session::Program::create({text, length}, device->device, std::move(session));
  if (!made)
    return fail(made.takeError());
  *program = new fuser_program_s{made.take()};
  return nullptr;
}

void fuser_program_destroy(fuser_program program) { delete program; }

size_t fuser_program_num_arguments(fuser_program program) {
  return program->program->getParameters().size();
}
size_t fuser_program_num_results(fuser_program program) {
  return program->program->getNumResults();
}
int fuser_program_is_tensor(fuser_program program, size_t argument) {
  auto parameters = program->program->getParameters();
  return argument < parameters.size() && parameters[argument].rank >= 0;
}

int64_t fuser_program_alias_of(fuser_program program, size_t result) {
  return program->program->getAliasOf(result);
}

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

namespace {
/// The arguments of one call, with strides for the tensors that have none.
struct Call {
  std::vector<std::vector<int64_t>> strides;
  std::vector<CallArgument> arguments;
};
} // namespace

static artifact::Status readArguments(const session::Program &program,
                                      const fuser_argument *arguments, size_t count, Call &call) {
  auto parameters = program.getParameters();
  if (count != parameters.size())
    return makeError(ErrorCode::ArgumentCount, "expected ", parameters.size(),
                     " arguments, but got ", count);
  call.strides.resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (!arguments[i].tensor) {
      call.arguments.emplace_back(makeScalar(parameters[i].dtype, arguments[i]));
      continue;
    }
    auto view = capi::readTensor(*arguments[i].tensor, i, call.strides[i]);
    if (!view)
      return view.takeError();
    call.arguments.emplace_back(*view);
  }
  return {};
}

fuser_error fuser_program_call(fuser_program program, const fuser_argument *arguments,
                               size_t num_arguments, void *stream, struct DLManagedTensor **results,
                               size_t num_results) {
  Call call;
  if (auto status = readArguments(*program->program, arguments, num_arguments, call); !status)
    return fail(status.takeError());
  if (num_results != program->program->getNumResults())
    return fail(makeError(ErrorCode::ArgumentCount, "expected ", program->program->getNumResults(),
                          " results, but got ", num_results));
  auto outputs = program->program->call(call.arguments, stream);
  if (!outputs)
    return fail(outputs.takeError());
  for (size_t i = 0; i < num_results; ++i)
    results[i] = capi::releaseTensor(std::move((*outputs)[i]));
  return nullptr;
}

fuser_error fuser_program_would_compile(fuser_program program, const fuser_argument *arguments,
                                        size_t num_arguments, int *compiles) {
  Call call;
  if (auto status = readArguments(*program->program, arguments, num_arguments, call); !status)
    return fail(status.takeError());
  *compiles = program->program->wouldCompile(call.arguments);
  return nullptr;
}

size_t fuser_program_num_fallbacks(fuser_program program) {
  return program->program->getNumFallbacks();
}
const char *fuser_program_fallback(fuser_program program, size_t number) {
  const std::string *fallback = program->program->getFallback(number);
  return fallback ? fallback->c_str() : nullptr;
}
