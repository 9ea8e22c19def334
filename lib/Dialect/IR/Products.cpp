//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/Products.h"
#include "fuser/Dialect/IR/Fuser.h"

using namespace mlir;
using namespace fuser;

#include "fuser/Dialect/IR/ProductInterface.cpp.inc"

namespace {
using FactorPair = std::optional<std::pair<unsigned, unsigned>>;

struct MatmulModel : ProductOpInterface::ExternalModel<MatmulModel, MatmulOp> {
  FactorPair getFactors(Operation *) const { return std::pair(0u, 1u); }
};

/// The bias has an accumulator of its own.
struct LinearModel : ProductOpInterface::ExternalModel<LinearModel, LinearOp> {
  FactorPair getFactors(Operation *op) const {
    return cast<LinearOp>(op).getBias() ? FactorPair() : std::pair(0u, 1u);
  }
};
} // namespace

void fuser::detail::attachProductModels(MLIRContext *context) {
  MatmulOp::attachInterface<MatmulModel>(*context);
  LinearOp::attachInterface<LinearModel>(*context);
}
