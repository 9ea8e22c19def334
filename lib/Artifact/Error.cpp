//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/Error.h"

namespace fuser::artifact {

const char *toString(ErrorCode code) {
  switch (code) {
  case ErrorCode::ArgumentCount:
    return "ArgumentCount";
  case ErrorCode::ArgumentKind:
    return "ArgumentKind";
  case ErrorCode::RankMismatch:
    return "RankMismatch";
  case ErrorCode::DTypeMismatch:
    return "DTypeMismatch";
  case ErrorCode::SizeMismatch:
    return "SizeMismatch";
  case ErrorCode::StrideMismatch:
    return "StrideMismatch";
  case ErrorCode::AlignmentMismatch:
    return "AlignmentMismatch";
  case ErrorCode::DeviceMismatch:
    return "DeviceMismatch";
  case ErrorCode::NullPointer:
    return "NullPointer";
  case ErrorCode::OverlappingBuffers:
    return "OverlappingBuffers";
  case ErrorCode::GuardFailed:
    return "GuardFailed";
  case ErrorCode::IntegerOverflow:
    return "IntegerOverflow";
  case ErrorCode::DivisionByZero:
    return "DivisionByZero";
  case ErrorCode::OutOfMemory:
    return "OutOfMemory";
  case ErrorCode::DeviceUnavailable:
    return "DeviceUnavailable";
  case ErrorCode::DriverError:
    return "DriverError";
  case ErrorCode::KernelLoadFailed:
    return "KernelLoadFailed";
  case ErrorCode::InvalidLaunch:
    return "InvalidLaunch";
  case ErrorCode::CooperativeTooLarge:
    return "CooperativeTooLarge";
  case ErrorCode::Unsupported:
    return "Unsupported";
  case ErrorCode::OutOfBounds:
    return "OutOfBounds";
  case ErrorCode::BoxViolation:
    return "BoxViolation";
  case ErrorCode::DataRace:
    return "DataRace";
  case ErrorCode::BarrierDivergence:
    return "BarrierDivergence";
  case ErrorCode::Deadlock:
    return "Deadlock";
  case ErrorCode::UninitializedRead:
    return "UninitializedRead";
  case ErrorCode::Corrupt:
    return "Corrupt";
  case ErrorCode::VersionMismatch:
    return "VersionMismatch";
  case ErrorCode::ParseError:
    return "ParseError";
  case ErrorCode::IoError:
    return "IoError";
  case ErrorCode::ProcessForked:
    return "ProcessForked";
  case ErrorCode::InvalidProgram:
    return "InvalidProgram";
  case ErrorCode::CompilationFailed:
    return "CompilationFailed";
  case ErrorCode::Interrupted:
    return "Interrupted";
  case ErrorCode::NotCompiled:
    return "NotCompiled";
  }
  return "Unknown";
}

} // namespace fuser::artifact
