//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a tuned program prints.
//
//===----------------------------------------------------------------------===//

#include "TuneReport.h"
#include "Report.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using State = TunedOption::State;

static StringRef getDifference(const TuningKernel &kernel, size_t number) {
  if (number > 0)
    return kernel.options[number].difference;
  return kernel.isFirstGiven ? "as given" : "as chosen";
}

/// The schedule that others have to replace.
static std::string describeFirst(const TuningKernel &kernel, bool isKept) {
  std::string text = kernel.isFirstGiven ? "the schedule of the file" : "the model's choice";
  return isKept ? text + ", kept" : text;
}

static std::string describeVerdict(const TunedKernel &kernel, size_t number) {
  const TunedOption &option = kernel.options[number];
  switch (option.state) {
  case State::Pending:
    return number == 0 ? describeFirst(*kernel.kernel, /*isKept=*/true) : "not reached";
  case State::Wrong:
    return "WRONG: other results than the model's choice";
  case State::Failed:
    return "failed: " + option.reason;
  case State::Checked:
    break;
  }
  if (number == 0)
    return describeFirst(*kernel.kernel, kernel.winner == 0);
  if (number == kernel.winner)
    return "fastest";
  if (number == kernel.unconfirmed)
    return "not faster when measured again";
  return option.times.empty() ? "same results" : "not the fastest";
}

void fuser::driver::printTable(raw_ostream &out, const TunedKernel &kernel) {
  const TuningKernel &known = *kernel.kernel;
  unsigned refused = 0;
  for (const auto &[code, count] : known.refused)
    refused += count;
  printTitle(out, "kernel") << known.names.front();
  if (known.names.size() > 1)
    out << " and " << known.names.size() - 1 << " equal to it";
  out << ": " << known.options.size() << " schedules, " << refused << " refused, "
      << known.numLeftOut << " left out\n";
  size_t schedulerWidth = StringRef("scheduler").size(), width = StringRef("parameters").size();
  for (auto [number, option] : llvm::enumerate(known.options)) {
    schedulerWidth = std::max(schedulerWidth, option.scheduler.size());
    width = std::max(width, getDifference(known, number).size());
  }
  auto printColumns = [&](StringRef scheduler, StringRef difference) -> raw_ostream & {
    return out << "  " << llvm::left_justify(scheduler, schedulerWidth) << "  "
               << llvm::left_justify(difference, width);
  };
  printColumns("scheduler", "parameters") << "   predicted    measured   spread  verdict\n";
  for (auto [number, option, result] : llvm::enumerate(known.options, kernel.options)) {
    const bool isMeasured = !result.times.empty();
    const Statistics time = isMeasured ? summarize(result.times) : Statistics();
    printColumns(option.scheduler, getDifference(known, number))
        << llvm::format("%9.2f us", option.microseconds);
    if (isMeasured)
      out << llvm::format("%9.2f us%7.1f %%", time.median, time.spread * 100);
    else
      out << llvm::right_justify("-", 12) << llvm::right_justify("-", 9);
    out << "  " << describeVerdict(kernel, number) << "\n";
  }
  out << (known.isFirstGiven ? "  given:   " : "  chosen:  ") << known.options.front().params
      << "\n";
  if (kernel.winner != 0)
    out << "  now:     " << known.options[kernel.winner].params << "\n";
  if (refused > 0) {
    out << "  refused: ";
    llvm::interleaveComma(known.refused, out,
                          [&](const auto &each) { out << each.first << " " << each.second; });
    out << "\n";
  }
}

std::string fuser::driver::printSchedules(const Tuner &tuner) {
  SmallVector<StringRef> entries;
  for (const TunedKernel &kernel : tuner.getKernels())
    entries.push_back(kernel.kernel->options[kernel.winner].entry);
  return fuser::printSchedules(entries, tuner.getTargetName());
}
