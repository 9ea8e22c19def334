//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The order of the dimensions of a kernel in memory, from the orders of its tensors.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/KernelSchedule.h"
#include "fuser/Scheduling/MovedDims.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

namespace {

/// An order of classes that is built from the orders of tensors, of which an earlier one decides
/// where a later one contradicts it.
class OrderMerger {
public:
  explicit OrderMerger(ArrayRef<unsigned> classes)
      : classes(classes), isSlower(classes.size(), llvm::SmallBitVector(classes.size())) {}

  /// Adds an order from slowest to fastest. Other classes in it are ignored.
  void add(ArrayRef<unsigned> order) {
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t j = i + 1; j < order.size(); ++j)
        relate(order[i], order[j]);
  }

  /// Makes one class slower than another, with what follows, unless it is known to be faster.
  void relate(unsigned slowClass, unsigned fastClass) {
    const auto slowIt = llvm::find(classes, slowClass), fastIt = llvm::find(classes, fastClass);
    if (slowIt == classes.end() || fastIt == classes.end() || slowIt == fastIt)
      return;
    const unsigned slow = slowIt - classes.begin(), fast = fastIt - classes.begin();
    if (isSlower[fast][slow])
      return;
    llvm::SmallBitVector faster(isSlower[fast]);
    faster.set(fast);
    for (unsigned place = 0; place < classes.size(); ++place)
      if (place == slow || isSlower[place][slow])
        isSlower[place] |= faster;
  }

  /// From slowest to fastest: the given order where no tensor decides.
  SmallVector<unsigned> take() const {
    SmallVector<unsigned> order;
    llvm::SmallBitVector left(classes.size(), true);
    while (left.any()) {
      const unsigned next = *llvm::find_if(left.set_bits(), [&](unsigned place) {
        return llvm::none_of(left.set_bits(),
                             [&](unsigned other) { return isSlower[other][place]; });
      });
      left.reset(next);
      order.push_back(classes[next]);
    }
    return order;
  }

private:
  ArrayRef<unsigned> classes;
  /// isSlower[a][b]: a is slower than b. Transitive.
  SmallVector<llvm::SmallBitVector> isSlower;
};

} // namespace

/// Makes the dimensions of a table that is read at data faster than those along which the rows of
/// it are looked up.
static void addTables(const KernelView &kernel, OrderMerger &merger) {
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (tensor.isOutput || tensor.order.empty())
      continue;
    for (OpOperand &use : tensor.value.getUses())
      if (auto reader = dyn_cast<TensorViewOpInterface>(use.getOwner());
          reader && isReadInPlace(use))
        for (unsigned dimClass : kernel.getOwnClasses(reader))
          if (tensor.find(dimClass) < 0)
            merger.relate(dimClass, tensor.order.back());
  }
}

SmallVector<unsigned> fuser::getMemoryOrder(const KernelView &kernel, ArrayRef<unsigned> classes) {
  auto isAsked = [&](unsigned dimClass) { return llvm::is_contained(classes, dimClass); };
  // A part of a dimension is where the whole is.
  SmallVector<SmallVector<unsigned>> orders;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    SmallVector<unsigned> &order = orders.emplace_back();
    for (unsigned dimClass : tensor.order) {
      const unsigned whole = findWholeInReference(kernel, dimClass, classes);
      if (isAsked(whole) && !llvm::is_contained(order, whole))
        order.push_back(whole);
    }
  }
  const SmallVector<unsigned> *best = nullptr;
  for (const SmallVector<unsigned> &order : orders)
    if (order.size() > (best ? best->size() : 0))
      best = &order;
  // Where no tensor decides, dimensions that the best one does not have come first.
  SmallVector<unsigned> given;
  for (unsigned dimClass : classes)
    if (!best || !llvm::is_contained(*best, dimClass))
      given.push_back(dimClass);
  const size_t most = best ? best->size() : 0;
  if (best)
    llvm::append_range(given, *best);
  if (given.size() == most)
    return given;
  OrderMerger merger(given);
  addTables(kernel, merger);
  for (size_t number = most; number > 1; --number)
    for (const SmallVector<unsigned> &order : orders)
      if (order.size() == number)
        merger.add(order);
  return merger.take();
}
