//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Relocate.h"

#include <cstring>
#include <elf.h>

namespace fuser::runtime::host {
namespace {

/// How the value is stored.
enum class Form : uint8_t {
  None,
  Word64,     ///< 8 bytes
  Signed32,   ///< 4 bytes, sign-extended
  Unsigned32, ///< 4 bytes, zero-extended
  // Immediates of AArch64 instructions.
  Branch26, ///< words, bits 0 to 25
  Page21,   ///< pages, split over bits 29 to 30 and 5 to 23
  Low12,    ///< the low 12 bits of an address over the size of an access, bits 10 to 21
};

struct Rule {
  uint32_t type;
  RelocationTarget target;
  Form form;
  /// The value is relative to the place: to its page for Page21.
  bool isRelative;
  /// Low12: log2 of the size of the access.
  uint8_t scale;
};

constexpr Rule kX86Rules[] = {
    {R_X86_64_64, RelocationTarget::Symbol, Form::Word64, false, 0},
    {R_X86_64_PC64, RelocationTarget::Symbol, Form::Word64, true, 0},
    {R_X86_64_PC32, RelocationTarget::Code, Form::Signed32, true, 0},
    {R_X86_64_PLT32, RelocationTarget::Code, Form::Signed32, true, 0},
    {R_X86_64_32, RelocationTarget::Symbol, Form::Unsigned32, false, 0},
    {R_X86_64_32S, RelocationTarget::Symbol, Form::Signed32, false, 0},
    {R_X86_64_GOTPCREL, RelocationTarget::Slot, Form::Signed32, true, 0},
    {R_X86_64_GOTPCRELX, RelocationTarget::Slot, Form::Signed32, true, 0},
    {R_X86_64_REX_GOTPCRELX, RelocationTarget::Slot, Form::Signed32, true, 0},
};

constexpr Rule kAArch64Rules[] = {
    {R_AARCH64_ABS64, RelocationTarget::Symbol, Form::Word64, false, 0},
    {R_AARCH64_PREL64, RelocationTarget::Symbol, Form::Word64, true, 0},
    {R_AARCH64_PREL32, RelocationTarget::Symbol, Form::Signed32, true, 0},
    {R_AARCH64_CALL26, RelocationTarget::Code, Form::Branch26, true, 0},
    {R_AARCH64_JUMP26, RelocationTarget::Code, Form::Branch26, true, 0},
    {R_AARCH64_ADR_PREL_PG_HI21, RelocationTarget::Symbol, Form::Page21, true, 0},
    {R_AARCH64_ADR_GOT_PAGE, RelocationTarget::Slot, Form::Page21, true, 0},
    {R_AARCH64_ADD_ABS_LO12_NC, RelocationTarget::Symbol, Form::Low12, false, 0},
    {R_AARCH64_LDST8_ABS_LO12_NC, RelocationTarget::Symbol, Form::Low12, false, 0},
    {R_AARCH64_LDST16_ABS_LO12_NC, RelocationTarget::Symbol, Form::Low12, false, 1},
    {R_AARCH64_LDST32_ABS_LO12_NC, RelocationTarget::Symbol, Form::Low12, false, 2},
    {R_AARCH64_LDST64_ABS_LO12_NC, RelocationTarget::Symbol, Form::Low12, false, 3},
    {R_AARCH64_LDST128_ABS_LO12_NC, RelocationTarget::Symbol, Form::Low12, false, 4},
    {R_AARCH64_LD64_GOT_LO12_NC, RelocationTarget::Slot, Form::Low12, false, 3},
};

const Rule *findRule(uint32_t type, uint16_t machine) {
  if (machine == kX86_64) {
    for (const Rule &rule : kX86Rules)
      if (rule.type == type)
        return &rule;
  } else {
    for (const Rule &rule : kAArch64Rules)
      if (rule.type == type)
        return &rule;
  }
  return nullptr;
}

void store(unsigned char *place, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    place[i] = static_cast<unsigned char>(value >> (8 * i));
}

uint32_t loadInstruction(const unsigned char *place) {
  uint32_t word;
  std::memcpy(&word, place, sizeof(word));
  return word;
}

/// True if `value` is a signed number of `bits` bits.
bool fits(int64_t value, unsigned bits) {
  const int64_t limit = int64_t(1) << (bits - 1);
  return value >= -limit && value < limit;
}

/// Replaces the bits of `mask` in an instruction.
bool patch(unsigned char *place, uint32_t mask, uint32_t bits) {
  store(place, (loadInstruction(place) & ~mask) | (bits & mask), 4);
  return true;
}

} // namespace

unsigned getRelocationBytes(uint32_t type, uint16_t machine) {
  const Rule *rule = findRule(type, machine);
  return !rule ? 0 : rule->form == Form::Word64 ? 8 : 4;
}

RelocationTarget getRelocationTarget(uint32_t type, uint16_t machine) {
  const Rule *rule = findRule(type, machine);
  return rule ? rule->target : RelocationTarget::Symbol;
}

bool relocate(uint32_t type, unsigned char *place, uint64_t address, uint64_t target,
              int64_t addend, uint16_t machine) {
  const Rule *rule = findRule(type, machine);
  if (!rule)
    return false;
  constexpr uint64_t kPageMask = ~uint64_t(4095);
  uint64_t value = target + static_cast<uint64_t>(addend);
  if (rule->form == Form::Page21)
    value = (value & kPageMask) - (address & kPageMask);
  else if (rule->isRelative)
    value -= address;
  const auto number = static_cast<int64_t>(value);
  switch (rule->form) {
  case Form::None:
    return false;
  case Form::Word64:
    store(place, value, 8);
    return true;
  case Form::Signed32:
    if (!fits(number, 32))
      return false;
    store(place, value, 4);
    return true;
  case Form::Unsigned32:
    if (value >> 32 != 0)
      return false;
    store(place, value, 4);
    return true;
  case Form::Branch26:
    if ((value & 3) != 0 || !fits(number, 28))
      return false;
    return patch(place, 0x03ffffff, static_cast<uint32_t>(value >> 2));
  case Form::Page21: {
    if (!fits(number, 33))
      return false;
    const auto pages = static_cast<uint32_t>(value >> 12);
    return patch(place, 0x60ffffe0, (pages & 3) << 29 | (pages >> 2 & 0x7ffff) << 5);
  }
  case Form::Low12: {
    const uint64_t low = value & 4095;
    if ((low & ((uint64_t(1) << rule->scale) - 1)) != 0)
      return false;
    return patch(place, 0x003ffc00, static_cast<uint32_t>(low >> rule->scale) << 10);
  }
  }
  return false;
}

void writeStub(unsigned char *stub, uint64_t target, uint16_t machine) {
  if (machine == kX86_64) {
    // jmp *2(%rip); the address is at offset 8.
    constexpr unsigned char kJump[8] = {0xff, 0x25, 0x02, 0, 0, 0, 0xcc, 0xcc};
    std::memcpy(stub, kJump, sizeof(kJump));
  } else {
    store(stub, 0x58000050, 4);     // ldr x16, .+8
    store(stub + 4, 0xd61f0200, 4); // br x16
  }
  store(stub + 8, target, 8);
}

} // namespace fuser::runtime::host
