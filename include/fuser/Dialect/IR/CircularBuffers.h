//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Values in shared memory that are copied while a loop computes on what was copied before.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_CIRCULARBUFFERS_H
#define FUSER_DIALECT_IR_CIRCULARBUFFERS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace fuser {

/// On a scheduled op whose result is in shared memory: it is a circular buffer of so many stages,
/// `4 : i64`. With 1 it is an ordinary buffer that asynchronous copies fill. A schedule without it
/// computes the same.
inline constexpr llvm::StringLiteral kStagesName = "fuser.stages";
/// The most stages of a circular buffer: the copies before a loop are written out for each of them.
inline constexpr int64_t kMostStages = 64;

/// Next to it, how the buffer is filled: "bulk" by copies of long pieces that one thread begins,
/// where that is possible, else (as without the attribute) by all threads. Without stages, on a
/// copy from shared memory to an output of the kernel, how this is stored.
inline constexpr llvm::StringLiteral kCopyEngineName = "fuser.copy_engine";
inline constexpr llvm::StringLiteral kBulkEngine = "bulk";

/// Next to bulk copies, which threads begin them: "producer" asks for a warp that does nothing
/// else, where that is possible.
inline constexpr llvm::StringLiteral kCopyRoleName = "fuser.copy_role";
inline constexpr llvm::StringLiteral kProducerRole = "producer";

/// Next to a producer, how many registers one of its threads has, and how many one of the others:
/// `array<i64: 40, 232>`. Without it, all threads have an equal share.
inline constexpr llvm::StringLiteral kRoleRegistersName = "fuser.role_registers";

/// The stages of the op's result; none without asynchronous copies.
inline std::optional<int64_t> getStages(mlir::Operation *op) {
  auto stages = op->getAttrOfType<mlir::IntegerAttr>(kStagesName);
  return stages ? std::optional(stages.getInt()) : std::nullopt;
}

/// True if the op asks for bulk copies to its circular buffer.
inline bool asksForBulkCopies(mlir::Operation *op) {
  auto engine = op->getAttrOfType<mlir::StringAttr>(kCopyEngineName);
  return engine && engine.getValue() == kBulkEngine;
}

/// True if the op asks for a warp that begins the copies.
inline bool asksForProducer(mlir::Operation *op) {
  auto role = op->getAttrOfType<mlir::StringAttr>(kCopyRoleName);
  return role && role.getValue() == kProducerRole;
}

/// The registers of a thread of the producer and of one of the others; null for equal shares.
inline mlir::DenseI64ArrayAttr getRoleRegisters(mlir::Operation *op) {
  return op->getAttrOfType<mlir::DenseI64ArrayAttr>(kRoleRegistersName);
}

} // namespace fuser

#endif // FUSER_DIALECT_IR_CIRCULARBUFFERS_H
