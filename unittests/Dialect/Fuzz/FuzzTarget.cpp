//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The entry of libFuzzer. Text and bytecode are told apart as in every tool: by the first bytes.
//
//===----------------------------------------------------------------------===//

#include "BytecodeMutator.h"
#include "ProgramReader.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <cstdlib>

using namespace fuser::fuzz;

namespace {

/// State that libFuzzer cannot pass.
struct State {
  ProgramReader reader;
  unsigned inputs = 0, valid = 0;

  ~State() { llvm::errs() << "inputs: " << inputs << ", valid: " << valid << "\n"; }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static State state;
  // The lexer reads up to a zero after the text.
  std::string input(reinterpret_cast<const char *>(data), size), fault;
  ++state.inputs;
  state.valid += state.reader.read(input, fault);
  if (!fault.empty()) {
    llvm::errs() << "a program that is valid " << fault << "\n";
    abort();
  }
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  if (!isBytecodeInput(input))
    return LLVMFuzzerMutate(data, size, maxSize);
  mutateBytecode({data, size}, seed);
  return size;
}
