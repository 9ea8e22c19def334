//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-verify-distribution.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/StreamNest.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Preseg/Passes.h"
#include "fuser/Preseg/Rewrites.h"
#include <functional>

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERVERIFYDISTRIBUTION
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

namespace {

/// A domain, and its name in diagnostics.
struct Subject {
  Operation *op;
  std::string name;
  DomainAttr domain;
  /// The extent of the id at a logical position.
  std::function<AffineExpr(unsigned logical)> getExtent;
};

class DistributionVerifier {
public:
  DistributionVerifier(FusionOp fusion, const ExtentAnalysis &extents)
      : fusion(fusion), extents(extents), nest(fusion) {}

  LogicalResult verify() {
    for (BlockArgument argument : fusion.getBody().front().getArguments())
      if (isa<RankedTensorType>(argument.getType()) && failed(verifyArgument(argument)))
        return failure();
    for (Operation &op : fusion.getBody().front())
      if (auto view = dyn_cast<TensorViewOpInterface>(op); view && view.hasDomains())
        for (OpResult result : op.getResults())
          if (failed(verifyResult(view, result)))
            return failure();
    for (Operation &op : fusion.getBody().front())
      if (auto view = dyn_cast<TensorViewOpInterface>(op))
        for (OpOperand &operand : op.getOpOperands())
          if (isa<RankedTensorType>(operand.get().getType()) &&
              failed(verifyOperand(view, operand)))
            return failure();
    return success();
  }

private:
  LogicalResult verifyArgument(BlockArgument argument) {
    unsigned arg = argument.getArgNumber();
    DomainAttr domain = fusion.getArgDomain(arg);
    if (failed(verifyShards({fusion, "argument " + std::to_string(arg), domain,
                             [&](unsigned dim) { return extents.getExtent(argument, dim); }})))
      return failure();
    // S4.5
    if (hasStreamInAllocation(domain))
      return fusion.emitOpError("expected no stream in the allocation of argument ")
             << arg << ", but got " << domain;
    return success();
  }

  LogicalResult verifyResult(TensorViewOpInterface op, OpResult result) {
    DomainAttr domain = op.getDomain(result.getResultNumber());
    Subject subject{op, "result " + std::to_string(result.getResultNumber()), domain,
                    [&](unsigned logical) {
                      return extents.getIdExtent(result, domain.getLogical()[logical]);
                    }};
    if (failed(verifyShards(subject)))
      return failure();
    if (const auto *loop = llvm::find(domain.getParallel(), ParallelType::Stream);
        isa<SegmentSetOp>(op) && loop != domain.getParallel().end())
      op->emitRemark("this boundary is inside of a loop over streams: it is a buffer of one "
                     "iteration, and does not end the loop over i")
          << domain.getLoop()[loop - domain.getParallel().begin()] << " of " << domain;
    if (failed(verifyStreamAllocation(op, result, nest)))
      return failure();
    return verifyAllocation(subject);
  }

  /// Segmentation obeys allocations whose dimensions are split like the loops on devices and
  /// streams.
  static LogicalResult verifyAllocation(const Subject &subject) {
    DomainAttr domain = subject.domain;
    if (llvm::none_of(domain.getParallel(), [](ParallelType type) { return isDistributed(type); }))
      return success();
    std::optional<SmallVector<AllocatedDim>> dims = getAllocatedDims(domain);
    if (!dims)
      return subject.op->emitOpError("expected the allocation of ")
             << subject.name << " to consist of dimensions and their parts, but got " << domain;
    DomainAttr replayed = replayAllocation(domain, *dims, getNumAllocatedStreams(domain));
    for (auto [expected, actual] : llvm::zip(replayed.getAllocation(), domain.getAllocation()))
      if (expected != actual)
        return subject.op->emitOpError("expected i")
               << expected << " in the allocation of " << subject.name
               << ", which is split like the loops, but got i" << actual << " in " << domain;
    return success();
  }

  static bool hasStreamInAllocation(DomainAttr domain) {
    return llvm::any_of(llvm::zip_equal(domain.getLoop(), domain.getParallel()), [&](auto each) {
      return std::get<1>(each) == ParallelType::Stream &&
             isAllocatedStream(domain, std::get<0>(each));
    });
  }

