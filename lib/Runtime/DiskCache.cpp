//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/DiskCache.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fuser::runtime {
namespace {

using artifact::ErrorCode;
using artifact::Hash128;
using artifact::Hasher;
using artifact::makeError;
using artifact::Status;

constexpr char kMagic[8] = {'F', 'U', 'S', 'E', 'R', 'B', 'L', '1'};
/// Magic and checksum.
constexpr size_t kHeaderBytes = 24;

struct FileCloser {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

std::string headerOf(Hash128 key, std::string_view blob) {
  // The key is part of the checksum, so that a file under a wrong name is not a hit.
  Hash128 checksum = Hasher().integer(key.low).integer(key.high).string(blob).finish();
  std::string header(kMagic, sizeof(kMagic));
  for (uint64_t word : {checksum.low, checksum.high})
    for (unsigned i = 0; i < 8; ++i)
      header += static_cast<char>(word >> (8 * i));
  return header;
}

artifact::Error ioError(const std::string &path, const char *what) {
  int code = errno;
  return makeError(ErrorCode::IoError, "'", path, "': expected to ", what,
                   ", but got: ", std::error_code(code, std::generic_category()).message());
}

} // namespace

std::string DiskCache::pathOf(Hash128 key) const {
  std::string name = key.str();
  // Two digits of fan-out keep folders small.
  return directory + "/" + name.substr(0, 2) + "/" + name.substr(2);
}

std::optional<std::string> DiskCache::load(Hash128 key) const {
  File file(std::fopen(pathOf(key).c_str(), "rb"));
  if (!file)
    return std::nullopt;
  std::string content;
  char chunk[16384];
  while (size_t got = std::fread(chunk, 1, sizeof(chunk), file.get()))
    content.append(chunk, got);
  if (std::ferror(file.get()) || content.size() < kHeaderBytes)
    return std::nullopt;
  std::string blob = content.substr(kHeaderBytes);
  if (content.compare(0, kHeaderBytes, headerOf(key, blob)) != 0)
    return std::nullopt;
  return blob;
}

Status DiskCache::store(Hash128 key, std::string_view blob) const {
  std::string path = pathOf(key);
  std::string folder = path.substr(0, path.rfind('/'));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return makeError(ErrorCode::IoError, "'", folder,
                     "': expected to make the folder, but got: ", error.message());
  std::string temporary = path + ".XXXXXX";
  int descriptor = mkstemp(temporary.data());
  if (descriptor < 0)
    return ioError(temporary, "create a file");
  // mkstemp gives 0600; the cache may be shared as far as its folder allows.
  (void)fchmod(descriptor, 0644);
  File file(fdopen(descriptor, "wb"));
  if (!file) {
    Status status = ioError(temporary, "open the file");
    close(descriptor);
    unlink(temporary.c_str());
    return status;
  }
  std::string header = headerOf(key, blob);
  bool written = std::fwrite(header.data(), 1, header.size(), file.get()) == header.size() &&
                 std::fwrite(blob.data(), 1, blob.size(), file.get()) == blob.size() &&
                 std::fflush(file.get()) == 0;
  if (!written || std::rename(temporary.c_str(), path.c_str()) != 0) {
    Status status = ioError(path, "write the file");
    unlink(temporary.c_str());
    return status;
  }
  return {};
}

} // namespace fuser::runtime
