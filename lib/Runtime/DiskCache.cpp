//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/DiskCache.h"

#include "Files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

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

std::string headerOf(Hash128 key, std::string_view blob) {
  // The key is part of the checksum, so that a file under a wrong name is not a hit.
  Hash128 checksum = Hasher().integer(key.low).integer(key.high).string(blob).finish();
  std::string header(kMagic, sizeof(kMagic));
  for (uint64_t word : {checksum.low, checksum.high})
    for (unsigned i = 0; i < 8; ++i)
      header += static_cast<char>(word >> (8 * i));
  return header;
}

} // namespace

std::string DiskCache::pathOf(Hash128 key) const {
  std::string name = key.str();
  // Two digits of fan-out keep folders small.
  return directory + "/" + name.substr(0, 2) + "/" + name.substr(2);
}

/// Reads what Hash128::str writes.
static std::optional<Hash128> parseKey(const std::string &text) {
  if (text.size() != 32)
    return std::nullopt;
  Hash128 key;
  auto parse = [&](size_t begin, uint64_t &word) {
    auto [end, error] =
        std::from_chars(text.data() + begin, text.data() + begin + 16, word, /*base=*/16);
    return error == std::errc() && end == text.data() + begin + 16;
  };
  if (!parse(0, key.high) || !parse(16, key.low))
    return std::nullopt;
  return key;
}

std::vector<Hash128> DiskCache::keys() const {
  namespace fs = std::filesystem;
  std::vector<Hash128> found;
  std::error_code error;
  fs::directory_iterator end;
  for (fs::directory_iterator folder(directory, error); !error && folder != end;
       folder.increment(error)) {
    std::error_code inner;
    for (fs::directory_iterator file(folder->path(), inner); !inner && file != end;
         file.increment(inner))
      if (auto key =
              parseKey(folder->path().filename().string() + file->path().filename().string()))
        found.push_back(*key);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<std::string> DiskCache::load(Hash128 key) const {
  artifact::Expected<std::string> content = readFile(pathOf(key));
  if (!content || content->size() < kHeaderBytes)
    return std::nullopt;
  std::string blob = content->substr(kHeaderBytes);
  if (content->compare(0, kHeaderBytes, headerOf(key, blob)) != 0)
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
  return replaceFile(path, {headerOf(key, blob), blob});
}

} // namespace fuser::runtime
