//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inputs of the fuzzer of parsers, bytecode and verifiers, without libFuzzer.
//
// fuser-fuzz-corpus replay PATH...: reads every file below PATH; fails where the fuzzer would.
// fuser-fuzz-corpus seeds OUT PATH...: writes programs of .mlir files as OUT/text/* and
// OUT/bytecode/*.
// fuser-fuzz-corpus dictionary: prints names of ops and attributes for libFuzzer's -dict.
// A .mlir file is cut where it says "// -----", as --split-input-file does.
//
//===----------------------------------------------------------------------===//

#include "ProgramReader.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <set>
#include <vector>

using namespace mlir;
using llvm::StringRef;

namespace {

struct Input {
  std::string name;
  std::string text;
};

/// All files below `path`, or `path` itself, in the order of their names.
std::vector<std::string> listFiles(StringRef path) {
  if (!llvm::sys::fs::is_directory(path))
    return {path.str()};
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(path, error), end; it != end && !error;
       it.increment(error))
    if (!llvm::sys::fs::is_directory(it->path()))
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

bool readInputs(StringRef path, std::vector<Input> &inputs) {
  for (const std::string &file : listFiles(path)) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
      llvm::errs() << "cannot read " << file << ": " << buffer.getError().message() << "\n";
      return false;
    }
    if (!StringRef(file).ends_with(".mlir")) {
      inputs.push_back({file, (*buffer)->getBuffer().str()});
      continue;
    }
    SmallVector<StringRef> pieces;
    (*buffer)->getBuffer().split(pieces, "// -----");
    for (auto [index, piece] : llvm::enumerate(pieces))
      inputs.push_back({file + ":" + std::to_string(index), piece.str()});
  }
  return true;
}

int replay(const std::vector<Input> &inputs) {
  fuser::fuzz::ProgramReader reader;
  unsigned valid = 0, faults = 0;
  for (const Input &input : inputs) {
    std::string fault;
    valid += reader.read(input.text, fault);
    if (!fault.empty()) {
      llvm::errs() << input.name << " " << fault << "\n";
      ++faults;
    }
  }
  llvm::outs() << inputs.size() << " inputs, " << valid << " valid, " << faults << " faults\n";
  return faults ? 1 : 0;
}

bool writeFile(const std::string &path, StringRef content) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  stream << content;
  return !error;
}

/// Without comments, which are most of what a test is made of.
std::string withoutComments(StringRef text) {
  std::string result;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    if (StringRef kept = line.split("//").first.rtrim(); !kept.trim().empty())
      result += kept.str() + "\n";
  return result;
}

/// A program of many functions also gives one seed for each function that is valid by itself: small
/// inputs are read faster, and findings in them are closer to their cause.
int writeSeeds(const std::string &folder, const std::vector<Input> &inputs) {
  fuser::fuzz::ProgramReader reader;
  for (const char *kind : {"text", "bytecode"})
    if (llvm::sys::fs::create_directories(folder + "/" + kind))
      return 1;
  unsigned number = 0;
  std::set<std::string> seen;
  auto write = [&](const std::string &text, ModuleOp module) {
    if (!seen.insert(text).second)
      return true;
    std::string name = std::to_string(number++);
    if (!writeFile(folder + "/text/" + name, text))
      return false;
    if (!module)
      return true;
    std::string bytecode;
    llvm::raw_string_ostream stream(bytecode);
    return succeeded(writeBytecodeToFile(module, stream)) &&
           writeFile(folder + "/bytecode/" + name, bytecode);
  };
  for (const Input &input : inputs) {
    std::string text = withoutComments(input.text);
    OwningOpRef<ModuleOp> module = reader.parse(text);
    if (!write(text, module.get()))
      return 1;
    if (!module)
      continue;
    for (Operation &op : llvm::make_early_inc_range(*module->getBody())) {
      std::string alone;
      llvm::raw_string_ostream stream(alone);
      op.print(stream);
      OwningOpRef<ModuleOp> single = reader.parse(alone);
      if (single && !write(alone, single.get()))
        return 1;
    }
  }
  llvm::outs() << number << " seeds\n";
  return 0;
}

int printDictionary() {
  fuser::fuzz::ProgramReader reader;
  for (RegisteredOperationName name : reader.getContext().getRegisteredOperations())
    if (name.getDialectNamespace().starts_with("fuser"))
      llvm::outs() << '"' << name.getStringRef() << "\"\n";
  std::set<StringRef> properties;
  for (RegisteredOperationName name : reader.getContext().getRegisteredOperations())
    if (name.getDialectNamespace().starts_with("fuser"))
      for (StringAttr attribute : name.getAttributeNames())
        properties.insert(attribute.getValue());
  for (StringRef property : properties)
    llvm::outs() << '"' << property << "\"\n";
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  std::string mode = args.empty() ? "" : args[0];
  if (mode == "dictionary" && args.size() == 1)
    return printDictionary();
  size_t first = mode == "seeds" ? 2 : 1;
  if ((mode != "replay" && mode != "seeds") || args.size() <= first) {
    llvm::errs() << "usage: fuser-fuzz-corpus (replay | seeds OUT) PATH... | dictionary\n";
    return 2;
  }
  std::vector<Input> inputs;
  for (size_t i = first; i < args.size(); ++i)
    if (!readInputs(args[i], inputs))
      return 1;
  return mode == "seeds" ? writeSeeds(args[1], inputs) : replay(inputs);
}
