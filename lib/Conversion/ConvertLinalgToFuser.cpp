//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-convert-linalg-to-fuser.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "Regions.h"
#include "fuser/Conversion/EntryPoints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

namespace fuser {
#define GEN_PASS_DEF_FUSERCONVERTLINALGTOFUSER
#include "fuser/Conversion/Passes.h.inc"
} // namespace fuser

namespace {
struct ConvertLinalgToFuserPass
    : fuser::impl::FuserConvertLinalgToFuserBase<ConvertLinalgToFuserPass> {
  using FuserConvertLinalgToFuserBase::FuserConvertLinalgToFuserBase;

  void runOnOperation() override {
    LinalgToFuserOptions options;
    options.strict = strict;
    options.dropAsserts = dropAsserts;
    FailureOr<LinalgToFuserCounts> counts = convertLinalgToFuser(getOperation(), options);
    if (failed(counts))
      return signalPassFailure();
    numFusions += counts->fusions;
    numRefused += counts->refused;
  }
};
} // namespace

/// The blocks of `function` with its own code, excluding bodies of structured ops.
static SmallVector<Block *> getCodeBlocks(func::FuncOp function) {
  SmallVector<Block *> blocks;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (getRole(op) != Role::Foreign ||
        isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(op->getDialect()))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          blocks.push_back(&block);
    return WalkResult::advance();
  });
  return blocks;
}

/// Erases dead ops, so that they need no conversion, and adds the blocks inside of them to
/// `erased`.
static void eraseDeadOps(Block &block, llvm::DenseSet<Block *> &erased) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op)) {
      op.walk([&](Block *inner) { erased.insert(inner); });
      op.erase();
    }
}

/// With `strict`: reports an error at every op that would stay.
static LogicalResult checkAllConvert(Block &block, const Refusals &refusals) {
  LogicalResult result = success();
  for (Operation &op : block.without_terminator()) {
    auto it = refusals.find(&op);
    if (it == refusals.end() && getRole(&op) != Role::Foreign)
      continue;
    auto error = op.emitOpError("expected an op that converts to fuser");
    if (it != refusals.end())
      error << ": " << it->second;
    result = failure();
  }
  return result;
}

/// Emits a remark with the reason at each op that is not converted. Returns how many of them could
/// have been: ops of the dialects that the pass converts.
static unsigned reportRemaining(func::FuncOp function, const Refusals &refusals) {
  unsigned count = 0;
  for (Block *block : getCodeBlocks(function))
    for (Operation &op : block->without_terminator()) {
      auto it = refusals.find(&op);
      if (it != refusals.end()) {
        op.emitRemark("not converted: ") << it->second;
        ++count;
      } else if (getRole(&op) == Role::Foreign && !isa<fuser::CallOp>(op)) {
        op.emitRemark(
            "not converted: expected an op of linalg, tensor, arith or math that computes "
            "tensors, but got '")
            << op.getName() << "'";
      }
    }
  return count;
}

FailureOr<LinalgToFuserCounts> fuser::convertLinalgToFuser(ModuleOp module,
                                                           const LinalgToFuserOptions &options) {
  LinalgToFuserCounts counts;
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  for (func::FuncOp function : functions) {
    dropSigns(function);
    normalizeOps(function);
  }

  Refusals refusals;
  LogicalResult strict = success();
  llvm::DenseSet<Operation *> hasCandidates;
  for (func::FuncOp function : functions)
    for (Block *block : getCodeBlocks(function)) {
      if (llvm::any_of(*block, [](Operation &op) { return getRole(&op) == Role::Candidate; }))
        hasCandidates.insert(function);
      findRefusals(*block, options, refusals);
      if (options.strict && failed(checkAllConvert(*block, refusals)))
        strict = failure();
    }
  if (failed(strict))
    return failure();

  SymbolTable symbols(module);
  for (func::FuncOp function : functions) {
    unsigned before = counts.fusions;
    llvm::DenseSet<Block *> erased;
    for (Block *block : getCodeBlocks(function)) {
      if (erased.contains(block))
        continue;
      resolveSizes(*block);
      eraseDeadOps(*block, erased);
      counts.fusions += outlineBlock(*block, function, symbols, options, refusals);
      absorbAsserts(*block, symbols, options);
      eraseDeadOps(*block, erased);
    }
    // A function that calls the fusion of another one is not replaced.
    if (counts.fusions == before + 1)
      replaceByFusion(function, symbols);
  }
  // After all functions: a call of a function that became a fusion is converted too.
  for (auto function : module.getOps<func::FuncOp>())
    if (hasCandidates.contains(function))
      counts.refused += reportRemaining(function, refusals);
  return counts;
}
