//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandBuffers.h"
#include "KernelOperands.h"
#include "UnswitchLoops.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Which buffers need no memory
//===----------------------------------------------------------------------===//

/// The body of the innermost loop or branch of kernel IR around an op, or of the kernel.
static Region *getScope(Operation *op) {
  Region *scope = op->getParentRegion();
  for (auto loop = dyn_cast<loop::ForOp>(scope->getParentOp()); loop && loop.isWrittenOut();
       loop = dyn_cast<loop::ForOp>(scope->getParentOp()))
    scope = scope->getParentRegion();
  return scope;
}

/// True if the offset is a constant in each copy of the op.
static bool isConstantOffset(loop::AccessAttr access, ValueRange indices) {
  AffineExpr offset = access.getMap().getResult(0);
  auto isWrittenOut = [&](unsigned dim) {
    auto argument = dyn_cast<BlockArgument>(indices[dim]);
    auto loop =
        argument ? dyn_cast<loop::ForOp>(argument.getOwner()->getParentOp()) : loop::ForOp();
    return loop && loop.isWrittenOut() && !isThreadType(loop.getType()) &&
           !isBlockType(loop.getType());
  };
  for (unsigned dim = 0; dim < access.getMap().getNumDims(); ++dim)
    if (offset.isFunctionOfDim(dim) && !isWrittenOut(dim))
      return false;
  return !offset
              .walk([](AffineExpr part) {
                return isa<AffineSymbolExpr>(part) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
              })
              .wasInterrupted();
}

/// True if all accesses of an op to the buffer are at constant offsets.
static bool hasConstantOffsets(Operation *user, Value buffer) {
  if (auto index = dyn_cast<loop::IndexOp>(user))
    return isConstantOffset(index.getAccess(), index.getIndices());
  // All elements.
  if (isa<loop::WaitProductsOp>(user))
    return true;
  auto tile = cast<loop::TileOp>(user);
  for (auto [input, access] : llvm::zip_equal(tile.getInputs(), tile.getReads()))
    if (input == buffer && !isConstantOffset(cast<loop::AccessAttr>(access), tile.getIndices()))
      return false;
  for (auto [output, access] : llvm::zip_equal(tile.getOutputs(), tile.getWrites()))
    if (output == buffer && !isConstantOffset(cast<loop::AccessAttr>(access), tile.getIndices()))
      return false;
  return true;
}

/// True if all ops that write the buffer are in one scope, which all reads are in, at constant
/// offsets.
static bool canBeSSA(loop::BufferOp buffer) {
  if (buffer.getType().getSpace() != MemoryType::Register)
    return false;
  Region *scope = nullptr;
  for (OpOperand &use : buffer->getUses()) {
    auto tile = dyn_cast<loop::TileOp>(use.getOwner());
    const bool isWritten = tile ? llvm::is_contained(tile.getOutputs(), use.get())
                                : isa<loop::WaitProductsOp>(use.getOwner());
    if (!isWritten)
      continue;
    if (scope && scope != getScope(use.getOwner()))
      return false;
    scope = getScope(use.getOwner());
  }
  return scope && llvm::all_of(buffer->getUsers(), [&](Operation *user) {
           return hasConstantOffsets(user, buffer) && scope->isAncestor(user->getParentRegion());
         });
}

/// How many elements of a buffer all accesses are multiples of, at constant offsets; none if there
/// are others.
static std::optional<int64_t> getCommonChunk(loop::BufferOp buffer) {
  int64_t chunk = buffer.getType().getNumElements();
  for (Operation *user : buffer->getUsers()) {
    auto tile = dyn_cast<loop::TileOp>(user);
    if (!tile || !hasConstantOffsets(user, buffer))
      return std::nullopt;
    auto add = [&](Value value, Attribute access) {
      if (value == buffer)
        chunk = std::gcd(chunk, cast<loop::AccessAttr>(access).getChunk());
    };
    for (auto [input, access] : llvm::zip_equal(tile.getInputs(), tile.getReads()))
      add(input, access);
    for (auto [output, access] : llvm::zip_equal(tile.getOutputs(), tile.getWrites()))
      add(output, access);
  }
  return chunk;
}

