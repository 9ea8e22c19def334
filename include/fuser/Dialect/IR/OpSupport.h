//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shared bodies of generated methods: what ops of a family have in common. Called from TableGen
// code only.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_OPSUPPORT_H
#define FUSER_DIALECT_IR_OPSUPPORT_H

#include "fuser/Dialect/IR/Domain.h"
#include "fuser/Dialect/IR/DomainMapping.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

namespace fuser {
class DomainAttr;
class LayoutAttr;

/// The resource behind the effect of a scheduled op: it keeps schedules from being merged or
/// erased.
struct ScheduleResource : public mlir::SideEffects::Resource::Base<ScheduleResource> {
  llvm::StringRef getName() final { return "Schedule"; }
};

namespace detail {

/// Reports a write to the schedule where the op carries domains, a memory type or an inline
/// position; else nothing.
void getScheduleEffects(
    mlir::Operation *op,
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects);
/// Root kinds as logical domain; loop = logical.
DomainAttr getTrivialDomain(mlir::Operation *op, unsigned result);

// Bodies of TensorViewOpInterface.
DomainAttr getDomain(mlir::Operation *op, unsigned result);
bool hasDomains(mlir::Operation *op);
void setDomain(mlir::Operation *op, unsigned result, DomainAttr domain);
MemoryType getMemoryType(mlir::Operation *op);
void setMemoryType(mlir::Operation *op, MemoryType type);
int64_t getInlinePosition(mlir::Operation *op);
void setInlinePosition(mlir::Operation *op, int64_t position);

// Domain mappings that families share.
llvm::SmallVector<IdKind> getPointwiseRootKinds(mlir::Operation *op);
llvm::SmallVector<DimMap> getPointwiseDimMaps(mlir::Operation *op, unsigned operandNumber);
llvm::SmallVector<IdKind> getReductionRootKinds(mlir::Operation *op);
/// Dimension i of the operand is root id i.
llvm::SmallVector<DimMap> getIdentityDimMaps(mlir::Operation *op, unsigned operandNumber);
/// One iteration id (broadcast where the size is statically 1) for each dimension of the result.
llvm::SmallVector<IdKind> getKindsOfResult(mlir::Operation *op);

// Verification, parsing and printing that families share.
mlir::LogicalResult verifyPointwiseOp(mlir::Operation *op);
mlir::LogicalResult verifyReductionOp(mlir::Operation *op);
/// Checks `domains`, `memory` and `inline_at` against results and root kinds; every TensorView op
/// calls it.
mlir::LogicalResult verifyTensorViewOp(mlir::Operation *op);
mlir::ParseResult parsePointwiseOp(mlir::OpAsmParser &parser, mlir::OperationState &result);
void printPointwiseOp(mlir::Operation *op, mlir::OpAsmPrinter &printer);

// Inherent attributes of fusion, kernel and host functions.
LayoutAttr getArgLayout(mlir::Operation *function, unsigned arg);
void setArgLayout(mlir::Operation *function, unsigned arg, LayoutAttr layout);
std::optional<llvm::ArrayRef<int64_t>> getOutputStrideOrder(mlir::Operation *function,
                                                            unsigned output);
void setOutputStrideOrder(mlir::Operation *function, unsigned output,
                          std::optional<llvm::ArrayRef<int64_t>> order);

} // namespace detail
} // namespace fuser

#endif // FUSER_DIALECT_IR_OPSUPPORT_H
