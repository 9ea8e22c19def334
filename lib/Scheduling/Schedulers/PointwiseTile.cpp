//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tile of a block of pointwise kernels.
//
//===----------------------------------------------------------------------===//

#include "PointwiseTile.h"
#include "MovedReads.h"
#include "Warps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

constexpr int64_t kThreads = kPointwiseThreads;
/// The vectors of a row of narrow ones that shares a block: the fewest, the most, and those of a
/// thread, unless they are looked for in parts of a row; the most threads of such a block; and what
/// what a thread costs, in vectors, in addition to them.
constexpr int64_t kLeastShared = 8, kMostShared = 1024, kUnrollOfShared = 4;
constexpr int64_t kMostSharedThreads = 256, kMostFilled = 256;
constexpr double kFewerIdle = 0.95;
constexpr double kCostOfThread = 1.6;
/// A thread has one vector of this many bytes, or several narrower ones with the same total, which
/// amortizes the per-thread and per-block overhead.
constexpr int64_t kBytesOfThread = 16;
/// The maximum number of narrower vectors.
constexpr int64_t kLeastUnroll = 4, kMostUnroll = 8;
/// Vectors of a thread that reads rows at data-dependent indices: their loads wait for those of the
/// indices together; those of a thread of short rows, the vectors of the shortest of them, and the
/// least blocks per SM. Rows of 768 bf16 take 75 us on one NVIDIA H200 with two of each of 48
/// threads, 79 with four, 83 with one.
constexpr int64_t kIndirectUnroll = 4, kShortIndirectUnroll = 2, kLeastIndirect = 32;
constexpr int64_t kIndirectBlocksPerSM = 8;
/// The widest vectors of elements at data-dependent columns: 1000 columns of 20000x3000 bf16 take
/// 45.0 us on one NVIDIA H200 with two elements, 49.8 with eight, and 136 in strips of columns.
constexpr int64_t kIndirectColumns = 2;
/// Their bytes where planes share the indices: lanes load their elements one by one. Images of
/// 64x64 f32 that become 100x100 by interpolation take 19.7 us with two elements of each of four
/// planes, 24.6 with four of two, 41.6 with four of one.
constexpr int64_t kSharedIndirectBytes = 8;
/// The threads of a block and the elements of each where lanes look up elements of long rows
/// (pixels of an image): its threads find sectors in the L1 cache that others have read. Images of
/// 64x16x128x128 f32 that are sampled at random places take 76 us on one NVIDIA H200 so, and 131
/// with 128 threads of vectors of four; by gathers of four neighbors each 104 and 172.
constexpr int64_t kLookupThreads = 1024, kLookupUnroll = 4;
/// The bytes of an element, of all tensors with all dimensions, up to which reading others by more
/// than 32 adjacent bytes of each thread takes longer than memory does. Comparisons of all pairs of
/// 16384 and 8192 i64 take 273 us on one NVIDIA H200 with 128 bytes of each thread, 42 with 32;
/// int8 by scales of columns to int8 of 16384x8192 86 with 64, 71 with 32.
constexpr int64_t kFewBytesOfWhole = 4;
/// The bytes of an element that is stored, at least: narrower ones have vectors.
constexpr int64_t kLeastLookupBytes = 4;
/// Adjacent bytes of a block where values of columns are most of what a thread reads, and how many
/// times as many bytes as those of elements they are at least: lanes of a warp in different rows
/// read them together, so that the L1 cache can follow.
constexpr int64_t kStripBytes = 128;
constexpr int64_t kLeastColumnShare = 4;
/// A thread that reads fewer bytes of elements has two vectors, and shares a block with more rows:
/// the values of rows and columns that it waits for serve more of what it stores. On one NVIDIA
/// H200 an outer product of 16384x8192 bf16 takes 62.8 us so, 83.8 with a vector in strips of
/// columns; exponentials of differences of 2048x256x256 f32 133 with two vectors, 165 with one;
/// one-hot vectors of 1000000x64 f32 69.3 with 16 rows of a block, 79.5 with 8; int8 by scales of
/// columns to 16384x8192 bf16 99.4 with two vectors, 103.8 with one.
constexpr int64_t kFewBytesOfThread = 16, kUnrollOfFew = 2;
/// Bytes of the widest tensor that blocks have at least, if threads have little of it: a
/// multiprocessor begins a block in 80 ns. The means of 2x2 of 64x3x512x512 bf16 take 83 us on one
/// NVIDIA H200 with 256 threads of 4 bytes, 122 with 128; pairs of coordinates of 512x224x224 f32
/// 79 us with 256 threads of 8 bytes, 125 with 128.
constexpr int64_t kBytesOfBlock = 2048, kMostThreadsOfLittle = 4 * kPointwiseThreads;
/// Bytes of a thread's stores, at least: mu-law bytes of 64x960000 f32 take 101 us on one NVIDIA
/// H200 with vectors of 8, 116 with 4.
constexpr int64_t kLeastStore = 8;
/// Inputs with fewer elements than this part of all are values of rows and columns.
constexpr int64_t kLeastShareOfElements = 8;
/// Bytes between adjacent columns in memory up to which a warp that reads across reads most of each
/// sector: channels of a pixel.
constexpr int64_t kNearBytes = 16;
/// The most parts of a row that are read together by one thread, and the bytes of all tensors that
/// it has of them: of more, vectors are narrower, so that more threads are resident. A rotation
/// whose cosines and sines are joined of six sections each, of bf16, has 40 registers with vectors
/// of 8 bytes, 64 with 16.
constexpr int64_t kMostParts = 4, kMostBytesOfParts = 256, kLeastVectorBytesOfParts = 8;
/// The most vectors of a row with parts that is computed by one thread, to which the part of each
/// element is known. Cross products of 4000000x3 f32 take 79 us on one NVIDIA H200 with a thread
/// for each element.
constexpr int64_t kMostOfShortRow = 12;

