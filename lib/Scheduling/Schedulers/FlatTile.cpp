//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Vectors over all dimensions, which cross the ends of rows: rows of odd length begin at no
// multiple of a vector, but their elements are adjacent. Each lane loads its own element of a
// broadcast operand, which stays in the L1 cache. The last vector may be partial.
//
//===----------------------------------------------------------------------===//

#include "MovedReads.h"
#include "PointwiseTile.h"
#include "Warps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser;

/// How many times as wide vectors are at least: in general, and if lanes look up elements on their
/// own for vectors of less than an access.
constexpr int64_t kLeastGain = 2, kLeastGainOfParts = 4;

/// Bytes that memory transfers to a multiprocessor while its L1 cache serves one line, and the
/// bytes of a line: 4.2 TB/s to 132 multiprocessors of 1.75 GHz. The lanes of a warp that look up
/// elements read from as many lines as their vectors have bytes of the argument. On one NVIDIA
/// H200, of 57345x449 bf16 that are scaled and shifted by four arguments of columns, two of them
/// f32, vectors of 8 take 78.6 us, of 4 47.4, of 2 39.7; comparisons of all pairs of 16384 and 8191
/// f32 163, 97.9 and 83.5.
constexpr double kBytesOfMemoryPerLine = 18;
constexpr int64_t kBytesOfLine = 128;
/// The time of narrower vectors, as a part of that of wider ones, from which on these are kept.
constexpr double kGainOfNarrow = 0.95;

/// True if the tensor has some of the dimensions, not all, in their order: its index consists of
/// quotients and remainders. It is cheap if they are successive, the remainder of one quotient (the
/// channel of an image), or if sizes are constants and lanes share elements (pixels that are
/// repeated along rows and columns).
static bool hasSome(const KernelView &kernel, const GlobalTensor &tensor, ArrayRef<unsigned> all) {
  const SmallVector<unsigned> own = getConcrete(kernel, tensor.order);
  if (own.size() >= all.size())
    return false;
  const auto *place = own.empty() ? all.begin() : llvm::find(all, own.front());
  if (own.size() <= size_t(all.end() - place) && ArrayRef(place, own.size()) == ArrayRef(own))
    return true;
  if (own.back() == all.back())
    return false;
  for (unsigned dimClass : own) {
    place = std::find(place, all.end(), dimClass);
    if (place == all.end())
      return false;
    ++place;
  }
  return areConstant(kernel, all);
}

/// True if the tensor has all dimensions, the fastest one at an offset: a pad or a slice reads it.
static bool isAtOffset(const KernelView &kernel, const GlobalTensor &tensor,
                       ArrayRef<unsigned> all) {
  const SmallVector<unsigned> own = getConcrete(kernel, tensor.order);
  return own.size() == all.size() && own.back() != all.back() &&
         ArrayRef(own).drop_back() == all.drop_back() &&
         findInReference(kernel, own.back(), all) == all.back();
}

ArrayRef<unsigned> fuser::getColumnsOfPart(const GlobalTensor &tensor, ArrayRef<unsigned> columns) {
  const size_t rank = tensor.order.size();
  size_t count = 0;
  while (count < std::min(rank, columns.size()) && tensor.contiguous[rank - 1 - count] &&
         tensor.order[rank - 1 - count] == columns[columns.size() - 1 - count])
    ++count;
  return tensor.isOutput || count == columns.size() ? ArrayRef<unsigned>()
                                                    : columns.take_back(count);
}

/// The widest vectors of at most `vector` elements whose reads of arguments with some of the
/// columns are aligned, where one access has all lanes. Other lanes are read in parts.
static int64_t getAlignedVector(const KernelView &kernel, const Requirements &requirements,
                                ArrayRef<unsigned> columns, int64_t vector) {
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    const ArrayRef<unsigned> own = getColumnsOfPart(tensor, columns);
    while (vector > 1 && !own.empty() && requirements.getDivisor(own, vector) == vector &&
           !requirements.mayBeAligned(tensor, vector))
      vector /= 2;
  }
  return vector;
}

