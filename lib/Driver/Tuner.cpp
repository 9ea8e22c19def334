//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiles, checks and times schedules.
//
//===----------------------------------------------------------------------===//

#include "Tuner.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Driver/Compare.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::Status;
using State = TunedOption::State;

/// Rounds that are not counted, and the least that decide.
static constexpr unsigned kWarmUps = 2;
static constexpr size_t kLeastRounds = 3;
/// A schedule has to save so much of the time: events of a GPU are not more precise.
static constexpr double kLeastGain = 0.01;

size_t fuser::driver::chooseFastest(ArrayRef<std::vector<double>> times) {
  if (times.empty() || times.front().size() < kLeastRounds)
    return 0;
  const Statistics choice = summarize(times.front());
  size_t best = 0;
  double least = choice.median;
  for (size_t number = 1; number < times.size(); ++number) {
    if (times[number].size() < kLeastRounds)
      continue;
    const Statistics own = summarize(times[number]);
    const double spread = std::max(
        {choice.median * choice.spread, own.median * own.spread, choice.median * kLeastGain});
    if (own.median >= least || choice.median - own.median <= spread)
      continue;
    best = number;
    least = own.median;
  }
  return best;
}

Tuner::Tuner(const TuneOptions &options, Source source, std::shared_ptr<runtime::Device> device,
             llvm::raw_ostream &errors)
    : options(options), source(std::move(source)),
      device(std::make_shared<LaunchRecorder>(std::move(device))), errors(errors) {}

