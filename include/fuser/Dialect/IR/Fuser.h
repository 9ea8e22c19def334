//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Everything of the fuser dialect: attributes, interfaces, ops.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_FUSER_H
#define FUSER_DIALECT_IR_FUSER_H

#include "fuser/Dialect/IR/Domain.h"
#include "fuser/Dialect/IR/DomainMapping.h"
#include "fuser/Dialect/IR/ElementReader.h"
#include "fuser/Dialect/IR/FuserEnums.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fuser/Dialect/IR/FuserDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fuser/Dialect/IR/FuserAttrs.h.inc"

#include "fuser/Dialect/IR/FuserInterfaces.h.inc"

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/StructureOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/HostOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/PointwiseOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ActivationOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/SpecialFunctionOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ReductionOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ScanOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ShapeOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/IndexingOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/ContractionOps.h.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/RandomOps.h.inc"

#endif // FUSER_DIALECT_IR_FUSER_H