/// The widest vectors of at most `vector` elements that have `bytes` of each argument with some of
/// the columns.
static int64_t limitBytesOfLanes(const KernelView &kernel, ArrayRef<unsigned> columns,
                                 int64_t vector, int64_t bytes) {
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (!getColumnsOfPart(tensor, columns).empty())
      while (vector > 1 && vector * tensor.elementBytes > bytes)
        vector /= 2;
  return vector;
}

/// The number of L1 cache lines that a warp accesses per element of a vector along `columns`. An
/// access has at most 16 bytes; that of a broadcast operand is the widest one whose width divides
/// the operand's columns. An operand that is broadcast along all columns is one element per vector.
static double getLinesOfElement(const KernelView &kernel, const Requirements &requirements,
                                ArrayRef<unsigned> columns, int64_t vector) {
  double lines = 0;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (getConcrete(kernel, tensor.order).empty())
      continue;
    const ArrayRef<unsigned> own = getColumnsOfPart(tensor, columns);
    const bool isOneElement = own.empty() && !requirements.allowsVectors(tensor, columns);
    const int64_t part =
        std::min(own.empty() ? vector : requirements.getDivisor(own, vector),
                 isOneElement ? vector : std::max<int64_t>(1, kAccessBytes / tensor.elementBytes));
    double bytes = isOneElement ? 0 : double(kWarp * vector * tensor.elementBytes);
    if (std::optional<int64_t> size = requirements.getSize(own); size && !own.empty())
      bytes = std::min(bytes, double(*size * tensor.elementBytes));
    lines += std::max(1.0, bytes / kBytesOfLine) / double(kWarp * part);
  }
  return lines;
}

/// The vectors of at most `vector` elements for which the L1 cache and memory take the shortest.
static int64_t chooseLanes(const KernelView &kernel, const Requirements &requirements,
                           ArrayRef<unsigned> columns, int64_t bytesOfWhole, int64_t vector) {
  auto getTime = [&](int64_t width) {
    return std::max(getLinesOfElement(kernel, requirements, columns, width),
                    double(bytesOfWhole) / kBytesOfMemoryPerLine);
  };
  while (vector > 1 && getTime(vector / 2) < kGainOfNarrow * getTime(vector))
    vector /= 2;
  return vector;
}

/// Makes one division serve all lanes: `fastest` is as long as a vector, or a constant. Rows of one
/// element are not told from columns.
static bool requireCheapIndex(Requirements &requirements, unsigned fastest, int64_t vector) {
  const std::optional<int64_t> size = requirements.getSize(fastest);
  if (!size || *size < 2)
    return false;
  return *size >= vector ? requirements.requireAtLeast(fastest, vector)
                         : requirements.requireExactly(fastest);
}

/// True if the lanes of vectors along all dimensions look up elements of some argument; nullopt if
/// there can be no such vectors.
static std::optional<bool> looksUpLanes(const KernelView &kernel, ArrayRef<unsigned> all) {
  // Of several parts, as of a concatenation, each lane would look for its own. Every n-th element
  // is no part.
  if (all.empty() || readsAcross(kernel, all) ||
      llvm::count_if(kernel.getResizes(),
                     [&](const auto &each) { return !isOfEveryNth(kernel, each); }) > 1 ||
      llvm::any_of(kernel.getOps(), [](TensorViewOpInterface op) {
        return readsBy(op, {DimMap::Kind::Indirect, DimMap::Kind::Whole});
      }))
    return std::nullopt;
  bool isLooked = false;
  for (const GlobalTensor &whole : kernel.getTensors()) {
    if (whole.isAdjacent(all))
      continue;
    const GlobalTensor tensor = getReadTensor(kernel, whole);
    if (tensor.isOutput || !(hasSome(kernel, tensor, all) || isAtOffset(kernel, tensor, all)))
      return std::nullopt;
    isLooked |= !getConcrete(kernel, tensor.order).empty();
  }
  return isLooked;
}