  LogicalResult verifyShards(const Subject &subject) {
    FailureOr<SmallVector<Shard>> shards = getShards(subject.domain);
    if (failed(shards))
      return subject.op->emitOpError("expected devices and streams on parts of one dimension, made "
                                     "by splits, but got ")
             << subject.domain;
    if (shards->empty())
      return success();
    // S4.3
    if (!llvm::is_sorted(getCanonicalLoopOrder(subject.domain)))
      return subject.op->emitOpError("expected the loops of ")
             << subject.name
             << " in the order stream, device_z, device_y, device_x, others as in the logical "
                "domain, but got "
             << subject.domain;
    for (const Shard &shard : *shards)
      if (isDeviceType(shard.type) && failed(verifyDevice(subject, shard)))
        return failure();
    return success();
  }

  LogicalResult verifyDevice(const Subject &subject, const Shard &shard) {
    StringRef axis = stringifyParallelType(shard.type);
    MeshAttr mesh = fusion.getMeshAttr();
    if (!mesh)
      return subject.op->emitOpError("expected a mesh on '")
             << fusion.getSymName() << "' for a loop on @" << axis << ", but got none";
    int64_t size = mesh.getSize(shard.type);
    auto attachMesh = [&](InFlightDiagnostic diagnostic) {
      diagnostic.attachNote(fusion.getLoc()) << "the mesh is " << mesh;
      return diagnostic;
    };
    // S4.4: distribution is final, so a device's share is a part of the buffer.
    if (subject.domain.getKinds()[shard.id] != IdKind::Reduction &&
        !llvm::is_contained(subject.domain.getAllocation(), shard.id))
      return subject.op->emitOpError("expected the part of ")
             << subject.name << " on @" << axis << " to be in its allocation, but got "
             << subject.domain;
    // The extent of the part: the factor of an outer split, or the whole dimension.
    AffineExpr extent = subject.getExtent(shard.logical);
    std::optional<int64_t> known = extents.getConstant(extent);
    bool isOuterFactor = shard.steps.size() == 1 && !shard.steps[0].inner &&
                         shard.steps[0].output == 0 && shard.steps[0].factor == size;
    if (!isOuterFactor && !(shard.steps.empty() && known == size))
      return attachMesh(subject.op->emitOpError("expected dimension ")
                        << shard.logical << " of " << subject.name << " to be split by 'outer "
                        << size << "' for @" << axis << ", but got " << subject.domain);
    int64_t divisor = extents.getKnownDivisor(extent);
    if (divisor % size == 0)
      return success();
    InFlightDiagnostic diagnostic = subject.op->emitOpError("expected ")
                                    << size << " devices along @" << axis << " to divide dimension "
                                    << shard.logical << " of " << subject.name << ", but ";
    if (known)
      diagnostic << "got a size of " << *known;
    else
      diagnostic << "no fact says that they do";
    return attachMesh(std::move(diagnostic));
  }

  /// S4.9: there are no collectives, so that each device computes its part of a result from its
  /// part of the operands: where an operand is distributed over devices, results are in the same
  /// way. An operand that each device has whole fits every result.
  LogicalResult verifyOperand(TensorViewOpInterface op, OpOperand &operand) {
    Value value = operand.get();
    auto argument = dyn_cast<BlockArgument>(value);
    auto producer = value.getDefiningOp<TensorViewOpInterface>();
    if (!argument && !producer)
      return success();
    DomainAttr domain = argument ? fusion.getArgDomain(argument.getArgNumber())
                                 : producer.getDomain(cast<OpResult>(value).getResultNumber());
    FailureOr<SmallVector<Shard>> shards = getShards(domain);
    if (failed(shards))
      return success();
    SmallVector<unsigned> dims = domain.getResultIds();
    for (const Shard &shard : *shards) {
      const unsigned *dim = llvm::find(dims, domain.getLogical()[shard.logical]);
      // A part of a reduced dimension was diagnosed at the operand's own op.
      if (isDeviceType(shard.type) && dim != dims.end() &&
          failed(verifyShardOfOperand(op, operand, domain, shard.type, dim - dims.begin())))
        return failure();
    }
    return success();
  }

