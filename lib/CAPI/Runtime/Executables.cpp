//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Artifacts and their calls from C.
//
//===----------------------------------------------------------------------===//

#include "fuser/CAPI/Runtime/Handles.h"
#include "fuser/Runtime/ArtifactFile.h"
#include "fuser/Runtime/Executable.h"

using namespace fuser;
using artifact::Artifact;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;
using capi::Call;
using capi::fail;
using capi::Process;
using capi::Use;

struct fuser_executable_s {
  std::unique_ptr<runtime::Executable> executable;
  std::shared_ptr<Process> process;
};

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

fuser_artifact_s::fuser_artifact_s(Artifact given) : artifact(std::move(given)) {
  for (const artifact::OutputSpec &output : artifact.outputs) {
    std::vector<int64_t> &sizes = resultSizes.emplace_back();
    for (artifact::ExprId size : output.sizes) {
      int64_t value = artifact::kDynamic;
      sizes.push_back(artifact.exprs.isConstant(size, value) ? value : artifact::kDynamic);
    }
  }
}

static fuser_error take(Expected<Artifact> artifact, fuser_artifact *result) {
  if (!artifact)
    return fail(artifact.takeError());
  *result = new fuser_artifact_s(artifact.take());
  return nullptr;
}

fuser_error fuser_artifact_read(const char *path, fuser_artifact *artifact) {
  return take(runtime::readArtifact(path ? path : ""), artifact);
}

fuser_error fuser_artifact_deserialize(const void *data, size_t size, fuser_artifact *artifact) {
  return take(artifact::deserialize({static_cast<const char *>(data), data ? size : 0}), artifact);
}

fuser_error fuser_artifact_write(fuser_artifact artifact, const char *path) {
  Status status = runtime::writeArtifact(path ? path : "", artifact->artifact);
  return status ? nullptr : fail(status.takeError());
}

void fuser_artifact_destroy(fuser_artifact artifact) { delete artifact; }

const char *fuser_artifact_name(fuser_artifact artifact) { return artifact->artifact.name.c_str(); }

const char *fuser_artifact_device_kind(fuser_artifact artifact) {
  for (const artifact::Kernel &kernel : artifact->artifact.kernels)
    return kernel.format == artifact::KernelFormat::HostObject ? "host" : "cuda";
  return artifact::toString(artifact->artifact.target.kind);
}

void fuser_artifact_print(fuser_artifact artifact, fuser_text *result) {
  *result = new fuser_text_s{printArtifact(artifact->artifact)};
}

size_t fuser_artifact_num_arguments(fuser_artifact artifact) {
  return artifact::numPassedArguments(artifact->artifact);
}

size_t fuser_artifact_num_results(fuser_artifact artifact) {
  return artifact->artifact.outputs.size();
}

static fuser_error checkIndex(size_t index, size_t count, const char *what) {
  if (index < count)
    return nullptr;
  return fail(makeError(ErrorCode::ArgumentCount, "expected one of ", count, " ", what,
                        ", but got number ", index));
}

fuser_error fuser_artifact_argument(fuser_artifact artifact, size_t index, fuser_value_info *info) {
  if (fuser_error error = checkIndex(index, fuser_artifact_num_arguments(artifact), "arguments"))
    return error;
  const artifact::ArgumentSpec &argument = artifact->artifact.arguments[index];
  *info = {argument.name.c_str(),
           artifact::toString(argument.dtype),
           argument.isTensor ? static_cast<int64_t>(argument.sizes.size()) : -1,
           argument.sizes.data(),
           argument.alignment,
           -1};
  return nullptr;
}

fuser_error fuser_artifact_result(fuser_artifact artifact, size_t index, fuser_value_info *info) {
  if (fuser_error error = checkIndex(index, fuser_artifact_num_results(artifact), "results"))
    return error;
  const artifact::OutputSpec &output = artifact->artifact.outputs[index];
  const bool isStored = output.aliasOfArgument != artifact::kNotAnArgument && !output.isView;
  *info = {output.name.c_str(),
           artifact::toString(output.dtype),
           static_cast<int64_t>(output.sizes.size()),
           artifact->resultSizes[index].data(),
           output.alignment,
           isStored ? static_cast<int64_t>(output.aliasOfArgument) : -1};
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

fuser_error fuser_executable_create(fuser_device device, fuser_artifact artifact,
                                    const char *cache_directory, fuser_executable *executable) {
  Use use(*device->process);
  if (Status status = use.check(); !status)
    return fail(status.takeError());
  runtime::ExecutableOptions options;
  if (cache_directory)
    options.kernels = std::make_shared<runtime::KernelCache>(
        device->device, runtime::KernelCacheOptions{cache_directory});
  auto made = runtime::Executable::create(artifact->artifact, device->device, std::move(options));
  if (!made)
    return fail(made.takeError());
  *executable = new fuser_executable_s{made.take(), device->process};
  return nullptr;
}

void fuser_executable_destroy(fuser_executable executable) { delete executable; }

/// The arguments of a call, which `use` lasts for.
static Status readCall(fuser_executable executable, const Use &use, const fuser_argument *arguments,
                       size_t count, Call &call) {
  if (Status status = use.check(); !status)
    return status;
  const Artifact &artifact = executable->executable->getArtifact();
  return capi::readArguments(
      artifact::numPassedArguments(artifact),
      [&](size_t index) { return artifact.arguments[index].dtype; }, arguments, count, call);
}

fuser_error fuser_executable_check(fuser_executable executable, const fuser_argument *arguments,
                                   size_t num_arguments) {
  Use use(*executable->process);
  Call call;
  Status status = readCall(executable, use, arguments, num_arguments, call);
  if (status)
    status = executable->executable->checkGuards(call.arguments);
  return status ? nullptr : fail(status.takeError());
}

template <typename Managed>
static fuser_error callExecutable(fuser_executable executable, const fuser_argument *arguments,
                                  size_t num_arguments, void *stream, Managed **results,
                                  size_t num_results) {
  Use use(*executable->process);
  Call call;
  Status status = readCall(executable, use, arguments, num_arguments, call);
  if (status)
    status =
        capi::checkNumResults(num_results, executable->executable->getArtifact().outputs.size());
  capi::ResultExporter<Managed> exporter(results);
  if (status)
    status = executable->executable->call(call.arguments, exporter, stream);
  return status ? nullptr : fail(status.takeError());
}

fuser_error fuser_executable_call(fuser_executable executable, const fuser_argument *arguments,
                                  size_t num_arguments, void *stream, DLManagedTensor **results,
                                  size_t num_results) {
  return callExecutable(executable, arguments, num_arguments, stream, results, num_results);
}

fuser_error fuser_executable_call_versioned(fuser_executable executable,
                                            const fuser_argument *arguments, size_t num_arguments,
                                            void *stream, DLManagedTensorVersioned **results,
                                            size_t num_results) {
  return callExecutable(executable, arguments, num_arguments, stream, results, num_results);
}

fuser_error fuser_executable_call_into(fuser_executable executable, const fuser_argument *arguments,
                                       size_t num_arguments, void *stream,
                                       const DLTensor *const *results, size_t num_results) {
  Use use(*executable->process);
  Call call;
  capi::Results places;
  Status status = readCall(executable, use, arguments, num_arguments, call);
  if (status)
    status =
        places.read(results, num_results, executable->executable->getArtifact().outputs.size());
  if (status)
    status = executable->executable->callInto(call.arguments, places.views, stream);
  return status ? nullptr : fail(status.takeError());
}
