//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How tools read what a user names: files, pipes and devices.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SUPPORT_INPUTFILE_H
#define FUSER_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace fuser {

/// Most bytes of an input that is no file: a pipe or a device, such as /dev/zero, may have no end.
inline constexpr uint64_t kMostBytesOfAStream = uint64_t(1) << 28;

/// What the file at `path` ("-": standard input) contains; with `isText` a null character follows
/// it. The error is the reason, without the path.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readInput(llvm::StringRef path, bool isText);

/// True for a device that may have no end: not a terminal, and not /dev/null.
bool isEndlessDevice(llvm::StringRef path);

} // namespace fuser

#endif // FUSER_SUPPORT_INPUTFILE_H
