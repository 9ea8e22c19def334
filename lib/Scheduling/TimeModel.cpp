//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/TimeModel.h"
#include "fuser/Dialect/IR/OpSupport.h"
#include "fuser/Scheduling/MovedDims.h"
#include "fuser/Scheduling/UpdateShape.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cmath>

using namespace mlir;
using namespace fuser;

/// Instructions of an element: of a cheap op, of any other (a call of exp, a division) and of a
/// conversion of a float to an integer, which has an eighth of the rate, of one that reduces its
/// argument (a sine), of one step of a reduction, and of moving one element between memory and
/// registers.
constexpr double kCheap = 1, kCostly = 8, kLong = 40, kCombine = 2, kMove = 1;
/// Instructions of an atomic access of shared memory: integers of 32 bits have one, others are
/// compared and swapped until no other thread has changed them, which takes longer where few
/// elements are combined.
constexpr double kCombineShared = 16, kSwapShared = 40, kFewElements = 64;
/// Atomic accesses of one sector, and bytes that the L2 cache moves for one of them and for each
/// byte of a row that is combined as a whole.
constexpr double kAccessSeconds = 8e-9, kAtomicBytes = 44, kAtomicBytesEach = 2.5;
/// Elements whose accesses may be under way at the same time.
constexpr double kElementsUnderWay = 1 << 20;
/// Instructions that a multiprocessor issues per cycle, and threads that it needs for that.
constexpr double kLanes = 128, kThreadsForFullRate = 512;
/// The time after which a multiprocessor begins another block, and the part of the time of its
/// accesses that they take where other multiprocessors access nothing.
constexpr double kBlockSeconds = 80e-9, kMemoryAlone = 0.3;
/// Bytes of a memory sector. The additional bytes of uncoalesced accesses mostly come from the L2
/// cache, whose bandwidth is of the order of that of memory.
constexpr double kSectorBytes = 32;
/// The time of a byte that is read again from the L2 cache as a part of that of memory, and bytes
/// of a tensor that the L1 cache has after the first read. On one NVIDIA H200 int8 of 64x8x4096x128
/// by scales whose heads are fastest take 1098 us, 203 with scales in the order of the elements.
constexpr double kShareOfL2 = 0.5, kBytesInL1 = 64 << 10;
/// The default if the device description has no rate.
constexpr double kBytesPerSecond = 1e12, kClockHz = 1e9;

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

namespace {

/// Measures the work of one kernel.
class Meter {
public:
  Meter(const KernelView &kernel, const SizeHints &hints, const ResourceUse &use)
      : kernel(kernel), hints(hints), use(use), sizes(kernel.getClasses().getNumClasses(), -1) {
    for (TensorViewOpInterface op : kernel.getOps())
      if (double own = getSize(kernel.getOwnClasses(op)); own > mostElements) {
        mostElements = own;
        reference = kernel.getOwnClasses(op);
      }
  }

  KernelWork run();

private:
  double getSize(unsigned dimClass) {
    if (sizes[dimClass] < 0) {
      std::optional<int64_t> size = hints.evaluate(kernel.getExtent(dimClass), kernel.getExtents());
      sizes[dimClass] = size ? double(*size) : kUnknownSize;
    }
    return sizes[dimClass];
  }
  double getSize(ArrayRef<unsigned> classes) {
    double size = 1;
    for (unsigned dimClass : classes)
      size *= getSize(dimClass);
    return size;
  }
  double getEvaluations(TensorViewOpInterface op, bool isBehind);
  double getInstructions(TensorViewOpInterface op);
  double getDistance(const GlobalTensor &tensor);
  double getWasted(const GlobalTensor &tensor, double elements);
  void addPrivatized(KernelWork &work, const GlobalTensor &tensor, UpdateOpInterface update);
  void addUpdate(KernelWork &work, const GlobalTensor &tensor, UpdateOpInterface update);

  const KernelView &kernel;
  const SizeHints &hints;
  const ResourceUse &use;
  /// By class; -1: not computed yet.
  std::vector<double> sizes;
  /// The elements of the op with the most elements, and its dimensions, the fastest last.
  double mostElements = -1;
  SmallVector<unsigned> reference;
};

} // namespace

