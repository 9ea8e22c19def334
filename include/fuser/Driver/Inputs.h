//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The arguments of a run: random by a seed, from files, or given by value.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DRIVER_INPUTS_H
#define FUSER_DRIVER_INPUTS_H

#include "fuser/Driver/HostArray.h"
#include "fuser/Driver/ProgramFile.h"

namespace fuser::driver {

/// How to create the arguments of a program. An entry "ARG=VALUE" names its argument by number or
/// by its name in the text ("0=4x8", "x=4x8").
struct InputOptions {
  uint64_t seed = 0;
  /// "x=4096x5002": the sizes of a tensor argument, static ones included.
  std::vector<std::string> sizes;
  /// "4096x5002,5002": sizes of all tensor arguments in order; empty: not given.
  std::string allSizes;
  /// "x=a.npy": the values of an argument.
  std::vector<std::string> files;
  /// "eps=1e-5": the value of a scalar argument.
  std::vector<std::string> scalars;
  /// "idx=0:100": the values of a random argument are in [0, 100).
  std::vector<std::string> ranges;
  /// Read uint16 arrays as bf16.
  bool uint16IsBF16 = false;
  /// Size of dynamic dimensions if no sizes and no files are given at all.
  int64_t defaultSize = 128;
  /// Give random tensors no values (`bytes` is empty), because nothing runs.
  bool shapesOnly = false;
};

/// One argument with its values.
struct Input {
  /// "x", or "0" if the text has no name.
  std::string name;
  mlir::Type type;
  bool isTensor = true;
  HostArray array;
};

/// Creates the arguments of `file.program`. Random values only depend on the seed and the number of
/// the argument: floats are roughly normal (mean 0, variance 1) and never 0, integers are uniform
/// in [-8, 8], bools are even; scalars are floats in [0.5, 1.5) and integers in [1, 8]. Fails with
/// a typed error that names argument, expected and actual.
artifact::Expected<std::vector<Input>> makeInputs(const ProgramFile &file,
                                                  const InputOptions &options);

/// The sizes that `options` give to arguments of `file.program`, as `fuser-choose-schedules` takes
/// them ("16384,5002;5002;"), `?` where a size is not static and not given; empty where none is
/// given. Fails as makeInputs does.
artifact::Expected<std::string> describeRequestedSizes(const ProgramFile &file,
                                                       const InputOptions &options);

} // namespace fuser::driver

#endif // FUSER_DRIVER_INPUTS_H