  LogicalResult verifyShardOfOperand(TensorViewOpInterface op, OpOperand &operand,
                                     DomainAttr domain, ParallelType type, unsigned dim) {
    auto mapping = dyn_cast<DomainMappingOpInterface>(op.getOperation());
    for (OpResult result : op->getResults()) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      std::string reason = findLoss(op, mapping, operand, type, dim, result);
      if (reason.empty())
        continue;
      DomainAttr own = op.getDomain(result.getResultNumber());
      InFlightDiagnostic diagnostic =
          op->emitOpError("expected result ")
          << result.getResultNumber() << " to be distributed over @" << stringifyParallelType(type)
          << " like dimension " << dim << " of operand " << operand.getOperandNumber()
          << ", because there is no collective between devices, but " << reason;
      diagnostic.attachNote(operand.get().getLoc())
          << "operand " << operand.getOperandNumber() << " is " << domain;
      diagnostic.attachNote(op.getLoc()) << "result " << result.getResultNumber() << " is " << own;
      return diagnostic;
    }
    return success();
  }

  /// The reason for which a device that has a part of dimension `dim` of the operand cannot compute
  /// its part of the result; empty: it can.
  std::string findLoss(TensorViewOpInterface op, DomainMappingOpInterface mapping,
                       OpOperand &operand, ParallelType type, unsigned dim, OpResult result) {
    DimMap::Kind kind = DimMap::Kind::Whole;
    unsigned root = kNoId;
    if (mapping) {
      SmallVector<DimMap> maps = mapping.getDimMaps(operand.getOperandNumber());
      kind = maps[dim].kind;
      root = maps[dim].id;
    }
    if (kind != DimMap::Kind::Mapped)
      return "it reads elements of other devices";
    DomainAttr domain = op.getDomain(result.getResultNumber());
    std::optional<unsigned> logical = followFirstBlocks(result, domain, root, type);
    if (!logical)
      return "it moves a part of the dimension to other devices";
    if (domain.getKinds()[domain.getLogical()[*logical]] == IdKind::Reduction)
      return "it combines elements of all devices";
    FailureOr<SmallVector<Shard>> shards = getShards(domain);
    if (failed(shards))
      return "";
    for (const Shard &shard : *shards)
      if (shard.type == type)
        return shard.logical == *logical ? "" : "it is distributed along another dimension";
    return "each device has the whole result";
  }

  /// The position of the logical id whose first of N equal blocks are those of a root id, for each
  /// number of devices N; nullopt if there is none. A reshape keeps blocks in the outer output of a
  /// split whose extent N divides, and in the outer input of a merge.
  std::optional<unsigned> followFirstBlocks(OpResult result, DomainAttr domain, unsigned root,
                                            ParallelType type) {
    MeshAttr mesh = fusion.getMeshAttr();
    ArrayRef<unsigned> roots = domain.getRoot().empty() ? domain.getLogical() : domain.getRoot();
    unsigned id = roots[root];
    while (!llvm::is_contained(domain.getLogical(), id)) {
      const auto *transform = llvm::find_if(domain.getTransforms(), [&](const auto &each) {
        return llvm::is_contained(each.getInputs(), id);
      });
      if (transform == domain.getTransforms().end())
        return std::nullopt;
      bool keeps = transform->kind == TransformKind::Split ||
                   (transform->kind == TransformKind::Merge && transform->inputs[0] == id);
      if (!keeps)
        return std::nullopt;
      id = transform->outputs[0];
      AffineExpr extent = extents.getIdExtent(result, id);
      if (!mesh || !extent || extents.getKnownDivisor(extent) % mesh.getSize(type) != 0)
        return std::nullopt;
    }
    return llvm::find(domain.getLogical(), id) - domain.getLogical().begin();
  }

  FusionOp fusion;
  const ExtentAnalysis &extents;
  const StreamNest nest;
};

struct VerifyDistributionPass : fuser::impl::FuserVerifyDistributionBase<VerifyDistributionPass> {
  void runOnOperation() override {
    if (failed(verifyDistribution(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace

/// True if the fusion has no mesh and no loop on devices or streams.
static bool isUndistributed(FusionOp fusion) {
  if (fusion.getMesh() || fusion.getArgDomains())
    return false;
  return llvm::none_of(fusion.getBody().front(), [](Operation &op) {
    auto view = dyn_cast<TensorViewOpInterface>(op);
    return view && view.hasDomains();
  });
}

LogicalResult fuser::verifyDistribution(FusionOp fusion) {
  if (isUndistributed(fusion))
    return success();
  FailureOr<ExtentAnalysis> extents =
      ExtentAnalysis::create(cast<FunctionOpInterface>(fusion.getOperation()));
  if (failed(extents))
    return failure();
  return DistributionVerifier(fusion, *extents).verify();
}
