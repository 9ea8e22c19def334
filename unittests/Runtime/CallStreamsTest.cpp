//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// S2.4: programs that select streams.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/CallStreams.h"
#include "FakeDevice.h"

#include "fuser/Runtime/Executable.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

using namespace fuser::artifact;
using namespace fuser::runtime;
using fuser::runtime::test::FakeDevice;

namespace {

/// y = x on the stream of the call, then z = y on stream 1, between the records of events 1 and 2.
Artifact makeChain() {
  Artifact a;
  a.name = "chain";
  a.target = *lookupDevice("sm_90");
  a.arguments.push_back({"x", true, DType::F32, {kDynamic}, {0}, {1}, 4});
  ExprId one = a.exprs.constant(1), size = a.exprs.size(0, 0);
  for (const char *name : {"y", "z"})
    a.outputs.push_back({name, DType::F32, {size}, {one}, kNotAnArgument, false, 4});
  a.program.buffers = {
      {"x", DType::F32, 0}, {"y", DType::F32, kNotAnArgument}, {"z", DType::F32, kNotAnArgument}};
  a.program.instructions = {Alloc{1, {size}, {one}, false},
                            Alloc{2, {size}, {one}, false},
                            RecordEvent{0},
                            Copy{0, 1},
                            RecordEvent{1},
                            SelectStream{1},
                            WaitEvent{1},
                            Copy{1, 2},
                            RecordEvent{2},
                            SelectStream{0},
                            WaitEvent{2},
                            Return{{1, 2}}};
  return a;
}

class CallStreamsTest : public ::testing::Test {
protected:
  Expected<std::vector<Tensor>> call(Artifact artifact) {
    device = std::make_shared<FakeDevice>();
    auto created = Executable::create(std::move(artifact), device);
    if (!created)
      return created.takeError();
    executable = created.take();
    return callAgain();
  }
  Expected<std::vector<Tensor>> callAgain() {
    TensorView view{values, DType::F32, 1, &size, &stride, {DeviceKind::Cuda, 0}};
    std::vector<CallArgument> arguments = {view};
    return executable->call(arguments);
  }

