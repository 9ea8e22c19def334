//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "Timing.h"
#include "fuser/Session/Program.h"
#include "fuser/Support/InputFile.h"
#include "fuser/Support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace fuser;
using namespace fuser::driver;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;
using runtime::CallArgument;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

LaunchRecorder::~LaunchRecorder() {
  // Failures to destroy an event do not affect the profile.
  for (const Record &record : records)
    for (runtime::Event event : {record.begin, record.end})
      if (event)
        (void)device->destroyEvent(event).ok();
}

Status LaunchRecorder::launch(runtime::LoadedKernel &kernel, const runtime::LaunchConfig &config,
                              runtime::ArrayView<runtime::KernelParameter> parameters) {
  if (!isRecording)
    return device->launch(kernel, config, parameters);
  if (used == records.size()) {
    Record &added = records.emplace_back();
    for (runtime::Event *event : {&added.begin, &added.end}) {
      Expected<runtime::Event> made = device->createEvent();
      if (!made)
        return made.takeError();
      *event = made.take();
    }
  }
  Record &record = records[used++];
  record.kernel = config.kernelName ? config.kernelName : "";
  Status status = device->recordEvent(record.begin, config.stream);
  if (status)
    status = device->launch(kernel, config, parameters);
  if (status)
    status = device->recordEvent(record.end, config.stream);
  return status;
}

Expected<std::map<std::string, double>> LaunchRecorder::stop() {
  isRecording = false;
  std::map<std::string, double> times;
  for (size_t number = 0; number < used; ++number) {
    Expected<double> elapsed =
        device->elapsedMilliseconds(records[number].begin, records[number].end);
    if (!elapsed)
      return elapsed.takeError();
    times[records[number].kernel] += *elapsed;
  }
  used = 0;
  return times;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Launches whose host time the flush hides.
static constexpr unsigned kLaunchesPerFlush = 8;

Status fuser::driver::writeProfile(const std::string &path, llvm::StringRef program,
                                   runtime::Executable &executable, LaunchRecorder &recorder,
                                   const std::shared_ptr<runtime::Device> &device,
                                   const std::vector<CallArgument> &arguments, unsigned repeat) {
  const bool isGpu = device->description().kind == artifact::DeviceKind::Cuda;
  const unsigned warmUps = isGpu ? 2 : 0, calls = isGpu ? std::max(repeat, 1u) : 1;
  std::function<Status()> flush;
  if (isGpu) {
    Expected<std::function<Status()>> made = makeCacheFlush(device);
    if (!made)
      return made.takeError();
    flush = made.take();
  }
  std::map<std::string, std::vector<double>> times;
  unsigned launches = 0;
  for (unsigned call = 0; call < warmUps + calls; ++call) {
    for (unsigned i = 0; flush && i <= launches / kLaunchesPerFlush; ++i)
      if (Status status = flush(); !status)
        return status;
    recorder.start();
    auto outputs = executable.call(arguments);
    launches = recorder.getNumLaunches();
    if (!outputs)
      return outputs.takeError();
    if (Status status = recorder.synchronize(nullptr); !status)
      return status;
    auto measured = recorder.stop();
    if (!measured)
      return measured.takeError();
    for (const auto &[kernel, milliseconds] : *measured)
      if (call >= warmUps)
        times[kernel].push_back(milliseconds * 1e3);
  }
  json::Array kernels;
  for (auto &[kernel, each] : times) {
    std::sort(each.begin(), each.end());
    kernels.push_back(json::Object{{"name", kernel},
                                   {"microseconds", each[each.size() / 2]},
                                   {"fastest", each.front()},
                                   {"slowest", each.back()}});
  }
  json::Object object{{"version", 1},
                      {"program", program},
                      {"device", device->description().name},
                      {"sizes", session::describeSizes({arguments.data(), arguments.size()})},
                      {"calls", calls},
                      {"kernels", std::move(kernels)}};
  std::error_code error = writeFile(path, [&](llvm::raw_ostream &out) {
    out << llvm::formatv("{0:2}", json::Value(std::move(object))) << "\n";
  });
  if (error)
    return makeError(ErrorCode::IoError, "--profile: ", path, ": ", error.message());
  return Status();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Expected<Profile> fuser::driver::readProfile(const std::string &path) {
  auto fail = [&](const auto &...text) {
    return makeError(ErrorCode::ParseError, "--profile: ", path, ": ", text...);
  };
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(path, /*isText=*/true);
  if (!buffer)
    return makeError(ErrorCode::IoError, "--profile: ", path, ": ",
                     llvm::toString(buffer.takeError()));
  llvm::Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return fail(llvm::toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return fail("expected an object");
  if (object->getInteger("version") != 1)
    return fail("expected 'version' to be 1");
  Profile profile;
  for (auto [key, text] :
       {std::pair("program", &profile.program), std::pair("device", &profile.device),
        std::pair("sizes", &profile.sizes)}) {
    std::optional<llvm::StringRef> given = object->getString(key);
    if (!given)
      return fail("expected '", key, "' to be a string");
    *text = given->str();
  }
  const json::Array *kernels = object->getArray("kernels");
  if (!kernels)
    return fail("expected 'kernels' to be a list");
  for (const json::Value &each : *kernels) {
    const json::Object *kernel = each.getAsObject();
    std::optional<llvm::StringRef> name;
    std::optional<double> time;
    if (kernel) {
      name = kernel->getString("name");
      time = kernel->getNumber("microseconds");
    }
    if (!name || !time || !(*time >= 0))
      return fail("expected each of 'kernels' to have a 'name' and 'microseconds' of at least 0");
    profile.kernels[name->str()] = *time;
  }
  return profile;
}
