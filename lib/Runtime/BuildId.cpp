//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Runtime/BuildId.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <vector>

namespace fuser::runtime {
namespace {

struct Search {
  uintptr_t address;
  artifact::ArrayView<const char *> libraries;
  std::vector<std::string> ids;
};

bool isWanted(const dl_phdr_info &object, const Search &search) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD &&
        search.address - (object.dlpi_addr + segment.p_vaddr) < segment.p_memsz)
      return true;
  }
  const char *slash = std::strrchr(object.dlpi_name, '/');
  const char *name = slash ? slash + 1 : object.dlpi_name;
  return std::any_of(search.libraries.begin(), search.libraries.end(), [&](const char *prefix) {
    return std::strncmp(name, prefix, std::strlen(prefix)) == 0;
  });
}

/// The build id among the notes of a segment; empty if there is none.
std::string findBuildId(const char *notes, size_t bytes) {
  constexpr auto align = [](size_t size) { return (size + 3) / 4 * 4; };
  size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= bytes) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof(note));
    const size_t name = at + sizeof(note), description = name + align(note.n_namesz);
    const size_t end = description + align(note.n_descsz);
    if (end > bytes)
      break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes + name, "GNU", 4) == 0) {
      static constexpr char kDigits[] = "0123456789abcdef";
      std::string id;
      for (size_t i = 0; i < note.n_descsz; ++i) {
        const auto byte = static_cast<unsigned char>(notes[description + i]);
        id += {kDigits[byte >> 4], kDigits[byte & 15]};
      }
      return id;
    }
    at = end;
  }
  return {};
}

int visit(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  if (!isWanted(*object, search))
    return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    const auto *notes = reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr);
    if (std::string id = findBuildId(notes, segment.p_memsz); !id.empty())
      search.ids.push_back(std::move(id));
  }
  return 0;
}

} // namespace

std::string getBuildIds(const void *address, artifact::ArrayView<const char *> libraries) {
  Search search{reinterpret_cast<uintptr_t>(address), libraries, {}};
  dl_iterate_phdr(visit, &search);
  std::sort(search.ids.begin(), search.ids.end());
  std::string text;
  for (const std::string &id : search.ids)
    text += (text.empty() ? "" : " ") + id;
  return text;
}

} // namespace fuser::runtime