  float values[3] = {1, -2, 3};
  const int64_t size = 3, stride = 1;
  std::shared_ptr<FakeDevice> device;
  std::unique_ptr<Executable> executable;
};

TEST_F(CallStreamsTest, WorkIsOnItsStream) {
  Expected<std::vector<Tensor>> results = call(makeChain());
  ASSERT_TRUE(results.ok()) << results.error().str();
  for (const Tensor &result : *results)
    EXPECT_EQ(std::memcmp(result.data, values, sizeof(values)), 0);
  std::string copies;
  for (const std::string &line : device->journal)
    if (line.rfind("copy", 0) == 0)
      copies += line + "; ";
  // The first stream that the executable creates is 1.
  EXPECT_EQ(copies, "copy 12 @0; copy 12 @1; ");
}

TEST_F(CallStreamsTest, EventsAreKeptForTheNextCall) {
  ASSERT_TRUE(call(makeChain()).ok());
  const int events = device->events;
  ASSERT_TRUE(callAgain().ok());
  EXPECT_EQ(device->events, events);
}

// The edge from the writer of y to its reader is dropped: the reader waits for the start of the
// call alone.
TEST_F(CallStreamsTest, DroppedEdgeIsARace) {
  Artifact a = makeChain();
  std::get<WaitEvent>(a.program.instructions[6]).event = 0;
  Expected<std::vector<Tensor>> results = call(std::move(a));
  ASSERT_FALSE(results.ok());
  EXPECT_EQ(results.error().code, ErrorCode::DataRace);
  EXPECT_EQ(results.error().message,
            "kernel 'copy' on stream 1 reads buffer 'y': expected an event after kernel 'copy' on "
            "stream 0, which writes it, but got none");
}

/// A part of a matrix with rows of 10 floats.
struct Part {
  Part(const float *matrix, int64_t row, int64_t column, int64_t rows, int64_t columns)
      : sizes{rows, columns}, strides{10, 1} {
    range.origin = range.begin = reinterpret_cast<const char *>(matrix + row * 10 + column);
    range.bytes = static_cast<uint64_t>((rows - 1) * 10 + columns) * 4;
    range.sizes = sizes;
    range.strides = strides;
    range.rank = 2;
    range.elementBytes = 4;
    range.name = "m";
  }
  int64_t sizes[2], strides[2];
  MemoryRange range;
};

TEST(StreamOrder, PartsOfRowsDoNotMeet) {
  const float matrix[100] = {};
  for (int64_t column : {3, 4, 5, 6}) {
    StreamOrder order(2, 0);
    Part left(matrix, 1, 1, 6, 4), right(matrix, 2, column, 5, 3);
    left.range.writes = right.range.writes = true;
    ASSERT_TRUE(order.access(0, "f", {&left.range, 1}).ok());
    EXPECT_EQ(order.access(1, "g", {&right.range, 1}).ok(), column >= 5) << column;
  }
}

TEST(StreamOrder, ReadsDoNotConflict) {
  const float matrix[100] = {};
  StreamOrder order(2, 1);
  Part part(matrix, 0, 0, 2, 2);
  part.range.reads = true;
  ASSERT_TRUE(order.access(0, "f", {&part.range, 1}).ok());
  ASSERT_TRUE(order.access(1, "g", {&part.range, 1}).ok());
  part.range.writes = true;
  EXPECT_FALSE(order.access(0, "h", {&part.range, 1}).ok());
}

TEST(StreamOrder, EventsAreTransitive) {
  const float matrix[100] = {};
  StreamOrder order(3, 2);
  Part part(matrix, 0, 0, 2, 2);
  part.range.writes = true;
  ASSERT_TRUE(order.access(0, "f", {&part.range, 1}).ok());
  order.record(0, 0);
  order.wait(1, 0);
  order.record(1, 1);
  order.wait(2, 1);
  EXPECT_TRUE(order.access(2, "g", {&part.range, 1}).ok());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A copy of four elements, by two iterations that run two iterations each: iteration (i, j) copies
/// element i * `step` + j. The inner loop has `inner` streams.
Artifact makeNest(uint32_t inner, int64_t step) {
  Artifact a;
  a.name = "nest";
  a.target = *lookupDevice("sm_90");
  a.arguments.push_back({"x", true, DType::F32, {kDynamic}, {0}, {1}, 4});
  ExprPool &e = a.exprs;
  const ExprId one = e.constant(1), two = e.constant(2), four = e.constant(4);
  a.outputs.push_back({"y", DType::F32, {four}, {one}, kNotAnArgument, false, 4});
  a.program.buffers = {{"x", DType::F32, 0}, {"y", DType::F32, kNotAnArgument}};
  for (const char *name : {"xi", "yi", "part"})
    a.program.buffers.push_back({name, DType::F32, kNotAnArgument});
  const ExprId offset = e.add(e.mul(e.loopIndex(0), e.constant(step)), e.loopIndex(1));
  a.program.instructions = {Alloc{1, {four}, {one}, false},
                            ForBegin{0, two, 2},
                            Alloc{4, {one}, {one}, false},
                            ForBegin{1, two, inner},
                            View{2, 0, offset, {one}, {one}},
                            View{3, 1, offset, {one}, {one}},
                            Copy{2, 3},
                            ForEnd{1},
                            Free{4},
                            ForEnd{0},
                            Return{{1}}};
  return a;
}

class StreamLoopsTest : public CallStreamsTest {
protected:
  Expected<std::vector<Tensor>> callLoop(Artifact artifact) {
    device = std::make_shared<FakeDevice>();
    auto created = Executable::create(std::move(artifact), device);
    if (!created)
      return created.takeError();
    executable = created.take();
    TensorView view{four, DType::F32, 1, &length, &stride, {DeviceKind::Cuda, 0}};
    std::vector<CallArgument> arguments = {view};
    return executable->call(arguments);
  }
  std::string getCopies() const {
    std::string copies;
    for (const std::string &line : device->journal)
      if (line.rfind("copy", 0) == 0)
        copies += line + "; ";
    return copies;
  }

  float four[4] = {1, -2, 3, -4};
  const int64_t length = 4;
};

// S4.8: the iterations of an inner loop are on streams of the iteration around it.
TEST_F(StreamLoopsTest, LoopsNest) {
  Expected<std::vector<Tensor>> results = callLoop(makeNest(2, 2));
  ASSERT_TRUE(results.ok()) << results.error().str();
  EXPECT_EQ(std::memcmp((*results)[0].data, four, sizeof(four)), 0);
  EXPECT_EQ(getCopies(), "copy 4 @1; copy 4 @2; copy 4 @3; copy 4 @4; ");
  // The outer iterations fork and join their second stream, the call both outer streams.
  const std::vector<std::string> expected = {
      "alloc 16 @0", "record @0", "wait @1",   "wait @3",                //
      "alloc 4 @1",  "record @1", "wait @2",   "copy 4 @1", "copy 4 @2", //
      "record @2",   "wait @1",   "free 4 @1",                           //
      "alloc 4 @3",  "record @3", "wait @4",   "copy 4 @3", "copy 4 @4", //
      "record @4",   "wait @3",   "free 4 @3",                           //
      "record @1",   "wait @0",   "record @3", "wait @0"};
  EXPECT_EQ(device->journal, expected);
}

TEST_F(StreamLoopsTest, AnInnerLoopOfOneStreamIsInOrder) {
  ASSERT_TRUE(callLoop(makeNest(1, 2)).ok());
  EXPECT_EQ(getCopies(), "copy 4 @1; copy 4 @1; copy 4 @2; copy 4 @2; ");
}

TEST_F(StreamLoopsTest, NoIterationsAreNoWork) {
  for (int64_t count : {0, -1}) {
    Artifact a = makeNest(2, 2);
    std::get<ForBegin>(a.program.instructions[1]).count = a.exprs.constant(count);
    ASSERT_TRUE(callLoop(std::move(a)).ok());
    EXPECT_EQ(device->journal, (std::vector<std::string>{"alloc 16 @0", "free 16 @0"}));
  }
}

// The second element of the first iteration is the first one of the second iteration.
TEST_F(StreamLoopsTest, IterationsThatMeetAreARace) {
  Expected<std::vector<Tensor>> results = callLoop(makeNest(2, 1));
  ASSERT_FALSE(results.ok());
  EXPECT_EQ(results.error().code, ErrorCode::DataRace);
  EXPECT_EQ(
      results.error().message,
      "kernel 'copy' on stream 3 writes buffer 'yi': expected an event after kernel 'copy' on "
      "stream 2, which writes it, but got none");
}

TEST(StreamOrder, MemoryThatIsAllocatedAgainHasNoAccesses) {
  const float matrix[100] = {};
  StreamOrder order(2, 0);
  Part first(matrix, 0, 0, 2, 2), second(matrix, 5, 0, 2, 2);
  first.range.writes = second.range.writes = true;
  ASSERT_TRUE(order.access(0, "f", {&first.range, 1}).ok());
  ASSERT_TRUE(order.access(0, "f", {&second.range, 1}).ok());
  order.forget(matrix, 20 * sizeof(float));
  EXPECT_TRUE(order.access(1, "g", {&first.range, 1}).ok());
  EXPECT_FALSE(order.access(1, "g", {&second.range, 1}).ok());
}

TEST(StreamPrograms, NestsAreValidated) {
  ASSERT_TRUE(validate(makeNest(2, 2)).ok());
  EXPECT_NE(printArtifact(makeNest(2, 2)).find("loop1"), std::string::npos);
  auto expectError = [](Artifact a, const char *message) {
    Status status = validate(a);
    ASSERT_FALSE(status.ok()) << message;
    EXPECT_NE(status.error().message.find(message), std::string::npos) << status.error().message;
  };
  expectError(makeNest(513, 2), "expected 1 to 1024 streams of nested loops together");
  Artifact outside = makeNest(2, 2);
  // The index of the inner loop in the outer one.
  std::get<Alloc>(outside.program.instructions[2]).sizes[0] = outside.exprs.loopIndex(1);
  expectError(outside, "expected a size not to use the index of another loop");
  Artifact same = makeNest(2, 2);
  std::get<ForBegin>(same.program.instructions[3]).loop = 0;
  std::get<ForEnd>(same.program.instructions[7]).loop = 0;
  expectError(same, "expected");
  Artifact apart = makeNest(2, 2);
  std::swap(apart.program.instructions[3], apart.program.instructions[2]);
  apart.exprs.add(apart.exprs.loopIndex(1), apart.exprs.loopIndex(5));
  expectError(apart, "expected indices of loops that nest, but got loops 1 and 5");
}

struct Fault {
  const char *message;
  void (*change)(std::vector<Instruction> &);
};

TEST(StreamPrograms, AreValidated) {
  ASSERT_TRUE(validate(makeChain()).ok());
  const Fault faults[] = {
      {"expected event 2 to be recorded before a stream waits for it",
       [](auto &program) { std::get<WaitEvent>(program[6]).event = 2; }},
      {"expected event 1 to be recorded once",
       [](auto &program) { std::get<RecordEvent>(program[8]).event = 1; }},
      {"expected stream 1 to wait for an event before its first work",
       [](auto &program) { program.erase(program.begin() + 6); }},
      {"expected stream 0 to wait for the end of stream 1",
       [](auto &program) { program.erase(program.begin() + 10); }},
      {"expected a return on stream 0, but got stream 1",
       [](auto &program) { program.erase(program.begin() + 9); }},
      {"expected stream 1 to wait for the allocation of buffer 2",
       [](auto &program) { std::rotate(&program[1], &program[2], &program[5]); }},
      {"expected a stream below 64, but got 64",
       [](auto &program) { std::get<SelectStream>(program[5]).stream = 64; }},
  };
  for (const Fault &fault : faults) {
    Artifact a = makeChain();
    fault.change(a.program.instructions);
    Status status = validate(a);
    ASSERT_FALSE(status.ok()) << fault.message;
    EXPECT_NE(status.error().message.find(fault.message), std::string::npos)
        << status.error().message << "\nexpected: " << fault.message;
  }
}

TEST(StreamPrograms, BuffersAreFreedAfterTheirLastAccess) {
  Artifact a = makeChain();
  // Stream 0 does not wait for the read of y on stream 1 before it frees y.
  a.outputs.erase(a.outputs.begin());
  a.program.instructions.insert(a.program.instructions.begin() + 10, Free{1});
  std::get<Return>(a.program.instructions.back()).values = {2};
  Status status = validate(a);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("expected an event after the last access of stream 1"),
            std::string::npos)
      << status.error().message;
  std::swap(a.program.instructions[10], a.program.instructions[11]);
  EXPECT_TRUE(validate(a).ok());
}

TEST(StreamPrograms, AreSaved) {
  Artifact a = makeChain();
  Expected<Artifact> again = deserialize(serialize(a));
  ASSERT_TRUE(again.ok()) << again.error().str();
  EXPECT_EQ(printArtifact(*again), printArtifact(a));
  EXPECT_NE(printArtifact(a).find("  stream 1\n  wait event 1\n  copy %y into %z\n"),
            std::string::npos)
      << printArtifact(a);
}

} // namespace
