//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_CONSTANTFLOATS_H
#define FUSER_DIALECT_IR_CONSTANTFLOATS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/APFloat.h"
#include <optional>

namespace fuser {

/// The number that a scalar, or each lane of a vector, is; nullopt if it is no constant.
/// Broadcasts and conversions of constants, which are not folded yet, are followed.
std::optional<llvm::APFloat> getConstantFloat(mlir::Value value);

} // namespace fuser

#endif // FUSER_DIALECT_IR_CONSTANTFLOATS_H
