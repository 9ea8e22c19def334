//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bodies that several op families share.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/OpSupport.h"
#include "TrivialDomains.h"
#include "fuser/Dialect/IR/DomainLimits.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <mutex>

using namespace mlir;
using namespace fuser;

bool fuser::detail::isScheduled(Operation *op) {
  return op->hasAttr("domains") || op->hasAttr("memory") || op->hasAttr("inline_at");
}

void fuser::detail::getScheduleEffects(
    Operation *op, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (isScheduled(op))
    effects.emplace_back(MemoryEffects::Write::get(), ScheduleResource::get());
}

DomainAttr fuser::detail::TrivialDomains::get(ArrayRef<IdKind> kinds) const {
  MLIRContext *context = getContext();
  auto build = [&] { return DomainBuilder(context, kinds).build(); };
  constexpr size_t kMostIds = 28;
  if (kinds.size() > kMostIds)
    return build();
  uint64_t key = kinds.size();
  for (IdKind kind : kinds)
    key = key << 2 | static_cast<uint64_t>(kind);
  {
    std::shared_lock<std::shared_mutex> lock(mutex);
    if (DomainAttr known = domains.lookup(key))
      return known;
  }
  DomainAttr domain = build();
  std::unique_lock<std::shared_mutex> lock(mutex);
  return domains[key] = domain;
}

DomainAttr fuser::detail::getTrivialDomain(Operation *op, unsigned result) {
  auto *dialect = op->getContext()->getLoadedDialect<FuserDialect>();
  return dialect->getRegisteredInterface<TrivialDomains>()->get(
      cast<DomainMappingOpInterface>(op).getRootKinds());
}

//===----------------------------------------------------------------------===//
// TensorViewOpInterface
//===----------------------------------------------------------------------===//

bool fuser::detail::hasDomains(Operation *op) { return op->hasAttr("domains"); }

DomainAttr fuser::detail::getDomain(Operation *op, unsigned result) {
  if (auto domains = op->getAttrOfType<ArrayAttr>("domains"))
    return cast<DomainAttr>(domains[result]);
  return cast<TensorViewOpInterface>(op).getTrivialDomain(result);
}

void fuser::detail::setDomain(Operation *op, unsigned result, DomainAttr domain) {
  SmallVector<Attribute> domains;
  for (unsigned i = 0, e = op->getNumResults(); i < e; ++i)
    domains.push_back(i == result ? domain : getDomain(op, i));
  op->setAttr("domains", ArrayAttr::get(op->getContext(), domains));
}

MemoryType fuser::detail::getMemoryType(Operation *op) {
  auto memory = op->getAttrOfType<MemoryAttr>("memory");
  return memory ? memory.getValue() : MemoryType::Register;
}

void fuser::detail::setMemoryType(Operation *op, MemoryType type) {
  op->setAttr("memory", MemoryAttr::get(op->getContext(), type));
}

int64_t fuser::detail::getInlinePosition(Operation *op) {
  auto position = op->getAttrOfType<IntegerAttr>("inline_at");
  return position ? position.getInt() : 0;
}

void fuser::detail::setInlinePosition(Operation *op, int64_t position) {
  op->setAttr("inline_at", IntegerAttr::get(IntegerType::get(op->getContext(), 64), position));
}

//===----------------------------------------------------------------------===//
// Domain mappings
//===----------------------------------------------------------------------===//

SmallVector<IdKind> fuser::detail::getKindsOfResult(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return llvm::map_to_vector(type.getShape(), [](int64_t size) {
    return size == 1 ? IdKind::Broadcast : IdKind::Iteration;
  });
}

SmallVector<IdKind> fuser::detail::getPointwiseRootKinds(Operation *op) {
  return getKindsOfResult(op);
}

SmallVector<DimMap> fuser::detail::getPointwiseDimMaps(Operation *op, unsigned operandNumber) {
  auto operandType = dyn_cast<RankedTensorType>(op->getOperand(operandNumber).getType());
  if (!operandType)
    return {};
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<DimMap> maps;
  maps.reserve(operandType.getRank());
  for (int64_t dim = 0, rank = operandType.getRank(); dim < rank; ++dim)
    maps.push_back(operandType.getDimSize(dim) == 1 && resultType.getDimSize(dim) != 1
                       ? DimMap::broadcast(dim)
                       : DimMap::mapped(dim));
  return maps;
}

SmallVector<IdKind> fuser::detail::getReductionRootKinds(Operation *op) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims").asArrayRef();
  SmallVector<IdKind> kinds;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    kinds.push_back(llvm::is_contained(dims, int64_t(dim)) ? IdKind::Reduction
                    : size == 1                            ? IdKind::Broadcast
                                                           : IdKind::Iteration);
  return kinds;
}

SmallVector<DimMap> fuser::detail::getIdentityDimMaps(Operation *op, unsigned operandNumber) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(operandNumber).getType());
  SmallVector<DimMap> maps;
  for (int64_t dim = 0, rank = type ? type.getRank() : 0; dim < rank; ++dim)
    maps.push_back(DimMap::mapped(dim));
  return maps;
}

