//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_TARGET_H
#define FUSER_LIB_DRIVER_TARGET_H

#include "fuser/Artifact/DeviceDescription.h"

namespace fuser::driver {

/// The device that the text of a file describes. Fails with ParseError; `option` gave the file.
artifact::Expected<artifact::DeviceDescription> readDeviceFile(const char *option,
                                                               const std::string &path);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_TARGET_H
