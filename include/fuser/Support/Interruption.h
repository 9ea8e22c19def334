//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Interrupting a compilation. MLIR runs each pass and each pattern as an action, which the handler
// of the context may skip; long loops of fuser ask between their steps in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SUPPORT_INTERRUPTION_H
#define FUSER_SUPPORT_INTERRUPTION_H

#include "mlir/IR/MLIRContext.h"

namespace fuser {

/// True if the context's action handler skips actions, so that the work should end soon. The caller
/// fails without a diagnostic: who interrupts knows the reason.
bool isInterrupted(mlir::MLIRContext *context);

/// While it lives, the actions of a context are skipped once `*flag` is not 0; null: never. Another
/// thread or a signal handler may set the flag. The context has no other action handler.
class InterruptionScope {
public:
  InterruptionScope(mlir::MLIRContext *context, const int *flag);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope &) = delete;
  InterruptionScope &operator=(const InterruptionScope &) = delete;

  bool isInterrupted() const;

private:
  mlir::MLIRContext *context;
  const int *flag;
};

} // namespace fuser

#endif // FUSER_SUPPORT_INTERRUPTION_H