bool fuser::readsBy(TensorViewOpInterface op, ArrayRef<DimMap::Kind> kinds) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return llvm::any_of(mapping.getDimMaps(operand.getOperandNumber()),
                        [&](const DimMap &map) { return llvm::is_contained(kinds, map.kind); });
  });
}

bool fuser::isFunction(TensorViewOpInterface op) {
  return isa<ElementwiseOpInterface>(op.getOperation()) && !op->hasTrait<CheapElement>();
}

/// The classes of a tensor, as those of the reference that read them.
static SmallVector<unsigned> getClassesInReference(const KernelView &kernel,
                                                   ArrayRef<unsigned> reference,
                                                   const GlobalTensor &tensor) {
  return llvm::map_to_vector(tensor.order, [&](unsigned dimClass) {
    return findInReference(kernel, dimClass, reference);
  });
}

bool fuser::isReadAcross(const KernelView &kernel, ArrayRef<unsigned> reference,
                         const GlobalTensor &tensor) {
  if (tensor.isOutput || reference.empty())
    return false;
  const SmallVector<unsigned> own = getClassesInReference(kernel, reference, tensor);
  return llvm::is_contained(own, reference.back()) &&
         (own.back() != reference.back() || !tensor.contiguous.back());
}

bool fuser::readsAcross(const KernelView &kernel, ArrayRef<unsigned> reference) {
  auto isWholeInput = [&](const GlobalTensor &tensor) {
    const SmallVector<unsigned> own = getClassesInReference(kernel, reference, tensor);
    return !tensor.isOutput && llvm::all_of(reference, [&](unsigned dimClass) {
      return llvm::is_contained(own, dimClass);
    });
  };
  return llvm::none_of(kernel.getTensors(), isWholeInput) &&
         llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
           return isReadAcross(kernel, reference, tensor);
         });
}

/// True if what is read across has about as many elements as the reference, and those of adjacent
/// columns are the next ones of a dimension with a stride (a channel of pixels), or near each
/// other: other lanes, and the other elements of a thread, read the rest of a sector.
static bool readsNear(const KernelView &kernel, const Requirements &requirements,
                      ArrayRef<unsigned> reference) {
  const std::optional<int64_t> most = requirements.getSize(reference);
  auto isNear = [&](const GlobalTensor &tensor) {
    const SmallVector<unsigned> own = getClassesInReference(kernel, reference, tensor);
    const size_t column = llvm::find(own, reference.back()) - own.begin();
    const std::optional<int64_t> size = requirements.getSize(tensor.order),
                                 apart = requirements.getSize(
                                     ArrayRef(tensor.order).drop_front(column + 1));
    return size && apart && *size * kLeastShareOfElements >= *most &&
           *apart * tensor.elementBytes <= kNearBytes;
  };
  return most && llvm::all_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
           return !isReadAcross(kernel, reference, tensor) || isNear(tensor);
         });
}

