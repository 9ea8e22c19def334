//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where an op reads its operands, and the element that it makes of what is read there.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

OperandIndex::Dim KernelEmitter::indexRoot(const ScheduledOp &scheduled, unsigned root,
                                           const IdValues &ids) {
  unsigned id = scheduled.domain.getRootOrLogical()[root];
  if (scheduled.isBroadcast(id))
    return {index.constant(0), VectorForm::Independent, kNoId};
  return {ids.values[id], ids.forms[id], id};
}

/// root * step + offset - minus. A vector stays one where it begins at a multiple of the width.
OperandIndex::Dim KernelEmitter::indexResized(const ScheduledOp &scheduled, const DimMap &map,
                                              const IdValues &ids, int64_t width) {
  OperandIndex::Dim root = indexRoot(scheduled, map.id, ids);
  Value value = index.mul(root.index, index.constant(map.step));
  bool moved = map.step != 1, keepsVectors = map.step == 1;
  if (std::optional<int64_t> offset = getConstantIntValue(map.offset)) {
    value = *offset < 0 ? index.sub(value, index.constant(-*offset))
                        : index.add(value, index.constant(*offset));
    moved |= *offset != 0;
    keepsVectors &= *offset % width == 0;
  } else {
    value = index.add(value, getScalar(cast<Value>(map.offset)));
    moved = true;
    keepsVectors = false;
  }
  if (map.minus) {
    value = index.sub(value, getScalar(map.minus));
    moved = true;
    keepsVectors = false;
  }
  for (auto [operand, dim] : map.minusExtents) {
    AffineExpr extent = extents.getExtent(scheduled.op->getOperand(operand), dim);
    value = index.sub(value, evaluate(extent));
    moved = true;
    keepsVectors &= extents.getKnownDivisor(extent) % width == 0;
  }
  VectorForm form = root.form;
  if (form == VectorForm::Trailing && !keepsVectors)
    form = VectorForm::Other;
  return {value, form, moved ? unsigned(kNoId) : root.id};
}

/// The index that an operand holds, and (added to `inside`) whether it is one of the dimension.
FailureOr<OperandIndex::Dim> KernelEmitter::indexIndirect(const ScheduledOp &scheduled,
                                                          unsigned source, const IdValues &ids,
                                                          AffineExpr extent, int64_t width,
                                                          Value &inside) {
  FailureOr<OperandIndex> at = indexOperand(scheduled, source, ids, width);
  if (failed(at))
    return failure();
  FailureOr<Access> access = accessOperand(scheduled, source, ids, *at, width);
  if (failed(access))
    return failure();
  VectorForm form =
      access->form == VectorForm::Independent ? VectorForm::Independent : VectorForm::Other;
  if (!emits()) {
    inside = placeholder;
    return OperandIndex::Dim{placeholder, form, kNoId};
  }
  Type i64 = builder.getI64Type();
  Value value =
      loadScalar(*access, getElementTypeOrSelf(scheduled.op->getOperand(source).getType()));
  if (value.getType() != i64)
    value = arith::ExtSIOp::create(builder, loc, i64, value);
  // Compared before it becomes an `index`, which may be shorter.
  Value bound = arith::IndexCastUIOp::create(builder, loc, i64, evaluate(extent));
  inside = index.both(inside,
                      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value, bound));
  value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
  return OperandIndex::Dim{value, form, kNoId};
}

bool KernelEmitter::staysInside(const ScheduledOp &scheduled, const DimMap &map,
                                AffineExpr extent) const {
  switch (map.kind) {
  case DimMap::Kind::Mapped:
  case DimMap::Kind::Broadcast:
    return true;
  case DimMap::Kind::Resized: {
    std::optional<int64_t> offset = getConstantIntValue(map.offset);
    if (!offset || *offset < 0 || map.minus || !map.minusExtents.empty())
      return false;
    unsigned root = scheduled.domain.getRootOrLogical()[map.id];
    AffineExpr last = scheduled.concrete.test(root) ? getAffineConstantExpr(0, builder.getContext())
                                                    : getExtent(scheduled, root) - 1;
    return extents.getLowerBound(extent - last * map.step - *offset) > 0;
  }
  case DimMap::Kind::Indirect:
  case DimMap::Kind::Whole:
    return false;
  }
  llvm_unreachable("unknown map");
}

