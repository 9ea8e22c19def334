//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The C interface over sessions.
//
//===----------------------------------------------------------------------===//

#include "fuser-c/Fuser.h"
#include "Calls.h"
#include "fuser/Runtime/CudaDevice.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Session/Program.h"
#include <atomic>
#include <unistd.h>

using namespace fuser;
using artifact::DType;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;
using capi::Call;
using capi::fail;
using capi::readArguments;

namespace {
/// The process that opened a device, and how many of its threads use it. In a child after fork the
/// other threads are gone, and so is what they were about to finish.
struct Process {
  explicit Process(bool survivesFork) : survivesFork(survivesFork) {}
  const bool survivesFork;
  const pid_t id = getpid();
  std::atomic<int> users{0};
};

/// One use of a device or program by a thread.
class Use {
public:
  explicit Use(Process &process) : process(process), others(process.users++) {}
  ~Use() { --process.users; }
  Use(const Use &) = delete;
  Use &operator=(const Use &) = delete;

  Status check() const {
    if ((process.survivesFork && others == 0) || getpid() == process.id)
      return {};
    return makeError(ErrorCode::ProcessForked, "expected a handle of process ", getpid(),
                     ", but got one of its parent ", process.id,
                     process.survivesFork ? " that another thread was using"
                                          : ", whose GPU the child cannot use");
  }

private:
  Process &process;
  int others;
};
} // namespace

struct fuser_device_s {
  std::shared_ptr<runtime::Device> device;
  std::shared_ptr<Process> process;
};
struct fuser_program_s {
  std::unique_ptr<session::Program> program;
  std::shared_ptr<Process> process;
};

//===----------------------------------------------------------------------===//
// Errors and devices
//===----------------------------------------------------------------------===//

int fuser_error_code(fuser_error error) { return static_cast<int>(error->error.code); }
const char *fuser_error_kind(fuser_error error) { return artifact::toString(error->error.code); }
const char *fuser_error_message(fuser_error error) { return error->error.message.c_str(); }
void fuser_error_destroy(fuser_error error) { delete error; }

int fuser_api_version(void) { return 6; }

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
  *device = new fuser_device_s{made.take(), std::make_shared<Process>(name == "host")};
  return nullptr;
}

fuser_error fuser_device_describe(fuser_device device, fuser_text *result) {
  Use use(*device->process);
  if (Status status = use.check(); !status)
    return fail(status.takeError());
  auto text = std::make_unique<fuser_text_s>();
  text->text = printDevice(device->device->description()) +
               "assembler = " + device->device->assemblerKey() + "\n";
  *result = text.release();
  return nullptr;
}

void fuser_device_destroy(fuser_device device) { delete device; }

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

fuser_error fuser_program_create(fuser_device device, const char *text, size_t length,
                                 const fuser_program_options *options, fuser_program *program) {
  Use use(*device->process);
  if (Status status = use.check(); !status)
    return fail(status.takeError());
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
  session.compileOnCall = !options || !options->compile_ahead;
  if (options && (options->scheduler || options->schedule)) {
    auto forced = capi::forceSchedule(options->scheduler, options->schedule);
    if (!forced)
      return fail(forced.takeError());
    session.afterPhase = forced.take();
  }
  auto made = session::Program::create({text, length}, device->device, std::move(session));
  if (!made)
    return fail(made.takeError());
  *program = new fuser_program_s{made.take(), device->process};
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

const char *fuser_program_scalar_type(fuser_program program, size_t argument) {
  auto parameters = program->program->getParameters();
  if (argument >= parameters.size() || parameters[argument].rank >= 0)
    return nullptr;
  switch (*parameters[argument].dtype) {
  case DType::Bool:
    return "i1";
  case DType::F32:
    return "f32";
  case DType::F64:
    return "f64";
  case DType::Complex64:
    return "complex<f32>";
  case DType::Complex128:
    return "complex<f64>";
  default:
    return "i64";
  }
}

int64_t fuser_program_alias_of(fuser_program program, size_t result) {
  return program->program->getAliasOf(result);
}

/// The arguments of a call of the program, which `use` lasts for.
static Status readCall(fuser_program program, const Use &use, const fuser_argument *arguments,
                       size_t count, Call &call) {
  if (Status status = use.check(); !status)
    return status;
  return readArguments(program->program->getParameters(), arguments, count, call);
}

fuser_error fuser_program_call(fuser_program program, const fuser_argument *arguments,
                               size_t num_arguments, void *stream, struct DLManagedTensor **results,
                               size_t num_results) {
  Use use(*program->process);
  Call call;
  if (auto status = readCall(program, use, arguments, num_arguments, call); !status)
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

fuser_error fuser_program_call_into(fuser_program program, const fuser_argument *arguments,
                                    size_t num_arguments, void *stream,
                                    const struct DLTensor *const *results, size_t num_results) {
  Use use(*program->process);
  Call call;
  if (auto status = readCall(program, use, arguments, num_arguments, call); !status)
    return fail(status.takeError());
  if (num_results != program->program->getNumResults())
    return fail(makeError(ErrorCode::ArgumentCount, "expected ", program->program->getNumResults(),
                          " results, but got ", num_results));
  std::vector<std::vector<int64_t>> strides(num_results);
  std::vector<runtime::TensorView> views;
  for (size_t i = 0; i < num_results; ++i) {
    if (!results[i])
      return fail(makeError(ErrorCode::ArgumentKind, "output ", i,
                            ": expected a tensor, but got a null pointer"));
    auto view = capi::readTensor(*results[i], "output", i, strides[i]);
    if (!view)
      return fail(view.takeError());
    views.push_back(*view);
  }
  if (auto status = program->program->callInto(call.arguments, views, stream); !status)
    return fail(status.takeError());
  return nullptr;
}

fuser_error fuser_program_compile(fuser_program program, const fuser_argument *arguments,
                                  size_t num_arguments, const int *interrupt) {
  Use use(*program->process);
  Call call;
  if (auto status = readCall(program, use, arguments, num_arguments, call); !status)
    return fail(status.takeError());
  auto prepared = program->program->prepare(call.arguments, interrupt);
  return prepared ? nullptr : fail(prepared.takeError());
}

fuser_error fuser_program_would_compile(fuser_program program, const fuser_argument *arguments,
                                        size_t num_arguments, int *compiles) {
  Use use(*program->process);
  Call call;
  if (auto status = readCall(program, use, arguments, num_arguments, call); !status)
    return fail(status.takeError());
  *compiles = program->program->wouldCompile(call.arguments);
  return nullptr;
}

size_t fuser_program_num_fallbacks(fuser_program program) {
  return Use(*program->process).check() ? program->program->getNumFallbacks() : 0;
}
const char *fuser_program_fallback(fuser_program program, size_t number) {
  if (number >= fuser_program_num_fallbacks(program))
    return nullptr;
  const std::string *fallback = program->program->getFallback(number);
  return fallback ? fallback->c_str() : nullptr;
}
