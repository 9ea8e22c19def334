//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Verifiers of the low-level GPU operations.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuser::kernel_ir;

#define GET_OP_CLASSES
#include "fuser/Dialect/Kernel/KernelOps.cpp.inc"

void FuserGPUDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "fuser/Dialect/Kernel/KernelOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// A scalar that fits into one or two registers of 32 bits.
static bool isShuffled(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable() && isShuffled(vector.getElementType());
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && integer.getWidth() <= 64;
  return isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

LogicalResult ShuffleOp::verify() {
  if (!isShuffled(getValue().getType()))
    return emitOpError() << "expected the value to be a scalar of up to 64 bits or a vector of one "
                            "dimension of such, but got "
                         << getValue().getType();
  uint32_t width = getWidth();
  if (width < 2 || width > 32 || !llvm::isPowerOf2_32(width))
    return emitOpError() << "expected the width to be a power of two from 2 to 32, but got "
                         << width;
  llvm::APInt offset;
  if (matchPattern(getOffset(), m_ConstantInt(&offset)) && offset.uge(width))
    return emitOpError() << "expected an offset less than the width " << width << ", but got "
                         << offset.getSExtValue();
  return success();
}

//===----------------------------------------------------------------------===//
// Parts of a batched launch
//===----------------------------------------------------------------------===//

ParseResult PartArgumentOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand part;
  SmallVector<OpAsmParser::UnresolvedOperand> arguments;
  Type type;
  if (parser.parseOperand(part) || parser.parseKeyword("of") ||
      parser.parseOperandList(arguments) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(part, parser.getBuilder().getIndexType(), result.operands) ||
      parser.resolveOperands(arguments, type, result.operands))
    return failure();
  result.addTypes(type);
  return success();
}

void PartArgumentOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPart() << " of ";
  printer.printOperands(getArguments());
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getType();
}

