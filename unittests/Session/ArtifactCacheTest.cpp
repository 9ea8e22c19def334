//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs whose artifacts are on disk: what is found there is neither parsed nor compiled, what is
// damaged is compiled again, and processes share a folder.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/FakeDevice.h"
#include "Programs.h"
#include "fuser/Runtime/ArtifactFile.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "fuser/Session/Program.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fuser;
using namespace fuser::runtime;
using session::Program;
using session::ProgramOptions;

namespace {

/// An m x n tensor of small integers.
struct Matrix {
  Matrix(int64_t m, int64_t n) : sizes{m, n}, strides{n, 1}, values(size_t(m * n) + 16) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = float(i % 13) - 6;
  }
  float *data() {
    return reinterpret_cast<float *>((reinterpret_cast<uintptr_t>(values.data()) + 63) / 64 * 64);
  }
  TensorView view() {
    return {data(), DType::F32, 2, sizes, strides, {artifact::DeviceKind::Host, 0}};
  }
  int64_t sizes[2], strides[2];
  std::vector<float> values;
};

class ArtifactCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "fuser-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    options.cacheDirectory = directory = pattern;
    device = createHostDevice().take();
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  std::unique_ptr<Program> make(const char *text = kScale) {
    auto made = Program::create(text, device, options);
    EXPECT_TRUE(made.ok()) << made.error().str();
    return made.take();
  }

  /// Calls @scale and compares; whether it compiled.
  static bool compiles(Program &program, int64_t m, int64_t n) {
    Matrix x(m, n);
    std::vector<CallArgument> arguments = {x.view(), ScalarValue::f32(-1.5f)};
    auto prepared = program.prepare(arguments);
    if (!prepared) {
      ADD_FAILURE() << prepared.error().str();
      return false;
    }
    auto result = program.call(arguments);
    if (!result) {
      ADD_FAILURE() << result.error().str();
      return false;
    }
    const auto *y = static_cast<const float *>((*result)[0].data);
    for (int64_t i = 0; i < m * n; ++i)
      if (y[i] != -1.5f * x.data()[i]) {
        ADD_FAILURE() << "element " << i;
        break;
      }
    return prepared->compiled;
  }

  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(directory))
      if (entry.is_regular_file())
        found.push_back(entry.path());
    return found;
  }

  std::string directory;
  ProgramOptions options;
  std::shared_ptr<Device> device;
};

TEST_F(ArtifactCacheTest, TheNextProgramNeitherParsesNorCompiles) {
  EXPECT_TRUE(compiles(*make(), 64, 128));
  EXPECT_EQ(files().size(), 1u);
  auto program = make();
  Matrix x(64, 128);
  std::vector<CallArgument> arguments = {x.view(), ScalarValue::f32(2)};
  EXPECT_FALSE(program->wouldCompile(arguments));
  auto prepared = make()->prepare(arguments);
  ASSERT_TRUE(prepared.ok()) << prepared.error().str();
  EXPECT_FALSE(prepared->compiled);
  ASSERT_EQ(prepared->times.size(), 1u);
  EXPECT_EQ(prepared->times[0].name, "load");
  EXPECT_FALSE(compiles(*program, 64, 128));
  EXPECT_FALSE(compiles(*program, 64, 128));
}

/// The machine code of kernels is in the folder of the artifacts, which have PTX.
TEST_F(ArtifactCacheTest, TheNextProgramDoesNotAssemble) {
  auto countAssemblies = [&] {
    auto fake = std::make_shared<test::FakeDevice>();
    device = fake;
    Matrix x(64, 128);
    TensorView view = x.view();
    view.device = idOf(*fake);
    EXPECT_TRUE(make()->prepare({view, ScalarValue::f32(2)}).ok());
    EXPECT_EQ(fake->loads, 1u);
    return fake->assemblies;
  };
  EXPECT_EQ(countAssemblies(), 1u);
  EXPECT_EQ(files().size(), 2u);
  EXPECT_EQ(countAssemblies(), 0u);
  EXPECT_EQ(files().size(), 2u);
  // Without a folder the driver assembles what it loads.
  options.cacheDirectory.clear();
  EXPECT_EQ(countAssemblies(), 0u);
}

TEST_F(ArtifactCacheTest, SizesThatFitTheGuardsAreFound) {
  compiles(*make(), 64, 128);
  auto program = make();
  EXPECT_FALSE(compiles(*program, 32, 256));
  EXPECT_TRUE(compiles(*program, 3, 7));
  EXPECT_EQ(files().size(), 2u);
  program = make();
  EXPECT_FALSE(compiles(*program, 3, 7));
  EXPECT_FALSE(compiles(*program, 128, 128));
  EXPECT_FALSE(compiles(*program, 0, 128));
}

