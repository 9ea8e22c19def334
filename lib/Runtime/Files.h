//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whole files: read, and replaced so that readers see all or nothing of them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_FILES_H
#define FUSER_LIB_RUNTIME_FILES_H

#include "fuser/Artifact/Error.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace fuser::runtime {

/// Fails with IoError and the system's reason, or where what is no file gives too many bytes.
artifact::Expected<std::string> readFile(const std::string &path);

/// Writes the pieces to a temporary file next to `path`, which then takes its place. Fails with
/// IoError and the system's reason; a file that existed is as before then.
artifact::Status replaceFile(const std::string &path,
                             std::initializer_list<std::string_view> pieces);

} // namespace fuser::runtime

#endif // FUSER_LIB_RUNTIME_FILES_H
