//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Divisibility, bounds and alignment that a schedule relies on.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/Requirements.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Dialect/IR/KernelFacts.h"
#include "fuser/Ids/LargeValues.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace mlir;
using namespace fuser;

/// The assumed divisor of an unknown size.
static constexpr int64_t kAssumedDivisor = 16;
/// The assumed alignment of a pointer without a fact.
static constexpr int64_t kAssumedAlignment = 16;

/// Bytes of the widest access to memory.
static constexpr int64_t kWidestAccess = 16;

/// Elements of a tensor from which on it pays to compile code without some bounds checks: fewer
/// take a few microseconds, and should run what an earlier call compiled.
static constexpr int64_t kManyElements = int64_t(1) << 21;

/// The range of 32-bit indices, with a margin for the last tiles.
static constexpr int64_t kShortIndexElements = (int64_t(1) << 31) - 1 - (int64_t(1) << 24);

/// The largest power of two up to `limit` that divides `value`; every number divides 0.
static int64_t getPowerOfTwo(int64_t value, int64_t limit) {
  if (value == 0)
    return limit;
  return std::min<int64_t>(limit, value & -value);
}

static AffineExpr getProduct(const KernelView &kernel, ArrayRef<unsigned> classes) {
  AffineExpr product = getAffineConstantExpr(1, kernel.getKernel()->getContext());
  for (unsigned dimClass : classes)
    product = product * kernel.getExtent(dimClass);
  return product;
}

void Requirements::add(FactAttr fact) {
  if (llvm::is_contained(facts, fact))
    return;
  // Of divisors of a size that are powers of two, the largest implies the others.
  if (fact.getKind() == FactKind::Divisible)
    for (FactAttr &other : facts)
      if (other.getKind() == FactKind::Divisible && other.getArg() == fact.getArg() &&
          other.getDim() == fact.getDim()) {
        if (fact.getValue() > other.getValue())
          other = fact;
        return;
      }
  facts.push_back(fact);
}

/// True if the hints have a size that the types do not have.
static bool areSizesKnown(const KernelView &kernel, const SizeHints &hints) {
  for (auto [number, type] : llvm::enumerate(kernel.getKernel().getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    for (int64_t dim = 0; tensor && dim < tensor.getRank(); ++dim)
      if (tensor.isDynamicDim(dim) && hints.getSize(number, dim))
        return true;
  }
  return false;
}

/// The power of two that divides an expression, now or with additional facts about its symbols. A
/// sum is divisible if each of its terms is.
static int64_t getDivisorOf(AffineExpr expr, const KernelView &kernel, const SizeHints &hints,
                            int64_t limit) {
  const ExtentAnalysis &extents = kernel.getExtents();
  int64_t known = getPowerOfTwo(extents.getKnownDivisor(expr), limit);
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    int64_t lhs = getDivisorOf(binary.getLHS(), kernel, hints, limit);
    int64_t rhs = getDivisorOf(binary.getRHS(), kernel, hints, limit);
    if (expr.getKind() == AffineExprKind::Add)
      return std::max(known, std::min(lhs, rhs));
    if (expr.getKind() == AffineExprKind::Mul)
      return std::max(known, std::min(limit, lhs * rhs));
    return known;
  }
  auto symbol = dyn_cast<AffineSymbolExpr>(expr);
  // Facts describe sizes, not scalar arguments.
  if (!symbol || extents.getSymbols()[symbol.getPosition()].dim < 0)
    return known;
  if (std::optional<int64_t> size = hints.evaluate(expr, extents))
    return std::max(known, getPowerOfTwo(*size, limit));
  // Next to known sizes, one that is not known is computed from values that each call has anew.
  if (areSizesKnown(kernel, hints))
    return known;
  return std::max(known, std::min(limit, kAssumedDivisor));
}

