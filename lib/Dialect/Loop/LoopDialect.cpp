//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Loop/LoopDialect.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Support/DialectBytecode.h"

using namespace mlir;
using namespace fuser::loop;

#include "fuser/Dialect/Loop/LoopDialect.cpp.inc"

namespace {
/// Version 1.0 is the first.
class LoopBytecode : public fuser::VersionedBytecode {
public:
  explicit LoopBytecode(Dialect *dialect) : VersionedBytecode(dialect, {1, 0}) {}
};
} // namespace

void FuserLoopDialect::initialize() {
  addInterfaces<LoopBytecode>();
  registerAttributes();
  registerTypes();
  registerOperations();
}
