//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "Report.h"
#include "fuser/Session/Program.h"
#include "llvm/Support/Format.h"
#include <algorithm>

using namespace fuser;
using namespace fuser::driver;
using artifact::DType;
using artifact::Expected;
using artifact::Status;
using runtime::CallArgument;
using runtime::Device;
using runtime::Event;
using runtime::Tensor;

namespace {

/// Two events around work on the default stream.
class Stopwatch {
public:
  static Expected<std::unique_ptr<Stopwatch>> create(Device &device) {
    std::unique_ptr<Stopwatch> watch(new Stopwatch(device));
    for (Event *event : {&watch->begin, &watch->end}) {
      auto made = device.createEvent();
      if (!made)
        return made.error();
      *event = made.take();
    }
    return watch;
  }
  ~Stopwatch() {
    // Failures to destroy an event do not affect the report.
    for (Event event : {begin, end})
      if (event)
        (void)device.destroyEvent(event).ok();
  }
  Status start() { return device.recordEvent(begin, nullptr); }
  Status stop() { return device.recordEvent(end, nullptr); }
  Expected<double> milliseconds() { return device.elapsedMilliseconds(begin, end); }

private:
  explicit Stopwatch(Device &device) : device(device) {}
  Device &device;
  Event begin = nullptr, end = nullptr;
};

/// A kernel that reads five times the bytes of the cache and writes almost nothing.
class CacheFlush {
public:
  static Expected<std::unique_ptr<CacheFlush>> create(const std::shared_ptr<Device> &device) {
    static constexpr char kText[] =
        "fuser.fusion @flush(%x: tensor<?x8192xf32>) -> tensor<?xf32> {\n"
        "  %0 = fuser.sum %x dims [1] : tensor<?x8192xf32> -> tensor<?xf32>\n"
        "  fuser.return %0 : tensor<?xf32>\n"
        "}\n";
    std::unique_ptr<CacheFlush> flush(new CacheFlush());
    auto program = session::Program::create(kText, device);
    if (!program)
      return program.error();
    constexpr int64_t kColumns = 8192, kLeastRows = 64, kTimes = 5;
    const int64_t rows = std::max<int64_t>(kLeastRows, kTimes * device->description().l2Bytes /
                                                           (kColumns * int64_t(sizeof(float))));
    auto memory = runtime::allocateTensor(device, DType::F32, std::vector<int64_t>{rows, kColumns});
    if (!memory)
      return memory.error();
    flush->program = program.take();
    flush->memory = memory.take();
    const size_t bytes = size_t(rows) * kColumns * sizeof(float);
    if (Status status = device->fill(flush->memory.data, 0, bytes, nullptr); !status)
      return status.error();
    return flush;
  }
  Status run() {
    std::vector<CallArgument> arguments = {flushView()};
    auto result = program->call(arguments);
    return result ? Status() : Status(result.error());
  }

private:
  runtime::TensorView flushView() const { return memory.view(); }
  std::unique_ptr<session::Program> program;
  Tensor memory;
};
} // namespace

Expected<std::function<Status()>>
fuser::driver::makeCacheFlush(const std::shared_ptr<Device> &device) {
  auto flush = CacheFlush::create(device);
  if (!flush)
    return flush.takeError();
  std::shared_ptr<CacheFlush> shared = flush.take();
  return std::function<Status()>([shared] { return shared->run(); });
}

Statistics fuser::driver::summarize(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double median = values[values.size() / 2];
  double quartiles = values[values.size() * 3 / 4] - values[values.size() / 4];
  return {median, median > 0 ? quartiles / median : 0};
}

/// Bytes per second, read and written, of a copy of 1 GiB.
static Expected<double> measureCopyRate(const std::shared_ptr<Device> &device, Stopwatch &watch) {
  constexpr int64_t kBytes = int64_t(1) << 30;
  auto source = runtime::allocateTensor(device, DType::U8, std::vector<int64_t>{kBytes});
  if (!source)
    return source.error();
  auto target = runtime::allocateTensor(device, DType::U8, std::vector<int64_t>{kBytes});
  if (!target)
    return target.error();
  std::vector<double> times;
  for (int i = 0; i < 12; ++i) {
    Status status = watch.start();
    if (status)
      status = device->copyOnDevice(target->data, source->data, kBytes, nullptr);
    if (status)
      status = watch.stop();
    if (!status)
      return status.error();
    auto elapsed = watch.milliseconds();
    if (!elapsed)
      return elapsed.error();
    if (i >= 2)
      times.push_back(*elapsed);
  }
  return 2.0 * kBytes / (summarize(times).median * 1e-3);
}

Status fuser::driver::reportTiming(llvm::raw_ostream &out, runtime::Executable &executable,
                                   const std::vector<CallArgument> &arguments,
                                   const std::vector<Tensor> &outputs, unsigned repeat) {
  const std::shared_ptr<Device> &device = executable.getDevice();
  auto watch = Stopwatch::create(*device);
  if (!watch)
    return watch.error();
  auto flush = makeCacheFlush(device);
  if (!flush)
    return flush.error();
  auto copyRate = measureCopyRate(device, **watch);
  if (!copyRate)
    return copyRate.error();
  std::vector<runtime::TensorView> views;
  double bytes = 0;
  auto count = [&](const runtime::TensorView &view) {
    double size = artifact::byteSize(view.dtype);
    for (uint32_t dim = 0; dim < view.rank; ++dim)
      size *= view.sizes[dim];
    bytes += size;
  };
  for (const CallArgument &argument : arguments)
    if (argument.isTensor)
      count(argument.tensor);
  for (const Tensor &output : outputs) {
    views.push_back(output.view());
    count(views.back());
  }
  std::vector<double> times;
  for (unsigned i = 0; i < repeat + 2; ++i) {
    // The flush also hides the host time of the call.
    Status status = (*flush)();
    if (status)
      status = (*watch)->start();
    if (status)
      status = executable.callInto(arguments, views);
    if (status)
      status = (*watch)->stop();
    if (!status)
      return status;
    auto elapsed = (*watch)->milliseconds();
    if (!elapsed)
      return elapsed.error();
    if (i >= 2)
      times.push_back(*elapsed);
  }
  Statistics statistics = summarize(times);
  double rate = statistics.median > 0 ? bytes / (statistics.median * 1e-3) : 0;
  printTitle(out, "time") << llvm::format("%.1f us (median of %u, spread %.1f %%)",
                                          statistics.median * 1e3, repeat, statistics.spread * 100)
                          << llvm::format(", %.0f GB/s, %.1f %% of the copy rate (%.0f GB/s)\n",
                                          rate * 1e-9, 100 * rate / *copyRate, *copyRate * 1e-9);
  return Status();
}