int64_t Requirements::getDivisor(ArrayRef<unsigned> classes, int64_t limit) const {
  int64_t divisor =
      getPowerOfTwo(kernel.getExtents().getKnownDivisor(getProduct(kernel, classes)), limit);
  int64_t product = 1;
  for (unsigned dimClass : classes)
    product *= getDivisorOf(kernel.getExtent(dimClass), kernel, hints, limit);
  return std::min(limit, std::max(divisor, product));
}

void Requirements::requireDivisor(ArrayRef<unsigned> classes, int64_t divisor) {
  const ExtentAnalysis &extents = kernel.getExtents();
  int64_t known = extents.getKnownDivisor(getProduct(kernel, classes));
  if (known % divisor == 0)
    return;
  // The fastest dimensions first, because rows start at multiples of them.
  int64_t rest = divisor;
  for (unsigned dimClass : llvm::reverse(classes)) {
    if (rest == 1)
      return;
    AffineExpr extent = kernel.getExtent(dimClass);
    int64_t part = getDivisorOf(extent, kernel, hints, rest);
    rest /= part;
    proveDivisor(extent, part);
  }
}

void Requirements::requireWhole(ArrayRef<unsigned> classes, int64_t count) {
  if (llvm::isPowerOf2_64(count) && getSize(classes).value_or(0) > 0 &&
      getDivisor(classes, count) == count)
    requireDivisor(classes, count);
}

void Requirements::requireWholeBlocks(ArrayRef<unsigned> classes, int64_t count) {
  if (llvm::any_of(kernel.getTensors(), [&](const GlobalTensor &tensor) {
        return getSize(kernel.getExtents().getExtents(tensor.value)).value_or(0) >= kManyElements;
      }))
    requireWhole(classes, count);
}

void Requirements::proveDivisor(AffineExpr expr, int64_t divisor) {
  const ExtentAnalysis &extents = kernel.getExtents();
  if (extents.getKnownDivisor(expr) % divisor == 0)
    return;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    ExtentAnalysis::Symbol source = extents.getSymbols()[symbol.getPosition()];
    if (source.dim >= 0)
      add(FactAttr::getDivisible(expr.getContext(), source.arg, source.dim, divisor));
    return;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return;
  if (expr.getKind() == AffineExprKind::Add) {
    proveDivisor(binary.getLHS(), divisor);
    proveDivisor(binary.getRHS(), divisor);
  } else if (expr.getKind() == AffineExprKind::Mul) {
    int64_t rhs = getDivisorOf(binary.getRHS(), kernel, hints, divisor);
    proveDivisor(binary.getRHS(), rhs);
    proveDivisor(binary.getLHS(), divisor / rhs);
  }
}

bool Requirements::proveNonEmpty(AffineExpr extent) {
  const ExtentAnalysis &extents = kernel.getExtents();
  if (extents.getLowerBound(extent) > 0)
    return true;
  // What a reshape merges.
  if (auto product = dyn_cast<AffineBinaryOpExpr>(extent);
      product && product.getKind() == AffineExprKind::Mul)
    return proveNonEmpty(product.getLHS()) && proveNonEmpty(product.getRHS());
  auto symbol = dyn_cast<AffineSymbolExpr>(extent);
  if (!symbol || extents.getSymbols()[symbol.getPosition()].dim < 0)
    return false;
  ExtentAnalysis::Symbol source = extents.getSymbols()[symbol.getPosition()];
  add(FactAttr::getAtLeast(symbol.getContext(), source.arg, source.dim, 1));
  return true;
}

bool Requirements::requireNonEmpty(ArrayRef<unsigned> classes) {
  return llvm::all_of(classes,
                      [&](unsigned dimClass) { return proveNonEmpty(kernel.getExtent(dimClass)); });
}

