//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

#include "fuser/Runtime/KernelCache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace fuser::artifact;
using namespace fuser::runtime;
using fuser::runtime::test::FakeDevice;

namespace {

Kernel makeKernel(const std::string &code) {
  Kernel kernel;
  kernel.name = "kernel";
  kernel.chip = "sm_90";
  kernel.entry = "k";
  kernel.code = code;
  return kernel;
}

class CacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "fuser-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  /// The files of the cache, without those half written.
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(directory))
      if (entry.is_regular_file())
        found.push_back(entry.path());
    return found;
  }

  std::string directory;
};

TEST_F(CacheTest, BlobsComeBack) {
  DiskCache cache(directory + "/deep/er");
  Hash128 key = Hasher().string("key").finish(), other = Hasher().string("other").finish();
  EXPECT_FALSE(cache.load(key).has_value());
  std::string blob("bytes\0more", 10);
  ASSERT_TRUE(cache.store(key, blob).ok());
  EXPECT_EQ(cache.load(key), blob);
  EXPECT_FALSE(cache.load(other).has_value());
  ASSERT_TRUE(cache.store(key, "").ok());
  EXPECT_EQ(cache.load(key), "");
}

TEST_F(CacheTest, KeysAreListedInOrder) {
  DiskCache cache(directory + "/keys");
  EXPECT_TRUE(cache.keys().empty());
  std::vector<Hash128> stored = {{1, 0xff00000000000000}, {2, 5}, {0xabcdef0123456789, 5}};
  for (Hash128 key : stored)
    ASSERT_TRUE(cache.store(key, "blob").ok());
  std::sort(stored.begin(), stored.end());
  // What other programs and interrupted ones leave does not count.
  std::ofstream(directory + "/keys/note") << "text";
  std::ofstream(cache.pathOf(stored[0]) + ".AbCdEf") << "half";
  EXPECT_EQ(cache.keys(), stored);
}

TEST_F(CacheTest, DamagedFilesAreAbsentAndReplaced) {
  DiskCache cache(directory);
  Hash128 key = Hasher().string("key").finish(), other = Hasher().string("other").finish();
  std::string blob(1000, 'b');
  ASSERT_TRUE(cache.store(key, blob).ok());
  std::string path = cache.pathOf(key), content;
  {
    std::ifstream in(path, std::ios::binary);
    content.assign(std::istreambuf_iterator<char>(in), {});
  }
  auto write = [&](const std::string &file, const std::string &bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  };
  for (size_t size : {size_t(0), size_t(7), size_t(24), content.size() - 1}) {
    write(path, content.substr(0, size));
    EXPECT_FALSE(cache.load(key).has_value()) << size;
  }
  for (size_t at = 0; at < content.size(); at += 13) {
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    write(path, damaged);
    EXPECT_FALSE(cache.load(key).has_value()) << at;
  }
  // A good file under another key's name is no hit either.
  std::filesystem::create_directories(std::filesystem::path(cache.pathOf(other)).parent_path());
  write(cache.pathOf(other), content);
  EXPECT_FALSE(cache.load(other).has_value());
  ASSERT_TRUE(cache.store(key, blob).ok());
  EXPECT_EQ(cache.load(key), blob);
}

TEST_F(CacheTest, UnwritableFoldersAreTypedErrors) {
  std::string file = directory + "/file";
  std::ofstream(file) << "x";
  DiskCache cache(file);
  Hash128 key = Hasher().finish();
  Status status = cache.store(key, "blob");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(),
            "IoError: '" + std::filesystem::path(cache.pathOf(key)).parent_path().string() +
                "': expected to make the folder, but got: Not a directory");
  // The kernel cache goes on without it.
  KernelCache kernels(std::make_shared<FakeDevice>(), {file});
  EXPECT_TRUE(kernels.get(makeKernel("a")).ok());
}

