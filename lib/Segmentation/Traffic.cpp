//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Traffic.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

/// The default if the device description has no bandwidth.
constexpr double kBytesPerSecond = 1e12;

Traffic::Traffic(const ExtentAnalysis &analysis, const SegmentationOptions &options)
    : analysis(analysis), hints(options.hints) {
  double rate = options.device.memoryBandwidth;
  microsecondsPerByte = 1e6 / (rate > 0 ? rate : kBytesPerSecond);
}

double Traffic::getBytes(Value value) {
  auto [it, isNew] = bytes.try_emplace(value, 0.0);
  if (!isNew)
    return it->second;
  auto type = cast<RankedTensorType>(value.getType());
  double result = getElementBytes(type.getElementType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    std::optional<int64_t> size = hints.evaluate(analysis.getExtent(value, dim), analysis);
    result *= size ? double(*size) : kUnknownSize;
  }
  return it->second = result;
}

double Traffic::getElements(Value value) {
  return getBytes(value) / double(getElementBytes(getElementTypeOrSelf(value)));
}

double Traffic::getSaving(ArrayRef<Operation *> a, ArrayRef<Operation *> b) {
  if (a.size() > b.size())
    std::swap(a, b);
  llvm::SmallPtrSet<Operation *, 16> inA(a.begin(), a.end()), inB(b.begin(), b.end());
  auto isTensor = [](Value value) { return isa<RankedTensorType>(value.getType()); };
  double saved = 0;
  llvm::DenseSet<Value> seen;
  // A value between them is not read again, and not written if it has no other reader.
  auto addPassed = [&](Value value) {
    if (!seen.insert(value).second)
      return;
    saved += getBytes(value);
    if (llvm::all_of(value.getUsers(),
                     [&](Operation *user) { return inA.contains(user) || inB.contains(user); }))
      saved += getBytes(value);
  };
  for (Operation *op : a) {
    for (Value operand : op->getOperands()) {
      if (!isTensor(operand))
        continue;
      Operation *producer = operand.getDefiningOp();
      if (producer && inB.contains(producer))
        addPassed(operand);
      else if (!(producer && inA.contains(producer)) && !seen.contains(operand) &&
               llvm::any_of(operand.getUsers(),
                            [&](Operation *user) { return inB.contains(user); })) {
        seen.insert(operand);
        saved += getBytes(operand);
      }
    }
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return inB.contains(user); }))
        addPassed(result);
  }
  return saved * microsecondsPerByte + kLaunchMicroseconds;
}
