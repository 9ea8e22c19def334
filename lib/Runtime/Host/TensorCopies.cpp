//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TensorCopies.h"

#include "Scheduler.h"

#include <algorithm>
#include <cstring>

namespace fuser::runtime::host {

/// The bytes that a swizzle moves together.
static constexpr uint32_t kSwizzleChunkBytes = 16;

uint64_t HostTensorMap::getBoxBytes() const {
  uint64_t bytes = elementBytes;
  for (uint32_t dim = 0; dim < rank; ++dim)
    bytes *= box[dim];
  return bytes;
}

Status makeHostTensorMap(const TensorMapSpec &spec, const char *name, TensorMap &map) {
  map = {};
  HostTensorMap made = {};
  made.address = static_cast<const char *>(spec.address);
  if (!spec.isEmpty()) {
    if (Status status = checkTensorMap(spec, name); !status)
      return status;
    made.rank = spec.rank;
    made.elementBytes = static_cast<uint16_t>(spec.elementBytes);
    made.swizzle = static_cast<uint16_t>(spec.swizzle);
    std::copy(std::begin(spec.sizes), std::end(spec.sizes), made.sizes);
    std::copy(std::begin(spec.strides), std::end(spec.strides), made.strides);
    std::copy(std::begin(spec.box), std::end(spec.box), made.box);
  }
  std::memcpy(map.bytes, &made, sizeof(made));
  return {};
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// The bits of an address that number the row within a pattern are combined with those that number
/// the chunk within the row.
static uint64_t swizzle(uint64_t address, uint32_t rowBytes) {
  if (rowBytes == 0)
    return address;
  const uint64_t chunks = rowBytes / kSwizzleChunkBytes;
  return address ^ ((address / 128 % chunks) * kSwizzleChunkBytes);
}

namespace {
class BoxCutter {
public:
  BoxCutter(const HostTensorMap &map, const int64_t *coordinates, uint32_t site, uint32_t memory)
      : map(map), coordinates(coordinates), site(site), memory(memory) {}

  std::vector<PendingCopy> run(uint64_t target) {
    addRows(0, map.address, /*exists=*/true, target);
    return std::move(parts);
  }

private:
  /// The rows of dimensions from `dim` on. Advances `target`.
  void addRows(uint32_t dim, const char *source, bool exists, uint64_t &target) {
    const bool isRow = dim + 1 == map.rank;
    if (isRow)
      return addRow(source, exists, target);
    for (uint32_t i = 0; i < map.box[dim]; ++i) {
      const int64_t index = coordinates[dim] + i;
      const bool isInside = exists && index >= 0 && index < map.sizes[dim];
      addRows(dim + 1, isInside ? source + index * map.strides[dim] : nullptr, isInside, target);
    }
  }

  void addRow(const char *source, bool exists, uint64_t &target) {
    const uint32_t dim = map.rank - 1;
    const int64_t first = coordinates[dim], bytes = int64_t(map.box[dim]) * map.elementBytes;
    int64_t begin = 0, end = 0;
    if (exists) {
      begin = std::clamp<int64_t>(-first * map.elementBytes, 0, bytes);
      end = std::clamp<int64_t>((map.sizes[dim] - first) * map.elementBytes, begin, bytes);
    }
    addZeros(target, 0, begin);
    for (int64_t at = begin; at < end;) {
      const int64_t next =
          map.swizzle == 0 ? end
                           : std::min<int64_t>(end, at / kSwizzleChunkBytes * kSwizzleChunkBytes +
                                                        kSwizzleChunkBytes);
      add(source + first * map.elementBytes + at, target + at, next - at, next - at);
      at = next;
    }
    addZeros(target, end, bytes);
    target += bytes;
  }

  void addZeros(uint64_t target, int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end;) {
      const int64_t next =
          std::min<int64_t>(end, at / kSwizzleChunkBytes * kSwizzleChunkBytes + kSwizzleChunkBytes);
      add(nullptr, target + at, next - at, 0);
      at = next;
    }
  }

  void add(const char *source, uint64_t target, int64_t bytes, int64_t existing) {
    parts.push_back({site,
                     memory,
                     source,
                     reinterpret_cast<char *>(swizzle(target, map.swizzle)),
                     static_cast<uint32_t>(bytes),
                     static_cast<uint32_t>(existing),
                     {}});
  }

  const HostTensorMap &map;
  const int64_t *coordinates;
  const uint32_t site, memory;
  std::vector<PendingCopy> parts;
};
} // namespace

std::vector<PendingCopy> getBoxParts(const HostTensorMap &map, const int64_t *coordinates,
                                     uint64_t target, uint32_t site, uint32_t memory) {
  return BoxCutter(map, coordinates, site, memory).run(target);
}

HostTensorMap Scheduler::getTensorMap(const Fiber &fiber, uint32_t site, const TensorBox &box) {
  HostTensorMap map;
  std::memcpy(&map, reinterpret_cast<const void *>(box.map), sizeof(map));
  if (map.rank != box.rank || map.getBoxBytes() != box.bytes) {
    Error failure =
        map.rank == 0 ? makeError(ErrorCode::OutOfBounds, where(fiber),
                                  ": expected a tensor with elements at ", plan.siteText(site),
                                  ", but got the map of one without")
                      : makeError(ErrorCode::InvalidLaunch, where(fiber),
                                  ": expected the map of a box of ", box.rank, " dimensions and ",
                                  box.bytes, " bytes at ", plan.siteText(site), ", but got one of ",
                                  map.rank, " dimensions and ", map.getBoxBytes(), " bytes");
    abandon(failure);
  }
  return map;
}

void Scheduler::copyBox(Fiber &fiber, uint32_t site, const TensorBox &box) {
  const HostTensorMap map = getTensorMap(fiber, site, box);
  // A fault abandons the fiber without destroying what is on its stack.
  fiber.block->parts = getBoxParts(map, box.coordinates, box.shared, site, box.memory);
  bulkCopies.copy(fiber, fiber.block->parts, box.barrier, box.bytes);
}

} // namespace fuser::runtime::host

using fuser::runtime::host::Fiber;
using fuser::runtime::host::fiberOf;

extern "C" void fuser_host_copy_tensor(fuser_host_context *context, uint32_t site, uint32_t memory,
                                       uint64_t map, uint64_t target, uint64_t barrier,
                                       uint32_t rank, uint64_t bytes, int64_t c0, int64_t c1,
                                       int64_t c2, int64_t c3, int64_t c4) {
  Fiber &fiber = fiberOf(context);
  fiber.scheduler->copyBox(fiber, site,
                           {memory, rank, map, target, barrier, bytes, {c0, c1, c2, c3, c4}});
}
