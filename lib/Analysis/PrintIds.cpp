//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Remarks about the ids of every fusion and kernel.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/Passes.h"
#include "fuser/Ids/EdgeIds.h"
#include "fuser/Ids/IdRelations.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERPRINTIDS
#include "fuser/Analysis/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

/// Classes of the ids, root first, of the trivial domain of result 0.
static void printClasses(const IdRelations &relations, TensorViewOpInterface op,
                         llvm::raw_ostream &os) {
  os << "classes [";
  llvm::interleaveComma(llvm::seq<unsigned>(op.getTrivialDomain(0).getNumIds()), os,
                        [&](unsigned id) {
                          unsigned idClass = relations.getClass(op, id);
                          if (idClass == IdRelations::kNone)
                            os << '-';
                          else
                            os << idClass;
                        });
  os << "]";
}

static void printProducts(const IdRelations &relations, Operation *op, llvm::raw_ostream &os) {
  for (const IdProduct &product : relations.getProducts())
    if (product.op == op)
      os << "; " << product.whole << " = " << product.outer << " x " << product.inner;
}

/// The number of loops that each computed operand can share with the op.
static void printSharedLoops(Operation *op, llvm::raw_ostream &os) {
  for (OpOperand &operand : op->getOpOperands())
    if (auto producer = operand.get().getDefiningOp<TensorViewOpInterface>())
      os << "; operand " << operand.getOperandNumber() << " shares "
         << EdgeIds(producer, operand).getNumSharedLoops() << " of "
         << producer.getDomain().getLoop().size() << " loops";
}

static void printIds(FunctionOpInterface program) {
  Block &body = program.getFunctionBody().front();
  IdRelations relations(body);
  for (Operation &op : body) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view)
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    printClasses(relations, view, os);
    printProducts(relations, &op, os);
    if (isa<DomainMappingOpInterface>(op))
      printSharedLoops(&op, os);
    op.emitRemark(text);
  }
}

namespace {
struct PrintIds : fuser::impl::FuserPrintIdsBase<PrintIds> {
  void runOnOperation() override {
    for (FunctionOpInterface program : getOperation().getOps<FunctionOpInterface>())
      if (isa<FusionOp, KernelOp>(program.getOperation()))
        printIds(program);
    markAllAnalysesPreserved();
  }
};
} // namespace
