//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Errors, arguments and results of the C interface.
//
//===----------------------------------------------------------------------===//

#include "fuser/CAPI/Runtime/Handles.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace fuser;
using namespace fuser::capi;
using artifact::DType;
using artifact::ErrorCode;
using artifact::makeError;
using artifact::Status;
using runtime::ScalarValue;

fuser_error capi::fail(artifact::Error error) { return new fuser_error_s{std::move(error)}; }

ForkMark::ForkMark() : id(getpid()) {
#ifdef MADV_WIPEONFORK
  const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, /*fd=*/-1, 0);
  if (memory == MAP_FAILED)
    return;
  if (madvise(memory, size, MADV_WIPEONFORK) != 0) {
    munmap(memory, size);
    return;
  }
  *static_cast<char *>(memory) = 1;
  page = static_cast<char *>(memory);
  bytes = size;
#endif
}

ForkMark::~ForkMark() {
  if (page)
    munmap(const_cast<char *>(page), bytes);
}

bool ForkMark::isSameProcess() const { return page ? *page != 0 : getpid() == id; }

Status Use::check() const {
  if ((process.survivesFork && others == 0) || process.mark.isSameProcess())
    return {};
  return makeError(ErrorCode::ProcessForked, "expected a handle of process ", getpid(),
                   ", but got one of its parent ", process.mark.getProcess(),
                   process.survivesFork ? " that another thread was using"
                                        : ", whose GPU the child cannot use");
}

static ScalarValue makeScalar(DType dtype, const fuser_argument &argument) {
  switch (dtype) {
  case DType::F32:
    return ScalarValue::f32(static_cast<float>(argument.real));
  case DType::F64:
    return ScalarValue::f64(argument.real);
  case DType::Bool:
    return ScalarValue::boolean(argument.integer != 0);
  case DType::Complex64: {
    float parts[2] = {static_cast<float>(argument.real), static_cast<float>(argument.imaginary)};
    ScalarValue scalar;
    scalar.dtype = dtype;
    std::memcpy(scalar.bytes, parts, sizeof(parts));
    return scalar;
  }
  case DType::Complex128: {
    double parts[2] = {argument.real, argument.imaginary};
    ScalarValue scalar;
    scalar.dtype = dtype;
    std::memcpy(scalar.bytes, parts, sizeof(parts));
    return scalar;
  }
  default:
    return ScalarValue::i64(argument.integer);
  }
}

Status capi::readArgument(const fuser_argument &argument, DType dtype, Call &call) {
  if (!argument.tensor) {
    call.arguments.push(makeScalar(dtype, argument));
    return {};
  }
  auto view = readTensor(*argument.tensor, "argument", call.arguments.size(), call.strides);
  if (!view)
    return view.takeError();
  call.arguments.push(*view);
  return {};
}

Status capi::checkNumResults(size_t count, size_t expected) {
  if (count == expected)
    return {};
  return makeError(ErrorCode::ArgumentCount, "expected ", expected, " results, but got ", count);
}

Status Results::read(const DLTensor *const *results, size_t count, size_t expected) {
  if (Status status = checkNumResults(count, expected); !status)
    return status;
  views.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    if (!results[i])
      return makeError(ErrorCode::ArgumentKind, "output ", i,
                       ": expected a tensor, but got a null pointer");
    auto view = readTensor(*results[i], "output", i, strides);
    if (!view)
      return view.takeError();
    views.push(*view);
  }
  return {};
}
