//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The parts of a relocatable ELF object that a loader needs, read without trusting the file.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_ELFOBJECT_H
#define FUSER_LIB_RUNTIME_HOST_ELFOBJECT_H

#include "fuser/Artifact/Error.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fuser::runtime::host {

/// A section that occupies memory, or one that does not (`isLoaded` is false).
struct ElfSection {
  std::string_view name;
  bool isLoaded = false, isWritable = false, isExecutable = false;
  uint64_t size = 0;
  /// A power of two, at most 4096.
  uint64_t alignment = 1;
  /// Empty where the section is zero-initialized.
  std::string_view data;
};

struct ElfSymbol {
  std::string_view name;
  /// Index of the section it is defined in; 0: undefined.
  uint32_t section = 0;
  /// Offset in that section.
  uint64_t value = 0;
  bool isWeak = false;
};

/// Patches `section` at `offset` with a value computed from `symbol` and `addend`.
struct ElfRelocation {
  uint32_t section = 0;
  uint64_t offset = 0;
  uint32_t type = 0;
  uint32_t symbol = 0;
  int64_t addend = 0;
};

/// Views of the file, which must outlive it. Every index and offset is within bounds, and what a
/// relocation patches lies within its section.
struct ElfObject {
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
  /// Of loaded sections only.
  std::vector<ElfRelocation> relocations;

  /// Reads an object for this machine's architecture. Fails with Corrupt and the reason.
  static artifact::Expected<ElfObject> read(std::string_view file);
};

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_ELFOBJECT_H
