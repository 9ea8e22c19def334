//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TimingLock.h"
#include "llvm/Support/FileSystem.h"

using namespace fuser;
using namespace fuser::driver;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
namespace fs = llvm::sys::fs;

Expected<TimingLock> TimingLock::acquire(const std::string &path) {
  TimingLock lock;
  if (path.empty())
    return lock;
  std::error_code error =
      fs::openFileForReadWrite(path, lock.descriptor, fs::CD_OpenAlways, fs::OF_None);
  // A signal that ends the process, such as an interrupt, ends the wait; others do not.
  if (!error)
    do
      error = fs::lockFile(lock.descriptor);
    while (error == std::errc::interrupted);
  if (error)
    return makeError(ErrorCode::IoError, "--timing-lock: ", path, ": ", error.message());
  return lock;
}

TimingLock::~TimingLock() {
  // Closing the file releases the lock.
  if (descriptor != kNone)
    (void)fs::closeFile(descriptor);
}
