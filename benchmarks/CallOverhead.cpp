//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Host time of one call on a device without work: a fusion of one kernel, two tensors and one
// scalar, or the program of an artifact. Prints microseconds per call and per launch.
//
// usage: fuser-call-overhead [--calls=N] [FILE.artifact [SIZE]]
//   SIZE: the dynamic sizes of arguments. --calls=N: one round of N calls into the caller's memory,
//   for tools that count instructions.
//
//===----------------------------------------------------------------------===//

#include "../unittests/Artifact/SampleArtifact.h"
#include "../unittests/Runtime/NullDevice.h"

#include "fuser/Runtime/ArtifactFile.h"
#include "fuser/Runtime/Executable.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace fuser::artifact;
using namespace fuser::runtime;

namespace {

/// The sample without its loop, with `launches` launches.
Artifact makeArtifact(unsigned launches) {
  Artifact artifact = fuser::artifact::test::makeSample();
  std::vector<Instruction> &program = artifact.program.instructions;
  Launch launch = std::get<Launch>(program[2]);
  launch.parameters.erase(launch.parameters.begin() + 2);
  launch.boxes.pop_back();
  std::vector<Instruction> instructions = {program[0]};
  for (unsigned i = 0; i < launches; ++i)
    instructions.push_back(launch);
  instructions.push_back(Return{{1}});
  program = instructions;
  return artifact;
}

/// The tensors and scalars of calls. Addresses are never accessed, and buffers do not overlap.
struct Arguments {
  std::vector<std::vector<int64_t>> sizes, strides;
  std::vector<CallArgument> arguments;
  std::vector<TensorView> outputs;

  TensorView makeView(DType dtype, std::vector<int64_t> shape) {
    sizes.push_back(std::move(shape));
    strides.push_back(rowMajorStrides(sizes.back()));
    nextAddress += uintptr_t(1) << 28;
    return {reinterpret_cast<void *>(nextAddress),
            dtype,
            static_cast<uint32_t>(sizes.back().size()),
            sizes.back().data(),
            strides.back().data(),
            {DeviceKind::Cuda, 0}};
  }

private:
  uintptr_t nextAddress = uintptr_t(1) << 40;
};

/// Arguments of `executable` whose dynamic sizes are `size`; false where it does not accept them.
bool makeArguments(Executable &executable, int64_t size, Arguments &made) {
  for (const ArgumentSpec &spec : executable.getArtifact().arguments) {
    if (!spec.isTensor) {
      ScalarValue one;
      one.dtype = spec.dtype;
      made.arguments.emplace_back(one);
      continue;
    }
    std::vector<int64_t> sizes = spec.sizes;
    std::replace(sizes.begin(), sizes.end(), kDynamic, size);
    made.arguments.emplace_back(made.makeView(spec.dtype, std::move(sizes)));
  }
  auto results = executable.call({made.arguments.data(), made.arguments.size()});
  if (!results) {
    std::fprintf(stderr, "%s\n", results.error().str().c_str());
    return false;
  }
  size_t number = 0;
  for (const Tensor &result : *results) {
    uint32_t alias = executable.getArtifact().outputs[number++].aliasOfArgument;
    made.outputs.push_back(alias != kNotAnArgument ? made.arguments[alias].tensor
                                                   : made.makeView(result.dtype, result.sizes));
  }
  return true;
}

bool callOnce(Executable &executable, const Arguments &arguments, bool intoMemory) {
  ArrayView<CallArgument> given(arguments.arguments.data(), arguments.arguments.size());
  return intoMemory
             ? executable.callInto(given, {arguments.outputs.data(), arguments.outputs.size()}).ok()
             : executable.call(given).ok();
}

/// Median over rounds of the time of one call, in microseconds; negative where a call fails.
double microsecondsPerCall(Executable &executable, const Arguments &arguments, bool intoMemory,
                           unsigned calls) {
  constexpr unsigned kRounds = 51;
  std::vector<double> times;
  for (unsigned round = 0; round < kRounds; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (unsigned call = 0; call < calls; ++call)
      if (!callOnce(executable, arguments, intoMemory))
        return -1;
    auto stop = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(stop - start).count() / calls);
  }
  std::sort(times.begin(), times.end());
  return times[kRounds / 2];
}

std::unique_ptr<Executable> makeExecutable(Artifact artifact) {
  auto created =
      Executable::create(std::move(artifact), std::make_shared<fuser::runtime::test::NullDevice>());
  if (!created)
    std::fprintf(stderr, "%s\n", created.error().str().c_str());
  return created ? created.take() : nullptr;
}

int fail() {
  std::fprintf(stderr, "expected calls to succeed\n");
  return 1;
}

int measureSample() {
  auto one = makeExecutable(makeArtifact(1)), nine = makeExecutable(makeArtifact(9));
  Arguments arguments;
  if (!one || !nine || !makeArguments(*one, 8, arguments))
    return fail();
  for (bool intoMemory : {false, true}) {
    double first = microsecondsPerCall(*one, arguments, intoMemory, 2000);
    double all = microsecondsPerCall(*nine, arguments, intoMemory, 2000);
    if (first < 0 || all < 0)
      return fail();
    std::printf("%-28s %.2f us for a call of one kernel, %.2f us for each further launch\n",
                intoMemory ? "into the caller's memory:" : "with allocated outputs:", first,
                (all - first) / 8);
  }
  return 0;
}

int measureArtifact(const char *path, int64_t size, unsigned calls) {
  Expected<Artifact> artifact = readArtifact(path);
  if (!artifact) {
    std::fprintf(stderr, "%s\n", artifact.error().str().c_str());
    return 1;
  }
  auto executable = makeExecutable(artifact.take());
  Arguments arguments;
  if (!executable || !makeArguments(*executable, size, arguments))
    return fail();
  for (unsigned call = 0; call < calls; ++call)
    if (!callOnce(*executable, arguments, /*intoMemory=*/true))
      return fail();
  const size_t buffers = arguments.arguments.size() + arguments.outputs.size();
  for (bool intoMemory : {false, true}) {
    double time = calls ? 0 : microsecondsPerCall(*executable, arguments, intoMemory, 200);
    if (time < 0)
      return fail();
    if (!calls)
      std::printf("%-28s %.2f us for a call, %.1f ns for each of %zu arguments and outputs\n",
                  intoMemory ? "into the caller's memory:" : "with allocated outputs:", time,
                  time * 1e3 / double(buffers), buffers);
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  unsigned calls = 0;
  const char *path = nullptr;
  int64_t size = 4096;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--calls=", 8) == 0)
      calls = static_cast<unsigned>(std::atoi(argv[i] + 8));
    else if (!path)
      path = argv[i];
    else
      size = std::atoll(argv[i]);
  }
  return path ? measureArtifact(path, size, calls) : measureSample();
}