std::optional<Refusal> Requirements::requireNonEmpty(ArrayRef<LackedDim> lacked) {
  const bool allowsEmpty = kernel.getKernel()->hasAttr(kAllowsEmptyName);
  const ExtentAnalysis &extents = kernel.getExtents();
  for (const LackedDim &dim : lacked) {
    const AffineExpr extent = kernel.getExtent(dim.dimClass);
    if (allowsEmpty ? extents.getLowerBound(extent) > 0
                    : extents.getUpperBound(extent) != 0 && proveNonEmpty(extent))
      continue;
    Operation *op = kernel.getOps()[dim.op];
    std::string name = ("'" + op->getName().getStringRef() + "'").str();
    for (const GlobalTensor &tensor : kernel.getTensors())
      if (tensor.isOutput && tensor.value.getDefiningOp() == op)
        name = "output " + std::to_string(tensor.position);
    Refusal refusal{RefusalCategory::Size,
                    kMayBeEmpty,
                    {op},
                    "expected no output to lack a dimension that may be empty, but " + name +
                        " does"};
    cutBehind(op, refusal.cuts);
    return refusal;
  }
  return std::nullopt;
}

namespace {
/// The size of an argument that an extent is, or that is divided by a constant: a part that a
/// reshape splits off.
struct DividedSize {
  AffineSymbolExpr symbol;
  int64_t divisor = 1;
};
} // namespace

static std::optional<DividedSize> getDividedSize(AffineExpr extent) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(extent))
    return DividedSize{symbol};
  auto quotient = dyn_cast<AffineBinaryOpExpr>(extent);
  if (!quotient || (quotient.getKind() != AffineExprKind::FloorDiv &&
                    quotient.getKind() != AffineExprKind::CeilDiv))
    return std::nullopt;
  auto symbol = dyn_cast<AffineSymbolExpr>(quotient.getLHS());
  auto divisor = dyn_cast<AffineConstantExpr>(quotient.getRHS());
  if (!symbol || !divisor || divisor.getValue() < 1)
    return std::nullopt;
  return DividedSize{symbol, divisor.getValue()};
}

bool Requirements::requireAtMost(ArrayRef<unsigned> classes, int64_t bound) {
  const ExtentAnalysis &extents = kernel.getExtents();
  std::optional<int64_t> known = extents.getUpperBound(getProduct(kernel, classes));
  if (known && *known <= bound)
    return true;
  // The bound is divided: first by the constants, then by the hint of each symbol; the last symbol
  // gets the rest.
  SmallVector<DividedSize> sizes;
  SmallVector<AffineExpr> ofSizes;
  for (unsigned dimClass : classes) {
    AffineExpr extent = kernel.getExtent(dimClass);
    std::optional<int64_t> most = extents.getUpperBound(extent);
    if (std::optional<DividedSize> size = getDividedSize(extent);
        size && (!most || isa<AffineSymbolExpr>(extent))) {
      sizes.push_back(*size);
      ofSizes.push_back(extent);
      continue;
    }
    if (!most)
      return false;
    bound /= std::max<int64_t>(1, *most);
  }
  if (bound < 1)
    return false;
  for (auto [index, size] : llvm::enumerate(sizes)) {
    int64_t share = bound;
    if (index + 1 < sizes.size()) {
      std::optional<int64_t> hint = hints.evaluate(ofSizes[index], extents);
      if (!hint)
        return false;
      share = std::max<int64_t>(1, *hint);
      bound /= share;
    }
    ExtentAnalysis::Symbol source = extents.getSymbols()[size.symbol.getPosition()];
    if (share < 1 || source.dim < 0)
      return false;
    add(FactAttr::getAtMost(size.symbol.getContext(), source.arg, source.dim,
                            share * size.divisor));
  }
  return true;
}

bool Requirements::requireAtLeast(unsigned dimClass, int64_t bound) {
  const ExtentAnalysis &extents = kernel.getExtents();
  AffineExpr extent = kernel.getExtent(dimClass);
  if (extents.getLowerBound(extent) >= bound)
    return true;
  // A size that is padded, or of which a part is read.
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(extent); sum && sum.getKind() == AffineExprKind::Add)
    if (auto added = dyn_cast<AffineConstantExpr>(sum.getRHS())) {
      extent = sum.getLHS();
      bound -= added.getValue();
    }
  std::optional<DividedSize> size = getDividedSize(extent);
  if (!size || size->divisor != 1)
    return false;
  auto [arg, dim] = extents.getSymbols()[size->symbol.getPosition()];
  if (dim >= 0)
    add(FactAttr::getAtLeast(extent.getContext(), arg, dim, bound));
  return dim >= 0;
}