TEST_F(ArtifactCacheTest, EmptyTensors) {
  for (int round = 0; round < 2; ++round) {
    auto program = make();
    EXPECT_EQ(compiles(*program, 0, 5), round == 0);
    EXPECT_FALSE(compiles(*program, 0, 5));
  }
}

TEST_F(ArtifactCacheTest, OptionsAndTextsHaveEntriesOfTheirOwn) {
  compiles(*make(), 8, 8);
  options.checkAccesses = true;
  EXPECT_TRUE(compiles(*make(), 8, 8));
  options.checkAccesses = false;
  options.approximateMath = true;
  EXPECT_TRUE(compiles(*make(), 8, 8));
  options.approximateMath = false;
  options.target = *artifact::lookupDevice("sm_80");
  EXPECT_TRUE(compiles(*make(), 8, 8));
  options.target.reset();
  EXPECT_TRUE(compiles(*make((std::string(kScale) + "// other").c_str()), 8, 8));
  options.cacheKey = "other";
  EXPECT_TRUE(compiles(*make(), 8, 8));
  EXPECT_EQ(files().size(), 6u);
  options.cacheKey = "";
  EXPECT_FALSE(compiles(*make(), 8, 8));
}

TEST_F(ArtifactCacheTest, HooksWithoutANameAreNotCached) {
  options.afterPhase = [](Phase, mlir::ModuleOp) {};
  EXPECT_TRUE(compiles(*make(), 8, 8));
  EXPECT_TRUE(files().empty());
  options.cacheKey = "nothing";
  EXPECT_TRUE(compiles(*make(), 8, 8));
  EXPECT_EQ(files().size(), 1u);
  EXPECT_FALSE(compiles(*make(), 8, 8));
}

TEST_F(ArtifactCacheTest, DamagedEntriesAreCompiledAgain) {
  compiles(*make(), 8, 8);
  ASSERT_EQ(files().size(), 1u);
  const std::filesystem::path path = files()[0];
  std::string whole;
  {
    std::ifstream file(path, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(file), {});
  }
  auto write = [&](const std::string &content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  };
  std::string flipped = whole;
  flipped[flipped.size() / 2] ^= 4;
  for (const std::string &damaged : {std::string(), whole.substr(0, 10),
                                     whole.substr(0, whole.size() - 1), whole + "x", flipped}) {
    write(damaged);
    EXPECT_TRUE(compiles(*make(), 8, 8)) << damaged.size();
    // It was written again.
    EXPECT_FALSE(compiles(*make(), 8, 8)) << damaged.size();
  }
  // Every bit counts; a program then begins with its text.
  for (size_t at = 0; at < whole.size(); at += 97) {
    flipped = whole;
    flipped[at] ^= char(1 << at % 8);
    write(flipped);
    Matrix x(8, 8);
    EXPECT_TRUE(make()->wouldCompile({x.view(), ScalarValue::f32(1)})) << at;
  }
}

/// An entry with a valid checksum that another version wrote.
TEST_F(ArtifactCacheTest, EntriesOfOtherVersionsAreCompiledAgain) {
  compiles(*make(), 8, 8);
  const std::filesystem::path folder = files()[0].parent_path().parent_path();
  runtime::DiskCache entries(folder.string());
  ASSERT_EQ(entries.keys().size(), 1u);
  std::string blob = *entries.load(entries.keys()[0]);
  blob[8] = 99; // the version
  ASSERT_TRUE(entries.store(entries.keys()[0], blob).ok());
  EXPECT_TRUE(compiles(*make(), 8, 8));
  EXPECT_FALSE(compiles(*make(), 8, 8));
}

TEST_F(ArtifactCacheTest, UnwritableFoldersCostCompilationsOnly) {
  std::ofstream(directory + "/file") << "text";
  options.cacheDirectory = directory + "/file/below";
  EXPECT_TRUE(compiles(*make(), 8, 8));
  EXPECT_TRUE(compiles(*make(), 8, 8));
  options.cacheDirectory = "/proc/fuser";
  EXPECT_TRUE(compiles(*make(), 8, 8));
}

/// Writing fails in the middle of an entry, as on a full disk. Nothing of it stays.
TEST_F(ArtifactCacheTest, FullDisksCostCompilationsOnly) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    device = createHostDevice().take();
    EXPECT_TRUE(compiles(*make(), 8, 8));
    EXPECT_TRUE(compiles(*make(), 8, 8));
    _exit(HasFailure());
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(files().empty());
  EXPECT_TRUE(compiles(*make(), 8, 8));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(ArtifactCacheTest, ProcessesShareAColdFolder) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define FUSER_SLOW_BUILD 1
