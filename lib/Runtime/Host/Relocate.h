//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The relocations of position-independent code for x86-64 and AArch64, as LLVM emits them for the
// small code model. Their formulas are those of the ELF supplements of the two architectures.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_RELOCATE_H
#define FUSER_LIB_RUNTIME_HOST_RELOCATE_H

#include <cstdint>

namespace fuser::runtime::host {

inline constexpr uint16_t kX86_64 = 62, kAArch64 = 183;
/// ELF's number of the architecture of this process.
#if defined(__x86_64__)
inline constexpr uint16_t kElfMachine = kX86_64;
#elif defined(__aarch64__)
inline constexpr uint16_t kElfMachine = kAArch64;
#else
#error "the host device runs on x86-64 and AArch64"
#endif

/// What a relocation computes its value from.
enum class RelocationTarget : uint8_t {
  Symbol, ///< the symbol's address
  Code,   ///< the same, or a stub that jumps to it, because it may be out of range
  Slot,   ///< the address of a slot of the global offset table that contains the symbol's address
};

/// Bytes that a relocation of this type patches; 0 for unknown types.
unsigned getRelocationBytes(uint32_t type, uint16_t machine = kElfMachine);
RelocationTarget getRelocationTarget(uint32_t type, uint16_t machine = kElfMachine);

/// Patches `place`, which is at `address` when the code runs, for a target with this address. False
/// if the value does not fit; the bytes are unchanged then.
bool relocate(uint32_t type, unsigned char *place, uint64_t address, uint64_t target,
              int64_t addend, uint16_t machine = kElfMachine);

inline constexpr unsigned kStubBytes = 16;
/// Writes a jump to `target` that any distance can be to `stub`, aligned to 16.
void writeStub(unsigned char *stub, uint64_t target, uint16_t machine = kElfMachine);

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_RELOCATE_H
