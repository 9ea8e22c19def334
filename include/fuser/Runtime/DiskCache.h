//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A folder of binary blobs by content key, shared by threads and processes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_DISKCACHE_H
#define FUSER_RUNTIME_DISKCACHE_H

#include "fuser/Artifact/Error.h"
#include "fuser/Artifact/Hash.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fuser::runtime {

/// Each blob is a separate file with a checksum. A file is written under a temporary name and then
/// renamed, so that a reader sees all or nothing of it; a file that cannot be read or does not
/// match its checksum counts as absent and is replaced by the next store. There is no lock and no
/// index.
class DiskCache {
public:
  /// `directory` is made on the first store, with its parents.
  explicit DiskCache(std::string directory) : directory(std::move(directory)) {}

  /// The blob; nullopt if it is absent or damaged.
  std::optional<std::string> load(artifact::Hash128 key) const;

  /// Stores or replaces a blob. Fails with IoError and the system's reason.
  artifact::Status store(artifact::Hash128 key, std::string_view blob) const;

  /// The keys of all blobs that are there now, sorted; damaged ones are among them.
  std::vector<artifact::Hash128> keys() const;

  /// Path of the file of a key.
  std::string pathOf(artifact::Hash128 key) const;

private:
  std::string directory;
};

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_DISKCACHE_H
