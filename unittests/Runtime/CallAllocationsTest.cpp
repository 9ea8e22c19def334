//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A warm call allocates nothing but its results, however many arguments it has.
//
//===----------------------------------------------------------------------===//

#include "NullDevice.h"

#include "fuser/Runtime/CachingAllocator.h"
#include "fuser/Runtime/Executable.h"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

using namespace fuser::artifact;
using namespace fuser::runtime;
using fuser::runtime::test::NullDevice;

// Of this thread, and of all tests of the program.
static thread_local size_t allocations = 0;

void *operator new(size_t bytes) {
  ++allocations;
  return std::malloc(bytes ? bytes : 1);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace {

/// y[i] = f(x[i]) for `count` tensors of one dynamic size each; in place, or into other memory. One
/// launch, as of kernels that were merged, unless `launches` is more.
Artifact makeList(uint32_t count, bool inPlace) {
  Artifact a;
  a.name = "list";
  a.target = *lookupDevice("sm_90");
  Kernel kernel;
  kernel.name = kernel.entry = "k";
  kernel.format = KernelFormat::PTX;
  kernel.chip = "sm_90";
  a.kernels.push_back(kernel);
  ExprPool &e = a.exprs;
  ExprId zero = e.constant(0), one = e.constant(1), block = e.constant(128), blocks = zero;
  Launch launch;
  std::vector<Instruction> allocs;
  Return results;
  for (uint32_t i = 0; i < count; ++i) {
    a.arguments.push_back({"x" + std::to_string(i), true, DType::F32, {kDynamic}, {0}, {1}, 16});
    a.program.buffers.push_back({"x" + std::to_string(i), DType::F32, i});
  }
  for (uint32_t i = 0; i < count; ++i) {
    ExprId size = e.size(i, 0);
    blocks = e.add(blocks, e.ceilDiv(size, block));
    OutputSpec output{"y", DType::F32, {size}, {one}, inPlace ? i : kNotAnArgument, false, 16};
    a.outputs.push_back(output);
    launch.parameters.push_back({Parameter::Kind::Pointer, i, 0, 8, 0});
    launch.parameters.push_back({Parameter::Kind::Integer, 0, size, 8, 0});
    if (inPlace) {
      results.values.push_back(i);
      continue;
    }
    a.program.buffers.push_back({"y", DType::F32, kNotAnArgument});
    results.values.push_back(count + i);
    allocs.push_back(Alloc{count + i, {size}, {one}, false});
    launch.parameters.push_back({Parameter::Kind::Pointer, count + i, 0, 8, 0});
  }
  for (unsigned i = 0; i < 3; ++i) {
    launch.grid[i] = i == 0 ? blocks : one;
    launch.block[i] = i == 0 ? block : one;
    launch.cluster[i] = one;
  }
  launch.dynamicSharedBytes = zero;
  a.guards.push_back({zero, ExprKind::LessEqual, e.size(0, 0), "a size"});
  a.program.instructions = std::move(allocs);
  a.program.instructions.push_back(launch);
  a.program.instructions.push_back(results);
  return a;
}

struct List {
  explicit List(uint32_t count) : sizes(count) {
    for (uint32_t i = 0; i < count; ++i) {
      sizes[i] = 100 + i;
      // Outputs are between the arguments.
      arguments.emplace_back(view(i, 2 * i));
      outputs.push_back(view(i, 2 * i + 1));
    }
  }
  TensorView view(uint32_t number, uintptr_t place) {
    return {reinterpret_cast<void *>((uintptr_t(1) << 32) + place * 65536),
            DType::F32,
            1,
            &sizes[number],
            &stride,
            {DeviceKind::Cuda, 0}};
  }
  std::vector<int64_t> sizes;
  const int64_t stride = 1;
  std::vector<CallArgument> arguments;
  std::vector<TensorView> outputs;
};

/// Allocations of the second call.
size_t countAllocations(Executable &executable, const List &list, bool inPlace) {
  size_t before = 0;
  for (unsigned call = 0; call < 2; ++call) {
    before = allocations;
    Status status = inPlace ? Status() : executable.callInto(list.arguments, list.outputs);
    if (inPlace) {
      auto results = executable.call(list.arguments);
      EXPECT_TRUE(results.ok());
    }
    EXPECT_TRUE(status.ok()) << status.error().str();
  }
  return allocations - before;
}

TEST(CallAllocations, AWarmCallIntoMemoryAllocatesNothing) {
  for (uint32_t count : {1, 2, 40, 300}) {
    auto executable = Executable::create(makeList(count, false), std::make_shared<NullDevice>());
    ASSERT_TRUE(executable.ok()) << executable.error().str();
    List list(count);
    EXPECT_EQ(countAllocations(**executable, list, false), 0u) << count << " tensors";
    // Nor does a question.
    size_t before = allocations;
    EXPECT_TRUE((*executable)->checkGuards(list.arguments).ok());
    EXPECT_EQ(allocations, before);
  }
}

TEST(CallAllocations, ResultsInPlaceTakeTheirShapesOnly) {
  for (uint32_t count : {1, 300}) {
    auto executable = Executable::create(makeList(count, true), std::make_shared<NullDevice>());
    ASSERT_TRUE(executable.ok()) << executable.error().str();
    List list(count);
    // Sizes and strides of each result, and the list of results.
    EXPECT_EQ(countAllocations(**executable, list, true), 2u * count + 1);
  }
}

TEST(CallAllocations, ReusedMemoryCostsNoAllocation) {
  uintptr_t next = 0;
  CachingAllocator allocator(
      {[&](size_t) -> Expected<void *> { return reinterpret_cast<void *>(next += 1 << 20); },
       [](void *) { return Status(); }, [] { return Status(); }});
  // Sizes of their own, freed in another order.
  auto run = [&] {
    std::array<void *, 50> blocks;
    for (size_t i = 0; i < blocks.size(); ++i)
      blocks[i] = *allocator.allocate(1000 * (1 + i % 7), nullptr);
    for (size_t i = 0; i < blocks.size(); ++i)
      EXPECT_TRUE(allocator.free(blocks[i * 7 % blocks.size()], nullptr).ok());
  };
  run();
  size_t before = allocations;
  run();
  EXPECT_EQ(allocations, before);
}

TEST(CallAllocations, OtherMemoryInAnotherOrderIsCheckedAgain) {
  auto executable = Executable::create(makeList(100, false), std::make_shared<NullDevice>());
  ASSERT_TRUE(executable.ok());
  List list(100);
  EXPECT_TRUE((*executable)->callInto(list.arguments, list.outputs).ok());
  std::swap(list.arguments[3].tensor.data, list.outputs[70].data);
  EXPECT_TRUE((*executable)->callInto(list.arguments, list.outputs).ok());
  list.outputs[20].data = static_cast<char *>(list.arguments[60].tensor.data) + 16;
  Status status = (*executable)->callInto(list.arguments, list.outputs);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().str(), "OverlappingBuffers: output 20 (y): expected memory of its own, "
                                  "but it overlaps argument 60 (x60)");
}

} // namespace