FailureOr<OperandIndex> KernelEmitter::indexOperand(const ScheduledOp &scheduled,
                                                    unsigned operandNumber, const IdValues &ids,
                                                    int64_t width, bool guarded, ValueRange whole) {
  Value operand = scheduled.op->getOperand(operandNumber);
  OperandIndex at;
  // An element that does not exist may read outside where an existing one does not.
  const bool ragged = guarded && isRagged(scheduled);
  at.moved = ragged;
  SmallVector<VectorForm> ofVector = deriveIds(scheduled).forms;
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operandNumber))) {
    AffineExpr extent = extents.getExtent(operand, dim);
    OperandIndex::Dim &to = at.dims.emplace_back();
    at.moved |= map.kind == DimMap::Kind::Resized || map.kind == DimMap::Kind::Indirect;
    switch (map.kind) {
    case DimMap::Kind::Mapped:
      to = indexRoot(scheduled, map.id, ids);
      break;
    case DimMap::Kind::Broadcast:
      to.index = index.constant(0);
      break;
    case DimMap::Kind::Resized:
      to = indexResized(scheduled, map, ids, width);
      // Another extent: merged with a slower dimension it is another index.
      if (to.id != kNoId && !extents.isProvablyEqual(extent, getExtent(scheduled, to.id)))
        to.id = kNoId;
      break;
    case DimMap::Kind::Indirect: {
      FailureOr<OperandIndex::Dim> indirect =
          indexIndirect(scheduled, map.indexOperand, ids, extent, width, at.inside);
      if (failed(indirect))
        return failure();
      to = *indirect;
      at.insideVaries |= to.form != VectorForm::Independent;
      continue;
    }
    case DimMap::Kind::Whole:
      if (whole.empty())
        return scheduled.op->emitOpError("expected operand ")
               << operandNumber << " to be indexed by loops, but dimension " << dim << " is not";
      to.index = whole.front();
      whole = whole.drop_front();
      break;
    }
    // What is the same for all elements of the op's vector is checked by its predicate.
    const bool isFixed =
        (map.kind == DimMap::Kind::Mapped || map.kind == DimMap::Kind::Resized) &&
        ofVector[scheduled.domain.getRootOrLogical()[map.id]] == VectorForm::Independent;
    bool exists = !ragged || isFixed;
    if (!guarded || map.kind == DimMap::Kind::Broadcast ||
        (exists && staysInside(scheduled, map, extent)))
      continue;
    at.inside = index.both(at.inside, index.lessThan(to.index, evaluate(extent)));
    // A vector of which every element exists, or none, has one condition.
    if (to.form == VectorForm::Trailing && extents.getKnownDivisor(extent) % width != 0)
      to.form = VectorForm::Other;
    at.insideVaries |= to.form == VectorForm::Other;
  }
  return at;
}

Value KernelEmitter::getRootIndex(const ScheduledOp &scheduled, unsigned root, int64_t width) {
  OperandIndex::Dim at = indexRoot(scheduled, root, deriveIds(scheduled));
  if (width == 1 || at.form == VectorForm::Independent)
    return splat(at.index, width);
  Type type = VectorType::get({width}, builder.getIndexType());
  if (at.form == VectorForm::Trailing) {
    SmallVector<Attribute> steps;
    for (int64_t lane = 0; lane < width; ++lane)
      steps.push_back(builder.getIndexAttr(lane));
    Value lanes = arith::ConstantOp::create(builder, loc,
                                            DenseElementsAttr::get(cast<VectorType>(type), steps));
    return arith::AddIOp::create(builder, loc, splat(at.index, width), lanes);
  }
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < width; ++lane)
    lanes.push_back(indexRoot(scheduled, root, deriveIds(scheduled, lane)).index);
  return vector::FromElementsOp::create(builder, loc, type, lanes);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitElement(ScheduledOp &scheduled) {
  if (isa<WholeReadOpInterface>(scheduled.op))
    return emitWholeReads(scheduled);
  if (isa<ScanOpInterface>(scheduled.op))
    return emitScanned(scheduled);
  auto element = dyn_cast<ElementwiseOpInterface>(scheduled.op);
  if (!element)
    return scheduled.op->emitOpError(
        "expected an op with a scalar form or a combiner; lowering has none for it");
  int64_t width = getWidth(scheduled);
  bool positional = element.dependsOnIndex();
  const bool ragged = isRagged(scheduled);
  SmallVector<Value> operands, inside;
  for (OpOperand &operand : scheduled.op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    bool isTensor = isa<RankedTensorType>(operand.get().getType());
    bool mayReadOutside = isTensor && element.mayReadOutside(number);
    if (mayReadOutside || (isTensor && ragged && isInMemory(operand.get()))) {
      FailureOr<ReadResult> read = readGuarded(scheduled, number, width);
      if (failed(read))
        return failure();
      operands.push_back(read->value);
      inside.push_back(mayReadOutside ? read->inside : Value());
      positional |= mayReadOutside;
      continue;
    }
    FailureOr<Value> value = readOperand(scheduled, number, width);
    if (failed(value))
      return failure();
    operands.push_back(*value);
    inside.push_back({});
  }
  if (!emits())
    return writeResult(scheduled, 0, placeholder, deriveIds(scheduled), width);
  auto rootIndex = [&](unsigned root) { return getRootIndex(scheduled, root, width); };
  Value value = positional ? element.buildElementAt(builder, loc, operands, inside, rootIndex)
                           : element.buildElement(builder, loc, operands);
  return writeResult(scheduled, 0, value, deriveIds(scheduled), width);
}
