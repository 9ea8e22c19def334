//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SampleArtifact.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace fuser::artifact;
using fuser::artifact::test::makeSample;

namespace {

TEST(Artifact, SampleIsValidAndPrints) {
  Artifact a = makeSample();
  Status status = validate(a);
  ASSERT_TRUE(status.ok()) << status.error().str();
  std::string text = printArtifact(a);
  for (const char *line :
       {"argument 0 x: f32[?, ?] order [0 strided, 1] align 16\n", "argument 1 s: f32 scalar\n",
        "output y: f32[x.size[0], x.size[1]] strides [x.size[1], 1] align 16\n",
        "guard x.size[1] mod 4 == 0 : 16-byte loads\n",
        "kernel 0 sample_0: ptx for sm_90, entry k, 27 bytes, static_shared_bytes 64\n",
        "  %work = alloc i32[ceildiv(x.size[0] * x.size[1], 128)] strides [1] zeroed\n",
        "  launch sample_0(%x, %y, %work, x.size[1] : i32, c : i64, s) grid "
        "[ceildiv(x.size[0] * x.size[1], 128), 1, 1] block [128, 1, 1] cluster [1, 1, 1] shared "
        "512\n",
        "    writes %y[0, 0][x.size[0], x.size[1]] bytes [0, 4 * (x.size[0] * x.size[1]))\n",
        "  for loop0 < x.size[0] streams 2\n",
        "  %x_row = view %x offset loop0 * x.stride[0] sizes [x.size[1]] strides [1]\n",
        "  copy %x_row into %y_row\n", "  return %y\n"})
    EXPECT_NE(text.find(line), std::string::npos) << "expected: " << line << "in:\n" << text;
}

TEST(Artifact, SavingAndLoadingGivesTheSame) {
  Artifact a = makeSample();
  Expected<Artifact> again = deserialize(serialize(a));
  ASSERT_TRUE(again.ok()) << again.error().str();
  EXPECT_EQ(printArtifact(*again), printArtifact(a));
  EXPECT_EQ(serialize(*again), serialize(a));
  EXPECT_TRUE(contentKey(*again) == contentKey(a));
}

TEST(Artifact, ConstantsAreSaved) {
  Artifact a = makeSample();
  a.arguments.push_back({"c", true, DType::F32, {1, 2}, {0, 1}, {1, 1}, 4});
  a.constants.push_back({DType::F32, {1, 2}, std::string("\0\0\x80\x3f\0\0\0\x40", 8)});
  ASSERT_TRUE(validate(a).ok());
  EXPECT_EQ(numPassedArguments(a), 3u);
  EXPECT_NE(printArtifact(a).find("argument 3 c: f32[1, 2] order [0, 1] align 4 constant\n"),
            std::string::npos);
  Expected<Artifact> again = deserialize(serialize(a));
  ASSERT_TRUE(again.ok()) << again.error().str();
  EXPECT_EQ(again->constants[0].bytes, a.constants[0].bytes);
  EXPECT_EQ(again->constants[0].sizes, a.constants[0].sizes);
  EXPECT_EQ(serialize(*again), serialize(a));
  a.constants[0].bytes.pop_back();
  EXPECT_FALSE(validate(a).ok());
}

/// The first parameter of the sample's launch is a map of its buffer.
static Artifact makeSampleWithMap() {
  Artifact a = makeSample();
  Parameter &map = std::get<Launch>(a.program.instructions[2]).parameters[0];
  map.kind = Parameter::Kind::TensorMap;
  map.bytes = 4;
  map.sizes = {a.exprs.size(0, 0), a.exprs.size(0, 1)};
  map.strides = {a.exprs.stride(0, 0), a.exprs.constant(1)};
  map.box = {64, 32};
  map.swizzle = 128;
  return a;
}

TEST(Artifact, TensorMapsAreSavedAndPrinted) {
  Artifact a = makeSampleWithMap();
  Status status = validate(a);
  ASSERT_TRUE(status.ok()) << status.error().str();
  const std::string text = printArtifact(a);
  EXPECT_NE(text.find("launch sample_0(map %x[x.size[0], x.size[1]] strides [x.stride[0], 1] box "
                      "[64, 32] of 4 bytes swizzle 128, %y"),
            std::string::npos)
      << text;
  Expected<Artifact> loaded = deserialize(serialize(a));
  ASSERT_TRUE(loaded.ok()) << loaded.error().str();
  EXPECT_EQ(printArtifact(*loaded), text);
}

TEST(Artifact, InconsistentTensorMapsAreNamed) {
  auto expectError = [](const std::string &message, auto damage) {
    Artifact a = makeSampleWithMap();
    damage(std::get<Launch>(a.program.instructions[2]).parameters[0]);
    Status status = validate(a);
    ASSERT_FALSE(status.ok()) << message;
    EXPECT_NE(status.error().message.find(message), std::string::npos) << status.error().message;
  };
  expectError("expected a tensor map of 1 to 5 dimensions, but got 1 of the box, 2 sizes and 2 "
              "strides",
              [](Parameter &map) { map.box.pop_back(); });
  expectError("expected elements of 1, 2, 4 or 8 bytes of a tensor map, but got 16",
              [](Parameter &map) { map.bytes = 16; });
  expectError("expected a parameter to have memory, but buffer 3 has none here",
              [](Parameter &map) { map.buffer = 3; });
}

/// The sample with a second launch of its kernel after the first one, that depends on it.
static Artifact makeSampleWithDependentLaunch() {
  Artifact a = makeSample();
  a.kernels[0].attributes.emplace_back(kWaitsForLaunches, 1);
  Launch second = std::get<Launch>(a.program.instructions[2]);
  second.dependent = true;
  a.program.instructions.insert(a.program.instructions.begin() + 3, second);
  return a;
}

TEST(Artifact, DependentLaunchesAreSavedAndPrinted) {
  Artifact a = makeSampleWithDependentLaunch();
  Status status = validate(a);
  ASSERT_TRUE(status.ok()) << status.error().str();
  const std::string text = printArtifact(a);
  EXPECT_NE(text.find(" shared 512\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" shared 512 dependent\n"), std::string::npos) << text;
  Expected<Artifact> loaded = deserialize(serialize(a));
  ASSERT_TRUE(loaded.ok()) << loaded.error().str();
  EXPECT_EQ(printArtifact(*loaded), text);
}

TEST(Artifact, InconsistentDependentLaunchesAreNamed) {
  auto expectError = [](const std::string &message, auto damage) {
    Artifact a = makeSampleWithDependentLaunch();
    damage(a);
    Status status = validate(a);
    ASSERT_FALSE(status.ok()) << message;
    EXPECT_NE(status.error().message.find(message), std::string::npos) << status.error().message;
  };
  auto insertBefore = [](const Instruction &instruction) {
    return [=](Artifact &a) {
      a.program.instructions.insert(a.program.instructions.begin() + 3, instruction);
    };
  };
  expectError("expected a dependent launch of a kernel that waits for the launches before it",
              [](Artifact &a) { a.kernels[0].attributes.pop_back(); });
  expectError("expected a launch that is cooperative or dependent, but got both",
              [](Artifact &a) { std::get<Launch>(a.program.instructions[3]).cooperative = true; });
  const char *first = "expected a launch as the last work before a dependent launch";
  expectError(first,
              [](Artifact &a) { std::get<Launch>(a.program.instructions[2]).dependent = true; });
  expectError(first, insertBefore(RecordEvent{0}));
  expectError(first, insertBefore(Copy{0, 1}));
  expectError("expected no dependent launch inside of a loop", [](Artifact &a) {
    // Without the free of its workspace, which is before the begin of the loop.
    a.program.instructions.erase(a.program.instructions.begin() + 4);
    std::swap(a.program.instructions[3], a.program.instructions[4]);
  });
}

TEST(Artifact, KeyDependsOnTheContent) {
  Artifact a = makeSample(), b = makeSample();
  EXPECT_EQ(contentKey(a).str(), contentKey(b).str());
  b.kernels[0].code += "\n";
  EXPECT_NE(contentKey(a).str(), contentKey(b).str());
  EXPECT_NE(contentKey(a.kernels[0]).str(), contentKey(b.kernels[0]).str());
  b = makeSample();
  b.kernels[0].name = "other";
  EXPECT_EQ(contentKey(a.kernels[0]).str(), contentKey(b.kernels[0]).str());
}

TEST(Artifact, EveryTruncationIsRefused) {
  std::string data = serialize(makeSample());
  for (size_t size = 0; size < data.size(); ++size) {
    Expected<Artifact> result = deserialize(std::string_view(data).substr(0, size));
    ASSERT_FALSE(result.ok()) << size;
    EXPECT_EQ(result.error().code, ErrorCode::Corrupt);
  }
  EXPECT_FALSE(deserialize(data + "x").ok());
  EXPECT_EQ(
      deserialize("module {}").error().str(),
      "Corrupt: expected a saved artifact, but got 9 bytes that do not begin with its header");
}

TEST(Artifact, EveryFlippedBitIsRefused) {
  std::string data = serialize(makeSample());
  for (size_t i = 0; i < data.size(); ++i) {
    std::string damaged = data;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    EXPECT_FALSE(deserialize(damaged).ok()) << "byte " << i;
  }
}

TEST(Artifact, AnotherVersionIsNamed) {
  std::string data = serialize(makeSample());
  data[8] = 9;
  Expected<Artifact> result = deserialize(data);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::VersionMismatch);
  EXPECT_EQ(result.error().message, "expected an artifact of format version 6, but got version 9");
}

/// The data with a corrected length and hash in the header, as in a hostile file.
std::string withValidHeader(const std::string &data) {
  constexpr size_t kHeader = 40;
  std::string payload = data.substr(kHeader), out = data.substr(0, 16);
  Hash128 hash = Hasher().string(payload).finish();
  for (uint64_t word : {static_cast<uint64_t>(payload.size()), hash.low, hash.high})
    for (unsigned i = 0; i < 8; ++i)
      out += static_cast<char>(word >> (8 * i));
  return out + payload;
}

TEST(Artifact, DamageBehindAValidHashNeverCrashes) {
  const std::string data = serialize(makeSample());
  ASSERT_TRUE(deserialize(withValidHeader(data)).ok());
  std::mt19937_64 random(11);
  unsigned accepted = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::string damaged = data;
    for (unsigned n = 1 + random() % 3; n > 0; --n) {
      size_t at = 40 + random() % (damaged.size() - 40);
      switch (random() % 4) {
      case 0:
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
        break;
      case 1:
        damaged[at] = static_cast<char>(random());
        break;
      case 2:
        damaged.erase(at, 1 + random() % 9);
        break;
      default:
        damaged.insert(at, 1 + random() % 9, static_cast<char>(random()));
      }
      if (damaged.size() < 50)
        break;
    }
    Expected<Artifact> result = deserialize(withValidHeader(damaged));
    if (!result)
      continue;
    // Accepted data is valid: printing it touches every reference.
    ++accepted;
    EXPECT_TRUE(validate(*result).ok());
    EXPECT_FALSE(printArtifact(*result).empty());
  }
  // Names, code and constants may change freely, references may not.
  EXPECT_GT(accepted, 0u);
}

/// A number behind the last enumerator is no value, in a file with a valid hash.
TEST(Artifact, NumbersOfNoEnumeratorAreRefused) {
  struct Field {
    const char *name;
    unsigned limit;
    std::function<void(Artifact &, unsigned)> set;
  };
  auto launchOf = [](Artifact &a) -> Launch & {
    return std::get<Launch>(a.program.instructions[2]);
  };
  const Field fields[] = {
      {"type of an argument", kNumDTypes,
       [](Artifact &a, unsigned value) { a.arguments[1].dtype = DType(value); }},
      {"comparison of a guard", kNumExprKinds,
       [](Artifact &a, unsigned value) { a.guards[0].relation = ExprKind(value); }},
      {"format of a kernel", 3,
       [](Artifact &a, unsigned value) { a.kernels[0].format = KernelFormat(value); }},
      {"access of a box", 4,
       [&](Artifact &a, unsigned value) { launchOf(a).boxes[0].access = Access(value); }},
      {"kind of a parameter", 4, [&](Artifact &a, unsigned value) {
         launchOf(a).parameters[0].kind = Parameter::Kind(value);
       }}};
  for (const Field &field : fields) {
    Artifact a = makeSample();
    field.set(a, field.limit);
    Expected<Artifact> result = deserialize(serialize(a));
    ASSERT_FALSE(result.ok()) << field.name;
    EXPECT_EQ(result.error().code, ErrorCode::Corrupt) << field.name;
  }
}

TEST(Artifact, KernelsOfAllFormatsAreSaved) {
  for (KernelFormat format : {KernelFormat::PTX, KernelFormat::Cubin, KernelFormat::HostObject}) {
    Artifact a = makeSample();
    a.kernels[0].format = format;
    Expected<Artifact> again = deserialize(serialize(a));
    ASSERT_TRUE(again.ok()) << toString(format) << ": " << again.error().str();
    EXPECT_EQ(again->kernels[0].format, format);
  }
}

struct BadArtifact {
  const char *message;
  std::function<void(Artifact &)> damage;
};

TEST(Artifact, InconsistenciesAreNamed) {
  auto launchOf = [](Artifact &a) -> Launch & {
    return std::get<Launch>(a.program.instructions[2]);
  };
  const BadArtifact cases[] = {
      {"expected a permutation of 2 dimensions as order",
       [](Artifact &a) { a.arguments[0].order = {1, 1}; }},
      {"expected a power of two as alignment, but got 12",
       [](Artifact &a) { a.arguments[0].alignment = 12; }},
      {"expected operands before it",
       [](Artifact &a) { a.exprs.append({ExprKind::Add, 999, 0, 0, 0}); }},
      {"argument 's': expected an integer, but got f32", [](Artifact &a) { a.exprs.scalar(1); }},
      {"argument 'x': expected a dimension below 2, but got 5",
       [](Artifact &a) { a.exprs.size(0, 5); }},
      {"instruction 2: expected a kernel below 1, but got 4",
       [&](Artifact &a) { launchOf(a).kernel = 4; }},
      {"instruction 2: expected a parameter of 4 or 8 bytes, but got 2",
       [&](Artifact &a) { launchOf(a).parameters[3].bytes = 2; }},
      {"instruction 2: expected a box of rank 2",
       [&](Artifact &a) { launchOf(a).boxes[0].offsets.pop_back(); }},
      {"instruction 2: expected a stream only inside of a loop",
       [&](Artifact &a) { launchOf(a).stream = 0; }},
      {"instruction 2: expected a parameter to have memory, but buffer 3 has none here",
       [&](Artifact &a) { launchOf(a).parameters[0].buffer = 3; }},
      {"to be alive, but buffer 2 was freed",
       [](Artifact &a) {
         a.program.instructions.insert(a.program.instructions.begin() + 2, Free{2});
       }},
      {"expected buffer 1 to be placed once",
       [](Artifact &a) { std::get<Alloc>(a.program.instructions[1]).buffer = 1; }},
      {"expected a return as last instruction",
       [](Artifact &a) { a.program.instructions.pop_back(); }},
      {"expected no return inside of a loop",
       [](Artifact &a) { a.program.instructions.erase(a.program.instructions.end() - 2); }},
      {"expected 1 values, but got 0",
       [](Artifact &a) { std::get<Return>(a.program.instructions.back()).values.clear(); }},
      {"to share memory with the argument", [](Artifact &a) { a.outputs[0].aliasOfArgument = 0; }},
      {"expected the count of a loop not to use the index of another loop",
       [](Artifact &a) {
         std::get<ForBegin>(a.program.instructions[4]).count = a.exprs.loopIndex(3);
       }},
      {"expected at most 3 constants, but got 4", [](Artifact &a) { a.constants.resize(4); }},
      {"expected constant 0 to be a value of argument 2",
       [](Artifact &a) { a.constants.push_back({DType::I64, {}, "8 bytes."}); }},
      {"expected constant 0 to be a value of argument 0",
       [](Artifact &a) {
         a.constants.resize(3);
         a.constants[0] = {DType::F32, {1, int64_t(1) << 62}, ""};
       }},
      {"was freed",
       [](Artifact &a) { std::get<Return>(a.program.instructions.back()).values = {4}; }},
  };
  for (const BadArtifact &bad : cases) {
    Artifact a = makeSample();
    bad.damage(a);
    Status status = validate(a);
    ASSERT_FALSE(status.ok()) << bad.message;
    EXPECT_EQ(status.error().code, ErrorCode::Corrupt);
    EXPECT_NE(status.error().message.find(bad.message), std::string::npos)
        << "expected: " << bad.message << "\ngot: " << status.error().message;
  }
}

/// Each expression of a launch is checked as what it is.
TEST(Artifact, ExpressionsOfALaunchAreNamed) {
  std::vector<std::pair<const char *, std::function<ExprId *(Launch &)>>> places;
  for (size_t dim = 0; dim < 3; ++dim) {
    places.emplace_back("a launch dimension", [=](Launch &op) { return &op.grid[dim]; });
    places.emplace_back("a launch dimension", [=](Launch &op) { return &op.block[dim]; });
    places.emplace_back("a launch dimension", [=](Launch &op) { return &op.cluster[dim]; });
  }
  places.emplace_back("the shared memory", [](Launch &op) { return &op.dynamicSharedBytes; });
  places.emplace_back("a parameter", [](Launch &op) { return &op.parameters[3].expr; });
  places.emplace_back("an offset of a box", [](Launch &op) { return &op.boxes[0].offsets[1]; });
  places.emplace_back("a size of a box", [](Launch &op) { return &op.boxes[0].sizes[1]; });
  places.emplace_back("a byte of a box", [](Launch &op) { return &op.boxes[0].byteBegin; });
  places.emplace_back("a byte of a box", [](Launch &op) { return &op.boxes[0].byteEnd; });
  for (size_t number = 0; number < places.size(); ++number) {
    const auto &[what, place] = places[number];
    Artifact a = makeSample();
    const auto count = static_cast<ExprId>(a.exprs.nodes().size());
    ExprId &expr = *place(std::get<Launch>(a.program.instructions[2]));
    auto expectError = [&](const std::string &message) {
      Status status = validate(a);
      ASSERT_FALSE(status.ok()) << "place " << number << ": " << message;
      EXPECT_EQ(status.error().message, "artifact 'sample': instruction 2: expected " + message);
    };
    const std::string n = std::to_string(count);
    expr = count;
    expectError(what + (" below " + n + ", but got expression " + n));
    // The last one, which is in no loop.
    expr = a.exprs.constant(7);
    EXPECT_EQ(expr, count);
    EXPECT_TRUE(validate(a).ok()) << "place " << number;
    expr = a.exprs.loopIndex(0);
    expectError(std::string(what) + " not to use the index of another loop");
  }
}

TEST(Hash, PiecesAndLengthsCount) {
  Hash128 ab = Hasher().string("ab").string("c").finish(),
          a = Hasher().string("a").string("bc").finish();
  EXPECT_TRUE(ab != a);
  // How the bytes arrive does not matter.
  std::string text(1000, 'x');
  Hasher whole, pieces;
  whole.bytes(text.data(), text.size());
  for (size_t i = 0; i < text.size(); i += 7)
    pieces.bytes(text.data() + i, std::min<size_t>(7, text.size() - i));
  EXPECT_EQ(whole.finish().str(), pieces.finish().str());
  EXPECT_TRUE(Hasher().bytes("\0", 1).finish() != Hasher().bytes("\0\0", 2).finish());
  EXPECT_EQ(whole.finish().str().size(), 32u);
}

/// The values of another implementation of MurmurHash3 (x64, 128 bits) with these seeds, of which
/// the last block is filled with zeros and mixed as the others are.
TEST(Hash, Values) {
  const std::string text = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
  const std::pair<size_t, const char *> values[] = {
      {0, "c9161866ef33bada63f1068e19056a76"},  {1, "5c97acc33ecde1454fada0fc6318c7d7"},
      {7, "7a66ae4420faca45c6e5cefc801e5337"},  {8, "b25191cf42d15e676f4048eef69f75bd"},
      {9, "b3da6eaba10d4efe3706f53a4a2a0364"},  {15, "049f56a00fba02e7892adf1ecc320b21"},
      {16, "8c44a1d4197790897ee8c2627317c85a"}, {17, "9a2bdaa54a49a71cca328adaf5f0e7f7"},
      {31, "852d8aec36ed7aac01bdd1832d92b775"}, {32, "3ddea13b8653c8b8624e80d7ac283ad4"},
      {33, "b0830c918fa567192f3217721e8c1ac8"}, {47, "dbcde995796accec6ac191f6481da1e5"},
      {48, "12484b01a0b2c1f54ca34978a922d927"},
  };
  for (auto [size, value] : values)
    EXPECT_EQ(Hasher().bytes(text.data(), size).finish().str(), value) << size;
  EXPECT_EQ(Hasher().integer(0x0123456789abcdef).finish().str(),
            "3b8eb6f9210f08dbd1043137c8ce50fa");
  EXPECT_EQ(Hasher().string("abc").finish().str(), "6677b2eb1d21007155190e24fd4a49c3");
  Kernel kernel;
  kernel.name = "any";
  kernel.format = KernelFormat::Cubin;
  kernel.chip = "sm_90";
  kernel.entry = "k";
  kernel.code = "text";
  kernel.attributes = {{"a", 3}, {"bc", -1}};
  EXPECT_EQ(contentKey(kernel).str(), "a779e1dbefcba911f68e6b1863c611d5");
}

} // namespace