#endif
#endif
#ifdef FUSER_SLOW_BUILD
  constexpr int kProcesses = 8;
#else
  constexpr int kProcesses = 64;
#endif
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      device = createHostDevice().take();
      auto program = make();
      for (int64_t size : {8, 7, 16, 8})
        compiles(*program, size, size);
      _exit(HasFailure());
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  // No entry is broken, and nothing half written is left.
  auto program = make();
  for (int64_t size : {7, 8, 16})
    EXPECT_FALSE(compiles(*program, size, size));
  for (const std::filesystem::path &path : files())
    EXPECT_EQ(path.extension(), "") << path;
}

TEST_F(ArtifactCacheTest, WithoutCompilationsOnlyArtifactsRun) {
  options.neverCompile = true;
  auto strict = make();
  Matrix x(8, 8), odd(3, 7);
  std::vector<CallArgument> arguments = {x.view(), ScalarValue::f32(1)};
  std::vector<CallArgument> others = {odd.view(), ScalarValue::f32(1)};
  auto missing = strict->call(arguments);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::NotCompiled);
  EXPECT_EQ(strict->prepare(arguments).error().code, ErrorCode::NotCompiled);
  EXPECT_FALSE(strict->wouldCompile(arguments));

  options.neverCompile = false;
  compiles(*make(), 8, 8);
  EXPECT_TRUE(strict->call(arguments).ok());
  missing = strict->call(others);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::NotCompiled);
  EXPECT_NE(missing.error().message.find("there are none: expected x.size[1] mod 4 == 0"),
            std::string::npos)
      << missing.error().message;
  // A call that no artifact would accept keeps its own error.
  EXPECT_EQ(strict->call({x.view()}).error().code, ErrorCode::ArgumentCount);
}

TEST_F(ArtifactCacheTest, ArtifactsRunWithoutAText) {
  options.cacheDirectory.clear();
  auto source = make();
  Matrix x(8, 8), odd(3, 7);
  auto first = source->getArtifact({x.view(), ScalarValue::f32(1)});
  auto second = source->getArtifact({odd.view(), ScalarValue::f32(1)});
  ASSERT_TRUE(first.ok() && second.ok());
  auto loaded = Program::load(*first, device);
  ASSERT_TRUE(loaded.ok()) << loaded.error().str();
  EXPECT_FALSE(compiles(**loaded, 8, 8));
  EXPECT_FALSE(compiles(**loaded, 16, 32));
  EXPECT_EQ((*loaded)->call({odd.view(), ScalarValue::f32(1)}).error().code,
            ErrorCode::NotCompiled);
  ASSERT_TRUE((*loaded)->addArtifact(*second).ok());
  EXPECT_FALSE(compiles(**loaded, 3, 7));
  EXPECT_FALSE(compiles(**loaded, 8, 8));

  auto other = make(R"mlir(
fuser.fusion @other(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.neg %x : tensor<?x?xf32>
  fuser.return %0 : tensor<?x?xf32>
}
)mlir")
                   ->getArtifact({x.view()});
  ASSERT_TRUE(other.ok());
  Status refused = (*loaded)->addArtifact(*other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().str(),
            "InvalidProgram: expected an artifact with the 2 arguments and 1 results of the "
            "program, but got 'other' with others");
}

TEST_F(ArtifactCacheTest, ConstantsAreCached) {
  constexpr const char *kAdd = R"mlir(
func.func @add(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = arith.constant dense<[[1.0, 2.5, -3.0], [4.0, 0.5, 7.0]]> : tensor<2x3xf32>
  %0 = arith.addf %x, %c : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
)mlir";
  Matrix x(2, 3);
  const float constants[6] = {1, 2.5, -3, 4, 0.5, 7};
  for (int round = 0; round < 3; ++round) {
    auto program = make(kAdd);
    EXPECT_EQ(program->getParameters().size(), 1u);
    auto prepared = program->prepare({x.view()});
    ASSERT_TRUE(prepared.ok()) << prepared.error().str();
    EXPECT_EQ(prepared->compiled, round == 0);
    auto result = program->call({x.view()});
    ASSERT_TRUE(result.ok()) << result.error().str();
    for (int i = 0; i < 6; ++i)
      EXPECT_EQ(static_cast<const float *>((*result)[0].data)[i], x.data()[i] + constants[i]);
    auto artifact = program->getArtifact({x.view()});
    ASSERT_TRUE(artifact.ok());
    EXPECT_EQ(artifact->constants.size(), 1u);
  }
}

