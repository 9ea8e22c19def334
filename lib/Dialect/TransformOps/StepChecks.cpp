//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StepChecks.h"
#include "fuser/Dialect/IR/DomainLimits.h"
#include "fuser/Ids/Extents.h"
#include "fuser/Scheduling/KernelView.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// True if the id is a broadcast or derives from one, whose extent is that of a consumer's loop.
static bool derivesFromBroadcast(DomainAttr domain, unsigned id) {
  if (domain.getKinds()[id] == IdKind::Broadcast)
    return true;
  const int definition = domain.getDefinition(id);
  return definition >= 0 &&
         llvm::any_of(domain.getTransforms()[definition].getInputs(),
                      [&](unsigned input) { return derivesFromBroadcast(domain, input); });
}

/// The extent of an id where it is a constant whatever later steps do; nullopt: it is not known.
/// Fails with a diagnostic if the extents of the program contradict each other.
static FailureOr<std::optional<int64_t>> getConstantExtent(TensorViewOpInterface op, unsigned id) {
  auto program = op->getParentOfType<FunctionOpInterface>();
  if (!program || derivesFromBroadcast(op.getDomain(), id))
    return std::optional<int64_t>();
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(program);
  if (failed(extents))
    return failure();
  return extents->getConstant(extents->getIdExtent(op->getResult(0), id));
}

LogicalResult transform_ops::checkSwizzledExtent(TensorViewOpInterface op, StringRef what,
                                                 int64_t position, ArrayRef<unsigned> ids) {
  // The primitive refuses what is no position.
  if (position < 0 || position >= int64_t(ids.size()))
    return success();
  FailureOr<std::optional<int64_t>> extent = getConstantExtent(op, ids[position]);
  if (failed(extent))
    return failure();
  if (!*extent || llvm::isPowerOf2_64(**extent))
    return success();
  return op->emitOpError("expected the swizzled ")
         << what << ' ' << position << " to have an extent that is a power of two, but got "
         << **extent;
}

namespace {
/// The constant extents that loops of a type can have: from `least` to `most`.
struct ExtentLimits {
  int64_t least, most;
  bool isPowerOfTwo = false;
};
} // namespace

/// The limits of a type that has some; nullopt: all extents are legal.
static std::optional<ExtentLimits> getExtentLimits(ParallelType type) {
  switch (type) {
  case ParallelType::Vectorize:
    return ExtentLimits{1, 16, /*isPowerOfTwo=*/true};
  case ParallelType::ThreadX:
  case ParallelType::ThreadY:
    return ExtentLimits{0, kMaxBlockThreads};
  case ParallelType::ThreadZ:
    return ExtentLimits{0, kMaxBlockThreadsZ};
  case ParallelType::ClusterX:
    return ExtentLimits{1, kMaxClusterBlocks};
  case ParallelType::Unroll:
    return ExtentLimits{0, kMaxUnrolledCopies};
  default:
    return std::nullopt;
  }
}

LogicalResult transform_ops::checkParallelType(TensorViewOpInterface op, int64_t position,
                                               ParallelType type) {
  const ArrayRef<unsigned> loops = op.getDomain().getLoop();
  const std::optional<ExtentLimits> limits = getExtentLimits(type);
  if (!limits || position < 0 || position >= int64_t(loops.size()))
    return success();
  FailureOr<std::optional<int64_t>> extent = getConstantExtent(op, loops[position]);
  if (failed(extent))
    return failure();
  if (!*extent || (**extent >= limits->least && **extent <= limits->most &&
                   (!limits->isPowerOfTwo || llvm::isPowerOf2_64(**extent))))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expected a @");
  diagnostic << stringifyParallelType(type) << " extent of ";
  if (limits->isPowerOfTwo)
    diagnostic << "1, 2, 4, 8 or 16";
  else if (limits->least == 0)
    diagnostic << "at most " << limits->most;
  else
    diagnostic << limits->least << " to " << limits->most;
  return diagnostic << ", but loop " << position << " has " << **extent;
}

//===----------------------------------------------------------------------===//
// Orders of outputs
//===----------------------------------------------------------------------===//

/// A launch of the kernel; null if the module has none.
static LaunchOp findLaunch(KernelOp kernel) {
  LaunchOp found;
  kernel->getParentOp()->walk([&](LaunchOp launch) {
    if (launch.getKernel().getLeafReference() != kernel.getSymNameAttr())
      return WalkResult::advance();
    found = launch;
    return WalkResult::interrupt();
  });
  return found;
}

LogicalResult transform_ops::editAllocation(TensorViewOpInterface op,
                                            function_ref<LogicalResult()> edit) {
  auto kernel = dyn_cast_or_null<KernelOp>(op->getParentOp());
  // By output, of those that the op computes.
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>> orders;
  if (kernel)
    for (OpOperand &value : kernel.getBody().front().getTerminator()->getOpOperands())
      if (value.get().getDefiningOp() == op)
        orders.emplace_back(value.getOperandNumber(),
                            getOutputOrder(kernel, value.getOperandNumber()));
  if (failed(edit()))
    return failure();
  LaunchOp launch = orders.empty() ? LaunchOp() : findLaunch(kernel);
  if (!launch)
    return success();
  for (const auto &[output, order] : orders) {
    const SmallVector<int64_t> now = getOutputOrder(kernel, output);
    if (now == order)
      continue;
    InFlightDiagnostic diagnostic = op->emitOpError("expected output ");
    diagnostic << output << " in the order [" << order << "] that its launch relies on, but got ["
               << now << "]";
    diagnostic.attachNote(launch.getLoc()) << "the launch is here";
    return diagnostic;
  }
  return success();
}
