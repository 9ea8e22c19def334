//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an op reads of its operands: whole vectors, parts of vectors where they are not one in
// memory, and nothing where there is no element.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuser;

/// All ops that depend on `source`.
static void collectDependents(Operation *source, llvm::SmallPtrSetImpl<Operation *> &dependents) {
  for (Operation *user : source->getUsers())
    if (dependents.insert(user).second)
      collectDependents(user, dependents);
}

/// Rows of so many bytes in the registers of a thread stay packed. Shorter ones leave registers for
/// their elements in f32, which saves a second conversion.
static constexpr int64_t kLeastPackedBytes = 128;

/// True if the op loads short elements of an argument into registers.
static bool isShortLoad(const ScheduledOp &scheduled) {
  return scheduled.memory == MemoryType::Register &&
         llvm::any_of(scheduled.op->getOperands(), llvm::IsaPred<BlockArgument>) &&
         getElementBytes(getElementTypeOrSelf(scheduled.op->getResult(0).getType())) < 4;
}

int64_t KernelEmitter::getRowBytes() {
  if (rowBytes)
    return *rowBytes;
  rowBytes = 0;
  for (auto &load : nest.getOps()) {
    if (!isShortLoad(*load))
      continue;
    llvm::SmallPtrSet<Operation *, 16> fed;
    collectDependents(load->op, fed);
    if (llvm::none_of(nest.getOps(), [&](auto &other) {
          return fed.contains(other->op) && !getReductionTypes(*other, isThreadType).empty();
        }))
      continue;
    FailureOr<Buffer *> buffer = getBuffer(*load);
    int64_t bytes = getElementBytes(getElementTypeOrSelf(load->op->getResult(0).getType()));
    if (succeeded(buffer))
      for (const Buffer::Dim &dim : (*buffer)->dims)
        bytes *= dim.extent;
    *rowBytes += bytes;
  }
  return *rowBytes;
}

bool KernelEmitter::isReadAgain(const ScheduledOp &producer, const ScheduledOp &consumer) {
  auto [it, isNew] = readAgain.try_emplace({producer.op, consumer.op}, false);
  if (!isNew || !isShortLoad(producer) || getRowBytes() < kLeastPackedBytes)
    return it->second;
  llvm::SmallPtrSet<Operation *, 16> fed, used;
  collectDependents(producer.op, fed);
  collectDependents(consumer.op, used);
  used.insert(consumer.op);
  for (auto &other : nest.getOps()) {
    // What feeds the reduction is computed before it; what its result meets, after it.
    if (!fed.contains(other->op) || used.contains(other->op) ||
        getReductionTypes(*other, isThreadType).empty())
      continue;
    llvm::SmallPtrSet<Operation *, 16> ofResult;
    collectDependents(other->op, ofResult);
    if (llvm::any_of(used, [&](Operation *op) { return ofResult.contains(op); }))
      return it->second = true;
  }
  return false;
}

/// What holds an element of `value`.
static Type getRegisterType(Value value) {
  return ElementBuilder::getRegisterType(getElementTypeOrSelf(value.getType()));
}

/// Loads where the index is known to be inside; in chunks where the vector is not one in memory.
FailureOr<Value> KernelEmitter::load(const ScheduledOp &scheduled, unsigned operandNumber,
                                     const IdValues &ids, const OperandIndex &at, int64_t width) {
  Type element = getRegisterType(scheduled.op->getOperand(operandNumber));
  FailureOr<Access> access = accessOperand(scheduled, operandNumber, ids, at, width);
  if (failed(access))
    return failure();
  // A row of short elements stays packed over the barriers of a reduction.
  ScheduledOp *producer = nest.lookup(scheduled.op->getOperand(operandNumber).getDefiningOp());
  bool keeps = emits() && producer && isReadAgain(*producer, scheduled);
  auto keep = [&](Value value) -> Value {
    return keeps ? kernel_ir::KeepOp::create(builder, loc, value.getType(), value).getResult()
                 : value;
  };
  if (width == 1 || access->form == VectorForm::Independent)
    return splat(keep(loadScalar(*access, element)), width);
  if (access->form == VectorForm::Trailing)
    return keep(loadVector(*access, element, width));
  FailureOr<ReadResult> read = readInChunks(scheduled, operandNumber, width, /*guarded=*/false);
  return failed(read) ? FailureOr<Value>() : FailureOr<Value>(read->value);
}

Value KernelEmitter::readScalar(Value operand) {
  Value value = getScalar(operand);
  if (!isa<ComplexType>(value.getType()))
    return value;
  return ElementBuilder(builder, loc, value.getType())
      .pack(
          {complex::ReOp::create(builder, loc, value), complex::ImOp::create(builder, loc, value)});
}

FailureOr<Value> KernelEmitter::readOperand(const ScheduledOp &scheduled, unsigned operandNumber,
                                            int64_t width) {
  Value operand = scheduled.op->getOperand(operandNumber);
  if (!isa<RankedTensorType>(operand.getType()))
    return splat(readScalar(operand), width);
  IdValues ids = deriveIds(scheduled);
  FailureOr<OperandIndex> at = indexOperand(scheduled, operandNumber, ids, width);
  if (failed(at))
    return failure();
  return load(scheduled, operandNumber, ids, *at, width);
}

