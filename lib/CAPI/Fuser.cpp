//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The C interface over sessions.
//
//===----------------------------------------------------------------------===//

#include "fuser-c/Fuser.h"
#include "Schedules.h"
#include "fuser/CAPI/Runtime/Handles.h"
#include "fuser/Session/Program.h"

using namespace fuser;
using artifact::DType;
using artifact::Status;
using capi::Call;
using capi::fail;
using capi::Process;
using capi::Use;

struct fuser_program_s {
  std::unique_ptr<session::Program> program;
  std::shared_ptr<Process> process;
};

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
  if (options && options->mark_boundaries)
    session.markBoundaries = options->mark_boundaries;
  if (options && options->schedules)
    session.schedules = options->schedules;
  if (options && options->dependent_launches) {
    std::optional<DependentLaunches> launches =
        symbolizeDependentLaunches(options->dependent_launches);
    if (!launches)
      return fail(artifact::makeError(artifact::ErrorCode::ArgumentKind,
                                      "dependent_launches: expected 'all' or 'marked', but got '",
                                      options->dependent_launches, "'"));
    session.dependentLaunches = *launches;
  }
  session.compileOnCall = !options || !options->compile_ahead;
  session.neverCompile = options && options->never_compile;
  session.threads = options ? options->threads : 0;
  if (options && options->progress)
    session.onProgress = [callback = options->progress,
                          data = options->progress_data](const session::Progress &progress) {
      const fuser_progress passed = {progress.step.c_str(), progress.done, progress.total,
                                     progress.seconds};
      callback(data, &passed);
    };
  if (options && options->progress_delay)
    session.progressDelay = std::chrono::milliseconds(options->progress_delay);
  if (options && (options->scheduler || options->schedule)) {
    auto forced = capi::forceSchedule(options->scheduler, options->schedule);
    if (!forced)
      return fail(forced.takeError());
    session.afterPhase = forced.take();
    session.cacheKey = std::string("scheduler ") + (options->scheduler ? options->scheduler : "") +
                       "\nschedule " + (options->schedule ? options->schedule : "");
  }
  auto made = session::Program::create({text, length}, device->device, std::move(session));
  if (!made)
    return fail(made.takeError());
  *program = new fuser_program_s{made.take(), device->process};
  return nullptr;
}

fuser_error fuser_program_load(fuser_device device, fuser_artifact artifact,
                               const char *cache_directory, fuser_program *program) {
  Use use(*device->process);
  if (Status status = use.check(); !status)
    return fail(status.takeError());
  session::ProgramOptions options;
  if (cache_directory)
    options.cacheDirectory = cache_directory;
  auto made = session::Program::load(artifact->artifact, device->device, std::move(options));
  if (!made)
    return fail(made.takeError());
  *program = new fuser_program_s{made.take(), device->process};
  return nullptr;
}

fuser_error fuser_program_add_artifact(fuser_program program, fuser_artifact artifact) {
  Use use(*program->process);
  Status status = use.check();
  if (status)
    status = program->program->addArtifact(artifact->artifact);
  return status ? nullptr : fail(status.takeError());
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
  auto parameters = program->program->getParameters();
  return capi::readArguments(
      parameters.size(), [&](size_t index) { return parameters[index].dtype.value_or(DType::F32); },
      arguments, count, call);
}

template <typename Managed>
static fuser_error callProgram(fuser_program program, const fuser_argument *arguments,
                               size_t num_arguments, void *stream, Managed **results,
                               size_t num_results) {
  Use use(*program->process);
  Call call;
  if (auto status = readCall(program, use, arguments, num_arguments, call); !status)
    return fail(status.takeError());
  if (auto status = capi::checkNumResults(num_results, program->program->getNumResults()); !status)
    return fail(status.takeError());
  capi::ResultExporter<Managed> exporter(results);
  if (auto status = program->program->call(call.arguments, exporter, stream); !status)
    return fail(status.takeError());
  return nullptr;
}

fuser_error fuser_program_call(fuser_program program, const fuser_argument *arguments,
                               size_t num_arguments, void *stream, struct DLManagedTensor **results,
                               size_t num_results) {
  return callProgram(program, arguments, num_arguments, stream, results, num_results);
}

fuser_error fuser_program_call_versioned(fuser_program program, const fuser_argument *arguments,
                                         size_t num_arguments, void *stream,
                                         struct DLManagedTensorVersioned **results,
                                         size_t num_results) {
  return callProgram(program, arguments, num_arguments, stream, results, num_results);
}

fuser_error fuser_program_call_into(fuser_program program, const fuser_argument *arguments,
                                    size_t num_arguments, void *stream,
                                    const struct DLTensor *const *results, size_t num_results) {
  Use use(*program->process);
  Call call;
  if (auto status = readCall(program, use, arguments, num_arguments, call); !status)
    return fail(status.takeError());
  capi::Results places;
  if (auto status = places.read(results, num_results, program->program->getNumResults()); !status)
    return fail(status.takeError());
  if (auto status = program->program->callInto(call.arguments, places.views, stream); !status)
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

fuser_error fuser_program_artifact(fuser_program program, const fuser_argument *arguments,
                                   size_t num_arguments, const int *interrupt,
                                   fuser_artifact *artifact) {
  Use use(*program->process);
  Call call;
  if (auto status = readCall(program, use, arguments, num_arguments, call); !status)
    return fail(status.takeError());
  auto made = program->program->getArtifact(call.arguments, interrupt);
  if (!made)
    return fail(made.takeError());
  *artifact = new fuser_artifact_s(made.take());
  return nullptr;
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

fuser_error fuser_program_reason_to_compile(fuser_program program, const fuser_argument *arguments,
                                            size_t num_arguments, fuser_text *reason) {
  Use use(*program->process);
  Call call;
  if (auto status = readCall(program, use, arguments, num_arguments, call); !status)
    return fail(status.takeError());
  auto text = std::make_unique<fuser_text_s>();
  (void)program->program->wouldCompile(call.arguments, &text->text);
  *reason = text.release();
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
