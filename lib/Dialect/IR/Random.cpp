//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random numbers: verification and scalar forms. RandomOps.td describes which words an element
// uses.
//
//===----------------------------------------------------------------------===//

#include "ElementFormula.h"
#include "LaneIndices.h"
#include "Philox.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/KeptLoops.h"
#include "fuser/Dialect/IR/RandomNumbers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

/// `type` or, where the seed is a tensor, `seed type -> type`.
static ParseResult parseSeedAndResult(OpAsmParser &parser, Type &seed, Type &result) {
  Type first;
  if (parser.parseType(first))
    return failure();
  if (failed(parser.parseOptionalArrow())) {
    seed = parser.getBuilder().getI64Type();
    result = first;
    return success();
  }
  seed = first;
  return parser.parseType(result);
}

static void printSeedAndResult(OpAsmPrinter &printer, Operation *, Type seed, Type result) {
  if (isa<RankedTensorType>(seed))
    printer << seed << " -> ";
  printer << result;
}

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/RandomOps.cpp.inc"

bool fuser::drawsRandomNumbers(Operation *op) { return isa<RandomUniformOp, RandomNormalOp>(op); }

LogicalResult fuser::detail::verifyRandomOp(Operation *op, ValueRange sizes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  // RN1
  if (failed(verifyElementClass(op, type.getElementType(), ElementClass::Float)))
    return failure();
  // RN2
  if (failed(verifyDynamicSizes(op, sizes, type.getShape(), "sizes")))
    return failure();
  return verifyTensorViewOp(op);
}

namespace {

/// A block of words that elements are made of, of i32 like the values it is drawn from.
using Words = std::array<Value, 4>;

/// The number of consecutive elements that one block provides.
int64_t getElementsPerBlock(Type element) { return element.isF64() ? 2 : 4; }

template <typename ShiftOp> Value shift(ElementBuilder &b, Value value, unsigned bits) {
  Type element = getElementTypeOrSelf(value.getType());
  return b.create<ShiftOp>(
      {value, b.constant(value, element, APInt(element.getIntOrFloatBitWidth(), bits))});
}

/// The block of the element whose row-major index is `index`; all operands are of i64, or vectors
/// of it.
Words drawBlock(ElementBuilder &b, Value seed, Value offset, Value index) {
  auto low = [&](Value value) { return b.convertTo(value, b.builder.getI32Type()); };
  auto high = [&](Value value) { return low(shift<arith::ShRUIOp>(b, value, 32)); };
  Value block =
      shift<arith::ShRUIOp>(b, index, llvm::Log2_64(getElementsPerBlock(b.resultElement)));
  return buildPhilox(b.builder, b.loc, {low(offset), high(offset), low(block), high(block)},
                     {low(seed), high(seed)});
}

/// Numbers of one element (or vector of elements), made of its words.
class RandomWords {
public:
  /// `index` is the row-major index of the element, of i64, and `words` its block. The index is
  /// known to be `rest` modulo `group`, a power of two.
  RandomWords(ElementBuilder &b, const Words &words, Value index, int64_t rest = 0,
              int64_t group = 1)
      : b(b), rest(rest), group(group),
        compute(cast<FloatType>(ElementBuilder::getComputeType(b.resultElement))),
        isWide(compute.isF64()), precision(compute.getFPMantissaWidth()), index(index),
        words(words) {}

  /// In [0, 1): the first `bits` bits of the element's own word, or pair of words.
  Real getUniform(unsigned bits) {
    Value word = isWide ? pick(0, join(words[0], words[1]), join(words[2], words[3]))
                        : pick(1, pick(0, words[0], words[1]), pick(0, words[2], words[3]));
    return scale(shift<arith::ShRUIOp>(b, word, getWidth() - bits), bits);
  }

  /// Of the two words that an element of an even index and the next one share: the first as a
  /// number in (0, 1], exact in the compute type.
  Real getRadiusWord() {
    Value word = isWide ? join(words[0], words[1]) : pick(1, words[0], words[2]);
    return 1 - scale(shift<arith::ShRUIOp>(b, word, getWidth() - precision), precision);
  }

  /// And the other as a part of a turn in [-1/2, 1/2), a quarter less for the odd index.
  Real getAngleWord() {
    Value word = isWide ? join(words[2], words[3]) : pick(1, words[1], words[3]);
    Value quarter = b.constant(word, getElementTypeOrSelf(word.getType()),
                               APInt::getOneBitSet(getWidth(), getWidth() - 2));
    word = pick(0, word, b.create<arith::SubIOp>({word, quarter}));
    return scale(shift<arith::ShRSIOp>(b, word, getWidth() - precision), precision);
  }

private:
  unsigned getWidth() const { return isWide ? 64 : 32; }

