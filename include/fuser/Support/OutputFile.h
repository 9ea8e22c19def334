//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Files that are written as a whole or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SUPPORT_OUTPUTFILE_H
#define FUSER_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <optional>
#include <string>
#include <system_error>

namespace llvm {
class raw_fd_ostream;
class raw_ostream;
} // namespace llvm

namespace fuser {

/// A file next to `path` that takes its place when the output is complete. The temporary file is
/// removed with this object unless keep() was called, and by LLVM's signal handlers.
///
/// Paths that cannot be replaced have no temporary file, and the output goes to them: "-", devices,
/// pipes. A link is followed, so that it stays a link.
class PendingFile {
public:
  /// Creates the temporary file. Fails where `path` is a folder, or cannot be written.
  static std::error_code create(llvm::StringRef path, std::optional<PendingFile> &file);
  PendingFile(PendingFile &&other)
      : temporary(std::move(other.temporary)), target(std::move(other.target)) {
    other.temporary.reset();
  }
  PendingFile(const PendingFile &) = delete;
  PendingFile &operator=(const PendingFile &) = delete;
  PendingFile &operator=(PendingFile &&) = delete;
  ~PendingFile();

  /// Where to write: the temporary file, or the path itself.
  llvm::StringRef getPath() const { return temporary ? temporary->TmpName : target; }
  /// The descriptor of the temporary file; -1 if there is none.
  int getDescriptor() const { return temporary ? temporary->FD : -1; }
  /// Gives the temporary file the name of the target.
  std::error_code keep();

private:
  explicit PendingFile(std::string target) : target(std::move(target)) {}
  std::optional<llvm::sys::fs::TempFile> temporary;
  std::string target;
};

/// Writes the file at `path` ("-": standard output) by `write`. If anything fails, such as a full
/// disk, a file that existed is as it was before. Returns the system's reason.
std::error_code writeFile(llvm::StringRef path,
                          llvm::function_ref<void(llvm::raw_ostream &)> write);

/// Ends output to a stream: flushes it and returns why writing failed, if it did. LLVM aborts the
/// process at exit if a stream still has an error.
std::error_code finishStream(llvm::raw_fd_ostream &stream);

} // namespace fuser

#endif // FUSER_SUPPORT_OUTPUTFILE_H
