//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A call after others does what it does as the first one, whether its arguments have the signature
// of the last call or another one.
//
//===----------------------------------------------------------------------===//

#include "../Artifact/SampleArtifact.h"
#include "FakeDevice.h"

#include "fuser/Runtime/Executable.h"

#include <gtest/gtest.h>

#include <random>

using namespace fuser::artifact;
using namespace fuser::runtime;
using fuser::artifact::test::makeSample;
using fuser::runtime::test::FakeDevice;

namespace {

/// The sample, whose launch depends on sizes, a stride and scalars; with a guard on the alignment
/// of an address, or only what its argument states.
Artifact makeArtifact(bool readsAlignment) {
  Artifact artifact = makeSample();
  ExprPool &e = artifact.exprs;
  if (readsAlignment)
    artifact.guards.push_back(
        {e.constant(32), ExprKind::LessEqual, e.alignment(0), "an aligned address"});
  for (Instruction &instruction : artifact.program.instructions)
    if (auto *launch = std::get_if<Launch>(&instruction)) {
      // c in the grid: negative ones are no dimension, large ones no parameter of 32 bits.
      launch->grid[1] = e.scalar(2);
      launch->parameters.push_back({Parameter::Kind::Integer, 0, e.scalar(2), 4, 0});
    }
  return artifact;
}

/// What calls vary, and the arguments of one call.
struct Variation {
  int64_t m = 3, n = 8, padding = 8, offset = 0, s = 1, c = 2;
  DType dtype = DType::F32, scalarType = DType::I64, unreadType = DType::F32;
  uint32_t rank = 2;
  int ordinal = 0;
  bool isNull = false, hasScalarFirst = false, intoMemory = false;

  void change(std::mt19937 &random) {
    auto pick = [&](std::initializer_list<int64_t> from) {
      return from.begin()[random() % from.size()];
    };
    switch (random() % 13) {
    case 0:
      m = pick({0, 1, 3, 5});
      break;
    case 1:
      n = pick({0, 4, 8, 6});
      break;
    case 2:
      padding = pick({0, 8});
      break;
    case 3:
      offset = pick({0, 16, 32, 8, 64});
      break;
    case 4:
      s = pick({1, 2});
      break;
    case 5:
      c = pick({2, 3, -1, 0, int64_t(1) << 31});
      break;
    case 6:
      dtype = random() % 4 ? DType::F32 : DType::I32;
      break;
    case 7:
      scalarType = random() % 4 ? DType::I64 : DType::F64;
      break;
    case 8:
      rank = random() % 4 ? 2 : 1;
      break;
    case 9:
      ordinal = random() % 4 == 0;
      break;
    case 10:
      isNull = random() % 4 == 0;
      break;
    case 11:
      hasScalarFirst = random() % 8 == 0;
      break;
    case 12:
      intoMemory = random() % 2;
      break;
    }
  }
};

/// A device and the sample on it.
class Runner {
public:
  explicit Runner(bool readsAlignment) {
    auto created = Executable::create(makeArtifact(readsAlignment), device);
    EXPECT_TRUE(created.ok());
    executable = created.take();
    device->onLaunch = [this](const LaunchConfig &config, const std::vector<std::string> &values) {
      for (uint32_t number : {config.grid[0], config.grid[1], config.block[0]})
        text += std::to_string(number) + " ";
      int64_t c = 0;
      float s = 0;
      std::memcpy(&c, values[4].data(), sizeof(c));
      std::memcpy(&s, values[5].data(), sizeof(s));
      text += "c=" + std::to_string(c) + " s=" + std::to_string(s) + " ";
      text += values[0] == std::string(reinterpret_cast<const char *>(&address), 8) ? "x " : "? ";
      for (const MemoryRange &range : config.ranges)
        text += std::to_string(range.bytes) + " ";
      return Status();
    };
  }

