//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/InstalledFiles.h"
#include "fuser/Support/Config.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace fs = std::filesystem;

namespace {

/// Copies of this program run it. The folder that it was started in is another one then.
TEST(InstalledFiles, PrintsAPath) {
  fs::current_path("/");
  std::cout << "[libdevice:" << fuser::getLibdevicePath() << "]\n";
}

std::string printedBy(const fs::path &program) {
  std::string command = program.string() + " --gtest_filter=InstalledFiles.PrintsAPath", text;
  std::FILE *output = popen(command.c_str(), "r");
  char chunk[512];
  while (output && std::fgets(chunk, sizeof(chunk), output))
    text += chunk;
  if (output)
    pclose(output);
  size_t begin = text.find("[libdevice:"), end = text.find("]", begin);
  return begin == std::string::npos ? text : text.substr(begin + 11, end - begin - 11);
}

/// A program that is moved with its files finds them, in the layouts of an installed tree and of a
/// wheel; without them it takes those of the build.
TEST(InstalledFiles, AreNextToTheProgram) {
  std::string pattern = (fs::temp_directory_path() / "fuser-tree-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const fs::path root = fs::canonical(pattern);
  const fs::path program = root / "bin" / "program";
  fs::create_directories(root / "bin");
  fs::copy_file("/proc/self/exe", program);
  EXPECT_EQ(printedBy(program), fuser::config::kLibdevicePath);
  fs::current_path(root / "bin");
  for (const fs::path &tree : {root, root / "bin"}) {
    const fs::path file = tree / fuser::config::kLibdeviceInstallPath;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "bitcode";
    EXPECT_EQ(printedBy(program), file.string());
    EXPECT_EQ(printedBy("./program"), file.string());
    fs::remove(file);
  }
  fs::current_path("/");
  fs::remove_all(root);
}

} // namespace
