//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the entries of the artifact cache are named by, and the order in which they are tried.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Session/ArtifactCache.h"
#include "../Artifact/SampleArtifact.h"
#include "fuser/Artifact/Hash.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <unistd.h>

using namespace fuser;
using artifact::DeviceDescription;
using artifact::DeviceKind;
using artifact::DType;
using artifact::Hash128;
using runtime::CallArgument;
using runtime::ScalarValue;
using session::ArtifactCache;
using session::ProgramOptions;

namespace {

/// A folder of its own for each test.
class CacheKeys : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "fuser-keys-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string folder;
};

/// The number of different keys.
size_t countKeys(std::vector<Hash128> keys) {
  std::sort(keys.begin(), keys.end());
  return std::unique(keys.begin(), keys.end()) - keys.begin();
}

TEST_F(CacheKeys, OfSpecializations) {
  const int64_t sizes[] = {4, 8}, strides[] = {8, 1}, longer[] = {5, 8}, wider[] = {4, 9},
                spread[] = {9, 1}, odd[] = {8, 2};
  auto keyOf = [&](uintptr_t address, DType dtype = DType::F32, const int64_t *size = nullptr,
                   const int64_t *stride = nullptr, uint32_t rank = 2,
                   ScalarValue scalar = ScalarValue::f32(1)) {
    return session::getSpecializationKey(
        {scalar, runtime::TensorView{reinterpret_cast<void *>(address),
                                     dtype,
                                     rank,
                                     size ? size : sizes,
                                     stride ? stride : strides,
                                     {DeviceKind::Host, 0}}});
  };
  const Hash128 key = keyOf(256);
  // All of these are specializations of their own.
  std::vector<Hash128> keys = {key,
                               keyOf(256, DType::I32),
                               keyOf(256, DType::F32, longer),
                               keyOf(256, DType::F32, wider),
                               keyOf(256, DType::F32, sizes, spread),
                               keyOf(256, DType::F32, sizes, odd),
                               keyOf(256, DType::F32, sizes, strides, 1),
                               keyOf(256, DType::F32, sizes, strides, 2, ScalarValue::f64(1)),
                               session::getSpecializationKey({}),
                               session::getSpecializationKey({ScalarValue::f32(1)})};
  for (uintptr_t alignment : {1, 2, 4, 8})
    keys.push_back(keyOf(256 + alignment));
  EXPECT_EQ(countKeys(keys), keys.size());
  // Alignments of more than 16 bytes, other bits of an address and the values of scalars are not
  // facts.
  EXPECT_EQ(key, keyOf(256 + 16));
  EXPECT_EQ(key, keyOf(256 + 32));
  EXPECT_EQ(keyOf(256 + 4), keyOf(256 + 12));
  EXPECT_EQ(key, keyOf(256, DType::F32, sizes, strides, 2, ScalarValue::f32(2)));
}

TEST_F(CacheKeys, OfPrograms) {
  const std::string library = folder + "/libdevice.bc";
  std::ofstream(library) << "bitcode";
  DeviceDescription host = *artifact::lookupDevice("sm_90"), gpu = host;
  host.kind = DeviceKind::Host;
  ProgramOptions options;
  options.target = *artifact::lookupDevice("sm_90");
  options.libdevicePath = library;
  const std::optional<Hash128> key = session::getProgramKey("text", gpu, options);
  ASSERT_TRUE(key.has_value());
  std::vector<Hash128> keys = {*key, *session::getProgramKey("other", gpu, options),
                               *session::getProgramKey("text", host, options)};
  auto addKey = [&](const std::function<void(ProgramOptions &)> &change) {
    ProgramOptions changed = options;
    change(changed);
    keys.push_back(*session::getProgramKey("text", gpu, changed));
  };
  addKey([](ProgramOptions &o) { o.target = *artifact::lookupDevice("sm_80"); });
  addKey([](ProgramOptions &o) { o.approximateMath = true; });
  addKey([](ProgramOptions &o) { o.markBoundaries = "relu"; });
  addKey([](ProgramOptions &o) { o.schedules = "module {}"; });
  addKey([](ProgramOptions &o) { o.forceStreams = true; });
  for (DependentLaunches each : {DependentLaunches::Marked, DependentLaunches::All})
    if (each != options.dependentLaunches)
      addKey([&](ProgramOptions &o) { o.dependentLaunches = each; });
  addKey([](ProgramOptions &o) { o.checkAccesses = true; });
  addKey([](ProgramOptions &o) { o.cacheKey = "mine"; });
  addKey([&](ProgramOptions &o) { o.libdevicePath = folder + "/none.bc"; });
  addKey([](ProgramOptions &o) { o.libdevicePath = ""; });
  DeviceDescription smaller = gpu;
  smaller.maxCooperativeThreads = gpu.maxCooperativeThreads + 1;
  keys.push_back(*session::getProgramKey("text", smaller, options));
  // Another libdevice at the same place, and the same one that is written again later.
  std::filesystem::last_write_time(library, std::filesystem::last_write_time(library) +
                                                std::chrono::seconds(2));
  keys.push_back(*session::getProgramKey("text", gpu, options));
  const auto time = std::filesystem::last_write_time(library);
  std::ofstream(library) << "longer bitcode";
  std::filesystem::last_write_time(library, time);
  keys.push_back(*session::getProgramKey("text", gpu, options));
  EXPECT_EQ(countKeys(keys), keys.size());

  // What changes no artifact. The host needs no libdevice.
  const Hash128 now = keys.back(), ofHost = *session::getProgramKey("text", host, options);
  options.threads = 3;
  options.verifyEach = true;
  options.cacheDirectory = folder;
  EXPECT_EQ(session::getProgramKey("text", gpu, options), now);
  options.libdevicePath = folder + "/none.bc";
  EXPECT_EQ(session::getProgramKey("text", host, options), ofHost);
  EXPECT_EQ(ofHost, keys[2]);
}

