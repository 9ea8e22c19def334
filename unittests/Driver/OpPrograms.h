//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One program for each op of the dialect that defines tensors, which contains only this op.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_OPPROGRAMS_H
#define FUSER_UNITTESTS_DRIVER_OPPROGRAMS_H

#include <ostream>
#include <string>
#include <vector>

namespace fuser::test {

/// Options of one call, as on the command line of fuser-run.
struct Call {
  /// "3x7,7": sizes of all tensor arguments.
  std::string sizes;
  /// "l=2"
  std::vector<std::string> scalars = {};
  /// "i=-2:9"
  std::vector<std::string> ranges = {};
};

/// A fusion @f with a single op. In `text`, $T stands for the element type and $P for that of its
/// parts, if it is complex. Types are named as in MLIR, except for c64 and c128, which are
/// complex<f32> and complex<f64>.
struct OpProgram {
  /// The op, without the dialect's name.
  std::string op;
  /// Distinguishes programs of one op.
  std::string variant;
  std::string text;
  std::vector<std::string> types;
  /// All of them are made with the first type, the first of them with the others.
  std::vector<Call> calls;
};

inline std::ostream &operator<<(std::ostream &out, const OpProgram &program) {
  return out << program.op << program.variant;
}

/// `text` with the element type in place of $T and its parts' in place of $P.
std::string instantiate(std::string text, const std::string &type);

/// All programs, in a fixed order.
std::vector<OpProgram> getOpPrograms();

} // namespace fuser::test

#endif // FUSER_UNITTESTS_DRIVER_OPPROGRAMS_H