  /// An i64 of two words.
  Value join(Value low, Value high) {
    Type type = ElementBuilder::getTypeLike(index, b.builder.getI64Type());
    auto extend = [&](Value word) -> Value {
      return arith::ExtUIOp::create(b.builder, b.loc, type, word);
    };
    return b.create<arith::OrIOp>({extend(low), shift<arith::ShLIOp>(b, extend(high), 32)});
  }
  /// One of two by a bit of the index.
  Value pick(unsigned bit, Value ofZero, Value ofOne) {
    if (const int64_t weight = int64_t(1) << bit; weight < group)
      return rest & weight ? ofOne : ofZero;
    Type element = b.builder.getI64Type();
    Value mask = b.constant(index, element, APInt::getOneBitSet(64, bit));
    Value isZero = b.compare(arith::CmpIPredicate::eq, b.create<arith::AndIOp>({index, mask}),
                             b.constant(index, element, APInt(64, 0)));
    return b.select(isZero, ofZero, ofOne);
  }
  /// A signed integer of at most the compute type's precision, times 2^-bits: exact.
  Real scale(Value integer, unsigned bits) {
    Real number{&b, b.convertTo(integer, compute)};
    return number * std::ldexp(1.0, -int(bits));
  }

  ElementBuilder &b;
  int64_t rest, group;
  FloatType compute;
  bool isWide;
  unsigned precision;
  Value index;
  Words words;
};

} // namespace

/// The row-major index in a tensor of `shape`, as i64 like `like`. `sizes` are those of its dynamic
/// dimensions. A result in index arithmetic is as wide as the kernel's indices need to be.
static Value buildRowMajorIndex(ElementBuilder &b, Value like, ArrayRef<int64_t> shape,
                                ValueRange sizes, function_ref<Value(unsigned)> rootIndex) {
  Type type = b.builder.getIndexType();
  Value index;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    Value extent;
    if (ShapedType::isDynamic(size)) {
      extent = sizes.front();
      sizes = sizes.drop_front();
    } else {
      extent = b.constant(like, type, APInt(64, size));
    }
    Value own = rootIndex(dim);
    index = index ? b.create<arith::AddIOp>({b.create<arith::MulIOp>({index, extent}), own}) : own;
  }
  if (!index)
    index = b.constant(like, type, APInt(64, 0));
  return b.convertTo(index, b.builder.getI64Type());
}

/// One number of each distribution.
static Value buildUniform(ElementBuilder &b, RandomWords &words) {
  unsigned bits = cast<FloatType>(b.resultElement).getFPMantissaWidth();
  return b.convertTo(words.getUniform(bits).value, b.resultElement);
}

static Value buildNormal(ElementBuilder &b, RandomWords &words) {
  Real radius = sqrt(log(words.getRadiusWord()) * -2);
  Real angle = words.getAngleWord() * (2 * 3.14159265358979323846);
  return b.convertTo((radius * cos(angle)).value, b.resultElement);
}

/// Elements with consecutive indices from a multiple of `group` on, a divisor of both their number
/// and a block's: each group draws one block. `seed`, `offset` and `first` are scalars.
template <typename Build>
static Value buildRow(ElementBuilder &b, Value seed, Value offset, Value first, VectorType type,
                      int64_t group, Build build) {
  Type i64 = b.builder.getI64Type();
  SmallVector<Value> elements;
  Words words;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value index = b.create<arith::AddIOp>({first, b.constant(first, i64, APInt(64, lane))});
    if (lane % group == 0)
      words = drawBlock(b, seed, offset, index);
    RandomWords numbers(b, words, index, lane % group, group);
    elements.push_back(build(b, numbers));
  }
  return vector::FromElementsOp::create(b.builder, b.loc, type.clone(b.resultElement), elements);
}

/// Elements with any indices: each draws a block of its own. This is rarely executed and draws as
/// many times as the vector has lanes, so that it is a loop over them: a third of the code of a
/// kernel with random numbers, and of its compile time. `seed` and `offset` are scalars.
template <typename Build>
static Value buildLanes(ElementBuilder &b, Value seed, Value offset, Value index, VectorType type,
                        Build build) {
  auto constant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(b.builder, b.loc, number);
  };
  const int64_t count = type.getNumElements();
  SmallVector<Value> indices, initial;
  for (int64_t lane = 0; lane < count; ++lane)
    indices.push_back(vector::ExtractOp::create(b.builder, b.loc, index, lane));
  // Every lane is written.
  initial.assign(count, ub::PoisonOp::create(b.builder, b.loc, b.resultElement));
  auto loop =
      scf::ForOp::create(b.builder, b.loc, constant(0), constant(count), constant(1), initial);
  loop->setAttr(kKeepLoopAttrName, b.builder.getUnitAttr());
  {
    OpBuilder::InsertionGuard guard(b.builder);
    b.builder.setInsertionPointToStart(loop.getBody());
    // Lanes of a vector in registers have no address.
    SmallVector<Value> isLane;
    Value own = indices.back();
    for (int64_t lane = 0; lane < count; ++lane)
      isLane.push_back(b.compare(arith::CmpIPredicate::eq, loop.getInductionVar(), constant(lane)));
    for (int64_t lane = count - 1; lane-- > 0;)
      own = b.select(isLane[lane], indices[lane], own);
    RandomWords numbers(b, drawBlock(b, seed, offset, own), own);
    Value element = build(b, numbers);
    SmallVector<Value> elements;
    for (auto [before, isOwn] : llvm::zip_equal(loop.getRegionIterArgs(), isLane))
      elements.push_back(b.select(isOwn, element, before));
    scf::YieldOp::create(b.builder, b.loc, elements);
  }
  return vector::FromElementsOp::create(b.builder, b.loc, type.clone(b.resultElement),
                                        loop.getResults());
}