/// How often an element of `op` is computed. Its loops are those of the reference: if it lacks some
/// dimensions but has the fastest, it is recomputed for each index of these; if it lacks the
/// fastest, once in each thread.
double Meter::getEvaluations(TensorViewOpInterface op, bool isBehind) {
  SmallVector<unsigned> own = kernel.getOwnClasses(op);
  double elements = getSize(own), threads = double(use.blocks) * double(use.threads);
  if (!isBehind && !reference.empty() && llvm::is_contained(own, reference.back()))
    return std::max(elements, mostElements);
  return std::max(elements, std::min(threads, mostElements));
}

/// True if the op makes integers of floats, as a quantization does. Booleans are comparisons.
static bool makesIntegers(TensorViewOpInterface op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  const Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType())) && type.isInteger() &&
         !type.isInteger(1);
}

double Meter::getInstructions(TensorViewOpInterface op) {
  if (isa<CombinerOpInterface>(op.getOperation()))
    return kCombine;
  if (isa<ElementwiseOpInterface>(op.getOperation()))
    return op->hasTrait<LongElement>()                          ? kLong
           : op->hasTrait<CheapElement>() && !makesIntegers(op) ? kCheap
                                                                : kCostly;
  // It loops over dimensions that it reads whole for each element.
  double steps = 1;
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  for (OpOperand &operand : op->getOpOperands()) {
    double own = 1;
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())))
      if (map.kind == DimMap::Kind::Whole)
        own *= getSize(kernel.getClasses().getClass(operand.get(), dim));
    steps = std::max(steps, own);
  }
  return kCombine * steps;
}

/// The update whose result is the output; null for other tensors.
static UpdateOpInterface getUpdate(const GlobalTensor &tensor) {
  return tensor.isOutput ? tensor.value.getDefiningOp<UpdateOpInterface>() : UpdateOpInterface();
}

/// Elements are combined in shared memory first. Adjacent threads combine adjacent elements of the
/// copy with the output.
void Meter::addPrivatized(KernelWork &work, const GlobalTensor &tensor, UpdateOpInterface update) {
  const double elements = getSize(tensor.order);
  const Type type = getElementTypeOrSelf(update->getResult(0).getType());
  work.operations +=
      elements * (type.isInteger(32)
                      ? kCombineShared
                      : kSwapShared * (1 + kFewElements * double(tensor.elementBytes) /
                                               std::max(1.0, double(use.sharedBytes))));
  auto output = cast<RankedTensorType>(update->getResult(0).getType());
  double bytes = use.copies * double(tensor.elementBytes);
  for (unsigned dim : getUpdateShape(kernel, update, tensor.order).dims)
    bytes *= output.isDynamicDim(dim) ? kUnknownSize : double(output.getDimSize(dim));
  work.bytesWritten += bytes;
  work.bytesWasted += bytes * (kAtomicBytesEach - 1);
}

/// Each element is an access of the L2 cache, or, of rows that are combined as wholes, each sector.
/// Accesses of one sector wait for each other.
void Meter::addUpdate(KernelWork &work, const GlobalTensor &tensor, UpdateOpInterface update) {
  const double elements = getSize(tensor.order), bytes = double(tensor.elementBytes);
  const UpdateShape shape = getUpdateShape(kernel, update, tensor.order);
  const bool isApart = shape.position + 1 >= tensor.order.size();
  work.bytesWritten += elements * bytes;
  work.operations += elements * kMove;
  if (isApart)
    work.bytesWasted +=
        elements * std::max(0.0, (update.getCombination() ? kAtomicBytes : kSectorBytes) - bytes);
  else if (update.getCombination())
    work.bytesWasted += elements * bytes * (kAtomicBytesEach - 1);
  if (!update.getCombination())
    return;
  // What the elements that are under way at a time are combined in.
  const double ofRow = getSize(ArrayRef(tensor.order).drop_front(shape.position));
  const double rows =
      std::clamp(kElementsUnderWay / std::max(ofRow, 1.0), 1.0, std::max(elements / ofRow, 1.0));
  double destinations = rows;
  auto type = cast<RankedTensorType>(update->getResult(0).getType());
  for (unsigned dim : shape.dims)
    destinations *= type.isDynamicDim(dim) ? kUnknownSize : double(type.getDimSize(dim));
  const double sectors = std::max(32.0, destinations * bytes / kSectorBytes);
  const double accesses = isApart ? elements : elements * bytes / kSectorBytes;
  work.secondsWaited += accesses / sectors * kAccessSeconds;
}

