//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Target.h"
#include "fuser/Support/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace fuser;
using artifact::ErrorCode;
using artifact::makeError;

artifact::Expected<artifact::DeviceDescription>
fuser::driver::readDeviceFile(const char *option, const std::string &path) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text = readInput(path, /*isText=*/true);
  if (!text)
    return makeError(ErrorCode::ParseError, option, ": cannot open input file '", path,
                     "': ", llvm::toString(text.takeError()));
  const llvm::StringRef content = (*text)->getBuffer();
  return artifact::parseDevice(std::string_view(content.data(), content.size()));
}
