//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-print-id-model.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/IdModel.h"
#include "fuser/Analysis/Passes.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/Support/raw_ostream.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERPRINTIDMODEL
#include "fuser/Analysis/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;

static void printIdModel(FunctionOpInterface program) {
  IdModel model(program);
  constexpr const char *names[kNumIdMappings] = {"exact", "broadcast", "permissive"};
  // Numbers in the order of nodes, arguments first.
  llvm::DenseMap<IdClass, unsigned> numbers[kNumIdMappings];
  auto getNumber = [&](unsigned mapping, unsigned node) {
    const IdGraph &graph = model.getGraph(static_cast<IdMapping>(mapping));
    return numbers[mapping]
        .try_emplace(graph.getClass(node), numbers[mapping].size())
        .first->second;
  };
  for (unsigned mapping = 0; mapping < kNumIdMappings; ++mapping)
    for (unsigned node = 0, e = model.getGraph(IdMapping::Exact).getNumNodes(); node < e; ++node)
      (void)getNumber(mapping, node);
  for (Operation &op : program.getFunctionBody().front()) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!view)
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    for (unsigned mapping = 0; mapping < kNumIdMappings; ++mapping) {
      os << (mapping ? "; " : "") << names[mapping] << " [";
      llvm::interleaveComma(
          llvm::seq<unsigned>(0, view.getDomain().getNumIds()), os,
          [&](unsigned id) { os << getNumber(mapping, model.getNode(op.getResult(0), id)); });
      os << "]";
    }
    op.emitRemark(text);
  }
}

namespace {
struct PrintIdModel : fuser::impl::FuserPrintIdModelBase<PrintIdModel> {
  void runOnOperation() override {
    for (FunctionOpInterface program : getOperation().getOps<FunctionOpInterface>())
      if (isa<FusionOp, KernelOp>(program.getOperation()))
        printIdModel(program);
    markAllAnalysesPreserved();
  }
};
} // namespace
