//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Launches that may begin before the launches before them have ended.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_DEPENDENTLAUNCHES_H
#define FUSER_DIALECT_IR_DEPENDENTLAUNCHES_H

#include "fuser/Dialect/IR/Fuser.h"

namespace fuser {

/// On a `fuser.launch`, a unit attribute: it may begin before the launches before it in its stream
/// have ended, for which its kernel waits (`fuser-chain-launches`). A launch without it computes
/// the same. As "early", it may begin when all blocks of the launch before it have begun, rather
/// than when they end.
inline constexpr llvm::StringLiteral kDependentName = "fuser.dependent";
inline constexpr llvm::StringLiteral kEarly = "early";

/// The launch that is the last work of its stream before `launch`; null: other work is, or there is
/// none, or it is in a loop.
LaunchOp getPrecedingLaunch(LaunchOp launch);

/// True if the launch before `launch` is to let it begin as soon as its own blocks have.
inline bool asksForTrigger(LaunchOp launch) {
  auto when = launch->getAttrOfType<mlir::StringAttr>(kDependentName);
  return when && when.getValue() == kEarly;
}

/// True if `launch` has the attribute where it has a meaning.
inline bool canBeDependent(LaunchOp launch) {
  return launch->hasAttr(kDependentName) && getPrecedingLaunch(launch);
}

} // namespace fuser

#endif // FUSER_DIALECT_IR_DEPENDENTLAUNCHES_H