/// True if the op reads some operand at data-dependent indices.
static bool readsAtData(TensorViewOpInterface op) { return readsBy(op, DimMap::Kind::Indirect); }

/// True if the op reads some operand at another index than its own: a slice, a pad, a part of a
/// concatenation. Every n-th element is in the vectors of the others.
static bool readsParts(TensorViewOpInterface op) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return llvm::any_of(llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber())),
                        [&](const auto &map) {
                          return map.value().kind == DimMap::Kind::Resized &&
                                 !isReadAtEveryNth(op, operand, map.index());
                        });
  });
}

/// True if the op reads rows of some operand at data-dependent indices: the index is not that of
/// the last dimension.
static bool readsRowsAtData(TensorViewOpInterface op) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  auto isIndirect = [](const DimMap &map) { return map.kind == DimMap::Kind::Indirect; };
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    SmallVector<DimMap> maps(mapping.getDimMaps(operand.getOperandNumber()));
    return llvm::any_of(maps, isIndirect) && !isIndirect(maps.back());
  });
}

/// True if the op reads columns of a matrix at data-dependent indices: threads of a row find
/// elements that others read in the L1 cache, as long as they are in one block. Indices that are
/// computed (of borders) are mostly adjacent.
static bool readsColumnsAtData(TensorViewOpInterface op) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    SmallVector<DimMap> maps(mapping.getDimMaps(operand.getOperandNumber()));
    return maps.size() > 1 && maps.back().kind == DimMap::Kind::Indirect;
  });
}

/// True if the value depends on elements of an argument: it is not computed from places alone.
static bool isOfArguments(Value value) {
  llvm::SmallSetVector<Value, 16> values;
  values.insert(value);
  for (size_t next = 0; next < values.size(); ++next) {
    if (!isa<RankedTensorType>(values[next].getType()))
      continue;
    Operation *op = values[next].getDefiningOp();
    if (!op)
      return true;
    values.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// True if the op looks up columns at indices that are data: those of adjacent elements may be
/// anywhere in the row.
static bool looksUpColumns(TensorViewOpInterface op) {
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  return readsColumnsAtData(op) && llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
           return isOfArguments(operand.get()) &&
                  llvm::none_of(
                      mapping.getDimMaps(operand.getOperandNumber()),
                      [](const DimMap &map) { return map.kind == DimMap::Kind::Indirect; });
         });
}

/// True if the elements of a row are combined in memory one by one: adjacent threads have adjacent
/// ones, so that their accesses share sectors. Vectors are added as such if they are f32.
static bool combinesElementsOfRows(TensorViewOpInterface op) {
  auto update = dyn_cast<UpdateOpInterface>(op.getOperation());
  if (!update || !update.getCombination())
    return false;
  const Type element = getElementTypeOrSelf(op->getResult(0).getType());
  auto mapping = cast<DomainMappingOpInterface>(op.getOperation());
  return mapping.getDimMaps(update.getUpdatedOperand()).back().kind != DimMap::Kind::Indirect &&
         !(update.getCombination().getValue() == ScatterReduce::Add && element.isF32());
}

int64_t fuser::getDivisorOf(const ClassResize &resize) {
  return resize.before == 0 ? 16 : std::min<int64_t>(16, resize.before & -resize.before);
}

int64_t fuser::getBytesOfWhole(const KernelView &kernel, ArrayRef<unsigned> reference) {
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (tensor.order.size() >= reference.size())
      bytes += tensor.elementBytes;
  return bytes;
}

int64_t fuser::getMostBytesOfLanes(const KernelView &kernel, ArrayRef<unsigned> reference) {
  return getBytesOfWhole(kernel, reference) > kFewBytesOfWhole ? 64 : 32;
}

