//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CaseServer.h"

#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace fuser::fuzz;

namespace {
/// In front of a request.
struct RequestHeader {
  uint64_t size;
  unsigned seconds;
};

/// In front of the text of an answer.
struct AnswerHeader {
  uint64_t size;
  Verdict verdict;
  /// The process ends behind this answer.
  bool isLast;
};
} // namespace

/// Moves `size` bytes with `read` or `write`; false at the end of the file or on an error.
template <typename Byte, typename Move>
static bool moveAll(Move move, int file, Byte *bytes, size_t size) {
  while (size > 0) {
    const ssize_t count = move(file, bytes, size);
    if (count <= 0)
      return false;
    bytes += count;
    size -= count;
  }
  return true;
}

template <typename Header> static bool send(int file, const Header &header, StringRef text) {
  return moveAll(write, file, reinterpret_cast<const char *>(&header), sizeof(header)) &&
         moveAll(write, file, text.data(), text.size());
}

template <typename Header> static bool receive(int file, Header &header, std::string &text) {
  if (!moveAll(read, file, reinterpret_cast<char *>(&header), sizeof(header)))
    return false;
  text.resize(header.size);
  return moveAll(read, file, text.data(), text.size());
}

/// Ends the process after `seconds` of CPU time, or where it waits for much longer than that; 0
/// seconds: never. Other work of the machine is no reason to end it.
static void limitTime(unsigned seconds) {
  constexpr unsigned kMostWaiting = 5;
  itimerval limit = {};
  limit.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &limit, nullptr);
  alarm(kMostWaiting * seconds);
}

void CaseServer::serve(int requests, int answers) {
  RequestHeader request;
  std::string text;
  while (receive(requests, request, text)) {
    limitTime(request.seconds);
    auto answer = [&](const Outcome &outcome, bool isLast) {
      if (!send(answers, AnswerHeader{outcome.text.size(), outcome.verdict, isLast}, outcome.text))
        _exit(1);
    };
    const Outcome outcome = handler(text, [&](const Outcome &last) {
      answer(last, /*isLast=*/true);
      _exit(0);
    });
    limitTime(0);
    answer(outcome, /*isLast=*/false);
  }
  _exit(0);
}

bool CaseServer::start() {
  if (child > 0)
    return true;
  // A process that has ended is seen when its answer is read.
  std::signal(SIGPIPE, SIG_IGN);
  int toChild[2], fromChild[2];
  if (pipe(toChild) != 0)
    return false;
  if (pipe(fromChild) != 0) {
    close(toChild[0]);
    close(toChild[1]);
    return false;
  }
  llvm::outs().flush();
  child = fork();
  if (child == 0) {
    close(toChild[1]);
    close(fromChild[0]);
    serve(toChild[0], fromChild[1]);
  }
  close(toChild[0]);
  close(fromChild[1]);
  requests = toChild[1];
  answers = fromChild[0];
  numServed = 0;
  if (child > 0)
    return true;
  close(requests);
  close(answers);
  return false;
}

int CaseServer::stop() {
  if (child <= 0)
    return 0;
  close(requests);
  close(answers);
  int status = 0;
  waitpid(child, &status, 0);
  child = -1;
  return status;
}

Outcome CaseServer::callOnce(StringRef request, unsigned seconds) {
  if (!start())
    return {Verdict::Internal, "no process"};
  ++numServed;
  AnswerHeader answer;
  Outcome outcome;
  if (send(requests, RequestHeader{request.size(), seconds}, request) &&
      receive(answers, answer, outcome.text)) {
    outcome.verdict = answer.verdict;
    if (answer.isLast)
      stop();
    return outcome;
  }
  const int status = stop();
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return {signal == SIGPROF || signal == SIGALRM ? Verdict::Hang : Verdict::Crash,
            "signal " + std::to_string(signal)};
  }
  return {Verdict::Crash, "exit status " + std::to_string(WEXITSTATUS(status))};
}

Outcome CaseServer::call(StringRef request, unsigned seconds) {
  // What leaks in one case, such as memory of the loader, does not add up.
  constexpr unsigned kMostServed = 500;
  if (numServed >= kMostServed)
    stop();
  const Outcome outcome = callOnce(request, seconds);
  if (!isFailure(outcome.verdict) || numServed <= 1)
    return outcome;
  stop();
  Outcome again = callOnce(request, seconds);
  if (isFailure(again.verdict))
    return again;
  return {outcome.verdict, "(only in a process that ran other cases before) " + outcome.text};
}
