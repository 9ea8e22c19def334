//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CaseServer.h"
#include "gtest/gtest.h"

#include <csignal>
#include <thread>
#include <unistd.h>

using namespace fuser::fuzz;
using llvm::StringRef;

namespace {

/// In several threads, which get more of a loaded machine than one: their time is over before the
/// time of a process that waits.
void loopForever() {
  auto loop = [] {
    for (volatile unsigned steps = 0;;)
      steps = steps + 1;
  };
  for (int i = 0; i < 8; ++i)
    std::thread(loop).detach();
  loop();
}

/// Answers with the request, in front of it the number of requests of the process.
Outcome handle(StringRef request, EndRun end) {
  static unsigned served = 0;
  ++served;
  const std::string text = std::to_string(served) + " " + request.str();
  if (request == "crash")
    std::raise(SIGKILL);
  if (request == "exit")
    _exit(7);
  if (request == "wait")
    std::this_thread::sleep_for(std::chrono::seconds(60));
  if (request == "loop")
    loopForever();
  if (request == "end")
    end({Verdict::Refused, text});
  if (request == "wrong" || (request == "wrong later" && served > 1))
    return {Verdict::Wrong, text};
  return {Verdict::Passed, text};
}

TEST(CaseServer, RunsRequestsInOneProcess) {
  CaseServer server(handle);
  EXPECT_EQ(server.call("a", 10).text, "1 a");
  const Outcome outcome = server.call("b", 10);
  EXPECT_EQ(outcome.verdict, Verdict::Passed);
  EXPECT_EQ(outcome.text, "2 b");
  // Longer than the buffer of a pipe.
  const std::string large(1 << 20, 'x');
  EXPECT_EQ(server.call(large, 10).text, "3 " + large);
}

TEST(CaseServer, StartsAgainBehindWhatEndsTheProcess) {
  CaseServer server(handle);
  EXPECT_EQ(server.call("crash", 10).text, "signal 9");
  EXPECT_EQ(server.call("exit", 10).text, "exit status 7");
  EXPECT_EQ(server.call("loop", 1).text, "signal " + std::to_string(SIGPROF));
  const Outcome waited = server.call("wait", 1);
  EXPECT_EQ(waited.verdict, Verdict::Hang);
  EXPECT_EQ(waited.text, "signal " + std::to_string(SIGALRM));
  EXPECT_EQ(server.call("end", 10).text, "1 end");
  const Outcome outcome = server.call("a", 10);
  EXPECT_EQ(outcome.verdict, Verdict::Passed);
  EXPECT_EQ(outcome.text, "1 a");
}

TEST(CaseServer, RepeatsFailuresInANewProcess) {
  CaseServer server(handle);
  EXPECT_EQ(server.call("a", 10).text, "1 a");
  EXPECT_EQ(server.call("wrong", 10).text, "1 wrong");
  EXPECT_EQ(server.call("a", 10).text, "2 a");
  const Outcome outcome = server.call("wrong later", 10);
  EXPECT_EQ(outcome.verdict, Verdict::Wrong);
  EXPECT_EQ(outcome.text, "(only in a process that ran other cases before) 3 wrong later");
}

TEST(CaseServer, TakesProgramsAsRequests) {
  const Program program = {"module {\n}\n", "4x5,6", {"0:1", "2:3"}};
  const Program read = Program::fromRequest(program.toRequest());
  EXPECT_EQ(read.text, program.text);
  EXPECT_EQ(read.sizes, program.sizes);
  EXPECT_EQ(read.ranges, program.ranges);
}

} // namespace