SmallVector<AffineExpr>
fuser::detail::inferRootExtentsFromMaps(Operation *op,
                                        ArrayRef<SmallVector<AffineExpr>> operandExtents) {
  auto mapping = cast<DomainMappingOpInterface>(op);
  SmallVector<IdKind> kinds = mapping.getRootKinds();
  SmallVector<AffineExpr> extents(kinds.size());
  for (auto [id, kind] : llvm::enumerate(kinds))
    if (kind == IdKind::Broadcast)
      extents[id] = getAffineConstantExpr(1, op->getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(operand.getOperandNumber()))) {
      if (map.kind != DimMap::Kind::Mapped)
        continue;
      AffineExpr extent = operandExtents[operand.getOperandNumber()][dim];
      // Prefer a constant over a symbol that must equal it.
      if (!extents[map.id] || (extent && isa<AffineConstantExpr>(extent)))
        extents[map.id] = extent;
    }
  }
  // The result type determines the remaining extents (ids without reductions, in order, if there is
  // no reshape).
  if (auto type =
          dyn_cast<RankedTensorType>(op->getNumResults() ? op->getResult(0).getType() : Type())) {
    int64_t dim = 0;
    for (auto [id, kind] : llvm::enumerate(kinds)) {
      if (kind == IdKind::Reduction || dim >= type.getRank())
        continue;
      if (!extents[id] && !type.isDynamicDim(dim))
        extents[id] = getAffineConstantExpr(type.getDimSize(dim), op->getContext());
      ++dim;
    }
  }
  return extents;
}

/// Checks one domain against the result type: dimensions are logical ids without reductions, size-1
/// ids where broadcast.
static LogicalResult verifyDomain(Operation *op, unsigned result, DomainAttr domain) {
  auto type = cast<RankedTensorType>(op->getResult(result).getType());
  SmallVector<unsigned> ids = domain.getResultIds();
  if (int64_t(ids.size()) != type.getRank())
    return op->emitOpError("expected the domain of result ")
           << result << " to have " << type.getRank() << " logical ids that are no reductions ("
           << type << "), but got " << ids.size();
  DomainAttr trivial = cast<TensorViewOpInterface>(op).getTrivialDomain(result);
  ArrayRef<unsigned> start = domain.getRootOrLogical(), expected = trivial.getRootOrLogical();
  if (start.size() != expected.size())
    return op->emitOpError("expected the domain of result ")
           << result << " to start from " << expected.size() << " ids, but got " << start.size();
  for (auto [index, id] : llvm::enumerate(start)) {
    IdKind kind = domain.getKinds()[id], want = trivial.getKinds()[expected[index]];
    if (kind != want)
      return op->emitOpError("expected id ")
             << index << " of the domain of result " << result << " to be of kind '"
             << stringifyIdKind(want) << "', but got '" << stringifyIdKind(kind) << "'";
  }
  return success();
}

LogicalResult fuser::detail::verifyAttributeNames(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (!attribute.getName().getValue().contains('.'))
      return op->emitOpError("expected attributes of the op or of a dialect ('dialect.name'), but "
                             "got '")
             << attribute.getName().getValue() << "'";
  return success();
}

/// Bytecode may hold sizes that the parser refuses.
bool fuser::detail::hasTooManyElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && hasTooManyElements(tensor.getShape());
}

bool fuser::detail::hasTooManyElements(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return false;
  // The others are at least 1 where there is an element.
  int64_t count = 1;
  for (int64_t size : shape)
    if (!ShapedType::isDynamic(size) &&
        (llvm::MulOverflow(count, size, count) || count >= kMaxElements))
      return true;
  return false;
}

static LogicalResult verifyResultSizes(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    for (int64_t size : tensor.getShape())
      if (size < 0 && !ShapedType::isDynamic(size))
        return op->emitOpError("expected result sizes of at least 0, but got ") << size;
    if (fuser::detail::hasTooManyElements(type))
      return op->emitOpError("expected fewer than 2^59 elements, but got ") << type;
  }
  return success();
}

/// True for element types that memory and the back ends have.
static bool isSupportedElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 || (integer.getWidth() >= 8 && integer.getWidth() <= 64 &&
                                       llvm::isPowerOf2_32(integer.getWidth()));
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType, Float8E5M2Type,
             ComplexType>(type);
}

static LogicalResult verifyElementTypes(Operation *op) {
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && !isSupportedElement(tensor.getElementType()))
      return op->emitOpError("expected elements of i1, i8, i16, i32, i64, f16, bf16, f32, f64, "
                             "f8E4M3FN, f8E5M2 or complex numbers, but got ")
             << tensor.getElementType();
  }
  return success();
}

LogicalResult fuser::detail::verifyTensorViewOp(Operation *op) {
  if (failed(verifyAttributeNames(op)) || failed(verifyResultSizes(op)) ||
      failed(verifyElementTypes(op)))
    return failure();
  auto domains = op->getAttrOfType<ArrayAttr>("domains");
  if (domains) {
    if (domains.size() != op->getNumResults())
      return op->emitOpError("expected one domain for each of ")
             << op->getNumResults() << " results, but got " << domains.size();
    for (auto [index, domain] : llvm::enumerate(domains.getAsRange<DomainAttr>()))
      if (failed(verifyDomain(op, index, domain)))
        return failure();
  }
  auto position = op->getAttrOfType<IntegerAttr>("inline_at");
  if (!position)
    return success();
  DomainAttr domain = cast<TensorViewOpInterface>(op).getDomain(0);
  if (position.getInt() < 0 || position.getInt() > int64_t(domain.getLoop().size()))
    return op->emitOpError("expected 'inline_at' between 0 and the ")
           << domain.getLoop().size() << " loop ids, but got " << position.getInt();
  for (unsigned id : domain.getLoop().take_front(position.getInt()))
    if (domain.getKinds()[id] == IdKind::Reduction)
      return op->emitOpError(
                 "expected 'inline_at' to stop before the first reduction loop, but got ")
             << position.getInt();
  return success();
}
