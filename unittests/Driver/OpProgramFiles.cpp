//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes the programs of single ops as files, for machines that have fuser-run but no test binaries
// (utils/check_gpu.py).
// usage: fuser-op-programs FOLDER     prints one line of arguments for fuser-run per call
//        fuser-op-programs --list     prints one line per program instead: its op, its files' name
//                                     without the type, and the types (utils/ops_table.py)
//
//===----------------------------------------------------------------------===//

#include "OpPrograms.h"
#include <cstdio>
#include <fstream>

using namespace fuser::test;

/// False where the file could not be written.
static bool write(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  file.close();
  return file.good();
}

static void print(const std::string &path, const Call &call) {
  std::printf("%s --sizes=%s", path.c_str(), call.sizes.c_str());
  for (const std::string &scalar : call.scalars)
    std::printf(" --scalar=%s", scalar.c_str());
  for (const std::string &range : call.ranges)
    std::printf(" --range=%s", range.c_str());
  std::printf("\n");
}

static void list() {
  for (const OpProgram &program : getOpPrograms()) {
    std::printf("%s %s%s", program.op.c_str(), program.op.c_str(), program.variant.c_str());
    for (const std::string &type : program.types)
      std::printf(" %s", type.c_str());
    std::printf("\n");
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuser-op-programs FOLDER | --list\n");
    return 2;
  }
  if (argv[1] == std::string("--list")) {
    list();
    return 0;
  }
  for (const OpProgram &program : getOpPrograms()) {
    for (const std::string &type : program.types) {
      std::string path =
          std::string(argv[1]) + "/" + program.op + program.variant + "_" + type + ".mlir";
      if (!write(path, instantiate(program.text, type))) {
        std::fprintf(stderr, "fuser-op-programs: cannot write %s\n", path.c_str());
        return 1;
      }
      if (type != program.types.front()) {
        print(path, program.calls.front());
        continue;
      }
      for (const Call &call : program.calls)
        print(path, call);
    }
  }
  return 0;
}
