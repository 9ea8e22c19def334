//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BatchLaunches.h"
#include "fuser/Analysis/HostDependences.h"
#include "fuser/Scheduling/EqualCode.h"
#include "fuser/Scheduling/LaunchBatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"

#include <map>

using namespace mlir;
using namespace fuser;

/// A launch more in a batch has to save this share of its time: the median error of the model.
constexpr double kLeastSaving = 0.05;
/// Of the different codes in the kernel of a batch, as of one kernel (ADR 58).
constexpr int64_t kMaxOps = 512, kMaxTensors = 256;
constexpr int64_t kParameterBytes = 8;

namespace {

struct BatchCandidate {
  LaunchOp launch;
  KernelOp kernel;
  const KernelEstimate *estimate;
  int64_t numOps, numTensors, parameterBytes;
};

/// The launches of a batch under construction.
class OpenBatch {
public:
  explicit OpenBatch(const artifact::DeviceDescription &device) : device(&device) {}

  bool add(const BatchCandidate &candidate);
  ArrayRef<LaunchOp> getLaunches() const { return launches; }

private:
  const artifact::DeviceDescription *device;
  SmallVector<LaunchOp> launches;
  SmallVector<KernelOp> codes;
  int64_t numOps = 0, numTensors = 0, parameterBytes = 0;
  BatchEstimate total;
};

} // namespace

/// Adds the launch if limits allow it and it takes less time in the batch than alone.
bool OpenBatch::add(const BatchCandidate &candidate) {
  const KernelEstimate &estimate = *candidate.estimate;
  bool isNewCode =
      llvm::none_of(codes, [&](KernelOp code) { return haveEqualCode(code, candidate.kernel); });
  if (isNewCode && !codes.empty() &&
      (numOps + candidate.numOps > kMaxOps || numTensors + candidate.numTensors > kMaxTensors))
    return false;
  if (parameterBytes + candidate.parameterBytes > device->maxParameterBytes)
    return false;
  BatchEstimate together = total;
  together.add(estimate);
  double alone = estimate.microseconds + kLaunchMicroseconds;
  if (!launches.empty() &&
      total.predict(*device) + alone - together.predict(*device) < kLeastSaving * alone)
    return false;
  total = together;
  launches.push_back(candidate.launch);
  parameterBytes += candidate.parameterBytes;
  if (isNewCode) {
    codes.push_back(candidate.kernel);
    numOps += candidate.numOps;
    numTensors += candidate.numTensors;
  }
  return true;
}

/// What similar kernels have in common: their ops on tensors, the element types of all values, and
/// what each op reads. Dimensions, sizes, how these are computed, and attributes may differ.
static std::string describeStructure(KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::DenseMap<Value, unsigned> numbers;
  auto define = [&](Value value) {
    unsigned number = numbers.size();
    numbers[value] = number;
    out << ':' << getElementTypeOrSelf(value.getType());
  };
  for (Value argument : kernel.getArguments())
    define(argument);
  for (Operation &op : kernel.getBody().front()) {
    if (llvm::none_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
        isa<tensor::DimOp>(op))
      continue;
    out << '\n' << op.getName();
    for (Value operand : op.getOperands())
      if (auto number = numbers.find(operand); number != numbers.end())
        out << ' ' << number->second;
    for (Value result : op.getResults())
      define(result);
  }
  return text;
}

static BatchCandidate makeCandidate(LaunchOp launch, KernelOp kernel,
                                    const KernelEstimate &estimate) {
  BatchCandidate candidate{launch, kernel, &estimate, 0, 0, 0};
  candidate.numOps = llvm::range_size(kernel.getBody().front().without_terminator());
  // The number of the first block, and for each tensor its address, sizes and strides.
  int64_t numParameters = 2;
  auto addType = [&](Type type) {
    ++numParameters;
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      ++candidate.numTensors;
      numParameters += 2 * tensor.getNumDynamicDims();
    }
  };
  llvm::for_each(kernel.getArgumentTypes(), addType);
  llvm::for_each(kernel.getResultTypes(), addType);
  candidate.parameterBytes = numParameters * kParameterBytes;
  return candidate;
}

unsigned fuser::batchLaunches(HostOp host, SymbolTable &symbols,
                              const llvm::DenseMap<StringAttr, KernelEstimate> &estimates,
                              const artifact::DeviceDescription &device) {
  Block &body = host.getBody().front();
  auto launches = llvm::to_vector(body.getOps<LaunchOp>());
  if (launches.size() < 2)
    return 0;
  HostDependences dependences(body);
  std::map<std::tuple<unsigned, int64_t, std::string>, SmallVector<BatchCandidate>> groups;
  for (LaunchOp launch : launches) {
    auto kernel = symbols.lookup<KernelOp>(launch.getKernel().getRootReference());
    auto estimate = kernel ? estimates.find(kernel.getSymNameAttr()) : estimates.end();
    if (estimate != estimates.end() && !launch.getStream())
      groups[{dependences.getDepth(launch), estimate->second.use.threads,
              describeStructure(kernel)}]
          .push_back(makeCandidate(launch, kernel, estimate->second));
  }
  unsigned numBatches = 0;
  auto finish = [&](const OpenBatch &batch) {
    if (batch.getLaunches().size() < 2)
      return;
    Builder builder(host.getContext());
    for (LaunchOp launch : batch.getLaunches())
      launch->setAttr(kLaunchBatchAttrName, builder.getI64IntegerAttr(numBatches));
    ++numBatches;
  };
  for (auto &[key, candidates] : groups) {
    // Short launches save the largest share of their time.
    SmallVector<std::pair<double, size_t>> order;
    for (auto [number, candidate] : llvm::enumerate(candidates))
      order.emplace_back(candidate.estimate->microseconds, number);
    llvm::sort(order);
    OpenBatch batch(device);
    for (size_t number : llvm::make_second_range(order)) {
      const BatchCandidate &candidate = candidates[number];
      if (batch.add(candidate))
        continue;
      finish(batch);
      batch = OpenBatch(device);
      batch.add(candidate);
    }
    finish(batch);
  }
  return numBatches;
}
