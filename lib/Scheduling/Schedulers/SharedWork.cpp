//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is equal for several planes of a pointwise kernel.
//
//===----------------------------------------------------------------------===//

#include "SharedWork.h"
#include "PointwiseTile.h"
#include "fuser/Scheduling/MovedDims.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// The maximum number of elements of functions (a sine, a division: tens of instructions each) that
/// a thread computes. With more, a kernel is limited by arithmetic, so that wider accesses bring
/// nothing; its code, time to compile and registers grow.
constexpr int64_t kMostFunctions = 40;
/// The minimum number of blocks per SM if threads compute several planes.
constexpr int64_t kBlocksPerSM = 32;
/// About how many instructions compute an element: of a cheap op, of one on 64-bit integers, of a
/// function, of a long one (a sine of any size). A byte that a thread reads from the L1 cache costs
/// as much: a multiprocessor of Hopper reads 128 of them in a cycle, and has 128 lanes.
constexpr int64_t kCheapCost = 1, kWideCost = 2, kFunctionCost = 12, kLongCost = 40;
/// The most bytes of an output that a thread has of all planes, unless these share tensors with
/// rows: masks of 2048x2048 bytes for 64 lengths take 77.4 us on one NVIDIA H200 with one plane of
/// 32 bytes, 81.7 with eight.
constexpr int64_t kMostBytesOfPlanes = 64;
/// What planes share is worth several planes for a thread where it costs more than this many times
/// the bytes of elements in global memory, of which a multiprocessor gets less than 20 in a cycle.
constexpr int64_t kLeastCost = 5;

SharedPlanes SharedPlanes::withoutSharing() const {
  SharedPlanes other;
  other.elementBytes = elementBytes;
  other.functions = functions + sharedFunctions;
  return other;
}

int64_t SharedPlanes::getMostElements() const {
  return llvm::bit_floor<uint64_t>(
      std::max<int64_t>(1, kMostFunctions / std::max<int64_t>(1, functions + sharedFunctions)));
}

int64_t SharedPlanes::chooseRepeats(int64_t elements, std::optional<int64_t> planes,
                                    std::optional<int64_t> blocks,
                                    const artifact::DeviceDescription &device) const {
  if (outerDims == 0 || !planes || !blocks)
    return 1;
  auto fits = [&](int64_t repeats) {
    return repeats <= *planes && *blocks / repeats >= kBlocksPerSM * device.multiprocessors &&
           elements * repeats * functions <= kMostFunctions &&
           (!isMuch || elements * repeats * elementBytes <= kMostBytesOfPlanes);
  };
  int64_t repeats = kPlanesOfThread;
  while (repeats > 1 && !fits(repeats))
    repeats /= 2;
  return repeats;
}

/// About how many instructions the op takes for an element.
static int64_t getCost(TensorViewOpInterface op) {
  if (op->hasTrait<LongElement>())
    return kLongCost;
  if (isFunction(op))
    return kFunctionCost;
  // What has one operand of its own type moves it, or changes its sign.
  const Type type = getElementTypeOrSelf(op->getResultTypes().front());
  if (!isa<ElementwiseOpInterface>(op.getOperation()) ||
      (op->getNumOperands() == 1 && getElementTypeOrSelf(op->getOperand(0).getType()) == type))
    return 0;
  return type.isInteger(64) ? kWideCost : kCheapCost;
}

namespace {

/// Adds up what is read and computed for an element, by the slowest dimensions of the reference
/// that it is invariant along.
class SharedWork {
public:
  SharedWork(const KernelView &kernel, const ReferenceOutput &reference, int64_t innerDims)
      : kernel(kernel), all(getConcrete(kernel, reference.classes)),
        rows(ArrayRef(reference.classes).drop_back(innerDims)),
        columns(ArrayRef(reference.classes).take_back(innerDims)),
        mayBeAcross(readsAcross(kernel, all)) {
    for (const GlobalTensor &tensor : kernel.getTensors())
      addTensor(tensor);
    for (TensorViewOpInterface op : kernel.getOps())
      addOp(op);
  }

