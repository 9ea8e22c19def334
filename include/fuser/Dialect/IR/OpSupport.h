//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shared bodies of generated methods of an op family. Called from TableGen code only.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_OPSUPPORT_H
#define FUSER_DIALECT_IR_OPSUPPORT_H

#include "fuser/Dialect/IR/Domain.h"
#include "fuser/Dialect/IR/DomainMapping.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

namespace fuser {
class DomainAttr;
class ElementBuilder;
class LayoutAttr;
class MemoryAttr;

/// Marks of ops, described in FuserInterfaces.td.
template <typename ConcreteType>
class KeepsZero : public mlir::OpTrait::TraitBase<ConcreteType, KeepsZero> {};
template <typename ConcreteType>
class CheapElement : public mlir::OpTrait::TraitBase<ConcreteType, CheapElement> {};
template <typename ConcreteType>
class LongElement : public mlir::OpTrait::TraitBase<ConcreteType, LongElement> {};

/// The resource of a scheduled op's effect, which prevents that schedules are merged or erased.
struct ScheduleResource : public mlir::SideEffects::Resource::Base<ScheduleResource> {
  llvm::StringRef getName() final { return "Schedule"; }
};

namespace detail {

/// True if the op carries domains, a memory type or an inline position: such an op never folds.
bool isScheduled(mlir::Operation *op);
/// Reports a write to the schedule if the op carries domains, a memory type or an inline position.
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

// Verification, parsing and printing that op families share.
/// The classes of element types that ops support.
enum class ElementClass {
  Float,
  FloatOrComplex,
  /// Integers, bool among them.
  Integer,
  /// Floats and integers other than bool.
  Number,
  NumberOrComplex,
  NumberOrBool,
  NumberOrBoolOrComplex,
  Complex,
  /// f32 and f64.
  ComplexPart,
};
/// True where a tensor among operands and results has complex elements.
bool computesInComplex(mlir::Operation *op);
/// The type of the parts of a complex type; any other type itself.
mlir::Type getPartType(mlir::Type element);
/// PW4: `element` is of the class.
mlir::LogicalResult verifyElementClass(mlir::Operation *op, mlir::Type element,
                                       ElementClass elements);
/// PW1 to PW4.
mlir::LogicalResult verifyPointwiseOp(mlir::Operation *op, ElementClass elements);
/// PW1 to PW4 for an op whose result is of i1; `elements` is the operands' class.
mlir::LogicalResult verifyTestOp(mlir::Operation *op, ElementClass elements);
/// PW1 to PW4 for an op whose result has the type of the operand's parts.
mlir::LogicalResult verifyPartOp(mlir::Operation *op, ElementClass elements);
/// PW1 to PW4 for an op whose result is complex and whose operands are its parts.
mlir::LogicalResult verifyMakeComplexOp(mlir::Operation *op);
/// PW1, PW2, PW4, PW7.
mlir::LogicalResult verifyBitcastOp(mlir::Operation *op);
/// PW1 to PW4, PW6: the element type has at least 16 bits.
mlir::LogicalResult verifyNextafterOp(mlir::Operation *op);
mlir::LogicalResult verifyCastOp(mlir::Operation *op);
mlir::LogicalResult verifyWhereOp(mlir::Operation *op);
/// The result type of a pointwise op: shapes broadcast against each other; `element`, or the
/// element type of the first tensor.
mlir::RankedTensorType inferPointwiseType(mlir::ValueRange operands, mlir::Type element = {});
/// RD3: how the element types of operand and result of a reduction relate.
enum class ReductionTypes {
  /// A float result of numbers, an integer result (no i1) of integers, or a complex result of any.
  Additive,
  /// One float or integer type.
  Equal,
  /// Floats, or complex numbers.
  FloatOrComplex,
  /// Any number, complex or not, to i1.
  Test,
  /// One float type.
  Float,
};
/// RD1 to RD3.
mlir::LogicalResult verifyReductionOp(mlir::Operation *op, ReductionTypes types);
/// RD1 to RD4, where the first result is real and the second as the operand.
mlir::LogicalResult verifyVarMeanOp(mlir::Operation *op);
mlir::LogicalResult verifyMaxSumExpOp(mlir::Operation *op);
/// RD3
mlir::LogicalResult verifyReductionTypes(mlir::Operation *op, mlir::Type input, mlir::Type result,
                                         ReductionTypes types);
/// RD1, RD2, RD5.
mlir::LogicalResult verifyIndexedReductionOp(mlir::Operation *op);
// The tuple of a reduction or scan that has one accumulator of the compute type of `element`, its
// result's, or the two parts of a complex one.
llvm::SmallVector<mlir::Type> getTupleTypes(mlir::Type element);
/// The tuple of a constant; the imaginary part is 0.
llvm::SmallVector<mlir::Value> buildTuple(mlir::Operation *op, mlir::OpBuilder &builder,
                                          mlir::Location loc, mlir::TypedAttr constant);
/// The tuple of an element of operand 0.
llvm::SmallVector<mlir::Value> liftToTuple(mlir::Operation *op, mlir::OpBuilder &builder,
                                           mlir::Location loc, mlir::Value element);
/// The result's element, in its type.
mlir::Value getElementOfTuple(mlir::Operation *op, mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::ValueRange tuple);
/// How pairs of parts combine.
enum class ComplexCombination { Sum, Product };
llvm::SmallVector<mlir::Value> combineComplex(ElementBuilder &b, mlir::ValueRange lhs,
                                              mlir::ValueRange rhs, ComplexCombination how);
/// Tuples (max, sum of exp(x - max)) of finite maxima.
llvm::SmallVector<mlir::Value> combineMaxSumExp(ElementBuilder &b, mlir::ValueRange lhs,
                                                mlir::ValueRange rhs);
/// The extreme that a reduction with an index selects.
enum class Extreme { Least, Greatest };
// Bodies of CombinerOpInterface of reductions with an index, over pairs (element, index).
llvm::SmallVector<mlir::Type> getIndexedAccumulators(mlir::Operation *op);
llvm::SmallVector<mlir::Value> buildIndexedIdentity(mlir::Operation *op, mlir::OpBuilder &builder,
                                                    mlir::Location loc, Extreme extreme);
llvm::SmallVector<mlir::Value> liftIndexed(mlir::Operation *op, mlir::OpBuilder &builder,
                                           mlir::Location loc, mlir::ValueRange operands);
/// The winning pair: the more extreme element; among equal elements, the smaller index.
llvm::SmallVector<mlir::Value> combineIndexed(mlir::OpBuilder &builder, mlir::Location loc,
                                              mlir::ValueRange lhs, mlir::ValueRange rhs,
                                              Extreme extreme);
llvm::SmallVector<mlir::Value> finalizeIndexed(mlir::Operation *op, mlir::OpBuilder &builder,
                                               mlir::Location loc, mlir::ValueRange accumulators);
/// The properties of any scan.
struct ScanProperties {
  mlir::IntegerAttr &dim;
  mlir::ArrayAttr &domains;
  mlir::UnitAttr &exclusive;
  mlir::IntegerAttr &inlineAt;
  MemoryAttr &memory;
  mlir::UnitAttr &reverse;
};
/// Bytecode of scans (Bytecode.cpp).
mlir::LogicalResult readScanProperties(mlir::DialectBytecodeReader &reader,
                                       const ScanProperties &properties);
void writeScanProperties(mlir::DialectBytecodeWriter &writer, const ScanProperties &properties);
/// SC1 to SC3.
mlir::LogicalResult verifyScanOp(mlir::Operation *op, int64_t dim, ReductionTypes types);
/// RN1, RN2.
mlir::LogicalResult verifyRandomOp(mlir::Operation *op, mlir::ValueRange sizes);
/// RD1: `dims` is not empty, in range and ascending.
mlir::LogicalResult verifyReductionDims(mlir::Operation *op, mlir::RankedTensorType type,
                                        llvm::ArrayRef<int64_t> dims);
/// The type of `input` without `dims`, of `element` (absent: the input's).
mlir::RankedTensorType inferReductionType(mlir::Value input, llvm::ArrayRef<int64_t> dims,
                                          mlir::Type element = {});
/// SH1: `dims` are ascending positions below `rank`.
mlir::LogicalResult verifyAscendingDims(mlir::Operation *op, llvm::ArrayRef<int64_t> dims,
                                        int64_t rank);
/// SH2, SH3: the result has this shape (where both are static) and element type.
mlir::LogicalResult verifyResult(mlir::Operation *op, llvm::ArrayRef<int64_t> shape,
                                 mlir::Type element);
/// SH3: a scalar that converts to `element`.
mlir::LogicalResult verifyScalar(mlir::Operation *op, mlir::Value scalar, llvm::StringRef name,
                                 mlir::Type element);
/// True if static sizes give a tensor kMaxElements or more.
bool hasTooManyElements(mlir::Type type);
/// The same of a shape, whose dynamic sizes are taken for 1.
bool hasTooManyElements(llvm::ArrayRef<int64_t> shape);
/// SH7: no static entry of the list `name` is greater than kMaxDomainAmount or less than its
/// negation.
mlir::LogicalResult verifyAmounts(mlir::Operation *op, llvm::ArrayRef<int64_t> entries,
                                  llvm::StringRef name);
/// SH4: one of `sizes` for each dynamic entry of `shape`.
mlir::LogicalResult verifyDynamicSizes(mlir::Operation *op, mlir::ValueRange sizes,
                                       llvm::ArrayRef<int64_t> shape, llvm::StringRef name);
/// The extents of the result's dimensions: static ones from its type, dynamic ones from `sizes`.
llvm::SmallVector<mlir::AffineExpr>
getExtentsFromSizes(llvm::ArrayRef<int64_t> shape, mlir::ValueRange sizes,
                    llvm::function_ref<mlir::AffineExpr(mlir::Value)> symbolOf,
                    mlir::MLIRContext *context);
/// `element` where `inRange` holds (null: always), else 0.
mlir::Value buildElementOrZero(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value element,
                               mlir::Value inRange);
/// -inf or the least integer; inf or the greatest integer.
mlir::TypedAttr getLeastAttr(mlir::Type type);
mlir::TypedAttr getGreatestAttr(mlir::Type type);
/// Checks `domains`, `memory` and `inline_at` against results and root kinds; every TensorView op
/// calls it.
mlir::LogicalResult verifyTensorViewOp(mlir::Operation *op);
/// Fails with a diagnostic at an attribute that is neither one of the op nor prefixed by a dialect,
/// such as a misspelled one.
mlir::LogicalResult verifyAttributeNames(mlir::Operation *op);

/// Refuses an inherent attribute of a wrong type, which would be dropped: every parser written by
/// hand calls it.
mlir::ParseResult verifyParsedAttributes(mlir::OpAsmParser &parser, llvm::SMLoc loc,
                                         mlir::OperationState &result);
mlir::ParseResult parsePointwiseOp(mlir::OpAsmParser &parser, mlir::OperationState &result);
void printPointwiseOp(mlir::Operation *op, mlir::OpAsmPrinter &printer);

// Inherent attributes of fusion, kernel and host functions.
LayoutAttr getArgLayout(mlir::Operation *function, unsigned arg);
void setArgLayout(mlir::Operation *function, unsigned arg, LayoutAttr layout);
std::optional<llvm::ArrayRef<int64_t>> getOutputStrideOrder(mlir::Operation *function,
                                                            unsigned output);
void setOutputStrideOrder(mlir::Operation *function, unsigned output,
                          std::optional<llvm::ArrayRef<int64_t>> order);
DomainAttr getArgDomain(mlir::Operation *function, unsigned arg);
void setArgDomain(mlir::Operation *function, unsigned arg, DomainAttr domain);

} // namespace detail
} // namespace fuser

#endif // FUSER_DIALECT_IR_OPSUPPORT_H