LogicalResult PartArgumentOp::verify() {
  if (getArguments().empty())
    return emitOpError() << "expected at least one argument of the kernel, but got none";
  // Functions of a later stage have no gpu.func around them.
  auto function = (*this)->getParentOfType<gpu::GPUFuncOp>();
  std::optional<unsigned> previous;
  for (Value value : getArguments()) {
    if (value.getType() != getType())
      return emitOpError() << "expected arguments of type " << getType() << ", but got "
                           << value.getType();
    auto argument = dyn_cast<BlockArgument>(value);
    if (function && (!argument || argument.getOwner() != &function.getBody().front() ||
                     argument.getArgNumber() >= function.getNumArguments()))
      return emitOpError() << "expected arguments of the kernel, but got " << value;
    if (!argument || (previous && argument.getArgNumber() != *previous + 1))
      return emitOpError() << "expected consecutive arguments of the kernel, but got " << value
                           << " at the wrong place";
    previous = argument.getArgNumber();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifyIndices(Operation *op, MemRefType type, OperandRange indices,
                                   bool isShared = false) {
  if (static_cast<int64_t>(indices.size()) != type.getRank())
    return op->emitOpError() << "expected " << type.getRank() << " indices for " << type
                             << ", but got " << indices.size();
  if (isShared && !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return op->emitOpError() << "expected shared memory (address space workgroup), but got "
                             << type;
  if (!isShared && type.getMemorySpace())
    return op->emitOpError() << "expected global memory (no memory space), but got " << type;
  return success();
}

/// Checks an access of `value` at `memory`: shapes, indices and alignment.
static LogicalResult verifyAccess(Operation *op, Type value, Type memory, OperandRange indices,
                                  std::optional<uint64_t> alignment, bool isShared = false) {
  auto type = cast<MemRefType>(memory);
  if (failed(verifyIndices(op, type, indices, isShared)))
    return failure();
  if (!type.getElementType().isIntOrFloat() ||
      type.getElementType().getIntOrFloatBitWidth() % 8 != 0)
    return op->emitOpError() << "expected elements of whole bytes, but got "
                             << type.getElementType();
  Type element = value;
  if (auto vector = dyn_cast<VectorType>(value)) {
    if (vector.getRank() != 1 || vector.isScalable())
      return op->emitOpError() << "expected a vector of one dimension, but got " << vector;
    SmallVector<int64_t> strides;
    int64_t offset;
    if (type.getRank() == 0 || failed(type.getStridesAndOffset(strides, offset)) ||
        strides.back() != 1)
      return op->emitOpError() << "expected the last stride to be 1 for a vector, but got " << type;
    element = vector.getElementType();
  }
  if (element != type.getElementType())
    return op->emitOpError() << "expected elements of type " << type.getElementType()
                             << ", but got " << element;
  if (alignment && (static_cast<int64_t>(*alignment) <= 0 || !llvm::isPowerOf2_64(*alignment)))
    return op->emitOpError() << "expected the alignment to be a power of two, but got "
                             << static_cast<int64_t>(*alignment);
  return success();
}

static int64_t alignmentInBytes(std::optional<uint64_t> alignment, Value base) {
  if (alignment)
    return *alignment;
  return cast<MemRefType>(base.getType()).getElementTypeBitWidth() / 8;
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getResult().getType(), getBase().getType(), getIndices(),
                      getAlignment());
}

int64_t LoadOp::getAlignmentInBytes() { return alignmentInBytes(getAlignment(), getBase()); }

LogicalResult StoreOp::verify() {
  if (getHint() == CacheHint::Ca || getHint() == CacheHint::Nc)
    return emitOpError() << "expected a hint for stores (none, cg, cs, no_allocate, evict_first), "
                            "but got "
                         << stringifyCacheHint(getHint());
  return verifyAccess(*this, getValue().getType(), getBase().getType(), getIndices(),
                      getAlignment());
}

LogicalResult AtomicAddOp::verify() {
  auto vector = dyn_cast<VectorType>(getValue().getType());
  if (!vector || !vector.getElementType().isF32() ||
      (vector.getNumElements() != 2 && vector.getNumElements() != 4))
    return emitOpError() << "expected a vector of 2 or 4 elements of f32, but got "
                         << getValue().getType();
  const int64_t bytes = vector.getNumElements() * 4, alignment = getAlignment();
  if (alignment < bytes)
    return emitOpError() << "expected an alignment of at least " << bytes << " bytes, but got "
                         << alignment;
  return verifyAccess(*this, vector, getBase().getType(), getIndices(), getAlignment());
}

int64_t StoreOp::getAlignmentInBytes() { return alignmentInBytes(getAlignment(), getBase()); }

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// Checks one end of a copy of several elements, or one: indices, and elements next to each other.
static LogicalResult verifyEnd(Operation *op, Value memory, OperandRange indices, bool isShared,
                               bool isSeveral) {
  auto type = cast<MemRefType>(memory.getType());
  if (failed(verifyIndices(op, type, indices, isShared)))
    return failure();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (isSeveral && (type.getRank() == 0 || failed(type.getStridesAndOffset(strides, offset)) ||
                    strides.back() != 1))
    return op->emitOpError() << "expected the last stride to be 1 for several elements, but got "
                             << type;
  return success();
}

/// Checks both ends of a copy from global to shared memory.
template <typename Op> static LogicalResult verifyEnds(Op op, bool isSeveral) {
  if (failed(verifyEnd(op, op.getSource(), op.getSourceIndices(), /*isShared=*/false, isSeveral)) ||
      failed(verifyEnd(op, op.getTarget(), op.getTargetIndices(), /*isShared=*/true, isSeveral)))
    return failure();
  Type element = cast<MemRefType>(op.getSource().getType()).getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return op.emitOpError() << "expected elements of whole bytes, but got " << element;
  if (Type other = cast<MemRefType>(op.getTarget().getType()).getElementType(); other != element)
    return op.emitOpError() << "expected elements of type " << element << ", but got " << other;
  return success();
}

LogicalResult CopyAsyncOp::verify() {
  if (failed(verifyEnds(*this, getCount() > 1)))
    return failure();
  Type element = cast<MemRefType>(getSource().getType()).getElementType();
  const int64_t count = getCount(), elementBytes = element.getIntOrFloatBitWidth() / 8;
  if (!llvm::is_contained({4 / elementBytes, 8 / elementBytes, 16 / elementBytes}, count) ||
      count == 0)
    return emitOpError() << "expected 4, 8 or 16 bytes, but got " << count << " elements of "
                         << elementBytes << " bytes";
  return success();
}

int64_t CopyAsyncOp::getBytes() {
  return int64_t(getCount()) * cast<MemRefType>(getTarget().getType()).getElementTypeBitWidth() / 8;
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

static LogicalResult verifyBarrier(Operation *op, Value barrier, OperandRange indices) {
  return verifyIndices(op, cast<MemRefType>(barrier.getType()), indices, /*isShared=*/true);
}

LogicalResult MBarrierInitOp::verify() {
  // The hardware counts arrivals in 20 bits.
  constexpr int64_t kMaxCount = (1 << 20) - 1;
  if (int64_t(getCount()) < 1 || int64_t(getCount()) > kMaxCount)
    return emitOpError() << "expected a count of 1 to " << kMaxCount << " arrivals, but got "
                         << int64_t(getCount());
  return verifyBarrier(*this, getBarrier(), getIndices());
}

/// Checks a number of bytes, or of elements of `elementBytes` bytes, if it is a constant.
static LogicalResult verifyBytes(Operation *op, Value number, int64_t elementBytes, int64_t least) {
  // A phase counts bytes in 20 bits.
  constexpr int64_t kMaxBytes = (1 << 20) - 1;
  llvm::APInt constant;
  if (!matchPattern(number, m_ConstantInt(&constant)))
    return success();
  const int64_t bytes = constant.getSExtValue() * elementBytes;
  if (bytes >= least && bytes <= kMaxBytes && bytes % CopyBulkOp::kGranule == 0)
    return success();
  return op->emitOpError() << "expected a multiple of " << CopyBulkOp::kGranule << " bytes from "
                           << least << " to " << kMaxBytes << ", but got " << bytes;
}

LogicalResult MBarrierExpectOp::verify() {
  if (failed(verifyBarrier(*this, getBarrier(), getIndices())))
    return failure();
  return verifyBytes(*this, getBytes(), 1, 0);
}

LogicalResult CopyBulkOp::verify() {
  if (failed(verifyEnds(*this, /*isSeveral=*/true)) ||
      failed(verifyBarrier(*this, getBarrier(), getBarrierIndices())))
    return failure();
  return verifyBytes(*this, getCount(), getElementBytes(), kGranule);
}

int64_t CopyBulkOp::getElementBytes() {
  return cast<MemRefType>(getTarget().getType()).getElementTypeBitWidth() / 8;
}

LogicalResult MBarrierWaitOp::verify() {
  if (failed(verifyBarrier(*this, getBarrier(), getIndices())))
    return failure();
  llvm::APInt phase;
  if (matchPattern(getPhase(), m_ConstantInt(&phase)) && phase.isNegative())
    return emitOpError() << "expected a phase of at least 0, but got " << phase.getSExtValue();
  return success();
}

/// A box in shared memory, and the map by which it is copied.
template <typename Op> static LogicalResult verifyBox(Op op, Value memory, OperandRange indices) {
  auto type = cast<MemRefType>(memory.getType());
  if (failed(verifyIndices(op, type, indices, /*isShared=*/true)))
    return failure();
  TensorMapType map = op.getMap().getType();
  if (op.getCoordinates().size() != map.getBox().size())
    return op.emitOpError() << "expected " << map.getBox().size() << " coordinates for " << map
                            << ", but got " << op.getCoordinates().size();
  if (type.getElementType() != map.getElementType())
    return op.emitOpError() << "expected elements of type " << map.getElementType() << ", but got "
                            << type.getElementType();
  if (!isa<BlockArgument>(op.getMap()))
    return op.emitOpError("expected an argument of the kernel as the map");
  return success();
}

LogicalResult CopyTensorOp::verify() {
  if (failed(verifyBox(*this, getTarget(), getTargetIndices())))
    return failure();
  return verifyBarrier(*this, getBarrier(), getBarrierIndices());
}

LogicalResult StoreTensorOp::verify() { return verifyBox(*this, getSource(), getSourceIndices()); }

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

LogicalResult MBarrierArriveOp::verify() {
  return verifyBarrier(*this, getBarrier(), getIndices());
}

LogicalResult RoleBarrierOp::verify() {
  // Barrier 0 is that of the block.
  constexpr int64_t kMaxId = 15, kWarp = 32, kMaxThreads = 1024;
  if (int64_t(getId()) < 1 || int64_t(getId()) > kMaxId)
    return emitOpError() << "expected an id from 1 to " << kMaxId << ", but got "
                         << int64_t(getId());
  const int64_t threads = getThreads();
  if (threads >= kWarp && threads <= kMaxThreads && threads % kWarp == 0)
    return success();
  return emitOpError() << "expected a multiple of " << kWarp << " threads up to " << kMaxThreads
                       << ", but got " << threads;
}

//===----------------------------------------------------------------------===//
// Synchronisation between blocks
//===----------------------------------------------------------------------===//

LogicalResult TicketOp::verify() {
  return verifyIndices(*this, cast<MemRefType>(getCounter().getType()), getIndices());
}

LogicalResult AwaitOp::verify() {
  return verifyIndices(*this, cast<MemRefType>(getCounter().getType()), getIndices());
}

LogicalResult LastBlockOp::verify() {
  return verifyIndices(*this, cast<MemRefType>(getCounter().getType()), getIndices());
}

LogicalResult GridSyncOp::verify() {
  if (failed(verifyIndices(*this, cast<MemRefType>(getCounter().getType()), getIndices())))
    return failure();
  auto function = (*this)->getParentOfType<gpu::GPUFuncOp>();
  if (!function)
    return success();
  auto launch = function->getAttrOfType<LaunchAttr>(FuserGPUDialect::kLaunch);
  if (launch && !launch.getCooperative()) {
    InFlightDiagnostic diagnostic = emitOpError() << "expected a cooperative launch";
    diagnostic.attachNote(function.getLoc()) << "the launch is " << launch;
    return diagnostic;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Checks that the launch of the kernel around `op`, if it is known, has clusters, in which a block
/// has the number `rank`.
static LogicalResult verifyCluster(Operation *op, Value rank = {}) {
  auto function = op->getParentOfType<gpu::GPUFuncOp>();
  auto launch =
      function ? function->getAttrOfType<LaunchAttr>(FuserGPUDialect::kLaunch) : LaunchAttr();
  if (!launch)
    return success();
  auto fail = [&](const Twine &message) -> LogicalResult {
    InFlightDiagnostic diagnostic = op->emitOpError() << message;
    diagnostic.attachNote(function.getLoc()) << "the launch is " << launch;
    return diagnostic;
  };
  if (launch.getCluster().empty())
    return fail("expected a launch in clusters");
  int64_t blocks = 1;
  for (int64_t size : launch.getCluster())
    blocks *= size;
  llvm::APInt constant;
  if (rank && matchPattern(rank, m_ConstantInt(&constant)) && constant.uge(blocks))
    return fail("expected a rank less than " + Twine(blocks) +
                ", the number of blocks of a cluster, but got " + Twine(constant.getSExtValue()));
  return success();
}

LogicalResult ClusterArriveOp::verify() { return verifyCluster(*this); }

LogicalResult ClusterWaitOp::verify() { return verifyCluster(*this); }

LogicalResult PeerLoadOp::verify() {
  if (failed(verifyAccess(*this, getResult().getType(), getBase().getType(), getIndices(),
                          getAlignment(), /*isShared=*/true)))
    return failure();
  return verifyCluster(*this, getRank());
}

int64_t PeerLoadOp::getAlignmentInBytes() { return alignmentInBytes(getAlignment(), getBase()); }

LogicalResult PeerStoreOp::verify() {
  if (failed(verifyAccess(*this, getValue().getType(), getBase().getType(), getIndices(),
                          getAlignment(), /*isShared=*/true)))
    return failure();
  return verifyCluster(*this, getRank());
}

int64_t PeerStoreOp::getAlignmentInBytes() { return alignmentInBytes(getAlignment(), getBase()); }

//===----------------------------------------------------------------------===//
// Launches that overlap
//===----------------------------------------------------------------------===//

LogicalResult WaitDependenciesOp::verify() {
  auto function = dyn_cast<gpu::GPUFuncOp>((*this)->getParentOp());
  if (function && (*this)->getBlock() == &function.getBody().front())
    return success();
  return emitOpError(
      "expected to be in the entry block of the kernel, which every thread executes");
}
