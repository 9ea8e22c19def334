//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Transforms of domains on numbers.
//
//===----------------------------------------------------------------------===//

#include "RootDomain.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

RootDomain::RootDomain(DomainAttr domain, ArrayRef<int64_t> rootExtents)
    : domain(domain), resultIds(domain.getResultIds()), extents(domain.getNumIds(), 1),
      values(domain.getNumIds(), 0) {
  for (auto [id, extent] : llvm::zip_equal(domain.getRootOrLogical(), rootExtents))
    extents[id] = extent;
  for (const DomainTransform &transform : domain.getTransforms()) {
    const unsigned *in = transform.inputs, *out = transform.outputs;
    switch (transform.kind) {
    case TransformKind::Split: {
      int64_t rest = ceilDiv(extents[in[0]], transform.value);
      extents[out[0]] = transform.inner ? rest : transform.value;
      extents[out[1]] = transform.inner ? transform.value : rest;
      break;
    }
    case TransformKind::Merge:
      extents[out[0]] = extents[in[0]] * extents[in[1]];
      break;
    case TransformKind::Swizzle:
      extents[out[0]] = extents[in[0]];
      extents[out[1]] = extents[in[1]];
      break;
    case TransformKind::Resize:
      extents[out[0]] = extents[in[0]] + transform.value + transform.after;
      break;
    case TransformKind::Broadcast:
      break;
    }
  }
  for (unsigned id : resultIds)
    resultShape.push_back(extents[id]);
}

int64_t RootDomain::getResultPosition(ArrayRef<int64_t> rootIndex) {
  for (auto [id, value] : llvm::zip_equal(domain.getRootOrLogical(), rootIndex))
    values[id] = value;
  for (const DomainTransform &transform : domain.getTransforms()) {
    const unsigned *in = transform.inputs, *out = transform.outputs;
    switch (transform.kind) {
    case TransformKind::Split:
      values[out[0]] = values[in[0]] / extents[out[1]];
      values[out[1]] = values[in[0]] % extents[out[1]];
      break;
    case TransformKind::Merge:
      values[out[0]] = values[in[0]] * extents[in[1]] + values[in[1]];
      break;
    case TransformKind::Swizzle:
      values[out[0]] = values[in[0]];
      values[out[1]] = values[in[1]] ^ ((values[in[0]] / transform.value) % extents[in[1]]);
      break;
    case TransformKind::Resize:
      values[out[0]] = values[in[0]] + transform.value;
      break;
    case TransformKind::Broadcast:
      break;
    }
  }
  int64_t position = 0;
  for (unsigned id : resultIds)
    position = position * extents[id] + values[id];
  return position;
}
