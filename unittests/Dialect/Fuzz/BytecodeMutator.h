//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Changes to bytecode that leave MLIR's container intact.
//
// The packaged libMLIR has assertions off and trusts the container: a count that exceeds the file
// makes it allocate that much and abort, a wrong length makes it write out of bounds, an op with
// other operands than declared makes it follow a wild pointer, a type that contains itself makes it
// loop. A fuzzer of plain bytes only finds these faults, which are not fuser's. So only bytes that
// fuser's code reads are changed, each into one of its own kind: letters of attributes (which are
// text), and one-byte numbers in properties and in versions. Lengths, MLIR's own attributes and
// types and the list of ops do not change.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DIALECT_FUZZ_BYTECODEMUTATOR_H
#define FUSER_UNITTESTS_DIALECT_FUZZ_BYTECODEMUTATOR_H

#include "llvm/ADT/ArrayRef.h"

namespace fuser::fuzz {

/// Changes a few bytes of a file in place, chosen by `seed`. A file whose sections cannot be found
/// stays as it is.
void mutateBytecode(llvm::MutableArrayRef<uint8_t> file, unsigned seed);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DIALECT_FUZZ_BYTECODEMUTATOR_H
