//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_SCHEDULING_SCHEDULERS_POINTWISETILE_H
#define FUSER_LIB_SCHEDULING_SCHEDULERS_POINTWISETILE_H

#include "fuser/Artifact/DeviceDescription.h"
#include "fuser/Scheduling/ReferenceOutput.h"
#include "fuser/Scheduling/Requirements.h"

namespace fuser {

/// Threads of a block.
inline constexpr int64_t kPointwiseThreads = 128;
/// The most planes of a thread.
inline constexpr int64_t kPlanesOfThread = 4;
/// The bytes of the widest access.
inline constexpr int64_t kAccessBytes = 16;

/// What a block of a pointwise kernel computes: threads along columns, elements of a vector,
/// vectors of a thread, and rows.
struct PointwiseTile {
  int64_t threads, vector, unroll, rows;
  /// A thread has several elements of a row that are computed from the same elements, or are looked
  /// for: it has no elements of other planes.
  bool isOfOnePlane = false;
  /// Rows at data-dependent indices: blocks along a second axis of the grid find theirs sooner.
  bool isIndirect = false;
  /// The columns may end within a vector.
  bool isRagged = false;
  int64_t getColumns() const { return threads * vector * unroll; }
};

/// The bytes of an element of all tensors that have the dimensions `reference`.
int64_t getBytesOfWhole(const KernelView &kernel, llvm::ArrayRef<unsigned> reference);

/// The limit of contiguous bytes per thread, in several accesses, of an argument that is broadcast
/// along some of the dimensions `reference`: with twice as many, an access of a warp touches twice
/// as many lines of the L1 cache. Lower if the tensors that are not broadcast have few bytes per
/// element.
int64_t getMostBytesOfLanes(const KernelView &kernel, llvm::ArrayRef<unsigned> reference);

/// A tile whose fastest `innerDims` dimensions of the reference are columns. A thread computes at
/// most `mostElements` of a plane, of which it has several where these `shareMuch`.
PointwiseTile chooseTile(const KernelView &kernel, const Requirements &requirements,
                         const ReferenceOutput &reference, int64_t innerDims, int64_t mostElements,
                         bool shareMuch, const artifact::DeviceDescription &device);

/// The widest vectors along the fastest `innerDims` dimensions of the reference, of several
/// accesses.
int64_t getMostVector(const KernelView &kernel, const Requirements &requirements,
                      const ReferenceOutput &reference, int64_t innerDims);

/// A tile of all dimensions as columns, of which tensors with all of them have wider vectors than
/// `tile`; nullopt if there is none. Collects what makes its vectors legal.
std::optional<PointwiseTile> chooseFlatTile(const KernelView &kernel, Requirements &requirements,
                                            const ReferenceOutput &reference,
                                            const PointwiseTile &tile, int64_t mostElements);

/// Collects what makes vectors of `vector` elements along all dimensions legal; false if nothing
/// does.
bool requireFlat(const KernelView &kernel, Requirements &requirements, llvm::ArrayRef<unsigned> all,
                 int64_t vector);
/// True if the last of such vectors may be partial.
bool isRaggedFlat(const Requirements &requirements, llvm::ArrayRef<unsigned> all, int64_t vector);

/// The fastest columns that are contiguous in an argument without the other columns; empty for
/// other tensors. A vector of all columns reads the argument in parts, or as one access if it
/// divides the product of these.
llvm::ArrayRef<unsigned> getColumnsOfPart(const GlobalTensor &tensor,
                                          llvm::ArrayRef<unsigned> columns);

/// A tile whose columns are the fastest `innerDims` dimensions of the reference.
struct MergedTile {
  PointwiseTile tile;
  int64_t innerDims;
};

/// A tile of some dimensions as columns, which all outputs have next to each other, with wider
/// vectors than `tile`; nullopt if there is none. Lanes look up the elements of inputs that lack
/// some of these dimensions.
std::optional<MergedTile> chooseMergedTile(const KernelView &kernel,
                                           const Requirements &requirements,
                                           const ReferenceOutput &reference,
                                           const PointwiseTile &tile, int64_t mostElements);

/// The widest vectors of such a tile whose columns are the fastest `innerDims` dimensions; 1 if
/// these can be no columns of one.
int64_t getMergedVector(const KernelView &kernel, const Requirements &requirements,
                        const ReferenceOutput &reference, int64_t innerDims);

/// Rows of `threads` vectors, with the fewest threads of warps that do not exist: up to `most`, and
/// up to 256 if there are clearly fewer then.
PointwiseTile shareRows(int64_t threads, int64_t vector, int64_t unroll, int64_t most);

/// A tile whose threads have all columns of a row each, which are few, of an odd number, and share
/// most of what is computed; nullopt for other kernels.
std::optional<PointwiseTile> chooseRowTile(const KernelView &kernel,
                                           const Requirements &requirements,
                                           const ReferenceOutput &reference, int64_t mostElements,
                                           const artifact::DeviceDescription &device);

/// True for an input of which adjacent elements of the fastest dimension of `reference` are apart
/// in memory.
bool isReadAcross(const KernelView &kernel, llvm::ArrayRef<unsigned> reference,
                  const GlobalTensor &tensor);
/// True for a kernel with such an input and without an input that has all dimensions (coordinates
/// of points, of which all pairs are computed). A vector would have its lanes even further apart;
/// rows that a thread computes share the elements.
bool readsAcross(const KernelView &kernel, llvm::ArrayRef<unsigned> reference);

/// The bytes of the widest element that is stored.
int64_t getWidestOutput(const KernelView &kernel);

/// True if the op reads some dimension of an operand in one of these ways.
bool readsBy(TensorViewOpInterface op, llvm::ArrayRef<DimMap::Kind> kinds);

/// True if the sizes of all dimensions are constants.
bool areConstant(const KernelView &kernel, llvm::ArrayRef<unsigned> dims);

/// True for a function of elements that keeps a thread busy, not a cheap one.
bool isFunction(TensorViewOpInterface op);

/// The largest power of two (of at most 16) that divides the offset.
int64_t getDivisorOf(const ClassResize &resize);

} // namespace fuser

#endif // FUSER_LIB_SCHEDULING_SCHEDULERS_POINTWISETILE_H
