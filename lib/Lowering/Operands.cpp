//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where an op reads its operands, what it reads there, and the element that it makes of it.
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

/// root * step + offset - minus. A vector stays one where it begins at a multiple of the width.
OperandIndex::Dim KernelEmitter::indexResized(const ScheduledOp &scheduled, const DimMap &map,
                                              const IdValues &ids, int64_t width) {
  unsigned root = scheduled.domain.getRootOrLogical()[map.id];
  Value value = index.mul(ids.values[root], index.constant(map.step));
  bool moved = map.step != 1, keepsVectors = map.step == 1;
  if (std::optional<int64_t> offset = getConstantIntValue(map.offset)) {
    value = *offset < 0 ? index.sub(value, index.constant(-*offset))
                        : index.add(value, index.constant(*offset));
    moved |= *offset != 0;
    keepsVectors &= *offset % width == 0;
  } else {
    value = index.add(value, scalars.lookup(cast<Value>(map.offset)));
    moved = true;
    keepsVectors = false;
  }
  if (map.minus) {
    value = index.sub(value, scalars.lookup(map.minus));
    moved = true;
    keepsVectors = false;
  }
  for (auto [operand, dim] : map.minusExtents) {
    AffineExpr extent = extents.getExtent(scheduled.op->getOperand(operand), dim);
    value = index.sub(value, evaluate(extent));
    moved = true;
    keepsVectors &= extents.getKnownDivisor(extent) % width == 0;
  }
  VectorForm form = ids.forms[root];
  if (form == VectorForm::Trailing && !keepsVectors)
    form = VectorForm::Other;
  return {value, form, moved ? unsigned(kNoId) : root};
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
  Type i64 = builder.getI64Type();
  Value value =
      loadScalar(*access, getElementTypeOrSelf(scheduled.op->getOperand(source).getType()));
  if (value.getType() != i64)
    value = arith::ExtSIOp::create(builder, loc, i64, value);
  // Compared before it becomes an `index`, which may be shorter.
  Value bound = arith::IndexCastUIOp::create(builder, loc, i64, evaluate(extent));
  inside = index.both(inside,
                      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value, bound));
  VectorForm form =
      access->form == VectorForm::Independent ? VectorForm::Independent : VectorForm::Other;
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
    AffineExpr root = getExtent(scheduled, scheduled.domain.getRootOrLogical()[map.id]);
    return extents.getLowerBound(extent - (root - 1) * map.step - *offset) > 0;
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
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operandNumber))) {
    AffineExpr extent = extents.getExtent(operand, dim);
    OperandIndex::Dim &to = at.dims.emplace_back();
    at.moved |= map.kind == DimMap::Kind::Resized || map.kind == DimMap::Kind::Indirect;
    switch (map.kind) {
    case DimMap::Kind::Mapped:
      to.id = scheduled.domain.getRootOrLogical()[map.id];
      to.index = ids.values[to.id];
      to.form = ids.forms[to.id];
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
    if (!guarded || staysInside(scheduled, map, extent))
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
  unsigned id = scheduled.domain.getRootOrLogical()[root];
  IdValues ids = deriveIds(scheduled);
  if (width == 1 || ids.forms[id] == VectorForm::Independent)
    return splat(ids.values[id], width);
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < width; ++lane)
    lanes.push_back(deriveIds(scheduled, lane).values[id]);
  return vector::FromElementsOp::create(builder, loc,
                                        VectorType::get({width}, builder.getIndexType()), lanes);
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// All ops that depend on `source`.
static void collectDependents(Operation *source, llvm::SmallPtrSetImpl<Operation *> &dependents) {
  for (Operation *user : source->getUsers())
    if (dependents.insert(user).second)
      collectDependents(user, dependents);
}

bool KernelEmitter::isReadAgain(const ScheduledOp &producer, const ScheduledOp &consumer) {
  auto [it, isNew] = readAgain.try_emplace({producer.op, consumer.op}, false);
  if (!isNew || producer.memory != MemoryType::Register)
    return it->second;
  llvm::SmallPtrSet<Operation *, 16> fed;
  collectDependents(producer.op, fed);
  for (auto &other : nest.getOps()) {
    if (!fed.contains(other->op) || getReductionTypes(*other, isThreadType).empty())
      continue;
    llvm::SmallPtrSet<Operation *, 16> behind;
    collectDependents(other->op, behind);
    if (behind.contains(consumer.op))
      return it->second = true;
  }
  return false;
}

/// Loads where the index is known to be inside; element by element where the vector is not one in
/// memory.
FailureOr<Value> KernelEmitter::load(const ScheduledOp &scheduled, unsigned operandNumber,
                                     const IdValues &ids, const OperandIndex &at, int64_t width) {
  Type element = getElementTypeOrSelf(scheduled.op->getOperand(operandNumber).getType());
  FailureOr<Access> access = accessOperand(scheduled, operandNumber, ids, at, width);
  if (failed(access))
    return failure();
  // A row of short elements stays packed over the barriers of a reduction.
  ScheduledOp *producer = nest.lookup(scheduled.op->getOperand(operandNumber).getDefiningOp());
  bool keeps =
      producer && element.getIntOrFloatBitWidth() < 32 && isReadAgain(*producer, scheduled);
  auto keep = [&](Value value) -> Value {
    return keeps ? kernel_ir::KeepOp::create(builder, loc, value.getType(), value).getResult()
                 : value;
  };
  if (width == 1 || access->form == VectorForm::Independent)
    return splat(keep(loadScalar(*access, element)), width);
  if (access->form == VectorForm::Trailing)
    return keep(loadVector(*access, element, width));
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < width; ++lane) {
    IdValues laneIds = deriveIds(scheduled, lane);
    FailureOr<OperandIndex> laneAt = indexOperand(scheduled, operandNumber, laneIds, width);
    if (failed(laneAt))
      return failure();
    FailureOr<Access> single = accessOperand(scheduled, operandNumber, laneIds, *laneAt, width);
    if (failed(single))
      return failure();
    lanes.push_back(loadScalar(*single, element));
  }
  return Value(
      vector::FromElementsOp::create(builder, loc, VectorType::get({width}, element), lanes));
}

