//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A dense tensor as bytes in host memory, for files and devices.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_HOSTARRAY_H
#define FUSER_DRIVER_HOSTARRAY_H

#include "fuser/Artifact/DType.h"
#include "fuser/Artifact/Error.h"
#include "fuser/Reference/Tensor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fuser::driver {

using artifact::DType;

/// Row-major and dense, in the byte order of this machine; a bool is one byte.
struct HostArray {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<char> bytes;

  int64_t getNumElements() const;
};

/// The element type in memory of an MLIR scalar type; nullopt for types that no tensor of a call
/// has. Signless integers are signed, `index` is i64, i1 is bool.
std::optional<DType> getDType(mlir::Type type);

/// The MLIR type whose elements have this dtype; null if programs have none.
mlir::Type getElementType(DType dtype, mlir::MLIRContext *context);

/// "3x7xbf16", "f32" for a scalar.
std::string describe(DType dtype, llvm::ArrayRef<int64_t> shape);
inline std::string describe(const HostArray &array) { return describe(array.dtype, array.shape); }

/// The values of an array. `elementType` is the MLIR type of its dtype (or index for i64).
reference::Tensor toReference(const HostArray &array, mlir::Type elementType);

/// The bytes of a tensor, each value rounded to its element type (which has a dtype).
HostArray toHostArray(const reference::Tensor &tensor);

/// Strides in elements of a dense tensor with the memory order `order`, slowest dimension first.
llvm::SmallVector<int64_t> getDenseStrides(llvm::ArrayRef<int64_t> shape,
                                           llvm::ArrayRef<int64_t> order);

/// The elements of `array` at the places that dense `strides` give them.
std::vector<char> toStrided(const HostArray &array, llvm::ArrayRef<int64_t> strides);
/// The array whose elements lie from `data` on at the places that `strides` give them.
HostArray fromStrided(const char *data, DType dtype, llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> strides);

} // namespace fuser::driver

#endif // FUSER_DRIVER_HOSTARRAY_H
