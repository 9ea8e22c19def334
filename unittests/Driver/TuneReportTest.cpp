//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The whole table that fuser-tune prints for a kernel.
//
//===----------------------------------------------------------------------===//

#include "TuneReport.h"
#include "gtest/gtest.h"

using namespace fuser;
using namespace fuser::driver;
using State = TunedOption::State;

namespace {

std::string print(const TunedKernel &kernel) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printTable(out, kernel);
  return "\n" + text;
}

TEST(TuneReportTest, EveryVerdict) {
  TuningKernel known;
  known.names = {"f_0", "f_2"};
  known.options = {{"pointwise", "#first", "", 10, ""},
                   {"pointwise", "#second", "vector = 4", 8.126, ""},
                   {"transpose", "#third", "tile = 16, unroll = 2", 1234.5, ""},
                   {"inner_outer", "#fourth", "a", 1, ""},
                   {"pointwise", "#fifth", "b", 2, ""},
                   {"pointwise", "#sixth", "c", 3, ""},
                   {"pointwise", "#seventh", "d", 4, ""},
                   {"pointwise", "#eighth", "e", 5, ""}};
  known.refused = {{"too_large", 3}, {"not_divisible", 1}};
  known.numLeftOut = 7;
  TunedKernel kernel{&known,
                     {{State::Checked, "", {9, 10, 11}},
                      {State::Checked, "", {7, 7, 7}},
                      {State::Checked, "", {8, 8, 8}},
                      {State::Checked, "", {5, 6, 6, 6}},
                      {State::Checked, "", {}},
                      {State::Wrong, "", {}},
                      {State::Failed, "a reason", {}},
                      {State::Pending, "", {}}},
                     1,
                     3};
  EXPECT_EQ(print(kernel), R"(
kernel      f_0 and 1 equal to it: 8 schedules, 4 refused, 7 left out
  scheduler    parameters              predicted    measured   spread  verdict
  pointwise    as chosen                10.00 us    10.00 us   20.0 %  the model's choice
  pointwise    vector = 4                8.13 us     7.00 us    0.0 %  fastest
  transpose    tile = 16, unroll = 2  1234.50 us     8.00 us    0.0 %  not the fastest
  inner_outer  a                         1.00 us     6.00 us    0.0 %  not faster when measured again
  pointwise    b                         2.00 us           -        -  same results
  pointwise    c                         3.00 us           -        -  WRONG: other results than the model's choice
  pointwise    d                         4.00 us           -        -  failed: a reason
  pointwise    e                         5.00 us           -        -  not reached
  chosen:  #first
  now:     #second
  refused: not_divisible 1, too_large 3
)");
}

TEST(TuneReportTest, TheChoiceIsKept) {
  TuningKernel known;
  known.names = {"f"};
  known.options = {{"pointwise", "#first", "", 10, ""}, {"pointwise", "#second", "long", 8, ""}};
  TunedKernel kernel{&known, {{State::Checked, "", {10}}, {State::Checked, "", {11}}}};
  EXPECT_EQ(print(kernel), R"(
kernel      f: 2 schedules, 0 refused, 0 left out
  scheduler  parameters   predicted    measured   spread  verdict
  pointwise  as chosen     10.00 us    10.00 us    0.0 %  the model's choice, kept
  pointwise  long           8.00 us    11.00 us    0.0 %  not the fastest
  chosen:  #first
)");
  // Of a file; before anything was compiled.
  known.isFirstGiven = true;
  known.names = {"f", "g", "h"};
  known.refused = {{"too_large", 1}};
  kernel.options = {{}, {}};
  EXPECT_EQ(print(kernel), R"(
kernel      f and 2 equal to it: 2 schedules, 1 refused, 0 left out
  scheduler  parameters   predicted    measured   spread  verdict
  pointwise  as given      10.00 us           -        -  the schedule of the file, kept
  pointwise  long           8.00 us           -        -  not reached
  given:   #first
  refused: too_large 1
)");
  kernel.options[0].state = State::Checked;
  kernel.winner = 1;
  kernel.options[1].state = State::Checked;
  EXPECT_EQ(print(kernel), R"(
kernel      f and 2 equal to it: 2 schedules, 1 refused, 0 left out
  scheduler  parameters   predicted    measured   spread  verdict
  pointwise  as given      10.00 us           -        -  the schedule of the file
  pointwise  long           8.00 us           -        -  fastest
  given:   #first
  now:     #second
  refused: too_large 1
)");
}

} // namespace