/// The widest vectors along `columns`. Tensors that lack rows are in a cache: if their elements are
/// wider, one vector is several accesses. Of an element that several lanes read, it is one access.
static int64_t chooseVector(const KernelView &kernel, const Requirements &requirements,
                            ArrayRef<unsigned> reference, ArrayRef<unsigned> columns,
                            int64_t bytes = 16) {
  auto isFull = [&](const GlobalTensor &tensor) { return tensor.order.size() == reference.size(); };
  auto isOfLanes = [&](const GlobalTensor &tensor) {
    return getRepeatsOfElement(kernel, tensor, columns) == 1;
  };
  const int64_t lanes = getMostBytesOfLanes(kernel, reference);
  int64_t vector =
      std::min(requirements.getVectorWidth(columns, bytes, isFull),
               requirements.getVectorWidth(columns, std::max(bytes, lanes), isOfLanes));
  forEachResizedColumns(
      kernel, columns, [&](ArrayRef<unsigned> resized, const ClassResize &resize) {
        // A data-dependent read with an out-of-bounds lane would use an arbitrary index: such a
        // vector must be either entirely in bounds or entirely out of bounds in each dimension on
        // the path to the reference.
        bool isWhole = llvm::any_of(kernel.getOps(), [&](TensorViewOpInterface op) {
          return readsAtData(op) && llvm::any_of(kernel.getOwnClasses(op), [&](unsigned dimClass) {
                   return findInReference(kernel, dimClass, resize.from) == resize.from;
                 });
        });
        // The parts of a misaligned vector are loaded from a cache, but each part is stored
        // separately.
        bool isStored = llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
          return tensor.isOutput && tensor.find(resize.from) >= 0;
        });
        if (isWhole || isStored)
          vector = std::min({vector, requirements.getVectorWidth(resized), getDivisorOf(resize)});
      });
  return vector;
}

/// True if the parts of a vector that a read at an offset consists of are single elements: adjacent
/// threads then read elements that are one vector apart.
static bool isReadInElements(const KernelView &kernel, const Requirements &requirements,
                             ArrayRef<unsigned> columns) {
  bool inElements = false;
  forEachResizedColumns(
      kernel, columns, [&](ArrayRef<unsigned> resized, const ClassResize &resize) {
        inElements |= std::min(requirements.getVectorWidth(resized), getDivisorOf(resize)) == 1;
      });
  return inElements;
}

/// True if an output lacks a column, but has a dimension of size 1 that is merged with it: only one
/// element of a vector writes it.
static bool isWrittenByOneLane(const KernelView &kernel, ArrayRef<unsigned> columns) {
  const IdRelations &classes = kernel.getClasses();
  return llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
    auto isLacked = [&](unsigned dimClass) {
      return !classes.isBroadcast(dimClass) && tensor.find(dimClass) < 0;
    };
    if (!tensor.isOutput || llvm::none_of(columns, isLacked))
      return false;
    int64_t rank = cast<RankedTensorType>(tensor.value.getType()).getRank();
    return llvm::any_of(llvm::seq<int64_t>(0, rank), [&](int64_t dim) {
      return llvm::any_of(kernel.getLoopClasses(tensor.value, dim),
                          [&](unsigned dimClass) { return llvm::is_contained(columns, dimClass); });
    });
  });
}

/// True unless the elements are known to be so few that blocks of `blockElements` leave
/// multiprocessors without enough of them.
static bool fillsBlocks(const KernelView &kernel, const Requirements &requirements,
                        const ReferenceOutput &reference, int64_t blockElements,
                        const artifact::DeviceDescription &device) {
  std::optional<int64_t> size = requirements.getSize(getConcrete(kernel, reference.classes));
  return !size || *size / blockElements >= kIndirectBlocksPerSM * device.multiprocessors;
}

bool fuser::areConstant(const KernelView &kernel, ArrayRef<unsigned> dims) {
  return llvm::all_of(
      dims, [&](unsigned dimClass) { return isa<AffineConstantExpr>(kernel.getExtent(dimClass)); });
}

int64_t fuser::getWidestOutput(const KernelView &kernel) {
  int64_t bytes = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (tensor.isOutput)
      bytes = std::max(bytes, tensor.elementBytes);
  return bytes;
}

/// The elements of a strip of columns, if what a thread reads of columns, at each element, is many
/// times what it reads of elements.
static std::optional<int64_t> getStripOfColumns(const KernelView &kernel, ArrayRef<unsigned> rows,
                                                ArrayRef<unsigned> columns) {
  if (columns.empty())
    return std::nullopt;
  int64_t ofColumns = 0, ofElements = 0, widest = 1;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    const bool isOfElements = tensor.find(rows.back()) >= 0;
    if (isOfElements)
      widest = std::max(widest, tensor.elementBytes);
    if (!tensor.isOutput && tensor.find(columns.back()) >= 0)
      (isOfElements ? ofElements : ofColumns) += tensor.elementBytes;
  }
  if (ofColumns < kLeastColumnShare * std::max<int64_t>(1, ofElements))
    return std::nullopt;
  return kStripBytes / widest;
}

