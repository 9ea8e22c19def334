//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A process that runs cases one after the other, until one of them ends it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_CASESERVER_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_CASESERVER_H

#include "CaseRunner.h"

#include <sys/types.h>

namespace fuser::fuzz {

/// Calls a handler in a process of its own. A new process for each case would load and relocate
/// the libraries of LLVM and MLIR again, which takes longer than most cases do. Only a crash, a
/// hang or `EndRun` ends the process; the next request then starts another one.
class CaseServer {
public:
  using Handler = std::function<Outcome(llvm::StringRef request, EndRun end)>;

  explicit CaseServer(Handler handler) : handler(std::move(handler)) {}
  ~CaseServer() { stop(); }
  CaseServer(const CaseServer &) = delete;
  CaseServer &operator=(const CaseServer &) = delete;

  /// The outcome of the request; Crash or Hang if the process ends without one, the latter after
  /// `seconds` of CPU time, or after five times as many seconds. A failure in a process that ran
  /// other requests before is repeated in a new one, so that every failure can be reproduced from
  /// its seed. If the new process does not show it, it is returned with a text that says so.
  Outcome call(llvm::StringRef request, unsigned seconds);

private:
  bool start();
  /// The exit status of the process.
  int stop();
  Outcome callOnce(llvm::StringRef request, unsigned seconds);
  [[noreturn]] void serve(int requests, int answers);

  Handler handler;
  pid_t child = -1;
  int requests = -1, answers = -1;
  unsigned numServed = 0;
};

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_CASESERVER_H
