//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StagedRows.h"
#include "PointwiseTile.h"
#include "Warps.h"
#include "fuser/Dialect/Transforms/Caching.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Scheduling/ReferenceOutput.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <numeric>

using namespace mlir;
using namespace fuser;

/// Threads of a block, at least.
constexpr int64_t kThreads = 128;
/// How many times as wide as other vectors those across the ends of rows are, at least, and where
/// no rows are stored: threads that only read wait for the barrier without anything under way.
/// Cosines of the rows of 200000x300 bf16 take 60 us on one NVIDIA H200 with vectors of 8 bytes,
/// 87 through shared memory.
constexpr int64_t kLeastGain = 2, kLeastGainOfReads = 4;
/// Bytes of the longest rows: of longer ones, the ends are a small part. Softmax of 50000x1001 bf16
/// takes 72.6 us on one NVIDIA H100 either way.
constexpr int64_t kMostRowBytes = 1280;
/// What a thread costs, in elements: its part of the copies, and of the combination.
constexpr int64_t kCostOfThread = 12;
/// Blocks of a multiprocessor, at least: blocks of many rows are few.
constexpr int64_t kLeastBlocks = 2;
/// The banks of shared memory, and the bytes that they return at a time.
constexpr int64_t kBanks = 32, kBankBytes = 4;

RowDims RowDims::get(const ReductionShape &shape) {
  if (!shape.part.empty() || !shape.outerReduced.empty())
    return {};
  return {shape.outerKept, shape.innerReduced};
}

/// All dimensions, without those of size 1.
static SmallVector<unsigned> getAll(const KernelView &kernel, const RowDims &dims) {
  SmallVector<unsigned> all(dims.rows);
  llvm::append_range(all, dims.columns);
  return getConcrete(kernel, all);
}

static bool isOfRows(const GlobalTensor &tensor, ArrayRef<unsigned> all) {
  return ArrayRef(tensor.order) == all;
}

int64_t fuser::getFlatWidth(const KernelView &kernel, const Requirements &requirements,
                            const RowDims &dims) {
  if (!kernel.getResizes().empty() || llvm::any_of(kernel.getOps(), [](TensorViewOpInterface op) {
        return readsBy(op, {DimMap::Kind::Indirect, DimMap::Kind::Whole});
      }))
    return 1;
  const SmallVector<unsigned> all = getAll(kernel, dims);
  // One row, or rows that no tensor has: an expansion makes them.
  if (getConcrete(kernel, dims.rows).empty() || getStagedBytes(kernel, dims) == 0)
    return 1;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (tensor.order.size() == all.size() && !tensor.isAdjacent(all))
      return 1;
    auto argument = dyn_cast<BlockArgument>(tensor.value);
    if (argument && !tensor.isOutput && isOverwritten(kernel.getKernel(), argument))
      return 1;
  }
  return requirements.getAccessWidth(
      all, kAccessBytes, [&](const GlobalTensor &tensor) { return isOfRows(tensor, all); });
}

int64_t fuser::getStagedBytes(const KernelView &kernel, const RowDims &dims) {
  const SmallVector<unsigned> all = getAll(kernel, dims);
  int64_t bytes = 0;
  for (const GlobalTensor &tensor : kernel.getTensors())
    if (isOfRows(tensor, all))
      bytes += tensor.elementBytes;
  return bytes;
}

int64_t fuser::countConflicts(int64_t rowBytes, int64_t stride, int64_t bytes, int64_t threads) {
  const int64_t lanes = std::min(kWarp, kBanks * kBankBytes / bytes);
  std::array<llvm::SmallVector<int64_t, kBanks>, kBanks> words;
  size_t most = 1;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    const int64_t first = lane / threads * rowBytes + lane % threads * stride;
    for (int64_t byte = first; byte < first + bytes; byte += kBankBytes) {
      const int64_t word = byte / kBankBytes;
      auto &bank = words[word % kBanks];
      if (!llvm::is_contained(bank, word))
        bank.push_back(word);
      most = std::max(most, bank.size());
    }
  }
  return most;
}

int64_t fuser::getStagedRows(int64_t row, int64_t threads, int64_t flat) {
  return std::max(kThreads / threads, flat / std::gcd(row, flat));
}

