//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Changes to bytecode that leave MLIR's container intact.
//
// The packaged libMLIR has its assertions off and trusts what the container
// says: a count that the file has no bytes for makes it allocate as much and
// abort, a length that is off makes it write where it must not, an op that has
// other operands than it says makes it follow a wild pointer, a type that holds
// itself makes it loop. A fuzzer of plain bytes finds nothing else, and nobody
// here can mend it. So only bytes are changed that our code gets to see, each
// into one of its own kind: letters of attributes (which are text), numbers of
// one byte in properties and in versions. Lengths, MLIR's own attributes and
// types and the list of ops stay as they are.
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