std::optional<int64_t> Requirements::getRangeEnd(AffineExpr extent) const {
  const ExtentAnalysis &extents = kernel.getExtents();
  // A fact that an extent is not 0 is no range.
  int64_t least = extents.getLowerBound(extent);
  std::optional<int64_t> most = extents.getUpperBound(extent);
  return least >= 2 && most && *most > least ? most : std::nullopt;
}

std::optional<int64_t> Requirements::getRangeEnd(ArrayRef<unsigned> classes) const {
  int64_t product = 1;
  bool isRange = false;
  for (unsigned dimClass : classes) {
    AffineExpr extent = kernel.getExtent(dimClass);
    std::optional<int64_t> size = getRangeEnd(extent);
    isRange |= size.has_value();
    if (!size)
      size = hints.evaluate(extent, kernel.getExtents());
    if (!size || llvm::MulOverflow(product, *size, product))
      return std::nullopt;
  }
  return isRange ? std::optional<int64_t>(product) : std::nullopt;
}

/// The sizes of which an extent is the product: of the rows and columns of an image, which a
/// reshape merges. False for other extents.
static bool collectSizes(AffineExpr extent, SmallVectorImpl<DividedSize> &sizes) {
  if (isa<AffineConstantExpr>(extent))
    return true;
  if (std::optional<DividedSize> size = getDividedSize(extent)) {
    sizes.push_back(*size);
    return true;
  }
  auto product = dyn_cast<AffineBinaryOpExpr>(extent);
  return product && extent.getKind() == AffineExprKind::Mul &&
         collectSizes(product.getLHS(), sizes) && collectSizes(product.getRHS(), sizes);
}

bool Requirements::requireExactly(ArrayRef<unsigned> classes) {
  const ExtentAnalysis &extents = kernel.getExtents();
  SmallVector<FactAttr> exact;
  for (unsigned dimClass : classes) {
    AffineExpr extent = kernel.getExtent(dimClass);
    if (extents.getConstant(extent) || getRangeEnd(extent))
      continue;
    SmallVector<DividedSize> sizes;
    if (!collectSizes(extent, sizes))
      return false;
    for (const DividedSize &size : sizes) {
      AffineExpr part = size.symbol;
      if (size.divisor != 1)
        part = part.floorDiv(size.divisor);
      // A part that a reshape splits off has no remainder.
      std::optional<int64_t> hint = hints.evaluate(part, extents);
      auto [arg, dim] = extents.getSymbols()[size.symbol.getPosition()];
      if (!hint || dim < 0)
        return false;
      const int64_t length = *hint * size.divisor;
      exact.push_back(FactAttr::getAtLeast(extent.getContext(), arg, dim, length));
      exact.push_back(FactAttr::getAtMost(extent.getContext(), arg, dim, length));
    }
  }
  for (FactAttr fact : exact)
    add(fact);
  return true;
}

/// True for a part of a value, whose elements are stored one by one: it needs no alignment.
static bool isWindow(const GlobalTensor &tensor) {
  return tensor.isOutput && tensor.value.getDefiningOp<WindowOp>();
}

bool Requirements::allowsVectors(const GlobalTensor &tensor, ArrayRef<unsigned> inner) const {
  // The fastest dimensions in memory are `inner`, contiguous; the divisor of a row pitch that is
  // not a product of sizes is known only from a fact.
  return tensor.order.size() >= inner.size() &&
         ArrayRef(tensor.order).take_back(inner.size()) == inner &&
         llvm::all_of(ArrayRef(tensor.contiguous).take_back(inner.size()),
                      [](bool contiguous) { return contiguous; });
}

