//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/InputFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace fuser;
namespace fs = llvm::sys::fs;

/// Reads to the end of what has no size.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readStream(fs::file_t file,
                                                                      llvm::StringRef path) {
  constexpr size_t kChunk = 1 << 16;
  llvm::SmallVector<char, 0> content;
  while (true) {
    const size_t size = content.size();
    content.resize_for_overwrite(size + kChunk);
    llvm::Expected<size_t> got =
        fs::readNativeFile(file, llvm::MutableArrayRef(content.data() + size, kChunk));
    if (!got)
      return got.takeError();
    content.truncate(size + *got);
    if (*got == 0)
      return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(content), path);
    if (content.size() > kMostBytesOfAStream)
      return llvm::createStringError(std::errc::file_too_large,
                                     "expected at most %llu bytes of a pipe or a device",
                                     static_cast<unsigned long long>(kMostBytesOfAStream));
  }
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> fuser::readInput(llvm::StringRef path,
                                                                     bool isText) {
  const bool isStandardInput = path == "-";
  fs::file_status status;
  if (std::error_code error =
          isStandardInput ? fs::status(fs::getStdinHandle(), status) : fs::status(path, status))
    return llvm::errorCodeToError(error);
  if (isStandardInput && !fs::is_regular_file(status))
    return readStream(fs::getStdinHandle(), "<stdin>");
  if (fs::is_regular_file(status) || fs::is_directory(status)) {
    auto buffer =
        llvm::MemoryBuffer::getFileOrSTDIN(path, isText, /*RequiresNullTerminator=*/isText);
    if (std::error_code error = buffer.getError())
      return llvm::errorCodeToError(error);
    return std::move(*buffer);
  }
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readStream(*file, path);
  (void)fs::closeFile(*file);
  return buffer;
}

bool fuser::isEndlessDevice(llvm::StringRef path) {
  fs::file_status status;
  if (fs::status(path, status) || status.type() != fs::file_type::character_file ||
      fs::equivalent(path, "/dev/null"))
    return false;
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  const bool isTerminal = llvm::sys::Process::FileDescriptorIsDisplayed(*file);
  (void)fs::closeFile(*file);
  return !isTerminal;
}
