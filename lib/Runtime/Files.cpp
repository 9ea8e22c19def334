//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Files.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fuser::runtime {
namespace {

using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;

struct FileCloser {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

/// A pipe or a device, such as /dev/zero, may have no end.
constexpr size_t kMostBytesOfAStream = size_t(1) << 28;

artifact::Error ioError(const std::string &path, const char *what) {
  int code = errno;
  return makeError(ErrorCode::IoError, "'", path, "': expected to ", what,
                   ", but got: ", std::error_code(code, std::generic_category()).message());
}

} // namespace

Expected<std::string> readFile(const std::string &path) {
  File file(std::fopen(path.c_str(), "rb"));
  if (!file)
    return ioError(path, "open the file");
  struct stat status;
  const bool isStream = fstat(fileno(file.get()), &status) == 0 && !S_ISREG(status.st_mode);
  std::string content;
  char chunk[16384];
  while (size_t got = std::fread(chunk, 1, sizeof(chunk), file.get())) {
    content.append(chunk, got);
    if (isStream && content.size() > kMostBytesOfAStream)
      return makeError(ErrorCode::IoError, "'", path, "': expected at most ", kMostBytesOfAStream,
                       " bytes of a pipe or a device");
  }
  if (std::ferror(file.get()))
    return ioError(path, "read the file");
  return content;
}

Status replaceFile(const std::string &path, std::initializer_list<std::string_view> pieces) {
  std::string temporary = path + ".XXXXXX";
  int descriptor = mkstemp(temporary.data());
  if (descriptor < 0)
    return ioError(temporary, "create a file");
  // mkstemp gives 0600; a file may be shared as far as its folder allows.
  (void)fchmod(descriptor, 0644);
  File file(fdopen(descriptor, "wb"));
  if (!file) {
    Status status = ioError(temporary, "open the file");
    close(descriptor);
    unlink(temporary.c_str());
    return status;
  }
  bool written = true;
  for (std::string_view piece : pieces)
    written = written && std::fwrite(piece.data(), 1, piece.size(), file.get()) == piece.size();
  if (!written || std::fflush(file.get()) != 0 ||
      std::rename(temporary.c_str(), path.c_str()) != 0) {
    Status status = ioError(path, "write the file");
    unlink(temporary.c_str());
    return status;
  }
  return {};
}

} // namespace fuser::runtime
