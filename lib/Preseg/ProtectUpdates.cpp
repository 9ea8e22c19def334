//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-protect-updates.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "PointwiseOps.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERPROTECTUPDATES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

/// True if the user reads the operand at the index that it computes.
static bool isReadAtOwnIndex(OpOperand &use) {
  Operation *op = use.getOwner();
  // Identities that rewrites do not move.
  if (isa<SegmentSetOp, StrideOrderOp>(op))
    return true;
  // A computed value that is inserted is stored in its box, or in a kernel of its own.
  if (auto insert = dyn_cast<InsertSliceOp>(op))
    return &use == &insert.getDestinationMutable() && insert.getSource().getDefiningOp();
  return isPointwise(op) &&
         llvm::all_of(cast<DomainMappingOpInterface>(op).getDimMaps(use.getOperandNumber()),
                      [](const DimMap &map) { return map.kind == DimMap::Kind::Mapped; });
}

/// True if every op that depends on `argument` reads it, and values computed from it, at the index
/// that it computes: the thread that overwrites an element is then its only reader.
static bool isReadElementByElement(BlockArgument argument) {
  SmallVector<Value> worklist{argument};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      // A return or a query of a size reads no element.
      if (!isa<TensorViewOpInterface>(use.getOwner()))
        continue;
      if (!isReadAtOwnIndex(use))
        return false;
      llvm::append_range(worklist, use.getOwner()->getResults());
    }
  }
  return true;
}

unsigned fuser::protectUpdates(FusionOp fusion) {
  auto aliases = fusion.getAliases();
  if (!aliases)
    return 0;
  Block &body = fusion.getBody().front();
  auto terminator = cast<ReturnOp>(body.getTerminator());
  unsigned count = 0;
  OpBuilder builder(terminator);
  for (AliasAttr alias : aliases->getAsRange<AliasAttr>()) {
    OpOperand &output = terminator->getOpOperand(alias.getOutput());
    // There is a boundary already, or the output is an argument. An update has a buffer of its own,
    // unless segmentation finds that nothing else reads the argument.
    if (!output.get().getDefiningOp() ||
        isa<SegmentSetOp, UpdateOpInterface>(output.get().getDefiningOp()) ||
        isReadElementByElement(body.getArgument(alias.getInput())))
      continue;
    output.set(SegmentSetOp::create(builder, output.get().getLoc(), output.get().getType(),
                                    output.get(), ArrayAttr(), MemoryAttr(), IntegerAttr()));
    ++count;
  }
  return count;
}

namespace {
struct ProtectUpdatesPass : fuser::impl::FuserProtectUpdatesBase<ProtectUpdatesPass> {
  void runOnOperation() override { numProtected += protectUpdates(getOperation()); }
};
} // namespace