/// The element of `op` at the index `rootIndex`; `operands` are the elements of seed, offset and
/// sizes. Adjacent lanes of a vector usually share blocks. Where the ops of the index do not show
/// it, it is tested at run time; the branch is uniform over all threads if the row length is a
/// multiple of the vector length.
template <typename OpT, typename Build>
static Value buildRandom(OpT op, OpBuilder &builder, Location loc, ValueRange operands,
                         function_ref<Value(unsigned)> rootIndex, Build build) {
  ElementBuilder b(builder, loc, op.getType());
  Value seed = operands[0], offset = operands[1];
  Value index =
      buildRowMajorIndex(b, seed, op.getType().getShape(), operands.drop_front(2), rootIndex);
  auto type = dyn_cast<VectorType>(index.getType());
  int64_t group = type ? std::gcd(type.getNumElements(), getElementsPerBlock(b.resultElement)) : 1;
  if (group == 1) {
    RandomWords numbers(b, drawBlock(b, seed, offset, index), index);
    return build(b, numbers);
  }
  auto scalar = [&](Value vector, int64_t lane) -> Value {
    return vector::ExtractOp::create(builder, loc, vector, lane);
  };
  Type i64 = builder.getI64Type();
  Value first = scalar(index, 0);
  auto draw = [&] {
    return buildRow(b, scalar(seed, 0), scalar(offset, 0), first, type, group, build);
  };
  const LaneIndices lanes = LaneIndices::get(index);
  Value isRow;
  if (!lanes.areAdjacent()) {
    Value last = scalar(index, type.getNumElements() - 1);
    isRow = b.compare(arith::CmpIPredicate::eq, b.create<arith::SubIOp>({last, first}),
                      b.constant(first, i64, APInt(64, type.getNumElements() - 1)));
  }
  if (lanes.divisor % group != 0) {
    Value rest = b.create<arith::AndIOp>({first, b.constant(first, i64, APInt(64, group - 1))});
    Value isAligned =
        b.compare(arith::CmpIPredicate::eq, rest, b.constant(first, i64, APInt(64, 0)));
    isRow = isRow ? b.create<arith::AndIOp>({isRow, isAligned}) : isAligned;
  }
  if (!isRow)
    return draw();
  auto ifOp = scf::IfOp::create(builder, loc, TypeRange(type.clone(b.resultElement)), isRow,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(ifOp.thenBlock());
  scf::YieldOp::create(builder, loc, draw());
  builder.setInsertionPointToEnd(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc,
                       buildLanes(b, scalar(seed, 0), scalar(offset, 0), index, type, build));
  return ifOp.getResult(0);
}

/// Index 0 of every dimension, for callers that do not specify an element.
static auto getFirstIndex(OpBuilder &builder, Location loc, Value like) {
  return [&builder, loc, like](unsigned) {
    return ElementBuilder(builder, loc, builder.getIndexType())
        .constant(like, builder.getIndexType(), APInt(64, 0));
  };
}

Value RandomUniformOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildRandom(*this, builder, loc, operands, getFirstIndex(builder, loc, operands[0]),
                     buildUniform);
}

Value RandomUniformOp::buildElementAt(OpBuilder &builder, Location loc, ValueRange operands,
                                      ArrayRef<Value>, function_ref<Value(unsigned)> rootIndex) {
  return buildRandom(*this, builder, loc, operands, rootIndex, buildUniform);
}

Value RandomNormalOp::buildElement(OpBuilder &builder, Location loc, ValueRange operands) {
  return buildRandom(*this, builder, loc, operands, getFirstIndex(builder, loc, operands[0]),
                     buildNormal);
}

Value RandomNormalOp::buildElementAt(OpBuilder &builder, Location loc, ValueRange operands,
                                     ArrayRef<Value>, function_ref<Value(unsigned)> rootIndex) {
  return buildRandom(*this, builder, loc, operands, rootIndex, buildNormal);
}
