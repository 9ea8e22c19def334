//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandMatrices.h"
#include "Warps.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"

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

void ExpandedMatrices::expand(loop::TileOp tile) {
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