  /// All that a call does and answers.
  std::string run(const Variation &v, char *memory, char *output) {
    const int64_t sizes[2] = {v.m, v.n}, strides[2] = {v.n + v.padding, 1}, dense[2] = {v.n, 1};
    address = v.isNull ? nullptr : memory + v.offset;
    const DeviceId id = {DeviceKind::Cuda, v.ordinal};
    std::vector<CallArgument> arguments = {
        TensorView{address, v.dtype, v.rank, sizes, strides, id},
        v.unreadType == DType::F32 ? ScalarValue::f32(static_cast<float>(v.s))
                                   : ScalarValue::f64(double(v.s)),
        v.scalarType == DType::I64 ? ScalarValue::i64(v.c) : ScalarValue::f64(double(v.c))};
    if (v.hasScalarFirst)
      arguments[0] = ScalarValue::i64(0);
    text.clear();
    device->journal.clear();
    Status status;
    if (v.intoMemory) {
      std::vector<TensorView> outputs = {
          {output, DType::F32, 2, sizes, dense, {DeviceKind::Cuda, 0}}};
      status = executable->callInto(arguments, outputs);
    } else {
      auto results = executable->call(arguments);
      if (results.ok())
        for (int64_t number : {(*results)[0].sizes[0], (*results)[0].sizes[1],
                               (*results)[0].strides[0], int64_t((*results)[0].storage != nullptr)})
          text += std::to_string(number) + " ";
      else
        status = results.takeError();
    }
    text += status.ok() ? "ok" : status.error().str();
    for (const std::string &line : device->journal)
      text += "\n" + line;
    EXPECT_TRUE(device->live.empty());
    return text;
  }

private:
  std::shared_ptr<FakeDevice> device = std::make_shared<FakeDevice>();
  std::unique_ptr<Executable> executable;
  char *address = nullptr;
  std::string text;
};

void compareWithFirstCalls(bool readsAlignment) {
  std::vector<char> bytes(1 << 14);
  char *memory = bytes.data() + (256 - reinterpret_cast<uintptr_t>(bytes.data()) % 256);
  std::mt19937 random(7);
  Runner warm(readsAlignment);
  unsigned numSuccesses = 0, numRepeated = 0;
  std::string last;
  Variation variation;
  for (unsigned call = 0; call < 3000; ++call) {
    // Mostly near a call that runs.
    if (random() % 8 == 0)
      variation = {};
    if (random() % 2)
      variation.change(random);
    Runner first(readsAlignment);
    const std::string expected = first.run(variation, memory, memory + (1 << 13));
    const std::string actual = warm.run(variation, memory, memory + (1 << 13));
    ASSERT_EQ(actual, expected) << "call " << call;
    numSuccesses += actual.find("ok") != std::string::npos;
    numRepeated += actual == last;
    last = actual;
  }
  EXPECT_GT(numSuccesses, 500u);
  EXPECT_LT(numSuccesses, 2500u);
  EXPECT_GT(numRepeated, 500u);
}

// Each property alone, after a call that runs.
TEST(CallSignature, EveryPropertyIsCompared) {
  std::vector<Variation> others(12);
  others[0].m = 5;
  others[1].n = 4;
  others[2].padding = 0;
  others[3].offset = 8;
  others[4].s = 2;
  others[5].c = 3;
  others[6].dtype = DType::I32;
  others[7].scalarType = DType::F64;
  others[8].unreadType = DType::F64;
  others[9].rank = 1;
  others[10].ordinal = 1;
  others[11].isNull = true;
  std::vector<char> bytes(1 << 14);
  char *memory = bytes.data() + (256 - reinterpret_cast<uintptr_t>(bytes.data()) % 256);
  for (bool readsAlignment : {false, true}) {
    Runner warm(readsAlignment);
    for (size_t i = 0; i < others.size(); ++i) {
      Runner first(readsAlignment);
      const std::string usual = warm.run({}, memory, nullptr);
      EXPECT_NE(usual.find("ok"), std::string::npos);
      const std::string expected = first.run(others[i], memory, nullptr);
      EXPECT_NE(expected, usual) << "property " << i;
      EXPECT_EQ(warm.run(others[i], memory, nullptr), expected) << "property " << i;
    }
  }
}

TEST(CallSignature, WarmCallsAreAsFirstCalls) { compareWithFirstCalls(false); }
TEST(CallSignature, AlignmentsThatGuardsReadAreCompared) { compareWithFirstCalls(true); }

} // namespace
