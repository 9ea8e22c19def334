//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Verifiers of products by warp groups, and of how their operands lie in shared memory.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace fuser::kernel_ir;

/// Distances in a descriptor have 14 bits and count 16 bytes.
static constexpr int64_t kMaxPitch = (int64_t(1) << 17) - 8;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

bool RowsAttr::exists(int64_t bytes, bool transposed, int64_t pitch) {
  return llvm::is_contained({32, 64, 128}, bytes) &&
         (pitch == 0 ||
          (transposed && pitch > 0 && pitch % (4 * bytes) == 0 && pitch <= kMaxPitch));
}

LogicalResult RowsAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t bytes,
                               bool transposed, int64_t pitch) {
  if (exists(bytes, transposed, pitch))
    return success();
  if (!exists(bytes, transposed, 0))
    return emitError() << "expected rows of 32, 64 or 128 bytes, but got " << bytes;
  const int64_t group = 4 * bytes;
  return emitError() << "expected a pitch of 0 or, of transposed rows, a multiple of " << group
                     << " elements, 8 rows, up to " << kMaxPitch / group * group << ", but got "
                     << pitch;
}

int64_t RowsAttr::getPlace(int64_t row, int64_t element) const {
  constexpr int64_t kChunk = 8, kBankRow = 128;
  const int64_t chunks = getRowElements() / kChunk, turn = row * getBytes() / kBankRow % chunks;
  return row * getRowElements() + ((element / kChunk) ^ turn) * kChunk + element % kChunk;
}

bool WgmmaAttr::exists(int64_t m, int64_t n, int64_t k, Type element) {
  return m == WgmmaOp::kRows && n > 0 && n <= 256 && n % 8 == 0 && k == WgmmaOp::kSteps &&
         isa<Float16Type, BFloat16Type>(element);
}

LogicalResult WgmmaAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t m,
                                int64_t n, int64_t k, Type element, RowsAttr, RowsAttr) {
  if (exists(m, n, k, element))
    return success();
  return emitError() << "expected 64 x n x 16 of f16 or bf16, with n a multiple of 8 up to 256, "
                        "but got "
                     << m << " x " << n << " x " << k << " of " << element;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// `extent`: of the dimension along the rows of memory, if they are transposed.
static LogicalResult verifyOperand(WgmmaOp op, StringRef name, MemRefType type, unsigned numIndices,
                                   RowsAttr rows, int64_t extent) {
  if (int64_t(numIndices) != type.getRank())
    return op.emitOpError() << "expected " << type.getRank() << " indices for " << type
                            << ", but got " << numIndices;
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return op.emitOpError() << "expected the " << name
                            << " operand in shared memory (address space workgroup), but got "
                            << type;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() != 1 || failed(type.getStridesAndOffset(strides, offset)) ||
      strides.back() != 1)
    return op.emitOpError() << "expected one dimension with the stride 1, but got " << type;
  const bool needsPitch = rows.getTransposed() && extent > rows.getRowElements();
  if (needsPitch == (rows.getPitch() != 0))
    return success();
  return op.emitOpError() << "expected " << (needsPitch ? "a" : "no") << " pitch of the " << name
                          << " operand, of which a row in memory has " << rows.getRowElements()
                          << " of " << extent << " elements, but got " << rows;
}

LogicalResult WgmmaOp::verify() {
  auto lhs = cast<MemRefType>(getLhs().getType()), rhs = cast<MemRefType>(getRhs().getType());
  auto accumulator = cast<VectorType>(getAccumulator().getType());
  if (!isa<Float16Type, BFloat16Type>(getElement()) || rhs.getElementType() != getElement())
    return emitOpError() << "expected two operands of f16 or of bf16, but got " << lhs << " and "
                         << rhs;
  if (accumulator.getRank() != 1 || accumulator.isScalable() ||
      !accumulator.getElementType().isF32() ||
      !WgmmaAttr::exists(kRows, getN(), kSteps, getElement()))
    return emitOpError() << "expected an accumulator of n / 2 elements of f32, with n a multiple "
                            "of 8 up to 256, but got "
                         << accumulator;
  if (failed(verifyOperand(*this, "left", lhs, getLhsIndices().size(), getLhsRows(), kRows)))
    return failure();
  return verifyOperand(*this, "right", rhs, getRhsIndices().size(), getRhsRows(), getN());
}

LogicalResult WgmmaWaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                            ValueRange products, DictionaryAttr, OpaqueProperties,
                                            RegionRange, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, products.getTypes());
  return success();
}

LogicalResult WgmmaWaitOp::verify() {
  for (Type type : getProducts().getTypes())
    if (auto vector = cast<VectorType>(type); vector.getRank() != 1 || vector.isScalable() ||
                                              !vector.getElementType().isF32() ||
                                              vector.getNumElements() % 4 != 0)
      return emitOpError() << "expected results of fuser_gpu.wgmma, vectors of f32, but got "
                           << type;
  return success();
}

LogicalResult SetMaxRegistersOp::verify() {
  if (exists(getRegisters()))
    return success();
  return emitOpError() << "expected a multiple of " << kStep << " from " << kLeast << " to "
                       << kMost << " registers, but got " << int64_t(getRegisters());
}
