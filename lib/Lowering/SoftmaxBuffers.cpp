//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SoftmaxBuffers.h"
#include "fuser/Dialect/IR/ElementBuilder.h"
#include "fuser/Dialect/IR/SoftmaxParts.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fuser;

/// Values that are computed by longer chains of ops are not compared.
static constexpr unsigned kMaxDepth = 32;

static bool isPart(loop::TileOp tile, SoftmaxPart part) {
  return getSoftmaxPart(tile.getElementOp()) == part;
}

namespace {
/// What writes and reads the buffers of a kernel.
class SoftmaxSearch {
public:
  explicit SoftmaxSearch(loop::KernelOp kernel);
  bool isNumerator(loop::TileOp tile) const;
  ArrayRef<loop::TileOp> getReaders(Value buffer) const;

private:
  using Tiles = SmallVector<loop::TileOp, 1>;
  ArrayRef<loop::TileOp> getWriters(Value buffer) const;
  /// The only op whose element is written to a buffer; null if it is moved, or if there are others.
  loop::TileOp getOnlyWriter(Value buffer) const;
  Value skipMoves(Value buffer, bool broadcasts) const;
  bool isSame(Value a, Value b, unsigned depth = 0) const;
  /// The step that gives a buffer the result of a reduction of a row; null for other buffers.
  loop::TileOp getReduction(Value buffer) const;
  bool isReductionOf(loop::TileOp finalize, function_ref<bool(Value)> isElement) const;
  bool isSumOf(Value buffer, loop::TileOp exp, loop::TileOp max) const;
  bool isStoredShort(Value buffer, unsigned depth = 0) const;

  llvm::DenseMap<Value, Tiles> writers, readers;
};
} // namespace

SoftmaxSearch::SoftmaxSearch(loop::KernelOp kernel) {
  kernel.walk([&](loop::TileOp tile) {
    for (Value output : tile.getOutputs())
      writers[output].push_back(tile);
    for (Value input : tile.getInputs())
      readers[input].push_back(tile);
  });
}

ArrayRef<loop::TileOp> SoftmaxSearch::getWriters(Value buffer) const {
  auto it = writers.find(buffer);
  return it == writers.end() ? ArrayRef<loop::TileOp>() : ArrayRef<loop::TileOp>(it->second);
}

ArrayRef<loop::TileOp> SoftmaxSearch::getReaders(Value buffer) const {
  auto it = readers.find(buffer);
  return it == readers.end() ? ArrayRef<loop::TileOp>() : ArrayRef<loop::TileOp>(it->second);
}

static Type getElement(Value buffer) {
  return cast<loop::BufferType>(buffer.getType()).getElementType();
}

static bool isMove(loop::TileOp tile) {
  return (tile.getStep() == loop::TileStep::Element || tile.getStep() == loop::TileStep::Copy ||
          tile.getStep() == loop::TileStep::Bulk) &&
         !tile.getElementOp();
}

/// True if each element of a tile is this part.
static bool computes(loop::TileOp tile, SoftmaxPart part) {
  return tile && tile.getStep() == loop::TileStep::Element && isPart(tile, part);
}

loop::TileOp SoftmaxSearch::getOnlyWriter(Value buffer) const {
  ArrayRef<loop::TileOp> all = getWriters(buffer);
  return all.size() == 1 && loop::TileOp(all.front()).getStep() == loop::TileStep::Element
             ? all.front()
             : loop::TileOp();
}

/// What a buffer has a copy of.
Value SoftmaxSearch::skipMoves(Value buffer, bool broadcasts) const {
  for (unsigned depth = 0; depth < kMaxDepth; ++depth) {
    ArrayRef<loop::TileOp> all = getWriters(buffer);
    if (all.size() != 1)
      break;
    loop::TileOp writer = all.front();
    if (!isMove(writer) && !(broadcasts && computes(writer, SoftmaxPart::Broadcast)))
      break;
    buffer = writer.getInputs().front();
  }
  return buffer;
}

/// True if both have the same elements, of one type or of one that converts the other's exactly.
bool SoftmaxSearch::isSame(Value a, Value b, unsigned depth) const {
  auto skip = [&](Value buffer) {
    for (unsigned step = 0; step < kMaxDepth; ++step) {
      buffer = skipMoves(buffer, /*broadcasts=*/false);
      loop::TileOp writer = getOnlyWriter(buffer);
      if (!computes(writer, SoftmaxPart::Conversion) ||
          !isa<FloatType>(getElement(writer.getInputs().front())) ||
          !isValuePreservingCast(getElement(writer.getInputs().front()), getElement(buffer)))
        break;
      buffer = writer.getInputs().front();
    }
    return buffer;
  };
  a = skip(a);
  b = skip(b);
  if (a == b)
    return true;
  loop::TileOp one = getOnlyWriter(a), other = getOnlyWriter(b);
  if (!one || !other || depth == kMaxDepth || !one.getElementOp() || !other.getElementOp())
    return false;
  Operation *op = one.getElementOp(), *otherOp = other.getElementOp();
  return op->getName() == otherOp->getName() &&
         op->getAttrDictionary() == otherOp->getAttrDictionary() &&
         op->getResultTypes() == otherOp->getResultTypes() &&
         one.getInputs().size() == other.getInputs().size() &&
         llvm::all_of(llvm::zip(one.getInputs(), other.getInputs()), [&](auto inputs) {
           auto [input, otherInput] = inputs;
           return input == otherInput || (isa<loop::BufferType>(input.getType()) &&
                                          isa<loop::BufferType>(otherInput.getType()) &&
                                          isSame(input, otherInput, depth + 1));
         });
}

