//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElfObject.h"

#include "Relocate.h"

#include <cstring>
#include <elf.h>

namespace fuser::runtime::host {
namespace {

using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;

/// A kernel of a larger section would be a defect of the compiler.
constexpr uint64_t kMaxSectionBytes = uint64_t(1) << 30;
constexpr uint64_t kMaxAlignment = 4096;

class Reader {
public:
  explicit Reader(std::string_view file) : file(file) {}

  Expected<ElfObject> read();

private:
  template <typename... Parts> static Error refuse(const Parts &...parts) {
    return makeError(ErrorCode::Corrupt, parts...);
  }
  /// The `count` structs of type T at `offset`; false where the file is too short.
  template <typename T> bool readTable(uint64_t offset, uint64_t count, std::vector<T> &table) {
    if (offset > file.size() || count > (file.size() - offset) / sizeof(T))
      return false;
    table.resize(count);
    if (count != 0)
      std::memcpy(table.data(), file.data() + offset, count * sizeof(T));
    return true;
  }
  /// The zero-terminated text at `offset` of the string table in section `index`.
  Expected<std::string_view> readName(uint32_t index, uint64_t offset);
  Status readHeader();
  Status readSections();
  Status readSymbols();
  Status readRelocations(const Elf64_Shdr &header);

