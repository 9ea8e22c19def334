//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/ArgumentTables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

using namespace mlir;
using namespace fuser::kernel_ir;

FailureOr<SmallVector<ArgumentTable>> fuser::kernel_ir::getArgumentTables(gpu::GPUFuncOp function) {
  std::map<unsigned, PartArgumentOp> byFirst;
  WalkResult result = function.walk([&](PartArgumentOp op) {
    const unsigned first = op.getFirst();
    const size_t count = op.getArguments().size();
    PartArgumentOp &known = byFirst[first];
    if (!known)
      known = op;
    if (known.getArguments().size() == count)
      return WalkResult::advance();
    op.emitOpError() << "expected the " << known.getArguments().size()
                     << " arguments of another op from " << first << " on, but got " << count;
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  SmallVector<ArgumentTable> tables;
  for (auto [first, op] : byFirst) {
    if (!tables.empty() && first < tables.back().first + tables.back().count)
      return op.emitOpError() << "expected arguments that no other op reads, but got argument "
                              << first << " of the " << tables.back().count << " from "
                              << tables.back().first << " on";
    tables.push_back({first, static_cast<unsigned>(op.getArguments().size())});
  }
  return tables;
}

FailureOr<SmallVector<unsigned>> fuser::kernel_ir::getParameterRuns(gpu::GPUFuncOp function) {
  FailureOr<SmallVector<ArgumentTable>> tables = getArgumentTables(function);
  if (failed(tables))
    return failure();
  SmallVector<unsigned> runs;
  if (tables->empty())
    return runs;
  unsigned next = 0;
  for (const ArgumentTable &table : *tables) {
    runs.append(table.first - next, 1);
    runs.push_back(table.count);
    next = table.first + table.count;
  }
  runs.append(function.getNumArguments() - next, 1);
  return runs;
}

void fuser::kernel_ir::expandPartArguments(gpu::GPUFuncOp function) {
  SmallVector<PartArgumentOp> ops;
  function.walk([&](PartArgumentOp op) { ops.push_back(op); });
  for (PartArgumentOp op : ops) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value result = op.getArguments().front();
    for (auto [number, argument] : llvm::enumerate(op.getArguments().drop_front())) {
      Value part = arith::ConstantIndexOp::create(builder, loc, static_cast<int64_t>(number) + 1);
      Value isPart =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, op.getPart(), part);
      result = arith::SelectOp::create(builder, loc, isPart, argument, result);
    }
    op.replaceAllUsesWith(result);
    op.erase();
  }
}
