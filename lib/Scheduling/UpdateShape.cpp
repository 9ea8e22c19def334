//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/UpdateShape.h"

using namespace mlir;
using namespace fuser;

UpdateShape fuser::getUpdateShape(const KernelView &kernel, UpdateOpInterface update,
                                  ArrayRef<unsigned> order) {
  const SmallVector<DimMap> maps(
      cast<DomainMappingOpInterface>(update.getOperation()).getDimMaps(update.getUpdatedOperand()));
  auto getPosition = [&](unsigned dim) {
    return unsigned(llvm::find(order, kernel.getClasses().getClass(update, dim)) - order.begin());
  };
  UpdateShape shape{unsigned(order.size()), {}};
  for (auto [dim, map] : llvm::enumerate(maps))
    if (map.kind == DimMap::Kind::Indirect)
      shape.position = std::min(shape.position, getPosition(dim));
  for (auto [dim, map] : llvm::enumerate(maps)) {
    const unsigned own = getPosition(dim);
    if (map.kind == DimMap::Kind::Indirect || (own > shape.position && own < order.size()))
      shape.dims.push_back(dim);
  }
  return shape;
}