  std::string_view file;
  Elf64_Ehdr head;
  std::vector<Elf64_Shdr> headers;
  ElfObject object;
};

Expected<std::string_view> Reader::readName(uint32_t index, uint64_t offset) {
  if (index >= headers.size() || headers[index].sh_type != SHT_STRTAB)
    return refuse("expected a table of names in section ", index);
  std::string_view table = object.sections[index].data;
  size_t end = offset < table.size() ? table.find('\0', offset) : std::string_view::npos;
  if (end == std::string_view::npos)
    return refuse("expected a name at ", offset, " of section ", index);
  return table.substr(offset, end - offset);
}

Status Reader::readHeader() {
  if (file.size() < sizeof(head))
    return refuse("expected an ELF header, but got ", file.size(), " bytes");
  std::memcpy(&head, file.data(), sizeof(head));
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
      head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_type != ET_REL)
    return refuse("expected a relocatable 64-bit little-endian ELF object");
  if (head.e_machine != kElfMachine)
    return refuse("expected an object for ELF machine ", kElfMachine, ", but got ", head.e_machine);
  if (head.e_shentsize != sizeof(Elf64_Shdr) || !readTable(head.e_shoff, head.e_shnum, headers))
    return refuse("expected ", head.e_shnum, " section headers at ", head.e_shoff, " of ",
                  file.size(), " bytes");
  return {};
}

Status Reader::readSections() {
  object.sections.resize(headers.size());
  for (size_t i = 0; i < headers.size(); ++i) {
    const Elf64_Shdr &header = headers[i];
    ElfSection &section = object.sections[i];
    section.isLoaded = (header.sh_flags & SHF_ALLOC) != 0;
    section.isWritable = (header.sh_flags & SHF_WRITE) != 0;
    section.isExecutable = (header.sh_flags & SHF_EXECINSTR) != 0;
    section.size = header.sh_size;
    section.alignment = header.sh_addralign ? header.sh_addralign : 1;
    if (section.size > kMaxSectionBytes || section.alignment > kMaxAlignment ||
        (section.alignment & (section.alignment - 1)) != 0)
      return refuse("expected section ", i, " to have at most ", kMaxSectionBytes,
                    " bytes and an alignment of at most ", kMaxAlignment, ", but got ",
                    section.size, " and ", section.alignment);
    // Constructors would have to run, and thread-local memory would need a place.
    if (section.isLoaded && ((header.sh_flags & SHF_TLS) != 0 || header.sh_type == SHT_INIT_ARRAY ||
                             header.sh_type == SHT_FINI_ARRAY))
      return refuse("expected no constructors and no thread-local memory, but section ", i,
                    " has them");
    if (header.sh_type == SHT_NOBITS || header.sh_type == SHT_NULL)
      continue;
    if (header.sh_offset > file.size() || header.sh_size > file.size() - header.sh_offset)
      return refuse("expected ", header.sh_size, " bytes of section ", i, " at ", header.sh_offset,
                    " of ", file.size());
    section.data = file.substr(header.sh_offset, header.sh_size);
  }
  return {};
}

Status Reader::readSymbols() {
  const Elf64_Shdr *table = nullptr;
  for (const Elf64_Shdr &header : headers)
    if (header.sh_type == SHT_SYMTAB)
      table = &header;
  if (!table)
    return {};
  std::vector<Elf64_Sym> symbols;
  if (!readTable(table->sh_offset, table->sh_size / sizeof(Elf64_Sym), symbols))
    return refuse("expected ", table->sh_size, " bytes of symbols at ", table->sh_offset);
  for (const Elf64_Sym &symbol : symbols) {
    ElfSymbol &read = object.symbols.emplace_back();
    Expected<std::string_view> name = readName(table->sh_link, symbol.st_name);
    if (!name)
      return name.takeError();
    read.name = *name;
    read.isWeak = ELF64_ST_BIND(symbol.st_info) == STB_WEAK;
    read.value = symbol.st_value;
    // The name of the file is an absolute symbol, which no relocation refers to.
    read.section = symbol.st_shndx == SHN_ABS ? SHN_UNDEF : symbol.st_shndx;
    if (read.section >= object.sections.size() || read.value > object.sections[read.section].size)
      return refuse("expected symbol '", read.name, "' in a section of the file, but got offset ",
                    read.value, " of section ", read.section);
  }
  return {};
}

Status Reader::readRelocations(const Elf64_Shdr &header) {
  if (header.sh_info >= object.sections.size())
    return refuse("expected relocations of a section, but got section ", header.sh_info);
  const ElfSection &section = object.sections[header.sh_info];
  if (!section.isLoaded)
    return {};
  if (header.sh_type == SHT_REL)
    return refuse("expected relocations with addends");
  std::vector<Elf64_Rela> relocations;
  if (!readTable(header.sh_offset, header.sh_size / sizeof(Elf64_Rela), relocations))
    return refuse("expected ", header.sh_size, " bytes of relocations at ", header.sh_offset);
  for (const Elf64_Rela &relocation : relocations) {
    ElfRelocation read;
    read.section = header.sh_info;
    read.offset = relocation.r_offset;
    read.type = ELF64_R_TYPE(relocation.r_info);
    read.symbol = ELF64_R_SYM(relocation.r_info);
    read.addend = relocation.r_addend;
    const unsigned bytes = getRelocationBytes(read.type);
    if (bytes == 0)
      return refuse("expected relocations of known types, but got type ", read.type);
    if (read.symbol >= object.symbols.size())
      return refuse("expected a relocation by one of ", object.symbols.size(),
                    " symbols, but got symbol ", read.symbol);
    if (section.data.size() < bytes || read.offset > section.data.size() - bytes)
      return refuse("expected a relocation within ", section.data.size(), " bytes, but got one at ",
                    read.offset);
    object.relocations.push_back(read);
  }
  return {};
}

Expected<ElfObject> Reader::read() {
  if (Status status = readHeader(); !status)
    return status.takeError();
  if (Status status = readSections(); !status)
    return status.takeError();
  if (Status status = readSymbols(); !status)
    return status.takeError();
  for (const Elf64_Shdr &header : headers)
    if (header.sh_type == SHT_RELA || header.sh_type == SHT_REL)
      if (Status status = readRelocations(header); !status)
        return status.takeError();
  return std::move(object);
}

} // namespace

Expected<ElfObject> ElfObject::read(std::string_view file) { return Reader(file).read(); }

} // namespace fuser::runtime::host
