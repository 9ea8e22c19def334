//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The identity of code in this process, for keys of caches.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_RUNTIME_BUILDID_H
#define FUSER_RUNTIME_BUILDID_H

#include "fuser/Artifact/ArrayView.h"

#include <string>

namespace fuser::runtime {

/// The linker's build ids, in hexadecimal digits, of the program or library that contains
/// `address` and of the loaded libraries whose file names begin with one of `libraries`, sorted.
/// Any change of the code changes them. Empty where the linker wrote none.
std::string getBuildIds(const void *address, artifact::ArrayView<const char *> libraries);

} // namespace fuser::runtime

#endif // FUSER_RUNTIME_BUILDID_H