FailureOr<Value> KernelEmitter::readOperand(const ScheduledOp &scheduled, unsigned operandNumber,
                                            int64_t width) {
  Value operand = scheduled.op->getOperand(operandNumber);
  if (!isa<RankedTensorType>(operand.getType()))
    return splat(scalars.lookup(operand), width);
  IdValues ids = deriveIds(scheduled);
  FailureOr<OperandIndex> at = indexOperand(scheduled, operandNumber, ids, width);
  if (failed(at))
    return failure();
  return load(scheduled, operandNumber, ids, *at, width);
}

FailureOr<Value> KernelEmitter::loadIf(Value condition, Type type,
                                       function_ref<FailureOr<Value>()> load) {
  auto ifOp = scf::IfOp::create(builder, loc, TypeRange(type), condition, /*addThenBlock=*/true,
                                /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(ifOp.elseBlock());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  scf::YieldOp::create(builder, loc, zero);
  builder.setInsertionPointToEnd(ifOp.thenBlock());
  IndexBuilder::Scope scope(index);
  FailureOr<Value> value = load();
  if (failed(value))
    return failure();
  scf::YieldOp::create(builder, loc, *value);
  return ifOp.getResult(0);
}

FailureOr<ReadResult> KernelEmitter::readGuarded(const ScheduledOp &scheduled,
                                                 unsigned operandNumber, int64_t width) {
  Type element = getElementTypeOrSelf(scheduled.op->getOperand(operandNumber).getType());
  auto readAt = [&](const IdValues &ids, const OperandIndex &at,
                    int64_t lanes) -> FailureOr<ReadResult> {
    auto loadHere = [&]() -> FailureOr<Value> {
      if (lanes == width)
        return load(scheduled, operandNumber, ids, at, width);
      FailureOr<Access> access = accessOperand(scheduled, operandNumber, ids, at, width);
      if (failed(access))
        return failure();
      return loadScalar(*access, element);
    };
    Type type = lanes == 1 ? element : Type(VectorType::get({lanes}, element));
    FailureOr<Value> value = at.inside ? loadIf(at.inside, type, loadHere) : loadHere();
    if (failed(value))
      return failure();
    return ReadResult{*value, at.inside ? splat(at.inside, lanes) : Value()};
  };
  IdValues ids = deriveIds(scheduled);
  FailureOr<OperandIndex> at = indexOperand(scheduled, operandNumber, ids, width, /*guarded=*/true);
  if (failed(at))
    return failure();
  if (width == 1 || !at->inside || !at->insideVaries)
    return readAt(ids, *at, width);

  SmallVector<Value> values, inside;
  auto always = [&]() -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  };
  for (int64_t lane = 0; lane < width; ++lane) {
    IdValues laneIds = deriveIds(scheduled, lane);
    at = indexOperand(scheduled, operandNumber, laneIds, width, /*guarded=*/true);
    FailureOr<ReadResult> read =
        failed(at) ? FailureOr<ReadResult>() : readAt(laneIds, *at, /*lanes=*/1);
    if (failed(read))
      return failure();
    values.push_back(read->value);
    inside.push_back(read->inside ? read->inside : always());
  }
  auto join = [&](ValueRange lanes) -> Value {
    auto type = VectorType::get({width}, lanes[0].getType());
    return vector::FromElementsOp::create(builder, loc, type, lanes);
  };
  return ReadResult{join(values), join(inside)};
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitElement(ScheduledOp &scheduled) {
  if (isa<WholeReadOpInterface>(scheduled.op))
    return emitWholeReads(scheduled);
  auto element = dyn_cast<ElementwiseOpInterface>(scheduled.op);
  if (!element)
    return scheduled.op->emitOpError(
        "expected an op with a scalar form or a combiner; lowering has none for it");
  int64_t width = getWidth(scheduled);
  bool positional = element.dependsOnIndex();
  SmallVector<Value> operands, inside;
  for (OpOperand &operand : scheduled.op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (isa<RankedTensorType>(operand.get().getType()) && element.mayReadOutside(number)) {
      FailureOr<ReadResult> read = readGuarded(scheduled, number, width);
      if (failed(read))
        return failure();
      operands.push_back(read->value);
      inside.push_back(read->inside);
      positional = true;
      continue;
    }
    FailureOr<Value> value = readOperand(scheduled, number, width);
    if (failed(value))
      return failure();
    operands.push_back(*value);
    inside.push_back({});
  }
  auto rootIndex = [&](unsigned root) { return getRootIndex(scheduled, root, width); };
  Value value = positional ? element.buildElementAt(builder, loc, operands, inside, rootIndex)
                           : element.buildElement(builder, loc, operands);
  return writeResult(scheduled, 0, value, deriveIds(scheduled), width);
}
