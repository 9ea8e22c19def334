//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The artifacts of one program in a folder that threads and processes share (docs/adr/0070).
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SESSION_ARTIFACTCACHE_H
#define FUSER_LIB_SESSION_ARTIFACTCACHE_H

#include "fuser/Artifact/Artifact.h"
#include "fuser/Runtime/DiskCache.h"
#include "fuser/Session/Program.h"

#include <map>
#include <optional>
#include <set>

namespace fuser::session {

/// The key of everything but the arguments that decides what a program compiles to: its text, the
/// options, the devices, and the build of the compiler. nullopt if that is not known, so that
/// nothing can be cached. `options.target` is set.
std::optional<artifact::Hash128> getProgramKey(llvm::StringRef text,
                                               const artifact::DeviceDescription &device,
                                               const ProgramOptions &options);

/// The key of what a specialization depends on: kinds, types, sizes, strides and alignments.
artifact::Hash128 getSpecializationKey(artifact::ArrayView<runtime::CallArgument> arguments);

/// Not thread-safe, as its program guards it; but other caches may use the same folder at the same
/// time. Files that cannot be read, are damaged or of another version count as absent.
class ArtifactCache {
public:
  ArtifactCache(const std::string &directory, artifact::Hash128 program);

  /// Any artifact of the program, which describes its arguments and results; null if there is none.
  const artifact::Artifact *findAny();

  /// Calls `tryLoad` with the artifact of `specialization`, then with those of others, preferred
  /// ones first, until it accepts one; false if it accepts none. An artifact that was accepted or
  /// stored is not offered again.
  bool find(artifact::Hash128 specialization,
            llvm::function_ref<bool(const artifact::Artifact &)> isPreferred,
            llvm::function_ref<bool(artifact::Artifact)> tryLoad);

  /// The folder may be read-only and the disk full: the next process compiles again then.
  void store(artifact::Hash128 specialization, const artifact::Artifact &artifact);

private:
  std::optional<artifact::Artifact> read(artifact::Hash128 key);

  runtime::DiskCache disk;
  /// What has been read, until it is offered.
  std::map<artifact::Hash128, artifact::Artifact> held;
  /// What the program has loaded already.
  std::set<artifact::Hash128> known;
};

} // namespace fuser::session

#endif // FUSER_LIB_SESSION_ARTIFACTCACHE_H
