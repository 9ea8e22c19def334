//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace fuser;
namespace fs = llvm::sys::fs;

std::error_code PendingFile::create(StringRef path, std::optional<PendingFile> &file) {
  file.emplace(PendingFile(path.str()));
  if (path == "-")
    return {};
  fs::file_status status;
  const bool exists = !fs::status(path, status);
  if (exists && fs::is_directory(status))
    return std::make_error_code(std::errc::is_a_directory);
  if (exists && !fs::is_regular_file(status))
    return {};
  fs::perms mode = fs::all_read | fs::all_write;
  if (exists) {
    // A rename needs the permissions of the folder only.
    if (std::error_code error = fs::access(path, fs::AccessMode::Write))
      return error;
    mode = status.permissions();
    SmallString<128> real;
    if (std::error_code error = fs::real_path(path, real))
      return error;
    file->target = real.str().str();
  }
  // A pattern: each percent sign becomes a digit.
  SmallString<128> model(file->target);
  for (char &letter : model)
    letter = letter == '%' ? '_' : letter;
  model += ".%%%%%%%%.tmp";
  Expected<fs::TempFile> temporary = fs::TempFile::create(model, mode);
  if (!temporary)
    return errorToErrorCode(temporary.takeError());
  file->temporary.emplace(std::move(*temporary));
  return {};
}

PendingFile::~PendingFile() {
  if (temporary)
    consumeError(temporary->discard());
}

std::error_code PendingFile::keep() {
  if (!temporary)
    return {};
  fs::TempFile done = std::move(*temporary);
  temporary.reset();
  return errorToErrorCode(done.keep(target));
}

std::error_code fuser::finishStream(raw_fd_ostream &stream) {
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

std::error_code fuser::writeFile(StringRef path, llvm::function_ref<void(raw_ostream &)> write) {
  if (path == "-") {
    write(outs());
    return finishStream(outs());
  }
  std::optional<PendingFile> pending;
  if (std::error_code error = PendingFile::create(path, pending))
    return error;
  {
    std::error_code error;
    std::optional<raw_fd_ostream> stream;
    if (pending->getDescriptor() >= 0)
      stream.emplace(pending->getDescriptor(), /*shouldClose=*/false);
    else
      stream.emplace(path, error);
    if (!error) {
      write(*stream);
      error = finishStream(*stream);
    }
    if (error)
      return error;
  }
  return pending->keep();
}
