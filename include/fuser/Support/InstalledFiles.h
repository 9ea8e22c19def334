//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Files that fuser needs when it runs, wherever it is installed.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SUPPORT_INSTALLEDFILES_H
#define FUSER_SUPPORT_INSTALLEDFILES_H

#include <string>

namespace fuser {

/// The path of NVIDIA's libdevice bitcode: below the folder of the program or library that contains
/// this function, or below that folder's parent (bin/, lib/), else in the build tree. Empty if the
/// build found none.
std::string getLibdevicePath();

} // namespace fuser

#endif // FUSER_SUPPORT_INSTALLEDFILES_H