/// True if a loop of kernel IR is around a buffer that the second version of a loop writes.
static bool isRepeatedVersion(loop::BufferOp buffer) {
  bool isRepeated = false;
  for (auto loop = buffer->getParentOfType<loop::ForOp>(); loop;
       loop = loop->getParentOfType<loop::ForOp>())
    isRepeated |= !loop.isWrittenOut();
  return isRepeated && llvm::any_of(buffer->getUsers(), isInSecondVersion);
}

ExpandedBuffers::ExpandedBuffers(loop::KernelOp kernel, ExpandedKernel &expanded)
    : expanded(expanded), builder(expanded.getBuilder()), loc(expanded.getLoc()) {
  kernel.walk([&](loop::BufferOp buffer) {
    // A flag is the value of its last_block.
    if (llvm::any_of(buffer->getUsers(), llvm::IsaPred<loop::LastBlockOp>))
      return;
    if (canBeSSA(buffer))
      ssa.insert(buffer);
    else if (buffer.getType().isPrivate() && isRepeatedVersion(buffer))
      if (std::optional<int64_t> chunk = getCommonChunk(buffer))
        cleared[buffer] = *chunk;
  });
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

static Type getElementType(Value buffer) {
  return ElementBuilder::getRegisterType(cast<loop::BufferType>(buffer.getType()).getElementType());
}

Value ExpandedBuffers::getLane(Value value, int64_t lane) {
  return isa<VectorType>(value.getType())
             ? vector::ExtractOp::create(builder, loc, value, lane).getResult()
             : value;
}

Value ExpandedBuffers::getPart(Value value, int64_t lane, int64_t count) {
  SmallVector<Value> lanes;
  for (int64_t each = lane; each < lane + count; ++each)
    lanes.push_back(getLane(value, each));
  return join(lanes);
}

Value ExpandedBuffers::join(ValueRange parts) {
  if (parts.size() == 1)
    return parts.front();
  SmallVector<Value> lanes;
  for (Value part : parts) {
    auto type = dyn_cast<VectorType>(part.getType());
    for (int64_t lane = 0, e = type ? type.getNumElements() : 1; lane < e; ++lane)
      lanes.push_back(getLane(part, lane));
  }
  auto type = VectorType::get({int64_t(lanes.size())}, lanes.front().getType());
  return vector::FromElementsOp::create(builder, loc, type, lanes);
}

Value ExpandedBuffers::splat(Value scalar, int64_t count) {
  if (count == 1)
    return scalar;
  return vector::BroadcastOp::create(builder, loc, VectorType::get({count}, scalar.getType()),
                                     scalar);
}

Value ExpandedBuffers::getZero(Value buffer, int64_t count) {
  Type element = getElementType(buffer);
  Type type = count == 1 ? element : Type(VectorType::get({count}, element));
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Value ExpandedBuffers::getMemory(Value buffer) {
  if (cast<loop::BufferType>(buffer.getType()).getSpace() == MemoryType::Global)
    return expanded.getMemory(buffer);
  Value &memory = memories[buffer];
  if (memory)
    return memory;
  auto type = cast<loop::BufferType>(buffer.getType());
  return memory = type.getSpace() == MemoryType::Shared
                      ? expanded.addShared(buffer.getDefiningOp<loop::BufferOp>())
                      : expanded.addRegisters(type.getNumElements(), type.getElementType());
}

/// An element as it is stored.
static Value toStorage(OpBuilder &builder, Location loc, Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  Type element = getElementTypeOrSelf(value.getType()), storage = getStorageType(element);
  if (storage == element)
    return value;
  return arith::ExtUIOp::create(builder, loc, vector ? Type(vector.clone(storage)) : storage,
                                value);
}

/// Each copy of a loop that is written out has registers of its own, which hold nothing of the copy
/// before. The registers of a second version, which writes some elements only, would keep what it
/// wrote an iteration before, and be live in the first version.
void ExpandedBuffers::start(loop::BufferOp buffer) {
  elements.erase(buffer);
  if (buffer.getType().isPrivate())
    memories.erase(buffer);
  auto it = cleared.find(buffer);
  if (it == cleared.end())
    return;
  auto [value, chunk] = *it;
  const int64_t size = buffer.getType().getNumElements();
  for (int64_t element = 0; element < size; element += chunk) {
    Value zero = toStorage(builder, loc, getZero(buffer, chunk));
    Value offset = expanded.getIndex().constant(element);
    if (chunk == 1)
      memref::StoreOp::create(builder, loc, zero, getMemory(buffer), offset);
    else
      vector::StoreOp::create(builder, loc, zero, getMemory(buffer), ValueRange{offset});
  }
}

Value ExpandedBuffers::loadSSA(Value buffer, int64_t offset, int64_t count) {
  auto &known = elements[buffer];
  const Element first = known.lookup(offset);
  auto isNext = [&](int64_t lane) {
    const Element next = known.lookup(offset + lane);
    return next.value == first.value && next.lane == lane;
  };
  auto vector = first.value ? dyn_cast<VectorType>(first.value.getType()) : VectorType();
  if (count > 1 && vector && vector.getNumElements() == count &&
      llvm::all_of(llvm::seq<int64_t>(0, count), isNext))
    return first.value;
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < count; ++lane) {
    const Element element = known.lookup(offset + lane);
    lanes.push_back(element.value ? getLane(element.value, element.lane) : getZero(buffer, 1));
  }
  return join(lanes);
}

/// An element as it is computed, from how it is stored: bools are bytes.
static Value fromStorage(OpBuilder &builder, Location loc, Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero);
}

