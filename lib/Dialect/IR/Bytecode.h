//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The version of the fuser dialect in bytecode.
//
// | version | what is new |
// |---|---|
// | 0   | (files without a version) |
// | 1.0 | `callee` of fuser.library and fuser.library_call is called `routine` |
// | 1.1 | fuser.reshape has `from` and `to` |
// | 1.2 | scans have `reverse` and `exclusive` |
//
// Properties are stored in the order of their names: a new, renamed or removed property changes the
// encoding. Such a change must take the next version, add a row here, read the older order in
// Bytecode.cpp and add a file of the previous version to test/Bytecode/Inputs.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT_IR_BYTECODE_H
#define FUSER_DIALECT_IR_BYTECODE_H

#include "fuser/Support/DialectBytecode.h"

namespace fuser::detail {

class FuserBytecode : public VersionedBytecode {
public:
  explicit FuserBytecode(mlir::Dialect *dialect) : VersionedBytecode(dialect, {1, 2}) {}
};

} // namespace fuser::detail

#endif // FUSER_DIALECT_IR_BYTECODE_H
