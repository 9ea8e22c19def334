//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/InstalledFiles.h"
#include "fuser/Support/Config.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace fuser;
namespace path = llvm::sys::path;

/// The file that contains this function; empty if the system does not know it.
static llvm::SmallString<256> getOwnFile() {
  Dl_info info;
  llvm::SmallString<256> file;
  if (!dladdr(reinterpret_cast<const void *>(&getOwnFile), &info) || !info.dli_fname)
    return file;
  // The name of a program may be relative to the folder that it was started in.
  if (llvm::sys::fs::real_path(info.dli_fname, file))
    file = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&getOwnFile));
  return file;
}

std::string fuser::getLibdevicePath() {
  llvm::SmallString<256> own = getOwnFile();
  llvm::StringRef folder = path::parent_path(own);
  for (llvm::StringRef root : {folder, path::parent_path(folder)}) {
    llvm::SmallString<256> file(root);
    path::append(file, config::kLibdeviceInstallPath);
    if (!root.empty() && llvm::sys::fs::exists(file))
      return file.str().str();
  }
  return config::kLibdevicePath;
}
