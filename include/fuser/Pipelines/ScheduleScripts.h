//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What modules need that bring a script for their schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PIPELINES_SCHEDULESCRIPTS_H
#define FUSER_PIPELINES_SCHEDULESCRIPTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fuser {

/// Adds the transform dialect with fuser's ops, which know the schedulers of fuser. (For others:
/// registerTransformOps.)
void registerScheduleScripts(mlir::DialectRegistry &dialects);

} // namespace fuser

#endif // FUSER_PIPELINES_SCHEDULESCRIPTS_H