/// Bytes between elements of a scattered tensor that adjacent threads access: at most a sector, or
/// the bytes of the faster dimensions of an argument (a channel of pixels), since other threads
/// read the rest of the sector. A transposition has tiles for the latter, and elements that are
/// written are parts of sectors each.
double Meter::getDistance(const GlobalTensor &tensor) {
  const double bytes = double(tensor.elementBytes);
  double distance = kSectorBytes;
  // The dimension that adjacent threads are along is the fastest of some op with all elements.
  for (TensorViewOpInterface op : kernel.getOps()) {
    const SmallVector<unsigned> own = kernel.getOwnClasses(op);
    if (tensor.isOutput || own.empty() || getSize(own) < mostElements ||
        (kernel.getReductions().empty() && tensor.find(own.back()) >= 0))
      continue;
    const int64_t place = findAlong(kernel, tensor, own.back(), own);
    if (place < 0 || place + 1 == int64_t(tensor.order.size()) ||
        !llvm::all_of(
            ArrayRef(tensor.contiguous).drop_front(place),
            [](bool contiguous) { return contiguous; }))
      continue;
    distance = std::min(distance, bytes * getSize(ArrayRef(tensor.order).drop_front(place + 1)));
  }
  return std::max(distance, bytes);
}

/// Bytes that are moved in addition to `elements` of a scattered tensor: the rest of the sectors,
/// and whole ones where elements are read again, along a broadcast dimension or at data-dependent
/// indices. The latter come from the L2 cache, unless the tensor fits in the L1 cache.
double Meter::getWasted(const GlobalTensor &tensor, double elements) {
  const double distance = getDistance(tensor);
  const double wasted = elements * (distance - double(tensor.elementBytes));
  if (tensor.isOutput || !kernel.getReductions().empty() ||
      elements * double(tensor.elementBytes) <= kBytesInL1)
    return wasted;
  return wasted + std::max(0.0, mostElements - elements) * distance * kShareOfL2;
}

KernelWork Meter::run() {
  KernelWork work;
  llvm::SmallPtrSet<Operation *, 16> behind;
  for (TensorViewOpInterface op : kernel.getOps()) {
    bool isBehind = llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return producer &&
             (behind.contains(producer) || llvm::is_contained(kernel.getReductions(), producer));
    });
    // Rows that are used again after a reduction count like other elements.
    if (isBehind && getSize(kernel.getOwnClasses(op)) < mostElements)
      behind.insert(op);
    work.operations += getEvaluations(op, behind.contains(op)) * getInstructions(op);
  }
  for (auto [number, tensor] : llvm::enumerate(kernel.getTensors())) {
    double elements = getSize(tensor.order);
    if (!tensor.isOutput) {
      // If an argument is read at an offset, only a part of it may be read.
      double reads = 0;
      for (Operation *user : tensor.value.getUsers())
        if (auto view = dyn_cast<TensorViewOpInterface>(user))
          reads +=
              isa<ElementwiseOpInterface>(user) ? getSize(kernel.getOwnClasses(view)) : elements;
      bool isMoved = llvm::any_of(tensor.value.getUses(), isReadInPlace);
      elements = isMoved ? std::min(elements, reads) : elements;
    }
    if (UpdateOpInterface update = getUpdate(tensor)) {
      use.copies < 0 ? addUpdate(work, tensor, update) : addPrivatized(work, tensor, update);
      continue;
    }
    (tensor.isOutput ? work.bytesWritten : work.bytesRead) += elements * tensor.elementBytes;
    work.operations += elements * kMove;
    if (llvm::is_contained(use.scattered, number))
      work.bytesWasted += getWasted(tensor, elements);
  }
  return work;
}