/// The alignment of a buffer by facts; the assumed one without a fact.
static int64_t getAlignment(const KernelView &kernel, const GlobalTensor &tensor) {
  return kernel.getExtents()
      .getStatedAlignment(kernel.getFactNumber(tensor))
      .value_or(kAssumedAlignment);
}

int64_t Requirements::getVectorWidth(ArrayRef<unsigned> inner, int64_t bytes,
                                     function_ref<bool(const GlobalTensor &)> selected) const {
  int64_t widest = 1;
  for (ArrayRef<unsigned> dims = inner; !dims.empty(); dims = dims.drop_front())
    widest = std::max(widest, getDivisor(dims, getAccessWidth(dims, bytes, selected)));
  return widest;
}

ArrayRef<unsigned> Requirements::getVectorDims(ArrayRef<unsigned> inner, int64_t width) const {
  auto isKnown = [&](ArrayRef<unsigned> dims) {
    return kernel.getExtents().getKnownDivisor(getProduct(kernel, dims)) % width == 0;
  };
  // Vectors that are known to divide all of them may cross the ends of rows.
  const bool isKnownOfAll = isKnown(inner);
  for (ArrayRef<unsigned> dims = inner; !dims.empty(); dims = dims.drop_front())
    if ((!isKnownOfAll || isKnown(dims)) &&
        getDivisor(dims, getAccessWidth(dims, kWidestVectorBytes)) >= width)
      return dims;
  return inner;
}

std::optional<Refusal>
Requirements::checkVectorWidth(ArrayRef<unsigned> inner, int64_t width,
                               function_ref<bool(const GlobalTensor &)> selected) const {
  const int64_t most = getVectorWidth(inner, kWidestVectorBytes, selected);
  if (width <= most)
    return std::nullopt;
  return Refusal{RefusalCategory::Size,
                 kVectorTooWide,
                 {},
                 "expected vectors of at most " + std::to_string(most) + " elements, but got " +
                     std::to_string(width)};
}

int64_t Requirements::getAccessWidth(ArrayRef<unsigned> inner, int64_t bytes,
                                     function_ref<bool(const GlobalTensor &)> selected) const {
  int64_t width = 16, widest = 1;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    bool touched =
        llvm::any_of(inner, [&](unsigned dimClass) { return tensor.find(dimClass) >= 0; });
    if (!touched || (selected && !selected(tensor)))
      continue;
    if (isWindow(tensor)) {
      widest = std::max(widest, tensor.elementBytes);
      continue;
    }
    if (!allowsVectors(tensor, inner))
      return 1;
    widest = std::max(widest, tensor.elementBytes);
    // A wider vector consists of several of the widest accesses.
    int64_t alignment = getAlignment(kernel, tensor);
    if (alignment % kWidestAccess != 0)
      width = std::min(width, getPowerOfTwo(alignment / tensor.elementBytes, 16));
    for (int64_t divisor : tensor.strideDivisors)
      width = std::min(width, getPowerOfTwo(divisor, 16));
  }
  return std::max<int64_t>(1, std::min(width, bytes / widest));
}

void Requirements::requireVectorWidth(ArrayRef<unsigned> inner, int64_t width) {
  if (width == 1)
    return;
  const ArrayRef<unsigned> dims = getVectorDims(inner, width);
  requireDivisor(dims, width);
  requireAccessWidth(dims, width);
}

void Requirements::requireAccessWidth(ArrayRef<unsigned> inner, int64_t width) {
  if (width == 1)
    return;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    if (inner.empty() || isWindow(tensor) || !allowsVectors(tensor, inner))
      continue;
    // Where the stated address does not allow it, accesses are narrower.
    requireAlignment(tensor, width);
  }
}

bool Requirements::mayBeAligned(const GlobalTensor &tensor, int64_t width) const {
  return getAlignment(kernel, tensor) % std::min(kWidestAccess, width * tensor.elementBytes) == 0 &&
         llvm::all_of(tensor.strideDivisors, [&](int64_t divisor) { return divisor % width == 0; });
}

