//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelLimits.h"
#include "fuser/Dialect/IR/Updates.h"

using namespace mlir;
using namespace fuser;

/// A kernel of as many ops computes for longer than its memory takes, so that fusing more saves
/// little; analyses of schedules and the assembler of GPUs take more than linear time.
constexpr int64_t kMaxOps = 512;
/// The time of the assembler grows with the square of the number of tensors.
constexpr int64_t kMaxTensors = 256;
constexpr int64_t kParameterBytes = 8;

constexpr const char kTooManyOps[] = "too-many-ops";
constexpr const char kTooManyTensors[] = "too-many-tensors";
constexpr const char kTooManyParameters[] = "too-many-parameters";

/// Pointers, scalars, sizes and strides.
static int64_t countParameters(const KernelView &kernel) {
  KernelOp op = kernel.getKernel();
  int64_t count = op.getNumArguments();
  llvm::SmallDenseSet<AffineExpr> symbols;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    count += tensor.isOutput;
    for (unsigned dimClass : tensor.dims)
      kernel.getExtent(dimClass).walk([&](AffineExpr part) {
        if (isa<AffineSymbolExpr>(part))
          symbols.insert(part);
      });
    count += llvm::count_if(tensor.strideDivisors, [](int64_t divisor) { return divisor != 0; });
  }
  return count + int64_t(symbols.size());
}

namespace {
/// The arguments that ops read, and the values that they return.
struct Tensors {
  llvm::SmallDenseSet<Value> values;

  void add(Operation *op) {
    for (Value operand : op->getOperands())
      if (isa<BlockArgument>(operand))
        values.insert(operand);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), llvm::IsaPred<ReturnOp>))
        values.insert(result);
  }
};
} // namespace

/// Cuts the kernel before the first op of each part of at most `maxOps` ops and, unless one op has
/// more, `maxTensors` tensors.
static void cutIntoParts(const KernelView &kernel, int64_t maxOps, int64_t maxTensors,
                         Refusal &refusal) {
  llvm::DenseMap<Operation *, unsigned> partOf;
  unsigned part = 0;
  int64_t numOps = 0;
  Tensors tensors;
  for (TensorViewOpInterface op : kernel.getOps()) {
    Tensors with = tensors;
    with.add(op);
    if (numOps == maxOps || (numOps > 0 && int64_t(with.values.size()) > maxTensors)) {
      ++part;
      refusal.ops.push_back(op);
      numOps = 0;
      with = Tensors();
      with.add(op);
    }
    tensors = std::move(with);
    ++numOps;
    partOf[op] = part;
    for (OpOperand &operand : op->getOpOperands())
      if (auto it = partOf.find(operand.get().getDefiningOp()); it != partOf.end())
        if (it->second != part)
          refusal.cuts.push_back(&operand);
  }
}

constexpr const char kUpdateInside[] = "update-inside";

/// Refuses a kernel that computes a value that it updates, or reads one.
static std::optional<Refusal> checkUpdates(const KernelView &kernel) {
  Refusal refusal{
      RefusalCategory::Structure,
      kUpdateInside,
      {},
      "expected a value that is updated to be an argument, and the result an output only",
      {}};
  for (TensorViewOpInterface op : kernel.getOps())
    for (OpOperand &operand : op->getOpOperands()) {
      const bool isInside = isUpdated(operand) ? operand.get().getDefiningOp() != nullptr
                                               : getUpdatedValue(operand.get()) != nullptr;
      if (!isInside)
        continue;
      refusal.ops.push_back(op);
      refusal.cuts.push_back(&operand);
    }
  return refusal.ops.empty() ? std::nullopt : std::optional(refusal);
}

std::optional<Refusal> fuser::checkKernelLimits(const KernelView &kernel,
                                                const artifact::DeviceDescription &device) {
  auto refuse = [&](RefusalCategory category, StringRef code, int64_t limit, const Twine &what,
                    int64_t count) {
    Refusal refusal{category, code, {}, {}, {}};
    refusal.sentence =
        ("expected at most " + Twine(limit) + " " + what + ", but got " + Twine(count)).str();
    // Parts have tensors for the values at cuts, and each tensor may have several parameters.
    const int64_t maxPointers = device.maxParameterBytes / (2 * kParameterBytes);
    cutIntoParts(kernel, kMaxOps, std::min(kMaxTensors / 2, std::max<int64_t>(maxPointers, 1)),
                 refusal);
    return refusal;
  };
  if (std::optional<Refusal> refusal = checkUpdates(kernel))
    return refusal;
  const int64_t numOps = kernel.getOps().size(), numTensors = kernel.getTensors().size();
  if (numOps > kMaxOps)
    return refuse(RefusalCategory::Size, kTooManyOps, kMaxOps, "ops", numOps);
  if (numTensors > kMaxTensors)
    return refuse(RefusalCategory::Size, kTooManyTensors, kMaxTensors, "arguments and outputs",
                  numTensors);
  const int64_t bytes = countParameters(kernel) * kParameterBytes;
  if (bytes <= device.maxParameterBytes)
    return std::nullopt;
  return refuse(RefusalCategory::Device, kTooManyParameters, device.maxParameterBytes,
                "bytes of parameters for " + Twine(numTensors) + " tensors", bytes);
}
