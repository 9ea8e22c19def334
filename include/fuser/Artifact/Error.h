//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Typed errors without exceptions: a code that programs can switch on, and a sentence for people
// that names the argument, the expected value and the actual one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ARTIFACT_ERROR_H
#define FUSER_ARTIFACT_ERROR_H

#include <cassert>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace fuser::artifact {

/// Why a call, a load or a launch was refused. Values are stable: the C and Python APIs pass them
/// on.
enum class ErrorCode : int {
  // A call that does not fit the compiled fusion.
  ArgumentCount = 1,       ///< too many or too few arguments or results
  ArgumentKind = 2,        ///< a scalar where a tensor is expected, or the reverse
  RankMismatch = 3,        ///< another number of dimensions
  DTypeMismatch = 4,       ///< another element type
  SizeMismatch = 5,        ///< a size that the fusion fixes, or a negative one
  StrideMismatch = 6,      ///< strides that break a layout fact
  AlignmentMismatch = 7,   ///< a pointer that is not aligned as the kernels need
  DeviceMismatch = 8,      ///< data that lies on another device
  NullPointer = 9,         ///< no data for a tensor with elements
  OverlappingBuffers = 10, ///< an output shares memory with an input or with itself
  GuardFailed = 11,        ///< the values do not satisfy what the fusion was specialised for
  // Integer arithmetic of the host program.
  IntegerOverflow = 20,
  DivisionByZero = 21,
  // The machine.
  OutOfMemory = 30,
  DeviceUnavailable = 31,   ///< no driver, no such device, or a device of another architecture
  DriverError = 32,         ///< the driver refused; the message carries its name for the error
  KernelLoadFailed = 33,    ///< the driver's or the host's loader refused a kernel
  InvalidLaunch = 34,       ///< a grid, block, cluster or shared memory size beyond the limits
  CooperativeTooLarge = 35, ///< a cooperative kernel with more blocks than can be resident at once
  Unsupported = 36,         ///< the device cannot do this at all
  ProcessForked = 37,       ///< a handle of the parent process, whose threads a child does not have
  // Faults that the host device detects while it runs a kernel.
  OutOfBounds = 50,
  BoxViolation = 51, ///< memory outside of the box of a launch was touched
  DataRace = 52,
  BarrierDivergence = 53,
  Deadlock = 54,
  UninitializedRead = 55,
  // Data from outside.
  Corrupt = 70,         ///< a damaged, truncated or inconsistent artifact
  VersionMismatch = 71, ///< an artifact of another format version
  ParseError = 72,      ///< text that cannot be read
  IoError = 73,
  // Programs.
  InvalidProgram = 90,    ///< text that is no valid program; the message holds the diagnostics
  CompilationFailed = 91, ///< a program that cannot be compiled; likewise
  Interrupted = 92,       ///< the caller asked to end the work
  NotCompiled = 93,       ///< a call that would have to compile, of a program whose calls do not
};

/// The code's name as it is written above, e.g. "RankMismatch".
const char *toString(ErrorCode code);

/// One refusal. `message` is lower case, has no final period and needs no context to be understood.
struct Error {
  ErrorCode code;
  std::string message;

  /// "RankMismatch: argument 1 (w): expected rank 2, but got rank 1".
  std::string str() const { return std::string(toString(code)) + ": " + message; }
};

/// Builds an error from a code and pieces that can be written to a std::ostream.
template <typename... Parts> Error makeError(ErrorCode code, Parts &&...parts) {
  std::ostringstream stream;
  (stream << ... << std::forward<Parts>(parts));
  return Error{code, stream.str()};
}

/// Success, or an error. The size of one pointer, so that returning success from a launch costs
/// nothing.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failure(std::make_unique<Error>(std::move(error))) {}

  bool ok() const { return !failure; }
  /// True on *success*, as in `if (!status) return status.takeError();`.
  explicit operator bool() const { return ok(); }
  const Error &error() const {
    assert(failure && "a success has no error");
    return *failure;
  }
  Error takeError() {
    assert(failure && "a success has no error");
    return std::move(*failure);
  }

private:
  std::unique_ptr<Error> failure;
};

/// A value, or an error.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T result) : result(std::move(result)) {}
  Expected(Error error) : status(std::move(error)) {}

  bool ok() const { return result.has_value(); }
  /// True on *success*.
  explicit operator bool() const { return ok(); }
  T &operator*() { return value(); }
  const T &operator*() const { return value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }
  T &value() {
    assert(result && "no value: look at the error first");
    return *result;
  }
  const T &value() const {
    assert(result && "no value: look at the error first");
    return *result;
  }
  T take() { return std::move(value()); }
  const Error &error() const { return status.error(); }
  Error takeError() { return status.takeError(); }

private:
  std::optional<T> result;
  Status status;
};

} // namespace fuser::artifact

#endif // FUSER_ARTIFACT_ERROR_H
