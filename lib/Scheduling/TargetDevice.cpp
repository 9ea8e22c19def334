//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/TargetDevice.h"

using namespace mlir;
using namespace fuser;

FailureOr<artifact::DeviceDescription>
fuser::findDevice(Operation *at, StringRef nameOrChip,
                  const std::optional<artifact::DeviceDescription> &given) {
  if (given)
    return *given;
  artifact::Expected<artifact::DeviceDescription> known = artifact::lookupDevice(nameOrChip);
  if (!known)
    return at->emitError() << known.error().message;
  return known.take();
}
