//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Times of the analyses on scheduled programs of 1,000 to 30,000 ops. Targets for ids (classes and
// the relation of every producer and consumer): 20 ms at 1,000, 300 ms at 10,000, and about linear
// growth.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Ids/EdgeIds.h"
#include "fuser/Ids/IdRelations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace mlir;
using namespace fuser;

/// A chain of blocks of five ops (add with an argument, reduce a row, broadcast it, add it, copy),
/// all of them scheduled, with three or four transforms each.
static std::string makeProgram(int numOps) {
  const char *full = "domains = [#fuser.domain<logical = [i0, i1], split(i1, 8) -> (i2, i3), "
                     "split(i2, 128) -> (i4, i5), split(i0, outer 2) -> (i6, i7), "
                     "loop = [i6 @block_y, i7 @block_x, i4, i5 @thread_x, i3 @vectorize]>]";
  const char *sum = "domains = [#fuser.domain<logical = [i0, r1], split(r1, 8) -> (r2, r3), "
                    "split(r2, 128) -> (r4, r5), split(i0, outer 2) -> (i6, i7), "
                    "loop = [i6 @block_y, i7 @block_x, r4, r5 @thread_x, r3]>]";
  const char *row = "domains = [#fuser.domain<logical = [i0, b1], split(b1, 8) -> (b2, b3), "
                    "split(b2, 128) -> (b4, b5), split(i0, outer 2) -> (i6, i7), "
                    "loop = [i6 @block_y, i7 @block_x, b4, b5 @thread_x, b3]>]";
  std::string text = "fuser.kernel @k(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> "
                     "tensor<?x?xf32> {\n";
  std::string last = "%x";
  llvm::raw_string_ostream os(text);
  for (int i = 0; i < numOps; i += 5) {
    os << "%a" << i << " = fuser.add " << last << ", %y {" << full << "} : tensor<?x?xf32>\n";
    os << "%s" << i << " = fuser.sum %a" << i << " dims [1] {" << sum
       << "} : tensor<?x?xf32> -> tensor<?xf32>\n";
    os << "%b" << i << " = fuser.broadcast %s" << i << " dims [1] {" << row
       << "} : tensor<?xf32> -> tensor<?x1xf32>\n";
    os << "%c" << i << " = fuser.add %a" << i << ", %b" << i << " {" << full
       << "} : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>\n";
    os << "%d" << i << " = fuser.set %c" << i << " {" << full << "} : tensor<?x?xf32>\n";
    last = "%d" + std::to_string(i);
  }
  os << "fuser.return " << last << " : tensor<?x?xf32>\n}\n";
  return text;
}

/// The median of several runs, in milliseconds.
template <typename Action> static double measure(Action action) {
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    auto start = std::chrono::steady_clock::now();
    action();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Relates every producer to every consumer; returns the number of loops that they share.
static unsigned relateAll(FunctionOpInterface program) {
  unsigned shared = 0;
  for (Operation &op : program.getFunctionBody().front())
    for (OpOperand &operand : op.getOpOperands())
      if (auto producer = operand.get().getDefiningOp<TensorViewOpInterface>();
          producer && isa<TensorViewOpInterface>(op))
        shared += EdgeIds(producer, operand).getNumSharedLoops();
  return shared;
}

int main() {
  MLIRContext context;
  context.loadDialect<FuserDialect, arith::ArithDialect, math::MathDialect>();
  std::printf("%8s %14s %14s %14s\n", "ops", "classes, ms", "edges, ms", "extents, ms");
  for (int numOps : {1000, 3000, 10000, 30000}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(makeProgram(numOps), &context);
    if (!module)
      return 1;
    auto program = *module->getOps<FunctionOpInterface>().begin();
    double classes = measure([&] { IdRelations relations(program.getFunctionBody().front()); });
    double edges = measure([&] { (void)relateAll(program); });
    double extents = measure([&] { (void)ExtentAnalysis::create(program); });
    std::printf("%8d %14.2f %14.2f %14.2f\n", numOps, classes, edges, extents);
  }
  return 0;
}
