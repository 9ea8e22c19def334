//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Segmentation/CopyArguments.h"
#include "HostViews.h"
#include "StreamChecks.h"
#include "Traffic.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "fuser/Scheduling/HeldDiagnostics.h"

using namespace mlir;
using namespace fuser;

/// The predicted time must decrease by this factor: copies take memory, and the model errs.
static constexpr double kLessTime = 0.85;
/// So many arguments are tried; each is a partition of the fusion.
static constexpr unsigned kMostCandidates = 4;

namespace {

/// Tries copies of the arguments of one fusion.
class ArgumentCopier {
public:
  ArgumentCopier(FusionOp fusion, const ExtentAnalysis &analysis,
                 const SegmentationOptions &options)
      : fusion(fusion), options(options), traffic(analysis, options) {}

  unsigned run();

private:
  SmallVector<unsigned> findCandidates();
  std::optional<double> predict(FusionOp tried) const;
  double getLeastTime();
  bool tryCopies(ArrayRef<unsigned> arguments, double &least);

  FusionOp fusion;
  const SegmentationOptions &options;
  Traffic traffic;
};

/// A tensor of a fusion, and the order in which it is stored.
struct OrderedTensor {
  RankedTensorType type;
  SmallVector<int64_t> order;
};
} // namespace

/// False for a tensor whose elements are in one order only: all but one dimension have one element.
static bool hasOrder(RankedTensorType type) { return countLargeDims(type.getShape()) > 1; }

static bool isRowMajor(RankedTensorType type, ArrayRef<int64_t> order) {
  return llvm::is_sorted(
      llvm::filter_to_vector(order, [&](int64_t dim) { return type.getDimSize(dim) != 1; }));
}

/// True if two tensors are stored in one order: row-major, or, of one rank, the same one but for
/// dimensions of one element.
static bool haveCommonOrder(const OrderedTensor &a, const OrderedTensor &b) {
  if (isRowMajor(a.type, a.order) || isRowMajor(b.type, b.order))
    return isRowMajor(a.type, a.order) && isRowMajor(b.type, b.order);
  auto isLargeInBoth = [&](int64_t dim) {
    return a.type.getDimSize(dim) != 1 && b.type.getDimSize(dim) != 1;
  };
  return a.type.getRank() == b.type.getRank() && llvm::filter_to_vector(a.order, isLargeInBoth) ==
                                                     llvm::filter_to_vector(b.order, isLargeInBoth);
}

/// The arguments in another order than row-major that no output overwrites. None where all tensors
/// have a common order, which kernels follow.
SmallVector<unsigned> ArgumentCopier::findCandidates() {
  SmallVector<unsigned> candidates;
  SmallVector<OrderedTensor> tensors;
  const LayoutInfo info(fusion);
  for (auto [output, type] : llvm::enumerate(fusion.getResultTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && hasOrder(tensor))
      tensors.push_back({tensor, info.getOutputOrder(output).order});
  for (BlockArgument argument : fusion.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || argument.use_empty() || !hasOrder(type))
      continue;
    tensors.push_back({type, info.getOrder(argument).order});
    if (!isRowMajor(type, tensors.back().order) && !isOverwritten(fusion, argument.getArgNumber()))
      candidates.push_back(argument.getArgNumber());
  }
  if (llvm::all_of(tensors, [&](const OrderedTensor &tensor) {
        return haveCommonOrder(tensors.front(), tensor);
      }))
    candidates.clear();
  return candidates;
}

/// The time of the kernels of a fusion; nothing if some op has no kernel.
std::optional<double> ArgumentCopier::predict(FusionOp tried) const {
  HeldDiagnostics diagnostics(tried.getContext());
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(tried);
  SegmentationCounts counts;
  if (failed(extents))
    return std::nullopt;
  FailureOr<Partition> partition = partitionFusion(tried, *extents, options, counts);
  if (failed(partition))
    return std::nullopt;
  double microseconds = 0;
  for (const Segment &segment : partition->segments)
    microseconds += segment.microseconds + kLaunchMicroseconds;
  return microseconds;
}