double Tuner::getElapsed() const {
  if (options.clock)
    return options.clock();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool Tuner::isOver(std::optional<double> until) {
  const bool isInterrupted = options.interrupt && *options.interrupt;
  const bool isLate = options.budget > 0 && getElapsed() > until.value_or(options.budget);
  isCut |= isInterrupted || isLate;
  return isInterrupted || isLate;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

std::string Tuner::printLibrary(size_t kernel, size_t option) const {
  SmallVector<StringRef> entries;
  for (auto [number, each] : llvm::enumerate(kernels))
    entries.push_back(each.options[number == kernel ? option : tuned[number].winner].entry);
  return fuser::printSchedules(entries, targetName);
}

Status Tuner::prepareArguments() {
  auto getOrder = [&](unsigned argument) {
    return SmallVector<int64_t>(
        fuser::detail::getArgLayout(source.file.program, argument).getOrder());
  };
  auto uploaded = upload(getOrder, source.inputs, device, /*allocate=*/true);
  if (!uploaded)
    return uploaded.takeError();
  arguments = uploaded.take();
  return Status();
}

Expected<Tuner::Variant> Tuner::compile(const std::string &schedules, StringRef kernel) {
  session::ProgramOptions program = source.options;
  program.schedules = schedules;
  auto created = session::Program::create(source.text, device, std::move(program));
  if (!created)
    return created.takeError();
  Variant variant;
  variant.program = created.take();
  auto prepared = variant.program->prepare(arguments->arguments, options.interrupt);
  if (!prepared)
    return prepared.takeError();
  if (!kernel.empty() && !llvm::is_contained(prepared->tuned, kernel))
    return artifact::makeError(ErrorCode::CompilationFailed, "expected kernel '", kernel.str(),
                               "' to have this schedule");
  variant.executable = std::move(prepared->executable);
  return variant;
}

Expected<std::vector<HostArray>> Tuner::callOnce(Variant &variant) {
  if (overwrites)
    if (Status status = prepareArguments(); !status)
      return status.takeError();
  auto outputs = variant.executable->call(arguments->arguments);
  if (!outputs)
    return outputs.takeError();
  if (Status status = device->synchronize(nullptr); !status)
    return status.takeError();
  std::vector<HostArray> arrays;
  for (const runtime::Tensor &tensor : *outputs) {
    auto array = download(tensor, *device);
    if (!array)
      return array.takeError();
    arrays.push_back(array.take());
  }
  return arrays;
}

Status Tuner::start() {
  // Where nothing is timed, more is checked: accesses out of bounds, races, divergent barriers.
  source.options.checkAccesses = device->description().kind == artifact::DeviceKind::Host;
  if (Status status = prepareArguments(); !status)
    return status;
  auto chosen = compile(/*schedules=*/"", /*kernel=*/"");
  if (!chosen)
    return chosen.takeError();
  const session::Program &program = *chosen->program;
  targetName = program.getTarget().name;
  for (unsigned result = 0; result < program.getNumResults(); ++result)
    overwrites |= program.getAliasOf(result) >= 0;
  auto outputs = callOnce(*chosen);
  if (!outputs)
    return outputs.takeError();
  expected = outputs.take();
  expectedValues.resize(expected.size());
  if (device->description().kind != artifact::DeviceKind::Cuda)
    return Status();
  auto made = makeCacheFlush(device);
  if (!made)
    return made.takeError();
  flush = made.take();
  return Status();
}

Status Tuner::enumerate(const std::string &schedules) {
  session::ProgramOptions program = source.options;
  program.schedules = schedules;
  auto created = session::Program::create(source.text, device, std::move(program));
  if (!created)
    return created.takeError();
  auto enumerated =
      (*created)->enumerateSchedules(arguments->arguments, options.top, options.interrupt);
  if (!enumerated)
    return enumerated.takeError();
  kernels = enumerated.take();
  tuned.clear();
  for (const TuningKernel &kernel : kernels)
    tuned.push_back({&kernel, std::vector<TunedOption>(kernel.options.size())});
  return Status();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

bool Tuner::matches(ArrayRef<HostArray> outputs) {
  // Converting to double precision takes longer than everything else for large outputs.
  auto isSame = [](const HostArray &a, const HostArray &b) {
    return a.dtype == b.dtype && a.shape == b.shape && a.bytes == b.bytes;
  };
  if (outputs.size() != expected.size())
    return false;
  const ArrayRef<Type> types = FunctionOpInterface(source.file.program).getResultTypes();
  for (auto [actual, wanted, values, type] :
       llvm::zip_equal(outputs, expected, expectedValues, types)) {
    if (isSame(actual, wanted))
      continue;
    const Type element = getElementTypeOrSelf(type);
    if (actual.shape != wanted.shape)
      return false;
    if (!values)
      values = toReference(wanted, element);
    if (!compare(toReference(actual, element), *values, getDefaultTolerance(element)).passed)
      return false;
  }
  return true;
}

std::optional<Tuner::Variant> Tuner::check(size_t kernel, size_t number) {
  TunedOption &option = tuned[kernel].options[number];
  auto fail = [&](const Error &error) {
    // An interrupted compilation says nothing about the schedule.
    if (error.code == ErrorCode::Interrupted)
      return std::nullopt;
    option.state = State::Failed;
    option.reason = StringRef(error.message).split('\n').first.str();
    return std::nullopt;
  };
  auto variant = compile(printLibrary(kernel, number), kernels[kernel].names.front());
  if (!variant)
    return fail(variant.error());
  auto outputs = callOnce(*variant);
  if (!outputs)
    return fail(outputs.error());
  option.state = matches(*outputs) ? State::Checked : State::Wrong;
  if (option.state == State::Wrong)
    return std::nullopt;
  return variant.take();
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

Expected<double> Tuner::time(Variant &variant, const TuningKernel &kernel, size_t option) {
  if (options.timer)
    return options.timer(kernel.names.front(), kernel.options[option].params);
  if (Status status = flush(); !status)
    return status.takeError();
  device->start();
  auto outputs = variant.executable->call(arguments->arguments);
  if (!outputs)
    return outputs.takeError();
  if (Status status = device->synchronize(nullptr); !status)
    return status.takeError();
  auto measured = device->stop();
  if (!measured)
    return measured.takeError();
  double own = 0, all = 0;
  for (const auto &[name, milliseconds] : *measured) {
    all += milliseconds;
    if (llvm::is_contained(kernel.names, name))
      own += milliseconds;
  }
  // A launch that was merged with others has the name of another kernel.
  return (own > 0 ? own : all) * 1e3;
}

Status Tuner::measure(size_t kernel, ArrayRef<size_t> numbers,
                      std::vector<std::optional<Variant>> &variants) {
  for (unsigned round = 0; round < kWarmUps + options.rounds; ++round)
    for (size_t number : numbers) {
      if (!variants[number] || isOver())
        continue;
      auto microseconds = time(*variants[number], kernels[kernel], number);
      if (!microseconds)
        return microseconds.takeError();
      if (round >= kWarmUps)
        tuned[kernel].options[number].times.push_back(*microseconds);
    }
  return Status();
}

Status Tuner::tuneKernel(size_t kernel) {
  TunedKernel &result = tuned[kernel];
  std::vector<std::optional<Variant>> variants(result.options.size());
  SmallVector<size_t> all;
  // What is compiled and checked has to be measured too: half of the time that is left.
  const double until = (getElapsed() + options.budget) / 2;
  for (size_t number = 0; number < variants.size() && !isOver(until); ++number) {
    variants[number] = check(kernel, number);
    all.push_back(number);
    if (options.progress)
      errors << "fuser-tune: " << kernels[kernel].names.front() << ": " << number + 1 << " of "
             << variants.size() << ": " << kernels[kernel].options[number].params << "\n";
  }
  if (!measuresTime())
    return Status();
  if (Status status = measure(kernel, all, variants); !status)
    return status;
  auto getTimes = [&](ArrayRef<size_t> numbers) {
    return llvm::map_to_vector(numbers,
                               [&](size_t number) { return result.options[number].times; });
  };
  const size_t fastest = chooseFastest(getTimes(all));
  result.winner = fastest;
  if (fastest == 0 || isOver())
    return Status();
  // The fastest of many is also the one that was lucky.
  const size_t both[] = {0, fastest};
  for (size_t number : both)
    result.options[number].times.clear();
  if (Status status = measure(kernel, both, variants); !status)
    return status;
  if (chooseFastest(getTimes(both)) == 0) {
    result.winner = 0;
    result.unconfirmed = fastest;
  }
  return Status();
}

Status Tuner::run(llvm::function_ref<bool(const TuningKernel &)> isTuned) {
  for (size_t kernel = 0; kernel < kernels.size() && !isOver(); ++kernel)
    if (isTuned(kernels[kernel]))
      if (Status status = tuneKernel(kernel); !status)
        return status;
  return Status();
}
