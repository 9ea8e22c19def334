//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-strip-hints.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Preseg/Passes.h"

using namespace mlir;
using namespace fuser;

namespace fuser {
#define GEN_PASS_DEF_FUSERSTRIPHINTS
#include "fuser/Preseg/Passes.h.inc"
} // namespace fuser

unsigned fuser::stripHints(Operation *root) {
  unsigned numStripped = 0;
  root->walk([&](Operation *op) {
    for (OpResult result : op->getResults())
      numStripped += getLayoutHint(result) ? 1 : 0;
    op->removeDiscardableAttr(kLayoutHintsName);
    numStripped += op->removeDiscardableAttr(kDefaultOrderName) ? 1 : 0;
  });
  return numStripped;
}

namespace {
struct StripHints : fuser::impl::FuserStripHintsBase<StripHints> {
  void runOnOperation() override { numStripped += stripHints(getOperation()); }
};
} // namespace
