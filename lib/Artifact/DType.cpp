//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/DType.h"
#include "fuser/Artifact/Kernel.h"

namespace fuser::artifact {
namespace {

struct DTypeInfo {
  const char *name;
  uint8_t bytes;
  bool integer;
};

/// Indexed by DType.
constexpr DTypeInfo kTypes[kNumDTypes] = {
    {"bool", 1, true},         {"i8", 1, true},      {"i16", 2, true},     {"i32", 4, true},
    {"i64", 8, true},          {"u8", 1, true},      {"u16", 2, true},     {"u32", 4, true},
    {"u64", 8, true},          {"f16", 2, false},    {"bf16", 2, false},   {"f32", 4, false},
    {"f64", 8, false},         {"f8e4m3", 1, false}, {"f8e5m2", 1, false}, {"complex64", 8, false},
    {"complex128", 16, false},
};

} // namespace

unsigned byteSize(DType type) { return kTypes[static_cast<unsigned>(type)].bytes; }

const char *toString(DType type) { return kTypes[static_cast<unsigned>(type)].name; }

bool isInteger(DType type) { return kTypes[static_cast<unsigned>(type)].integer; }

std::optional<DType> parseDType(std::string_view name) {
  for (unsigned i = 0; i < kNumDTypes; ++i)
    if (name == kTypes[i].name)
      return static_cast<DType>(i);
  return std::nullopt;
}

const char *toString(KernelFormat format) {
  switch (format) {
  case KernelFormat::PTX:
    return "ptx";
  case KernelFormat::Cubin:
    return "cubin";
  case KernelFormat::HostObject:
    return "host_object";
  }
  return "unknown";
}

} // namespace fuser::artifact
