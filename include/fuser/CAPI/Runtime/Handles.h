//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The types of the handles of fuser-c/Runtime.h, and arguments of calls as the runtime takes
// them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_CAPI_RUNTIME_HANDLES_H
#define FUSER_CAPI_RUNTIME_HANDLES_H

#include "fuser-c/Runtime.h"
#include "fuser/Artifact/Artifact.h"
#include "fuser/CAPI/Runtime/DLPack.h"
#include "fuser/Runtime/Device.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

struct fuser_error_s {
  fuser::artifact::Error error;
};
struct fuser_text_s {
  std::string text;
};
struct fuser_artifact_s {
  explicit fuser_artifact_s(fuser::artifact::Artifact artifact);
  fuser::artifact::Artifact artifact;
  /// The sizes of the results, -1 where they depend on the arguments.
  std::vector<std::vector<int64_t>> resultSizes;
};

namespace fuser::capi {

fuser_error fail(artifact::Error error);

/// Tells the process that made it from its children: by a page that the kernel clears in them,
/// which costs no system call, or by the number of the process where there is no such page.
class ForkMark {
public:
  ForkMark();
  ~ForkMark();
  ForkMark(const ForkMark &) = delete;
  ForkMark &operator=(const ForkMark &) = delete;

  bool isSameProcess() const;
  int getProcess() const { return id; }

private:
  const int id;
  const volatile char *page = nullptr;
  size_t bytes = 0;
};

/// The process that opened a device, and how many of its threads use it. In a child after fork the
/// other threads are gone, and so is what they were about to finish.
struct Process {
  explicit Process(bool survivesFork) : survivesFork(survivesFork) {}
  const bool survivesFork;
  ForkMark mark;
  std::atomic<int> users{0};
};

/// One use of a device, program or executable by a thread.
class Use {
public:
  explicit Use(Process &process) : process(process), others(process.users++) {}
  ~Use() { --process.users; }
  Use(const Use &) = delete;
  Use &operator=(const Use &) = delete;

  /// Fails with ProcessForked in a child that must not use the handle.
  artifact::Status check() const;

private:
  Process &process;
  int others;
};

/// A list of a few elements that needs no memory of the heap; longer ones do.
template <typename T> class ShortList {
public:
  /// Makes room for `count` elements; call before the first one is added, at most once.
  void reserve(size_t count) { list.reserve(count); }
  void push(const T &element) { list.push_back(element); }
  size_t size() const { return list.size(); }
  const T &operator[](size_t index) const { return list[index]; }
  operator artifact::ArrayView<T>() const { return {list.data(), list.size()}; }

private:
  alignas(T) std::byte bytes[16 * sizeof(T)];
  std::pmr::monotonic_buffer_resource memory{bytes, sizeof(bytes)};
  std::pmr::vector<T> list{&memory};
};

/// The arguments of one call, with strides for the tensors that have none.
struct Call {
  StrideLists strides;
  ShortList<runtime::CallArgument> arguments;
};

/// Adds an argument to a call; a scalar becomes one of type `dtype`.
artifact::Status readArgument(const fuser_argument &argument, artifact::DType dtype, Call &call);

/// Reads the arguments of a call, `count` of the `expected` ones; `getType(i)` is the type of
/// argument i if it is a scalar.
template <typename GetType>
artifact::Status readArguments(size_t expected, GetType getType, const fuser_argument *arguments,
                               size_t count, Call &call) {
  if (count != expected)
    return artifact::makeError(artifact::ErrorCode::ArgumentCount, "expected ", expected,
                               " arguments, but got ", count);
  call.arguments.reserve(count);
  for (size_t i = 0; i < count; ++i)
    if (artifact::Status status = readArgument(arguments[i], getType(i), call); !status)
      return status;
  return {};
}

/// Views of the tensors that results are stored in, `count` of the `expected` ones.
struct Results {
  StrideLists strides;
  ShortList<runtime::TensorView> views;
  artifact::Status read(const DLTensor *const *results, size_t count, size_t expected);
};

/// Fails unless `count` is the number of results.
artifact::Status checkNumResults(size_t count, size_t expected);

} // namespace fuser::capi

struct fuser_device_s {
  std::shared_ptr<fuser::runtime::Device> device;
  std::shared_ptr<fuser::capi::Process> process;
};

#endif // FUSER_CAPI_RUNTIME_HANDLES_H
