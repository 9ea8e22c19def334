//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Element types of tensors and scalars that cross the boundary of a compiled fusion.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ARTIFACT_DTYPE_H
#define FUSER_ARTIFACT_DTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace fuser::artifact {

/// Values are stable: they are written into saved artifacts and passed through the C API.
enum class DType : uint8_t {
  Bool = 0, ///< one byte, 0 or 1
  I8 = 1,
  I16 = 2,
  I32 = 3,
  I64 = 4,
  U8 = 5,
  U16 = 6,
  U32 = 7,
  U64 = 8,
  F16 = 9,
  BF16 = 10,
  F32 = 11,
  F64 = 12,
  F8E4M3 = 13, ///< the finite variant without infinities ("e4m3fn")
  F8E5M2 = 14,
  Complex64 = 15,  ///< two f32: real, imaginary
  Complex128 = 16, ///< two f64: real, imaginary
};
inline constexpr unsigned kNumDTypes = 17;

/// Bytes of one element in memory.
unsigned byteSize(DType type);
/// "bf16", "i64", "complex64", ...
const char *toString(DType type);
std::optional<DType> parseDType(std::string_view name);
/// Bool and the signed and unsigned integers.
bool isInteger(DType type);

} // namespace fuser::artifact

#endif // FUSER_ARTIFACT_DTYPE_H