std::optional<InnerPersistentParamsAttr>
fuser::chooseStagedRows(const KernelView &kernel, const Requirements &requirements,
                        const ReductionShape &shape, int64_t vector,
                        const artifact::DeviceDescription &device) {
  const std::optional<int64_t> numRows = requirements.getSize(shape.outerKept),
                               row = requirements.getSize(shape.innerReduced);
  const RowDims dims = RowDims::get(shape);
  const int64_t flat = getFlatWidth(kernel, requirements, dims);
  const int64_t elementBytes = shape.getElementBytes(kernel);
  const SmallVector<unsigned> all = getAll(kernel, dims);
  const bool stores = llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
    return tensor.isOutput && isOfRows(tensor, all);
  });
  // A range of lengths has one kernel.
  if (!numRows || !row || *row < 2 || *row * elementBytes > kMostRowBytes ||
      requirements.getRangeEnd(shape.innerReduced).value_or(*row) > *row ||
      flat < (stores ? kLeastGain : kLeastGainOfReads) * vector)
    return std::nullopt;
  const int64_t stagedBytes = *row * getStagedBytes(kernel, dims);
  std::optional<InnerPersistentParamsAttr> best;
  int64_t least = 0;
  // Few threads that have many elements each, unless their rows are in the same banks. One NVIDIA
  // H100, us, by threads of a row: RMS norm of 500000x129 bf16 114 (4), 104 (8), 93 (16) and 116
  // (32), softmax of 1500000x33 bf16 66 (1), 69 (2) and 78 (4).
  for (int64_t threads = 1; threads <= kWarp; threads *= 2) {
    const int64_t vectors = llvm::divideCeil(*row, threads * vector);
    const int64_t rows = getStagedRows(*row, threads, flat);
    const int64_t blocks = device.sharedBytesPerMultiprocessor / (rows * stagedBytes);
    if (vectors * vector > kMostStagedElements ||
        *numRows < kLeastBlocks * device.multiprocessors * rows ||
        rows * stagedBytes > device.sharedBytesPerBlock ||
        blocks * rows * threads * 2 <= device.maxThreadsPerMultiprocessor)
      continue;
    const int64_t bytes = vector * elementBytes;
    const int64_t conflicts = countConflicts(*row * elementBytes, bytes, bytes, threads);
    const int64_t cost = threads * (vectors * conflicts + vectors * vector + kCostOfThread);
    if (best && cost >= least)
      continue;
    best =
        InnerPersistentParamsAttr::get(kernel.getKernel().getContext(), threads, vector, vectors,
                                       rows, /*recompute=*/true, /*cluster=*/1, /*part=*/1, flat);
    least = cost;
  }
  return best;
}