FailureOr<Value> KernelEmitter::loadIf(Value condition, Type type,
                                       function_ref<FailureOr<Value>()> load) {
  if (!emits())
    return load();
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

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

bool KernelEmitter::isInMemory(Value operand) const {
  ScheduledOp *producer = nest.lookup(operand.getDefiningOp());
  return !producer || producer->memory != MemoryType::Register;
}

/// One vector of its parts, in order; parts may be scalars.
Value KernelEmitter::joinChunks(ValueRange chunks, int64_t width) {
  if (width == 1 || !emits())
    return chunks.front();
  SmallVector<Value> lanes;
  for (Value chunk : chunks) {
    auto type = dyn_cast<VectorType>(chunk.getType());
    if (!type)
      lanes.push_back(chunk);
    for (int64_t lane = 0, e = type ? type.getNumElements() : 0; lane < e; ++lane)
      lanes.push_back(vector::ExtractOp::create(builder, loc, chunk, lane));
  }
  auto type = VectorType::get({width}, lanes.front().getType());
  return vector::FromElementsOp::create(builder, loc, type, lanes);
}

/// The most elements, up to `width`, that one access can read under one condition: of a vector that
/// is shifted by a part of its width, only parts lie at multiples of their own width.
FailureOr<int64_t> KernelEmitter::getReadWidth(const ScheduledOp &scheduled, unsigned operandNumber,
                                               int64_t width, bool guarded, bool loads) {
  // An index that is data is read to know where it leads: element by element.
  auto mapping = cast<DomainMappingOpInterface>(scheduled.op);
  bool isIndirect = llvm::any_of(mapping.getDimMaps(operandNumber), [](const DimMap &map) {
    return map.kind == DimMap::Kind::Indirect;
  });
  for (int64_t chunk = width; chunk > 1; chunk = isIndirect ? 1 : chunk / 2) {
    IdValues ids = deriveIds(scheduled, 0, chunk);
    FailureOr<OperandIndex> at = indexOperand(scheduled, operandNumber, ids, chunk, guarded);
    if (failed(at))
      return failure();
    // That the first element is inside, as constants may say, is nothing said of the others.
    if (at->insideVaries)
      continue;
    if (!loads)
      return chunk;
    FailureOr<Access> access = accessOperand(scheduled, operandNumber, ids, *at, chunk);
    if (failed(access))
      return failure();
    if (access->form != VectorForm::Other)
      return chunk;
  }
  return 1;
}

Value KernelEmitter::getExists(const OperandIndex &at) {
  if (!emits())
    return placeholder;
  return at.inside ? at.inside
                   : arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)).getResult();
}

FailureOr<ReadResult> KernelEmitter::readInChunks(const ScheduledOp &scheduled,
                                                  unsigned operandNumber, int64_t width,
                                                  bool guarded) {
  Type element = getRegisterType(scheduled.op->getOperand(operandNumber));
  FailureOr<int64_t> chunk = getReadWidth(scheduled, operandNumber, width, guarded, /*loads=*/true);
  if (failed(chunk))
    return failure();
  SmallVector<Value> values, inside;
  bool mayBeOutside = false;
  for (int64_t lane = 0, e = emits() ? width : *chunk; lane < e; lane += *chunk) {
    IdValues ids = deriveIds(scheduled, lane, *chunk);
    FailureOr<OperandIndex> at = indexOperand(scheduled, operandNumber, ids, *chunk, guarded);
    if (failed(at))
      return failure();
    auto loadHere = [&]() -> FailureOr<Value> {
      FailureOr<Access> access = accessOperand(scheduled, operandNumber, ids, *at, *chunk);
      if (failed(access))
        return failure();
      return *chunk > 1 && access->form == VectorForm::Trailing
                 ? loadVector(*access, element, *chunk)
                 : splat(loadScalar(*access, element), *chunk);
    };
    Type type = *chunk == 1 ? element : Type(VectorType::get({*chunk}, element));
    FailureOr<Value> value = at->inside ? loadIf(at->inside, type, loadHere) : loadHere();
    if (failed(value))
      return failure();
    values.push_back(*value);
    mayBeOutside |= bool(at->inside);
    inside.push_back(splat(getExists(*at), *chunk));
  }
  return ReadResult{joinChunks(values, width), mayBeOutside ? joinChunks(inside, width) : Value()};
}

/// Which elements of an operand exist; null where all do.
FailureOr<Value> KernelEmitter::getInside(const ScheduledOp &scheduled, unsigned operandNumber,
                                          int64_t width) {
  FailureOr<int64_t> chunk =
      getReadWidth(scheduled, operandNumber, width, /*guarded=*/true, /*loads=*/false);
  if (failed(chunk))
    return failure();
  SmallVector<Value> inside;
  bool mayBeOutside = false;
  for (int64_t lane = 0, e = emits() ? width : *chunk; lane < e; lane += *chunk) {
    FailureOr<OperandIndex> at =
        indexOperand(scheduled, operandNumber, deriveIds(scheduled, lane, *chunk), *chunk,
                     /*guarded=*/true);
    if (failed(at))
      return failure();
    mayBeOutside |= bool(at->inside);
    inside.push_back(splat(getExists(*at), *chunk));
  }
  return mayBeOutside ? joinChunks(inside, width) : Value();
}

FailureOr<ReadResult> KernelEmitter::readGuarded(const ScheduledOp &scheduled,
                                                 unsigned operandNumber, int64_t width) {
  // What is computed for elements that do not exist too needs no guard.
  ScheduledOp *producer = nest.lookup(scheduled.op->getOperand(operandNumber).getDefiningOp());
  if (producer && producer->memory == MemoryType::Register && isRagged(*producer)) {
    FailureOr<Value> value = readOperand(scheduled, operandNumber, width);
    if (failed(value))
      return failure();
    FailureOr<Value> inside = getInside(scheduled, operandNumber, width);
    if (failed(inside))
      return failure();
    return ReadResult{*value, *inside};
  }
  return readInChunks(scheduled, operandNumber, width, /*guarded=*/true);
}