/// Through the second level of the cache: other blocks may just have written the elements.
Value ExpandedBuffers::loadThroughL2(Value buffer, Value offset, loop::AccessAttr access,
                                     int64_t count) {
  const Type element = getElementType(buffer);
  if (getStorageType(element) != element)
    return loadElements(buffer, offset, access, count);
  Type type = count == 1 ? element : Type(VectorType::get({count}, element));
  return kernel_ir::LoadOp::create(builder, loc, type, getMemory(buffer), ValueRange{offset},
                                   kernel_ir::CacheHint::Cg,
                                   builder.getI64IntegerAttr(access.getAlignment()));
}

Value ExpandedBuffers::load(Value buffer, Value offset, loop::AccessAttr access, int64_t count) {
  Value value = loadElements(buffer, offset, access, count);
  return access.getKept() ? kernel_ir::KeepOp::create(builder, loc, value.getType(), value) : value;
}

Value ExpandedBuffers::loadElements(Value buffer, Value offset, loop::AccessAttr access,
                                    int64_t count) {
  IndexBuilder &index = expanded.getIndex();
  if (isSSA(buffer))
    return loadSSA(buffer, *index.getConstant(offset), count);
  if (access.getClamped()) {
    auto type = cast<loop::BufferType>(buffer.getType());
    const int64_t last = std::max<int64_t>(type.getNumElements() - count, 0);
    std::optional<int64_t> constant = index.getConstant(offset);
    if (!constant)
      offset = arith::MinUIOp::create(builder, loc, offset, index.constant(last));
    else if (*constant < 0 || *constant > last)
      offset = index.constant(last);
  }
  Type element = getElementType(buffer);
  if (count == 1)
    return fromStorage(builder, loc,
                       memref::LoadOp::create(builder, loc, getMemory(buffer), offset,
                                              /*nontemporal=*/false,
                                              access.getAlignment() > getElementBytes(element)
                                                  ? llvm::MaybeAlign(access.getAlignment())
                                                  : llvm::MaybeAlign()),
                       element);
  auto type = VectorType::get({count}, getStorageType(element));
  Value value =
      vector::LoadOp::create(builder, loc, type, getMemory(buffer), ValueRange{offset},
                             /*nontemporal=*/false, llvm::MaybeAlign(access.getAlignment()));
  return fromStorage(builder, loc, value, element);
}