/// An artifact has the constants as the device has them, with or without a cache.
TEST_F(ArtifactCacheTest, ArtifactsHaveTheConstants) {
  constexpr const char *kShift = R"mlir(
func.func @shift(%x: tensor<3x1xi32>) -> tensor<3x1xi32> {
  %c = arith.constant dense<[[1], [-2], [3]]> : tensor<3x1xi32>
  %0 = arith.addi %x, %c : tensor<3x1xi32>
  return %0 : tensor<3x1xi32>
}
)mlir";
  Matrix x(3, 1);
  TensorView view = x.view();
  view.dtype = DType::I32;
  for (int round = 0; round < 2; ++round) {
    auto artifact = make(kShift)->getArtifact({view});
    ASSERT_TRUE(artifact.ok()) << artifact.error().str();
    ASSERT_EQ(artifact->constants.size(), 1u);
    const artifact::Constant &constant = artifact->constants[0];
    EXPECT_EQ(constant.dtype, DType::I32);
    EXPECT_EQ(constant.sizes, std::vector<int64_t>({3, 1}));
    const int32_t values[] = {1, -2, 3};
    EXPECT_EQ(constant.bytes, std::string(reinterpret_cast<const char *>(values), sizeof(values)));
  }
}

/// Constants of 16 MiB are in the cache, and of more are not: each artifact would have them.
TEST_F(ArtifactCacheTest, LargeConstantsAreNotCached) {
  for (auto [size, count] : {std::pair<int64_t, size_t>{1 << 22, 1}, {(1 << 22) + 1, 0}}) {
    const std::string type = "tensor<" + std::to_string(size) + "xf32>";
    // Its first element differs, or it would be one number.
    std::string bits(size_t(size) * 8, '1');
    bits.front() = '2';
    const std::string text = "func.func @add(%x: " + type + ") -> " + type +
                             " {\n  %c = arith.constant dense<\"0x" + bits + "\"> : " + type +
                             "\n  %0 = arith.addf %x, %c : " + type + "\n  return %0 : " + type +
                             "\n}\n";
    Matrix x(1, size);
    TensorView view = x.view();
    view.rank = 1;
    view.sizes = x.sizes + 1;
    view.strides = x.strides + 1;
    auto prepared = make(text.c_str())->prepare({view});
    ASSERT_TRUE(prepared.ok()) << prepared.error().str();
    EXPECT_EQ(files().size(), count);
    std::filesystem::remove_all(directory);
    std::filesystem::create_directory(directory);
  }
}

/// What is known of arguments and results does not depend on where a program comes from.
TEST_F(ArtifactCacheTest, SignaturesAreThoseOfTheText) {
  constexpr const char *kMany = R"mlir(
fuser.fusion @many(%x: tensor<?x8xf32>, %flag: i1, %count: i64, %f: f32, %d: f64, %y: tensor<?x8xbf16>)
    -> (tensor<?x8xf32>, tensor<?x8xbf16>, tensor<?x8xf32>) attributes {aliases = [#fuser.alias<output 0, input 0>]} {
  %0 = fuser.mul %x, %f : (tensor<?x8xf32>, f32) -> tensor<?x8xf32>
  %1 = fuser.neg %y : tensor<?x8xbf16>
  fuser.return %0, %1, %x : tensor<?x8xf32>, tensor<?x8xbf16>, tensor<?x8xf32>
}
)mlir";
  auto parsed = make(kMany);
  Matrix x(4, 8), y(4, 8);
  TensorView half = y.view();
  half.dtype = DType::BF16;
  auto prepared = parsed->prepare({x.view(), ScalarValue::boolean(true), ScalarValue::i64(3),
                                   ScalarValue::f32(2), ScalarValue::f64(2), half});
  ASSERT_TRUE(prepared.ok()) << prepared.error().str();
  auto cached = make(kMany);
  ASSERT_EQ(cached->getParameters().size(), parsed->getParameters().size());
  for (size_t i = 0; i < parsed->getParameters().size(); ++i) {
    const Program::Parameter &a = parsed->getParameters()[i], &b = cached->getParameters()[i];
    EXPECT_EQ(a.name, b.name) << i;
    EXPECT_EQ(a.rank, b.rank) << i;
    EXPECT_EQ(a.dtype, b.dtype) << i;
    EXPECT_EQ(a.sizes, b.sizes) << i;
  }
  ASSERT_EQ(cached->getNumResults(), parsed->getNumResults());
  for (size_t i = 0; i < parsed->getNumResults(); ++i)
    EXPECT_EQ(cached->getAliasOf(i), parsed->getAliasOf(i)) << i;
}

} // namespace
