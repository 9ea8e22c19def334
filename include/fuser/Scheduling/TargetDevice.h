//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The device that kernels are scheduled for.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_TARGETDEVICE_H
#define FUSER_SCHEDULING_TARGETDEVICE_H

#include "fuser/Artifact/DeviceDescription.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace fuser {

/// `given`, or the known device of a name or chip ("h200", "sm_90"). Fails with a diagnostic at
/// `at` that lists the known devices.
mlir::FailureOr<artifact::DeviceDescription>
findDevice(mlir::Operation *at, llvm::StringRef nameOrChip,
           const std::optional<artifact::DeviceDescription> &given = std::nullopt);

} // namespace fuser

#endif // FUSER_SCHEDULING_TARGETDEVICE_H
