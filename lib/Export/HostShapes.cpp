//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shapes and buffers of a host program: strides, spans and divisors as expressions.
//
//===----------------------------------------------------------------------===//

#include "HostExporter.h"

using namespace mlir;
using namespace fuser;
using artifact::DType;
using artifact::ExprId;
using artifact::ExprKind;

artifact::BufferId HostExporter::addBuffer(DType dtype, const std::string &name) {
  artifact.program.buffers.push_back({name, dtype, artifact::kNotAnArgument});
  return static_cast<artifact::BufferId>(artifact.program.buffers.size() - 1);
}

std::vector<ExprId> HostExporter::denseStrides(ArrayRef<ExprId> sizes, ArrayRef<int64_t> order) {
  std::vector<ExprId> strides(sizes.size());
  ExprId next = artifact.exprs.constant(1);
  for (int64_t dim : llvm::reverse(order)) {
    strides[dim] = next;
    next = artifact.exprs.mul(next, sizes[dim]);
  }
  return strides;
}

ExprId HostExporter::distance(const Shape &shape) {
  artifact::ExprPool &exprs = artifact.exprs;
  ExprId one = exprs.constant(1), sum = exprs.constant(0);
  for (auto [size, stride] : llvm::zip_equal(shape.sizes, shape.strides))
    sum = exprs.add(sum, exprs.mul(exprs.sub(size, one), stride));
  return sum;
}

ExprId HostExporter::spanBytes(const Shape &shape, DType dtype) {
  artifact::ExprPool &exprs = artifact.exprs;
  ExprId elements = exprs.constant(1), bytes = exprs.constant(artifact::byteSize(dtype));
  for (ExprId size : shape.sizes)
    elements = exprs.mul(elements, size);
  if (shape.dense)
    return exprs.mul(elements, bytes);
  ExprId span = exprs.mul(exprs.add(distance(shape), exprs.constant(1)), bytes);
  return exprs.select(elements, span, exprs.constant(0));
}

bool HostExporter::dependsOnLoop(ExprId id) const {
  const artifact::ExprNode &node = artifact.exprs.nodes()[id];
  const ExprId operands[] = {node.a, node.b, node.c};
  return node.kind == ExprKind::LoopIndex ||
         llvm::any_of(ArrayRef(operands).take_front(artifact::numOperands(node.kind)),
                      [&](ExprId operand) { return dependsOnLoop(operand); });
}

void HostExporter::addStepsOfLoop(ExprId id, SmallVectorImpl<ExprId> &terms) {
  const artifact::ExprNode node = artifact.exprs.nodes()[id];
  if (node.kind == ExprKind::LoopIndex) {
    terms.push_back(artifact.exprs.constant(1));
  } else if (!dependsOnLoop(id)) {
    terms.push_back(id);
  } else if (node.kind == ExprKind::Add) {
    addStepsOfLoop(node.a, terms);
    addStepsOfLoop(node.b, terms);
  } else if (node.kind == ExprKind::Mul && dependsOnLoop(node.a) != dependsOnLoop(node.b)) {
    bool first = dependsOnLoop(node.a);
    SmallVector<ExprId> inner;
    addStepsOfLoop(first ? node.a : node.b, inner);
    for (ExprId term : inner)
      terms.push_back(artifact.exprs.mul(term, first ? node.b : node.a));
  } else {
    terms.push_back(id);
  }
}

int64_t HostExporter::knownDivisor(ExprId id) const {
  // No alignment exceeds this.
  constexpr int64_t kLimit = 4096;
  const artifact::ExprNode &node = artifact.exprs.nodes()[id];
  switch (node.kind) {
  case ExprKind::Constant:
    return node.value == 0 ? kLimit : std::min(kLimit, node.value & -node.value);
  case ExprKind::Add:
  case ExprKind::Sub:
    return std::min(knownDivisor(node.a), knownDivisor(node.b));
  case ExprKind::Mul:
    return std::min(kLimit, knownDivisor(node.a) * knownDivisor(node.b));
  default:
    return 1;
  }
}

FailureOr<TensorValue> HostExporter::getTensor(Operation *user, Value value) {
  auto found = tensors.find(value);
  if (found == tensors.end())
    return user->emitOpError("expected tensors of the host program, but got a value of type ")
           << value.getType();
  return found->second;
}

void HostExporter::alias(Value result, Value value) {
  TensorValue tensor = tensors.find(value)->second;
  tensors[result] = tensor;
}