Value ExpandedBuffers::load(Value buffer, Value rank, Value offset, loop::AccessAttr access,
                            int64_t count) {
  if (!rank)
    return load(buffer, offset, access, count);
  Type element = getElementType(buffer), storage = getStorageType(element);
  Type type = count == 1 ? storage : Type(VectorType::get({count}, storage));
  Value value =
      kernel_ir::PeerLoadOp::create(builder, loc, type, getMemory(buffer), ValueRange{offset}, rank,
                                    builder.getI64IntegerAttr(access.getAlignment()));
  return fromStorage(builder, loc, value, element);
}

void ExpandedBuffers::store(Value buffer, Value rank, Value offset, loop::AccessAttr access,
                            Value value) {
  if (!rank)
    return store(buffer, offset, access, value);
  kernel_ir::PeerStoreOp::create(builder, loc, toStorage(builder, loc, value), getMemory(buffer),
                                 ValueRange{offset}, rank,
                                 builder.getI64IntegerAttr(access.getAlignment()));
}

void ExpandedBuffers::store(Value buffer, Value offset, loop::AccessAttr access, Value value) {
  auto vectorType = dyn_cast<VectorType>(value.getType());
  if (isSSA(buffer)) {
    const int64_t first = *expanded.getIndex().getConstant(offset);
    for (int64_t lane = 0, e = vectorType ? vectorType.getNumElements() : 1; lane < e; ++lane)
      elements[buffer][first + lane] = {value, lane};
    return;
  }
  // Elements that were read one by one stay apart.
  if (auto parts = value.getDefiningOp<vector::FromElementsOp>();
      parts && vectorType && cast<loop::BufferType>(buffer.getType()).isPrivate()) {
    for (auto [lane, part] : llvm::enumerate(parts.getElements()))
      memref::StoreOp::create(builder, loc, toStorage(builder, loc, part), getMemory(buffer),
                              expanded.getIndex().add(offset, expanded.getIndex().constant(lane)));
    return;
  }
  value = toStorage(builder, loc, value);
  if (vectorType)
    vector::StoreOp::create(builder, loc, value, getMemory(buffer), ValueRange{offset},
                            /*nontemporal=*/false, llvm::MaybeAlign(access.getAlignment()));
  else
    memref::StoreOp::create(builder, loc, value, getMemory(buffer), offset);
}

static arith::AtomicRMWKind getAtomicKind(ScatterReduce kind, Type element) {
  const bool isFloat = isa<FloatType>(element);
  switch (kind) {
  case ScatterReduce::Add:
    return isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
  case ScatterReduce::Min:
    return isFloat ? arith::AtomicRMWKind::minimumf : arith::AtomicRMWKind::mins;
  case ScatterReduce::Max:
    return isFloat ? arith::AtomicRMWKind::maximumf : arith::AtomicRMWKind::maxs;
  case ScatterReduce::Mul:
    break;
  }
  llvm_unreachable("expected a combination that atomics have");
}

void ExpandedBuffers::combine(Value buffer, Value offset, loop::AccessAttr access, Value value,
                              ScatterReduce kind) {
  if (isa<VectorType>(value.getType())) {
    kernel_ir::AtomicAddOp::create(builder, loc, value, getMemory(buffer), ValueRange{offset},
                                   access.getAlignment());
    return;
  }
  memref::AtomicRMWOp::create(builder, loc, getAtomicKind(kind, value.getType()), value,
                              getMemory(buffer), ValueRange{offset});
}
