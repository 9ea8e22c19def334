//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandMatrices.h"
#include "Warps.h"

using namespace mlir;
using namespace fuser;

/// A lane's part of an operand.
Value ExpandedMatrices::load(loop::TileOp tile, unsigned operand, int64_t count,
                             bool isTransposed) {
  Value buffer = tile.getInputs()[operand], memory = buffers.getMemory(buffer);
  Value offset =
      reads.evaluate(AccessSite(tile), tile.getRead(operand).getMap().getResults().back());
  for (const auto &[key, value] : loaded)
    if (key.operand == operand && key.memory == memory && key.offset == offset)
      return value;
  auto type = VectorType::get({count}, cast<loop::BufferType>(buffer.getType()).getElementType());
  Value part = kernel_ir::LdMatrixOp::create(builder, expanded.getLoc(), type, memory,
                                             ValueRange{offset}, isTransposed);
  loaded.push_back({{operand, memory, offset}, part});
  return part;
}

/// Element e of a lane, 4 for each 8 columns, is in row e floordiv 2 mod 2; a row has n / 4 of
/// them.
static int64_t getPlace(int64_t element, int64_t count) {
  return element / 2 % 2 * (count / 2) + element / 4 * 2 + element % 2;
}

/// The elements of a result that a lane has.
static int64_t countElements(kernel_ir::WgmmaAttr wgmma) {
  return wgmma.getM() * wgmma.getN() / kWarpGroup;
}

/// The accumulators stay where they are while the product is under way.
void ExpandedMatrices::expandGroup(loop::TileOp tile, kernel_ir::WgmmaAttr wgmma) {
  const Location loc = expanded.getLoc();
  if (!hasFence)
    kernel_ir::WgmmaFenceOp::create(builder, loc);
  hasFence = true;
  Value memory[2], offset[2];
  for (unsigned operand = 0; operand < 2; ++operand) {
    memory[operand] = buffers.getMemory(tile.getInputs()[operand]);
    offset[operand] =
        reads.evaluate(AccessSite(tile), tile.getRead(operand).getMap().getResults().back());
  }
  const loop::AccessAttr access = tile.getWrite(0);
  Value buffer = tile.getOutputs().front();
  Value first = reads.evaluate(AccessSite(tile), access.getMap().getResults().back());
  IndexBuilder &index = expanded.getIndex();
  SmallVector<Value> own, places;
  const int64_t count = countElements(wgmma);
  for (int64_t each = 0; each < count; ++each) {
    places.push_back(index.add(first, index.constant(getPlace(each, count))));
    own.push_back(buffers.load(buffer, places.back(), access, 1));
  }
  Value sum = kernel_ir::WgmmaOp::create(builder, loc, memory[0], offset[0], memory[1], offset[1],
                                         buffers.join(own), wgmma.getLhs(), wgmma.getRhs());
  for (auto [each, place] : llvm::enumerate(places))
    buffers.store(buffer, place, access, buffers.getLane(sum, each));
}

void ExpandedMatrices::expand(loop::CommitProductsOp) {
  kernel_ir::WgmmaCommitOp::create(builder, expanded.getLoc());
  hasFence = false;
}

void ExpandedMatrices::expand(loop::FenceAsyncOp) {
  kernel_ir::FenceAsyncOp::create(builder, expanded.getLoc());
}

/// The tile whose products add to a buffer; null if there is none.
static loop::TileOp findProduct(Value buffer) {
  for (Operation *user : buffer.getUsers())
    if (auto tile = dyn_cast<loop::TileOp>(user);
        tile && isa_and_present<kernel_ir::WgmmaAttr>(tile.getInstructionAttr()))
      return tile;
  return {};
}

/// What is read afterwards is what the wait returns.
void ExpandedMatrices::expand(loop::WaitProductsOp wait) {
  struct Element {
    Value buffer, offset;
    loop::AccessAttr access;
  };
  SmallVector<Value> products;
  SmallVector<SmallVector<Element>> elements;
  for (Value buffer : wait.getProducts()) {
    loop::TileOp tile = findProduct(buffer);
    if (!tile)
      continue;
    const int64_t count = countElements(cast<kernel_ir::WgmmaAttr>(*tile.getInstruction()));
    const int64_t size = cast<loop::BufferType>(buffer.getType()).getNumElements();
    for (int64_t first = 0; first < size; first += count) {
      SmallVector<Value> own;
      elements.emplace_back();
      for (int64_t each = 0; each < count; ++each) {
        Value offset = expanded.getIndex().constant(first + getPlace(each, count));
        elements.back().push_back({buffer, offset, tile.getWrite(0)});
        own.push_back(buffers.load(buffer, offset, tile.getWrite(0), 1));
      }
      products.push_back(buffers.join(own));
    }
  }
  auto done =
      kernel_ir::WgmmaWaitOp::create(builder, expanded.getLoc(), wait.getPending(), products);
  for (auto [value, ofProduct] : llvm::zip_equal(done.getElements(), elements))
    for (auto [each, element] : llvm::enumerate(ofProduct))
      buffers.store(element.buffer, element.offset, element.access, buffers.getLane(value, each));
}

/// From what the lane has to the rows whose addresses the lanes name.
void ExpandedMatrices::expandStore(loop::TileOp tile, kernel_ir::StMatrixAttr store) {
  const AccessSite site(tile);
  const loop::AccessAttr read = tile.getRead(0);
  Value first = reads.evaluate(site, read.getMap().getResults().back());
  Value ofLane = buffers.load(tile.getInputs().front(), first, read, read.getChunk());
  Value offset = reads.evaluate(site, tile.getWrite(0).getMap().getResults().back());
  kernel_ir::StMatrixOp::create(builder, expanded.getLoc(), ofLane,
                                buffers.getMemory(tile.getOutputs().front()), ValueRange{offset},
                                store.getTransposed());
}

void ExpandedMatrices::expand(loop::TileOp tile) {
  if (auto store = dyn_cast<kernel_ir::StMatrixAttr>(*tile.getInstruction()))
    return expandStore(tile, store);
  if (auto wgmma = dyn_cast<kernel_ir::WgmmaAttr>(*tile.getInstruction()))
    return expandGroup(tile, wgmma);
  auto mma = cast<kernel_ir::MmaAttr>(*tile.getInstruction());
  Value lhs = load(tile, 0, mma.getM() * mma.getK() / kWarp, mma.getTransposesLhs());
  Value rhs = load(tile, 1, mma.getN() * mma.getK() / kWarp, mma.getTransposesRhs());
  const loop::AccessAttr access = tile.getWrite(0);
  Value buffer = tile.getOutputs().front();
  Value first = reads.evaluate(AccessSite(tile), access.getMap().getResults().back());
  IndexBuilder &index = expanded.getIndex();
  SmallVector<Value> own, places;
  for (int64_t each = 0; each < access.getChunk(); ++each) {
    places.push_back(index.add(first, index.constant(each)));
    own.push_back(buffers.load(buffer, places.back(), access, 1));
  }
  Value sum = kernel_ir::MmaOp::create(builder, expanded.getLoc(), lhs, rhs, buffers.join(own));
  for (auto [each, place] : llvm::enumerate(places))
    buffers.store(buffer, place, access, buffers.getLane(sum, each));
}