void Requirements::requireAlignment(const GlobalTensor &tensor, int64_t width) {
  unsigned number = kernel.getFactNumber(tensor);
  int64_t bytes = std::min({kWidestAccess, width * tensor.elementBytes,
                            getPowerOfTwo(getAlignment(kernel, tensor), kWidestAccess)});
  if (kernel.getExtents().getPointerAlignment(number) % bytes != 0)
    add(FactAttr::getAligned(kernel.getKernel()->getContext(), number, bytes));
}

void Requirements::requireShortIndices() {
  // The extents of the tensor itself: a dimension that it is read along may be longer, as that of a
  // padded tensor.
  auto fits = [&](const GlobalTensor &tensor) {
    std::optional<int64_t> size = getSize(kernel.getExtents().getExtents(tensor.value));
    return size && *size <= kShortIndexElements;
  };
  if (!llvm::all_of(kernel.getTensors(), fits))
    return;
  for (const GlobalTensor &tensor : kernel.getTensors()) {
    unsigned number = kernel.getFactNumber(tensor);
    if (!cast<RankedTensorType>(tensor.value.getType()).hasStaticShape() &&
        !kernel.getExtents().getElementsAtMost(number))
      add(FactAttr::getElementsAtMost(tensor.value.getContext(), number, kShortIndexElements));
  }
  for (Value value : findLargeValues(kernel.getKernel(), kernel.getExtents(), kShortIndexElements))
    requireShortIndices(value);
}

void Requirements::requireShortIndices(Value value) {
  const ExtentAnalysis &extents = kernel.getExtents();
  SmallVector<AffineExpr> sizes = extents.getExtents(value);
  llvm::erase_if(sizes, [](AffineExpr size) { return isa<AffineConstantExpr>(size); });
  std::optional<int64_t> elements = 1;
  for (AffineExpr size : extents.getExtents(value)) {
    auto symbol = dyn_cast<AffineSymbolExpr>(size);
    const bool isSize = symbol && extents.getSymbols()[symbol.getPosition()].dim >= 0;
    const std::optional<int64_t> hint = hints.evaluate(size, extents);
    if (!hint || (symbol ? !isSize : !isa<AffineConstantExpr>(size)) ||
        llvm::MulOverflow(*elements, *hint, *elements))
      return;
  }
  // All sizes may grow by the same factor, so that one kernel serves a range.
  const int64_t room = kShortIndexElements / std::max<int64_t>(*elements, 1);
  if (room == 0)
    return;
  const unsigned shift = llvm::Log2_64(room) / std::max<size_t>(sizes.size(), 1);
  for (AffineExpr size : sizes) {
    auto [arg, dim] = extents.getSymbols()[cast<AffineSymbolExpr>(size).getPosition()];
    const int64_t hint = std::max<int64_t>(*hints.evaluate(size, extents), 1);
    add(FactAttr::getAtMost(size.getContext(), arg, dim, hint << shift));
  }
}

std::optional<int64_t> Requirements::getSize(ArrayRef<unsigned> classes) const {
  return getSize(
      llvm::map_to_vector(classes, [&](unsigned dimClass) { return kernel.getExtent(dimClass); }));
}

std::optional<int64_t> Requirements::getSize(ArrayRef<AffineExpr> factors) const {
  int64_t size = 1;
  for (AffineExpr factor : factors) {
    std::optional<int64_t> extent = hints.evaluate(factor, kernel.getExtents());
    if (!extent || llvm::MulOverflow(size, *extent, size))
      return std::nullopt;
  }
  return size;
}

SmallVector<FactAttr> Requirements::takeFacts() {
  llvm::sort(facts, [](FactAttr a, FactAttr b) {
    auto key = [](FactAttr fact) {
      return std::tuple(fact.getKind(), fact.getArg(), fact.getDim(), fact.getValue());
    };
    return key(a) < key(b);
  });
  return std::move(facts);
}