/// The time that the arguments and outputs take at least.
double ArgumentCopier::getLeastTime() {
  double bytes = 0;
  for (BlockArgument argument : fusion.getArguments())
    if (isa<RankedTensorType>(argument.getType()) && !argument.use_empty())
      bytes += traffic.getBytes(argument);
  for (Value output : fusion.getBody().front().getTerminator()->getOperands())
    if (isa<RankedTensorType>(output.getType()))
      bytes += traffic.getBytes(output);
  return traffic.getMicroseconds(bytes);
}

/// Has all readers of an argument read a copy. Values that follow the order of the argument have
/// the default order then.
static void insertCopy(FusionOp fusion, unsigned number) {
  BlockArgument argument = fusion.getArgument(number);
  OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
  auto copy = SegmentSetOp::create(builder, argument.getLoc(), argument.getType(), argument);
  argument.replaceUsesWithIf(copy.getResult(), [&](OpOperand &use) {
    return use.getOwner() != copy && !isa<ReturnOp>(use.getOwner());
  });
  const std::string reference = "argument " + std::to_string(number);
  for (auto op : fusion.getBody().front().getOps<TensorViewOpInterface>())
    for (OpResult result : op->getResults())
      if (LayoutHintAttr hint = getLayoutHint(result); hint && hint.getReference() == reference)
        dropLayoutHint(result);
}

/// Copies the arguments if the kernels are predicted to take less time than `least`, which is their
/// time then.
bool ArgumentCopier::tryCopies(ArrayRef<unsigned> arguments, double &least) {
  // The decisions about a fusion depend on the order of uses, which an undone change would leave
  // different.
  OpBuilder builder(fusion);
  auto tried = cast<FusionOp>(builder.clone(*fusion));
  for (unsigned argument : arguments)
    insertCopy(tried, argument);
  const std::optional<double> copied = predict(tried);
  const bool isLess = copied && *copied <= kLessTime * least;
  if (isLess) {
    least = *copied;
    fusion.getBody().takeBody(tried.getBody());
  }
  tried.erase();
  return isLess;
}

unsigned ArgumentCopier::run() {
  SmallVector<unsigned> candidates = findCandidates();
  if (candidates.empty())
    return 0;
  const std::optional<double> before = predict(fusion);
  if (!before)
    return 0;
  auto getBytes = [&](unsigned argument) { return traffic.getBytes(fusion.getArgument(argument)); };
  llvm::DenseMap<unsigned, double> times;
  for (unsigned argument : candidates)
    times[argument] = kLaunchMicroseconds + traffic.getMicroseconds(2 * getBytes(argument));
  // The smallest copies first.
  llvm::sort(candidates, [&](unsigned a, unsigned b) {
    return std::pair(times[a], a) < std::pair(times[b], b);
  });
  double least = *before;
  const double most = kLessTime * least - getLeastTime();
  auto mayPay = [&](double time) { return time < most; };
  llvm::erase_if(candidates, [&](unsigned argument) { return !mayPay(times[argument]); });
  if (candidates.size() > kMostCandidates)
    candidates.resize(kMostCandidates);
  // Those that pay alone, then the others together: of the terms of a sum, none does alone.
  const size_t all = candidates.size();
  llvm::erase_if(candidates, [&](unsigned argument) { return tryCopies(argument, least); });
  double together = 0;
  for (unsigned argument : candidates)
    together += times[argument];
  if (candidates.size() > 1 && mayPay(together) && tryCopies(candidates, least))
    candidates.clear();
  return all - candidates.size();
}

unsigned fuser::copyTransposedArguments(FusionOp fusion, const SegmentationOptions &options) {
  if (isDistributed(fusion) || isScheduledByHand(fusion))
    return 0;
  FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
  return failed(analysis) ? 0 : ArgumentCopier(fusion, *analysis, options).run();
}
