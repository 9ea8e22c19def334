//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each requirement of a valid artifact, with both sides of each limit.
//
//===----------------------------------------------------------------------===//

#include "SampleArtifact.h"

#include <gtest/gtest.h>

#include <functional>

using namespace fuser::artifact;
using fuser::artifact::test::makeSample;

namespace {

struct Case {
  /// What the validator says; empty: the artifact is valid.
  std::string message;
  std::function<void(Artifact &)> change;
};

void check(const std::function<Artifact()> &make, const std::vector<Case> &cases) {
  for (size_t number = 0; number < cases.size(); ++number) {
    Artifact artifact = make();
    cases[number].change(artifact);
    const Status status = validate(artifact);
    const std::string &message = cases[number].message;
    const std::string expected =
        message.empty() ? "" : "Corrupt: artifact '" + artifact.name + "': " + message;
    EXPECT_EQ(status.ok() ? "" : status.error().str(), expected) << "case " << number;
  }
}

template <typename Op> Op &get(Artifact &artifact, size_t position) {
  return std::get<Op>(artifact.program.instructions[position]);
}

void insert(Artifact &artifact, size_t position, std::vector<Instruction> added) {
  auto &instructions = artifact.program.instructions;
  instructions.insert(instructions.begin() + ptrdiff_t(position), added.begin(), added.end());
}

void erase(Artifact &artifact, size_t position) {
  auto &instructions = artifact.program.instructions;
  instructions.erase(instructions.begin() + ptrdiff_t(position));
}

//===----------------------------------------------------------------------===//
// Arguments, constants and expressions
//===----------------------------------------------------------------------===//

TEST(Validate, Arguments) {
  check(makeSample,
        {
            {"argument 's': expected a scalar to have no sizes",
             [](Artifact &a) { a.arguments[1].sizes = {1}; }},
            {"argument 'x': expected order and contiguity of 2 dimensions, but got 1 and 2",
             [](Artifact &a) { a.arguments[0].order = {0}; }},
            {"argument 'x': expected order and contiguity of 2 dimensions, but got 2 and 3",
             [](Artifact &a) { a.arguments[0].contiguous = {1, 1, 1}; }},
            {"argument 'x': expected a permutation of 2 dimensions as order",
             [](Artifact &a) { a.arguments[0].order = {0, 2}; }},
            {"argument 'x': expected a permutation of 2 dimensions as order",
             [](Artifact &a) { a.arguments[0].order = {0, 0}; }},
            {"", [](Artifact &a) { a.arguments[0].order = {1, 0}; }},
            {"argument 'c': expected a power of two as alignment, but got 0",
             [](Artifact &a) { a.arguments[2].alignment = 0; }},
            {"argument 'x': expected a power of two as alignment, but got 3",
             [](Artifact &a) { a.arguments[0].alignment = 3; }},
            {"", [](Artifact &a) { a.arguments[0].alignment = 1; }},
            {"", [](Artifact &a) { a.arguments[0].alignment = 1u << 31; }},
        });
}

TEST(Validate, Outputs) {
  check(makeSample,
        {
            {"output 'y': expected a power of two as alignment, but got 0",
             [](Artifact &a) { a.outputs[0].alignment = 0; }},
            {"output 'y': expected 2 strides, but got 1",
             [](Artifact &a) { a.outputs[0].strides.pop_back(); }},
            {"instruction 0: expected an output size below 21, but got expression 21",
             [](Artifact &a) { a.outputs[0].sizes[1] = ExprId(a.exprs.size()); }},
            {"instruction 0: expected an output stride below 21, but got expression 21",
             [](Artifact &a) { a.outputs[0].strides[0] = ExprId(a.exprs.size()); }},
            {"instruction 0: expected an output size not to use the index of another loop",
             [](Artifact &a) { a.outputs[0].sizes[0] = a.exprs.loopIndex(0); }},
            {"instruction 0: expected an output stride not to use the index of another loop",
             [](Artifact &a) { a.outputs[0].strides[1] = a.exprs.loopIndex(0); }},
        });
}

TEST(Validate, Guards) {
  std::vector<Case> cases;
  for (unsigned kind = 0; kind < kNumExprKinds; ++kind) {
    const bool compares =
        kind >= unsigned(ExprKind::Equal) && kind <= unsigned(ExprKind::LessEqual);
    cases.push_back({compares ? "" : "expected the relation of a guard to be a comparison",
                     [=](Artifact &a) { a.guards[0].relation = ExprKind(kind); }});
  }
  for (ExprId Guard::*side : {&Guard::lhs, &Guard::rhs})
    cases.insert(cases.end(),
                 {{"instruction 0: expected a guard below 21, but got expression 21",
                   [=](Artifact &a) { a.guards[0].*side = ExprId(a.exprs.size()); }},
                  {"instruction 0: expected a guard not to use the index of another loop",
                   [=](Artifact &a) { a.guards[0].*side = a.exprs.loopIndex(0); }}});
  check(makeSample, cases);
}

TEST(Validate, Leaves) {
  check(makeSample,
        {
            {"expected an argument below 3, but got 3", [](Artifact &a) { a.exprs.scalar(3); }},
            {"expected an argument below 3, but got 3", [](Artifact &a) { a.exprs.size(3, 0); }},
            {"expected an argument below 3, but got 3", [](Artifact &a) { a.exprs.alignment(3); }},
            {"argument 'x': expected a scalar", [](Artifact &a) { a.exprs.scalar(0); }},
            {"argument 'c': expected a tensor", [](Artifact &a) { a.exprs.size(2, 0); }},
            {"argument 'c': expected a tensor", [](Artifact &a) { a.exprs.stride(2, 0); }},
            {"argument 'c': expected a tensor", [](Artifact &a) { a.exprs.alignment(2); }},
            {"", [](Artifact &a) { a.exprs.alignment(0); }},
            {"argument 's': expected an integer, but got f32",
             [](Artifact &a) { a.exprs.scalar(1); }},
            {"argument 'x': expected a dimension below 2, but got 2",
             [](Artifact &a) { a.exprs.size(0, 2); }},
            {"argument 'x': expected a dimension below 2, but got 2",
             [](Artifact &a) { a.exprs.stride(0, 2); }},
            {"", [](Artifact &a) { a.exprs.stride(0, 1); }},
            // The first expression is checked as the others are.
            {"argument 's': expected an integer, but got f32",
             [](Artifact &a) {
               a.exprs = ExprPool();
               a.exprs.scalar(1);
             }},
            // The dimension of other leaves means nothing.
            {"", [](Artifact &a) { a.exprs.append({ExprKind::Alignment, 0, 7, 0, 0}); }},
        });
}

TEST(Validate, Operators) {
  check(makeSample,
        {
            {"expression 21: unknown kind 24",
             [](Artifact &a) { a.exprs.append({ExprKind(kNumExprKinds), 0, 0, 0, 0}); }},
            {"expression 21: expected operands before it, but got 21",
             [](Artifact &a) { a.exprs.append({ExprKind::Add, 21, 0, 0, 0}); }},
            {"expression 21: expected operands before it, but got 21",
             [](Artifact &a) { a.exprs.append({ExprKind::Add, 0, 21, 0, 0}); }},
            {"", [](Artifact &a) { a.exprs.append({ExprKind::Add, 20, 20, 21, 0}); }},
            {"expression 21: expected operands before it, but got 21",
             [](Artifact &a) { a.exprs.append({ExprKind::Select, 0, 0, 21, 0}); }},
        });
}

/// The sample with a constant as last argument.
Artifact makeWithConstant() {
  Artifact a = makeSample();
  a.arguments.push_back({"t", true, DType::F32, {2, kDynamic}, {0, 1}, {1, 1}, 4});
  a.constants.push_back({DType::F32, {2, 3}, std::string(24, '\0')});
  return a;
}

TEST(Validate, Constants) {
  const std::string message = "expected constant 0 to be a value of argument 3";
  check(
      makeWithConstant,
      {
          {"", [](Artifact &) {}},
          {"expected at most 4 constants, but got 5", [](Artifact &a) { a.constants.resize(5); }},
          {"expected constant 1 to be a value of argument 1",
           [](Artifact &a) { a.constants.resize(4, a.constants[0]); }},
          {message,
           [](Artifact &a) {
             a.arguments[3].isTensor = false, a.arguments[3].sizes = {}, a.arguments[3].order = {},
             a.arguments[3].contiguous = {}, a.constants[0] = {DType::F32, {}, "4444"};
           }},
          {message, [](Artifact &a) { a.constants[0].dtype = DType::I32; }},
          {message, [](Artifact &a) { a.constants[0].sizes = {6}; }},
          {message, [](Artifact &a) { a.constants[0].sizes = {-2, -3}; }},
          {message, [](Artifact &a) { a.constants[0].sizes = {1, 6}; }},
          {message, [](Artifact &a) { a.constants[0].sizes = {2, 4}; }},
          {message, [](Artifact &a) { a.constants[0].bytes += '\0'; }},
          {message, [](Artifact &a) { a.constants[0] = {DType::F32, {2, int64_t(1) << 61}, ""}; }},
          {"", [](Artifact &a) { a.constants[0] = {DType::F32, {2, 0}, ""}; }},
          // The others are compared as well, each with its argument.
          {"expected constant 1 to be a value of argument 4",
           [](Artifact &a) {
             a.arguments.push_back({"u", true, DType::I32, {}, {}, {}, 4});
             a.constants.push_back({DType::I32, {}, "3.."});
           }},
          {"",
           [](Artifact &a) {
             a.arguments.push_back({"u", true, DType::I32, {}, {}, {}, 4});
             a.constants.push_back({DType::I32, {}, "4..."});
           }},
      });
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

TEST(Validate, BuffersOfArguments) {
  check(makeSample, {
                        {"buffer 3: expected a tensor argument, but got argument 3",
                         [](Artifact &a) { a.program.buffers[3].argument = 3; }},
                        {"buffer 3: expected a tensor argument, but got argument 2",
                         [](Artifact &a) { a.program.buffers[3].argument = 2; }},
                        {"buffer 0: expected the element type of argument 'x'",
                         [](Artifact &a) { a.program.buffers[0].dtype = DType::F16; }},
                        // It has the memory of the argument from the beginning.
                        {"instruction 5: expected buffer 3 to be placed once",
                         [](Artifact &a) { a.program.buffers[3].argument = 0; }},
                    });
}

TEST(Validate, Allocations) {
  check(makeSample,
        {
            {"instruction 1: expected 1 strides, but got 2",
             [](Artifact &a) { get<Alloc>(a, 1).strides.push_back(0); }},
            {"instruction 1: expected a size below 21, but got expression 21",
             [](Artifact &a) { get<Alloc>(a, 1).sizes = {21}; }},
            {"instruction 1: expected a stride below 21, but got expression 21",
             [](Artifact &a) { get<Alloc>(a, 1).strides = {21}; }},
            {"instruction 1: expected a buffer below 5, but got 5",
             [](Artifact &a) { get<Alloc>(a, 1).buffer = 5; }},
            {"instruction 1: expected buffer 0 to be placed once",
             [](Artifact &a) { get<Alloc>(a, 1).buffer = 0; }},
            {"instruction 3: expected the freed buffer below 5, but got buffer 5",
             [](Artifact &a) { get<Free>(a, 3).buffer = 5; }},
            {"instruction 3: expected the freed buffer to have memory, but buffer 4 has none here",
             [](Artifact &a) { get<Free>(a, 3).buffer = 4; }},
            {"instruction 3: expected buffer 0 to be allocated in the same block",
             [](Artifact &a) { get<Free>(a, 3).buffer = 0; }},
            {"instruction 4: expected the freed buffer to be alive, but buffer 2 was freed",
             [](Artifact &a) { insert(a, 4, {Free{2}}); }},
            {"instruction 5: expected buffer 1 to be allocated in the same block",
             [](Artifact &a) { insert(a, 5, {Free{1}}); }},
            {"instruction 7: expected buffer 3 to be allocated in the same block",
             [](Artifact &a) { insert(a, 7, {Free{3}}); }},
            // A buffer of a loop lives as long as an iteration.
            {"",
             [](Artifact &a) {
               a.program.buffers.push_back({"of_loop", DType::F32});
               insert(a, 5, {Alloc{5, {0}, {0}, false}, Free{5}});
             }},
            {"instruction 10: expected the freed buffer to be alive, but buffer 5 was freed",
             [](Artifact &a) {
               a.program.buffers.push_back({"of_loop", DType::F32});
               insert(a, 5, {Alloc{5, {0}, {0}, false}});
               insert(a, 10, {Free{5}});
             }},
        });
}

TEST(Validate, Views) {
  check(makeSample,
        {
            {"instruction 5: expected the base below 5, but got buffer 5",
             [](Artifact &a) { get<View>(a, 5).base = 5; }},
            {"instruction 5: expected the base to have memory, but buffer 4 has none here",
             [](Artifact &a) { get<View>(a, 5).base = 4; }},
            {"instruction 5: expected the base to be alive, but buffer 2 was freed",
             [](Artifact &a) { get<View>(a, 5).base = 2; }},
            {"instruction 5: expected 2 strides, but got 1",
             [](Artifact &a) { get<View>(a, 5).sizes.push_back(0); }},
            {"instruction 5: expected the offset below 21, but got expression 21",
             [](Artifact &a) { get<View>(a, 5).offset = 21; }},
            {"instruction 5: expected a size below 21, but got expression 21",
             [](Artifact &a) { get<View>(a, 5).sizes = {21}; }},
            {"instruction 5: expected a stride below 21, but got expression 21",
             [](Artifact &a) { get<View>(a, 5).strides = {21}; }},
            {"instruction 5: expected a view of the element type of its base",
             [](Artifact &a) { a.program.buffers[3].dtype = DType::I32; }},
            {"instruction 5: expected a buffer below 5, but got 5",
             [](Artifact &a) { get<View>(a, 5).buffer = 5; }},
            {"instruction 6: expected buffer 3 to be placed once",
             [](Artifact &a) { get<View>(a, 6).buffer = 3; }},
            // A view of a view ends with the buffer that both are a part of.
            {"",
             [](Artifact &a) {
               a.program.buffers.insert(a.program.buffers.end(),
                                        {{"part", DType::I32}, {"part_of_part", DType::I32}});
               insert(a, 3, {View{5, 2, 0, {0}, {0}}, View{6, 5, 0, {0}, {0}}, Copy{6, 5}});
             }},
            {"instruction 6: expected a buffer of a copy to be alive, but buffer 6 was freed",
             [](Artifact &a) {
               a.program.buffers.insert(a.program.buffers.end(),
                                        {{"part", DType::I32}, {"part_of_part", DType::I32}});
               insert(a, 3, {View{5, 2, 0, {0}, {0}}, View{6, 5, 0, {0}, {0}}});
               insert(a, 6, {Copy{6, 0}});
             }},
        });
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

TEST(Validate, Launches) {
  check(makeSample, {
                        {"instruction 2: expected a kernel below 1, but got 1",
                         [](Artifact &a) { get<Launch>(a, 2).kernel = 1; }},
                        {"instruction 2: expected a box below 5, but got buffer 5",
                         [](Artifact &a) { get<Launch>(a, 2).boxes[0].buffer = 5; }},
                        {"instruction 2: expected a box that is read, written or both",
                         [](Artifact &a) { get<Launch>(a, 2).boxes[0].access = Access(0); }},
                        {"instruction 2: expected a box that is read, written or both",
                         [](Artifact &a) { get<Launch>(a, 2).boxes[0].access = Access(4); }},
                        {"instruction 2: expected a box of rank 2, but got 1 offsets and 2 sizes",
                         [](Artifact &a) { get<Launch>(a, 2).boxes[0].offsets.pop_back(); }},
                        {"instruction 2: expected a box of rank 2, but got 2 offsets and 1 sizes",
                         [](Artifact &a) { get<Launch>(a, 2).boxes[0].sizes.pop_back(); }},
                        {"instruction 2: expected a box of rank 1, but got 2 offsets and 2 sizes",
                         [](Artifact &a) { get<Launch>(a, 2).boxes[0].buffer = 2; }},
                    });
}

TEST(Validate, Parameters) {
  const std::string scalar = "instruction 2: expected a scalar argument as parameter, but got ";
  std::vector<Case> cases = {
      {"instruction 2: expected a parameter below 5, but got buffer 5",
       [](Artifact &a) { get<Launch>(a, 2).parameters[0].buffer = 5; }},
      {scalar + "argument 3", [](Artifact &a) { get<Launch>(a, 2).parameters[5].argument = 3; }},
      {scalar + "argument 0", [](Artifact &a) { get<Launch>(a, 2).parameters[5].argument = 0; }},
      {"", [](Artifact &a) { get<Launch>(a, 2).parameters[5].argument = 2; }},
      {"instruction 2: expected a pointer, an integer, a scalar or a tensor map as parameter",
       [](Artifact &a) { get<Launch>(a, 2).parameters[5].kind = Parameter::Kind(4); }}};
  for (uint32_t bytes = 0; bytes < 10; ++bytes)
    cases.push_back({bytes == 4 || bytes == 8
                         ? ""
                         : "instruction 2: expected a parameter of 4 or 8 bytes, but got " +
                               std::to_string(bytes),
                     [=](Artifact &a) { get<Launch>(a, 2).parameters[3].bytes = bytes; }});
  check(makeSample, cases);
}

TEST(Validate, TensorMaps) {
  auto make = [](size_t box, size_t sizes, size_t strides, uint32_t bytes) {
    return [=](Artifact &a) {
      Parameter &map = get<Launch>(a, 2).parameters[0];
      map.kind = Parameter::Kind::TensorMap;
      map.bytes = bytes;
      map.box.assign(box, 1);
      map.sizes.assign(sizes, 0);
      map.strides.assign(strides, 0);
    };
  };
  auto changed = [&](const std::function<void(Parameter &)> &change) {
    return [=](Artifact &a) {
      make(2, 2, 2, 4)(a);
      change(get<Launch>(a, 2).parameters[0]);
    };
  };
  std::vector<Case> cases = {{"instruction 2: expected a size below 21, but got expression 21",
                              changed([](Parameter &map) { map.sizes[1] = 21; })},
                             {"instruction 2: expected a stride below 21, but got expression 21",
                              changed([](Parameter &map) { map.strides[1] = 21; })},
                             {"instruction 2: expected a parameter below 5, but got buffer 5",
                              changed([](Parameter &map) { map.buffer = 5; })}};
  const size_t ranks[][3] = {{0, 0, 0}, {1, 1, 1}, {5, 5, 5}, {6, 6, 6}, {1, 2, 2}, {2, 1, 2},
                             {2, 2, 1}, {2, 3, 2}, {2, 2, 3}, {6, 5, 5}, {0, 1, 1}};
  for (auto [box, sizes, strides] : ranks) {
    const bool isValid = box == sizes && box == strides && box >= 1 && box <= 5;
    cases.push_back({isValid
                         ? ""
                         : "instruction 2: expected a tensor map of 1 to 5 dimensions, but got " +
                               std::to_string(box) + " of the box, " + std::to_string(sizes) +
                               " sizes and " + std::to_string(strides) + " strides",
                     make(box, sizes, strides, 4)});
  }
  for (uint32_t bytes = 0; bytes <= 16; ++bytes)
    cases.push_back(
        {bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8
             ? ""
             : "instruction 2: expected elements of 1, 2, 4 or 8 bytes of a tensor map, but got " +
                   std::to_string(bytes),
         make(2, 2, 2, bytes)});
  check(makeSample, cases);
}

TEST(Validate, CopiesAndLibraryCalls) {
  const std::string message =
      "instruction 7: expected a copy between buffers of one rank and element type";
  check(
      makeSample,
      {
          {"instruction 7: expected a buffer of a copy below 5, but got buffer 5",
           [](Artifact &a) { get<Copy>(a, 7).source = 5; }},
          {"instruction 7: expected a buffer of a copy below 5, but got buffer 5",
           [](Artifact &a) { get<Copy>(a, 7).destination = 5; }},
          {message, [](Artifact &a) { get<Copy>(a, 7).source = 0; }},
          {message, [](Artifact &a) { get<Copy>(a, 7).destination = 1; }},
          {"instruction 3: expected a copy between buffers of one rank and element type",
           [](Artifact &a) {
             a.program.buffers.push_back({"other", DType::F32});
             insert(a, 2, {Alloc{5, {0}, {0}, false}, Copy{5, 2}});
           }},
          {"", [](Artifact &a) { insert(a, 3, {LibraryCall{"f", {0}, {1, 2}, {}}}); }},
          {"instruction 3: expected an operand of a library call to have memory, but buffer 3 has "
           "none here",
           [](Artifact &a) { insert(a, 3, {LibraryCall{"f", {0, 3}, {1}, {}}}); }},
          {"instruction 3: expected an operand of a library call below 5, but got buffer 5",
           [](Artifact &a) { insert(a, 3, {LibraryCall{"f", {0}, {1, 5}, {}}}); }},
      });
}

TEST(Validate, Returns) {
  check(makeSample,
        {
            {"expected a return as last instruction",
             [](Artifact &a) { a.program.instructions.clear(); }},
            {"instruction 9: expected no instruction after a return",
             [](Artifact &a) { insert(a, 9, {Return{{1}}}); }},
            {"instruction 9: expected 1 values, but got 2",
             [](Artifact &a) { get<Return>(a, 9).values = {1, 1}; }},
            {"instruction 9: expected a returned buffer below 5, but got buffer 5",
             [](Artifact &a) { get<Return>(a, 9).values = {5}; }},
            {"instruction 9: expected value 0 of the type and rank of output 'y'",
             [](Artifact &a) { a.outputs[0].dtype = DType::I32; }},
            {"instruction 9: expected value 0 of the type and rank of output 'y'",
             [](Artifact &a) { a.outputs[0].sizes.pop_back(), a.outputs[0].strides.pop_back(); }},
            {"instruction 9: expected value 0 to share memory with the argument that output 'y' "
             "names",
             [](Artifact &a) { get<Return>(a, 9).values = {0}; }},
            {"",
             [](Artifact &a) {
               get<Return>(a, 9).values = {0};
               a.outputs[0].aliasOfArgument = 0;
             }},
            // What a view has is that of the argument.
            {"",
             [](Artifact &a) {
               a.program.buffers.push_back({"part", DType::F32});
               insert(a, 9, {View{5, 0, 0, {0, 0}, {0, 0}}});
               get<Return>(a, 10).values = {5};
               a.outputs[0].aliasOfArgument = 0;
             }},
            // The second output is checked as the first one is.
            {"instruction 9: expected value 1 to share memory with the argument that output 'z' "
             "names",
             [](Artifact &a) {
               a.outputs.push_back(a.outputs[0]);
               a.outputs[1].name = "z";
               get<Return>(a, 9).values = {1, 0};
             }},
        });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Loops of one iteration in each other around `body`, each with a number of streams.
Artifact makeNest(const std::vector<uint32_t> &streams, const std::vector<Instruction> &body = {}) {
  Artifact a;
  a.name = "nest";
  a.exprs.constant(1);
  auto &instructions = a.program.instructions;
  for (uint32_t loop = 0; loop < streams.size(); ++loop)
    instructions.push_back(ForBegin{loop, 0, streams[loop]});
  instructions.insert(instructions.end(), body.begin(), body.end());
  for (auto loop = uint32_t(streams.size()); loop-- > 0;)
    instructions.push_back(ForEnd{loop});
  instructions.push_back(Return{});
  return a;
}

TEST(Validate, DepthAndStreamsOfLoops) {
  auto messageOf = [](const std::vector<uint32_t> &streams) {
    const Status status = validate(makeNest(streams));
    return status.ok() ? "" : status.error().message;
  };
  EXPECT_EQ(messageOf(std::vector<uint32_t>(16, 1)), "");
  EXPECT_EQ(messageOf(std::vector<uint32_t>(17, 1)),
            "artifact 'nest': instruction 16: expected at most 16 nested loops");
  EXPECT_EQ(messageOf({1024}), "");
  EXPECT_EQ(messageOf({1025}), "artifact 'nest': instruction 0: expected 1 to 1024 streams of "
                               "nested loops together, but got 1025 times 1");
  EXPECT_EQ(messageOf({0}), "artifact 'nest': instruction 0: expected 1 to 1024 streams of nested "
                            "loops together, but got 0 times 1");
  EXPECT_EQ(messageOf({2, 3, 170}), "");
  EXPECT_EQ(messageOf({2, 3, 171}), "artifact 'nest': instruction 2: expected 1 to 1024 streams of "
                                    "nested loops together, but got 171 times 6");
}

TEST(Validate, LoopsInARow) {
  auto make = [] {
    Artifact a = makeNest({1024, 1});
    a.program.instructions.pop_back();
    for (uint32_t loop : {2u, 3u}) {
      a.program.instructions.push_back(ForBegin{loop, 0, 1024});
      a.program.instructions.push_back(ForEnd{loop});
    }
    a.program.instructions.push_back(Return{});
    return a;
  };
  const std::string number = "expected each loop to have its own number below 9, but got ";
  const std::string other = "instruction 2: expected the end of the loop that is open";
  check(
      make,
      {
          // The streams of a loop that has ended do not count.
          {"", [](Artifact &) {}},
          {"instruction 4: " + number + "9",
           [](Artifact &a) { get<ForBegin>(a, 4).loop = get<ForEnd>(a, 5).loop = 9; }},
          {"", [](Artifact &a) { get<ForBegin>(a, 4).loop = get<ForEnd>(a, 5).loop = 8; }},
          {"instruction 4: " + number + "0",
           [](Artifact &a) { get<ForBegin>(a, 4).loop = get<ForEnd>(a, 5).loop = 0; }},
          {"instruction 1: " + number + "0", [](Artifact &a) { get<ForBegin>(a, 1).loop = 0; }},
          {other, [](Artifact &a) { get<ForEnd>(a, 2).loop = 0; }},
          {other, [](Artifact &a) { get<ForEnd>(a, 2).loop = 9; }},
          {"instruction 0: expected the end of the loop that is open",
           [](Artifact &a) { insert(a, 0, {ForEnd{0}}); }},
          {"instruction 0: expected the count of a loop below 1, but got expression 1",
           [](Artifact &a) { get<ForBegin>(a, 0).count = 1; }},
          {"instruction 7: expected no return inside of a loop", [](Artifact &a) { erase(a, 7); }},
      });
}

TEST(Validate, IndicesOfLoops) {
  // Loop 1 is in loop 0; loop 2 follows.
  auto make = [] {
    Artifact a = makeNest({1, 1});
    a.program.instructions.pop_back();
    insert(a, 4, {ForBegin{2, 0, 1}, ForEnd{2}, Return{}});
    return a;
  };
  auto outer = [](Artifact &a) { return a.exprs.loopIndex(0); };
  auto inner = [](Artifact &a) { return a.exprs.loopIndex(1); };
  auto next = [](Artifact &a) { return a.exprs.loopIndex(2); };
  const std::string another = "expected the count of a loop not to use the index of another loop";
  check(
      make,
      {
          {"", [=](Artifact &a) { get<ForBegin>(a, 1).count = outer(a); }},
          {"instruction 1: " + another, [=](Artifact &a) { get<ForBegin>(a, 1).count = inner(a); }},
          {"instruction 0: " + another, [=](Artifact &a) { get<ForBegin>(a, 0).count = outer(a); }},
          {"instruction 4: " + another, [=](Artifact &a) { get<ForBegin>(a, 4).count = outer(a); }},
          {"", [=](Artifact &a) { a.exprs.add(outer(a), inner(a)); }},
          {"", [=](Artifact &a) { a.exprs.add(inner(a), outer(a)); }},
          {"expression 3: expected indices of loops that nest, but got loops 1 and 2",
           [=](Artifact &a) {
             const ExprId first = inner(a), second = next(a);
             a.exprs.add(first, second);
           }},
          {"expression 3: expected indices of loops that nest, but got loops 2 and 0",
           [=](Artifact &a) {
             const ExprId first = next(a), second = outer(a);
             a.exprs.select(first, 0, second);
           }},
          // An expression of both has the loop of the inner one, in either order.
          {"instruction 1: " + another,
           [=](Artifact &a) {
             const ExprId first = outer(a), second = inner(a);
             get<ForBegin>(a, 1).count = a.exprs.add(first, second);
           }},
          {"instruction 1: " + another,
           [=](Artifact &a) {
             const ExprId first = inner(a), second = outer(a);
             get<ForBegin>(a, 1).count = a.exprs.add(first, second);
           }},
          // A loop that no instruction opens.
          {"instruction 0: " + another,
           [=](Artifact &a) { get<ForBegin>(a, 0).count = a.exprs.loopIndex(6); }},
      });
}

// The depth is that of the loops that are open.
TEST(Validate, LoopsAfterManyLoops) {
  Artifact a = makeNest({1, 1, 1});
  const ExprId outer = a.exprs.loopIndex(0);
  get<ForBegin>(a, 2).count = outer;
  for (uint32_t loop = 3; loop < 20; ++loop)
    insert(a, 0, {ForBegin{loop, 0, 1}, ForEnd{loop}});
  const Status status = validate(a);
  EXPECT_TRUE(status.ok()) << status.error().str();
}

TEST(Validate, StreamsOfLaunchesInLoops) {
  // A launch in the sample's loop.
  auto make = [] {
    Artifact a = makeSample();
    Launch launch = get<Launch>(a, 2);
    launch.parameters.resize(2);
    launch.boxes.clear();
    launch.stream = a.exprs.loopIndex(0);
    insert(a, 5, {launch});
    return a;
  };
  const std::string message =
      "expected a loop whose launches choose their streams to allocate nothing";
  auto allocate = [](Artifact &a, size_t position) {
    a.program.buffers.push_back({"more", DType::F32});
    const auto number = BufferId(a.program.buffers.size() - 1);
    insert(a, position, {Alloc{number, {0}, {0}, false}});
  };
  check(make, {
                  {"", [](Artifact &) {}},
                  {"instruction 5: expected the stream below 21, but got expression 21",
                   [](Artifact &a) { get<Launch>(a, 5).stream = ExprId(a.exprs.size()); }},
                  {"instruction 10: " + message, [=](Artifact &a) { allocate(a, 5); }},
                  {"instruction 10: " + message, [=](Artifact &a) { allocate(a, 9); }},
                  {"", [=](Artifact &a) { allocate(a, 10); }},
                  {"",
                   [=](Artifact &a) {
                     get<Launch>(a, 5).stream = kNoExpr;
                     allocate(a, 5);
                   }},
                  // What another loop allocates or chooses does not matter.
                  {"",
                   [=](Artifact &a) {
                     insert(a, 10, {ForBegin{7, 0, 1}, ForEnd{7}});
                     allocate(a, 11);
                   }},
                  // What a loop inside of it allocates does.
                  {"instruction 11: " + message,
                   [=](Artifact &a) {
                     insert(a, 9, {ForBegin{7, 0, 1}, ForEnd{7}});
                     allocate(a, 10);
                   }},
              });
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

/// Stream 1 copies x into y and into a workspace between two events.
Artifact makeWithStreams() {
  Artifact a = makeSample();
  a.program.buffers.resize(2);
  a.program.buffers.push_back({"work", DType::F32});
  const Alloc y = get<Alloc>(a, 0);
  Alloc work = y;
  work.buffer = 2;
  a.program.instructions = {y,          work,       RecordEvent{0}, SelectStream{1}, WaitEvent{0},
                            Copy{0, 1}, Copy{0, 2}, RecordEvent{1}, SelectStream{0}, WaitEvent{1},
                            Free{2},    Return{{1}}};
  return a;
}

TEST(Validate, Streams) {
  check(
      makeWithStreams,
      {
          {"", [](Artifact &) {}},
          {"instruction 3: expected a stream below 64, but got 64",
           [](Artifact &a) { get<SelectStream>(a, 3).stream = 64; }},
          {"", [](Artifact &a) { get<SelectStream>(a, 3).stream = 63; }},
          {"instruction 4: expected stream 1 to wait for an event before its first work",
           [](Artifact &a) { erase(a, 4); }},
          // The allocation is after the event that the stream waits for.
          {"instruction 5: expected stream 1 to wait for the allocation of buffer 1",
           [](Artifact &a) {
             erase(a, 2);
             insert(a, 0, {RecordEvent{0}});
           }},
          {"instruction 6: expected stream 1 to wait for the allocation of buffer 2",
           [](Artifact &a) {
             erase(a, 2);
             insert(a, 1, {RecordEvent{0}});
           }},
          {"instruction 9: expected an event after the last access of stream 1 to buffer 2 before "
           "it is freed",
           [](Artifact &a) { erase(a, 9); }},
          {"instruction 10: expected an event after the last access of stream 1 to buffer 2 before "
           "it is freed",
           [](Artifact &a) { std::swap(a.program.instructions[6], a.program.instructions[7]); }},
          {"instruction 10: expected stream 0 to wait for the end of stream 1",
           [](Artifact &a) {
             erase(a, 10);
             std::swap(a.program.instructions[6], a.program.instructions[7]);
           }},
          {"instruction 8: expected buffer 2 to be freed on stream 0, which allocates it, but got "
           "stream 1",
           [](Artifact &a) { insert(a, 8, {Free{2}}); }},
          {"instruction 8: expected a return on stream 0, but got stream 1",
           [](Artifact &a) { erase(a, 10), erase(a, 9), erase(a, 8); }},
          {"instruction 8: expected a loop on stream 0, but got stream 1",
           [](Artifact &a) { insert(a, 8, {ForBegin{0, 0, 1}, ForEnd{0}}); }},
          // Memory of a stream that allocates it.
          {"",
           [](Artifact &a) {
             a.program.buffers.push_back({"own", DType::F32});
             Alloc own = get<Alloc>(a, 1);
             own.buffer = 3;
             insert(a, 5, {own, Copy{0, 3}, Free{3}});
           }},
          {"instruction 11: expected an event after the last access of stream 0 to buffer 3 before "
           "it is freed",
           [](Artifact &a) {
             a.program.buffers.push_back({"own", DType::F32});
             Alloc own = get<Alloc>(a, 1);
             own.buffer = 3;
             insert(a, 5,
                    {own, RecordEvent{2}, SelectStream{0}, WaitEvent{2}, Copy{0, 3},
                     SelectStream{1}, Free{3}});
           }},
          // A stream that does no work is not waited for.
          {"", [](Artifact &a) { insert(a, 8, {SelectStream{2}}); }},
      });
}

TEST(Validate, Events) {
  check(
      makeWithStreams,
      {
          {"instruction 2: expected an event below 12, but got 12",
           [](Artifact &a) { get<RecordEvent>(a, 2).event = get<WaitEvent>(a, 4).event = 12; }},
          {"", [](Artifact &a) { get<RecordEvent>(a, 2).event = get<WaitEvent>(a, 4).event = 11; }},
          {"instruction 7: expected event 0 to be recorded once",
           [](Artifact &a) { get<RecordEvent>(a, 7).event = 0; }},
          {"instruction 4: expected event 1 to be recorded before a stream waits for it",
           [](Artifact &a) { get<WaitEvent>(a, 4).event = 1; }},
          {"instruction 4: expected event 3 to be recorded before a stream waits for it",
           [](Artifact &a) {
             get<RecordEvent>(a, 2).event = 5;
             get<WaitEvent>(a, 4).event = 3;
           }},
          // What a stream waited for stays done when it waits for an earlier event.
          {"",
           [](Artifact &a) {
             insert(a, 0, {RecordEvent{7}});
             insert(a, 6, {WaitEvent{7}});
           }},
          // Waiting for a stream that waited for another one is waiting for both.
          {"",
           [](Artifact &a) {
             get<WaitEvent>(a, 9).event = 2;
             insert(a, 8, {SelectStream{2}, WaitEvent{1}, RecordEvent{2}});
           }},
      });
}

TEST(Validate, NoStreamsOrEventsInLoops) {
  const std::string inLoop = "inside of a loop";
  const std::pair<Instruction, std::string> cases[] = {
      {SelectStream{0}, "expected no change of the stream inside of a loop"},
      {RecordEvent{3}, "expected no event inside of a loop"},
      {WaitEvent{0}, "expected no event inside of a loop"},
      {Return{{1}}, "expected no instruction after a return"}};
  for (const auto &[instruction, message] : cases) {
    Artifact a = makeWithStreams();
    insert(a, 11, {ForBegin{0, 0, 1}, instruction, ForEnd{0}});
    const Status status = validate(a);
    ASSERT_FALSE(status.ok()) << message;
    EXPECT_EQ(status.error().message, "artifact 'sample': instruction 12: " + message);
  }
}

//===----------------------------------------------------------------------===//
// Dependent launches
//===----------------------------------------------------------------------===//

/// Two launches of a kernel that waits for those before it.
Artifact makeWithDependentLaunch() {
  Artifact a = makeSample();
  a.kernels[0].attributes = {{kWaitsForLaunches, 1}};
  Launch second = get<Launch>(a, 2);
  second.dependent = true;
  insert(a, 3, {second});
  return a;
}

TEST(Validate, DependentLaunches) {
  const std::string message = "expected a launch as the last work before a dependent launch";
  auto addBuffer = [](Artifact &a) {
    a.program.buffers.push_back({"more", DType::I32});
    return BufferId(a.program.buffers.size() - 1);
  };
  check(makeWithDependentLaunch,
        {
            {"", [](Artifact &) {}},
            {"instruction 3: expected a dependent launch of a kernel that waits for the launches "
             "before it",
             [](Artifact &a) { a.kernels[0].attributes = {{kWaitsForLaunches, 2}}; }},
            {"", [=](Artifact &a) { insert(a, 3, {Alloc{addBuffer(a), {0}, {0}, false}}); }},
            {"", [=](Artifact &a) { insert(a, 3, {View{addBuffer(a), 2, 0, {0}, {0}}}); }},
            {"",
             [=](Artifact &a) {
               const BufferId more = addBuffer(a);
               insert(a, 2, {Alloc{more, {0}, {0}, false}});
               insert(a, 4, {Free{more}});
             }},
            // Zeros are written.
            {"instruction 4: " + message,
             [=](Artifact &a) { insert(a, 3, {Alloc{addBuffer(a), {0}, {0}, true}}); }},
            {"instruction 4: " + message,
             [](Artifact &a) { insert(a, 3, {LibraryCall{"f", {0}, {1}, {}}}); }},
            {"instruction 2: " + message, [](Artifact &a) { get<Launch>(a, 2).dependent = true; }},
            {"",
             [](Artifact &a) {
               Launch first = get<Launch>(a, 2);
               first.parameters.resize(1);
               first.boxes.clear();
               Launch second = first;
               second.dependent = true;
               insert(a, 0, {first, second});
             }},
            // Nothing but allocations before.
            {"instruction 0: " + message,
             [](Artifact &a) {
               Launch first = get<Launch>(a, 3);
               first.parameters.resize(1);
               first.boxes.clear();
               insert(a, 0, {first});
             }},
        });
}

} // namespace
