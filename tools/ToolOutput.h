//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shared by all tools: how they read and write files, and end.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_TOOLS_TOOLOUTPUT_H
#define FUSER_TOOLS_TOOLOUTPUT_H

#include "fuser/Support/InputFile.h"
#include "fuser/Support/OutputFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <ctime>
#include <string>
#include <vector>

namespace fuser::tools {

/// How signals end a tool; called before InitLLVM, whose handlers run after these.
///
/// A crash prints a stack trace, which allocates: after a crash in the allocator that waits for its
/// lock forever. A timer ends such a process; an alarm would be cancelled by LLVM, which waits for
/// its symbolizer without one.
///
/// A file that exceeds a size limit is an error of the write, like a full disk; the default is to
/// end the process. LLVM's handlers would take that signal, too.
inline void handleSignals() {
  // Only where this is set first is a handler for closed pipes installed with the others.
  llvm::sys::SetOneShotPipeSignalFunction(llvm::sys::DefaultOneShotPipeSignalHandler);
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, /*sevp: SIGALRM*/ nullptr, &timer) == 0)
    llvm::sys::AddSignalHandler(
        [](void *timer) {
          constexpr time_t kMostSecondsOfACrash = 10;
          const itimerspec limit = {/*it_interval=*/{}, /*it_value=*/{kMostSecondsOfACrash, 0}};
          (void)timer_settime(timer, /*flags=*/0, &limit, nullptr);
        },
        timer);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// The exit code of a tool whose result is `code`, after its standard output: 1 if that could not
/// be written.
inline int finish(const char *program, int code) {
  std::error_code error = finishStream(llvm::outs());
  if (!error)
    return code;
  llvm::errs() << llvm::sys::path::filename(program) << ": standard output: " << error.message()
               << "\n";
  return code ? code : 1;
}

/// The output file (-o) of a main function of MLIR, which would empty the file before it is
/// written, and remove it after an error: in the command line a temporary file takes its place.
class OutputArgument {
public:
  OutputArgument(int argc, char **argv) : program(llvm::sys::path::filename(argv[0]).str()) {
    handleSignals();
    for (llvm::StringRef argument : llvm::ArrayRef(argv, argc))
      arguments.push_back(argument.str());
    replacePath();
    for (std::string &argument : arguments)
      pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    llvm::install_fatal_error_handler(reportFatalError, this);
  }
  ~OutputArgument() { llvm::remove_fatal_error_handler(); }

  /// Runs `main(argc, argv)`, whose result is an exit code. Returns the tool's exit code.
  template <typename Main> int run(Main &&main) {
    if (error)
      return report(error);
    if (const std::string *device = findDevice()) {
      llvm::errs() << program << ": " << *device << ": expected a file, but got a device\n";
      return 1;
    }
    int code = main(int(pointers.size()) - 1, pointers.data());
    if (code == 0 && pending)
      if (std::error_code failure = pending->keep())
        return report(failure);
    return finish(program.c_str(), code);
  }

private:
  void replacePath() {
    for (size_t i = 1; i < arguments.size(); ++i) {
      llvm::StringRef option = arguments[i];
      if (option == "--")
        return;
      if (!option.consume_front("--"))
        option.consume_front("-");
      const bool isSeparate = arguments[i].front() == '-' && option == "o";
      if (isSeparate && i + 1 == arguments.size())
        return;
      if (!isSeparate && (arguments[i].front() != '-' || !option.consume_front("o=")))
        continue;
      path = isSeparate ? arguments[i + 1] : option.str();
      error = PendingFile::create(path, pending);
      if (error)
        return;
      if (isSeparate)
        arguments[i + 1] = pending->getPath().str();
      else
        arguments[i] = "-o=" + pending->getPath().str();
      return;
    }
  }

  /// An input that main functions of MLIR would read without end.
  const std::string *findDevice() const {
    for (const std::string &argument : arguments)
      if (!argument.empty() && argument.front() != '-' && argument != path &&
          isEndlessDevice(argument))
        return &argument;
    return nullptr;
  }

  int report(std::error_code reason) {
    llvm::errs() << program << ": " << path << ": " << reason.message() << "\n";
    return 1;
  }

  /// LLVM ends the process for a stream that could not be written, without naming it.
  static void reportFatalError(void *self, const char *reason, bool) {
    auto *argument = static_cast<OutputArgument *>(self);
    llvm::StringRef text(reason);
    if (!text.consume_front("IO failure on output stream: "))
      llvm::errs() << "LLVM ERROR: " << text << "\n";
    else
      llvm::errs() << argument->program << ": "
                   << (argument->path.empty() || argument->path == "-" ? "standard output"
                                                                       : argument->path)
                   << ": " << text << "\n";
  }

  std::string program;
  std::vector<std::string> arguments;
  std::vector<char *> pointers;
  std::string path;
  std::error_code error;
  std::optional<PendingFile> pending;
};

} // namespace fuser::tools

#endif // FUSER_TOOLS_TOOLOUTPUT_H