std::optional<Refusal> fuser::requireFlatRows(const KernelView &kernel, Requirements &requirements,
                                              const RowDims &dims, int64_t rows, int64_t flat) {
  const int64_t most = getFlatWidth(kernel, requirements, dims);
  const std::optional<int64_t> row = requirements.getSize(dims.columns);
  if (!row || *row == 0 || (rows * *row) % flat != 0 || flat > most ||
      !requirements.requireExactly(dims.columns))
    return Refusal{RefusalCategory::Size,
                   kVectorTooWide,
                   {},
                   "expected vectors across the ends of rows ('flat') of at most " +
                       std::to_string(most) +
                       " elements, which divide 'rows' rows of a known length, but got " +
                       std::to_string(flat) + " and " + std::to_string(rows) + " rows"};
  const SmallVector<unsigned> all = getAll(kernel, dims);
  requirements.requireAccessWidth(all, flat);
  // Where the last vector is whole, none needs a version of single elements.
  if (std::optional<int64_t> elements = requirements.getSize(all);
      elements && *elements % flat == 0)
    requirements.requireDivisor(all, flat);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// StagedRows
//===----------------------------------------------------------------------===//

StagedRows::StagedRows(const KernelView &kernel, RowDims dims, StagedTile tile,
                       KernelSchedule &schedule)
    : kernel(kernel), dims(std::move(dims)), tile(tile), schedule(schedule) {
  const SmallVector<unsigned> all = getAll(kernel, this->dims);
  for (TensorViewOpInterface load : schedule.getLoads()) {
    const auto argument = cast<BlockArgument>(load->getOperand(0));
    const GlobalTensor &tensor = kernel.getArgument(argument.getArgNumber());
    if (!isOfRows(tensor, all))
      continue;
    Operation *copy = cacheValue(load->getResult(0));
    // Threads read their elements of the tile once.
    cacheValue(copy->getResult(0));
    rows.push_back({&tensor, load, cast<TensorViewOpInterface>(copy)});
  }
  for (TensorViewOpInterface store : schedule.getStores()) {
    auto ret = cast<ReturnOp>(schedule.getKernel().getBody().front().back());
    for (OpOperand &use : store->getResult(0).getUses()) {
      if (use.getOwner() != ret)
        continue;
      const GlobalTensor &tensor = kernel.getOutput(use.getOperandNumber());
      if (isOfRows(tensor, all))
        rows.push_back(
            {&tensor, store, cast<TensorViewOpInterface>(cacheUse(store->getOpOperand(0)))});
      break;
    }
  }
}

/// The ids of a tile. Dimensions that are none of the reference have size 1.
StagedRows::TileIds StagedRows::takeTile(LoopBuilder &loops) const {
  TileIds ids;
  ids.columns = loops.take(dims.columns);
  SmallVector<unsigned> rows = loops.take(dims.rows);
  llvm::append_range(rows, loops.takeRest());
  std::tie(ids.block, ids.row) = loops.split(loops.merge(rows), tile.rows);
  return ids;
}

/// [blocks, steps, threads, vectors]: the rows of a block are one.
FailureOr<StagedRows::TileIds> StagedRows::setFlatLoops(const Staged &staged,
                                                        TensorViewOpInterface op) {
  op.setDomain(op.getTrivialDomain(0), 0);
  LoopBuilder loops(kernel, op, *staged.tensor);
  const TileIds ids = takeTile(loops);
  SmallVector<unsigned> inner(ids.columns);
  if (ids.row != kNoId)
    inner.insert(inner.begin(), ids.row);
  auto [all, vector] = loops.split(loops.merge(inner), tile.flat);
  const int64_t threads = tile.rows * tile.threads;
  const int64_t length = Requirements(kernel, SizeHints()).getSize(dims.columns).value_or(1);
  const int64_t numSteps = llvm::divideCeil(tile.rows * length, threads * tile.flat);
  auto [step, thread] = loops.getBuilder().split(all, threads);
  // Many loads of a whole tile need no bounds checks, which would serialize them.
  auto [whole, unroll] = loops.getBuilder().split(step, numSteps);
  auto [threadY, threadX] = loops.split(thread, tile.threads);
  if (failed(loops.finish({{ids.block, ParallelType::BlockX},
                           {whole, ParallelType::Unswitch},
                           {unroll, ParallelType::Unroll},
                           {threadY, ParallelType::ThreadY},
                           {threadX, ParallelType::ThreadX},
                           {vector, ParallelType::Vectorize}})))
    return failure();
  return ids;
}

/// [blocks, rows, vectors of a thread, threads of a row, vectors], like the reference; or
/// [blocks, rows, runs, threads of a row, vectors of a run, vectors].
FailureOr<StagedRows::TileIds> StagedRows::setRowLoops(const Staged &staged) {
  TensorViewOpInterface op = staged.tile;
  op.setDomain(op.getTrivialDomain(0), 0);
  LoopBuilder loops(kernel, op, *staged.tensor);
  const TileIds ids = takeTile(loops);
  auto [all, vector] = loops.split(loops.merge(ids.columns), tile.vector);
  unsigned outer = all, run = kNoId;
  if (tile.run > 0)
    std::tie(outer, run) = loops.getBuilder().split(all, tile.run);
  auto [unroll, thread] = loops.getBuilder().split(outer, tile.threads);
  if (failed(loops.finish({{ids.block, ParallelType::BlockX},
                           {ids.row, ParallelType::ThreadY},
                           {unroll, ParallelType::Unroll},
                           {thread, ParallelType::ThreadX},
                           {run, ParallelType::Unroll},
                           {vector, ParallelType::Vectorize}})))
    return failure();
  return ids;
}

/// Places the tile in shared memory like its rows in global memory.
static LogicalResult allocate(TensorViewOpInterface tile, const StagedRows::TileIds &ids) {
  SmallVector<unsigned> allocation{ids.block, ids.row};
  llvm::append_range(allocation, ids.columns);
  llvm::erase(allocation, kNoId);
  DomainBuilder domain(tile.getDomain());
  domain.setAllocation(allocation);
  tile.setDomain(domain.build(), 0);
  return setMemory(tile, MemoryType::Shared);
}

LogicalResult StagedRows::setLoops() {
  for (const Staged &staged : rows) {
    FailureOr<TileIds> flat = setFlatLoops(staged, staged.access);
    if (failed(flat))
      return failure();
    if (staged.tensor->isOutput) {
      schedule.setOutputOrder(staged.access);
      flat = setRowLoops(staged);
    } else {
      flat = setFlatLoops(staged, staged.tile);
    }
    if (failed(flat) || failed(allocate(staged.tile, *flat)))
      return failure();
  }
  return success();
}
