//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs an artifact file without compiling.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_DRIVER_ARTIFACTRUN_H
#define FUSER_LIB_DRIVER_ARTIFACTRUN_H

#include "DeviceRun.h"
#include "fuser/Artifact/Artifact.h"

namespace fuser::driver {

/// True if the file begins as an artifact does.
bool isArtifactFile(const std::string &path);

/// Fails with Unsupported if `options` ask for what only a program can be asked for.
artifact::Status checkArtifactOptions(const DriverOptions &options);

/// A program without a body that has the arguments and constants of an artifact. Fails with
/// Unsupported for element types that programs do not have.
artifact::Expected<ProgramFile> declareProgram(const artifact::Artifact &artifact,
                                               mlir::MLIRContext *context);

/// The device that runs the artifact's kernels, unless `choice` names one.
DeviceChoice chooseDevice(const artifact::Artifact &artifact, DeviceChoice choice);

/// Loads an artifact on a device and calls it; reports kernels, the time to load, and (on a GPU)
/// time and rate. `inputs` include the artifact's constants.
artifact::Expected<DeviceResult> runArtifactOnDevice(const DriverOptions &options,
                                                     artifact::Artifact artifact,
                                                     const std::vector<Input> &inputs,
                                                     const RunDevice &device,
                                                     llvm::raw_ostream &out);

} // namespace fuser::driver

#endif // FUSER_LIB_DRIVER_ARTIFACTRUN_H
