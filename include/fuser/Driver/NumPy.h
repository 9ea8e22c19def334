//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arrays in files of NumPy's .npy format.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_NUMPY_H
#define FUSER_DRIVER_NUMPY_H

#include "fuser/Driver/HostArray.h"

namespace fuser::driver {

/// Reads a .npy file of version 1, 2 or 3: bool, signed and unsigned integers, f16, f32, f64,
/// complex64 and complex128, little-endian, in row-major or Fortran order. NumPy has no bf16: an
/// array of type V2 (as ml_dtypes writes it) is read as bf16, and with `uint16IsBF16` an array of
/// uint16 too. An array of type V1 is read as f8E4M3FN; the caller knows which f8 it holds. Fails
/// with IoError or, for a damaged file or another type, with ParseError; the message begins with
/// the path.
artifact::Expected<HostArray> readNumPy(const std::string &path, bool uint16IsBF16 = false);

/// Writes a .npy file of version 1, row-major; bf16 as V2 and either f8 as V1, raw bytes that
/// `array.view(ml_dtypes.bfloat16)` and the like interpret. Fails with IoError.
artifact::Status writeNumPy(const std::string &path, const HostArray &array);

} // namespace fuser::driver

#endif // FUSER_DRIVER_NUMPY_H