/// The widest vectors of at most `most` elements along all dimensions.
static int64_t getFlatVector(const KernelView &kernel, const Requirements &requirements,
                             ArrayRef<unsigned> all, int64_t most) {
  return getAlignedVector(kernel, requirements, all,
                          std::min(requirements.getAccessWidth(all, kAccessBytes,
                                                               [&](const GlobalTensor &tensor) {
                                                                 return tensor.isAdjacent(all);
                                                               }),
                                   most));
}

bool fuser::isRaggedFlat(const Requirements &requirements, ArrayRef<unsigned> all, int64_t vector) {
  return requirements.getDivisor(all, vector) < vector;
}

bool fuser::requireFlat(const KernelView &kernel, Requirements &requirements,
                        ArrayRef<unsigned> all, int64_t vector) {
  const std::optional<bool> isLooked = looksUpLanes(kernel, all);
  return isLooked && getFlatVector(kernel, requirements, all, vector) == vector &&
         (!*isLooked || requireCheapIndex(requirements, all.back(), vector));
}

std::optional<PointwiseTile> fuser::chooseFlatTile(const KernelView &kernel,
                                                   Requirements &requirements,
                                                   const ReferenceOutput &reference,
                                                   const PointwiseTile &tile,
                                                   int64_t mostElements) {
  const SmallVector<unsigned> all = getConcrete(kernel, reference.classes);
  const std::optional<bool> isLooked = looksUpLanes(kernel, all);
  if (!isLooked)
    return std::nullopt;
  const int64_t most = getFlatVector(kernel, requirements, all, mostElements),
                vector = chooseLanes(kernel, requirements, all, getBytesOfWhole(kernel, all), most);
  int64_t widest = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (tensor.isAdjacent(all))
      widest = std::max(widest, tensor.elementBytes);
  const bool hasParts = *isLooked && most * widest < kAccessBytes;
  if (most < (hasParts ? kLeastGainOfParts : kLeastGain) * tile.vector ||
      vector < kLeastGain * tile.vector || !requireFlat(kernel, requirements, all, vector))
    return std::nullopt;
  PointwiseTile flat{kPointwiseThreads, vector, /*unroll=*/most / vector, /*rows=*/1};
  flat.isRagged = isRaggedFlat(requirements, all, vector);
  return flat;
}

//===----------------------------------------------------------------------===//
// Merged columns
//===----------------------------------------------------------------------===//

/// Lanes look up elements of inputs with fewer elements than this part of all, which caches hold.
constexpr int64_t kLeastShareOfLanes = 8;
/// The bytes of a vector whose lanes read at data-dependent indices: the lanes of a warp then read
/// from two lines of the L1 cache at a time.
constexpr int64_t kIndirectBytes = 8;
/// The threads of a block of several rows, at most.
constexpr int64_t kMostThreads = 2 * kPointwiseThreads;

/// True if some op reads a column of an operand at an offset, or up to another size: the lanes of a
/// vector would each have a guard.
static bool resizesColumns(const KernelView &kernel, ArrayRef<unsigned> columns) {
  return llvm::any_of(kernel.getClasses().getOffsets(), [&](const IdRelations::Offset &offset) {
    const bool isWhole =
        offset.before == 0 && kernel.getExtents().isProvablyEqual(kernel.getExtent(offset.from),
                                                                  kernel.getExtent(offset.to));
    return !isWhole && (findInReference(kernel, offset.from, columns) != IdRelations::kNone ||
                        findInReference(kernel, offset.to, columns) != IdRelations::kNone);
  });
}

