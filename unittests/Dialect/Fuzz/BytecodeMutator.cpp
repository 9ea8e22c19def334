//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sections of a file, and changes in them.
//
//===----------------------------------------------------------------------===//

#include "BytecodeMutator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <random>

using namespace llvm;

namespace {

/// Numbers of sections, from mlir/lib/Bytecode/Encoding.h, which is not installed.
enum SectionId : uint8_t { AttributesAndTypes = 2, DialectVersions = 7, Properties = 8 };

struct Section {
  uint8_t id;
  MutableArrayRef<uint8_t> bytes;
};

/// Walks over bytes; nullopt once there are not enough.
class Walker {
public:
  explicit Walker(MutableArrayRef<uint8_t> bytes) : rest(bytes) {}

  std::optional<uint8_t> takeByte() {
    if (rest.empty())
      return std::nullopt;
    uint8_t byte = rest.front();
    rest = rest.drop_front();
    return byte;
  }

  /// As many zeros as the first byte ends with say how many bytes follow.
  std::optional<uint64_t> takeNumber() {
    std::optional<uint8_t> first = takeByte();
    if (!first)
      return std::nullopt;
    unsigned more = *first ? llvm::countr_zero(*first) : 8;
    uint64_t value = more < 8 ? *first >> (more + 1) : 0;
    for (unsigned i = 0; i < more; ++i) {
      std::optional<uint8_t> byte = takeByte();
      if (!byte)
        return std::nullopt;
      unsigned shift = more < 8 ? 8 * i + 7 - more : 8 * i;
      value |= uint64_t(*byte) << shift;
    }
    return value;
  }

  std::optional<Section> takeSection() {
    std::optional<uint8_t> id = takeByte();
    std::optional<uint64_t> length = takeNumber();
    if (!id || !length)
      return std::nullopt;
    if (*id & 0x80) { // aligned: the alignment, then padding
      if (!takeNumber())
        return std::nullopt;
      while (!rest.empty() && rest.front() == 0xCB)
        rest = rest.drop_front();
    }
    if (*length > rest.size())
      return std::nullopt;
    Section section{uint8_t(*id & 0x7F), rest.take_front(*length)};
    rest = rest.drop_front(*length);
    return section;
  }

  /// Skips the header of the file: magic, version and producer.
  bool skipHeader() {
    if (rest.size() < 5)
      return false;
    rest = rest.drop_front(4); // magic
    if (!takeNumber())
      return false;
    while (!rest.empty() && rest.front())
      rest = rest.drop_front(); // the producer
    return takeByte().has_value();
  }

  bool isAtEnd() const { return rest.empty(); }

private:
  MutableArrayRef<uint8_t> rest;
};

} // namespace

/// Bytes of the entries for versions of dialects, which lie between numbers of the dialect section.
static void addVersions(MutableArrayRef<uint8_t> dialects, SmallVectorImpl<Section> &sections) {
  for (size_t i = 0; i + 4 <= dialects.size(); ++i)
    if (dialects[i] == DialectVersions && dialects[i + 1] == 0x05) // 2 bytes
      sections.push_back({DialectVersions, dialects.slice(i + 2, 2)});
}

static SmallVector<Section> findSections(MutableArrayRef<uint8_t> file) {
  constexpr uint8_t dialects = 1;
  SmallVector<Section> sections;
  Walker walker(file);
  if (!walker.skipHeader())
    return sections;
  while (!walker.isAtEnd()) {
    std::optional<Section> section = walker.takeSection();
    if (!section)
      break;
    if (section->id == dialects)
      addVersions(section->bytes, sections);
    if (is_contained({AttributesAndTypes, Properties}, SectionId(section->id)) &&
        !section->bytes.empty())
      sections.push_back(*section);
  }
  return sections;
}

/// True where a byte is a letter of one of our attributes: of a text that begins with #fuser and
/// ends with a zero. Other letters may be numbers of MLIR's attributes.
static bool isLetter(ArrayRef<uint8_t> bytes, size_t position) {
  StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  constexpr StringLiteral prefix = "#fuser";
  size_t begin = text.take_front(position).rfind(prefix);
  size_t end = text.find('\0', position);
  return begin != StringRef::npos && position >= begin + prefix.size() && end != StringRef::npos &&
         all_of(text.slice(begin, end), [](char c) { return isPrint(c); });
}

void fuser::fuzz::mutateBytecode(MutableArrayRef<uint8_t> file, unsigned seed) {
  SmallVector<Section> sections = findSections(file);
  if (sections.empty())
    return;
  std::minstd_rand random(seed);
  auto draw = [&](size_t below) { return size_t(random()) % below; };
  static constexpr char letters[] = "0123456789-[](){}<>,=:@#%\" irbexsplitmergeoutinyz";
  for (size_t changes = 1 + draw(4); changes > 0; --changes) {
    Section &section = sections[draw(sections.size())];
    size_t position = draw(section.bytes.size());
    uint8_t &byte = section.bytes[position];
    if (section.id == AttributesAndTypes) {
      if (isLetter(section.bytes, position))
        byte = letters[draw(sizeof(letters) - 1)];
    } else if (byte & 1) // a number below 128 stays one
      byte = draw(2) ? byte + (draw(2) ? 2 : -2) : uint8_t(2 * draw(128) + 1);
  }
}
