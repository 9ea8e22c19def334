// The switch of utils/mutate.py, which includes this file in sources that hold several mutants.
// FUSER_MUTANT is the number of the one that runs; with `log`, each process writes the mutants that
// it reaches into a file of the folder FUSER_MUTANT_LOG.

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <unistd.h>
#include <utility>

/// One line: the mutant, pytest's current test, then the command lines of this process and of its
/// ancestors.
[[maybe_unused]] static void logMutant(int number) {
  static std::mutex mutex;
  static std::set<std::pair<int, std::string>> logged;
  const char *pytest = std::getenv("PYTEST_CURRENT_TEST");
  std::string line = std::to_string(number) + '\t' + (pytest ? pytest : "");
  std::lock_guard<std::mutex> lock(mutex);
  if (!logged.emplace(number, line).second)
    return;
  for (std::string process = std::to_string(getpid()); process != "0" && process != "1";) {
    std::ifstream commands("/proc/" + process + "/cmdline"), stat("/proc/" + process + "/stat");
    std::string words((std::istreambuf_iterator<char>(commands)), std::istreambuf_iterator<char>());
    for (char &c : words)
      c = c == '\0' ? '\x1f' : c == '\n' || c == '\t' ? ' ' : c;
    line += '\t' + words;
    // "PID (NAME) STATE PARENT ..."
    std::string text((std::istreambuf_iterator<char>(stat)), std::istreambuf_iterator<char>());
    std::size_t name = text.rfind(") ");
    process = name == std::string::npos
                  ? "0"
                  : text.substr(name + 4, text.find(' ', name + 4) - name - 4);
  }
  line += '\n';
  std::string path = std::getenv("FUSER_MUTANT_LOG") + ("/" + std::to_string(getpid()));
  // A test may limit the size of files: what does not fit is lost.
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file >= 0 && write(file, line.data(), line.size()) < 0)
    line.clear();
  close(file);
  (void)std::signal(SIGXFSZ, handler);
}

[[maybe_unused]] static bool isMutant(int number) {
  static const char *const chosen = std::getenv("FUSER_MUTANT");
  static const bool logs = chosen && std::strcmp(chosen, "log") == 0;
  static const int active = chosen && !logs ? std::atoi(chosen) : -1;
  if (logs)
    logMutant(number);
  return active == number;
}
