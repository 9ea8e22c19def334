// The switch of utils/mutate.py, which includes this file in sources that hold several mutants.
// FUSER_MUTANT has the numbers of those that run, as "3,17"; with `log`, each process writes the
// mutants that it reaches into a file of the folder FUSER_MUTANT_LOG.

// In this source the compiler's warnings, which are errors, are of mutants: "a || b && c", "x == 1
// && x == 2".
#pragma clang diagnostic ignored "-Weverything"

#include <algorithm>
#include <array>
#include <atomic>
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
#include <vector>

/// One line: the mutant, pytest's current test, then the command lines of this process and of its
/// ancestors.
[[maybe_unused]] static void logMutant(int number) {
  static std::mutex mutex;
  static std::set<std::pair<int, std::string>> logged;
  // The same for a process that runs one test: without a lock, since some mutants are in inner
  // loops.
  static std::array<std::atomic<bool>, 1024> done{};
  const char *pytest = std::getenv("PYTEST_CURRENT_TEST");
  if (!pytest && std::size_t(number) < done.size() && done[number].exchange(true))
    return;
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

/// By number whether a mutant runs, from a list as "3,17".
[[maybe_unused]] static std::vector<bool> readChosenMutants(const char *list) {
  std::vector<bool> chosen;
  while (list && *list != '\0') {
    char *end = nullptr;
    unsigned long number = std::strtoul(list, &end, 10);
    if (end == list)
      break;
    chosen.resize(std::max<std::size_t>(chosen.size(), number + 1));
    chosen[number] = true;
    list = *end == ',' ? end + 1 : end;
  }
  return chosen;
}

[[maybe_unused]] static bool isMutant(std::size_t number) {
  static const char *const list = std::getenv("FUSER_MUTANT");
  static const bool logs = list && std::strcmp(list, "log") == 0;
  static const std::vector<bool> chosen = readChosenMutants(list);
  if (logs)
    logMutant(static_cast<int>(number));
  return number < chosen.size() && chosen[number];
}
