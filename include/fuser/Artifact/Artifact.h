//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A compiled fusion as plain data: the compiler produces it, the runtime executes it. It can be
// printed, saved and loaded, and needs no MLIR and no GPU.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_ARTIFACT_ARTIFACT_H
#define FUSER_ARTIFACT_ARTIFACT_H

#include "fuser/Artifact/DType.h"
#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Artifact/Error.h"
#include "fuser/Artifact/Hash.h"
#include "fuser/Artifact/HostProgram.h"
#include "fuser/Artifact/IntExpr.h"
#include "fuser/Artifact/Kernel.h"

#include <string>
#include <string_view>
#include <vector>

namespace fuser::artifact {

/// A size that a fusion leaves open.
inline constexpr int64_t kDynamic = -1;

/// Requirements on the argument of a call at one position.
struct ArgumentSpec {
  std::string name;
  bool isTensor = true;
  DType dtype = DType::F32;
  /// Tensors: one size per dimension, kDynamic where any is fine.
  std::vector<int64_t> sizes;
  /// Dimensions from slowest to fastest in memory.
  std::vector<uint32_t> order;
  /// Per position of `order`: 1 where the stride must be the product of all faster sizes (1 at the
  /// fastest position); 0 where any stride is fine. Dimensions of size 1 and tensors without
  /// elements have no stride to check.
  std::vector<uint8_t> contiguous;
  /// Bytes that must divide the address of the first element.
  uint32_t alignment = 1;
};

/// One result of a call.
struct OutputSpec {
  std::string name;
  DType dtype = DType::F32;
  /// Sizes and strides in elements.
  std::vector<ExprId> sizes, strides;
  /// Number of the argument whose memory it shares, or kNotAnArgument.
  uint32_t aliasOfArgument = kNotAnArgument;
  /// The output is a read-only view of that argument. If the caller provides other memory, the
  /// runtime copies the view into it.
  bool isView = false;
  /// Required alignment in bytes of memory that the caller provides.
  uint32_t alignment = 1;
};

/// The value of a tensor argument that calls do not pass: row-major and dense; a bool is one byte.
struct Constant {
  DType dtype = DType::F32;
  std::vector<int64_t> sizes;
  std::string bytes;
};

/// A condition on a call: `lhs <relation> rhs`.
struct Guard {
  ExprId lhs = 0;
  /// Equal, NotEqual, Less or LessEqual.
  ExprKind relation = ExprKind::Equal;
  ExprId rhs = 0;
  /// Why the fusion relies on it: "16-byte loads of x".
  std::string reason;
};

/// A compiled fusion.
struct Artifact {
  /// The fusion's symbol.
  std::string name;
  /// The device that the kernels were scheduled for.
  DeviceDescription target;
  std::vector<Kernel> kernels;
  std::vector<ArgumentSpec> arguments;
  /// The values of the last arguments; empty where calls pass all of them.
  std::vector<Constant> constants;
  std::vector<OutputSpec> outputs;
  ExprPool exprs;
  std::vector<Guard> guards;
  HostProgram program;
};

/// Checks everything that the runtime relies on: indices in range, operands before users, buffers
/// placed once and before use, counts that agree, loops closed and not nested, a Return at the end.
/// Fails with Corrupt and the place.
Status validate(const Artifact &artifact);

/// The number of arguments that a call passes: all but the constants.
size_t numPassedArguments(const Artifact &artifact);

/// The argument names in order, for printExpr.
std::vector<std::string> argumentNames(const Artifact &artifact);

/// Readable text of everything but binary code; equal artifacts print equally.
std::string printArtifact(const Artifact &artifact);

/// Key of the whole content.
Hash128 contentKey(const Artifact &artifact);

/// True if `data` begins as the binary form does, of any version.
bool isSerializedArtifact(std::string_view data);

/// The binary form: a header (magic, version, length, hash of the payload) and the payload.
std::string serialize(const Artifact &artifact);

/// Reads the binary form. Never trusts it: fails with Corrupt on damaged, truncated or inconsistent
/// data and with VersionMismatch on another version's. The result is valid.
Expected<Artifact> deserialize(std::string_view data);

} // namespace fuser::artifact

#endif // FUSER_ARTIFACT_ARTIFACT_H