KernelWork fuser::measureWork(const KernelView &kernel, const SizeHints &hints,
                              const ResourceUse &use) {
  return Meter(kernel, hints, use).run();
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

int64_t fuser::getResidentBlocks(const ResourceUse &use,
                                 const artifact::DeviceDescription &device) {
  int64_t blocks = std::max<int64_t>(device.maxBlocksPerMultiprocessor, 1);
  auto limit = [&](int64_t available, int64_t needed) {
    if (available > 0 && needed > 0)
      blocks = std::min(blocks, available / needed);
  };
  limit(device.maxThreadsPerMultiprocessor, use.threads);
  limit(device.registersPerMultiprocessor,
        use.threads * std::min(use.registers, device.maxRegistersPerThread));
  limit(device.sharedBytesPerMultiprocessor, use.sharedBytes);
  return std::max<int64_t>(blocks, 1);
}

Roofs fuser::getRoofs(const artifact::DeviceDescription &device) {
  double clock = device.clockHz > 0 ? double(device.clockHz) : kClockHz;
  return {device.memoryBandwidth > 0 ? double(device.memoryBandwidth) : kBytesPerSecond,
          double(std::max<int64_t>(device.multiprocessors, 1)) * kLanes * clock};
}

double fuser::predictMicroseconds(const KernelWork &work, const ResourceUse &use,
                                  const artifact::DeviceDescription &device) {
  double multiprocessors = std::max<int64_t>(device.multiprocessors, 1);
  const Roofs roofs = getRoofs(device);
  double latency = double(device.memoryLatencyNs) * 1e-9;
  double slots = multiprocessors * double(getResidentBlocks(use, device));
  // A grid of unknown size is assumed to fill the device.
  double blocks = use.blocks > 0 ? double(use.blocks) : slots;
  double threads = std::min(blocks, slots) * double(use.threads);

  double underWay = threads * double(std::max<int64_t>(use.bytesInFlight, 1));
  double reached = latency > 0 ? std::min(1.0, underWay / (latency * roofs.bytesPerSecond)) : 1.0;
  // The unused bytes of a sector are in flight together with the used ones: they take bandwidth,
  // but no additional latency.
  double used = work.bytesRead + use.bytesReadAgain + work.bytesWritten;
  double memory =
      std::max(used / reached, used + work.bytesWasted) / (roofs.bytesPerSecond * use.busyShare);
  double active = std::min(1.0, threads / (multiprocessors * kThreadsForFullRate));
  double arithmetic = work.operations / (roofs.operationsPerSecond * active);
  // What a block does one after the other overlaps with other blocks of its multiprocessor.
  const double serial = use.secondsOfExchanges > 0
                            ? (blocks * (latency + use.secondsOfExchanges) / multiprocessors +
                               kMemoryAlone * memory + arithmetic) /
                                  std::max(1.0, std::min(blocks, slots) / multiprocessors)
                            : 0;
  // Blocks begin one after the other, but for the first of each multiprocessor.
  const double launch = std::max(0.0, double(use.blocks) / multiprocessors - 1) * kBlockSeconds;
  // The last wave of blocks leaves a part of the device idle; earlier blocks end at different
  // times, so that about half of it is lost.
  double waves = blocks / slots;
  double tail = waves > 1 ? 1 + 0.5 * (std::ceil(waves) / waves - 1) : 1;
  // Memory and arithmetic overlap, but not perfectly if they are about equal.
  const double overlapped = std::max(
      {std::pow(std::pow(memory, 4) + std::pow(arithmetic, 4) + std::pow(work.secondsWaited, 4),
                0.25),
       serial, launch});
  return (overlapped * tail + latency * double(use.numSteps)) * 1e6;
}

double fuser::predictMicroseconds(const KernelView &kernel, const SizeHints &hints,
                                  const ResourceUse &use,
                                  const artifact::DeviceDescription &device) {
  return predictMicroseconds(measureWork(kernel, hints, use), use, device);
}
