//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Orders in which norms keep whole rows, and in which they store them.
//
//===----------------------------------------------------------------------===//

#include "RowOrders.h"
#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/Requirements.h"
#include "fuser/Scheduling/TimeModel.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// The maximum number of ops that are searched for a reduction.
constexpr size_t kMaxSearchedOps = 64;

/// True if the value depends on a reduction.
static bool isAfterReduction(Value value) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> stack = {value};
  while (!stack.empty() && seen.size() < kMaxSearchedOps) {
    Operation *op = stack.pop_back_val().getDefiningOp();
    if (!op || !isa<RankedTensorType>(op->getResult(0).getType()) || !seen.insert(op).second)
      continue;
    if (isa<CombinerOpInterface>(op))
      return true;
    llvm::append_range(stack, op->getOperands());
  }
  return false;
}

/// The dimensions along which the value is normalized: an op reduces them and another one reads the
/// value too, or the value is computed from a reduction that is broadcast along them.
static llvm::SmallBitVector getNormalizedDims(Value value) {
  llvm::SmallBitVector dims(cast<RankedTensorType>(value.getType()).getRank());
  for (OpOperand &use : value.getUses()) {
    auto mapping = dyn_cast<DomainMappingOpInterface>(use.getOwner());
    if (!mapping || !isa<CombinerOpInterface>(use.getOwner()) || value.hasOneUse())
      continue;
    SmallVector<IdKind> kinds = mapping.getRootKinds();
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(use.getOperandNumber())))
      if (map.kind == DimMap::Kind::Mapped && kinds[map.id] == IdKind::Reduction)
        dims.set(dim);
  }
  auto view = value.getDefiningOp<TensorViewOpInterface>();
  auto mapping = value.getDefiningOp<DomainMappingOpInterface>();
  if (!view || !mapping || isa<CombinerOpInterface>(value.getDefiningOp()))
    return dims;
  SmallVector<unsigned> ids =
      view.getTrivialDomain(cast<OpResult>(value).getResultNumber()).getResultIds();
  for (OpOperand &operand : view->getOpOperands())
    for (const DimMap &map : mapping.getDimMaps(operand.getOperandNumber())) {
      const unsigned *dim = map.id == kNoId ? ids.end() : llvm::find(ids, map.id);
      if (map.kind == DimMap::Kind::Broadcast && dim != ids.end() &&
          !dims.test(dim - ids.begin()) && isAfterReduction(operand.get()))
        dims.set(dim - ids.begin());
    }
  return dims;
}

/// True if the fastest dimensions of more than one element are `rows`, in any order.
static bool areFastest(const llvm::SmallBitVector &rows, ArrayRef<int64_t> order,
                       ArrayRef<int64_t> shape) {
  bool isRow = true;
  for (int64_t dim : llvm::reverse(order)) {
    if (shape[dim] == 1)
      continue;
    if (rows.test(dim) && !isRow)
      return false;
    isRow &= rows.test(dim);
  }
  return true;
}

std::optional<InferredOrder> fuser::inferOrderOfRows(Value value,
                                                     ArrayRef<OrderReference> references) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  SmallVector<InferredOrder> orders;
  SmallVector<uint64_t> bytes;
  for (const OrderReference &reference : references) {
    if (reference.dims.empty())
      continue;
    SmallVector<int64_t> order = reference.getOrder(shape.size());
    auto *known = llvm::find_if(orders, [&](auto &other) { return other.order == order; });
    if (known == orders.end()) {
      orders.push_back({order, "", reference.source});
      bytes.push_back(reference.bytes);
    } else {
      uint64_t &sum = bytes[known - orders.begin()];
      sum = llvm::SaturatingAdd(sum, reference.bytes);
    }
  }
  if (orders.size() < 2)
    return std::nullopt;
  llvm::SmallBitVector rows = getNormalizedDims(value);
  auto fusion = dyn_cast<FusionOp>(value.getDefiningOp()->getParentOp());
  if (rows.none() || !fusion)
    return std::nullopt;
  // A required order of another form would be written across its rows.
  for (unsigned output = 0; output < fusion.getNumResults(); ++output)
    if (auto required = fusion.getOutputStrideOrder(output);
        required && required->size() == shape.size() && !areFastest(rows, *required, shape))
      return std::nullopt;
  std::optional<size_t> best;
  for (size_t number = 0; number < orders.size(); ++number)
    if (areFastest(rows, orders[number].order, shape) && (!best || bytes[number] > bytes[*best]))
      best = number;
  return best ? std::optional(orders[*best]) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Orders of results
//===----------------------------------------------------------------------===//

std::variant<Choice, Refusal> fuser::checkStoredOrders(const KernelView &kernel,
                                                       const ReductionShape &shape,
                                                       std::variant<Choice, Refusal> choice,
                                                       const SizeHints &hints,
                                                       const artifact::DeviceDescription &device) {
  const auto *chosen = std::get_if<Choice>(&choice);
  if (!chosen || !shape.reuse)
    return choice;
  ResourceUse transposed = chosen->use;
  llvm::erase_if(transposed.scattered,
                 [&](unsigned number) { return kernel.getTensors()[number].isOutput; });
  if (transposed.scattered.size() == chosen->use.scattered.size())
    return choice;
  const Requirements requirements(kernel, hints);
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (!tensor.isOutput && tensor.order.size() == shape.order.size())
      transposed.bytesReadAgain +=
          double(requirements.getSize(tensor.order).value_or(0)) * double(tensor.elementBytes);
  auto predict = [&](const ResourceUse &use) {
    return predictMicroseconds(kernel, hints, use, device);
  };
  if (predict(chosen->use) <= predict(transposed) + kLaunchMicroseconds)
    return choice;
  return Refusal{RefusalCategory::Size,
                 kTransposedRows,
                 {shape.getReference(kernel)},
                 "expected results in the order of the rows, but " +
                     std::to_string(chosen->use.scattered.size() - transposed.scattered.size()) +
                     " are stored in another one, which takes longer than a kernel for the "
                     "reductions and one that transposes",
                 shape.getCutsAtReuse(kernel)};
}