TEST_F(CacheTest, EachKernelIsLoadedOnce) {
  auto device = std::make_shared<FakeDevice>();
  KernelCache cache(device);
  Expected<std::shared_ptr<LoadedKernel>> first = cache.get(makeKernel("a"));
  Kernel renamed = makeKernel("a");
  renamed.name = "other";
  EXPECT_EQ(*cache.get(renamed), *first);
  EXPECT_NE(*cache.get(makeKernel("b")), *first);
  EXPECT_EQ(device->loads, 2u);
  EXPECT_EQ(cache.statistics().memoryHits, 1u);
  EXPECT_EQ(cache.statistics().assembled, 2u);
}

TEST_F(CacheTest, MachineCodeIsKeptOnDisk) {
  auto first = std::make_shared<FakeDevice>(), second = std::make_shared<FakeDevice>();
  ASSERT_TRUE(KernelCache(first, {directory}).get(makeKernel("a")).ok());
  EXPECT_EQ(first->assemblies, 1u);
  KernelCache cache(second, {directory});
  ASSERT_TRUE(cache.get(makeKernel("a")).ok());
  EXPECT_EQ(second->assemblies, 0u);
  EXPECT_EQ(cache.statistics().diskHits, 1u);
  // Another assembler may make other code.
  auto third = std::make_shared<FakeDevice>();
  third->assembler = "fake 2";
  ASSERT_TRUE(KernelCache(third, {directory}).get(makeKernel("a")).ok());
  EXPECT_EQ(third->assemblies, 1u);
}

TEST_F(CacheTest, CodeThatNoLongerLoadsIsAssembledAgain) {
  auto device = std::make_shared<FakeDevice>();
  ASSERT_TRUE(KernelCache(device, {directory}).get(makeKernel("a")).ok());
  ASSERT_EQ(files().size(), 1u);
  bool first = true;
  device->refuses = [&](const Kernel &) { return std::exchange(first, false); };
  KernelCache cache(device, {directory});
  ASSERT_TRUE(cache.get(makeKernel("a")).ok());
  EXPECT_EQ(device->assemblies, 2u);
}

TEST_F(CacheTest, FailuresAreNotRemembered) {
  auto device = std::make_shared<FakeDevice>();
  device->refuses = [](const Kernel &) { return true; };
  KernelCache cache(device);
  EXPECT_FALSE(cache.get(makeKernel("a")).ok());
  device->refuses = nullptr;
  EXPECT_TRUE(cache.get(makeKernel("a")).ok());
}

TEST_F(CacheTest, ThreadsShareOneAssembly) {
  auto device = std::make_shared<FakeDevice>();
  KernelCache cache(device, {directory});
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (unsigned i = 0; i < 50; ++i)
        EXPECT_TRUE(cache.get(makeKernel("code " + std::to_string(i % 5))).ok());
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(device->assemblies, 5u);
  EXPECT_EQ(cache.statistics().memoryHits, 8u * 50 - 5);
}

/// Stores and reads the same keys in a loop; false where a reader ever sees something else than the
/// blob of its key.
bool hammer(const std::string &directory, unsigned seed) {
  DiskCache cache(directory);
  for (unsigned round = 0; round < 300; ++round) {
    unsigned n = (round * 7 + seed) % 6;
    Hash128 key = Hasher().integer(n).finish();
    std::string blob(3000 + 1000 * n, static_cast<char>('a' + n));
    std::optional<std::string> found = cache.load(key);
    if (found && *found != blob)
      return false;
    if (round % 3 == seed % 3 && !cache.store(key, blob).ok())
      return false;
    // Damage files continually.
    if (round % 50 == 49)
      std::ofstream(cache.pathOf(key), std::ios::binary | std::ios::trunc) << "damaged";
  }
  return true;
}

TEST_F(CacheTest, ProcessesShareTheFolder) {
  std::vector<pid_t> children;
  for (unsigned seed = 0; seed < 6; ++seed) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      _exit(hammer(directory, seed) ? 0 : 1);
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  // Nothing half written is left.
  EXPECT_LE(files().size(), 6u);
}

} // namespace