/// Bytes that are read for each element of the reference: of inputs with about as many elements.
static int64_t getBytesOfElements(const KernelView &kernel, const Requirements &requirements,
                                  ArrayRef<unsigned> reference) {
  const std::optional<int64_t> most = requirements.getSize(reference);
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    const std::optional<int64_t> size = requirements.getSize(tensor.order);
    const bool isOfElements = size && most ? *size * kLeastShareOfElements >= *most
                                           : tensor.order.size() + 1 >= reference.size();
    if (!tensor.isOutput && isOfElements)
      bytes += tensor.elementBytes;
  }
  return bytes;
}

/// A thread computes an element of each part of a row.
static std::optional<PointwiseTile> chooseTileOfParts(const KernelView &kernel,
                                                      const Requirements &requirements,
                                                      ArrayRef<unsigned> columns, int64_t vector) {
  const std::optional<int64_t> distance = getDistanceOfParts(kernel, columns);
  const std::optional<int64_t> size = requirements.getSize(columns);
  if (!distance || !size || *distance % vector != 0 || *size % *distance != 0)
    return std::nullopt;
  const int64_t parts = *size / *distance;
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    bytes += tensor.elementBytes;
  const int64_t widest = getWidestElement(kernel);
  while (vector * parts * bytes > kMostBytesOfParts && vector * widest > kLeastVectorBytesOfParts)
    vector /= 2;
  const int64_t threads = *distance / vector;
  if (threads > kThreads || !llvm::isPowerOf2_64(threads) || parts > kMostParts)
    return std::nullopt;
  return PointwiseTile{threads, vector, parts, kThreads / threads, /*isOfOnePlane=*/true};
}

/// True if results are so much narrower than what a thread loads that it has twice as many: it
/// computes their place, and stores them, once.
static bool storesLittle(const KernelView &kernel, const Requirements &requirements,
                         const ReferenceOutput &reference, ArrayRef<unsigned> columns,
                         int64_t vector) {
  const int64_t widest = getWidestElement(kernel);
  const size_t rank = getConcrete(kernel, reference.classes).size();
  auto isWhole = [&](const GlobalTensor &tensor) {
    return !tensor.isOutput && tensor.elementBytes == widest && tensor.order.size() == rank;
  };
  return vector > 1 && vector * widest == kBytesOfThread &&
         vector * getWidestOutput(kernel) < kLeastStore &&
         llvm::none_of(kernel.getOps(), readsAtData) &&
         llvm::any_of(kernel.getTensors(), isWhole) &&
         requirements.getVectorWidth(columns, 2 * kBytesOfThread) >= 2 * vector;
}

/// Rows of narrow vectors that share a block, with the fewest vectors and threads of warps that do
/// not exist: GELU with bias of 1000003x97 bf16 takes 172 us on one NVIDIA H200 with 25 threads of
/// each of five rows, 207 with 32 of each of four, 606 with one row. Elements that are looked for
/// in parts of a row (`hasParts`) have warps of one row, whose threads take the same branches:
/// padding 1000003x97 f32 takes 206 us so, 292 otherwise.
static std::optional<PointwiseTile> shareBlock(int64_t needed, int64_t vector, int64_t mostUnroll,
                                               bool hasParts) {
  if (needed < kLeastShared || needed > kMostShared)
    return std::nullopt;
  std::optional<PointwiseTile> best;
  double least = 0;
  auto consider = [&](int64_t threads, int64_t unroll, int64_t rows) {
    const double cost = double(llvm::alignTo(rows * threads, kWarp)) / double(rows) *
                        (kCostOfThread + double(unroll));
    if (best && cost >= least)
      return;
    best = PointwiseTile{threads, vector, unroll, rows};
    least = cost;
  };
  for (int64_t unroll = mostUnroll; unroll > 0; --unroll) {
    const int64_t threads = llvm::divideCeil(needed, unroll);
    if (hasParts) {
      const int64_t warps = llvm::alignTo(threads, kWarp);
      if (warps <= kThreads)
        consider(warps, unroll, kThreads / warps);
      continue;
    }
    // Of blocks that cost the same, the largest.
    for (int64_t rows = kMostSharedThreads / threads; rows > 0; --rows)
      consider(threads, unroll, rows);
  }
  return best;
}

