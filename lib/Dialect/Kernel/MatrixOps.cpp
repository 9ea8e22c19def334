//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Verifiers of matrix instructions.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace fuser::kernel_ir;

static bool hasShape(VectorType type, ArrayRef<int64_t> sizes) {
  return type.getRank() == 1 && !type.isScalable() &&
         llvm::is_contained(sizes, type.getNumElements());
}

/// Matrices of 8 x 8 elements of 16 bits, in shared memory and in the registers of a warp.
static LogicalResult verifyMatrices(Operation *op, MemRefType type, ValueRange indices,
                                    VectorType ofLane) {
  if (static_cast<int64_t>(indices.size()) != type.getRank())
    return op->emitOpError() << "expected " << type.getRank() << " indices for " << type
                             << ", but got " << indices.size();
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return op->emitOpError() << "expected shared memory (address space workgroup), but got "
                             << type;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() == 0 || failed(type.getStridesAndOffset(strides, offset)) ||
      strides.back() != 1)
    return op->emitOpError() << "expected the last stride to be 1 for rows of a matrix, but got "
                             << type;
  Type element = type.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 16)
    return op->emitOpError() << "expected elements of 16 bits, but got " << element;
  if (!hasShape(ofLane, {2, 4, 8}) || ofLane.getElementType() != element)
    return op->emitOpError() << "expected 2, 4 or 8 elements of type " << element
                             << ", those of one, two or four matrices, but got " << ofLane;
  return success();
}

LogicalResult LdMatrixOp::verify() {
  return verifyMatrices(*this, cast<MemRefType>(getBase().getType()), getIndices(),
                        cast<VectorType>(getResult().getType()));
}

LogicalResult StMatrixOp::verify() {
  return verifyMatrices(*this, cast<MemRefType>(getBase().getType()), getIndices(),
                        cast<VectorType>(getValue().getType()));
}

bool StMatrixAttr::exists(int64_t matrices, Type element) {
  return (matrices == 1 || matrices == 2 || matrices == 4) && element.isIntOrFloat() &&
         element.getIntOrFloatBitWidth() == 16;
}

LogicalResult StMatrixAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                   int64_t matrices, Type element, bool) {
  if (exists(matrices, element))
    return success();
  return emitError() << "expected 1, 2 or 4 matrices of elements of 16 bits, but got " << matrices
                     << " of " << element;
}

LogicalResult MmaOp::verify() {
  auto lhs = cast<VectorType>(getLhs().getType()), rhs = cast<VectorType>(getRhs().getType()),
       accumulator = cast<VectorType>(getAccumulator().getType());
  Type element = lhs.getElementType();
  if (!hasShape(lhs, {4, 8}) || !MmaAttr::exists(16, 8, getK(), element))
    return emitOpError() << "expected 4 or 8 elements of f16 or bf16 of the left operand, but got "
                         << lhs;
  if (!hasShape(rhs, {lhs.getNumElements() / 2}) || rhs.getElementType() != element)
    return emitOpError() << "expected " << VectorType::get({lhs.getNumElements() / 2}, element)
                         << " as right operand of " << lhs << ", but got " << rhs;
  if (!hasShape(accumulator, {4}) || !accumulator.getElementType().isF32())
    return emitOpError() << "expected an accumulator of "
                         << VectorType::get({4}, Float32Type::get(getContext())) << ", but got "
                         << accumulator;
  return success();
}

bool MmaAttr::exists(int64_t m, int64_t n, int64_t k, Type element) {
  return m == 16 && n == 8 && (k == 8 || k == 16) && isa<Float16Type, BFloat16Type>(element);
}

LogicalResult MmaAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t m,
                              int64_t n, int64_t k, Type element, bool, bool) {
  if (exists(m, n, k, element))
    return success();
  return emitError() << "expected 16 x 8 x 16 or 16 x 8 x 8 of f16 or bf16, but got " << m << " x "
                     << n << " x " << k << " of " << element;
}
