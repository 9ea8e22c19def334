//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

class OutputFileTest : public testing::Test {
protected:
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::error_code write(const fs::path &path, llvm::StringRef text) {
    return fuser::writeFile(path.string(), [&](llvm::raw_ostream &stream) { stream << text; });
  }
  static std::string read(const fs::path &path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  size_t countFiles() const {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  }

  const fs::path folder = fs::temp_directory_path() / ("fuser-output-" + std::to_string(getpid()));
  const fs::path file = folder / "100%.txt";
};

TEST_F(OutputFileTest, FilesAreReplaced) {
  for (const char *text : {"first", "a longer second", "", "third"}) {
    EXPECT_FALSE(write(file, text));
    EXPECT_EQ(read(file), text);
    EXPECT_EQ(countFiles(), 1u);
  }
}

TEST_F(OutputFileTest, LinksAndPermissionsStay) {
  ASSERT_FALSE(write(file, "first"));
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  const fs::path link = folder / "link";
  fs::create_symlink(file.filename(), link);
  EXPECT_FALSE(write(link, "second"));
  EXPECT_EQ(read(file), "second");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFileTest, WhatCannotBeWrittenIsReported) {
  EXPECT_EQ(write(folder, ""), std::errc::is_a_directory);
  EXPECT_EQ(write(folder / "missing" / "file", ""), std::errc::no_such_file_or_directory);
  EXPECT_EQ(write("/dev/full", "text"), std::errc::no_space_on_device);
  EXPECT_EQ(countFiles(), 0u);
}

// LLVM ends the process where a stream with an error is closed.
TEST_F(OutputFileTest, AFailedStreamIsFinishedOnce) {
  std::error_code error;
  {
    llvm::raw_fd_ostream stream("/dev/full", error);
    ASSERT_FALSE(error);
    EXPECT_FALSE(fuser::finishStream(stream));
    stream << "text";
    EXPECT_EQ(fuser::finishStream(stream), std::errc::no_space_on_device);
    EXPECT_FALSE(stream.has_error());
    EXPECT_FALSE(fuser::finishStream(stream));
  }
  {
    llvm::raw_fd_ostream stream(file.string(), error);
    ASSERT_FALSE(error);
    stream << "text";
    EXPECT_FALSE(fuser::finishStream(stream));
    EXPECT_EQ(read(file), "text");
  }
}

TEST_F(OutputFileTest, UnfinishedFilesLeaveTheOldOne) {
  ASSERT_FALSE(write(file, "first"));
  {
    std::optional<fuser::PendingFile> pending;
    ASSERT_FALSE(fuser::PendingFile::create(file.string(), pending));
    std::ofstream(pending->getPath().str()) << "second";
    EXPECT_EQ(countFiles(), 2u);
  }
  EXPECT_EQ(read(file), "first");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(OutputFileTest, AFileThatCannotBeReplacedIsReported) {
  std::optional<fuser::PendingFile> pending;
  ASSERT_FALSE(fuser::PendingFile::create(file.string(), pending));
  std::ofstream(pending->getPath().str()) << "text";
  fs::create_directories(file / "inner");
  EXPECT_EQ(pending->keep(), std::errc::is_a_directory);
  // The temporary file is gone, and nothing is left to keep.
  EXPECT_EQ(countFiles(), 1u);
  EXPECT_FALSE(pending->keep());
}

// The temporary file gets the lowest descriptor that is free.
TEST_F(OutputFileTest, WithoutStandardInput) {
  const int input = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  EXPECT_FALSE(write(file, "text"));
  if (input >= 0) {
    dup2(input, STDIN_FILENO);
    close(input);
  }
  EXPECT_EQ(read(file), "text");
}

} // namespace
