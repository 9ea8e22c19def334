//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Registration for modules that contain a script for their schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PIPELINES_SCHEDULESCRIPTS_H
#define FUSER_PIPELINES_SCHEDULESCRIPTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fuser {

/// Adds the transform dialect with fuser's ops, for the schedulers of fuser. (For other schedulers:
/// registerTransformOps.)
void registerScheduleScripts(mlir::DialectRegistry &dialects);

} // namespace fuser

#endif // FUSER_PIPELINES_SCHEDULESCRIPTS_H