static bool isReadAtData(OpOperand &use) {
  auto mapping = dyn_cast<DomainMappingOpInterface>(use.getOwner());
  return mapping && llvm::any_of(mapping.getDimMaps(use.getOperandNumber()), [](const DimMap &map) {
           return map.kind == DimMap::Kind::Indirect;
         });
}

/// The widest element of what is read at data-dependent indices; 0 if nothing is.
static int64_t getIndirectBytes(const KernelView &kernel) {
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (!tensor.isOutput && llvm::any_of(tensor.value.getUses(), isReadAtData))
      bytes = std::max(bytes, tensor.elementBytes);
  return bytes;
}

int64_t fuser::getMergedVector(const KernelView &kernel, const Requirements &requirements,
                               const ReferenceOutput &reference, int64_t innerDims) {
  const SmallVector<unsigned> all = getConcrete(kernel, reference.classes),
                              columns = getConcrete(
                                  kernel, ArrayRef(reference.classes).take_back(innerDims));
  const std::optional<int64_t> most = requirements.getSize(all);
  if (columns.size() < 2 || !most || !areConstant(kernel, columns) ||
      resizesColumns(kernel, columns) || llvm::any_of(kernel.getOps(), [](auto op) {
        return isa<UpdateOpInterface>(op.getOperation()) || readsBy(op, {DimMap::Kind::Whole});
      }))
    return 1;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (requirements.allowsVectors(tensor, columns))
      continue;
    if (tensor.isOutput)
      return 1;
    const std::optional<int64_t> size = requirements.getSize(tensor.order);
    if (!llvm::all_of(tensor.value.getUses(), isReadAtData) &&
        (!size || *size * kLeastShareOfLanes > *most))
      return 1;
  }
  const int64_t vector =
      requirements.getVectorWidth(columns, kAccessBytes, [&](const GlobalTensor &tensor) {
        return requirements.allowsVectors(tensor, columns);
      });
  const int64_t indirect = getIndirectBytes(kernel);
  return getAlignedVector(
      kernel, requirements, columns,
      indirect == 0 ? vector : std::min(vector, std::max<int64_t>(1, kIndirectBytes / indirect)));
}

std::optional<MergedTile> fuser::chooseMergedTile(const KernelView &kernel,
                                                  const Requirements &requirements,
                                                  const ReferenceOutput &reference,
                                                  const PointwiseTile &tile, int64_t mostElements) {
  int64_t widest = 1;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (tensor.isOutput)
      widest = std::max(widest, tensor.elementBytes);
  const SmallVector<unsigned> all = getConcrete(kernel, reference.classes);
  std::optional<MergedTile> best;
  for (int64_t innerDims = 2, rank = reference.classes.size(); innerDims < rank; ++innerDims) {
    const SmallVector<unsigned> columns =
        getConcrete(kernel, ArrayRef(reference.classes).take_back(innerDims));
    const int64_t most = limitBytesOfLanes(
        kernel, columns,
        std::min(getMergedVector(kernel, requirements, reference, innerDims), mostElements),
        getMostBytesOfLanes(kernel, all));
    const int64_t gain = most * widest < kAccessBytes ? kLeastGainOfParts : kLeastGain;
    if (most < gain * tile.vector)
      continue;
    // Elements at data-dependent indices are in lines of their own.
    const int64_t vector =
        getIndirectBytes(kernel) > 0
            ? most
            : chooseLanes(kernel, requirements, columns, getBytesOfWhole(kernel, all), most);
    if (vector < kLeastGain * tile.vector || (best && vector <= best->tile.vector))
      continue;
    const int64_t needed = llvm::divideCeil(*requirements.getSize(columns), most);
    if (needed < kWarp)
      continue;
    // Of the columns of a block, all threads have some.
    const int64_t threads = llvm::divideCeil(needed, llvm::divideCeil(needed, kMostThreads));
    best =
        MergedTile{shareRows(threads, vector, /*unroll=*/most / vector, kMostThreads), innerDims};
  }
  return best;
}