loop::TileOp SoftmaxSearch::getReduction(Value buffer) const {
  ArrayRef<loop::TileOp> all = getWriters(skipMoves(buffer, /*broadcasts=*/true));
  return all.size() == 1 && loop::TileOp(all.front()).getStep() == loop::TileStep::Finalize
             ? all.front()
             : loop::TileOp();
}

/// True if all elements that a reduction accumulates satisfy a predicate.
bool SoftmaxSearch::isReductionOf(loop::TileOp finalize,
                                  function_ref<bool(Value)> isElement) const {
  bool found = false;
  llvm::SmallSetVector<Value, 8> work(finalize.getInputs().begin(), finalize.getInputs().end());
  for (size_t next = 0; next < work.size(); ++next)
    for (loop::TileOp writer : getWriters(work[next])) {
      const bool accumulates = writer.getStep() == loop::TileStep::Accumulate;
      for (Value input : writer.getInputs())
        if (!accumulates)
          work.insert(input);
        else if (!isElement(input))
          return false;
      found |= accumulates;
    }
  return found;
}

static DenseI64ArrayAttr getDims(loop::TileOp tile) {
  return tile.getElementOp()->getAttrOfType<DenseI64ArrayAttr>("dims");
}

/// True for the sum of an exponential over the row of `max`.
bool SoftmaxSearch::isSumOf(Value buffer, loop::TileOp exp, loop::TileOp max) const {
  loop::TileOp sum = getReduction(buffer);
  if (!sum)
    return false;
  // Both statistics of one reduction.
  if (isPart(sum, SoftmaxPart::MaximumAndSum))
    return sum == max && skipMoves(buffer, /*broadcasts=*/true) == sum.getOutputs()[1];
  return isPart(sum, SoftmaxPart::Sum) && getDims(sum) == getDims(max) &&
         isReductionOf(sum,
                       [&](Value element) { return isSame(element, exp.getOutputs().front()); });
}

/// True if a value is only rounded to 16 bits and stored. Of 8 bits, or in f16, a subnormal number
/// of f32 is 0 in any case.
bool SoftmaxSearch::isStoredShort(Value buffer, unsigned depth) const {
  auto type = dyn_cast<FloatType>(getElement(buffer));
  if (type && type.getWidth() <= 16 && (!type.isBF16() || isa<BlockArgument>(buffer)))
    return true;
  return depth < kMaxDepth && !isa<BlockArgument>(buffer) &&
         llvm::all_of(
             getReaders(buffer),
             [&](loop::TileOp reader) {
               return (isMove(reader) || computes(reader, SoftmaxPart::Conversion)) &&
                      isStoredShort(reader.getOutputs().front(), depth + 1);
             });
}

bool SoftmaxSearch::isNumerator(loop::TileOp tile) const {
  loop::TileOp difference = getOnlyWriter(tile.getInputs().front());
  if (!computes(difference, SoftmaxPart::Difference) ||
      !llvm::all_of(difference.getInputs(),
                    [](Value input) { return isa<loop::BufferType>(input.getType()); }))
    return false;
  const Value x = difference.getInputs()[0], m = difference.getInputs()[1];
  loop::TileOp max = getReduction(m);
  if (!max || !(isPart(max, SoftmaxPart::Maximum) || isPart(max, SoftmaxPart::MaximumAndSum)) ||
      skipMoves(m, /*broadcasts=*/true) != max.getOutputs()[0] ||
      !isReductionOf(max, [&](Value element) { return isSame(element, x); }))
    return false;
  const Value result = tile.getOutputs().front();
  return llvm::all_of(getReaders(result), [&](loop::TileOp reader) {
    if (reader.getStep() == loop::TileStep::Accumulate)
      return isPart(reader, SoftmaxPart::Sum) && getDims(reader) == getDims(max);
    if (computes(reader, SoftmaxPart::Quotient))
      return reader.getInputs()[0] == result &&
             isa<loop::BufferType>(reader.getInputs()[1].getType()) &&
             isSumOf(reader.getInputs()[1], tile, max) &&
             isStoredShort(reader.getOutputs().front());
    return computes(reader, SoftmaxPart::Conversion) && isStoredShort(reader.getOutputs().front());
  });
}

SoftmaxBuffers::SoftmaxBuffers(loop::KernelOp kernel) {
  SmallVector<loop::TileOp> exponentials;
  kernel.walk([&](loop::TileOp tile) {
    if (computes(tile, SoftmaxPart::Exponential))
      exponentials.push_back(tile);
  });
  if (exponentials.empty())
    return;
  const SoftmaxSearch search(kernel);
  for (loop::TileOp tile : exponentials)
    if (search.isNumerator(tile)) {
      numerators.insert(tile);
      for (loop::TileOp reader : search.getReaders(tile.getOutputs().front()))
        if (computes(reader, SoftmaxPart::Quotient))
          quotients.insert(reader);
    }
}
