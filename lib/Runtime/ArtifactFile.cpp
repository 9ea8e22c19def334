//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/ArtifactFile.h"

#include "Files.h"

namespace fuser::runtime {

artifact::Expected<artifact::Artifact> readArtifact(const std::string &path) {
  artifact::Expected<std::string> data = readFile(path);
  if (!data)
    return data.takeError();
  artifact::Expected<artifact::Artifact> artifact = artifact::deserialize(*data);
  if (!artifact)
    return artifact::makeError(artifact.error().code, "'", path, "': ", artifact.error().message);
  return artifact;
}

artifact::Status writeArtifact(const std::string &path, const artifact::Artifact &artifact) {
  return replaceFile(path, {artifact::serialize(artifact)});
}

} // namespace fuser::runtime
