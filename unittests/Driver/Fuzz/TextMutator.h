//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random edits of programs as text, like those of somebody who edits a schedule by hand.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_UNITTESTS_DRIVER_FUZZ_TEXTMUTATOR_H
#define FUSER_UNITTESTS_DRIVER_FUZZ_TEXTMUTATOR_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace fuser::fuzz {

/// `text` after `count` edits: numbers, ids of domains, parallel types and words replaced by others
/// (numbers also by extreme ones), tokens and lines swapped, dropped and repeated. The same for the
/// same seed.
std::string mutateText(llvm::StringRef text, unsigned count, uint64_t seed);

} // namespace fuser::fuzz

#endif // FUSER_UNITTESTS_DRIVER_FUZZ_TEXTMUTATOR_H
