//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Target.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace fuser;
using artifact::ErrorCode;
using artifact::makeError;

artifact::Expected<artifact::DeviceDescription>
fuser::driver::readDeviceFile(const char *option, const std::string &path) {
  // A device such as /dev/zero has no end.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) &&
      status.type() == llvm::sys::fs::file_type::character_file)
    return makeError(ErrorCode::ParseError, option, ": ", path,
                     ": expected a file, but got a device");
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> text = openInputFile(path, &error);
  if (!text)
    return makeError(ErrorCode::ParseError, option, ": ", error);
  return artifact::parseDevice(std::string_view(text->getBufferStart(), text->getBufferSize()));
}
