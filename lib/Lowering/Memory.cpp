//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Buffers, and how elements get in and out of registers and shared memory. Global memory is in
// GlobalMemory.cpp.
//
//===----------------------------------------------------------------------===//

#include "BufferIds.h"
#include "KernelEmitter.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuser;

Type fuser::getStorageType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return ElementBuilder::getRegisterType(element);
}

int64_t KernelEmitter::getWidth(const ScheduledOp &scheduled) const {
  ArrayRef<ParallelType> parallel = scheduled.domain.getParallel();
  if (parallel.empty() || parallel.back() != ParallelType::Vectorize)
    return 1;
  return *scheduled.loops.back()->constant;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Buffers in shared memory have their places before anything is emitted, as barriers depend on who
/// shares space.
LogicalResult KernelEmitter::placeSharedBuffers() {
  for (auto &scheduled : nest.getOps())
    if (scheduled->memory == MemoryType::Shared && failed(getBuffer(*scheduled)))
      return failure();
  return success();
}

/// From the store of a value to the last op that reads it.
static Timeline::Interval getLifetime(const Timeline &timeline, const LoopNest &nest,
                                      const ScheduledOp &scheduled) {
  SmallVector<Timeline::Event> events = {timeline.getStore(scheduled)};
  for (Operation *user : scheduled.op->getUsers())
    if (ScheduledOp *consumer = nest.lookup(user))
      events.push_back(timeline.getCompute(*consumer));
  return timeline.getLifetime(events);
}

/// Adds the dimensions of a value's buffer; returns the number of its elements.
FailureOr<int64_t> KernelEmitter::addDims(const ScheduledOp &scheduled, Buffer &buffer) {
  bool shared = scheduled.memory == MemoryType::Shared;
  for (unsigned id : getBufferIds(scheduled)) {
    AffineExpr extent = getExtent(scheduled, id);
    std::optional<int64_t> bound = extents.getConstant(extent);
    if (!bound)
      bound = extents.getUpperBound(extent);
    if (!bound)
      return scheduled.op->emitOpError("expected a value in ")
             << (shared ? "shared memory" : "registers")
             << " to have constant or bounded extents, but got " << describe(extent);
    buffer.dims.push_back({id, *bound});
  }
  // Registers spill into at most 512 KiB for each thread. Shared memory is checked as a whole.
  int64_t elements = 1, maxElements = shared ? int64_t(1) << 30 : int64_t(1) << 16;
  for (const Buffer::Dim &dim : buffer.dims) {
    if (dim.extent > maxElements / elements) {
      InFlightDiagnostic diagnostic = scheduled.op->emitOpError("expected a value in ");
      diagnostic << (shared ? "shared memory" : "registers") << " to have at most " << maxElements
                 << " elements, but got ";
      llvm::interleave(
          buffer.dims, [&](const Buffer::Dim &each) { diagnostic << each.extent; },
          [&] { diagnostic << " x "; });
      return diagnostic;
    }
    elements *= std::max<int64_t>(dim.extent, 1);
  }
  return elements;
}

Value KernelEmitter::addRegisters(int64_t elements, Type element) {
  if (!emits())
    return placeholder;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  return memref::AllocaOp::create(builder, loc, MemRefType::get({elements}, element),
                                  builder.getI64IntegerAttr(16));
}

FailureOr<Buffer *> KernelEmitter::getBuffer(const ScheduledOp &scheduled) {
  std::unique_ptr<Buffer> &slot = buffers[scheduled.op];
  if (slot)
    return slot.get();
  auto buffer = std::make_unique<Buffer>();
  FailureOr<int64_t> elements = addDims(scheduled, *buffer);
  if (failed(elements))
    return failure();
  for (Value result : scheduled.op->getResults()) {
    Type element = getStorageType(cast<RankedTensorType>(result.getType()).getElementType());
    if (scheduled.memory == MemoryType::Shared) {
      auto [memory, region] =
          addSharedMemory(scheduled.op, *elements, element, getLifetime(timeline, nest, scheduled));
      buffer->memory.push_back(memory);
      buffer->regions.push_back(region);
      continue;
    }
    buffer->memory.push_back(addRegisters(*elements, element));
  }
  slot = std::move(buffer);
  return slot.get();
}

/// An index of `count` elements from it on that a buffer in registers has. An op on registers is
/// computed without predicate, so that loops of its own may go beyond what its operand has: then it
/// reads an element that nobody asks for, instead of none.
static Value stayInside(OpBuilder &builder, Location loc, IndexBuilder &index, Value value,
                        int64_t extent, int64_t count) {
  const int64_t last = std::max<int64_t>(extent - count, 0);
  if (std::optional<int64_t> constant = index.getConstant(value))
    return *constant <= last ? value : index.constant(last);
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (loop)
    if (std::optional<int64_t> end = index.getConstant(loop.getUpperBound());
        end && *end <= last + 1)
      return value;
  return arith::MinUIOp::create(builder, loc, value, index.constant(last));
}

FailureOr<Access> KernelEmitter::accessBuffer(const ScheduledOp &owner, unsigned result,
                                              const IdValues &ids, int64_t width) {
  FailureOr<Buffer *> buffer = getBuffer(owner);
  if (failed(buffer))
    return failure();
  Access access;
  access.memory = (*buffer)->memory[result];
  access.offset = index.constant(0);
  for (auto [position, dim] : llvm::enumerate((*buffer)->dims)) {
    if (!ids.values[dim.id])
      return owner.op->emitOpError("expected its consumers to know the index of id ")
             << dim.id << ", but nothing maps to it";
    Value value = ids.values[dim.id];
    if (emits() && owner.memory == MemoryType::Register && dim.extent > 0)
      value = stayInside(builder, loc, index, value, dim.extent,
                         ids.forms[dim.id] == VectorForm::Trailing ? width : 1);
    access.offset = index.add(index.mul(access.offset, index.constant(dim.extent)), value);
    bool last = position + 1 == (*buffer)->dims.size();
    VectorForm form = ids.forms[dim.id];
    if (form == VectorForm::Independent)
      continue;
    bool contiguous = last && form == VectorForm::Trailing && dim.extent % width == 0;
    access.form = contiguous && access.form == VectorForm::Independent ? VectorForm::Trailing
                                                                       : VectorForm::Other;
  }
  if (emits()) {
    Type element = cast<MemRefType>(access.memory.getType()).getElementType();
    access.alignment = std::min<int64_t>(16, width * getElementBytes(element));
  }
  return access;
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

FailureOr<Access> KernelEmitter::accessOperand(const ScheduledOp &scheduled, unsigned operandNumber,
                                               const IdValues &ids, const OperandIndex &at,
                                               int64_t width) {
  Value operand = scheduled.op->getOperand(operandNumber);
  ScheduledOp *producer = nest.lookup(operand.getDefiningOp());
  if (!producer)
    return accessArgument(scheduled, operandNumber, ids, at, width);
  bool global = producer->memory == MemoryType::Global;
  IdValues producerIds = deriveProducerIds(*producer, scheduled, operandNumber, ids, at);
  if (global)
    return accessGlobalValue(scheduled.op, *producer, cast<OpResult>(operand).getResultNumber(),
                             producerIds, width);
  return accessBuffer(*producer, cast<OpResult>(operand).getResultNumber(), producerIds, width);
}

LogicalResult KernelEmitter::writeResult(ScheduledOp &scheduled, unsigned result, Value value,
                                         const IdValues &ids, int64_t width) {
  auto accessAt = [&](const IdValues &at) {
    return scheduled.memory == MemoryType::Global
               ? accessGlobalValue(scheduled.op, scheduled, result, at, width)
               : accessBuffer(scheduled, result, allIds(scheduled, at), width);
  };
  if (scheduled.memory == MemoryType::Global && isRagged(scheduled))
    return writeRagged(scheduled, result, value);
  // Lanes at further indices of what is done once do it again. A vector begins at a multiple of its
  // width: only the first lane is at index 0, which the predicate asks for.
  if (width > 1 && scheduled.memory == MemoryType::Global &&
      llvm::any_of(scheduled.once.checked,
                   [&](unsigned id) { return ids.forms[id] == VectorForm::Trailing; })) {
    FailureOr<Access> first = accessAt(deriveIds(scheduled, 0, 1));
    if (failed(first))
      return failure();
    store(*first, getLane(value, 0));
    return success();
  }
  FailureOr<Access> access = accessAt(ids);
  if (failed(access))
    return failure();
  if (width == 1 || access->form == VectorForm::Trailing) {
    store(*access, value);
    return success();
  }
  for (int64_t i = 0, e = emits() ? width : 1; i < e; ++i) {
    FailureOr<Access> single = accessAt(deriveIds(scheduled, i));
    if (failed(single))
      return failure();
    store(*single, getLane(value, i));
  }
  return success();
}

/// Stores the parts of a vector that exist.
LogicalResult KernelEmitter::writeRagged(ScheduledOp &scheduled, unsigned result, Value value) {
  int64_t width = getWidth(scheduled), chunk = width / 2;
  auto accessAt = [&](const IdValues &ids) {
    return accessGlobalValue(scheduled.op, scheduled, result, ids, ids.width,
                             /*mayBeScattered=*/true);
  };
  for (; chunk > 1; chunk /= 2) {
    IdValues ids = deriveIds(scheduled, 0, chunk);
    FailureOr<Access> access = accessAt(ids);
    if (failed(access))
      return failure();
    if (access->form == VectorForm::Trailing && getRaggedPredicate(scheduled, ids))
      break;
  }
  if (!emits())
    return accessAt(deriveIds(scheduled, 0, chunk));
  for (int64_t lane = 0; lane < width; lane += chunk) {
    IdValues ids = deriveIds(scheduled, lane, chunk);
    OpBuilder::InsertionGuard guard(builder);
    // None: all lanes of this chunk exist, whatever the sizes are.
    if (Value predicate = *getRaggedPredicate(scheduled, ids)) {
      auto ifOp = scf::IfOp::create(builder, loc, predicate, /*withElseRegion=*/false);
      builder.setInsertionPoint(ifOp.thenBlock()->getTerminator());
    }
    IndexBuilder::Scope scope(index);
    FailureOr<Access> access = accessAt(ids);
    if (failed(access))
      return failure();
    SmallVector<Value> lanes;
    for (int64_t i = 0; i < chunk; ++i)
      lanes.push_back(getLane(value, lane + i));
    store(*access, chunk == 1 ? lanes.front()
                              : Value(vector::FromElementsOp::create(
                                    builder, loc, VectorType::get({chunk}, lanes.front().getType()),
                                    lanes)));
  }
  return success();
}

IdValues KernelEmitter::allIds(const ScheduledOp &scheduled, IdValues ids) {
  applyForward(scheduled, ids, ids.width);
  return ids;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Value KernelEmitter::getLane(Value vector, int64_t lane) {
  return emits() ? vector::ExtractOp::create(builder, loc, vector, lane).getResult() : placeholder;
}

Value KernelEmitter::splat(Value scalar, int64_t width) {
  if (width == 1 || !emits())
    return scalar;
  return vector::BroadcastOp::create(builder, loc, VectorType::get({width}, scalar.getType()),
                                     scalar);
}

/// Bytes to bools.
static Value fromStorage(OpBuilder &builder, Location loc, Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero);
}

Value KernelEmitter::loadScalar(const Access &access, Type element) {
  if (!emits())
    return placeholder;
  Value value = memref::LoadOp::create(builder, loc, access.memory, access.offset);
  return fromStorage(builder, loc, value, element);
}

Value KernelEmitter::loadVector(const Access &access, Type element, int64_t width) {
  if (!emits())
    return placeholder;
  auto type = VectorType::get({width}, getStorageType(element));
  Value value = vector::LoadOp::create(builder, loc, type, access.memory, ValueRange{access.offset},
                                       /*nontemporal=*/false, llvm::MaybeAlign(access.alignment));
  return fromStorage(builder, loc, value, element);
}

void KernelEmitter::store(const Access &access, Value value) {
  if (!emits())
    return;
  Type element = getElementTypeOrSelf(value.getType()), storage = getStorageType(element);
  auto vectorType = dyn_cast<VectorType>(value.getType());
  if (storage != element)
    value = arith::ExtUIOp::create(builder, loc,
                                   vectorType ? Type(vectorType.clone(storage)) : storage, value);
  if (vectorType)
    vector::StoreOp::create(builder, loc, value, access.memory, ValueRange{access.offset},
                            /*nontemporal=*/false, llvm::MaybeAlign(access.alignment));
  else
    memref::StoreOp::create(builder, loc, value, access.memory, access.offset);
}
