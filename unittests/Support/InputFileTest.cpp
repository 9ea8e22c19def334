//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/InputFile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace fuser;
namespace fs = std::filesystem;

namespace {

class InputFileTest : public testing::Test {
protected:
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  /// The contents, or the reason why there are none.
  static std::string read(const fs::path &path) {
    auto buffer = readInput(path.string(), /*isText=*/true);
    if (!buffer)
      return "error: " + llvm::toString(buffer.takeError());
    // Parsers look at the end.
    EXPECT_EQ(*(*buffer)->getBufferEnd(), '\0');
    return (*buffer)->getBuffer().str();
  }

  const fs::path folder = fs::temp_directory_path() / ("fuser-input-" + std::to_string(getpid()));
};

TEST_F(InputFileTest, Files) {
  const fs::path file = folder / "100%.txt";
  for (std::string text : {"", "text", "with\0null"}) {
    std::ofstream(file) << text;
    EXPECT_EQ(read(file), text);
  }
  EXPECT_EQ(read(folder / "none"), "error: No such file or directory");
  EXPECT_EQ(read(folder), "error: Is a directory");
}

TEST_F(InputFileTest, PipesOfAnyLength) {
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (size_t size : {0, 1, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 20}) {
    std::string text(size, 'x');
    for (size_t at = 0; at < size; at += 7)
      text[at] = char('a' + at % 23);
    std::thread writer([&] { std::ofstream(pipe) << text; });
    EXPECT_EQ(read(pipe), text);
    writer.join();
  }
}

/// What is opened is closed again.
TEST_F(InputFileTest, FilesAreClosed) {
  auto countOpen = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::ofstream(folder / "file") << "text";
  const auto open = countOpen();
  std::thread writer([&] { std::ofstream(pipe) << "text"; });
  EXPECT_EQ(read(pipe), "text");
  writer.join();
  EXPECT_EQ(read(folder / "file"), "text");
  EXPECT_EQ(read("/dev/null"), "");
  EXPECT_TRUE(isEndlessDevice("/dev/zero"));
  EXPECT_EQ(countOpen(), open);
}

TEST_F(InputFileTest, DevicesWithoutAnEnd) {
  EXPECT_EQ(read("/dev/null"), "");
  EXPECT_EQ(read("/dev/zero"), "error: expected at most 268435456 bytes of a pipe or a device");
}

TEST_F(InputFileTest, IsEndlessDevice) {
  const fs::path link = folder / "link";
  fs::create_symlink("/dev/zero", link);
  for (const char *path : {"/dev/zero", "/dev/full", "/dev/urandom", link.c_str()})
    EXPECT_TRUE(isEndlessDevice(path)) << path;
  std::ofstream(folder / "file") << "text";
  const fs::path file = folder / "file", pipe = folder / "pipe", none = folder / "none";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const fs::path &path : {fs::path("/dev/null"), fs::path("-"), folder, file, pipe, none})
    EXPECT_FALSE(isEndlessDevice(path.string())) << path;
}

/// That of the terminal, in a process that has none.
TEST_F(InputFileTest, ADeviceThatCannotBeOpenedIsNotEndless) {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    _exit(isEndlessDevice("/dev/tty") ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace
