//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/RegionNames.h"

using namespace mlir;

StringRef fuser::getRegionPath(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>(kRegionName))
    return name;
  if (auto name = op->getLoc()->findInstanceOf<NameLoc>())
    return name.getName();
  return {};
}

bool fuser::isInRegion(StringRef path, StringRef name) {
  return path.consume_front(name) && (path.empty() || path.front() == '.');
}