  SharedPlanes get() const {
    SharedPlanes planes;
    planes.elementBytes = getWidestOutput(kernel);
    const int64_t cost = sharedBytes + sharedCost;
    // Tensors that have columns and some of the rows.
    const bool hasRows = !areBroadcast(rows.drop_front(ofTensors));
    if (isAcross || (hasRows && 2 * sharedBytes > fullBytes)) {
      planes.outerDims = ofTensors;
    } else if (cost > kLeastCost * fullBytes) {
      planes.outerDims = std::min(ofTensors, ofOps);
      planes.isMuch = planes.outerDims > 0;
    }
    for (int64_t invariant : functions)
      ++(planes.outerDims > 0 && invariant >= planes.outerDims ? planes.sharedFunctions
                                                               : planes.functions);
    return planes;
  }

private:
  bool isBroadcast(unsigned dimClass) const { return kernel.getClasses().isBroadcast(dimClass); }
  bool areBroadcast(ArrayRef<unsigned> classes) const {
    return llvm::all_of(classes, [&](unsigned dimClass) { return isBroadcast(dimClass); });
  }

  /// True where none of the classes is this one of the reference.
  bool isInvariantAlong(ArrayRef<unsigned> own, unsigned dimClass) const {
    return llvm::none_of(
        own, [&](unsigned each) { return findInReference(kernel, each, all) == dimClass; });
  }
  /// The same for columns of more than one element: some of them, or all.
  bool isInvariantAlongColumn(ArrayRef<unsigned> own) const {
    return llvm::any_of(columns, [&](unsigned dimClass) {
      return !isBroadcast(dimClass) && isInvariantAlong(own, dimClass);
    });
  }
  bool isInvariantAlongColumns(ArrayRef<unsigned> own) const {
    return !columns.empty() && llvm::all_of(columns, [&](unsigned dimClass) {
      return !isBroadcast(dimClass) && isInvariantAlong(own, dimClass);
    });
  }

  /// Along how many of the slowest rows what has these classes is invariant; 0 if these rows have
  /// size 1.
  int64_t countInvariantRows(ArrayRef<unsigned> own) const {
    auto isInvariant = [&](unsigned dimClass) { return isInvariantAlong(own, dimClass); };
    const size_t count = llvm::find_if_not(rows, isInvariant) - rows.begin();
    return areBroadcast(rows.take_front(count)) ? 0 : int64_t(count);
  }

  void addTensor(const GlobalTensor &tensor) {
    const int64_t invariant = countInvariantRows(tensor.order);
    if (invariant == 0) {
      // Values of rows are few bytes.
      if (!isInvariantAlongColumns(tensor.order))
        fullBytes += tensor.elementBytes;
      return;
    }
    if (tensor.isOutput || isInvariantAlongColumn(tensor.order))
      return;
    sharedBytes += tensor.elementBytes;
    isAcross |= mayBeAcross && isReadAcross(kernel, all, tensor);
    ofTensors = std::min(ofTensors, invariant);
  }

  void addOp(TensorViewOpInterface op) {
    const SmallVector<unsigned> own = kernel.getOwnClasses(op);
    const bool isOfElements = all.empty() || llvm::is_contained(own, all.back());
    const int64_t invariant = isInvariantAlongColumns(own) ? 0 : countInvariantRows(own);
    if (isFunction(op) && isOfElements)
      functions.push_back(invariant);
    if (invariant == 0)
      return;
    sharedCost += getCost(op);
    if (getCost(op) > 0)
      ofOps = std::min(ofOps, invariant);
  }

  const KernelView &kernel;
  const SmallVector<unsigned> all;
  const ArrayRef<unsigned> rows, columns;
  const bool mayBeAcross;
  bool isAcross = false;
  /// Bytes of an element: of tensors that vary along the slowest row, and of others.
  int64_t fullBytes = 0, sharedBytes = 0;
  int64_t sharedCost = 0;
  /// Along how many of the slowest rows each function of elements is invariant.
  SmallVector<int64_t> functions;
  /// Along how many of the slowest rows all shared tensors are, and all shared ops.
  int64_t ofTensors = int64_t(rows.size()), ofOps = int64_t(rows.size());
};

} // namespace

SharedPlanes fuser::findSharedPlanes(const KernelView &kernel, const ReferenceOutput &reference,
                                     int64_t innerDims) {
  return SharedWork(kernel, reference, innerDims).get();
}