/// A value of each row times 77777x640 bf16 takes 48.5 us on one NVIDIA H200 with two rows of 80
/// threads, 52.0 with one.
PointwiseTile fuser::shareRows(int64_t threads, int64_t vector, int64_t unroll, int64_t most) {
  int64_t best = 1;
  auto getIdle = [&](int64_t rows) {
    return double(llvm::alignTo(rows * threads, kWarp)) / double(rows * threads);
  };
  for (int64_t rows = 1; rows * threads <= std::max(kMostFilled, threads); ++rows)
    if (rows * threads <= most ? getIdle(rows) <= getIdle(best)
                               : getIdle(rows) < kFewerIdle * getIdle(best))
      best = rows;
  return {threads, vector, unroll, best};
}

int64_t fuser::getMostVector(const KernelView &kernel, const Requirements &requirements,
                             const ReferenceOutput &reference, int64_t innerDims) {
  ArrayRef<unsigned> columns = ArrayRef(reference.classes).take_back(innerDims);
  if (isWrittenByOneLane(kernel, columns))
    return 1;
  return chooseVector(kernel, requirements, getConcrete(kernel, reference.classes),
                      getConcrete(kernel, columns), kWidestVectorBytes);
}

PointwiseTile fuser::chooseTile(const KernelView &kernel, const Requirements &requirements,
                                const ReferenceOutput &reference, int64_t innerDims,
                                int64_t mostElements, bool shareMuch,
                                const artifact::DeviceDescription &device) {
  SmallVector<unsigned> columns =
      getConcrete(kernel, ArrayRef(reference.classes).take_back(innerDims));
  const SmallVector<unsigned> rows =
      getConcrete(kernel, ArrayRef(reference.classes).drop_back(innerDims));
  const bool hasRows = !rows.empty();
  int64_t vector =
      chooseVector(kernel, requirements, getConcrete(kernel, reference.classes), columns);
  const bool isAcross = readsAcross(kernel, getConcrete(kernel, reference.classes));
  if (isAcross || isWrittenByOneLane(kernel, ArrayRef(reference.classes).take_back(innerDims)) ||
      llvm::any_of(kernel.getOps(), combinesElementsOfRows))
    vector = 1;
  const int64_t widest = getWidestElement(kernel);
  const bool readsColumns = hasRows && llvm::any_of(kernel.getOps(), readsColumnsAtData);
  const bool gathersColumns = readsColumns && getStripOfColumns(kernel, rows, columns);
  constexpr int64_t ofLookup = kLookupThreads * kLookupUnroll;
  if (readsColumns && !gathersColumns && mostElements >= kLookupUnroll &&
      getWidestOutput(kernel) >= kLeastLookupBytes &&
      requirements.getSize(columns).value_or(0) >= ofLookup &&
      llvm::any_of(kernel.getOps(), looksUpColumns) &&
      fillsBlocks(kernel, requirements, reference, ofLookup, device))
    return {kLookupThreads, /*vector=*/1, kLookupUnroll, /*rows=*/1, /*isOfOnePlane=*/true};
  if (gathersColumns)
    vector = std::min(vector, kIndirectColumns);
  else if (readsColumns && shareMuch)
    vector = std::min({vector, std::max<int64_t>(1, kSharedIndirectBytes / getWidestOutput(kernel)),
                       std::max<int64_t>(1, mostElements / kPlanesOfThread)});
  vector = std::min(vector, mostElements);
  if (2 * vector <= mostElements && storesLittle(kernel, requirements, reference, columns, vector))
    vector *= 2;
  if (hasRows && vector * widest >= kBytesOfThread && 2 * vector <= mostElements)
    if (std::optional<PointwiseTile> tile =
            chooseTileOfParts(kernel, requirements, columns, vector))
      return *tile;
  int64_t unroll = 1;
  // A thread has several rows of elements that are read across.
  const bool isNarrow =
      vector * widest < kBytesOfThread && !(readsColumns && shareMuch) &&
      (!isAcross || readsNear(kernel, requirements, getConcrete(kernel, reference.classes)));
  if (isNarrow) {
    unroll = std::clamp(kBytesOfThread / (vector * widest), kLeastUnroll, kMostUnroll);
    if (vector > 1 && isReadInElements(kernel, requirements, columns)) {
      vector = 1;
      unroll = kMostUnroll;
    }
  }
  const int64_t elementBytes =
      getBytesOfElements(kernel, requirements, getConcrete(kernel, reference.classes));
  const bool isCheap = llvm::none_of(kernel.getOps(), isFunction);
  const bool readsNone = elementBytes == 0 && llvm::none_of(kernel.getOps(), [](auto op) {
                           return op->template hasTrait<LongElement>();
                         });
  if (hasRows && !isNarrow && !isAcross && readsNone)
    unroll = kUnrollOfFew;
  const bool isIndirect =
      llvm::any_of(kernel.getOps(), readsRowsAtData) &&
      fillsBlocks(kernel, requirements, reference, kIndirectUnroll * kThreads * vector, device);
  if (isIndirect || gathersColumns)
    unroll = std::max(unroll, kIndirectUnroll);
  unroll = std::min(unroll, mostElements / vector);

  // Short columns: several rows share a block.
  int64_t threads = kThreads, rowsPerBlock = 1;
  if (std::optional<int64_t> size = requirements.getSize(columns); size && hasRows) {
    int64_t needed = llvm::divideCeil(std::max<int64_t>(*size, 1), vector);
    if (isIndirect && needed < kThreads * unroll && needed >= kLeastIndirect) {
      if (needed <= kThreads * kShortIndirectUnroll)
        unroll = kShortIndirectUnroll;
      PointwiseTile tile =
          shareRows(llvm::divideCeil(needed, unroll), vector, unroll, 2 * kThreads);
      tile.isIndirect = true;
      return tile;
    }
    if (readsNone && unroll == kUnrollOfFew && needed < threads * unroll && needed % unroll == 0 &&
        needed / unroll >= kWarp)
      return shareRows(needed / unroll, vector, unroll, kMostFilled);
    if (needed < threads * unroll)
      unroll = std::clamp<int64_t>(llvm::divideCeil(needed, threads), 1, unroll);
    const std::optional<int64_t> strip = isAcross || readsNone || gathersColumns || shareMuch
                                             ? std::nullopt
                                             : getStripOfColumns(kernel, rows, columns);
    const bool hasParts = llvm::any_of(kernel.getOps(), readsParts);
    if (isNarrow && (!strip || needed <= *strip / vector) && !isIndirect &&
        fillsBlocks(kernel, requirements, reference, kThreads * kMostUnroll * vector, device))
      if (std::optional<PointwiseTile> tile = shareBlock(
              needed, vector,
              std::min(hasParts ? kMostUnroll : kUnrollOfShared, mostElements / vector), hasParts))
        return *tile;
    if (hasParts && needed <= kMostOfShortRow && areConstant(kernel, columns) &&
        needed * vector == *size && needed <= mostElements / vector &&
        fillsBlocks(kernel, requirements, reference, kThreads * *size, device))
      return {/*threads=*/1, vector, /*unroll=*/needed,
              /*rows=*/
              std::clamp(int64_t(llvm::bit_floor(uint64_t(kBytesOfBlock / (*size * widest)))),
                         kThreads, kMostThreadsOfLittle),
              /*isOfOnePlane=*/true};
    if (strip && unroll == 1) {
      if (isCheap && elementBytes * vector < kFewBytesOfThread && 2 * vector <= mostElements &&
          needed >= kUnrollOfFew * *strip / vector)
        unroll = kUnrollOfFew;
      needed = std::min(needed, std::max<int64_t>(1, *strip / vector));
    }
    // Of rows of parts that have more than a warp of full vectors, few warps are of two rows.
    if (needed < threads && !strip && (!hasParts || (!isNarrow && needed > kWarp)))
      return shareRows(needed, vector, unroll, readsNone ? kMostFilled : kThreads);
    if (needed < threads) {
      threads = llvm::PowerOf2Ceil(needed);
      rowsPerBlock = kThreads / threads;
    }
  }

  // Other threads would read the only element redundantly, perhaps after it has been overwritten.
  if (getConcrete(kernel, reference.classes).empty())
    threads = unroll = 1;
  return {threads, vector, unroll, rowsPerBlock, /*isOfOnePlane=*/gathersColumns};
}
