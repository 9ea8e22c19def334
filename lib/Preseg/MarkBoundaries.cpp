//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-mark-boundaries.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/RegionNames.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERMARKBOUNDARIES
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

FailureOr<BoundaryMarks> BoundaryMarks::parse(Operation *op, StringRef text) {
  BoundaryMarks marks;
  auto refuse = [&](StringRef item) {
    return op->emitError("expected marks of boundaries to be operations of fuser "
                         "('fuser.reshape', 'fuser.reshape:after', 'fuser.reshape:around') or "
                         "regions ('@encoder.attention'), but got '")
           << item << "'";
  };
  for (StringRef item : llvm::split(text, ',')) {
    item = item.trim();
    if (item.empty())
      continue;
    StringRef name = item;
    if (name.consume_front("@")) {
      if (name.empty())
        return refuse(item);
      marks.regions.push_back(name.str());
      continue;
    }
    StringRef side;
    std::tie(name, side) = name.split(':');
    bool isKnownSide =
        !item.contains(':') || llvm::is_contained({"before", "after", "around"}, side);
    auto info = RegisteredOperationName::lookup(name, op->getContext());
    if (!isKnownSide || !info || !info->hasInterface<TensorViewOpInterface>())
      return refuse(item);
    marks.operations.push_back({name.str(), side != "after", side == "after" || side == "around"});
  }
  return marks;
}

namespace {

/// The marks of one fusion.
class Marker {
public:
  explicit Marker(FusionOp fusion) : fusion(fusion) {}

  /// Marks the value that `use` reads, for this use.
  void mark(OpOperand &use) {
    Value value = use.get();
    Operation *producer = value.getDefiningOp();
    // An argument is a boundary in any case, and so is an output.
    if (!isa<RankedTensorType>(value.getType()) || !producer || isa<SegmentSetOp>(producer) ||
        isa<ReturnOp, SegmentSetOp>(use.getOwner()))
      return;
    SegmentSetOp &set = sets[value];
    if (!set) {
      OpBuilder builder(fusion.getContext());
      builder.setInsertionPointAfterValue(value);
      set = SegmentSetOp::create(builder, value.getLoc(), value.getType(), value);
      copyDistribution(cast<OpResult>(value), set);
    }
    use.set(set->getResult(0));
  }
  unsigned getNumMarks() const { return sets.size(); }

private:
  /// A value that is distributed stays so.
  static void copyDistribution(OpResult value, SegmentSetOp set) {
    auto producer = dyn_cast<TensorViewOpInterface>(value.getOwner());
    if (!producer || !producer.hasDomains())
      return;
    DomainAttr domain = producer.getDomain(value.getResultNumber());
    bool isWhole =
        domain.getRoot().empty() && domain.getResultIds().size() == domain.getLogical().size();
    if (isWhole)
      cast<TensorViewOpInterface>(set.getOperation()).setDomain(domain, 0);
  }

  FusionOp fusion;
  /// By value that they mark.
  llvm::DenseMap<Value, SegmentSetOp> sets;
};

} // namespace

unsigned fuser::markBoundaries(FusionOp fusion, const BoundaryMarks &marks) {
  Marker marker(fusion);
  SmallVector<Operation *> ops;
  for (Operation &op : fusion.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops) {
    StringRef name = op->getName().getStringRef(), path = getRegionPath(op);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
    for (const BoundaryMarks::OperationMark &mark : marks.operations) {
      if (mark.name != name)
        continue;
      if (mark.before)
        for (OpOperand &operand : op->getOpOperands())
          marker.mark(operand);
      if (mark.after)
        for (OpOperand *use : uses)
          marker.mark(*use);
    }
    // Values that enter or leave a region; an op without a path is in none.
    for (OpOperand *use : uses) {
      StringRef user = getRegionPath(use->getOwner());
      if (llvm::any_of(marks.regions, [&](const std::string &region) {
            return isInRegion(path, region) != isInRegion(user, region);
          }))
        marker.mark(*use);
    }
  }
  return marker.getNumMarks();
}

static bool hasRegion(FusionOp fusion, StringRef name) {
  return llvm::any_of(fusion.getBody().front(),
                      [&](Operation &op) { return isInRegion(getRegionPath(&op), name); });
}

namespace {
struct MarkBoundaries : fuser::impl::FuserMarkBoundariesBase<MarkBoundaries> {
  using FuserMarkBoundariesBase::FuserMarkBoundariesBase;

  void runOnOperation() override {
    FusionOp fusion = getOperation();
    FailureOr<BoundaryMarks> marks = BoundaryMarks::parse(fusion, at);
    if (failed(marks))
      return signalPassFailure();
    for (const std::string &region : marks->regions)
      if (!hasRegion(fusion, region))
        fusion->emitRemark("expected an op in the region '")
            << region << "', whose boundaries are to be marked, but got none";
    numMarks += markBoundaries(fusion, *marks);
  }
};
} // namespace
