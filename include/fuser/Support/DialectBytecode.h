//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Versions of the dialects of fuser in bytecode (ADR 45).
//
// A file stores for each dialect the version that wrote it, major.minor. A new minor version adds
// or renames things and still reads every older version of the same major one; a new major version
// may drop this compatibility. A file without a version has version 0: it predates versions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SUPPORT_DIALECTBYTECODE_H
#define FUSER_SUPPORT_DIALECTBYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include <memory>
#include <string>
#include <tuple>

namespace fuser {

/// The version of a dialect in a file; 0.0 where the file has none.
struct BytecodeVersion : mlir::DialectVersion {
  uint64_t major, minor;

  BytecodeVersion(uint64_t major, uint64_t minor) : major(major), minor(minor) {}

  bool operator<(const BytecodeVersion &other) const {
    return std::tie(major, minor) < std::tie(other.major, other.minor);
  }
  std::string str() const { return std::to_string(major) + "." + std::to_string(minor); }
};

/// Writes the version of a dialect to bytecode and refuses files of a newer one. Attributes have no
/// encoding of their own: they are stored as text, so that everything that the parser accepts can
/// be read.
///
/// A dialect derives from it with its current version. Changes between versions are upgraded in two
/// places. Changed properties of an op are upgraded by the op's `readProperties`, which calls
/// `getVersionOf`; everything else by an override of `upgradeFromVersion`, which gets the whole
/// file after reading and before verification. (It is not called for files without a version.)
class VersionedBytecode : public mlir::BytecodeDialectInterface {
public:
  VersionedBytecode(mlir::Dialect *dialect, BytecodeVersion present)
      : BytecodeDialectInterface(dialect), present(present) {}

  void writeVersion(mlir::DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(present.major);
    writer.writeVarInt(present.minor);
  }

  std::unique_ptr<mlir::DialectVersion>
  readVersion(mlir::DialectBytecodeReader &reader) const override {
    auto version = std::make_unique<BytecodeVersion>(0, 0);
    if (mlir::failed(reader.readVarInt(version->major)) ||
        mlir::failed(reader.readVarInt(version->minor)))
      return nullptr;
    if (present < *version) {
      reader.emitError() << "expected dialect '" << getDialect()->getNamespace() << "' of version "
                         << present.str() << " or older, but got version " << version->str();
      return nullptr;
    }
    return version;
  }

  /// The version of dialect `name` in the file that `reader` reads.
  static BytecodeVersion getVersionOf(mlir::DialectBytecodeReader &reader, llvm::StringRef name) {
    mlir::FailureOr<const mlir::DialectVersion *> version = reader.getDialectVersion(name);
    if (mlir::failed(version))
      return {0, 0};
    return *static_cast<const BytecodeVersion *>(*version);
  }

private:
  BytecodeVersion present;
};

} // namespace fuser

#endif // FUSER_SUPPORT_DIALECTBYTECODE_H