TEST_F(CacheKeys, OfPrograms_NeedANameForCode) {
  const DeviceDescription device = *artifact::lookupDevice("sm_90");
  auto hasKey = [&](const std::function<void(ProgramOptions &)> &change) {
    ProgramOptions options;
    options.target = device;
    change(options);
    const bool unnamed = session::getProgramKey("text", device, options).has_value();
    options.cacheKey = "name";
    EXPECT_EQ(session::getProgramKey("text", device, options).has_value(), options.emitCode);
    return unnamed;
  };
  EXPECT_TRUE(hasKey([](ProgramOptions &) {}));
  EXPECT_FALSE(hasKey([](ProgramOptions &o) { o.afterPhase = [](Phase, mlir::ModuleOp) {}; }));
  EXPECT_FALSE(hasKey([](ProgramOptions &o) {
    o.registry = std::shared_ptr<const SchedulerRegistry>(std::shared_ptr<int>(),
                                                          reinterpret_cast<SchedulerRegistry *>(1));
  }));
  EXPECT_FALSE(hasKey([](ProgramOptions &o) { o.emitCode = false; }));
}

Hash128 makeKey(uint64_t number) { return artifact::Hasher().integer(number).finish(); }

/// The names of the artifacts that are offered until one of this name is accepted.
std::vector<std::string> offer(ArtifactCache &cache, uint64_t first, const std::string &accepted,
                               const std::string &preferred = "none") {
  std::vector<std::string> names;
  const bool found = cache.find(
      makeKey(first), [&](const artifact::Artifact &each) { return each.name == preferred; },
      [&](artifact::Artifact each) {
        names.push_back(each.name);
        return each.name == accepted;
      });
  EXPECT_EQ(found, !names.empty() && names.back() == accepted);
  return names;
}

TEST_F(CacheKeys, TheArtifactOfTheCallComesFirst) {
  ArtifactCache writer(folder, makeKey(0));
  artifact::Artifact artifact = artifact::test::makeSample();
  for (const char *name : {"a", "b", "c", "d"}) {
    artifact.name = name;
    writer.store(makeKey(name[0]), artifact);
  }
  // Those that a cache stored are known to its program.
  EXPECT_TRUE(offer(writer, 'a', "a").empty());

  const std::string name = makeKey(0).str();
  EXPECT_TRUE(
      std::filesystem::exists(folder + "/programs/" + name.substr(0, 2) + "/" + name.substr(2)));
  ArtifactCache reader(folder, makeKey(0));
  EXPECT_NE(reader.findAny(), nullptr);
  EXPECT_EQ(ArtifactCache(folder, makeKey(1)).findAny(), nullptr);
  EXPECT_EQ(offer(reader, 'c', "c"), std::vector<std::string>{"c"});
  // It is not offered again, whatever the arguments are; the others are, preferred ones first.
  std::vector<std::string> names = offer(reader, 'x', "none", "b");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0], "b");
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, std::vector<std::string>({"a", "b", "d"}));
  // What was refused is offered again.
  EXPECT_EQ(offer(reader, 'x', "d", "d"), std::vector<std::string>{"d"});
  names = offer(reader, 'b', "none", "a");
  EXPECT_EQ(names, std::vector<std::string>({"b", "a"}));
}

TEST_F(CacheKeys, DamagedArtifactsHideNoOthers) {
  ArtifactCache writer(folder, makeKey(0));
  for (uint64_t number = 0; number < 8; ++number)
    writer.store(makeKey(number), artifact::test::makeSample());
  size_t damaged = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && damaged++ < 4)
      std::ofstream(entry.path()) << "nothing";
  EXPECT_EQ(damaged, 8u);
  EXPECT_EQ(offer(*std::make_unique<ArtifactCache>(folder, makeKey(0)), 1000, "none").size(), 4u);
}

TEST_F(CacheKeys, SixtyFourOthersAreRead) {
  ArtifactCache writer(folder, makeKey(0));
  artifact::Artifact artifact = artifact::test::makeSample();
  for (uint64_t number = 0; number < 70; ++number) {
    artifact.name = std::to_string(number);
    writer.store(makeKey(number), artifact);
  }
  EXPECT_EQ(offer(*std::make_unique<ArtifactCache>(folder, makeKey(0)), 1000, "none").size(), 64u);
  EXPECT_EQ(offer(*std::make_unique<ArtifactCache>(folder, makeKey(0)), 7, "none").size(), 65u);
}

} // namespace
