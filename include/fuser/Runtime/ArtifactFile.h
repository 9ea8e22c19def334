//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Artifacts as files.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_ARTIFACTFILE_H
#define FUSER_RUNTIME_ARTIFACTFILE_H

#include "fuser/Artifact/Artifact.h"

#include <string>

namespace fuser::runtime {

/// Reads a file that writeArtifact has written. Fails with IoError and the system's reason, and as
/// artifact::deserialize does; the message names the file.
artifact::Expected<artifact::Artifact> readArtifact(const std::string &path);

/// Writes the binary form of an artifact. Readers of the file see the old content or the new one.
/// Fails with IoError and the system's reason.
artifact::Status writeArtifact(const std::string &path, const artifact::Artifact &artifact);

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_ARTIFACTFILE_H
